//! Verbs by their names: requests of Python in, rows out, while the verb runs on a thread of its own.

use crate::{
    catalog,
    errors::{OrRaise, raised},
    file::{Container, Settings},
    source::FileRanges,
};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyDict, PyList},
};
use serde_json::Value;
use spelunk::{
    Cancel, Options, Severity,
    open::json,
    verbs::{self, CallItem, Disk, Outcome, Output, Progress, RowForm, RunningCall},
};
use spelunk_remote::{Remote, RemoteOptions};
use std::{
    ffi::OsString,
    mem,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// Time after which Python is asked whether it was interrupted.
const PATIENCE: Duration = Duration::from_millis(50);

/// Files on the disk and on servers, and files that are open.
#[pyclass(frozen, module = "spelunk._spelunk")]
#[derive(Debug)]
pub struct Session {
    session: Arc<verbs::Session>,
}

#[pymethods]
impl Session {
    #[new]
    fn new(settings: Settings) -> PyResult<Session> {
        let options = Options { cancel: Some(Cancel::default()), ..settings.0 };
        let session = verbs::Session::new(files()).register(spelunk_catalog::VERB);
        Ok(Session { session: Arc::new(session.with_options(options)) })
    }

    /// Keeps an open file as it is now, and returns its number in requests.
    fn keep<'py>(
        &self,
        py: Python<'py>,
        name: String,
        file: &Container,
    ) -> PyResult<Bound<'py, PyAny>> {
        let session = &self.session;
        let handle = file.with(py, |file| session.keep(name.as_str(), file))?;
        Ok(pythonize::pythonize(py, &handle)?)
    }

    /// The names of all verbs.
    fn verbs(&self) -> Vec<&'static str> {
        self.session.verbs().iter().map(|verb| verb.name()).collect()
    }

    /// The JSON Schemas of the requests and of the rows of a verb, as texts; nothing in the place of the latter where it has none.
    fn schemas(&self, verb: &str) -> PyResult<(String, Option<String>)> {
        let verb = self.session.verb(verb).or_raise()?;
        let text = |schema| serde_json::to_string(&schema).unwrap_or_default();
        Ok((text(verb.request_schema()), verb.row_schema().map(text)))
    }

    /// Brings a catalogue up to date whose parts others write, and returns what `catalog` reports.
    fn catalog<'py>(
        &self,
        py: Python<'py>,
        request: &Bound<'py, PyDict>,
        write_parts: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        catalog::catalog(py, &self.session, request, write_parts)
    }

    /// Writes a part of a catalogue, where a task of [`Session::catalog`] came.
    #[pyo3(signature = (task, lost=Vec::new()))]
    fn write_part<'py>(
        &self,
        py: Python<'py>,
        task: &[u8],
        lost: Vec<usize>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        catalog::write_part(py, &self.session, task, &lost)
    }

    /// The files below some names: each with its name as rows have it, and its size where that is known.
    #[pyo3(signature = (trees, files_from=None))]
    fn find(
        &self,
        py: Python<'_>,
        trees: Vec<OsString>,
        files_from: Option<OsString>,
    ) -> PyResult<Vec<(OsString, String, Option<u64>)>> {
        catalog::find(py, &self.session, trees, files_from)
    }

    /// The parts of a table of a catalogue and their sizes; nothing where there is no catalogue.
    fn parts(
        &self,
        py: Python<'_>,
        dir: OsString,
        table: &str,
    ) -> PyResult<Option<Vec<(OsString, u64)>>> {
        catalog::parts(py, &self.session, dir, table)
    }

    /// A file whose bytes are read range by range, as they are.
    fn source(&self, py: Python<'_>, name: OsString) -> PyResult<FileRanges> {
        FileRanges::open(py, &self.session, name)
    }

    /// Begins a verb.
    fn call(&self, verb: &str, request: &Bound<'_, PyDict>, raises: bool) -> PyResult<Rows> {
        let request: Value = pythonize::depythonize(request)?;
        let verb = self.session.verb(verb).or_raise()?;
        let work = move |session: &_, out: &mut dyn Output| verb.call(session, request, out);
        let call = RunningCall::begin(self.session.part(), false, RowForm::Value, work).or_raise()?;
        let state = State { call: Some(call), ..State::default() };
        Ok(Rows { state: Mutex::new(state), raises })
    }
}

/// The files of the disk and of servers.
pub(crate) fn files() -> Remote<Disk> {
    Remote::new(Disk, RemoteOptions::from_env())
}

#[derive(Default)]
struct State {
    /// Nothing when all came.
    call: Option<RunningCall>,
    bodies: Vec<(String, Vec<u8>)>,
    diagnostics: Vec<(String, json::Diagnostic)>,
    notes: Vec<String>,
    progress: Progress,
    outcome: Outcome,
}

/// The rows of a verb, as they come.
#[pyclass(frozen, module = "spelunk._spelunk")]
pub struct Rows {
    state: Mutex<State>,
    /// Whether what is wrong with a file is raised, and not a diagnostic.
    raises: bool,
}

impl Rows {
    fn with<T>(&self, work: impl FnOnce(&mut State) -> T) -> T {
        work(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits for what comes next; nothing where nothing came for some time.
    fn wait(&self, py: Python<'_>) -> Option<CallItem> {
        // Another thread may wait for the same.
        py.detach(|| self.with(|state| state.call.as_ref()?.next(Some(PATIENCE))))
    }

    /// Ends the verb.
    fn end(&self) {
        drop(self.with(|state| state.call.take()));
    }

    fn fail(&self, error: PyErr) -> PyErr {
        self.end();
        error
    }
}

impl std::fmt::Debug for Rows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rows").finish_non_exhaustive()
    }
}

#[pymethods]
impl Rows {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        loop {
            if self.with(|state| state.call.is_none()) {
                return Ok(None);
            }
            // Also where rows come without a pause, to somebody who looks at none of them.
            py.check_signals().map_err(|error| self.fail(error))?;
            match self.wait(py) {
                None => {}
                Some(CallItem::Row(row)) => return Ok(Some(pythonize::pythonize(py, &row)?)),
                Some(CallItem::Failed(_, error)) if self.raises => {
                    return Err(self.fail(raised(&error)));
                }
                Some(item) => self.with(|state| state.take(item))?,
            }
        }
    }

    /// Ends the verb, wherever it is.
    fn close(&self) {
        self.end();
    }

    /// The exit code that the command would have, when all rows came: 0 clean, 1 error findings or differences, and so on.
    #[getter]
    fn code(&self) -> u8 {
        self.with(|state| state.outcome.code())
    }

    /// Files found in folders that are no containers.
    #[getter]
    fn passed_over(&self) -> Vec<String> {
        self.with(|state| state.outcome.passed_over.clone())
    }

    /// Findings so far: each with the file that it is of.
    #[getter]
    fn diagnostics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        self.with(|state| {
            state.diagnostics.iter().try_for_each(|(file, diagnostic)| {
                let made = pythonize::pythonize(py, diagnostic)?;
                made.set_item("file", file)?;
                list.append(made)
            })
        })?;
        Ok(list)
    }

    /// Sentences about the work so far.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.with(|state| state.notes.clone())
    }

    /// Bytes of all files that are done, bytes of all, the file that is worked on, and how many there are.
    #[getter]
    fn progress(&self) -> (u64, u64, usize, usize) {
        let Progress { done, total, file, files } = self.with(|state| state.progress);
        (done, total, file, files)
    }

    /// Bytes that were asked for, by their names. They are handed out once.
    fn take_bodies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let bodies = PyDict::new(py);
        for (name, bytes) in self.with(|state| mem::take(&mut state.bodies)) {
            bodies.set_item(name, PyBytes::new(py, &bytes))?;
        }
        Ok(bodies)
    }
}

impl State {
    /// Takes what is no row.
    fn take(&mut self, item: CallItem) -> PyResult<()> {
        match item {
            CallItem::Row(_) | CallItem::Json(_) => {}
            CallItem::Body(name, bytes) => self.add_body(name, bytes),
            CallItem::Diagnostic(file, finding) => {
                self.diagnostics.push((file, json::finding(&finding)));
            }
            CallItem::Failed(file, error) => {
                self.diagnostics.push((file, json::diagnostic(Severity::Error, &error)));
            }
            CallItem::Note(text) => self.notes.push(text),
            CallItem::Progress(progress) => self.progress = progress,
            CallItem::End(outcome) => {
                self.call = None;
                match outcome {
                    Ok(outcome) => self.outcome = outcome,
                    Err(error) => {
                        self.outcome.failed(&error);
                        return Err(raised(&error));
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds bytes to those of a name, which come in parts.
    fn add_body(&mut self, name: String, bytes: Vec<u8>) {
        match self.bodies.last_mut().filter(|(last, _)| *last == name) {
            Some((_, body)) => body.extend(bytes),
            None => self.bodies.push((name, bytes)),
        }
    }
}
