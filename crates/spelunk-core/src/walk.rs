//! The walk: the one way in which printers, JSON, `explain`, coverage and diff see values.
//!
//! A container pushes groups and fields, in order, to a [`Walk`]. Walkers that look for one thing skip
//! groups ([`Step::Over`]) and stop early ([`Halt::Stop`]).

pub use crate::coverage::{Coverage, Fault};
pub use crate::locate::{Locate, Located};
use crate::{
    error::{Error, Result, Seg, dotted},
    field::{Described, Field, Record, Ty, Val},
    place::Span,
};

use std::borrow::Cow;
use zerocopy::IntoBytes;

/// Why a walk ended before its end.
#[derive(Debug)]
pub enum Halt {
    /// The walker has seen enough.
    Stop,
    /// The walked thing is damaged, or the walker failed.
    Failed(Error),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Halt {
        Halt::Failed(error)
    }
}

/// The result of a part of a walk.
pub type Walked = std::result::Result<(), Halt>;

/// Turns a finished walk into a result: a walker that stopped early is a success.
///
/// # Errors
/// The error that ended the walk.
pub fn finish(walked: Walked) -> Result<()> {
    match walked {
        Ok(()) | Err(Halt::Stop) => Ok(()),
        Err(Halt::Failed(error)) => Err(error),
    }
}

/// Shape of the content of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Fields with different names.
    Record,
    /// Items of one kind, in order. Groups and fields in it have no names of their own.
    List,
    /// A single field that stands for the whole group: an item of a map, whose key is the group's name.
    Value,
}

/// Whether a walker wants to see the inside of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Yes; [`Walk::leave`] follows.
    Into,
    /// No; neither its inside nor [`Walk::leave`] follow.
    Over,
}

/// A group that the walk enters.
#[derive(Clone, Debug)]
pub struct Group<'a> {
    /// Step of the path that leads to the group.
    pub name: Seg<'a>,
    /// Description of the group.
    pub record: &'static Record,
    /// The bytes it covers, where it lies in the file.
    pub at: Option<Span>,
    /// Shape of the content.
    pub shape: Shape,
}

impl<'a> Group<'a> {
    /// A group of fields.
    pub const fn record(
        name: &'static str,
        record: &'static Record,
        at: Option<Span>,
    ) -> Group<'static> {
        Group { name: Seg::Field(name), record, at, shape: Shape::Record }
    }

    /// A list of items.
    pub const fn list(
        name: &'static str,
        record: &'static Record,
        at: Option<Span>,
    ) -> Group<'static> {
        Group { name: Seg::Field(name), record, at, shape: Shape::List }
    }

    /// An item of a list.
    pub const fn item(index: usize, record: &'static Record, at: Option<Span>) -> Group<'static> {
        Group { name: Seg::Index(index as u64), record, at, shape: Shape::Record }
    }

    /// A group that a key names.
    pub const fn keyed(key: &'a str, record: &'static Record, at: Option<Span>) -> Group<'a> {
        Group { name: Seg::Key(Cow::Borrowed(key)), record, at, shape: Shape::Record }
    }
}

/// Sees a walk.
pub trait Walk {
    /// A group begins.
    ///
    /// # Errors
    /// [`Halt`], to end the walk.
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt>;

    /// A field. In a list its name is the list's.
    ///
    /// # Errors
    /// [`Halt`], to end the walk.
    fn field(&mut self, field: &'static Field, at: Option<Span>, value: Val<'_>) -> Walked;

    /// The innermost open group, of this shape, ends.
    ///
    /// # Errors
    /// [`Halt`], to end the walk.
    fn leave(&mut self, shape: Shape) -> Walked;

    /// Values of one type that come next, all of these bytes, as fields of the open list. A walker that has no use for any of them
    /// says so here, and gets none: most of a file are long lists of numbers.
    ///
    /// # Errors
    /// [`Halt`], to end the walk.
    fn values(
        &mut self,
        field: &'static Field,
        item: Ty,
        bytes: &[u8],
    ) -> std::result::Result<Step, Halt> {
        let _ = (field, item, bytes);
        Ok(Step::Into)
    }

    /// Fixed records that come next, all of these bytes, as items of the open list. As [`Walk::values`].
    ///
    /// # Errors
    /// [`Halt`], to end the walk.
    fn rows(&mut self, record: &'static Record, bytes: &[u8]) -> std::result::Result<Step, Halt> {
        let _ = (record, bytes);
        Ok(Step::Into)
    }
}

impl<'w> dyn Walk + 'w {
    /// Enters `group`, runs `inside` if the walker wants to see it, and leaves.
    ///
    /// # Errors
    /// [`Halt`] from the walker or from `inside`.
    pub fn group(
        &mut self,
        group: &Group<'_>,
        inside: impl FnOnce(&mut (dyn Walk + 'w)) -> Walked,
    ) -> Walked {
        match self.enter(group)? {
            Step::Over => Ok(()),
            Step::Into => {
                inside(self)?;
                self.leave(group.shape)
            }
        }
    }

    /// Walks a fixed record that lies at `start` of `space`, as a group of its own.
    ///
    /// # Errors
    /// [`Halt`] from the walker.
    pub fn record<T: Described>(&mut self, name: &'static str, value: &T, start: Span) -> Walked {
        let at = Span { len: size_of::<T>() as u64, ..start };
        self.group(&Group::record(name, T::RECORD, Some(at)), |walk| {
            T::RECORD.walk(value.as_bytes(), at, walk)
        })
    }

    /// Walks fixed records that lie behind each other from `start` on, as a list.
    ///
    /// # Errors
    /// [`Halt`] from the walker.
    pub fn records<T: Described>(&mut self, name: &'static str, rows: &[T], start: Span) -> Walked {
        let size = size_of::<T>() as u64;
        let at = start.part(0, size.saturating_mul(rows.len() as u64));
        self.group(&Group::list(name, T::RECORD, Some(at)), |walk| {
            walk.list_rows(T::RECORD, rows.as_bytes(), at)
        })
    }

    /// Walks fixed records that lie behind each other from `at` on, as items of the open list.
    ///
    /// # Errors
    /// [`Halt`] from the walker.
    pub fn list_rows(&mut self, record: &'static Record, bytes: &[u8], at: Span) -> Walked {
        if let Step::Over = self.rows(record, bytes)? {
            return Ok(());
        }
        let size = record.size.max(1);
        let mut at = at.part(0, size.into());
        for (nth, row) in bytes.chunks_exact(size as usize).enumerate() {
            let group = Group::item(nth, record, Some(at));
            self.group(&group, |walk| record.walk(row, at, walk))?;
            at = at.part(size.into(), size.into());
        }
        Ok(())
    }

    /// Walks values of one type that lie behind each other from `at` on, as fields of the open list; as many as are whole.
    ///
    /// # Errors
    /// [`Halt`] from the walker.
    pub fn list_values(
        &mut self,
        field: &'static Field,
        item: Ty,
        bytes: &[u8],
        at: Span,
    ) -> Walked {
        if let Step::Over = self.values(field, item, bytes)? {
            return Ok(());
        }
        let size = item.size().unwrap_or(1).max(1);
        let mut at = at.part(0, size.into());
        for value in bytes.chunks_exact(size as usize) {
            self.field(field, Some(at), item.decode(value))?;
            at = at.part(size.into(), size.into());
        }
        Ok(())
    }

    /// Walks an item of a map: a value under a key that is not known in advance. The map itself is an
    /// open group of [`Shape::Record`].
    ///
    /// # Errors
    /// [`Halt`] from the walker.
    pub fn keyed(
        &mut self,
        key: &str,
        record: &'static Record,
        field: &'static Field,
        at: Option<Span>,
        value: Val<'_>,
    ) -> Walked {
        let group = Group { shape: Shape::Value, ..Group::keyed(key, record, at) };
        self.group(&group, |walk| walk.field(field, at, value))
    }
}

impl Record {
    /// Walks the fields of one row of this record that lies at `at`. Fields past the end of `row` are
    /// left out.
    ///
    /// # Errors
    /// What the walker returns.
    pub fn walk(&'static self, row: &[u8], at: Span, walk: &mut dyn Walk) -> Walked {
        for slot in self.fields {
            let start = slot.offset as usize;
            let size = match slot.field.ty {
                Ty::Rest(_) => row.len().saturating_sub(start),
                _ => slot.size as usize,
            };
            let Some(bytes) = row.get(start..start.saturating_add(size)) else { continue };
            let span = at.part(u64::from(slot.offset), size as u64);
            match slot.field.ty {
                Ty::Array(item, _) | Ty::Rest(item) => {
                    walk_items(&slot.field, *item, bytes, span, walk)?;
                }
                ty => walk.field(&slot.field, Some(span), ty.decode(bytes))?,
            }
        }
        Ok(())
    }
}

static ITEMS: Record = Record::group("array", "docs/formats/README.md", "Values of one type.");

/// Walks the values of an array field as a list of fields that share its description.
fn walk_items(
    field: &'static Field,
    item: Ty,
    bytes: &[u8],
    at: Span,
    walk: &mut dyn Walk,
) -> Walked {
    let Some(size) = item.size().map(|size| size as usize).filter(|size| *size > 0) else {
        return walk.field(field, Some(at), Val::Bytes(Cow::Borrowed(bytes)));
    };
    let group = Group::list(field.name, &ITEMS, Some(at));
    if let Step::Over = walk.enter(&group)? {
        return Ok(());
    }
    walk.list_values(field, item, bytes, at)?;
    let rest = bytes.chunks_exact(size).remainder();
    if !rest.is_empty() {
        let whole = bytes.len().saturating_sub(rest.len()) as u64;
        walk.field(
            field,
            Some(at.part(whole, rest.len() as u64)),
            Val::Bytes(Cow::Borrowed(rest)),
        )?;
    }
    walk.leave(Shape::List)
}

/// A field as [`Flat`] keeps it.
#[derive(Clone, Debug, PartialEq)]
pub struct FlatField {
    /// Path in the structure: `objects[17].name_length`.
    pub path: String,
    /// Description of the field.
    pub field: &'static Field,
    /// The record that it belongs to.
    pub record: Option<&'static Record>,
    /// Place of the bytes, where they lie in the file.
    pub at: Option<Span>,
    /// Value of the field.
    pub value: Val<'static>,
}

/// Collects every field with its full path.
#[derive(Default, Debug)]
pub struct Flat {
    /// The fields, in walking order.
    pub fields: Vec<FlatField>,
    path: Trail,
    /// Memory that they take, and how much they may.
    held: u64,
    most: Option<u64>,
    part: FieldWindow,
    /// Fields of the part so far, kept or not.
    seen: u64,
}

/// Fields that [`Flat`] keeps: all of them by default.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct FieldWindow {
    /// Most items of each list.
    pub items: Option<u64>,
    /// Number of fields that are left out at the beginning.
    pub offset: u64,
    /// Most fields that are kept.
    pub limit: Option<u64>,
}

impl Flat {
    /// Returns a flat walk whose fields take so many bytes at the most; beyond that the walk ends with
    /// [`MEMORY`](crate::codes::MEMORY).
    pub fn within(most: u64) -> Flat {
        Flat { most: Some(most), ..Flat::default() }
    }

    /// The same for a part of the fields.
    #[must_use]
    pub fn only(self, part: FieldWindow) -> Flat {
        Flat { part, ..self }
    }

    /// The memory that the fields take.
    pub const fn held(&self) -> u64 {
        self.held
    }

    fn hold(&mut self, bytes: usize) -> Result<()> {
        // The list grows to twice its length, beside the old one.
        let field = size_of::<FlatField>().saturating_mul(3).saturating_add(bytes);
        self.held = self.held.saturating_add(field as u64);
        match self.most.filter(|most| self.held > *most) {
            Some(most) => {
                let error =
                    Error::new(&crate::codes::MEMORY).expected(format!("at most {most} bytes"));
                Err(error.found("more fields"))
            }
            None => Ok(()),
        }
    }
}

/// The open groups of a walk, from which the paths of fields are made.
#[derive(Default, Debug)]
pub struct Trail {
    open: Vec<(Seg<'static>, &'static Record, Shape, u64)>,
}

impl Trail {
    /// A group was entered.
    pub fn enter(&mut self, group: &Group<'_>) {
        let name = match &group.name {
            Seg::Field(name) => Seg::Field(name),
            Seg::Index(index) => Seg::Index(*index),
            Seg::Key(key) => Seg::Key(key.clone().into_owned().into()),
        };
        self.open.push((name, group.record, group.shape, 0));
    }

    /// The innermost group was left.
    pub fn leave(&mut self) {
        self.open.pop();
    }

    /// The innermost open record.
    pub fn record(&self) -> Option<&'static Record> {
        self.open.last().map(|(_, record, ..)| *record)
    }

    /// Name and record of every open group, outermost first.
    pub fn open(&self) -> impl Iterator<Item = (&Seg<'static>, &'static Record)> {
        self.open.iter().map(|(name, record, ..)| (name, *record))
    }

    /// The fields of the innermost group so far, where it is a list.
    pub fn items(&self) -> Option<u64> {
        match self.open.last() {
            Some((_, _, Shape::List, seen)) => Some(*seen),
            _ => None,
        }
    }

    /// A field was passed over. In a list it is counted.
    pub fn pass(&mut self) {
        self.pass_all(1);
    }

    /// So many fields were passed over.
    pub fn pass_all(&mut self, count: u64) {
        if let Some((_, _, Shape::List, seen)) = self.open.last_mut() {
            *seen = seen.saturating_add(count);
        }
    }

    /// The path of `field` here. In a list, fields are counted.
    pub fn path(&mut self, field: &Field) -> String {
        let last = match self.open.last_mut() {
            Some((_, _, Shape::List, seen)) => {
                let index = *seen;
                *seen = seen.saturating_add(1);
                Some(Seg::Index(index))
            }
            Some((_, _, Shape::Value, _)) => None,
            _ => Some(Seg::Field(field.name)),
        };
        dotted(self.open.iter().map(|(name, ..)| name).chain(&last))
    }
}

impl Walk for Flat {
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt> {
        if let (Seg::Index(index), Some(items)) = (&group.name, self.part.items)
            && *index >= items
        {
            return Ok(Step::Over);
        }
        self.path.enter(group);
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, at: Option<Span>, value: Val<'_>) -> Walked {
        let FieldWindow { items, offset, limit } = self.part;
        if items.is_some_and(|items| self.path.items().is_some_and(|index| index >= items)) {
            self.path.pass();
            return Ok(());
        }
        self.seen = self.seen.saturating_add(1);
        if self.seen <= offset {
            self.path.pass();
            return Ok(());
        }
        if limit.is_some_and(|limit| self.seen.saturating_sub(offset) > limit) {
            return Err(Halt::Stop);
        }
        let path = self.path.path(field);
        let record = self.path.record();
        self.hold(path.len().saturating_add(value.held()))?;
        self.fields.push(FlatField { path, field, record, at, value: value.into_owned() });
        Ok(())
    }

    fn leave(&mut self, _shape: Shape) -> Walked {
        self.path.leave();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Space;

    static NUMBER: Field = Field::new("number", Ty::U8, "A number.");
    static ROWS: Record = Record::group("rows", "docs/formats/README.md", "Rows.");

    fn three_rows(walk: &mut dyn Walk) -> Walked {
        walk.group(&Group::list("rows", &ROWS, Some(Span::file(0, 6))), |walk| {
            for index in 0..3 {
                let at = Span::file(index * 2, 2);
                walk.group(&Group::item(index as usize, &ROWS, Some(at)), |walk| {
                    walk.field(&NUMBER, Some(at), Val::U(index))
                })?;
            }
            Ok(())
        })
    }

    #[test]
    fn flat_paths_name_lists_and_items() {
        let mut flat = Flat::default();
        finish(three_rows(&mut flat)).unwrap();
        let paths: Vec<_> = flat.fields.iter().map(|field| field.path.as_str()).collect();
        assert_eq!(paths, ["rows[0].number", "rows[1].number", "rows[2].number"]);
    }

    #[test]
    fn an_item_of_a_map_is_named_by_its_key() {
        let mut flat = Flat::default();
        let walk: &mut dyn Walk = &mut flat;
        let walked = walk.group(&Group::record("classes", &ROWS, None), |walk| {
            walk.keyed("CKMesh", &ROWS, &NUMBER, None, Val::U(3))
        });
        finish(walked).unwrap();
        assert_eq!(flat.fields[0].path, "classes.CKMesh");
    }

    #[test]
    fn fields_are_kept_as_far_as_memory_goes() {
        let field = 3 * size_of::<FlatField>() as u64;
        let mut flat = Flat::within(2 * field + 100);
        let error = finish(three_rows(&mut flat)).unwrap_err();
        assert_eq!((error.code().id, flat.fields.len()), ("SP010", 2));
        let mut long = Flat::within(field + 100);
        let walked = finish(long.field(&NUMBER, None, Val::Bytes(vec![0; 101].into())));
        assert_eq!((walked.unwrap_err().code().id, long.fields.len()), ("SP010", 0));
    }

    #[test]
    fn locate_finds_the_field_and_its_groups() {
        let mut locate = Locate::new(Space::FILE, 3);
        finish(three_rows(&mut locate)).unwrap();
        let found = locate.found.unwrap();
        assert_eq!(found.field.path, "rows[1].number");
        assert_eq!(found.groups.len(), 2);
        let mut past_the_end = Locate::new(Space::FILE, 6);
        finish(three_rows(&mut past_the_end)).unwrap();
        assert!(past_the_end.found.is_none());
    }

    #[test]
    fn coverage_tells_gaps_and_overlaps() {
        let mut coverage = Coverage::default();
        finish(three_rows(&mut coverage)).unwrap();
        assert_eq!(coverage.check(Space::FILE, 6), []);
        assert_eq!(coverage.check(Space::FILE, 8), [Fault::Gap(Span::file(6, 2))]);
        finish(coverage.field(&NUMBER, Some(Span::file(1, 2)), Val::None)).unwrap();
        assert_eq!(
            coverage.check(Space::FILE, 6),
            [Fault::Twice(Span::file(1, 2))],
            "as one stretch"
        );
    }
}
