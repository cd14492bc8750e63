//! `CKMaterial` (`docs/formats/classes/materials.md#ckmaterial`).

use super::{
    be_object::BeObject,
    fresh::{Fresh, Host},
    renew::{Old, Renew, Renewed, argb},
};
use crate::{
    codec::{Codec, Coded, Layout, Reference, field, group},
    codes,
};
use spelunk_core::{BitField, Error, Field, Ty, field::ARGB};

const PAGE: &str = "docs/formats/classes/materials.md#ckmaterial";

/// Names of the ways in which a texture and the colour below it make a colour.
pub const TEXTURE_BLENDS: &[(i64, &str)] = &[
    (1, "decal"),
    (2, "modulate"),
    (3, "decal alpha"),
    (4, "modulate alpha"),
    (5, "decal mask"),
    (6, "modulate mask"),
    (7, "copy"),
    (8, "add"),
    (9, "dot product"),
    (10, "maximum"),
];

/// Names of the filters of textures.
pub const FILTERS: &[(i64, &str)] = &[
    (1, "nearest"),
    (2, "linear"),
    (3, "mip nearest"),
    (4, "mip linear"),
    (5, "linear, mip nearest"),
    (6, "linear, mip linear"),
    (7, "anisotropic"),
];

/// Names of the factors by which a colour is multiplied before two are added.
pub const BLENDS: &[(i64, &str)] = &[
    (1, "zero"),
    (2, "one"),
    (3, "source color"),
    (4, "inverse source color"),
    (5, "source alpha"),
    (6, "inverse source alpha"),
    (7, "destination alpha"),
    (8, "inverse destination alpha"),
    (9, "destination color"),
    (10, "inverse destination color"),
    (11, "source alpha saturated"),
    (12, "both source alpha"),
    (13, "both inverse source alpha"),
];

/// Names of the ways in which colours run over a face.
pub const SHADES: &[(i64, &str)] = &[(1, "flat"), (2, "gouraud"), (3, "phong")];

/// Names of the parts of a face that are drawn.
pub const FILLS: &[(i64, &str)] = &[(1, "point"), (2, "wireframe"), (3, "solid")];

/// Names of the ways in which a texture goes on outside of 0 to 1.
pub const ADDRESSES: &[(i64, &str)] =
    &[(1, "wrap"), (2, "mirror"), (3, "clamp"), (4, "border"), (5, "mirror once")];

/// Names of the comparisons of two numbers.
pub const COMPARISONS: &[(i64, &str)] = &[
    (1, "never"),
    (2, "less"),
    (3, "equal"),
    (4, "less or equal"),
    (5, "greater"),
    (6, "not equal"),
    (7, "greater or equal"),
    (8, "always"),
];

/// Names of the effects that a material has on its textures.
pub const EFFECTS: &[(i64, &str)] = &[
    (0, "none"),
    (1, "texture coordinates generated"),
    (2, "texture coordinates generated from a reference"),
    (3, "environment bump"),
    (4, "dot product bump"),
    (5, "two textures"),
    (6, "three textures"),
];

/// [`MaterialData::flags`]: seen from both sides.
pub const TWO_SIDED: u32 = 0x01;
/// [`MaterialData::flags`]: blended with what is behind it.
pub const ALPHA_BLEND: u32 = 0x08;
/// [`MaterialData::flags`]: left out where its alpha says so.
pub const ALPHA_TEST: u32 = 0x10;

/// The bits of [`MaterialData::flags`] in its low byte.
pub const FLAGS: &[(u32, &str)] = &[
    (TWO_SIDED, "two sided"),
    (0x02, "z write"),
    (0x04, "perspective correction"),
    (ALPHA_BLEND, "alpha blend"),
    (ALPHA_TEST, "alpha test"),
];

/// Look of a surface.
#[derive(Clone, Debug, Default)]
pub struct Material {
    /// State of the base class.
    pub be_object: BeObject,
    /// Colours, first texture and modes.
    pub data: Option<MaterialData>,
    /// The same below data version 5.
    pub old_data: Option<Box<OldMaterialData>>,
    /// The second to fourth texture.
    pub textures: Option<[Reference; 3]>,
    /// The effect, where it has no parameter: one of [`EFFECTS`].
    pub effect: Option<u32>,
    /// The effect and its parameter.
    pub effect_parameter: Option<EffectParameter>,
}

/// Colours, first texture and modes. Colours are ARGB, alpha in the top byte.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MaterialData {
    /// Colour in the light of lamps.
    pub diffuse: u32,
    /// Colour in light from everywhere.
    pub ambient: u32,
    /// Colour of highlights.
    pub specular: u32,
    /// Colour without any light.
    pub emissive: u32,
    /// The higher, the smaller are highlights.
    pub specular_power: f32,
    /// The first texture.
    pub texture: Reference,
    /// Colour outside of a texture, where the address mode is border.
    pub border_color: u32,
    /// Eight modes of four bits ([`MODES`]), for which there are methods.
    pub modes: u32,
    /// [`FLAGS`], two comparisons and a reference ([`FLAG_PARTS`]), for which there are methods.
    pub flags: u32,
}

/// Colours, first texture and modes below data version 5. Colours are red, green, blue, alpha, 1 for full.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OldMaterialData {
    /// Whether the length of each colour, 16, stands before it, as engines write it.
    pub framed: bool,
    /// Colour in the light of lamps.
    pub diffuse: [f32; 4],
    /// Colour in light from everywhere.
    pub ambient: [f32; 4],
    /// Colour of highlights.
    pub specular: [f32; 4],
    /// Colour without any light.
    pub emissive: [f32; 4],
    /// The higher, the smaller are highlights.
    pub specular_power: f32,
    /// The first texture.
    pub texture: Reference,
    /// [`FLAGS`] in the low byte. Below data version 4 engines take some of them in another way.
    pub flags: u32,
    /// Texture blend, one of [`TEXTURE_BLENDS`].
    pub texture_blend: u32,
    /// Filter of a texture that is made smaller, one of [`FILTERS`].
    pub min_filter: u32,
    /// Filter of a texture that is made larger, one of [`FILTERS`].
    pub mag_filter: u32,
    /// Factor of the new colour, one of [`BLENDS`].
    pub source_blend: u32,
    /// Factor of the colour that is there, one of [`BLENDS`].
    pub destination_blend: u32,
    /// Shading, one of [`SHADES`].
    pub shade: u32,
    /// Fill, one of [`FILLS`].
    pub fill: u32,
    /// Treatment of places outside of the texture, one of [`ADDRESSES`].
    pub address: u32,
    /// Colour outside of a texture.
    pub border_color: u32,
    /// Comparison of depths, one of [`COMPARISONS`].
    pub z_function: u32,
}

/// An effect and its parameter.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EffectParameter {
    /// The parameter.
    pub parameter: Reference,
    /// Effect, one of [`EFFECTS`].
    pub effect: u32,
}

/// Red, green, blue and alpha of a colour that is stored as ARGB.
pub const fn rgba(argb: u32) -> [u8; 4] {
    let [alpha, red, green, blue] = argb.to_be_bytes();
    [red, green, blue, alpha]
}

/// The parts of [`MaterialData::modes`].
pub const MODES: &[BitField] = &[
    BitField::new("texture_blend", 0, 4, "What becomes of a texture and the colour below it.")
        .values(TEXTURE_BLENDS),
    BitField::new("min_filter", 4, 4, "How texels are taken where the texture is made smaller.")
        .values(FILTERS),
    BitField::new("mag_filter", 8, 4, "How texels are taken where the texture is made larger.")
        .values(FILTERS),
    BitField::new("source_blend", 12, 4, "Factor of its colour.").values(BLENDS),
    BitField::new("destination_blend", 16, 4, "Factor of what is below.").values(BLENDS),
    BitField::new("shade", 20, 4, "How colours run over a face.").values(SHADES),
    BitField::new("fill", 24, 4, "What of a face is drawn.").values(FILLS),
    BitField::new("address", 28, 4, "What lies outside of a texture.").values(ADDRESSES),
];

/// The parts of [`MaterialData::flags`] above its low byte.
pub const FLAG_PARTS: &[BitField] = &[
    BitField::new("z_function", 8, 8, "What lets a pixel pass by its depth.").values(COMPARISONS),
    BitField::new(
        "alpha_function",
        16,
        8,
        "What lets a pixel pass by its alpha. Engines take 0 as always.",
    )
    .values(COMPARISONS),
    BitField::new("alpha_reference", 24, 8, "What alpha is compared with."),
];

/// Numbers that are parts of a word, by their positions in a list.
macro_rules! parts {
    ($($(#[doc = $doc:literal])+ $name:ident: $word:ident $parts:ident $nth:literal;)*) => {
        $($(#[doc = $doc])+
        pub const fn $name(&self) -> u32 {
            const PART: BitField = $parts[$nth];
            PART.of(self.$word)
        })*
    };
}

impl MaterialData {
    parts! {
        /// Texture blend, one of [`TEXTURE_BLENDS`].
        texture_blend: modes MODES 0;
        /// Filter of a texture that is made smaller, one of [`FILTERS`].
        min_filter: modes MODES 1;
        /// Filter of a texture that is made larger, one of [`FILTERS`].
        mag_filter: modes MODES 2;
        /// Factor of the new colour, one of [`BLENDS`].
        source_blend: modes MODES 3;
        /// Factor of the colour that is there, one of [`BLENDS`].
        destination_blend: modes MODES 4;
        /// Shading, one of [`SHADES`].
        shade: modes MODES 5;
        /// Fill, one of [`FILLS`].
        fill: modes MODES 6;
        /// Treatment of places outside of the texture, one of [`ADDRESSES`].
        address: modes MODES 7;
        /// Comparison that lets a pixel pass by its depth, one of [`COMPARISONS`].
        z_function: flags FLAG_PARTS 0;
        /// Comparison that lets a pixel pass by its alpha, one of [`COMPARISONS`]. Engines take 0 as always.
        alpha_function: flags FLAG_PARTS 1;
        /// Number that alpha is compared with, 0 to 255.
        alpha_reference: flags FLAG_PARTS 2;
    }

    /// Whether a flag of [`FLAGS`] is set.
    pub const fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }
}

impl Material {
    /// Effect of the material, one of [`EFFECTS`], wherever it is stored.
    pub fn effect(&self) -> u32 {
        self.effect_parameter.map(|with| with.effect).or(self.effect).unwrap_or_default()
    }
}

impl Layout for Material {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.be_object.layout(c)?;
        let old = c.version() < 5;
        if c.when(old, "data version below 5") {
            let record = group!("old_material", "Colours, first texture and modes.");
            c.section(0x1000, record, &mut self.old_data, |c, data| old_data(c, data))?;
        }
        if c.when(!old, "data version 5 and up") {
            let record = group!("material", "Colours, first texture and modes.");
            c.section(0x1000, record, &mut self.data, data)?;
        }
        let record = group!("effect", "An effect without a parameter.");
        c.section(0x4000, record, &mut self.effect, effect)?;
        let record = group!("effect_parameter", "An effect and its parameter.");
        c.section(0x1_0000, record, &mut self.effect_parameter, |c, with| {
            c.object(field!("parameter", Ty::U32, "The parameter."), &mut with.parameter)?;
            effect(c, &mut with.effect)
        })?;
        let record = group!("textures", "The second to fourth texture.");
        c.section(0x2000, record, &mut self.textures, |c, [second, third, fourth]| {
            c.object(field!("texture_1", Ty::U32, "The second texture."), second)?;
            c.object(field!("texture_2", Ty::U32, "The third texture."), third)?;
            c.object(field!("texture_3", Ty::U32, "The fourth texture."), fourth)
        })
    }
}

fn effect<C: Codec>(c: &mut C, value: &mut u32) -> Coded<C> {
    let field = field!("effect", Ty::U32, "What is done with the textures.", values(EFFECTS));
    c.item(field, value)
}

fn data<C: Codec>(c: &mut C, value: &mut MaterialData) -> Coded<C> {
    c.item(
        field!("diffuse", Ty::Word, "ARGB in the light of lamps.", unit(ARGB)),
        &mut value.diffuse,
    )?;
    c.item(
        field!("ambient", Ty::Word, "ARGB in light from everywhere.", unit(ARGB)),
        &mut value.ambient,
    )?;
    c.item(field!("specular", Ty::Word, "ARGB of highlights.", unit(ARGB)), &mut value.specular)?;
    c.item(
        field!("emissive", Ty::Word, "ARGB without any light.", unit(ARGB)),
        &mut value.emissive,
    )?;
    power_and_texture(c, &mut value.specular_power, &mut value.texture)?;
    border_color(c, &mut value.border_color)?;
    let field = field!("modes", Ty::Word, "How it is drawn, in parts of four bits.", parts(MODES));
    c.item(field, &mut value.modes)?;
    let field = field!(
        "flags",
        Ty::Word,
        "Flags, and what lets a pixel pass.",
        bits(FLAGS),
        parts(FLAG_PARTS)
    );
    c.item(field, &mut value.flags)
}

fn power_and_texture<C: Codec>(c: &mut C, power: &mut f32, texture: &mut Reference) -> Coded<C> {
    c.item(field!("specular_power", Ty::F32, "The higher, the smaller are highlights."), power)?;
    c.object(field!("texture", Ty::U32, "The first texture."), texture)
}

fn border_color<C: Codec>(c: &mut C, value: &mut u32) -> Coded<C> {
    c.item(field!("border_color", Ty::Word, "ARGB outside of a texture.", unit(ARGB)), value)
}

/// Bytes of a colour of four numbers.
const COLOR_SIZE: u32 = 16;

fn old_data<C: Codec>(c: &mut C, value: &mut OldMaterialData) -> Coded<C> {
    const COLOR: Ty = Ty::Array(&Ty::F32, 4);
    // As a colour the length would be next to nothing.
    value.framed = c.detect("diffuse_size", value.framed, |words| {
        words.first().is_some_and(|first| first.get() == COLOR_SIZE)
    });
    let framed = value.framed;
    let framing = |c: &mut C, field: &'static Field| -> Coded<C> {
        if !c.when(framed, "where the first dword is 16") {
            return Ok(());
        }
        match c.count(field, COLOR_SIZE as usize)? as u64 {
            size if size == u64::from(COLOR_SIZE) => Ok(()),
            size => {
                let error = Error::new(&codes::LAYOUT).field(field.name);
                Err(error.expected(u64::from(COLOR_SIZE)).found(size).into())
            }
        }
    };
    framing(c, field!("diffuse_size", Ty::U32, "16.", unit("bytes")))?;
    c.item(field!("diffuse", COLOR, "RGBA in the light of lamps."), &mut value.diffuse)?;
    framing(c, field!("ambient_size", Ty::U32, "16.", unit("bytes")))?;
    c.item(field!("ambient", COLOR, "RGBA in light from everywhere."), &mut value.ambient)?;
    framing(c, field!("specular_size", Ty::U32, "16.", unit("bytes")))?;
    c.item(field!("specular", COLOR, "RGBA of highlights."), &mut value.specular)?;
    framing(c, field!("emissive_size", Ty::U32, "16.", unit("bytes")))?;
    c.item(field!("emissive", COLOR, "RGBA without any light."), &mut value.emissive)?;
    power_and_texture(c, &mut value.specular_power, &mut value.texture)?;
    let field = field!("flags", Ty::Word, "In the low byte.", bits(FLAGS));
    c.item(field, &mut value.flags)?;
    let field = field!(
        "texture_blend",
        Ty::U32,
        "How the texture and the colour below it make a colour.",
        values(TEXTURE_BLENDS)
    );
    c.item(field, &mut value.texture_blend)?;
    let field = field!("min_filter", Ty::U32, "Filter of small textures.", values(FILTERS));
    c.item(field, &mut value.min_filter)?;
    let field = field!("mag_filter", Ty::U32, "Filter of large textures.", values(FILTERS));
    c.item(field, &mut value.mag_filter)?;
    let field = field!("source_blend", Ty::U32, "Factor of the new colour.", values(BLENDS));
    c.item(field, &mut value.source_blend)?;
    let field = field!("destination_blend", Ty::U32, "Factor of the old colour.", values(BLENDS));
    c.item(field, &mut value.destination_blend)?;
    let field = field!("shade", Ty::U32, "How colours run over a face.", values(SHADES));
    c.item(field, &mut value.shade)?;
    c.item(field!("fill", Ty::U32, "What is drawn.", values(FILLS)), &mut value.fill)?;
    let field = field!("address", Ty::U32, "The texture outside of 0 to 1.", values(ADDRESSES));
    c.item(field, &mut value.address)?;
    border_color(c, &mut value.border_color)?;
    let field = field!("z_function", Ty::U32, "Comparison of depths.", values(COMPARISONS));
    c.item(field, &mut value.z_function)
}

impl MaterialData {
    /// State of most materials of real files without a texture.
    pub const NEW: MaterialData = MaterialData {
        diffuse: 0xFFFF_FFFF,
        ambient: 0xFF00_0000,
        specular: 0xFF50_5050,
        emissive: 0xFF00_0000,
        specular_power: 0.0,
        texture: Reference::null(true),
        border_color: 0,
        // Modulated, linear with mip maps off, opaque, Gouraud, solid, wrapped.
        modes: 0x1321_2224,
        // Depth written, perspective correction; less or equal, always.
        flags: 0x0008_0406,
    };
}

impl Fresh for Material {
    fn fresh(host: &Host) -> Material {
        let data = MaterialData { texture: host.null(), ..MaterialData::NEW };
        Material { be_object: Fresh::fresh(host), data: Some(data), ..Material::default() }
    }
}

impl Renew for Material {
    fn renew(&mut self, old: &Old) -> Renewed {
        self.be_object.renew(old)?;
        if let Some(data) = self.old_data.take() {
            self.data = Some(data.renewed(old)?);
        }
        Ok(())
    }
}

impl OldMaterialData {
    /// The same in the current layout.
    fn renewed(&self, old: &Old) -> Result<MaterialData, &'static str> {
        const ZERO: u32 = 1;
        const ONE: u32 = 2;
        const SOURCE_ALPHA: u32 = 5;
        const INVERSE_SOURCE_ALPHA: u32 = 6;
        const Z_WRITE: u32 = 0x02;
        const ALPHA_BLEND: u32 = 0x08;
        const LESS_EQUAL: u32 = 4;
        const ALWAYS: u32 = 8;
        let OldMaterialData { mut source_blend, mut destination_blend, .. } = *self;
        let [mut flags, ..] = self.flags.to_le_bytes().map(u32::from);
        if old.version < 4 {
            flags = match flags {
                1 => 7,
                0 => 6,
                other => other,
            };
            let [.., alpha] = self.diffuse;
            if alpha < 1.0 && (source_blend, destination_blend) == (ONE, ZERO) {
                (source_blend, destination_blend) = (SOURCE_ALPHA, INVERSE_SOURCE_ALPHA);
            }
            if destination_blend != ZERO {
                flags = flags & !Z_WRITE | ALPHA_BLEND;
            }
        }
        let modes = [
            self.texture_blend,
            self.min_filter,
            self.mag_filter,
            source_blend,
            destination_blend,
            self.shade,
            self.fill,
            self.address,
        ];
        let z_function = if self.z_function == 0 { LESS_EQUAL } else { self.z_function };
        if modes.iter().any(|mode| *mode > 0xF) || z_function > 0xFF {
            return Err("a mode has more than the bits that there are for it");
        }
        let packed = modes.iter().rev().fold(0, |packed, mode| packed << 4 | mode);
        Ok(MaterialData {
            diffuse: argb(self.diffuse),
            ambient: argb(self.ambient),
            specular: argb(self.specular),
            emissive: argb(self.emissive),
            specular_power: self.specular_power,
            texture: self.texture,
            border_color: self.border_color,
            modes: packed,
            flags: flags | z_function << 8 | ALWAYS << 16,
        })
    }
}
