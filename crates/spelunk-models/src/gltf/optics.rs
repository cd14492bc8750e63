//! Cameras and lights. Both look along the third axis, which is -Z of glTF.

use super::surface::{argb, linear};
use std::f32::consts::{FRAC_PI_2, PI};
use virtools::class::{
    camera::Projection,
    light::{LightData, Spot},
    material::rgba,
};

/// Number of orthographic projections.
const ORTHOGRAPHIC: u32 = 2;

/// View of a camera.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Lens {
    /// Far things are small.
    Perspective {
        /// Width in relation to height.
        aspect: f32,
        /// The angle from top to bottom, in radians.
        yfov: f32,
    },
    /// All has its size.
    Orthographic {
        /// Half of the width.
        xmag: f32,
        /// Half of the height.
        ymag: f32,
    },
}

impl Lens {
    /// Returns the view of a camera; `None` where its numbers make no sense.
    pub fn of(from: &Projection) -> Option<Lens> {
        let sides = [from.width(), from.height()].map(|side| side.max(1) as f32);
        let [width, height] = if from.aspect == 0 { [4.0, 3.0] } else { sides };
        let aspect = width / height;
        let planes = from.far_plane.is_finite() && from.far_plane > from.near_plane;
        if !from.is_perspective() {
            let xmag = 1.0 / from.zoom;
            let ymag = xmag / aspect;
            let fine = xmag.is_normal() && ymag.is_normal() && xmag > 0.0 && from.near_plane >= 0.0;
            return (fine && planes).then_some(Lens::Orthographic { xmag, ymag });
        }
        let yfov = 2.0 * ((f64::from(from.fov) / 2.0).tan() / f64::from(aspect)).atan();
        let yfov = yfov as f32;
        let fine = yfov > 0.0 && yfov < PI && from.near_plane > 0.0;
        (fine && planes).then_some(Lens::Perspective { aspect, yfov })
    }

    /// Whether this is what a camera sees that was stored, but for the shape of the picture.
    pub fn is_that_of(self, near_plane: f32, far_plane: f32, stored: &Projection) -> bool {
        let near = |one: f32, other: f32| (one - other).abs() <= 1e-4 * one.abs().max(other.abs());
        let same = match (self, Lens::of(stored)) {
            (Lens::Perspective { yfov, .. }, Some(Lens::Perspective { yfov: old, .. })) => {
                near(yfov, old)
            }
            (Lens::Orthographic { xmag, .. }, Some(Lens::Orthographic { xmag: old, .. })) => {
                near(xmag, old)
            }
            _ => false,
        };
        same && near(near_plane, stored.near_plane) && near(far_plane, stored.far_plane)
    }

    /// The projection of a camera that sees this between two planes.
    pub fn projection(self, near_plane: f32, far_plane: f32) -> Projection {
        let (projection, aspect, fov, zoom) = match self {
            Lens::Perspective { aspect, yfov } => {
                let fov = 2.0 * ((f64::from(yfov) / 2.0).tan() * f64::from(aspect)).atan();
                (1, aspect, fov as f32, 1.0)
            }
            Lens::Orthographic { xmag, ymag } => (ORTHOGRAPHIC, xmag / ymag, 0.5, 1.0 / xmag),
        };
        let [width, height] = ratio(aspect);
        Projection { projection, fov, zoom, aspect: width | height << 16, near_plane, far_plane }
    }
}

/// Two small numbers whose quotient is nearest; 4 and 3 for what is none.
fn ratio(quotient: f32) -> [u32; 2] {
    let quotient = f64::from(quotient);
    let mut best = ([4, 3], f64::INFINITY);
    if !quotient.is_finite() || quotient <= 0.0 {
        return best.0;
    }
    for height in 1_u32..=1000 {
        let width = (quotient * f64::from(height)).round();
        let error = (width / f64::from(height) - quotient).abs() / quotient;
        // A larger pair has to be clearly better than a small one.
        if (1.0..=65535.0).contains(&width) && error < best.1 / 4.0 - 1e-7 {
            best = ([width as u32, height], error);
        }
    }
    best.0
}

/// Kind of a light.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LightKind {
    /// Everywhere around it.
    Point,
    /// In a cone.
    Spot,
    /// Everywhere from one direction.
    Directional,
}

/// Properties of a light that shines.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Shine {
    /// In which shape.
    pub kind: LightKind,
    /// Colour in amounts of light.
    pub color: [f32; 3],
    /// Intensity of the light.
    pub intensity: f32,
    /// Range; `None` for no end.
    pub range: Option<f32>,
    /// For a cone: half of its inner and of its outer angle, in radians.
    pub cone: Option<[f32; 2]>,
}

impl Shine {
    /// Returns the properties of a light; `None` for one that does not shine.
    pub fn of(from: &LightData, power: f32) -> Option<Shine> {
        let kind = match from.kind() {
            2 => LightKind::Spot,
            3 => LightKind::Directional,
            // As engines load all others.
            _ => LightKind::Point,
        };
        if !from.is_active() {
            return None;
        }
        let [red, green, blue, _] = rgba(from.color).map(|part| linear(f32::from(part) / 255.0));
        let positive = |value: f32| value.is_finite() && value > 0.0;
        let cone = from.spot.map(|spot| {
            let half = |angle: f32| if positive(angle) { angle / 2.0 } else { 0.0 };
            let outer = half(spot.outer_cone).clamp(1e-4, FRAC_PI_2);
            [half(spot.inner_cone).min(outer * 0.9999), outer]
        });
        Some(Shine {
            kind,
            color: [red, green, blue],
            intensity: Some(power).filter(|power| positive(*power)).unwrap_or_default(),
            range: Some(from.range)
                .filter(|range| kind != LightKind::Directional && positive(*range)),
            cone: (kind == LightKind::Spot).then(|| cone.unwrap_or([0.0, PI / 4.0])),
        })
    }

    fn is_near(&self, other: &Shine) -> bool {
        let near = |one: f32, other: f32| (one - other).abs() <= 1e-3 * one.abs().max(1e-3);
        let numbers = |shine: &Shine| {
            let [red, green, blue] = shine.color;
            let [inner, outer] = shine.cone.unwrap_or_default();
            [red, green, blue, shine.intensity, shine.range.unwrap_or_default(), inner, outer]
        };
        // Some editors know of no range.
        let range = self.range.or(other.range);
        let known = Shine { range, ..*self };
        self.kind == other.kind
            && numbers(&known).into_iter().zip(numbers(other)).all(|(one, other)| near(one, other))
    }

    /// The light, and how strong it is, that shines like this. `known` is what is stored of it: what shines so already
    /// stays as it is.
    pub fn light(&self, known: Option<(LightData, f32)>) -> (LightData, f32) {
        const ACTIVE: u32 = 0x100;
        const ACTIVE_AND_SPECULAR: u32 = 0x300;
        let (old, power) = known.unwrap_or_default();
        if Shine::of(&old, power).is_some_and(|now| self.is_near(&now)) {
            return (old, power);
        }
        let [red, green, blue] = self.color;
        let kind = match self.kind {
            LightKind::Point => 1,
            LightKind::Spot => 2,
            LightKind::Directional => 3,
        };
        let falloff = old.spot.map_or(1.0, |spot| spot.falloff);
        let light = LightData {
            kind_and_flags: kind
                | if old.kind() == 0 {
                    ACTIVE_AND_SPECULAR
                } else {
                    old.kind_and_flags & !0xFF | ACTIVE
                },
            color: argb([red, green, blue, 1.0]),
            attenuation: if old.attenuation == [0.0; 3] {
                [1.0, 0.0, 0.0]
            } else {
                old.attenuation
            },
            range: self.range.unwrap_or(if old.range > 0.0 { old.range } else { 5000.0 }),
            spot: self.cone.map(|[inner, outer]| Spot {
                outer_cone: outer * 2.0,
                inner_cone: inner * 2.0,
                falloff,
            }),
        };
        (light, self.intensity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cameras_come_back() {
        for (width, height) in [(4, 3), (16, 9), (16, 10), (1, 1), (1366, 768)] {
            for projection in [1, ORTHOGRAPHIC] {
                let stored = Projection {
                    projection,
                    fov: 0.9,
                    zoom: 0.25,
                    aspect: width | height << 16,
                    near_plane: 1.0,
                    far_plane: 4000.0,
                };
                let lens = Lens::of(&stored).unwrap();
                let again = lens.projection(1.0, 4000.0);
                let [w, h] = [again.width(), again.height()];
                assert_eq!(w * height, h * width, "{w}:{h}");
                let [one, other] = match projection {
                    1 => [again.fov, stored.fov],
                    _ => [again.zoom, stored.zoom],
                };
                assert!((one - other).abs() < 1e-6, "{again:?}");
            }
        }
        assert_eq!(ratio(f32::NAN), [4, 3]);
        assert_eq!(ratio(1e-9), [4, 3]);
        assert_eq!(Lens::of(&Projection::default()), None);
    }

    #[test]
    fn kinds_and_projections_are_distinguished_as_engines_do_it() {
        for (number, kind) in [
            (0, LightKind::Point),
            (1, LightKind::Point),
            (2, LightKind::Spot),
            (3, LightKind::Directional),
            (4, LightKind::Point),
            (9, LightKind::Point),
        ] {
            let light = LightData { kind_and_flags: 0x100 | number, ..LightData::default() };
            assert_eq!(Shine::of(&light, 1.0).unwrap().kind, kind, "{number}");
        }
        let seen = |projection| {
            let (fov, zoom, aspect) = (0.9, 0.25, 4 | 3 << 16);
            let [near_plane, far_plane] = [1.0, 4000.0];
            let stored = Projection { projection, fov, zoom, aspect, near_plane, far_plane };
            matches!(Lens::of(&stored).unwrap(), Lens::Perspective { .. })
        };
        assert_eq!([0, 1, 2, 3].map(seen), [false, true, false, true]);
    }

    #[test]
    fn lights_stay_as_they_are_stored_until_they_are_changed() {
        let stored = LightData {
            kind_and_flags: 0x102,
            color: 0x00C8_6432,
            attenuation: [1.0, 0.5, 0.0],
            range: 80.0,
            spot: Some(Spot { outer_cone: 1.0, inner_cone: 0.5, falloff: 2.0 }),
        };
        let shine = Shine::of(&stored, 1.5).unwrap();
        assert_eq!(shine.light(Some((stored.clone(), 1.5))), (stored.clone(), 1.5));
        let changed = Shine { range: Some(20.0), intensity: 3.0, ..shine };
        let (light, power) = changed.light(Some((stored, 1.5)));
        assert_eq!((light.range, power, light.attenuation), (20.0, 3.0, [1.0, 0.5, 0.0]));
        let again = Shine::of(&light, power).unwrap();
        assert_eq!((again.range, again.kind), (Some(20.0), LightKind::Spot));
        let (new, power) = changed.light(None);
        assert_eq!(Shine::of(&new, power).unwrap().kind, LightKind::Spot);
    }
}
