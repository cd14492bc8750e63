//! Rules about references of rows: `docs/formats/gamedata.md`.

use super::{codes, out::GameDataLintSink};
use crate::gamedata::{
    Table, category,
    schema::{
        Building, BuildingPolygon, FactionRelation, Object, ObjectPolygon, Row, Unit, UnitEquipment,
    },
};
use spelunk_core::{Error, Result};
use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

/// Values that a column of a table has, or pairs of values of two columns.
struct ColumnValues(Vec<(i64, i64)>);

impl ColumnValues {
    /// The values of `field`, with those of `with` before them where that is asked for.
    fn of(
        out: &mut GameDataLintSink<'_, '_, '_>,
        tables: &[(u32, Table<'_>)],
        field: usize,
        with: Option<usize>,
    ) -> Result<ColumnValues> {
        let rows = tables.iter().map(|(_, table)| table.len() as u64).fold(0, u64::saturating_add);
        out.task.budget.steps(rows)?;
        let mut known = out.task.budget.vec::<(i64, i64)>(rows)?;
        let all = tables.iter().flat_map(|(_, table)| table.rows());
        known.extend(all.map(|row| (with.map_or(0, |with| row.number(with)), row.number(field))));
        known.sort_unstable();
        Ok(ColumnValues(known))
    }

    fn has(&self, with: i64, value: i64) -> bool {
        self.0.binary_search(&(with, value)).is_ok()
    }

    fn release(self, out: &mut GameDataLintSink<'_, '_, '_>) {
        out.task.budget.release((self.0.capacity() as u64).saturating_mul(16));
    }
}

/// A column, or a pair of columns, that is referred to: table, field, the field before it.
pub(super) type ReferredColumn = (i16, usize, Option<usize>);

/// Columns that were asked for.
#[derive(Default)]
pub(super) struct Columns(BTreeMap<ReferredColumn, Option<ColumnValues>>);

impl Columns {
    /// The values of a column; `None` where the file lacks the table.
    fn get(
        &mut self,
        column: ReferredColumn,
        out: &mut GameDataLintSink<'_, '_, '_>,
    ) -> Result<Option<&ColumnValues>> {
        let known = match self.0.entry(column) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let (table, field, with) = column;
                let tables = out.tables(table)?;
                place.insert(match tables.is_empty() {
                    true => None,
                    false => Some(ColumnValues::of(out, &tables, field, with)?),
                })
            }
        };
        Ok(known.as_ref())
    }

    pub(super) fn release(self, out: &mut GameDataLintSink<'_, '_, '_>) {
        self.0.into_values().flatten().for_each(|known| known.release(out));
    }
}

/// References of the rows of a table to rows that are not there. Tables that the file lacks are not searched.
pub(super) fn references(
    out: &mut GameDataLintSink<'_, '_, '_>,
    columns: &mut Columns,
    chunk: u32,
    table: &Table<'_>,
) -> Result<()> {
    if !out.wants(&[&codes::DANGLING]) {
        return Ok(());
    }
    for (field, slot) in table.category().fields().iter().enumerate() {
        let Some(refers) = slot.field.refers else { continue };
        let target = refers.table.cast_signed();
        let with = refers.with.map(|(_, other)| usize::from(other));
        let column = (target, usize::from(refers.field), with);
        let Some(known) = columns.get(column, out)? else { continue };
        let name = category(target).map_or("", |category| category.table);
        for (nth, row) in table.rows().enumerate() {
            out.task.budget.steps(1)?;
            let Some(key) = row.target(field, &refers) else { continue };
            let (own, value) = match *key.as_slice() {
                [own, value] => (own, value),
                [value, ..] => (0, value),
                [] => continue,
            };
            if !known.has(own.into(), value.into()) {
                let found = key.iter().map(u32::to_string).collect::<Vec<_>>().join("/");
                let error = Error::new(&codes::DANGLING).expected(format!("a row of {name}"));
                out.report(error.found(found), chunk, nth, field)?;
            }
        }
    }
    Ok(())
}

/// Position of a field that the schema has.
fn position<R: Row>(name: &str) -> usize {
    R::CATEGORY.field(name).unwrap_or(usize::MAX)
}

/// Numbers of polygons.
pub(super) fn polygons(out: &mut GameDataLintSink<'_, '_, '_>) -> Result<()> {
    count::<Building, BuildingPolygon>(out, "num_of_polygons")?;
    count::<Object, ObjectPolygon>(out, "polygon_num")
}

/// Compares a count of rows with the rows of `P` that have the id.
fn count<R: Row, P: Row>(out: &mut GameDataLintSink<'_, '_, '_>, name: &str) -> Result<()> {
    if !out.wants(&[&codes::POLYGONS]) {
        return Ok(());
    }
    let polygons = out.tables(P::CATEGORY.id)?;
    if polygons.is_empty() {
        return Ok(());
    }
    let mut counts: BTreeMap<u32, i64> = BTreeMap::new();
    for row in polygons.iter().flat_map(|(_, table)| table.rows()) {
        out.task.budget.steps(1)?;
        let count = counts.entry(row.id()).or_default();
        *count = count.saturating_add(1);
    }
    let field = position::<R>(name);
    for (chunk, table) in out.tables(R::CATEGORY.id)? {
        for (nth, row) in table.rows().enumerate() {
            let (stated, found) = (row.number(field), counts.get(&row.id()).copied().unwrap_or(0));
            if stated != found {
                let error = Error::new(&codes::POLYGONS).expected(format!("{found}"));
                out.report(error.found(stated.to_string()), chunk, nth, field)?;
            }
        }
    }
    Ok(())
}

/// Pairs of factions without a row.
pub(super) fn relations(out: &mut GameDataLintSink<'_, '_, '_>) -> Result<()> {
    if !out.wants(&[&codes::RELATION]) {
        return Ok(());
    }
    let tables = out.tables(FactionRelation::CATEGORY.id)?;
    let rows = || tables.iter().flat_map(|(_, table)| table.rows());
    let known: BTreeSet<(i64, i64)> = rows().map(|row| (row.number(0), row.number(1))).collect();
    let factions: BTreeSet<i64> = known.iter().map(|(faction, _)| *faction).collect();
    for (chunk, table) in &tables {
        let mut seen = BTreeSet::new();
        for (nth, row) in table.rows().enumerate() {
            let faction = row.number(0);
            if !seen.insert(faction) {
                continue;
            }
            out.task.budget.steps(factions.len() as u64)?;
            for other in factions.iter().filter(|other| !known.contains(&(faction, **other))) {
                let error = Error::new(&codes::RELATION).expected(format!("{faction}/{other}"));
                out.report(error, *chunk, nth, 0)?;
            }
        }
    }
    Ok(())
}

/// Units that wear nothing.
pub(super) fn equipment(out: &mut GameDataLintSink<'_, '_, '_>) -> Result<()> {
    if !out.wants(&[&codes::NO_EQUIPMENT]) {
        return Ok(());
    }
    let equipment = out.tables(UnitEquipment::CATEGORY.id)?;
    if equipment.is_empty() {
        return Ok(());
    }
    let known = ColumnValues::of(out, &equipment, 0, None)?;
    for (chunk, table) in out.tables(Unit::CATEGORY.id)? {
        for (nth, row) in table.rows().enumerate() {
            out.task.budget.steps(1)?;
            if !known.has(0, row.number(0)) {
                out.report(Error::new(&codes::NO_EQUIPMENT), chunk, nth, 0)?;
            }
        }
    }
    known.release(out);
    Ok(())
}
