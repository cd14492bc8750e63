//! Whole chunk files inside chunks: `docs/formats/save.md#5-nested-chunk-files`.

use super::{
    found::{EmbeddedChunkFile, Headers, SHORTEST, find, holds_chunk_file},
    free_game::FreeGame,
};
use crate::cff::{Chunk, ChunkFile, ChunkHeader, FileHeader, Kind, UnpackedLength};
use spelunk_core::{Budget, Bytes, Result, Seg, Space, Span, Task, source::part, zlib};
use std::{collections::HashMap, ops::Range, sync::OnceLock};

/// Chunk files in chunk files in chunks: as many levels are searched.
pub const DEPTH: u8 = 8;

/// The chunk that a chunk file lies in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Within {
    /// The chunk at this position of the save.
    Chunk(u32),
    /// The nested chunk of this number.
    Nested(u32),
}

/// A chunk file that lies in a chunk.
#[derive(Debug)]
pub struct NestedFile {
    within: Within,
    depth: u8,
    start: u64,
    at: Span,
    header: FileHeader,
    kind: Option<Kind>,
    chunks: Range<u32>,
    path: String,
    bytes: Bytes,
}

impl NestedFile {
    /// The chunk that it lies in.
    pub const fn within(&self) -> Within {
        self.within
    }

    /// Returns the start of the file in the plain data of that chunk.
    pub const fn start(&self) -> u64 {
        self.start
    }

    /// Returns the place of the file: in the save, or in the space of a packed chunk.
    pub const fn at(&self) -> Span {
        self.at
    }

    /// Returns the header of the file.
    pub const fn header(&self) -> &FileHeader {
        &self.header
    }

    /// Returns the kind of the file, where the ids of its chunks decide it.
    pub const fn kind(&self) -> Option<Kind> {
        self.kind
    }

    /// The numbers of its chunks.
    pub fn chunks(&self) -> Range<u32> {
        self.chunks.clone()
    }

    /// Returns the path of the file: that of the chunk that it lies in, and `@` and its start.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the bytes of the file, from its header to the end of its last chunk.
    pub const fn bytes(&self) -> &Bytes {
        &self.bytes
    }
}

/// A chunk of a nested file.
#[derive(Debug)]
pub struct NestedChunk {
    file: u32,
    headers: Headers,
    /// Start of the chunk in its file.
    start: u64,
    /// Whether its file has several chunks of this id.
    is_one_of_several: bool,
    plain: OnceLock<Bytes>,
}

impl NestedChunk {
    /// The number of the file that it is in.
    pub const fn file(&self) -> u32 {
        self.file
    }

    /// The first part of its header.
    pub const fn header(&self) -> &ChunkHeader {
        &self.headers.chunk
    }

    /// The second part of its header, where it is packed.
    pub const fn unpacked(&self) -> Option<&UnpackedLength> {
        self.headers.unpacked.as_ref()
    }

    /// Whether its data is a zlib stream.
    pub const fn is_packed(&self) -> bool {
        self.headers.unpacked.is_some()
    }

    /// Stored size of its data in bytes.
    pub fn stored_len(&self) -> u64 {
        self.headers.stored_len() as u64
    }

    /// Declared plain size of its data in bytes.
    pub fn plain_len(&self) -> u64 {
        match &self.headers.unpacked {
            Some(unpacked) => u64::try_from(unpacked.unpacked_length.get()).unwrap_or_default(),
            None => self.stored_len(),
        }
    }

    /// Returns the range of the stored data in its file.
    fn stored_in_file(&self) -> Range<u64> {
        let start = self.start.saturating_add(self.headers.len() as u64);
        start..start.saturating_add(self.stored_len())
    }
}

/// The chunk files that lie in the chunks of a save.
///
/// They are found when the save is opened, level by level, and numbered in that order. What is packed among their chunks is
/// inflated when it is asked for; those that hold chunk files themselves stay inflated.
#[derive(Debug, Default)]
pub struct Nest {
    files: Vec<NestedFile>,
    chunks: Vec<NestedChunk>,
}

impl Nest {
    /// Finds the chunk files in the chunks of `file`. Chunks that cannot be inflated hold none; whoever reads them gets the
    /// error.
    ///
    /// # Errors
    /// Reading errors, limits.
    pub fn of(file: &ChunkFile, task: &mut Task<'_>) -> Result<Nest> {
        let mut nest = Nest::default();
        for (n, chunk) in (0..).zip(file.chunks()) {
            task.budget.steps(1)?;
            if chunk.plain_len() < SHORTEST || is_free_game(file, n, task)? {
                continue;
            }
            task.budget.touch(chunk.plain_len())?;
            let held = file.with_plain(n, task, holds_chunk_file);
            if !known(held)?.unwrap_or_default() {
                continue;
            }
            let plain = file.plain(n, &mut task.budget)?;
            let at = file.section(n, &mut task.budget)?.plain_at();
            let holder = Holder { within: Within::Chunk(n), depth: 0, at };
            nest.add(holder, &file.path(chunk), plain, task)?;
        }
        // Those that are found are searched in their turn.
        let mut searched = 0;
        while let Some(file) = nest.files.get(searched) {
            let chunks = if file.depth < DEPTH { file.chunks() } else { 0..0 };
            for number in chunks {
                nest.search(number, task)?;
            }
            searched = searched.saturating_add(1);
        }
        Ok(nest)
    }

    /// Finds the chunk files in a nested chunk.
    fn search(&mut self, number: u32, task: &mut Task<'_>) -> Result<()> {
        let Some((file, chunk)) = self.chunk(number) else { return Ok(()) };
        if chunk.plain_len() < SHORTEST {
            return Ok(());
        }
        let depth = file.depth;
        task.budget.touch(chunk.plain_len())?;
        let held = self.with_plain(number, task, |_, plain| holds_chunk_file(plain));
        if !known(held)?.unwrap_or_default() {
            return Ok(());
        }
        let plain = self.plain(number, &mut task.budget)?;
        let holder = Holder { within: Within::Nested(number), depth, at: self.plain_at(number) };
        let path = self.chunk_path(number);
        self.add(holder, &path, &plain, task)
    }

    /// Adds the chunk files in the plain data of a chunk.
    fn add(
        &mut self,
        holder: Holder,
        path: &str,
        plain: &Bytes,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let Holder { within, depth, at } = holder;
        for EmbeddedChunkFile { start, len, header, chunks } in find(plain, &mut task.budget)? {
            let (start, len) = (start as u64, len as u64);
            let path = format!("{path}/@{start}");
            let own = (size_of::<NestedChunk>() as u64).saturating_mul(chunks.len() as u64);
            let own = own
                .saturating_add(size_of::<NestedFile>() as u64)
                .saturating_add(path.len() as u64);
            task.budget.memory(own)?;
            let mut counts: HashMap<i16, u32> = HashMap::new();
            for (_, headers) in &chunks {
                let count = counts.entry(headers.key().0).or_default();
                *count = count.saturating_add(1);
            }
            let has = |id| counts.contains_key(&id);
            let kind = Kind::by_ids(header.format_version.get(), has);
            let is_one_of_several = |id| counts.get(&id).is_some_and(|count| *count > 1);
            let file = u32::try_from(self.files.len()).unwrap_or(u32::MAX);
            let first = self.count();
            self.chunks.extend(chunks.into_iter().map(|(start, headers)| NestedChunk {
                file,
                headers,
                start: start as u64,
                is_one_of_several: is_one_of_several(headers.key().0),
                plain: OnceLock::new(),
            }));
            self.files.push(NestedFile {
                within,
                depth: depth.saturating_add(1),
                start,
                at: at.part(start, len),
                header,
                kind,
                chunks: first..self.count(),
                path,
                bytes: part(plain, start..start.saturating_add(len)).unwrap_or_default(),
            });
        }
        Ok(())
    }

    fn count(&self) -> u32 {
        u32::try_from(self.chunks.len()).unwrap_or(u32::MAX)
    }

    /// The chunk files, by number.
    pub fn files(&self) -> &[NestedFile] {
        &self.files
    }

    /// The chunk file of this number.
    pub fn file(&self, number: u32) -> Option<&NestedFile> {
        self.files.get(usize::try_from(number).ok()?)
    }

    /// The chunk of this number, and the file that it is in.
    pub fn chunk(&self, number: u32) -> Option<(&NestedFile, &NestedChunk)> {
        let chunk = self.chunks.get(usize::try_from(number).ok()?)?;
        Some((self.file(chunk.file)?, chunk))
    }

    /// The numbers of the chunk files that lie in a chunk, in the order of their bytes.
    pub fn within(&self, chunk: Within) -> Range<u32> {
        // They were found in this order.
        let key = |within: Within| match within {
            Within::Chunk(n) => (0, n),
            Within::Nested(n) => (1, n),
        };
        let before = |file: &NestedFile| key(file.within) < key(chunk);
        let not_behind = |file: &NestedFile| key(file.within) <= key(chunk);
        let start = self.files.partition_point(before);
        let end = self.files.partition_point(not_behind);
        u32::try_from(start).unwrap_or(u32::MAX)..u32::try_from(end).unwrap_or(u32::MAX)
    }

    /// The path of a nested chunk: that of its file, its id, and its occurrence where that is needed.
    pub fn chunk_path(&self, number: u32) -> String {
        let Some((file, chunk)) = self.chunk(number) else { return String::new() };
        match chunk.headers.key() {
            (id, 0) if !chunk.is_one_of_several => format!("{}/{id}", file.path),
            (id, occurrence) => format!("{}/{id}.{occurrence}", file.path),
        }
    }

    /// Returns the place of a nested chunk, header and data.
    pub fn at(&self, number: u32) -> Span {
        let Some((file, chunk)) = self.chunk(number) else { return Span::file(0, 0) };
        let len = chunk.stored_len().saturating_add(chunk.headers.len() as u64);
        file.at.part(chunk.start, len)
    }

    /// Returns the place of the stored data of a nested chunk.
    pub fn stored_at(&self, number: u32) -> Span {
        let Some((file, chunk)) = self.chunk(number) else { return Span::file(0, 0) };
        file.at.part(chunk.stored_in_file().start, chunk.stored_len())
    }

    /// Returns the place of the plain data of a nested chunk: with its file, or in the space `nestedN`, N being its number.
    pub fn plain_at(&self, number: u32) -> Span {
        match self.chunk(number) {
            Some((_, chunk)) if chunk.is_packed() => {
                Span::new(Space::nth("nested", number), 0, chunk.plain_len())
            }
            _ => self.stored_at(number),
        }
    }

    /// Number of the packed chunk that has this space.
    pub fn position_of(&self, space: Space) -> Option<u32> {
        let has = |(number, chunk): &(u32, &NestedChunk)| {
            chunk.is_packed() && self.plain_at(*number).space == space
        };
        (0..).zip(&self.chunks).find(has).map(|(number, _)| number)
    }

    /// The spaces of the packed chunks, by number.
    pub fn spaces(&self) -> impl Iterator<Item = Span> + '_ {
        let packed = (0..).zip(&self.chunks).filter(|(_, chunk)| chunk.is_packed());
        packed.map(|(number, _)| self.plain_at(number))
    }

    /// The stored data of a nested chunk.
    pub fn stored(&self, number: u32) -> Bytes {
        let stored = self.chunk(number);
        let stored = stored.and_then(|(file, chunk)| part(&file.bytes, chunk.stored_in_file()));
        stored.unwrap_or_default()
    }

    /// The plain data of a nested chunk, inflated now if it was not before, and kept.
    ///
    /// # Errors
    /// Those of [`zlib::inflate`].
    pub fn plain(&self, number: u32, budget: &mut Budget) -> Result<Bytes> {
        let stored = self.stored(number);
        let Some((_, chunk)) = self.chunk(number).filter(|(_, chunk)| chunk.is_packed()) else {
            return Ok(stored);
        };
        if let Some(plain) = chunk.plain.get() {
            return Ok(plain.clone());
        }
        let mark = budget.mark();
        let plain = zlib::inflate(&stored, chunk.plain_len(), self.stored_at(number), budget)
            .map_err(|error| error.within(Seg::Key(self.chunk_path(number).into())))?;
        Ok(budget.keep(mark, &chunk.plain, plain.into()).clone())
    }

    /// Hands the stored and the plain data of a nested chunk to `see`, and lets go of what had to be inflated for that.
    ///
    /// # Errors
    /// Those of [`zlib::inflate`].
    pub fn with_plain<T>(
        &self,
        number: u32,
        task: &mut Task<'_>,
        see: impl FnOnce(&[u8], &[u8]) -> T,
    ) -> Result<T> {
        let stored = self.stored(number);
        let Some((_, chunk)) = self.chunk(number).filter(|(_, chunk)| chunk.is_packed()) else {
            return Ok(see(&stored, &stored));
        };
        let (len, at) = (chunk.plain_len(), self.stored_at(number));
        let mut scratch = std::mem::take(&mut task.scratch);
        let seen = zlib::inflate_reusing(&stored, len, at, &mut task.budget, &mut scratch)
            .map(|plain| see(&stored, plain))
            .map_err(|error| error.within(Seg::Key(self.chunk_path(number).into())));
        task.scratch = scratch;
        seen
    }
}

/// A chunk that is searched.
#[derive(Clone, Copy)]
struct Holder {
    within: Within,
    /// Levels of chunk files that it lies in.
    depth: u8,
    /// Place of the plain data.
    at: Span,
}

/// Whether this is chunk 0 of a free game, which holds no chunk files.
fn is_free_game(file: &ChunkFile, position: u32, task: &mut Task<'_>) -> Result<bool> {
    if file.chunk(position).map(Chunk::id) != Some(0) {
        return Ok(false);
    }
    let is = file.with_plain(position, task, |plain| FreeGame::read(plain).is_some());
    Ok(known(is)?.unwrap_or_default())
}

/// Returns what is known of a chunk; nothing where it is damaged.
fn known<T>(seen: Result<T>) -> Result<Option<T>> {
    match seen {
        Err(error) if error.ends_work() => Err(error),
        seen => Ok(seen.ok()),
    }
}
