//! `CKSprite` (`docs/formats/classes/sprites.md#cksprite`).

use super::{
    bitmap::{self, Bitmap},
    entity_2d::Entity2d,
    fresh::{Fresh, Host},
    renew::{Old, Renew, Renewed},
    texture::{self, SaveOption, VIDEO_FORMATS},
};
use crate::codec::{Codec, Coded, Layout, Reference, field, group};
use spelunk_core::{Ty, field::ARGB};

const PAGE: &str = "docs/formats/classes/sprites.md#cksprite";

/// A picture on the plane of the screen.
#[derive(Clone, Debug, Default)]
pub struct Sprite {
    /// State of the base class, without a material.
    pub entity_2d: Entity2d,
    /// The sprite whose pictures it shows, in place of its own.
    pub source: Option<Reference>,
    /// Pictures, or where they are.
    pub bitmap: Bitmap,
    /// The transparent colour as ARGB, and whether it is used.
    pub color: Option<[u32; 2]>,
    /// The slot that is shown.
    pub current_slot: Option<i32>,
    /// Way in which the pictures are to be saved.
    pub save: Option<SaveOption>,
    /// Format in video memory, one of [`VIDEO_FORMATS`]; of products later than 2.1.
    pub video_format: Option<u32>,
}

impl Layout for Sprite {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.entity_2d.shared(c)?;
        let record = group!("shared_source", "The sprite whose pictures it shows.");
        c.section(0x8_0000, record, &mut self.source, |c, source| {
            c.object(field!("source", Ty::U32, "The sprite."), source)
        })?;
        self.bitmap.layout(c, &bitmap::SPRITE)?;
        let record = group!("color", "The transparent colour.");
        c.section(0x2_0000, record, &mut self.color, |c, [color, transparent]| {
            c.item(field!("transparent_color", Ty::Word, "ARGB.", unit(ARGB)), color)?;
            c.item(field!("transparent", Ty::U32, "1 where it is used."), transparent)
        })?;
        let record = group!("slot", "The slot that is shown.");
        c.section(0x1_0000, record, &mut self.current_slot, texture::slot)?;
        let record = group!("save", "How it is to be saved.");
        c.section(0x2000_0000, record, &mut self.save, texture::save_option)?;
        let record = group!("video_format", "The format in video memory, of later products.");
        c.section(0x4000_0000, record, &mut self.video_format, |c, format| {
            let field = field!("video_format", Ty::U32, "Wished for.", values(VIDEO_FORMATS));
            c.item(field, format)
        })
    }
}

impl Fresh for Sprite {
    fn fresh(host: &Host) -> Sprite {
        Sprite {
            entity_2d: Fresh::fresh(host),
            color: Some([0; 2]),
            current_slot: Some(0),
            ..Sprite::default()
        }
    }
}

impl Renew for Sprite {
    fn renew(&mut self, old: &Old) -> Renewed {
        self.entity_2d.renew(old)
    }
}
