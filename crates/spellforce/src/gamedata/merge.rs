//! What two sides made of one table, as one: row by row and field by field.
//!
//! Rows go by their keys. What only one side changed counts; where both changed a row, their fields are united, and a field
//! that both gave other values is a conflict. A file of a mod may hold a part of the tables: rows that it lacks stay as they
//! are then (`docs/formats/cff.md#6-gamedata-categories`).

use super::{AnyRow, GameData, RowBuf, RowChange, Table, TableDraft, compare};
use spelunk_core::{Budget, Bytes, Result};
use std::collections::{BTreeMap, BTreeSet};

/// Whose value counts where both sides have one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Favour {
    /// Ours.
    Ours,
    /// Theirs.
    Theirs,
}

/// What came of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Only we changed it.
    Ours,
    /// Only they changed it.
    Theirs,
    /// Both made the same of it.
    Both,
    /// Both changed it, in different fields.
    United,
}

/// A field that both sides changed, each in another way; all of a row where one of them took it out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Collision {
    /// The row as we have it; `None` where we took it out.
    pub ours: Option<RowBuf>,
    /// The row as they have it; `None` where they took it out.
    pub theirs: Option<RowBuf>,
    /// The fields; none where one of them took the row out. A position behind the last field means the corners.
    pub fields: Vec<usize>,
}

/// A table of two sides as one.
#[derive(Debug)]
pub struct MergedTable {
    /// Its plain data.
    pub plain: Bytes,
    /// What came of the rows that changed, with the row that is left, or that was.
    pub rows: Vec<(Outcome, RowBuf)>,
    /// What both changed, each in another way.
    pub collisions: Vec<Collision>,
}

/// Categories whose parts hold single rows of an id; of others with several rows a part holds all rows of an id or none, as
/// the community's editor writes and reads them.
const ROW_BY_ROW: [i16; 6] = [2012, 2014, 2016, 2023, 2039, 2062];

/// A table of one of the files.
pub type Place<'f> = (GameData<'f>, u32);

/// What a side made of the rows of the base.
#[derive(Default)]
struct Made {
    changed: BTreeMap<usize, usize>,
    removed: BTreeSet<usize>,
    added: Vec<usize>,
}

impl Made {
    fn of(base: Option<Place<'_>>, side: Place<'_>, budget: &mut Budget) -> Result<Made> {
        let mut made = Made::default();
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
}

/// Unites the tables of two sides that were made of `base`, or of nothing. Where `is_part`, rows that theirs lacks stay.
///
/// # Errors
/// When one cannot be read; limits.
pub fn merge(
    base: Option<Place<'_>>,
    ours: Place<'_>,
    theirs: Place<'_>,
    (favour, is_part): (Favour, bool),
    budget: &mut Budget,
) -> Result<MergedTable> {
    let (our, their) = (Made::of(base, ours, budget)?, Made::of(base, theirs, budget)?);
    let our_table = ours.0.table(ours.1, budget)?;
    let mut merger = Merger {
        base: match base {
            Some((base, chunk)) => Some(base.table(chunk, budget)?),
            None => None,
        },
        ours,
        our_table,
        their_table: theirs.0.table(theirs.1, budget)?,
        favour,
        draft: TableDraft::of(our_table),
        used: BTreeSet::new(),
        rows: Vec::new(),
        collisions: Vec::new(),
    };
    for (old, new) in &their.changed {
        merger.changed(*old, *new, &our, budget)?;
    }
    for old in &their.removed {
        if is_part && !merger.is_replaced(theirs, *old, budget)? {
            continue;
        }
        merger.removed(*old, &our, budget)?;
    }
    for new in &their.added {
        merger.added(*new, &our, budget)?;
    }
    merger.only_ours(&our, &their);
    budget.memory(our_table.plain().len() as u64)?;
    let Merger { draft, rows, collisions, .. } = merger;
    let plain = draft.finish();
    Ok(MergedTable { plain, rows, collisions })
}

struct Merger<'f> {
    base: Option<Table<'f>>,
    ours: Place<'f>,
    our_table: Table<'f>,
    their_table: Table<'f>,
    favour: Favour,
    draft: TableDraft<'f>,
    /// Rows of ours that belong to rows of the base which theirs speaks of.
    used: BTreeSet<usize>,
    rows: Vec<(Outcome, RowBuf)>,
    collisions: Vec<Collision>,
}

impl<'f> Merger<'f> {
    fn base_row(&self, row: usize) -> Option<AnyRow<'f>> {
        self.base.and_then(|base| base.row(row))
    }

    /// The row of ours that is still as the one of the base.
    fn unchanged(&mut self, row: &AnyRow<'_>, budget: &mut Budget) -> Result<Option<usize>> {
        let key = row.key_values();
        let alike = self.ours.0.find(self.ours.1, &key, budget)?;
        let is_it = |nth: &usize| {
            !self.used.contains(nth)
                && self.our_table.row(*nth).is_some_and(|other| other.bytes() == row.bytes())
        };
        let found = alike.into_iter().find(is_it);
        self.used.extend(found);
        Ok(found)
    }

    fn tell(&mut self, outcome: Outcome, row: &AnyRow<'_>) {
        self.rows.push((outcome, RowBuf::of(row)));
    }

    fn collide(
        &mut self,
        ours: Option<AnyRow<'_>>,
        theirs: Option<AnyRow<'_>>,
        fields: Vec<usize>,
    ) {
        let [ours, theirs] = [ours, theirs].map(|row| row.as_ref().map(RowBuf::of));
        self.collisions.push(Collision { ours, theirs, fields });
    }

    /// They changed a row.
    fn changed(&mut self, old: usize, new: usize, our: &Made, budget: &mut Budget) -> Result<()> {
        let rows = self.base_row(old).zip(self.their_table.row(new));
        let Some((base, theirs)) = rows else { return Ok(()) };
        if our.removed.contains(&old) {
            self.collide(None, Some(theirs), Vec::new());
            if self.favour == Favour::Theirs {
                self.draft.add(RowBuf::of(&theirs));
            }
            return Ok(());
        }
        let Some(place) = our.changed.get(&old) else {
            if let Some(place) = self.unchanged(&base, budget)? {
                self.draft.set(place, RowBuf::of(&theirs));
            }
            self.tell(Outcome::Theirs, &theirs);
            return Ok(());
        };
        let Some(ours) = self.our_table.row(*place) else { return Ok(()) };
        if ours.bytes() == theirs.bytes() {
            self.tell(Outcome::Both, &ours);
            return Ok(());
        }
        self.unite(Some(base), (*place, ours), theirs)
    }

    /// Unites the fields of a row that both sides changed, or added.
    fn unite(
        &mut self,
        base: Option<AnyRow<'_>>,
        (place, ours): (usize, AnyRow<'f>),
        theirs: AnyRow<'_>,
    ) -> Result<()> {
        let (mut row, mut fields) = (RowBuf::of(&ours), Vec::new());
        let count = ours.category().fields().len();
        for field in 0..count {
            let [a, b] = [&ours, &theirs].map(|row| row.field(field));
            let before = base.map(|base| base.field(field));
            // The number of corners follows from them.
            if a == b || Some(b) == before || is_corner_count(&ours, field) {
                continue;
            }
            if Some(a) != before {
                fields.push(field);
            }
            if Some(a) == before || self.favour == Favour::Theirs {
                row.put_field(field, b);
            }
        }
        let [a, b] = [&ours, &theirs].map(|row| row.corners());
        let before = base.map(|base| base.corners());
        if !a.clone().eq(b.clone()) && !before.clone().is_some_and(|before| before.eq(b.clone())) {
            let is_ours = before.is_none_or(|before| !before.eq(a));
            if is_ours {
                fields.push(count);
            }
            if !is_ours || self.favour == Favour::Theirs {
                row.set_corners(&b.collect::<Vec<_>>())?;
            }
        }
        if fields.is_empty() {
            self.tell(Outcome::United, &row.row());
        } else {
            self.collide(Some(ours), Some(theirs), fields);
        }
        self.draft.set(place, row);
        Ok(())
    }

    /// They took a row out.
    fn removed(&mut self, old: usize, our: &Made, budget: &mut Budget) -> Result<()> {
        let Some(base) = self.base_row(old) else { return Ok(()) };
        if our.removed.contains(&old) {
            self.tell(Outcome::Both, &base);
            return Ok(());
        }
        if let Some(place) = our.changed.get(&old) {
            self.collide(self.our_table.row(*place), None, Vec::new());
            if self.favour == Favour::Theirs {
                self.draft.remove(*place);
            }
            return Ok(());
        }
        if let Some(place) = self.unchanged(&base, budget)? {
            self.draft.remove(place);
        }
        self.tell(Outcome::Theirs, &base);
        Ok(())
    }

    /// They added a row.
    fn added(&mut self, new: usize, our: &Made, budget: &mut Budget) -> Result<()> {
        let Some(theirs) = self.their_table.row(new) else { return Ok(()) };
        budget.steps(1)?;
        let alike = self.ours.0.find(self.ours.1, &theirs.key_values(), budget)?;
        let added = |nth: &usize| our.added.binary_search(nth).is_ok() && !self.used.contains(nth);
        let alike: Vec<usize> = alike.into_iter().filter(added).collect();
        let same = |nth: &&usize| {
            self.our_table.row(**nth).is_some_and(|row| row.bytes() == theirs.bytes())
        };
        if let Some(nth) = alike.iter().find(same) {
            self.used.insert(*nth);
            self.tell(Outcome::Both, &theirs);
            return Ok(());
        }
        let Some((nth, ours)) =
            alike.first().and_then(|nth| Some((*nth, self.our_table.row(*nth)?)))
        else {
            self.draft.add(RowBuf::of(&theirs));
            self.tell(Outcome::Theirs, &theirs);
            return Ok(());
        };
        self.used.insert(nth);
        self.unite(None, (nth, ours), theirs)
    }

    /// Whether a part has other rows of the id of a row that it lacks, in a category where these stand for all of them.
    fn is_replaced(&self, theirs: Place<'_>, old: usize, budget: &mut Budget) -> Result<bool> {
        let Some(base) = self.base_row(old) else { return Ok(false) };
        let category = base.category();
        if category.key < 2 || ROW_BY_ROW.contains(&category.id) {
            return Ok(false);
        }
        Ok(!theirs.0.find(theirs.1, &[base.id()], budget)?.is_empty())
    }

    /// What only we changed.
    fn only_ours(&mut self, our: &Made, their: &Made) {
        let is_theirs =
            |old: &usize| their.changed.contains_key(old) || their.removed.contains(old);
        for (_, new) in our.changed.iter().filter(|(old, _)| !is_theirs(old)) {
            let row = self.our_table.row(*new);
            self.rows.extend(row.map(|row| (Outcome::Ours, RowBuf::of(&row))));
        }
        for old in our.removed.iter().filter(|old| !is_theirs(old)) {
            let row = self.base_row(*old);
            self.rows.extend(row.map(|row| (Outcome::Ours, RowBuf::of(&row))));
        }
        for new in our.added.iter().filter(|new| !self.used.contains(new)) {
            let row = self.our_table.row(*new);
            self.rows.extend(row.map(|row| (Outcome::Ours, RowBuf::of(&row))));
        }
    }
}

/// Whether a field is the number of corners of a polygon.
fn is_corner_count(row: &AnyRow<'_>, field: usize) -> bool {
    row.category().is_polygons() && field.saturating_add(1) == row.category().fields().len()
}

/// The rows of `new` that differ from those of `old`, as a part that the community's editor could have written: single rows,
/// or all rows of an id where the category has several and goes by ids. Empty where there is no difference.
///
/// # Errors
/// When one cannot be read; limits.
pub fn part(old: Option<Place<'_>>, new: Place<'_>, budget: &mut Budget) -> Result<Bytes> {
    let made = Made::of(old, new, budget)?;
    let table = new.0.table(new.1, budget)?;
    let mut wanted: BTreeSet<usize> = made.changed.values().copied().collect();
    wanted.extend(&made.added);
    let category = table.category();
    if category.key > 1 && !ROW_BY_ROW.contains(&category.id) {
        let mut ids: BTreeSet<u32> =
            wanted.iter().filter_map(|row| Some(table.row(*row)?.id())).collect();
        if let Some((old, chunk)) = old {
            let table = old.table(chunk, budget)?;
            ids.extend(made.removed.iter().filter_map(|row| Some(table.row(*row)?.id())));
        }
        for id in ids {
            wanted.extend(new.0.find(new.1, &[id], budget)?);
        }
    }
    let rows = || wanted.iter().filter_map(|row| Some(table.row(*row)?.bytes()));
    budget
        .memory(rows().map(<[u8]>::len).fold(0_u64, |sum, len| sum.saturating_add(len as u64)))?;
    Ok(rows().flatten().copied().collect::<Vec<u8>>().into())
}
