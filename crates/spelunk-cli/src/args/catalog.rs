//! Arguments of `catalog`.

use super::Files;
use clap::Args;
use std::path::PathBuf;

// Arguments of `catalog`.
#[derive(Args, Debug)]
pub struct Catalog {
    /// Files and folders
    #[arg(value_name = "TREE", required_unless_present = "files_from")]
    pub trees: Vec<PathBuf>,
    /// Go through folders, which is done without it, too
    #[arg(short, long, hide_short_help = true)]
    pub recursive: bool,
    /// Read more names from LIST, one a line (- for standard input)
    #[arg(long, value_name = "LIST")]
    pub files_from: Option<PathBuf>,
    /// The folder of the catalogue; made where it is missing, brought up to date where it is there
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    /// No files that match this, by path or name; repeatable
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Look at every file, whatever the catalogue knows
    #[arg(long)]
    pub full: bool,
    /// Write into a folder that holds other things, which stay
    #[arg(long)]
    pub force: bool,
    /// Only tell what has changed
    #[arg(long)]
    pub dry_run: bool,
    /// Read the files that links in folders name, and write through links in DIR
    #[arg(long)]
    pub follow_links: bool,
}

impl Catalog {
    /// The files that are meant: those in folders, however deep, too.
    pub fn files(&self) -> Files {
        Files { files: self.trees.clone(), recursive: true, files_from: self.files_from.clone() }
    }
}
