//! The files of an archive as index and cache list them: a path that ends with a NUL, and three numbers
//! (`docs/formats/spec.md#4-archives`).

use crate::pak::{Form, PathNumbers};
use spelunk_core::{
    Error, Field, Result, Span, Ty, Val, Walk, Walked, cursor::Cursor, field::Described,
    text::CodePages,
};
use zerocopy::IntoBytes;

pub(super) static PATH: Field = Field::new("path", Ty::Text, "Path of the file, up to the NUL.");
static END: Field = Field::new("path_end", Ty::U8, "The NUL behind the path.");

/// The shortest entry: a NUL and the numbers.
pub(super) const SHORTEST: u64 = 1 + size_of::<PathNumbers>() as u64;

/// A text, and the NUL behind it.
pub(super) fn text<'a>(cursor: &mut Cursor<'a>, name: &'static str) -> Result<&'a [u8]> {
    let mut ahead = cursor.clone();
    let len = ahead.rest().iter().position(|byte| *byte == 0);
    let Some(len) = len else {
        return Err(Error::new(&spelunk_core::codes::TRUNCATED)
            .at(cursor.span(cursor.remaining() as u64))
            .field(name)
            .expected("a NUL behind the text"));
    };
    let text = cursor.bytes(len, name)?;
    cursor.u8(name)?;
    Ok(text)
}

/// Walks a text that starts at `at`, and its NUL.
pub(super) fn walk_text(
    field: &'static Field,
    text: &[u8],
    at: u64,
    walk: &mut dyn Walk,
) -> Walked {
    let at = Span::file(at, text.len() as u64);
    walk.field(field, Some(at), Val::Text(text.into()))?;
    walk.field(&END, Some(Span::file(at.end(), 1)), Val::U(0))
}

/// A file as it is listed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathEntry<'a> {
    /// Where its path starts in the file.
    pub start: u64,
    pub path: &'a [u8],
    pub numbers: &'a PathNumbers,
}

impl<'a> PathEntry<'a> {
    pub fn read(cursor: &mut Cursor<'a>) -> Result<PathEntry<'a>> {
        let start = cursor.offset();
        let path = text(cursor, "path")?;
        Ok(PathEntry { start, path, numbers: cursor.record()? })
    }

    /// Its bytes in the list.
    pub fn at(&self) -> Span {
        Span::file(self.start, (self.path.len() as u64).saturating_add(SHORTEST))
    }

    pub fn size(&self) -> u64 {
        self.numbers.size.get().into()
    }

    /// Where its data lies in the archive.
    pub fn data_at(&self) -> Span {
        Span::file(self.numbers.offset.get().into(), self.size())
    }

    pub fn is_packed(&self) -> bool {
        self.numbers.compression == 1
    }

    /// Its path; its position where it has none.
    pub fn shown(&self, position: usize, pages: &CodePages) -> String {
        if self.path.is_empty() {
            format!("#{position}")
        } else {
            Form::Spec.shown(self.path, pages)
        }
    }

    /// The last step of its path.
    pub fn name(&self) -> &'a [u8] {
        Form::Spec.name(self.path).0
    }

    pub fn walk(&self, walk: &mut dyn Walk) -> Walked {
        walk_text(&PATH, self.path, self.start, walk)?;
        let path = (self.path.len() as u64).saturating_add(1);
        let at = Span::file(self.start.saturating_add(path), size_of::<PathNumbers>() as u64);
        PathNumbers::RECORD.walk(self.numbers.as_bytes(), at, walk)
    }
}
