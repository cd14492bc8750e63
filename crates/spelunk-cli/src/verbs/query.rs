//! `query`: SQL on the tables of files.

use crate::{
    args,
    columns::Cell,
    inputs::{self, Input},
    output::{FAINT, Session, TITLE},
    progress::Progress,
};
use serde_json::{Map, json};
use spelunk::{
    Error, Opened, Result, codes,
    query::{Query, Table, Value},
};
use std::io::Write;

pub fn run(args: &args::Query, session: &mut Session) -> Result<()> {
    session.show_at(&args.at)?;
    let (files, sql) = args.take_apart();
    let inputs = inputs::expand(&files)?;
    let mut query = Query::new(&session.options()?);
    let met = meet(&inputs, &mut query, session)?;
    if inputs.is_empty() {
        let error = Error::new(&codes::SQL);
        return Err(error.expected("files, and one statement behind them"));
    }
    if met.is_empty() {
        return Ok(());
    }
    if args.tables {
        return list(&query.tables(), session);
    }
    let Some(sql) = sql.and_then(|sql| sql.to_str()) else {
        return Err(Error::new(&codes::SQL).expected("a text").found("bytes that are none"));
    };
    query.confine_process()?;
    query.prepare(sql)?;
    fill(met, &query, session)?;
    tell(query, args.csv, session)
}

/// Lets the query meet the files. Those that can be opened come back: opened where they are needed again and need not be
/// read twice, which is so of one alone and of standard input.
fn meet<'i>(
    inputs: &'i [Input],
    query: &mut Query,
    session: &mut Session,
) -> Result<Vec<(&'i Input, Option<Opened>)>> {
    let mut progress = Progress::over(inputs, session);
    let mut met = Vec::new();
    for (nth, input) in inputs.iter().enumerate() {
        progress.file(nth);
        let Some(mut opened) = session.open(input)? else { continue };
        // The tables of all formats are there even so.
        if let Err(error) = query.meet(&mut opened) {
            session.failed(&input.name(), &error);
        }
        let is_kept = inputs.len() == 1 || input.is_stdin();
        met.push((input, is_kept.then_some(opened)));
    }
    Ok(met)
}

/// Fills the tables with the rows of the files.
fn fill(met: Vec<(&Input, Option<Opened>)>, query: &Query, session: &mut Session) -> Result<()> {
    let mut progress = Progress::over(met.iter().map(|(input, _)| *input), session);
    for (nth, (input, opened)) in met.into_iter().enumerate() {
        progress.file(nth);
        let opened = match opened {
            Some(opened) => Some(opened),
            None => session.open(input)?,
        };
        let Some(mut opened) = opened else { continue };
        let filled = query.fill(&input.name(), &mut opened);
        session.settle(&input.name(), opened.findings());
        if let Err(error) = filled {
            session.failed(&input.name(), &error);
        }
    }
    Ok(())
}

/// Prints the result.
fn tell(query: Query, is_csv: bool, session: &mut Session) -> Result<()> {
    let mut columns = session.columns();
    let is_json = session.common.json;
    let mut is_first = true;
    let mut each = |names: &[String], values: &[Value<'_>]| {
        if is_json {
            return session.json(&object(names, values));
        }
        if is_csv {
            if std::mem::take(&mut is_first) {
                csv(names.iter().map(String::as_str), session.out())?;
            }
            let fields: Vec<String> = values.iter().map(shown).collect();
            return csv(fields.iter().map(String::as_str), session.out());
        }
        let cell = |value: &Value<'_>| match value {
            Value::Integer(_) | Value::Real(_) => Cell::number(shown(value)),
            _ => Cell::text(shown(value)),
        };
        columns.head(names);
        columns.add(values.iter().map(cell).collect(), session.out())
    };
    let names = query.rows(&mut each)?;
    match (is_json, is_csv) {
        (true, _) => Ok(()),
        (_, true) if !is_first => Ok(()),
        (_, true) => csv(names.iter().map(String::as_str), session.out()),
        _ => {
            columns.head(&names);
            columns.end(session.out())
        }
    }
}

/// Lists tables and their columns.
fn list(tables: &[Table], session: &mut Session) -> Result<()> {
    for (nth, table) in tables.iter().enumerate() {
        let schema = table.schemas.first().copied().unwrap_or_default();
        if session.common.json {
            let columns = table.all_columns().map(|column| {
                json!({
                    "name": column.name,
                    "type": column.kind.name().to_lowercase(),
                    "unit": Some(column.unit).filter(|unit| !unit.is_empty()),
                    "doc": column.doc,
                })
            });
            let columns: Vec<_> = columns.collect();
            let line = json!({
                "schema": schema,
                "table": table.name,
                "doc": table.doc,
                "columns": columns,
            });
            session.json(&line)?;
            continue;
        }
        let out = session.out();
        let gap = if nth == 0 { "" } else { "\n" };
        writeln!(
            out,
            "{gap}{TITLE}{}{TITLE:#} {FAINT}({schema}){FAINT:#}  {}",
            table.name, table.doc
        )?;
        let width = table.all_columns().map(|column| column.name.len()).max().unwrap_or_default();
        for column in table.all_columns() {
            let unit =
                if column.unit.is_empty() { String::new() } else { format!(" ({})", column.unit) };
            let kind = column.kind.name().to_lowercase();
            writeln!(out, "  {:width$}  {kind:7}  {}{unit}", column.name, column.doc)?;
        }
    }
    Ok(())
}

/// A row as an object. Columns of one name are told apart as SQLite tells them apart: `row`, `row:1`.
fn object(names: &[String], values: &[Value<'_>]) -> serde_json::Value {
    let mut object = Map::new();
    for (name, value) in names.iter().zip(values) {
        let mut key = name.clone();
        for nth in 1.. {
            if !object.contains_key(&key) {
                break;
            }
            key = format!("{name}:{nth}");
        }
        object.insert(key, self::value(value));
    }
    serde_json::Value::Object(object)
}

fn value(value: &Value<'_>) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Integer(number) => (*number).into(),
        Value::Real(number) => (*number).into(),
        Value::Text(text) => text.as_ref().into(),
        Value::Bytes(_) => shown(value).into(),
    }
}

/// A value for people and for CSV: NULL is empty, bytes are hexadecimal.
fn shown(value: &Value<'_>) -> String {
    match value {
        Value::Null => String::new(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Text(text) => text.clone().into_owned(),
        Value::Bytes(bytes) => spelunk::Val::Bytes((*bytes).into()).to_string(),
    }
}

/// A line of CSV (RFC 4180).
fn csv<'t>(fields: impl Iterator<Item = &'t str>, out: &mut dyn Write) -> Result<()> {
    for (nth, field) in fields.enumerate() {
        let comma = if nth == 0 { "" } else { "," };
        if field.contains(['"', ',', '\n', '\r']) {
            write!(out, "{comma}\"{}\"", field.replace('"', "\"\""))?;
        } else {
            write!(out, "{comma}{field}")?;
        }
    }
    Ok(writeln!(out)?)
}
