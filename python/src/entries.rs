//! Listings, entries and fields.

use crate::{
    arrays::{Mesh, Picture},
    buffer::Buffer,
    errors::OrRaise,
};
use pyo3::{
    exceptions::PyIndexError,
    prelude::*,
    types::{PyBytes, PyTuple},
};
use spelunk::{
    Val,
    file::{Entries, FileEntry, FileField, FileValue},
};
use std::path::PathBuf;

/// Entries of a file, listed at once.
#[pyclass(frozen, module = "spelunk._spelunk")]
#[derive(Debug)]
pub struct Listing {
    entries: Entries,
}

impl Listing {
    pub(crate) fn new(entries: Entries) -> Listing {
        Listing { entries }
    }
}

#[pymethods]
impl Listing {
    fn __len__(&self) -> usize {
        self.entries.len()
    }

    fn __getitem__(&self, index: usize) -> PyResult<Entry> {
        let entry = self.entries.get(index);
        entry.map(Entry::new).ok_or_else(|| PyIndexError::new_err("no such entry"))
    }

    /// The paths of all entries.
    fn paths(&self) -> Vec<String> {
        self.entries.iter().map(|entry| entry.path().to_owned()).collect()
    }
}

/// An entry of a file.
#[pyclass(frozen, module = "spelunk._spelunk")]
#[derive(Debug)]
pub struct Entry {
    entry: FileEntry,
}

impl Entry {
    pub(crate) fn new(entry: FileEntry) -> Entry {
        Entry { entry }
    }
}

#[pymethods]
impl Entry {
    #[getter]
    fn path(&self) -> &str {
        self.entry.path()
    }

    #[getter]
    fn kind(&self) -> &str {
        self.entry.kind()
    }

    #[getter]
    fn name(&self) -> &str {
        self.entry.name()
    }

    #[getter]
    fn size(&self) -> u64 {
        self.entry.size()
    }

    #[getter]
    fn stored_size(&self) -> Option<u64> {
        self.entry.stored_size()
    }

    /// The field at a path.
    fn field(&self, py: Python<'_>, path: &str) -> PyResult<Field> {
        let value = py.detach(|| self.entry.value(path)).or_raise()?;
        Ok(Field { path: path.to_owned(), value, field: None })
    }

    /// All fields.
    fn fields(&self, py: Python<'_>) -> PyResult<Vec<Field>> {
        let fields = py.detach(|| self.entry.fields()).or_raise()?;
        let field = |field: FileField| {
            let (path, value) = (field.path().to_owned(), field.value());
            Field { path, value, field: Some(field) }
        };
        Ok(fields.iter().map(field).collect())
    }

    /// The plain bytes.
    fn buffer(&self, py: Python<'_>) -> PyResult<Buffer> {
        py.detach(|| self.entry.bytes()).or_raise().map(Buffer::new)
    }

    /// The entries right below.
    fn below(&self, py: Python<'_>) -> PyResult<Listing> {
        py.detach(|| self.entry.below()).or_raise().map(Listing::new)
    }

    /// The mesh that it is.
    fn mesh(&self, py: Python<'_>) -> PyResult<Mesh> {
        let mesh = py.detach(|| self.entry.mesh()).or_raise()?;
        Ok(Mesh::new(mesh, self.entry.clone()))
    }

    /// The picture that it is, or that its file beside the container is.
    fn picture(&self, py: Python<'_>, slot: usize, folders: Vec<PathBuf>) -> PyResult<Picture> {
        py.detach(|| self.entry.picture(slot, &folders)).or_raise().map(Picture::new)
    }
}

/// A field of an entry.
#[pyclass(frozen, module = "spelunk._spelunk")]
#[derive(Debug)]
pub struct Field {
    path: String,
    value: FileValue,
    /// Where it is from, if it is one of all fields of an entry.
    field: Option<FileField>,
}

#[pymethods]
impl Field {
    #[getter]
    fn path(&self) -> &str {
        &self.path
    }

    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.value.as_str() {
            Some(text) => Ok(text.into_pyobject(py)?.into_any()),
            None => value_of(py, self.value.val()),
        }
    }

    /// The bytes of a text as they are stored.
    #[getter]
    fn stored<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.value.as_bytes().map(|bytes| PyBytes::new(py, bytes))
    }

    #[getter]
    fn meaning(&self) -> Option<String> {
        self.value.meaning().map(|meaning| meaning.into_owned())
    }

    #[getter]
    fn unit(&self) -> Option<&'static str> {
        self.value.unit()
    }

    #[getter]
    fn documentation(&self) -> &'static str {
        self.field.as_ref().map_or("", |field| field.description().doc)
    }

    /// Where it lies: the name of the space, and the offsets of its first byte and of the byte behind it.
    #[getter]
    fn place(&self) -> Option<(String, u64, u64)> {
        let place = self.field.as_ref()?.place()?;
        Some((place.space.to_string(), place.start, place.end()))
    }

    fn __str__(&self) -> String {
        self.value.to_string()
    }
}

/// A value as Python has it. Numbers that stand for something else are numbers; hashes and ids are the texts that people know them by.
fn value_of<'py>(py: Python<'py>, value: &Val<'_>) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Val::None => py.None().into_bound(py),
        Val::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Val::U(value) | Val::Word64(value) | Val::Ref(value, _) => {
            value.into_pyobject(py)?.into_any()
        }
        Val::I(value) => value.into_pyobject(py)?.into_any(),
        Val::Word(value) => value.into_pyobject(py)?.into_any(),
        Val::F(value) => value.into_pyobject(py)?.into_any(),
        Val::Bytes(bytes) => PyBytes::new(py, bytes).into_any(),
        Val::List(items) => {
            let items: Vec<_> =
                items.iter().map(|item| value_of(py, item)).collect::<PyResult<_>>()?;
            PyTuple::new(py, items)?.into_any()
        }
        other => other.to_string().into_pyobject(py)?.into_any(),
    })
}
