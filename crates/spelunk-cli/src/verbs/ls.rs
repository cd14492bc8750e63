//! `ls`: the entries of files.

use super::door::{RowPrinter, call};
use crate::{
    columns::{Columns, TextCell},
    output::{CommandSession, FAINT, TITLE, human},
};
use anstyle::Style;
use serde_json::Value;
use spelunk::{
    Result,
    core::text::first_line,
    verbs::{Heading, ls},
};

/// The columns of a table that nobody chose.
const USUAL: [&str; 5] = ["size", "stored_size", "type", "path", "title"];

pub fn run(request: &ls::Request, session: &mut CommandSession) -> Result<()> {
    if request.blocks {
        return call(ls::run, request, &mut BlockListing::default(), session);
    }
    let mut request = request.clone();
    let is_headed = !request.columns.is_empty();
    if !is_headed && !session.common.json {
        request.columns = USUAL.map(str::to_owned).into();
    }
    call(
        ls::run,
        &request,
        &mut EntryColumns { is_headed, names: Vec::new(), columns: None },
        session,
    )
}

/// Entries in columns.
struct EntryColumns {
    /// Whether the columns were chosen, so that it is said what they are.
    is_headed: bool,
    names: Vec<String>,
    columns: Option<Columns>,
}

impl RowPrinter for EntryColumns {
    fn begin(&mut self, heading: &Heading<'_>, session: &mut CommandSession) -> Result<()> {
        if heading.is_one_of_many {
            writeln!(session.out(), "{TITLE}{}{TITLE:#}", heading.file)?;
        }
        self.names = heading.columns.to_vec();
        let style = |name: &String| if name == "stored_size" { FAINT } else { Style::new() };
        let styles: Vec<Style> = self.names.iter().map(style).collect();
        let columns = session.columns().styled(styles);
        self.columns = Some(if self.is_headed { columns.headed(&self.names) } else { columns });
        Ok(())
    }

    fn row(&mut self, row: &Value, session: &mut CommandSession) -> Result<()> {
        let cell = |name: &String| match &row[name] {
            Value::String(text) if name == "title" => TextCell::text(first_line(text)),
            Value::String(text) => TextCell::text(text),
            Value::Number(size) if ["size", "stored_size"].contains(&name.as_str()) => {
                TextCell::number(size.as_u64().map(human).unwrap_or_default())
            }
            Value::Number(number) => TextCell::number(number.to_string()),
            Value::Null if name == "stored_size" => TextCell::number(""),
            Value::Null => TextCell::text(""),
            other => TextCell::text(other.to_string()),
        };
        let cells = self.names.iter().map(cell).collect();
        match &mut self.columns {
            Some(columns) => columns.add(cells, session.out()),
            None => Ok(()),
        }
    }

    fn end(&mut self, session: &mut CommandSession) -> Result<()> {
        match self.columns.take() {
            Some(mut columns) => columns.end(session.out()),
            None => Ok(()),
        }
    }
}

/// Building blocks, those used most first.
#[derive(Default)]
struct BlockListing {
    rows: Vec<([String; 3], String, String, String)>,
}

impl RowPrinter for BlockListing {
    fn row(&mut self, row: &Value, _: &mut CommandSession) -> Result<()> {
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        let usual = || row["names"][0].as_str().unwrap_or_default().to_owned();
        let name = row["name"].as_str().map_or_else(usual, str::to_owned);
        let files = match row["files"].as_array().map_or(0, Vec::len) {
            1 => "1 file".to_owned(),
            files => format!("{files} files"),
        };
        let key = [row["count"].to_string(), text("prototype"), text("version")];
        self.rows.push((key, name, text("category"), files));
        Ok(())
    }

    fn end(&mut self, session: &mut CommandSession) -> Result<()> {
        let longest = |texts: &mut dyn Iterator<Item = &str>| {
            texts.map(|text| text.chars().count()).max().unwrap_or_default()
        };
        let width = longest(&mut self.rows.iter().map(|row| row.1.as_str()));
        let wide = longest(&mut self.rows.iter().map(|row| row.2.as_str()));
        for ([count, guid, version], name, category, files) in &self.rows {
            writeln!(
                session.out(),
                "{count:>6}  {guid}  {version}  {name:<width$}  {category:<wide$}  {FAINT}{files}{FAINT:#}"
            )?;
        }
        Ok(())
    }
}
