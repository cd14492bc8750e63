//! Meshes as they are drawn (`docs/formats/classes/meshes.md#ckmesh`).

use super::position::{about, of};
use crate::{
    class::{
        self,
        mesh::{Face, Vertices},
    },
    codec::Array,
    codes,
};
use spelunk_core::{Budget, Error, Result, Task};
use zerocopy::little_endian::{F32, U16, U32};

/// The bit of [`Mesh::flags`] of meshes whose colours are those of their vertices, whatever light there is.
pub const PRELIT: u32 = 0x80;

/// A mesh. Arrays are handles to the bytes of the file.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// [`FLAGS`](class::mesh::FLAGS).
    pub flags: u32,
    /// [`SAVE_FLAGS`](class::mesh::SAVE_FLAGS).
    pub save_flags: u32,
    /// The materials to which faces refer; those without one are drawn with that of the first slot, if any.
    pub slots: Vec<Option<u32>>,
    /// Positions of the vertices.
    pub positions: Array<[F32; 3]>,
    /// Stored normals, one for each vertex; none where they follow from the faces.
    pub stored_normals: Array<[F32; 3]>,
    /// Colours as ARGB: one for each vertex, or a single one.
    pub colors: Array<U32>,
    /// Colours of highlights as ARGB: one for each vertex, or a single one.
    pub specular: Array<U32>,
    /// Texture coordinates: a pair for each vertex, or a single one. The top left corner is 0, 0.
    pub uv: Array<[F32; 2]>,
    /// The faces. All vertices and slots that they refer to are there.
    pub faces: Array<Face>,
    /// The lines. All vertices that they refer to are there.
    pub lines: Array<[U16; 2]>,
    /// Materials that are drawn over it.
    pub channels: Vec<Channel>,
    /// For each face a bit for each channel that is drawn over it; none where all are.
    pub face_channel_masks: Array<U16>,
}

/// A material that is drawn over a mesh.
#[derive(Clone, PartialEq, Debug)]
pub struct Channel {
    /// The material.
    pub material: Option<u32>,
    /// [`CHANNEL_FLAGS`](class::mesh::CHANNEL_FLAGS).
    pub flags: u32,
    /// Factor of its colour: one of [`BLENDS`](class::material::BLENDS).
    pub source_blend: u32,
    /// Factor of the colour below it.
    pub destination_blend: u32,
    /// Texture coordinates for each vertex; none where they are those of the mesh.
    pub uv: Array<[F32; 2]>,
}

impl Mesh {
    /// The mesh that was saved. Faces and lines that refer to vertices that are not there are left out, and reported.
    pub(super) fn of(saved: class::mesh::Mesh, index: u32, task: &mut Task<'_>) -> Result<Mesh> {
        let vertices = saved.vertices.map(|vertices| *vertices).unwrap_or_default();
        let Vertices { save_flags, positions, colors, specular, normals, uv, .. } = vertices;
        let slots = saved.materials.unwrap_or_default();
        let slots: Vec<_> = slots.iter().map(|slot| of(slot.material)).collect();
        let count = positions.len();
        let channel = |channel: class::mesh::Channel| Channel {
            material: of(channel.material),
            flags: channel.flags,
            source_blend: channel.source_blend,
            destination_blend: channel.destination_blend,
            uv: channel.uv,
        };
        let mut mesh = Mesh {
            flags: saved.flags.unwrap_or_default(),
            save_flags,
            positions,
            stored_normals: normals,
            colors,
            specular,
            uv,
            faces: saved.faces.unwrap_or_default(),
            lines: saved.lines.map(|lines| lines.items).unwrap_or_default(),
            channels: saved.channels.into_iter().flatten().map(channel).collect(),
            face_channel_masks: saved
                .face_channel_masks
                .map(|masks| masks.items)
                .unwrap_or_default(),
            slots,
        };
        let there = |index: U16| usize::from(index.get()) < count;
        let slot_count = mesh.slots.len().max(1);
        let fine = |face: &Face| {
            there(face.a)
                && there(face.b)
                && there(face.c)
                && usize::from(face.material.get()) < slot_count
        };
        task.budget
            .steps((mesh.faces.len() as u64).saturating_add(mesh.lines.len() as u64) >> 3)?;
        let whole = mesh.faces.len();
        if !mesh.faces.iter().all(fine) {
            let room = (whole as u64).saturating_mul(size_of::<Face>() as u64);
            task.budget.memory(room)?;
            let mut faces = mesh.faces.to_vec();
            for face in &mut faces {
                if usize::from(face.material.get()) >= slot_count {
                    face.material = U16::ZERO;
                }
            }
            faces.retain(fine);
            let missing = whole.saturating_sub(faces.len());
            mesh.faces = faces.into();
            task.error(about(
                index,
                Error::new(&codes::NOT_DRAWN)
                    .field("faces")
                    .expected(format!("{count} vertices, {slot_count} material slots"))
                    .found(format!("{missing} faces of other vertices, or some of other slots")),
            ))?;
        }
        let whole = mesh.lines.len();
        let fine = |[from, to]: &[U16; 2]| there(*from) && there(*to);
        if !mesh.lines.iter().all(fine) {
            task.budget.memory((whole as u64).saturating_mul(4))?;
            let mut lines = mesh.lines.to_vec();
            lines.retain(fine);
            let missing = whole.saturating_sub(lines.len());
            mesh.lines = lines.into();
            task.error(about(
                index,
                Error::new(&codes::NOT_DRAWN)
                    .field("lines")
                    .expected(format!("{count} vertices"))
                    .found(format!("{missing} lines of other vertices")),
            ))?;
        }
        Ok(mesh)
    }

    /// Whether its colours are those of its vertices, whatever light there is.
    pub const fn is_prelit(&self) -> bool {
        self.flags & PRELIT != 0
    }

    /// Whether vertices have different colours.
    pub fn has_colors(&self) -> bool {
        self.colors.first().is_some_and(|first| self.colors.iter().any(|color| color != first))
    }

    /// The normals, of length 1: those that are stored, or those that follow from the faces (`vertices` on the page).
    /// Vertices without a direction get one that points up.
    ///
    /// # Errors
    /// Limits.
    pub fn normals(&self, budget: &mut Budget) -> Result<Vec<[f32; 3]>> {
        let count = self.positions.len();
        if self.stored_normals.len() != count {
            return self.built_normals(budget);
        }
        let mut normals = budget.vec(count as u64)?;
        // Most are of length 1 but for the last digits, which are theirs.
        let stored = self.stored_normals.iter().map(|normal| normal.map(F32::get));
        normals.extend(stored.map(|normal| if is_unit(normal) { normal } else { unit(normal) }));
        Ok(normals)
    }

    /// The normals that follow from the faces, of length 1: the sum of those of the faces of a vertex.
    pub(super) fn built_normals(&self, budget: &mut Budget) -> Result<Vec<[f32; 3]>> {
        let count = self.positions.len();
        let mut normals = budget.vec(count as u64)?;
        normals.resize(count, [0.0; 3]);
        budget.steps(self.faces.len() as u64 >> 2)?;
        for face in self.faces.iter() {
            let corners = [face.a, face.b, face.c].map(|corner| usize::from(corner.get()));
            let [Some(p), Some(q), Some(r)] = corners.map(|corner| self.positions.get(corner))
            else {
                continue;
            };
            let [p, q, r] = [p, q, r].map(|point| point.map(F32::get));
            let normal = cross(minus(q, p), minus(r, p));
            let Some([x, y, z]) = unit_of(normal) else { continue };
            for corner in corners {
                if let Some([a, b, c]) = normals.get_mut(corner) {
                    (*a, *b, *c) = (*a + x, *b + y, *c + z);
                }
            }
        }
        normals.iter_mut().for_each(|normal| *normal = unit(*normal));
        Ok(normals)
    }
}

fn minus([a, b, c]: [f32; 3], [x, y, z]: [f32; 3]) -> [f32; 3] {
    [a - x, b - y, c - z]
}

fn cross([a, b, c]: [f32; 3], [x, y, z]: [f32; 3]) -> [f32; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

/// A vector of length 1 with the direction of another one; `None` where that has none.
fn unit_of([x, y, z]: [f32; 3]) -> Option<[f32; 3]> {
    let square = x * x + y * y + z * z;
    if square > 1e-30 && square < 1e30 {
        let length = square.sqrt();
        return Some([x / length, y / length, z / length]);
    }
    // Too large or too small for single precision.
    let wide = [x, y, z].map(f64::from);
    let length = wide.iter().map(|value| value * value).sum::<f64>().sqrt();
    length.is_normal().then(|| wide.map(|value| (value / length) as f32))
}

/// Whether a vector has length 1, as nearly as single precision shows.
fn is_unit([x, y, z]: [f32; 3]) -> bool {
    (x * x + y * y + z * z - 1.0).abs() < 1e-5
}

/// The same, pointing up where there is no direction.
pub fn unit(vector: [f32; 3]) -> [f32; 3] {
    unit_of(vector).unwrap_or([0.0, 1.0, 0.0])
}
