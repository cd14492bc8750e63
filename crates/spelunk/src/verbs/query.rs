//! SQL on the tables of files.

use super::{
    FileName,
    destination::Destination,
    edit::with_file,
    input::Input,
    keeping::KeepOptions,
    output::{Outcome, Output},
    request::{FileList, OutputOptions, Shown},
    run::{OpenFile, Run},
    session::{Held, Session},
    set,
    writing::ChangedRow,
};
use crate::{
    Error, Opened, Result,
    core::folder::Links,
    edit::batch::Batch,
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
    /// A single statement that reads, or with `update` an UPDATE.
    pub sql: Option<String>,
    /// The tables that there are, with their columns, instead of a statement.
    pub tables: bool,
    /// Options for how the files are shown.
    #[serde(flatten)]
    pub shown: Shown,
    /// Whether the statement updates rows, and where the changed file goes.
    #[serde(flatten)]
    pub updating: Updating,
    /// Whether SQLite may take no more memory than the files allow in this whole process, for as long as it lives: for a
    /// process that runs one query and ends.
    #[serde(skip)]
    pub confines_process: bool,
}

// To the command, a documentation comment here would be what the verb is about.
#[cfg_attr(
    not(feature = "clap"),
    doc = "Whether the statement updates rows, and where the changed file goes."
)]
#[cfg_attr(feature = "clap", allow(missing_docs))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(group(clap::ArgGroup::new("updated").args(["output", "in_place"]))))]
#[cfg_attr(feature = "clap", command(mut_arg("backup", |backup| backup.requires("update"))))]
#[cfg_attr(feature = "clap", command(mut_arg("force", |force| force.requires("update"))))]
#[cfg_attr(feature = "clap", command(mut_arg("dry_run", |dry_run| dry_run.requires("update"))))]
#[cfg_attr(feature = "clap", command(mut_arg("follow_links", |follow| follow.requires("update"))))]
#[serde(default)]
pub struct Updating {
    /// Make the changes of an UPDATE to one FILE, all of them or none; --tables says which columns can be set
    #[cfg_attr(feature = "clap", arg(long, requires = "updated", conflicts_with_all = ["tables", "csv", "recursive", "files_from", "generation"]))]
    pub update: bool,
    /// With --update, the file to write, or - for standard output
    #[cfg_attr(feature = "clap", arg(short, long, value_name = "OUT", requires = "update"))]
    pub output: Option<FileName>,
    /// With --update, replace FILE itself, atomically
    #[cfg_attr(feature = "clap", arg(long, requires = "update"))]
    pub in_place: bool,
    /// What is kept of a file that is changed in place.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub keep: KeepOptions,
    /// Options for files that are written.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub out: OutputOptions,
}

/// A row of the answer, or a table that can be asked.
#[derive(Debug, JsonSchema)]
#[schemars(untagged)]
pub enum Row<'a> {
    /// A row of the answer.
    Answer(Answer<'a>),
    /// With `tables`: a table that can be asked.
    Table(TableRow<'a>),
    /// With `update`: the file that was changed.
    Updated(ChangedRow<UpdatedRow>),
}

/// What an update changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UpdatedRow {
    /// Number of the rows of which a field has another value now.
    pub rows: u64,
    /// Number of these fields.
    pub fields: u64,
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
    /// Whether `update` can set it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub settable: bool,
}

impl<'a> TableRow<'a> {
    fn of(table: &'a Table) -> TableRow<'a> {
        let column = |column: &'a Column| ColumnRow {
            name: column.name,
            kind: column.kind.sql().to_lowercase(),
            unit: Some(column.unit).filter(|unit| !unit.is_empty()),
            doc: column.doc,
            settable: column.is_settable(),
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
    let mut run = Run::editing("query", request, session, out);
    run.show(&request.shown)?;
    if request.updating.update {
        update(request, &mut run)?;
        return run.finish();
    }
    // Where histories are always wanted, that says nothing of this statement.
    let keep = KeepOptions { history: false, ..request.updating.keep.clone() };
    if (Updating { keep, ..request.updating.clone() }) != Updating::default() {
        let error = Error::new(&codes::BAD_REQUEST).expected("`update`");
        return Err(error.found("options for what it writes alone"));
    }
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

/// Makes the changes of an UPDATE to one file, as `set` would make them.
fn update(request: &Request, run: &mut Run<'_>) -> Result<()> {
    let FileList { files, recursive: false, files_from: None } = &request.files else {
        return Err(not_one_file("a list or a folder of files"));
    };
    let [file] = files.as_slice() else {
        return Err(not_one_file(&format!("{} files", files.len())));
    };
    let Some(sql) = request.sql.as_deref().filter(|_| !request.tables) else {
        return Err(Error::new(&codes::SQL).expected("UPDATE").found("no statement"));
    };
    let Updating { output, in_place, keep, out, .. } = request.updating.clone();
    let to = Destination { file: file.clone(), output, in_place, keep, out };
    with_file(&to, run, |file, opened, run| {
        let updates = match updates(file, opened, sql, request.confines_process) {
            Ok(updates) => updates,
            // It is the statement that is wrong, and no file.
            Err(error) if error.code() == &codes::SQL => return Err(error),
            Err(error) => {
                run.failed(file, error);
                return Ok(None);
            }
        };
        if updates.matched == 0 {
            let error = Error::new(&codes::core::NOT_FOUND);
            run.failed(file, error.expected("a row that the statement updates").found("none"));
            return Ok(None);
        }
        let (rows, fields) = (updates.rows, updates.fields.len() as u64);
        let set = |batch: Batch, it: query::FieldUpdate| batch.set(it.entry, it.field, it.value);
        let batch = updates.fields.into_iter().fold(Batch::new(), set);
        if !set::make(file, opened, &batch, run) {
            return Ok(None);
        }
        let count = |count: u64, what: &str| match count {
            1 => format!("1 {what}"),
            count => format!("{count} {what}s"),
        };
        run.note(&format!("{file}: {}, {} changed", count(rows, "row"), count(fields, "field")));
        Ok(Some(UpdatedRow { rows, fields }))
    })
}

fn updates(
    file: &str,
    opened: &mut Opened,
    sql: &str,
    confines_process: bool,
) -> Result<query::Updates> {
    let mut query = Query::updating(sql, opened.options());
    query.meet(opened)?;
    if confines_process {
        query.confine_process()?;
    }
    query.prepare()?;
    query.fill(file, opened)?;
    query.updates(opened)
}

#[cold]
fn not_one_file(found: &str) -> Error {
    Error::new(&codes::BAD_REQUEST).expected("one file to update").found(found.to_owned())
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
