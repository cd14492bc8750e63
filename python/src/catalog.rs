//! Catalogues whose parts are written by other processes, and the lists of files that work is shared out by.

use crate::errors::{OrRaise, raised};
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyBytes, PyDict},
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use spelunk::{
    Error, Finding, Result, Severity,
    core::folder::Links,
    open::{codes, json},
    verbs::{self, FileList, FileName, FileRef, Output, Row, RowForm},
};
use spelunk_catalog::{
    PartTask, WrittenPart, part, parts_of,
    verb::{Request, run_by},
};
use std::ffi::OsString;

/// What a run hands out.
#[derive(Default, Serialize)]
struct Report {
    /// Its row.
    row: Value,
    /// Errors of files, each with its file.
    diagnostics: Vec<Value>,
    /// Files that are no containers.
    passed_over: Vec<String>,
    /// What the command would end with.
    code: u8,
}

impl Report {
    fn add(&mut self, file: &str, diagnostic: json::Diagnostic) {
        let mut diagnostic = serde_json::to_value(diagnostic).unwrap_or_default();
        if let Some(fields) = diagnostic.as_object_mut() {
            fields.insert("file".to_owned(), file.into());
        }
        self.diagnostics.push(diagnostic);
    }
}

impl Output for Report {
    fn row(&mut self, row: &dyn Row) -> Result<()> {
        self.row = row.value().into_owned();
        Ok(())
    }

    fn body(&mut self, _: &str, _: &[u8]) -> Result<()> {
        Ok(())
    }

    fn diagnostic(&mut self, file: &str, finding: &Finding) {
        self.add(file, json::finding(finding));
    }

    fn failed(&mut self, file: &str, error: &Error) {
        self.add(file, json::diagnostic(Severity::Error, error));
    }

    fn note(&mut self, _: &str) {}

    fn form(&self) -> RowForm {
        RowForm::Value
    }
}

/// Brings a catalogue up to date. `write_parts` is handed pairs of a task and the sizes of its files, and returns what
/// [`write_part`] made of each.
pub(crate) fn catalog<'py>(
    py: Python<'py>,
    session: &verbs::Session,
    request: &Bound<'py, PyDict>,
    write_parts: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let request: Request = pythonize::depythonize(request)?;
    let write_parts = write_parts.clone().unbind();
    let mut raised_there = None;
    let mut report = Report::default();
    let outcome = py.detach(|| {
        run_by(session, &request, &mut report, &mut |tasks| {
            let done = Python::attach(|py| hand_out(py, write_parts.bind(py), tasks));
            done.map_err(|error| {
                raised_there = Some(error);
                Error::new(&codes::core::CANCELLED)
            })
        })
    });
    let outcome = outcome.map_err(|error| raised_there.unwrap_or_else(|| raised(&error)))?;
    report.code = outcome.code();
    report.passed_over = outcome.passed_over;
    Ok(pythonize::pythonize(py, &report)?)
}

fn hand_out(
    py: Python<'_>,
    write_parts: &Bound<'_, PyAny>,
    tasks: &[PartTask],
) -> PyResult<Vec<WrittenPart>> {
    let task = |task| -> PyResult<_> {
        let sizes: Vec<u64> = PartTask::sizes(task).collect();
        Ok((PyBytes::new(py, &sent(task)?), sizes))
    };
    let tasks = tasks.iter().map(task).collect::<PyResult<Vec<_>>>()?;
    let done: Vec<Vec<u8>> = write_parts.call1((tasks,))?.extract()?;
    done.iter().map(|done| received(done)).collect()
}

/// Writes a part. Some of its files are left alone, by their positions among the sizes that came with the task: they ended processes.
pub(crate) fn write_part<'py>(
    py: Python<'py>,
    session: &verbs::Session,
    task: &[u8],
    lost: &[usize],
) -> PyResult<Bound<'py, PyBytes>> {
    let task = received::<PartTask>(task)?.without(lost);
    let written =
        py.detach(|| part(session.files(), &task, session.options(), &mut |_, _| {})).or_raise()?;
    Ok(PyBytes::new(py, &sent(&written)?))
}

/// The files that a list means: each with its name as rows have it, without what lets somebody in, and its size in bytes where that is
/// known.
pub(crate) fn find(
    py: Python<'_>,
    session: &verbs::Session,
    trees: Vec<OsString>,
    files_from: Option<OsString>,
) -> PyResult<Vec<(OsString, String, Option<u64>)>> {
    py.detach(|| {
        let trees = trees.into_iter().map(|tree| FileRef::Name(tree.into()));
        let files_from = files_from.map(FileName::from);
        let list = FileList { files: trees.collect(), recursive: true, files_from };
        let found = session.find_files(&list, Links::followed(false), &mut Report::default())?;
        let sized = |file: FileName| {
            let size = session.files().len(&file);
            (file.as_os_str().to_owned(), file.to_string(), size)
        };
        Ok(found.into_iter().map(sized).collect())
    })
    .or_raise()
}

/// The parts of a table of a catalogue and their sizes; nothing where there is no catalogue.
pub(crate) fn parts(
    py: Python<'_>,
    session: &verbs::Session,
    dir: OsString,
    table: &str,
) -> PyResult<Option<Vec<(OsString, u64)>>> {
    let parts = py.detach(|| parts_of(session.files(), &dir.into(), table)).or_raise()?;
    let name = |(name, size): (FileName, u64)| (name.as_os_str().to_owned(), size);
    Ok(parts.map(|parts| parts.into_iter().map(name).collect()))
}

fn sent(value: &impl Serialize) -> PyResult<Vec<u8>> {
    serde_json::to_vec(value).map_err(|error| PyValueError::new_err(error.to_string()))
}

fn received<T: DeserializeOwned>(bytes: &[u8]) -> PyResult<T> {
    serde_json::from_slice(bytes).map_err(|error| PyValueError::new_err(error.to_string()))
}
