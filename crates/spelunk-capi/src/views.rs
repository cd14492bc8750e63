//! Views of meshes, pictures and packs: memory that is lent where it lies as a program needs it, and made otherwise.

use crate::{
    boundary::Place,
    failure::{Failure, Outcome, text},
    handles::{self, SplView},
    session::{Looked, OpenFile},
};
use snpak::Pack;
use spelunk::{
    Budget, Bytes, Collect, Container, Error, Limits, Node, Options, Result, Task,
    core::walk::finish,
    entries::lookup,
    models::arrays,
    open::{codes, model},
};
use std::{
    ffi::{CString, c_char},
    ptr,
    sync::{Arc, atomic::AtomicPtr},
};
use zerocopy::{FromBytes, Immutable, KnownLayout};

/// A mesh. Coordinates are left-handed, y up; faces are clockwise as seen from their front. Pointers are aligned, are null where
/// there is nothing, and lead to memory that is there until `view` is freed, also when the file was freed. Faces and lines that lead
/// to no vertex are left out; the verb verify reports them.
#[repr(C)]
#[derive(Debug)]
pub struct SplMesh {
    /// What `spl_free` takes when the mesh is not needed any more.
    pub view: *mut SplView,
    /// Number of vertices.
    pub vertex_count: usize,
    /// x, y, z of each vertex.
    pub positions: *const f32,
    /// x, y, z for each vertex, of length 1 where they were built from the faces.
    pub normals: *const f32,
    /// u, v of each vertex; of all where `uv_count` is 1. The top left corner is 0, 0.
    pub uvs: *const f32,
    /// `vertex_count`, 1 or 0.
    pub uv_count: usize,
    /// The colour of each vertex as 0xAARRGGBB; of all where `color_count` is 1.
    pub colors: *const u32,
    /// `vertex_count`, 1 or 0.
    pub color_count: usize,
    /// Three vertices and the material slot of each face.
    pub faces: *const u16,
    /// Number of faces.
    pub face_count: usize,
    /// The two vertices of each line.
    pub lines: *const u16,
    /// Number of lines.
    pub line_count: usize,
    /// The path of the material of each slot; null for a slot without.
    pub materials: *const *const c_char,
    /// Number of material slots, 1 at the least.
    pub material_count: usize,
}

impl Default for SplMesh {
    fn default() -> SplMesh {
        SplMesh {
            view: ptr::null_mut(),
            vertex_count: 0,
            positions: ptr::null(),
            normals: ptr::null(),
            uvs: ptr::null(),
            uv_count: 0,
            colors: ptr::null(),
            color_count: 0,
            faces: ptr::null(),
            face_count: 0,
            lines: ptr::null(),
            line_count: 0,
            materials: ptr::null(),
            material_count: 0,
        }
    }
}

/// A picture: red, green, blue and alpha of each pixel in a byte each, the upper row first, without gaps between rows. The
/// pointers lead to memory that is there until `view` is freed, also when the file was freed.
#[repr(C)]
#[derive(Debug)]
pub struct SplImage {
    /// What `spl_free` takes when the picture is not needed any more.
    pub view: *mut SplView,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The pixels.
    pub pixels: *const u8,
    /// The name of the file beside the container that it was read of; null where the container holds it.
    pub file: *const c_char,
}

impl Default for SplImage {
    fn default() -> SplImage {
        let (view, pixels, file) = (ptr::null_mut(), ptr::null(), ptr::null());
        SplImage { view, width: 0, height: 0, pixels, file }
    }
}

/// A payload of a pack.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct SplAsset {
    /// What `spl_pack_load` calls it. The main payload of the asset at position n of the index is number n, counted from 0; behind
    /// the last one `SPL_FAILED` has the code SP022.
    pub number: u64,
    /// Its plain size in bytes.
    pub size: u64,
    /// The id of its asset, in the order of the file.
    pub id: [u8; 16],
}

/// Numbers where they lie in a file, or copied to where this machine can read them.
enum Numbers<T> {
    Lent(Bytes),
    Copied(Vec<T>),
}

impl<T: FromBytes + Immutable + KnownLayout + Copy> Numbers<T> {
    fn of(bytes: Bytes, swap: fn(T) -> T) -> Numbers<T> {
        if cfg!(target_endian = "little") && <[T]>::ref_from_bytes(&bytes).is_ok() {
            return Numbers::Lent(bytes);
        }
        let size = size_of::<T>();
        let number = |part: &[u8]| T::read_from_bytes(part).ok().map(swap);
        Numbers::Copied(bytes.chunks_exact(size).filter_map(number).collect())
    }

    fn as_slice(&self) -> &[T] {
        match self {
            Numbers::Lent(bytes) => <[T]>::ref_from_bytes(bytes).unwrap_or_default(),
            Numbers::Copied(numbers) => numbers,
        }
    }

    /// The first of them, and how many elements of `per` numbers they are.
    fn parts(&self, per: usize) -> (*const T, usize) {
        let numbers = self.as_slice();
        let first = if numbers.is_empty() { ptr::null() } else { numbers.as_ptr() };
        (first, numbers.len() / per)
    }
}

/// A word that stands in the order of a file, in that of this machine.
fn float(stored: f32) -> f32 {
    f32::from_bits(u32::from_le(stored.to_bits()))
}

/// A text for C, whose pointer is lent to any thread.
type Text = AtomicPtr<c_char>;

/// What the pointers of a mesh lead to.
struct MeshMemory {
    positions: Numbers<f32>,
    normals: Numbers<f32>,
    uvs: Numbers<f32>,
    colors: Numbers<u32>,
    faces: Numbers<u16>,
    lines: Numbers<u16>,
    /// The paths of the materials, and pointers to them.
    names: Vec<Option<CString>>,
    materials: Vec<Text>,
}

impl MeshMemory {
    fn of(mesh: arrays::Mesh, names: Vec<Option<CString>>) -> MeshMemory {
        let pointer = |name: &Option<CString>| {
            Text::new(name.as_ref().map_or(ptr::null_mut(), |name| name.as_ptr().cast_mut()))
        };
        // Faces without materials have the slot 0.
        let names = if names.is_empty() { vec![None] } else { names };
        let materials = names.iter().map(pointer).collect();
        MeshMemory {
            positions: Numbers::of(mesh.positions, float),
            normals: Numbers::of(mesh.normals, float),
            uvs: Numbers::of(mesh.uvs, float),
            colors: Numbers::of(mesh.colors, u32::from_le),
            faces: Numbers::of(mesh.faces, u16::from_le),
            lines: Numbers::of(mesh.lines, u16::from_le),
            names,
            materials,
        }
    }

    fn view(&self) -> SplMesh {
        let (positions, vertex_count) = self.positions.parts(3);
        let (normals, normal_count) = self.normals.parts(3);
        let (uvs, uv_count) = self.uvs.parts(2);
        let (colors, color_count) = self.colors.parts(1);
        let (faces, face_count) = self.faces.parts(4);
        let (lines, line_count) = self.lines.parts(2);
        let material_count = self.names.len();
        let materials: *const Text = self.materials.as_ptr();
        SplMesh {
            vertex_count,
            positions,
            normals: if normal_count == vertex_count { normals } else { ptr::null() },
            uvs,
            uv_count,
            colors,
            color_count,
            faces,
            face_count,
            lines,
            line_count,
            // An atomic pointer is as large as a pointer and has the same bits.
            materials: materials.cast(),
            material_count,
            ..SplMesh::default()
        }
    }
}

/// The mesh that an entry is, or is drawn with.
pub(crate) fn mesh(file: &OpenFile, path: &str) -> Outcome<SplMesh> {
    let memory = file.look(path, |looked, task| {
        let mesh = arrays::mesh(looked.container, looked.node, task)?;
        let path = |node: &Option<Node>, task: &mut Task<'_>| {
            node.map(|node| path_of(&looked, node, task)).transpose()
        };
        let names = mesh.materials.iter().map(|node| path(node, task)).collect::<Result<_>>()?;
        Ok(MeshMemory::of(mesh, names))
    })?;
    let memory = Arc::new(memory);
    let view = memory.view();
    Ok(SplMesh { view: handles::put(memory)?, ..view })
}

/// The path of an entry.
fn path_of(looked: &Looked<'_>, node: Node, task: &mut Task<'_>) -> Result<CString> {
    let mut path = CString::default();
    finish(looked.container.entry(node, looked.pages, task, &mut |entry, _| {
        path = text(entry.path);
        Ok(())
    }))?;
    Ok(path)
}

/// What the pointers of a picture lead to.
struct ImageMemory {
    pixels: Bytes,
    file: Option<CString>,
}

/// The picture in a slot of a texture.
pub(crate) fn image(file: &OpenFile, path: &str, slot: usize) -> Outcome<SplImage> {
    let arrays::Picture { width, height, pixels, file } = file.picture(path, slot)?;
    let memory = Arc::new(ImageMemory { pixels, file: file.as_deref().map(text) });
    let pixels = memory.pixels.as_ptr();
    let file = memory.file.as_ref().map_or(ptr::null(), |file| file.as_ptr());
    Ok(SplImage { view: handles::put(memory)?, width, height, pixels, file })
}

/// A pack as it was when it was opened.
pub(crate) struct OpenPack {
    container: Box<dyn Container>,
    options: Options,
    /// What loading a payload may take: callers have room for all of it, so that its size is no limit.
    loading: Budget,
}

impl OpenPack {
    /// The pack that a file is.
    pub(crate) fn of(file: &OpenFile) -> Outcome<OpenPack> {
        let container = file.look_at_all(|container, task| {
            model::pack(container, &codes::ONLY_PACKS)?;
            container.fork(task)?.ok_or_else(|| Error::new(&codes::NO_EDITING))
        })?;
        let options = file.session.options().clone();
        let limits = Limits { steps: u64::MAX, ..options.limits(container.size()) };
        let loading = options.cancellable(limits);
        Ok(OpenPack { container, options, loading })
    }

    fn pack(&self) -> Result<&Pack> {
        model::pack(&*self.container, &codes::ONLY_PACKS)
    }

    /// The payload at a path.
    pub(crate) fn find(&self, path: &str) -> Outcome<SplAsset> {
        let (pack, pages) = (self.pack()?, self.container.code_pages());
        let mut sink = Collect::default();
        let task = &mut Task::new(self.options.budget(pack.len()), &mut sink);
        let found = lookup::resolve(&*self.container, &[path], &pages, task)?;
        let node = found.first().copied().ok_or_else(|| Error::new(&codes::core::NOT_FOUND))?;
        let located = pack.locate_node(node)?;
        // Whoever asks makes room for it.
        located.check_size()?;
        let row = usize::try_from(node.0 & u64::from(u32::MAX)).ok();
        let id = row.and_then(|row| pack.entry(row)).map(|entry| entry.asset_id.0);
        Ok(SplAsset { number: node.0, size: located.plain_len(), id: id.unwrap_or_default() })
    }

    /// Loads a payload into a buffer that may be longer. Returns its size, also where the buffer is too small.
    pub(crate) fn load(
        &self,
        number: u64,
        buffer: &mut [u8],
        size: &mut Place<usize>,
    ) -> Outcome<()> {
        let capacity = buffer.len();
        let loaded = self.pack()?.load_to(Node(number), buffer, self.loading.clone());
        let len = usize::try_from(loaded.map_err(|error| numbered(error, number))?);
        let len = len.unwrap_or(usize::MAX);
        size.put(len);
        if len <= capacity { Ok(()) } else { Err(Failure::too_small(len, capacity)) }
    }
}

/// An error with the number of what is not there.
fn numbered(error: Error, number: u64) -> Error {
    match error.code().id == codes::core::NOT_FOUND.id {
        true => error.found(format!("payload {number}")),
        false => error,
    }
}
