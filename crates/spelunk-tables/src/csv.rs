//! Tables as a folder of CSV files: `TABLE.csv` with a line of the names of columns, and [`SIDECAR`]. Text is UTF-8.

use super::{Imported, ROW, build::Builder, cell::Cell, column::columns, json, read::Tables};
use spellforce::gamedata::{CATEGORIES, Category};
use spelunk_core::{Error, Result, Seg};
use spelunk_open::{
    Opened, Options, codes,
    files::{Disk, FileName, Files, OutputFile, Reading},
};
use std::{io, path::Path};

/// The file with what is no row.
pub const SIDECAR: &str = "spelunk-tables.json";

/// Makes the tables of a file, one after the other, and at last the sidecar.
///
/// # Errors
/// [`NO_TABLES`](codes::NO_TABLES) for other formats; reading errors; what `each` returns; limits.
pub fn export(opened: &mut Opened, each: &mut dyn FnMut(OutputFile) -> Result<()>) -> Result<()> {
    opened.run(|container, task| {
        let mut tables = Tables::of(container, task)?;
        for category in tables.categories() {
            let columns = columns(category);
            let mut writer = csv::Writer::from_writer(Vec::new());
            let names = columns.iter().map(|column| column.name);
            writer.write_record([ROW].into_iter().chain(names)).map_err(io::Error::other)?;
            let mut number = String::new();
            tables.rows(category, task, &mut |place, cells| {
                put_number(place, &mut number, &mut writer)?;
                for cell in cells {
                    match cell {
                        Cell::Null => writer.write_field("").map_err(io::Error::other)?,
                        Cell::Integer(value) => put_number(*value, &mut number, &mut writer)?,
                        Cell::Text(text) => {
                            writer.write_field(text.as_ref()).map_err(io::Error::other)?
                        }
                        Cell::Real(value) => {
                            writer.write_field(value.to_string()).map_err(io::Error::other)?
                        }
                        Cell::Bytes(bytes) => {
                            writer.write_field(bytes).map_err(io::Error::other)?
                        }
                    }
                }
                writer.write_record(None::<&[u8]>).map_err(io::Error::other)?;
                Ok(())
            })?;
            let content =
                writer.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
            let taken = content.len() as u64;
            task.budget.memory(taken)?;
            each(OutputFile { name: file_name(category.table), content })?;
            task.budget.release(taken);
        }
        each(OutputFile { name: SIDECAR.to_owned(), content: json::alone(&tables.sidecar)? })
    })
}

fn file_name(table: &str) -> String {
    format!("{table}.csv")
}

/// The names of files of tables that are not among those that were `made`: in their folder they are left from another file,
/// and in the way of [`import`].
pub fn others(made: &[String]) -> impl Iterator<Item = String> + '_ {
    let names = CATEGORIES.iter().map(|category| file_name(category.table));
    names.filter(|name| !made.contains(name))
}

/// Writes a number as a field.
fn put_number(value: i64, text: &mut String, writer: &mut csv::Writer<Vec<u8>>) -> Result<()> {
    use std::fmt::Write;
    text.clear();
    let _ = write!(text, "{value}");
    Ok(writer.write_field(&*text).map_err(io::Error::other)?)
}

/// Whether a folder of these files holds tables.
pub fn is_for(files: &dyn Files, folder: &FileName) -> bool {
    files.len(&folder.join(SIDECAR)).is_some()
}

/// Reads the tables in a folder, and builds the file that they are of.
///
/// # Errors
/// Reading errors; [`BAD_TABLES`](codes::BAD_TABLES); what is wrong with a cell; limits.
pub fn import(folder: &Path, options: &Options) -> Result<Imported> {
    import_from(&Disk, &folder.into(), options)
}

/// As [`import`], from any files.
///
/// # Errors
/// Those of [`import`].
pub fn import_from(files: &dyn Files, folder: &FileName, options: &Options) -> Result<Imported> {
    let read = |name: &FileName| {
        let source = files.open(name, Reading::default())?;
        let len = source.len();
        source.read(0..len, &mut options.budget(len))
    };
    let text = read(&folder.join(SIDECAR))?;
    let name_of = |table: &str| folder.join(file_name(table));
    let sidecar =
        json::read_alone(&text).map_err(|error| error.within(Seg::Key(SIDECAR.into())))?;
    let mut len = text.len() as u64;
    for category in CATEGORIES {
        len = len.saturating_add(files.len(&name_of(category.table)).unwrap_or_default());
    }
    let mut builder = Builder::new(sidecar, len, options)?;
    let is_there = |category: &Category| files.len(&name_of(category.table)).is_some();
    for category in builder.categories(is_there)? {
        let name = || Seg::Key(file_name(category.table).into());
        let bad = |error: csv::Error| {
            if let csv::ErrorKind::Io(_) = error.kind() {
                return Error::io(error.into());
            }
            Error::new(&codes::BAD_TABLES)
                .expected("CSV in UTF-8")
                .found(error.to_string())
                .within(name())
        };
        let table = read(&name_of(category.table))?;
        let mut reader = csv::Reader::from_reader(&*table);
        let mut rows = builder.rows(category)?;
        // Which column each field of a line is; `None` for the place.
        let mut order = Vec::new();
        for field in reader.headers().map_err(bad)? {
            order.push(if field == ROW { None } else { Some(rows.column(field)?) });
        }
        let mut record = csv::StringRecord::new();
        while reader.read_record(&mut record).map_err(bad)? {
            let mut place = None;
            let mut cells = vec![Cell::Null; rows.columns().len()];
            for (column, field) in order.iter().zip(&record) {
                match column.and_then(|column| cells.get_mut(column)) {
                    Some(cell) => *cell = Cell::Text(field.into()),
                    None if field.trim().is_empty() => {}
                    None => {
                        place = Some(number(field, &record).map_err(|error| error.within(name()))?)
                    }
                }
            }
            rows.push(place, &cells)?;
        }
        rows.finish()?;
    }
    builder.finish()
}

/// The place of a row.
fn number(field: &str, record: &csv::StringRecord) -> Result<i64> {
    field.trim().parse().map_err(|_| {
        let line = record.position().map_or(0, csv::Position::line);
        Error::new(&codes::CELL_VALUE)
            .expected("the number of the row, or nothing")
            .found(format!("`{field}`"))
            .field(ROW)
            .within(Seg::Index(line))
    })
}
