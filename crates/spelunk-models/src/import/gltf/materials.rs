//! Materials, textures and images.

use super::{GltfReader, position, unnumbered};
use crate::{
    gltf::{
        extras,
        surface::{Alpha, Sampler, Surface, new_material},
    },
    import::model::{GroupMember, Material, Texture},
};
use gltf_json::{
    Index,
    material::{self, AlphaMode},
    texture,
    validation::Checked,
};
use spelunk_core::{Error, Result};
use spelunk_open::codes;
use std::collections::BTreeMap;
use virtools::{class::material::MaterialData, codec::Reference, scene};

impl GltfReader<'_, '_, '_> {
    /// Makes all materials. Those that were exported twice, lit and unlit, are one again.
    pub fn all_materials(&mut self) -> Result<()> {
        let document = self.document;
        let mut made: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        let mut first: Vec<(usize, u32)> = Vec::new();
        for (nth, from) in document.root.materials.iter().enumerate() {
            self.task.budget.memory(size_of::<Material>() as u64 * 2)?;
            let stored: Option<extras::Material> = self.stored(&from.extras)?;
            let given = from.name.clone().unwrap_or_default();
            // Faces without a material are drawn with an unlit one where their mesh is prelit.
            if is_nothing(from) && given.is_empty() {
                continue;
            }
            let material = self.material(from, stored.as_ref())?;
            // Made once with light and once without; a copy that was changed is another one.
            let looks = |it: &scene::material::Material| (it.data, it.textures, it.effect);
            let same = |at: &&u32| {
                let other = self.model.materials.get(**at as usize);
                other.is_some_and(|other| looks(&other.material) == looks(&material))
            };
            let index = stored.as_ref().map(|stored| stored.index);
            let others = index.and_then(|index| made.get(&index)).map_or(&[][..], Vec::as_slice);
            let at = match others.iter().take(COPIES).find(same) {
                Some(at) => *at,
                None => {
                    let at = position(self.model.materials.len());
                    let name = match stored.as_ref().filter(|_| others.is_empty()) {
                        Some(stored) => unnumbered(&given, &stored.name).to_owned(),
                        None if given.is_empty() => format!("Material {}", nth + 1),
                        None => given,
                    };
                    self.model.materials.push(Material {
                        name,
                        index,
                        is_of_file: false,
                        material,
                    });
                    if let Some(index) = index {
                        self.stored.entry(index).or_insert(GroupMember::Material(at as usize));
                        made.entry(index).or_default().push(at);
                    }
                    first.push((nth, at));
                    at
                }
            };
            self.materials.insert(nth, at);
        }
        // Textures that only `extras` name.
        for nth in 0..document.root.textures.len() {
            self.texture(Index::new(position(nth)), None)?;
        }
        for (nth, at) in first {
            self.more_textures(nth, at)?;
        }
        Ok(())
    }

    fn material(
        &mut self,
        from: &material::Material,
        stored: Option<&extras::Material>,
    ) -> Result<scene::material::Material> {
        let unlit = is_unlit(from);
        let pbr = &from.pbr_metallic_roughness;
        let mut data = stored.map_or_else(new_material, data_of);
        let cutoff = from.alpha_cutoff.map_or(0.5, |cutoff| cutoff.0);
        let surface = Surface {
            base_color: pbr.base_color_factor.0,
            emissive: from.emissive_factor.0,
            roughness: pbr.roughness_factor.0,
            alpha: match from.alpha_mode {
                Checked::Valid(AlphaMode::Blend) => Alpha::Blend,
                Checked::Valid(AlphaMode::Mask) => Alpha::Mask(cutoff),
                _ => Alpha::Opaque,
            },
            double_sided: from.double_sided,
        };
        surface.put(unlit, &mut data);
        let mut first = None;
        if let Some(info) = &pbr.base_color_texture {
            let named = stored.and_then(|stored| stored.textures.first());
            first = self.texture(info.index, named)?;
            if let Some(sampler) = self.sampler(info, &data) {
                sampler.put(stored.is_some(), &mut data);
            }
        } else if let Some(named) = stored.and_then(|stored| stored.textures.first())
            && named.absent
        {
            first = self.absent_texture(named)?;
        }
        let others = [
            from.normal_texture.is_some(),
            from.occlusion_texture.is_some(),
            from.emissive_texture.is_some(),
            pbr.metallic_roughness_texture.is_some(),
        ];
        for _ in others.iter().filter(|there| **there) {
            self.leave_out("textures of other things than colour");
        }
        Ok(scene::material::Material {
            textures: [first, None, None, None],
            effect: stored.map_or(0, |stored| stored.effect),
            ..scene::material::Material::new(data)
        })
    }

    /// The textures that `extras` of the material at a position name besides the first one.
    fn more_textures(&mut self, nth: usize, at: u32) -> Result<()> {
        let Some(from) = self.document.root.materials.get(nth) else { return Ok(()) };
        let Some(stored) = self.stored::<extras::Material>(&from.extras)? else { return Ok(()) };
        let more = self.named_textures(&stored, 1)?;
        if let Some(material) = self.model.materials.get_mut(at as usize) {
            for (to, texture) in material.material.textures.iter_mut().zip(more).skip(1) {
                *to = texture;
            }
        }
        Ok(())
    }

    /// The textures that `extras` name, from some position on: those that were made, else the files that are named.
    fn named_textures(
        &mut self,
        stored: &extras::Material,
        from: usize,
    ) -> Result<[Option<u32>; 4]> {
        let mut textures = [None; 4];
        for (to, named) in textures.iter_mut().zip(&stored.textures).skip(from) {
            *to = match self.named.get(&named.name) {
                _ if named.name.is_empty() => None,
                Some(known) => Some(*known),
                None if named.absent => self.absent_texture(named)?,
                None if named.image.file.is_empty() => {
                    self.leave_out("textures that only `extras` name");
                    None
                }
                None => {
                    self.task.budget.memory(named.name.len() as u64 + 256)?;
                    Some(self.add_texture(Texture {
                        name: named.name.clone(),
                        file: Some(named.image.file.clone()),
                        stored: named.stored.clone(),
                        ..Texture::default()
                    }))
                }
            };
        }
        Ok(textures)
    }

    /// A texture of which there was nothing to be seen: it is the one of its name in the file, if that has one.
    fn absent_texture(&mut self, named: &extras::MaterialTexture) -> Result<Option<u32>> {
        if named.name.is_empty() {
            return Ok(None);
        }
        if let Some(known) = self.named.get(&named.name) {
            return Ok(Some(*known));
        }
        self.task.budget.memory(named.name.len() as u64 + 256)?;
        let (name, stored) = (named.name.clone(), named.stored.clone());
        Ok(Some(self.add_texture(Texture { name, stored, is_named: true, ..Texture::default() })))
    }

    /// A material that only `extras` hold: the one that was made of the same, else a new one.
    pub fn extras_material(&mut self, stored: &extras::Material) -> Result<Reference> {
        if let Some(GroupMember::Material(at)) = self.stored.get(&stored.index) {
            return Ok(Reference::index(position(*at)));
        }
        let material = scene::material::Material {
            textures: self.named_textures(stored, 0)?,
            effect: stored.effect,
            ..scene::material::Material::new(data_of(stored))
        };
        let at = self.model.materials.len();
        let (name, index) = (stored.name.clone(), Some(stored.index));
        self.model.materials.push(Material { name, index, is_of_file: false, material });
        self.stored.insert(stored.index, GroupMember::Material(at));
        Ok(Reference::index(position(at)))
    }

    /// Adds a texture; gives its position.
    fn add_texture(&mut self, texture: Texture) -> u32 {
        let at = position(self.model.textures.len());
        self.named.entry(texture.name.clone()).or_insert(at);
        self.model.textures.push(texture);
        at
    }

    /// Returns the sampler of a texture; `None` where the texture has none.
    fn sampler(&mut self, info: &texture::Info, data: &MaterialData) -> Option<Sampler> {
        let root = &self.document.root;
        let from = root.get(root.get(info.index)?.sampler?)?;
        let now = Sampler::of(data);
        let mag = from.mag_filter.and_then(valid).map(|filter| filter.as_gl_enum());
        let min = from.min_filter.and_then(valid).map(|filter| filter.as_gl_enum());
        let wrap = |mode: Checked<texture::WrappingMode>| valid(mode).map(|mode| mode.as_gl_enum());
        let (wrap_s, wrap_t) = (wrap(from.wrap_s)?, wrap(from.wrap_t)?);
        if wrap_s != wrap_t {
            self.leave_out("textures that repeat in one direction alone");
        }
        Some(Sampler {
            mag_filter: mag.unwrap_or(now.mag_filter),
            min_filter: min.unwrap_or(now.min_filter),
            wrap_s,
            wrap_t,
        })
    }

    /// The texture at a position, made when it is first met; `None`, with a finding, where it has no image. The `extras` of its
    /// material count where the texture itself has none.
    pub fn texture(
        &mut self,
        index: Index<gltf_json::Texture>,
        by_material: Option<&extras::MaterialTexture>,
    ) -> Result<Option<u32>> {
        let document = self.document;
        let Some(from) = document.root.get(index) else { return Ok(None) };
        let stored: Option<extras::Texture> = self.stored(&from.extras)?;
        let image = document.root.get(from.source);
        let named = image.and_then(|image| image.name.as_deref()).unwrap_or_default();
        // Another picture has another name.
        let by_material =
            by_material.filter(|by_material| stored.is_none() && is_named(named, by_material));
        let stored = stored.or_else(|| by_material?.stored.clone());
        let old = stored.as_ref().map(|stored| stored.index);
        // Without an index, the one that was made of the same image.
        let key = (from.source.value(), old);
        let last = (from.source.value(), old.or(Some(u32::MAX)));
        if let Some((_, known)) = self.textures.range(key..=last).next() {
            return Ok(*known);
        }
        let made = self.texture_of(from, stored, by_material)?;
        if let (Some(made), Some(old)) = (made, old) {
            self.stored.entry(old).or_insert(GroupMember::Texture(made as usize));
        }
        self.textures.insert(key, made);
        Ok(made)
    }

    fn texture_of(
        &mut self,
        from: &gltf_json::Texture,
        stored: Option<extras::Texture>,
        by_material: Option<&extras::MaterialTexture>,
    ) -> Result<Option<u32>> {
        let document = self.document;
        let Some(image) = document.root.get(from.source) else { return Ok(None) };
        let origin: Option<extras::Image> = self.stored(&image.extras)?;
        let origin = origin.or_else(|| Some(by_material?.image.clone()));
        let missing = origin.as_ref().is_some_and(|origin| origin.missing);
        let budget = &mut self.task.budget;
        let bytes = match (&image.uri, image.buffer_view) {
            // A pixel that stands for a file that was not found.
            _ if missing => Ok(None),
            (Some(uri), _) => document.load(uri, budget).map(Some),
            (None, Some(view)) => document.view(view).map(Some),
            (None, None) => Ok(None),
        };
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(error)
                if error.code().class == spelunk_core::Class::Limit || error.is_cancelled() =>
            {
                return Err(error);
            }
            Err(error) => {
                let error = error.to_string();
                self.task.warn(Error::new(&codes::PICTURE).found(error))?;
                None
            }
        };
        let linked = image.uri.as_deref().filter(|uri| !uri.starts_with("data:"));
        let linked = linked.map(|uri| {
            let name = percent_encoding::percent_decode_str(uri).decode_utf8_lossy();
            name.rsplit('/').next().unwrap_or_default().to_owned()
        });
        let embedded = origin.as_ref().is_some_and(|origin| origin.embedded);
        let file = origin.map(|origin| origin.file).filter(|file| !file.is_empty()).or(linked);
        if bytes.is_none() && file.is_none() {
            self.leave_out("textures without an image");
            return Ok(None);
        }
        let by_material = by_material.map(|by_material| &by_material.name);
        let mut names =
            [by_material, from.name.as_ref(), image.name.as_ref()].into_iter().flatten();
        let given = names.find(|name| !name.is_empty()).cloned().or_else(|| file.clone());
        let given = given.unwrap_or_else(|| format!("Texture {}", self.model.textures.len() + 1));
        // Editors name textures by their files.
        let name = match given.rsplit_once('.') {
            Some((stem, end)) if !stem.is_empty() && stored.is_none() && is_extension(end) => stem,
            _ => &given,
        };
        let name = name.to_owned();
        self.task.budget.memory(name.len() as u64 + 256)?;
        let texture = Texture { name, file, embedded, image: bytes, stored, ..Texture::default() };
        Ok(Some(self.add_texture(texture)))
    }
}

/// Materials of one position in a file that are compared: one lit, one not, and some that were copied.
const COPIES: usize = 8;

fn valid<T>(value: Checked<T>) -> Option<T> {
    match value {
        Checked::Valid(value) => Some(value),
        Checked::Invalid => None,
    }
}

/// Whether the image of a texture has the name that exporters gave it, or that editors make of that.
fn is_named(name: &str, stored: &extras::MaterialTexture) -> bool {
    let file = stored.image.file.as_str();
    let stem = |name: &str| name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_lowercase();
    name == stored.name
        || !file.is_empty()
            && (name == file || stem(name) == stem(file) || name.to_lowercase() == stem(file))
}

/// Whether a name ends as names of image files do.
fn is_extension(end: &str) -> bool {
    const KNOWN: [&str; 8] = ["bmp", "tga", "png", "jpg", "jpeg", "gif", "tif", "pcx"];
    KNOWN.iter().any(|known| end.eq_ignore_ascii_case(known))
}

/// Whether a material has colours without light.
pub fn is_unlit(material: &material::Material) -> bool {
    material.extensions.as_ref().is_some_and(|extensions| extensions.unlit.is_some())
}

/// Whether it is what exporters write for unlit faces without a material.
fn is_nothing(from: &material::Material) -> bool {
    let pbr = &from.pbr_metallic_roughness;
    let bare = pbr.base_color_texture.is_none() && pbr.base_color_factor.0 == [1.0; 4];
    is_unlit(from) && bare && !from.double_sided && from.extras.is_none()
}

fn data_of(stored: &extras::Material) -> MaterialData {
    MaterialData {
        diffuse: stored.diffuse.0,
        ambient: stored.ambient.0,
        specular: stored.specular.0,
        emissive: stored.emissive.0,
        specular_power: stored.specular_power,
        texture: Reference::null(true),
        border_color: stored.border_color.0,
        modes: stored.modes.0,
        flags: stored.flags.0,
    }
}
