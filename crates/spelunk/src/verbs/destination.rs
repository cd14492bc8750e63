//! The file that a verb changes, and where the changed one goes.

use super::{FileName, FileRef, request::OutputOptions};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

// To the command, a documentation comment here would be what the verb is about.
#[cfg_attr(not(feature = "clap"), doc = "The file to change, and where the changed one goes.")]
#[cfg_attr(feature = "clap", allow(missing_docs))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(group(clap::ArgGroup::new("destination").required(true).args(["output", "in_place"]))))]
#[serde(default)]
pub struct Destination {
    /// The file to read, or - for standard input
    #[cfg_attr(feature = "clap", arg(value_name = "FILE"))]
    pub file: FileRef,
    /// The file to write, or - for standard output; a folder where many files are changed
    #[cfg_attr(feature = "clap", arg(short, long, value_name = "OUT"))]
    pub output: Option<FileName>,
    /// Replace FILE itself, atomically
    #[cfg_attr(feature = "clap", arg(long))]
    pub in_place: bool,
    /// Keep the replaced file under its name with this suffix; with --in-place or --force
    #[cfg_attr(feature = "clap", arg(long, value_name = "SUFFIX", value_parser = suffix, num_args = 0..=1, default_missing_value = ".bak", require_equals = true))]
    pub backup: Option<String>,
    /// Options for files that are written.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub out: OutputOptions,
}

/// Reads the suffix of a backup.
#[cfg(feature = "clap")]
pub(super) fn suffix(text: &str) -> std::result::Result<String, String> {
    if text.is_empty() || text.contains(['/', '\\']) {
        return Err("a suffix such as .bak, without a folder".to_owned());
    }
    Ok(text.to_owned())
}
