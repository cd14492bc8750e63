//! Whole chunk files inside chunks: `docs/formats/save.md#5-nested-chunk-files`.

use crate::cff::{Chunk, ChunkFile, ChunkHeader, FileHeader, Kind, MAGIC, UnpackedLength};
use memchr::memmem;
use spelunk_core::{
    Budget, Bytes, Result, Seg, Space, Span, Task, cursor::Cursor, source::part, zlib,
};
use std::{
    collections::{HashMap, HashSet},
    ops::Range,
    sync::OnceLock,
};

/// Chunk files in chunk files in chunks: as many levels are searched.
pub const DEPTH: u8 = 8;

/// The shortest chunk file: its header and that of one chunk.
pub(super) const SHORTEST: u64 = FileHeader::LEN + size_of::<ChunkHeader>() as u64;

/// Memory that a nested chunk takes while its file is walked, beside its own: its place in the set of those that were seen.
const SEEN: u64 = 16;

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

/// The headers of a chunk.
#[derive(Clone, Copy, Debug)]
struct Headers {
    chunk: ChunkHeader,
    unpacked: Option<UnpackedLength>,
}

impl Headers {
    const fn len(&self) -> usize {
        if self.unpacked.is_some() { 16 } else { 12 }
    }

    fn stored_len(&self) -> usize {
        usize::try_from(self.chunk.data_length.get()).unwrap_or_default()
    }

    fn key(&self) -> (i16, i16) {
        (self.chunk.id.get(), self.chunk.occurrence.get())
    }

    /// The headers of a chunk that fits into the bytes that it starts.
    fn read(bytes: &[u8]) -> Option<Headers> {
        let mut cursor = Cursor::new(bytes, Space::FILE, 0);
        let chunk = *cursor.record::<ChunkHeader>().ok()?;
        let stored = usize::try_from(chunk.data_length.get()).ok()?;
        let unpacked = match chunk.packed.get() {
            0 => None,
            1 => {
                let unpacked = *cursor.record::<UnpackedLength>().ok()?;
                let most = (stored as u64).saturating_mul(zlib::MAX_RATIO);
                let plain = u64::try_from(unpacked.unpacked_length.get()).ok()?;
                (plain <= most).then_some(Some(unpacked))?
            }
            _ => return None,
        };
        (stored <= cursor.remaining()).then_some(Headers { chunk, unpacked })
    }

    /// Whether this may be a chunk behind others. Nothing says where the last one ends, so what no program writes is
    /// taken for something else: a chunk without data, and numbers below zero.
    fn may_follow(&self) -> bool {
        let Headers { chunk, .. } = self;
        let numbers = [chunk.id.get(), chunk.occurrence.get(), chunk.data_type.get()];
        self.stored_len() > 0 && numbers.iter().all(|number| *number >= 0)
    }
}

/// A chunk file that was found: its header, and where it and its chunks start.
struct Found {
    start: usize,
    len: usize,
    header: FileHeader,
    chunks: Vec<(usize, Headers)>,
}

/// The header of a chunk file and the headers of its first chunk, where `bytes` start with those: a container version and a type
/// that some file has, and a chunk that fits into the bytes.
fn starts_chunk_file(bytes: &[u8]) -> Option<(FileHeader, Headers)> {
    let mut cursor = Cursor::new(bytes, Space::FILE, 0);
    let header = *cursor.record::<FileHeader>().ok()?;
    let known = matches!((header.format_version.get(), header.file_type.get()), (2 | 3, 0..=2));
    let is_one = known && header.magic.get() == MAGIC;
    Some((header, Headers::read(cursor.rest()).filter(|_| is_one)?))
}

/// Whether a plausible chunk file starts somewhere in `plain`.
pub(super) fn holds_chunk_file(plain: &[u8]) -> bool {
    memmem::find_iter(plain, &MAGIC.to_le_bytes())
        .any(|start| plain.get(start..).and_then(starts_chunk_file).is_some())
}

/// The chunk files in `plain`, one behind the other. What lies in their chunks is not searched.
fn find(plain: &[u8], budget: &mut Budget) -> Result<Vec<Found>> {
    budget.touch(plain.len() as u64)?;
    let mut found: Vec<Found> = Vec::new();
    for start in memmem::find_iter(plain, &MAGIC.to_le_bytes()) {
        budget.steps(1)?;
        let end = found.last().map_or(0, |file| file.start.saturating_add(file.len));
        let bytes = plain.get(start..).filter(|_| start >= end).unwrap_or_default();
        if let Some((header, first)) = starts_chunk_file(bytes) {
            let (chunks, len) = chunks(bytes, first, budget)?;
            budget.memory(size_of::<Found>() as u64)?;
            found.push(Found { start, len, header, chunks });
        }
    }
    Ok(found)
}

/// The chunks of a chunk file, and where the last one ends: before what is no chunk, or one that was there already.
fn chunks(
    bytes: &[u8],
    first: Headers,
    budget: &mut Budget,
) -> Result<(Vec<(usize, Headers)>, usize)> {
    let mut chunks = Vec::new();
    let mut seen = HashSet::new();
    let mut start = FileHeader::LEN as usize;
    let mut next = Some(first);
    while let Some(headers) = next.filter(|headers| seen.insert(headers.key())) {
        budget.steps(1)?;
        budget.memory((size_of::<(usize, Headers)>() as u64).saturating_add(SEEN))?;
        chunks.push((start, headers));
        start = start.saturating_add(headers.len()).saturating_add(headers.stored_len());
        next = bytes.get(start..).and_then(Headers::read).filter(Headers::may_follow);
    }
    Ok((chunks, start))
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
        for Found { start, len, header, chunks } in find(plain, &mut task.budget)? {
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
    let is = file.with_plain(position, task, |plain| super::FreeGame::read(plain).is_some());
    Ok(known(is)?.unwrap_or_default())
}

/// Returns what is known of a chunk; nothing where it is damaged.
fn known<T>(seen: Result<T>) -> Result<Option<T>> {
    match seen {
        Err(error) if error.ends_work() => Err(error),
        seen => Ok(seen.ok()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Something, then a chunk file with one chunk of five bytes.
    fn nested(format: u32, kind: u32, packed: i16, length: i32, unpacked: i32) -> Vec<u8> {
        let mut plain = vec![0x12, 0xdd, 0x12];
        for word in [MAGIC, format, kind, 1, 0] {
            plain.extend(word.to_le_bytes());
        }
        for word in [2016, 0, packed] {
            plain.extend(word.to_le_bytes());
        }
        plain.extend(length.to_le_bytes());
        plain.extend(3_i16.to_le_bytes());
        if packed != 0 {
            plain.extend(unpacked.to_le_bytes());
        }
        plain.extend([7; 5]);
        plain
    }

    #[test]
    fn a_chunk_file_inside_needs_known_words_and_a_chunk_that_fits() {
        for (format, kind) in [(2, 2), (2, 0), (3, 1), (3, 2)] {
            assert!(holds_chunk_file(&nested(format, kind, 0, 5, 0)));
            assert!(holds_chunk_file(&nested(format, kind, 1, 5, 1000)));
        }
        assert!(!holds_chunk_file(&nested(4, 1, 0, 5, 0)), "another version");
        assert!(!holds_chunk_file(&nested(3, 9, 0, 5, 0)), "another type");
        assert!(!holds_chunk_file(&nested(3, 1, 0, 6, 0)), "the chunk does not fit");
        assert!(!holds_chunk_file(&nested(3, 1, 0, -1, 0)));
        assert!(!holds_chunk_file(&nested(3, 1, 7, 5, 5)), "another packed word");
        assert!(!holds_chunk_file(&nested(3, 1, 1, 5, 1 << 20)), "no stream holds that much");
        let mut cut = nested(2, 2, 0, 5, 0);
        cut.truncate(3 + 20 + 11);
        assert!(!holds_chunk_file(&cut));
        assert!(!holds_chunk_file(&MAGIC.to_le_bytes()));
        assert!(!holds_chunk_file(&[]));
    }
}
