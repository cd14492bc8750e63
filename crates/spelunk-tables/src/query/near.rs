//! What is near a table or a column that a statement names and that there is not.

use super::{statement::Statement, table::Table};
use spelunk_core::{
    Error, Val,
    nearest::{Nearest, near_it},
};

/// Most columns that a message lists.
const LISTED: usize = 12;

/// The error of a statement, with the tables or columns that there are where it names one that there is not.
pub(super) fn advised(error: Error, statement: &Statement, tables: &[Table]) -> Error {
    let Val::Str(said) = error.found_value() else { return error };
    let said = said.to_string();
    if let Some(name) = said.strip_prefix("no such table: ") {
        return about_table(error, &said, name, tables);
    }
    match said.strip_prefix("no such column: ") {
        Some(name) => about_column(error, &said, name, statement, tables),
        None => error,
    }
}

fn about_table(error: Error, said: &str, name: &str, tables: &[Table]) -> Error {
    let name = last(name);
    let near = Nearest::among(name, tables.iter().map(|table| &*table.name)).suggestion(|_| true);
    let expected = format!("one of the {} tables that --tables lists", tables.len());
    error.expected(expected).found(near_it(said, near))
}

fn about_column(
    error: Error,
    said: &str,
    name: &str,
    statement: &Statement,
    tables: &[Table],
) -> Error {
    let name = last(name);
    let meant = || tables.iter().filter(|table| statement.names(&table.name));
    let has = |table: &&Table| table.all_columns().any(|it| it.name.eq_ignore_ascii_case(name));
    // Tables of several formats may have one name; without a schema it means the first.
    if let Some(other) = meant().find(has) {
        let schema = other.schemas.first().copied().unwrap_or_default();
        let there = format!("`{schema}.{}` has it", other.name);
        return error.found(format!("{said} ({there})"));
    }
    let columns = || meant().flat_map(|table| table.all_columns().map(|column| column.name));
    if let Some(near) = Nearest::among(name, columns()).suggestion(|_| true) {
        return error.found(near_it(said, Some(near)));
    }
    let Some(table) = meant().next() else { return error.found(said.to_owned()) };
    let all: Vec<&str> = table.all_columns().map(|column| column.name).collect();
    let expected = format!("one of the columns of `{}`: {}", table.name, listed(&all));
    error.expected(expected).found(said.to_owned())
}

/// Columns for a message, which lists the first ones of many.
pub(super) fn listed(columns: &[&str]) -> String {
    let first: Vec<String> = columns.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
    let more = match columns.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more that --tables lists"),
    };
    format!("{}{more}", first.join(", "))
}

/// A name without the schema, the table or the alias before it.
fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}
