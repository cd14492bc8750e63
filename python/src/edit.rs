//! Changes of a file.

use bytes::Bytes;
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    pybacked::PyBackedBytes,
    types::{PyBool, PyBytes, PyFloat, PyInt, PySequence, PyString},
};
use spelunk::{
    Val,
    edit::batch::{Batch, EntryContent},
    models::import::{
        Policies, Policy,
        arrays::{
            EntityArrays, GroupArrays, MaterialArrays, Member, MeshArrays, ObjectName, SceneArrays,
            TextureArrays,
        },
    },
};

/// A change by its name and arguments: `("set", entry, field, value, with_children)`, `("rename", entry, name)`,
/// `("remove", [entries], lossy)`, `("replace", entry, bytes, raw)`, `("add", kind, name, content, raw)`.
#[derive(FromPyObject)]
pub(crate) enum Change {
    Five(String, Py<PyAny>, Py<PyAny>, Py<PyAny>, Py<PyAny>),
    Four(String, Py<PyAny>, Py<PyAny>, Py<PyAny>),
    Three(String, Py<PyAny>, Py<PyAny>),
}

/// Objects of arrays, as the package gathers them: arrays are bytes of little-endian numbers, row by row.
#[derive(Default)]
pub(crate) struct Scene(pub SceneArrays);

impl<'a, 'py> FromPyObject<'a, 'py> for Scene {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Scene> {
        fn each<'py, T>(
            object: &Bound<'py, PyAny>,
            key: &str,
            read: impl Fn(&Bound<'py, PyAny>) -> PyResult<T>,
        ) -> PyResult<Vec<T>> {
            object.get_item(key)?.try_iter()?.map(|item| read(&item?)).collect()
        }
        let object = object.to_owned();
        Ok(Scene(SceneArrays {
            textures: each(&object, "textures", texture)?,
            materials: each(&object, "materials", material)?,
            meshes: each(&object, "meshes", mesh)?,
            entities: each(&object, "entities", entity)?,
            groups: each(&object, "groups", group)?,
        }))
    }
}

/// A name, or a pair of a name and a position in the file.
struct Name(ObjectName);

impl<'a, 'py> FromPyObject<'a, 'py> for Name {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Name> {
        if let Ok(name) = object.extract::<String>() {
            return Ok(Name(name.into()));
        }
        let (name, index) = object.extract::<(String, u32)>()?;
        Ok(Name(ObjectName { name, index: Some(index) }))
    }
}

fn name(item: &Bound<'_, PyAny>) -> PyResult<ObjectName> {
    item.get_item("name")?.extract::<Name>().map(|name| name.0)
}

fn optional(item: &Bound<'_, PyAny>, key: &str) -> PyResult<Option<ObjectName>> {
    Ok(item.get_item(key)?.extract::<Option<Name>>()?.map(|name| name.0))
}

fn texture(item: &Bound<'_, PyAny>) -> PyResult<TextureArrays> {
    Ok(TextureArrays {
        name: name(item)?,
        width: item.get_item("width")?.extract()?,
        height: item.get_item("height")?.extract()?,
        pixels: bytes(&item.get_item("pixels")?)?,
        file: item.get_item("file")?.extract()?,
    })
}

fn material(item: &Bound<'_, PyAny>) -> PyResult<MaterialArrays> {
    Ok(MaterialArrays {
        name: name(item)?,
        diffuse: item.get_item("diffuse")?.extract()?,
        ambient: item.get_item("ambient")?.extract()?,
        specular: item.get_item("specular")?.extract()?,
        emissive: item.get_item("emissive")?.extract()?,
        power: item.get_item("power")?.extract()?,
        texture: optional(item, "texture")?,
    })
}

fn mesh(item: &Bound<'_, PyAny>) -> PyResult<MeshArrays> {
    Ok(MeshArrays {
        name: name(item)?,
        positions: rows(item, "positions", f32::from_le_bytes)?,
        normals: rows(item, "normals", f32::from_le_bytes)?,
        uvs: rows(item, "uvs", f32::from_le_bytes)?,
        colors: rows(item, "colors", u32::from_le_bytes)?
            .into_iter()
            .map(|[color]| color)
            .collect(),
        faces: rows(item, "faces", u32::from_le_bytes)?,
        face_materials: item.get_item("face_materials")?.extract()?,
        lines: rows(item, "lines", u32::from_le_bytes)?,
        materials: item
            .get_item("materials")?
            .extract::<Vec<Option<Name>>>()?
            .into_iter()
            .map(|name| name.map(|name| name.0))
            .collect(),
    })
}

fn entity(item: &Bound<'_, PyAny>) -> PyResult<EntityArrays> {
    Ok(EntityArrays {
        name: name(item)?,
        matrix: item.get_item("matrix")?.extract()?,
        mesh: optional(item, "mesh")?,
        parent: optional(item, "parent")?,
        is_hidden: item.get_item("hidden")?.extract()?,
    })
}

fn group(item: &Bound<'_, PyAny>) -> PyResult<GroupArrays> {
    let members: Vec<(String, Name)> = item.get_item("members")?.extract()?;
    let member = |(kind, Name(name)): (String, Name)| match kind.as_str() {
        "mesh" => Ok(Member::Mesh(name)),
        "material" => Ok(Member::Material(name)),
        "texture" => Ok(Member::Texture(name)),
        "object" => Ok(Member::Entity(name)),
        _ => Err(PyTypeError::new_err(format!("no members are of the kind {kind}"))),
    };
    let members = members.into_iter().map(member).collect::<PyResult<_>>()?;
    Ok(GroupArrays { name: name(item)?, members })
}

/// The rows of an array.
fn rows<T, const N: usize>(
    item: &Bound<'_, PyAny>,
    key: &str,
    number: fn([u8; 4]) -> T,
) -> PyResult<Vec<[T; N]>> {
    let stored = bytes(&item.get_item(key)?)?;
    let (numbers, _) = stored.as_chunks::<4>();
    let (rows, _) = numbers.as_chunks::<N>();
    Ok(rows.iter().map(|row| row.map(number)).collect())
}

/// The policy of a name.
pub(crate) fn policies(name: &str) -> PyResult<Policies> {
    Ok(Policies::all(match name {
        "rename" => Policy::Rename,
        "replace" => Policy::Replace,
        "keep" => Policy::Keep,
        _ => {
            let message =
                format!("rename, replace or keep is done where names meet, and not {name}");
            return Err(PyTypeError::new_err(message));
        }
    }))
}

/// The batch of these changes.
pub(crate) fn batch(py: Python<'_>, changes: Vec<Change>) -> PyResult<Batch> {
    changes.into_iter().try_fold(Batch::new(), |batch, change| {
        Ok(match &change {
            Change::Five(name, entry, field, value, flag) if name == "set" => {
                let (entry, field): (String, String) = (entry.extract(py)?, field.extract(py)?);
                let value = val(value.bind(py))?;
                match flag.extract::<bool>(py)? {
                    true => batch.set_with_children(entry, field, value),
                    false => batch.set(entry, field, value),
                }
            }
            Change::Five(name, kind, entry, content, raw) if name == "add" => {
                let (kind, entry): (String, String) = (kind.extract(py)?, entry.extract(py)?);
                batch.add(kind, entry, content_of(content.bind(py), raw.extract(py)?)?)
            }
            Change::Four(name, entry, content, raw) if name == "replace" => {
                let bytes = bytes(content.bind(py))?;
                batch.replace(entry.extract::<String>(py)?, bytes, raw.extract(py)?)
            }
            Change::Three(name, entry, to) if name == "rename" => {
                batch.rename(entry.extract::<String>(py)?, to.extract::<String>(py)?)
            }
            Change::Three(name, entries, is_lossy) if name == "remove" => {
                let entries: Vec<String> = entries.extract(py)?;
                match is_lossy.extract::<bool>(py)? {
                    true => batch.remove_lossy(entries),
                    false => batch.remove(entries),
                }
            }
            Change::Five(name, ..) | Change::Four(name, ..) | Change::Three(name, ..) => {
                return Err(PyTypeError::new_err(format!("no change is called {name}")));
            }
        })
    })
}

fn bytes(value: &Bound<'_, PyAny>) -> PyResult<Bytes> {
    value.extract::<PyBackedBytes>().map(Bytes::from_owner).map_err(Into::into)
}

/// The content of a new entry: none, bytes, or the path of one that is there.
fn content_of(value: &Bound<'_, PyAny>, is_raw: bool) -> PyResult<EntryContent> {
    if value.is_none() {
        return Ok(EntryContent::New);
    }
    if let Ok(path) = value.cast::<PyString>() {
        return Ok(EntryContent::Like(path.to_string()));
    }
    let bytes = bytes(value)?;
    Ok(if is_raw { EntryContent::Raw(bytes) } else { EntryContent::Bytes(bytes) })
}

/// A value of Python as one that fields take. Texts are taken for what the field needs, numbers of numpy as numbers.
fn val(value: &Bound<'_, PyAny>) -> PyResult<Val<'static>> {
    if value.is_none() {
        return Ok(Val::None);
    }
    if value.is_instance_of::<PyBool>() {
        return Ok(Val::Bool(value.extract()?));
    }
    if value.is_instance_of::<PyInt>() {
        return match value.extract::<u64>() {
            Ok(number) => Ok(Val::U(number)),
            Err(_) => Ok(Val::I(value.extract()?)),
        };
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(value.extract::<f64>()?.into());
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Val::Str(text.to_string().into()));
    }
    if value.is_instance_of::<PyBytes>() {
        return Ok(value.extract::<Vec<u8>>()?.into());
    }
    if value.cast::<PySequence>().is_ok() || value.hasattr("__array__")? && value.len().is_ok() {
        let items = value.try_iter()?.map(|item| val(&item?)).collect::<PyResult<_>>()?;
        return Ok(Val::List(items));
    }
    // Scalars of numpy know what they are to Python.
    if value.hasattr("item")? {
        return val(&value.call_method0("item")?);
    }
    let name = value.get_type().name()?.to_string();
    Err(PyTypeError::new_err(format!("a number, a text, bytes or a list of these, and no {name}")))
}
