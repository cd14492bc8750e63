//! Files that objects of Python read, range by range.

use pyo3::{prelude::*, pybacked::PyBackedBytes, types::PyAny};
use spelunk::{Error, Result, Source, core::source::truncated};
use std::{
    fmt, io,
    sync::{Mutex, PoisonError},
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
