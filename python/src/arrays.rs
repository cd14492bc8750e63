//! What numpy makes arrays of: meshes and pictures.

use crate::{buffer::Buffer, entries::Entry, errors::OrRaise};
use pyo3::{prelude::*, types::PyBytes};
use spelunk::{Node, Result, file::FileEntry, models::arrays};

/// A mesh: arrays as they are stored, each with the numbers of a row one after the other.
#[pyclass(frozen, module = "spelunk._spelunk")]
#[derive(Debug)]
pub struct Mesh {
    mesh: arrays::Mesh,
    /// The entry that it was read of.
    entry: FileEntry,
}

impl Mesh {
    pub(crate) fn new(mesh: arrays::Mesh, entry: FileEntry) -> Mesh {
        Mesh { mesh, entry }
    }
}

#[pymethods]
impl Mesh {
    /// Three single-precision numbers for each vertex.
    #[getter]
    fn positions(&self) -> Buffer {
        Buffer::new(self.mesh.positions.clone())
    }

    /// Three single-precision numbers for each vertex.
    #[getter]
    fn normals(&self) -> Buffer {
        Buffer::new(self.mesh.normals.clone())
    }

    /// Two single-precision numbers for each vertex, or for all; nothing where there are none.
    #[getter]
    fn uvs(&self) -> Buffer {
        Buffer::new(self.mesh.uvs.clone())
    }

    /// A word for each vertex, or for all: alpha in the upper byte, then red, green, blue.
    #[getter]
    fn colors(&self) -> Buffer {
        Buffer::new(self.mesh.colors.clone())
    }

    /// Four numbers of 16 bits for each face: three vertices, and the material slot.
    #[getter]
    fn faces(&self) -> Buffer {
        Buffer::new(self.mesh.faces.clone())
    }

    /// Two numbers of 16 bits for each line: vertices.
    #[getter]
    fn lines(&self) -> Buffer {
        Buffer::new(self.mesh.lines.clone())
    }

    /// The material of each slot; nothing for one without.
    fn materials(&self, py: Python<'_>) -> PyResult<Vec<Option<Entry>>> {
        py.detach(|| {
            let material = |node: &Option<Node>| {
                node.map(|node| self.entry.of_same_file(node).map(Entry::new)).transpose()
            };
            self.mesh.materials.iter().map(material).collect::<Result<_>>()
        })
        .or_raise()
    }
}

/// A picture: red, green, blue and alpha of each pixel, the upper row first.
#[pyclass(frozen, module = "spelunk._spelunk")]
#[derive(Debug)]
pub struct Picture {
    picture: arrays::Picture,
}

impl Picture {
    pub(crate) fn new(picture: arrays::Picture) -> Picture {
        Picture { picture }
    }
}

#[pymethods]
impl Picture {
    #[getter]
    fn width(&self) -> u32 {
        self.picture.width
    }

    #[getter]
    fn height(&self) -> u32 {
        self.picture.height
    }

    #[getter]
    fn pixels(&self) -> Buffer {
        Buffer::new(self.picture.pixels.clone())
    }

    /// The file beside the container that it was read of; nothing where the container holds it.
    /// The picture as a PNG file.
    fn png<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let png = py.detach(|| self.picture.png()).or_raise()?;
        Ok(PyBytes::new(py, &png))
    }

    #[getter]
    fn file(&self) -> Option<String> {
        self.picture.file.clone()
    }
}
