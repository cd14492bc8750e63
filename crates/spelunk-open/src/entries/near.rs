//! The paths nearest to one that names no entry, and to a glob that matches none, for messages.

use spelunk_core::{
    Collect, Container, Entry, Halt, Of, Task,
    nearest::{self, Nearest, near_it, quoted},
    text::{CodePages, until_nul},
};
use std::collections::BTreeSet;

/// The longest name that is looked at for being near, in bytes.
const LONGEST: usize = 4096;

/// The most kinds that are remembered.
const KINDS: usize = 64;

/// What is near a path that names nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NearPaths {
    /// Paths that name something, as a sentence continues with them: `` `CKMesh/Cube`, `CKMesh/Cubes` ``.
    pub paths: Option<String>,
    /// The first step of the path, where that is a kind of entries or an entry: what lies below it can be listed.
    pub within: Option<String>,
}

impl NearPaths {
    /// A path that was found to name nothing, with what is near it.
    pub fn found(&self, path: &str) -> String {
        near_it(&format!("`{path}`"), self.paths.clone())
    }
}

/// Looks for what is near a path or a glob that names nothing, as far as the budget of the task lets it.
///
/// Paths are near where all of them is, or their last step. Of a path with steps the first one may also be near a kind of entries,
/// or what an entry is called by: `CKMatrial/Wood`, `item/32`.
pub fn near(
    container: &dyn Container,
    path: &str,
    pages: &CodePages,
    task: &mut Task<'_>,
) -> NearPaths {
    let is_glob = path.contains(['*', '?', '[']);
    let mut search = Search {
        head: path.split_once('/').map(|(head, _)| head),
        rest: path.split_once('/').map_or("", |(_, rest)| rest),
        nearest: Nearest::to(path),
        kinds: BTreeSet::new(),
        is_position: path.starts_with('#'),
        by_name: String::new(),
    };
    let mut each =
        |entry: &Entry<'_>, task: &mut Task<'_>| search.offer(entry, is_glob, pages, task);
    // Findings of this look are not asked for, and what it fails with is no answer to the question.
    let mut sink = Collect::default();
    let mut quiet = Task::new(task.budget.clone(), &mut sink);
    let _ = container.children(Of::Listing, pages, &mut quiet, &mut each);
    let Search { head, rest, nearest, kinds, .. } = search;
    let within = head.filter(|_| !is_glob).and_then(|head| {
        let mut kinds = kinds.iter();
        kinds.find(|kind| kind.eq_ignore_ascii_case(head)).cloned()
    });
    let whole = |kind: &str| match head {
        Some(_) => format!("{kind}/{rest}"),
        None => kind.to_owned(),
    };
    let kinds = Nearest::among(head.unwrap_or(path), kinds.iter().map(String::as_str));
    // What a glob matches may be anything: only kinds can be near it.
    let by_kind = kinds.names().map(whole).filter(|near| is_glob || near != path);
    let mut near: Vec<String> = by_kind.collect();
    if !is_glob {
        near.extend(
            nearest
                .names()
                .filter(|name| !near.iter().any(|it| it == name))
                .map(str::to_owned)
                .collect::<Vec<_>>(),
        );
        near.retain(|near| {
            container.find(near, pages, &mut quiet).is_ok_and(|found| !found.is_empty())
        });
        near.truncate(nearest::MOST);
    }
    let paths = quoted(&near);
    // What was read on the way stays charged.
    task.budget = quiet.budget;
    NearPaths { paths, within }
}

struct Search<'p> {
    head: Option<&'p str>,
    rest: &'p str,
    nearest: Nearest,
    /// Kinds of entries, and what entries are called by.
    kinds: BTreeSet<String>,
    is_position: bool,
    by_name: String,
}

impl Search<'_> {
    fn offer(
        &mut self,
        entry: &Entry<'_>,
        is_glob: bool,
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<(), Halt> {
        let name = until_nul(entry.name.unwrap_or_default());
        task.budget.touch(entry.path.len().saturating_add(name.len()) as u64)?;
        for kind in [Some(entry.kind), entry.label].into_iter().flatten() {
            if self.kinds.len() < KINDS && !kind.is_empty() && !self.kinds.contains(kind) {
                self.kinds.insert(kind.to_owned());
            }
        }
        if is_glob {
            return Ok(());
        }
        let mut goes_on = self.nearest.offer(entry.path);
        // Entries that are listed by their positions may have a path with their name, too.
        // Nobody means one that fills pages.
        let is_short = (1..=LONGEST).contains(&name.len());
        if entry.path.starts_with('#') && is_short && !self.is_position {
            self.by_name.clear();
            self.by_name.push_str(entry.kind);
            self.by_name.push('/');
            pages.path_step(name, &mut self.by_name);
            goes_on &= self.nearest.offer(&self.by_name);
        }
        if goes_on { Ok(()) } else { Err(Halt::Stop) }
    }
}
