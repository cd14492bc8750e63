//! Arguments of the verbs that write a file in another form.

use super::Files;
use clap::Args;
use std::path::PathBuf;

// What may happen to outputs.
#[derive(Args, Debug)]
pub struct Output {
    /// Replace files that exist
    #[arg(long)]
    pub force: bool,
    /// Tell what would be written and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Follow links: write to what an output names that is one, and read what those found in folders name
    #[arg(long)]
    pub follow_links: bool,
}

// `upgrade`.
#[derive(Args, Debug)]
pub struct Upgrade {
    #[command(flatten)]
    pub files: Files,
    /// The folder to write to, with the folders that -r finds; made where it is missing
    #[arg(short = 'C', long = "directory", value_name = "DIR")]
    pub directory: PathBuf,
    /// Write this FileVersion: 8 or 9 [default: 8, and 9 for files that have it]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(8..=9))]
    pub file_version: Option<u32>,
    /// Leave out what the current generation cannot hold, and tell it
    #[arg(long)]
    pub lossy: bool,
    #[command(flatten)]
    pub out: Output,
}

/// A suffix of a file name.
pub fn suffix(text: &str) -> Result<String, String> {
    if text.is_empty() || text.contains(['/', '\\']) {
        return Err("a suffix such as .bak, without a folder".to_owned());
    }
    Ok(text.to_owned())
}
