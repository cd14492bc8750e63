//! The one entry that a path names.

use crate::{Container, Entry, Error, Node, Opened, Result, Task, json, walk};
use spelunk_core::{codes, text::CodePages};

/// What a path should have been that names nothing.
pub const LISTED: &str = "a path that `spelunk ls` prints";

/// How many entries of one path are named in an error.
const NAMED: usize = 20;

/// Finds the one entry that a path names.
///
/// # Errors
/// [`NOT_FOUND`](codes::NOT_FOUND) and [`AMBIGUOUS`](codes::AMBIGUOUS), which names all entries that have the path; those of
/// [`Container::find`].
pub fn find_one(opened: &mut Opened, path: &str) -> Result<Node> {
    let found = find_each(opened, &[path])?;
    found.first().copied().ok_or_else(|| missing(path))
}

/// Finds the one entry that each of these paths names, in the order of the paths. Entries are gone through once, however many
/// paths there are.
///
/// # Errors
/// Those of [`find_one`], of the first path that is wrong.
pub fn find_each(opened: &mut Opened, paths: &[&str]) -> Result<Vec<Node>> {
    let pages = opened.code_pages();
    opened.run(|container, task| {
        let found = container.find_all(paths, &pages, task)?;
        let mut nodes = task.budget.vec(found.len() as u64)?;
        for (path, found) in paths.iter().zip(found) {
            match found.as_slice() {
                [node] => nodes.push(*node),
                [] => return Err(missing(path)),
                many => return Err(ambiguous(container, path, many, &pages, task)),
            }
        }
        task.budget.release((paths.len() as u64).saturating_mul(size_of::<Node>() as u64));
        Ok(nodes)
    })
}

fn missing(path: &str) -> Error {
    Error::new(&codes::NOT_FOUND).expected(LISTED).found(format!("`{path}`"))
}

fn ambiguous(
    container: &dyn Container,
    path: &str,
    nodes: &[Node],
    pages: &CodePages,
    task: &mut Task<'_>,
) -> Error {
    match positions(container, nodes, pages, task) {
        Ok(positions) => Error::new(&codes::AMBIGUOUS)
            .expected(format!("one of {positions}"))
            .found(format!("`{path}`")),
        Err(error) => error,
    }
}

/// Paths that tell entries with one path apart.
fn positions(
    container: &dyn Container,
    nodes: &[Node],
    pages: &CodePages,
    task: &mut Task<'_>,
) -> Result<String> {
    let mut paths = Vec::new();
    for node in nodes.iter().take(NAMED) {
        let mut each = |entry: &Entry<'_>, task: &mut Task<'_>| {
            let (details, _) = json::object(pages, |walk| entry.details.walk(task, walk));
            paths.push(match details.get("index") {
                Some(index) => format!("#{index}"),
                None => entry.path.to_owned(),
            });
            Ok(())
        };
        walk::finish(container.entry(*node, pages, task, &mut each))?;
    }
    let more = if nodes.len() > paths.len() { ", ..." } else { "" };
    Ok(format!("{}{more}", paths.join(", ")))
}
