//! The door for Python: files, entries and their arrays as objects of Python, and every verb by its name. What people import is the
//! package around it (`spelunk/`), which is Python with types.

#![warn(missing_docs)]

use pyo3::prelude::*;

mod arrays;
mod buffer;
mod catalog;
mod edit;
mod entries;
mod errors;
mod file;
mod session;
mod source;
mod tables;

/// The library behind `spelunk`.
#[pymodule]
mod _spelunk {
    #[pymodule_export]
    use super::arrays::{Mesh, Picture};
    #[pymodule_export]
    use super::buffer::Buffer;
    #[pymodule_export]
    use super::entries::{Entry, Field, Listing};
    #[pymodule_export]
    use super::file::Container;
    #[pymodule_export]
    use super::session::{Rows, Session};
    #[pymodule_export]
    use super::source::FileRanges;
    #[pymodule_export]
    use super::tables::Table;

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    const API_VERSION: u32 = spelunk::verbs::API_VERSION;
}
