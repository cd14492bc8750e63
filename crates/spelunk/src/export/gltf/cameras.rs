//! Cameras and lights. Both look along the third axis, which is -Z of glTF.

use super::{
    Builder,
    materials::linear,
    model::{Camera, Light, Orthographic, Perspective, Spot},
};
use crate::{Error, Result, codes, export::finite};
use std::f32::consts::{FRAC_PI_2, PI};
use virtools::class::{camera::Projection, light::LightData, material::rgba};

impl Builder<'_, '_, '_> {
    /// The camera of an entity; `None`, told, for one that sees nothing.
    pub fn camera(&mut self, index: u32, from: &Projection) -> Result<Option<usize>> {
        const ORTHOGRAPHIC: u32 = 2;
        let sides = [from.width(), from.height()].map(|side| side.max(1) as f32);
        let aspect_ratio = if from.aspect == 0 { 4.0 / 3.0 } else { sides[0] / sides[1] };
        let (znear, zfar) = (from.near_plane, from.far_plane);
        let mut camera = Camera {
            name: self.source.name(index),
            kind: "",
            perspective: None,
            orthographic: None,
        };
        let fine = if from.projection == ORTHOGRAPHIC {
            let xmag = 1.0 / from.zoom;
            let ymag = xmag / aspect_ratio;
            camera.kind = "orthographic";
            camera.orthographic = Some(Orthographic { xmag, ymag, znear, zfar });
            xmag.is_normal() && ymag.is_normal() && xmag > 0.0 && znear >= 0.0
        } else {
            let yfov = 2.0 * ((f64::from(from.fov) / 2.0).tan() / f64::from(aspect_ratio)).atan();
            let yfov = finite(yfov);
            camera.kind = "perspective";
            camera.perspective = Some(Perspective { aspect_ratio, yfov, znear, zfar });
            yfov > 0.0 && yfov < PI && znear > 0.0
        };
        if !fine || !zfar.is_finite() || zfar <= znear {
            let error = Error::new(&codes::INEXACT).expected("a camera that sees something");
            self.source.task.warn(error.found(format!("camera `{}`", camera.name)))?;
            return Ok(None);
        }
        self.root.cameras.push(camera);
        Ok(Some(self.root.cameras.len() - 1))
    }

    /// The light of an entity; `None` for one that does not shine.
    pub fn light(&mut self, index: u32, from: &LightData, power: f32) -> Option<usize> {
        let kind = match from.kind() {
            1 => "point",
            2 => "spot",
            3 | 4 => "directional",
            _ => return None,
        };
        if !from.is_active() {
            return None;
        }
        let [red, green, blue, _] = rgba(from.color).map(|part| linear(f32::from(part) / 255.0));
        let positive = |value: f32| value.is_finite() && value > 0.0;
        let spot = from.spot.map(|spot| {
            let half = |angle: f32| if positive(angle) { angle / 2.0 } else { 0.0 };
            let outer_cone_angle = half(spot.outer_cone).clamp(1e-4, FRAC_PI_2);
            let most = outer_cone_angle * 0.9999;
            Spot { inner_cone_angle: half(spot.inner_cone).min(most), outer_cone_angle }
        });
        let light = Light {
            name: self.source.name(index),
            kind,
            color: [red, green, blue],
            intensity: Some(power).filter(|power| positive(*power)).unwrap_or_default(),
            range: Some(from.range).filter(|range| kind != "directional" && positive(*range)),
            spot: match kind {
                "spot" => {
                    Some(spot.unwrap_or(Spot { inner_cone_angle: 0.0, outer_cone_angle: PI / 4.0 }))
                }
                _ => None,
            },
        };
        let lights = self.lights();
        lights.push(light);
        Some(lights.len() - 1)
    }
}
