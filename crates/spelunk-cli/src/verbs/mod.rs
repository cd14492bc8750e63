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
pub mod schema;
pub mod setup;
pub mod show;
mod translations;
pub mod tree;
pub mod verify;
mod writing;

use crate::{inputs::Input, output::Session};
use spelunk::{Opened, Result};

/// Opens the one file of a verb. What was noticed is for the verb to tell, when it is done.
fn open_one(path: &std::path::Path, session: &mut Session) -> Result<Option<(String, Opened)>> {
    let input = Input::named(path);
    Ok(session.open(&input)?.map(|opened| (input.name(), opened)))
}
