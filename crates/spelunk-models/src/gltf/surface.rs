//! Surfaces: colours, highlights, alpha and samplers.

use serde::Serialize;
use virtools::{
    class::material::{ALPHA_BLEND, ALPHA_TEST, MaterialData, TWO_SIDED},
    scene::material::Material,
};

/// Writes depth.
const Z_WRITE: u32 = 0x02;

/// Factors of colours.
const ZERO: u32 = 1;
const ONE: u32 = 2;
const SOURCE_ALPHA: u32 = 5;
const INVERSE_SOURCE_ALPHA: u32 = 6;

/// A part of a colour as it is stored, from 0 to 1, as an amount of light.
pub fn linear(part: f32) -> f32 {
    if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
}

/// The parts of a colour as amounts of light; alpha as it is.
pub fn linear_color([red, green, blue, alpha]: [f32; 4]) -> [f32; 4] {
    [linear(red), linear(green), linear(blue), alpha]
}

/// An amount of light as a part of a colour as it is stored, from 0 to 255.
pub fn stored(light: f32) -> u8 {
    let part =
        if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    byte(part)
}

/// A part of a colour from 0 to 1, as one from 0 to 255.
pub fn byte(part: f32) -> u8 {
    // What is no number becomes 0.
    (part.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// Amounts of light and alpha as a colour that is stored as ARGB.
pub fn argb([red, green, blue, alpha]: [f32; 4]) -> u32 {
    u32::from_be_bytes([byte(alpha), stored(red), stored(green), stored(blue)])
}

/// Treatment of alpha.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Alpha {
    /// Not at all.
    Opaque,
    /// Parts with less are not drawn.
    Mask(f32),
    /// Surfaces below are seen through.
    Blend,
}

impl Alpha {
    fn is_near(self, other: Alpha) -> bool {
        match (self, other) {
            (Alpha::Mask(one), Alpha::Mask(other)) => (one - other).abs() < 1.0 / 512.0,
            (one, other) => one == other,
        }
    }
}

/// Look of a surface, in amounts of light.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Surface {
    /// Colour and alpha.
    pub base_color: [f32; 4],
    /// Colour without any light.
    pub emissive: [f32; 3],
    /// 1 for a surface without highlights.
    pub roughness: f32,
    /// Treatment of alpha.
    pub alpha: Alpha,
    /// Whether backs of faces are drawn.
    pub double_sided: bool,
}

impl Surface {
    /// Returns the look of a material, with or without light.
    pub fn of(from: &Material, unlit: bool) -> Surface {
        let data = &from.data;
        let [red, green, blue, alpha] = linear_color(from.diffuse);
        let alpha = if data.has(ALPHA_BLEND) { alpha } else { 1.0 };
        let [specular_red, specular_green, specular_blue, _] = from.specular;
        let power = data.specular_power;
        let shines = specular_red + specular_green + specular_blue > 0.0;
        let [emissive_red, emissive_green, emissive_blue, _] = linear_color(from.emissive);
        Surface {
            // Without light the colour is that of the vertices alone.
            base_color: if unlit { [1.0; 4] } else { [red, green, blue, alpha] },
            emissive: if unlit { [0.0; 3] } else { [emissive_red, emissive_green, emissive_blue] },
            roughness: if shines && power.is_finite() && power > 0.0 {
                (2.0 / (power + 2.0)).sqrt()
            } else {
                1.0
            },
            alpha: alpha_of(data),
            double_sided: data.has(TWO_SIDED),
        }
    }

    /// Makes a material look like this. What it looks like already stays as it is stored.
    pub fn put(&self, unlit: bool, data: &mut MaterialData) {
        let now = Surface::of(&Material::new(*data), unlit);
        if self.double_sided != now.double_sided {
            data.flags ^= TWO_SIDED;
        }
        if !self.alpha.is_near(now.alpha) {
            put_alpha(self.alpha, data);
        }
        let opaque = [self, &now].map(|surface| {
            let [red, green, blue, _] = surface.base_color;
            argb([red, green, blue, 1.0])
        });
        let [wanted, had] = opaque;
        if wanted != had {
            data.diffuse = data.diffuse & 0xFF00_0000 | wanted & 0x00FF_FFFF;
        }
        let [_, _, _, alpha] = self.base_color;
        let [_, _, _, had] = Surface::of(&Material::new(*data), unlit).base_color;
        if data.has(ALPHA_BLEND) && byte(alpha) != byte(had) {
            data.diffuse = data.diffuse & 0x00FF_FFFF | u32::from(byte(alpha)) << 24;
        }
        let glow = |surface: &Surface| {
            let [red, green, blue] = surface.emissive;
            argb([red, green, blue, 1.0])
        };
        if glow(self) != glow(&now) {
            data.emissive = glow(self);
        }
        // Editors have one of their own for surfaces without light.
        if !unlit && (self.roughness - now.roughness).abs() > 1e-3 {
            let roughness = self.roughness.clamp(0.01, 1.0);
            data.specular_power = 2.0 / (roughness * roughness) - 2.0;
            let black = data.specular & 0x00FF_FFFF == 0;
            if roughness >= 1.0 {
                (data.specular, data.specular_power) = (0xFF00_0000, 0.0);
            } else if black {
                data.specular = GREY;
            }
        }
    }
}

/// The colour of highlights of new materials that have some.
const GREY: u32 = 0xFF7F_7F7F;

/// A new material, as most of real files are: smooth, filled, opaque, modulated by its texture, which repeats.
pub fn new_material() -> MaterialData {
    MaterialData {
        diffuse: 0xFFFF_FFFF,
        ambient: 0xFF4C_4C4C,
        specular: 0xFF00_0000,
        emissive: 0xFF00_0000,
        modes: 0x1321_2224,
        flags: 0x0008_0406,
        ..MaterialData::default()
    }
}

/// Returns the treatment of alpha, and the limit where it is tested.
fn alpha_of(data: &MaterialData) -> Alpha {
    let factors = (data.source_blend(), data.destination_blend());
    let blends = data.has(ALPHA_BLEND) && factors != (ONE, ZERO);
    match (blends, data.has(ALPHA_TEST)) {
        (true, true) if data.has(Z_WRITE) => Alpha::Mask(0.5),
        (true, _) => Alpha::Blend,
        (false, true) => Alpha::Mask(data.alpha_reference() as f32 / 255.0),
        (false, false) => Alpha::Opaque,
    }
}

/// Makes alpha count in a material.
fn put_alpha(alpha: Alpha, data: &mut MaterialData) {
    const FACTORS: u32 = 0xFF << 12;
    const FUNCTION_AND_REFERENCE: u32 = 0xFFFF << 16;
    const GREATER_OR_EQUAL: u32 = 7;
    let factors = |source: u32, destination: u32| source << 12 | destination << 16;
    match alpha {
        Alpha::Opaque => data.flags &= !(ALPHA_BLEND | ALPHA_TEST),
        Alpha::Mask(cutoff) => {
            data.flags = data.flags & !(ALPHA_BLEND | FUNCTION_AND_REFERENCE)
                | ALPHA_TEST
                | Z_WRITE
                | GREATER_OR_EQUAL << 16
                | u32::from(byte(cutoff)) << 24;
        }
        Alpha::Blend => {
            data.flags = data.flags & !(ALPHA_TEST | Z_WRITE) | ALPHA_BLEND;
            data.modes = data.modes & !FACTORS | factors(SOURCE_ALPHA, INVERSE_SOURCE_ALPHA);
        }
    }
    if alpha != Alpha::Blend {
        data.modes = data.modes & !FACTORS | factors(ONE, ZERO);
    }
}

/// Filters of a texture, and continuation outside of it, as glTF numbers them.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Sampler {
    pub mag_filter: u32,
    pub min_filter: u32,
    pub wrap_s: u32,
    pub wrap_t: u32,
}

impl Sampler {
    /// Returns the sampler of the texture of a material.
    pub fn of(data: &MaterialData) -> Sampler {
        let wrap = match data.address() {
            2 => 33648,
            3 | 4 => 33071,
            _ => 10497,
        };
        Sampler {
            mag_filter: if data.mag_filter() == 1 { 9728 } else { 9729 },
            min_filter: match data.min_filter() {
                1 => 9728,
                3 => 9984,
                4 => 9986,
                5 => 9985,
                6 | 7 => 9987,
                _ => 9729,
            },
            wrap_s: wrap,
            wrap_t: wrap,
        }
    }

    /// Has the texture of a material sampled like this. What is so already stays as it is stored.
    /// Some editors know of two ways of filtering alone: where it `is_stored` how, they change nothing.
    pub fn put(&self, is_stored: bool, data: &mut MaterialData) {
        let now = Sampler::of(data);
        let plain = |filter: u32| match filter {
            9987 => 9729,
            9984 => 9728,
            other => other,
        };
        let mut mode = |shift: u32, mode: u32| {
            data.modes = data.modes & !(0xF << shift) | mode << shift;
        };
        let same = is_stored && plain(self.min_filter) == plain(now.min_filter);
        if self.min_filter != now.min_filter && !same {
            mode(
                4,
                match self.min_filter {
                    9728 => 1,
                    9984 => 3,
                    9986 => 4,
                    9985 => 5,
                    9987 => 6,
                    _ => 2,
                },
            );
        }
        if self.mag_filter != now.mag_filter {
            mode(8, if self.mag_filter == 9728 { 1 } else { 2 });
        }
        if self.wrap_s != now.wrap_s {
            mode(
                28,
                match self.wrap_s {
                    33648 => 2,
                    33071 => 3,
                    _ => 1,
                },
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_colours_come_back_from_amounts_of_light() {
        for part in 0..=u8::MAX {
            assert_eq!(stored(linear(f32::from(part) / 255.0)), part);
        }
        assert_eq!([stored(f32::NAN), stored(-1.0), stored(9.0)], [0, 0, 255]);
    }

    #[test]
    fn what_a_material_looks_like_already_stays_as_it_is_stored() {
        // Words that real files have, some with more in them than glTF can hold.
        for (modes, flags) in [
            (0x1321_2224, 0x0008_0406),
            (0x1326_5224, 0x0105_041F),
            (0x3326_5264, 0x0008_040C),
            (0x1322_2222, 0x0008_040C),
            (0x1325_2223, 0x0003_040C),
            (0x1321_2112, 0x0107_0416),
        ] {
            for specular_power in [0.0, 10.0] {
                let data = MaterialData {
                    diffuse: 0x80FF_7F01,
                    ambient: 0x0102_0304,
                    specular: 0x005C_5C5C,
                    emissive: 0x0050_4030,
                    modes,
                    flags,
                    specular_power,
                    ..MaterialData::default()
                };
                for unlit in [false, true] {
                    let mut again = data;
                    Surface::of(&Material::new(data), unlit).put(unlit, &mut again);
                    Sampler::of(&data).put(true, &mut again);
                    assert_eq!(again, data);
                }
            }
        }
    }

    #[test]
    fn what_is_wanted_is_what_is_shown() {
        let sampler = Sampler { mag_filter: 9728, min_filter: 9985, wrap_s: 33648, wrap_t: 33648 };
        for alpha in [Alpha::Opaque, Alpha::Mask(0.25), Alpha::Blend] {
            let wanted = Surface {
                base_color: [0.25, 0.5, 1.0, 0.5],
                emissive: [0.0, 0.125, 1.0],
                roughness: 0.5,
                alpha,
                double_sided: true,
            };
            for mut data in [new_material(), MaterialData { flags: 0x0105_041E, ..new_material() }]
            {
                wanted.put(false, &mut data);
                sampler.put(false, &mut data);
                let shown = Surface::of(&Material::new(data), false);
                let near = |a: f32, b: f32| (a - b).abs() < 0.005;
                let alpha_of_color = if alpha == Alpha::Blend { 0.5 } else { 1.0 };
                assert!(near(shown.base_color[3], alpha_of_color), "{alpha:?} {shown:?}");
                assert!((0..3).all(|at| near(shown.base_color[at], wanted.base_color[at])));
                assert!((0..3).all(|at| near(shown.emissive[at], wanted.emissive[at])));
                assert!(near(shown.roughness, 0.5) && shown.double_sided, "{shown:?}");
                assert!(shown.alpha.is_near(alpha), "{shown:?}");
                assert_eq!(Sampler::of(&data), sampler);
            }
        }
    }
}
