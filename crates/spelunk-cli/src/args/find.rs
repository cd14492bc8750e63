//! Arguments of `find`.

use clap::Args;
use spelunk::Revision;
use std::path::PathBuf;

// Arguments of `find`.
#[derive(Args, Debug)]
pub struct Find {
    /// A part of a name or text, a glob for the whole of it, or a number (decimal or 0x)
    pub pattern: String,
    /// Files and folders; what is no container in a folder is passed over
    #[arg(value_name = "FILE|DIR", required = true)]
    pub files: Vec<PathBuf>,
    /// Go through folders, which is done without it, too
    #[arg(short, long, hide_short_help = true)]
    pub recursive: bool,
    /// Only paths, names and kinds of entries, which takes less time
    #[arg(long)]
    pub names: bool,
    /// Only what is the pattern and nothing more
    #[arg(long)]
    pub whole: bool,
    /// Search packs at this generation, counted from 1 (the oldest), or all of them merged
    #[arg(long, value_name = "N|merged")]
    pub generation: Option<Revision>,
}
