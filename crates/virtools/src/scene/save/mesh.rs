//! Meshes.

use super::to;
use crate::{
    class::{
        self,
        mesh::{MaterialSlot, NO_NORMALS, ONE_COLOR, ONE_SPECULAR, ONE_UV, Vertices},
    },
    codec::{Array, Padded, Pod},
    scene::mesh::{Channel, Mesh},
};
use spelunk_core::{Budget, Result};
use zerocopy::little_endian::F32;

/// The bits of [`Mesh::flags`] with which engines never store normals: they are built from the faces, or positions
/// are procedural.
pub const BUILDS_NORMALS: u32 = 0x8_0000 | 0x20_0000;

/// Normals that are nearer than this to those that follow from the faces, on average, are not stored.
const SAME: f64 = 0.001;

impl Mesh {
    /// Puts the mesh in the place of one that was saved, as engines save it: what is the same for all vertices once,
    /// normals only where they say more than the faces do. What belonged to the faces and vertices that were there
    /// before is gone: weights, progressive meshes, render groups.
    ///
    /// # Errors
    /// Limits.
    pub fn save(&self, saved: &mut class::mesh::Mesh, budget: &mut Budget) -> Result<()> {
        let with_normals = self.needs_normals(budget)?;
        let mut save_flags = if with_normals { 0 } else { NO_NORMALS };
        let colors = one(&self.colors, ONE_COLOR, &mut save_flags);
        let specular = one(&self.specular, ONE_SPECULAR, &mut save_flags);
        let uv = one(&self.uv, ONE_UV, &mut save_flags);
        saved.flags = Some(self.flags);
        let slot = |slot: &Option<u32>| MaterialSlot { material: to(*slot), reserved: 0 };
        saved.materials = Some(self.slots.iter().map(slot).collect());
        saved.faces = Some(self.faces.clone()).filter(|faces| !faces.is_empty());
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
        saved.face_channel_masks = (!self.face_channel_masks.is_empty())
            .then(|| Padded { items: self.face_channel_masks.clone(), padding: [0; 3] });
        (saved.weights, saved.progressive, saved.render_groups) = (None, None, None);
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
