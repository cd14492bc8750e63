//! `query`: SQL on the tables of a file.

use super::open_one;
use crate::{
    args::Query,
    output::{Session, TITLE},
};
use serde_json::Map;
use spelunk::{
    Result,
    tables::sql::query::{self, Value},
};
use std::io::Write;

/// How many rows tell how wide columns are. The rows behind them take more where they need it.
const LOOKED_AT: usize = 1000;
/// No column is made wider than this for the sake of one row.
const WIDEST: usize = 60;

pub fn run(args: &Query, session: &mut Session) -> Result<()> {
    let Some((file, mut opened)) = open_one(&args.file, session)? else { return Ok(()) };
    let mut table = Table::default();
    let is_json = session.common.json;
    let mut is_first = true;
    let mut each = |names: &[String], values: &[Value<'_>]| {
        if is_json {
            return session.json(&object(names, values));
        }
        if args.csv {
            if std::mem::take(&mut is_first) {
                csv(names.iter().map(String::as_str), session.out())?;
            }
            let fields: Vec<String> = values.iter().map(shown).collect();
            return csv(fields.iter().map(String::as_str), session.out());
        }
        let is_number = |value: &Value<'_>| matches!(value, Value::Integer(_) | Value::Real(_));
        table.add(names, values.iter().map(|value| (shown(value), is_number(value))), session.out())
    };
    let ran = query::query(&mut opened, &args.sql, &mut each);
    session.settle(&file, opened.findings());
    match ran {
        Ok(_) if is_json || (args.csv && !is_first) => {}
        Ok(names) if args.csv => csv(names.iter().map(String::as_str), session.out())?,
        Ok(names) => table.end(&names, session.out())?,
        Err(error) if crate::output::is_closed_pipe(&error) => return Err(error),
        Err(error) => session.failed(&file, &error),
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
        object.insert(key, json(value));
    }
    serde_json::Value::Object(object)
}

fn json(value: &Value<'_>) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Integer(number) => (*number).into(),
        Value::Real(number) => (*number).into(),
        Value::Text(text) => (*text).into(),
        Value::Bytes(_) => shown(value).into(),
    }
}

/// A value for people and for CSV: NULL is empty, bytes are hexadecimal.
fn shown(value: &Value<'_>) -> String {
    match value {
        Value::Null => String::new(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Text(text) => (*text).to_owned(),
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

/// Rows in columns: the first ones are kept until it is known how wide those are.
#[derive(Default)]
struct Table {
    kept: Vec<Vec<(String, bool)>>,
    widths: Option<Vec<usize>>,
}

impl Table {
    fn add(
        &mut self,
        names: &[String],
        values: impl Iterator<Item = (String, bool)>,
        out: &mut dyn Write,
    ) -> Result<()> {
        // One line for each row, whatever is in its texts.
        let value = |(text, is_number): (String, bool)| {
            let line = text.replace(char::is_control, " ");
            (line, is_number)
        };
        let row: Vec<_> = values.map(value).collect();
        if let Some(widths) = &self.widths {
            return line(&row, widths, out);
        }
        self.kept.push(row);
        if self.kept.len() == LOOKED_AT { self.end(names, out) } else { Ok(()) }
    }

    /// Prints what was kept.
    fn end(&mut self, names: &[String], out: &mut dyn Write) -> Result<()> {
        if self.widths.is_some() {
            return Ok(());
        }
        let width = |nth: usize, name: &String| {
            let values = self.kept.iter().filter_map(|row| row.get(nth));
            let values = values.map(|(text, _)| text.chars().count().min(WIDEST));
            values.fold(name.chars().count(), usize::max)
        };
        let widths: Vec<usize> =
            names.iter().enumerate().map(|(nth, name)| width(nth, name)).collect();
        let is_number = |nth: usize| {
            !self.kept.is_empty()
                && self.kept.iter().all(|row| row.get(nth).is_some_and(|(_, is_number)| *is_number))
        };
        let heads: Vec<_> =
            names.iter().enumerate().map(|(nth, name)| (name.clone(), is_number(nth))).collect();
        write!(out, "{TITLE}")?;
        line(&heads, &widths, out)?;
        write!(out, "{TITLE:#}")?;
        for row in std::mem::take(&mut self.kept) {
            line(&row, &widths, out)?;
        }
        self.widths = Some(widths);
        Ok(())
    }
}

/// A row: numbers to the right, the last text without spaces behind it.
fn line(row: &[(String, bool)], widths: &[usize], out: &mut dyn Write) -> Result<()> {
    for (nth, ((text, is_number), width)) in row.iter().zip(widths).enumerate() {
        let gap = if nth == 0 { "" } else { "  " };
        match is_number {
            true => write!(out, "{gap}{text:>width$}")?,
            false if nth + 1 == row.len() => write!(out, "{gap}{text}")?,
            false => write!(out, "{gap}{text:<width$}")?,
        }
    }
    Ok(writeln!(out)?)
}
