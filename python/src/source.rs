//! Files that are read range by range: by objects of Python for the library, and by the library for Python.

use crate::errors::OrRaise;
use pyo3::{
    prelude::*,
    pybacked::PyBackedBytes,
    types::{PyAny, PyBytes},
};
use spelunk::{
    Error, Result, Source,
    core::source::truncated,
    verbs::{Reading, Session},
};
use std::{
    ffi::OsString,
    fmt, io,
    sync::{Arc, Mutex, PoisonError},
};

/// An object with a method `read_at(offset, size)`, which returns as many bytes.
pub(crate) struct ObjectSource {
    object: Py<PyAny>,
    size: u64,
    /// What it raised last.
    raised: Mutex<Option<PyErr>>,
}

impl fmt::Debug for ObjectSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ObjectSource").field("size", &self.size).finish_non_exhaustive()
    }
}

impl ObjectSource {
    pub(crate) fn new(object: Py<PyAny>, size: u64) -> ObjectSource {
        ObjectSource { object, size, raised: Mutex::default() }
    }

    /// What the object raised, where that is why something failed.
    pub(crate) fn raised(&self) -> Option<PyErr> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn ask(&self, offset: u64, buffer: &mut [u8]) -> PyResult<bool> {
        Python::attach(|py| {
            let bytes = self.object.bind(py).call_method1("read_at", (offset, buffer.len()))?;
            let bytes: PyBackedBytes = bytes.extract()?;
            let fits = bytes.len() == buffer.len();
            if fits {
                buffer.copy_from_slice(&bytes);
            }
            Ok(fits)
        })
    }
}

impl Source for ObjectSource {
    fn len(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        let end = offset.saturating_add(buffer.len() as u64);
        if end > self.size {
            return Err(truncated(&(offset..end), self.size));
        }
        match self.ask(offset, buffer) {
            Ok(true) => Ok(()),
            Ok(false) => Err(truncated(&(offset..end), self.size)),
            Err(error) => {
                let text = error.to_string();
                *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                Err(Error::io(io::Error::other(text)))
            }
        }
    }
}

/// A file, or what a URL names, for Python to read range by range.
#[pyclass(frozen, module = "spelunk._spelunk")]
pub struct FileRanges {
    source: Arc<dyn Source>,
}

impl fmt::Debug for FileRanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileRanges").field("size", &self.source.len()).finish_non_exhaustive()
    }
}

impl FileRanges {
    pub(crate) fn open(py: Python<'_>, session: &Session, name: OsString) -> PyResult<FileRanges> {
        let open = || session.files().open(&name.into(), Reading::default());
        Ok(FileRanges { source: py.detach(open).or_raise()? })
    }
}

#[pymethods]
impl FileRanges {
    #[getter]
    fn size(&self) -> u64 {
        self.source.len()
    }

    /// The bytes of a range.
    fn read_at<'py>(
        &self,
        py: Python<'py>,
        offset: u64,
        size: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        PyBytes::new_with(py, size, |buffer| {
            py.detach(|| self.source.read_at(offset, buffer)).or_raise()
        })
    }
}
