//! Claims of an index's rows about chunks, compared with the chunks themselves, and their payloads.

use crate::{
    chunk::{Chunk, ChunkHeader, HEADER_SIZE, KIND_BULK, KIND_MAIN, with_bytes},
    codes,
    compression::{Compression, Decoder},
    hash,
    index::{BulkEntry, Index, IndexEntry, RowError},
    options::Checks,
};
use bytes::Bytes;
use spelunk_core::{
    Code, Error, Result, Severity, Source, Task, Val,
    scalar::{Hash128, U16, U32, U64, Uuid},
};

/// Claim of a row of an index about a chunk.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// The table of the row.
    table: &'static str,
    /// Position of the row there.
    row: usize,
    /// Start of the chunk.
    pub offset: u64,
    /// Stored size of the chunk, with its header.
    pub stored: u64,
    /// Plain size of the payload.
    pub plain: u64,
    /// Compression of the payload.
    pub compression: Compression,
    /// The level at which it was packed.
    level: u8,
    /// Hash of the plain payload.
    pub hash: Hash128,
    /// Kind that the chunk states.
    chunk_kind: u8,
    /// The asset, its payload type and its schema version; unknown for bulk entries without an asset.
    asset: Option<(Uuid, Uuid, u32)>,
}

impl Claim {
    /// Returns the claim of the entry of the asset at the position `row`.
    pub fn of_entry(entry: &IndexEntry, row: usize) -> Claim {
        Claim {
            table: "entries",
            row,
            offset: entry.payload_chunk_offset.get(),
            stored: entry.payload_chunk_size_compressed.get(),
            plain: entry.payload_chunk_size_uncompressed.get(),
            compression: Compression(entry.compression),
            level: entry.level_bytes()[0],
            hash: entry.payload_hash,
            chunk_kind: KIND_MAIN,
            asset: Some(identity(entry)),
        }
    }

    /// Returns the claim of the bulk entry at the position `row`, which belongs to `asset`.
    pub fn of_bulk(bulk: &BulkEntry, asset: Option<&IndexEntry>, row: usize) -> Claim {
        Claim {
            table: "bulk_entries",
            row,
            offset: bulk.chunk_offset.get(),
            stored: bulk.size_compressed.get(),
            plain: bulk.size_uncompressed.get(),
            compression: Compression(bulk.compression),
            level: bulk.level,
            hash: bulk.hash,
            chunk_kind: KIND_BULK,
            asset: asset.map(identity),
        }
    }

    /// Whether the header of the chunk is, byte for byte, what the row says.
    pub(crate) fn agrees(&self, chunk: &Chunk) -> bool {
        let Some((asset_id, payload_type, schema_version)) = self.asset else { return false };
        let bulk = self.chunk_kind == KIND_BULK;
        let said = ChunkHeader {
            asset_id,
            payload_type,
            schema_version: U32::new(if bulk { 0 } else { schema_version }),
            compression: self.compression.0,
            chunk_kind: self.chunk_kind,
            level: U16::new(self.level.into()),
            size_compressed: U64::new(self.stored.wrapping_sub(HEADER_SIZE)),
            size_uncompressed: U64::new(self.plain),
            hash: self.hash,
            ..chunk.header
        };
        said == chunk.header
    }

    /// Reports everything in which the chunk differs from what the row says, and a reserved byte of its
    /// header that is not 0.
    ///
    /// # Errors
    /// What `report` returns.
    pub fn compare(
        &self,
        chunk: &Chunk,
        report: &mut dyn FnMut(Severity, Error) -> Result<()>,
    ) -> Result<()> {
        let header = &chunk.header;
        let bulk = self.chunk_kind == KIND_BULK;
        let mut differ = |severity, code: &'static Code, place: (u64, u64), name, says, is| {
            let same: bool = says == is;
            if same {
                return Ok(());
            }
            let at = chunk.at.part(place.0, place.1);
            report(severity, self.error(code, name).at(at).expected(says).found(is))
        };
        let number = |value: u64| Val::U(value);
        let (wrong, odd) = (Severity::Error, Severity::Info);
        let stored = header.size_compressed.get().saturating_add(HEADER_SIZE);
        differ(
            wrong,
            &codes::STORED_SIZE,
            (48, 8),
            "size_compressed",
            number(self.stored),
            number(stored),
        )?;
        let plain = header.size_uncompressed.get();
        differ(
            wrong,
            &codes::UNPACKED_SIZE,
            (56, 8),
            "size_uncompressed",
            number(self.plain),
            number(plain),
        )?;
        let kinds = (number(self.chunk_kind.into()), number(header.chunk_kind.into()));
        differ(wrong, &codes::CHUNK_KIND, (45, 1), "chunk_kind", kinds.0, kinds.1)?;
        let ids = (number(self.compression.0.into()), number(header.compression.into()));
        differ(wrong, &codes::COMPRESSION, (44, 1), "compression", ids.0, ids.1)?;
        let code = if bulk { &codes::BULK_HASH } else { &codes::ENTRY_HASH };
        differ(wrong, code, (64, 16), "hash", hash_value(self.hash), hash_value(header.hash))?;
        if let Some((asset, payload, schema)) = self.asset {
            let uuid = |uuid: Uuid| Val::Uuid(uuid.0);
            differ(
                wrong,
                &codes::ASSET_ID,
                (8, 16),
                "asset_id",
                uuid(asset),
                uuid(header.asset_id),
            )?;
            let (severity, code) =
                if bulk { (odd, &codes::BULK_TYPE) } else { (wrong, &codes::PAYLOAD_TYPE) };
            differ(
                severity,
                code,
                (24, 16),
                "payload_type",
                uuid(payload),
                uuid(header.payload_type),
            )?;
            let (code, schema) =
                if bulk { (&codes::BULK_TYPE, 0) } else { (&codes::SCHEMA_VERSION, schema) };
            let schemas = (number(schema.into()), number(header.schema_version.get().into()));
            differ(severity, code, (40, 4), "schema_version", schemas.0, schemas.1)?;
        }
        let [level, reserved] = header.level_bytes();
        let levels = (number(self.level.into()), number(level.into()));
        differ(odd, &codes::LEVEL, (46, 1), "level", levels.0, levels.1)?;
        differ(odd, &codes::RESERVED, (47, 1), "level", number(0), number(reserved.into()))
    }

    /// Hash of the plain payload.
    pub(crate) const fn hash(&self) -> Hash128 {
        self.hash
    }

    /// Compares the chunk with what the row says; oddities are passed over.
    ///
    /// # Errors
    /// The first thing in which they differ so that one of them is damaged.
    pub fn check(&self, chunk: &Chunk) -> Result<()> {
        self.compare(chunk, &mut |severity, error| match severity {
            Severity::Error => Err(error),
            _ => Ok(()),
        })
    }

    /// An error about the chunk of this row.
    pub(crate) fn error(&self, code: &'static Code, name: &'static str) -> Error {
        self.locate(Error::new(code).field(name))
    }

    /// Adds the way to the chunk of this row.
    pub(crate) fn locate(&self, error: Error) -> Error {
        error.field("chunk").item(self.table, self.row)
    }
}

fn identity(entry: &IndexEntry) -> (Uuid, Uuid, u32) {
    (entry.asset_id, entry.cooked_payload_type, entry.cooked_schema_version.get())
}

fn hash_value(hash: Hash128) -> Val<'static> {
    Val::Hash(hash.high.get(), hash.low.get())
}

/// Decodes the payload of a chunk and compares its hash. Paths of errors start at the chunk.
///
/// # Errors
/// Those of [`Decoder::decode`], [`codes::PAYLOAD_HASH`]; reading errors.
pub fn check(
    source: &dyn Source,
    chunk: &Chunk,
    decoder: &mut Decoder,
    task: &mut Task<'_>,
) -> Result<()> {
    decode(source, chunk, Checks::All, decoder, task)
}

/// Decodes the payload of a chunk into the decoder.
///
/// # Errors
/// Those of [`check`].
pub(crate) fn decode(
    source: &dyn Source,
    chunk: &Chunk,
    checks: Checks,
    decoder: &mut Decoder,
    task: &mut Task<'_>,
) -> Result<()> {
    with_bytes(source, chunk.payload_at(), task, |stored, task| {
        decode_stored(chunk, stored, checks, decoder, task)
    })
}

/// [`check`] of stored bytes that are at hand.
///
/// # Errors
/// Those of [`check`].
pub(crate) fn check_stored(
    chunk: &Chunk,
    stored: &[u8],
    decoder: &mut Decoder,
    task: &mut Task<'_>,
) -> Result<()> {
    decode_stored(chunk, stored, Checks::All, decoder, task)
}

fn decode_stored(
    chunk: &Chunk,
    stored: &[u8],
    checks: Checks,
    decoder: &mut Decoder,
    task: &mut Task<'_>,
) -> Result<()> {
    let (at, plain_len) = (chunk.payload_at(), chunk.header.size_uncompressed.get());
    let plain = decoder.decode(chunk.compression(), stored, plain_len, at, &mut task.budget)?;
    if checks == Checks::All { check_hash(chunk, plain, task) } else { Ok(()) }
}

/// Reads, decodes and checks the payload of a chunk. Payloads that are not packed are lent.
///
/// # Errors
/// Those of [`check`].
pub fn read(
    source: &dyn Source,
    chunk: &Chunk,
    checks: Checks,
    task: &mut Task<'_>,
) -> Result<Bytes> {
    let at = chunk.payload_at();
    if chunk.compression() == Compression::NONE {
        let stored = source.read(at.start..at.end(), &mut task.budget)?;
        return unpack(chunk, stored, checks, task);
    }
    // A buffer of its own, not the one that is used again: it is handed out.
    let mut decoder = Decoder::default();
    let result = decode(source, chunk, checks, &mut decoder, task);
    hand_out(chunk, decoder, result, task)
}

/// Decodes and checks the stored payload of a chunk. A payload that is not packed is handed back.
///
/// # Errors
/// Those of [`check`].
pub fn unpack(chunk: &Chunk, stored: Bytes, checks: Checks, task: &mut Task<'_>) -> Result<Bytes> {
    let (at, compression) = (chunk.payload_at(), chunk.compression());
    let mut decoder = Decoder::default();
    let len = chunk.header.size_uncompressed.get();
    let plain = decoder.decode(compression, &stored, len, at, &mut task.budget);
    let result = plain.and_then(|plain| match checks {
        Checks::All => check_hash(chunk, plain, task),
        Checks::IndexOnly => Ok(()),
    });
    if compression == Compression::NONE {
        return result.map(|()| stored);
    }
    hand_out(chunk, decoder, result, task)
}

fn hand_out(
    chunk: &Chunk,
    decoder: Decoder,
    result: Result<()>,
    task: &mut Task<'_>,
) -> Result<Bytes> {
    match result {
        Ok(()) => Ok(decoder.into_plain(chunk.header.size_uncompressed.get()).into()),
        Err(error) => {
            decoder.release(&mut task.budget);
            Err(error)
        }
    }
}

/// Compares the hash of a plain payload.
///
/// # Errors
/// [`codes::PAYLOAD_HASH`]; [`STEPS`](spelunk_core::codes::STEPS).
pub(crate) fn check_hash(chunk: &Chunk, plain: &[u8], task: &mut Task<'_>) -> Result<()> {
    task.budget.touch(plain.len() as u64)?;
    compare_hash(chunk, hash::hash128(plain).get())
}

/// Compares the hash that the chunk states with the one that its plain payload has.
///
/// # Errors
/// [`codes::PAYLOAD_HASH`].
pub(crate) fn compare_hash(chunk: &Chunk, found: u128) -> Result<()> {
    let found = Hash128::new(found);
    if found == chunk.header.hash {
        return Ok(());
    }
    Err(Error::new(&codes::PAYLOAD_HASH)
        .at(chunk.at.part(64, 16))
        .field("hash")
        .expected(hash::text(found))
        .found(hash::text(chunk.header.hash)))
}

/// A row of one of several indexes that names a chunk.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RowRef {
    /// Start of the chunk.
    pub offset: u64,
    /// Number of the index.
    pub index: u32,
    /// Position of the entry, or of the bulk entry behind all entries.
    pub row: u32,
}

/// The rows of some indexes in the order of their chunks in the file. They stay charged.
///
/// # Errors
/// [`MEMORY`](spelunk_core::codes::MEMORY), [`STEPS`](spelunk_core::codes::STEPS).
pub fn rows(indexes: &[&Index], task: &mut Task<'_>) -> Result<Vec<RowRef>> {
    let len = |index: &&Index| index.entries().len().saturating_add(index.bulk().len()) as u64;
    let count = indexes.iter().map(len).fold(0, u64::saturating_add);
    task.budget.steps(count)?;
    let mut rows = task.budget.vec::<RowRef>(count)?;
    for (number, index) in (0_u32..).zip(indexes) {
        let entries = index.entries().iter().map(|entry| entry.payload_chunk_offset.get());
        let bulk = index.bulk().iter().map(|bulk| bulk.chunk_offset.get());
        let all = (0_u32..).zip(entries.chain(bulk));
        rows.extend(all.map(|(row, offset)| RowRef { offset, index: number, row }));
    }
    rows.sort_unstable();
    Ok(rows)
}

/// Returns the claim of the row that is meant; `owner` is the position of the asset of each bulk entry.
pub fn claim(index: &Index, row: u32, owner: impl Fn(usize) -> Option<usize>) -> Option<Claim> {
    let row = usize::try_from(row).ok()?;
    if let Some(entry) = index.entries().get(row) {
        return Some(Claim::of_entry(entry, row));
    }
    let row = row.checked_sub(index.entries().len())?;
    let bulk = index.bulk().get(row)?;
    let asset = owner(row).and_then(|asset| index.entries().get(asset));
    Some(Claim::of_bulk(bulk, asset, row))
}
