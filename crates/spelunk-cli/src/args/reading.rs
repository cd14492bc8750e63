//! The command line of the verbs that read.

use super::{At, Output};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

// Any number of files.
#[derive(Args, Debug)]
pub struct Files {
    /// Files, folders with -r, or - for standard input
    #[arg(value_name = "FILE", required_unless_present = "files_from")]
    pub files: Vec<PathBuf>,
    /// Search folders, and the folders in them; what is no container is passed over
    #[arg(short, long)]
    pub recursive: bool,
    /// Read more file names from LIST, one a line (- for standard input)
    #[arg(long, value_name = "LIST")]
    pub files_from: Option<PathBuf>,
}

// `extract`.
#[derive(Args, Debug)]
pub struct Extract {
    /// The file, - for standard input, or a folder of SpellForce archives
    #[arg(value_name = "FILE|DIR")]
    pub file: PathBuf,
    /// Only entries that match one of these
    #[arg(value_name = "GLOB")]
    pub globs: Vec<String>,
    /// The folder to write to; made where it is missing
    #[arg(short = 'C', long = "directory", value_name = "DIR")]
    pub directory: PathBuf,
    /// No entries that match this; repeatable
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Only the files that a Virtools file carries along, right below DIR
    #[arg(long)]
    pub included: bool,
    /// The files and the manifest alone, where the container need not come back byte for byte
    #[arg(long)]
    pub no_skeleton: bool,
    #[command(flatten)]
    pub at: At,
    #[command(flatten)]
    pub out: Output,
}

/// Documents of findings.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Report {
    /// SARIF 2.1.0, which build servers and editors read
    Sarif,
}
