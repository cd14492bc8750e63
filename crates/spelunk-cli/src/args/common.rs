//! Options of every verb, and what several verbs read alike.

use anstream::ColorChoice;
use clap::{Args, ValueEnum};
use spelunk::{
    core::text::{CodePages, size},
    tables::languages::{PROFILES, Profile},
};
use std::num::NonZeroUsize;

// Options of every verb.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Options of every verb")]
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
    /// Sizes in bytes, for people too
    #[arg(long, global = true)]
    pub bytes: bool,
    /// Stop reading a file at its first error
    #[arg(long, global = true)]
    pub strict: bool,
    /// Report errors in files that can be read, but do not fail because of them; read packs with longer headers
    #[arg(long, global = true, conflicts_with = "strict")]
    pub lenient: bool,
    /// Memory limit for each file, as 500M or 2G [default: 64M and eight times the file]
    #[arg(long, global = true, value_name = "SIZE", value_parser = size)]
    pub max_memory: Option<u64>,
    /// Number of threads that share the work; the result is the same for any number [default: one for each core]
    #[arg(long, global = true, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// Largest expansion of a packed section, and of all that is extracted, as a factor [default: any for sections; 100 for
    /// what is extracted, from 1 GiB on]
    #[arg(long, global = true, value_name = "FACTOR")]
    pub max_ratio: Option<u32>,
    /// Code pages for names, in order: cp1252,gbk,... [default: the format's own]
    #[arg(long, global = true, value_name = "LIST")]
    pub encoding: Option<String>,
    /// Code pages for the texts of one slot of a GameData; repeatable [default: found out]
    #[arg(long, global = true, value_name = "SLOT=LIST", value_parser = slot)]
    pub slot_encoding: Vec<(u8, CodePages)>,
    /// Known edition that decides the languages of a GameData: vanilla-1.54-en, vanilla-1.54-pl, vanilla-1.54-ru,
    /// vanilla-1.1-ru, or spec, the table of the written specification; with spec, Virtools ids with bit 23 are those of
    /// objects that the file only refers to
    #[arg(long, global = true, value_name = "EDITION", value_parser = profile)]
    pub profile: Option<&'static Profile>,
    /// Read large files instead of mapping them
    #[arg(long, global = true)]
    pub no_map: bool,
    /// Most requests for files of servers [default: any number]
    #[cfg(feature = "remote")]
    #[arg(long, global = true, value_name = "N")]
    pub max_requests: Option<u64>,
    /// Most bytes that come of files of servers, as 500M or 2G [default: any number]
    #[cfg(feature = "remote")]
    #[arg(long, global = true, value_name = "SIZE", value_parser = size)]
    pub max_download: Option<u64>,
}

/// Reads `1=cp1250`.
fn slot(text: &str) -> Result<(u8, CodePages), String> {
    let parts = text.split_once('=').and_then(|(slot, pages)| Some((slot.parse().ok()?, pages)));
    let (slot, pages) = parts.ok_or("a slot and its code pages, as 1=cp1250")?;
    Ok((slot, CodePages::from_labels(pages).map_err(|error| error.to_string())?))
}

/// Reads the name of a profile.
fn profile(text: &str) -> Result<&'static Profile, String> {
    let names = || PROFILES.iter().map(|profile| profile.name).collect::<Vec<_>>().join(", ");
    spelunk::tables::languages::profile(text).ok_or_else(|| format!("one of {}", names()))
}

/// Choice of when to print colours.
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
