//! How rows of the tables look.

use spelunk::{Field, Record, core::value::BitField};

/// What a row of a table says.
pub struct Row {
    /// The name in JSON.
    pub name: &'static str,
    /// How it is stored.
    pub ty: String,
    /// Of its value.
    pub unit: &'static str,
    /// What it is.
    pub about: String,
}

impl Row {
    /// A field.
    pub fn of(field: &Field, ty: &str) -> Row {
        Row { name: field.name, ty: ty.to_owned(), unit: field.unit, about: cell(field.doc) }
    }

    /// A group of fields.
    pub fn group(record: &Record, ty: &str) -> Row {
        Row { name: record.name, ty: ty.to_owned(), unit: "", about: cell(record.doc) }
    }
}

/// Text as it may stand in a table and outside of code.
pub fn cell(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(nth, part)| {
        let part = part.replace('|', "\\|").replace('\n', " ");
        // Every second part is code.
        if nth % 2 == 0 { part.replace('<', "&lt;").replace('*', "\\*") } else { part }
    });
    parts.collect::<Vec<_>>().join("`")
}

/// The names of values and bits, and the parts of packed words, as sentences behind others.
pub fn values(field: &Field) -> String {
    let named = |(value, name): &(i64, &str)| format!("{value} {}", cell(name));
    let bit = |(mask, name): &(u32, &str)| format!("`{mask:#x}` {}", cell(name));
    let list = |names: Vec<String>, what| {
        if names.is_empty() { String::new() } else { format!(" {what}: {}.", names.join(", ")) }
    };
    let values = list(field.values.iter().map(named).collect(), "Values");
    let bits = list(field.bits.iter().map(bit).collect(), "Bits");
    let parts: String = field.parts.iter().map(|part| format!(" {}", self::part(part))).collect();
    values + &bits + &parts
}

/// A part of a packed word, as a sentence: its bits, what it is, and the names of its values.
fn part(part: &BitField) -> String {
    let BitField { shift, width, field } = part;
    let last = shift + width - 1;
    let bits = if *width == 1 { format!("Bit {shift}") } else { format!("Bits {shift} to {last}") };
    let unit = if field.unit.is_empty() { String::new() } else { format!(" In {}.", field.unit) };
    format!("{bits}, `{}`: {}{unit}{}", field.name, cell(field.doc), values(field))
}
