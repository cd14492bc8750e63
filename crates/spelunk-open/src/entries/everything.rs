//! All entries of a container, and all of their fields: what the hierarchy holds, and what only the listing shows.

use crate::codes;
use spelunk_core::{
    Container, Entry, Field, Halt, Node, Of, Profile, Record, Result, Seg, Shape, Span, Step, Task,
    Ty, Val, Walk, Walked,
    container::kind,
    entries::{At, Traversal, Visit},
    text::{CodePages, until_nul},
    walk::{Group, Trail, finish},
};
use std::{borrow::Cow, collections::HashSet};

/// An entry with its path, kind and name.
#[derive(Debug)]
pub struct NamedEntry<'e> {
    node: Node,
    /// The path.
    pub path: &'e str,
    /// The kind: a class, a kind of assets, the name of a chunk.
    pub kind: &'e str,
    /// The name as shown, or what people call it; empty where it has neither.
    pub name: Cow<'e, str>,
}

/// A field of an entry, with the trail to it.
#[derive(Debug)]
pub struct Met<'w> {
    /// The description.
    pub field: &'static Field,
    /// The bytes, where it lies in the file.
    pub at: Option<Span>,
    /// The value.
    pub value: Val<'w>,
    /// Gives its [path](Trail::path); one that is not asked for has to be [passed](Trail::pass).
    pub trail: &'w mut Trail,
}

/// Sees everything.
pub trait Look {
    /// An entry, before its fields and what lies below it.
    ///
    /// # Errors
    /// Whatever is to end the work.
    fn entry(&mut self, entry: &NamedEntry<'_>) -> Result<()>;

    /// A field of an entry.
    ///
    /// # Errors
    /// Whatever is to end the work.
    fn field(&mut self, entry: &NamedEntry<'_>, met: Met<'_>) -> Result<()>;

    /// Values of one type of a field that lie behind each other and come next: whether to see [each](Look::field).
    ///
    /// # Errors
    /// Whatever is to end the work.
    fn values(&mut self, field: &'static Field, item: Ty, bytes: &[u8]) -> Result<Step> {
        let _ = (field, item, bytes);
        Ok(Step::Into)
    }

    /// Fixed records that lie behind each other and come next: whether to see their [fields](Look::field).
    ///
    /// # Errors
    /// Whatever is to end the work.
    fn rows(&mut self, record: &'static Record, bytes: &[u8]) -> Result<Step> {
        let _ = (record, bytes);
        Ok(Step::Into)
    }
}

/// Shows all entries in the order of the hierarchy and, where they are wanted, their fields in order. Entries that consist of
/// others show their own fields only where those do not show all of it. Damage is reported and passed over.
///
/// # Errors
/// What `look` returns; input and output; limits.
pub fn everything(
    container: &dyn Container,
    with_fields: bool,
    pages: &CodePages,
    task: &mut Task<'_>,
    look: &mut dyn Look,
) -> Result<()> {
    let profile = container.profile();
    let (seen, open) = (HashSet::new(), Vec::new());
    let mut all = All { container, profile, with_fields, pages, seen, open, look };
    let entries = Traversal::new(pages);
    entries.visit(container, &[Of::Root], task, &mut all)?;
    // What the hierarchy does not show.
    entries.depth(0).visit(container, &[Of::Listing], task, &mut all)
}

struct All<'s> {
    container: &'s dyn Container,
    profile: &'static Profile,
    with_fields: bool,
    pages: &'s CodePages,
    seen: HashSet<Node>,
    /// For each entry that was gone into, whether anything lies below it.
    open: Vec<bool>,
    look: &'s mut dyn Look,
}

/// Memory of an entry among those that were seen, in bytes, in a table that grows.
const SEEN: u64 = 3 * size_of::<Node>() as u64;

impl Visit for All<'_> {
    fn entry(
        &mut self,
        entry: &Entry<'_>,
        _: At,
        task: &mut Task<'_>,
    ) -> std::result::Result<Step, Halt> {
        if let Some(any) = self.open.last_mut() {
            *any = true;
        }
        if self.seen.contains(&entry.node) {
            return Ok(Step::Over);
        }
        task.budget.memory(SEEN)?;
        self.seen.insert(entry.node);
        let entry = found(entry, self.pages, task)?;
        // Texts are compared without regard to case.
        let longest = entry.path.len().max(entry.name.len()) as u64;
        task.budget.afford(longest.saturating_mul(2))?;
        self.look.entry(&entry)?;
        self.open.push(false);
        Ok(Step::Into)
    }

    fn leave(&mut self, entry: &Entry<'_>, task: &mut Task<'_>) -> Walked {
        let any_below = self.open.pop().unwrap_or_default();
        if self.with_fields && !(self.profile.is_shown_by_parts && any_below) {
            let entry = found(entry, self.pages, task)?;
            self.fields(&entry, task)?;
        }
        Ok(())
    }
}

impl All<'_> {
    /// Looks at the fields of an entry.
    fn fields(&mut self, entry: &NamedEntry<'_>, task: &mut Task<'_>) -> Result<()> {
        let trail = Trail::default();
        let profile = self.profile;
        // The other half is for what the walk takes.
        let most = task.budget.left().memory / 2;
        let mut walk = FieldRelay { entry, profile, trail, look: self.look, most, failed: false };
        let walked = finish(self.container.walk(entry.node, task, &mut walk));
        let failed = walk.failed;
        match walked {
            Err(error) if failed || error.ends_work() => Err(error),
            Err(error) if error.code().id == codes::core::NO_SUCH_OPERATION.id => Ok(()),
            Err(error) => task.error(error),
            Ok(()) => Ok(()),
        }
    }
}

fn found<'e>(entry: &Entry<'e>, pages: &CodePages, task: &mut Task<'_>) -> Result<NamedEntry<'e>> {
    let name = until_nul(entry.name.unwrap_or_default());
    task.budget.afford((name.len() as u64).saturating_mul(4))?;
    let name = entry.label.map_or_else(|| pages.show(name), Cow::Borrowed);
    Ok(NamedEntry { node: entry.node, path: entry.path, kind: entry.kind, name })
}

/// Hands on the fields of an entry.
struct FieldRelay<'w, 's> {
    entry: &'w NamedEntry<'w>,
    profile: &'static Profile,
    trail: Trail,
    look: &'w mut (dyn Look + 's),
    /// Memory that a field may take while it is looked at.
    most: u64,
    /// Whether it was `look` that ended the walk.
    failed: bool,
}

impl Walk for FieldRelay<'_, '_> {
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt> {
        let lists = self.profile.listed_in_sections;
        if self.entry.kind == kind::SECTION
            && matches!(group.name, Seg::Field(name) if lists.contains(&name))
        {
            return Ok(Step::Over);
        }
        self.trail.enter(group);
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, at: Option<Span>, value: Val<'_>) -> Walked {
        value.check_shown_size(self.most).map_err(|error| error.field(field.name))?;
        let met = Met { field, at, value, trail: &mut self.trail };
        let looked = self.look.field(self.entry, met);
        self.failed = looked.is_err();
        Ok(looked?)
    }

    fn leave(&mut self, _: Shape) -> Walked {
        self.trail.leave();
        Ok(())
    }

    fn values(
        &mut self,
        field: &'static Field,
        item: Ty,
        bytes: &[u8],
    ) -> std::result::Result<Step, Halt> {
        let looked = self.look.values(field, item, bytes);
        self.failed = looked.is_err();
        let step = looked?;
        if step == Step::Over {
            let size = item.size().unwrap_or(1).into();
            self.trail.pass_all((bytes.len() as u64).checked_div(size).unwrap_or_default());
        }
        Ok(step)
    }

    fn rows(&mut self, record: &'static Record, bytes: &[u8]) -> std::result::Result<Step, Halt> {
        let looked = self.look.rows(record, bytes);
        self.failed = looked.is_err();
        Ok(looked?)
    }
}
