//! What a container does that has no way of its own: it follows from its layout, its entries and their bytes.

use crate::{
    codes,
    container::{Container, Each, Entry, Node, Of},
    entries::{At, Traversal, Visit},
    error::{Error, Result},
    field::{Field, Val},
    finding::Task,
    place::Span,
    text::CodePages,
    walk::{Group, Halt, Shape, Step, Walk, Walked, finish},
};
use std::{borrow::Cow, io};

/// Where entries are looked for: first those that the file's own table has.
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
    let mut paths = Paths { path, same: Vec::new(), alike: Vec::new() };
    for of in PLACES {
        if paths.same.is_empty() {
            paths.alike.clear();
            Traversal::new(pages).visit(container, &[of], task, &mut paths)?;
        }
    }
    let Paths { same, alike, .. } = paths;
    Ok(if same.is_empty() { alike } else { same })
}

struct Paths<'p> {
    path: &'p str,
    same: Vec<Node>,
    /// Those whose path has letters of the other case.
    alike: Vec<Node>,
}

impl Visit for Paths<'_> {
    fn entry(
        &mut self,
        entry: &Entry<'_>,
        _: At,
        task: &mut Task<'_>,
    ) -> std::result::Result<Step, Halt> {
        task.budget.steps(1)?;
        task.budget.touch(entry.path.len() as u64)?;
        let found = match entry.path {
            path if path == self.path => &mut self.same,
            path if path.eq_ignore_ascii_case(self.path) => &mut self.alike,
            _ => return Ok(Step::Into),
        };
        if !found.contains(&entry.node) {
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
    let mut written = Written { out, at: 0 };
    finish(container.layout(task, &mut written))?;
    match container.size().checked_sub(written.at) {
        Some(0) => Ok(()),
        left => Err(untold(Span::file(written.at, left.unwrap_or_default()))),
    }
}

struct Written<'o> {
    out: &'o mut dyn io::Write,
    at: u64,
}

/// That no field tells these bytes.
fn untold(at: Span) -> Error {
    Error::new(&codes::NOT_IN_LAYOUT).at(at)
}

impl Walk for Written<'_> {
    fn enter(&mut self, _: &Group<'_>) -> std::result::Result<Step, Halt> {
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, at: Option<Span>, value: Val<'_>) -> Walked {
        let Some(at) = at.filter(|at| at.len > 0) else { return Ok(()) };
        let told = match &value {
            Val::Bytes(bytes) | Val::Text(bytes) => Some(bytes.clone()),
            // An array is told value by value.
            value => field.item().encode(value, &[]).ok().map(Cow::Owned),
        };
        match told {
            Some(bytes) if at == Span::file(self.at, bytes.len() as u64) => {
                self.at = at.end();
                Ok(self.out.write_all(&bytes).map_err(Error::io)?)
            }
            _ => Err(untold(at).into()),
        }
    }

    fn leave(&mut self, _: Shape) -> Walked {
        Ok(())
    }
}
