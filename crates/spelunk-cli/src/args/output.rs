//! Arguments about files that are written.

use clap::Args;

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

/// A suffix of a file name.
pub fn suffix(text: &str) -> Result<String, String> {
    if text.is_empty() || text.contains(['/', '\\']) {
        return Err("a suffix such as .bak, without a folder".to_owned());
    }
    Ok(text.to_owned())
}
