//! The string table: one pool for asset names, variants and dependency names.

pub use crate::limits::MAX_STRINGS;
use crate::{codes, hash, limits::FormatLimits};
use bytes::Bytes;
use spelunk_core::{
    Error, Result, Source, Span, Task, cursor::Cursor, place::Space, record, scalar::Chars,
};
use std::ffi::CStr;
use zerocopy::{
    FromBytes, IntoBytes,
    little_endian::{U32, U64},
};

/// The first four bytes of a string table.
pub const MAGIC: [u8; 4] = *b"STRS";
/// The string id that means "no string".
pub const NO_STRING: u32 = u32::MAX;
/// Size of the block's header in bytes.
pub const BLOCK_HEADER_SIZE: u64 = size_of::<StringsHeader>() as u64;

record! {
    /// The header of a string table.
    pub struct StringsHeader: "string_table_header", "docs/formats/snpak.md#2-string-table", 40 {
        /// Always `STRS`.
        magic: Text<4>,
        /// 1.
        version: U32,
        /// Size of the whole block: this header, the offsets and the data.
        block_size: U64 { unit: "bytes" },
        /// Number of strings.
        string_count: U32,
        /// Zero.
        reserved0: U32,
        /// XXH3-128 of the string data, without header and offsets.
        hash: Hash128,
    }
}

/// A string table as it lies in the file. Strings are views of its bytes.
#[derive(Clone, Debug)]
pub struct StringTable {
    at: Span,
    header: StringsHeader,
    bytes: Bytes,
    data_start: usize,
}

impl StringTable {
    /// Reads the string table that lies at `at` and checks all but its hash: every string lies inside
    /// the data and ends with a NUL.
    ///
    /// # Errors
    /// [`codes::STRINGS_MAGIC`], [`codes::STRINGS_VERSION`], [`codes::STRINGS_SIZE`],
    /// [`codes::STRING_COUNT`], [`codes::STRING_OFFSET`]; reading errors.
    pub fn read(source: &dyn Source, at: Span, task: &mut Task<'_>) -> Result<StringTable> {
        StringTable::read_within(source, at, &FormatLimits::CURRENT, task)
    }

    /// [`StringTable::read`] with other limits than the usual ones.
    ///
    /// # Errors
    /// Those of [`StringTable::read`].
    pub fn read_within(
        source: &dyn Source,
        at: Span,
        limits: &FormatLimits,
        task: &mut Task<'_>,
    ) -> Result<StringTable> {
        if at.len < BLOCK_HEADER_SIZE {
            return Err(size_error(at, BLOCK_HEADER_SIZE, at.len));
        }
        let bytes = source.read(at.start..at.end(), &mut task.budget)?;
        let mut cursor = Cursor::new(&bytes, at.space, at.start);
        let header: StringsHeader = *cursor.record()?;
        header.check(at, limits)?;
        let offsets = u64::from(header.string_count.get()).saturating_mul(4);
        let data_start = BLOCK_HEADER_SIZE.saturating_add(offsets);
        let data_start = usize::try_from(data_start)
            .ok()
            .filter(|start| *start <= bytes.len())
            .ok_or_else(|| size_error(at, data_start, at.len))?;
        let table = StringTable { at, header, bytes, data_start };
        task.budget.steps(offsets >> 2)?;
        table.check_offsets()?;
        Ok(table)
    }

    /// A table without strings, for an index whose own table is lost. It lies in no file.
    pub(crate) fn lost() -> StringTable {
        let header = StringsHeader {
            magic: Chars(MAGIC),
            version: U32::new(crate::header::VERSION),
            block_size: U64::new(BLOCK_HEADER_SIZE),
            string_count: U32::new(0),
            reserved0: U32::new(0),
            hash: hash::hash128(b""),
        };
        let bytes = Bytes::copy_from_slice(header.as_bytes());
        let at = Span::new(Space::section("lost"), 0, BLOCK_HEADER_SIZE);
        StringTable { at, header, data_start: bytes.len(), bytes }
    }

    /// Every string starts before the last NUL of the data, so every string has its NUL.
    fn check_offsets(&self) -> Result<()> {
        let last_nul = self.data().iter().rposition(|byte| *byte == 0);
        let bad = |offset: &U32| last_nul.is_none_or(|nul| u64::from(offset.get()) > nul as u64);
        match self.offsets().iter().position(bad) {
            None => Ok(()),
            Some(index) => {
                let place = BLOCK_HEADER_SIZE.saturating_add((index as u64).saturating_mul(4));
                let found = self.offsets().get(index).map_or(0, |offset| offset.get());
                Err(Error::new(&codes::STRING_OFFSET)
                    .at(self.at.part(place, 4))
                    .within(spelunk_core::Seg::Index(index as u64))
                    .field("offsets")
                    .expected(match last_nul {
                        Some(nul) => format!("at most {nul}, where the last NUL is"),
                        None => "string data with a NUL".to_owned(),
                    })
                    .found(found))
            }
        }
    }

    /// Compares the stored hash of the data.
    ///
    /// # Errors
    /// [`codes::STRINGS_HASH`]; [`STEPS`](spelunk_core::codes::STEPS).
    pub fn check_hash(&self, task: &mut Task<'_>) -> Result<()> {
        let data = self.data();
        task.budget.touch(data.len() as u64)?;
        let found = hash::hash128(data);
        if found == self.header.hash {
            return Ok(());
        }
        Err(Error::new(&codes::STRINGS_HASH)
            .at(self.at.part(24, 16))
            .field("hash")
            .expected(hash::text(found))
            .found(hash::text(self.header.hash)))
    }

    /// Returns the place of the table.
    pub const fn at(&self) -> Span {
        self.at
    }

    /// Returns the header of the table.
    pub const fn header(&self) -> &StringsHeader {
        &self.header
    }

    /// The whole block as stored.
    pub const fn block(&self) -> &Bytes {
        &self.bytes
    }

    /// Number of strings.
    pub const fn count(&self) -> u32 {
        self.header.string_count.get()
    }

    /// Returns the start of each string in [`StringTable::data`].
    pub fn offsets(&self) -> &[U32] {
        let start = BLOCK_HEADER_SIZE as usize;
        let bytes = self.bytes.get(start..self.data_start).unwrap_or_default();
        <[U32]>::ref_from_bytes(bytes).unwrap_or_default()
    }

    /// The strings, each with its NUL.
    pub fn data(&self) -> &[u8] {
        self.bytes.get(self.data_start..).unwrap_or_default()
    }

    /// Returns the place of [`StringTable::data`].
    pub fn data_at(&self) -> Span {
        let start = self.data_start as u64;
        self.at.part(start, self.at.len.saturating_sub(start))
    }

    /// The string of this id, without its NUL; `None` for [`NO_STRING`] and ids out of range.
    pub fn get(&self, id: u32) -> Option<&[u8]> {
        let start = self.offsets().get(usize::try_from(id).ok()?)?.get();
        let rest = self.data().get(usize::try_from(start).ok()?..)?;
        CStr::from_bytes_until_nul(rest).ok().map(CStr::to_bytes)
    }
}

impl StringTable {
    /// [`StringTable::get`] as a part of the table, without a copy.
    pub fn shared(&self, id: u32) -> Option<Bytes> {
        self.get(id).map(|string| self.bytes.slice_ref(string))
    }
}

impl StringsHeader {
    fn check(&self, at: Span, limits: &FormatLimits) -> Result<()> {
        if self.magic.0 != MAGIC {
            return Err(Error::new(&codes::STRINGS_MAGIC)
                .at(at.part(0, 4))
                .field("magic")
                .expected("\"STRS\"")
                .found(format!("\"{}\"", self.magic.0.escape_ascii())));
        }
        if self.version.get() != crate::header::VERSION {
            return Err(Error::new(&codes::STRINGS_VERSION)
                .at(at.part(4, 4))
                .field("version")
                .expected(crate::header::VERSION)
                .found(self.version.get()));
        }
        if self.block_size.get() != at.len {
            return Err(size_error(at, at.len, self.block_size.get()));
        }
        if self.string_count.get() > limits.string_count {
            return Err(Error::new(&codes::STRING_COUNT)
                .at(at.part(16, 4))
                .field("string_count")
                .expected(format!("at most {}", limits.string_count))
                .found(self.string_count.get()));
        }
        Ok(())
    }
}

#[cold]
fn size_error(at: Span, expected: u64, found: u64) -> Error {
    Error::new(&codes::STRINGS_SIZE)
        .at(at.part(8, 8))
        .field("block_size")
        .expected(format!("{expected} bytes"))
        .found(format!("{found} bytes"))
}

/// Looks for the string table that ends exactly at `end`, not before `from`, without its hash being
/// checked. Complete appends put theirs there.
///
/// # Errors
/// Reading errors; [`STEPS`](spelunk_core::codes::STEPS).
pub fn ending_at(
    source: &dyn Source,
    from: u64,
    end: u64,
    task: &mut Task<'_>,
) -> Result<Option<Span>> {
    /// Number of bytes that are searched at a time.
    const WINDOW: u64 = 1 << 16;
    // The header of a table that ends at `end` starts at least its size before that.
    let Some(mut upper) = end.checked_sub(BLOCK_HEADER_SIZE).filter(|upper| *upper >= from) else {
        return Ok(None);
    };
    loop {
        let lower = upper.saturating_sub(WINDOW).max(from);
        // Each window reaches into the one before it by the size of a header.
        let reach = upper.saturating_add(BLOCK_HEADER_SIZE).min(end);
        task.budget.touch(reach.saturating_sub(lower))?;
        let before = task.budget.left().memory;
        let window = source.read(lower..reach, &mut task.budget)?;
        let size_here = |at: usize| {
            let head = window.get(at..at.saturating_add(16))?;
            let size = head.starts_with(&MAGIC).then(|| head.last_chunk().copied())??;
            lower.checked_add(at as u64)?.checked_add(u64::from_le_bytes(size))
        };
        let found = (0..window.len()).rev().find(|at| size_here(*at) == Some(end));
        task.budget.release(before.saturating_sub(task.budget.left().memory));
        if let Some(found) = found {
            let start = lower.saturating_add(found as u64);
            return Ok(Some(Span::file(start, end.saturating_sub(start))));
        }
        if lower == from {
            return Ok(None);
        }
        upper = lower;
    }
}
