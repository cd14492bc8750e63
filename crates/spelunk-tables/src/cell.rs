//! Cells: the values of fields as tables hold them, out of the bytes of rows and into them.

use super::column::{Column, Kind};
use spellforce::gamedata::{AnyRow, RowBuf};
use spelunk_core::{
    Error, Result, Seg, Val,
    text::{CodePages, until_nul},
};
use spelunk_open::codes;
use std::{borrow::Cow, fmt::Write};

/// A cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cell<'a> {
    /// Nothing, which no field holds.
    None,
    /// A number.
    Number(i64),
    /// A text, or the corners of a polygon.
    Text(Cow<'a, str>),
}

/// The number of a cell, and what text tells of the bytes of its field.
pub fn of<'a>(row: &AnyRow<'a>, column: &Column, pages: &CodePages) -> (Cell<'a>, bool) {
    match column.kind {
        Kind::Text => {
            let (text, is_all) = text(row.field(column.field), pages);
            (Cell::Text(text), is_all)
        }
        Kind::Corners => (Cell::Text(corners(row).into()), true),
        Kind::Number => (Cell::Number(row.number(column.field)), true),
    }
}

/// The text of a field, and whether it tells all of its bytes: written again it would give them.
pub fn text<'a>(bytes: &'a [u8], pages: &CodePages) -> (Cow<'a, str>, bool) {
    let stored = until_nul(bytes);
    let tail = bytes.get(stored.len()..).unwrap_or_default();
    let is_ended = !tail.is_empty() && is_zero(tail);
    match pages.decode(stored) {
        Some(text) => {
            // What is ASCII on both sides comes back as it is.
            let is_plain = matches!(text, Cow::Borrowed(_)) && stored.is_ascii();
            let is_all = is_plain || pages.encode(&text).as_deref() == Some(stored);
            (text, is_all && is_ended)
        }
        None => (pages.show(stored), false),
    }
}

/// Whether there is nothing but zeros. Sixteen bytes at a time: fields of texts are long, and mostly empty.
fn is_zero(bytes: &[u8]) -> bool {
    bytes.chunks(16).all(|part| part.iter().fold(0, |all, byte| all | byte) == 0)
}

/// The corners of a polygon as JSON.
fn corners(row: &AnyRow<'_>) -> String {
    let mut text = String::from("[");
    for (nth, [x, y]) in row.corners().enumerate() {
        let comma = if nth == 0 { "" } else { "," };
        let _ = write!(text, "{comma}[{x},{y}]");
    }
    text.push(']');
    text
}

/// Puts a cell into a field of a number. Text is a number or what people write for one, such as names of flags.
///
/// # Errors
/// [`CELL_VALUE`](codes::CELL_VALUE) where it is none; what the field cannot hold.
pub fn put_number(row: &mut RowBuf, field: usize, cell: &Cell<'_>) -> Result<()> {
    let number = match cell {
        Cell::Number(number) => Some(*number),
        Cell::Text(text) => text.trim().parse().ok(),
        Cell::None => None,
    };
    match (number, cell) {
        (Some(number), _) => row.set_number(field, number),
        (None, Cell::Text(text)) => {
            let set = row.set_value(field, None, &Val::from(text.as_ref()));
            set.map_err(|error| error.with_code(&codes::CELL_VALUE))
        }
        (None, _) => {
            let error = unfit("a number", cell);
            Err(match row.row().category().fields().get(field) {
                Some(slot) => error.within(Seg::Field(slot.field.name)),
                None => error,
            })
        }
    }
}

/// The text of a cell.
///
/// # Errors
/// [`CELL_VALUE`](codes::CELL_VALUE) where it is none.
pub fn text_of<'c>(cell: &'c Cell<'_>) -> Result<&'c str> {
    match cell {
        Cell::Text(text) => Ok(text),
        _ => Err(unfit("a text", cell)),
    }
}

/// The corners of a polygon.
///
/// # Errors
/// [`CELL_VALUE`](codes::CELL_VALUE).
pub fn corners_of(cell: &Cell<'_>) -> Result<Vec<[i16; 2]>> {
    let corners = match cell {
        Cell::Text(text) => serde_json::from_str(text).ok(),
        _ => None,
    };
    corners.ok_or_else(|| unfit("corners as [[x,y],...], of numbers of -32768 to 32767", cell))
}

#[cold]
fn unfit(expected: &'static str, cell: &Cell<'_>) -> Error {
    let found = match cell {
        Cell::None => "nothing".to_owned(),
        Cell::Number(number) => number.to_string(),
        Cell::Text(text) => match text.char_indices().nth(60) {
            Some((end, _)) => format!("`{}...`", text.get(..end).unwrap_or_default()),
            None => format!("`{text}`"),
        },
    };
    Error::new(&codes::CELL_VALUE).expected(expected).found(found)
}
