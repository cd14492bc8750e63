//! Meshes.

use super::to;
use crate::{
    class::{
        self,
        mesh::{Face, MaterialSlot, NO_NORMALS, ONE_COLOR, ONE_SPECULAR, ONE_UV, Vertices},
    },
    codec::{Array, Padded, Pod, Reference},
    scene::mesh::{Channel, Mesh},
};
use spelunk_core::{Budget, Result};
use std::collections::{BTreeMap, VecDeque};
use zerocopy::little_endian::{F32, U16};

/// The bits of [`Mesh::flags`] with which engines never store normals: they are built from the faces, or positions
/// are procedural.
pub const BUILDS_NORMALS: u32 = 0x8_0000 | 0x20_0000;

/// Normals that are nearer than this to those that follow from the faces, on average, are not stored.
const SAME: f64 = 0.001;

impl Mesh {
    /// Puts the mesh in the place of one that was saved, as engines save it: what is the same for all vertices once,
    /// normals only where they say more than the faces do. Where other vertices or faces were there before, what belonged
    /// to them is gone: weights, progressive meshes, render groups. Slots and faces that were there stay in their order.
    ///
    /// # Errors
    /// Limits.
    pub fn save(&self, saved: &mut class::mesh::Mesh, budget: &mut Budget) -> Result<()> {
        let with_normals = self.needs_normals(budget)?;
        let mut save_flags = if with_normals { 0 } else { NO_NORMALS };
        let colors = one(&self.colors, ONE_COLOR, &mut save_flags);
        let specular = one(&self.specular, ONE_SPECULAR, &mut save_flags);
        let uv = one(&self.uv, ONE_UV, &mut save_flags);
        let had = saved.vertices.as_ref();
        let same_points = had.is_some_and(|had| had.positions == self.positions);
        // Bits that are not known stay.
        let known = NO_NORMALS | ONE_COLOR | ONE_SPECULAR | ONE_UV;
        save_flags |= had.map_or(0, |had| had.save_flags & !known);
        let materials: Vec<_> = self.slots.iter().map(|slot| to(*slot)).collect();
        let (materials, faces) = in_order(materials, &self.faces, saved, budget)?;
        let same_faces = saved.faces.as_ref() == Some(&faces);
        if !same_points || !same_faces {
            (saved.weights, saved.progressive, saved.render_groups) = (None, None, None);
        }
        saved.flags = Some(self.flags);
        let had = saved.materials.take().unwrap_or_default();
        // What is not known of a slot stays with it.
        let slot = |(at, material): (usize, Reference)| {
            let old = had.get(at).filter(|old| old.material == material);
            MaterialSlot { material, reserved: old.map_or(0, |old| old.reserved) }
        };
        saved.materials = Some(materials.into_iter().enumerate().map(slot).collect());
        let had_faces = saved.faces.is_some();
        saved.faces = Some(faces).filter(|faces| had_faces || !faces.is_empty());
        saved.lines =
            (!self.lines.is_empty()).then(|| Padded { items: self.lines.clone(), padding: [0; 3] });
        // Where there are none, only their number is stored.
        let normals = if with_normals { self.stored_normals.clone() } else { Array::new() };
        saved.vertices = Some(Box::new(match u32::try_from(self.positions.len()) {
            Ok(0) | Err(_) => Vertices::default(),
            Ok(count) => Vertices {
                count,
                save_flags,
                positions: self.positions.clone(),
                colors,
                specular,
                normals,
                uv,
            },
        }));
        let channels: Vec<_> = self.channels.iter().map(channel).collect();
        saved.channels = Some(channels).filter(|channels| !channels.is_empty());
        if !self.face_channel_masks.is_empty() {
            let items = self.face_channel_masks.clone();
            saved.face_channel_masks = Some(Padded { items, padding: [0; 3] });
        } else if !same_faces {
            saved.face_channel_masks = None;
        }
        Ok(())
    }

    /// Whether the normals say more than the faces do.
    ///
    /// # Errors
    /// Limits.
    fn needs_normals(&self, budget: &mut Budget) -> Result<bool> {
        if self.flags & BUILDS_NORMALS != 0 {
            return Ok(false);
        }
        self.normals_differ(budget)
    }

    /// Whether the stored normals are others than those that follow from the faces: the mean of the differences is
    /// longer than 0.001 (`vertices` on the page).
    ///
    /// # Errors
    /// Limits.
    pub fn normals_differ(&self, budget: &mut Budget) -> Result<bool> {
        let count = self.positions.len();
        if count == 0 || self.stored_normals.len() != count {
            return Ok(false);
        }
        let before = budget.left().memory;
        let built = self.built_normals(budget)?;
        let mut sum = [0.0_f64; 3];
        for (stored, built) in self.stored_normals.iter().zip(&built) {
            for ((sum, stored), built) in sum.iter_mut().zip(stored.map(F32::get)).zip(built) {
                *sum += f64::from((stored - built).abs());
            }
        }
        drop(built);
        budget.release(before.saturating_sub(budget.left().memory));
        let length = sum.iter().map(|sum| (sum / count as f64).powi(2)).sum::<f64>().sqrt();
        // What is no number is kept.
        Ok(length.is_nan() || length > SAME)
    }
}

/// Slots and faces of a mesh: in the order in which they were saved before, where they are the same.
fn in_order(
    materials: Vec<Reference>,
    faces: &Array<Face>,
    saved: &class::mesh::Mesh,
    budget: &mut Budget,
) -> Result<(Vec<Reference>, Array<Face>)> {
    let Some(slots) = &saved.materials else { return Ok((materials, faces.clone())) };
    let had = saved.faces.clone().unwrap_or_default();
    let slots: Vec<Reference> = slots.iter().map(|slot| slot.material).collect();
    if slots == materials && had == *faces {
        return Ok((materials, faces.clone()));
    }
    let count = faces.len() as u64;
    budget.steps(count.saturating_add(had.len() as u64))?;
    // Several slots may have one material: those of one stand behind each other, and last those that no face had.
    let mut free: BTreeMap<u32, VecDeque<usize>> = BTreeMap::new();
    let had_used = used(&had, slots.len());
    for of_faces in [true, false] {
        let slots = slots.iter().zip(&had_used).enumerate();
        for (at, (slot, _)) in slots.filter(|(_, (_, used))| **used == of_faces) {
            free.entry(slot.value).or_default().push_back(at);
        }
    }
    let used = used(faces, materials.len());
    // Engines send slots without a material to the first one.
    let (first, null) = (slots.first().copied(), to(None));
    let mut place = |(material, used): (&Reference, &bool)| {
        if !used {
            return Some(0);
        }
        let mut take = |material: &Reference| free.get_mut(&material.value)?.pop_front();
        take(material).or_else(|| take(&null).filter(|_| first == Some(*material)))
    };
    let places: Option<Vec<usize>> = materials.iter().zip(&used).map(&mut place).collect();
    let Some(places) = places else { return Ok((materials, faces.clone())) };
    // Moved, and both sorted.
    let room = count.saturating_mul(size_of::<[Face; 3]>() as u64);
    budget.memory(room)?;
    let mut moved = faces.to_vec();
    for face in &mut moved {
        if let Some(place) = places.get(usize::from(face.material.get())) {
            face.material = U16::new(*place as u16);
        }
    }
    let sorted = |faces: &[Face]| {
        let mut faces = faces.to_vec();
        faces.sort_unstable_by_key(|face| {
            [face.a, face.b, face.c, face.material].map(|number| number.get())
        });
        faces
    };
    let same = moved.len() == had.len() && sorted(&moved) == sorted(&had);
    let faces = if same { had.clone() } else { moved.into() };
    budget.release(room);
    Ok((slots, faces))
}

/// Flag of each of so many slots: whether a face has it.
fn used(faces: &[Face], slots: usize) -> Vec<bool> {
    let mut used = vec![false; slots];
    for face in faces {
        if let Some(used) = used.get_mut(usize::from(face.material.get())) {
            *used = true;
        }
    }
    used
}

/// Values of vertices, or the one that all of them have, which sets a bit.
fn one<T: Pod + Default>(values: &Array<T>, bit: u32, save_flags: &mut u32) -> Array<T> {
    let first = values.first().copied().unwrap_or_default();
    if values.iter().all(|value| *value == first) {
        *save_flags |= bit;
        return Array::from([first].as_slice());
    }
    values.clone()
}

fn channel(channel: &Channel) -> class::mesh::Channel {
    class::mesh::Channel {
        material: to(channel.material),
        flags: channel.flags,
        source_blend: channel.source_blend,
        destination_blend: channel.destination_blend,
        uv: channel.uv.clone(),
    }
}
