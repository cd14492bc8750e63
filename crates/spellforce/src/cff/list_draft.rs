//! The records of a list of a map on their way to be others, change by change.

use super::{chunk::not_found, lists::List};
use crate::gamedata::codes;
use spelunk_core::{
    Bytes, Error, Record, Result, Task, Ty, Val, edit::gone, field::Field, text::CodePages,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// A place in a record that a path leads to.
struct RecordPlace<'p> {
    range: Range<usize>,
    /// Description of the field; of one value where that is one of an array.
    field: Field,
    /// The part of a packed word, where it is one.
    part: Option<&'p str>,
}

impl<'p> RecordPlace<'p> {
    /// The place of a field, of one value of a field of several (`weights[2]`), or of a part of a word (`bits.vision`).
    fn of(record: &'static Record, path: &'p str) -> Option<RecordPlace<'p>> {
        let (path, part) = match path.split_once('.') {
            Some((path, part)) => (path, Some(part)),
            None => (path, None),
        };
        let (name, nth) = match path.strip_suffix(']') {
            Some(path) => {
                let (name, nth) = path.split_once('[')?;
                (name, Some(nth.parse::<usize>().ok()?))
            }
            None => (path, None),
        };
        let slot = record.fields.iter().find(|slot| slot.field.name == name)?;
        let (start, size) = (slot.offset as usize, slot.size as usize);
        let (start, size, field) = match (slot.field.ty, nth) {
            (Ty::Array(item, count), Some(nth)) if nth < count as usize => {
                let size = item.size()? as usize;
                (start.checked_add(nth.checked_mul(size)?)?, size, slot.field.item())
            }
            (_, Some(_)) => return None,
            (_, None) => (start, size, slot.field),
        };
        Some(RecordPlace { range: start..start.checked_add(size)?, field, part })
    }

    /// Puts a value into the place, in the bytes of the record.
    fn put(&self, row: &mut [u8], value: &Val<'_>) -> Result<()> {
        let place = row.get_mut(self.range.clone()).ok_or_else(not_found)?;
        encode(&self.field, self.part, value, place)
    }
}

/// Puts a value that people write, or one of a part of a packed word, into the place of a field.
pub(super) fn encode(
    field: &Field,
    part: Option<&str>,
    value: &Val<'_>,
    place: &mut [u8],
) -> Result<()> {
    let bytes = match part {
        Some(part) => field.encode_part(part, value, place),
        None => field.encode(value, place),
    };
    let bytes = bytes.and_then(|bytes| match bytes.len() == place.len() {
        true => Ok(bytes),
        false => Err(field.misfit(value)),
    });
    place.copy_from_slice(&bytes.map_err(|error| error.field(field.name))?);
    Ok(())
}

pub(super) fn refused() -> Error {
    Error::new(&spelunk_core::codes::NO_SUCH_OPERATION)
}

pub(super) fn no_field(path: &str) -> Error {
    Error::new(&codes::NO_FIELD).found(format!("`{path}`"))
}

/// The records of a chunk on their way to be others.
pub(super) struct ListDraft {
    pub(super) id: i16,
    /// Whether it is a row of the ground, which has a record for each cell.
    is_ground: bool,
    pub(super) list: List,
    removed: BTreeSet<usize>,
    /// Before which old record new ones stand, in their order.
    added: BTreeMap<usize, Vec<Vec<u8>>>,
}

impl ListDraft {
    pub(super) fn new(id: i16, is_ground: bool, list: List) -> ListDraft {
        ListDraft { id, is_ground, list, removed: BTreeSet::new(), added: BTreeMap::new() }
    }

    /// A record that is there by now.
    fn row_mut(&mut self, nth: usize) -> Result<&mut [u8]> {
        if self.removed.contains(&nth) {
            return Err(gone());
        }
        self.list.row_mut(nth).ok_or_else(not_found)
    }

    /// Puts a value into a field of a record.
    ///
    /// # Errors
    /// When it goes, has no such field, or the value does not fit; limits.
    pub(super) fn set(
        &mut self,
        nth: usize,
        path: &str,
        value: &Val<'_>,
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<()> {
        if let Some(layout) = self.list.layout() {
            let mut row = self.row_mut(nth)?.to_vec();
            layout.set(&mut row, path, value, pages, task)?;
            return self.list.replace(nth, &row);
        }
        let place = RecordPlace::of(self.list.record, path).ok_or_else(|| no_field(path))?;
        place.put(self.row_mut(nth)?, value)
    }

    /// Gives a record other bytes.
    ///
    /// # Errors
    /// When it goes, or they are not those of a record.
    pub(super) fn set_bytes(
        &mut self,
        nth: usize,
        bytes: &[u8],
        task: &mut Task<'_>,
    ) -> Result<()> {
        self.list.check(bytes, &mut task.budget)?;
        self.row_mut(nth)?;
        self.list.replace(nth, bytes)
    }

    /// Takes a record out.
    ///
    /// # Errors
    /// When there is no such record, or the list always has as many.
    pub(super) fn remove(&mut self, nth: usize) -> Result<()> {
        self.refuse_fixed()?;
        self.list.range(nth).ok_or_else(not_found)?;
        self.removed.insert(nth);
        Ok(())
    }

    /// Adds a record; gives the old one that it stands before, and its number among those there.
    pub(super) fn insert(
        &mut self,
        name: &[u8],
        bytes: Option<&Bytes>,
        task: &mut Task<'_>,
    ) -> Result<[usize; 2]> {
        self.refuse_fixed()?;
        let most = self.list.len();
        let before = match name {
            b"end" => Some(most),
            name => std::str::from_utf8(name).ok().and_then(|nth| nth.parse().ok()),
        };
        let before = before.filter(|before| *before <= most).ok_or_else(|| {
            let error = Error::new(&codes::NO_FIELD);
            let error = error.expected(format!("`end`, or the position of a record up to {most}"));
            error.found(format!("`{}`", name.escape_ascii()))
        })?;
        let row = bytes.map_or_else(|| self.list.blank(), |row| row.to_vec());
        if self.added.is_empty() {
            self.list.settle(&row);
        }
        self.list.check(&row, &mut task.budget)?;
        let rows = self.added.entry(before).or_default();
        rows.push(row);
        Ok([before, rows.len().saturating_sub(1)])
    }

    /// Refuses records that come or go where there are always as many: those of the layout, or of the size of the map.
    fn refuse_fixed(&self) -> Result<()> {
        if self.list.is_fixed() || self.is_ground { Err(refused()) } else { Ok(()) }
    }

    /// Returns the positions of the records that come before an old one.
    pub(super) fn starts(&self) -> BTreeMap<usize, usize> {
        let mut removed = self.removed.iter().peekable();
        let (mut gone, mut come) = (0_usize, 0_usize);
        let start = |(before, rows): (&usize, &Vec<Vec<u8>>)| {
            while removed.next_if(|nth| *nth < before).is_some() {
                gone = gone.saturating_add(1);
            }
            let start = before.saturating_sub(gone).saturating_add(come);
            come = come.saturating_add(rows.len());
            (*before, start)
        };
        self.added.iter().map(start).collect()
    }

    /// The plain data of the chunk; nothing where it has no records and nothing behind them.
    ///
    /// # Errors
    /// More records than can be counted.
    pub(super) fn plain(&self) -> Result<Vec<u8>> {
        if !self.removed.is_empty() || !self.added.is_empty() {
            let mut rows = Vec::new();
            for nth in 0..=self.list.len() {
                rows.extend(self.added.get(&nth).into_iter().flatten().map(Vec::as_slice));
                rows.extend(self.list.row(nth).filter(|_| !self.removed.contains(&nth)));
            }
            return self.list.with_rows(&rows).finish();
        }
        self.list.clone().finish()
    }
}
