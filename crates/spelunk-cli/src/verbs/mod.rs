//! One file per verb.

pub mod cat;
pub mod catalog;
pub mod diff;
mod door;
pub mod edit;
pub mod explain;
pub mod export;
pub mod extract;
pub mod find;
pub mod import;
pub mod info;
pub mod join;
pub mod lint;
pub mod ls;
mod maps;
pub mod merge;
pub mod overlay;
pub mod pack;
pub mod packs;
pub mod query;
pub mod refs;
mod reporting;
pub mod schema;
pub mod setup;
pub mod show;
mod tables;
mod translations;
pub mod tree;
pub mod verify;
mod writing;

use crate::{args::Mounted, inputs::Input, output::Session};
use spelunk::{
    Error, Node, Opened, Result, Val, lookup,
    sets::Layer,
    verbs::{Disk, FileRef},
};

/// Opens the one file of a verb. What was noticed is for the verb to tell, when it is done.
fn open_one(path: &std::path::Path, session: &mut Session) -> Result<Option<(String, Opened)>> {
    let input = Input::named(path);
    Ok(session.open(&input)?.map(|opened| (input.name(), opened)))
}

/// Opens packs that are mounted with prefixes. All that cannot be opened are told; `None` where there are such.
fn open_mounted(packs: &[Mounted], session: &mut Session) -> Result<Option<Vec<Layer>>> {
    let (mut layers, mut is_sound) = (Vec::new(), true);
    for pack in packs {
        let (prefix, file) = pack.parts(&Disk);
        let FileRef::Name(path) = file else { continue };
        match open_one(path.as_path(), session)? {
            Some((name, mut opened)) => {
                let findings = opened.take_findings();
                session.settle(&name, &findings);
                layers.push(Layer::new(name, opened).at(&prefix));
            }
            None => is_sound = false,
        }
    }
    Ok(is_sound.then_some(layers))
}

/// The one entry that `path` names. That there is none, or more than one, is told and counted.
fn find_one(file: &str, opened: &mut Opened, path: &str, session: &mut Session) -> Option<Node> {
    let found = lookup::find_one(opened, path);
    found.map_err(|error| session.failed(file, &listed_by(file, error))).ok()
}

/// An error about a path that names nothing says what lists the paths of this file.
fn listed_by(file: &str, error: Error) -> Error {
    match error.expected_value() {
        Val::Str(expected) if expected == lookup::LISTED => {
            error.expected(format!("a path that `spelunk ls {file}` prints"))
        }
        _ => error,
    }
}
