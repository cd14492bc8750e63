//! The command line of `lint`.

use super::{Files, Output, Report, suffix};
use clap::Args;
use spelunk::Revision;
use std::path::PathBuf;

// `lint`.
#[derive(Args, Debug)]
#[command(group(clap::ArgGroup::new("mended").args(["output", "in_place"])))]
#[command(mut_arg("files", |files| files.required_unless_present("list_rules")))]
pub struct Lint {
    #[command(flatten)]
    pub files: Files,
    /// Look at the file at this generation, counted from 1 (the oldest), or all of them merged
    #[arg(long, value_name = "N|merged", conflicts_with = "fix")]
    pub generation: Option<Revision>,
    /// Apply this rule alone; repeatable
    #[arg(long, value_name = "CODE")]
    pub rule: Vec<String>,
    /// Do not apply this rule; repeatable
    #[arg(long, value_name = "CODE")]
    pub allow: Vec<String>,
    /// Look for the files of textures and sounds in this folder first; repeatable
    #[arg(long, value_name = "DIR")]
    pub search: Vec<PathBuf>,
    /// Look up the ids of SpellForce's maps in this GameData
    #[arg(long, value_name = "FILE")]
    pub gamedata: Option<PathBuf>,
    /// Behind the files, list each file that was not found with the files that need it
    #[arg(long)]
    pub missing_report: bool,
    /// Pass over findings that this file lists: lines of CODE [GLOB of files [PATH]]; they are counted
    #[arg(long, value_name = "FILE")]
    pub suppressions: Option<PathBuf>,
    /// Write what is found to FILE, for --suppressions; none of it is a failure now
    #[arg(long, value_name = "FILE", conflicts_with = "fix")]
    pub write_suppressions: Option<PathBuf>,
    /// One document for all files, instead of lines
    #[arg(long, value_name = "FORM", conflicts_with_all = ["fix", "missing_report"])]
    pub format: Option<Report>,
    /// List the rules
    #[arg(long)]
    pub list_rules: bool,
    /// Mend what is safe to mend, and tell what is left
    #[arg(long, requires = "mended")]
    pub fix: bool,
    /// With --fix, let equal objects whose names differ become one too; names are lost
    #[arg(long, requires = "fix")]
    pub merge_names: bool,
    /// With --fix, remove meshes, materials and textures that nothing uses, with their names
    #[arg(long, requires = "fix")]
    pub remove_unused: bool,
    /// The file to write, or - for standard output
    #[arg(short, long, value_name = "OUT", requires = "fix")]
    pub output: Option<PathBuf>,
    /// Replace the files themselves, atomically
    #[arg(long, requires = "fix")]
    pub in_place: bool,
    /// Keep the replaced file under its name with this suffix; with --in-place or --force
    #[arg(long, value_name = "SUFFIX", value_parser = suffix, num_args = 0..=1, default_missing_value = ".bak", require_equals = true)]
    pub backup: Option<String>,
    #[command(flatten)]
    pub out: Output,
}
