//! Chunks: an 80-byte header and the stored payload behind it.

use crate::{
    codes,
    compression::{Codec, Compression},
    limits::FormatLimits,
};
use spelunk_core::{Error, Result, Source, Span, Task, cursor::Cursor, record};
use std::io;

pub use crate::limits::MAX_CHUNK_SIZE as MAX_SIZE;

/// The first four bytes of a chunk.
pub const MAGIC: [u8; 4] = *b"CHNK";
/// Size of a chunk's header in bytes. Sizes in index and bulk entries include it, those in the chunk's
/// own header do not.
pub const HEADER_SIZE: u64 = size_of::<ChunkHeader>() as u64;
/// Chunk kind of a main payload.
pub const KIND_MAIN: u8 = 0;
/// Chunk kind of a bulk payload.
pub const KIND_BULK: u8 = 1;

record! {
    /// The header of a chunk.
    pub struct ChunkHeader: "chunk", "docs/formats/snpak.md#3-chunk", 80 {
        /// Always `CHNK`.
        magic: Text<4>,
        /// 1.
        version: U32,
        /// The asset that the chunk belongs to.
        asset_id: Uuid,
        /// Type of the payload.
        payload_type: Uuid,
        /// Version of the payload's own format; normally 0 in bulk chunks.
        schema_version: U32,
        /// Compression of the payload.
        compression: U8 { values: crate::compression::VALUES },
        /// 0 main payload, 1 bulk.
        chunk_kind: U8 { values: &[(0, "main"), (1, "bulk")] },
        /// The level at which the payload was packed.
        level: U16 { values: crate::compression::LEVELS, parts: crate::compression::LEVEL },
        /// Stored size of the payload, without the chunk's header.
        size_compressed: U64 { unit: "bytes" },
        /// Plain size.
        size_uncompressed: U64 { unit: "bytes" },
        /// XXH3-128 of the plain payload.
        hash: Hash128,
    }
}

impl ChunkHeader {
    /// The level byte, and the reserved one behind it.
    pub const fn level_bytes(&self) -> [u8; 2] {
        self.level.get().to_le_bytes()
    }
}

/// A chunk whose header is sound and whose stored payload lies inside the pack.
#[derive(Clone, Copy, Debug)]
pub struct Chunk {
    /// Place of the whole chunk.
    pub at: Span,
    /// Header of the chunk.
    pub header: ChunkHeader,
}

impl Chunk {
    /// Reads the header of the chunk at `offset` of a pack of `size` bytes.
    ///
    /// # Errors
    /// [`codes::CHUNK_RANGE`], [`codes::CHUNK_MAGIC`], [`codes::CHUNK_VERSION`],
    /// [`codes::CHUNK_LIMIT`]; reading errors.
    pub fn read(source: &dyn Source, offset: u64, size: u64, task: &mut Task<'_>) -> Result<Chunk> {
        Chunk::read_within(source, offset, size, &FormatLimits::CURRENT, task)
    }

    /// [`Chunk::read`] with other limits than the usual ones.
    ///
    /// # Errors
    /// Those of [`Chunk::read`].
    pub fn read_within(
        source: &dyn Source,
        offset: u64,
        size: u64,
        limits: &FormatLimits,
        task: &mut Task<'_>,
    ) -> Result<Chunk> {
        task.budget.steps(1)?;
        let place = Chunk::place(offset, size)?;
        with_bytes(source, place, task, |bytes, _| Chunk::parse(bytes, place, size, limits))
    }

    /// The chunk at `offset` of a pack of `size` bytes that are in memory from the first to the last.
    ///
    /// # Errors
    /// Those of [`Chunk::read`].
    pub(crate) fn of_whole(
        bytes: &[u8],
        offset: u64,
        size: u64,
        limits: &FormatLimits,
    ) -> Result<Chunk> {
        let place = Chunk::place(offset, size)?;
        let header = usize::try_from(offset).ok().and_then(|at| bytes.get(at..));
        Chunk::parse(header.unwrap_or_default(), place, size, limits)
    }

    /// Returns the place of the header of the chunk at `offset`.
    fn place(offset: u64, size: u64) -> Result<Span> {
        let place = Span::file(offset, HEADER_SIZE);
        if place.end() > size || offset.checked_add(HEADER_SIZE).is_none() {
            return Err(range_error(Span::file(offset, 0), HEADER_SIZE, size));
        }
        Ok(place)
    }

    /// The chunk whose first bytes these are.
    pub(crate) fn parse(
        bytes: &[u8],
        place: Span,
        size: u64,
        limits: &FormatLimits,
    ) -> Result<Chunk> {
        let header: ChunkHeader = *Cursor::new(bytes, place.space, place.start).record()?;
        Chunk::check(&header, place, size, limits)?;
        let len = HEADER_SIZE.saturating_add(header.size_compressed.get());
        Ok(Chunk { at: place.part(0, len), header })
    }

    fn check(header: &ChunkHeader, place: Span, size: u64, limits: &FormatLimits) -> Result<()> {
        if header.magic.0 != MAGIC {
            return Err(Error::new(&codes::CHUNK_MAGIC)
                .at(place.part(0, 4))
                .field("magic")
                .expected("\"CHNK\"")
                .found(format!("\"{}\"", header.magic.0.escape_ascii())));
        }
        if header.version.get() != crate::header::VERSION {
            return Err(Error::new(&codes::CHUNK_VERSION)
                .at(place.part(4, 4))
                .field("version")
                .expected(crate::header::VERSION)
                .found(header.version.get()));
        }
        let stored = header.size_compressed.get();
        for (at, name, value) in [
            (48, "size_compressed", stored),
            (56, "size_uncompressed", header.size_uncompressed.get()),
        ] {
            if value > limits.block_size {
                return Err(Error::new(&codes::CHUNK_LIMIT)
                    .at(place.part(at, 8))
                    .field(name)
                    .expected(format!("at most {} bytes", limits.block_size))
                    .found(format!("{value} bytes")));
            }
        }
        if place.end().checked_add(stored).is_none_or(|end| end > size) {
            return Err(range_error(place.part(48, 8), stored, size).field("size_compressed"));
        }
        Ok(())
    }

    /// Returns the place of the stored payload.
    pub fn payload_at(&self) -> Span {
        self.at.part(HEADER_SIZE, self.header.size_compressed.get())
    }

    /// Returns the compression of the payload.
    pub const fn compression(&self) -> Compression {
        Compression(self.header.compression)
    }

    /// Returns the compression of the payload, and the level at which it was packed.
    pub const fn codec(&self) -> Codec {
        let [level, _] = self.header.level_bytes();
        Codec { compression: self.compression(), level }
    }
}

#[cold]
fn range_error(at: Span, len: u64, size: u64) -> Error {
    Error::new(&codes::CHUNK_RANGE)
        .at(at)
        .expected(format!("an end at {size:#x} or before"))
        .found(format!("{len} bytes from {:#x}", at.start))
}

/// Lends the bytes of `at` to `use_them`. What had to be read for that is given back to the budget.
///
/// # Errors
/// Reading errors, and those of `use_them`.
pub fn with_bytes<T, E: From<Error>>(
    source: &dyn Source,
    at: Span,
    task: &mut Task<'_>,
    use_them: impl FnOnce(&[u8], &mut Task<'_>) -> std::result::Result<T, E>,
) -> std::result::Result<T, E> {
    let before = task.budget.left().memory;
    let bytes = source.read(at.start..at.end(), &mut task.budget)?;
    let taken = before.saturating_sub(task.budget.left().memory);
    let result = use_them(&bytes, task);
    drop(bytes);
    task.budget.release(taken);
    result
}

/// Number of bytes that are copied at a time where the source does not lend them.
const WINDOW: u64 = 1 << 20;

/// Copies the bytes of `at` to `out`.
///
/// # Errors
/// Limits; reading and writing errors.
pub fn copy(
    source: &dyn Source,
    at: Span,
    out: &mut dyn io::Write,
    task: &mut Task<'_>,
) -> Result<()> {
    let mut done = 0;
    while done < at.len {
        let part = at.part(done, at.len.saturating_sub(done).min(WINDOW));
        task.budget.steps(1)?;
        with_bytes(source, part, task, |bytes, _| Ok::<_, Error>(out.write_all(bytes)?))?;
        done = done.saturating_add(part.len);
    }
    Ok(())
}
