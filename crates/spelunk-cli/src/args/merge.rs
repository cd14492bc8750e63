//! The command line of `merge`.

use super::{Output, suffix};
use clap::{Args, ValueEnum};
use spelunk::merge::OnConflict;
use std::path::{Path, PathBuf};

// `merge`.
#[derive(Args, Debug)]
#[command(group(clap::ArgGroup::new("destination").required(true).args(["output", "in_place"])))]
pub struct Merge {
    /// The file that both sides began with
    #[arg(value_name = "BASE")]
    pub base: PathBuf,
    /// What our side made of it
    #[arg(value_name = "OURS")]
    pub ours: PathBuf,
    /// What others made of it; several are merged one after the other
    #[arg(value_name = "THEIRS", required = true)]
    pub theirs: Vec<PathBuf>,
    /// The file to write, or - for standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Replace OURS itself, atomically
    #[arg(long)]
    pub in_place: bool,
    /// Keep the replaced file under its name with this suffix; with --in-place or --force
    #[arg(long, value_name = "SUFFIX", value_parser = suffix, num_args = 0..=1, default_missing_value = ".bak", require_equals = true)]
    pub backup: Option<String>,
    /// Whose change counts where both changed one thing: ours, theirs, or nobody's, and nothing is written
    #[arg(long, value_name = "POLICY", default_value = "refuse")]
    pub on_conflict: Policy,
    /// Write only the rows of a GameData that are not those of BASE, as mods have them
    #[arg(long, conflicts_with = "in_place")]
    pub part: bool,
    #[command(flatten)]
    pub out: Output,
}

/// Whose change counts.
#[derive(ValueEnum, Debug, Clone, Copy)]
pub enum Policy {
    Ours,
    Theirs,
    #[value(alias = "stop")]
    Refuse,
}

impl Merge {
    /// The file that is written.
    pub fn target(&self) -> &Path {
        self.output.as_deref().unwrap_or(&self.ours)
    }

    /// The policy of the library.
    pub fn policy(&self) -> OnConflict {
        match self.on_conflict {
            Policy::Ours => OnConflict::Ours,
            Policy::Theirs => OnConflict::Theirs,
            Policy::Refuse => OnConflict::Refuse,
        }
    }
}
