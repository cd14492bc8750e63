//! The command line of the verbs that build, grow, shrink and mend containers.

use super::Output;
use clap::Args;
use spelunk::{Result, pack::rules::Rules, verbs::ReaderOptions};
use std::path::PathBuf;

// `pack`.
#[derive(Args, Debug)]
pub struct Pack {
    /// A folder, a manifest as `extract` writes it, or - for a list of files on standard input
    #[arg(value_name = "DIR|MANIFEST", required_unless_present = "files_from")]
    pub source: Option<PathBuf>,
    /// The files of LIST, one a line; a tab and a name behind a file give it another name than its path
    #[arg(long, value_name = "LIST", conflicts_with = "source")]
    pub files_from: Option<PathBuf>,
    /// The file to write, or - for standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    #[command(flatten)]
    pub rules: RuleArgs,
    #[command(flatten)]
    pub readers: ReaderOptions,
    #[command(flatten)]
    pub out: Output,
}

// `append`.
#[derive(Args, Debug)]
pub struct Append {
    /// The pack that grows
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Files, which are called by their paths without roots and `..`, and folders, whose files are called by their paths
    /// in them; what `extract` wrote goes back under its ids
    #[arg(value_name = "SOURCE", required_unless_present_any = ["files_from", "manifest"])]
    pub sources: Vec<PathBuf>,
    /// The files of LIST, one a line (- for standard input); a tab and a name behind a file name it
    #[arg(long, value_name = "LIST")]
    pub files_from: Option<PathBuf>,
    /// The assets of a manifest, as `extract` writes it
    #[arg(long, value_name = "MANIFEST")]
    pub manifest: Option<PathBuf>,
    #[command(flatten)]
    pub rules: RuleArgs,
    #[command(flatten)]
    pub readers: ReaderOptions,
    /// What the asset is called that SOURCE becomes, which is one file
    #[arg(long = "as", value_name = "NAME", conflicts_with_all = ["files_from", "manifest"])]
    pub name: Option<String>,
    /// Tell what would be appended and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Take the files that links in folders name
    #[arg(long)]
    pub follow_links: bool,
}

// How files become assets.
#[derive(Args, Debug)]
pub struct RuleArgs {
    /// How payloads are packed: none, lz4, zstd, lz4hc, zstd-fast with :fast, :high or :max, or what they are (texture,
    /// mesh, audio, packed, critical); repeatable, the last rule that matches counts [default: by extension, zstd where
    /// that says nothing, and plain where packing does not help]
    #[arg(long, value_name = "[GLOB=]CODEC")]
    pub compress: Vec<String>,
    /// Store payloads plain where packing makes them no smaller
    #[arg(long)]
    pub only_if_smaller: bool,
    /// Which loader assets are for, as an id; repeatable
    #[arg(long, value_name = "[GLOB=]ID")]
    pub kind: Vec<String>,
    /// What payloads are, as an id; repeatable
    #[arg(long, value_name = "[GLOB=]ID")]
    pub payload_type: Vec<String>,
}

impl RuleArgs {
    /// The rules, where there are any.
    pub fn rules(&self) -> Result<Option<Rules>> {
        let any =
            !self.compress.is_empty() || !self.kind.is_empty() || !self.payload_type.is_empty();
        if !any && !self.only_if_smaller {
            return Ok(None);
        }
        let mut rules = Rules::default();
        rules.only_if_smaller = self.only_if_smaller;
        self.compress.iter().try_for_each(|rule| rules.codec(rule))?;
        self.kind.iter().try_for_each(|rule| rules.kind(rule))?;
        self.payload_type.iter().try_for_each(|rule| rules.payload_type(rule))?;
        Ok(Some(rules))
    }
}
