//! The command line of `refs`.

use super::{At, Following, Mounted};
use clap::Args;
use std::path::PathBuf;

// `refs`.
#[derive(Args, Debug)]
pub struct Refs {
    /// The file, or - for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Path of the entry, as `ls` prints it
    #[arg(value_name = "PATH", required_unless_present = "missing")]
    pub path: Option<String>,
    /// Everything that it needs, directly and through others
    #[arg(long, requires = "path", conflicts_with = "missing")]
    pub closure: bool,
    /// What is referred to and not there
    #[arg(long)]
    pub missing: bool,
    /// Another pack in which assets find what they need; repeatable
    #[arg(long, value_name = "[PREFIX=]PACK")]
    pub with: Vec<Mounted>,
    #[command(flatten)]
    pub following: Following,
    #[command(flatten)]
    pub at: At,
}
