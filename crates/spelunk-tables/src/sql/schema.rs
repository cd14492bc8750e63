//! The statements that make tables, views and indices of categories.

use super::super::{
    ROW,
    column::{CategoryColumn, ColumnKind, columns},
};
use spellforce::gamedata::{
    Category, LOCAL, Language, Languages, TEXTS, category, schema::TextRow,
};
use spelunk_core::{Refers, field::Slot};
use std::{collections::BTreeSet, fmt::Write};

/// The column with the file that a row is of, where tables hold rows of several.
const FILE: &str = "file";

/// Text as a name in SQL.
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Text as a value in SQL.
fn value(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// The statement that adds a row: its place, then its columns.
pub fn insert(category: &Category, columns: &[CategoryColumn]) -> String {
    let places = ",?".repeat(columns.len());
    format!("INSERT INTO {} VALUES (?{places})", quoted(category.table))
}

/// The statement that makes the table of a category.
pub fn table(category: &Category, there: &[&'static Category]) -> String {
    let mut sql = format!("CREATE TABLE {} (\n  {ROW} INTEGER PRIMARY KEY", quoted(category.table));
    for column in columns(category) {
        let default = match column.kind {
            ColumnKind::Text | ColumnKind::Hex => "''",
            ColumnKind::Json => "'[]'",
            _ => "0",
        };
        let (name, kind) = (quoted(column.name), column.kind.sql());
        let _ = write!(sql, ",\n  {name} {kind} NOT NULL DEFAULT {default}");
    }
    for (slot, refers) in references(category) {
        // Those that hold for some rows alone, and those of two columns, are in the view of what dangles.
        if let (Some(target), None, None) = (target(&refers, there), refers.when, refers.with) {
            let (name, ids) = (quoted(slot.field.name), ids(target));
            let _ = write!(sql, ",\n  FOREIGN KEY ({name}) REFERENCES {ids} (id)");
            sql.push_str(" DEFERRABLE INITIALLY DEFERRED");
        }
    }
    sql.push_str("\n)");
    sql
}

/// The fields of a category that refer to something.
fn references(category: &Category) -> impl Iterator<Item = (&'static Slot, Refers)> {
    category.fields().iter().filter_map(|slot| Some((slot, slot.field.refers?)))
}

/// Returns the category that a field refers to, where the file has it.
fn target(refers: &Refers, there: &[&'static Category]) -> Option<&'static Category> {
    there.iter().find(|category| category.id == refers.table.cast_signed()).copied()
}

/// The name of the table of the distinct ids of a category.
fn ids(category: &Category) -> String {
    quoted(&format!("{}_ids", category.table))
}

/// The categories that others refer to by their ids.
pub fn targets(there: &[&'static Category]) -> Vec<&'static Category> {
    let references = there.iter().flat_map(|category| references(category));
    let targets: BTreeSet<i16> = references
        .filter(|(_, refers)| refers.when.is_none() && refers.with.is_none())
        .map(|(_, refers)| refers.table.cast_signed())
        .collect();
    there.iter().filter(|category| targets.contains(&category.id)).copied().collect()
}

fn id(category: &Category) -> String {
    quoted(category.fields().first().map_or("", |slot| slot.field.name))
}

/// The statements that make and fill the tables of distinct ids.
pub fn id_tables(there: &[&'static Category]) -> String {
    let table = |category: &&Category| {
        let (ids, id, table) = (ids(category), id(category), quoted(category.table));
        format!(
            "CREATE TABLE {ids} (id INTEGER PRIMARY KEY);\n\
             INSERT INTO {ids} SELECT DISTINCT {id} FROM {table} ORDER BY 1;\n"
        )
    };
    targets(there).iter().map(table).collect()
}

/// The statements that make views of distinct ids in a schema, where tables are filled later, of several files.
pub fn id_views(there: &[&'static Category], schema: &str) -> String {
    let view = |category: &&Category| {
        let (ids, id, table) = (ids(category), id(category), quoted(category.table));
        format!("CREATE VIEW {schema}.{ids} AS SELECT DISTINCT {id} AS id, {FILE} FROM {table};\n")
    };
    targets(there).iter().map(view).collect()
}

/// The statement that makes the index of the keys of a category, in a schema if one is named.
pub fn index(category: &Category, schema: Option<&str>) -> String {
    let names: Vec<_> = category.key_fields().iter().map(|slot| quoted(slot.field.name)).collect();
    let (name, table) = (quoted(&format!("{}_key", category.table)), quoted(category.table));
    format!("CREATE INDEX {}{name} ON {table} ({});\n", within(schema), names.join(", "))
}

/// Returns the prefix of names in a schema.
fn within(schema: Option<&str>) -> String {
    schema.map(|schema| format!("{schema}.")).unwrap_or_default()
}

/// The statements that make the views of a database: what dangles, and the texts of each language.
pub fn views(there: &[&'static Category], languages: &Languages) -> String {
    let mut sql = dangling(there, None);
    if there.iter().any(|category| category.id == TEXTS) {
        texts(languages, &mut sql);
    }
    sql
}

/// The statement that makes the view of all references that lead nowhere, without those to a category that the file lacks. In a
/// schema that is named, tables hold rows of several files, and the view has a column for the file.
pub fn dangling(there: &[&'static Category], schema: Option<&str>) -> String {
    let mut parts = Vec::new();
    for category in there {
        for (slot, refers) in references(category) {
            let Some(target) = target(&refers, there) else { continue };
            parts.push(broken(category, slot, &refers, target, schema.is_some()));
        }
    }
    if parts.is_empty() {
        let file = if schema.is_some() { ", NULL AS file" } else { "" };
        parts.push(format!(
            "SELECT NULL AS \"table\", NULL AS {ROW}, NULL AS \"column\", NULL AS value{file} WHERE 0"
        ));
    }
    format!("CREATE VIEW {}dangling AS\n{};\n", within(schema), parts.join("\nUNION ALL\n"))
}

/// The rows of a category in which one field leads nowhere.
fn broken(
    category: &Category,
    slot: &Slot,
    refers: &Refers,
    target: &Category,
    of_files: bool,
) -> String {
    let field = |of: &Category, nth: u16| {
        quoted(of.fields().get(usize::from(nth)).map_or("", |slot| slot.field.name))
    };
    let own = format!("a.{}", quoted(slot.field.name));
    let mut same = format!("b.{} = {own}", field(target, refers.field));
    let mut none = format!("{own} = 0");
    if let Some((mine, other)) = refers.with {
        let mine = field(category, mine);
        let _ = write!(same, " AND b.{} = a.{mine}", field(target, other));
        let _ = write!(none, " AND a.{mine} = 0");
    }
    let mut wanted = String::new();
    if refers.zero_is_none {
        let _ = write!(wanted, "NOT ({none}) AND ");
    }
    if let Some((mine, values)) = refers.when {
        let values: Vec<_> = values.iter().map(i64::to_string).collect();
        let _ = write!(wanted, "a.{} IN ({}) AND ", field(category, mine), values.join(", "));
    }
    let mut file = String::new();
    if of_files {
        let target = quoted(target.table);
        file = format!(", a.{FILE} AS {FILE}");
        let _ = write!(same, " AND b.{FILE} = a.{FILE}");
        let _ = write!(wanted, "a.{FILE} IN (SELECT DISTINCT {FILE} FROM {target}) AND ");
    }
    format!(
        "SELECT {} AS \"table\", a.{ROW} AS {ROW}, {} AS \"column\", {own} AS value{file} FROM {} a\n  \
         WHERE {wanted}NOT EXISTS (SELECT 1 FROM {} b WHERE {same})",
        value(category.table),
        value(slot.field.name),
        quoted(category.table),
        quoted(target.table),
    )
}

/// The languages, with what the views of their texts are called by: codes, and slots where there is none.
pub fn codes(languages: &Languages) -> Vec<(&Language, String)> {
    let mut seen = BTreeSet::new();
    let codes = languages.all().map(|language| {
        let code = language.code.filter(|code| seen.insert(*code));
        (language, code.map_or_else(|| format!("slot_{}", language.slot), str::to_owned))
    });
    codes.collect()
}

/// What the views of texts are called by, each with its language: codes, and all other names of languages that are none.
pub fn names(languages: &Languages) -> Vec<(&Language, String)> {
    let codes = codes(languages);
    let mut seen: BTreeSet<String> = codes.iter().map(|(_, code)| code.clone()).collect();
    let mut names = Vec::new();
    for (language, code) in codes {
        names.push((language, code));
        let others = aliases(language).into_iter().filter(|alias| seen.insert(alias.clone()));
        names.extend(others.map(|alias| (language, alias)));
    }
    names
}

/// What a language is called by beside its code: its slot, its name, and `local` where it is the edition's own one.
fn aliases(language: &Language) -> Vec<String> {
    let name = language.name.and_then(|name| name.split(' ').next()).map(str::to_lowercase);
    let local = language.is_own().then(|| LOCAL.to_owned());
    [Some(language.slot.to_string()), name, local].into_iter().flatten().collect()
}

/// A view of the texts of each language, by its code.
fn texts(languages: &Languages, sql: &mut String) {
    let Some(texts) = category(TEXTS) else { return };
    let columns = columns(texts);
    let slot = columns.iter().find(|column| column.field == TextRow::LANGUAGE_ID);
    let Some(slot) = slot.map(|column| quoted(column.name)) else { return };
    let shown = columns.iter().filter(|column| column.field != TextRow::LANGUAGE_ID);
    let shown: Vec<_> = shown.map(|column| quoted(column.name)).collect();
    let (shown, table) = (shown.join(", "), quoted(texts.table));
    for (language, called) in names(languages) {
        let name = quoted(&format!("{}_{called}", texts.table));
        let slot_number = language.slot;
        let _ = writeln!(
            sql,
            "CREATE VIEW {name} AS SELECT {ROW}, {shown} FROM {table} WHERE {slot} = {slot_number};"
        );
    }
}
