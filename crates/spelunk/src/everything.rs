//! All entries of a container, and all of their fields: what the hierarchy holds, and what only the listing shows.

use crate::{
    Class, Container, Entry, Field, Halt, Node, Of, Result, Seg, Shape, Span, Step, Task, Val,
    Walk, Walked, codes,
    text::{CodePages, until_nul},
    walk::{Group, Trail, finish},
};
use std::{borrow::Cow, collections::HashSet};

/// What sections of Virtools files list: these are entries, and looked at as such.
const ENTRIES: [&str; 3] = ["objects", "managers", "records"];

/// Deeper hierarchies than this come from damaged files only.
const MAX_DEPTH: usize = 64;

/// An entry, and what is told of it.
pub(crate) struct Found {
    node: Node,
    /// Its path.
    pub(crate) path: String,
    /// What it is.
    pub(crate) kind: String,
    /// Its name as shown, or what people call it; empty where it has neither.
    pub(crate) name: String,
}

/// A field of an entry, with the trail to it.
pub(crate) struct Met<'w> {
    /// Its description.
    pub(crate) field: &'static Field,
    /// Its bytes, where it lies in the file.
    #[cfg_attr(not(feature = "sql"), allow(dead_code, reason = "queries alone tell it"))]
    pub(crate) at: Option<Span>,
    /// Its value.
    pub(crate) value: Val<'w>,
    /// Gives its [path](Trail::path); one that is not asked for has to be [passed](Trail::pass).
    pub(crate) trail: &'w mut Trail,
}

/// Sees everything.
pub(crate) trait Look {
    /// An entry, before its fields and what lies below it.
    ///
    /// # Errors
    /// Whatever is to end the work.
    fn entry(&mut self, entry: &Found) -> Result<()>;

    /// A field of an entry.
    ///
    /// # Errors
    /// Whatever is to end the work.
    fn field(&mut self, entry: &Found, met: Met<'_>) -> Result<()>;
}

/// Shows all entries in the order of the hierarchy and, where they are wanted, their fields in order. Entries that consist of
/// others tell their own fields only where those do not tell all of it. What is damaged is told and passed over.
///
/// # Errors
/// What `look` returns; input and output; limits.
pub(crate) fn everything(
    container: &dyn Container,
    with_fields: bool,
    pages: &CodePages,
    task: &mut Task<'_>,
    look: &mut dyn Look,
) -> Result<()> {
    // What lies below an entry of these tells what is in it; objects of Virtools tell their own, whatever is below them.
    let in_parts = container.format().starts_with("spellforce-");
    let mut all = All { container, with_fields, pages, in_parts, seen: HashSet::new(), look };
    all.below(Of::Root, 0, task)?;
    // What the hierarchy does not show.
    all.below(Of::Listing, MAX_DEPTH, task).map(drop)
}

struct All<'s> {
    container: &'s dyn Container,
    with_fields: bool,
    pages: &'s CodePages,
    in_parts: bool,
    seen: HashSet<Node>,
    look: &'s mut dyn Look,
}

impl All<'_> {
    /// Looks at the entries there, and below them. Tells whether there are any.
    fn below(&mut self, of: Of, depth: usize, task: &mut Task<'_>) -> Result<bool> {
        let mut entries = Vec::new();
        let mut any = false;
        let pages = self.pages;
        finish(self.container.children(of, pages, task, &mut |entry, task| {
            any = true;
            if !self.seen.contains(&entry.node) {
                task.budget.room(&mut entries, 1)?;
                entries.push(found(entry, pages, task)?);
            }
            Ok(())
        }))?;
        for entry in entries {
            if !self.seen.insert(entry.node) {
                continue;
            }
            // Texts are compared without regard to case.
            let longest = entry.path.len().max(entry.name.len()) as u64;
            task.budget.afford(longest.saturating_mul(2))?;
            self.look.entry(&entry)?;
            let any_below = depth < MAX_DEPTH
                && self.below(Of::Node(entry.node), depth.saturating_add(1), task)?;
            if self.with_fields && !(self.in_parts && any_below) {
                self.fields(&entry, task)?;
            }
        }
        Ok(any)
    }

    /// Looks at the fields of an entry.
    fn fields(&mut self, entry: &Found, task: &mut Task<'_>) -> Result<()> {
        let mut walk = Fields { entry, trail: Trail::default(), look: self.look, failed: false };
        let walked = finish(self.container.walk(entry.node, task, &mut walk));
        let failed = walk.failed;
        match walked {
            Err(error) if failed || matches!(error.code().class, Class::Io | Class::Limit) => {
                Err(error)
            }
            Err(error) if error.code().id == codes::core::NO_SUCH_OPERATION.id => Ok(()),
            Err(error) => task.error(error),
            Ok(()) => Ok(()),
        }
    }
}

/// What an entry takes beside its place in a list and its letters: three texts, and its place among those that were seen.
const HELD: u64 = 144;

fn found(entry: &Entry<'_>, pages: &CodePages, task: &mut Task<'_>) -> Result<Found> {
    let name = pages.show(until_nul(entry.name.unwrap_or_default()));
    let name = entry.label.map_or(name, Cow::Borrowed);
    let len = entry.path.len().saturating_add(entry.kind.len()).saturating_add(name.len());
    task.budget.memory(HELD.saturating_add(len as u64))?;
    let (path, kind) = (entry.path.to_owned(), entry.kind.to_owned());
    Ok(Found { node: entry.node, path, kind, name: name.into_owned() })
}

/// Hands on the fields of an entry.
struct Fields<'w, 's> {
    entry: &'w Found,
    trail: Trail,
    look: &'w mut (dyn Look + 's),
    /// Whether it was `look` that ended the walk.
    failed: bool,
}

impl Walk for Fields<'_, '_> {
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt> {
        if self.entry.kind == "section"
            && matches!(group.name, Seg::Field(name) if ENTRIES.contains(&name))
        {
            return Ok(Step::Over);
        }
        self.trail.enter(group);
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, at: Option<Span>, value: Val<'_>) -> Walked {
        let met = Met { field, at, value, trail: &mut self.trail };
        let told = self.look.field(self.entry, met);
        self.failed = told.is_err();
        Ok(told?)
    }

    fn leave(&mut self, _: Shape) -> Walked {
        self.trail.leave();
        Ok(())
    }
}
