//! Chunks, and the file that is made of them: `docs/formats/cff.md#2-chunk-header` to
//! `docs/formats/cff.md#4-wide-headers`.

use super::{
    form::{ChunkHeader, Form, ParsedChunkHeader, UnpackedLength},
    header::FileHeader,
    within::WithinChunk,
};
use crate::{
    bytes::{tolerate, with_range},
    codes,
};
use spelunk_core::{
    Budget, Bytes, Error, Field, Group, Result, Section, Source, Space, Span, Task, Ty, Val, Walk,
    Walked, field::Role, pieces::Pieces, zlib,
};
use std::sync::{Arc, OnceLock};
use zerocopy::IntoBytes;

pub(super) static STORED: Field =
    Field::new("stored", Ty::Bytes, "The data as it is stored: one zlib stream.")
        .unit("bytes")
        .role(Role::Packed);
static DAMAGED: Field =
    Field::new("stored", Ty::Bytes, "A zlib stream that cannot be inflated.").unit("bytes");
pub(super) static DATA: Field =
    Field::new("data", Ty::Bytes, "The plain data of the chunk.").unit("bytes");
static TAIL: Field = Field::new(
    "tail",
    Ty::Bytes,
    "Bytes behind the last chunk that can be read. They are damage, and kept.",
);

/// A chunk: its header and where its data lies.
#[derive(Clone, Debug)]
pub struct Chunk {
    head: ParsedChunkHeader,
    /// Whether its stream is known not to inflate, which is found out where no plain size is stored.
    is_damaged: bool,
    start: u64,
    plain_len: u64,
    /// The data, once it was asked for.
    section: OnceLock<Box<Section>>,
}

impl Chunk {
    /// Id of the chunk, which says what the chunk holds.
    pub const fn id(&self) -> i16 {
        self.head.header.id.get()
    }

    /// The number among chunks of one id.
    pub const fn occurrence(&self) -> i16 {
        self.head.header.occurrence.get()
    }

    /// Version of the layout of this id.
    pub const fn data_type(&self) -> i16 {
        self.head.header.data_type.get()
    }

    /// The packed word: 0 is raw, everything else is taken as zlib.
    pub const fn packed(&self) -> i16 {
        self.head.header.packed.get()
    }

    /// Whether the data is a zlib stream.
    pub const fn is_packed(&self) -> bool {
        self.packed() != 0
    }

    /// The values of the header, whatever its form.
    pub const fn header(&self) -> &ChunkHeader {
        &self.head.header
    }

    /// The second part of the header, where there is one.
    pub const fn unpacked(&self) -> Option<&UnpackedLength> {
        self.head.unpacked.as_ref()
    }

    /// Whether its stream is known not to inflate. In real files that shows when the data is asked for.
    pub const fn is_damaged(&self) -> bool {
        self.is_damaged
    }

    /// Stored size of the data in bytes: that which is there, where the file ends inside of it.
    pub const fn stored_len(&self) -> u64 {
        self.head.stored_len
    }

    /// Whether the file ends inside of the data, so that the header says more than there is.
    pub fn is_cut(&self) -> bool {
        u64::try_from(self.head.header.data_length.get()).is_ok_and(|len| len > self.stored_len())
    }

    /// Plain size of the data in bytes: the declared one, or the measured one where none is stored. Of a damaged stream that
    /// cannot be measured it is the stored one.
    pub const fn plain_len(&self) -> u64 {
        self.plain_len
    }

    fn header_len(&self) -> u64 {
        self.head.len.into()
    }

    /// Header and data in the file.
    pub fn at(&self) -> Span {
        Span::file(self.start, self.header_len().saturating_add(self.stored_len()))
    }

    /// The stored data in the file.
    pub fn data_at(&self) -> Span {
        Span::file(self.start.saturating_add(self.header_len()), self.stored_len())
    }
}

/// A chunk file.
///
/// Opening reads the headers and nothing else, unless plain sizes are not stored. Data is read, and inflated, when it is asked
/// for.
#[derive(Clone)]
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
            .field("tail", &self.tail)
            .finish_non_exhaustive()
    }
}

impl ChunkFile {
    /// Opens a chunk file in the form that fits it ([`Form`]). In the dialect `spec`, where no inflated size is stored, the
    /// streams of packed chunks are measured.
    ///
    /// # Errors
    /// Those of [`FileHeader::read`]; [`codes::CFF_MAGIC_SPEC`] where no chunk can be read behind the printed magic; what is
    /// wrong with the first chunk, if there are bytes behind the header and no chunk at all; limits. Damage behind the first
    /// chunk, streams that cannot be measured, and repeated or unusual chunks are findings.
    pub fn open(source: Arc<dyn Source>, task: &mut Task<'_>) -> Result<ChunkFile> {
        let header = FileHeader::read(&*source)?;
        let (form, mut scan) = Form::find(&*source, &header, task)?;
        if let Some(error) = scan.stopped.take() {
            if scan.chunks == 0 {
                return Err(error);
            }
            task.error(error)?;
        }
        let mut chunks = task.budget.vec::<Chunk>(scan.chunks)?;
        let mut start = FileHeader::LEN;
        while start < scan.end {
            let head = match form.read_cut(&*source, start)? {
                Some(cut) if scan.cut == Some(start) => cut,
                _ => form.read(&*source, start)?,
            };
            let section = OnceLock::new();
            let mut chunk = Chunk { head, is_damaged: false, start, plain_len: 0, section };
            let measured = match &chunk.head.unpacked {
                Some(unpacked) if chunk.is_packed() => {
                    Some(u64::try_from(unpacked.unpacked_length.get()).unwrap_or_default())
                }
                None if chunk.is_packed() => measured(&*source, &chunk, chunks.len(), task)?,
                _ => Some(chunk.stored_len()),
            };
            chunk.is_damaged = measured.is_none();
            chunk.plain_len = measured.unwrap_or(chunk.stored_len());
            start = chunk.at().end();
            chunks.push(chunk);
        }
        let order = order(&chunks, task)?;
        let tail = Span::file(scan.end, source.len().saturating_sub(scan.end));
        let file = ChunkFile { source, header, form, chunks, order, tail };
        file.note_oddities(task)?;
        Ok(file)
    }

    /// Refuses a file of the dialect `spec` where a map with the chunks of real ones is needed.
    ///
    /// # Errors
    /// [`codes::CFF_SPEC_HEADERS`].
    pub fn refuse_spec(&self) -> Result<()> {
        match self.form.is_spec() {
            true => Err(Error::new(&codes::CFF_SPEC_HEADERS).at(Span::file(FileHeader::LEN, 0))),
            false => Ok(()),
        }
    }

    fn note_oddities(&self, task: &mut Task<'_>) -> Result<()> {
        for (n, chunk) in self.chunks.iter().enumerate() {
            if !matches!(chunk.packed(), 0 | 1) {
                let at = Span::file(chunk.start.saturating_add(4), 2);
                let error =
                    Error::new(&codes::CHUNK_PACKED).at(at).found(i32::from(chunk.packed()));
                task.note(error.field("packed").within_chunk(n))?;
            }
        }
        let mut before: Option<&Chunk> = None;
        for (n, chunk) in self.order.iter().filter_map(|n| Some((n, self.chunk(*n)?))) {
            if before.is_some_and(|before| key(before) == key(chunk)) {
                let error = Error::new(&codes::CHUNK_REPEATED)
                    .at(Span::file(chunk.start, 4))
                    .found(format!("{}.{}", chunk.id(), chunk.occurrence()));
                task.warn(error.within_chunk(*n as usize))?;
            }
            before = Some(chunk);
        }
        Ok(())
    }

    /// The header.
    pub const fn header(&self) -> &FileHeader {
        &self.header
    }

    /// The form: which headers the chunks have.
    pub const fn form(&self) -> Form {
        self.form
    }

    /// Whether every chunk header has an unpacked length.
    pub const fn wide_headers(&self) -> bool {
        matches!(self.form, Form::Wide)
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

    /// The path of a chunk: its id, and its occurrence where that is needed.
    pub fn path(&self, chunk: &Chunk) -> String {
        match (chunk.occurrence(), self.with_id(chunk.id())) {
            (0, [_]) => chunk.id().to_string(),
            (occurrence, _) => format!("{}.{occurrence}", chunk.id()),
        }
    }

    /// Bytes behind the last readable chunk.
    pub const fn tail(&self) -> Span {
        self.tail
    }

    /// Bytes behind the last readable chunk, read.
    ///
    /// # Errors
    /// Reading errors, limits.
    pub fn tail_bytes(&self, budget: &mut Budget) -> Result<Bytes> {
        self.source.read(self.tail.start..self.tail.end(), budget)
    }

    /// Size of the file in bytes.
    pub fn size(&self) -> u64 {
        self.source.len()
    }

    /// Bytes of memory that a copy takes, beside what it shares.
    pub(super) fn copied_len(&self) -> u64 {
        let chunk = size_of::<Chunk>().saturating_add(size_of::<u32>());
        let list = (chunk as u64).saturating_mul(self.chunks.len() as u64);
        let read = self.chunks.iter().filter(|chunk| chunk.section.get().is_some()).count() as u64;
        list.saturating_add(read.saturating_mul(size_of::<Section>() as u64))
    }

    /// Bytes of memory that an edited file takes: its list of chunks, what was read and inflated of them, and what the edit
    /// made.
    pub(super) fn held(&self) -> u64 {
        let list = size_of::<Chunk>().saturating_add(size_of::<u32>()) as u64;
        let list = list.saturating_mul(self.chunks.len() as u64);
        let read = self.chunks.iter().filter_map(|chunk| {
            let section = chunk.section.get()?;
            let at = section.at();
            let lent = self.source.lend(at.start..at.end()).is_some();
            let stored = if lent { 0 } else { at.len };
            let inflated = stored.saturating_add(section.inflated_len());
            Some(inflated.saturating_add(size_of::<Section>() as u64))
        });
        let made = self.source.as_pieces().map_or(0, Pieces::held);
        read.fold(list.saturating_add(made), u64::saturating_add)
    }

    pub(super) fn source(&self) -> &dyn Source {
        &*self.source
    }

    /// The source of the bytes, to be kept.
    pub(super) fn shared_source(&self) -> Arc<dyn Source> {
        self.source.clone()
    }

    /// The data of a chunk. A packed one is space `chunkN`, N being its position in the file.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND) when there is no such chunk; reading errors, limits.
    pub fn section(&self, position: u32, budget: &mut Budget) -> Result<&Section> {
        let chunk = self.chunk(position).ok_or_else(not_found)?;
        if let Some(section) = chunk.section.get() {
            return Ok(section);
        }
        let at = chunk.data_at();
        if chunk.is_damaged {
            let error = Error::new(&spelunk_core::codes::INFLATE).at(at);
            return Err(error.within_chunk(position as usize));
        }
        let mark = budget.mark();
        budget.memory(size_of::<Section>() as u64)?;
        let stored = self.source.read(at.start..at.end(), budget)?;
        let section = if chunk.is_packed() {
            Section::zlib(at, stored, plain_at(position, chunk).space, chunk.plain_len())
        } else {
            Section::stored(at, stored)
        };
        Ok(budget.keep(mark, &chunk.section, Box::new(section)).as_ref())
    }

    /// The stored data of a chunk, whether it can be inflated or not.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND) when there is no such chunk; reading errors, limits.
    pub fn stored(&self, position: u32, budget: &mut Budget) -> Result<Bytes> {
        let at = self.chunk(position).ok_or_else(not_found)?.data_at();
        self.source.read(at.start..at.end(), budget)
    }

    /// The plain data of a chunk, inflated now if it was not before, and kept.
    ///
    /// # Errors
    /// Those of [`ChunkFile::section`], and of inflating.
    pub fn plain(&self, position: u32, budget: &mut Budget) -> Result<&Bytes> {
        let section = self.section(position, budget)?;
        section.plain(budget).map_err(|error| error.within_chunk(position as usize))
    }

    /// Hands the plain data of a chunk to `see` and lets go of what had to be inflated for that.
    ///
    /// # Errors
    /// Those of [`ChunkFile::plain`].
    pub fn with_plain<T>(
        &self,
        position: u32,
        task: &mut Task<'_>,
        see: impl FnOnce(&[u8]) -> T,
    ) -> Result<T> {
        self.with_stored(position, task, |_, plain| see(plain))
    }

    /// Like [`ChunkFile::with_plain`], with the stored data beside the plain one; of a raw chunk they are
    /// the same.
    ///
    /// # Errors
    /// Those of [`ChunkFile::plain`].
    pub fn with_stored<T>(
        &self,
        position: u32,
        task: &mut Task<'_>,
        see: impl FnOnce(&[u8], &[u8]) -> T,
    ) -> Result<T> {
        let chunk = self.chunk(position).ok_or_else(not_found)?;
        let at = chunk.data_at();
        if chunk.is_damaged {
            let error = Error::new(&spelunk_core::codes::INFLATE).at(at);
            return Err(error.within_chunk(position as usize));
        }
        with_range(&*self.source, at.start..at.end(), task, |stored, task| {
            if !chunk.is_packed() {
                return Ok(see(stored, stored));
            }
            let mut scratch = std::mem::take(&mut task.scratch);
            let len = chunk.plain_len();
            let seen = zlib::inflate_reusing(stored, len, at, &mut task.budget, &mut scratch)
                .map(|plain| see(stored, plain));
            task.scratch = scratch;
            seen
        })
        .and_then(|seen| seen)
        .map_err(|error: Error| error.within_chunk(position as usize))
    }

    /// Puts the plain data of a chunk into `place`, which is exactly as long.
    ///
    /// # Errors
    /// Those of [`ChunkFile::plain`].
    pub fn plain_into(&self, position: u32, place: &mut [u8], task: &mut Task<'_>) -> Result<()> {
        let chunk = self.chunk(position).ok_or_else(not_found)?;
        let at = chunk.data_at();
        let read = with_range(&*self.source, at.start..at.end(), task, |stored, task| {
            let found = if chunk.is_packed() {
                task.budget.expand(stored.len() as u64, place.len() as u64, at)?;
                zlib::inflate_into(stored, place)
            } else {
                place.iter_mut().zip(stored).for_each(|(place, byte)| *place = *byte);
                Some(stored.len())
            };
            if found == Some(place.len()) {
                return Ok(());
            }
            let error = Error::new(&spelunk_core::codes::INFLATE).at(at);
            let error = error.expected(format!("{} bytes", place.len()));
            Err(error.found(match found {
                Some(found) => format!("{found} bytes"),
                None => "a damaged stream, or more bytes".to_owned(),
            }))
        });
        read.and_then(|read| read).map_err(|error| error.within_chunk(position as usize))
    }

    /// The place of the plain data of a chunk: in the file, or in the space `chunkN`.
    pub fn plain_at(&self, position: u32) -> Span {
        match self.chunk(position) {
            Some(chunk) if chunk.is_packed() => plain_at(position, chunk),
            Some(chunk) => chunk.data_at(),
            None => Span::file(0, 0),
        }
    }

    /// Position of the packed chunk that has this space.
    pub fn position_of(&self, space: Space) -> Option<u32> {
        let has =
            |(n, chunk): &(u32, &Chunk)| chunk.is_packed() && plain_at(*n, chunk).space == space;
        (0..).zip(&self.chunks).find(has).map(|(n, _)| n)
    }

    /// The inflated spaces, in file order.
    pub fn spaces(&self) -> Vec<Span> {
        (0..)
            .zip(&self.chunks)
            .filter(|(_, chunk)| chunk.is_packed() && !chunk.is_damaged)
            .map(|(n, chunk)| plain_at(n, chunk))
            .collect()
    }

    /// Walks header, chunks and tail in file order; `data` walks the plain data of each chunk. A packed chunk whose data
    /// cannot be inflated has no plain data, which is reported.
    ///
    /// # Errors
    /// Reading errors, and what the walker or the task's sink returns.
    pub fn layout(&self, task: &mut Task<'_>, walk: &mut dyn Walk, data: WalkData<'_>) -> Walked {
        let outline = self.form.outline();
        let start = FileHeader::LEN;
        let at = Span::file(0, start);
        walk.group(&Group::record("header", outline.header, Some(at)), |walk| {
            outline.header.walk(self.header.as_bytes(), at, walk)
        })?;
        let at = Span::file(start, self.tail.start.saturating_sub(start));
        walk.group(&Group::list("chunks", &outline.chunks, Some(at)), |walk| {
            for (n, chunk) in (0..).zip(&self.chunks) {
                let group = Group::item(n as usize, &outline.chunk, Some(chunk.at()));
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

    /// Walks the fields of one chunk: header, stored data, plain data, which is for `data` to walk.
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
        self.form.walk(chunk.header(), chunk.unpacked(), chunk.at(), walk)?;
        let at = chunk.data_at();
        if !chunk.is_packed() {
            return with_range(&*self.source, at.start..at.end(), task, |plain, task| {
                data(Data { position, plain, at }, task, walk)
            })?;
        }
        let field = if chunk.is_damaged { &DAMAGED } else { &STORED };
        with_range(&*self.source, at.start..at.end(), task, |stored, _| {
            walk.field(field, Some(at), Val::Bytes(stored.into()))
        })??;
        if chunk.is_damaged {
            return Ok(());
        }
        // Inflated inside the group, so that walkers that skip it do not pay for it.
        let at = plain_at(position, chunk);
        walk.group(&Group::record("plain", &self.form.outline().plain, Some(at)), |walk| match self
            .plain(position, &mut task.budget)
        {
            Ok(plain) => data(Data { position, plain, at }, task, walk),
            Err(error) => Ok(tolerate(error, task)?),
        })
    }
}

/// The plain data of a chunk.
#[derive(Clone, Copy, Debug)]
pub struct Data<'a> {
    /// Position of the chunk in the file.
    pub position: u32,
    /// The data.
    pub plain: &'a [u8],
    /// Place of the data: in the file, or in the space of the chunk.
    pub at: Span,
}

/// Walks the plain data of a chunk.
pub type WalkData<'d> = &'d dyn Fn(Data<'_>, &mut Task<'_>, &mut dyn Walk) -> Walked;

impl Data<'_> {
    /// Walks the data as bytes that nothing describes.
    ///
    /// # Errors
    /// What the walker returns.
    pub fn walk(&self, walk: &mut dyn Walk) -> Walked {
        walk.field(&DATA, Some(self.at), Val::Bytes(self.plain.into()))
    }
}

/// The space of a packed chunk.
fn plain_at(position: u32, chunk: &Chunk) -> Span {
    Span::new(Space::nth("chunk", position), 0, chunk.plain_len())
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

pub(super) fn not_found() -> Error {
    Error::new(&spelunk_core::codes::NOT_FOUND)
}

/// The inflated size of a packed chunk. Of a damaged stream there is none, which is reported.
fn measured(
    source: &dyn Source,
    chunk: &Chunk,
    position: usize,
    task: &mut Task<'_>,
) -> Result<Option<u64>> {
    let at = chunk.data_at();
    let measured = with_range(source, at.start..at.end(), task, |stored, task| {
        zlib::measure(stored, at, &mut task.budget)
    });
    match measured.and_then(|measured| measured) {
        Ok(len) => Ok(Some(len)),
        Err(error) => tolerate(error.within_chunk(position), task).map(|()| None),
    }
}
