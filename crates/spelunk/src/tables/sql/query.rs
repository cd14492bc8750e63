//! SQL straight on a file: a database in memory, with the tables that a statement reads.

use super::{super::read::Tables, fill, schema};
use crate::{Error, Opened, Result, Task, codes};
use rusqlite::{
    Connection, ErrorCode, Statement,
    config::DbConfig,
    hooks::{AuthAction, AuthContext, Authorization},
    types::ValueRef,
};
use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
};

/// A value of a result.
#[derive(Clone, PartialEq, Debug)]
pub enum Value<'a> {
    /// NULL.
    Null,
    /// A whole number.
    Integer(i64),
    /// A number in double precision.
    Real(f64),
    /// A text.
    Text(&'a str),
    /// Bytes, and what is no text.
    Bytes(&'a [u8]),
}

/// What takes the rows of a result: the names of its columns, and the values of a row.
pub type EachRow<'e> = &'e mut dyn FnMut(&[String], &[Value<'_>]) -> Result<()>;

/// Runs one statement that reads on the tables of a file, and hands out the rows of its result. Tells the names of its columns.
///
/// # Errors
/// [`NO_TABLES`](codes::NO_TABLES) for other formats; [`SQL`](codes::SQL) with what SQLite says of the statement; reading errors;
/// limits; what `each` returns.
pub fn query(opened: &mut Opened, sql: &str, each: EachRow<'_>) -> Result<Vec<String>> {
    opened.run(|container, task| {
        let mut tables = Tables::of(container, task)?;
        let mut connection = Connection::open_in_memory().map_err(refused)?;
        make(&mut connection, &mut tables, sql, task)?;
        let mut statement = connection.prepare(sql).map_err(refused)?;
        hand_out(&mut statement, each)
    })
}

/// Makes all tables and views, and fills those that the statement reads.
fn make(
    connection: &mut Connection,
    tables: &mut Tables<'_>,
    sql: &str,
    task: &mut Task<'_>,
) -> Result<()> {
    let there = tables.categories();
    connection.execute_batch("PRAGMA foreign_keys = OFF").map_err(refused)?;
    // A name in double quotes that there is not is a mistake, and no text.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false).map_err(refused)?;
    for category in &there {
        connection.execute_batch(&schema::table(category, &there)).map_err(refused)?;
    }
    connection.execute_batch(&schema::id_views(&there)).map_err(refused)?;
    connection.execute_batch(&schema::views(&there, tables.languages)).map_err(refused)?;
    let read = Arc::new(Mutex::new(BTreeSet::new()));
    let told = read.clone();
    let watch = move |context: AuthContext<'_>| match context.action {
        AuthAction::Read { table_name, .. } => {
            told.lock().unwrap_or_else(PoisonError::into_inner).insert(table_name.to_owned());
            Authorization::Allow
        }
        AuthAction::Select | AuthAction::Function { .. } | AuthAction::Recursive => {
            Authorization::Allow
        }
        _ => Authorization::Deny,
    };
    connection.authorizer(Some(watch)).map_err(refused)?;
    let statement = connection.prepare(sql).map_err(refused)?;
    if statement.column_count() == 0 {
        return Err(Error::new(&codes::SQL).expected("a statement that reads"));
    }
    drop(statement);
    connection.authorizer(None::<fn(AuthContext<'_>) -> Authorization>).map_err(refused)?;
    let read = std::mem::take(&mut *read.lock().unwrap_or_else(PoisonError::into_inner));
    connection.execute_batch("BEGIN").map_err(refused)?;
    for category in there.iter().filter(|category| read.contains(category.table)) {
        // As cells, rows take no more than as bytes: most of a text is empty.
        let taken = tables.size(category, task)?;
        task.budget.memory(taken)?;
        fill(connection, tables, category, task)?;
        connection.execute_batch(&schema::index(category)).map_err(refused)?;
    }
    connection.execute_batch("COMMIT; PRAGMA query_only = ON").map_err(refused)
}

fn hand_out(statement: &mut Statement<'_>, each: EachRow<'_>) -> Result<Vec<String>> {
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut rows = statement.query([]).map_err(refused)?;
    while let Some(row) = rows.next().map_err(refused)? {
        let value = |nth: usize| {
            Ok(match row.get_ref(nth)? {
                ValueRef::Null => Value::Null,
                ValueRef::Integer(number) => Value::Integer(number),
                ValueRef::Real(number) => Value::Real(number),
                ValueRef::Text(text) => match std::str::from_utf8(text) {
                    Ok(text) => Value::Text(text),
                    Err(_) => Value::Bytes(text),
                },
                ValueRef::Blob(bytes) => Value::Bytes(bytes),
            })
        };
        let values: rusqlite::Result<Vec<Value<'_>>> = (0..names.len()).map(value).collect();
        each(&names, &values.map_err(refused)?)?;
    }
    Ok(names)
}

/// What SQLite says of a statement.
#[cold]
fn refused(error: rusqlite::Error) -> Error {
    let new = Error::new(&codes::SQL);
    match error.sqlite_error_code() {
        Some(ErrorCode::AuthorizationForStatementDenied) => {
            new.expected("a statement that reads").found("another one")
        }
        _ => new.found(error.to_string()),
    }
}
