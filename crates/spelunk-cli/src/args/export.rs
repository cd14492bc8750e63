//! The command line of `export`.

use super::{At, Output};
use clap::{Args, ValueEnum};
use spelunk::export::Shape;
use std::path::PathBuf;

/// `export`.
#[derive(Args, Debug)]
pub struct Export {
    /// The file, or - for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Only these objects or assets: paths as `ls` prints them, or globs; a group stands for its members
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
    /// Every mip of the textures of a pack, a PNG file each
    #[arg(long)]
    pub mips: bool,
    /// Take assets of a pack whose payloads are of no known type for textures of this format and size, such as
    /// rgba8:128x128
    #[arg(long = "as", value_name = "FORMAT:WIDTHxHEIGHT")]
    pub shape: Option<Shape>,
    #[command(flatten)]
    pub at: At,
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
    /// Textures of packs with their mips, for DirectX
    Dds,
    /// Textures of packs with their mips, for Vulkan and OpenGL
    Ktx2,
    /// Data arrays; the tables of a GameData, to a folder
    Csv,
    /// The tables of a GameData, as a database
    Sqlite,
    /// Graphs for Graphviz
    Dot,
    Json,
    /// A folder of JSON files, one for each object
    Folder,
}
