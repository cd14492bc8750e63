//! `query`: SQL on the tables of files.

use super::{
    door::{RowPrinter, call},
    edit,
};
use crate::{
    args,
    columns::{Columns, TextCell},
    output::{CommandSession, FAINT, TITLE},
};
use serde_json::Value;
use spelunk::{
    Result,
    verbs::{Heading, query},
};
use std::io::Write;

pub fn run(args: &args::Query, session: &mut CommandSession) -> Result<()> {
    let request = args.request()?;
    if request.updating.update {
        return edit::run(query::run, &request, session);
    }
    let text: &mut dyn RowPrinter = match (request.tables, args.csv) {
        (true, _) => &mut SchemaPrinter { is_first: true },
        (_, true) => &mut Csv,
        _ => &mut Answer { columns: session.columns() },
    };
    call(query::run, &request, text, session)
}

/// Rows in columns.
struct Answer {
    columns: Columns,
}

impl RowPrinter for Answer {
    fn begin(&mut self, heading: &Heading<'_>, _: &mut CommandSession) -> Result<()> {
        self.columns.head(heading.columns);
        Ok(())
    }

    fn row(&mut self, row: &Value, session: &mut CommandSession) -> Result<()> {
        let cell = |value: &Value| match value {
            Value::Number(_) => TextCell::number(shown(value)),
            _ => TextCell::text(shown(value)),
        };
        self.columns.add(values(row).map(cell).collect(), session.out())
    }

    fn end(&mut self, session: &mut CommandSession) -> Result<()> {
        self.columns.end(session.out())
    }
}

/// Rows as CSV, below their names.
struct Csv;

impl RowPrinter for Csv {
    fn begin(&mut self, heading: &Heading<'_>, session: &mut CommandSession) -> Result<()> {
        csv(heading.columns, session.out())
    }

    fn row(&mut self, row: &Value, session: &mut CommandSession) -> Result<()> {
        let fields: Vec<String> = values(row).map(shown).collect();
        csv(&fields, session.out())
    }
}

/// Tables, and their columns.
struct SchemaPrinter {
    is_first: bool,
}

impl RowPrinter for SchemaPrinter {
    fn row(&mut self, row: &Value, session: &mut CommandSession) -> Result<()> {
        let out = session.out();
        let gap = if std::mem::take(&mut self.is_first) { "" } else { "\n" };
        let text = |row: &'_ Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
        let [schema, table, doc] = ["schema", "table", "doc"].map(|key| text(row, key));
        writeln!(out, "{gap}{TITLE}{table}{TITLE:#} {FAINT}({schema}){FAINT:#}  {doc}")?;
        let columns = row["columns"].as_array().map(Vec::as_slice).unwrap_or_default();
        let width = columns.iter().map(|column| text(column, "name").len()).max();
        let width = width.unwrap_or_default();
        for column in columns {
            let [name, kind, doc] = ["name", "type", "doc"].map(|key| text(column, key));
            let unit = column["unit"].as_str().map(|unit| format!(" ({unit})"));
            let unit = unit.unwrap_or_default();
            let mark = if column["settable"] == true { " Can be set." } else { "" };
            writeln!(out, "  {name:width$}  {kind:7}  {doc}{unit}{mark}")?;
        }
        Ok(())
    }
}

fn values(row: &Value) -> impl Iterator<Item = &Value> {
    row.as_object().into_iter().flat_map(serde_json::Map::values)
}

/// A value for people and for CSV: NULL is empty.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => number.as_f64().unwrap_or_default().to_string(),
        other => other.to_string(),
    }
}

/// A line of CSV (RFC 4180).
fn csv(fields: &[String], out: &mut dyn Write) -> Result<()> {
    for (nth, field) in fields.iter().enumerate() {
        let comma = if nth == 0 { "" } else { "," };
        if field.contains(['"', ',', '\n', '\r']) {
            write!(out, "{comma}\"{}\"", field.replace('"', "\"\""))?;
        } else {
            write!(out, "{comma}{field}")?;
        }
    }
    Ok(writeln!(out)?)
}
