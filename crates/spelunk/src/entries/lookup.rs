//! The one entry that a path names.

use crate::{
    Container, Entry, Error, Field, Halt, Node, Of, Opened, Result, Shape, Span, Step, Task, Val,
    Walk, Walked,
    core::walk::{self, Group},
    entries::{near::near, select::Select},
};
use spelunk_core::{
    codes,
    text::{CodePages, until_nul},
};
use std::borrow::Cow;

/// Beginning of the expectation in the error for a path that names nothing, before what is listed.
const LISTED_BY: &str = "a path that `spelunk ls";

/// Number of entries of one path that are named in an error, at the most.
const NAMED: usize = 20;

/// Finds the one entry that a path names.
///
/// # Errors
/// [`NOT_FOUND`](codes::NOT_FOUND), which names the paths nearest to it, and [`AMBIGUOUS`](codes::AMBIGUOUS), which names all entries that have the path; those of
/// [`Container::find`].
pub fn find_one(opened: &mut Opened, path: &str) -> Result<Node> {
    let found = find_each(opened, &[path])?;
    found.first().copied().ok_or_else(|| Error::new(&codes::NOT_FOUND))
}

/// Finds the one entry that each of these paths names, in the order of the paths. Entries are gone through once, however many
/// paths there are.
///
/// # Errors
/// Those of [`find_one`], of the first path that is wrong.
pub fn find_each(opened: &mut Opened, paths: &[&str]) -> Result<Vec<Node>> {
    let pages = opened.code_pages();
    opened.run(|container, task| resolve(container, paths, &pages, task))
}

/// Finds the one entry of a container that each of these paths names, as [`find_each`] does.
///
/// # Errors
/// Those of [`find_one`], of the first path that is wrong.
pub fn resolve(
    container: &dyn Container,
    paths: &[&str],
    pages: &CodePages,
    task: &mut Task<'_>,
) -> Result<Vec<Node>> {
    let found = container.find_all(paths, pages, task)?;
    let mut nodes = task.budget.vec(found.len() as u64)?;
    let all = paths.iter().zip(found).try_for_each(|(path, found)| {
        match found.as_slice() {
            [node] => nodes.push(*node),
            [] => return Err(missing(container, path, pages, task)),
            many => return Err(ambiguous(container, path, many, pages, task)),
        }
        Ok(())
    });
    // They go soon, as what was found does.
    task.budget.release((paths.len() as u64).saturating_mul(size_of::<Node>() as u64));
    all.map(|()| nodes)
}

/// The paths of the entries that a path or a glob means: itself where it names any, the entries that it matches otherwise. Globs
/// cross folders and ignore case, as everywhere; of a path without wildcards nothing but the case of its letters may differ, and
/// one entry has to match. What matches nothing comes back as it is.
///
/// # Errors
/// [`BAD_PATTERN`](codes::BAD_PATTERN); reading errors; limits.
pub fn matching(opened: &mut Opened, path: &str) -> Result<Vec<String>> {
    let pages = opened.code_pages();
    opened.run(|container, task| {
        // A path that is not well-formed may still be a glob.
        if container.find(path, &pages, task).is_ok_and(|found| !found.is_empty()) {
            return Ok(vec![path.to_owned()]);
        }
        let is_glob = path.contains(['*', '?', '[']);
        let mut found =
            Matching { path, is_glob, select: Select::new(&[path], &[])?, found: Vec::new() };
        found.look(container, Of::Listing, &pages, task)?;
        if let (true, Some((head, _))) = (found.found.is_empty(), path.split_once('/')) {
            for node in container.find(head, &pages, task).unwrap_or_default() {
                found.look(container, Of::Node(node), &pages, task)?;
            }
        }
        let is_meant = found.found.len() == 1 || is_glob && !found.found.is_empty();
        Ok(if is_meant { found.found } else { vec![path.to_owned()] })
    })
}

/// Gathers the paths of entries that match.
struct Matching<'p> {
    path: &'p str,
    is_glob: bool,
    select: Select,
    found: Vec<String>,
}

impl Matching<'_> {
    fn look(
        &mut self,
        container: &dyn Container,
        of: Of,
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<()> {
        walk::finish(container.children(of, pages, task, &mut |entry, task| {
            let name = pages.show(until_nul(entry.name.unwrap_or_default()));
            let name = entry.label.map_or(name, Cow::Borrowed);
            let is_meant = match self.is_glob {
                true => {
                    self.select.wants_named([entry.path, entry.kind, &name], &mut task.budget)?
                }
                false => {
                    let mut by_name = format!("{}/", entry.kind);
                    pages.path_step(until_nul(entry.name.unwrap_or_default()), &mut by_name);
                    [entry.path, &by_name].iter().any(|it| it.eq_ignore_ascii_case(self.path))
                }
            };
            if is_meant {
                task.budget.memory((entry.path.len() + size_of::<String>()) as u64)?;
                self.found.push(entry.path.to_owned());
            }
            Ok(())
        }))
    }
}

/// The error that a path names nothing, with the paths nearest to it as far as the budget lets them be looked for.
fn missing(container: &dyn Container, path: &str, pages: &CodePages, task: &mut Task<'_>) -> Error {
    let near = near(container, path, pages, task);
    let expected = match &near.within {
        Some(kind) => format!("{LISTED_BY} {}` prints", quoted(kind)),
        None => format!("{LISTED_BY}` prints"),
    };
    Error::new(&codes::NOT_FOUND).expected(expected).found(near.found(path))
}

/// A word as a shell takes it.
fn quoted(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./@".contains(c);
    match word.chars().all(is_plain) {
        true => word.into(),
        false => format!("'{word}'").into(),
    }
}

/// An error about a path that names nothing in this file says what lists the paths that there are.
pub fn listed_by(file: &str, error: Error) -> Error {
    let expected = match error.expected_value() {
        Val::Str(expected) => expected.strip_prefix(LISTED_BY).map(str::to_owned),
        _ => None,
    };
    match expected {
        Some(rest) => error.expected(format!("{LISTED_BY} {file}{rest}")),
        None => error,
    }
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

/// Takes the position of an entry, and looks at nothing else.
struct PositionFinder(Option<String>);

impl Walk for PositionFinder {
    fn enter(&mut self, _: &Group<'_>) -> std::result::Result<Step, Halt> {
        // The facts of an entry itself stand in no group.
        Ok(Step::Over)
    }

    fn field(&mut self, field: &'static Field, _: Option<Span>, value: Val<'_>) -> Walked {
        if field.name != "index" {
            return Ok(());
        }
        self.0 = Some(value.to_string());
        Err(Halt::Stop)
    }

    fn leave(&mut self, _: Shape) -> Walked {
        Ok(())
    }
}

/// Paths that distinguish entries with one path.
fn positions(
    container: &dyn Container,
    nodes: &[Node],
    pages: &CodePages,
    task: &mut Task<'_>,
) -> Result<String> {
    let mut paths = Vec::new();
    for node in nodes.iter().take(NAMED) {
        let mut each = |entry: &Entry<'_>, task: &mut Task<'_>| {
            let mut index = PositionFinder(None);
            // One that is damaged before its position is seen has its path, which stands here in any case.
            let _ = walk::finish(entry.details.walk(task, &mut index));
            paths.push(match index.0 {
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
