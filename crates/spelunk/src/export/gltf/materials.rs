//! Materials, their textures, samplers and images.

use super::{
    Builder, extras,
    model::{Image, Material, MaterialExtensions, Pbr, Sampler, Texture, TextureInfo, Unlit},
};
use crate::{Error, Result, codes, export::textures::Picture};
use virtools::{
    chunk::bitmap::Rgba,
    chunk::bitmap::image::{self, Encoding},
    scene::material,
};

/// Bits of the flags of materials.
const TWO_SIDED: u32 = 0x01;
const Z_WRITE: u32 = 0x02;
const ALPHA_BLEND: u32 = 0x08;
const ALPHA_TEST: u32 = 0x10;

/// A part of a colour as it is stored, from 0 to 1, as an amount of light.
pub fn linear(part: f32) -> f32 {
    if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
}

/// The parts of a colour as amounts of light; alpha as it is.
fn linear_color([red, green, blue, alpha]: [f32; 4]) -> [f32; 4] {
    [linear(red), linear(green), linear(blue), alpha]
}

impl Builder<'_, '_, '_> {
    /// The material at a position, or that of faces that have none, with or without light; `None` for the default one.
    pub fn material(&mut self, index: Option<u32>, unlit: bool) -> Result<Option<usize>> {
        if let Some(made) = self.materials.get(&(index, unlit)) {
            return Ok(*made);
        }
        let known = index.filter(|index| self.source.scene.materials.contains_key(index));
        let material = match known {
            Some(index) => Some(self.material_of(index, unlit)?),
            None if unlit => {
                Some(Material { pbr_metallic_roughness: matte([1.0; 4]), ..Material::default() })
            }
            None => None,
        };
        let made = material.map(|mut material| {
            if unlit {
                self.used.insert("KHR_materials_unlit");
                material.extensions = Some(MaterialExtensions { unlit: Unlit {} });
            }
            self.root.materials.push(material);
            self.root.materials.len() - 1
        });
        self.materials.insert((index, unlit), made);
        Ok(made)
    }

    fn material_of(&mut self, index: u32, unlit: bool) -> Result<Material> {
        let Some(from) = self.source.scene.materials.get(&index).cloned() else {
            return Ok(Material::default());
        };
        let (alpha_mode, alpha_cutoff) = alpha(&from);
        let [red, green, blue, alpha] = linear_color(from.diffuse);
        let alpha = if from.data.has(ALPHA_BLEND) { alpha } else { 1.0 };
        // Without light the colour is that of the vertices alone.
        let mut pbr = matte(if unlit { [1.0, 1.0, 1.0, 1.0] } else { [red, green, blue, alpha] });
        let [specular_red, specular_green, specular_blue, _] = from.specular;
        let power = from.data.specular_power;
        if specular_red + specular_green + specular_blue > 0.0 && power.is_finite() && power > 0.0 {
            pbr.roughness_factor = (2.0 / (power + 2.0)).sqrt();
        }
        if let [Some(texture), ..] = from.textures {
            let sampler = sampler(&from);
            let made = self.texture(texture, sampler)?;
            pbr.base_color_texture = made.map(|index| TextureInfo { index });
        }
        let [red, green, blue, _] = linear_color(from.emissive);
        let emissive = Some([red, green, blue]).filter(|emissive| *emissive != [0.0; 3] && !unlit);
        let name = |index: u32| self.source.name(index);
        Ok(Material {
            name: name(index),
            pbr_metallic_roughness: pbr,
            emissive_factor: emissive,
            alpha_mode,
            alpha_cutoff,
            double_sided: from.data.has(TWO_SIDED),
            extensions: None,
            extras: Some(extras::Of::new(extras::Material::of(index, &from, &name))),
        })
    }

    /// The texture at a position with a sampler; `None` where it is no texture, or has neither picture nor file.
    fn texture(&mut self, index: u32, sampler: Sampler) -> Result<Option<usize>> {
        if let Some(made) = self.textures.get(&(index, sampler)) {
            return Ok(*made);
        }
        let source = self.image(index)?;
        let from = self.source.scene.textures.get(&index);
        let made = source.zip(from).map(|(source, from)| {
            let movie = from.movie().map(|movie| self.source.pages.show(movie).into_owned());
            let extras = extras::Texture {
                index,
                flags: extras::Word(from.flags),
                video_format: from.video_format,
                transparent_color: from.transparent_color,
                slots: from.slots(),
                current_slot: from.current_slot,
                cube: from.is_cube,
                movie,
            };
            let next = self.samplers.len();
            let number = *self.samplers.entry(sampler).or_insert(next);
            if number == next {
                self.root.samplers.push(sampler);
            }
            let (name, extras) = (self.source.name(index), extras::Of::new(extras));
            self.root.textures.push(Texture { name, sampler: number, source, extras });
            self.root.textures.len() - 1
        });
        self.textures.insert((index, sampler), made);
        Ok(made)
    }

    /// The image of a texture: the slot that is shown.
    fn image(&mut self, index: u32) -> Result<Option<usize>> {
        if let Some(made) = self.images.get(&index) {
            return Ok(*made);
        }
        let slot = self.source.scene.textures.get(&index).map(|texture| texture.current_slot);
        let picture = match slot {
            Some(slot) => self.source.picture(index, slot)?,
            None => Picture::None,
        };
        let (buffer_view, file, missing) = match picture {
            Picture::None => {
                self.images.insert(index, None);
                return Ok(None);
            }
            Picture::Missing(file) => {
                self.missing.push(file.clone());
                let Some(blank) = self.blank()? else { return Ok(None) };
                (blank, Some(file), true)
            }
            Picture::Png(png, file) => {
                let view = self.bin.bytes(&png, &mut self.source.task.budget)?;
                self.source.task.budget.release(png.len() as u64);
                (view, file, false)
            }
        };
        self.root.images.push(Image {
            name: file.clone().unwrap_or_else(|| self.source.name(index)),
            mime_type: "image/png",
            buffer_view,
            extras: file.map(|file| extras::Of::new(extras::Image { file, missing })),
        });
        let made = Some(self.root.images.len() - 1);
        self.images.insert(index, made);
        Ok(made)
    }

    /// A view of a white pixel; `None`, told, where no image can be made.
    fn blank(&mut self) -> Result<Option<usize>> {
        if self.blank.is_none() {
            let white = Rgba::new(1, 1, vec![u8::MAX; 4])?;
            match image::encode(&white, Encoding::Png) {
                Ok(png) => {
                    self.blank = Some(self.bin.bytes(&png, &mut self.source.task.budget)?);
                }
                Err(error) => {
                    self.source.task.warn(Error::new(&codes::PICTURE).found(error.to_string()))?
                }
            }
        }
        Ok(self.blank)
    }
}

/// A surface without metal and highlights.
fn matte(base_color_factor: [f32; 4]) -> Pbr {
    Pbr { base_color_factor, base_color_texture: None, metallic_factor: 0.0, roughness_factor: 1.0 }
}

/// How alpha counts, and from where on where it is tested.
fn alpha(from: &material::Material) -> (Option<&'static str>, Option<f32>) {
    const ONE: u32 = 2;
    const ZERO: u32 = 1;
    let data = &from.data;
    let factors = (data.source_blend(), data.destination_blend());
    let blends = data.has(ALPHA_BLEND) && factors != (ONE, ZERO);
    let tests = data.has(ALPHA_TEST);
    match (blends, tests) {
        (true, true) if data.has(Z_WRITE) => (Some("MASK"), Some(0.5)),
        (true, _) => (Some("BLEND"), None),
        (false, true) => (Some("MASK"), Some(data.alpha_reference() as f32 / 255.0)),
        (false, false) => (None, None),
    }
}

/// How the texture of a material is filtered, and what is outside of it.
fn sampler(from: &material::Material) -> Sampler {
    let wrap = match from.data.address() {
        2 => 33648,
        3 | 4 => 33071,
        _ => 10497,
    };
    Sampler {
        mag_filter: if from.data.mag_filter() == 1 { 9728 } else { 9729 },
        min_filter: match from.data.min_filter() {
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
