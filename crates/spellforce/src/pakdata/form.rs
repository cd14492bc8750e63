//! The forms of a cache: how texts, entries and archives are stored
//! (`docs/formats/pak.md#7-pakdatadat`, `docs/formats/spec.md#5-pakdatadat`).

use super::{CacheEntry, CacheHeader, PakNumbers};
use crate::{
    codes,
    fields::fields,
    pak::{ArchiveForm, PathNumbers},
};
use spelunk_core::{
    Error, Field, Record, Result, Space, Span, Val, Walk, Walked,
    cursor::Cursor,
    field::Described,
    record,
    scalar::{I32, fit},
};
use zerocopy::IntoBytes;

record! {
    /// The start of a cache of the dialect `spec`.
    pub struct SpecHeader: "header", "docs/formats/spec.md#5-pakdatadat", 8 {
        /// Version; no value of it is known.
        version: U32,
        /// Number of archives.
        pak_count: U32,
    }
}

record! {
    /// The number behind the name of an archive in the dialect `spec`.
    pub struct PakCount: "pak", "docs/formats/spec.md#5-pakdatadat", 4 {
        /// Number of files.
        entry_count: U32,
    }
}

fields! {
    END: "path_end" U8 "The NUL behind the path.";
    PATH: "path" Text "Path of the file, up to the NUL.";
    SPEC_KEY: "key" Text "File name of the archive, up to the NUL.";
    KEY: "key" Text "File name of the archive.";
    LOCATION: "path" Text "Where the archive was when the cache was made.";
    KEY_LENGTH: "key_length" Bytes "Length of the key, in groups of seven bits.";
    LOCATION_LENGTH: "path_length" Bytes "Length of the path, in groups of seven bits.";
    NAME_LENGTH: "name_length" Bytes "Length of the name, in groups of seven bits.";
    DIRECTORY_LENGTH: "directory_length" Bytes "Length of the directory, in groups of seven bits.";
    NAME: "name" Text "File name.";
    DIRECTORY: "directory" Text "Directory, with backslashes.";
}

/// The descriptions of a form.
pub(super) struct Outline {
    pub(super) paks: Record,
    pub(super) pak: &'static Record,
    pub(super) entries: Record,
    pub(super) entry: &'static Record,
    header: &'static Record,
    /// The smallest entry, in bytes.
    pub(super) shortest: u64,
}

const PAGE: &str = "docs/formats/pak.md#7-pakdatadat";
const SPEC_PAGE: &str = "docs/formats/spec.md#5-pakdatadat";

static REAL: Outline = Outline {
    paks: Record::group("paks", PAGE, "The archives, in the order of a directory listing."),
    pak: PakNumbers::RECORD,
    entries: Record::group("entries", PAGE, "The entries in the order of the archive."),
    entry: CacheEntry::RECORD,
    header: CacheHeader::RECORD,
    // Two numbers and two empty strings.
    shortest: 10,
};

static SPEC: Outline = Outline {
    paks: Record::group("paks", SPEC_PAGE, "The archives."),
    pak: PakCount::RECORD,
    entries: Record::group("entries", SPEC_PAGE, "The files of the archive."),
    entry: PathNumbers::RECORD,
    header: SpecHeader::RECORD,
    // A NUL and the numbers.
    shortest: 10,
};

/// A text: in real caches its length in bytes in groups of seven bits, lowest first, the top bit of a byte meaning that more
/// follow, then UTF-8; in the dialect `spec` a text and a NUL.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CacheText<'a> {
    form: ArchiveForm,
    /// The bytes of the length, or the NUL. They are kept, as a length can be written in several ways.
    pub mark: &'a [u8],
    pub text: &'a [u8],
    /// Offset in the file.
    pub start: u64,
}

impl<'a> CacheText<'a> {
    #[inline]
    pub(super) fn read(
        cursor: &mut Cursor<'a>,
        form: ArchiveForm,
        name: &'static str,
    ) -> Result<CacheText<'a>> {
        let start = cursor.offset();
        let mut ahead = cursor.clone();
        if form.is_spec() {
            let Some(len) = ahead.rest().iter().position(|byte| *byte == 0) else {
                return Err(Error::new(&spelunk_core::codes::TRUNCATED)
                    .at(cursor.span(cursor.remaining() as u64))
                    .field(name)
                    .expected("a NUL behind the text"));
            };
            let text = cursor.bytes(len, name)?;
            return Ok(CacheText { form, mark: cursor.bytes(1, name)?, text, start });
        }
        let mut len = 0_u64;
        for shift in [0, 7, 14, 21, 28] {
            let byte = ahead.u8(name)?;
            len |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                let groups = ahead.position().saturating_sub(cursor.position());
                let mark = cursor.bytes(groups, name)?;
                let len = usize::try_from(len).unwrap_or(usize::MAX);
                return Ok(CacheText { form, mark, text: cursor.bytes(len, name)?, start });
            }
        }
        Err(Error::new(&codes::PAKDATA_STRING).at(cursor.span(5)).field(name))
    }

    /// A text that the form does not have.
    const fn none(form: ArchiveForm, start: u64) -> CacheText<'a> {
        CacheText { form, mark: &[], text: &[], start }
    }

    fn end(&self) -> u64 {
        self.start.saturating_add((self.mark.len() as u64).saturating_add(self.text.len() as u64))
    }

    /// Walks the bytes of its length and the text, or the text and its NUL.
    fn walk(&self, mark: &'static Field, field: &'static Field, walk: &mut dyn Walk) -> Walked {
        let [mark_len, len] = [self.mark, self.text].map(|part| part.len() as u64);
        let text = Val::Text(self.text.into());
        if self.form.is_spec() {
            let at = Span::file(self.start, len);
            walk.field(field, Some(at), text)?;
            return walk.field(&END, Some(Span::file(at.end(), 1)), Val::U(0));
        }
        let at = Span::file(self.start, mark_len);
        walk.field(mark, Some(at), Val::Bytes(self.mark.into()))?;
        walk.field(field, Some(Span::file(at.end(), len)), text)
    }
}

/// The numbers of an entry.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Numbers<'a> {
    Real(&'a CacheEntry),
    Spec(&'a PathNumbers),
}

/// An entry of an archive, as the cache has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntryView<'a> {
    pub start: u64,
    pub numbers: Numbers<'a>,
    /// The name; in the dialect `spec` the whole path.
    pub name: CacheText<'a>,
    /// Nothing in the dialect `spec`.
    pub directory: CacheText<'a>,
}

impl<'a> EntryView<'a> {
    #[inline]
    pub(super) fn read(cursor: &mut Cursor<'a>, form: ArchiveForm) -> Result<EntryView<'a>> {
        let start = cursor.offset();
        if form.is_spec() {
            let name = CacheText::read(cursor, form, "path")?;
            let numbers = Numbers::Spec(cursor.record()?);
            return Ok(EntryView { start, numbers, name, directory: CacheText::none(form, start) });
        }
        Ok(EntryView {
            start,
            numbers: Numbers::Real(cursor.record()?),
            name: CacheText::read(cursor, form, "name")?,
            directory: CacheText::read(cursor, form, "directory")?,
        })
    }

    pub fn at(&self) -> Span {
        let end = match self.numbers {
            Numbers::Real(_) => self.directory.end(),
            Numbers::Spec(_) => self.name.end().saturating_add(size_of::<PathNumbers>() as u64),
        };
        Span::file(self.start, end.saturating_sub(self.start))
    }

    /// Name and directory.
    pub(super) fn parts(&self) -> (&'a [u8], &'a [u8]) {
        match self.numbers {
            Numbers::Real(_) => (self.name.text, self.directory.text),
            Numbers::Spec(_) => ArchiveForm::Spec.last_step(self.name.text),
        }
    }

    /// Size of the file, which may be negative in real caches, and where its data starts.
    pub fn place(&self) -> [i64; 2] {
        match self.numbers {
            Numbers::Real(real) => [real.size.get().into(), real.data_offset.get().into()],
            Numbers::Spec(spec) => [spec.size.get().into(), spec.offset.get().into()],
        }
    }

    /// Size of the file, stored; 0 for a negative one.
    pub fn size(&self) -> u64 {
        let [size, _] = self.place();
        u64::try_from(size).unwrap_or_default()
    }

    /// The compression of the data, where the form has one.
    pub const fn compression(&self) -> Option<u8> {
        match self.numbers {
            Numbers::Real(_) => None,
            Numbers::Spec(numbers) => Some(numbers.compression),
        }
    }

    pub fn walk(&self, walk: &mut dyn Walk) -> Walked {
        match self.numbers {
            Numbers::Real(numbers) => {
                CacheEntry::RECORD.walk(numbers.as_bytes(), self.at(), walk)?;
                self.name.walk(&NAME_LENGTH, &NAME, walk)?;
                self.directory.walk(&DIRECTORY_LENGTH, &DIRECTORY, walk)
            }
            Numbers::Spec(numbers) => {
                self.name.walk(&END, &PATH, walk)?;
                let at = Span::file(self.name.end(), size_of::<PathNumbers>() as u64);
                PathNumbers::RECORD.walk(numbers.as_bytes(), at, walk)
            }
        }
    }
}

/// The head of an archive, before its entries. Data start and size are 0 in the dialect `spec`, which lacks them.
#[derive(Clone, Copy, Debug)]
pub(super) struct CachedPakHeader<'a> {
    pub(super) key: CacheText<'a>,
    /// Nothing in the dialect `spec`.
    pub(super) path: CacheText<'a>,
    pub(super) numbers: PakNumbers,
    /// The place of the numbers.
    pub(super) numbers_at: Span,
}

impl<'a> CachedPakHeader<'a> {
    pub(super) fn read(cursor: &mut Cursor<'a>, form: ArchiveForm) -> Result<CachedPakHeader<'a>> {
        let key = CacheText::read(cursor, form, "key")?;
        if form.is_spec() {
            let numbers_at = cursor.span(size_of::<PakCount>() as u64);
            let count = cursor.record::<PakCount>()?.entry_count.get();
            cursor.expect_items(count.into(), SPEC.shortest, "entries")?;
            let entry_count = I32::new(fit(count.into(), "entry_count")?);
            let zero = I32::new(0);
            let numbers = PakNumbers { entry_count, data_start: zero, file_size: zero };
            return Ok(CachedPakHeader {
                key,
                path: CacheText::none(form, key.end()),
                numbers,
                numbers_at,
            });
        }
        let path = CacheText::read(cursor, form, "path")?;
        let numbers_at = cursor.span(size_of::<PakNumbers>() as u64);
        Ok(CachedPakHeader { key, path, numbers: *cursor.record::<PakNumbers>()?, numbers_at })
    }

    pub(super) fn walk(&self, form: ArchiveForm, walk: &mut dyn Walk) -> Walked {
        if form.is_spec() {
            self.key.walk(&END, &SPEC_KEY, walk)?;
            let count = self.numbers.entry_count.get().to_le_bytes();
            return PakCount::RECORD.walk(&count, self.numbers_at, walk);
        }
        self.key.walk(&KEY_LENGTH, &KEY, walk)?;
        self.path.walk(&LOCATION_LENGTH, &LOCATION, walk)?;
        PakNumbers::RECORD.walk(self.numbers.as_bytes(), self.numbers_at, walk)
    }
}

/// More archives than anyone has; a larger count is no cache.
const MOST_PAKS: u32 = 4096;

/// A longer key or path is no cache.
const LONGEST_PATH: usize = 1024;

/// The form of a cache that starts with `head` and has `len` bytes; `None` for what does not look like one. There is no magic:
/// the first archive has to look like one. Real caches are tried first.
pub(super) fn of_bytes(head: &[u8], len: u64) -> Option<ArchiveForm> {
    let forms = [ArchiveForm::Real, ArchiveForm::Spec];
    forms.into_iter().find(|form| looks_like(*form, head, len).unwrap_or(false))
}

/// Whether the first archive is plausible: its key is the last step of its path or ends in `.pak`, and its numbers fit into
/// the file.
fn looks_like(form: ArchiveForm, head: &[u8], len: u64) -> Result<bool> {
    let mut cursor = Cursor::new(head, Space::FILE, 0);
    let count = match form {
        ArchiveForm::Real => {
            u32::try_from(cursor.record::<CacheHeader>()?.pak_count.get()).unwrap_or(u32::MAX)
        }
        ArchiveForm::Spec => cursor.record::<SpecHeader>()?.pak_count.get(),
    };
    let key = CacheText::read(&mut cursor, form, "key")?.text;
    let mut named = key.to_ascii_lowercase().ends_with(b".pak");
    let mut short = key.len() <= LONGEST_PATH;
    let (entries, mut fit) = match form {
        ArchiveForm::Real => {
            let path = CacheText::read(&mut cursor, form, "path")?.text;
            let numbers = cursor.record::<PakNumbers>()?;
            let last = path.rsplit(|byte| matches!(byte, b'\\' | b'/')).next();
            named |= last == Some(key);
            short &= !key.is_empty() && path.len() <= LONGEST_PATH;
            let fit = numbers.data_start.get() >= 0 && numbers.file_size.get() >= 0;
            (u64::try_from(numbers.entry_count.get()).unwrap_or(u64::MAX), fit)
        }
        ArchiveForm::Spec => {
            let count = cursor.record::<PakCount>()?.entry_count.get();
            (count.into(), !key.iter().any(u8::is_ascii_control))
        }
    };
    fit &= entries.saturating_mul(outline(form).shortest) <= len;
    Ok((1..=MOST_PAKS).contains(&count) && named && short && fit)
}

pub(super) const fn outline(form: ArchiveForm) -> &'static Outline {
    if form.is_spec() { &SPEC } else { &REAL }
}

/// Length of the header in bytes.
pub(super) const fn header_len(form: ArchiveForm) -> u64 {
    outline(form).header.size as u64
}

/// Walks the header.
pub(super) fn walk_header(form: ArchiveForm, bytes: &[u8], walk: &mut dyn Walk) -> Walked {
    let record = outline(form).header;
    let at = Span::file(0, header_len(form));
    let group = spelunk_core::Group::record("header", record, Some(at));
    walk.group(&group, |walk| record.walk(bytes, at, walk))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> Result<(usize, Vec<u8>)> {
        let mut cursor = Cursor::new(bytes, Space::FILE, 0);
        let text = CacheText::read(&mut cursor, ArchiveForm::Real, "s");
        text.map(|text| (text.mark.len(), text.text.to_vec()))
    }

    #[test]
    fn lengths_come_in_groups_of_seven_bits() {
        assert_eq!(text(b"\x02ab").unwrap(), (1, b"ab".to_vec()));
        assert_eq!(text(b"\x82\0ab").unwrap(), (2, b"ab".to_vec()), "a longer way to write 2");
        let mut long = vec![0xac, 0x02];
        long.extend([b'x'; 300]);
        assert_eq!(text(&long).unwrap().1.len(), 300);
        assert_eq!(text(&[0x80; 6]).unwrap_err().code().id, "PD001");
        assert_eq!(text(&[0xff, 0xff, 0xff, 0xff, 0x7f]).unwrap_err().code().id, "SP001");
        assert_eq!(text(&[0x80]).unwrap_err().code().id, "SP001");
    }
}
