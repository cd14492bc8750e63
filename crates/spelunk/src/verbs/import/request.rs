//! Requests for imports.

use crate::{
    Error, Result,
    entries::select::Select,
    models::import::{Options, Policies, Policy, Save, SourceFolder},
    open::codes,
    tables::translations::Wish,
    verbs::{
        FileName, FileRef,
        keeping::KeepOptions,
        policy::{ConflictFamily, NamedChoice, PolicyFor},
        request::OutputOptions,
        run::Run,
    },
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{borrow::Cow, fmt, str::FromStr};

/// A file of the content of others
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(group(clap::ArgGroup::new("destination").required(true).args(["output", "in_place"]))))]
#[serde(default)]
pub struct Request {
    /// A model (.glb .gltf .obj), an image, what `export --to json|folder|sqlite|csv` wrote (of a map with --into), or with
    /// --language a table of translations (.po .csv); - for standard input
    #[cfg_attr(feature = "clap", arg(value_name = "SRC"))]
    pub source: FileName,
    /// The file to write, or - for standard output
    #[cfg_attr(feature = "clap", arg(short, long, value_name = "OUT"))]
    pub output: Option<FileName>,
    /// Add to this file instead of making a new one
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub into: Option<FileRef>,
    /// Replace the file of --into itself, atomically
    #[cfg_attr(feature = "clap", arg(long, requires = "into"))]
    pub in_place: bool,
    /// What is kept of a file that is changed in place.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub keep: KeepOptions,
    /// Policy for objects whose names are there already: rename, replace, use-current (the one that is there) or keep-both
    /// (of one name), for all types or for one (object, mesh, material, texture, group, other); repeatable [default:
    /// rename, texture=use-current, group=use-current]
    #[cfg_attr(feature = "clap", arg(long, value_name = "[TYPE=]POLICY"))]
    pub on_conflict: Vec<PolicyFor<ConflictFamily, Policy>>,
    /// Storage of pictures: raw (pixels), external (a file name), original (an image file that is carried along) or
    /// embedded (an image file within the texture), for all textures or for those that a glob means; repeatable
    /// [default: as exported, else raw]
    #[cfg_attr(feature = "clap", arg(long, value_name = "[GLOB=]OPTION"))]
    pub texture_save: Vec<TextureSave>,
    /// Write the image files of external textures to this folder
    #[cfg_attr(feature = "clap", arg(long, value_name = "DIR"))]
    pub textures: Option<FileName>,
    /// Make several meshes of one with more than 65,535 vertices
    #[cfg_attr(feature = "clap", arg(long))]
    pub split: bool,
    /// Make sure that there are the groups Sector_01 to this one
    #[cfg_attr(feature = "clap", arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=999)))]
    #[schemars(range(min = 1, max = 999))]
    pub sectors: Option<u32>,
    /// Put the mesh or picture of SRC in the place of this one, or the rows of a .csv in that of a data array's, and change
    /// nothing else
    #[cfg_attr(feature = "clap", arg(long, value_name = "PATH", requires = "into"))]
    pub replace: Option<String>,
    /// The name of the mesh or texture of SRC, where it holds several
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME", requires = "replace"))]
    pub from: Option<String>,
    /// SRC is a .png or .csv of this layer of the SpellForce 1 map of --into: heights, tiles, decoration, movement or vision
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "LAYER", requires = "into", conflicts_with = "language")
    )]
    pub layer: Option<String>,
    /// SRC is a table of translations to this language: slot, code or name
    #[cfg_attr(feature = "clap", arg(long, value_name = "LANG", requires = "into"))]
    pub language: Option<String>,
    /// The language that they were translated from [default: de, which is slot 0]
    #[cfg_attr(feature = "clap", arg(long, value_name = "LANG", requires = "language"))]
    pub source_language: Option<String>,
    /// Options for files that are written.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub out: OutputOptions,
}

impl NamedChoice for Policy {
    const ALL: &'static [(&'static str, Policy)] = &[
        ("rename", Policy::Rename),
        ("replace", Policy::Replace),
        ("use-current", Policy::Keep),
        ("keep-both", Policy::Both),
    ];
    const ALIASES: &'static [(&'static str, Policy)] =
        &[("keep", Policy::Keep), ("theirs", Policy::Replace), ("ours", Policy::Keep)];
}

impl NamedChoice for Save {
    const ALL: &'static [(&'static str, Save)] = &[
        ("raw", Save::Raw),
        ("external", Save::External),
        ("original", Save::Original),
        ("embedded", Save::Embedded),
    ];
}

/// Storage of the pictures of some textures: `[GLOB=]OPTION`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextureSave {
    /// A glob of their names.
    pub glob: String,
    /// Storage of their pictures.
    pub save: Save,
}

impl FromStr for TextureSave {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<TextureSave, String> {
        let (glob, save) = text.rsplit_once('=').unwrap_or(("*", text));
        let save = Save::named(save)?;
        Select::new(&[glob], &[]).map_err(|error| error.to_string())?;
        Ok(TextureSave { glob: glob.to_owned(), save })
    }
}

impl fmt::Display for TextureSave {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.glob, self.save.name())
    }
}

impl Serialize for TextureSave {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TextureSave {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<TextureSave, D::Error> {
        String::deserialize(from)?.parse().map_err(de::Error::custom)
    }
}

impl JsonSchema for TextureSave {
    fn schema_name() -> Cow<'static, str> {
        "TextureSave".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

impl Request {
    /// The policies that are asked for, the later ones over the earlier.
    fn policies(&self) -> Policies {
        let mut all = Policies::default();
        for PolicyFor { of, policy } in &self.on_conflict {
            *match of {
                None => {
                    all = Policies::all(*policy);
                    continue;
                }
                Some(ConflictFamily::Object) => &mut all.object,
                Some(ConflictFamily::Mesh) => &mut all.mesh,
                Some(ConflictFamily::Material) => &mut all.material,
                Some(ConflictFamily::Texture) => &mut all.texture,
                Some(ConflictFamily::Group) => &mut all.group,
                // Models hold nothing else.
                Some(ConflictFamily::Other) => continue,
            } = *policy;
        }
        all
    }

    /// Returns the options for importing a model. Files that it names lie in its folder.
    pub(super) fn options(&self, run: &Run<'_>) -> Options {
        let folder = (!self.source.is_stream()).then(|| {
            let [folder, _] = run.files().around(&self.source);
            SourceFolder::new(run.shared_files(), folder)
        });
        Options {
            policies: self.policies(),
            saves: self.texture_save.iter().map(|it| (it.glob.clone(), it.save)).collect(),
            write_textures: self.textures.is_some(),
            split: self.split,
            sectors: self.sectors,
            replace: self.replace.clone(),
            from: self.from.clone(),
            folder,
        }
    }

    /// The languages of a table of translations.
    pub(super) fn wish(&self) -> Option<Wish> {
        let language = self.language.clone()?;
        Some(Wish { language, from: self.source_language.clone() })
    }

    /// Checks what the arguments of the command cannot say otherwise.
    pub(super) fn check(&self) -> Result<()> {
        let bad = |expected: &'static str, found: &'static str| {
            Err(Error::new(&codes::BAD_REQUEST).expected(expected).found(found))
        };
        if self.sectors.is_some_and(|count| !(1..=999).contains(&count)) {
            return bad("1 to 999 `sectors`", "another number");
        }
        if self.into.is_none() {
            let asked = [
                (self.in_place, "`in_place`"),
                (self.replace.is_some(), "`replace`"),
                (self.layer.is_some(), "`layer`"),
                (self.language.is_some(), "`language`"),
            ];
            if let Some((_, found)) = asked.into_iter().find(|(is_asked, _)| *is_asked) {
                return bad("`into` beside it", found);
            }
            if self.output.is_none() {
                return bad("`output`, or `into` with a file that is open", "neither");
            }
        }
        Ok(())
    }
}
