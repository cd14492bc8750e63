//! Defaults for a container that has no way of its own, made from its layout, its entries and their bytes.

use crate::{
    codes,
    container::Container,
    entries::{At, Traversal, Visit},
    entry::{Each, Entry, Node, Of},
    error::{Error, Result},
    field::{Field, Val},
    finding::Task,
    place::Span,
    text::CodePages,
    walk::{Group, Halt, Shape, Step, Walk, Walked, finish},
};
use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    io,
};

/// Lists in which entries are looked for: first those of the file's own table.
const PLACES: [Of; 2] = [Of::Listing, Of::Root];

/// Hands the entry of this id to `each` ([`Container::entry`]).
pub(crate) fn entry<C: Container + ?Sized>(
    container: &C,
    node: Node,
    pages: &CodePages,
    task: &mut Task<'_>,
    each: Each<'_>,
) -> Walked {
    let mut seek = Seek { node, each, is_found: false };
    for of in PLACES {
        Traversal::new(pages).visit(container, &[of], task, &mut seek)?;
        if seek.is_found {
            return Ok(());
        }
    }
    Err(Error::new(&codes::NOT_FOUND).into())
}

struct Seek<'e> {
    node: Node,
    each: Each<'e>,
    is_found: bool,
}

impl Visit for Seek<'_> {
    fn entry(
        &mut self,
        entry: &Entry<'_>,
        _: At,
        task: &mut Task<'_>,
    ) -> std::result::Result<Step, Halt> {
        // Looking through all entries for each of many is work, too.
        task.budget.steps(1)?;
        if entry.node != self.node {
            return Ok(Step::Into);
        }
        self.is_found = true;
        (self.each)(entry, task)?;
        Err(Halt::Stop)
    }
}

/// The entries of a path ([`Container::find`]).
pub(crate) fn find<C: Container + ?Sized>(
    container: &C,
    path: &str,
    pages: &CodePages,
    task: &mut Task<'_>,
) -> Result<Vec<Node>> {
    let found = find_all(container, &[path], pages, task)?;
    Ok(found.into_iter().next().unwrap_or_default())
}

/// The entries of each of these paths ([`Container::find_all`]).
pub(crate) fn find_all<C: Container + ?Sized>(
    container: &C,
    paths: &[&str],
    pages: &CodePages,
    task: &mut Task<'_>,
) -> Result<Vec<Vec<Node>>> {
    let mut wanted = PathSearch::of(paths, task)?;
    for of in PLACES {
        if wanted.begin() {
            Traversal::new(pages).visit(container, &[of], task, &mut wanted)?;
        }
    }
    // What is found stays charged, the tables by which it is found are gone.
    task.budget.release(wanted.held);
    let found = wanted.found.into_iter();
    Ok(found.map(|Both { same, alike }| if same.is_empty() { alike } else { same }).collect())
}

/// Entries that are found for a path.
#[derive(Clone, Default)]
struct Both {
    same: Vec<Node>,
    /// Entries whose path has letters of the other case.
    alike: Vec<Node>,
}

/// Paths that are looked for, all of them in one look at the entries.
struct PathSearch<'p> {
    paths: &'p [&'p str],
    /// Positions of those that are looked for now, by the path in small letters.
    positions: HashMap<String, Vec<usize>>,
    found: Vec<Both>,
    /// Entries that were found, by the position of the path and whether it is the very path.
    seen: HashSet<(usize, bool, Node)>,
    /// The path of the entry in small letters.
    lower: String,
    /// Memory that the tables are charged with.
    held: u64,
}

/// Bytes that a path takes among those that are looked for, beside its text, and an entry among those that were found, in tables
/// that grow.
const WANTED: u64 =
    3 * size_of::<(String, Vec<usize>)>() as u64 + size_of::<(Both, [usize; 4])>() as u64;
const SEEN: u64 = 3 * size_of::<(usize, bool, Node)>() as u64;

impl<'p> PathSearch<'p> {
    fn of(paths: &'p [&'p str], task: &mut Task<'_>) -> Result<PathSearch<'p>> {
        let texts = paths.iter().fold(0, |sum: u64, path| sum.saturating_add(path.len() as u64));
        let held = (paths.len() as u64).saturating_mul(WANTED).saturating_add(texts);
        task.budget.memory(held)?;
        let mut positions: HashMap<String, Vec<usize>> = HashMap::new();
        for (nth, path) in paths.iter().enumerate() {
            positions.entry(path.to_ascii_lowercase()).or_default().push(nth);
        }
        let found = vec![Both::default(); paths.len()];
        Ok(PathSearch { paths, positions, found, seen: HashSet::new(), lower: String::new(), held })
    }

    /// Goes on with the paths that no entry has so far, and returns whether there are any. Those that an entry of another case
    /// has are looked for anew.
    fn begin(&mut self) -> bool {
        self.seen.clear();
        let found = &mut self.found;
        self.positions.retain(|_, positions| {
            positions.retain(|nth| match found.get_mut(*nth) {
                Some(both) if both.same.is_empty() => {
                    both.alike.clear();
                    true
                }
                _ => false,
            });
            !positions.is_empty()
        });
        !self.positions.is_empty()
    }
}

impl Visit for PathSearch<'_> {
    fn entry(
        &mut self,
        entry: &Entry<'_>,
        _: At,
        task: &mut Task<'_>,
    ) -> std::result::Result<Step, Halt> {
        task.budget.steps(1)?;
        task.budget.touch(entry.path.len() as u64)?;
        self.lower.clear();
        self.lower.push_str(entry.path);
        self.lower.make_ascii_lowercase();
        for nth in self.positions.get(&self.lower).into_iter().flatten() {
            task.budget.steps(1)?;
            let is_same = self.paths.get(*nth) == Some(&entry.path);
            let key = (*nth, is_same, entry.node);
            let Some(both) = self.found.get_mut(*nth).filter(|_| !self.seen.contains(&key)) else {
                continue;
            };
            task.budget.memory(SEEN)?;
            self.held = self.held.saturating_add(SEEN);
            self.seen.insert(key);
            let found = if is_same { &mut both.same } else { &mut both.alike };
            task.budget.room(found, 1)?;
            found.push(entry.node);
        }
        Ok(Step::Into)
    }
}

/// Reads the layout and the bytes of all entries ([`Container::verify`]).
pub(crate) fn verify<C: Container + ?Sized>(container: &C, task: &mut Task<'_>) -> Result<()> {
    let report = |read: Result<()>, task: &mut Task<'_>| match read {
        Err(error) if error.ends_work() => Err(error),
        Err(error) => task.error(error),
        Ok(()) => Ok(()),
    };
    let layout = finish(container.layout(task, &mut Whole));
    report(layout, task)?;
    let pages = container.code_pages();
    finish(container.children(Of::Listing, &pages, task, &mut |entry, task| {
        let read = task.transient(|task| container.bytes(entry.node, task).map(drop));
        Ok(report(read, task)?)
    }))
}

/// Sees everything, and looks at nothing.
struct Whole;

impl Walk for Whole {
    fn enter(&mut self, _: &Group<'_>) -> std::result::Result<Step, Halt> {
        Ok(Step::Into)
    }

    fn field(&mut self, _: &'static Field, _: Option<Span>, _: Val<'_>) -> Walked {
        Ok(())
    }

    fn leave(&mut self, _: Shape) -> Walked {
        Ok(())
    }
}

/// Writes the values of the layout ([`Container::write`]).
pub(crate) fn write<C: Container + ?Sized>(
    container: &C,
    out: &mut dyn io::Write,
    task: &mut Task<'_>,
) -> Result<()> {
    let mut written = LayoutWriter { out, at: 0 };
    finish(container.layout(task, &mut written))?;
    match container.size().checked_sub(written.at) {
        Some(0) => Ok(()),
        left => Err(unwritable(Span::file(written.at, left.unwrap_or_default()))),
    }
}

struct LayoutWriter<'o> {
    out: &'o mut dyn io::Write,
    at: u64,
}

/// The error that no field covers these bytes.
fn unwritable(at: Span) -> Error {
    Error::new(&codes::NOT_IN_LAYOUT).at(at)
}

impl Walk for LayoutWriter<'_> {
    fn enter(&mut self, _: &Group<'_>) -> std::result::Result<Step, Halt> {
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, at: Option<Span>, value: Val<'_>) -> Walked {
        let Some(at) = at.filter(|at| at.len > 0) else { return Ok(()) };
        let stored = match &value {
            Val::Bytes(bytes) | Val::Text(bytes) => Some(bytes.clone()),
            // An array is shown value by value.
            value => field.item().encode(value, &[]).ok().map(Cow::Owned),
        };
        match stored {
            Some(bytes) if at == Span::file(self.at, bytes.len() as u64) => {
                self.at = at.end();
                Ok(self.out.write_all(&bytes).map_err(Error::io)?)
            }
            _ => Err(unwritable(at).into()),
        }
    }

    fn leave(&mut self, _: Shape) -> Walked {
        Ok(())
    }
}
