//! Errors for what SQLite says.

use spelunk_core::Error;
use spelunk_open::codes;

/// The error for a message of SQLite about a database that is written.
#[cold]
pub(super) fn unwritten(error: rusqlite::Error) -> Error {
    Error::new(&codes::DATABASE).found(error.to_string())
}

/// The error for a message of SQLite about a database that is read.
#[cold]
pub(super) fn unread(error: rusqlite::Error) -> Error {
    Error::new(&codes::BAD_TABLES).expected("a database of tables").found(error.to_string())
}
