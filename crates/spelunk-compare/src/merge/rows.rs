//! The rows of a category of GameData, merged row by row and field by field. Rows go by their keys.
//!
//! A file of a mod may hold a part of the tables: rows that it lacks stay as they are then
//! (`docs/formats/cff.md#6-gamedata-categories`).

use super::{
    report::{Merging, OnConflict, Report},
    sides::{Sides, settle},
};
use crate::decide::{Choice, Deed, Differences, Places, States, Version};
use spellforce::gamedata::{
    AnyRow, GameData, Languages, RowBuf, RowChange, Table, TableDraft, compare, shown,
};
use spelunk_core::{Budget, Bytes, Result, Task};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

/// A table of one of the files.
pub(super) type TablePlace<'f> = (GameData<'f>, u32);

/// Place of a row in a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RowPlace {
    /// Position; in a table of which only the changes are known, that in the table of the base.
    row: usize,
    /// Whether it is as the base has it.
    is_base: bool,
}

/// Changes that a side made to the rows of the base.
#[derive(Default)]
struct SideChanges {
    changed: BTreeMap<usize, usize>,
    removed: BTreeSet<usize>,
    added: Vec<usize>,
}

impl SideChanges {
    fn of(
        base: Option<TablePlace<'_>>,
        side: TablePlace<'_>,
        budget: &mut Budget,
    ) -> Result<SideChanges> {
        let mut made = SideChanges::default();
        let Some(base) = base else {
            let rows = side.0.table(side.1, budget)?.len();
            budget.memory((rows as u64).saturating_mul(8))?;
            made.added = (0..rows).collect();
            return Ok(made);
        };
        for change in compare(base, side, budget)? {
            match change {
                RowChange::Removed(row) => drop(made.removed.insert(row)),
                RowChange::Added(row) => made.added.push(row),
                RowChange::Changed { old, new } => drop(made.changed.insert(old, new)),
            }
        }
        made.added.sort_unstable();
        Ok(made)
    }

    /// The rows of the base that the side did something with.
    fn touched(&self) -> impl Iterator<Item = usize> + '_ {
        self.changed.keys().chain(&self.removed).copied()
    }

    /// Returns the place of a row of the base on this side.
    fn place(&self, old: usize) -> Option<RowPlace> {
        match self.changed.get(&old) {
            Some(new) => Some(RowPlace { row: *new, is_base: false }),
            None if self.removed.contains(&old) => None,
            None => Some(RowPlace { row: old, is_base: true }),
        }
    }
}

/// Unites the tables of two sides that were made of `base`, or of nothing, and gives the plain data. Where the report is one of a
/// part, rows that theirs lacks stay.
///
/// # Errors
/// When one cannot be read; limits.
pub(super) fn merged(
    base: Option<TablePlace<'_>>,
    ours: TablePlace<'_>,
    theirs: TablePlace<'_>,
    (chunk, on_conflict): (&str, OnConflict),
    report: &mut Report,
    task: &mut Task<'_>,
) -> Result<Bytes> {
    let budget = &mut task.budget;
    let (our, their) =
        (SideChanges::of(base, ours, budget)?, SideChanges::of(base, theirs, budget)?);
    let our_table = ours.0.table(ours.1, budget)?;
    let mut rows = TableMerge {
        chunk,
        base: base.map(|(base, chunk)| base.table(chunk, budget)).transpose()?,
        ours: our_table,
        theirs: theirs.0.table(theirs.1, budget)?,
        in_ours: ours,
        languages: (ours.0.languages(budget)?, theirs.0.languages(budget)?),
        draft: TableDraft::of(our_table),
        used: BTreeSet::new(),
    };
    let touched: BTreeSet<usize> = our.touched().chain(their.touched()).collect();
    for old in touched {
        let mut at = Places {
            base: Some(RowPlace { row: old, is_base: true }),
            ours: our.place(old),
            theirs: their.place(old),
        };
        if at.theirs.is_none() && report.is_part && !rows.is_replaced(theirs, old, task)? {
            at.theirs = at.base;
        }
        settle(&mut rows, at, on_conflict, report, task)?;
    }
    let mut alone: BTreeSet<usize> = our.added.iter().copied().collect();
    for new in &their.added {
        let partner = rows.partner(*new, &alone, task)?;
        alone.retain(|row| Some(*row) != partner);
        let at = |row: usize| RowPlace { row, is_base: false };
        let at = Places { base: None, ours: partner.map(at), theirs: Some(at(*new)) };
        settle(&mut rows, at, on_conflict, report, task)?;
    }
    for row in alone {
        let ours = Some(RowPlace { row, is_base: false });
        let at = Places { base: None, ours, theirs: None };
        settle(&mut rows, at, on_conflict, report, task)?;
    }
    task.budget.memory(our_table.plain().len() as u64)?;
    Ok(rows.draft.finish())
}

/// The tables of the three files, and ours with what is made of it.
struct TableMerge<'f> {
    /// Path of the chunk.
    chunk: &'f str,
    base: Option<Table<'f>>,
    ours: Table<'f>,
    theirs: Table<'f>,
    in_ours: TablePlace<'f>,
    /// Languages of ours and theirs.
    languages: (&'f Languages, &'f Languages),
    draft: TableDraft<'f>,
    /// Rows of ours that belong to rows of the base.
    used: BTreeSet<usize>,
}

impl<'f> TableMerge<'f> {
    fn row(&self, (version, place): (Version, RowPlace)) -> Option<AnyRow<'f>> {
        match version {
            _ if place.is_base => self.base?.row(place.row),
            Version::Base => None,
            Version::Ours => self.ours.row(place.row),
            Version::Theirs => self.theirs.row(place.row),
        }
    }

    /// The position of a row in our table.
    fn position(&mut self, ours: RowPlace, budget: &mut Budget) -> Result<Option<usize>> {
        if !ours.is_base {
            return Ok(Some(ours.row));
        }
        // It is still as the one of the base.
        let Some(row) = self.row((Version::Base, ours)) else { return Ok(None) };
        let alike = self.in_ours.0.find(self.in_ours.1, &row.key_values(), budget)?;
        let is_it = |nth: &usize| {
            !self.used.contains(nth)
                && self.ours.row(*nth).is_some_and(|other| other.bytes() == row.bytes())
        };
        let found = alike.into_iter().find(is_it);
        self.used.extend(found);
        Ok(found)
    }

    /// Finds the row that ours added for one that theirs did: an equal one, else one of its key.
    fn partner(
        &self,
        new: usize,
        added: &BTreeSet<usize>,
        task: &mut Task<'_>,
    ) -> Result<Option<usize>> {
        let Some(theirs) = self.theirs.row(new) else { return Ok(None) };
        task.budget.steps(1)?;
        let (ours, chunk) = self.in_ours;
        let alike = ours.find(chunk, &theirs.key_values(), &mut task.budget)?;
        let mut alike = alike.into_iter().filter(|row| added.contains(row));
        let same =
            |row: &usize| self.ours.row(*row).is_some_and(|row| row.bytes() == theirs.bytes());
        Ok(alike.clone().find(same).or_else(|| alike.next()))
    }

    /// Whether a part has other rows of the id of a row that it lacks, in a category where these stand for all of them.
    fn is_replaced(&self, theirs: TablePlace<'_>, old: usize, task: &mut Task<'_>) -> Result<bool> {
        let Some(base) = self.base.and_then(|base| base.row(old)) else { return Ok(false) };
        if !base.category().parts_have_whole_ids() {
            return Ok(false);
        }
        Ok(!theirs.0.find(theirs.1, &[base.id()], &mut task.budget)?.is_empty())
    }
}

/// The bytes of the fields of a row; those of the corners of a polygon behind the last. How many there are follows from them.
fn fields<'f>(row: &AnyRow<'f>, task: &mut Task<'_>) -> Result<BTreeMap<usize, Cow<'f, [u8]>>> {
    let (count, has_corners) = (row.category().fields().len(), row.category().is_polygons());
    task.budget.memory((count.saturating_mul(64).saturating_add(row.bytes().len())) as u64)?;
    let plain = if has_corners { count.saturating_sub(1) } else { count };
    let mut fields: BTreeMap<_, _> =
        (0..plain).map(|field| (field, Cow::Borrowed(row.field(field)))).collect();
    if has_corners {
        let corners: Vec<u8> = row.corners().flatten().flat_map(i16::to_le_bytes).collect();
        fields.insert(count, corners.into());
    }
    Ok(fields)
}

impl States for TableMerge<'_> {
    type Place = RowPlace;
    /// The position of a field; one behind the last means the corners.
    type Slot = usize;

    const UNITES: bool = true;

    fn is_same(
        &mut self,
        one: (Version, RowPlace),
        other: (Version, RowPlace),
        task: &mut Task<'_>,
    ) -> Result<bool> {
        if one.1.is_base && other.1.is_base {
            return Ok(true);
        }
        let (a, b) = (self.row(one), self.row(other));
        task.budget.touch(a.map_or(0, |row| row.bytes().len() as u64))?;
        Ok(a.map(|row| row.bytes()) == b.map(|row| row.bytes()))
    }

    fn differences(
        &mut self,
        at: Places<RowPlace>,
        _: bool,
        task: &mut Task<'_>,
    ) -> Result<Differences<usize>> {
        task.transient(|task| {
            let mut of = |version, place: Option<RowPlace>| {
                let row = place.and_then(|place| self.row((version, place)));
                row.map_or_else(|| Ok(BTreeMap::new()), |row| fields(&row, task))
            };
            let base = of(Version::Base, at.base)?;
            let (ours, theirs) = (of(Version::Ours, at.ours)?, of(Version::Theirs, at.theirs)?);
            Ok(Differences::between(&base, &ours, &theirs, Choice::of))
        })
    }
}

impl Sides for TableMerge<'_> {
    fn entry(
        &mut self,
        at: (Version, RowPlace),
        deed: Deed,
        task: &mut Task<'_>,
    ) -> Result<Merging> {
        let key = self.row(at).map(|row| row.key_values()).unwrap_or_default();
        let key: Vec<String> = key.iter().map(u32::to_string).collect();
        let path = format!("{}/{}", self.chunk, key.join("/"));
        task.budget.memory((2 * size_of::<Merging>()).saturating_add(path.len()) as u64)?;
        Ok(Merging { path, asset_id: None, change: Some(deed.name()) })
    }

    fn field(&self, slot: &usize) -> String {
        let field = self.ours.category().fields().get(*slot);
        field.map_or("corners", |slot| slot.field.name).to_owned()
    }

    fn shown(&mut self, at: (Version, RowPlace), slot: &usize, _: &mut Task<'_>) -> Result<String> {
        let Some(row) = self.row(at) else { return Ok(String::new()) };
        let languages = if at.0 == Version::Theirs { self.languages.1 } else { self.languages.0 };
        if *slot < row.category().fields().len() {
            return Ok(shown(&row, *slot, languages).into_owned());
        }
        Ok(row.corners().map(|[x, y]| format!("{x},{y}")).collect::<Vec<_>>().join(" "))
    }

    fn add(&mut self, theirs: RowPlace, _: &mut Task<'_>) -> Result<()> {
        self.row((Version::Theirs, theirs)).iter().for_each(|row| self.draft.add(RowBuf::of(row)));
        Ok(())
    }

    fn remove(&mut self, ours: RowPlace, task: &mut Task<'_>) -> Result<()> {
        if let Some(position) = self.position(ours, &mut task.budget)? {
            self.draft.remove(position);
        }
        Ok(())
    }

    fn set(&mut self, at: Places<RowPlace>, taken: &[usize], task: &mut Task<'_>) -> Result<()> {
        let (Some(ours), Some(theirs)) = (at.ours, at.theirs) else { return Ok(()) };
        let rows = self.row((Version::Ours, ours)).zip(self.row((Version::Theirs, theirs)));
        let Some((own, other)) = rows.filter(|_| !taken.is_empty()) else { return Ok(()) };
        let mut row = RowBuf::of(&own);
        for slot in taken {
            match *slot < own.category().fields().len() {
                true => row.put_field(*slot, other.field(*slot)),
                false => row.set_corners(&other.corners().collect::<Vec<_>>())?,
            }
        }
        if let Some(position) = self.position(ours, &mut task.budget)? {
            self.draft.set(position, row);
        }
        Ok(())
    }

    fn replace(&mut self, ours: RowPlace, theirs: RowPlace, task: &mut Task<'_>) -> Result<()> {
        let row = self.row((Version::Theirs, theirs)).map(|row| RowBuf::of(&row));
        if let Some((position, row)) = self.position(ours, &mut task.budget)?.zip(row) {
            self.draft.set(position, row);
        }
        Ok(())
    }
}
