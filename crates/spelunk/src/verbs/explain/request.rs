//! Requests for explanations.

use crate::verbs::{FileRef, request::Shown};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The field of a byte, the map or the bytes of a file, or the meaning of a code
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(group(clap::ArgGroup::new("laid_out").args(["map", "hex"]))))]
#[serde(default)]
pub struct Request {
    /// A file, - for standard input, a code such as VT012, or an error number of Virtools such as -22 or CKERR_INVALIDFILE
    #[cfg_attr(
        feature = "clap",
        arg(
            value_name = "FILE|CODE",
            required_unless_present = "codes",
            allow_negative_numbers = true
        )
    )]
    pub subject: Option<FileRef>,
    /// The byte: an offset, decimal or 0x hexadecimal, with a space and a colon before it where the file has
    /// packed sections. With --map and --hex what begins there; SPACE: is a whole space, and everything else
    /// the path of an entry
    #[cfg_attr(feature = "clap", arg(value_name = "[SPACE:]OFFSET"))]
    pub place: Option<String>,
    /// Number of bytes, decimal, 0x hexadecimal, or with K, M or G [default: to the end of the space, long runs folded]
    #[cfg_attr(feature = "clap", arg(value_name = "LEN", value_parser = length, requires = "laid_out"))]
    pub len: Option<u64>,
    /// Print the file as a map: every field in the order of its bytes, with place, length and value
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "codes"))]
    pub map: bool,
    /// Print the file as bytes, beside them the fields that begin in each line
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "codes"))]
    pub hex: bool,
    /// Only the bytes of this entry, as a map unless --hex is given; for paths that are numbers, too
    #[cfg_attr(feature = "clap", arg(long, value_name = "PATH", conflicts_with_all = ["place", "codes"]))]
    pub entry: Option<String>,
    /// Show long runs of bytes in full
    #[cfg_attr(feature = "clap", arg(long))]
    pub full: bool,
    /// With `hex` and `len`: bytes of the range alone, also of fields that begin before it or end behind it
    #[cfg_attr(feature = "clap", arg(skip))]
    pub within: bool,
    /// List all codes
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "subject"))]
    pub codes: bool,
    /// Rows for people: what has no row otherwise (groups, bytes line by line), and texts that they read
    #[cfg_attr(feature = "clap", arg(skip))]
    pub for_people: bool,
    /// Options for how the file is shown.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub shown: Shown,
}

/// A number of bytes.
#[cfg(feature = "clap")]
fn length(text: &str) -> std::result::Result<u64, String> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).map_err(|error| error.to_string()),
        None => crate::core::text::size(text),
    }
}
