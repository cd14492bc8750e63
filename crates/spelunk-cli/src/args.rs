//! The command line.

use anstream::ColorChoice;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Opens the containers that games ship their assets in: Virtools (.nmo .cmo .vmo .nms), SnPAK (.snpak),
/// SpellForce (GameData.cff, maps, saves, .pak, pakdata.dat).
///
/// The content decides what a file is, never its name. Nothing is changed unless you say so.
#[derive(Parser, Debug)]
#[command(name = "spelunk", version, propagate_version = true, max_term_width = 100)]
#[command(after_help = "Exit codes: 0 clean, 1 error findings, 2 usage, 3 cannot be opened, \
4 input/output, 5 not supported.\n\nExamples:\n  spelunk info level.nmo\n  spelunk ls sf22.pak '*.tga'\n  \
spelunk verify --roundtrip *.snpak\n  spelunk explain level.nmo 0x10")]
pub struct Cli {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub verb: Verb,
}

/// Options of every verb.
#[derive(Args, Debug, Clone)]
pub struct Common {
    /// Print data as JSON, one object a line
    #[arg(long, global = true)]
    pub json: bool,
    /// Print no warnings and no progress
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Print notes too
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub verbose: bool,
    /// Colours; NO_COLOR is honoured
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    /// Stop reading a file at its first error
    #[arg(long, global = true)]
    pub strict: bool,
    /// Report errors in files that can be read, but do not fail because of them
    #[arg(long, global = true, conflicts_with = "strict")]
    pub lenient: bool,
    /// Memory limit for each file, as 500M or 2G [default: 64M and eight times the file]
    #[arg(long, global = true, value_name = "SIZE", value_parser = size)]
    pub max_memory: Option<u64>,
    /// Largest expansion of a packed section, as a factor
    #[arg(long, global = true, value_name = "FACTOR")]
    pub max_ratio: Option<u32>,
    /// Code pages for names, in order: cp1252,gbk,... [default: the format's own]
    #[arg(long, global = true, value_name = "LIST")]
    pub encoding: Option<String>,
    /// Read large files instead of mapping them
    #[arg(long, global = true)]
    pub no_map: bool,
}

/// When to print colours.
#[derive(ValueEnum, Debug, Clone, Copy)]
pub enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    /// Makes this the choice of the whole process.
    pub fn write_global(self) {
        match self {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        }
        .write_global();
    }
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Verb {
    /// What files are: format, versions, sizes, counts, checksum, oddities
    #[command(
        after_help = "Examples:\n  spelunk info level.nmo\n  spelunk info -r --json Ballance/ | \
jq .details.product\n\nA damaged file that can be read is no failure here; `verify` is the judge."
    )]
    Info(Files),
    /// The entries of a file or of all files in a folder
    #[command(
        after_help = "Globs cross folders and ignore case; they match paths, names, types, and type/name.\n\nExamples:\n  \
spelunk ls level.nmo\n  spelunk ls sf22.pak '*.tga' --exclude '*island*'\n  spelunk ls --json --sort size \
assets.snpak"
    )]
    Ls(Ls),
    /// The entries of a file as a hierarchy
    #[command(after_help = "Examples:\n  spelunk tree level.nmo\n  spelunk tree sf22.pak")]
    Tree(OneFile),
    /// Every known field of one entry
    #[command(
        after_help = "Paths are those that `ls` prints. A Virtools object is #17 or CKMesh/Name, a \
chunk of a CFF file 2016 or 6.12, an asset its name or id.\n\nExamples:\n  spelunk show level.nmo \
CKMesh/Cube_Mesh\n  spelunk show GameData.cff 2016\n  spelunk show --json assets.snpak textures/bark"
    )]
    Show(EntryOf),
    /// The bytes of one entry, to standard output
    #[command(
        after_help = "Examples:\n  spelunk cat sf22.pak texture/terrain/sand.tga > sand.tga\n  \
spelunk cat level.nmo header1 | xxd"
    )]
    Cat(EntryOf),
    /// Entries to files, with a manifest
    #[command(
        after_help = "Nothing is written outside the target folder: names that are dangerous on some \
system are escaped, and the manifest keeps them as they were.\n\nExamples:\n  spelunk extract sf22.pak \
-C out\n  spelunk extract assets.snpak 'textures/*' -C out --dry-run"
    )]
    Extract(Extract),
    /// Read everything, check everything, report every finding
    #[command(
        after_help = "Examples:\n  spelunk verify -r Ballance/\n  spelunk verify --roundtrip \
level.nmo"
    )]
    Verify(Verify),
    /// Read everything and write it again: the same bytes, unless an option says otherwise
    #[command(after_help = "Examples:\n  spelunk rewrite level.nmo copy.nmo\n  spelunk rewrite \
--recompress level.nmo copy.nmo\n  spelunk rewrite --in-place --backup level.nmo")]
    Rewrite(Rewrite),
    /// Which field a byte belongs to, or what a code means
    #[command(
        after_help = "Examples:\n  spelunk explain level.nmo 0x10\n  spelunk explain level.nmo \
header1:0x1c4\n  spelunk explain SP003"
    )]
    Explain(Explain),
}

/// Any number of files.
#[derive(Args, Debug)]
pub struct Files {
    /// Files, folders with -r, or - for standard input
    #[arg(value_name = "FILE", required_unless_present = "files_from")]
    pub files: Vec<PathBuf>,
    /// Search folders, and the folders in them; what is no container is passed over
    #[arg(short, long)]
    pub recursive: bool,
    /// Read more file names from LIST, one a line (- for standard input)
    #[arg(long, value_name = "LIST")]
    pub files_from: Option<PathBuf>,
}

/// One file.
#[derive(Args, Debug)]
pub struct OneFile {
    /// The file, or - for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// One entry of one file.
#[derive(Args, Debug)]
pub struct EntryOf {
    /// The file, or - for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Path of the entry, as `ls` prints it
    #[arg(value_name = "PATH")]
    pub path: String,
}

/// `ls`.
#[derive(Args, Debug, Clone)]
pub struct Ls {
    /// A file, a folder, or - for standard input
    #[arg(value_name = "FILE|DIR")]
    pub file: PathBuf,
    /// Only entries that match one of these
    #[arg(value_name = "GLOB")]
    pub globs: Vec<String>,
    /// No entries that match this; repeatable
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Search the folders in a folder too
    #[arg(short, long)]
    pub recursive: bool,
    /// Order of the entries [default: the file's own]
    #[arg(long, value_name = "KEY")]
    pub sort: Option<Sort>,
    /// Sizes in bytes
    #[arg(long)]
    pub bytes: bool,
}

/// Orders of `ls`.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    Path,
    Name,
    Type,
    /// Largest first
    Size,
}

/// `extract`.
#[derive(Args, Debug)]
pub struct Extract {
    /// The file, or - for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Only entries that match one of these
    #[arg(value_name = "GLOB")]
    pub globs: Vec<String>,
    /// The folder to write to; made where it is missing
    #[arg(short = 'C', long = "directory", value_name = "DIR")]
    pub directory: PathBuf,
    /// No entries that match this; repeatable
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Replace files that exist
    #[arg(long)]
    pub force: bool,
    /// Tell what would be written and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// `verify`.
#[derive(Args, Debug)]
pub struct Verify {
    #[command(flatten)]
    pub files: Files,
    /// Also write each file again, to nowhere, and compare every byte
    #[arg(long)]
    pub roundtrip: bool,
}

/// `rewrite`.
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
    /// Replace OUT where it exists
    #[arg(long)]
    pub force: bool,
    /// Tell what would be written and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// `explain`.
#[derive(Args, Debug)]
pub struct Explain {
    /// A file, or a code such as VT012
    #[arg(value_name = "FILE|CODE")]
    pub subject: String,
    /// The byte: an offset, decimal or 0x hexadecimal, with a space and a colon before it where the file has
    /// packed sections
    #[arg(value_name = "[SPACE:]OFFSET")]
    pub place: Option<String>,
}

/// A suffix of a file name.
fn suffix(text: &str) -> Result<String, String> {
    if text.is_empty() || text.contains(['/', '\\']) {
        return Err("a suffix such as .bak, without a folder".to_owned());
    }
    Ok(text.to_owned())
}

/// A size as `500M`.
fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[digits.len()..]
        .to_ascii_lowercase()
        .trim_end_matches("ib")
        .trim_end_matches('b')
    {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => return Err("a size is a number with an optional K, M, G or T".to_owned()),
    };
    let number: u64 = digits.parse().map_err(|error| format!("{error}"))?;
    number.checked_mul(1 << shift).ok_or_else(|| "too large".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn sizes_have_suffixes() {
        assert_eq!(size("500"), Ok(500));
        assert_eq!(size("64M"), Ok(64 << 20));
        assert_eq!(size("2GiB"), Ok(2 << 30));
        assert!(size("2X").is_err() && size("99999999999T").is_err() && size("").is_err());
    }
}
