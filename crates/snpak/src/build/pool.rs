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
use zerocopy::IntoBytes;

/// What a string takes besides its bytes: offset, id, and the share of the set that is free.
const ROOM: u64 = 16;

/// A string table in the making.
#[derive(Default)]
pub(crate) struct Pool {
    offsets: Vec<U32>,
    data: Vec<u8>,
    /// Ids by the hash of the string.
    ids: HashTable<u32>,
    /// Ids below this are in `ids`.
    known: usize,
    /// How many strings were there before.
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
        self.index();
        let Pool { offsets, data, ids, .. } = self;
        let hash = hash::hash64(string);
        let get = |id: u32| stored(offsets, data, id);
        if let Some(id) = ids.find(hash, |id| get(*id) == Some(string)) {
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
        budget.memory((string.len() as u64).saturating_add(ROOM))?;
        data.extend_from_slice(string);
        data.push(0);
        offsets.push(U32::new(offset));
        ids.insert_unique(hash, id, |id| {
            hash::hash64(stored(offsets, data, *id).unwrap_or_default())
        });
        self.known = self.offsets.len();
        Ok(id)
    }

    /// Makes the strings of the continued table known, when they are first looked for.
    fn index(&mut self) {
        let Pool { offsets, data, ids, known, .. } = self;
        for id in *known..offsets.len() {
            let Ok(id) = u32::try_from(id) else { return };
            let string = stored(offsets, data, id).unwrap_or_default();
            let hash = hash::hash64(string);
            // Of equal strings the first one counts.
            if ids.find(hash, |id| stored(offsets, data, *id) == Some(string)).is_none() {
                ids.insert_unique(hash, id, |id| {
                    hash::hash64(stored(offsets, data, *id).unwrap_or_default())
                });
            }
        }
        *known = offsets.len();
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

fn stored<'d>(offsets: &[U32], data: &'d [u8], id: u32) -> Option<&'d [u8]> {
    let start = usize::try_from(offsets.get(id as usize)?.get()).ok()?;
    let rest = data.get(start..)?;
    rest.get(..rest.iter().position(|byte| *byte == 0)?)
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
}
