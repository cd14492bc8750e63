//! Bytes that Python reads where they are.

use bytes::Bytes;
use pyo3::{exceptions::PyBufferError, ffi, prelude::*};
use std::ffi::c_int;

/// Bytes of a file, or made of one, by the buffer protocol: `memoryview` and numpy see them without a copy, and keep them alive.
#[pyclass(frozen, module = "spelunk._spelunk")]
#[derive(Debug)]
pub struct Buffer {
    bytes: Bytes,
}

impl Buffer {
    pub(crate) fn new(bytes: impl Into<Bytes>) -> Buffer {
        Buffer { bytes: bytes.into() }
    }
}

#[pymethods]
impl Buffer {
    fn __len__(&self) -> usize {
        self.bytes.len()
    }

    /// Address of the first byte, for tests of who copies.
    #[getter]
    fn address(&self) -> usize {
        self.bytes.as_ptr().addr()
    }

    #[allow(unsafe_code, reason = "the buffer protocol is one of pointers")]
    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        if view.is_null() {
            return Err(PyBufferError::new_err("no view was given"));
        }
        let bytes = &slf.get().bytes;
        let len = bytes.len().try_into().map_err(|_| PyBufferError::new_err("too large"))?;
        // SAFETY: `view` is one that Python hands in to be filled. It takes a reference to the buffer, which is frozen, so that the
        // bytes stay where they are while the view is there; it is read-only, so nobody writes through the pointer.
        let failed = unsafe {
            ffi::PyBuffer_FillInfo(
                view,
                slf.as_ptr(),
                bytes.as_ptr().cast_mut().cast(),
                len,
                1,
                flags,
            )
        };
        if failed == 0 { Ok(()) } else { Err(PyErr::fetch(slf.py())) }
    }
}
