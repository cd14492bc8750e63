//! `CKLight` (`docs/formats/classes/entities.md#cklight`).

use super::{
    entity_3d::Entity3d,
    fresh::{Fresh, Host},
    renew::{Old, Renew, Renewed, argb},
};
use crate::codec::{Codec, Coded, Layout, field, group};
use spelunk_core::{BitField, Field, Ty, field::ARGB};

const PAGE: &str = "docs/formats/classes/entities.md#cklight";

/// The kinds of light. Engines load every kind but the first three as a point, so there is no parallel light in files.
pub const KINDS: &[(i64, &str)] = &[(1, "point"), (2, "spot"), (3, "directional"), (4, "parallel")];

/// Names of the flags that [`LightData::kind_and_flags`] has above the kind.
pub const FLAGS: &[(u32, &str)] = &[(0x100, "active"), (0x200, "specular")];

/// Kind of a light.
const KIND: BitField = BitField::new("kind", 0, 8, "What kind of light it is.").values(KINDS);

/// The kind of light that has a cone.
const SPOT: u32 = 2;

/// A light. It shines along its third axis.
#[derive(Clone, Debug, Default)]
pub struct Light {
    /// State of the base class.
    pub entity: Entity3d,
    /// The light; from data version 5 on.
    pub light: Option<LightData>,
    /// The light; below data version 5.
    pub old_light: Option<OldLight>,
    /// Power of the light; 1 where it is not stored.
    pub power: Option<f32>,
}

/// Kind, colour and reach of a light.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LightData {
    /// The kind in the low byte, see [`KINDS`], and [`FLAGS`].
    pub kind_and_flags: u32,
    /// Colour, as alpha, red, green, blue from the high byte down.
    pub color: u32,
    /// Attenuation: constant, linear, quadratic.
    pub attenuation: [f32; 3],
    /// Range of the light.
    pub range: f32,
    /// Cone, where the light is a spot.
    pub spot: Option<Spot>,
}

impl LightData {
    /// The kind, see [`KINDS`].
    pub const fn kind(&self) -> u32 {
        KIND.of(self.kind_and_flags)
    }

    /// Whether it shines.
    pub const fn is_active(&self) -> bool {
        self.kind_and_flags & 0x100 != 0
    }

    /// Whether it makes highlights.
    pub const fn is_specular(&self) -> bool {
        self.kind_and_flags & 0x200 != 0
    }
}

/// The cone of a spot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spot {
    /// Outside this angle there is no light; in radians, from side to side.
    pub outer_cone: f32,
    /// Inside this angle there is full light; in radians, from side to side.
    pub inner_cone: f32,
    /// Falloff between the two angles.
    pub falloff: f32,
}

/// Kind, colour and reach of a light, below data version 5.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OldLight {
    /// See [`KINDS`].
    pub kind: u32,
    /// Colour: red, green, blue, alpha from 0 to 1.
    pub color: [f32; 4],
    /// Whether it shines.
    pub active: i32,
    /// Whether it makes highlights.
    pub specular: i32,
    /// Attenuation: constant, linear, quadratic.
    pub attenuation: [f32; 3],
    /// Range of the light.
    pub range: f32,
    /// Cone; there for all kinds.
    pub spot: Spot,
}

impl Layout for Light {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.entity.layout(c)?;
        let old = c.version() < 5;
        if c.when(old, "data version below 5") {
            c.section(
                0x40_0000,
                group!("old_light", "What light it is, below data version 5."),
                &mut self.old_light,
                old_light,
            )?;
        } else {
            c.section(0x40_0000, group!("light", "What light it is."), &mut self.light, light)?;
        }
        c.section(0x80_0000, group!("power", "How strong it is."), &mut self.power, |c, power| {
            c.item(field!("power", Ty::F32, "How strong it is; 1 elsewhere."), power)
        })
    }
}

fn light<C: Codec>(c: &mut C, light: &mut LightData) -> Coded<C> {
    let field = field!(
        "kind_and_flags",
        Ty::Word,
        "What kind of light it is, and what it does.",
        bits(FLAGS),
        parts(&[KIND])
    );
    c.item(field, &mut light.kind_and_flags)?;
    c.item(field!("color", Ty::Word, "Alpha, red, green, blue.", unit(ARGB)), &mut light.color)?;
    c.item(attenuation(), &mut light.attenuation)?;
    c.item(range(), &mut light.range)?;
    let is_spot = light.kind() == SPOT;
    if c.when(is_spot, "spots") { spot(c, light.spot.get_or_insert_default()) } else { Ok(()) }
}

fn old_light<C: Codec>(c: &mut C, light: &mut OldLight) -> Coded<C> {
    let field = field!("kind", Ty::U32, "What kind of light it is.", values(KINDS));
    c.item(field, &mut light.kind)?;
    let field = field!("color", Ty::Array(&Ty::F32, 4), "Red, green, blue, alpha.");
    c.item(field, &mut light.color)?;
    c.item(field!("active", Ty::I32, "Whether it shines."), &mut light.active)?;
    c.item(field!("specular", Ty::I32, "Whether it makes highlights."), &mut light.specular)?;
    c.item(attenuation(), &mut light.attenuation)?;
    c.item(range(), &mut light.range)?;
    spot(c, &mut light.spot)
}

fn spot<C: Codec>(c: &mut C, spot: &mut Spot) -> Coded<C> {
    let field = field!("outer_cone", Ty::F32, "Outside it is dark.", unit("radians"));
    c.item(field, &mut spot.outer_cone)?;
    let field = field!("inner_cone", Ty::F32, "Inside it is bright.", unit("radians"));
    c.item(field, &mut spot.inner_cone)?;
    c.item(field!("falloff", Ty::F32, "How it gets weaker between."), &mut spot.falloff)
}

fn attenuation() -> &'static Field {
    field!("attenuation", Ty::Array(&Ty::F32, 3), "Constant, linear, quadratic.")
}

fn range() -> &'static Field {
    field!("range", Ty::F32, "How far it reaches.")
}

/// The kind of lights that shine everywhere.
const POINT: u32 = 1;
/// The bit of lights that shine.
const ACTIVE: u32 = 0x100;

impl Fresh for Light {
    fn fresh(host: &Host) -> Light {
        let light = Some(LightData {
            kind_and_flags: POINT | ACTIVE,
            color: 0xFFFF_FFFF,
            attenuation: [1.0, 0.0, 0.0],
            range: 1000.0,
            spot: None,
        });
        Light { entity: Fresh::fresh(host), light, ..Light::default() }
    }
}

impl Renew for Light {
    fn renew(&mut self, old: &Old) -> Renewed {
        self.entity.renew(old)?;
        let Some(light) = self.old_light.take() else { return Ok(()) };
        let [red, green, blue, _] = light.color;
        // Engines load what is no spot and not directional as a point, and save lights as opaque.
        let kind = if matches!(light.kind, 1..=3) { light.kind } else { 1 };
        let flag = |is_set: i32, bit| if is_set == 0 { 0 } else { bit };
        self.light = Some(LightData {
            kind_and_flags: kind | flag(light.active, 0x100) | flag(light.specular, 0x200),
            color: argb([red, green, blue, 1.0]),
            attenuation: light.attenuation,
            range: light.range,
            spot: (kind == SPOT).then_some(light.spot),
        });
        Ok(())
    }
}
