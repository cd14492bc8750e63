//! The command line of how files are shown.

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
