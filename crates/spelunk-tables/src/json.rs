//! Tables as JSON: one document, a row on each line.
//!
//! ```json
//! {"spelunk_tables":1,"format":"spellforce-cff",
//! "file":{"header":{},"wide_headers":false,"pages":"windows-1252","languages":[],"chunks":[]},
//! "tables":{
//! "items":[
//! {"row":0,"item_id":1,"name_id":3}
//! ]},
//! "strings":[]}
//! ```

use super::{
    Imported, ROW, VERSION,
    build::{Builder, CategoryRows},
    cell::Cell,
    column::{CategoryColumn, ColumnKind, columns},
    read::Tables,
    sidecar::{Sidecar, StoredText},
};
use serde::{
    Deserialize, Deserializer,
    de::{self, DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use spelunk_core::{Error, Result};
use spelunk_open::{Opened, Options, codes};
use std::{
    borrow::Cow,
    collections::BTreeMap,
    fmt,
    io::{self, Write},
};

/// The format whose tables these are.
pub(super) const FORMAT: &str = spellforce::profile::GAMEDATA.name;
/// The key of the tables.
pub(super) const TABLES: &str = "tables";

/// Writes the tables of a file.
///
/// # Errors
/// [`NO_TABLES`](codes::NO_TABLES) for other formats; reading and writing errors; limits.
pub fn export(opened: &mut Opened, out: &mut dyn Write) -> Result<()> {
    opened.run(|container, task| {
        let mut tables = Tables::of(container, task)?;
        let file = serde_json::to_string(&tables.sidecar).map_err(io::Error::from)?;
        write!(
            out,
            "{{\"{VERSION}\":1,\"format\":\"{FORMAT}\",\n\"file\":{file},\n\"{TABLES}\":{{"
        )?;
        let mut line = Vec::new();
        for (nth, category) in tables.categories().into_iter().enumerate() {
            let columns = columns(category);
            write!(out, "{}\n\"{}\":[", if nth == 0 { "" } else { "," }, category.table)?;
            let mut comma = "";
            tables.rows(category, task, &mut |place, cells| {
                line.clear();
                writeln!(line, "{comma}")?;
                comma = ",";
                row(place, &columns, cells, &mut line)?;
                Ok(out.write_all(&line)?)
            })?;
            write!(out, "\n]")?;
        }
        // They are known when all rows are read.
        let strings = serde_json::to_string(&tables.sidecar.strings).map_err(io::Error::from)?;
        Ok(writeln!(out, "}},\n\"strings\":{strings}}}")?)
    })
}

/// A row on a line.
fn row(
    place: i64,
    columns: &[CategoryColumn],
    cells: &[Cell<'_>],
    line: &mut Vec<u8>,
) -> Result<()> {
    write!(line, "{{\"{ROW}\":{place}")?;
    for (column, cell) in columns.iter().zip(cells) {
        write!(line, ",\"{}\":", column.name)?;
        match cell {
            Cell::Text(text) if column.kind == ColumnKind::Json => {
                line.extend_from_slice(text.as_bytes())
            }
            cell => serde_json::to_writer(&mut *line, cell).map_err(io::Error::from)?,
        }
    }
    line.push(b'}');
    Ok(())
}

/// Whether JSON holds tables, and not a document.
pub fn is_for(text: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Only {
        #[serde(rename = "spelunk_tables")]
        _version: u64,
    }
    serde_json::from_slice::<Only>(text).is_ok()
}

/// Reads tables in JSON, and builds the file that they are of.
///
/// # Errors
/// [`BAD_TABLES`](codes::BAD_TABLES) where it holds none; what is wrong with a cell; limits.
pub fn import(text: &[u8], options: &Options) -> Result<Imported> {
    let JsonHeader { file, strings, tables, .. } = head(text)?;
    let sidecar = Sidecar { strings, ..file };
    let mut builder = Builder::new(sidecar, text.len() as u64, options)?;
    let wanted = builder.categories(|category| tables.contains_key(category.table))?;
    if let Some(name) = tables.keys().find(|name| !wanted.iter().any(|known| known.table == **name))
    {
        let error = Error::new(&codes::BAD_TABLES).expected("the name of a category");
        return Err(error.found(format!("`{name}`")));
    }
    let mut failed = None;
    let into = Into { builder: &mut builder, failed: &mut failed };
    let read = Top(into).deserialize(&mut serde_json::Deserializer::from_slice(text));
    read.map_err(|error| failed.unwrap_or_else(|| damaged(&error)))?;
    builder.finish()
}

/// Contents of the JSON beside the rows, and the names of the tables.
#[derive(Deserialize)]
struct JsonHeader {
    #[serde(rename = "spelunk_tables")]
    version: u64,
    format: String,
    file: Sidecar,
    #[serde(default)]
    strings: Vec<StoredText>,
    #[serde(default)]
    tables: BTreeMap<String, IgnoredAny>,
}

/// Reads all but the rows.
fn head(text: &[u8]) -> Result<JsonHeader> {
    let head: JsonHeader = serde_json::from_slice(text).map_err(|error| damaged(&error))?;
    if (head.version, &*head.format) != (1, FORMAT) {
        let expected = format!("`{VERSION}` 1 of the format `{FORMAT}`");
        return Err(Error::new(&codes::BAD_TABLES).expected(expected));
    }
    Ok(head)
}

/// The sidecar as a document of its own.
#[cfg(feature = "csv")]
pub(super) fn alone(sidecar: &Sidecar) -> Result<Vec<u8>> {
    let text = serde_json::to_vec_pretty(&serde_json::json!({
        VERSION: 1,
        "format": FORMAT,
        "file": Sidecar { strings: Vec::new(), ..sidecar.clone() },
        "strings": sidecar.strings,
    }));
    Ok(text.map_err(io::Error::from)?)
}

/// Reads a sidecar from a document of its own.
///
/// # Errors
/// [`BAD_TABLES`](codes::BAD_TABLES).
#[cfg(feature = "csv")]
pub(super) fn read_alone(text: &[u8]) -> Result<Sidecar> {
    let JsonHeader { file, strings, .. } = head(text)?;
    Ok(Sidecar { strings, ..file })
}

#[cold]
fn damaged(error: &serde_json::Error) -> Error {
    Error::new(&codes::BAD_TABLES).expected("JSON of tables").found(error.to_string())
}

/// Target of rows that are read, and the error that refused one.
struct Into<'a> {
    builder: &'a mut Builder,
    failed: &'a mut Option<Error>,
}

impl Into<'_> {
    /// Keeps an error of ours, of which a reader of JSON knows nothing.
    fn check<T, E: de::Error>(
        failed: &mut Option<Error>,
        result: Result<T>,
    ) -> std::result::Result<T, E> {
        result.map_err(|error| {
            *failed = Some(error);
            E::custom("a row that does not fit")
        })
    }
}

/// The document: its tables are read, all else is known.
struct Top<'a>(Into<'a>);

/// The tables by their names.
struct TablesByName<'a>(Into<'a>);

/// The rows of a table.
struct JsonRows<'a, 'b>(CategoryRows<'b>, &'a mut Option<Error>);

/// A row.
struct One<'a, 'b>(&'a mut CategoryRows<'b>, &'a mut Option<Error>);

/// Implements what hands a value to its visitor.
macro_rules! seed {
    ($name:ty, $method:ident, $($life:lifetime),*) => {
        impl<'de, $($life),*> DeserializeSeed<'de> for $name {
            type Value = ();

            fn deserialize<D: Deserializer<'de>>(self, from: D) -> std::result::Result<(), D::Error> {
                from.$method(self)
            }
        }
    };
}

seed!(Top<'a>, deserialize_map, 'a);
seed!(TablesByName<'a>, deserialize_map, 'a);
seed!(JsonRows<'a, 'b>, deserialize_seq, 'a, 'b);
seed!(One<'a, 'b>, deserialize_map, 'a, 'b);

impl<'de> Visitor<'de> for Top<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with tables")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<(), A::Error> {
        let mut into = Some(self.0);
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            match into.take_if(|_| key == TABLES) {
                Some(into) => map.next_value_seed(TablesByName(into))?,
                None => map.next_value::<IgnoredAny>().map(|_| ())?,
            }
        }
        Ok(())
    }
}

impl<'de> Visitor<'de> for TablesByName<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tables by their names")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<(), A::Error> {
        let Into { builder, failed } = self.0;
        while let Some(name) = map.next_key::<Cow<'de, str>>()? {
            let category = builder
                .schema()
                .category_named(&name)
                .ok_or_else(|| de::Error::custom("a table"))?;
            let rows = Into::check(failed, builder.rows(category))?;
            map.next_value_seed(JsonRows(rows, failed))?;
        }
        Ok(())
    }
}

impl<'de> Visitor<'de> for JsonRows<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("rows")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<(), A::Error> {
        let JsonRows(mut rows, failed) = self;
        while seq.next_element_seed(One(&mut rows, failed))?.is_some() {}
        Into::check(failed, rows.finish())
    }
}

impl<'de> Visitor<'de> for One<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a row: an object of cells by the names of columns")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<(), A::Error> {
        let One(rows, failed) = self;
        let mut place = None;
        let mut cells: Vec<Cell<'de>> = vec![Cell::Null; rows.columns().len()];
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            if key == ROW {
                place = map.next_value::<Option<i64>>()?;
                continue;
            }
            let column = Into::check(failed, rows.column(&key))?;
            let JsonCell(read) = map.next_value()?;
            if let Some(cell) = cells.get_mut(column) {
                *cell = read;
            }
        }
        Into::check(failed, rows.push(place, &cells))
    }
}

/// A cell that is read. Corners become the text that they are.
struct JsonCell<'de>(Cell<'de>);

impl<'de> Deserialize<'de> for JsonCell<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<JsonCell<'de>, D::Error> {
        from.deserialize_any(CellVisitor).map(JsonCell)
    }
}

struct CellVisitor;

impl<'de> Visitor<'de> for CellVisitor {
    type Value = Cell<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number, a text, or corners")
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> std::result::Result<Cell<'de>, E> {
        Ok(Cell::Integer(number))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> std::result::Result<Cell<'de>, E> {
        // No field holds one that does not fit.
        Ok(Cell::Integer(i64::try_from(number).unwrap_or(i64::MAX)))
    }

    fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> std::result::Result<Cell<'de>, E> {
        Ok(Cell::Text(text.into()))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> std::result::Result<Cell<'de>, E> {
        Ok(Cell::Text(text.to_owned().into()))
    }

    fn visit_unit<E: de::Error>(self) -> std::result::Result<Cell<'de>, E> {
        Ok(Cell::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<Cell<'de>, A::Error> {
        let mut text = String::from("[");
        while let Some([x, y]) = seq.next_element::<[i64; 2]>()? {
            let comma = if text.len() == 1 { "" } else { "," };
            text.push_str(&format!("{comma}[{x},{y}]"));
        }
        text.push(']');
        Ok(Cell::Text(text.into()))
    }
}
