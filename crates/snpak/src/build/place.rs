//! Chunks: which are put, which stay, and what the tables say of them then.

use super::{
    asset::{Asset, PackedBytes, Payload, PayloadOrigin, StoredChunk},
    lay::{Lay, Row, Target},
    pipeline,
};
use crate::{
    Compression,
    chunk::{self, Chunk, ChunkHeader, HEADER_SIZE, KIND_BULK, KIND_MAIN, with_bytes},
    codes,
    compression::Codec,
    index::RowError,
    pack::Pack,
    payload,
};
use bytes::Bytes;
use spelunk_core::{
    Error, Result, Span,
    scalar::{Chars, U16, U32, U64, Uuid},
};
use std::collections::{HashMap, VecDeque};
use zerocopy::IntoBytes;

/// Number of bytes that are copied at a time.
const WINDOW: u64 = 1 << 20;
/// The largest payload that the first readers load.
const SEED_MAX_SIZE: u64 = 1_000_000_000;

/// A chunk that is to be laid: what its header is to say.
struct PendingChunk {
    asset_id: Uuid,
    payload_type: Uuid,
    schema_version: u32,
    kind: u8,
    /// Whether a row of the base that is kept names it.
    kept: bool,
    /// The row of the base that the asset was made of.
    row: Option<u32>,
    /// Position of the asset.
    asset: usize,
}

/// Place of a chunk that several rows name, and the identity that its header states.
type SharedChunk = Option<(u64, ChunkIdentity)>;
/// Asset, payload type, schema version, kind.
type ChunkIdentity = (Uuid, Uuid, u32, u8);

impl PendingChunk {
    fn identity(&self) -> ChunkIdentity {
        (self.asset_id, self.payload_type, self.schema_version, self.kind)
    }

    fn locate(&self, error: Error) -> Error {
        error.item("assets", self.asset)
    }
}

impl Lay<'_, '_, '_> {
    /// Puts the chunks and gives what the tables say of them, in their order.
    pub(super) fn chunks(&mut self, rows: &mut [Row]) -> Result<VecDeque<StoredChunk>> {
        let (base, stays) = (self.base, self.stays);
        let mut shared = self.shared()?;
        let mut placed = Vec::new();
        let threads = self.options.threads.or(self.task.threads);
        let looked_at = |row: &Row| !stays || matches!(row, Row::Asset(_));
        let rows = rows.iter_mut().enumerate().filter(|(_, row)| looked_at(row));
        let jobs = rows.flat_map(|(nth, row)| jobs(nth, row, base));
        let mut failed = None;
        let mut jobs = jobs.map_while(|job| job.map_err(|error| failed = Some(error)).ok());
        let memory = pipeline::memory_for(threads, self.task.budget.left().memory);
        self.task.budget.memory(memory)?;
        pipeline::run(
            &mut jobs,
            threads,
            memory,
            &mut |wanted: PendingChunk, done| {
                let at = match done {
                    Ok(packed) => self.put_packed(&wanted, packed)?,
                    Err(kept) => match shared.get_mut(&kept.offset) {
                        Some(Some((offset, identity))) if *identity == wanted.identity() => {
                            StoredChunk { offset: *offset, ..self.converted(kept) }
                        }
                        place => {
                            let at = self.put_kept(&wanted, kept)?;
                            if let Some(place) = place {
                                *place = Some((at.offset, wanted.identity()));
                            }
                            at
                        }
                    },
                };
                // Rows may share chunks, so that there is more of this than of the pack.
                self.task.budget.room(&mut placed, 1)?;
                placed.push(at);
                Ok(())
            },
            &|wanted, error| wanted.locate(error.field("payload")),
        )?;
        self.task.budget.release(memory);
        drop(jobs);
        failed.map_or(Ok(placed.into()), Err)
    }

    /// Chunks that several rows name, which are copied once where the rows say the same of them.
    fn shared(&mut self) -> Result<HashMap<u64, SharedChunk>> {
        let Some(base) = self.base.filter(|_| !self.stays) else { return Ok(HashMap::new()) };
        let rows = payload::rows(&[base.index()], self.task)?;
        let same = rows.windows(2).filter_map(|pair| match pair {
            [a, b] if a.offset == b.offset => Some((a.offset, None)),
            _ => None,
        });
        let shared: HashMap<u64, SharedChunk> = same.collect();
        let held = (rows.capacity() as u64).saturating_mul(size_of::<payload::RowRef>() as u64);
        drop(rows);
        self.task.budget.release(held);
        Ok(shared)
    }

    /// Returns the codec that a chunk is stored with for the wanted readers.
    fn codec(&self, codec: Codec) -> Codec {
        match (self.options.target, codec.compression) {
            (Target::Compat, Compression::LZ4_HC) => Codec::new(Compression::LZ4),
            (Target::Compat, Compression::ZSTD_FAST) => Codec::new(Compression::ZSTD),
            (Target::Compat, compression) => Codec::new(compression),
            _ => codec,
        }
    }

    /// Returns a kept chunk as it is stored for the wanted readers; unconverted where the base stays.
    fn converted(&self, kept: StoredChunk) -> StoredChunk {
        if self.stays {
            return kept;
        }
        StoredChunk { codec: self.codec(kept.codec), ..kept }
    }

    /// Puts a chunk of packed bytes.
    fn put_packed(&mut self, wanted: &PendingChunk, packed: PackedBytes) -> Result<StoredChunk> {
        let size = (packed.stored.len() as u64).saturating_add(HEADER_SIZE);
        self.refuse_large([packed.plain, packed.stored.len() as u64])?;
        let codec = self.codec(packed.codec);
        let kept = StoredChunk {
            offset: self.at,
            size,
            plain: packed.plain,
            codec,
            hash: packed.hash,
            owner: wanted.asset_id,
            payload_type: wanted.payload_type,
        };
        self.report_large(&kept)?;
        let header = ChunkHeader {
            magic: Chars(chunk::MAGIC),
            version: U32::new(crate::header::VERSION),
            asset_id: wanted.asset_id,
            payload_type: wanted.payload_type,
            schema_version: U32::new(wanted.schema_version),
            compression: codec.compression.0,
            chunk_kind: wanted.kind,
            level: U16::new(codec.level.into()),
            size_compressed: U64::new(packed.stored.len() as u64),
            size_uncompressed: U64::new(packed.plain),
            hash: packed.hash,
        };
        if let Some(known) = self.known(wanted.row, &header, &packed.stored)? {
            return Ok(StoredChunk { offset: known, ..kept });
        }
        self.put_all([Bytes::copy_from_slice(header.as_bytes()), packed.stored])?;
        Ok(kept)
    }

    /// Returns the place of this very chunk in the base, where that stays and has it for the asset already.
    fn known(
        &mut self,
        row: Option<u32>,
        header: &ChunkHeader,
        stored: &[u8],
    ) -> Result<Option<u64>> {
        let Some(base) = self.base.filter(|_| self.stays) else { return Ok(None) };
        let entry = row.and_then(|row| base.entry(row as usize));
        let entry = match entry.filter(|entry| entry.asset_id == header.asset_id) {
            Some(entry) => Some(entry),
            None => {
                let row = base.by_id(&header.asset_id.0, &mut self.task.budget)?;
                row.and_then(|row| base.entry(row))
            }
        };
        let Some(entry) = entry else { return Ok(None) };
        let main = std::iter::once(StoredChunk::of_entry(entry));
        let all = main.chain(base.bulk(entry).iter().map(|bulk| StoredChunk::of_bulk(bulk, entry)));
        let alike = all.filter(|kept| {
            kept.hash == header.hash && kept.plain == header.size_uncompressed.get()
        });
        for kept in alike {
            let size = HEADER_SIZE.saturating_add(stored.len() as u64);
            let at = Span::file(kept.offset, size);
            if kept.size != size || at.end() > base.header().file_size.get() {
                continue;
            }
            let same = with_bytes(base.source(), at, self.task, |bytes, task| {
                task.budget.touch(size)?;
                let (head, rest) = bytes.split_at_checked(HEADER_SIZE as usize).unwrap_or_default();
                Ok::<_, Error>(head == header.as_bytes() && rest == stored)
            })?;
            if same {
                return Ok(Some(kept.offset));
            }
        }
        Ok(None)
    }

    /// Refuses chunks with more bytes than wanted, stored or plain.
    fn refuse_large(&self, sizes: [u64; 2]) -> Result<()> {
        let (most, larger) = (self.options.most(), sizes.into_iter().max().unwrap_or_default());
        if larger <= most {
            return Ok(());
        }
        let error = Error::new(&codes::CHUNK_LIMIT).field("payload");
        Err(error.expected(format!("at most {most} bytes")).found(larger))
    }

    /// The first readers do not load payloads of this size.
    fn report_large(&mut self, kept: &StoredChunk) -> Result<()> {
        if kept.plain.max(kept.size) <= SEED_MAX_SIZE {
            return Ok(());
        }
        let error = Error::new(&codes::LARGE_FOR_SEED).found(format!("{} bytes", kept.plain));
        let compat = self.options.target == Target::Compat;
        if compat { self.task.warn(error) } else { self.task.note(error) }
    }

    /// Leaves a chunk where it is, or copies it; its header says what is wanted then.
    fn put_kept(&mut self, wanted: &PendingChunk, kept: StoredChunk) -> Result<StoredChunk> {
        let base = self.base.ok_or_else(crate::pack::not_found)?;
        let size = base.header().file_size.get();
        let source = base.source();
        let chunk = Chunk::read(source, kept.offset, size, self.task);
        let chunk = match chunk {
            Ok(chunk) => chunk,
            Err(error) => return Err(wanted.locate(error.field("chunk"))),
        };
        let mut header = chunk.header;
        if !wanted.kept {
            header.asset_id = wanted.asset_id;
            if wanted.kind == KIND_MAIN || wanted.payload_type != kept.payload_type {
                header.payload_type = wanted.payload_type;
            }
            if wanted.kind == KIND_MAIN {
                header.schema_version = U32::new(wanted.schema_version);
            }
        }
        if self.options.target == Target::Compat && !self.stays {
            let codec = self.codec(chunk.codec());
            header.compression = codec.compression.0;
            header.level = U16::new(codec.level.into());
        }
        if self.stays && header == chunk.header {
            return Ok(kept);
        }
        self.agree(wanted, &kept, &chunk)?;
        let stored = chunk.header.size_compressed.get();
        self.refuse_large([kept.plain, stored]).map_err(|error| wanted.locate(error))?;
        let offset = self.at;
        self.put_all([Bytes::copy_from_slice(header.as_bytes())])?;
        self.copy(chunk.payload_at())?;
        let placed = StoredChunk { offset, ..self.converted(kept) };
        self.report_large(&placed)?;
        Ok(placed)
    }

    /// A chunk that is not what its row says is not carried into a new pack.
    fn agree(&self, wanted: &PendingChunk, kept: &StoredChunk, chunk: &Chunk) -> Result<()> {
        let stored = chunk.header.size_compressed.get().saturating_add(HEADER_SIZE);
        let same = kept.size == stored
            && kept.plain == chunk.header.size_uncompressed.get()
            && kept.hash == chunk.header.hash
            && kept.codec.compression == chunk.compression()
            && chunk.header.chunk_kind == wanted.kind
            && kept.owner == chunk.header.asset_id;
        if same {
            return Ok(());
        }
        Err(wanted.locate(Error::new(&codes::NOT_CARRIED).at(chunk.at).field("chunk")))
    }

    /// Copies bytes of the base.
    fn copy(&mut self, at: Span) -> Result<()> {
        let base = self.base.ok_or_else(crate::pack::not_found)?;
        let mut done = 0;
        while done < at.len {
            let part = at.part(done, at.len.saturating_sub(done).min(WINDOW));
            self.task.budget.steps(1)?;
            let before = self.task.budget.left().memory;
            let bytes = base.source().read(part.start..part.end(), &mut self.task.budget)?;
            self.put_all([bytes])?;
            if !self.out.keeps() {
                let taken = before.saturating_sub(self.task.budget.left().memory);
                self.task.budget.release(taken);
            }
            done = done.saturating_add(part.len);
        }
        Ok(())
    }
}

/// The chunks of a row that are to be looked at.
fn jobs<'r>(
    nth: usize,
    row: &'r mut Row,
    base: Option<&'r Pack>,
) -> Box<dyn Iterator<Item = Result<(PendingChunk, Payload)>> + 'r> {
    match row {
        Row::Kept(row) => {
            let row = *row;
            let Some((base, entry)) = base.and_then(|base| Some((base, base.entry(row as usize)?)))
            else {
                return Box::new(std::iter::once(Err(crate::pack::not_found())));
            };
            let wanted = move |kind| PendingChunk {
                asset_id: entry.asset_id,
                payload_type: entry.cooked_payload_type,
                schema_version: entry.cooked_schema_version.get(),
                kind,
                kept: true,
                row: None,
                asset: nth,
            };
            let main = std::iter::once(StoredChunk::of_entry(entry))
                .map(move |kept| (wanted(KIND_MAIN), kept));
            let bulk = base
                .bulk(entry)
                .iter()
                .map(|bulk| StoredChunk::of_bulk(bulk, entry))
                .map(move |kept| (wanted(KIND_BULK), kept));
            Box::new(
                main.chain(bulk)
                    .map(|(wanted, kept)| Ok((wanted, Payload(PayloadOrigin::Kept(kept))))),
            )
        }
        Row::Asset(asset) => {
            let Asset { id, payload_type, schema_version, payload, bulk, extra, .. } =
                asset.as_mut();
            let (id, payload_type, schema_version) = (*id, *payload_type, *schema_version);
            let made_of = extra.row;
            let wanted = move |kind, schema_version| PendingChunk {
                asset_id: id,
                payload_type,
                schema_version,
                kind,
                kept: false,
                row: made_of,
                asset: nth,
            };
            let main = std::iter::once(payload).map(move |payload| (KIND_MAIN, payload));
            let bulk = bulk.iter_mut().map(|bulk| (KIND_BULK, &mut bulk.payload));
            Box::new(main.chain(bulk).map(move |(kind, payload)| {
                let schema = if kind == KIND_MAIN { schema_version } else { 0 };
                Ok((wanted(kind, schema), payload.take()))
            }))
        }
    }
}
