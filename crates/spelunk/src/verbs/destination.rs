//! The file that a verb changes, and where the changed one goes.

use super::{FileName, FileRef, keeping::KeepOptions, request::OutputOptions};
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
    /// What is kept of a file that is changed in place.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub keep: KeepOptions,
    /// Options for files that are written.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub out: OutputOptions,
}
