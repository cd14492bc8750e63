//! `CKSprite3D` (`docs/formats/classes/entities.md#cksprite3d`).

use super::{
    entity_3d::Entity3d,
    fresh::{Fresh, Host},
};
use crate::codec::{Codec, Coded, Layout, Reference, field, group};
use spelunk_core::Ty;

const PAGE: &str = "docs/formats/classes/entities.md#cksprite3d";

/// Names of the ways in which a sprite turns to the camera.
pub const MODES: &[(i64, &str)] =
    &[(0, "billboard"), (1, "x rotate"), (2, "y rotate"), (3, "orientable")];

/// A picture in space.
#[derive(Clone, Debug, Default)]
pub struct Sprite3d {
    /// State of the base class.
    pub entity: Entity3d,
    /// The picture.
    pub sprite: Option<SpriteData>,
}

/// Mode, size and material of a picture in space.
#[derive(Clone, Debug, Default)]
pub struct SpriteData {
    /// See [`MODES`].
    pub mode: u32,
    /// Half of its width and half of its height.
    pub half_size: [f32; 2],
    /// Position of the centre: x, y.
    pub offset: [f32; 2],
    /// The part of the texture: left, top, right, bottom.
    pub uv: [f32; 4],
    /// Material of the sprite.
    pub material: Reference,
}

impl Layout for Sprite3d {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.entity.layout(c)?;
        c.section(0x40_0000, group!("sprite", "The picture."), &mut self.sprite, |c, value| {
            let SpriteData { mode, half_size, offset, uv, material } = value;
            c.item(field!("mode", Ty::U32, "How it turns to the camera.", values(MODES)), mode)?;
            let field = field!("half_size", Ty::Array(&Ty::F32, 2), "Half of width and height.");
            c.item(field, half_size)?;
            c.item(field!("offset", Ty::Array(&Ty::F32, 2), "Where its centre is."), offset)?;
            let field = field!("uv", Ty::Array(&Ty::F32, 4), "Left, top, right, bottom.");
            c.item(field, uv)?;
            c.object(field!("material", Ty::U32, "What it is made of."), material)
        })
    }
}

impl Fresh for Sprite3d {
    fn fresh(host: &Host) -> Sprite3d {
        let sprite = Some(SpriteData {
            mode: 0,
            half_size: [0.25; 2],
            offset: [0.0; 2],
            uv: [0.0, 0.0, 1.0, 1.0],
            material: host.null(),
        });
        Sprite3d { entity: Fresh::fresh(host), sprite }
    }
}
