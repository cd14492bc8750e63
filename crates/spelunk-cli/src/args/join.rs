//! The command line of `join` and `subset`.

use super::{Following, Mounted, Output};
use clap::{Args, ValueEnum};
use spelunk::join::{self, Mode, Modes, Policies};
use std::path::PathBuf;

// `join`.
#[derive(Args, Debug)]
pub struct Join {
    /// The files, in the order in which they are to be united; - for standard input
    #[arg(value_name = "FILE", required = true, num_args = 2..)]
    pub files: Vec<PathBuf>,
    /// The file to write, or - for standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// What happens where an object of the same name is there: rename, replace, use-current or keep, for all types or for
    /// one (general, entities, meshes, materials, which are textures too); repeatable [default: rename]
    #[arg(long, value_name = "[TYPE=]POLICY", value_parser = conflict)]
    pub on_conflict: Vec<Conflict>,
    /// Take of the files behind the first one only this: geometry, which is all but animations; animations, which then move
    /// what is there under the names of what they moved; or behaviors, with no reference but to each other
    #[arg(long, value_name = "WHAT")]
    pub only: Option<Only>,
    /// Make a character of this name of the body parts and animations of each file behind the first one that has none
    #[arg(long, value_name = "NAME", conflicts_with = "only")]
    pub as_character: Option<String>,
    /// Load the files as engines do: names are compared with those of the same file too, only the first level of a file gets
    /// what it saved, and entries are left out for which engines create nothing
    #[arg(long)]
    pub as_engines: bool,
    /// Go on where references cannot be followed, and tell it, instead of refusing
    #[arg(long)]
    pub lossy: bool,
    #[command(flatten)]
    pub out: Output,
}

/// What is taken of files.
#[derive(ValueEnum, Debug, Clone, Copy)]
pub enum Only {
    Geometry,
    Animations,
    Behaviors,
}

// `subset`.
#[derive(Args, Debug)]
pub struct Subset {
    /// The file to read, or - for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Paths of entries, as `ls` prints them, and globs
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<String>,
    /// The file to write, or - for standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// Virtools files: only refer to the parameters that loaders look up by class, name and type, for a program that has
    /// them already; all else that is needed comes along
    #[arg(long)]
    pub references: bool,
    /// Virtools files: take along the entities below the entities too
    #[arg(long)]
    pub children: bool,
    /// Virtools files: go on where references cannot be followed, and tell it, instead of refusing
    #[arg(long)]
    pub lossy: bool,
    /// Packs: another one in which assets find what they need; repeatable
    #[arg(long, value_name = "[PREFIX=]PACK")]
    pub with: Vec<Mounted>,
    #[command(flatten)]
    pub following: Following,
    #[command(flatten)]
    pub out: Output,
}

/// A policy, and which of all it is; `None` for all of them.
type Conflict = (Option<fn(&mut Modes) -> &mut Option<Mode>>, Mode);

impl Join {
    /// The policies that were asked for, the later ones over the earlier. Without any, nothing is lost and all names stay
    /// apart.
    pub fn policies(&self) -> Policies {
        let mut modes = Modes::all(Mode::Rename);
        for (which, mode) in &self.on_conflict {
            match which {
                Some(which) => *which(&mut modes) = Some(*mode),
                None => modes = Modes::all(*mode),
            }
        }
        let only = self.only.map(|only| match only {
            Only::Geometry => join::Only::Geometry,
            Only::Animations => join::Only::Animations,
            Only::Behaviors => join::Only::Behaviors,
        });
        Policies { modes, only, character: self.as_character.clone(), as_engines: self.as_engines }
    }
}

fn conflict(text: &str) -> Result<Conflict, String> {
    type Which = fn(&mut Modes) -> &mut Option<Mode>;
    let types: [(&str, Which); 4] = [
        ("general", |all| &mut all.general),
        ("entities", |all| &mut all.entities_3d),
        ("meshes", |all| &mut all.meshes),
        ("materials", |all| &mut all.materials),
    ];
    let policies = [
        ("rename", Mode::Rename),
        ("replace", Mode::Replace),
        ("use-current", Mode::UseCurrent),
        ("keep", Mode::Keep),
    ];
    policy(text, &types, &policies)
}

/// `[TYPE=]POLICY`: a policy, and which type of all it is for; `None` for all of them.
pub(super) fn policy<T: Copy, P: Copy>(
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
