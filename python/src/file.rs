//! Opened files.

use crate::{
    buffer::Buffer,
    edit::{Change, Scene, batch, policies},
    entries::{Entry, Listing},
    errors::{OrRaise, raised},
    session::files,
    source::ObjectSource,
    tables::{self, Table},
};
use bytes::Bytes;
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    pybacked::PyBackedBytes,
    types::{PyAny, PyDict},
};
use spelunk::{
    Error, File, Options, Result,
    open::{codes, json},
    verbs::{Files, Reading, SessionOptions},
};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, RwLock},
};

/// An opened file of any format.
#[pyclass(frozen, module = "spelunk._spelunk")]
#[derive(Debug)]
pub struct Container {
    /// Nothing when it was closed.
    file: RwLock<Option<File>>,
}

/// Options for opening, as keyword arguments.
pub(crate) struct Settings(pub(crate) Options);

impl<'py> FromPyObject<'_, 'py> for Settings {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Settings> {
        let wrong = |error: pythonize::PythonizeError| PyValueError::new_err(error.to_string());
        let options: SessionOptions = pythonize::depythonize(&given).map_err(wrong)?;
        Options::try_from(options).or_raise().map(Settings)
    }
}

impl Container {
    fn new(file: File) -> Container {
        Container { file: RwLock::new(Some(file)) }
    }

    /// Works on the file; threads of Python run meanwhile.
    pub(crate) fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&File) -> Result<T> + Send,
    ) -> PyResult<T> {
        py.detach(|| {
            let file = self.file.read().unwrap_or_else(|poisoned| poisoned.into_inner());
            match &*file {
                Some(file) => work(file),
                None => Err(closed()),
            }
        })
        .or_raise()
    }

    /// Changes the file, or what takes its place.
    fn change<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Option<File>) -> Result<T> + Send,
    ) -> PyResult<T> {
        py.detach(|| {
            let mut file = self.file.write().unwrap_or_else(|poisoned| poisoned.into_inner());
            work(&mut file)
        })
        .or_raise()
    }
}

fn closed() -> Error {
    Error::new(&codes::STALE).expected("an open file").found("one that was closed")
}

#[pymethods]
impl Container {
    /// Opens the file, or the folder that is one container, at a path.
    #[staticmethod]
    fn at_path(py: Python<'_>, path: PathBuf, settings: Settings) -> PyResult<Container> {
        let options = spelunk::file::FileOptions::from(settings.0);
        py.detach(|| options.open(&path)).or_raise().map(Container::new)
    }

    /// Opens what a URL names.
    #[staticmethod]
    fn at_url(py: Python<'_>, url: &str, settings: Settings) -> PyResult<Container> {
        let options = spelunk::file::FileOptions::from(settings.0);
        let open = || options.from_source(files().open(&url.into(), Reading::default())?);
        py.detach(open).or_raise().map(Container::new)
    }

    /// Opens a file that is in memory.
    #[staticmethod]
    fn of_bytes(py: Python<'_>, bytes: PyBackedBytes, settings: Settings) -> PyResult<Container> {
        let options = spelunk::file::FileOptions::from(settings.0);
        let bytes = Bytes::from_owner(bytes);
        py.detach(|| options.from_bytes(bytes)).or_raise().map(Container::new)
    }

    /// Opens what an object of Python reads: one with a method `read_at(offset, size)` that returns bytes.
    #[staticmethod]
    fn of_object(
        py: Python<'_>,
        object: Py<PyAny>,
        size: u64,
        settings: Settings,
    ) -> PyResult<Container> {
        let options = spelunk::file::FileOptions::from(settings.0);
        let source = Arc::new(ObjectSource::new(object, size));
        let raised_there = source.clone();
        let opened = py.detach(|| options.from_source(source));
        opened
            .map(Container::new)
            .map_err(|error| raised_there.raised().unwrap_or_else(|| raised(&error)))
    }

    /// A new file without objects.
    #[staticmethod]
    fn blank(settings: Settings) -> PyResult<Container> {
        let options = spelunk::file::FileOptions::from(settings.0);
        Ok(Container::new(options.blank()))
    }

    #[getter]
    fn format(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.with(py, |file| Ok(file.format()))
    }

    #[getter]
    fn size(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |file| Ok(file.size()))
    }

    /// The entries, or those that match one of the globs.
    fn entries(&self, py: Python<'_>, globs: Vec<String>) -> PyResult<Listing> {
        self.with(py, |file| match globs.is_empty() {
            true => file.entries(),
            false => file.select(&globs),
        })
        .map(Listing::new)
    }

    /// The top of the hierarchy.
    fn root(&self, py: Python<'_>) -> PyResult<Listing> {
        self.with(py, File::root).map(Listing::new)
    }

    /// The entry at a path.
    fn entry(&self, py: Python<'_>, path: &str) -> PyResult<Entry> {
        self.with(py, |file| file.entry(path)).map(Entry::new)
    }

    /// The findings so far, which are not handed out again.
    fn take_findings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let findings = self.with(py, |file| Ok(file.take_findings()))?;
        let findings: Vec<_> = findings.findings.iter().map(json::finding).collect();
        Ok(pythonize::pythonize(py, &findings)?)
    }

    /// Makes changes, all or none: those of a batch, then objects of arrays.
    fn edit<'py>(
        &self,
        py: Python<'py>,
        changes: Vec<Change>,
        scene: Option<Scene>,
        on_conflict: &str,
    ) -> PyResult<Bound<'py, PyDict>> {
        let batch = batch(py, changes)?;
        let policies = policies(on_conflict)?;
        let outcome = self.change(py, |file| {
            let edit = file.as_mut().ok_or_else(closed)?.edit().batch(batch);
            match scene {
                Some(Scene(scene)) => edit.put(scene, policies).apply(),
                None => edit.apply(),
            }
        })?;
        let made = PyDict::new(py);
        made.set_item("added", outcome.added.len())?;
        made.set_item("places", outcome.places.len())?;
        Ok(made)
    }

    /// Writes the file to a path, complete or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.with(py, |file| file.save(&path))
    }

    /// Writes the file over the one that was opened. Where that fails, it is closed.
    fn save_over(&self, py: Python<'_>) -> PyResult<()> {
        self.change(py, |file| {
            let open = file.take().ok_or_else(closed)?;
            *file = Some(open.save_over()?);
            Ok(())
        })
    }

    /// The bytes of the file as it is now.
    fn buffer(&self, py: Python<'_>) -> PyResult<Buffer> {
        let bytes = self.with(py, |file| {
            let mut bytes = Vec::new();
            file.write(&mut bytes)?;
            Ok(bytes)
        })?;
        Ok(Buffer::new(bytes))
    }

    /// What stands in the space of the file, as dictionaries.
    fn scene<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let scene = self.with(py, File::scene)?;
        Ok(pythonize::pythonize(py, &scene)?)
    }

    /// The heights of a map: columns, rows, and single-precision numbers row by row.
    fn heights(&self, py: Python<'_>) -> PyResult<(u32, u32, Buffer)> {
        let heights = self.with(py, File::heights)?;
        Ok((heights.columns, heights.rows, Buffer::new(heights.values)))
    }

    /// The names of the tables of a GameData.
    fn tables(&self, py: Python<'_>) -> PyResult<Vec<&'static str>> {
        self.with(py, File::tables)
    }

    /// A table of a GameData.
    fn table(&self, py: Python<'_>, name: &str) -> PyResult<Table> {
        tables::table(py, self, name)
    }

    /// The rows that a statement of SQL gives.
    fn query(&self, py: Python<'_>, sql: &str) -> PyResult<Table> {
        tables::query(py, self, sql)
    }

    /// Lets go of the file. What was taken of it can still be looked at, but reads nothing more.
    fn close(&self, py: Python<'_>) {
        py.detach(|| {
            let mut file = self.file.write().unwrap_or_else(|poisoned| poisoned.into_inner());
            drop(file.take());
        });
    }

    #[getter]
    fn closed(&self) -> bool {
        self.file.read().unwrap_or_else(|poisoned| poisoned.into_inner()).is_none()
    }

    /// The path that it was opened at.
    #[getter]
    fn path(&self, py: Python<'_>) -> PyResult<Option<PathBuf>> {
        self.with(py, |file| Ok(file.path().map(Path::to_owned)))
    }
}
