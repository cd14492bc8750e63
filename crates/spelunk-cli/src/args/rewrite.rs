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

// `rewrite`.
#[derive(Args, Debug)]
pub struct Rewrite {
    /// The file to read, or - for standard input
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// The file to write, or - for standard output
    #[arg(value_name = "OUT", required_unless_present = "in_place", conflicts_with = "in_place")]
    pub output: Option<PathBuf>,
    /// Inflate every packed part and pack it again, at the level that reproduces it
    #[arg(long)]
    pub recompress: bool,
    /// Replace IN itself, atomically
    #[arg(long)]
    pub in_place: bool,
    /// Keep the replaced file under its name with this suffix; with --in-place or --force
    #[arg(long, value_name = "SUFFIX", value_parser = suffix, num_args = 0..=1, default_missing_value = ".bak", require_equals = true)]
    pub backup: Option<String>,
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub out: Output,
}

// The form of a file that is written.
#[derive(Args, Debug)]
pub struct Form {
    /// Write this version of the format
    #[arg(long, value_name = "N")]
    pub file_version: Option<u32>,
    /// Write in this mode: a number, or names from uncompressed, chunk-compressed, external-textures, viewer,
    /// compressed, separated by commas
    #[arg(long, value_name = "MODE", value_parser = mode)]
    pub write_mode: Option<u32>,
    /// Pack every packed part at this level, 0 to 9
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=9))]
    pub level: Option<u8>,
    /// Leave out the included files
    #[arg(long)]
    pub strip_included: bool,
    /// Leave out what the wanted version cannot hold, and tell it, instead of refusing
    #[arg(long)]
    pub lossy: bool,
}

/// A suffix of a file name.
pub fn suffix(text: &str) -> Result<String, String> {
    if text.is_empty() || text.contains(['/', '\\']) {
        return Err("a suffix such as .bak, without a folder".to_owned());
    }
    Ok(text.to_owned())
}

/// A write mode: a number, or names of its bits.
fn mode(text: &str) -> Result<u32, String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    };
    if let Ok(number) = number {
        return Ok(number);
    }
    text.split(',').try_fold(0, |bits, name| {
        let bit = match name {
            "uncompressed" => 0,
            "chunk-compressed" => 1,
            "external-textures" => 2,
            "viewer" => 4,
            "compressed" => 8,
            _ => {
                return Err(format!(
                    "`{name}` is no write mode; say a number, or some of uncompressed, chunk-compressed, \
                     external-textures, viewer, compressed"
                ));
            }
        };
        Ok(bits | bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn write_modes_have_names_and_numbers() {
        assert_eq!(mode("uncompressed"), Ok(0));
        assert_eq!(mode("viewer,compressed"), Ok(12));
        assert_eq!(mode("9"), Ok(9));
        assert_eq!(mode("0x0000000c"), Ok(12));
        assert!(mode("packed").is_err() && mode("").is_err() && mode("viewer,").is_err());
    }
}
