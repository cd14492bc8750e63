//! The command line of `explain`.

use super::At;
use clap::Args;

// `explain`.
#[derive(Args, Debug)]
#[command(group(clap::ArgGroup::new("laid_out").args(["map", "hex"])))]
pub struct Explain {
    /// A file, - for standard input, a code such as VT012, or an error number of Virtools such as -22 or CKERR_INVALIDFILE
    #[arg(
        value_name = "FILE|CODE",
        required_unless_present = "codes",
        allow_negative_numbers = true
    )]
    pub subject: Option<String>,
    /// The byte: an offset, decimal or 0x hexadecimal, with a space and a colon before it where the file has
    /// packed sections. With --map and --hex what begins there; SPACE: is a whole space, and everything else
    /// the path of an entry
    #[arg(value_name = "[SPACE:]OFFSET")]
    pub place: Option<String>,
    /// How many bytes of it, decimal, 0x hexadecimal, or with K, M or G [default: to the end of the space, long runs folded]
    #[arg(value_name = "LEN", value_parser = length, requires = "laid_out")]
    pub len: Option<u64>,
    /// Print the file as a map: every field in the order of its bytes, with place, length and value
    #[arg(long, conflicts_with = "codes")]
    pub map: bool,
    /// Print the file as bytes, beside them the fields that begin in each line
    #[arg(long, conflicts_with = "codes")]
    pub hex: bool,
    /// Only the bytes of this entry, as a map unless --hex is given; for paths that are numbers, too
    #[arg(long, value_name = "PATH", conflicts_with_all = ["place", "codes"])]
    pub entry: Option<String>,
    /// Show long runs of bytes in full
    #[arg(long)]
    pub full: bool,
    /// List all codes
    #[arg(long, conflicts_with = "subject")]
    pub codes: bool,
    #[command(flatten)]
    pub at: At,
}

/// A number of bytes.
fn length(text: &str) -> Result<u64, String> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).map_err(|error| error.to_string()),
        None => spelunk::text::size(text),
    }
}
