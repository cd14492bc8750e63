//! The fields of rows with their texts in the code pages of their languages.

use super::{
    languages::Languages,
    table::{AnyRow, CORNER, POLYGON, behind},
};
use spelunk_core::{Field, Group, Record, Span, Ty, Val, Walk, Walked};
use std::borrow::Cow;

static CORNERS: Record = Record::group(
    "corners",
    "docs/formats/gamedata.md#polygons",
    "The corners of a polygon, in their order.",
);
static X: Field = Field::new("x", Ty::I16, "Position; 140 are one cell of a map.");
static Y: Field = Field::new("y", Ty::I16, "Position; 140 are one cell of a map.");
static TAIL: Field = Field::new(
    "tail",
    Ty::Bytes,
    "What stands behind the NUL that ends the text. Zeros in all real rows but one.",
);

impl<'a> AnyRow<'a> {
    /// The text of a field, in the code page of its slot or of all handles; `None` where it does not decode, or is no
    /// text.
    pub fn text(&self, field: usize, languages: &Languages) -> Option<Cow<'a, str>> {
        match self.value(field) {
            Val::Text(Cow::Borrowed(bytes)) => languages.pages(self.slot(field)).decode(bytes),
            _ => None,
        }
    }

    /// Walks the fields of the row, which lies at `at`. Texts are decoded where `languages` are given.
    ///
    /// # Errors
    /// What the walker returns.
    pub fn walk(&self, at: Span, languages: Option<&Languages>, walk: &mut dyn Walk) -> Walked {
        for (nth, slot) in self.category().fields().iter().enumerate() {
            let span = at.part(u64::from(slot.offset), u64::from(slot.size));
            let value = self.value(nth);
            let tail = match &value {
                Val::Text(text) => behind(self.field(nth), text),
                _ => None,
            };
            // Handles are in the code page that whoever shows them takes anyway.
            let languages = languages.filter(|_| self.slot(nth).is_some());
            let text = languages.and_then(|languages| self.text(nth, languages));
            let value = text.map_or(value, Val::Str);
            let Some(tail) = tail else {
                walk.field(&slot.field, Some(span), value)?;
                continue;
            };
            let len = span.len.saturating_sub(tail.len() as u64);
            walk.field(&slot.field, Some(Span { len, ..span }), value)?;
            walk.field(&TAIL, Some(span.part(len, tail.len() as u64)), Val::Bytes(tail.into()))?;
        }
        if !self.category().is_polygons() {
            return Ok(());
        }
        let at = at.part(POLYGON as u64, at.len.saturating_sub(POLYGON as u64));
        walk.group(&Group::list("corners", &CORNERS, Some(at)), |walk| {
            for (nth, [x, y]) in self.corners().enumerate() {
                let at = at.part((nth as u64).saturating_mul(CORNER as u64), CORNER as u64);
                walk.group(&Group::item(nth, &CORNERS, Some(at)), |walk| {
                    walk.field(&X, Some(at.part(0, 2)), Val::I(x.into()))?;
                    walk.field(&Y, Some(at.part(2, 2)), Val::I(y.into()))
                })?;
            }
            Ok(())
        })
    }
}
