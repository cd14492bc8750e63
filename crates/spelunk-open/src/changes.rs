//! Fields of a file that differ in a file that was made of it, with the reasons.

use spelunk_core::{
    Budget, Container, Field, Halt, Result, Seg, Shape, Span, Step, Task, Val, Walk, Walked,
    field::Role,
    walk::{Group, finish},
};
use std::{
    collections::BTreeMap,
    fmt,
    hash::{DefaultHasher, Hash, Hasher},
};

/// Why a field is another one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Why {
    /// A field that was changed itself, or is only in one of the files.
    Edited,
    /// A field that follows from the changes: a size, a count, a checksum, the place of a record.
    Derived,
    /// A stream that packs changed bytes.
    Packed,
}

impl Why {
    /// The reason in words.
    pub const fn text(self) -> &'static str {
        match self {
            Why::Edited => "edited",
            Why::Derived => "derived",
            Why::Packed => "packed",
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// A field that is another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldDifference {
    /// Path of the field; that of the list where it is an item of one.
    pub path: String,
    /// Why it changed.
    pub why: Why,
    /// Place in the old file, if the field is there.
    pub old: Option<Span>,
    /// Place in the new file, if the field is there.
    pub new: Option<Span>,
}

/// The fields in which `new` differs from `old`, by their paths. Fields that only lie elsewhere are the same.
///
/// # Errors
/// When one of the files cannot be walked; limits.
pub fn between(
    old: &dyn Container,
    new: &dyn Container,
    task: &mut Task<'_>,
) -> Result<Vec<FieldDifference>> {
    let before = task.budget.left().memory;
    let mut old_fields = FieldIndex::of(old, task)?;
    let new_fields = FieldIndex::of(new, task)?;
    let mut changes = Vec::new();
    for (path, new) in new_fields.all {
        let old = old_fields.all.remove(&path);
        if old.as_ref().is_none_or(|old| old.hash != new.hash) {
            let old = old.and_then(|old| old.at);
            changes.push(FieldDifference { path, why: new.why, old, new: new.at });
        }
    }
    let gone = old_fields.all.into_iter();
    changes.extend(gone.map(|(path, old)| FieldDifference {
        path,
        why: old.why,
        old: old.at,
        new: None,
    }));
    changes.sort_by(|a, b| (a.why, &a.path).cmp(&(b.why, &b.path)));
    task.budget.release(before.saturating_sub(task.budget.left().memory));
    Ok(changes)
}

/// A field, or all items of a list.
struct FieldState {
    hash: u64,
    why: Why,
    at: Option<Span>,
}

struct FieldIndex<'c> {
    container: &'c dyn Container,
    all: BTreeMap<String, FieldState>,
    path: String,
    /// Lengths of the paths of open groups, and what they hold.
    open: Vec<(usize, Shape)>,
    budget: Budget,
}

impl<'c> FieldIndex<'c> {
    fn of(container: &'c dyn Container, task: &mut Task<'_>) -> Result<FieldIndex<'c>> {
        let mut fields = FieldIndex {
            container,
            all: BTreeMap::new(),
            path: String::new(),
            open: Vec::new(),
            budget: task.budget.clone(),
        };
        finish(container.layout(task, &mut fields))?;
        Ok(fields)
    }
}

impl Walk for FieldIndex<'_> {
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt> {
        self.open.push((self.path.len(), group.shape));
        push(&mut self.path, &group.name);
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, at: Option<Span>, value: Val<'_>) -> Walked {
        let len = self.path.len();
        if !matches!(self.open.last(), Some((_, Shape::List | Shape::Value))) {
            push(&mut self.path, &Seg::Field(field.name));
        }
        let why = match field.role {
            Role::Packed => Why::Packed,
            _ if self.container.is_derived(field) => Why::Derived,
            _ => Why::Edited,
        };
        match self.all.get_mut(&self.path) {
            Some(state) => {
                state.hash = hash(state.hash, &value);
                state.at = state
                    .at
                    .zip(at)
                    .filter(|(all, at)| all.end() == at.start)
                    .map_or(state.at, |(all, at)| {
                        Some(Span { len: all.len.saturating_add(at.len), ..all })
                    });
            }
            None => {
                self.budget.memory(self.path.len().saturating_add(96) as u64)?;
                self.all.insert(self.path.clone(), FieldState { hash: hash(0, &value), why, at });
            }
        }
        self.path.truncate(len);
        Ok(())
    }

    fn leave(&mut self, _: Shape) -> Walked {
        let (len, _) = self.open.pop().unwrap_or((0, Shape::Record));
        self.path.truncate(len);
        Ok(())
    }
}

/// Appends a step as paths are written: names with dots between them, positions in brackets.
fn push(path: &mut String, step: &Seg<'_>) {
    match step {
        Seg::Index(index) => path.push_str(&format!("[{index}]")),
        step => {
            if !path.is_empty() {
                path.push('.');
            }
            match step {
                Seg::Field(name) => path.push_str(name),
                Seg::Key(name) => path.push_str(name),
                Seg::Index(_) => {}
            }
        }
    }
}

/// Returns the hash of the values so far with one more value. References are their numbers: names may change without them.
fn hash(before: u64, value: &Val<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    before.hash(&mut hasher);
    match value {
        Val::None => 0_u8.hash(&mut hasher),
        Val::Bytes(bytes) | Val::Text(bytes) => bytes.hash(&mut hasher),
        Val::F(number) => number.to_bits().hash(&mut hasher),
        Val::Ref(number, _) => (1_u8, number).hash(&mut hasher),
        Val::U(number) => number.hash(&mut hasher),
        value => value.to_string().hash(&mut hasher),
    }
    hasher.finish()
}
