//! Chunk files of the specification as containers.

use super::{
    DIALECT, EVIDENCE, EVIDENCE_FIELD,
    chunks::{Chunk, ChunkFile, Data, FileHeader, TableHeader},
    not_found, table,
    table::{Count, Kind, Rows, Shape},
};
use crate::{
    bytes::tolerate,
    cff::WithinChunk,
    codes,
    fields::{fields, fields_of},
    gamedata,
};
use spelunk_core::{
    Bytes, Container, Entry, Error, Field, Node, Of, Profile, Record, Result, Severity, Source,
    Space, Span, Task, Val, Walk, Walked, WriteOptions, container::Each, source::part,
    text::CodePages,
};
use std::{io, sync::Arc};

fields_of! {
    FORMAT_VERSION: FileHeader "format_version";
    TYPE: FileHeader "file_type" as "type";
    FILE_VERSION: FileHeader "file_version";
    CHECKSUM: FileHeader "checksum";
    MAGIC: FileHeader "magic";
    ID: TableHeader "id";
    OCCURRENCE: TableHeader "occurrence";
    DATA_TYPE: TableHeader "data_type";
}

fields! {
    HEADER_SIZE: "chunk_header_size" U64 "Size of a chunk header: 11 as the table has it, 10 as the dump." "bytes";
    CHUNK_COUNT: "chunk_count" U64 "Number of chunks.";
    PACKED_COUNT: "packed_count" U64 "Number of packed chunks.";
    WIDTH: "map_width" U32 "Width of the map." "cells";
    HEIGHT: "map_height" U32 "Height of the map." "cells";
    TAIL_SIZE: "tail_size" U64 "Bytes behind the last readable chunk." "bytes";
    NAME: "name" Str "What the specification calls the id.";
    PACKED: "packed" Bool "Whether the data is a zlib stream.";
    ROWS: "rows" U64 "Rows; nothing where the layout is not told.";
    ROW: "row" U64 "Position of the row in its chunk, from 0 on.";
    OFFSET: "offset" U64 "Where the chunk starts in the file." "bytes";
}

/// What a node stands for: a chunk, or a row of one.
enum Item {
    Chunk(u32),
    Row(u32, u32),
}

const ROW_BIT: u64 = 1 << 63;

impl Item {
    fn of(node: Node) -> Item {
        let (high, low) = ((node.0 & !ROW_BIT) >> 32, node.0 as u32);
        if node.0 & ROW_BIT == 0 { Item::Chunk(low) } else { Item::Row(high as u32, low) }
    }

    fn node(self) -> Node {
        Node(match self {
            Item::Chunk(n) => n.into(),
            Item::Row(n, row) => ROW_BIT | u64::from(n) << 32 | u64::from(row),
        })
    }
}

/// An opened chunk file.
#[derive(Debug)]
pub struct SpecChunks {
    file: ChunkFile,
    kind: Kind,
}

impl SpecChunks {
    /// Opens a chunk file.
    ///
    /// # Errors
    /// Those of [`ChunkFile::open`].
    pub fn open(source: Arc<dyn Source>, task: &mut Task<'_>) -> Result<SpecChunks> {
        let file = ChunkFile::open(source, task)?;
        let kind = Kind::of(file.header().file_type.get());
        Ok(SpecChunks { file, kind })
    }

    /// The chunks.
    pub const fn file(&self) -> &ChunkFile {
        &self.file
    }

    /// What the chunks hold.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    fn chunk(&self, n: u32) -> Result<&Chunk> {
        self.file.chunk(n).ok_or_else(not_found)
    }

    fn shape(&self, chunk: &Chunk) -> Shape {
        self.kind.shape(chunk.id(), chunk.data_type())
    }

    /// The records of a chunk; `None` where the layout is not told, or the chunk is damaged, which opening told.
    fn rows(&self, n: u32, task: &mut Task<'_>) -> Result<Option<Rows>> {
        let chunk = self.chunk(n)?;
        let shape = self.shape(chunk);
        if matches!(shape, Shape::Bytes | Shape::Heights) || chunk.plain_len().is_none() {
            return Ok(None);
        }
        Ok(shape.rows(self.file.plain(n, task)?))
    }

    fn path(&self, chunk: &Chunk) -> String {
        match (chunk.occurrence(), self.file.with_id(chunk.id())) {
            (0, [_]) => chunk.id().to_string(),
            (occurrence, _) => format!("{}.{occurrence}", chunk.id()),
        }
    }

    /// Width and height, as the first chunk 2 states them.
    fn size(&self, task: &mut Task<'_>) -> Result<Option<(u32, u32)>> {
        match self.file.with_id(2).first() {
            Some(n) if self.chunk(*n)?.plain_len().is_some() => {
                Ok(table::size(self.file.plain(*n, task)?))
            }
            _ => Ok(None),
        }
    }

    fn positions(&self) -> impl Iterator<Item = u32> + use<> {
        0..self.file.chunks().len() as u32
    }

    fn give_chunk(&self, n: u32, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        task.budget.steps(1)?;
        let chunk = self.chunk(n)?;
        let name = self.kind.name(chunk.id());
        let rows = match self.rows(n, task) {
            Ok(rows) => rows.map(|rows| rows.count),
            Err(error) => tolerate(error, task).map(|()| None)?,
        };
        let details = |_: &mut Task<'_>, walk: &mut dyn Walk| {
            walk.field(&ID, None, Val::I(chunk.id().into()))?;
            walk.field(&NAME, None, name.map_or(Val::None, |name| Val::Str(name.into())))?;
            walk.field(&OCCURRENCE, None, Val::I(chunk.occurrence().into()))?;
            walk.field(&DATA_TYPE, None, Val::I(chunk.data_type().into()))?;
            walk.field(&PACKED, None, chunk.is_packed().into())?;
            walk.field(&ROWS, None, rows.map_or(Val::None, Val::U))?;
            walk.field(&OFFSET, None, chunk.at().start.into())
        };
        each(
            &Entry {
                node: Item::Chunk(n).node(),
                path: &self.path(chunk),
                kind: name.unwrap_or("chunk"),
                name: None,
                label: None,
                size: chunk.plain_len().unwrap_or(chunk.stored_len()),
                stored_size: chunk.is_packed().then(|| chunk.stored_len()),
                details: &details,
            },
            task,
        )
    }

    fn give_row(&self, n: u32, row: u32, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        task.budget.steps(1)?;
        let rows = self.rows(n, task)?.filter(|rows| u64::from(row) < rows.count);
        let rows = rows.ok_or_else(not_found)?;
        let path = format!("{}[{row}]", self.path(self.chunk(n)?));
        let details = |_: &mut Task<'_>, walk: &mut dyn Walk| walk.field(&ROW, None, row.into());
        each(
            &Entry {
                node: Item::Row(n, row).node(),
                path: &path,
                kind: rows.record.name,
                name: None,
                label: None,
                size: rows.size,
                stored_size: None,
                details: &details,
            },
            task,
        )
    }

    /// The bytes of a row, where they lie, and their fields.
    fn row(&self, n: u32, row: u32, task: &mut Task<'_>) -> Result<(Bytes, Span, &'static Record)> {
        let rows = self.rows(n, task)?.ok_or_else(not_found)?;
        let range = rows.at(row.into()).ok_or_else(not_found)?;
        let plain = self.file.plain(n, task)?;
        let bytes = part(plain, range.clone()).ok_or_else(not_found)?;
        let whole = self.file.plain_at(n).ok_or_else(not_found)?;
        Ok((bytes, whole.part(range.start, rows.size), rows.record))
    }

    fn walk_data(&self, data: Data<'_>, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        self.shape(self.chunk(data.position)?).walk(data.plain, data.at, task, walk)
    }

    fn verify_chunk(&self, n: u32, task: &mut Task<'_>) -> Result<()> {
        let chunk = self.chunk(n)?;
        let Some(at) = self.file.plain_at(n) else {
            // Opening told of the damage.
            return Ok(());
        };
        let plain = match self.file.plain(n, task) {
            Ok(plain) => plain,
            Err(error) => return tolerate(error, task),
        };
        self.file.check_stream(n, task)?;
        let shape = self.shape(chunk);
        let mut found = Vec::from_iter(shape.check(plain, at));
        found.extend(self.check_layers(shape, plain, at, task)?);
        found.extend(self.check_header(chunk, shape).map(|error| (Severity::Info, error)));
        let mut found = found.into_iter();
        found
            .try_for_each(|(severity, error)| task.report(severity, error.within_chunk(n as usize)))
    }

    /// Ids that are not told of, and types under which no rows are told.
    fn check_header(&self, chunk: &Chunk, shape: Shape) -> Option<Error> {
        let id = chunk.id();
        if !matches!(self.kind, Kind::GameData | Kind::Map) {
            return None;
        }
        if self.kind.name(id).is_none() {
            let error = Error::new(&codes::CHUNK_ID).at(chunk.at().part(0, 2)).field("id");
            return Some(error.found(i32::from(id)));
        }
        let told = gamedata_type(id);
        let error = Error::new(&codes::CATEGORY_DATA_TYPE).at(chunk.at().part(5, 2));
        let error = error.expected(i32::from(told)).found(i32::from(chunk.data_type()));
        (self.kind.shape(id, told) != shape).then(|| error.field("data_type"))
    }

    /// Every layer of texture weights has a weight for each cell of the height map.
    fn check_layers(
        &self,
        shape: Shape,
        plain: &[u8],
        at: Span,
        task: &mut Task<'_>,
    ) -> Result<Option<(Severity, Error)>> {
        if !matches!(shape, Shape::Counted(Count::Byte, _)) {
            return Ok(None);
        }
        let (Some(rows), Some((width, height))) = (shape.rows(plain), self.size(task)?) else {
            return Ok(None);
        };
        let expected = table::cells(width, height).saturating_add(2);
        let error = Error::new(&codes::SPEC_LAYERS).at(at.part(0, rows.size)).field("rows");
        let error = error.expected(format!("{expected} bytes each: {width} by {height} cells"));
        let error = error.found(format!("{} bytes", rows.size));
        let wrong = rows.count > 0 && rows.size != expected;
        Ok(wrong.then_some((Severity::Error, error)))
    }
}

/// The data type that the specification gives the categories whose rows it tells.
const fn gamedata_type(id: i16) -> i16 {
    if id == gamedata::TEXTS { 3 } else { 2 }
}

impl Container for SpecChunks {
    fn profile(&self) -> &'static Profile {
        self.kind.profile()
    }

    fn dialect(&self) -> Option<&'static str> {
        Some(DIALECT)
    }

    fn size(&self) -> u64 {
        self.file.size()
    }

    fn info(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        let header = self.file.header();
        walk.field(&MAGIC, None, Val::Word(header.magic.get()))?;
        walk.field(&FORMAT_VERSION, None, header.format_version.get().into())?;
        walk.field(&TYPE, None, header.file_type.get().into())?;
        walk.field(&FILE_VERSION, None, header.file_version.get().into())?;
        walk.field(&CHECKSUM, None, Val::Word(header.checksum.get()))?;
        walk.field(&HEADER_SIZE, None, self.file.form().header_len().into())?;
        walk.field(&CHUNK_COUNT, None, self.file.chunks().len().into())?;
        let packed = self.file.chunks().iter().filter(|chunk| chunk.is_packed());
        walk.field(&PACKED_COUNT, None, packed.count().into())?;
        if self.kind == Kind::Map {
            let size = match self.size(task) {
                Ok(size) => size,
                Err(error) => tolerate(error, task).map(|()| None)?,
            };
            let value = |number: Option<u32>| number.map_or(Val::None, Val::from);
            walk.field(&WIDTH, None, value(size.map(|(width, _)| width)))?;
            walk.field(&HEIGHT, None, value(size.map(|(_, height)| height)))?;
        }
        walk.field(&TAIL_SIZE, None, self.file.tail().len.into())?;
        walk.field(&EVIDENCE_FIELD, None, EVIDENCE.into())
    }

    fn children(&self, of: Of, _pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        match of {
            Of::Listing | Of::Root => {
                for n in self.positions() {
                    self.give_chunk(n, task, each)?;
                }
                Ok(())
            }
            Of::Node(node) => {
                let Item::Chunk(n) = Item::of(node) else { return Ok(()) };
                let rows = match self.rows(n, task) {
                    Ok(rows) => rows.map_or(0, |rows| rows.count),
                    Err(error) => tolerate(error, task).map(|()| 0)?,
                };
                for row in 0..u32::try_from(rows).unwrap_or(u32::MAX) {
                    self.give_row(n, row, task, each)?;
                }
                Ok(())
            }
            Of::Parts(_) => Ok(()),
        }
    }

    fn entry(&self, node: Node, _pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        match Item::of(node) {
            Item::Chunk(n) => self.give_chunk(n, task, each),
            Item::Row(n, row) => self.give_row(n, row, task, each),
        }
    }

    fn find(&self, path: &str, _pages: &CodePages, task: &mut Task<'_>) -> Result<Vec<Node>> {
        if let Some(position) = path.strip_prefix('#') {
            let position = position.parse().ok().filter(|n| self.file.chunk(*n).is_some());
            return Ok(position.map(|n| Item::Chunk(n).node()).into_iter().collect());
        }
        let (name, row) = match path.strip_suffix(']').and_then(|path| path.split_once('[')) {
            Some((name, row)) => (name, row.parse::<u32>().map(Some)),
            None => (path, Ok(None)),
        };
        let (id, occurrence) = match name.split_once('.') {
            Some((id, occurrence)) => (id, occurrence.parse().map(Some)),
            None => (name, Ok(None)),
        };
        let (Ok(id), Ok(occurrence), Ok(row)) = (id.parse::<i16>(), occurrence, row) else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        for n in self.file.with_id(id) {
            task.budget.steps(1)?;
            let chunk = self.chunk(*n)?;
            if occurrence.is_some_and(|occurrence: i16| occurrence != chunk.occurrence()) {
                continue;
            }
            match row {
                None => found.push(Item::Chunk(*n).node()),
                Some(row) => {
                    let rows = self.rows(*n, task)?;
                    if rows.is_some_and(|rows| u64::from(row) < rows.count) {
                        found.push(Item::Row(*n, row).node());
                    }
                }
            }
        }
        Ok(found)
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
        match Item::of(node) {
            Item::Chunk(n) => self.file.plain(n, task).cloned(),
            Item::Row(n, row) => self.row(n, row, task).map(|(bytes, ..)| bytes),
        }
    }

    fn walk(&self, node: Node, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        match Item::of(node) {
            Item::Chunk(n) => {
                self.file.walk_chunk(n, task, walk, &|d, t, w| self.walk_data(d, t, w))
            }
            Item::Row(n, row) => {
                let (bytes, at, record) = self.row(n, row, task)?;
                table::walk_row(record, &bytes, at, walk)
            }
        }
    }

    fn spaces(&self) -> Vec<Span> {
        self.file.spaces()
    }

    fn space_bytes(&self, space: Space, task: &mut Task<'_>) -> Result<Bytes> {
        match self.file.position_of(space) {
            Some(position) => self.file.plain(position, task).cloned(),
            None => Err(Error::new(&spelunk_core::codes::BAD_PLACE).found(space.to_string())),
        }
    }

    fn layout(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        self.file.layout(task, walk, &|data, task, walk| self.walk_data(data, task, walk))
    }

    fn is_derived(&self, field: &Field) -> bool {
        matches!(field.name, "data_length" | "data_length_high" | "count")
    }

    fn verify(&self, task: &mut Task<'_>) -> Result<()> {
        for n in self.positions() {
            task.budget.steps(1)?;
            self.verify_chunk(n, task)?;
        }
        Ok(())
    }

    fn write(
        &self,
        out: &mut dyn io::Write,
        options: &WriteOptions,
        task: &mut Task<'_>,
    ) -> Result<()> {
        self.file.write(out, options, task)
    }
}
