//! Materials, textures and images.

use super::{Reader, position, unnumbered};
use crate::{
    Error, Result, codes,
    gltf::{
        extras,
        surface::{Alpha, Sampler, Surface, new_material},
    },
    import::model::{Material, Member, Texture},
};
use gltf_json::{
    Index,
    material::{self, AlphaMode},
    texture,
    validation::Checked,
};
use std::collections::BTreeMap;
use virtools::{class::material::MaterialData, codec::Reference, scene};

impl Reader<'_, '_, '_> {
    /// Makes all materials. Those that were exported twice, lit and unlit, are one again.
    pub fn all_materials(&mut self) -> Result<()> {
        let document = self.document;
        let mut made: BTreeMap<(u32, String), u32> = BTreeMap::new();
        let mut first: Vec<(usize, u32)> = Vec::new();
        for (nth, from) in document.root.materials.iter().enumerate() {
            self.task.budget.memory(size_of::<Material>() as u64 * 2)?;
            let stored: Option<extras::Material> = self.stored(&from.extras)?;
            let given = from.name.clone().unwrap_or_default();
            let name = match &stored {
                Some(stored) => unnumbered(&given, &stored.name).to_owned(),
                None => given,
            };
            // Faces without a material are drawn with an unlit one where their mesh is prelit.
            if is_nothing(from) && name.is_empty() {
                continue;
            }
            let key = stored.as_ref().map(|stored| (stored.index, name.clone()));
            let at = match key.as_ref().and_then(|key| made.get(key)).copied() {
                Some(at) => at,
                None => {
                    let material = self.material(from, stored.as_ref())?;
                    let at = position(self.model.materials.len());
                    let fallback = || format!("Material {}", nth + 1);
                    let shown = if name.is_empty() { fallback() } else { name.clone() };
                    self.model.materials.push(Material { name: shown, material });
                    if let Some(key) = key {
                        self.stored.entry(key.0).or_insert(Member::Material(at as usize));
                        made.insert(key, at);
                    }
                    first.push((nth, at));
                    at
                }
            };
            self.materials.insert(nth, at);
        }
        // Textures that only `extras` name.
        for nth in 0..document.root.textures.len() {
            self.texture(Index::new(position(nth)))?;
        }
        for (texture, at) in self.model.textures.iter().zip(0_u32..) {
            self.named.entry(texture.name.clone()).or_insert(at);
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
            first = self.texture(info.index)?;
            if let Some(sampler) = self.sampler(info, &data) {
                sampler.put(&mut data);
            }
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
        let more = self.textures_named(&stored, 1);
        if let Some(material) = self.model.materials.get_mut(at as usize) {
            for (to, texture) in material.material.textures.iter_mut().zip(more).skip(1) {
                *to = texture;
            }
        }
        Ok(())
    }

    /// The textures of these names, from some position on; told where there are none.
    fn textures_named(&mut self, stored: &extras::Material, from: usize) -> [Option<u32>; 4] {
        let mut textures = [None; 4];
        let wanted = textures.iter_mut().zip(&stored.textures).skip(from);
        let mut missing = 0;
        for (to, name) in wanted {
            let Some(name) = name else { continue };
            *to = self.named.get(name).copied();
            missing += usize::from(to.is_none());
        }
        (0..missing).for_each(|_| self.leave_out("textures that only `extras` name"));
        textures
    }

    /// A material of which only `extras` tell: the one that was made of the same, else a new one.
    pub fn told_material(&mut self, stored: &extras::Material) -> Reference {
        if let Some(Member::Material(at)) = self.stored.get(&stored.index) {
            return Reference::index(position(*at));
        }
        let material = scene::material::Material {
            textures: self.textures_named(stored, 0),
            effect: stored.effect,
            ..scene::material::Material::new(data_of(stored))
        };
        let at = self.model.materials.len();
        self.model.materials.push(Material { name: stored.name.clone(), material });
        self.stored.insert(stored.index, Member::Material(at));
        Reference::index(position(at))
    }

    /// How a texture is sampled; `None` where it does not say.
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

    /// The texture at a position, made when it is first met; `None`, told, where it has no image.
    pub fn texture(&mut self, index: Index<gltf_json::Texture>) -> Result<Option<u32>> {
        let document = self.document;
        let Some(from) = document.root.get(index) else { return Ok(None) };
        let stored: Option<extras::Texture> = self.stored(&from.extras)?;
        let old = stored.as_ref().map(|stored| stored.index);
        let key = (from.source.value(), old);
        if let Some(known) = self.textures.get(&key) {
            return Ok(*known);
        }
        let made = self.texture_of(from, stored)?;
        if let (Some(made), Some(old)) = (made, old) {
            self.stored.entry(old).or_insert(Member::Texture(made as usize));
        }
        self.textures.insert(key, made);
        Ok(made)
    }

    fn texture_of(
        &mut self,
        from: &gltf_json::Texture,
        stored: Option<extras::Texture>,
    ) -> Result<Option<u32>> {
        let document = self.document;
        let Some(image) = document.root.get(from.source) else { return Ok(None) };
        let origin: Option<extras::Image> = self.stored(&image.extras)?;
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
            Err(error) if error.code().class == crate::Class::Limit => return Err(error),
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
        let given = [&from.name, &image.name].into_iter().flatten().find(|name| !name.is_empty());
        let given = given.cloned().or_else(|| file.clone());
        let given = given.unwrap_or_else(|| format!("Texture {}", self.model.textures.len() + 1));
        // Editors name textures by their files.
        let name = match given.rsplit_once('.') {
            Some((stem, end)) if !stem.is_empty() && stored.is_none() && is_extension(end) => stem,
            _ => &given,
        };
        let name = name.to_owned();
        self.task.budget.memory(name.len() as u64 + 256)?;
        self.model.textures.push(Texture { name, file, embedded, image: bytes, stored });
        Ok(Some(position(self.model.textures.len() - 1)))
    }
}

fn valid<T>(value: Checked<T>) -> Option<T> {
    match value {
        Checked::Valid(value) => Some(value),
        Checked::Invalid => None,
    }
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
