//! Look of surfaces (`docs/formats/classes/materials.md#ckmaterial`).

use super::position::of;
use crate::{
    class::{
        self,
        material::{MaterialData, OldMaterialData, rgba},
    },
    codec::Reference,
};

/// Look of a surface. Colours are red, green, blue, alpha from 0 to 1.
#[derive(Clone, Debug, Default)]
pub struct Material {
    /// Colour in the light of lamps.
    pub diffuse: [f32; 4],
    /// Colour in light from everywhere.
    pub ambient: [f32; 4],
    /// Colour of highlights.
    pub specular: [f32; 4],
    /// Colour without any light.
    pub emissive: [f32; 4],
    /// The textures; most materials have the first one alone.
    pub textures: [Option<u32>; 4],
    /// Effect, one of [`EFFECTS`](class::material::EFFECTS).
    pub effect: u32,
    /// Modes and flags as files of today store them; those of older files in the same form.
    pub data: MaterialData,
}

impl Material {
    /// A material of what is stored, without textures and effect.
    pub fn new(data: MaterialData) -> Material {
        let unit = |argb: u32| rgba(argb).map(|part| f32::from(part) / 255.0);
        Material {
            diffuse: unit(data.diffuse),
            ambient: unit(data.ambient),
            specular: unit(data.specular),
            emissive: unit(data.emissive),
            data,
            ..Material::default()
        }
    }

    /// The material that was saved.
    pub(super) fn of(saved: &class::material::Material) -> Material {
        let more = saved.textures.map(|more| more.map(of)).unwrap_or_default();
        let material = match (&saved.data, &saved.old_data) {
            (Some(data), _) => Material::new(*data),
            (None, Some(old)) => {
                let unit = |color: [f32; 4]| color.map(|part| part.clamp(0.0, 1.0));
                Material {
                    diffuse: unit(old.diffuse),
                    ambient: unit(old.ambient),
                    specular: unit(old.specular),
                    emissive: unit(old.emissive),
                    ..Material::new(modern(old))
                }
            }
            // What an engine starts with.
            (None, None) => Material::new(MaterialData {
                diffuse: 0xFFB2_B2B2,
                ambient: 0xFF4C_4C4C,
                specular: 0xFF80_8080,
                emissive: 0xFF00_0000,
                texture: Reference::null(true),
                modes: 0x1321_2222,
                flags: 0x403,
                ..MaterialData::default()
            }),
        };
        let [second, third, fourth] = more;
        let textures = [of(material.data.texture), second, third, fourth];
        Material { textures, effect: saved.effect(), ..material }
    }
}

/// Returns the material of a file below data version 5 in the form of later ones.
fn modern(old: &OldMaterialData) -> MaterialData {
    let argb = |[red, green, blue, alpha]: [f32; 4]| {
        let [red, green, blue, alpha] =
            [red, green, blue, alpha].map(|part| (part.clamp(0.0, 1.0) * 255.0).round() as u8);
        u32::from_be_bytes([alpha, red, green, blue])
    };
    let modes = [
        old.texture_blend,
        old.min_filter,
        old.mag_filter,
        old.source_blend,
        old.destination_blend,
        old.shade,
        old.fill,
        old.address,
    ];
    MaterialData {
        diffuse: argb(old.diffuse),
        ambient: argb(old.ambient),
        specular: argb(old.specular),
        emissive: argb(old.emissive),
        specular_power: old.specular_power,
        texture: old.texture,
        border_color: old.border_color,
        modes: modes.iter().rev().fold(0, |modes, mode| modes << 4 | mode & 0xF),
        flags: old.flags & 0xFF | (old.z_function & 0xFF) << 8,
    }
}
