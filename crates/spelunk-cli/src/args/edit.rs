//! The command line of the verbs that change entries.

use super::{Output, suffix};
use clap::Args;
use std::path::PathBuf;

// The file to change, and where the changed one goes.
#[derive(Args, Debug)]
#[command(group(clap::ArgGroup::new("destination").required(true).args(["output", "in_place"])))]
pub struct Destination {
    /// The file to read, or - for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The file to write, or - for standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Replace FILE itself, atomically
    #[arg(long)]
    pub in_place: bool,
    /// Keep the replaced file under its name with this suffix; with --in-place or --force
    #[arg(long, value_name = "SUFFIX", value_parser = suffix, num_args = 0..=1, default_missing_value = ".bak", require_equals = true)]
    pub backup: Option<String>,
    #[command(flatten)]
    pub out: Output,
}

impl Destination {
    /// The file that is written.
    pub fn target(&self) -> &std::path::Path {
        self.output.as_deref().unwrap_or(&self.file)
    }
}

// `patch`.
#[derive(Args, Debug)]
pub struct Patch {
    #[command(flatten)]
    pub to: Destination,
    /// The patch, as `diff --patch` writes it
    #[arg(value_name = "PATCH")]
    pub patch: PathBuf,
    /// Take the patch back: from the new file to the old one
    #[arg(short, long)]
    pub reverse: bool,
    /// Write what fits where not all of it does, and tell the rest
    #[arg(long)]
    pub partial: bool,
}
