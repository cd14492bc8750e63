//! `CKMesh` (`docs/formats/classes/meshes.md#ckmesh`).

use super::{
    be_object::BeObject,
    fresh::{Fresh, Host},
};
use crate::codec::{Array, Padded, Reference};
use spelunk_core::record;
use std::borrow::Cow;
use zerocopy::{
    FromBytes, IntoBytes,
    little_endian::{F32, U16, U32},
};

mod layout;

/// Names of the bits of [`Mesh::flags`].
pub const FLAGS: &[(u32, &str)] = &[
    (0x1, "bounding box up to date"),
    (0x2, "visible"),
    (0x4, "optimized"),
    (0x8, "render channels"),
    (0x10, "has transparency"),
    (0x80, "prelit"),
    (0x100, "wrap u"),
    (0x200, "wrap v"),
    (0x1000, "force transparency"),
    (0x2000, "transparency up to date"),
    (0x4000, "uv changed"),
    (0x8000, "normals changed"),
    (0x1_0000, "colors changed"),
    (0x2_0000, "positions changed"),
    (0x4_0000, "dynamic hint"),
    (0x8_0000, "generate normals"),
    (0x10_0000, "procedural uv"),
    (0x20_0000, "procedural positions"),
    (0x40_0000, "stripify"),
    (0x80_0000, "one material"),
    (0x100_0000, "build normals of progressive mesh"),
    (0x200_0000, "weights changed"),
];

/// Names of the bits of [`Channel::flags`].
pub const CHANNEL_FLAGS: &[(u32, &str)] = &[
    (0x1, "active"),
    (0x80_0000, "same uv"),
    (0x100_0000, "not lit"),
    (0x200_0000, "one material"),
    (0x800_0000, "last"),
];

/// [`Vertices::save_flags`]: one colour for all vertices.
pub const ONE_COLOR: u32 = 0x01;
/// [`Vertices::save_flags`]: one specular colour for all vertices.
pub const ONE_SPECULAR: u32 = 0x02;
/// [`Vertices::save_flags`]: normals are left out, for they follow from the faces.
pub const NO_NORMALS: u32 = 0x04;
/// [`Vertices::save_flags`]: one pair of texture coordinates for all vertices.
pub const ONE_UV: u32 = 0x08;
/// [`Vertices::save_flags`]: positions are left out.
pub const NO_POSITIONS: u32 = 0x10;

/// Names of the bits of [`Vertices::save_flags`].
pub const SAVE_FLAGS: &[(u32, &str)] = &[
    (ONE_COLOR, "one color"),
    (ONE_SPECULAR, "one specular color"),
    (NO_NORMALS, "no normals"),
    (ONE_UV, "one uv"),
    (NO_POSITIONS, "no positions"),
];

/// A shape of triangles. Below data version 9 its own sections are kept as they are, for their layout is not known
/// for sure.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// State of the base class.
    pub be_object: BeObject,
    /// [`FLAGS`]. Engines pass over those that are not in `0x007FF39F` when they load.
    pub flags: Option<u32>,
    /// The material slots. The first one is that of faces without a material, null in real files.
    pub materials: Option<Vec<MaterialSlot>>,
    /// The faces.
    pub faces: Option<Array<Face>>,
    /// Lines, each from one vertex to another.
    pub lines: Option<Padded<[U16; 2]>>,
    /// The vertices.
    pub vertices: Option<Box<Vertices>>,
    /// Materials that are drawn over it.
    pub channels: Option<Vec<Channel>>,
    /// Weight of each vertex for changes that work with weights.
    pub weights: Option<Weights>,
    /// For each face, which channels are drawn over it: a bit for each.
    pub face_channel_masks: Option<Padded<U16>>,
    /// Reduction of the mesh to fewer vertices.
    pub progressive: Option<Box<Progressive>>,
    /// Faces that are drawn at once, computed from faces and vertices; real files of 5.0 have them.
    pub render_groups: Option<Vec<RenderGroup>>,
    /// Blend shapes of later products; three zeros in all real files, so none.
    pub blend_shapes: Option<[u32; 3]>,
}

/// A material slot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MaterialSlot {
    /// The material.
    pub material: Reference,
    /// 0 in real files.
    pub reserved: u32,
}

record! {
    /// A triangle. Seen from its front its vertices are in clockwise order.
    pub struct Face: "face", "docs/formats/classes/meshes.md#ckmesh", 8 {
        /// First vertex.
        a: U16,
        /// Second vertex.
        b: U16,
        /// Third vertex.
        c: U16,
        /// Material slot.
        material: U16,
    }
}

/// The vertices of a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vertices {
    /// Number of vertices. Nothing else is stored of none.
    pub count: u32,
    /// [`SAVE_FLAGS`], which decide the lengths of the arrays.
    pub save_flags: u32,
    /// Positions, unless they are left out.
    pub positions: Array<[F32; 3]>,
    /// Colours as ARGB: one for each vertex, or a single one.
    pub colors: Array<U32>,
    /// Colours of highlights as ARGB: one for each vertex, or a single one.
    pub specular: Array<U32>,
    /// Normals, unless they are left out.
    pub normals: Array<[F32; 3]>,
    /// Texture coordinates: a pair for each vertex, or a single one. The top left corner is 0, 0.
    pub uv: Array<[F32; 2]>,
}

/// A material that is drawn over a mesh.
#[derive(Clone, Debug, Default)]
pub struct Channel {
    /// The material.
    pub material: Reference,
    /// [`CHANNEL_FLAGS`].
    pub flags: u32,
    /// Factor of its colour: one of [`BLENDS`](super::material::BLENDS).
    pub source_blend: u32,
    /// Factor of the colour below it.
    pub destination_blend: u32,
    /// Texture coordinates for each vertex; none where they are those of the mesh.
    pub uv: Array<[F32; 2]>,
}

/// Weight of each vertex for changes that work with weights.
#[derive(Clone, Debug, Default)]
pub struct Weights {
    /// Number of vertices.
    pub count: u32,
    /// The weight of all vertices, where it is the same.
    pub same: Option<f32>,
    /// Else one for each vertex.
    pub each: Option<Padded<F32>>,
    /// Number that may follow the others.
    pub more: Option<f32>,
}

/// Reduction of a mesh to fewer vertices.
#[derive(Clone, Debug, Default)]
pub struct Progressive {
    /// Vertices that it has now.
    pub vertex_count: i32,
    /// 1 where vertices move over when the count changes.
    pub morph_enabled: i32,
    /// In how many steps.
    pub morph_step: i32,
    /// The steps, whose layout is not known.
    pub data: Array<U32>,
}

/// Faces of one material that are drawn at once.
#[derive(Clone, Debug, Default)]
pub struct RenderGroup {
    /// The material.
    pub material: Reference,
    /// For each of its vertices, that of the mesh; none where they are the same.
    pub vertices: Padded<U16>,
    /// Indices of the vertices.
    pub indices: Padded<U16>,
    /// 4: a list of triangles.
    pub primitive: u32,
    /// Vertices that are drawn.
    pub vertex_count: u32,
    /// Indices that are drawn.
    pub index_count: u32,
    /// 0 in real files.
    pub reserved: u32,
    /// The faces of the mesh that it draws.
    pub faces: Padded<U32>,
    /// 0 in real files.
    pub reserved_2: u32,
}

impl Mesh {
    /// The positions of the vertices: borrowed where the bytes are aligned for numbers of the machine, and a copy elsewhere. None
    /// where the mesh saved none.
    pub fn positions(&self) -> Cow<'_, [[f32; 3]]> {
        let raw = self.positions_raw();
        match aligned(raw) {
            Some(positions) => Cow::Borrowed(positions),
            None => Cow::Owned(raw.iter().map(|position| position.map(F32::get)).collect()),
        }
    }

    /// The positions of the vertices as they are stored, without a copy.
    pub fn positions_raw(&self) -> &[[F32; 3]] {
        self.vertices.as_ref().map_or(&[], |vertices| &vertices.positions)
    }
}

/// The numbers in their place, where the machine can read them there.
fn aligned(raw: &[[F32; 3]]) -> Option<&[[f32; 3]]> {
    if cfg!(target_endian = "big") {
        return None;
    }
    <[[f32; 3]]>::ref_from_bytes(raw.as_bytes()).ok()
}

impl Vertices {
    /// The smallest and the largest coordinates; `None` without positions.
    pub fn bounding_box(&self) -> Option<[[f32; 3]; 2]> {
        let mut positions = self.positions.iter().map(|position| position.map(F32::get));
        let first = positions.next()?;
        let mut bounds = [first, first];
        let [min, max] = &mut bounds;
        for position in positions {
            min.iter_mut().zip(position).for_each(|(min, at)| *min = min.min(at));
            max.iter_mut().zip(position).for_each(|(max, at)| *max = max.max(at));
        }
        Some(bounds)
    }

    /// Number of values of an array that has a single one where the flag is set.
    const fn many(&self, one: u32) -> usize {
        if self.save_flags & one != 0 { 1 } else { self.count as usize }
    }

    /// Number of values of an array that has none where the flag is set.
    const fn any(&self, none: u32) -> usize {
        if self.save_flags & none != 0 { 0 } else { self.count as usize }
    }
}

/// The flags of most meshes of real levels: shown, with channels, everything changed since it was drawn last.
pub const NEW_FLAGS: u32 = 0x3_C00A;

impl Fresh for Mesh {
    fn fresh(host: &Host) -> Mesh {
        Mesh {
            be_object: Fresh::fresh(host),
            flags: Some(NEW_FLAGS),
            materials: Some(vec![MaterialSlot { material: host.null(), reserved: 0 }]),
            faces: Some(Array::new()),
            vertices: Some(Box::default()),
            ..Mesh::default()
        }
    }
}
