//! Materials, their textures, samplers and images.

use super::{
    GltfBuilder,
    model::{self, Image, Material, MaterialExtensions, Pbr, TextureInfo, Unlit},
};
use crate::{
    export::textures::Picture,
    gltf::{
        extras,
        surface::{Alpha, Sampler, Surface},
    },
};
use spelunk_core::{Error, Result};
use spelunk_open::codes;
use virtools::{
    chunk::bitmap::{
        Rgba,
        image::{self, Encoding},
    },
    scene::texture::Texture,
};

impl GltfBuilder<'_, '_, '_> {
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
        let surface = Surface::of(&from, unlit);
        let mut pbr = matte(surface.base_color);
        pbr.roughness_factor = surface.roughness;
        if let [Some(texture), ..] = from.textures {
            let made = self.texture(texture, Sampler::of(&from.data))?;
            pbr.base_color_texture = made.map(|index| TextureInfo { index });
        }
        if from.textures.iter().skip(1).any(Option::is_some) {
            self.extras_textures(index)?;
        }
        let (alpha_mode, alpha_cutoff) = match surface.alpha {
            Alpha::Opaque => (None, None),
            Alpha::Mask(cutoff) => (Some("MASK"), Some(cutoff)),
            Alpha::Blend => (Some("BLEND"), None),
        };
        self.source.charge_names(from.textures.iter().copied().flatten())?;
        let name = |index: u32| self.source.name(index);
        let texture = |index: u32| self.extras_texture(index);
        Ok(Material {
            name: name(index),
            pbr_metallic_roughness: pbr,
            emissive_factor: Some(surface.emissive).filter(|emissive| *emissive != [0.0; 3]),
            alpha_mode,
            alpha_cutoff,
            double_sided: surface.double_sided,
            extensions: None,
            extras: Some(extras::Of::new(extras::Material::of(index, &from, &name, &texture))),
        })
    }

    /// Makes the textures of a material that only `extras` name, so that their pictures are there.
    pub fn extras_textures(&mut self, material: u32) -> Result<()> {
        let Some(from) = self.source.scene.materials.get(&material) else { return Ok(()) };
        let (textures, sampler) = (from.textures, Sampler::of(&from.data));
        for texture in textures.into_iter().flatten() {
            self.texture(texture, sampler)?;
        }
        Ok(())
    }

    /// The texture at a position with a sampler; `None` where it is no texture, or has neither picture nor file.
    fn texture(&mut self, index: u32, sampler: Sampler) -> Result<Option<usize>> {
        if let Some(made) = self.textures.get(&(index, sampler)) {
            return Ok(*made);
        }
        let source = self.image(index)?;
        let from = self.source.scene.textures.get(&index).cloned();
        let made = source.zip(from).map(|(source, from)| {
            let extras = self.texture_state(index, &from);
            let next = self.samplers.len();
            let number = *self.samplers.entry(sampler).or_insert(next);
            if number == next {
                self.root.samplers.push(sampler);
            }
            let (name, extras) = (self.source.name(index), extras::Of::new(extras));
            self.root.textures.push(model::Texture { name, sampler: number, source, extras });
            self.root.textures.len() - 1
        });
        self.textures.insert((index, sampler), made);
        Ok(made)
    }

    /// Returns the stored state of a texture for `extras`.
    fn texture_state(&self, index: u32, from: &Texture) -> extras::Texture {
        let movie = from.movie().map(|movie| self.source.pages.show(movie).into_owned());
        extras::Texture {
            index,
            flags: extras::Word(from.flags),
            video_format: from.video_format,
            transparent_color: from.transparent_color,
            slots: from.slots(),
            current_slot: from.current_slot,
            cube: from.is_cube,
            movie,
        }
    }

    /// Returns a texture for the `extras` of a material: its stored state, and the origin of its picture.
    pub fn extras_texture(&self, index: u32) -> extras::MaterialTexture {
        let image = self.images.get(&index).copied().flatten();
        let origin = image.and_then(|image| self.root.images.get(image)?.extras.as_ref());
        let texture = self.source.scene.textures.get(&index);
        extras::MaterialTexture {
            name: self.source.name(index),
            image: origin.map(|origin| origin.virtools.clone()).unwrap_or_default(),
            absent: image.is_none() && texture.is_some(),
            stored: texture.map(|texture| self.texture_state(index, texture)),
        }
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
        let (buffer_view, file, missing, embedded) = match picture {
            Picture::None => {
                self.images.insert(index, None);
                return Ok(None);
            }
            Picture::Missing(file) => {
                self.missing.push(file.clone());
                let Some(blank) = self.blank()? else { return Ok(None) };
                (blank, Some(file), true, false)
            }
            Picture::Png { png, file, embedded } => {
                let view = self.bin.bytes(&png, &mut self.source.task.budget)?;
                self.source.task.budget.release(png.len() as u64);
                (view, file, false, embedded)
            }
        };
        self.root.images.push(Image {
            name: file.clone().filter(|_| !embedded).unwrap_or_else(|| self.source.name(index)),
            mime_type: "image/png",
            buffer_view,
            extras: file.map(|file| extras::Of::new(extras::Image { file, missing, embedded })),
        });
        let made = Some(self.root.images.len() - 1);
        self.images.insert(index, made);
        Ok(made)
    }

    /// A view of a white pixel; `None`, with a finding, where no image can be made.
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
