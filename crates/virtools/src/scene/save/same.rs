//! Whether two meshes are the same surface, however their vertices and faces are numbered.

use super::to;
use crate::{class, scene::mesh::Mesh};
use spelunk_core::{Budget, Result};
use std::cmp::Ordering;
use zerocopy::little_endian::{F32, U32};

/// Most that texture coordinates may be apart, and parts of normals: editors turn both around and back.
const UV: f32 = 1e-4;
const NORMAL: f32 = 1e-2;

/// A corner of a face.
#[derive(Clone, Copy)]
struct Corner {
    position: [u32; 3],
    uv: [f32; 2],
    color: u32,
    specular: u32,
    normal: Option<[f32; 3]>,
}

/// A face: its material, and its corners from the first position on.
struct Triangle {
    material: u32,
    corners: [Corner; 3],
}

/// Arrays of vertices, of which some have one value for all.
struct Vertices<'v> {
    positions: &'v [[F32; 3]],
    uv: &'v [[F32; 2]],
    colors: &'v [U32],
    specular: &'v [U32],
    normals: &'v [[F32; 3]],
}

impl Vertices<'_> {
    fn corner(&self, at: u16) -> Option<Corner> {
        let at = usize::from(at);
        // A sum with 0 makes 0 of what is 0 with a sign.
        let position = self.positions.get(at)?.map(|value| (value.get() + 0.0).to_bits());
        let uv = self.uv.get(at).or(self.uv.first()).copied().unwrap_or_default();
        let of = |colors: &[U32]| colors.get(at).or(colors.first()).copied().unwrap_or_default();
        let (color, specular) = (of(self.colors).get(), of(self.specular).get());
        let normal = self.normals.get(at).map(|normal| normal.map(F32::get));
        Some(Corner { position, uv: uv.map(F32::get), color, specular, normal })
    }

    fn triangles(
        &self,
        faces: &[class::mesh::Face],
        slots: &[u32],
        budget: &mut Budget,
    ) -> Result<Option<Vec<Triangle>>> {
        let mut triangles = budget.vec(faces.len() as u64)?;
        budget.steps((faces.len() as u64).saturating_mul(16))?;
        for face in faces {
            let corners = [face.a, face.b, face.c].map(|at| self.corner(at.get()));
            let material = slots.get(usize::from(face.material.get()));
            let ([Some(a), Some(b), Some(c)], Some(material)) = (corners, material) else {
                return Ok(None);
            };
            let mut corners = [a, b, c];
            let first = corners.iter().map(|corner| corner.position).min().unwrap_or_default();
            let at = corners.iter().position(|corner| corner.position == first);
            corners.rotate_left(at.unwrap_or_default());
            triangles.push(Triangle { material: *material, corners });
        }
        triangles.sort_unstable_by(Triangle::order);
        // Faces that are there twice are seen once.
        triangles.dedup_by(|one, other| one.is_near(other));
        Ok(Some(triangles))
    }
}

impl Triangle {
    fn order(&self, other: &Triangle) -> Ordering {
        let key = |it: &Triangle| (it.material, it.corners.map(|corner| corner.position));
        let uv = |it: &Triangle| it.corners.map(|corner| corner.uv).into_iter().flatten();
        key(self).cmp(&key(other)).then_with(|| {
            let mut orders = uv(self).zip(uv(other)).map(|(one, other)| one.total_cmp(&other));
            orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        })
    }

    fn is_near(&self, other: &Triangle) -> bool {
        let near = |one: &[f32], other: &[f32], most: f32| {
            one.iter().zip(other).all(|(one, other)| (one - other).abs() <= most)
        };
        let same = |(one, other): (&Corner, &Corner)| {
            let normals = match (one.normal, other.normal) {
                (Some(one), Some(other)) => near(&one, &other, NORMAL),
                _ => true,
            };
            one.position == other.position
                && (one.color, one.specular) == (other.color, other.specular)
                && near(&one.uv, &other.uv, UV)
                && normals
        };
        self.material == other.material && self.corners.iter().zip(&other.corners).all(same)
    }
}

impl Mesh {
    /// Whether it is the surface that was saved, with vertices and faces in any order: the same faces of the same
    /// materials, with the same colours and channels, and texture coordinates and normals that are near.
    ///
    /// # Errors
    /// Limits.
    pub fn is_surface_of(&self, saved: &class::mesh::Mesh, budget: &mut Budget) -> Result<bool> {
        let (Some(vertices), Some(faces)) = (&saved.vertices, &saved.faces) else {
            return Ok(false);
        };
        let lines = saved.lines.as_ref().map_or(0, |lines| lines.items.len());
        let had = saved.channels.as_deref().unwrap_or_default();
        let channels = had.len() == self.channels.len()
            && had.iter().zip(&self.channels).all(|(old, new)| {
                let new = (to(new.material), new.flags, new.source_blend, new.destination_blend);
                (old.material, old.flags, old.source_blend, old.destination_blend) == new
            });
        if lines > 0 || !self.lines.is_empty() || !channels {
            return Ok(false);
        }
        // A new mesh has no faces yet.
        if faces.is_empty() != self.faces.is_empty() {
            return Ok(false);
        }
        // Vertices without faces are no surface that could be compared.
        let is_bare = faces.is_empty() && self.faces.is_empty();
        if is_bare && vertices.positions != self.positions {
            return Ok(false);
        }
        let before = budget.left().memory;
        // Normals that are not stored follow from the faces.
        let built: Vec<[F32; 3]> = if vertices.normals.is_empty() {
            let points = vertices.positions.clone();
            let bare = Mesh { positions: points, faces: faces.clone(), ..Mesh::default() };
            budget.memory((vertices.positions.len() as u64).saturating_mul(12))?;
            let built = bare.built_normals(budget)?;
            built.into_iter().map(|normal| normal.map(F32::new)).collect()
        } else {
            Vec::new()
        };
        let old = Vertices {
            positions: &vertices.positions,
            uv: &vertices.uv,
            colors: &vertices.colors,
            specular: &vertices.specular,
            normals: if built.is_empty() { &vertices.normals } else { &built },
        };
        let slots = saved.materials.iter().flatten();
        let old_slots: Vec<u32> = slots.map(|slot| slot.material.value).collect();
        let new = Vertices {
            positions: &self.positions,
            uv: &self.uv,
            colors: &self.colors,
            specular: &self.specular,
            normals: &self.stored_normals,
        };
        let new_slots: Vec<u32> = self.slots.iter().map(|slot| to(*slot).value).collect();
        let same = match (
            old.triangles(faces, &old_slots, budget)?,
            new.triangles(&self.faces, &new_slots, budget)?,
        ) {
            (Some(old), Some(new)) => {
                old.len() == new.len() && old.iter().zip(&new).all(|(old, new)| old.is_near(new))
            }
            _ => false,
        };
        budget.release(before.saturating_sub(budget.left().memory));
        Ok(same)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::mesh::Face;
    use spelunk_core::Limits;
    use zerocopy::little_endian::U16;

    fn mesh(positions: &[[f32; 3]], uv: &[[f32; 2]], faces: &[[u16; 4]]) -> Mesh {
        let face = |[a, b, c, material]: [u16; 4]| {
            let [a, b, c, material] = [a, b, c, material].map(U16::new);
            Face { a, b, c, material }
        };
        Mesh {
            slots: vec![None, Some(7), Some(9)],
            positions: positions.iter().map(|point| point.map(F32::new)).collect::<Vec<_>>().into(),
            uv: uv.iter().map(|pair| pair.map(F32::new)).collect::<Vec<_>>().into(),
            colors: vec![U32::new(5)].into(),
            specular: vec![U32::ZERO].into(),
            faces: faces.iter().map(|corners| face(*corners)).collect::<Vec<_>>().into(),
            ..Mesh::default()
        }
    }

    #[test]
    fn a_surface_is_the_same_however_it_is_numbered() {
        let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
        let pairs = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let first = mesh(&points, &pairs, &[[0, 1, 2, 1], [0, 2, 3, 2]]);
        let mut budget = Budget::new(Limits::for_len(1 << 20));
        let mut saved = class::mesh::Mesh::default();
        first.save(&mut saved, &mut budget).unwrap();
        let mut is = |other: &Mesh| other.is_surface_of(&saved, &mut budget).unwrap();
        assert!(is(&first));
        // Vertices the other way around, corners turned, faces swapped, one of them twice, a corner of its own.
        let [a, b, c, d] = points;
        let [p, _, r, s] = pairs;
        let other = mesh(
            &[d, c, b, [-0.0, 0.0, 0.0], a],
            &[s, r, [1.0, 0.000_05], p, p],
            &[[1, 0, 4, 2], [2, 1, 3, 1], [1, 3, 2, 1]],
        );
        assert!(is(&other));
        let turned = mesh(&points, &pairs, &[[0, 2, 1, 1], [0, 2, 3, 2]]);
        assert!(!is(&turned), "the other side");
        let painted = mesh(&points, &pairs, &[[0, 1, 2, 1], [0, 2, 3, 1]]);
        assert!(!is(&painted), "another material");
        let moved = mesh(&points, &[[0.0, 0.0], [1.0, 0.01], r, s], &[[0, 1, 2, 1], [0, 2, 3, 2]]);
        assert!(!is(&moved), "other texture coordinates");
        let less = mesh(&points, &pairs, &[[0, 1, 2, 1]]);
        assert!(!is(&less), "a face is missing");
        let up = |z: f32| vec![[0.0, 0.6, z].map(F32::new); 4].into();
        assert!(!is(&Mesh { stored_normals: up(0.8), ..first.clone() }), "other normals");
        let colored = Mesh { colors: vec![U32::new(6)].into(), ..first.clone() };
        assert!(!is(&colored), "another colour");
    }
}
