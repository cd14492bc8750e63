//! An index on its way through the checks.

use crate::{
    codes, hash,
    index::{FLAG_HAS_BULK, Index, IndexEntry, RowError},
    pack::bulk_range_error,
    strings::{NO_STRING, StringTable},
};
use spelunk_core::{Error, Result, Task};

/// The position that means "no asset" in a list of owners.
const NO_OWNER: u32 = u32::MAX;

/// An index and the asset of each of its bulk entries.
pub(super) struct Checked<'p> {
    pub(super) index: &'p Index,
    /// The table of its names, where that is known.
    pub(super) strings: Option<&'p StringTable>,
    pub(super) owners: Vec<u32>,
}

impl<'p> Checked<'p> {
    /// Checks the bulk ranges of the entries.
    pub(super) fn new(
        index: &'p Index,
        strings: Option<&'p StringTable>,
        task: &mut Task<'_>,
    ) -> Result<Checked<'p>> {
        let mut owners = task.budget.vec::<u32>(index.bulk().len() as u64)?;
        owners.resize(index.bulk().len(), NO_OWNER);
        let mut checked = Checked { index, strings, owners };
        let mut seen = Vec::new();
        for (row, entry) in (0_u32..).zip(index.entries()) {
            checked.check_range(row, entry, task)?;
            checked.check_sub_indexes(row, entry, &mut seen, task)?;
        }
        if let Some(row) = checked.owners.iter().position(|owner| *owner == NO_OWNER) {
            let count = checked.owners.iter().filter(|owner| **owner == NO_OWNER).count();
            task.warn(
                Error::new(&codes::BULK_UNUSED)
                    .at(index.place(1, row))
                    .item("bulk_entries", row)
                    .found(format!("{count} without an asset")),
            )?;
        }
        Ok(checked)
    }

    fn check_range(&mut self, row: u32, entry: &IndexEntry, task: &mut Task<'_>) -> Result<()> {
        let error = |code, at: u64, len, name| {
            let place = self.index.place(0, row as usize).part(at, len);
            Error::new(code).at(place).field(name).item("entries", row as usize)
        };
        let count = entry.bulk_count.get();
        let flag = entry.flags & FLAG_HAS_BULK != 0;
        if entry.flags & !FLAG_HAS_BULK != 0 {
            task.note(error(&codes::FLAGS, 101, 1, "flags"))?;
        }
        if flag != (count != 0) {
            let found = format!("flag {flag}, count {count}");
            task.warn(error(&codes::BULK_FLAG, 101, 1, "flags").found(found))?;
        }
        if let Some(error) = bulk_range_error(self.index, entry, row as usize) {
            return task.error(error);
        }
        let range = self.index.bulk_range(entry).unwrap_or_default();
        task.budget.steps(range.len() as u64)?;
        let mut other = None;
        for owner in self.owners.get_mut(range).unwrap_or_default() {
            let asset = self.index.entries().get(*owner as usize).map(|entry| entry.asset_id);
            match asset {
                None => *owner = row,
                Some(asset) if asset != entry.asset_id => other = Some(*owner),
                Some(_) => {}
            }
        }
        match other {
            None => Ok(()),
            Some(other) => task.error(
                Error::new(&codes::BULK_SHARED)
                    .at(self.index.place(0, row as usize).part(104, 8))
                    .field("bulk_first_index")
                    .item("entries", row as usize)
                    .found(format!("bulk entries of the asset at {other}")),
            ),
        }
    }

    fn check_sub_indexes(
        &self,
        row: u32,
        entry: &IndexEntry,
        seen: &mut Vec<(u32, u32)>,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let range = self.index.bulk_range(entry).unwrap_or_default();
        let more = (range.len().saturating_sub(seen.capacity()) as u64).saturating_mul(8);
        task.budget.memory(more)?;
        seen.clear();
        let bulk = self.index.bulk().get(range).unwrap_or_default();
        seen.extend(bulk.iter().map(|bulk| (bulk.semantic.get(), bulk.sub_index.get())));
        seen.sort_unstable();
        if seen.is_sorted_by(|a, b| a < b) {
            return Ok(());
        }
        let error = Error::new(&codes::SUB_INDEX).at(self.index.place(0, row as usize));
        task.note(error.field("bulk").item("entries", row as usize))
    }

    /// Checks the names.
    pub(super) fn names(&self, task: &mut Task<'_>) -> Result<()> {
        self.strings.map_or(Ok(()), |strings| check_names(self.index, strings, task))
    }

    /// The asset of a bulk entry.
    pub(super) fn owner(&self, bulk: usize) -> Option<usize> {
        self.owners.get(bulk).filter(|owner| **owner != NO_OWNER).map(|owner| *owner as usize)
    }
}

/// Names and variants against their hashes. Each string is hashed once.
fn check_names(index: &Index, strings: &StringTable, task: &mut Task<'_>) -> Result<()> {
    let mut hashes = task.budget.vec::<u64>(strings.count().into())?;
    for id in 0..strings.count() {
        let string = strings.get(id).unwrap_or_default();
        task.budget.touch(string.len() as u64)?;
        hashes.push(hash::hash64(string));
    }
    let hash_of = |id: u32| hashes.get(id as usize).copied();
    task.budget.steps(index.entries().len() as u64)?;
    for (row, entry) in index.entries().iter().enumerate() {
        let place = index.place(0, row);
        let name = entry.name_string_id.get();
        let variant = entry.variant_string_id.get();
        for (id, at, field) in [(name, 52, "name_string_id"), (variant, 64, "variant_string_id")] {
            if id != NO_STRING && id >= strings.count() {
                task.warn(
                    Error::new(&codes::NAME_ID)
                        .at(place.part(at, 4))
                        .field(field)
                        .item("entries", row)
                        .expected(format!("an id below {}, or none", strings.count()))
                        .found(id),
                )?;
            }
        }
        // Without a name there is nothing to compare; without a variant its hash is 0.
        let name_hash = hash_of(name).unwrap_or(entry.name_hash64.get());
        let variant_hash = match variant {
            NO_STRING => 0,
            id => hash_of(id).unwrap_or(entry.variant_hash64.get()),
        };
        for (code, at, field, expected, found) in [
            (&codes::NAME_HASH, 56, "name_hash64", name_hash, entry.name_hash64.get()),
            (&codes::VARIANT_HASH, 68, "variant_hash64", variant_hash, entry.variant_hash64.get()),
        ] {
            if expected != found {
                task.warn(
                    Error::new(code)
                        .at(place.part(at, 8))
                        .field(field)
                        .item("entries", row)
                        .expected(format!("{expected:#018x}"))
                        .found(format!("{found:#018x}")),
                )?;
            }
        }
    }
    task.budget.release((hashes.capacity() as u64).saturating_mul(size_of::<u64>() as u64));
    Ok(())
}
