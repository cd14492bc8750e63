//! Lists of maps, on their way to be others.

use super::{chunk::not_found, chunks::Chunks, records::REST};
use crate::{
    gamedata::codes,
    map::CountPrefix,
    map2::{self, Structure},
};
use spelunk_core::{Budget, Error, Record, Result, Span, Task, field::Slot};
use std::ops::Range;

/// The records of a chunk.
#[derive(Clone, PartialEq, Debug)]
pub struct List {
    pub(super) record: &'static Record,
    pub(super) head: CountPrefix,
    /// Bytes of a record.
    size: usize,
    /// The records alone.
    rows: Vec<u8>,
    /// Bytes behind the records.
    rest: Vec<u8>,
    /// Where records have no fixed size.
    varying: Option<Varying>,
}

/// Records that differ in size.
#[derive(Clone, PartialEq, Debug)]
struct Varying {
    structure: &'static Structure,
    /// The ends of the records among the bytes of all.
    ends: Vec<usize>,
}

impl List {
    /// A list that a map lacks: without records.
    pub(super) const fn new(record: &'static Record, head: CountPrefix) -> List {
        let size = record.size as usize;
        List { record, head, size, rows: Vec::new(), rest: Vec::new(), varying: None }
    }

    /// Description of its records, where they have no fixed size: of such a list the [`record`](List::record) has no fields.
    pub fn structure(&self) -> Option<&'static Structure> {
        self.varying.as_ref().map(|varying| varying.structure)
    }

    /// The bytes of a new record.
    pub(super) fn blank(&self) -> Vec<u8> {
        self.structure().map_or_else(|| vec![0; self.size()], Structure::blank)
    }

    /// The list with other records.
    pub(super) fn with_rows(&self, rows: &[&[u8]]) -> List {
        let varying = self.varying.as_ref().map(|Varying { structure, .. }| {
            let ends = rows.iter().scan(0_usize, |end, row| {
                *end = end.saturating_add(row.len());
                Some(*end)
            });
            Varying { structure, ends: ends.collect() }
        });
        List { rows: rows.concat(), rest: self.rest.clone(), varying, ..*self }
    }

    /// Returns the description of the records.
    pub const fn record(&self) -> &'static Record {
        self.record
    }

    /// The fields of its records, and what stands behind those that are described as one more: every byte of a record is in one.
    pub fn slots(&self) -> Vec<Slot> {
        let mut slots = self.record.fields.to_vec();
        let rest = u32::try_from(self.size).unwrap_or(u32::MAX).saturating_sub(self.record.size);
        if rest > 0 {
            slots.push(Slot { offset: self.record.size, size: rest, field: REST });
        }
        slots
    }

    /// Returns the bytes behind the records.
    pub fn remainder(&self) -> &[u8] {
        &self.rest
    }

    /// Whether it always has as many records as it has now.
    pub const fn is_fixed(&self) -> bool {
        matches!(self.head, CountPrefix::Fixed(_))
    }

    /// The number of records.
    pub fn len(&self) -> usize {
        if let Some(varying) = &self.varying {
            return varying.ends.len();
        }
        self.rows.len().checked_div(self.size()).unwrap_or_default()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of a record; 0 where records have no fixed size.
    pub const fn size(&self) -> usize {
        self.size
    }

    /// The records.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.len()).map(|nth| self.row(nth).unwrap_or_default())
    }

    /// The place of a record in [`rows`](List::rows).
    pub(super) fn range(&self, nth: usize) -> Option<Range<usize>> {
        if let Some(Varying { ends, .. }) = &self.varying {
            let before = nth.checked_sub(1).map_or(Some(&0), |before| ends.get(before));
            return Some(*before?..*ends.get(nth)?);
        }
        let start = nth.checked_mul(self.size())?;
        let end = start.checked_add(self.size())?;
        (end <= self.rows.len()).then_some(start..end)
    }

    /// A record.
    pub fn row(&self, nth: usize) -> Option<&[u8]> {
        self.rows.get(self.range(nth)?)
    }

    /// A record that can be changed.
    pub fn row_mut(&mut self, nth: usize) -> Option<&mut [u8]> {
        let range = self.range(nth)?;
        self.rows.get_mut(range)
    }

    /// Gives a record other bytes.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND); [`RANGE`](codes::RANGE) for bytes of another size, where all have one.
    pub fn replace(&mut self, nth: usize, row: &[u8]) -> Result<()> {
        let range = self.range(nth).ok_or_else(not_found)?;
        self.check_size(row)?;
        if let Some(Varying { ends, .. }) = &mut self.varying {
            for end in ends.iter_mut().skip(nth) {
                *end = end.saturating_sub(range.len()).saturating_add(row.len());
            }
        }
        self.rows.splice(range, row.iter().copied());
        Ok(())
    }

    /// Refuses bytes that are no record.
    ///
    /// # Errors
    /// [`RANGE`](codes::RANGE) for another size, where all have one; [`LAYOUT`](map2::codes::LAYOUT) else; limits.
    pub(super) fn check(&self, row: &[u8], budget: &mut Budget) -> Result<()> {
        let Some(structure) = self.structure() else { return self.check_size(row) };
        let at = Span::file(0, row.len() as u64);
        let wrong = map2::check_structure(structure, row, at, budget)?;
        wrong.map_or(Ok(()), |error| Err(error.expected("the bytes of a record of the list")))
    }

    /// Refuses bytes of another size than that of records, where those have one.
    fn check_size(&self, row: &[u8]) -> Result<()> {
        if row.len() == self.size() || self.varying.is_some() {
            return Ok(());
        }
        let error = Error::new(&codes::RANGE);
        let error = error.expected(format!("the {} bytes of a record", self.size()));
        Err(error.found(format!("{} bytes", row.len())))
    }

    /// Takes the size of the first record where records are shares of what is there.
    pub(super) fn settle(&mut self, row: &[u8]) {
        if self.head.is_shared() && self.is_empty() && row.len() > self.record.size as usize {
            self.size = row.len();
        }
    }

    /// Puts a record before the one at this position; behind all where there are no more than so many.
    ///
    /// # Errors
    /// [`RANGE`](codes::RANGE) for bytes of another size than that of records.
    pub fn insert(&mut self, nth: usize, row: &[u8]) -> Result<()> {
        self.settle(row);
        self.check_size(row)?;
        let at = self.range(nth).map_or(self.rows.len(), |range| range.start);
        self.rows.splice(at..at, row.iter().copied());
        if let Some(Varying { ends, .. }) = &mut self.varying {
            let nth = nth.min(ends.len());
            ends.insert(nth, at);
            for end in ends.iter_mut().skip(nth) {
                *end = end.saturating_add(row.len());
            }
        }
        Ok(())
    }

    /// Takes a record out.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND).
    pub fn remove(&mut self, nth: usize) -> Result<()> {
        let range = self.range(nth).ok_or_else(not_found)?;
        if let Some(Varying { ends, .. }) = &mut self.varying {
            ends.remove(nth);
            for end in ends.iter_mut().skip(nth) {
                *end = end.saturating_sub(range.len());
            }
        }
        self.rows.drain(range);
        Ok(())
    }

    /// The plain data of the chunk; nothing where it has no records and nothing behind them, unless records are shares of what
    /// follows their number.
    ///
    /// # Errors
    /// [`RANGE`](codes::RANGE) for more records than can be counted, and for as many bytes behind shares as there are shares.
    pub fn finish(self) -> Result<Vec<u8>> {
        let range = |expected: String, found: usize| {
            Err(Error::new(&codes::RANGE).expected(expected).found(found))
        };
        let count = self.len();
        if self.head.is_shared() && self.rest.len() >= count && !self.rest.is_empty() {
            let expected = format!("less than {count} bytes behind {count} records of one size");
            return range(expected, self.rest.len());
        }
        if self.rows.is_empty() && self.rest.is_empty() && !self.head.is_shared() {
            return Ok(Vec::new());
        }
        let Some(mut plain) = self.head.encode(count) else {
            let most = if self.head.len() == 1 { u8::MAX.into() } else { i32::MAX };
            return range(format!("at most {most} records"), count);
        };
        plain.extend_from_slice(&self.rows);
        plain.extend_from_slice(&self.rest);
        Ok(plain)
    }
}

impl Chunks {
    /// The list that a chunk of a map is, or the one record that it is; `None` where it is none, or its records are nothing but a
    /// number each.
    ///
    /// # Errors
    /// Reading errors; limits.
    pub fn list(&self, chunk: u32, task: &mut Task<'_>) -> Result<Option<List>> {
        let is_list = |chunk| {
            self.has_entries(chunk)
                || self.map2_structure(chunk).is_some()
                || self.map2_whole(chunk).is_some()
        };
        match self.file.chunk(chunk).is_some_and(is_list) {
            true => self.records(chunk, task).map(Some),
            false => Ok(None),
        }
    }

    /// Returns the start of the numbers of a chunk and the size of one, in bytes, where the records of the chunk are nothing but
    /// a number each, as heights are; `None` for other chunks.
    ///
    /// # Errors
    /// Reading errors; limits.
    pub fn numbers(&self, chunk: u32, task: &mut Task<'_>) -> Result<Option<(usize, usize)>> {
        let known = self.file.chunk(chunk).filter(|chunk| !self.has_entries(chunk));
        if known.and_then(|chunk| self.record_of(chunk)).is_none() {
            return Ok(None);
        }
        let listed = self.listed(chunk, task)?;
        Ok(Some((listed.start, listed.size)))
    }

    /// The places of the records of a chunk in its plain data; none where it is no list.
    ///
    /// # Errors
    /// Reading errors; limits.
    pub fn record_ranges(&self, chunk: u32, task: &mut Task<'_>) -> Result<Vec<Range<usize>>> {
        if !self.file.chunk(chunk).is_some_and(|chunk| self.has_entries(chunk)) {
            return Ok(Vec::new());
        }
        let listed = self.listed(chunk, task)?;
        let mut ranges = task.budget.vec(listed.count as u64)?;
        ranges.extend((0..listed.count).map(|nth| {
            let start = listed.start.saturating_add(nth.saturating_mul(listed.size));
            start..start.saturating_add(listed.size)
        }));
        Ok(ranges)
    }

    /// The records of a chunk.
    pub(super) fn records(&self, chunk: u32, task: &mut Task<'_>) -> Result<List> {
        if self.is_map2() {
            return self.map2_list(chunk, task);
        }
        let listed = self.listed(chunk, task)?;
        task.budget.memory(listed.plain.len() as u64)?;
        let end = listed.count.saturating_mul(listed.size);
        let end = listed.start.saturating_add(end);
        Ok(List {
            record: listed.record,
            head: listed.head,
            size: listed.size,
            rows: listed.plain.get(listed.start..end).unwrap_or_default().to_vec(),
            rest: listed.plain.get(end..).unwrap_or_default().to_vec(),
            varying: None,
        })
    }

    /// The records of a chunk of a map of SpellForce 2.
    fn map2_list(&self, chunk: u32, task: &mut Task<'_>) -> Result<List> {
        let of = self.file.chunk(chunk).ok_or_else(not_found)?;
        let (structure, head, ends) = match (self.map2_structure(of), self.map2_whole(of)) {
            (Some(structure), _) => (structure, CountPrefix::None, self.map2_ends(chunk, task)?),
            (None, Some(structure)) => {
                let end = self.file.plain(chunk, &mut task.budget)?.len();
                (structure, CountPrefix::Fixed(1), vec![end])
            }
            (None, None) => return Err(not_found()),
        };
        let plain = self.file.plain(chunk, &mut task.budget)?;
        task.budget.memory(plain.len() as u64)?;
        let varying = Some(Varying { structure, ends });
        Ok(List { rows: plain.to_vec(), varying, size: 0, ..List::new(&structure.record, head) })
    }
}
