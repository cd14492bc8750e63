//! Bytes, compared: row by row where an entry has rows, field by field where it has fields, else as a stretch.

use super::{
    both::{Both, ComparedContainer},
    change::{FieldChange, ListItem},
    digest,
    fields::{Comparer, Script},
    rows::Row,
    tree::{self, Collector, FieldTree},
};
use spelunk_core::{
    Bytes, Class, Field, Of, Result, Ty, Val, profile::NameFilter, text::CodePages, walk::finish,
};
use spelunk_open::codes;
use std::ops::Range;

static SIZE: Field = Field::new("size", Ty::U64, "Bytes of the entry.").unit("bytes");
static ROW: Field = Field::new("data", Ty::Bytes, "The bytes of a row.");

/// Number of rows that are compared as rows at the most.
const MOST_ROWS: usize = 1 << 22;

/// Compares the bytes of two entries, whose hashes are different ones.
pub(super) fn compare(
    both: &mut Both<'_, '_, '_>,
    rows: [&Row; 2],
    comparer: &Comparer<'_>,
) -> Result<Vec<FieldChange>> {
    let [a, b] = rows;
    let contents = (both.old.bytes(a)?, both.new.bytes(b)?);
    let (Some(old), Some(new)) = contents else {
        let (old, new) = (a.item.size, b.item.size);
        let size = |size: u64| Some(Val::U(size));
        let path = SIZE.name.to_owned();
        let value = FieldChange::Value { path, field: &SIZE, old: size(old), new: size(new) };
        return Ok(if old == new { Vec::new() } else { vec![value] });
    };
    let row_size = a.row_size.filter(|size| b.row_size == Some(*size));
    let start = |row: &Row, bytes: &Bytes| {
        usize::try_from(row.rows_start).unwrap_or(usize::MAX).min(bytes.len())
    };
    let in_old = old.slice(start(a, &old)..);
    let in_new = new.slice(start(b, &new)..);
    let row_size = row_size.and_then(|size| usize::try_from(size).ok()).filter(|size| *size > 0);
    let change = match row_size {
        // What differs may be nothing but how many there are said to be.
        Some(size) if old.len().max(new.len()) / size <= MOST_ROWS && in_old != in_new => {
            let of_rows = [&in_old, &in_new].map(|bytes| {
                let starts = (0..bytes.len()).step_by(size);
                starts.map(|start| start..start.saturating_add(size).min(bytes.len()))
            });
            in_rows(both, rows, [&in_old, &in_new], of_rows.map(Iterator::collect), comparer)?
        }
        Some(_) => None,
        None => match (both.old.row_ranges(a, &old)?, both.new.row_ranges(b, &new)?) {
            (Some(in_old), Some(in_new)) => {
                in_rows(both, rows, [&old, &new], [in_old, in_new], comparer)?
            }
            _ => None,
        },
    };
    let changes = match change {
        Some(change) => vec![change],
        None => match in_fields(both, rows, comparer)? {
            changes if changes.is_empty() => vec![stretch(&old, &new)],
            changes => changes,
        },
    };
    drop((in_old, in_new));
    both.old.give_back(old);
    both.new.give_back(new);
    Ok(changes)
}

/// The group that holds the fields of what an entry holds, beside those of its own header.
const PLAIN: NameFilter = NameFilter::Only(&["plain"]);

/// Compares the fields of what two entries hold; nothing where there are none but bytes, or too many to be held.
fn in_fields(
    both: &mut Both<'_, '_, '_>,
    [a, b]: [&Row; 2],
    comparer: &Comparer<'_>,
) -> Result<Vec<FieldChange>> {
    let old = tree::of(both.old.container, a.item.node, PLAIN, both.old.task);
    let new = tree::of(both.new.container, b.item.node, PLAIN, both.new.task);
    let [old, new] = match (old, new) {
        (Ok(Some(old)), Ok(Some(new))) => [old, new],
        (Err(error), _) | (_, Err(error)) if error.code().class != Class::Limit => {
            return Err(error);
        }
        _ => return Ok(Vec::new()),
    };
    let is_named = |trees: &[FieldTree]| {
        trees.iter().any(|tree| match tree {
            FieldTree::Group(plain) => plain.items.iter().any(|item| item.is_more_than_bytes()),
            FieldTree::Field(..) => false,
        })
    };
    match is_named(&old) && is_named(&new) {
        true => Ok(comparer.compare(&old, &new)),
        false => Ok(Vec::new()),
    }
}

/// The stretch that differs, as [`FieldChange::Content`].
pub fn stretch(old: &[u8], new: &[u8]) -> FieldChange {
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let ends = |bytes: &[u8]| bytes.len().saturating_sub(start);
    let (old_len, new_len) = (ends(old), ends(new));
    let behind = old.iter().rev().zip(new.iter().rev()).take(old_len.min(new_len));
    let behind = behind.take_while(|(a, b)| a == b).count();
    FieldChange::Content {
        old: old.len() as u64,
        new: new.len() as u64,
        start: start as u64,
        old_len: old_len.saturating_sub(behind) as u64,
        new_len: new_len.saturating_sub(behind) as u64,
    }
}

/// Memory of a row that is compared with others in their order, in bytes: an operation of its own, in a list that grows, and a
/// place among those that are looked at.
const ALIGNED: u64 = 160;

/// Compares row by row; `None` where there is no memory for that.
fn in_rows(
    both: &mut Both<'_, '_, '_>,
    entries: [&Row; 2],
    bytes: [&Bytes; 2],
    ranges: [Vec<Range<usize>>; 2],
    comparer: &Comparer<'_>,
) -> Result<Option<FieldChange>> {
    let each = size_of::<u128>().saturating_add(size_of::<Range<usize>>()) as u64;
    let held = [0, 1].map(|side| {
        let rows = ranges.get(side).map_or(0, Vec::len);
        (rows as u64).saturating_mul(each)
    });
    if !both.takes(held) {
        return Ok(None);
    }
    let change = hashed_rows(both, entries, bytes, &ranges, comparer);
    both.frees(held);
    change
}

fn hashed_rows(
    both: &mut Both<'_, '_, '_>,
    [old_entry, new_entry]: [&Row; 2],
    [old, new]: [&Bytes; 2],
    [in_old, in_new]: &[Vec<Range<usize>>; 2],
    comparer: &Comparer<'_>,
) -> Result<Option<FieldChange>> {
    let hashes = |bytes: &[u8], ranges: &[Range<usize>]| -> Vec<u128> {
        let rows = ranges.iter().map(|range| bytes.get(range.clone()).unwrap_or_default());
        rows.map(digest::of_bytes).collect()
    };
    let (old_rows, new_rows) = (hashes(old, in_old), hashes(new, in_new));
    let keep = comparer.options.max_items;
    let script = match Script::in_place(&old_rows, &new_rows, keep) {
        (script, true) => script,
        (script, false) => {
            let held =
                [&old_rows, &new_rows].map(|rows| (rows.len() as u64).saturating_mul(ALIGNED));
            if !both.takes(held) {
                return Ok(None);
            }
            let script = Script::aligned(&old_rows, &new_rows, keep, script);
            both.frees(held);
            script
        }
    };
    let Script { edits, changed, added, removed } = script;
    let mut items = Vec::new();
    let before = both.old.task.budget.left().memory;
    for (a, b) in edits {
        let before = both.old.row(old_entry, a, old, in_old)?;
        let after = both.new.row(new_entry, b, new, in_new)?;
        let fields = comparer.compare(&before, &after);
        let position = |index: Option<usize>| index.map(|index| index as u64);
        let item = ListItem { old: position(a), new: position(b), fields };
        both.old.task.budget.memory(item.size())?;
        both.old.task.budget.room(&mut items, 1)?;
        items.push(item);
    }
    // Whoever keeps the change is charged with it.
    let taken = before.saturating_sub(both.old.task.budget.left().memory);
    both.old.task.budget.release(taken);
    let (old, new) = (old_rows.len() as u64, new_rows.len() as u64);
    let path = "rows".into();
    Ok(Some(FieldChange::List { path, old, new, changed, added, removed, items }))
}

impl Both<'_, '_, '_> {
    /// Takes memory of both, or of none.
    fn takes(&mut self, [old, new]: [u64; 2]) -> bool {
        if self.old.task.budget.memory(old).is_err() {
            return false;
        }
        let taken = self.new.task.budget.memory(new).is_ok();
        if !taken {
            self.old.task.budget.release(old);
        }
        taken
    }

    /// Gives that memory back.
    fn frees(&mut self, [old, new]: [u64; 2]) {
        self.old.task.budget.release(old);
        self.new.task.budget.release(new);
    }
}

impl ComparedContainer<'_, '_> {
    /// The bytes of an entry; `None` where it has none or they are damaged, which was reported when they were hashed.
    fn bytes(&mut self, row: &Row) -> Result<Option<Bytes>> {
        match self.container.bytes(row.item.node, self.task) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.code().id == codes::core::NO_SUCH_OPERATION.id => Ok(None),
            Err(error) if error.ends_work() => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// Frees bytes. What the container keeps it goes on to pay for.
    fn give_back(&mut self, bytes: Bytes) {
        if bytes.is_unique() {
            self.task.budget.release(bytes.len() as u64);
        }
    }

    /// The ranges of the rows of an entry, where they are entries of different sizes that fill it; `None` where they do not.
    fn row_ranges(&mut self, entry: &Row, bytes: &Bytes) -> Result<Option<Vec<Range<usize>>>> {
        let (mut ranges, mut end, mut is_whole) = (Vec::new(), 0_usize, true);
        let pages = CodePages::cp1252();
        let of = Of::Node(entry.item.node);
        finish(self.container.children(of, &pages, self.task, &mut |row, task| {
            let start = end;
            end = usize::try_from(row.size).map_or(usize::MAX, |size| start.saturating_add(size));
            let path = format!("{}[{}]", entry.item.path, ranges.len());
            is_whole &= row.path == path && ranges.len() < MOST_ROWS;
            if is_whole {
                task.budget.room(&mut ranges, 1)?;
                ranges.push(start..end);
            }
            Ok(())
        }))?;
        let is_known = bytes.is_empty() || !ranges.is_empty();
        Ok((is_whole && is_known && end == bytes.len()).then_some(ranges))
    }

    /// The fields of a row of an entry: those that its container has, or its bytes.
    fn row(
        &mut self,
        entry: &Row,
        index: Option<usize>,
        bytes: &Bytes,
        ranges: &[Range<usize>],
    ) -> Result<Vec<FieldTree>> {
        let Some(index) = index else { return Ok(Vec::new()) };
        let path = format!("{}[{index}]", entry.item.path);
        if let Some(trees) = self.fields(&path)? {
            return Ok(trees);
        }
        let range = ranges.get(index).cloned().unwrap_or_default();
        let row = bytes.get(range).unwrap_or_default();
        Ok(vec![FieldTree::Field(&ROW, Val::Bytes(row.to_vec().into()))])
    }

    /// The fields of the entry with this path; `None` where the container has no such paths.
    fn fields(&mut self, path: &str) -> Result<Option<Vec<FieldTree>>> {
        let found = self.container.find(path, self.pages, self.task)?;
        let [node] = found.as_slice() else { return Ok(None) };
        let mut collector = Collector::new(NameFilter::Not(&[]));
        match finish(self.container.walk(*node, self.task, &mut collector)) {
            Ok(()) => Ok(Some(collector.finish())),
            Err(error) if error.code().class == Class::Io || error.is_cancelled() => Err(error),
            Err(_) => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differing(old: &[u8], new: &[u8]) -> [u64; 3] {
        match stretch(old, new) {
            FieldChange::Content { start, old_len, new_len, .. } => [start, old_len, new_len],
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_stretch_is_what_differs() {
        assert_eq!(differing(b"abcdef", b"abXXef"), [2, 2, 2]);
        assert_eq!(differing(b"aaa", b"aaaa"), [3, 0, 1]);
        assert_eq!(differing(b"", b"x"), [0, 0, 1]);
        assert_eq!(differing(b"abc", b""), [0, 3, 0]);
    }
}
