//! The command line of `export`.

use super::Output;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `export`.
#[derive(Args, Debug)]
pub struct Export {
    /// The file, or - for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Only these objects: paths as `ls` prints them, or globs; a group stands for its members
    #[arg(value_name = "PATH|GLOB")]
    pub paths: Vec<String>,
    /// The file or folder to write, or - for standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// The kind of file to write [default: that of the extension of OUT]
    #[arg(long, value_name = "KIND")]
    pub to: Option<ExportKind>,
    /// The scripts alone
    #[arg(long)]
    pub scripts: bool,
    /// Leave out hidden entities
    #[arg(long)]
    pub no_hidden: bool,
    /// Look for the files of textures in this folder first; repeatable
    #[arg(long, value_name = "DIR")]
    pub textures: Vec<PathBuf>,
    #[command(flatten)]
    pub out: Output,
}

/// Kinds of files that content goes to.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportKind {
    /// What stands in space, with textures, in one file
    Glb,
    /// The same in two files, of text and of numbers
    Gltf,
    /// The shapes alone, with a file of materials
    Obj,
    /// Textures
    Png,
    /// Data arrays
    Csv,
    /// Graphs for Graphviz
    Dot,
    Json,
    /// A folder of JSON files, one for each object
    Folder,
}
