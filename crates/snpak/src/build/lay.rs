//! Where the blocks go: chunks, strings and index of a pack or of what is appended to one.

use super::{
    asset::{Asset, Bulk, Form, Kept, Need, Packed, Payload},
    pipeline,
    pool::Pool,
    tables::Tables,
};
use crate::{
    Compression,
    chunk::{self, Chunk, ChunkHeader, HEADER_SIZE, KIND_BULK, KIND_MAIN},
    codes,
    compression::Codec,
    hash,
    index::{BulkEntry, Dependency, IndexEntry, RowError},
    pack::{Pack, bulk_range_error},
    payload,
    strings::NO_STRING,
};
use bytes::Bytes;
use spelunk_core::{
    Error, Result, Span, Task,
    scalar::{Chars, Hash128, U16, U32, U64, Uuid, Word64},
};
use std::{
    collections::{HashMap, VecDeque},
    num::NonZeroUsize,
};
use zerocopy::IntoBytes;

/// How many bytes are copied at a time.
const WINDOW: u64 = 1 << 20;
/// The largest payload that the first readers load.
const SEED_MAX_SIZE: u64 = 1_000_000_000;

/// Which readers are to open what is written (`docs/formats/snpak.md`, section 8).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Target {
    /// Those of the current generation. Without dependencies all older ones open it too.
    #[default]
    V5,
    /// Those from the second generation on: dependencies are left out.
    V4,
    /// All of them: dependencies are left out, ids 3 and 4 are stored as 1 and 2, which have the same decoders, and level
    /// bytes as 0. Bulk payloads whose sub-index is not their position are told: the first readers do not load them.
    Compat,
}

/// How packs are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Which readers are to open the pack.
    pub target: Target,
    /// How many threads pack payloads; by default as many as there are cores. The bytes are the same for any number.
    pub threads: Option<NonZeroUsize>,
}

/// What a written pack lacks that the one it was made of has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Dropped {
    /// Older indexes.
    pub generations: u64,
    /// Strings that nothing uses.
    pub strings: u64,
    /// Bulk entries that no asset has.
    pub bulk: u64,
    /// Whether the header named a type table.
    pub type_table: bool,
    /// Dependencies that the wanted readers cannot hold.
    pub dependencies: u64,
}

/// An asset of a state that is being written.
#[derive(Debug)]
pub(crate) enum Row {
    /// The one at this position of the base, as it is.
    Kept(u32),
    /// Another one.
    Asset(Box<Asset>),
}

/// Where blocks are put, one behind the other.
pub(crate) trait Blocks {
    fn put(&mut self, bytes: Bytes) -> Result<()>;

    /// Whether the bytes stay in memory.
    fn keeps(&self) -> bool {
        false
    }
}

/// What lies where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Laid {
    /// The string table; `None` where the old one goes on to be used.
    pub(crate) strings: Option<Span>,
    pub(crate) index: Span,
    pub(crate) index_hash: Hash128,
    pub(crate) strings_left: u64,
    pub(crate) dependencies_left: u64,
}

/// The work of laying out one state.
pub(crate) struct Lay<'l, 't, 's> {
    /// The pack whose rows and chunks are kept.
    pub(crate) base: Option<&'l Pack>,
    /// Whether its bytes stay where they are; chunks are copied otherwise.
    pub(crate) stays: bool,
    /// Whether the string table of the base is the one that its header names.
    pub(crate) strings: bool,
    pub(crate) previous: Option<Span>,
    pub(crate) reserved: [u8; 24],
    pub(crate) options: Options,
    pub(crate) out: &'l mut dyn Blocks,
    pub(crate) at: u64,
    pub(crate) task: &'t mut Task<'s>,
}

/// A chunk that is to be laid: what its header is to say.
struct Wanted {
    asset_id: Uuid,
    payload_type: Uuid,
    schema_version: u32,
    kind: u8,
    /// Whether a row of the base that is kept names it.
    kept: bool,
    /// Position of the asset.
    asset: usize,
}

/// Where the chunk was put that several rows name, and what its header says.
type Shared = Option<(u64, Identity)>;
/// Asset, payload type, schema version, kind.
type Identity = (Uuid, Uuid, u32, u8);

impl Wanted {
    fn identity(&self) -> Identity {
        (self.asset_id, self.payload_type, self.schema_version, self.kind)
    }

    fn locate(&self, error: Error) -> Error {
        error.item("assets", self.asset)
    }
}

impl Lay<'_, '_, '_> {
    /// Puts everything where it belongs. New payloads are taken out of the rows.
    ///
    /// # Errors
    /// What a pack cannot hold; what is damaged of what is kept; limits; reading and writing errors.
    pub(crate) fn lay(mut self, rows: &mut [Row]) -> Result<Laid> {
        for row in rows.iter() {
            if let Row::Asset(asset) = row {
                asset.check()?;
            }
        }
        let mut pool = match self.base {
            Some(base) if self.stays => Pool::continuing(base.strings()),
            Some(base) => Pool::like(base.strings()),
            None => Pool::default(),
        };
        let mut ids = self.strings(rows, &mut pool)?;
        let used = pool.len() as u64;
        let known = self.base.map_or(0, |base| u64::from(base.strings().count()));
        let mut strings = None;
        if !self.stays {
            strings = Some(self.put_all(pool.blocks()?)?);
            pool = Pool::default();
        }
        let mut placed = self.chunks(rows)?;
        // An empty index behind a table of its own would be what a delta append of nothing leaves.
        let other = !self.strings && !rows.is_empty();
        if self.stays && (pool.has_grown() || other) {
            strings = Some(self.put_all(pool.blocks()?)?);
        }
        let (tables, dependencies_left) = self.tables(rows, &mut ids, &mut placed)?;
        let (blocks, _, index_hash) = tables.blocks(self.previous, self.reserved)?;
        let index = self.put_all(blocks)?;
        let strings_left = if self.stays { 0 } else { known.saturating_sub(used) };
        Ok(Laid { strings, index, index_hash, strings_left, dependencies_left })
    }

    fn put_all(&mut self, blocks: impl IntoIterator<Item = Bytes>) -> Result<Span> {
        let start = self.at;
        for block in blocks {
            self.at = self.at.saturating_add(block.len() as u64);
            self.out.put(block)?;
        }
        Ok(Span::file(start, self.at.saturating_sub(start)))
    }

    /// The ids of all strings in the order in which the tables ask for them. Those of rows that stay are not asked for.
    fn strings(&mut self, rows: &[Row], pool: &mut Pool) -> Result<VecDeque<u32>> {
        let mut ids = VecDeque::new();
        let with_needs = self.has_needs();
        let known = self.base.map_or(0, |base| base.strings().count());
        let mut moved = vec![NO_STRING; if self.stays { 0 } else { known as usize }];
        for row in rows {
            self.task.budget.steps(1)?;
            match (row, self.base) {
                (Row::Asset(asset), _) => {
                    ids.push_back(pool.intern(&asset.name)?);
                    if let Some(variant) = asset.stored_variant() {
                        ids.push_back(pool.intern(variant)?);
                    }
                    let needs = asset.dependencies.iter().filter(|_| with_needs);
                    for name in needs.filter_map(|need| need.name.as_deref()) {
                        ids.push_back(pool.intern(name)?);
                    }
                }
                (Row::Kept(row), Some(base)) if !self.stays => {
                    let row = *row as usize;
                    let entry = kept_entry(base, row)?;
                    let names = [entry.name_string_id.get(), entry.variant_string_id.get()];
                    let needs = base.dependencies(row).iter().filter(|_| with_needs);
                    for old in names.into_iter().chain(needs.map(|need| need.name_string_id.get()))
                    {
                        let id = match (moved.get(old as usize).copied(), base.strings().get(old)) {
                            (Some(NO_STRING) | None, Some(string)) => {
                                self.task.budget.touch(string.len() as u64)?;
                                pool.intern(string)?
                            }
                            (Some(id), _) => id,
                            (None, None) => NO_STRING,
                        };
                        if let Some(moved) = moved.get_mut(old as usize) {
                            *moved = id;
                        }
                        ids.push_back(id);
                    }
                }
                (Row::Kept(_), _) => {}
            }
        }
        Ok(ids)
    }

    fn has_needs(&self) -> bool {
        self.options.target == Target::V5
    }

    /// Puts the chunks and gives what the tables say of them, in their order.
    fn chunks(&mut self, rows: &mut [Row]) -> Result<VecDeque<Kept>> {
        let (base, stays) = (self.base, self.stays);
        let mut shared = self.shared()?;
        let mut placed = VecDeque::new();
        let threads = self.options.threads;
        let jobs = rows.iter_mut().enumerate().flat_map(|(nth, row)| jobs(nth, row, base, stays));
        let mut failed = None;
        let mut jobs = jobs.map_while(|job| job.map_err(|error| failed = Some(error)).ok());
        pipeline::run(
            &mut jobs,
            threads,
            &mut |wanted: Wanted, done| {
                let at = match done {
                    Ok(packed) => self.put_packed(&wanted, packed)?,
                    Err(kept) => match shared.get_mut(&kept.offset) {
                        Some(Some((offset, identity))) if *identity == wanted.identity() => {
                            Kept { offset: *offset, ..self.converted(kept) }
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
                placed.push_back(at);
                Ok(())
            },
            &|wanted, error| wanted.locate(error.field("payload")),
        )?;
        drop(jobs);
        failed.map_or(Ok(placed), Err)
    }

    /// Chunks that several rows name, which are copied once where the rows say the same of them.
    fn shared(&mut self) -> Result<HashMap<u64, Shared>> {
        let Some(base) = self.base.filter(|_| !self.stays) else { return Ok(HashMap::new()) };
        let rows = payload::rows(&[base.index()], self.task)?;
        let same = rows.windows(2).filter_map(|pair| match pair {
            [a, b] if a.offset == b.offset => Some((a.offset, None)),
            _ => None,
        });
        let shared: HashMap<u64, Shared> = same.collect();
        let held = (rows.capacity() as u64).saturating_mul(size_of::<payload::RowRef>() as u64);
        drop(rows);
        self.task.budget.release(held);
        Ok(shared)
    }

    /// What a chunk is stored as for the wanted readers.
    fn codec(&self, codec: Codec) -> Codec {
        match (self.options.target, codec.compression) {
            (Target::Compat, Compression::LZ4_HC) => Codec::new(Compression::LZ4),
            (Target::Compat, Compression::ZSTD_FAST) => Codec::new(Compression::ZSTD),
            (Target::Compat, compression) => Codec::new(compression),
            _ => codec,
        }
    }

    fn converted(&self, kept: Kept) -> Kept {
        Kept { codec: self.codec(kept.codec), ..kept }
    }

    /// Puts a chunk of packed bytes.
    fn put_packed(&mut self, wanted: &Wanted, packed: Packed) -> Result<Kept> {
        let size = (packed.stored.len() as u64).saturating_add(HEADER_SIZE);
        for len in [packed.plain, packed.stored.len() as u64] {
            if len > chunk::MAX_SIZE {
                let error = Error::new(&codes::CHUNK_LIMIT).field("payload");
                return Err(error
                    .expected(format!("at most {} bytes", chunk::MAX_SIZE))
                    .found(len));
            }
        }
        let codec = self.codec(packed.codec);
        let kept = Kept {
            offset: self.at,
            size,
            plain: packed.plain,
            codec,
            hash: packed.hash,
            owner: wanted.asset_id,
        };
        self.tell_large(&kept)?;
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
        self.put_all([Bytes::copy_from_slice(header.as_bytes()), packed.stored])?;
        Ok(kept)
    }

    /// The first readers do not load payloads of this size.
    fn tell_large(&mut self, kept: &Kept) -> Result<()> {
        if kept.plain.max(kept.size) <= SEED_MAX_SIZE {
            return Ok(());
        }
        let error = Error::new(&codes::LARGE_FOR_SEED).found(format!("{} bytes", kept.plain));
        let compat = self.options.target == Target::Compat;
        if compat { self.task.warn(error) } else { self.task.note(error) }
    }

    /// Leaves a chunk where it is, or copies it; its header says what is wanted then.
    fn put_kept(&mut self, wanted: &Wanted, kept: Kept) -> Result<Kept> {
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
            if wanted.kind == KIND_MAIN {
                header.payload_type = wanted.payload_type;
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
        let offset = self.at;
        self.put_all([Bytes::copy_from_slice(header.as_bytes())])?;
        self.copy(chunk.payload_at())?;
        let placed = Kept { offset, ..self.converted(kept) };
        self.tell_large(&placed)?;
        Ok(placed)
    }

    /// A chunk that is not what its row says is not carried into a new pack.
    fn agree(&self, wanted: &Wanted, kept: &Kept, chunk: &Chunk) -> Result<()> {
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

    /// The tables, and how many dependencies they lack.
    fn tables(
        &mut self,
        rows: &[Row],
        ids: &mut VecDeque<u32>,
        placed: &mut VecDeque<Kept>,
    ) -> Result<(Tables, u64)> {
        let mut tables = Tables::default();
        tables.entries.reserve_exact(rows.len());
        let mut left = 0_u64;
        let mut odd = 0_u64;
        for row in rows {
            self.task.budget.steps(1)?;
            let start = tables.bulk.len();
            match (row, self.base) {
                (Row::Asset(asset), _) => {
                    left = left.saturating_add(self.asset_rows(asset, ids, placed, &mut tables)?);
                }
                (Row::Kept(row), Some(base)) => {
                    let row = *row as usize;
                    left =
                        left.saturating_add(self.kept_rows(base, row, ids, placed, &mut tables)?);
                }
                (Row::Kept(_), None) => {}
            }
            let bulk = tables.bulk.get(start..).unwrap_or_default();
            odd = odd.saturating_add(u64::from(
                (0_u32..).zip(bulk).any(|(nth, bulk)| bulk.sub_index.get() != nth),
            ));
        }
        if left > 0 {
            let found = format!("{left} dependencies");
            self.task.warn(Error::new(&codes::NEEDS_LEFT_OUT).found(found))?;
        }
        if odd > 0 && self.options.target == Target::Compat {
            let found = format!("bulk payloads of {odd} assets");
            self.task.warn(Error::new(&codes::SUB_INDEX_FOR_SEED).found(found))?;
        }
        Ok((tables, left))
    }

    fn asset_rows(
        &self,
        asset: &Asset,
        ids: &mut VecDeque<u32>,
        placed: &mut VecDeque<Kept>,
        tables: &mut Tables,
    ) -> Result<u64> {
        let mut id = || ids.pop_front().unwrap_or(NO_STRING);
        let variant = asset.stored_variant();
        let compat = self.options.target == Target::Compat;
        let level = if compat { 0 } else { asset.extra.level };
        let mut entry = IndexEntry {
            asset_id: asset.id,
            asset_kind: asset.kind,
            cooked_payload_type: asset.payload_type,
            cooked_schema_version: U32::new(asset.schema_version),
            name_string_id: U32::new(id()),
            name_hash64: Word64::new(hash::hash64(&asset.name)),
            variant_string_id: U32::new(variant.map_or(NO_STRING, |_| id())),
            variant_hash64: Word64::new(variant.map_or(0, hash::hash64)),
            payload_chunk_offset: U64::new(0),
            payload_chunk_size_compressed: U64::new(0),
            payload_chunk_size_uncompressed: U64::new(0),
            compression: 0,
            flags: asset.extra.flags,
            level: U16::from_bytes([0, level]),
            bulk_first_index: U32::new(0),
            bulk_count: U32::new(0),
            payload_hash: Hash128::new(0),
        };
        if let Some(main) = placed.pop_front() {
            main.put_entry(&mut entry);
        }
        let bulk = asset.bulk.iter().map(|bulk| {
            let mut row = bulk.row();
            if let Some(chunk) = placed.pop_front() {
                chunk.put_bulk(&mut row);
            }
            row
        });
        let range = tables.add_bulk(bulk)?;
        tables.add_entry(entry, &range)?;
        let needs = &asset.dependencies;
        if !self.has_needs() {
            return Ok(needs.len() as u64);
        }
        if !needs.is_empty() {
            let rows =
                needs.iter().map(|need| need.row(need.name.as_ref().map_or(NO_STRING, |_| id())));
            tables.add_needs(asset.extra.owner, rows)?;
        }
        Ok(0)
    }

    fn kept_rows(
        &mut self,
        base: &Pack,
        row: usize,
        ids: &mut VecDeque<u32>,
        placed: &mut VecDeque<Kept>,
        tables: &mut Tables,
    ) -> Result<u64> {
        let mut entry = *kept_entry(base, row)?;
        let moves = !self.stays;
        let known = base.strings().count();
        // An id that leads to no string is not to lead to one that is new.
        let mut id = |old: u32| match moves {
            true => ids.pop_front().unwrap_or(NO_STRING),
            false if old < known => old,
            false => NO_STRING,
        };
        entry.name_string_id = U32::new(id(entry.name_string_id.get()));
        entry.variant_string_id = U32::new(id(entry.variant_string_id.get()));
        let mut next = || if moves { placed.pop_front() } else { None };
        if let Some(main) = next() {
            main.put_entry(&mut entry);
        }
        let own = base.bulk(&entry_of(base, row)?);
        self.task.budget.steps(own.len() as u64)?;
        let range = tables.add_bulk(own.iter().map(|bulk| {
            let mut bulk = *bulk;
            if let Some(chunk) = next() {
                chunk.put_bulk(&mut bulk);
            }
            bulk
        }))?;
        if self.options.target == Target::Compat {
            entry.level = U16::new(u16::from(entry.level_bytes()[0]));
        }
        tables.add_entry(entry, &range)?;
        let needs = base.dependencies(row);
        self.task.budget.steps(needs.len() as u64)?;
        if !self.has_needs() {
            return Ok(needs.len() as u64);
        }
        if let Some(owner) = base.index().owner(row) {
            let rows = needs.iter().map(|need| {
                let name_string_id = U32::new(id(need.name_string_id.get()));
                Dependency { name_string_id, ..*need }
            });
            tables.add_needs(owner.reserved.get(), rows)?;
        }
        Ok(0)
    }
}

/// The entry of a row that is kept.
///
/// # Errors
/// [`codes::BULK_RANGE`] where its bulk entries are not in the table.
fn kept_entry(base: &Pack, row: usize) -> Result<&IndexEntry> {
    let entry = base.entry(row).ok_or_else(crate::pack::not_found)?;
    match base.index().bulk_range(entry) {
        Some(_) => Ok(entry),
        None => {
            Err(bulk_range_error(base.index(), entry, row).unwrap_or_else(crate::pack::not_found))
        }
    }
}

fn entry_of(base: &Pack, row: usize) -> Result<IndexEntry> {
    base.entry(row).copied().ok_or_else(crate::pack::not_found)
}

/// The chunks of a row that are to be looked at.
fn jobs<'r>(
    nth: usize,
    row: &'r mut Row,
    base: Option<&'r Pack>,
    stays: bool,
) -> Box<dyn Iterator<Item = Result<(Wanted, Payload)>> + 'r> {
    match row {
        Row::Kept(_) if stays => Box::new(std::iter::empty()),
        Row::Kept(row) => {
            let row = *row;
            let Some((base, entry)) = base.and_then(|base| Some((base, base.entry(row as usize)?)))
            else {
                return Box::new(std::iter::once(Err(crate::pack::not_found())));
            };
            let wanted = move |kind| Wanted {
                asset_id: entry.asset_id,
                payload_type: entry.cooked_payload_type,
                schema_version: entry.cooked_schema_version.get(),
                kind,
                kept: true,
                asset: nth,
            };
            let main =
                std::iter::once(Kept::of_entry(entry)).map(move |kept| (wanted(KIND_MAIN), kept));
            let bulk = base
                .bulk(entry)
                .iter()
                .map(|bulk| Kept::of_bulk(bulk, entry.asset_id))
                .map(move |kept| (wanted(KIND_BULK), kept));
            Box::new(main.chain(bulk).map(|(wanted, kept)| Ok((wanted, Payload(Form::Kept(kept))))))
        }
        Row::Asset(asset) => {
            let Asset { id, payload_type, schema_version, payload, bulk, .. } = asset.as_mut();
            let (id, payload_type, schema_version) = (*id, *payload_type, *schema_version);
            let wanted = move |kind, schema_version| Wanted {
                asset_id: id,
                payload_type,
                schema_version,
                kind,
                kept: false,
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

impl Bulk {
    /// Its row, without what its chunk tells.
    fn row(&self) -> BulkEntry {
        BulkEntry {
            semantic: U32::new(self.semantic),
            sub_index: U32::new(self.sub_index),
            chunk_offset: U64::new(0),
            size_compressed: U64::new(0),
            size_uncompressed: U64::new(0),
            compression: 0,
            level: 0,
            reserved0: self.reserved,
            hash: Hash128::new(0),
        }
    }
}

impl Need {
    fn row(&self, name: u32) -> Dependency {
        Dependency {
            asset_id: self.asset_id,
            name_string_id: U32::new(name),
            kind: self.kind,
            reserved: self.reserved,
        }
    }
}
