//! What statements of SQL are made of, and what SQLite says about them.

use rusqlite::ErrorCode;
use spelunk_core::{Error, Space, Span};
use spelunk_open::codes;

/// The bytes of a statement, for errors that have a place in it.
const STATEMENT: Space = Space::section("statement");

/// Text as a name in SQL.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The error of a statement that does anything but read.
#[cold]
fn not_reading() -> Error {
    Error::new(&codes::SQL)
        .expected("a statement that reads, or UPDATE with --update")
        .found("another one")
}

/// The error for a message of SQLite about a statement.
#[cold]
pub(super) fn refused(error: rusqlite::Error) -> Error {
    // What SQLite says of the rows of virtual tables, which cannot be changed.
    let is_writing = error.to_string().contains("may not be modified");
    match error.sqlite_error_code() {
        Some(ErrorCode::AuthorizationForStatementDenied) => not_reading(),
        _ if is_writing => not_reading(),
        Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure | ErrorCode::CannotOpen) => {
            Error::new(&codes::DATABASE).found(error.to_string())
        }
        Some(ErrorCode::OperationInterrupted) => Error::new(&codes::core::STEPS),
        Some(ErrorCode::OutOfMemory | ErrorCode::TooBig) => {
            Error::new(&codes::core::MEMORY).found(error.to_string())
        }
        _ => match error {
            // Who wrote the statement knows it, but not where it is wrong.
            rusqlite::Error::SqlInputError { msg, offset, .. } => {
                let error = Error::new(&codes::SQL).found(msg);
                match u64::try_from(offset) {
                    Ok(offset) => error.at(Span::new(STATEMENT, offset, 0)),
                    Err(_) => error,
                }
            }
            other => Error::new(&codes::SQL).found(other.to_string()),
        },
    }
}
