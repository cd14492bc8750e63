//! Requests for exports.

use crate::{
    models::export::TextureShape,
    verbs::{
        FileName, FileRef,
        request::{OutputOptions, Shown, as_text},
    },
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Content to files of other kinds
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// The file, or - for standard input; with -r a folder
    #[cfg_attr(
        feature = "clap",
        arg(
            value_name = "FILE",
            default_value = "",
            hide_default_value = true,
            required_unless_present = "files_from"
        )
    )]
    pub file: FileRef,
    /// Only these objects or assets: paths as `ls` prints them, or globs; a group stands for its members
    #[cfg_attr(feature = "clap", arg(value_name = "PATH|GLOB"))]
    pub paths: Vec<String>,
    /// The file or folder to write, or - for standard output
    #[cfg_attr(feature = "clap", arg(short, long, value_name = "OUT"))]
    pub output: FileName,
    /// Export each file of a folder, and of the folders in it, to OUT, which is a folder then; --to says the kind
    #[cfg_attr(feature = "clap", arg(short, long))]
    pub recursive: bool,
    /// Export every file that LIST names, one a line (- for standard input), to the folder OUT; all arguments are paths then
    #[cfg_attr(feature = "clap", arg(long, value_name = "LIST", conflicts_with = "recursive"))]
    pub files_from: Option<FileName>,
    /// The kind of file to write [default: that of the extension of OUT]
    #[cfg_attr(feature = "clap", arg(long, value_name = "KIND"))]
    pub to: Option<Kind>,
    /// The scripts alone
    #[cfg_attr(feature = "clap", arg(long))]
    pub scripts: bool,
    /// Leave out hidden entities
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_hidden: bool,
    /// Look for the files of textures in this folder first; repeatable
    #[cfg_attr(feature = "clap", arg(long, visible_alias = "search", value_name = "DIR"))]
    pub textures: Vec<FileName>,
    /// This slot alone of textures of Virtools files, counted from 0 [default: all]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NUMBER"))]
    pub slot: Option<u32>,
    /// Every mip of the textures of a pack, a PNG file each
    #[cfg_attr(feature = "clap", arg(long))]
    pub mips: bool,
    /// Take assets of a pack whose payloads are of no known type for textures of this format and size, such as
    /// rgba8:128x128
    #[cfg_attr(feature = "clap", arg(long = "as", value_name = "FORMAT:WIDTHxHEIGHT"))]
    #[serde(rename = "as", with = "as_text", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub shape: Option<TextureShape>,
    /// The texts of a GameData in this language, for translators, to one .po or .csv file: slot, code or name
    #[cfg_attr(feature = "clap", arg(long, value_name = "LANG"))]
    pub language: Option<String>,
    /// The language that they are translated from [default: de, which is slot 0]
    #[cfg_attr(feature = "clap", arg(long, value_name = "LANG", requires = "language"))]
    pub source_language: Option<String>,
    /// Only texts that have no translation
    #[cfg_attr(feature = "clap", arg(long, requires = "language"))]
    pub untranslated: bool,
    /// Layer of a SpellForce map that goes to a picture or a table: relief, textures, flags, minimap or entities, for people;
    /// heights, tiles, decoration, movement or vision, a value for each cell, which can be imported again; of SpellForce 2
    /// heights, flight, tiles, movement, marks, grass or lakes
    #[cfg_attr(feature = "clap", arg(long, value_name = "LAYER"))]
    pub layer: Option<String>,
    /// Pixels for each cell of a map [default: 1, more for entities]
    #[cfg_attr(feature = "clap", arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(1..=256)))]
    #[schemars(range(min = 1, max = 256))]
    pub scale: Option<u32>,
    /// What heights of a map are multiplied by in a mesh [default: 0.01, with cells that are 1 wide; 1 for SpellForce 2]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FACTOR"))]
    pub height_scale: Option<f32>,
    /// Options for how the file is shown.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub shown: Shown,
    /// Options for files that are written.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub out: OutputOptions,
}

/// Kinds of files that content goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Objects that stand in space, with textures, in one file
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
    /// The whole file, or the tables of a GameData
    Json,
    /// A folder of JSON files, one for each object
    Folder,
}

impl Kind {
    /// Whether all that is exported goes to one file, and files beside it.
    pub(super) const fn is_one_file(self) -> bool {
        match self {
            Kind::Glb
            | Kind::Gltf
            | Kind::Obj
            | Kind::Sqlite
            | Kind::Po
            | Kind::Dot
            | Kind::Json => true,
            Kind::Png | Kind::Dds | Kind::Ktx2 | Kind::Csv | Kind::Folder => false,
        }
    }
}
