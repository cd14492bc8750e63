//! The command line of `query`.

use clap::Args;
use spelunk::{
    Error, Result,
    open::codes,
    verbs::{FileList, FileName, Shown, query},
};
use std::ffi::OsString;

// `query`. The statement is the last of the words, which no request says.
#[derive(Args, Debug)]
#[command(
    override_usage = "spelunk query [OPTIONS] <FILE>... <SQL>\n       spelunk query [OPTIONS] <FILE>... --tables\n       spelunk query [OPTIONS] --update <--output <OUT>|--in-place> <FILE> <SQL>"
)]
pub struct Query {
    /// Files, folders with -r, folders of SpellForce archives, or - for standard input; behind them one statement
    #[arg(value_name = "FILE|SQL", num_args = 1.., required = true)]
    words: Vec<OsString>,
    /// Search folders, and the folders in them; what is no container is passed over
    #[arg(short, long)]
    recursive: bool,
    /// Read more file names from LIST, one a line (- for standard input)
    #[arg(long, value_name = "LIST")]
    files_from: Option<FileName>,
    /// List the tables that there are, with their columns, instead of a statement
    #[arg(long, conflicts_with = "csv")]
    tables: bool,
    /// Print CSV, with a line of names
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    #[command(flatten)]
    updating: query::Updating,
    #[command(flatten)]
    shown: Shown,
}

impl Query {
    /// Returns the request that the words mean.
    pub fn request(&self) -> Result<query::Request> {
        let (sql, files) = match self.tables {
            true => (None, self.words.as_slice()),
            false => self
                .words
                .split_last()
                .map_or((None, [].as_slice()), |(sql, files)| (Some(sql), files)),
        };
        let text = |sql: &OsString| {
            let text = sql.to_str().map(str::to_owned);
            let error = Error::new(&codes::SQL).expected("a text").found("bytes that are none");
            text.ok_or(error)
        };
        let files = FileList {
            files: files.iter().map(|file| file.clone().into()).collect(),
            recursive: self.recursive,
            files_from: self.files_from.clone(),
        };
        Ok(query::Request {
            files,
            sql: sql.map(text).transpose()?,
            tables: self.tables,
            shown: self.shown.clone(),
            updating: self.updating.clone(),
            confines_process: true,
        })
    }
}
