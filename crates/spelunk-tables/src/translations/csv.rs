//! Translations as a CSV table, for spreadsheets: one line for each text.

use super::{Name, Sheet, Translation, TranslationUnit};
use spelunk_core::{Error, Result, Seg};
use spelunk_open::codes;
use std::io::{self, Write};

/// The columns, in their order.
const COLUMNS: [&str; 4] = ["text_id", "handle", "source", "target"];

/// Writes a table: of all texts, or only of those without a translation.
///
/// # Errors
/// Writing errors.
pub fn write(sheet: &Sheet, untranslated: bool, out: &mut dyn Write) -> Result<()> {
    let mut writer = ::csv::Writer::from_writer(out);
    writer.write_record(COLUMNS).map_err(io::Error::other)?;
    let wanted = |text: &&TranslationUnit| !untranslated || text.target.is_empty();
    for TranslationUnit { name, handle, source, target } in sheet.texts.iter().filter(wanted) {
        let record = [&name.to_string(), handle, source, target];
        writer.write_record(record).map_err(io::Error::other)?;
    }
    Ok(writer.flush()?)
}

/// Whether this is such a table: its first line names the columns.
pub fn is_for(bytes: &[u8]) -> bool {
    let mut reader = ::csv::Reader::from_reader(bytes);
    reader.headers().is_ok_and(|header| column(header, "text_id").is_some())
}

/// Returns the place of a column. Spreadsheets put a mark of UTF-8 before the first one.
fn column(header: &::csv::StringRecord, name: &str) -> Option<usize> {
    header.iter().position(|field| field.trim_start_matches('\u{feff}').trim() == name)
}

/// Reads a table. Columns may stand in any order; only `text_id` and `target` have to be there.
///
/// # Errors
/// [`TEXTS_TABLE`](codes::TEXTS_TABLE) with the line.
pub fn read(bytes: &[u8]) -> Result<Vec<Translation>> {
    let bad = |error: ::csv::Error| {
        Error::new(&codes::TEXTS_TABLE).expected("CSV in UTF-8").found(error.to_string())
    };
    let mut reader = ::csv::Reader::from_reader(bytes);
    let header = reader.headers().map_err(bad)?;
    let [id, target] = ["text_id", "target"].map(|name| {
        column(header, name)
            .ok_or_else(|| Error::new(&codes::TEXTS_TABLE).expected(format!("a column `{name}`")))
    });
    let (id, target) = (id?, target?);
    let source = column(header, "source");
    let mut all = Vec::new();
    let mut record = ::csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(bad)? {
        let field = |at: usize| record.get(at).unwrap_or_default();
        let name: Name = field(id).trim().parse().map_err(|_| {
            let line = record.position().map_or(0, ::csv::Position::line);
            Error::new(&codes::TEXTS_TABLE)
                .expected("the id of a text")
                .found(format!("`{}`", field(id)))
                .within(Seg::Key(format!("line {line}").into()))
        })?;
        let source = source.map(|source| field(source).to_owned());
        let target = field(target).to_owned();
        all.push(Translation { name, source, target, is_fuzzy: false });
    }
    Ok(all)
}
