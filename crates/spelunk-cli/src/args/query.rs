//! The command line of `query`.

use clap::Args;
use std::path::PathBuf;

/// `query`.
#[derive(Args, Debug)]
pub struct Query {
    /// The file, or - for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// One statement that reads
    #[arg(value_name = "SQL")]
    pub sql: String,
    /// Print CSV, with a line of names
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
}
