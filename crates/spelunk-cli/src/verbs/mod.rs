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
use spelunk::{Entry, Error, Node, Opened, Result, text::CodePages, walk};

/// Opens the one file of a verb. What was noticed is for the verb to tell, when it is done.
fn open_one(path: &std::path::Path, session: &mut Session) -> Result<Option<(String, Opened)>> {
    let input = Input::named(path);
    Ok(session.open(&input)?.map(|opened| (input.name(), opened)))
}

/// The one entry that `path` names.
fn find_one(opened: &mut Opened, path: &str, pages: &CodePages) -> Result<Node> {
    let nodes = opened.run(|container, task| container.find(path, pages, task))?;
    match nodes.as_slice() {
        [] => Err(Error::new(&spelunk::codes::core::NOT_FOUND).found(format!("`{path}`"))),
        [node] => Ok(*node),
        many => {
            let mut paths = Vec::new();
            for node in many.iter().take(20) {
                let mut each = |entry: &Entry<'_>| {
                    paths.push(entry.path.to_owned());
                    Ok(())
                };
                opened.run_silent(|container, task| {
                    walk::finish(container.entry(*node, pages, task, &mut each))
                })?;
            }
            let more = if many.len() > paths.len() { ", ..." } else { "" };
            Err(Error::new(&spelunk::codes::core::AMBIGUOUS)
                .expected(format!("one of {}{more}", paths.join(", ")))
                .found(format!("`{path}`")))
        }
    }
}
