//! Lists of maps, merged record by record and field by field.
//!
//! Records have no ids, so what a side did with a record follows from its list and that of the base: in stretches that
//! differ and have as many records as before, those in one place belong together; of other ones the old records are gone and
//! the new ones added. In lists that always have as many records it is the place that counts.

use super::{
    report::{Merging, OnConflict, Report},
    sides::{Sides, settle},
};
use crate::{
    decide::{Choice, Deed, Differences, Places, States, Version},
    diff, patch,
};
use similar::DiffOp;
use spellforce::{cff::List, map2::Structure};
use spelunk_core::{Budget, Error, Field, Result, Task, codes::NOT_FOUND, field::Slot};
use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
};

/// Number of pairs of records that are compared at the most, without those with which both lists begin and end.
const MOST_PAIRS: usize = 1 << 28;

/// Changes that a side made to the list of the base.
struct ListSide<'l> {
    /// Present bytes of each record of the base; `None` where it is gone.
    records: Vec<Option<&'l [u8]>>,
    /// Records that are new, before each of those of the base, and behind the last.
    added: Vec<Vec<&'l [u8]>>,
}

impl<'l> ListSide<'l> {
    /// `None` where so much differs that records cannot be matched.
    fn of(base: &'l List, list: &'l List, budget: &mut Budget) -> Result<Option<ListSide<'l>>> {
        let each = 2 * size_of::<&[u8]>() + size_of::<Vec<&[u8]>>();
        let count = base.len().saturating_add(list.len());
        budget.memory((count as u64).saturating_mul(each as u64))?;
        let [before, after]: [Vec<&[u8]>; 2] = [base.rows().collect(), list.rows().collect()];
        let gaps = before.len().saturating_add(1);
        let mut side = ListSide { records: Vec::new(), added: vec![Vec::new(); gaps] };
        if list.is_fixed() {
            // Their position is what records of such a list are known by.
            let is_whole = before.len() == after.len();
            side.records = after.into_iter().map(Some).collect();
            return Ok(is_whole.then_some(side));
        }
        let Some(operations) = aligned(&before, &after) else { return Ok(None) };
        for op in operations {
            let (_, olds, news) = op.as_tag_tuple();
            let came = after.get(news.clone()).unwrap_or_default().iter().copied();
            if olds.len() == news.len() {
                side.records.extend(came.map(Some));
                continue;
            }
            side.records.extend(olds.clone().map(|_| None));
            if let Some(added) = side.added.get_mut(olds.end) {
                added.extend(came);
            }
        }
        Ok(Some(side))
    }

    /// Returns the number of records, those that are gone included.
    fn len(&self) -> usize {
        self.added.iter().map(Vec::len).fold(self.records.len(), usize::saturating_add)
    }
}

/// Returns the operations that make the one list the other one; `None` where that would take too long.
fn aligned(old: &[&[u8]], new: &[&[u8]]) -> Option<Vec<DiffOp>> {
    let alike = |pair: &(&&[u8], &&[u8])| pair.0 == pair.1;
    let before = old.iter().zip(new).take_while(alike).count();
    let behind = old.iter().rev().zip(new.iter().rev()).take_while(alike).count();
    let [old_len, new_len] =
        [old, new].map(|list| list.len().saturating_sub(before).saturating_sub(behind));
    (old_len.saturating_mul(new_len) <= MOST_PAIRS).then(|| diff::operations(old, new))
}

/// Merges a list, and reports the changes of its records: those of the base by their positions there, new ones by those in
/// the merged list. `None` where the lists are not of one kind, or so much differs that records cannot be matched.
///
/// # Errors
/// More records than can be counted; limits.
pub(super) fn merged(
    [base, ours, theirs]: [&List; 3],
    (chunk, on_conflict): (&str, OnConflict),
    report: &mut Report,
    task: &mut Task<'_>,
) -> Result<Option<Vec<u8>>> {
    let is_alike = |list: &List| {
        let is_one = std::ptr::eq(list.record(), ours.record()) && list.size() == ours.size();
        is_one && list.remainder() == ours.remainder()
    };
    if !is_alike(base) || !is_alike(theirs) {
        return Ok(None);
    }
    let budget = &mut task.budget;
    let sides = ListSide::of(base, ours, budget)?.zip(ListSide::of(base, theirs, budget)?);
    let Some((we, they)) = sides else { return Ok(None) };
    let most = we.len().saturating_add(they.len()) as u64;
    budget.memory(most.saturating_mul(size_of::<Cow<'_, [u8]>>() as u64))?;
    let structure = ours.structure();
    let is_whole = structure.is_some() && ours.is_fixed();
    let slots = ours.slots();
    let mut records = Records { slots, structure, is_whole, chunk, nth: 0, made: Vec::new() };
    for (nth, (of_ours, of_theirs)) in we.added.iter().zip(&they.added).enumerate() {
        for (ours, theirs) in together(of_ours, of_theirs) {
            let at = Places { base: None, ours, theirs };
            records.settle(records.made.len(), at, on_conflict, report, task)?;
        }
        let made = we.records.get(nth).zip(they.records.get(nth));
        if let Some(((ours, theirs), row)) = made.zip(base.row(nth)) {
            let at = Places { base: Some(row), ours: *ours, theirs: *theirs };
            records.settle(nth, at, on_conflict, report, task)?;
        }
    }
    let made = records.made;
    task.budget
        .memory(made.iter().fold(0, |sum: u64, row| sum.saturating_add(row.len() as u64)))?;
    let mut merged = ours.clone();
    for nth in (0..merged.len()).rev() {
        merged.remove(nth)?;
    }
    for row in made {
        merged.insert(usize::MAX, &row)?;
    }
    merged.finish().map(Some)
}

/// A record of each of two sides, where they have one.
type Twins<'l> = (Option<&'l [u8]>, Option<&'l [u8]>);

/// Unites the records that both put in one place, those of ours first; what is the same of it is one record.
fn together<'l>(ours: &[&'l [u8]], theirs: &[&'l [u8]]) -> Vec<Twins<'l>> {
    let mut left: HashMap<&[u8], usize> = HashMap::new();
    for row in theirs {
        let count = left.entry(row).or_default();
        *count = count.saturating_add(1);
    }
    let mut take = |row: &'l [u8]| {
        let count = left.get_mut(row).filter(|count| **count > 0)?;
        *count = count.saturating_sub(1);
        Some(row)
    };
    let mut twins: Vec<Twins<'l>> = ours.iter().map(|row| (Some(*row), take(row))).collect();
    twins.extend(theirs.iter().filter_map(|row| take(row)).map(|row| (None, Some(row))));
    twins
}

/// The merged list as far as it is made.
struct Records<'l> {
    slots: Vec<Slot>,
    /// Their description, where records have no fixed size.
    structure: Option<&'static Structure>,
    /// Whether the chunk is one record as a whole.
    is_whole: bool,
    /// Path of the chunk.
    chunk: &'l str,
    /// The position of the record that is merged.
    nth: usize,
    made: Vec<Cow<'l, [u8]>>,
}

impl<'l> Records<'l> {
    /// Merges a record: that of ours stays, unless something else is decided.
    fn settle(
        &mut self,
        nth: usize,
        at: Places<&'l [u8]>,
        on_conflict: OnConflict,
        report: &mut Report,
        task: &mut Task<'_>,
    ) -> Result<()> {
        self.nth = nth;
        self.made.extend(at.ours.map(Cow::Borrowed));
        settle(self, at, on_conflict, report, task)
    }

    /// The fields of a record, by their names or paths, with their bytes.
    fn fields(&self, row: &'l [u8], task: &mut Task<'_>) -> Result<Fields<'l>> {
        let Some(structure) = self.structure else {
            let slots = self.slots.iter();
            let fields = slots.filter_map(|slot| {
                Some((slot.field.name.to_owned(), (slot.field, row.get(slot.range())?)))
            });
            return Ok(fields.collect());
        };
        let fields = structure.fields(row, task)?.into_iter();
        Ok(fields.filter_map(|of| Some((of.path, (of.field, row.get(of.at)?)))).collect())
    }

    /// The record of ours with these fields of theirs.
    ///
    /// # Errors
    /// Fields that make no record.
    fn united(
        &self,
        ours: &'l [u8],
        theirs: &'l [u8],
        taken: &[String],
        task: &mut Task<'_>,
    ) -> Result<Vec<u8>> {
        let (mut fields, of_theirs) = (self.fields(ours, task)?, self.fields(theirs, task)?);
        for name in taken {
            match of_theirs.get(name) {
                Some(field) => drop(fields.insert(name.clone(), *field)),
                None => drop(fields.remove(name)),
            }
        }
        let Some(structure) = self.structure else {
            let mut row = ours.to_vec();
            for slot in &self.slots {
                let place = row.get_mut(slot.range()).zip(fields.get(slot.field.name));
                if let Some((place, (_, bytes))) = place {
                    place.copy_from_slice(bytes);
                }
            }
            return Ok(row);
        };
        let count = fields.len();
        let mut used = 0_usize;
        let row = structure.encode(&mut |path, _| {
            let (_, bytes) = fields.get(path).ok_or_else(|| Error::new(&NOT_FOUND))?;
            used = used.saturating_add(1);
            Ok(bytes.to_vec())
        })?;
        if used == count { Ok(row) } else { Err(Error::new(&NOT_FOUND)) }
    }
}

/// Fields of a record, with their bytes.
type Fields<'l> = BTreeMap<String, (Field, &'l [u8])>;

impl<'l> States for Records<'l> {
    /// Bytes of a record.
    type Place = &'l [u8];
    /// The name or path of a field.
    type Slot = String;

    const UNITES: bool = true;

    fn is_same(
        &mut self,
        (_, one): (Version, &'l [u8]),
        (_, other): (Version, &'l [u8]),
        task: &mut Task<'_>,
    ) -> Result<bool> {
        task.budget.touch(one.len() as u64)?;
        Ok(one == other)
    }

    fn differences(
        &mut self,
        at: Places<&'l [u8]>,
        _: bool,
        task: &mut Task<'_>,
    ) -> Result<Differences<String>> {
        let slots = &self.slots;
        task.transient(|task| {
            task.budget.memory((slots.len() as u64).saturating_mul(3 * 64))?;
            let mut bytes = |row: Option<&'l [u8]>| -> Result<BTreeMap<String, &'l [u8]>> {
                let fields = row.map(|row| self.fields(row, task)).transpose()?;
                let fields = fields.into_iter().flatten();
                Ok(fields.map(|(name, (_, bytes))| (name, bytes)).collect())
            };
            let (base, ours, theirs) = (bytes(at.base)?, bytes(at.ours)?, bytes(at.theirs)?);
            let mut found = Differences::between(&base, &ours, &theirs, Choice::of);
            if let Some((ours, theirs)) = at.ours.zip(at.theirs)
                && let Err(error) = self.united(ours, theirs, &found.taken, task)
            {
                if error.ends_work() {
                    return Err(error);
                }
                // Each side changed parts without which those of the other one make no record.
                found.conflicts.append(&mut found.taken);
            }
            Ok(found)
        })
    }
}

impl<'l> Sides for Records<'l> {
    fn entry(
        &mut self,
        _: (Version, &'l [u8]),
        deed: Deed,
        task: &mut Task<'_>,
    ) -> Result<Merging> {
        let path = match self.is_whole {
            true => self.chunk.to_owned(),
            false => format!("{}[{}]", self.chunk, self.nth),
        };
        task.budget.memory((2 * size_of::<Merging>()).saturating_add(path.len()) as u64)?;
        Ok(Merging { path, asset_id: None, change: Some(deed.name()) })
    }

    fn field(&self, slot: &String) -> String {
        slot.clone()
    }

    fn shown(
        &mut self,
        (_, row): (Version, &'l [u8]),
        slot: &String,
        task: &mut Task<'_>,
    ) -> Result<String> {
        task.transient(|task| {
            let fields = self.fields(row, task)?;
            let shown = fields.get(slot).map(|(field, bytes)| patch::field_value(field, bytes));
            Ok(shown.map_or_else(String::new, |value| value.to_string()))
        })
    }

    fn add(&mut self, theirs: &'l [u8], _: &mut Task<'_>) -> Result<()> {
        self.made.push(Cow::Borrowed(theirs));
        Ok(())
    }

    fn remove(&mut self, _: &'l [u8], _: &mut Task<'_>) -> Result<()> {
        self.made.pop();
        Ok(())
    }

    fn set(&mut self, at: Places<&'l [u8]>, taken: &[String], task: &mut Task<'_>) -> Result<()> {
        let (Some(ours), Some(theirs)) = (at.ours, at.theirs) else { return Ok(()) };
        let row = match self.united(ours, theirs, taken, task) {
            Ok(row) => Cow::Owned(row),
            Err(error) if error.ends_work() => return Err(error),
            Err(_) => Cow::Borrowed(theirs),
        };
        if let Some(made) = self.made.last_mut() {
            *made = row;
        }
        Ok(())
    }

    fn replace(&mut self, _: &'l [u8], theirs: &'l [u8], _: &mut Task<'_>) -> Result<()> {
        self.made.pop();
        self.made.push(Cow::Borrowed(theirs));
        Ok(())
    }
}
