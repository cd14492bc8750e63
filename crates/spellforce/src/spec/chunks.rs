//! Chunk files with the specification's chunk headers (`docs/formats/spec.md#1-chunk-files`).

use super::not_found;
use crate::{
    bytes::{in_pieces, tolerate, with_range},
    cff::{MAGIC, MAGIC_SPEC, WithinChunk},
    codes,
};
use spelunk_core::{
    Bytes, Class, Error, Field, Group, Record, Result, ResultExt, Section, Source, Space, Span,
    Task, Ty, Val, Walk, Walked, WriteOptions,
    cursor::Cursor,
    field::{Described, Role},
    record, zlib,
};
use std::{
    io,
    sync::{Arc, OnceLock},
};
use zerocopy::IntoBytes;

const PAGE: &str = "docs/formats/spec.md#1-chunk-files";

record! {
    /// The header of a chunk file as the specification has it.
    pub struct FileHeader: "header", "docs/formats/spec.md#1-chunk-files", 20 {
        /// `12 5E 5E DD`, as the specification prints it, or that of real files.
        magic: Word,
        /// Version of the container: 3 in the only one that is printed.
        format_version: U32,
        /// What the file holds.
        file_type: U32 { values: &[(0, "GameData"), (1, "map"), (2, "save")] },
        /// 0.
        file_version: U32,
        /// 0; nothing checks it.
        checksum: Word,
    }
}

record! {
    /// The header of a chunk, as the specification's table has it.
    pub struct TableHeader: "chunk_header", "docs/formats/spec.md#1-chunk-files", 11 {
        /// What the chunk holds.
        id: I16,
        /// The number among chunks of one id.
        occurrence: I16,
        /// How the data is stored.
        packed: U8 { values: &[(0, "raw"), (1, "zlib")] },
        /// Said to tell whether rows have an id of their own (2) or share one (3).
        data_type: I16,
        /// Bytes stored behind the header.
        data_length: I32 { unit: "bytes" },
    }
}

record! {
    /// The header of a chunk, as the specification's dump has it: the length has three bytes.
    pub struct DumpHeader: "chunk_header", "docs/formats/spec.md#1-chunk-files", 10 {
        /// What the chunk holds.
        id: I16,
        /// The number among chunks of one id.
        occurrence: I16,
        /// How the data is stored.
        packed: U8 { values: &[(0, "raw"), (1, "zlib")] },
        /// Said to tell whether rows have an id of their own (2) or share one (3).
        data_type: I16,
        /// The low two bytes of the number of bytes stored behind the header.
        data_length: U16 { unit: "bytes" },
        /// Its third byte.
        data_length_high: U8,
    }
}

static CHUNKS: Record = Record::group("chunks", PAGE, "The chunks in file order.");
static CHUNK: Record = Record::group("chunk", PAGE, "A header and the data behind it.");
static PLAIN: Record = Record::group("plain", PAGE, "The inflated data of a packed chunk.");
static STORED: Field =
    Field::new("stored", Ty::Bytes, "The data as it is stored: one zlib stream.")
        .unit("bytes")
        .role(Role::Packed);
static DAMAGED: Field =
    Field::new("stored", Ty::Bytes, "A zlib stream that cannot be inflated.").unit("bytes");
static TAIL: Field = Field::new(
    "tail",
    Ty::Bytes,
    "Bytes behind the last chunk that can be read. They are damage, and kept.",
);

/// The form of the chunk headers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// 11 bytes, the length being the last four of them.
    Table,
    /// 10 bytes, the length being the last three of them.
    Dump,
}

impl Form {
    /// Length of a chunk header in bytes.
    pub const fn header_len(self) -> u64 {
        match self {
            Form::Table => size_of::<TableHeader>() as u64,
            Form::Dump => size_of::<DumpHeader>() as u64,
        }
    }

    const fn record(self) -> &'static Record {
        match self {
            Form::Table => TableHeader::RECORD,
            Form::Dump => DumpHeader::RECORD,
        }
    }
}

/// The header of a chunk: its bytes, whatever its form.
#[derive(Clone, Copy, Debug)]
struct Header {
    bytes: [u8; 11],
    len: i64,
}

/// A chunk: its header and where its data lies.
#[derive(Debug)]
pub struct Chunk {
    header: Header,
    form: Form,
    start: u64,
    /// Inflated size; `None` where the stream is damaged.
    plain_len: Option<u64>,
    section: OnceLock<Box<Section>>,
}

impl Chunk {
    /// What the chunk holds.
    pub const fn id(&self) -> i16 {
        let [a, b, ..] = self.header.bytes;
        i16::from_le_bytes([a, b])
    }

    /// The number among chunks of one id.
    pub const fn occurrence(&self) -> i16 {
        let [_, _, a, b, ..] = self.header.bytes;
        i16::from_le_bytes([a, b])
    }

    /// Whether the data is a zlib stream.
    pub const fn is_packed(&self) -> bool {
        let [_, _, _, _, packed, ..] = self.header.bytes;
        packed != 0
    }

    /// The type of the chunk.
    pub const fn data_type(&self) -> i16 {
        let [_, _, _, _, _, a, b, ..] = self.header.bytes;
        i16::from_le_bytes([a, b])
    }

    /// Stored size of the data in bytes.
    pub fn stored_len(&self) -> u64 {
        u64::try_from(self.header.len).unwrap_or_default()
    }

    /// Plain size of the data in bytes; `None` where its stream is damaged.
    pub const fn plain_len(&self) -> Option<u64> {
        self.plain_len
    }

    /// Header and data in the file.
    pub fn at(&self) -> Span {
        Span::file(self.start, self.form.header_len().saturating_add(self.stored_len()))
    }

    /// The stored data in the file.
    pub fn data_at(&self) -> Span {
        Span::file(self.start.saturating_add(self.form.header_len()), self.stored_len())
    }

    /// The header as it is stored.
    fn header_bytes(&self) -> &[u8] {
        let len = usize::try_from(self.form.header_len()).unwrap_or_default();
        self.header.bytes.get(..len).unwrap_or_default()
    }
}

/// A chunk file with the specification's chunk headers.
pub struct ChunkFile {
    source: Arc<dyn Source>,
    header: FileHeader,
    form: Form,
    chunks: Vec<Chunk>,
    /// Positions in `chunks`, by id, then occurrence, then position.
    order: Vec<u32>,
    tail: Span,
}

impl std::fmt::Debug for ChunkFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ChunkFile")
            .field("header", &self.header)
            .field("form", &self.form)
            .field("chunks", &self.chunks.len())
            .finish_non_exhaustive()
    }
}

/// Length of the file header in bytes.
const HEADER_LEN: u64 = size_of::<FileHeader>() as u64;

/// Where a walk over the chunk headers ended, and why if not at the end of the file.
struct Scan {
    chunks: u64,
    end: u64,
    stopped: Option<Error>,
}

/// Whether chunks with the headers of the specification's table lead exactly to the end of the file. It is what tells such
/// files that have the magic of real ones from damaged real ones.
///
/// # Errors
/// Reading errors, limits.
pub fn fits(source: &dyn Source, task: &mut Task<'_>) -> Result<bool> {
    let scan = scan(source, Form::Table, task)?;
    Ok(scan.stopped.is_none() && scan.chunks > 0)
}

impl ChunkFile {
    /// Opens a chunk file. Its chunks have the headers of the table, unless those do not lead to the end of the file and
    /// those of the dump do. As no inflated size is stored, the streams of packed chunks are measured.
    ///
    /// # Errors
    /// [`codes::CFF_MAGIC`]; [`codes::CFF_MAGIC_SPEC`] where the header has the printed magic and no chunk can be read
    /// behind it; limits. Damage behind the first chunk, repeated chunks and damaged streams are findings.
    pub fn open(source: Arc<dyn Source>, task: &mut Task<'_>) -> Result<ChunkFile> {
        let header = read_header(&*source)?;
        let mut form = Form::Table;
        let mut scan = scan(&*source, form, task)?;
        if scan.stopped.is_some() && header.magic.get() == MAGIC_SPEC {
            let other = self::scan(&*source, Form::Dump, task)?;
            if other.stopped.is_none() {
                (scan, form) = (other, Form::Dump);
            }
        }
        if let Some(error) = scan.stopped.take() {
            if scan.chunks == 0 {
                return Err(Error::new(&codes::CFF_MAGIC_SPEC)
                    .at(error.place().unwrap_or(Span::file(HEADER_LEN, 0)))
                    .expected("chunk headers of 11 or 10 bytes that fit the file")
                    .found(error.code().title));
            }
            task.error(error)?;
        }
        let mut chunks = task.budget.vec::<Chunk>(scan.chunks)?;
        let mut start = HEADER_LEN;
        while start < scan.end {
            let header = chunk_header(&*source, start, form)?;
            let mut chunk =
                Chunk { header, form, start, plain_len: None, section: OnceLock::new() };
            start = chunk.at().end();
            chunk.plain_len = measured(&*source, &chunk, chunks.len(), task)?;
            chunks.push(chunk);
        }
        let order = order(&chunks, task)?;
        let tail = Span::file(scan.end, source.len().saturating_sub(scan.end));
        let file = ChunkFile { source, header, form, chunks, order, tail };
        file.note_repeated(task)?;
        Ok(file)
    }

    fn note_repeated(&self, task: &mut Task<'_>) -> Result<()> {
        let chunks = || self.order.iter().filter_map(|n| Some((*n, self.chunk(*n)?)));
        for ((_, before), (n, chunk)) in chunks().zip(chunks().skip(1)) {
            if key(before) == key(chunk) {
                let error = Error::new(&codes::CHUNK_REPEATED)
                    .at(chunk.at().part(0, 4))
                    .found(format!("{}.{}", chunk.id(), chunk.occurrence()));
                task.warn(error.within_chunk(n as usize))?;
            }
        }
        Ok(())
    }

    /// The header.
    pub const fn header(&self) -> &FileHeader {
        &self.header
    }

    /// The form of the chunk headers.
    pub const fn form(&self) -> Form {
        self.form
    }

    /// The chunks in file order.
    pub fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    /// The chunk at this position.
    pub fn chunk(&self, position: u32) -> Option<&Chunk> {
        self.chunks.get(usize::try_from(position).ok()?)
    }

    /// Positions of the chunks of one id, by occurrence.
    pub fn with_id(&self, id: i16) -> &[u32] {
        let id_of = |n: &u32| self.chunk(*n).map(Chunk::id);
        let start = self.order.partition_point(|n| id_of(n) < Some(id));
        let end = self.order.partition_point(|n| id_of(n) <= Some(id));
        self.order.get(start..end).unwrap_or_default()
    }

    /// Bytes behind the last readable chunk.
    pub const fn tail(&self) -> Span {
        self.tail
    }

    /// Size of the file in bytes.
    pub fn size(&self) -> u64 {
        self.source.len()
    }

    fn section(&self, position: u32, task: &mut Task<'_>) -> Result<&Section> {
        let chunk = self.chunk(position).ok_or_else(not_found)?;
        if let Some(section) = chunk.section.get() {
            return Ok(section);
        }
        let at = chunk.data_at();
        let mark = task.budget.mark();
        task.budget.memory(size_of::<Section>() as u64)?;
        let stored = self.source.read(at.start..at.end(), &mut task.budget)?;
        let section = match (chunk.is_packed(), chunk.plain_len) {
            (false, _) => Section::stored(at, stored),
            (true, Some(len)) => Section::zlib(at, stored, space(position), len),
            (true, None) => return Err(Error::new(&spelunk_core::codes::INFLATE).at(at)),
        };
        Ok(task.budget.keep(mark, &chunk.section, Box::new(section)).as_ref())
    }

    /// The plain data of a chunk, inflated now if it was not before, and kept.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND); reading errors, limits; those of inflating.
    pub fn plain(&self, position: u32, task: &mut Task<'_>) -> Result<&Bytes> {
        let plain = self.section(position, task).and_then(|section| {
            section.inflate(task)?;
            section.plain(&mut task.budget)
        });
        plain.map_err(|error| error.within_chunk(position as usize))
    }

    /// Where the plain data of a chunk lies: in the file, or in the space `chunkN`. `None` where its stream is damaged.
    pub fn plain_at(&self, position: u32) -> Option<Span> {
        let chunk = self.chunk(position)?;
        let len = chunk.plain_len?;
        Some(if chunk.is_packed() { Span::new(space(position), 0, len) } else { chunk.data_at() })
    }

    /// Position of the packed chunk that has this space.
    pub fn position_of(&self, wanted: Space) -> Option<u32> {
        let has = |(n, chunk): &(u32, &Chunk)| chunk.is_packed() && space(*n) == wanted;
        (0..).zip(&self.chunks).find(has).map(|(n, _)| n)
    }

    /// The inflated spaces, in file order.
    pub fn spaces(&self) -> Vec<Span> {
        let packed = (0..).zip(&self.chunks).filter(|(_, chunk)| chunk.is_packed());
        packed.filter_map(|(n, _)| self.plain_at(n)).collect()
    }

    /// Walks header, chunks and tail in file order; `data` walks the plain data of each chunk.
    ///
    /// # Errors
    /// Reading errors, and what the walker or the task's sink returns.
    pub fn layout(&self, task: &mut Task<'_>, walk: &mut dyn Walk, data: WalkData<'_>) -> Walked {
        walk.record("header", &self.header, Span::file(0, 0))?;
        let at = Span::file(HEADER_LEN, self.tail.start.saturating_sub(HEADER_LEN));
        walk.group(&Group::list("chunks", &CHUNKS, Some(at)), |walk| {
            for (n, chunk) in (0..).zip(&self.chunks) {
                let group = Group::item(n as usize, &CHUNK, Some(chunk.at()));
                walk.group(&group, |walk| self.walk_chunk(n, task, walk, data))?;
            }
            Ok(())
        })?;
        if self.tail.len == 0 {
            return Ok(());
        }
        with_range(&*self.source, self.tail.start..self.tail.end(), task, |bytes, _| {
            walk.field(&TAIL, Some(self.tail), Val::Bytes(bytes.into()))
        })?
    }

    /// Walks one chunk: header, stored data, plain data, which is for `data` to walk.
    ///
    /// # Errors
    /// As [`ChunkFile::layout`].
    pub fn walk_chunk(
        &self,
        position: u32,
        task: &mut Task<'_>,
        walk: &mut dyn Walk,
        data: WalkData<'_>,
    ) -> Walked {
        let chunk = self.chunk(position).ok_or_else(not_found)?;
        self.form.record().walk(chunk.header_bytes(), chunk.at(), walk)?;
        let at = chunk.data_at();
        if !chunk.is_packed() {
            let plain = self.plain(position, task)?;
            return data(Data { position, plain, at }, task, walk);
        }
        let field = if chunk.plain_len.is_some() { &STORED } else { &DAMAGED };
        with_range(&*self.source, at.start..at.end(), task, |stored, _| {
            walk.field(field, Some(at), Val::Bytes(stored.into()))
        })??;
        let Some(at) = self.plain_at(position) else { return Ok(()) };
        walk.group(&Group::record("plain", &PLAIN, Some(at)), |walk| {
            match self.plain(position, task) {
                Ok(plain) => data(Data { position, plain, at }, task, walk),
                Err(error) => Ok(tolerate(error, task)?),
            }
        })
    }

    /// Lays the file out and writes it: header, chunks in their order, tail.
    ///
    /// # Errors
    /// Reading and writing errors, limits.
    pub fn write(
        &self,
        out: &mut dyn io::Write,
        options: &WriteOptions,
        task: &mut Task<'_>,
    ) -> Result<()> {
        options.convert.refuse()?;
        out.write_all(self.header.as_bytes())?;
        for (n, chunk) in (0..).zip(&self.chunks) {
            out.write_all(chunk.header_bytes())?;
            if options.recompress && chunk.is_packed() && chunk.plain_len.is_some() {
                let plain = self.plain(n, task)?.clone();
                let section = self.section(n, task)?;
                out.write_all(&section.pack(&plain, USUAL_LEVEL, true, task)?)?;
            } else {
                self.pass(chunk.data_at(), out, task)?;
            }
        }
        self.pass(self.tail, out, task)
    }

    fn pass(&self, at: Span, out: &mut dyn io::Write, task: &mut Task<'_>) -> Result<()> {
        in_pieces(&*self.source, at.start..at.end(), &mut task.budget, |bytes| out.write_all(bytes))
    }

    /// Reports bytes that follow the stream of a packed chunk.
    ///
    /// # Errors
    /// As [`ChunkFile::plain`]; what the sink makes of the finding.
    pub fn check_stream(&self, position: u32, task: &mut Task<'_>) -> Result<()> {
        let plain = self.plain(position, task)?.clone();
        let section = self.section(position, task)?;
        task.budget.touch(plain.len() as u64)?;
        let is_packed = self.chunk(position).is_some_and(Chunk::is_packed);
        if !is_packed || !zlib::is_followed(section.stored_bytes(), &plain) {
            return Ok(());
        }
        let error = Error::new(&spelunk_core::codes::TRAILING_STREAM).at(section.at());
        task.warn(error.within_chunk(position as usize))
    }
}

/// The level of content whose old level is not known; streams that no level gives keep their bytes.
pub(super) const USUAL_LEVEL: u8 = 6;

/// The plain data of a chunk.
#[derive(Clone, Copy, Debug)]
pub struct Data<'a> {
    /// Position of the chunk in the file.
    pub position: u32,
    /// The data.
    pub plain: &'a [u8],
    /// Where it lies: in the file, or in the space of the chunk.
    pub at: Span,
}

/// Walks the plain data of a chunk.
pub type WalkData<'d> = &'d dyn Fn(Data<'_>, &mut Task<'_>, &mut dyn Walk) -> Walked;

/// The space of a packed chunk.
const fn space(position: u32) -> Space {
    Space::nth("chunk", position)
}

/// Id and occurrence: what names a chunk.
fn key(chunk: &Chunk) -> (i16, i16) {
    (chunk.id(), chunk.occurrence())
}

fn order(chunks: &[Chunk], task: &mut Task<'_>) -> Result<Vec<u32>> {
    let count = u32::try_from(chunks.len())
        .map_err(|_| Error::new(&spelunk_core::codes::TOO_LARGE).found(chunks.len()))?;
    let mut order = task.budget.vec::<u32>(count.into())?;
    order.extend(0..count);
    order.sort_unstable_by_key(|n| (chunks.get(*n as usize).map(key), *n));
    Ok(order)
}

/// The inflated size of a chunk. Of a damaged stream there is none, which is reported.
fn measured(
    source: &dyn Source,
    chunk: &Chunk,
    position: usize,
    task: &mut Task<'_>,
) -> Result<Option<u64>> {
    if !chunk.is_packed() {
        return Ok(Some(chunk.stored_len()));
    }
    let at = chunk.data_at();
    let measured = with_range(source, at.start..at.end(), task, |stored, task| {
        zlib::measure(stored, at, &mut task.budget)
    });
    match measured.and_then(|measured| measured) {
        Ok(len) => Ok(Some(len)),
        Err(error) => tolerate(error.within_chunk(position), task).map(|()| None),
    }
}

fn read_header(source: &dyn Source) -> Result<FileHeader> {
    let mut buffer = [0; size_of::<FileHeader>()];
    let len = usize::try_from(source.len().min(HEADER_LEN)).unwrap_or_default();
    let there = buffer.get_mut(..len).unwrap_or_default();
    source.read_at(0, there)?;
    let header = *Cursor::new(there, Space::FILE, 0).record::<FileHeader>()?;
    match header.magic.get() {
        MAGIC | MAGIC_SPEC => Ok(header),
        other => Err(Error::new(&codes::CFF_MAGIC)
            .at(Span::file(0, 4))
            .field("magic")
            .expected(format!("{MAGIC_SPEC:#010x}"))
            .found(format!("{other:#010x}"))),
    }
}

/// Walks the chunk headers without keeping them.
fn scan(source: &dyn Source, form: Form, task: &mut Task<'_>) -> Result<Scan> {
    let mut scan = Scan { chunks: 0, end: HEADER_LEN, stopped: None };
    while scan.end < source.len() {
        task.budget.steps(1)?;
        match chunk_header(source, scan.end, form) {
            Ok(header) => {
                let len = u64::try_from(header.len).unwrap_or_default();
                scan.end = scan.end.saturating_add(form.header_len()).saturating_add(len);
                scan.chunks = scan.chunks.saturating_add(1);
            }
            Err(error) if error.code().class == Class::Io => return Err(error),
            Err(error) => {
                let position = usize::try_from(scan.chunks).unwrap_or(usize::MAX);
                scan.stopped = Some(error.within_chunk(position));
                break;
            }
        }
    }
    Ok(scan)
}

/// Reads the chunk header at `start`. What stands there is one if it is packed or not and its data fits into the file.
fn chunk_header(source: &dyn Source, start: u64, form: Form) -> Result<Header> {
    let left = source.len().saturating_sub(start);
    let mut bytes = [0; 11];
    let there = usize::try_from(left.min(form.header_len())).unwrap_or_default();
    let there = bytes.get_mut(..there).unwrap_or_default();
    source.read_at(start, there)?;
    let mut cursor = Cursor::new(there, Space::FILE, start);
    let (packed, len, width) = match form {
        Form::Table => {
            let header = cursor.record::<TableHeader>()?;
            (header.packed, i64::from(header.data_length.get()), 4)
        }
        Form::Dump => {
            let header = cursor.record::<DumpHeader>()?;
            let high = i64::from(header.data_length_high) << 16;
            (header.packed, i64::from(header.data_length.get()) | high, 3)
        }
    };
    if packed > 1 {
        let at = Span::file(start.saturating_add(4), 1);
        let error = Error::new(&codes::CHUNK_PACKED).at(at).field("packed");
        return Err(error.expected("0 or 1").found(u32::from(packed)));
    }
    let at = Span::file(start.saturating_add(7), width);
    let stored = u64::try_from(len)
        .map_err(|_| Error::new(&codes::CHUNK_NEGATIVE).found(Val::I(len)))
        .field("data_length")
        .at(at)?;
    let room = left.saturating_sub(form.header_len());
    if stored > room {
        return Err(Error::new(&codes::CHUNK_PAST_END)
            .at(at)
            .field("data_length")
            .expected(format!("at most {room} bytes"))
            .found(format!("{stored} bytes")));
    }
    Ok(Header { bytes, len })
}
