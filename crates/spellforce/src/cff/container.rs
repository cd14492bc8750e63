//! Chunk files as containers.

use super::{
    chunk::{Chunk, ChunkFile, not_found},
    chunks::Chunks,
    details::{
        CHECKSUM, CHOSEN_BY, CHUNK_COUNT, CODE_PAGE, COUNT, DATA_TYPE, EDITION, EVIDENCE,
        FILE_VERSION, FORMAT_VERSION, HEADER_SIZE, ID, LANGUAGE, LANGUAGE_CODE, LANGUAGE_ROWS,
        LANGUAGES, MAGIC_WORD, MAP_HEIGHT, MAP_SIZE, MAP_WIDTH, MISSING_COUNT, NAME, OCCURRENCE,
        OFFSET, PACKED, PACKED_COUNT, ROW_SIZE, ROWS, ROWS_START, SLOT, SPEC_TYPE, START,
        STORED_SIZE, TAIL_SIZE, TEXT_COUNT, TYPE, UNPACKED_SIZE, WIDE_HEADERS,
    },
    detect::Kind,
    form::ChunkHeader,
    header::{FileHeader, MAGIC, MAGIC_2003, MAGIC_SPEC},
    item::ChunkFileNode,
};
use crate::{
    bytes::tolerate,
    gamedata::{self, By, Category, TableLookups},
    map,
    map2::RecordStarts,
    profile::{CHUNK_FILES, FAMILIES, GAMEDATA, MAP, SAVE},
    save::{Nest, Within},
    spec,
};
use spelunk_core::{
    Bytes, Class, Container, EachRef, Edit, Entry, Error, Field, Format, Group, Node, Of, Probe,
    Profile, Record, Result, Source, Space, Span, Task, Val, Walk, Walked, WriteOptions,
    container::Each, profile::CodeFamily, signature::FileType, text::CodePages,
};
use std::{io, sync::Arc};

/// The chunk file as a format: GameData, maps and saves.
#[derive(Clone, Copy, Debug)]
pub struct Cff;

impl Format for Cff {
    fn profile(&self) -> &'static Profile {
        &GAMEDATA
    }

    fn closer(&self) -> &'static [&'static Profile] {
        static CLOSER: [&Profile; 2] = [&MAP, &SAVE];
        &CLOSER
    }

    fn file_types(&self) -> &'static [FileType] {
        &CHUNK_FILES
    }

    fn families(&self) -> &'static [CodeFamily] {
        &FAMILIES
    }

    fn probe(&self, head: &[u8], _len: u64) -> Probe {
        match head.first_chunk().map(|magic| u32::from_le_bytes(*magic)) {
            Some(MAGIC | MAGIC_2003 | MAGIC_SPEC) => Probe::Yes,
            _ => Probe::No,
        }
    }

    fn open(&self, source: Arc<dyn Source>, task: &mut Task<'_>) -> Result<Box<dyn Container>> {
        Ok(Box::new(Chunks::of(ChunkFile::open(source, task)?, task)?))
    }
}

static CHUNKS_OF_ID: Record =
    Record::group("chunks", "docs/formats/cff.md#2-chunk-header", "The chunks of one id.");

/// Details of a chunk in a listing, beside its header.
#[derive(Clone, Copy)]
pub(super) struct ChunkDetails {
    pub(super) name: Option<&'static str>,
    pub(super) rows: Option<u64>,
    /// Stored size of the data in bytes, of which the header may say another one.
    pub(super) stored_len: u64,
    /// Start of the rows and size of a row, in bytes.
    pub(super) layout: Option<(usize, usize)>,
    pub(super) offset: u64,
}

/// Walks the fields that a listing shows of a chunk.
pub(super) fn walk_listed(
    header: &ChunkHeader,
    listed: ChunkDetails,
    walk: &mut dyn Walk,
) -> Walked {
    walk.field(&ID, None, Val::I(header.id.get().into()))?;
    walk.field(&OCCURRENCE, None, Val::I(header.occurrence.get().into()))?;
    walk.field(&NAME, None, listed.name.into())?;
    walk.field(&DATA_TYPE, None, Val::I(header.data_type.get().into()))?;
    walk.field(&PACKED, None, (header.packed.get() != 0).into())?;
    walk.field(&STORED_SIZE, None, listed.stored_len.into())?;
    walk.field(&ROWS, None, listed.rows.into())?;
    let (start, size) = listed.layout.unzip();
    walk.field(&ROW_SIZE, None, size.into())?;
    if let Some(start) = start.filter(|start| *start > 0) {
        walk.field(&ROWS_START, None, start.into())?;
    }
    walk.field(&OFFSET, None, listed.offset.into())
}

/// Walks the words of the header of a chunk file, and how many chunks it has.
fn walk_header(header: &FileHeader, chunks: usize, walk: &mut dyn Walk) -> Walked {
    walk.field(&FORMAT_VERSION, None, header.format_version.get().into())?;
    walk.field(&TYPE, None, header.file_type.get().into())?;
    walk.field(&FILE_VERSION, None, header.file_version.get().into())?;
    walk.field(&CHECKSUM, None, Val::Word(header.checksum.get()))?;
    walk.field(&CHUNK_COUNT, None, chunks.into())
}

/// Walks the fields that a listing shows of a chunk file in a chunk.
pub(super) fn walk_file_details(
    header: &FileHeader,
    chunks: usize,
    start: u64,
    walk: &mut dyn Walk,
) -> Walked {
    walk_header(header, chunks, walk)?;
    walk.field(&START, None, start.into())
}

impl Chunks {
    /// Rows of a chunk; `None` where they are not known. Damage that keeps them from being counted is
    /// reported.
    pub(super) fn rows(&self, n: u32, chunk: &Chunk, task: &mut Task<'_>) -> Result<Option<u64>> {
        if chunk.is_damaged() {
            return Ok(None);
        }
        if let Some((head, record)) = self.record_of(chunk) {
            if head.is_shared() {
                return match self.listed(n, task) {
                    Ok(listed) if head.fits(record, listed.plain) => Ok(Some(listed.count as u64)),
                    Ok(_) => Ok(None),
                    Err(error) => tolerate(error, task).map(|()| None),
                };
            }
            let room = chunk.plain_len().saturating_sub(head.len() as u64);
            return Ok(room.checked_div(record.size.into()));
        }
        if self.map2_structure(chunk).is_some() {
            return self.count_map2_records(n, task);
        }
        let Some(category) = self.category(chunk) else { return Ok(None) };
        if let Some(size) = category.row_size() {
            return Ok(chunk.plain_len().checked_div(size as u64));
        }
        let Some(gamedata) = self.gamedata() else { return Ok(None) };
        match gamedata.table(n, &mut task.budget) {
            Ok(table) => Ok(Some(table.len() as u64)),
            Err(error) if error.code().class == Class::Malformed => {
                task.error(error).map(|()| None)
            }
            Err(error) => Err(error),
        }
    }

    /// Rows of all chunks. Damage that keeps those of a chunk from being counted is reported.
    fn sum_of_rows(&self, task: &mut Task<'_>) -> Result<u64> {
        let mut rows = 0_u64;
        for (n, chunk) in (0..).zip(self.file.chunks()) {
            let more = match self.rows(n, chunk, task) {
                Ok(more) => more.unwrap_or_default(),
                Err(error) => tolerate(error, task).map(|()| 0)?,
            };
            rows = rows.saturating_add(more);
        }
        Ok(rows)
    }

    fn evidence(&self) -> Option<&'static str> {
        match self.kind {
            Kind::GameData if self.file.chunks().iter().any(Chunk::is_packed) => Some("synthetic"),
            Kind::GameData | Kind::SpellForce2Map => Some("real files"),
            Kind::Map | Kind::Save | Kind::Spec(_) => Some("synthetic"),
            Kind::Unknown => None,
        }
    }

    fn give_chunk(&self, n: u32, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        let chunk = self.file.chunk(n).ok_or_else(not_found)?;
        task.budget.steps(1)?;
        let rows = self.rows(n, chunk, task)?;
        let layout = match self.record_of(chunk) {
            Some((head, record)) => Some((head.len(), record.size as usize)),
            None => self.category(chunk).and_then(Category::row_size).map(|size| (0, size)),
        };
        let (name, stored_len) = (self.name(chunk.id()), chunk.stored_len());
        let offset = chunk.at().start;
        let listed = ChunkDetails { name, rows, stored_len, layout, offset };
        let details =
            |_: &mut Task<'_>, walk: &mut dyn Walk| walk_listed(chunk.header(), listed, walk);
        each(
            &Entry {
                node: ChunkFileNode::Chunk(n).node(),
                path: &self.file.path(chunk),
                kind: self.name(chunk.id()).unwrap_or("chunk"),
                name: None,
                size: chunk.plain_len(),
                label: self
                    .category(chunk)
                    .map(|category| category.table)
                    .filter(|table| Some(*table) != name),
                stored_size: chunk.is_packed().then(|| chunk.stored_len()),
                details: &details,
            },
            task,
        )
    }

    fn give_id(&self, id: i16, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        let chunks = self.file.with_id(id);
        task.budget.steps(chunks.len() as u64)?;
        let size = chunks.iter().filter_map(|n| self.file.chunk(*n));
        let details = |_: &mut Task<'_>, walk: &mut dyn Walk| {
            walk.field(&ID, None, Val::I(id.into()))?;
            walk.field(&NAME, None, self.name(id).into())?;
            walk.field(&COUNT, None, chunks.len().into())
        };
        each(
            &Entry {
                node: ChunkFileNode::Id(id).node(),
                path: &id.to_string(),
                kind: self.name(id).unwrap_or("chunks"),
                name: None,
                size: size.fold(0, |sum, chunk| sum.saturating_add(chunk.plain_len())),
                label: None,
                stored_size: None,
                details: &details,
            },
            task,
        )
    }

    /// Walks what is known of a file of the dialect `spec`, so many chunks of which are packed.
    fn spec_info(
        &self,
        kind: spec::HeaderType,
        packed: usize,
        task: &mut Task<'_>,
        walk: &mut dyn Walk,
    ) -> Walked {
        let header = self.file.header();
        walk.field(&MAGIC_WORD, None, Val::Word(header.magic.get()))?;
        walk.field(&FORMAT_VERSION, None, header.format_version.get().into())?;
        walk.field(&SPEC_TYPE, None, header.file_type.get().into())?;
        walk.field(&FILE_VERSION, None, header.file_version.get().into())?;
        walk.field(&CHECKSUM, None, Val::Word(header.checksum.get()))?;
        walk.field(&HEADER_SIZE, None, self.file.form().header_len(false).into())?;
        walk.field(&CHUNK_COUNT, None, self.file.chunks().len().into())?;
        walk.field(&PACKED_COUNT, None, packed.into())?;
        if kind == spec::HeaderType::Map {
            let size = match spec::map_size(&self.file, task) {
                Ok(size) => size,
                Err(error) => tolerate(error, task).map(|()| None)?,
            };
            let (width, height) = size.unzip();
            walk.field(&MAP_WIDTH, None, width.into())?;
            walk.field(&MAP_HEIGHT, None, height.into())?;
        }
        if kind == spec::HeaderType::GameData {
            walk.field(&ROWS, None, self.sum_of_rows(task)?.into())?;
            self.walk_languages(task, walk)?;
        }
        walk.field(&TAIL_SIZE, None, self.file.tail().len.into())?;
        walk.field(&EVIDENCE, None, self.evidence().into())
    }

    /// Walks the languages of the texts: a list that is empty where there are no texts.
    fn walk_languages(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        let languages = self.gamedata().map(|gamedata| gamedata.languages(&mut task.budget));
        let languages = match languages.transpose() {
            Ok(languages) => languages,
            Err(error) => tolerate(error, task).map(|()| None)?,
        };
        walk.group(&Group::list("languages", &LANGUAGES, None), |walk| {
            let all = languages.into_iter().flat_map(gamedata::Languages::all);
            for (nth, language) in all.enumerate() {
                walk.group(&Group::item(nth, &LANGUAGES, None), |walk| {
                    walk.field(&SLOT, None, Val::U(language.slot.into()))?;
                    walk.field(&LANGUAGE_ROWS, None, language.rows.into())?;
                    walk.field(&LANGUAGE, None, language.name.into())?;
                    walk.field(&LANGUAGE_CODE, None, language.code.into())?;
                    walk.field(&TEXT_COUNT, None, language.texts.into())?;
                    walk.field(&MISSING_COUNT, None, language.missing.into())?;
                    walk.field(&CODE_PAGE, None, language.pages.to_string().into())?;
                    walk.field(&CHOSEN_BY, None, By::name(language.by).into())
                })?;
            }
            Ok(())
        })?;
        let edition = languages.and_then(gamedata::Languages::edition);
        walk.field(&EDITION, None, edition.map(|edition| edition.name).into())
    }
}

impl Container for Chunks {
    fn profile(&self) -> &'static Profile {
        self.kind.profile()
    }

    fn dialect(&self) -> Option<&'static str> {
        self.kind.dialect()
    }

    fn size(&self) -> u64 {
        self.file.size()
    }

    fn info(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        let chunks = self.file.chunks();
        let header = self.file.header();
        let packed = chunks.iter().filter(|chunk| chunk.is_packed()).count();
        if let Kind::Spec(kind) = self.kind {
            return self.spec_info(kind, packed, task, walk);
        }
        walk_header(header, chunks.len(), walk)?;
        walk.field(&PACKED_COUNT, None, packed.into())?;
        walk.field(&WIDE_HEADERS, None, self.file.wide_headers().into())?;
        // Rows that cannot be counted are reported of other files as well.
        let rows = self.sum_of_rows(task)?;
        let rows = (self.kind == Kind::GameData).then_some(rows);
        walk.field(&ROWS, None, rows.into())?;
        self.walk_languages(task, walk)?;
        let map_size = match self.kind {
            Kind::Map => map::size(&self.file, task),
            _ => Ok(None),
        };
        let map_size = match map_size {
            Ok(map_size) => map_size,
            Err(error) => tolerate(error, task).map(|()| None)?,
        };
        walk.field(&MAP_SIZE, None, map_size.map(i32::from).into())?;
        self.walk_map(task, walk)?;
        self.walk_save(task, walk)?;
        let sum = |size: fn(&Chunk) -> u64| chunks.iter().map(size).fold(0, u64::saturating_add);
        walk.field(&STORED_SIZE, None, sum(Chunk::stored_len).into())?;
        walk.field(&UNPACKED_SIZE, None, sum(Chunk::plain_len).into())?;
        walk.field(&TAIL_SIZE, None, self.file.tail().len.into())?;
        walk.field(&EVIDENCE, None, self.evidence().into())
    }

    fn children(&self, of: Of, _pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        let positions = (0..).zip(self.file.chunks());
        match of {
            Of::Listing => {
                for (n, _) in positions {
                    self.give_chunk(n, task, each)?;
                }
            }
            // Chunks that share an id stand together, at the place of the lowest occurrence.
            // No entry has parts of its own here.
            Of::Parts(_) => {}
            Of::Root => {
                for (n, chunk) in positions {
                    match self.file.with_id(chunk.id()) {
                        [_] => self.give_chunk(n, task, each)?,
                        several if several.first() == Some(&n) => {
                            self.give_id(chunk.id(), task, each)?;
                        }
                        _ => {}
                    }
                }
            }
            Of::Node(node) => match ChunkFileNode::of(node) {
                ChunkFileNode::Id(id) => {
                    for n in self.file.with_id(id) {
                        self.give_chunk(*n, task, each)?;
                    }
                }
                ChunkFileNode::Chunk(n) if self.nest.is_some() => {
                    self.give_files(Within::Chunk(n), task, each)?;
                }
                ChunkFileNode::Nested(n) => self.give_files(Within::Nested(n), task, each)?,
                ChunkFileNode::File(n) => self.give_chunks_of(n, task, each)?,
                ChunkFileNode::Chunk(n) => self.give_rows(n, None, task, each)?,
                ChunkFileNode::Group(n, id) => self.give_rows(n, Some(id), task, each)?,
                ChunkFileNode::Row(..) => {}
            },
        }
        Ok(())
    }

    fn entry(&self, node: Node, _pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        match ChunkFileNode::of(node) {
            ChunkFileNode::Chunk(n) => self.give_chunk(n, task, each),
            ChunkFileNode::Row(n, row) => self.give_row(n, row as usize, task, each),
            ChunkFileNode::Group(n, id) => self.give_group(n, id, task, each),
            ChunkFileNode::Id(id) if self.file.with_id(id).is_empty() => Err(not_found().into()),
            ChunkFileNode::Id(id) => self.give_id(id, task, each),
            ChunkFileNode::File(n) => self.give_file(n, task, each),
            ChunkFileNode::Nested(n) => self.give_nested(n, task, each),
        }
    }

    fn find(&self, path: &str, pages: &CodePages, task: &mut Task<'_>) -> Result<Vec<Node>> {
        if self.nest.is_some() && path.contains('/') {
            return self.find_nested(path, pages, task);
        }
        if let Some(position) = path.strip_prefix('#') {
            let position = position.parse().ok().filter(|n| self.file.chunk(*n).is_some());
            return Ok(position.map(|n| ChunkFileNode::Chunk(n).node()).into_iter().collect());
        }
        self.find_path(path, pages, task)
    }

    fn find_all(
        &self,
        paths: &[&str],
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<Vec<Vec<Node>>> {
        spelunk_core::entries::find_each(self, paths, pages, task)
    }

    fn bytes(&self, node: Node, task: &mut Task<'_>) -> Result<Bytes> {
        match ChunkFileNode::of(node) {
            ChunkFileNode::Chunk(n) => self.file.plain(n, &mut task.budget).cloned(),
            ChunkFileNode::Row(n, row) => self.row_bytes(n, row as usize, task),
            ChunkFileNode::File(n) => self.file_bytes(n),
            ChunkFileNode::Nested(n) => self.nested_bytes(n, task),
            ChunkFileNode::Id(_) | ChunkFileNode::Group(..) => {
                Err(Error::new(&spelunk_core::codes::NO_SUCH_OPERATION))
            }
        }
    }

    fn walk(&self, node: Node, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        match ChunkFileNode::of(node) {
            ChunkFileNode::Chunk(n) => {
                self.file.walk_chunk(n, task, walk, &|d, t, w| self.walk_data(d, t, w))
            }
            ChunkFileNode::Row(n, row) => self.walk_row(n, row as usize, task, walk),
            ChunkFileNode::Group(n, id) => self.walk_group(n, id, task, walk),
            ChunkFileNode::File(n) => self.walk_file(n, task, walk),
            ChunkFileNode::Nested(n) => self.walk_nested(n, task, walk),
            ChunkFileNode::Id(id) => {
                walk.group(&Group::list("chunks", &CHUNKS_OF_ID, None), |walk| {
                    for (nth, n) in self.file.with_id(id).iter().enumerate() {
                        let at = self.file.chunk(*n).map(Chunk::at);
                        walk.group(&Group::item(nth, &CHUNKS_OF_ID, at), |walk| {
                            self.file.walk_chunk(*n, task, walk, &|d, t, w| self.walk_data(d, t, w))
                        })?;
                    }
                    Ok(())
                })
            }
        }
    }

    fn spaces(&self) -> Vec<Span> {
        let mut spaces = self.file.spaces();
        spaces.extend(self.nest.iter().flat_map(Nest::spaces));
        spaces
    }

    fn space_bytes(&self, space: Space, task: &mut Task<'_>) -> Result<Bytes> {
        if let Some(position) = self.file.position_of(space) {
            return self.file.plain(position, &mut task.budget).cloned();
        }
        let nested = self.nest.as_ref();
        let nested = nested.and_then(|nest| Some((nest, nest.position_of(space)?)));
        match nested {
            Some((nest, number)) => nest.plain(number, &mut task.budget),
            None => Err(Error::new(&spelunk_core::codes::BAD_PLACE).found(space.to_string())),
        }
    }

    fn layout(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        self.file.layout(task, walk, &|data, task, walk| self.walk_data(data, task, walk))
    }

    /// Names the fields of the dialect `spec` that follow from others.
    fn is_derived(&self, field: &Field) -> bool {
        let names = ["data_length", "data_length_high", "count"];
        self.file.form().is_spec() && names.contains(&field.name)
    }

    fn has_refs(&self) -> bool {
        self.gamedata().is_some()
    }

    fn refs(&self, nodes: &[Node], task: &mut Task<'_>, each: EachRef<'_, usize>) -> Result<()> {
        self.refs_of(nodes, task, each)
    }

    fn all_refs(&self, task: &mut Task<'_>, each: EachRef<'_, Node>) -> Result<()> {
        self.all_refs_of(task, each)
    }

    fn verify(&self, task: &mut Task<'_>) -> Result<()> {
        self.verify_all(task)
    }

    fn write(
        &self,
        out: &mut dyn io::Write,
        options: &WriteOptions,
        task: &mut Task<'_>,
    ) -> Result<()> {
        self.file.write(out, options, task)
    }

    fn fork(&self, task: &mut Task<'_>) -> Result<Option<Box<dyn Container>>> {
        // Saves are not changed, so that there is nothing below their chunks to be copied.
        if self.nest.is_some() {
            return Ok(None);
        }
        let tables = self.tables.as_ref().map_or(0, TableLookups::held);
        task.budget.memory(self.file.copied_len().saturating_add(tables))?;
        let (file, tables) = (self.file.clone(), self.tables.clone());
        let starts = match self.is_map2() {
            true => RecordStarts::new(file.chunks().len(), task)?,
            false => RecordStarts::default(),
        };
        Ok(Some(Box::new(Chunks { file, kind: self.kind, tables, nest: None, starts })))
    }

    fn edit(&mut self) -> Option<&mut dyn Edit> {
        // Of other files it is not known what follows from their chunks; in the dialect `spec` nothing does.
        let is_known =
            matches!(self.kind, Kind::GameData | Kind::Map | Kind::SpellForce2Map | Kind::Spec(_));
        is_known.then_some(self as &mut dyn Edit)
    }
}
