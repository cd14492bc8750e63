//! `CKSpriteText` (`docs/formats/classes/sprites.md#ckspritetext`).

use super::{
    fresh::{Fresh, Host},
    sprite::Sprite,
};
use crate::codec::{Codec, Coded, Layout, Text, field, group};
use spelunk_core::{Ty, field::ARGB};

const PAGE: &str = "docs/formats/classes/sprites.md#ckspritetext";

/// A text on the plane of the screen.
#[derive(Clone, Debug, Default)]
pub struct SpriteText {
    /// State of the base class.
    pub sprite: Sprite,
    /// The text.
    pub text: Option<Text>,
    /// Font of the text.
    pub font: Option<Font>,
    /// Colours of the text.
    pub colors: Option<Colors>,
}

/// The letters of a text.
#[derive(Clone, Debug, Default)]
pub struct Font {
    /// Name of the font.
    pub name: Text,
    /// Height of letters.
    pub size: i32,
    /// Weight of letters; 400 is normal, 700 bold.
    pub weight: i32,
    /// 1 for slanted letters.
    pub italic: i32,
    /// 1 for a line below.
    pub underline: i32,
    /// Whether the numbers are stored size first, which engines do not do.
    pub size_first: bool,
}

/// The colours of a text, as ARGB.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Colors {
    /// Of the letters.
    pub font: u32,
    /// Of what is behind them.
    pub background: u32,
}

impl Layout for SpriteText {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.sprite.layout(c)?;
        c.section(0x100_0000, group!("text", "The text."), &mut self.text, |c, text| {
            c.text(field!("text", Ty::Text, "What is written."), text)
        })?;
        c.section(0x200_0000, group!("font", "Its letters."), &mut self.font, font)?;
        c.section(0x400_0000, group!("colors", "Its colours."), &mut self.colors, |c, colors| {
            c.item(field!("font", Ty::Word, "ARGB of the letters.", unit(ARGB)), &mut colors.font)?;
            let field = field!("background", Ty::Word, "ARGB of what is behind them.", unit(ARGB));
            c.item(field, &mut colors.background)
        })
    }
}

impl Fresh for SpriteText {
    fn fresh(host: &Host) -> SpriteText {
        // Font and colours are those of the constructor.
        let text = Some(Text::new(b""));
        SpriteText { sprite: Fresh::fresh(host), text, ..SpriteText::default() }
    }
}

/// The letters. The order of the numbers is that of one of two accounts, which differ by where a weight stands.
fn font<C: Codec>(c: &mut C, font: &mut Font) -> Coded<C> {
    let Font { name, size, weight, italic, underline, size_first } = font;
    c.text(field!("name", Ty::Text, "Name of the font."), name)?;
    *size_first = c.detect("size_first", *size_first, |words| match words {
        [_, weight, italic, _, ..] => {
            (100..=1000).contains(&weight.get()) && (0..=1).contains(&italic.get())
        }
        _ => false,
    });
    let size_field = field!("size", Ty::I32, "How high letters are.");
    let weight_field = field!("weight", Ty::I32, "400 is normal, 700 bold.");
    let italic_field = field!("italic", Ty::I32, "1 for slanted letters.");
    let underline_field = field!("underline", Ty::I32, "1 for a line below.");
    let other_order = *size_first;
    if c.when(other_order, "second number a weight, third 0 or 1") {
        c.note(field!("size_first", Ty::U32, "1 where size and weight stand first."), 1)?;
        c.item(size_field, size)?;
        c.item(weight_field, weight)?;
        c.item(italic_field, italic)?;
        return c.item(underline_field, underline);
    }
    c.item(underline_field, underline)?;
    c.item(italic_field, italic)?;
    c.item(weight_field, weight)?;
    c.item(size_field, size)
}
