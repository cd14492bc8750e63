//! Errors of the library as exceptions of Python.

use pyo3::{prelude::*, types::PyDict};
use spelunk::{
    Error, Severity,
    open::{codes, json},
};
use std::io;

/// An error as the exception that the package makes of it.
pub(crate) fn raised(error: &Error) -> PyErr {
    Python::attach(|py| exception(py, error).map_or_else(|failed| failed, PyErr::from_value))
}

/// The exception itself.
pub(crate) fn exception<'py>(py: Python<'py>, error: &Error) -> PyResult<Bound<'py, PyAny>> {
    let details = PyDict::new(py);
    let diagnostic = json::diagnostic(Severity::Error, error);
    let diagnostic = pythonize::pythonize(py, &diagnostic)?;
    diagnostic.set_item("help", error.code().help)?;
    details.set_item("diagnostic", diagnostic)?;
    details.set_item("message", error.to_string())?;
    details.set_item("kind", kind(error))?;
    details.set_item("system", system_name(error))?;
    py.import("spelunk._errors")?.getattr("exception_of")?.call((), Some(&details))
}

/// What kind of error it is to those who catch it.
fn kind(error: &Error) -> &'static str {
    let id = error.code().id;
    if error.is_cancelled() {
        "cancelled"
    } else if [codes::core::NOT_FOUND.id, codes::NO_SUCH_FIELD.id].contains(&id) {
        "not found"
    } else {
        "other"
    }
}

/// The exception of Python that stands for an error of the system.
fn system_name(error: &Error) -> Option<&'static str> {
    Some(match error.io_error()?.kind() {
        io::ErrorKind::NotFound => "FileNotFoundError",
        io::ErrorKind::PermissionDenied => "PermissionError",
        io::ErrorKind::AlreadyExists => "FileExistsError",
        io::ErrorKind::IsADirectory => "IsADirectoryError",
        io::ErrorKind::NotADirectory => "NotADirectoryError",
        _ => "OSError",
    })
}

/// What the library returns, for Python.
pub(crate) trait OrRaise<T> {
    /// Raises the error.
    fn or_raise(self) -> PyResult<T>;
}

impl<T> OrRaise<T> for spelunk::Result<T> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| raised(&error))
    }
}
