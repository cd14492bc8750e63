//! The interpreter of layouts: finds where parts end, and walks them.

use super::{
    codes,
    layout::{Grid, Part, Structure},
};
use spelunk_core::{
    Budget, Error, Field, Group, Record, Result, Span, Task, Val, Walk, Walked, cursor::Cursor,
    walk::Shape,
};

/// A place in the bytes of a structure, and what is known there of its earlier parts.
#[derive(Clone, Debug)]
pub(super) struct Scan<'a> {
    cursor: Cursor<'a>,
    /// The last key of the structure.
    key: i64,
}

/// The whole number in the bytes of a field; all types of numbers that layouts have fit.
fn number(field: &Field, bytes: &[u8]) -> i64 {
    match field.ty.decode(bytes) {
        Val::U(number) => i64::try_from(number).unwrap_or(i64::MAX),
        Val::I(number) => number,
        _ => 0,
    }
}

impl<'a> Scan<'a> {
    /// Begins with the first of `bytes`, which lie at `at`.
    pub(super) fn new(bytes: &'a [u8], at: Span) -> Scan<'a> {
        Scan { cursor: Cursor::new(bytes, at.space, at.start), key: 0 }
    }

    /// Position in the bytes.
    pub(super) const fn position(&self) -> usize {
        self.cursor.position()
    }

    /// What is left, and its place.
    pub(super) fn rest(mut self) -> (&'a [u8], Span) {
        let at = self.cursor.span(self.cursor.remaining() as u64);
        (self.cursor.rest(), at)
    }

    /// The place up to that of another scan of the same bytes.
    fn span_to(&self, end: &Scan<'_>) -> Span {
        self.cursor.span(end.position().saturating_sub(self.position()) as u64)
    }

    /// Takes a field of a fixed size.
    fn take(&mut self, field: &Field) -> Result<(&'a [u8], Span)> {
        let len = field.ty.size().unwrap_or_default();
        let at = self.cursor.span(len.into());
        Ok((self.cursor.bytes(len as usize, field.name)?, at))
    }

    /// Takes so many bytes.
    fn stretch(&mut self, len: u64, name: &'static str) -> Result<(&'a [u8], Span)> {
        let at = self.cursor.span(len);
        // More than there can be is not there either.
        let len = usize::try_from(len).unwrap_or(usize::MAX);
        Ok((self.cursor.bytes(len, name)?, at))
    }

    /// Takes the number of items that follow, each of which has a byte at the least.
    fn count(&mut self, field: &Field) -> Result<(&'a [u8], Span, usize)> {
        let (bytes, at) = self.take(field)?;
        let count = u64::try_from(number(field, bytes)).unwrap_or_default();
        self.cursor.expect_items(count, 1, field.name)?;
        Ok((bytes, at, count as usize))
    }

    /// Takes a key, which is known from here on.
    fn choose(&mut self, field: &Field, known: &[i64]) -> Result<(&'a [u8], Span)> {
        let (bytes, at) = self.take(field)?;
        self.key = number(field, bytes);
        if known.contains(&self.key) {
            return Ok((bytes, at));
        }
        let known: Vec<String> = known.iter().map(ToString::to_string).collect();
        let error = Error::new(&codes::LAYOUT).at(at).field(field.name);
        Err(error.expected(known.join(", ")).found(self.key))
    }

    /// Passes over a structure.
    ///
    /// # Errors
    /// Where the bytes do not have its layout, and limits, which [end the work](Error::ends_work).
    pub(super) fn pass_all(&mut self, parts: &[Part], budget: &mut Budget) -> Result<()> {
        parts.iter().try_for_each(|part| self.pass(part, budget))
    }

    /// Passes over a structure of its own, whose keys are not those of what it stands in.
    fn pass_structure(&mut self, structure: &Structure, budget: &mut Budget) -> Result<()> {
        let key = std::mem::take(&mut self.key);
        let passed = self.pass_all(structure.parts, budget);
        self.key = key;
        passed
    }

    /// Passes over a part.
    ///
    /// # Errors
    /// As [`Scan::pass_all`].
    pub(super) fn pass(&mut self, part: &Part, budget: &mut Budget) -> Result<()> {
        budget.steps(1)?;
        match part {
            Part::Fixed(record) => self.stretch(record.size.into(), record.name).map(drop),
            Part::Value(field) => self.take(field).map(drop),
            Part::Key(field, known) => self.choose(field, known).map(drop),
            Part::When(keys, parts) if keys.contains(&self.key) => self.pass_all(parts, budget),
            Part::When(..) => Ok(()),
            Part::Parts(parts) => self.pass_all(parts, budget),
            Part::Text(length, text) => {
                let (_, _, len) = self.count(length)?;
                self.stretch(len as u64, text.name).map(drop)
            }
            Part::List(count, _, item) => {
                let (_, _, count) = self.count(count)?;
                (0..count).try_for_each(|_| self.pass_structure(item, budget))
            }
            Part::Group(_, structure) => self.pass_structure(structure, budget),
            Part::Grid(grid) => {
                let (head, at) = self.stretch(grid.head.size.into(), grid.head.name)?;
                let len = (grid.extent)(head).and_then(|extent| extent.len());
                let len = len.ok_or_else(|| Error::new(&codes::LAYOUT).at(at))?;
                self.stretch(len, grid.row.name).map(drop)
            }
        }
    }

    /// Walks parts that were passed before.
    ///
    /// # Errors
    /// What the walker returns; limits.
    pub(super) fn walk_all(
        &mut self,
        parts: &'static [Part],
        task: &mut Task<'_>,
        walk: &mut dyn Walk,
    ) -> Walked {
        parts.iter().try_for_each(|part| self.walk(part, task, walk))
    }

    /// Walks a part that was passed before.
    ///
    /// # Errors
    /// As [`Scan::walk_all`].
    pub(super) fn walk(
        &mut self,
        part: &'static Part,
        task: &mut Task<'_>,
        walk: &mut dyn Walk,
    ) -> Walked {
        task.budget.steps(1)?;
        match part {
            Part::Fixed(record) => {
                let (bytes, at) = self.stretch(record.size.into(), record.name)?;
                record.walk(bytes, at, walk)
            }
            Part::Value(field) => {
                let (bytes, at) = self.take(field)?;
                walk.field(field, Some(at), field.ty.decode(bytes))
            }
            Part::Key(field, known) => {
                let (bytes, at) = self.choose(field, known)?;
                walk.field(field, Some(at), field.ty.decode(bytes))
            }
            Part::When(keys, parts) => match keys.contains(&self.key) {
                true => self.walk_all(parts, task, walk),
                false => Ok(()),
            },
            Part::Parts(parts) => self.walk_all(parts, task, walk),
            Part::Text(length, text) => {
                let (bytes, at, len) = self.count(length)?;
                walk.field(length, Some(at), length.ty.decode(bytes))?;
                let (bytes, at) = self.stretch(len as u64, text.name)?;
                walk.field(text, Some(at), text.ty.decode(bytes))
            }
            Part::List(count, name, item) => self.walk_list(count, name, item, task, walk),
            Part::Group(name, structure) => {
                let group = Group::record(name, &structure.record, None);
                self.walk_structure(group, structure, task, walk)
            }
            Part::Grid(grid) => self.walk_grid(grid, task, walk),
        }
    }

    /// Walks a structure as a group, which gets its place here.
    pub(super) fn walk_structure(
        &mut self,
        group: Group<'_>,
        structure: &'static Structure,
        task: &mut Task<'_>,
        walk: &mut dyn Walk,
    ) -> Walked {
        let mut end = self.clone();
        end.pass_structure(structure, &mut task.budget)?;
        let mut inside = Scan { key: 0, ..self.clone() };
        let group = Group { at: Some(self.span_to(&end)), ..group };
        walk.group(&group, |walk| inside.walk_all(structure.parts, task, walk))?;
        *self = end;
        Ok(())
    }

    fn walk_list(
        &mut self,
        count: &'static Field,
        name: &'static str,
        item: &'static Structure,
        task: &mut Task<'_>,
        walk: &mut dyn Walk,
    ) -> Walked {
        let (bytes, at, len) = self.count(count)?;
        walk.field(count, Some(at), count.ty.decode(bytes))?;
        let mut end = self.clone();
        (0..len).try_for_each(|_| end.pass_structure(item, &mut task.budget))?;
        self.walk_items((len, &end), name, item, task, walk)?;
        *self = end;
        Ok(())
    }

    /// Walks a list that ends so many bytes from here, as far as its items have their layout. What follows them there is one field.
    pub(super) fn walk_list_up_to(
        &mut self,
        end: usize,
        list: &'static Part,
        rest: &'static Field,
        task: &mut Task<'_>,
        walk: &mut dyn Walk,
    ) -> Walked {
        let (bytes, at) = self.stretch(end as u64, rest.name)?;
        let mut scan = Scan::new(bytes, at);
        if let Part::List(count, name, item) = list
            && let Ok((number, place, len)) = scan.clone().count(count)
        {
            scan.count(count)?;
            walk.field(count, Some(place), count.ty.decode(number))?;
            let (mut known, mut end) = (0, scan.clone());
            while known < len {
                let mut next = end.clone();
                match next.pass_structure(item, &mut task.budget) {
                    Ok(()) => (known, end) = (known.saturating_add(1), next),
                    Err(error) if error.ends_work() => return Err(error.into()),
                    Err(_) => break,
                }
            }
            scan.walk_items((known, &end), name, item, task, walk)?;
            scan = end;
        }
        match scan.rest() {
            ([], _) => Ok(()),
            (bytes, at) => walk.field(rest, Some(at), Val::Bytes(bytes.into())),
        }
    }

    /// Walks so many items of a list, up to where they end.
    fn walk_items(
        &self,
        (len, end): (usize, &Scan<'_>),
        name: &'static str,
        item: &'static Structure,
        task: &mut Task<'_>,
        walk: &mut dyn Walk,
    ) -> Walked {
        let mut inside = self.clone();
        walk.group(&Group::list(name, &item.record, Some(self.span_to(end))), |walk| {
            for nth in 0..len {
                match item.parts {
                    // A number has no structure of its own.
                    [part @ Part::Value(_)] => inside.walk(part, task, walk)?,
                    _ => {
                        let group = Group::item(nth, &item.record, None);
                        inside.walk_structure(group, item, task, walk)?;
                    }
                }
            }
            Ok(())
        })
    }

    fn walk_grid(
        &mut self,
        grid: &'static Grid,
        task: &mut Task<'_>,
        walk: &mut dyn Walk,
    ) -> Walked {
        let Grid { head, extent, lead, rows, row, behind, cell: _ } = grid;
        let (bytes, at) = self.stretch(head.size.into(), head.name)?;
        head.walk(bytes, at, walk)?;
        let extent = extent(bytes).unwrap_or_default();
        self.walk_stretch(lead.as_ref(), extent.lead, walk)?;
        let all = self.cursor.span(extent.row.saturating_mul(extent.rows));
        let mut inside = self.clone();
        walk.group(&list_of(rows, all), |walk| {
            for _ in 0..extent.rows {
                task.budget.steps(1)?;
                inside.walk_stretch(Some(row), extent.row, walk)?;
            }
            Ok(())
        })?;
        self.stretch(all.len, row.name)?;
        self.walk_stretch(behind.as_ref(), extent.behind, walk)
    }

    /// Walks so many bytes as one field.
    fn walk_stretch(
        &mut self,
        field: Option<&'static Field>,
        len: u64,
        walk: &mut dyn Walk,
    ) -> Walked {
        let Some(field) = field.filter(|_| len > 0) else { return Ok(()) };
        let (bytes, at) = self.stretch(len, field.name)?;
        walk.field(field, Some(at), field.ty.decode(bytes))
    }
}

fn list_of(record: &'static Record, at: Span) -> Group<'static> {
    Group { shape: Shape::List, ..Group::record(record.name, record, Some(at)) }
}
