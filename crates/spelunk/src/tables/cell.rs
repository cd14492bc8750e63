//! Cells: the values of fields as tables hold them, out of the bytes of rows and into them.

use super::column::{Column, Kind};
use crate::{
    Error, Result, codes,
    text::{CodePages, until_nul},
};
use spellforce::gamedata::AnyRow;
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
        Kind::Unsigned | Kind::Signed => (Cell::Number(row.number(column.field)), true),
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

/// Puts a number into its field.
///
/// # Errors
/// [`CELL_VALUE`](codes::CELL_VALUE) where it is no number, or none that the field holds.
pub fn put_number(cell: &Cell<'_>, column: &Column, row: &mut [u8]) -> Result<()> {
    let (least, most) = column.range();
    let number = match cell {
        Cell::Number(number) => Some(*number),
        Cell::Text(text) => text.trim().parse().ok(),
        Cell::None => None,
    };
    let number = number
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| unfit(format!("a number of {least} to {most}"), cell))?;
    put(row, column, number.to_le_bytes().get(..column.size).unwrap_or_default());
    Ok(())
}

/// Puts a text into its field: in its code page, with zeros behind it.
///
/// # Errors
/// [`CELL_VALUE`](codes::CELL_VALUE) where it is no text; [`CELL_CHARACTER`](codes::CELL_CHARACTER);
/// [`CELL_LENGTH`](codes::CELL_LENGTH).
pub fn put_text(cell: &Cell<'_>, column: &Column, pages: &CodePages, row: &mut [u8]) -> Result<()> {
    let Cell::Text(text) = cell else { return Err(unfit("a text".to_owned(), cell)) };
    let encoded = match text.contains('\0') {
        true => None,
        false => pages.encode(text),
    };
    let encoded = encoded.ok_or_else(|| {
        let is_foreign =
            |c: &char| *c == '\0' || pages.encode(c.encode_utf8(&mut [0; 4])).is_none();
        let found = match text.chars().enumerate().find(|(_, c)| is_foreign(c)) {
            Some((nth, c)) => {
                format!("{c:?} (U+{:04X}), character {}", u32::from(c), nth.saturating_add(1))
            }
            None => format!("`{}`", shortened(text)),
        };
        Error::new(&codes::CELL_CHARACTER).expected(format!("characters of {pages}")).found(found)
    })?;
    if encoded.len() >= column.size {
        let most = column.size.saturating_sub(1);
        return Err(Error::new(&codes::CELL_LENGTH)
            .expected(format!("at most {most} bytes"))
            .found(format!("{} bytes: `{}`", encoded.len(), shortened(text))));
    }
    put(row, column, &encoded);
    Ok(())
}

/// Puts bytes to where a field starts.
pub fn put(row: &mut [u8], column: &Column, bytes: &[u8]) {
    if let Some((_, field)) = row.split_at_mut_checked(column.offset)
        && let Some(field) = field.get_mut(..bytes.len())
    {
        field.copy_from_slice(bytes);
    }
}

/// Reads the corners of a polygon: their bytes, and how many they are.
///
/// # Errors
/// [`CELL_VALUE`](codes::CELL_VALUE).
pub fn put_corners(cell: &Cell<'_>, row: &mut Vec<u8>) -> Result<()> {
    let corners: Option<Vec<[i16; 2]>> = match cell {
        Cell::Text(text) => serde_json::from_str(text).ok(),
        _ => None,
    };
    let corners = corners.and_then(|corners| Some((u8::try_from(corners.len()).ok()?, corners)));
    let (count, corners) = corners.ok_or_else(|| {
        unfit("up to 255 corners as [[x,y],...], of numbers of -32768 to 32767".to_owned(), cell)
    })?;
    if let Some(last) = row.last_mut() {
        *last = count;
    }
    row.extend(corners.iter().flatten().flat_map(|number| number.to_le_bytes()));
    Ok(())
}

#[cold]
fn unfit(expected: String, cell: &Cell<'_>) -> Error {
    let found = match cell {
        Cell::None => "nothing".to_owned(),
        Cell::Number(number) => number.to_string(),
        Cell::Text(text) => format!("`{}`", shortened(text)),
    };
    Error::new(&codes::CELL_VALUE).expected(expected).found(found)
}

/// As much of a text as a message holds.
fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()).into(),
        None => text.into(),
    }
}
