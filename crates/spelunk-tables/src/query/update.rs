//! Statements that change rows. SQLite runs them on tables that are filled, and triggers on these note which field of which entry
//! gets which value. The file is not touched: what comes of it is a list of fields with their new values.

use super::{
    category::chunk,
    database::Database,
    near::listed,
    read::StatementActions,
    sql::quoted,
    table::{Fill, Table},
};
use crate::{
    ROW,
    cell::Cell,
    column::{Column, SetForm},
};
use spellforce::gamedata::{TEXTS, category};
use spelunk_core::{Error, Result, Seg, Val};
use spelunk_open::{Opened, codes, languages::gamedata};

/// The table in which the triggers note fields.
const NOTES: &str = "spelunk_updates";

/// What a statement changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Updates {
    /// Number of the rows that the statement means, whether it changes them or not.
    pub matched: u64,
    /// Number of the rows of which a field gets another value.
    pub rows: u64,
    /// The fields that get other values, in the order in which the statement comes to them.
    pub fields: Vec<FieldUpdate>,
}

/// A field that gets another value.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldUpdate {
    /// Path of the entry.
    pub entry: String,
    /// Path of the field in the entry.
    pub field: String,
    /// New value as people write it.
    pub value: Val<'static>,
}

/// A column whose changes a trigger notes.
#[derive(Clone, Copy, Debug)]
pub(super) struct UpdateSource {
    form: SetForm,
    /// Id of the category of GameData whose rows are the entries.
    category: Option<i16>,
}

/// Makes the triggers for the columns of these tables that can be set. Their positions are those of what is returned.
pub(super) fn watch<'t>(
    tables: impl IntoIterator<Item = &'t Table>,
    database: &Database,
) -> Result<Vec<UpdateSource>> {
    database
        .run(&format!("CREATE TEMP TABLE {NOTES} (source, row, entry, field, value, changed)"))?;
    let mut sources: Vec<UpdateSource> = Vec::new();
    for table in tables {
        let Some(entry) = entry_of(table) else { continue };
        let category = match table.fill {
            Fill::Category(category) => Some(category.id),
            Fill::View => category(TEXTS).map(|texts| texts.id),
            _ => None,
        };
        let (when, row) = match table.fill {
            Fill::View => ("INSTEAD OF", quoted(ROW)),
            _ => ("AFTER", "rowid".to_owned()),
        };
        let fields = table.columns.iter().filter_map(|column| Some((column.name, column.sets?)));
        for (schema, (column, sets)) in
            table.schemas.iter().flat_map(|schema| fields.clone().map(move |field| (schema, field)))
        {
            let (nth, column, field) = (sources.len(), quoted(column), filled_in(sets.path));
            database.run(&format!(
                "CREATE TEMP TRIGGER spelunk_update_{nth} {when} UPDATE OF {column} ON {}.{} BEGIN INSERT INTO {NOTES} VALUES \
                 ({nth}, OLD.{row}, {entry}, {field}, NEW.{column}, NEW.{column} IS NOT OLD.{column}); END",
                quoted(schema),
                quoted(&table.name),
            ))?;
            sources.push(UpdateSource { form: sets.form, category });
        }
    }
    Ok(sources)
}

/// The path of the entry that a row is of, as an expression of SQL; of rows of GameData the number of the row, which a path is
/// made of behind the statement. `None` where rows are of no entry.
fn entry_of(table: &Table) -> Option<String> {
    match table.fill {
        Fill::Category(_) | Fill::View => {
            let has_row = table.columns.iter().any(|column| column.name == ROW);
            has_row.then(|| format!("OLD.{}", quoted(ROW)))
        }
        Fill::List(_, id) => Some(filled_in(&format!("{id}.{{chunk}}[{{record}}]"))),
        _ => table.columns.iter().find_map(|Column { name, entry, .. }| {
            entry.map(|before| filled_in(&format!("{before}{{{name}}}")))
        }),
    }
}

/// A pattern with names of columns in braces, as an expression of SQL that puts the values of a row in their places.
fn filled_in(pattern: &str) -> String {
    let parts = pattern.split(['{', '}']).enumerate().filter(|(_, part)| !part.is_empty());
    let part = |(nth, part): (usize, &str)| match nth % 2 {
        0 => format!("'{part}'"),
        _ => format!("OLD.{}", quoted(part)),
    };
    parts.map(part).collect::<Vec<_>>().join(" || ")
}

/// Refuses what is no statement that sets columns which are fields.
///
/// # Errors
/// [`SQL`](codes::SQL), with the columns that can be set.
pub(super) fn check(actions: &StatementActions, tables: &[Table]) -> Result<()> {
    if let Some(refused) = actions.refused {
        return Err(not_updating(refused));
    }
    for [schema, name, column] in &actions.updated {
        let is_it = |table: &&Table| {
            table.name.eq_ignore_ascii_case(name)
                && table.schemas.iter().any(|known| known.eq_ignore_ascii_case(schema))
        };
        let fields = tables.iter().find(is_it).into_iter().flat_map(|table| &*table.columns);
        let fields: Vec<&str> =
            fields.filter(|column| column.is_settable()).map(|column| column.name).collect();
        if fields.iter().any(|field| field.eq_ignore_ascii_case(column)) {
            continue;
        }
        let expected = match fields.as_slice() {
            [] => format!(
                "a table with columns that can be set (`{name}` has none; `fields` has every field of every entry)"
            ),
            fields => format!("a column of `{name}` that can be set: {}", listed(fields)),
        };
        let hint = if column == "name" { " (`mv` gives entries other names)" } else { "" };
        return Err(Error::new(&codes::SQL).expected(expected).found(format!("`{column}`{hint}")));
    }
    Ok(())
}

/// The error of a statement that is no UPDATE.
#[cold]
pub(super) fn not_updating(found: &'static str) -> Error {
    let expected = "UPDATE alone (`add` and `import` add entries, `rm` removes them)";
    Error::new(&codes::SQL).expected(expected).found(found)
}

/// Runs the statement and gives the fields that it changes.
pub(super) fn run(
    sql: &str,
    sources: &[UpdateSource],
    database: &mut Database,
    opened: &mut Opened,
) -> Result<Updates> {
    database.update(sql)?;
    let mut updates = Updates::default();
    let counts = format!(
        "SELECT count(DISTINCT row), count(DISTINCT CASE WHEN changed THEN row END) FROM {NOTES}"
    );
    database.query(&counts, &mut |_, counts| {
        let count = |nth: usize| match counts.get(nth) {
            Some(Cell::Integer(count)) => u64::try_from(*count).unwrap_or_default(),
            _ => 0,
        };
        (updates.matched, updates.rows) = (count(0), count(1));
        Ok(())
    })?;
    let mut taken = 0_u64;
    let notes =
        format!("SELECT source, entry, field, value FROM {NOTES} WHERE changed ORDER BY rowid");
    let noted = database.query(&notes, &mut |_, note| {
        let cost =
            note.iter().map(Cell::len).fold(size_of::<FieldUpdate>() as u64, u64::saturating_add);
        opened.charge(cost)?;
        taken = taken.saturating_add(cost);
        let [Cell::Integer(source), entry, Cell::Text(field), value] = note else { return Ok(()) };
        let source = usize::try_from(*source).ok().and_then(|nth| sources.get(nth));
        let Some(source) = source else { return Ok(()) };
        let entry = match (source.category, entry) {
            (Some(category), Cell::Integer(row)) => row_path(category, *row, opened)?,
            (_, Cell::Text(path)) => path.to_string(),
            _ => return Ok(()),
        };
        let value = written(source.form, value).map_err(|error| {
            let field = error.within(Seg::Key(field.to_string().into()));
            field.within(Seg::Key(entry.clone().into()))
        })?;
        updates.fields.push(FieldUpdate { entry, field: field.to_string(), value });
        Ok(())
    });
    // A batch is made of them, which has an account of its own.
    opened.release(taken);
    noted.map(|_| updates)
}

/// The path of the row of a category.
fn row_path(category: i16, row: i64, opened: &mut Opened) -> Result<String> {
    opened.run(|container, task| {
        let data = gamedata(container)?;
        let chunk = chunk(data, category, &mut task.budget)?;
        data.path(chunk, usize::try_from(row).unwrap_or(usize::MAX), &mut task.budget)
    })
}

/// A cell as people write the value of the field.
fn written(form: SetForm, cell: &Cell<'_>) -> Result<Val<'static>> {
    let text = match cell {
        Cell::Null if form == SetForm::Reference => "none".to_owned(),
        Cell::Null | Cell::Bytes(_) => {
            let found = if matches!(cell, Cell::Null) { "NULL" } else { "bytes" };
            return Err(Error::new(&codes::CELL_VALUE).expected("a number or a text").found(found));
        }
        Cell::Integer(number) => number.to_string(),
        Cell::Real(number) => number.to_string(),
        Cell::Text(text) => text.to_string(),
    };
    let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    Ok(Val::from(match form {
        SetForm::Reference if is_digits => format!("#{text}"),
        SetForm::Color => match text.split_at_checked(7) {
            Some((color, alpha)) if color.starts_with('#') && alpha.len() == 2 => {
                format!("#{alpha}{}", color.trim_start_matches('#'))
            }
            _ => text,
        },
        SetForm::Quoted => {
            let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
            inner.map_or(text.clone(), str::to_owned)
        }
        SetForm::Part(name) => format!("+{name}: {text}"),
        SetForm::Plain | SetForm::Reference => text,
    }))
}
