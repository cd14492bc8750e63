//! Lists of maps, merged record by record and field by field.
//!
//! Records have no ids, so what a side did with a record follows from its list and that of the base: in stretches that
//! differ and have as many records as before, those in one place belong together; of other ones the old records are gone and
//! the new ones added. In lists that always have as many records it is the place that counts.

use super::{Conflict, Merging, Report};
use crate::patch;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use spellforce::{cff::List, gamedata::merge::Favour};
use spelunk_core::{Budget, Record, Result};
use std::{borrow::Cow, collections::HashMap};

/// How many pairs of records are compared at the most, those apart with which both lists begin and end.
const MOST_PAIRS: usize = 1 << 28;

/// What a side made of a record of the base.
#[derive(Clone, Copy)]
enum Fate<'l> {
    Kept,
    Changed(&'l [u8]),
    Gone,
}

/// What a side made of the list of the base.
struct Side<'l> {
    fates: Vec<Fate<'l>>,
    /// Records that are new, before each of those of the base, and behind the last.
    added: Vec<Vec<&'l [u8]>>,
}

impl<'l> Side<'l> {
    /// `None` where so much differs that it cannot be told what became of which record.
    fn of(base: &'l List, list: &'l List, budget: &mut Budget) -> Result<Option<Side<'l>>> {
        let each = size_of::<&[u8]>() + size_of::<Fate<'_>>() + size_of::<Vec<&[u8]>>();
        let count = base.len().saturating_add(list.len());
        budget.memory((count as u64).saturating_mul(each as u64))?;
        let [before, after]: [Vec<&[u8]>; 2] = [base.rows().collect(), list.rows().collect()];
        let gaps = before.len().saturating_add(1);
        let mut side = Side { fates: Vec::new(), added: vec![Vec::new(); gaps] };
        if list.is_fixed() {
            // Their position is what records of such a list are known by.
            let fate = |(old, new): (&&'l [u8], &&'l [u8])| match old == new {
                true => Fate::Kept,
                false => Fate::Changed(new),
            };
            side.fates = before.iter().zip(&after).map(fate).collect();
            return Ok((before.len() == after.len()).then_some(side));
        }
        let Some(operations) = aligned(&before, &after) else { return Ok(None) };
        for op in operations {
            let (_, olds, news) = op.as_tag_tuple();
            let came = || after.get(news.clone()).unwrap_or_default().iter().copied();
            match op {
                DiffOp::Equal { .. } => side.fates.extend(olds.map(|_| Fate::Kept)),
                _ if olds.len() == news.len() => side.fates.extend(came().map(Fate::Changed)),
                _ => {
                    side.fates.extend(olds.clone().map(|_| Fate::Gone));
                    if let Some(added) = side.added.get_mut(olds.end) {
                        added.extend(came());
                    }
                }
            }
        }
        Ok(Some(side))
    }

    /// How many records it did something with.
    fn len(&self) -> usize {
        let fates = self.fates.iter().filter(|fate| !matches!(fate, Fate::Kept)).count();
        self.added.iter().map(Vec::len).fold(fates, usize::saturating_add)
    }
}

/// What makes the one list the other one; `None` where that would take too long. A clock would tell something else on
/// another day.
fn aligned(old: &[&[u8]], new: &[&[u8]]) -> Option<Vec<DiffOp>> {
    let alike = |pair: &(&&[u8], &&[u8])| pair.0 == pair.1;
    let before = old.iter().zip(new).take_while(alike).count();
    let behind = old.iter().rev().zip(new.iter().rev()).take_while(alike).count();
    let [old_len, new_len] =
        [old, new].map(|list| list.len().saturating_sub(before).saturating_sub(behind));
    (old_len.saturating_mul(new_len) <= MOST_PAIRS)
        .then(|| capture_diff_slices(Algorithm::Myers, old, new))
}

/// Merges a list, and tells what became of its records: those of the base by their positions there, new ones by those in
/// the merged list. `None` where the lists are not of one kind, or so much differs that records cannot be told from each other.
///
/// # Errors
/// More records than can be counted; limits.
pub(super) fn merged(
    [base, ours, theirs]: [&List; 3],
    favour: Favour,
    chunk: &str,
    report: &mut Report,
    budget: &mut Budget,
) -> Result<Option<Vec<u8>>> {
    let is_alike = |list: &List| {
        std::ptr::eq(list.record(), ours.record()) && list.remainder() == ours.remainder()
    };
    if !is_alike(base) || !is_alike(theirs) {
        return Ok(None);
    }
    let sides = Side::of(base, ours, budget)?.zip(Side::of(base, theirs, budget)?);
    let Some((we, they)) = sides else { return Ok(None) };
    // What is told of a record is its path above all.
    let told = we.len().saturating_add(they.len()) as u64;
    budget.memory(told.saturating_mul((size_of::<Merging>() + chunk.len() + 16) as u64))?;
    let mut rows = Rows { record: ours.record(), favour, chunk, report, made: Vec::new() };
    for (nth, (of_ours, of_theirs)) in we.added.iter().zip(&they.added).enumerate() {
        rows.add(of_ours, of_theirs);
        let fates = we.fates.get(nth).zip(they.fates.get(nth));
        if let Some(((ours, theirs), row)) = fates.zip(base.row(nth)) {
            rows.settle(nth, row, *ours, *theirs);
        }
    }
    let made = rows.made;
    budget.memory(made.iter().fold(0, |sum: u64, row| sum.saturating_add(row.len() as u64)))?;
    let mut merged = ours.clone();
    for nth in (0..merged.len()).rev() {
        merged.remove(nth)?;
    }
    for row in made {
        merged.insert(usize::MAX, &row)?;
    }
    merged.finish().map(Some)
}

/// The merged list as far as it is made.
struct Rows<'l, 'r> {
    record: &'static Record,
    favour: Favour,
    chunk: &'l str,
    report: &'r mut Report,
    made: Vec<Cow<'l, [u8]>>,
}

impl<'l> Rows<'l, '_> {
    fn entry(&self, nth: usize, change: &'static str) -> Merging {
        let path = format!("{}[{nth}]", self.chunk);
        Merging { path, asset_id: None, change: Some(change) }
    }

    /// What both put in one place; what is the same of it is one record.
    fn add(&mut self, ours: &[&'l [u8]], theirs: &[&'l [u8]]) {
        let mut left: HashMap<&[u8], usize> = HashMap::new();
        for row in theirs {
            let count = left.entry(row).or_default();
            *count = count.saturating_add(1);
        }
        let mut take = |row: &[u8]| match left.get_mut(row) {
            Some(count) if *count > 0 => {
                *count = count.saturating_sub(1);
                true
            }
            _ => false,
        };
        for row in ours {
            let entry = self.entry(self.made.len(), "added");
            let list = if take(row) { &mut self.report.both } else { &mut self.report.from_ours };
            list.push(entry);
            self.made.push(Cow::Borrowed(row));
        }
        for row in theirs {
            if take(row) {
                let entry = self.entry(self.made.len(), "added");
                self.report.from_theirs.push(entry);
                self.made.push(Cow::Borrowed(row));
            }
        }
    }

    /// What becomes of a record of the base.
    fn settle(&mut self, nth: usize, base: &'l [u8], ours: Fate<'l>, theirs: Fate<'l>) {
        let (list, change, row) = match (ours, theirs) {
            (Fate::Kept, Fate::Kept) => return self.made.push(Cow::Borrowed(base)),
            (Fate::Changed(row), Fate::Kept) => (&mut self.report.from_ours, "changed", Some(row)),
            (Fate::Kept, Fate::Changed(row)) => {
                (&mut self.report.from_theirs, "changed", Some(row))
            }
            (Fate::Gone, Fate::Kept) => (&mut self.report.from_ours, "removed", None),
            (Fate::Kept, Fate::Gone) => (&mut self.report.from_theirs, "removed", None),
            (Fate::Gone, Fate::Gone) => (&mut self.report.both, "removed", None),
            (Fate::Changed(ours), Fate::Changed(theirs)) if ours == theirs => {
                (&mut self.report.both, "changed", Some(ours))
            }
            (Fate::Changed(ours), Fate::Changed(theirs)) => {
                return self.unite(nth, base, ours, theirs);
            }
            (Fate::Changed(_), Fate::Gone) | (Fate::Gone, Fate::Changed(_)) => {
                return self.collide(nth, ours, theirs);
            }
        };
        let path = format!("{}[{nth}]", self.chunk);
        list.push(Merging { path, asset_id: None, change: Some(change) });
        self.made.extend(row.map(Cow::Borrowed));
    }

    /// A record that one side changed and the other one took out.
    fn collide(&mut self, nth: usize, ours: Fate<'l>, theirs: Fate<'l>) {
        let told = |fate| if matches!(fate, Fate::Gone) { "removed" } else { "changed" }.to_owned();
        let entry = Merging { change: None, ..self.entry(nth, "changed") };
        let (ours_told, theirs_told) = (told(ours), told(theirs));
        self.report.conflicts.push(Conflict {
            entry,
            field: None,
            ours: ours_told,
            theirs: theirs_told,
        });
        let left = if self.favour == Favour::Theirs { theirs } else { ours };
        if let Fate::Changed(row) = left {
            self.made.push(Cow::Borrowed(row));
        }
    }

    /// A record that both changed, field by field.
    fn unite(&mut self, nth: usize, base: &[u8], ours: &[u8], theirs: &[u8]) {
        let (mut row, mut is_united) = (ours.to_vec(), true);
        for slot in self.record.fields {
            let of = |row: &'_ [u8]| row.get(slot.range()).unwrap_or_default().to_vec();
            let [base, ours, theirs] = [base, ours, theirs].map(of);
            if theirs == base || theirs == ours {
                continue;
            }
            if ours != base {
                is_united = false;
                let told = |bytes: &[u8]| patch::told_field(&slot.field, bytes).to_string();
                self.report.conflicts.push(Conflict {
                    entry: Merging { change: None, ..self.entry(nth, "changed") },
                    field: Some(slot.field.name.to_owned()),
                    ours: told(&ours),
                    theirs: told(&theirs),
                });
                if self.favour == Favour::Ours {
                    continue;
                }
            }
            if let Some(place) = row.get_mut(slot.range()) {
                place.copy_from_slice(&theirs);
            }
        }
        if is_united {
            let entry = self.entry(nth, "changed");
            self.report.merged.push(entry);
        }
        self.made.push(Cow::Owned(row));
    }
}
