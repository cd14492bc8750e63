//! The strings of a pack that is being written: each once, in the order of first use, behind those of the
//! table that is continued.

use crate::{
    codes, hash,
    strings::{MAGIC, MAX_STRINGS, StringTable, StringsHeader},
};
use bytes::Bytes;
use hashbrown::HashTable;
use spelunk_core::{
    Budget, Error, Result,
    scalar::{Chars, U32, U64, fit},
};
use std::{collections::HashSet, ffi::CStr};
use zerocopy::IntoBytes;

/// Bytes that a string takes besides its own: offset, length, place in the order, id, and the share of the set that is free.
const ROOM: u64 = 24;

/// A string table in the making.
#[derive(Default)]
pub(crate) struct Pool {
    offsets: Vec<U32>,
    /// Lengths of the strings; those of the continued table are found when a string is first looked for.
    lens: Vec<u32>,
    data: Vec<u8>,
    /// Ids by the hash of the string.
    ids: HashTable<u32>,
    /// Ids of the continued table by the lengths of the strings. Strings may overlap, so that together they are longer than
    /// the table by far; those of one length do not, and only these are looked at for one that is to be found.
    by_len: Vec<u32>,
    /// Lengths whose strings are in `ids`.
    known: HashSet<u32>,
    /// Number of strings that were there before.
    continued: usize,
    reserved: u32,
}

impl Pool {
    /// Continues a table: its strings keep their ids.
    ///
    /// # Errors
    /// Limits.
    pub(crate) fn continuing(table: &StringTable, budget: &mut Budget) -> Result<Pool> {
        let count = table.offsets().len() as u64;
        budget.memory(count.saturating_mul(ROOM).saturating_add(table.data().len() as u64))?;
        Ok(Pool {
            offsets: table.offsets().to_vec(),
            data: table.data().to_vec(),
            continued: table.offsets().len(),
            reserved: table.header().reserved0.get(),
            ..Pool::default()
        })
    }

    /// A new table with what another one has in its reserved field.
    pub(crate) fn like(table: &StringTable) -> Pool {
        Pool { reserved: table.header().reserved0.get(), ..Pool::default() }
    }

    /// Whether a string came that the continued table does not have.
    pub(crate) fn has_grown(&self) -> bool {
        self.offsets.len() > self.continued
    }

    /// Number of strings.
    pub(crate) fn len(&self) -> usize {
        self.offsets.len()
    }

    /// The id of a string, which is added where it is new.
    ///
    /// # Errors
    /// [`codes::STRING_COUNT`], [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE) beyond 4 GiB of strings; limits.
    pub(crate) fn intern(&mut self, string: &[u8], budget: &mut Budget) -> Result<u32> {
        budget.touch(string.len() as u64)?;
        let len = fit::<u32>(string.len() as u64, "string")?;
        self.index(len, budget)?;
        let Pool { offsets, lens, data, ids, .. } = self;
        let hash = hash::hash64(string);
        if let Some(id) = ids.find(hash, |id| stored(offsets, lens, data, *id) == Some(string)) {
            return Ok(*id);
        }
        let id = fit::<u32>(offsets.len() as u64, "string_count")?;
        if id >= MAX_STRINGS {
            return Err(Error::new(&codes::STRING_COUNT)
                .field("string_count")
                .expected(format!("at most {MAX_STRINGS}"))
                .found("more"));
        }
        let offset = fit::<u32>(data.len() as u64, "offsets")?;
        budget.room(data, string.len().saturating_add(1))?;
        budget.memory(ROOM)?;
        data.extend_from_slice(string);
        data.push(0);
        offsets.push(U32::new(offset));
        lens.push(len);
        ids.insert_unique(hash, id, |id| {
            hash::hash64(stored(offsets, lens, data, *id).unwrap_or_default())
        });
        Ok(id)
    }

    /// Makes the strings of the continued table known that have this length.
    fn index(&mut self, len: u32, budget: &mut Budget) -> Result<()> {
        if self.lens.len() < self.continued {
            self.measure(budget)?;
        }
        if !self.known.insert(len) {
            return Ok(());
        }
        let Pool { offsets, lens, data, ids, by_len, .. } = self;
        let length = |id: u32| lens.get(id as usize).copied().unwrap_or_default();
        let place = |len: u32| by_len.partition_point(|id| length(*id) < len);
        let of_len = by_len.get(place(len)..).unwrap_or_default();
        let mut last = None;
        for id in of_len.iter().copied().take_while(|id| length(*id) == len) {
            budget.steps(1)?;
            let offset = offsets.get(id as usize).copied();
            if last == Some(offset) {
                continue;
            }
            last = Some(offset);
            budget.touch(len.into())?;
            let string = stored(offsets, lens, data, id).unwrap_or_default();
            let hash = hash::hash64(string);
            // Of equal strings the first one counts.
            match ids.find_mut(hash, |id| stored(offsets, lens, data, *id) == Some(string)) {
                Some(known) => *known = id.min(*known),
                None => drop(ids.insert_unique(hash, id, |id| {
                    hash::hash64(stored(offsets, lens, data, *id).unwrap_or_default())
                })),
            }
        }
        Ok(())
    }

    /// Finds the lengths of the strings of the continued table, all in one pass over it.
    fn measure(&mut self, budget: &mut Budget) -> Result<()> {
        let Pool { offsets, lens, data, by_len, .. } = self;
        budget.steps(offsets.len() as u64)?;
        budget.touch(data.len() as u64)?;
        let start = |id: &u32| offsets.get(*id as usize).map_or(0, |offset| offset.get());
        by_len.extend((0_u32..).take(offsets.len()));
        by_len.sort_unstable_by_key(|id| (start(id), *id));
        lens.resize(offsets.len(), 0);
        let mut end = 0_usize;
        for id in by_len.iter() {
            let start = start(id) as usize;
            if start >= end {
                let rest = CStr::from_bytes_until_nul(data.get(start..).unwrap_or_default());
                let len = rest.map_or(0, |string| string.to_bytes_with_nul().len());
                end = start.saturating_add(len);
            }
            if let Some(len) = lens.get_mut(*id as usize) {
                *len = fit(end.saturating_sub(start).saturating_sub(1) as u64, "offsets")?;
            }
        }
        // Those of one length stay in the order in which they lie.
        by_len.sort_by_key(|id| lens.get(*id as usize).copied());
        Ok(())
    }

    /// The whole block, in the two parts that it is stored as.
    ///
    /// # Errors
    /// None that [`Pool::intern`] leaves.
    pub(crate) fn blocks(self) -> Result<[Bytes; 2]> {
        let size = size_of::<StringsHeader>()
            .saturating_add(self.offsets.len().saturating_mul(4))
            .saturating_add(self.data.len());
        let header = StringsHeader {
            magic: Chars(MAGIC),
            version: U32::new(crate::header::VERSION),
            block_size: U64::new(size as u64),
            string_count: U32::new(fit(self.offsets.len() as u64, "string_count")?),
            reserved0: U32::new(self.reserved),
            hash: hash::hash128(&self.data),
        };
        let mut head = header.as_bytes().to_vec();
        head.extend_from_slice(self.offsets.as_bytes());
        Ok([head.into(), self.data.into()])
    }
}

fn stored<'d>(offsets: &[U32], lens: &[u32], data: &'d [u8], id: u32) -> Option<&'d [u8]> {
    let start = usize::try_from(offsets.get(id as usize)?.get()).ok()?;
    let len = usize::try_from(*lens.get(id as usize)?).ok()?;
    data.get(start..start.saturating_add(len))
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk_core::{Budget, Collect, Limits, Span, Task};

    fn table(pool: Pool) -> StringTable {
        let bytes = Bytes::from(pool.blocks().unwrap().concat());
        let mut sink = Collect::default();
        let mut task = Task::new(Budget::new(Limits::for_len(0)), &mut sink);
        let at = Span::file(0, bytes.len() as u64);
        let table = StringTable::read(&bytes, at, &mut task).unwrap();
        table.check_hash(&mut task).unwrap();
        table
    }

    #[test]
    fn strings_are_stored_once_and_keep_their_ids() {
        let budget = &mut Budget::new(Limits::for_len(0));
        let mut pool = Pool::default();
        let ids = ["oak", "", "fir", "oak"].map(|s| pool.intern(s.as_bytes(), budget).unwrap());
        assert_eq!(ids, [0, 1, 2, 0]);
        let first = table(pool);
        assert_eq!(first.get(2), Some(&b"fir"[..]));

        let mut pool = Pool::continuing(&first, budget).unwrap();
        assert_eq!(pool.intern(b"fir", budget).unwrap(), 2);
        assert!(!pool.has_grown());
        assert_eq!(pool.intern(b"birch", budget).unwrap(), 3);
        assert!(pool.has_grown());
        let second = table(pool);
        assert_eq!((second.count(), second.get(3)), (4, Some(&b"birch"[..])));
    }

    #[test]
    fn strings_that_overlap_are_found_in_steps_as_many_as_there_are_bytes() {
        const COUNT: u32 = 50_000;
        let data = [vec![b'a'; COUNT as usize], vec![0]].concat();
        let offsets: Vec<U32> = (0..COUNT).rev().chain(0..2).map(U32::new).collect();
        let lens = Vec::new();
        let pool = Pool { offsets, data, lens, ..Pool::default() };
        let overlapping = table(pool);
        let budget = &mut Budget::new(Limits::for_len(0));
        let mut pool = Pool::continuing(&overlapping, budget).unwrap();
        let found = [1, 7, 40_000].map(|len| pool.intern(&vec![b'a'; len], budget).unwrap());
        assert_eq!(found, [0, 6, 39_999], "the first of those that are equal");
        assert!(!pool.has_grown());
        assert_eq!(pool.intern(b"b", budget).unwrap(), COUNT + 2);
        assert!(budget.steps_taken() < 2 * u64::from(COUNT), "{}", budget.steps_taken());
    }
}
