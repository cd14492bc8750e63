//! Values of rows as patches have them, and back.

use super::form::Pages;
use crate::patch::form::bad;
use serde_json::{Map, Value, json};
use spellforce::gamedata::{AnyRow, Category, Languages, RowBuf};
use spelunk_core::{Error, Result, Ty, Val, text::CodePages, value::to_hex};
use std::{borrow::Cow, collections::BTreeMap};

/// The corners of a polygon.
pub(super) const CORNERS: &str = "corners";

/// The code pages of texts, by slot.
#[derive(Default)]
pub(super) struct Slots(BTreeMap<u8, CodePages>);

impl Slots {
    /// Returns the code pages of a file.
    pub(super) fn of(languages: &Languages) -> Slots {
        Slots(languages.all().map(|it| (it.slot, it.pages.clone())).collect())
    }

    /// Reads the code pages of a patch.
    ///
    /// # Errors
    /// [`CODE_PAGE`](spelunk_core::codes::CODE_PAGE).
    pub(super) fn parse(pages: &Pages) -> Result<Slots> {
        let page = |(slot, label): (&u8, &String)| Ok((*slot, CodePages::from_labels(label)?));
        pages.iter().map(page).collect::<Result<_>>().map(Slots)
    }

    /// Returns the pages as a patch has them.
    pub(super) fn to_pages(&self) -> Pages {
        self.0.iter().map(|(slot, pages)| (*slot, pages.to_string())).collect()
    }

    fn pages(&self, row: &AnyRow<'_>, field: usize) -> Cow<'_, CodePages> {
        match row.slot(field).and_then(|slot| self.0.get(&slot)) {
            Some(pages) => Cow::Borrowed(pages),
            None => Cow::Owned(CodePages::cp1252()),
        }
    }
}

/// The value of a field.
pub(super) fn value(row: &AnyRow<'_>, field: usize, slots: &Slots) -> Value {
    match row.category().fields().get(field).map(|slot| slot.field.ty) {
        Some(Ty::Text) => {}
        Some(Ty::Bytes) => return to_hex(row.field(field)).into(),
        _ => return row.number(field).into(),
    }
    let bytes = row.field(field);
    let known = spelunk_core::text::until_nul(bytes);
    let pages = slots.pages(row, field);
    let text = pages.decode(known).filter(|_| row.tail(field).is_none());
    let text = text.filter(|text| pages.encode(text).is_some_and(|again| again == known));
    match text {
        Some(text) => text.into_owned().into(),
        None => {
            let end =
                bytes.iter().rposition(|byte| *byte != 0).map_or(0, |at| at.saturating_add(1));
            let stored = Val::Bytes(bytes.get(..end).unwrap_or_default().into());
            json!({ "hex": stored.to_string() })
        }
    }
}

/// The corners of a polygon.
pub(super) fn corners(row: &AnyRow<'_>) -> Value {
    row.corners().map(|[x, y]| json!([x, y])).collect()
}

/// All fields of a row.
pub(super) fn fields(row: &AnyRow<'_>, slots: &Slots) -> Map<String, Value> {
    let named = row.category().fields().iter().enumerate();
    let mut fields: Map<String, Value> =
        named.map(|(nth, slot)| (slot.field.name.to_owned(), value(row, nth, slots))).collect();
    if row.category().is_polygons() {
        fields.insert(CORNERS.to_owned(), corners(row));
    }
    fields
}

/// Puts a value into a field.
///
/// # Errors
/// [`BAD_PATCH`](spelunk_open::codes::BAD_PATCH) for a value of another kind; what the field cannot hold.
pub(super) fn put(row: &mut RowBuf, name: &str, value: &Value, slots: &Slots) -> Result<()> {
    let category = row.row().category();
    let wrong = || bad(format!("{value} for {} of {}", name, category.table));
    if name == CORNERS {
        let corners: Vec<[i16; 2]> = serde_json::from_value(value.clone()).map_err(|_| wrong())?;
        return row.set_corners(&corners);
    }
    let field = category.field(name).ok_or_else(wrong)?;
    let slot = category.fields().get(field).ok_or_else(wrong)?;
    match value {
        Value::Number(_) | Value::String(_) if slot.field.ty != Ty::Text => {
            let value = slot.field.from_json(value);
            let value = value.map_err(|error| {
                error.with_code(&spelunk_open::codes::BAD_PATCH).field(slot.field.name)
            })?;
            row.set_value(field, None, &value)
        }
        Value::String(text) => {
            let pages = slots.pages(&row.row(), field).into_owned();
            row.set_text(field, text, &pages, true)
        }
        Value::Object(map) => {
            let bytes = map.get("hex").and_then(Value::as_str).and_then(spelunk_core::value::hex);
            row.set_bytes(field, &bytes.ok_or_else(wrong)?, true)
        }
        _ => Err(wrong()),
    }
}

/// The row that these fields make.
///
/// # Errors
/// [`BAD_PATCH`](spelunk_open::codes::BAD_PATCH) where fields are missing; those of [`put`].
pub(super) fn row(
    category: &'static Category,
    fields: &Map<String, Value>,
    slots: &Slots,
) -> Result<RowBuf> {
    let mut row = RowBuf::new(category);
    // In the order of the fields, since the slot of a text decides its code page.
    for slot in category.fields() {
        let name = slot.field.name;
        let value = fields.get(name).ok_or_else(|| lacks(name, category))?;
        put(&mut row, name, value, slots)?;
    }
    if category.is_polygons() {
        put(
            &mut row,
            CORNERS,
            fields.get(CORNERS).ok_or_else(|| lacks(CORNERS, category))?,
            slots,
        )?;
    }
    Ok(row)
}

fn lacks(name: &str, category: &Category) -> Error {
    bad(format!("a row of {} without {name}", category.table))
}
