//! One file per verb.

pub mod cat;
pub mod explain;
pub mod extract;
pub mod info;
pub mod ls;
pub mod rewrite;
pub mod show;
pub mod tree;
pub mod verify;

use crate::{inputs::Input, output::Session};
use spelunk::{Error, Node, Opened, Result, text::CodePages, walk};

/// Opens the one file of a verb, and tells what was noticed.
fn open_one(path: &std::path::Path, session: &mut Session) -> Result<Option<(String, Opened)>> {
    let input = Input::named(path);
    let Some(opened) = session.open(&input)? else { return Ok(None) };
    session.tell(&input.name(), &opened.findings().findings);
    Ok(Some((input.name(), opened)))
}

/// The one entry that `path` names.
fn find_one(opened: &Opened, path: &str, pages: &CodePages) -> Result<Node> {
    let nodes = opened.container().find(path, pages)?;
    match nodes.as_slice() {
        [] => Err(Error::new(&spelunk::codes::core::NOT_FOUND).found(format!("`{path}`"))),
        [node] => Ok(*node),
        many => {
            let mut paths = Vec::new();
            for node in many.iter().take(20) {
                walk::finish(opened.container().entry(*node, pages, &mut |entry| {
                    paths.push(entry.path.to_owned());
                    Ok(())
                }))?;
            }
            let more = if many.len() > paths.len() { ", ..." } else { "" };
            Err(Error::new(&spelunk::codes::core::AMBIGUOUS)
                .expected(format!("one of {}{more}", paths.join(", ")))
                .found(format!("`{path}`")))
        }
    }
}
