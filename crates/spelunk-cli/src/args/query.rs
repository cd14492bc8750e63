//! The command line of `query`.

use super::{At, Files};
use clap::Args;
use std::{ffi::OsString, path::PathBuf};

// `query`.
#[derive(Args, Debug)]
#[command(
    override_usage = "spelunk query [OPTIONS] <FILE>... <SQL>\n       spelunk query [OPTIONS] <FILE>... --tables"
)]
pub struct Query {
    /// Files, folders with -r, folders of SpellForce archives, or - for standard input; behind them one statement that reads
    #[arg(value_name = "FILE|SQL", num_args = 1.., required = true)]
    words: Vec<OsString>,
    /// Search folders, and the folders in them; what is no container is passed over
    #[arg(short, long)]
    recursive: bool,
    /// Read more file names from LIST, one a line (- for standard input)
    #[arg(long, value_name = "LIST")]
    files_from: Option<PathBuf>,
    /// List the tables that there are, with their columns, instead of a statement
    #[arg(long, conflicts_with = "csv")]
    pub tables: bool,
    /// Print CSV, with a line of names
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    #[command(flatten)]
    pub at: At,
}

impl Query {
    /// The files, and the statement, where one is given: the last of the words.
    pub fn take_apart(&self) -> (Files, Option<&OsString>) {
        let (sql, files) = match self.tables {
            true => (None, self.words.as_slice()),
            false => self
                .words
                .split_last()
                .map_or((None, [].as_slice()), |(sql, files)| (Some(sql), files)),
        };
        let files = Files {
            files: files.iter().map(PathBuf::from).collect(),
            recursive: self.recursive,
            files_from: self.files_from.clone(),
        };
        (files, sql)
    }
}
