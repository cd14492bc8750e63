//! Records of maps whose parts have no fixed places: by the paths of their fields.
//!
//! What a record has in one version alone is null in the other one, so that parts of it come and go with what they hold.

use super::{
    closest::{self, Known},
    elsewhere::RowList,
    field::value,
    form::RowChange,
};
use crate::{decide::Version, patch::form::bad};
use serde_json::{Map, Value};
use spellforce::{cff::List, map2::Structure};
use spelunk_core::{
    Field, Result, Task, Ty,
    text::{CodePages, until_nul},
    value::hex,
};

/// All fields of a record.
///
/// # Errors
/// Limits.
pub(super) fn fields_of(
    structure: &'static Structure,
    row: &[u8],
    task: &mut Task<'_>,
) -> Result<Map<String, Value>> {
    task.transient(|task| {
        let fields = structure.fields(row, task)?.into_iter();
        let named = fields.map(|field| {
            let bytes = row.get(field.at).unwrap_or_default();
            (field.path, value(&field.field, bytes))
        });
        Ok(named.collect())
    })
}

/// The bytes of a value.
fn bytes_of(field: &Field, written: &Value) -> Result<Vec<u8>> {
    let wrong = || bad(format!("{written} for {}", field.name));
    match (written, field.ty) {
        (Value::Object(map), _) => {
            map.get("hex").and_then(Value::as_str).and_then(hex).ok_or_else(wrong)
        }
        (Value::String(text), Ty::Text) => {
            let bytes = CodePages::cp1252().encode(text);
            bytes.filter(|bytes| until_nul(bytes).len() == bytes.len()).ok_or_else(wrong)
        }
        _ => field.from_json(written).and_then(|value| field.encode(&value, &[])),
    }
}

/// The record that these fields make.
///
/// # Errors
/// [`BAD_PATCH`](spelunk_open::codes::BAD_PATCH) where they make none.
pub(super) fn row(structure: &Structure, fields: &Map<String, Value>) -> Result<Vec<u8>> {
    let mut taken = 0_usize;
    let row = structure.encode(&mut |path, field| {
        let lacks = || bad(format!("a record of {} without {path}", structure.record.name));
        let bytes = bytes_of(field, fields.get(path).ok_or_else(lacks)?)?;
        taken = taken.saturating_add(1);
        Ok(bytes)
    });
    let row = row.map_err(|error| error.with_code(&spelunk_open::codes::BAD_PATCH))?;
    if taken < fields.len() {
        return Err(bad(format!("a record of {} with fields too many", structure.record.name)));
    }
    Ok(row)
}

/// Records of such a list that a patch is made to: one that changes in its place, one that goes wherever it is, and one that comes
/// behind all.
pub(super) struct StructureList<'l> {
    pub(super) list: &'l mut List,
    pub(super) structure: &'static Structure,
}

impl RowList for StructureList<'_> {
    type Row = Map<String, Value>;

    const ROW: &'static str = "record";

    fn find(
        &self,
        change: &RowChange,
        stated: Option<&Map<String, Value>>,
        task: &mut Task<'_>,
    ) -> Result<Option<usize>> {
        let nth = change.position()?;
        let exact = |fields: &Map<String, Value>| row(self.structure, fields);
        if let Some(stated) = stated {
            return Ok(Known::exact(self.list, nth, &exact(stated)?));
        }
        let Some([was, is]) = change.whole() else { return Ok(Some(nth)) };
        let known = Known { versions: [exact(&was)?, exact(&is)?], kept: change.kept.as_ref() };
        known.find(self.list, nth, task, |row, task| fields_of(self.structure, row, task))
    }

    fn row(&self, nth: usize, task: &mut Task<'_>) -> Result<Option<Map<String, Value>>> {
        self.list.row(nth).map(|row| fields_of(self.structure, row, task)).transpose()
    }

    fn made(&self, fields: &Map<String, Value>, _: Version) -> Result<Map<String, Value>> {
        row(self.structure, fields).map(|_| fields.clone())
    }

    fn put(
        &self,
        row: &mut Map<String, Value>,
        name: &str,
        value: &Value,
        _: Version,
    ) -> Result<()> {
        closest::put(row, name, value);
        Ok(())
    }

    fn shown(&self, row: &Map<String, Value>, name: &str) -> String {
        row.get(name).cloned().unwrap_or_default().to_string()
    }

    fn add(&mut self, fields: Map<String, Value>) -> Result<()> {
        self.list.insert(self.list.len(), &row(self.structure, &fields)?)
    }

    fn remove(&mut self, nth: usize) -> Result<()> {
        self.list.remove(nth)
    }

    fn set(&mut self, nth: usize, fields: Map<String, Value>) -> Result<()> {
        self.list.replace(nth, &row(self.structure, &fields)?)
    }
}
