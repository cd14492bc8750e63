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

// `rm`.
#[derive(Args, Debug)]
pub struct Rm {
    #[command(flatten)]
    pub to: Destination,
    /// Paths of entries, as `ls` prints them; a class stands for all of its objects
    #[arg(value_name = "PATH", required_unless_present = "from")]
    pub paths: Vec<String>,
    /// Read more paths, one on each line, or - for standard input
    #[arg(long, value_name = "LIST")]
    pub from: Option<PathBuf>,
    /// Go on where references cannot be followed, and tell it, instead of refusing
    #[arg(long)]
    pub lossy: bool,
}

// `mv`.
#[derive(Args, Debug)]
pub struct Mv {
    #[command(flatten)]
    pub to: Destination,
    /// Path of the entry, as `ls` prints it
    #[arg(value_name = "PATH")]
    pub path: String,
    /// Its new name
    #[arg(value_name = "NAME")]
    pub name: String,
}

// `add`.
#[derive(Args, Debug)]
pub struct Add {
    #[command(flatten)]
    pub to: Destination,
    /// The class and the name of the object, included/ and the name of a file, asset/ and the name of an asset, bulk/
    /// and the path of a bulk payload, or file/ and the path of a file of an archive
    #[arg(value_name = "KIND/NAME")]
    pub path: String,
    /// The bytes of the entry; those of an object are a chunk of its class
    #[arg(long, value_name = "SOURCE")]
    pub from: Option<PathBuf>,
    /// Take the bytes of --from whatever they are
    #[arg(long, requires = "from")]
    pub raw: bool,
    /// The entry whose bytes it has too
    #[arg(long, value_name = "PATH", conflicts_with = "from")]
    pub like: Option<String>,
}

// `replace`.
#[derive(Args, Debug)]
pub struct Replace {
    #[command(flatten)]
    pub to: Destination,
    /// Path of the entry, as `ls` prints it
    #[arg(value_name = "PATH")]
    pub path: String,
    /// The file with its new bytes; those of an object are a chunk of its class. A picture or a model goes in with
    /// import --replace
    #[arg(value_name = "SOURCE")]
    pub source: PathBuf,
    /// Take the bytes whatever they are
    #[arg(long)]
    pub raw: bool,
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
