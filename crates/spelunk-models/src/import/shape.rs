//! Shapes of any size, and meshes of what of them a mesh can hold.

use spelunk_core::{Budget, Error, Result};
use spelunk_open::codes;
use std::collections::BTreeMap;
use virtools::{
    class::mesh::{Face, NEW_FLAGS},
    codec::{Array, Pod},
    scene::mesh::{Channel, Mesh, PRELIT},
};
use zerocopy::little_endian::{F32, U16, U32};

/// Vertices that a mesh can have: positions in it are 16-bit numbers.
pub const MOST_VERTICES: usize = 65_535;

/// A shape. Arrays of vertices hold a value for each, or one for all; normals may be missing.
#[derive(PartialEq, Debug, Default)]
pub struct Shape {
    pub name: String,
    /// Position in the file that the source was made of.
    pub index: Option<u32>,
    /// Whether the source has nothing but its name: it has no vertices.
    pub is_named: bool,
    /// Whether it is the mesh of this name that the file has.
    pub is_of_file: bool,
    /// Flags, where the source has them, and whether its colours are those of its vertices alone.
    pub flags: Option<u32>,
    pub is_prelit: bool,
    pub positions: Vec<[F32; 3]>,
    pub normals: Vec<[F32; 3]>,
    pub colors: Vec<U32>,
    pub specular: Vec<U32>,
    pub uv: Vec<[F32; 2]>,
    pub faces: Vec<Triangle>,
    pub lines: Vec<[u32; 2]>,
    /// Positions of materials in the model; the first slot is that of faces without one.
    pub slots: Vec<Option<u32>>,
    pub channels: Vec<Channel>,
}

/// A face, seen from its front in clockwise order.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Triangle {
    pub corners: [u32; 3],
    pub slot: u16,
}

/// The vertices of one part, by their positions in the whole.
#[derive(Default)]
struct MeshPart {
    vertices: Vec<u32>,
    at: BTreeMap<u32, u16>,
    faces: Vec<Face>,
    lines: Vec<[U16; 2]>,
}

impl MeshPart {
    /// Whether so many corners fit in.
    fn has_room(&self, corners: &[u32]) -> bool {
        let new = corners.iter().filter(|corner| !self.at.contains_key(corner)).count();
        self.vertices.len() + new <= MOST_VERTICES
    }

    fn corner(&mut self, corner: u32) -> U16 {
        let next = self.vertices.len() as u16;
        let at = *self.at.entry(corner).or_insert(next);
        if at == next && self.vertices.len() == usize::from(next) {
            self.vertices.push(corner);
        }
        U16::new(at)
    }
}

impl Shape {
    /// The shape as meshes: one, or where it has more vertices than that and may be taken apart, several.
    ///
    /// # Errors
    /// [`BAD_MODEL`](codes::BAD_MODEL) for numbers that are none; [`TOO_MANY_VERTICES`](codes::TOO_MANY_VERTICES) for what does not fit into one mesh; limits.
    pub fn into_meshes(self, split: bool, budget: &mut Budget) -> Result<Vec<Mesh>> {
        let count = self.positions.len();
        let places = self.positions.iter().flatten();
        let pairs = self.channels.iter().flat_map(|channel| channel.uv.iter());
        let pairs = self.uv.iter().chain(pairs).flatten();
        if !places.chain(pairs).all(|value| value.get().is_finite()) {
            return Err(Error::new(&codes::BAD_MODEL)
                .expected("numbers")
                .found(format!("some that are none in `{}`", self.name)));
        }
        if count <= MOST_VERTICES {
            return Ok(vec![self.into_mesh()]);
        }
        if !split {
            return Err(Error::new(&codes::TOO_MANY_VERTICES)
                .expected(format!("at most {MOST_VERTICES} vertices"))
                .found(format!("{count} in `{}`", self.name)));
        }
        let channels = self.channels.iter().filter(|channel| !channel.uv.is_empty()).count();
        let of_part = (MOST_VERTICES as u64).saturating_mul(96 + 8 * channels as u64);
        let mut more = || budget.memory(of_part).map(|()| MeshPart::default());
        let mut parts = vec![more()?];
        for Triangle { corners, slot } in &self.faces {
            if parts.last().is_none_or(|part| !part.has_room(corners)) {
                parts.push(more()?);
            }
            if let Some(part) = parts.last_mut() {
                let [a, b, c] = corners.map(|corner| part.corner(corner));
                part.faces.push(Face { a, b, c, material: U16::new(*slot) });
            }
        }
        for ends in &self.lines {
            if parts.last().is_none_or(|part| !part.has_room(ends)) {
                parts.push(more()?);
            }
            if let Some(part) = parts.last_mut() {
                let ends = ends.map(|end| part.corner(end));
                part.lines.push(ends);
            }
        }
        Ok(parts.into_iter().map(|part| self.part(part)).collect())
    }

    /// Returns the flags of the source, or those of a new mesh.
    fn flags(&self) -> u32 {
        let flags = self.flags.unwrap_or(NEW_FLAGS);
        if self.is_prelit { flags | PRELIT } else { flags & !PRELIT }
    }

    fn into_mesh(self) -> Mesh {
        let narrow = |corner: u32| U16::new(corner as u16);
        let face = |Triangle { corners, slot }: Triangle| {
            let [a, b, c] = corners.map(narrow);
            Face { a, b, c, material: U16::new(slot) }
        };
        Mesh {
            flags: self.flags(),
            slots: self.slots,
            positions: self.positions.into(),
            stored_normals: self.normals.into(),
            colors: self.colors.into(),
            specular: self.specular.into(),
            uv: self.uv.into(),
            faces: self.faces.into_iter().map(face).collect::<Vec<_>>().into(),
            lines: self.lines.into_iter().map(|ends| ends.map(narrow)).collect::<Vec<_>>().into(),
            channels: self.channels,
            ..Mesh::default()
        }
    }

    fn part(&self, part: MeshPart) -> Mesh {
        let of = &part.vertices;
        let channel = |channel: &Channel| Channel { uv: pick(&channel.uv, of), ..*channel };
        Mesh {
            flags: self.flags(),
            slots: self.slots.clone(),
            positions: pick(&self.positions, of),
            stored_normals: pick(&self.normals, of),
            colors: pick(&self.colors, of),
            specular: pick(&self.specular, of),
            uv: pick(&self.uv, of),
            faces: part.faces.into(),
            lines: part.lines.into(),
            channels: self.channels.iter().map(channel).collect(),
            ..Mesh::default()
        }
    }
}

/// The values of some vertices; the one of all, or none, where there are not as many.
fn pick<T: Pod>(values: &[T], vertices: &[u32]) -> Array<T> {
    if values.len() <= 1 {
        return Array::from(values);
    }
    let value = |vertex: &u32| values.get(*vertex as usize).copied();
    vertices.iter().filter_map(value).collect::<Vec<_>>().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk_core::Limits;

    fn point(x: u32) -> [F32; 3] {
        [x as f32, 0.5, -1.0].map(F32::new)
    }

    #[test]
    fn what_is_taken_apart_is_the_same_faces_in_their_order() {
        let count = 150_000_u32;
        let shape = |split: bool| {
            let shape = Shape {
                positions: (0..count).map(point).collect(),
                uv: vec![[F32::ZERO; 2]],
                colors: (0..count).map(U32::new).collect(),
                // Some vertices are shared by faces that are far from each other.
                faces: (0..count - 2)
                    .step_by(2)
                    .map(|at| Triangle { corners: [at, at + 1, at % 100], slot: (at % 3) as u16 })
                    .collect(),
                lines: vec![[0, count - 1]],
                slots: vec![None, Some(4), Some(2)],
                ..Shape::default()
            };
            shape.into_meshes(split, &mut Budget::new(Limits::for_len(1 << 24)))
        };
        assert_eq!(shape(false).unwrap_err().code().id, codes::TOO_MANY_VERTICES.id);
        let parts = shape(true).unwrap();
        assert_eq!(parts.len(), 3);
        let mut faces = Vec::new();
        for part in &parts {
            assert!(part.positions.len() <= MOST_VERTICES);
            assert_eq!((part.uv.len(), part.colors.len()), (1, part.positions.len()));
            for face in part.faces.iter() {
                let corners = [face.a, face.b, face.c];
                let corners = corners.map(|at| part.colors[usize::from(at.get())].get());
                let [a, ..] = corners;
                assert_eq!(part.positions[usize::from(face.a.get())], point(a));
                faces.push((corners, face.material.get()));
            }
        }
        let wanted = (0..count - 2).step_by(2).map(|at| ([at, at + 1, at % 100], (at % 3) as u16));
        assert!(faces.into_iter().eq(wanted));
        let [from, to] = parts[2].lines[0].map(|at| parts[2].colors[usize::from(at.get())].get());
        assert_eq!([from, to], [0, count - 1]);
    }

    #[test]
    fn a_mesh_holds_exactly_as_many_vertices_as_its_faces_can_name() {
        let of =
            |count: u32| Shape { positions: (0..count).map(point).collect(), ..Shape::default() };
        let mut budget = Budget::new(Limits::for_len(1 << 24));
        assert_eq!(of(65_535).into_meshes(false, &mut budget).unwrap().len(), 1);
        assert!(of(65_536).into_meshes(false, &mut budget).is_err());
    }
}
