//! The command line of `import`.

use super::{Output, suffix};
use clap::Args;
use spelunk::{
    import::{Policies, Policy, Save},
    select::Select,
    translations::Wish,
};
use std::path::PathBuf;

// `import`.
#[derive(Args, Debug)]
#[command(group(clap::ArgGroup::new("destination").required(true).args(["output", "in_place"])))]
pub struct Import {
    /// A model (.glb .gltf .obj), an image, what `export --to json|folder|sqlite|csv` wrote, or with --language a table of
    /// translations (.po .csv); - for standard input
    #[arg(value_name = "SRC")]
    pub source: PathBuf,
    /// The file to write, or - for standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Add to this file instead of making a new one
    #[arg(long, value_name = "FILE")]
    pub into: Option<PathBuf>,
    /// Replace the file of --into itself, atomically
    #[arg(long, requires = "into")]
    pub in_place: bool,
    /// Keep the replaced file under its name with this suffix; with --in-place or --force
    #[arg(long, value_name = "SUFFIX", value_parser = suffix, num_args = 0..=1, default_missing_value = ".bak", require_equals = true)]
    pub backup: Option<String>,
    /// What happens where an object of the same name is there: rename, replace or keep, for all types or for one (object,
    /// mesh, material, texture, group); repeatable [default: rename, texture=keep, group=keep]
    #[arg(long, value_name = "[TYPE=]POLICY", value_parser = conflict)]
    pub on_conflict: Vec<Conflict>,
    /// How pictures are stored: raw (pixels), external (a file name), original (an image file that is carried along) or
    /// embedded (an image file within the texture), for all textures or for those that a glob means; repeatable
    /// [default: as exported, else raw]
    #[arg(long, value_name = "[GLOB=]OPTION", value_parser = save)]
    pub texture_save: Vec<(String, Save)>,
    /// Write the image files of external textures to this folder
    #[arg(long, value_name = "DIR")]
    pub textures: Option<PathBuf>,
    /// Make several meshes of one with more than 65,535 vertices
    #[arg(long)]
    pub split: bool,
    /// Make sure that there are the groups Sector_01 to this one
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=999))]
    pub sectors: Option<u32>,
    /// Put the mesh or picture of SRC in the place of this one, and change nothing else
    #[arg(long, value_name = "PATH", requires = "into")]
    pub replace: Option<String>,
    /// The name of the mesh or texture of SRC, where it holds several
    #[arg(long, value_name = "NAME", requires = "replace")]
    pub from: Option<String>,
    /// SRC is a .png or .csv of this layer of the map of --into: heights, tiles, decoration, movement or vision
    #[arg(long, value_name = "LAYER", requires = "into", conflicts_with = "language")]
    pub layer: Option<String>,
    /// SRC is a table of translations to this language: slot, code or name
    #[arg(long, value_name = "LANG", requires = "into")]
    pub language: Option<String>,
    /// The language that they were translated from [default: de, which is slot 0]
    #[arg(long, value_name = "LANG", requires = "language")]
    pub source_language: Option<String>,
    #[command(flatten)]
    pub out: Output,
}

/// A policy, and which of all it is; `None` for all of them.
type Conflict = (Option<fn(&mut Policies) -> &mut Policy>, Policy);

impl Import {
    /// The languages of a table of translations.
    pub fn wish(&self) -> Option<Wish> {
        let language = self.language.clone()?;
        Some(Wish { language, from: self.source_language.clone() })
    }

    /// The policies that were asked for, the later ones over the earlier.
    pub fn policies(&self) -> Policies {
        let mut all = Policies::default();
        for (which, policy) in &self.on_conflict {
            match which {
                Some(which) => *which(&mut all) = *policy,
                None => all = Policies::all(*policy),
            }
        }
        all
    }
}

fn conflict(text: &str) -> Result<Conflict, String> {
    type Which = fn(&mut Policies) -> &mut Policy;
    let types: [(&str, Which); 5] = [
        ("object", |all| &mut all.object),
        ("mesh", |all| &mut all.mesh),
        ("material", |all| &mut all.material),
        ("texture", |all| &mut all.texture),
        ("group", |all| &mut all.group),
    ];
    let policies =
        [("rename", Policy::Rename), ("replace", Policy::Replace), ("keep", Policy::Keep)];
    policy(text, &types, &policies)
}

fn save(text: &str) -> Result<(String, Save), String> {
    let (glob, option) = text.rsplit_once('=').unwrap_or(("*", text));
    let save = match option {
        "raw" => Save::Raw,
        "external" => Save::External,
        "original" => Save::Original,
        "embedded" => Save::Embedded,
        _ => return Err("raw, external, original or embedded".to_owned()),
    };
    Select::new(&[glob], &[]).map_err(|error| error.to_string())?;
    Ok((glob.to_owned(), save))
}

/// `[TYPE=]POLICY`: a policy, and which type of all it is for; `None` for all of them.
fn policy<T: Copy, P: Copy>(
    text: &str,
    types: &[(&str, T)],
    policies: &[(&str, P)],
) -> Result<(Option<T>, P), String> {
    fn of<V: Copy>(name: &str, known: &[(&str, V)]) -> Result<V, String> {
        let found = known.iter().find(|(it, _)| *it == name).map(|(_, value)| *value);
        found.ok_or_else(|| {
            let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
            match names.split_last() {
                Some((last, [first @ .., other])) => {
                    [first, &[&format!("{other} or {last}")]].concat().join(", ")
                }
                _ => names.concat(),
            }
        })
    }
    let Some((which, policy)) = text.split_once('=') else {
        return Ok((None, of(text, policies)?));
    };
    let policy = of(policy, policies)?;
    Ok((Some(of(which, types)?), policy))
}
