//! One file per verb.

mod blocks;
pub mod cat;
pub mod catalog;
pub mod diff;
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
pub mod patch;
pub mod query;
pub mod refs;
mod reporting;
pub mod rewrite;
pub mod schema;
pub mod setup;
pub mod show;
pub mod subset;
mod tables;
mod translations;
pub mod tree;
pub mod upgrade;
pub mod verify;
mod writing;

use crate::{args::Mounted, inputs::Input, output::Session};
use spelunk::{
    Entry, Error, Node, Opened, Result, Task, codes, json, sets::Layer, text::CodePages, walk,
};

/// Opens the one file of a verb. What was noticed is for the verb to tell, when it is done.
fn open_one(path: &std::path::Path, session: &mut Session) -> Result<Option<(String, Opened)>> {
    let input = Input::named(path);
    Ok(session.open(&input)?.map(|opened| (input.name(), opened)))
}

/// Opens packs that are mounted with prefixes. All that cannot be opened are told; `None` where there are such.
fn open_mounted(packs: &[Mounted], session: &mut Session) -> Result<Option<Vec<Layer>>> {
    let (mut layers, mut is_sound) = (Vec::new(), true);
    for Mounted { prefix, path } in packs {
        match open_one(path, session)? {
            Some((name, mut opened)) => {
                let findings = opened.take_findings();
                session.settle(&name, &findings);
                layers.push(Layer::new(name, opened).at(prefix));
            }
            None => is_sound = false,
        }
    }
    Ok(is_sound.then_some(layers))
}

/// The one entry that `path` names. That there is none, or more than one, is told and counted.
fn find_one(
    file: &str,
    opened: &mut Opened,
    path: &str,
    session: &mut Session,
) -> Result<Option<Node>> {
    let pages = opened.code_pages();
    let found = opened.run(|container, task| container.find(path, &pages, task));
    let error = match found.as_deref() {
        Ok([node]) => return Ok(Some(*node)),
        Ok([]) => Error::new(&codes::core::NOT_FOUND)
            .expected(format!("a path that `spelunk ls {file}` prints"))
            .found(format!("`{path}`")),
        Ok(many) => Error::new(&codes::core::AMBIGUOUS)
            .expected(format!("one of {}", positions(many, opened, &pages)?))
            .found(format!("`{path}`")),
        Err(_) => found.err().unwrap_or_else(|| Error::new(&codes::core::NOT_FOUND)),
    };
    session.failed(file, &error);
    Ok(None)
}

/// Paths that tell entries with one path apart.
fn positions(nodes: &[Node], opened: &mut Opened, pages: &CodePages) -> Result<String> {
    let mut paths = Vec::new();
    for node in nodes.iter().take(20) {
        let mut each = |entry: &Entry<'_>, task: &mut Task<'_>| {
            let (details, _) = json::object(pages, |walk| entry.details.walk(task, walk));
            paths.push(match details.get("index") {
                Some(index) => format!("#{index}"),
                None => entry.path.to_owned(),
            });
            Ok(())
        };
        opened.run_silent(|container, task| {
            walk::finish(container.entry(*node, pages, task, &mut each))
        })?;
    }
    let more = if nodes.len() > paths.len() { ", ..." } else { "" };
    Ok(format!("{}{more}", paths.join(", ")))
}
