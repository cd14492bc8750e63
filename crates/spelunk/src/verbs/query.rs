//! SQL on the tables of files.

use super::{
    input::Input,
    output::{Outcome, Output},
    request::{FileList, Shown},
    run::{OpenFile, Run},
    session::{Held, Session},
};
use crate::{
    Error, Opened, Result,
    core::folder::Links,
    open::codes,
    tables::query::{self, Cell, Column, Query, Table},
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;

/// SQL on the tables of files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Request {
    /// The files whose tables are there; folders of archives are one.
    #[serde(flatten)]
    pub files: FileList,
    /// A single statement that reads.
    pub sql: Option<String>,
    /// The tables that there are, with their columns, instead of a statement.
    pub tables: bool,
    /// Options for how the files are shown.
    #[serde(flatten)]
    pub shown: Shown,
    /// Whether SQLite may take no more memory than the files allow in this whole process, for as long as it lives: for a
    /// process that runs one query and ends.
    #[serde(skip)]
    pub confines_process: bool,
}

/// A row of the answer, or a table that can be asked.
#[derive(Debug, JsonSchema)]
#[schemars(untagged)]
pub enum Row<'a> {
    /// A row of the answer.
    Answer(Answer<'a>),
    /// With `tables`: a table that can be asked.
    Table(TableRow<'a>),
}

/// A row of the answer. Columns of one name are distinguished as SQLite does it: `row`, `row:1`.
#[derive(Debug)]
pub struct Answer<'a> {
    keys: &'a [String],
    values: &'a [Cell<'a>],
}

impl JsonSchema for Answer<'_> {
    fn schema_name() -> Cow<'static, str> {
        "Answer".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "description": "A row of the answer. The columns are those of the statement; two of one name are distinguished as \
                            `name` and `name:1`. Bytes are hexadecimal.",
            "additionalProperties": { "type": ["string", "number", "null"] },
        })
    }
}

impl Serialize for Answer<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        to.collect_map(self.keys.iter().zip(self.values))
    }
}

/// A table that can be asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TableRow<'a> {
    /// The schema that it is in.
    pub schema: &'a str,
    /// Name of the table.
    pub table: &'a str,
    /// Description of its rows.
    pub doc: &'a str,
    /// Columns of the table.
    pub columns: Vec<ColumnRow<'a>>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ColumnRow<'a> {
    /// Name of the column.
    pub name: &'a str,
    /// Type of the column.
    #[serde(rename = "type")]
    pub kind: String,
    /// The unit of its values, where they have one.
    pub unit: Option<&'a str>,
    /// Description of its values.
    pub doc: &'a str,
}

impl<'a> TableRow<'a> {
    fn of(table: &'a Table) -> TableRow<'a> {
        let column = |column: &'a Column| ColumnRow {
            name: column.name,
            kind: column.kind.sql().to_lowercase(),
            unit: Some(column.unit).filter(|unit| !unit.is_empty()),
            doc: column.doc,
        };
        TableRow {
            schema: table.schemas.first().copied().unwrap_or_default(),
            table: &table.name,
            doc: &table.doc,
            columns: table.all_columns().map(column).collect(),
        }
    }
}

/// Hands out the rows of the answer, whose columns the heading names; or a row for each table.
///
/// # Errors
/// Those of the output, and of the list of files; [`SQL`](codes::SQL) for what is no statement that reads, and limits.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::new("query", session, out);
    run.show(&request.shown)?;
    let inputs = run.expand(&request.files, Links::ToFiles)?;
    let sql = request.sql.as_deref().filter(|_| !request.tables);
    let mut query = Query::new(sql, &run.options);
    let met = meet(&inputs, &mut query, &mut run)?;
    if inputs.is_empty() {
        let error = Error::new(&codes::SQL);
        return Err(error.expected("files, and one statement behind them"));
    }
    if met.is_empty() {
        return run.finish();
    }
    if request.tables {
        query.tables().iter().try_for_each(|table| run.row(&TableRow::of(table)))?;
        return run.finish();
    }
    if request.confines_process {
        query.confine_process()?;
    }
    query.prepare()?;
    fill(met, &query, &mut run)?;
    let mut keys: Option<Vec<String>> = None;
    let names = query.rows(&mut |names, values| {
        if keys.is_none() {
            run.begin("", false, names)?;
        }
        let keys = keys.get_or_insert_with(|| query::distinct(names));
        run.row(&Answer { keys, values })
    })?;
    if keys.is_none() {
        run.begin("", false, &names)?;
    }
    run.end()?;
    run.finish()
}

/// Lets the query meet the files. Those that can be opened come back: opened where they are needed again and need not be
/// read twice, which is so of one alone and of standard input.
fn meet<'i, 's>(
    inputs: &'i [Input],
    query: &mut Query,
    run: &mut Run<'s>,
) -> Result<Vec<(&'i Input, Option<OpenFile<'s>>)>> {
    let mut met = Vec::new();
    let mut left = inputs.iter();
    run.each_file(inputs, &open, &mut |run, aside| {
        let Some(input) = left.next() else { return Ok(()) };
        let Some(mut file) = claim(aside, input, run)? else { return Ok(()) };
        // The tables of all formats are there even so.
        if let Err(error) = query.meet(file.held.get()?) {
            run.failed(&file.name, error);
        }
        let is_kept = inputs.len() == 1 || input.is_stream();
        met.push((input, is_kept.then_some(file)));
        Ok(())
    })?;
    Ok(met)
}

/// Fills the tables with the rows of the files.
fn fill<'s>(
    met: Vec<(&Input, Option<OpenFile<'s>>)>,
    query: &Query,
    run: &mut Run<'s>,
) -> Result<()> {
    let (inputs, kept): (Vec<&Input>, Vec<_>) = met.into_iter().unzip();
    let mut left = inputs.iter().zip(kept);
    let is_one = inputs.len() == 1;
    let aside = |run: &mut Run<'_>, input: &Input| match is_one || input.is_stream() {
        true => Ok(Aside::Elsewhere),
        false => open(run, input),
    };
    run.each_file(&inputs, &aside, &mut |run, aside| {
        let Some((input, kept)) = left.next() else { return Ok(()) };
        let file = match kept {
            Some(file) => Some(file),
            None => claim(aside, input, run)?,
        };
        let Some(mut file) = file else { return Ok(()) };
        let opened = file.held.get()?;
        let filled = query.fill(&file.name, opened);
        run.settle(&file.name, &opened.take_findings());
        if let Err(error) = filled {
            run.failed(&file.name, error);
        }
        Ok(())
    })
}

/// A file for the database, which one thread has; others open files meanwhile.
enum Aside {
    Opened(String, Box<Opened>),
    /// It could not be opened, which is reported.
    Unopened,
    /// One that the session keeps open, or that is open already.
    Elsewhere,
}

fn open(run: &mut Run<'_>, input: &Input) -> Result<Aside> {
    if !input.is_named() {
        return Ok(Aside::Elsewhere);
    }
    let Some(OpenFile { name, held }) = run.open(input)? else { return Ok(Aside::Unopened) };
    Ok(Aside::Opened(name, Box::new(held.into_own()?)))
}

/// The file that was opened, or is now.
fn claim<'s>(aside: Aside, input: &Input, run: &mut Run<'s>) -> Result<Option<OpenFile<'s>>> {
    match aside {
        Aside::Opened(name, opened) => {
            run.met(&opened);
            Ok(Some(OpenFile { name, held: Held::own(*opened) }))
        }
        Aside::Unopened => Ok(None),
        Aside::Elsewhere => run.open(input),
    }
}
