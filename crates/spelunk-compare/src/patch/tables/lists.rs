//! Lists of maps: records by their positions.

use super::{elsewhere::RowList, form::RowChange};
use crate::{decide::Version, diff, patch::form::bad};
use serde_json::{Map, Value, json};
use similar::DiffOp;
use spellforce::cff::List;
use spelunk_core::{
    Budget, Error, Field, Record, Result, Task, Ty,
    field::Slot,
    text::{CodePages, until_nul},
    value::{hex, to_hex},
};
use spelunk_open::codes;
use std::collections::BTreeMap;

/// Returns the changes that make one list the other one. Records that stay are those that are the same; where both lists are of
/// one length, a record that is replaced in its place is changed.
pub(super) fn changes(old: &List, new: &List, budget: &mut Budget) -> Result<Vec<RowChange>> {
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
                let set = Some(fields(&old.slots(), was, is));
                changes.push(RowChange { key: key(nth), set, ..RowChange::default() });
            }
            continue;
        }
        for nth in olds {
            let remove = before.get(nth).map(|row| fields_of(&old.slots(), row));
            changes.push(RowChange { key: key(nth), remove, ..RowChange::default() });
        }
        for nth in news {
            let add = after.get(nth).map(|row| fields_of(&new.slots(), row));
            changes.push(RowChange { key: key(nth), add, ..RowChange::default() });
        }
    }
    Ok(changes)
}

/// Returns the fields of a record that change.
fn fields(slots: &[Slot], old: &[u8], new: &[u8]) -> BTreeMap<String, [Value; 2]> {
    let (old, new) = (fields_of(slots, old), fields_of(slots, new));
    let both = old.into_iter().zip(new).filter(|((_, was), (_, is))| was != is);
    both.map(|((name, was), (_, is))| (name, [was, is])).collect()
}

/// All fields of a record.
fn fields_of(slots: &[Slot], row: &[u8]) -> Map<String, Value> {
    let fields = slots.iter().map(|slot| {
        let bytes = row.get(slot.range()).unwrap_or_default();
        (slot.field.name.to_owned(), value(&slot.field, bytes))
    });
    fields.collect()
}

/// A value, from which its bytes can be made again.
pub(crate) fn value(field: &Field, bytes: &[u8]) -> Value {
    let written = field.to_json(&field.ty.decode(bytes), &CodePages::cp1252());
    match stored(field, &written, bytes) {
        Ok(again) if again == bytes => written,
        _ => json!({ "hex": to_hex(bytes) }),
    }
}

/// The bytes of a value that takes the place of others.
fn stored(field: &Field, written: &Value, old: &[u8]) -> Result<Vec<u8>> {
    let size = old.len();
    let wrong = || bad(format!("{written} for {}", field.name));
    let bytes = match (written, field.ty) {
        (Value::Object(map), _) if map.contains_key("hex") => {
            map["hex"].as_str().and_then(hex).ok_or_else(wrong)?
        }
        (Value::String(text), Ty::Text) => {
            let mut bytes = CodePages::cp1252().encode(text).ok_or_else(wrong)?;
            if bytes.len() > size || until_nul(&bytes).len() != bytes.len() {
                return Err(wrong());
            }
            bytes.resize(size, 0);
            bytes
        }
        _ => {
            let bytes = field.from_json(written).and_then(|value| field.encode(&value, &[]));
            bytes.map_err(|error| error.with_code(&codes::BAD_PATCH))?
        }
    };
    if bytes.len() == size { Ok(bytes) } else { Err(wrong()) }
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

fn position(change: &RowChange) -> Result<usize> {
    match change.key.as_slice() {
        [position] if change.nth == 0 => Ok(*position as usize),
        key => Err(bad(format!("the position {key:?}"))),
    }
}

/// Makes the changes to the list that they were made from.
///
/// # Errors
/// [`BAD_PATCH`](spelunk_open::codes::BAD_PATCH) where a record is not there.
pub(super) fn make(list: &mut List, changes: &[RowChange]) -> Result<()> {
    let (record, slots) = (list.record(), list.slots());
    let none = |nth: usize| bad(format!("no record {nth} of {}", record.name));
    for change in changes {
        let nth = position(change)?;
        for (name, [_, new]) in change.set.iter().flatten() {
            put((record, &slots), list.row_mut(nth).ok_or_else(|| none(nth))?, name, new)?;
        }
    }
    // Positions of what goes are those before anything went, of what comes those when all is there.
    for change in changes.iter().rev().filter(|change| change.remove.is_some()) {
        let nth = position(change)?;
        list.remove(nth).map_err(|_| none(nth))?;
    }
    for change in changes {
        if let Some(fields) = &change.add {
            let new = row(list, fields)?;
            list.insert(position(change)?, &new)?;
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
        _: &mut Task<'_>,
    ) -> Result<Option<usize>> {
        let nth = position(change)?;
        let Some(stated) = stated else { return Ok(Some(nth)) };
        let here = Some(nth).filter(|nth| self.0.row(*nth) == Some(stated));
        Ok(here.or_else(|| self.0.rows().position(|known| known == stated)))
    }

    fn row(&self, nth: usize) -> Option<Vec<u8>> {
        self.0.row(nth).map(<[u8]>::to_vec)
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

    fn set(&mut self, nth: usize, row: Vec<u8>) {
        if let Some(place) = self.0.row_mut(nth) {
            place.copy_from_slice(&row);
        }
    }
}
