//! Cameras and lights as glTF has them.

use super::{
    GltfBuilder,
    model::{Camera, Light, Orthographic, Perspective, Spot},
};
use crate::gltf::optics::{Lens, LightKind, Shine};
use spelunk_core::{Error, Result};
use spelunk_open::codes;
use virtools::class::{camera::Projection, light::LightData};

impl GltfBuilder<'_, '_, '_> {
    /// The camera of an entity; `None`, with a finding, for one that sees nothing.
    pub fn camera(&mut self, index: u32, from: &Projection) -> Result<Option<usize>> {
        let (znear, zfar) = (from.near_plane, from.far_plane);
        let name = self.source.name(index);
        let (kind, perspective, orthographic) = match Lens::of(from) {
            Some(Lens::Perspective { aspect, yfov }) => {
                ("perspective", Some(Perspective { aspect_ratio: aspect, yfov, znear, zfar }), None)
            }
            Some(Lens::Orthographic { xmag, ymag }) => {
                ("orthographic", None, Some(Orthographic { xmag, ymag, znear, zfar }))
            }
            None => {
                let error = Error::new(&codes::INEXACT).expected("a camera that sees something");
                self.source.task.warn(error.found(format!("camera `{name}`")))?;
                return Ok(None);
            }
        };
        self.root.cameras.push(Camera { name, kind, perspective, orthographic });
        Ok(Some(self.root.cameras.len() - 1))
    }

    /// The light of an entity; `None` for one that does not shine.
    pub fn light(&mut self, index: u32, from: &LightData, power: f32) -> Option<usize> {
        let shine = Shine::of(from, power)?;
        let spot = shine.cone.map(|[inner_cone_angle, outer_cone_angle]| Spot {
            inner_cone_angle,
            outer_cone_angle,
        });
        let light = Light {
            name: self.source.name(index),
            kind: match shine.kind {
                LightKind::Point => "point",
                LightKind::Spot => "spot",
                LightKind::Directional => "directional",
            },
            color: shine.color,
            intensity: shine.intensity,
            range: shine.range,
            spot,
        };
        let lights = self.lights();
        lights.push(light);
        Some(lights.len() - 1)
    }
}
