//! Chunk files in the chunks of saves as entries, `5/@34` and `5/@34/2016`: `docs/formats/save.md#5-nested-chunk-files`.

use super::{
    chunk::{DATA, Data, STORED, not_found},
    chunks::Chunks,
    container::{ChunkDetails, walk_file_details, walk_listed},
    detect::Kind,
    form::REAL,
    item::ChunkFileNode,
    records::{walk_records, walk_section},
};
use crate::{
    bytes::tolerate,
    gamedata::{self, Category},
    map::{self, CountPrefix, Section},
    save::{FreeGame, Nest, NestedChunk, NestedFile, Within},
};
use spelunk_core::{
    Bytes, Container, Described, Entry, Error, Group, Node, Record, Result, Span, Task, Val, Walk,
    Walked, container::Each, text::CodePages, zlib,
};

const PAGE: &str = "docs/formats/save.md#5-nested-chunk-files";
static PARTS: Record =
    Record::group("parts", PAGE, "The chunk files in a chunk, and the bytes between them.");
static FILE: Record =
    Record::group("file", PAGE, "A chunk file in a chunk: a header, and chunks behind it.");

/// Returns the name of a chunk file's kind.
const fn kind_of(file: &NestedFile) -> &'static str {
    match file.kind() {
        Some(Kind::GameData) => "GameData",
        Some(Kind::Map) => "map",
        Some(Kind::SpellForce2Map) => "SpellForce 2 map",
        Some(Kind::Save | Kind::Unknown | Kind::Spec(_)) | None => "chunk file",
    }
}

/// Knowledge of a nested chunk.
#[derive(Clone, Copy)]
enum ChunkSchema {
    Category(&'static Category),
    Section(&'static Section),
    Nothing,
}

impl ChunkSchema {
    fn of(file: &NestedFile, chunk: &NestedChunk) -> ChunkSchema {
        let (id, data_type) = (chunk.header().id.get(), chunk.header().data_type.get());
        let known = match file.kind() {
            Some(Kind::GameData) => {
                let category = gamedata::category(id).filter(|known| known.data_type == data_type);
                category.map(ChunkSchema::Category)
            }
            Some(Kind::Map) => {
                map::section(id).filter(|known| known.knows(data_type)).map(ChunkSchema::Section)
            }
            _ => None,
        };
        known.unwrap_or(ChunkSchema::Nothing)
    }

    /// Returns the part before the rows, and the size of a row.
    fn rows(self, data_type: i16) -> Option<(CountPrefix, usize)> {
        match self {
            ChunkSchema::Category(category) => {
                category.row_size().map(|size| (CountPrefix::None, size))
            }
            ChunkSchema::Section(section) => {
                section.rows(data_type).map(|(head, record)| (head, record.size as usize))
            }
            ChunkSchema::Nothing => None,
        }
    }
}

fn name_of(file: &NestedFile, id: i16) -> Option<&'static str> {
    file.kind().and_then(|kind| kind.chunk_name(id))
}

impl Chunks {
    /// The chunk files in the chunks of a save; nothing where it is none.
    pub fn nest(&self) -> Option<&Nest> {
        self.nest.as_ref()
    }

    fn nested_file(&self, number: u32) -> Result<&NestedFile> {
        self.nest.as_ref().and_then(|nest| nest.file(number)).ok_or_else(not_found)
    }

    fn nested_chunk(&self, number: u32) -> Result<(&Nest, &NestedFile, &NestedChunk)> {
        let nest = self.nest.as_ref().ok_or_else(not_found)?;
        let (file, chunk) = nest.chunk(number).ok_or_else(not_found)?;
        Ok((nest, file, chunk))
    }

    /// Hands out a chunk file that lies in a chunk.
    pub(super) fn give_file(&self, number: u32, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        let file = self.nested_file(number)?;
        task.budget.steps(1)?;
        let details = |_: &mut Task<'_>, walk: &mut dyn Walk| {
            walk_file_details(file.header(), file.chunks().len(), file.start(), walk)
        };
        each(
            &Entry {
                node: ChunkFileNode::File(number).node(),
                path: file.path(),
                kind: kind_of(file),
                name: None,
                label: None,
                size: file.at().len,
                stored_size: None,
                details: &details,
            },
            task,
        )
    }

    /// Hands out a chunk of such a file.
    pub(super) fn give_nested(&self, number: u32, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        let (nest, file, chunk) = self.nested_chunk(number)?;
        task.budget.steps(1)?;
        let header = chunk.header();
        let name = name_of(file, header.id.get());
        let rows = ChunkSchema::of(file, chunk).rows(header.data_type.get());
        let listed = ChunkDetails {
            name,
            rows: rows.and_then(|(head, size)| {
                let room = chunk.plain_len().saturating_sub(head.len() as u64);
                room.checked_div(size as u64)
            }),
            stored_len: u64::try_from(header.data_length.get()).unwrap_or_default(),
            layout: rows.map(|(head, size)| (head.len(), size)),
            offset: nest.at(number).start,
        };
        let details = |_: &mut Task<'_>, walk: &mut dyn Walk| walk_listed(header, listed, walk);
        each(
            &Entry {
                node: ChunkFileNode::Nested(number).node(),
                path: &nest.chunk_path(number),
                kind: name.unwrap_or("chunk"),
                name: None,
                label: None,
                size: chunk.plain_len(),
                stored_size: chunk.is_packed().then(|| chunk.stored_len()),
                details: &details,
            },
            task,
        )
    }

    /// Hands out the chunk files that lie in a chunk.
    pub(super) fn give_files(&self, of: Within, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        let mut files = self.nest.as_ref().map_or(0..0, |nest| nest.within(of));
        files.try_for_each(|number| self.give_file(number, task, each))
    }

    /// Hands out the chunks of a chunk file.
    pub(super) fn give_chunks_of(&self, file: u32, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        let mut chunks = self.nested_file(file)?.chunks();
        chunks.try_for_each(|number| self.give_nested(number, task, each))
    }

    /// The entries in the chunks of a save that a path names: `5/@34`, `5/@34/2016`, `5/@34/2016/@8/6.3`.
    pub(super) fn find_nested(
        &self,
        path: &str,
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<Vec<Node>> {
        let (Some(nest), Some((outer, rest))) = (&self.nest, path.split_once('/')) else {
            return Ok(Vec::new());
        };
        let mut found: Vec<ChunkFileNode> =
            self.find(outer, pages, task)?.into_iter().map(ChunkFileNode::of).collect();
        for step in rest.split('/') {
            let mut next = Vec::new();
            for item in found {
                task.budget.steps(1)?;
                match item {
                    ChunkFileNode::Chunk(n) => next.extend(file_at(nest, Within::Chunk(n), step)),
                    ChunkFileNode::Nested(n) => next.extend(file_at(nest, Within::Nested(n), step)),
                    ChunkFileNode::File(number) => {
                        let file = self.nested_file(number)?;
                        task.budget.steps(file.chunks().len() as u64)?;
                        next.extend(chunks_named(nest, file, step).map(ChunkFileNode::Nested));
                    }
                    ChunkFileNode::Row(..) | ChunkFileNode::Id(_) | ChunkFileNode::Group(..) => {}
                }
            }
            found = next;
        }
        Ok(found.into_iter().map(ChunkFileNode::node).collect())
    }

    /// The bytes of a chunk file, from its header to the end of its last chunk.
    pub(super) fn file_bytes(&self, number: u32) -> Result<Bytes> {
        Ok(self.nested_file(number)?.bytes().clone())
    }

    /// The plain data of a chunk of such a file.
    pub(super) fn nested_bytes(&self, number: u32, task: &mut Task<'_>) -> Result<Bytes> {
        self.nested_chunk(number)?.0.plain(number, &mut task.budget)
    }

    /// Inflates every packed chunk of nested files, and reports those that cannot be inflated.
    pub(super) fn verify_nested(&self, task: &mut Task<'_>) -> Result<()> {
        let Some(nest) = &self.nest else { return Ok(()) };
        for number in nest.files().iter().flat_map(NestedFile::chunks) {
            task.budget.steps(1)?;
            let (_, _, chunk) = self.nested_chunk(number)?;
            if !chunk.is_packed() {
                continue;
            }
            match nest.with_plain(number, task, zlib::is_followed) {
                Ok(true) => {
                    let error = Error::new(&spelunk_core::codes::TRAILING_STREAM);
                    task.warn(error.at(nest.stored_at(number)))?;
                }
                Ok(false) => {}
                Err(error) => tolerate(error, task)?,
            }
        }
        Ok(())
    }

    /// Walks the plain data of a chunk of a save.
    pub(super) fn walk_in_save(
        &self,
        data: Data<'_>,
        task: &mut Task<'_>,
        walk: &mut dyn Walk,
    ) -> Walked {
        let is_first = self.file.chunk(data.position).is_some_and(|chunk| chunk.id() == 0);
        match FreeGame::read(data.plain).filter(|_| is_first) {
            Some(game) => game.walk(data.at, task, walk),
            None => self.walk_parts(
                Within::Chunk(data.position),
                data,
                ChunkSchema::Nothing,
                task,
                walk,
            ),
        }
    }

    /// Walks the plain data of a chunk that may hold chunk files.
    fn walk_parts(
        &self,
        of: Within,
        data: Data<'_>,
        known: ChunkSchema,
        task: &mut Task<'_>,
        walk: &mut dyn Walk,
    ) -> Walked {
        let Some(nest) = &self.nest else { return data.walk(walk) };
        let files = nest.within(of);
        if files.is_empty() {
            return walk_known(known, data, of, nest, task, walk);
        }
        let between = |range: std::ops::Range<u64>, walk: &mut dyn Walk| -> Walked {
            let bytes = data.plain.get(range.start as usize..range.end as usize);
            match bytes.filter(|bytes| !bytes.is_empty()) {
                Some(bytes) => {
                    let at = data.at.part(range.start, bytes.len() as u64);
                    walk.field(&DATA, Some(at), Val::Bytes(bytes.into()))
                }
                None => Ok(()),
            }
        };
        walk.group(&Group::list("parts", &PARTS, Some(data.at)), |walk| {
            let (mut end, mut nth) = (0, 0_usize);
            for number in files {
                let file = self.nested_file(number)?;
                nth = nth.saturating_add(usize::from(file.start() > end));
                between(end..file.start(), walk)?;
                walk.group(&Group::item(nth, &FILE, Some(file.at())), |walk| {
                    self.walk_file(number, task, walk)
                })?;
                nth = nth.saturating_add(1);
                end = file.start().saturating_add(file.at().len);
            }
            between(end..data.plain.len() as u64, walk)
        })
    }

    /// Walks a chunk file.
    pub(super) fn walk_file(
        &self,
        number: u32,
        task: &mut Task<'_>,
        walk: &mut dyn Walk,
    ) -> Walked {
        let file = self.nested_file(number)?;
        let at = file.at();
        walk.record("header", file.header(), at.part(0, 0))?;
        let start = size_of_val(file.header()) as u64;
        let chunks = at.part(start, at.len.saturating_sub(start));
        walk.group(&Group::list("chunks", &REAL.chunks, Some(chunks)), |walk| {
            for (nth, number) in file.chunks().enumerate() {
                task.budget.steps(1)?;
                let (nest, ..) = self.nested_chunk(number)?;
                walk.group(&Group::item(nth, &REAL.chunk, Some(nest.at(number))), |walk| {
                    self.walk_nested(number, task, walk)
                })?;
            }
            Ok(())
        })
    }

    /// Walks a chunk of such a file. As deep as chunk files are searched, this is called below itself.
    pub(super) fn walk_nested(
        &self,
        number: u32,
        task: &mut Task<'_>,
        walk: &mut dyn Walk,
    ) -> Walked {
        let (nest, file, chunk) = self.nested_chunk(number)?;
        let (at, known, of) =
            (nest.at(number), ChunkSchema::of(file, chunk), Within::Nested(number));
        walk_record(chunk.header(), at, walk)?;
        let stored = nest.stored(number);
        let position = number;
        let Some(unpacked) = chunk.unpacked() else {
            let data = Data { position, plain: &stored, at: nest.stored_at(number) };
            return self.walk_parts(of, data, known, task, walk);
        };
        walk_record(unpacked, at.part(size_of_val(chunk.header()) as u64, 0), walk)?;
        walk.field(&STORED, Some(nest.stored_at(number)), Val::Bytes((&*stored).into()))?;
        let at = nest.plain_at(number);
        walk.group(&Group::record("plain", &REAL.plain, Some(at)), |walk| {
            match nest.plain(number, &mut task.budget) {
                Ok(plain) => {
                    let data = Data { position, plain: &plain, at };
                    self.walk_parts(of, data, known, task, walk)
                }
                Err(error) => Ok(tolerate(error, task)?),
            }
        })
    }
}

/// Walks the fields of a record that starts at `at`.
fn walk_record<T: Described>(record: &T, at: Span, walk: &mut dyn Walk) -> Walked {
    T::RECORD.walk(record.as_bytes(), at, walk)
}

/// Walks the plain data of a nested chunk that holds no chunk files.
fn walk_known(
    known: ChunkSchema,
    data: Data<'_>,
    of: Within,
    nest: &Nest,
    task: &mut Task<'_>,
    walk: &mut dyn Walk,
) -> Walked {
    let Within::Nested(number) = of else { return data.walk(walk) };
    match known {
        ChunkSchema::Category(category) if category.row_size().is_some() => {
            walk_records(CountPrefix::None, category.record, data, task, walk)
        }
        ChunkSchema::Section(section) => {
            let data_type =
                nest.chunk(number).map_or(0, |(_, chunk)| chunk.header().data_type.get());
            walk_section(section, data_type, data, task, walk)
        }
        ChunkSchema::Category(_) | ChunkSchema::Nothing => data.walk(walk),
    }
}

/// The chunk file in a chunk that `@34` or `@0x22` names.
fn file_at(nest: &Nest, of: Within, step: &str) -> Option<ChunkFileNode> {
    let start = step.strip_prefix('@')?;
    let start = match start.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok()?,
        None => start.parse().ok()?,
    };
    let mut files = nest.within(of);
    files.find(|n| nest.file(*n).is_some_and(|file| file.start() == start)).map(ChunkFileNode::File)
}

/// The chunks of a file that `2016`, `texts` or `6.3` names.
fn chunks_named<'n>(
    nest: &'n Nest,
    file: &'n NestedFile,
    step: &str,
) -> impl Iterator<Item = u32> + use<'n> {
    let (name, occurrence) = match step.split_once('.') {
        Some((name, occurrence)) => (name, Some(occurrence.parse::<i16>())),
        None => (step, None),
    };
    let named = file.kind().and_then(|kind| kind.id_named(name));
    let id = named.or_else(|| name.parse().ok());
    file.chunks().filter(move |number| {
        nest.chunk(*number).is_some_and(|(_, chunk)| {
            let header = chunk.header();
            let fits = match &occurrence {
                None => true,
                Some(Ok(occurrence)) => *occurrence == header.occurrence.get(),
                Some(Err(_)) => false,
            };
            fits && Some(header.id.get()) == id
        })
    })
}
