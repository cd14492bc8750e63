//! The texture font manager (`docs/formats/classes/managers.md#texture-font-manager`).

use crate::codec::{Array, Codec, Coded, Layout, Padded, Reference, Text, field, group};
use spelunk_core::{Ty, record};
use zerocopy::little_endian::F32;

const PAGE: &str = "docs/formats/classes/managers.md#texture-font-manager";

/// GUID of the texture font manager.
pub const GUID: [u32; 2] = [0x64FB_5810, 0x7326_2D3B];

/// The bit of [`Font::spacing`] that says that the widths of the characters are saved.
pub const SPACING_SAVED: u32 = 2;

/// Names of the bits of [`Font::spacing`].
pub const SPACING: &[(u32, &str)] = &[(1, "fixed"), (SPACING_SAVED, "saved")];

/// Number of characters of a font.
const CHARACTERS: usize = 256;

/// Fonts that are drawn from a picture of their characters. No real file is known that holds one.
#[derive(Clone, Debug, Default)]
pub struct TextureFontManager {
    /// The fonts; numbers of this manager count them from 1.
    pub fonts: Option<Vec<Font>>,
    /// The fonts without the widths of their characters, as older products save them.
    pub old_fonts: Option<Vec<Font>>,
}

/// A font.
#[derive(Clone, Debug, Default)]
pub struct Font {
    /// Name of the font, of 31 bytes at most.
    pub name: Text,
    /// Numbers of characters beside and below each other in the picture: one pair.
    pub grid: Padded<[F32; 2]>,
    /// The part of the picture that holds the characters: one rectangle.
    pub area: Padded<[F32; 4]>,
    /// The picture of the characters.
    pub texture: Reference,
    /// [`SPACING`].
    pub spacing: u32,
    /// Code of the first character in the picture.
    pub first_character: i32,
    /// The places and widths of 256 characters, with [`SPACING_SAVED`] alone.
    pub characters: Option<Array<Character>>,
}

record! {
    /// Place of a character in the picture, and the room it takes.
    pub struct Character: "character", "docs/formats/classes/managers.md#texture-font-manager", 24 {
        /// Left edge in the picture.
        u: F32,
        /// Upper edge in the picture.
        v: F32,
        /// Width of the character.
        width: F32,
        /// Room before the character.
        width_before: F32,
        /// Room behind the character.
        width_after: F32,
        /// Height of the character.
        height: F32,
    }
}

impl TextureFontManager {
    /// The fonts, under whichever identifier they are stored.
    pub fn all(&self) -> &[Font] {
        self.fonts.as_deref().or(self.old_fonts.as_deref()).unwrap_or_default()
    }
}

impl Layout for TextureFontManager {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        let record = group!("fonts", "The fonts.");
        c.section(0x8002, record, &mut self.fonts, |c, all| fonts(c, all, true))?;
        let record = group!("old_fonts", "The fonts, as older products save them.");
        c.section(0x8001, record, &mut self.old_fonts, |c, all| fonts(c, all, false))
    }
}

fn fonts<C: Codec>(c: &mut C, value: &mut Vec<Font>, spacing_saved: bool) -> Coded<C> {
    let count = field!("count", Ty::I32, "How many fonts follow.");
    c.counted(count, group!("fonts", "The fonts."), value, |c, font| {
        c.text(field!("name", Ty::Text, "Name of the font."), &mut font.name)?;
        const PAIR: Ty = Ty::Array(&Ty::F32, 2);
        let field = field!("grid", PAIR, "Columns and rows of characters in the picture.");
        c.buffer(field, &mut font.grid)?;
        let field = field!("area", Ty::Array(&Ty::F32, 4), "Left, top, right, bottom.");
        c.buffer(field, &mut font.area)?;
        let field = field!("texture", Ty::U32, "The picture of the characters.");
        c.object(field, &mut font.texture)?;
        let field = field!("spacing", Ty::Word, "How wide characters are.", bits(SPACING));
        c.item(field, &mut font.spacing)?;
        let field = field!("first_character", Ty::I32, "Code of the first character.");
        c.item(field, &mut font.first_character)?;
        let saved = spacing_saved && font.spacing & SPACING_SAVED != 0;
        if c.when(saved, "spacing flag 2, under 0x8002 alone") {
            c.records("characters", CHARACTERS, font.characters.get_or_insert_default())?;
        }
        Ok(())
    })
}
