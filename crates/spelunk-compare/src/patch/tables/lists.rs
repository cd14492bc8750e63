//! Lists of maps: records by their positions.

use super::{
    closest::{self, Known},
    elsewhere::RowList,
    field::{stored, value},
    form::RowChange,
    structures,
};
use crate::{decide::Version, diff, patch::form::bad};
use serde_json::{Map, Value};
use similar::DiffOp;
use spellforce::cff::List;
use spelunk_core::{Budget, Error, Record, Result, Task, field::Slot};
use std::collections::BTreeMap;

/// Returns the changes that make one list the other one. Records that stay are those that are the same; where both lists are of
/// one length, a record that is replaced in its place is changed. `None` where a record does not come back from its fields.
pub(super) fn changes(
    old: &List,
    new: &List,
    task: &mut Task<'_>,
) -> Result<Option<Vec<RowChange>>> {
    let budget = &mut task.budget;
    let rows = |list: &'_ List, budget: &mut Budget| {
        budget.memory((list.len() as u64).saturating_mul(size_of::<&[u8]>() as u64))
    };
    rows(old, budget)?;
    rows(new, budget)?;
    let [before, after]: [Vec<&[u8]>; 2] = [old.rows().collect(), new.rows().collect()];
    let mut changes = Vec::new();
    let key = |nth: usize| vec![u32::try_from(nth).unwrap_or(u32::MAX)];
    for op in diff::operations(&before, &after) {
        let (_, olds, news) = op.as_tag_tuple();
        if let DiffOp::Equal { .. } = op {
            continue;
        }
        if olds == news && before.len() == after.len() {
            for (nth, (was, is)) in olds.clone().zip(before.iter().zip(&after).skip(olds.start)) {
                let Some((was, is)) = of_list(old, was, task)?.zip(of_list(new, is, task)?) else {
                    return Ok(None);
                };
                let (set, kept) = fields(was, is);
                // The one record that a chunk is needs nothing to be found by.
                let kept = Some(kept).filter(|_| !old.is_fixed());
                changes.push(RowChange {
                    key: key(nth),
                    set: Some(set),
                    kept,
                    ..RowChange::default()
                });
            }
            continue;
        }
        for row in olds.filter_map(|nth| Some((nth, before.get(nth)?))) {
            let Some(remove) = of_list(old, row.1, task)?.map(Some) else { return Ok(None) };
            changes.push(RowChange { key: key(row.0), remove, ..RowChange::default() });
        }
        for row in news.filter_map(|nth| Some((nth, after.get(nth)?))) {
            let Some(add) = of_list(new, row.1, task)?.map(Some) else { return Ok(None) };
            changes.push(RowChange { key: key(row.0), add, ..RowChange::default() });
        }
    }
    Ok(Some(changes))
}

/// All fields of a record of a list; `None` where it does not come back from these.
fn of_list(list: &List, row: &[u8], task: &mut Task<'_>) -> Result<Option<Map<String, Value>>> {
    let fields = match list.structure() {
        None => fields_of(&list.slots(), row),
        Some(structure) => {
            let fields = structures::fields_of(structure, row, task)?;
            if structures::row(structure, &fields).is_ok_and(|again| again == row) {
                fields
            } else {
                return Ok(None);
            }
        }
    };
    let size = |(name, value): (&String, &Value)| {
        let text = value.as_str().map_or(0, str::len);
        name.len().saturating_add(text).saturating_add(2 * size_of::<Value>())
    };
    let held = fields.iter().map(size).fold(0, usize::saturating_add);
    task.budget.memory(held as u64)?;
    Ok(Some(fields))
}

/// Fields that change, with their values before and after, and those that stay.
type Compared = (BTreeMap<String, [Value; 2]>, Map<String, Value>);

/// Compares the fields of a record.
fn fields(old: Map<String, Value>, mut new: Map<String, Value>) -> Compared {
    let (mut set, mut kept) = (BTreeMap::new(), Map::new());
    for (name, was) in old {
        match new.remove(&name).unwrap_or_default() {
            is if is == was => drop(kept.insert(name, was)),
            is => drop(set.insert(name, [was, is])),
        }
    }
    set.extend(new.into_iter().map(|(name, is)| (name, [Value::Null, is])));
    (set, kept)
}

/// All fields of a record.
fn fields_of(slots: &[Slot], row: &[u8]) -> Map<String, Value> {
    let fields = slots.iter().map(|slot| {
        let bytes = row.get(slot.range()).unwrap_or_default();
        (slot.field.name.to_owned(), value(&slot.field, bytes))
    });
    fields.collect()
}

/// Puts a value into a field of a record.
///
/// # Errors
/// [`BAD_PATCH`](spelunk_open::codes::BAD_PATCH).
fn put(
    (record, slots): (&Record, &[Slot]),
    row: &mut [u8],
    name: &str,
    written: &Value,
) -> Result<()> {
    let slot = slots.iter().find(|slot| slot.field.name == name);
    let place = slot.and_then(|slot| Some((slot, row.get_mut(slot.range())?)));
    let (slot, place) =
        place.ok_or_else(|| bad(format!("{written} for {name} of {}", record.name)))?;
    let bytes = stored(&slot.field, written, place);
    let within = |error: Error| error.field(slot.field.name).field(record.name);
    place.copy_from_slice(&bytes.map_err(within)?);
    Ok(())
}

/// The record that these fields make.
fn row(list: &List, fields: &Map<String, Value>) -> Result<Vec<u8>> {
    let (record, slots) = (list.record(), list.slots());
    let mut row = vec![0; list.size()];
    for slot in &slots {
        let name = slot.field.name;
        let lacks = || bad(format!("a record of {} without {name}", record.name));
        put((record, &slots), &mut row, name, fields.get(name).ok_or_else(lacks)?)?;
    }
    Ok(row)
}

/// Makes the changes to the list that they were made from.
///
/// # Errors
/// [`BAD_PATCH`](spelunk_open::codes::BAD_PATCH) where a record is not there.
pub(super) fn make(list: &mut List, changes: &[RowChange], task: &mut Task<'_>) -> Result<()> {
    let (record, structure, slots) = (list.record(), list.structure(), list.slots());
    let none = |nth: usize| bad(format!("no record {nth} of {}", record.name));
    for change in changes {
        let Some(set) = &change.set else { continue };
        let nth = change.position()?;
        let row = list.row_mut(nth).ok_or_else(|| none(nth))?;
        if let Some(structure) = structure {
            let mut fields = structures::fields_of(structure, row, task)?;
            for (name, [_, new]) in set {
                closest::put(&mut fields, name, new);
            }
            list.replace(nth, &structures::row(structure, &fields)?)?;
            continue;
        }
        for (name, [_, new]) in set {
            put((record, &slots), row, name, new)?;
        }
    }
    // Positions of what goes are those before anything went, of what comes those when all is there.
    for change in changes.iter().rev().filter(|change| change.remove.is_some()) {
        let nth = change.position()?;
        list.remove(nth).map_err(|_| none(nth))?;
    }
    for change in changes {
        if let Some(fields) = &change.add {
            let row = match structure {
                None => row(list, fields),
                Some(structure) => structures::row(structure, fields),
            };
            list.insert(change.position()?, &row?)?;
        }
    }
    Ok(())
}

/// Records of a list that a patch is made to: one that changes in its place, one that goes wherever it is, and one that comes behind
/// all.
pub(super) struct RecordList<'l>(pub(super) &'l mut List);

impl RowList for RecordList<'_> {
    type Row = Vec<u8>;

    const ROW: &'static str = "record";

    fn find(
        &self,
        change: &RowChange,
        stated: Option<&Vec<u8>>,
        task: &mut Task<'_>,
    ) -> Result<Option<usize>> {
        let nth = change.position()?;
        if let Some(stated) = stated {
            return Ok(Known::exact(self.0, nth, stated));
        }
        let Some([was, is]) = change.whole() else { return Ok(Some(nth)) };
        let slots = self.0.slots();
        let versions = [row(self.0, &was)?, row(self.0, &is)?];
        let known = Known { versions, kept: change.kept.as_ref() };
        known.find(self.0, nth, task, |row, _| Ok(fields_of(&slots, row)))
    }

    fn row(&self, nth: usize, _: &mut Task<'_>) -> Result<Option<Vec<u8>>> {
        Ok(self.0.row(nth).map(<[u8]>::to_vec))
    }

    fn made(&self, fields: &Map<String, Value>, _: Version) -> Result<Vec<u8>> {
        row(self.0, fields)
    }

    fn put(&self, row: &mut Vec<u8>, name: &str, value: &Value, _: Version) -> Result<()> {
        put((self.0.record(), &self.0.slots()), row, name, value)
    }

    fn shown(&self, row: &Vec<u8>, name: &str) -> String {
        let value = fields_of(&self.0.slots(), row).remove(name);
        value.unwrap_or_default().to_string()
    }

    fn add(&mut self, row: Vec<u8>) -> Result<()> {
        self.0.insert(self.0.len(), &row)
    }

    fn remove(&mut self, nth: usize) -> Result<()> {
        self.0.remove(nth)
    }

    fn set(&mut self, nth: usize, row: Vec<u8>) -> Result<()> {
        self.0.replace(nth, &row)
    }
}
