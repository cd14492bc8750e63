//! `CKPatchMesh` (`docs/formats/classes/meshes.md#ckpatchmesh`).

use super::{
    fresh::{Fresh, Host},
    material::BLENDS,
    mesh::Mesh,
};
use crate::{
    codec::{Array, Codec, Coded, Layout, Pod, Reference, field, group},
    codes,
};
use spelunk_core::{Error, Field, Record, Ty, field::Described, record};
use zerocopy::little_endian::{F32, I16, I32, U32};

const PAGE: &str = "docs/formats/classes/meshes.md#ckpatchmesh";

/// A shape of curved patches. No real file is known that holds one.
#[derive(Clone, Debug, Default)]
pub struct PatchMesh {
    /// State of the base class: flags and weights only.
    pub mesh: Mesh,
    /// The patches.
    pub patches: Option<Box<Patches>>,
    /// The patches in the older layout.
    pub old_patches: Option<Box<OldPatches>>,
    /// In the older layout: the smoothing group of each patch.
    pub old_smoothing: Option<Array<U32>>,
    /// In the older layout: the material of each patch.
    pub old_materials: Option<Array<U32>>,
}

/// The patches of a shape.
#[derive(Clone, Debug, Default)]
pub struct Patches {
    /// Kind of the patches.
    pub flags: u32,
    /// Number of divisions of each patch.
    pub iterations: i32,
    /// Number of the last `points` that are handles, not vertices.
    pub handle_count: i32,
    /// Vertices, then handles.
    pub points: Array<[F32; 3]>,
    /// The materials of the patches; as many as there are patches.
    pub materials: Array<U32>,
    /// The patches.
    pub patches: Vec<Patch>,
    /// The edges between patches.
    pub edges: Array<Edge>,
    /// Materials of the texture channels; as many as there are channels.
    pub channel_materials: Array<U32>,
    /// The texture channels.
    pub channels: Vec<TextureChannel>,
}

/// A curved patch. Numbers are positions in [`Patches::points`] and [`Patches::edges`].
#[derive(Clone, Debug, Default)]
pub struct Patch {
    /// 3 for a triangle, 4 for a square.
    pub corners: u32,
    /// Patches of one group have no sharp edge between them: a bit for each group.
    pub smoothing_group: u32,
    /// The four vertices; the last one has no meaning for a triangle.
    pub vertices: Array<I16>,
    /// The eight handles along its edges.
    pub handles: Array<I16>,
    /// The four handles inside.
    pub interior: Array<I16>,
    /// The four edges.
    pub edges: Array<I16>,
}

/// Texture coordinates of patches.
#[derive(Clone, Debug, Default)]
pub struct TextureChannel {
    /// Factor of its colour, one of [`BLENDS`]. Of the first channel, the coordinates of the mesh itself, these three are
    /// left-over memory.
    pub source_blend: u32,
    /// Factor of what is below, one of [`BLENDS`].
    pub destination_blend: u32,
    /// Flags of drawing.
    pub flags: u32,
    /// For each patch: the texture coordinates of its four vertices.
    pub patches: Array<[I16; 4]>,
    /// The texture coordinates.
    pub uv: Array<[F32; 2]>,
}

/// The patches of a shape in the older layout, of which the records inside are not divided.
#[derive(Clone, Debug, Default)]
pub struct OldPatches {
    /// Kind of the patches.
    pub flags: u32,
    /// The material of patches without one of their own.
    pub material: Reference,
    /// Number of divisions of each patch.
    pub iterations: i32,
    /// Number of the last `points` that are handles, not vertices.
    pub handle_count: i32,
    /// Vertices, then handles.
    pub points: Array<[F32; 3]>,
    /// The patches, 88 bytes each: number of corners, four vertices, eight handles, four handles inside, five dwords that are
    /// not used. The low 16 bits of a number count.
    pub patches: Array<[I32; 22]>,
    /// The edges, 24 bytes each.
    pub edges: Array<OldEdge>,
    /// For each patch: the texture coordinates of its four vertices.
    pub texture_patches: Array<[I32; 4]>,
    /// The texture coordinates.
    pub uv: Array<[F32; 2]>,
}

record! {
    /// An edge between two patches. Numbers are positions in [`Patches::points`] and [`Patches::patches`].
    pub struct Edge: "edge", "docs/formats/classes/meshes.md#ckpatchmesh", 12 {
        /// Vertex at its beginning.
        vertex_1: I16,
        /// Handle from the first vertex to the second.
        handle_12: I16,
        /// Handle from the second vertex to the first.
        handle_21: I16,
        /// Vertex at its end.
        vertex_2: I16,
        /// Patch on its one side.
        patch_1: I16,
        /// Patch on its other side.
        patch_2: I16,
    }
}

record! {
    /// An edge between two patches, in the older layout.
    pub struct OldEdge: "edge", "docs/formats/classes/meshes.md#ckpatchmesh", 24 {
        /// Vertex at its beginning.
        vertex_1: I32,
        /// Handle from the first vertex to the second.
        handle_12: I32,
        /// Handle from the second vertex to the first.
        handle_21: I32,
        /// Vertex at its end.
        vertex_2: I32,
        /// Patch on its one side.
        patch_1: I32,
        /// Patch on its other side.
        patch_2: I32,
    }
}

impl Layout for PatchMesh {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.mesh.shared(c)?;
        let record = group!("patches", "The patches.");
        c.section(0x800_0000, record, &mut self.patches, |c, value| patches(c, value))?;
        let record = group!("old_patches", "The patches, in the older layout.");
        c.section(0x100_0000, record, &mut self.old_patches, |c, value| old_patches(c, value))?;
        let record = group!("old_smoothing", "Smoothing groups, in the older layout.");
        c.section(0x200_0000, record, &mut self.old_smoothing, |c, groups| {
            sized(
                c,
                group!("groups", "The group of each patch."),
                field!("items", Ty::Word, "One of them."),
                groups,
            )
        })?;
        let record = group!("old_materials", "Materials, in the older layout.");
        c.section(0x400_0000, record, &mut self.old_materials, |c, materials| {
            c.parallel(field!("materials", Ty::U32, "The material of each patch."), materials)
        })
    }
}

/// A size in bytes, a count, and so many items.
fn sized<C: Codec, T: Pod>(
    c: &mut C,
    record: &'static Record,
    field: &'static Field,
    items: &mut Array<T>,
) -> Coded<C> {
    c.group(record, |c| {
        let count = sizes::<C, T>(c, field.name, items.len())?;
        c.array(field, count, items)
    })
}

/// A size in bytes, a count, and so many edges.
fn edges<C: Codec, T: Described + Pod>(c: &mut C, items: &mut Array<T>) -> Coded<C> {
    c.group(group!("edges", "The edges between patches."), |c| {
        let count = sizes::<C, T>(c, "items", items.len())?;
        c.records("items", count, items)
    })
}

/// A size in bytes and a count, which agree with each other.
fn sizes<C: Codec, T>(c: &mut C, name: &'static str, len: usize) -> Result<usize, C::Stop> {
    let bytes = len.saturating_mul(size_of::<T>());
    let size = c.count(field!("size", Ty::U32, "What follows.", unit("bytes")), bytes)?;
    let count = c.count(field!("count", Ty::U32, "How many items follow."), len)?;
    if count.checked_mul(size_of::<T>()) != Some(size) {
        let expected = format!("items of {} bytes", size_of::<T>());
        let found = format!("{count} in {size} bytes");
        let error = Error::new(&codes::LAYOUT).field(name);
        return Err(error.expected(expected).found(found).into());
    }
    Ok(count)
}

fn points<C: Codec>(
    c: &mut C,
    iterations: &mut i32,
    handle_count: &mut i32,
    points: &mut Array<[F32; 3]>,
) -> Coded<C> {
    c.item(field!("iterations", Ty::I32, "How often a patch is divided."), iterations)?;
    c.item(field!("handle_count", Ty::I32, "How many points are handles."), handle_count)?;
    sized(
        c,
        group!("points", "Vertices, then handles."),
        field!("items", Ty::Array(&Ty::F32, 3), "One of them."),
        points,
    )
}

fn patches<C: Codec>(c: &mut C, value: &mut Patches) -> Coded<C> {
    c.item(field!("flags", Ty::Word, "What kind of patches they are."), &mut value.flags)?;
    points(c, &mut value.iterations, &mut value.handle_count, &mut value.points)?;
    let materials = &mut value.materials;
    c.parallel(field!("materials", Ty::U32, "The material of each patch."), materials)?;
    let count = materials.len();
    c.list(group!("patches", "The patches."), count, &mut value.patches, patch)?;
    edges(c, &mut value.edges)?;
    let materials = &mut value.channel_materials;
    c.parallel(field!("channel_materials", Ty::U32, "Of each texture channel."), materials)?;
    let count = materials.len();
    c.list(group!("channels", "Texture channels."), count, &mut value.channels, channel)
}

fn patch<C: Codec>(c: &mut C, value: &mut Patch) -> Coded<C> {
    let Patch { corners, smoothing_group, vertices, handles, interior, edges } = value;
    c.item(field!("corners", Ty::U32, "3 or 4."), corners)?;
    c.item(field!("smoothing_group", Ty::Word, "A bit for each group."), smoothing_group)?;
    c.array(field!("vertices", Ty::I16, "Its vertices."), 4, vertices)?;
    c.array(field!("handles", Ty::I16, "Handles along its edges."), 8, handles)?;
    c.array(field!("interior", Ty::I16, "Handles inside."), 4, interior)?;
    c.array(field!("edges", Ty::I16, "Its edges."), 4, edges)
}

fn channel<C: Codec>(c: &mut C, value: &mut TextureChannel) -> Coded<C> {
    let field = field!("source_blend", Ty::U32, "Factor of its colour.", values(BLENDS));
    c.item(field, &mut value.source_blend)?;
    let field = field!("destination_blend", Ty::U32, "Factor of what is below.", values(BLENDS));
    c.item(field, &mut value.destination_blend)?;
    c.item(field!("flags", Ty::Word, "How it is drawn."), &mut value.flags)?;
    let field = field!("patches", Ty::Array(&Ty::I16, 4), "Coordinates of each patch.");
    sized(c, group!("patches", "The patches."), field, &mut value.patches)?;
    sized(
        c,
        group!("uv", "The coordinates."),
        field!("items", Ty::Array(&Ty::F32, 2), "One of them."),
        &mut value.uv,
    )
}

fn old_patches<C: Codec>(c: &mut C, value: &mut OldPatches) -> Coded<C> {
    c.item(field!("flags", Ty::Word, "What kind of patches they are."), &mut value.flags)?;
    let field = field!("material", Ty::U32, "The material of patches without another.");
    c.object(field, &mut value.material)?;
    points(c, &mut value.iterations, &mut value.handle_count, &mut value.points)?;
    const PATCH: Ty = Ty::Array(&Ty::I32, 22);
    sized(
        c,
        group!("patches", "The patches."),
        field!("items", PATCH, "One of them."),
        &mut value.patches,
    )?;
    edges(c, &mut value.edges)?;
    let field = field!("texture_patches", Ty::Array(&Ty::I32, 4), "Coordinates of each patch.");
    sized(
        c,
        group!("texture_patches", "Their texture coordinates."),
        field,
        &mut value.texture_patches,
    )?;
    sized(
        c,
        group!("uv", "The coordinates."),
        field!("items", Ty::Array(&Ty::F32, 2), "One of them."),
        &mut value.uv,
    )
}

impl Fresh for PatchMesh {
    fn fresh(host: &Host) -> PatchMesh {
        let mesh = Mesh::fresh(host);
        let mesh = Mesh { materials: None, faces: None, vertices: None, ..mesh };
        PatchMesh { mesh, patches: Some(Box::default()), ..PatchMesh::default() }
    }
}
