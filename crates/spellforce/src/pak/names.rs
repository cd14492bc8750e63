//! The name table of an archive (`docs/formats/pak.md#3-name-table`).
//!
//! Names and directories are stored reversed and end with a NUL. A directory that is a prefix of another
//! one points into the end of its reversed text.

use super::{entry::PakEntry, hash::Hashed, path::lower};
use spelunk_core::{
    Budget, Field, Group, Record, Result, Space, Span, Ty, Val, Walk, Walked, cursor::Cursor,
};
use std::cmp::Reverse;

/// Bytes of the hash in front of a name.
const HASH: usize = 2;

static TABLE: Record = Record::group(
    "names",
    "docs/formats/pak.md#3-name-table",
    "Names of files and directories, reversed.",
);
static NAME: Record =
    Record::group("name", "docs/formats/pak.md#3-name-table", "The name of one file.");
static DIRECTORY: Record = Record::group(
    "directory",
    "docs/formats/pak.md#3-name-table",
    "A directory, and every directory that is a prefix of it.",
);
static HASH_FIELD: Field =
    Field::new("hash", Ty::Bytes, "The hash of the whole path, high byte first.");
static REVERSED: Field = Field::new("reversed", Ty::Text, "The text, last byte first.");
static END: Field = Field::new("end", Ty::U8, "The NUL behind the text.");
static UNREFERENCED: Field =
    Field::new("unreferenced", Ty::Bytes, "Bytes of the name table that no entry points to.");

/// Start and end of a text in the table, and whether it is a name.
type TextSpan = (u32, Reverse<u32>, bool);

/// The name table.
#[derive(Clone, Copy, Debug)]
pub struct NameTable<'a> {
    table: &'a [u8],
    /// The table up to its last NUL. A text that starts behind it has no end.
    readable: usize,
}

/// Length of a name table up to its last NUL.
pub(super) fn readable(table: &[u8]) -> usize {
    table.iter().rposition(|byte| *byte == 0).map_or(0, |last| last.saturating_add(1))
}

impl<'a> NameTable<'a> {
    /// The names of `table`, of which so much is [`readable`].
    pub(super) const fn new(table: &'a [u8], readable: usize) -> NameTable<'a> {
        NameTable { table, readable }
    }

    /// The reversed text at `start`, without its NUL, and its hash.
    fn text(self, start: usize) -> Option<Hashed<'a>> {
        Hashed::until_nul(self.table.get(start..self.readable)?)
    }

    /// As [`NameTable::reversed_name`], with its hash.
    pub(super) fn hashed_name(self, entry: &PakEntry) -> Option<Hashed<'a>> {
        self.text(entry.name_at().checked_add(HASH)?)
    }

    /// As [`NameTable::reversed_directory`], with its hash.
    pub(super) fn hashed_directory(self, entry: &PakEntry) -> Option<Hashed<'a>> {
        self.text(entry.directory_at())
    }

    /// Whether an entry has this reversed name, whatever the case of its letters.
    pub(super) fn has_name(self, entry: &PakEntry, name: &[u8]) -> bool {
        self.has_text(entry.name_at().saturating_add(HASH), name)
    }

    /// Whether an entry has this reversed directory, whatever the case of its letters.
    pub(super) fn has_directory(self, entry: &PakEntry, directory: &[u8]) -> bool {
        self.has_text(entry.directory_at(), directory)
    }

    fn has_text(self, start: usize, text: &[u8]) -> bool {
        let there = self.table.get(start..start.saturating_add(text.len()).saturating_add(1));
        there.and_then(<[u8]>::split_last).is_some_and(|(end, there)| {
            *end == 0 && there.iter().zip(text).all(|(a, b)| lower(*a) == *b)
        })
    }

    /// The name of an entry's file, reversed as it is stored. `None` where it lies outside the table or
    /// no NUL ends it.
    pub fn reversed_name(self, entry: &PakEntry) -> Option<&'a [u8]> {
        Some(self.hashed_name(entry)?.text)
    }

    /// Whether the table can hold this reversed name, whatever the case of its letters. Much cheaper than looking at all names,
    /// and right where it says no: it looks for four of the bytes, the NUL among them, at their distances.
    pub(super) fn may_hold(self, name: &[u8]) -> bool {
        /// So much is looked at before it is asked whether something was found.
        const STEP: usize = 1024;
        /// Letters that differ in this bit alone are taken for the same one.
        const CASE: u8 = 0x20;
        let len = name.len();
        let quarters = [1, 2, 3].map(|nth| len.saturating_mul(nth) / 4);
        let Some([Some(a), Some(b), Some(c)]) =
            (!name.is_empty()).then(|| quarters.map(|at| name.get(at).map(|byte| byte | CASE)))
        else {
            return true;
        };
        let from = |at: usize| self.table.get(at..).unwrap_or_default().chunks(STEP);
        let [first, second, third] = quarters.map(from);
        first.zip(second).zip(third.zip(from(len))).any(|((first, second), (third, end))| {
            let bytes = first.iter().zip(second).zip(third.iter().zip(end));
            bytes.fold(false, |found, ((x, y), (z, end))| {
                found | (x | CASE == a) & (y | CASE == b) & (z | CASE == c) & (*end == 0)
            })
        })
    }

    /// The hash that is stored with an entry's name.
    pub fn hash(self, entry: &PakEntry) -> Option<u16> {
        self.table.get(entry.name_at()..)?.first_chunk().copied().map(u16::from_be_bytes)
    }

    /// An entry's directory, reversed as it is stored; as [`NameTable::reversed_name`].
    pub fn reversed_directory(self, entry: &PakEntry) -> Option<&'a [u8]> {
        Some(self.hashed_directory(entry)?.text)
    }

    /// The bytes of an entry's path, `directory\name`, last byte first; `None` where one of the two
    /// cannot be read.
    pub fn reversed_path(
        self,
        entry: &PakEntry,
    ) -> Option<impl DoubleEndedIterator<Item = u8> + Clone + use<'a>> {
        let name = self.reversed_name(entry)?;
        let directory = self.reversed_directory(entry)?;
        let separator: &[u8] = if directory.is_empty() { b"" } else { b"\\" };
        Some(name.iter().chain(separator).chain(directory).copied())
    }

    /// Walks the table, which lies at `at`, in the order of its bytes.
    pub(super) fn walk(
        self,
        entries: &[PakEntry],
        at: Span,
        budget: &mut Budget,
        walk: &mut dyn Walk,
    ) -> Walked {
        let texts = self.texts(entries, budget)?;
        let taken = (texts.capacity() as u64).saturating_mul(size_of::<TextSpan>() as u64);
        let walked = self.walk_texts(texts, at, walk);
        budget.release(taken);
        walked
    }

    fn walk_texts(self, texts: Vec<TextSpan>, at: Span, walk: &mut dyn Walk) -> Walked {
        walk.group(&Group::list("names", &TABLE, Some(at)), |walk| {
            let mut cursor = Cursor::new(self.table, Space::FILE, at.start);
            let mut nth = 0_usize;
            for (start, Reverse(end), is_name) in texts {
                let (start, end) = (start as usize, end as usize);
                unreferenced(&mut cursor, start, walk)?;
                if cursor.position() > start {
                    // The tail of the directory before it, or, in a damaged table, a text that starts
                    // inside another one and ends behind it.
                    unreferenced(&mut cursor, end, walk)?;
                    continue;
                }
                let record = if is_name { &NAME } else { &DIRECTORY };
                let len = end.saturating_sub(start);
                let group = Group::item(nth, record, Some(cursor.span(len as u64)));
                nth = nth.saturating_add(1);
                walk.group(&group, |walk| {
                    let hash = if is_name { HASH } else { 0 };
                    if is_name {
                        bytes(&HASH_FIELD, &mut cursor, hash, walk)?;
                    }
                    bytes(
                        &REVERSED,
                        &mut cursor,
                        len.saturating_sub(hash).saturating_sub(1),
                        walk,
                    )?;
                    bytes(&END, &mut cursor, 1, walk)
                })?;
                // Walkers that skip the group have not moved the cursor.
                let rest = end.saturating_sub(cursor.position());
                cursor.bytes(rest, "reversed")?;
            }
            unreferenced(&mut cursor, self.table.len(), walk)
        })
    }

    /// Every text that an entry points to, by start, longest first.
    fn texts(self, entries: &[PakEntry], budget: &mut Budget) -> Result<Vec<TextSpan>> {
        let mut texts = budget.vec((entries.len() as u64).saturating_mul(2))?;
        let mut add = |start: usize, len: usize, is_name| {
            // The table ends below the data start, a number of 32 bits.
            let end = start.saturating_add(len).saturating_add(1);
            texts.push((start as u32, Reverse(end as u32), is_name));
        };
        for entry in entries {
            if let Some(name) = self.reversed_name(entry) {
                add(entry.name_at(), name.len().saturating_add(HASH), true);
            }
            if let Some(directory) = self.reversed_directory(entry) {
                add(entry.directory_at(), directory.len(), false);
            }
        }
        texts.sort_unstable();
        texts.dedup();
        Ok(texts)
    }
}

/// Walks the bytes up to `end` as ones that nothing points to.
fn unreferenced(cursor: &mut Cursor<'_>, end: usize, walk: &mut dyn Walk) -> Walked {
    match end.checked_sub(cursor.position()) {
        None | Some(0) => Ok(()),
        Some(len) => bytes(&UNREFERENCED, cursor, len, walk),
    }
}

fn bytes(
    field: &'static Field,
    cursor: &mut Cursor<'_>,
    len: usize,
    walk: &mut dyn Walk,
) -> Walked {
    let at = cursor.span(len as u64);
    let value = match field.ty {
        Ty::U8 => Val::U(cursor.u8(field.name)?.into()),
        ty => ty.decode(cursor.bytes(len, field.name)?),
    };
    walk.field(field, Some(at), value)
}
