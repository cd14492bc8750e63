//! The command line of the verbs that read.

use clap::Args;
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
