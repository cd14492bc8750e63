//! Cells: the values of rows in every table, out of the bytes of a file and into them.

use super::column::{CategoryColumn, ColumnKind};
use serde::{Serialize, Serializer};
use spellforce::gamedata::{AnyRow, RowBuf};
use spelunk_core::{
    Error, Result, Seg, Val,
    text::{CodePages, until_nul},
    value::to_hex,
};
use spelunk_open::codes;
use std::{borrow::Cow, fmt::Write};

/// Number of bytes of long bytes that a cell shows.
const SHOWN_BYTES: usize = 256;

/// A value of a row: of tables that are filled, exported or imported, and of the result of a statement.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell<'a> {
    /// NULL.
    Null,
    /// A whole number.
    Integer(i64),
    /// A number in double precision.
    Real(f64),
    /// A text.
    Text(Cow<'a, str>),
    /// Bytes, and what is no text.
    Bytes(&'a [u8]),
}

impl Cell<'_> {
    /// The value of a field. Lists are JSON; bytes, versions, flags, hashes and GUIDs are text; of long bytes the first
    /// ones alone.
    pub(crate) fn of<'v>(value: &'v Val<'_>, pages: &'v CodePages) -> Cell<'v> {
        match value {
            Val::None => Cell::Null,
            Val::Bool(value) => (*value).into(),
            Val::U(number) | Val::Ref(number, _) => (*number).into(),
            Val::I(number) => Cell::Integer(*number),
            Val::F(number) => Cell::Real(f64::from(*number)),
            Val::Text(bytes) => Cell::Text(pages.show(until_nul(bytes))),
            Val::Str(text) => Cell::Text(Cow::Borrowed(text)),
            Val::Bytes(bytes) => {
                let shown = bytes.get(..SHOWN_BYTES).unwrap_or(bytes);
                Cell::Text(to_hex(shown).into())
            }
            Val::List(_) => Cell::Text(value.to_json(pages).to_string().into()),
            other => Cell::Text(other.to_string().into()),
        }
    }

    /// The value with its own copy of text. Bytes are none here.
    pub(crate) fn into_owned(self) -> Cell<'static> {
        match self {
            Cell::Null | Cell::Bytes(_) => Cell::Null,
            Cell::Integer(number) => Cell::Integer(number),
            Cell::Real(number) => Cell::Real(number),
            Cell::Text(text) => Cell::Text(text.into_owned().into()),
        }
    }

    /// Returns the size in bytes.
    pub(crate) fn len(&self) -> u64 {
        match self {
            Cell::Null => 1,
            Cell::Integer(_) | Cell::Real(_) => 9,
            Cell::Text(text) => text.len() as u64,
            Cell::Bytes(bytes) => bytes.len() as u64,
        }
    }
}

impl Serialize for Cell<'_> {
    /// Bytes are hexadecimal.
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Cell::Null => to.serialize_none(),
            Cell::Integer(number) => to.serialize_i64(*number),
            Cell::Real(number) => to.serialize_f64(*number),
            Cell::Text(text) => to.serialize_str(text),
            Cell::Bytes(bytes) => to.collect_str(&Val::Bytes((*bytes).into())),
        }
    }
}

impl From<u64> for Cell<'_> {
    /// SQLite's whole numbers are signed.
    fn from(number: u64) -> Self {
        i64::try_from(number).map_or(Cell::Real(number as f64), Cell::Integer)
    }
}

impl From<u32> for Cell<'_> {
    fn from(number: u32) -> Self {
        Cell::Integer(number.into())
    }
}

impl From<i32> for Cell<'_> {
    fn from(number: i32) -> Self {
        Cell::Integer(number.into())
    }
}

impl From<usize> for Cell<'_> {
    fn from(number: usize) -> Self {
        (number as u64).into()
    }
}

impl From<bool> for Cell<'_> {
    fn from(value: bool) -> Self {
        Cell::Integer(value.into())
    }
}

impl From<f64> for Cell<'_> {
    fn from(number: f64) -> Self {
        Cell::Real(number)
    }
}

impl<'a> From<&'a str> for Cell<'a> {
    fn from(text: &'a str) -> Self {
        Cell::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Cell<'_> {
    fn from(text: String) -> Self {
        Cell::Text(Cow::Owned(text))
    }
}

impl<'a> From<Cow<'a, str>> for Cell<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Cell::Text(text)
    }
}

impl<'a, T: Into<Cell<'a>>> From<Option<T>> for Cell<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Cell::Null, Into::into)
    }
}

/// The cell of a field, and whether its text stands for all of the bytes: written again it would give them.
pub fn of<'a>(row: &AnyRow<'a>, column: &CategoryColumn, pages: &CodePages) -> (Cell<'a>, bool) {
    match column.kind {
        ColumnKind::Text => {
            let (text, is_all) = text(row.field(column.field), pages);
            (Cell::Text(text), is_all)
        }
        ColumnKind::Json => (Cell::Text(corners(row).into()), true),
        ColumnKind::Hex => (Cell::Text(to_hex(row.field(column.field)).into()), true),
        _ => (Cell::Integer(row.number(column.field)), true),
    }
}

/// The text of a field, and whether it stands for all of its bytes.
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

/// The text of a field, however much of its bytes it stands for.
pub fn decoded<'a>(bytes: &'a [u8], pages: &CodePages) -> Cow<'a, str> {
    let stored = until_nul(bytes);
    pages.decode(stored).unwrap_or_else(|| pages.show(stored))
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

/// Puts a cell of hexadecimal digits into a field of bytes. Nothing, as a new row of a database has it, stands for zeros.
///
/// # Errors
/// [`CELL_VALUE`](codes::CELL_VALUE) where it is none, or the bytes are not as many as the field has.
pub fn put_hex(row: &mut RowBuf, field: usize, cell: &Cell<'_>) -> Result<()> {
    let text = text_of(cell)?;
    if text.is_empty() {
        return Ok(());
    }
    let set = row.set_value(field, None, &Val::from(text));
    set.map_err(|error| error.with_code(&codes::CELL_VALUE))
}

/// Puts a cell into a field of a number. Text is a number or what people write for one, such as names of flags.
///
/// # Errors
/// [`CELL_VALUE`](codes::CELL_VALUE) where it is none; what the field cannot hold.
pub fn put_number(row: &mut RowBuf, field: usize, cell: &Cell<'_>) -> Result<()> {
    let number = match cell {
        Cell::Integer(number) => Some(*number),
        Cell::Text(text) => text.trim().parse().ok(),
        Cell::Null | Cell::Real(_) | Cell::Bytes(_) => None,
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
        Cell::Null => "nothing".to_owned(),
        Cell::Integer(number) => number.to_string(),
        Cell::Real(number) => number.to_string(),
        Cell::Bytes(bytes) => format!("{} bytes", bytes.len()),
        Cell::Text(text) => match text.char_indices().nth(60) {
            Some((end, _)) => format!("`{}...`", text.get(..end).unwrap_or_default()),
            None => format!("`{text}`"),
        },
    };
    Error::new(&codes::CELL_VALUE).expected(expected).found(found)
}
