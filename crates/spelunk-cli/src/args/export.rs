//! The command line of `export`.

use super::{At, Output};
use clap::{Args, ValueEnum};
use spelunk::{export::Shape, translations::Wish};
use std::path::PathBuf;

// `export`.
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
    /// The texts of a GameData in this language, for translators, to one .po or .csv file: slot, code or name
    #[arg(long, value_name = "LANG")]
    pub language: Option<String>,
    /// The language that they are translated from [default: de, which is slot 0]
    #[arg(long, value_name = "LANG", requires = "language")]
    pub source_language: Option<String>,
    /// Only texts that have no translation
    #[arg(long, requires = "language")]
    pub untranslated: bool,
    /// What of a SpellForce map goes to a picture or a table: relief, textures, flags, minimap or entities, for people;
    /// heights, tiles, decoration, movement or vision, a value for each cell, which can be imported again
    #[arg(long, value_name = "LAYER")]
    pub layer: Option<String>,
    /// Pixels for each cell of a map [default: 1, more for entities]
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub scale: Option<u32>,
    /// How high a step of height of a map is in a mesh, whose cells are 1 wide
    #[arg(long, value_name = "FACTOR", default_value_t = 0.01)]
    pub height_scale: f32,
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
    /// Texts of a GameData for translators, with --language
    Po,
    /// Graphs for Graphviz
    Dot,
    Json,
    /// A folder of JSON files, one for each object
    Folder,
}

impl Export {
    /// The languages of a table for translators.
    pub fn wish(&self) -> Option<Wish> {
        let language = self.language.clone()?;
        Some(Wish { language, from: self.source_language.clone() })
    }
}
