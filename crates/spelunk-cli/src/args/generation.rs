//! The command line of how files are shown, and of `diff`, which compares files and generations.

use super::Output;
use clap::Args;
use spelunk::{
    Revision,
    archives::{Mounting, Preference},
};
use std::path::PathBuf;

// Which generation of files is meant, and what their types are called.
#[derive(Args, Debug, Clone)]
pub struct At {
    /// Show the file at this generation, counted from 1 (the oldest), or all of them merged; `info` lists them
    #[arg(long, value_name = "N|merged")]
    pub generation: Option<Revision>,
    /// Show asset kinds and payload types of packs by the names in this file: lines of an id and a name
    #[arg(long, value_name = "FILE")]
    pub types: Option<PathBuf>,
    /// Which of several files of one path counts in a folder of SpellForce archives: number (the highest wins, as in the
    /// game) or editor (its list for each kind of file) [default: number]
    #[arg(long, value_name = "ORDER")]
    pub archive_order: Option<Preference>,
    /// Leave out what lies beside the archives of a folder
    #[arg(long)]
    pub no_loose: bool,
}

impl At {
    /// How folders of archives are opened.
    pub fn mounting(&self) -> Mounting {
        Mounting { preference: self.archive_order.unwrap_or_default(), no_loose: self.no_loose }
    }
}

// `diff`.
#[derive(Args, Debug)]
pub struct Diff {
    /// The old file, or - for standard input
    #[arg(value_name = "A")]
    pub old: PathBuf,
    /// The new file, or - for standard input
    #[arg(value_name = "B")]
    pub new: PathBuf,
    /// Take the old file at this generation, counted from 1 (the oldest), or all of them merged
    #[arg(long, value_name = "N|merged", conflicts_with = "patch")]
    pub old_generation: Option<Revision>,
    /// Take the new file at this generation, counted from 1 (the oldest), or all of them merged
    #[arg(long, value_name = "N|merged", conflicts_with = "patch")]
    pub new_generation: Option<Revision>,
    /// How much a store has to send of B to those who have A, block by block, instead of what changed
    #[arg(long, value_name = "SIZE", value_parser = super::size, num_args = 0..=1, default_missing_value = "1M",
          require_equals = true, conflicts_with_all = ["patch", "old_generation", "new_generation", "max_items"])]
    pub blocks: Option<u64>,
    /// How much changed, by the types of entries, instead of what
    #[arg(long, conflicts_with = "blocks")]
    pub stat: bool,
    /// How many changed items of each list to tell; all are counted
    #[arg(long, value_name = "COUNT", default_value_t = 10)]
    pub max_items: usize,
    /// Write what makes B of A, and A of B, as a patch
    #[arg(long, value_name = "OUT")]
    pub patch: Option<PathBuf>,
    #[command(flatten)]
    pub out: Output,
}
