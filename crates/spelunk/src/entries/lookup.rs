//! The one entry that a path names.

use crate::{
    Container, Entry, Error, Field, Halt, Node, Of, Opened, Result, Shape, Span, Step, Task, Val,
    Walk, Walked,
    core::walk::{self, Group},
};
use spelunk_core::{
    Collect, codes,
    nearest::Nearest,
    text::{CodePages, until_nul},
};

/// Expectation in the error for a path that names nothing.
pub const LISTED: &str = "a path that `spelunk ls` prints";

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

/// The longest name that is looked at for being near, in bytes.
const LONGEST: usize = 4096;

/// The error that a path names nothing, with the paths nearest to it as far as the budget lets them be looked for.
fn missing(container: &dyn Container, path: &str, pages: &CodePages, task: &mut Task<'_>) -> Error {
    let mut nearest = Nearest::to(path);
    let mut by_name = String::new();
    let mut each = |entry: &Entry<'_>, task: &mut Task<'_>| {
        let name = until_nul(entry.name.unwrap_or_default());
        task.budget.touch(entry.path.len().saturating_add(name.len()) as u64)?;
        let mut goes_on = nearest.offer(entry.path);
        // Entries that are listed by their positions may have a path with their name, too.
        // Nobody means one that fills pages.
        let is_short = (1..=LONGEST).contains(&name.len());
        if entry.path.starts_with('#') && is_short && !path.starts_with('#') {
            by_name.clear();
            by_name.push_str(entry.kind);
            by_name.push('/');
            pages.path_step(name, &mut by_name);
            goes_on &= nearest.offer(&by_name);
        }
        if goes_on { Ok(()) } else { Err(Halt::Stop) }
    };
    // Findings of this look are not asked for, and what it fails with is no answer to the question.
    let mut sink = Collect::default();
    let mut quiet = Task::new(task.budget.clone(), &mut sink);
    let _ = container.children(Of::Listing, pages, &mut quiet, &mut each);
    let near = nearest.suggestion(|near| {
        container.find(near, pages, &mut quiet).is_ok_and(|found| !found.is_empty())
    });
    // What was read on the way stays charged.
    task.budget = quiet.budget;
    let error = Error::new(&codes::NOT_FOUND).expected(LISTED);
    error.found(match near {
        Some(near) => format!("`{path}` (near it: {near})"),
        None => format!("`{path}`"),
    })
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
