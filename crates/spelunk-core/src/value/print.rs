//! Values as people read them.

use crate::{
    codes,
    error::{Error, Result},
    field::{ARGB, Field, Target, Val},
    text::{CodePages, until_nul},
};
use std::{borrow::Cow, fmt};

use super::part::{PartValue, word_of};

impl Field {
    /// The name of this value, of the parts of a packed word (`active | kind: spot`), or of its GUID, where they have one; a
    /// colour as `#rrggbb`, or as `#aarrggbb` where it is not opaque.
    pub fn meaning(&self, value: &Val<'_>) -> Option<Cow<'static, str>> {
        let number = match value {
            Val::U(number) => i64::try_from(*number).ok()?,
            Val::I(number) => *number,
            Val::Word(word) => i64::from(*word),
            Val::Guid(d1, d2) => return (self.guids?.name)([*d1, *d2]).map(Cow::Borrowed),
            _ => return None,
        };
        if let Some((_, name)) = self.values.iter().find(|(known, _)| *known == number) {
            return Some(Cow::Borrowed(name));
        }
        if self.unit == ARGB {
            let word = word_of(value)?;
            return Some(Cow::Owned(match word >> 24 {
                0xFF => format!("#{:06x}", word & 0xFF_FFFF),
                _ => format!("#{word:08x}"),
            }));
        }
        if !self.is_packed() {
            return None;
        }
        let parts: Vec<PartValue> = self.parts_of(value).filter(PartValue::is_set).collect();
        // One number without a name that is the whole word says nothing new.
        let is_whole = |part: &PartValue| {
            let alone = word_of(&part.value).is_some_and(|word| Some(word) == word_of(value));
            alone && part.meaning().is_none()
        };
        match parts.as_slice() {
            [] => None,
            [part] if is_whole(part) => None,
            parts => {
                let texts: Vec<String> = parts.iter().map(PartValue::to_string).collect();
                Some(Cow::Owned(texts.join(" | ")))
            }
        }
    }

    /// Meaning of a value: its [meaning](Field::meaning), or the target of a reference, whose name is in these code pages.
    pub fn meaning_in(&self, value: &Val<'_>, pages: &CodePages) -> Option<Cow<'static, str>> {
        match value {
            Val::Ref(_, Some(target)) => Some(target.path(pages).into()),
            value => self.meaning(value),
        }
    }

    /// The value as people read it: with its unit, and with what it means. Of long bytes that is the beginning.
    pub const fn print<'v>(&'v self, value: &'v Val<'v>, pages: &'v CodePages) -> Printed<'v> {
        Printed { field: self, value, pages }
    }
}

impl Target<'_> {
    /// Kind and name of the target, as paths of entries have it: `CKMesh/Wall`.
    pub fn path(&self, pages: &CodePages) -> String {
        format!("{}/{}", self.kind, pages.show(until_nul(&self.name)))
    }
}

/// A value as people read it, made by [`Field::print`].
#[derive(Clone, Copy, Debug)]
pub struct Printed<'v> {
    field: &'v Field,
    value: &'v Val<'v>,
    pages: &'v CodePages,
}

impl fmt::Display for Printed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Printed { field, value, pages } = *self;
        match value {
            Val::None => f.write_str("-")?,
            Val::Text(bytes) => write!(f, "\"{}\"", pages.show(until_nul(bytes)))?,
            Val::Str(text) if field.ty.name() == "text" => write!(f, "\"{text}\"")?,
            Val::Bytes(bytes) if bytes.len() > 32 => {
                let first = bytes.get(..24).unwrap_or(bytes);
                write!(f, "{}... ({} bytes)", Val::Bytes(first.into()), bytes.len())?;
            }
            Val::Bytes(bytes) if bytes.is_empty() => f.write_str("(no bytes)")?,
            other => write!(f, "{other}")?,
        }
        if !field.unit.is_empty() && !matches!(value, Val::None | Val::Bytes(_)) {
            write!(f, " {}", field.unit)?;
        }
        match field.meaning_in(value, pages) {
            Some(meaning) => write!(f, " ({meaning})"),
            None => Ok(()),
        }
    }
}

impl Val<'_> {
    /// Agrees to show the value beside what is open: as it is shown, in small letters, and in a copy that is kept. ASCII is shown
    /// as it is stored; other bytes may become three, which may become three times as many in small letters.
    ///
    /// # Errors
    /// [`MEMORY`](codes::MEMORY) where a text may take more than `most` bytes of memory then.
    pub fn check_shown_size(&self, most: u64) -> Result<()> {
        let text: &[u8] = match self {
            Val::Text(bytes) => bytes,
            Val::Str(text) => text.as_bytes(),
            Val::Ref(_, Some(target)) => &target.name,
            _ => return Ok(()),
        };
        let taken = (text.len() as u64).saturating_mul(if text.is_ascii() { 2 } else { 13 });
        if taken <= most {
            return Ok(());
        }
        let error = Error::new(&codes::MEMORY).expected(format!("at most {most} bytes"));
        Err(error.found(format!("a text that takes {taken}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BitField, Ty};

    #[test]
    fn colors_and_numbers_that_are_the_whole_word() {
        let color = Field::new("diffuse", Ty::Word, "").unit(ARGB);
        assert_eq!(color.meaning(&Val::Word(0xFFFF_8000)).as_deref(), Some("#ff8000"));
        assert_eq!(color.meaning(&Val::Word(0x00FF_8000)).as_deref(), Some("#00ff8000"));
        static PARTS: [BitField; 2] =
            [BitField::new("offset", 0, 24, ""), BitField::new("rest", 24, 8, "")];
        let offset = Field::new("name_offset", Ty::U32, "").parts(&PARTS);
        assert_eq!(offset.meaning(&Val::U(0x1234)), None);
        let meaning = offset.meaning(&Val::U(0x0100_1234));
        assert_eq!(meaning.as_deref(), Some("offset: 4660 | rest: 1"));
    }
}
