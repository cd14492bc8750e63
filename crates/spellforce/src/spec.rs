//! The written specification's own layouts (`docs/formats/spec.md`): the dialect `spec`.
//!
//! No game writes such files. Where the specification describes a whole layout that no real file has, files of that layout are
//! read, checked, changed and written as that dialect, and never taken for real ones. It is a form of the chunk file
//! ([`cff::Form`]), and one of archives and their cache ([`pak::ArchiveForm`](crate::pak::ArchiveForm)). Here is what
//! only it has: the kinds of its chunk files, and the map chunks whose layout it describes.

pub use crate::gamedata::schema::SPEC_CATEGORIES as CATEGORIES;
use crate::{
    bytes::tolerate,
    cff::{self, Chunk, ChunkFile, Data, Draft, FileHeader, WithinChunk},
    codes,
    fields::fields,
    gamedata::Schema,
    map::{CountPrefix, Map, RecordLayout, Records, Section, SectionForm},
};
use spelunk_core::{
    Error, Field, Group, Record, Result, Severity, Span, Task, Ty, Val, Walk, Walked,
    field::Described,
    record,
    scalar::{U32, Word},
};

const MAPS: &str = "docs/formats/spec.md#3-maps";

record! {
    /// The head of a height map.
    pub struct HeightsHead: "heights_head", "docs/formats/spec.md#3-maps", 8 {
        /// Width of the map.
        width: U32 { unit: "cells" },
        /// Height of the map.
        height: U32 { unit: "cells" },
    }
}

record! {
    /// The start of a layer of texture weights; a weight for each cell follows.
    pub struct LayerHead: "layer", "docs/formats/spec.md#3-maps", 2 {
        /// The texture.
        texture_id: U16,
    }
}

record! {
    /// The start of an entity: a unit, a building, an object or a decoration. What follows is said to vary.
    pub struct Entity: "entity", "docs/formats/spec.md#3-maps", 18 {
        /// Id of the entity in GameData.
        id: U16,
        /// Position.
        x: F32,
        /// Position.
        y: F32,
        /// Position.
        z: F32,
        /// Rotation, in a unit that is not stated.
        rotation: F32,
    }
}

static HEIGHTS: Record =
    Record::group("heights", MAPS, "The elevation of each cell, row by row from the top.");
pub(crate) static HEIGHT: Field = Field::new("height", Ty::U16, "Elevation of a cell.");

/// Name of the dialect.
pub const DIALECT: &str = "spec";

/// The evidence that the readers rest on.
pub(crate) const EVIDENCE: &str = "synthetic";

fields! {
    EVIDENCE_FIELD: "evidence" Str "What the reader was checked on: `synthetic`, as no program writes such files.";
    REMAINDER: "remainder" Bytes "Bytes behind the last cell." "bytes";
}

/// The chunks of maps that are lists of entities, with the names of the lists.
pub const ENTITIES: [(i16, &str); 4] =
    [(4, "units"), (5, "buildings"), (6, "objects"), (7, "decorations")];

/// Kinds of chunk files, by the type in the header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeaderType {
    /// Tables.
    GameData,
    /// A map.
    Map,
    /// A saved game, of which nothing is described.
    Save,
    /// A type that is not listed.
    Other,
}

const fn entities(id: i16, name: &'static str) -> Section {
    const LAYOUT: &[RecordLayout] = &[RecordLayout::any(Entity::RECORD)];
    Section {
        id,
        name,
        title: name,
        data_type: 0,
        shape: SectionForm::Rows(CountPrefix::LongShares, LAYOUT),
    }
}

/// The chunks of maps whose layout is described.
static SECTIONS: &[&Section] = &[
    &Section {
        id: 2,
        name: "heights",
        title: "heights",
        data_type: 0,
        shape: SectionForm::Heights,
    },
    &Section {
        id: 3,
        name: "texture weights",
        title: "texture weights",
        data_type: 0,
        shape: SectionForm::Rows(CountPrefix::ByteShares, &[RecordLayout::any(LayerHead::RECORD)]),
    },
    &entities(4, "units"),
    &entities(5, "buildings"),
    &entities(6, "objects"),
    &entities(7, "decorations"),
];

impl HeaderType {
    /// The kind of files with this type word.
    pub const fn of(file_type: u32) -> HeaderType {
        match file_type {
            0 => HeaderType::GameData,
            1 => HeaderType::Map,
            2 => HeaderType::Save,
            _ => HeaderType::Other,
        }
    }

    /// The chunks whose layout is described, in the order in which they are written.
    pub fn sections(self) -> &'static [&'static Section] {
        if self == HeaderType::Map { SECTIONS } else { &[] }
    }

    /// The name that the specification gives chunks of this id.
    pub fn name(self, id: i16) -> Option<&'static str> {
        Some(match (self, id) {
            (HeaderType::GameData, _) => return Schema::Spec.category(id).map(|it| it.name),
            (HeaderType::Map, 8) => "portals",
            (HeaderType::Map, 9) => "lakes",
            (HeaderType::Map, 10) => "weather",
            (HeaderType::Map, 11) => "metadata",
            _ => {
                let section = self.sections().iter().find(|section| section.id == id)?;
                return Some(section.title);
            }
        })
    }
}

impl HeaderType {
    /// The type word of files of the kind; of unlisted types there is none.
    pub const fn word(self) -> Option<u32> {
        match self {
            HeaderType::GameData => Some(0),
            HeaderType::Map => Some(1),
            HeaderType::Save => Some(2),
            HeaderType::Other => None,
        }
    }

    /// The data type of chunks of this id: that of the category in GameData, and 0 in maps, where none is described.
    pub fn data_type(self, id: i16) -> Option<i16> {
        match self {
            HeaderType::GameData => Schema::Spec.category(id).map(|category| category.data_type),
            HeaderType::Map => Some(0),
            HeaderType::Save | HeaderType::Other => None,
        }
    }

    /// A new file of the kind, without chunks: header words as the specification has them, the magic that readers are said to
    /// look for, and chunk headers of the table. `None` for unlisted types.
    pub fn draft(self) -> Option<Draft<'static>> {
        let header = FileHeader {
            magic: Word::new(cff::MAGIC),
            format_version: U32::new(3),
            file_type: U32::new(self.word()?),
            file_version: U32::new(0),
            checksum: Word::new(0),
        };
        Some(Draft::new(header, cff::Form::SpecTable))
    }
}

/// The number of layers of texture weights that a map is said to have always.
const LAYERS: usize = 255;

/// Reports where the plain data of a chunk of a map does not fit what is described of it.
///
/// # Errors
/// When the height map cannot be read; limits; what the sink makes of a finding.
pub(crate) fn check(
    file: &ChunkFile,
    n: u32,
    section: &Section,
    task: &mut Task<'_>,
) -> Result<()> {
    let at = file.plain_at(n);
    let plain = match file.plain(n, &mut task.budget) {
        Ok(plain) => plain,
        Err(error) => return tolerate(error, task),
    };
    let len = plain.len();
    let report = |severity: Severity, error: Error, task: &mut Task<'_>| {
        task.report(severity, error.within_chunk(n as usize))
    };
    let short = |expected: &'static str| {
        let error = Error::new(&codes::SPEC_SHORT).at(at).expected(expected);
        error.found(format!("{len} bytes"))
    };
    let Some((head, record)) = section.rows(section.data_type) else {
        let Some((width, height)) = size(plain) else {
            return report(Severity::Error, short("8 bytes"), task);
        };
        let expected = cells(width, height).saturating_mul(2).saturating_add(8);
        if expected == len as u64 {
            return Ok(());
        }
        let error = Error::new(&codes::SPEC_HEIGHTS).at(at.part(0, 8));
        let error = error.expected(format!("{expected} bytes: {width} by {height} cells"));
        return report(Severity::Error, error.found(format!("{len} bytes")), task);
    };
    if !head.fits(record, plain) {
        let error = short("a count, and as many whole records");
        return report(Severity::Error, error, task);
    }
    let Records { start, count, size, .. } = Records::of(head, record, plain, at);
    let end = start.saturating_add(size.saturating_mul(count));
    let rest = len.saturating_sub(end);
    if rest > 0 {
        let error = Error::new(&codes::CATEGORY_REMAINDER)
            .at(at.part(end as u64, rest as u64))
            .expected("whole rows")
            .found(format!("{rest} bytes behind row {count}"));
        report(Severity::Error, error, task)?;
    } else if head == CountPrefix::ByteShares && count != LAYERS {
        let error = Error::new(&codes::SPEC_LAYERS).at(at.part(0, 1)).field("count");
        report(Severity::Warning, error.expected(LAYERS).found(count), task)?;
    }
    // Every layer of texture weights has a weight for each cell of the height map.
    if head != CountPrefix::ByteShares || count == 0 {
        return Ok(());
    }
    let Some((width, height)) = map_size(file, task)? else { return Ok(()) };
    let expected = cells(width, height).saturating_add(2);
    if expected == size as u64 {
        return Ok(());
    }
    let error = Error::new(&codes::SPEC_LAYERS).at(at.part(0, size as u64)).field("rows");
    let error = error.expected(format!("{expected} bytes each: {width} by {height} cells"));
    report(Severity::Error, error.found(format!("{size} bytes")), task)
}

/// Width and height of a map, as its first height map states them.
///
/// # Errors
/// When it cannot be read; limits.
pub(crate) fn map_size(file: &ChunkFile, task: &mut Task<'_>) -> Result<Option<(u32, u32)>> {
    Ok(first_heights(file, task)?.map(|(_, size)| size))
}

/// The first height map, with its width and height.
fn first_heights(file: &ChunkFile, task: &mut Task<'_>) -> Result<Option<(u32, (u32, u32))>> {
    let first = file.with_id(2).first().copied();
    let first = first.filter(|n| !file.chunk(*n).is_some_and(Chunk::is_damaged));
    let Some(first) = first else { return Ok(None) };
    Ok(size(file.plain(first, &mut task.budget)?).map(|size| (first, size)))
}

/// Width and height in the head of a height map.
fn size(plain: &[u8]) -> Option<(u32, u32)> {
    let [a, b, c, d, e, f, g, h] = *plain.first_chunk()?;
    Some((u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h])))
}

/// The ground of a map, as a map of nothing else; `None` where it has no heights of all cells of a square.
///
/// # Errors
/// When the heights cannot be read; limits.
pub fn ground(file: &ChunkFile, task: &mut Task<'_>) -> Result<Option<Map>> {
    let Some((n, (width, height))) = first_heights(file, task)? else { return Ok(None) };
    let plain = file.plain(n, &mut task.budget)?;
    let values = plain.get(size_of::<HeightsHead>()..).unwrap_or_default();
    let is_whole = values.len() as u64 == cells(width, height).saturating_mul(2);
    let side = u16::try_from(width).ok().filter(|side| *side > 0 && *side <= i16::MAX as u16);
    let Some(side) = side.filter(|_| width == height && is_whole) else { return Ok(None) };
    let mut map = Map::new(side, &mut task.budget)?;
    map.weather.clear();
    map.heights = values.as_chunks().0.iter().map(|cell| u16::from_le_bytes(*cell)).collect();
    Ok(Some(map))
}

/// The map with other heights, row by row, as many as it has.
///
/// # Errors
/// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND) where it has none; reading errors; limits.
pub fn with_heights<'f>(
    file: &'f ChunkFile,
    heights: &[u16],
    task: &mut Task<'_>,
) -> Result<Draft<'f>> {
    let (n, (width, height)) = first_heights(file, task)?
        .filter(|(_, (width, height))| cells(*width, *height) == heights.len() as u64)
        .ok_or_else(|| Error::new(&spelunk_core::codes::NOT_FOUND))?;
    let mut plain = task.budget.vec((heights.len() as u64).saturating_mul(2).saturating_add(8))?;
    plain.extend(width.to_le_bytes().into_iter().chain(height.to_le_bytes()));
    plain.extend(heights.iter().flat_map(|height| height.to_le_bytes()));
    let mut draft = Draft::of(file);
    draft.set(n as usize, plain.into())?;
    Ok(draft)
}

/// Number of cells of a map.
fn cells(width: u32, height: u32) -> u64 {
    u64::from(width).saturating_mul(height.into())
}

/// Offset of the elevation of a cell in a height map; `None` where it has no such cell.
pub(crate) fn place_of_height(plain: &[u8], [x, y]: [usize; 2]) -> Option<usize> {
    let (width, height) = size(plain)?;
    let (width, height) = (usize::try_from(width).ok()?, usize::try_from(height).ok()?);
    let cell = y.checked_mul(width)?.checked_add(x).filter(|_| x < width && y < height)?;
    cell.checked_mul(2)?.checked_add(size_of::<HeightsHead>())
}

/// Walks the height map that the data of a chunk is.
///
/// # Errors
/// What the walker returns; limits.
pub(crate) fn walk_heights(data: Data<'_>, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
    let Data { plain, at, .. } = data;
    task.budget.touch(at.len)?;
    let Some(((width, height), values)) = size(plain).zip(plain.get(size_of::<HeightsHead>()..))
    else {
        return data.walk(walk);
    };
    HeightsHead::RECORD.walk(plain, at, walk)?;
    let wanted = usize::try_from(cells(width, height).saturating_mul(2)).unwrap_or(usize::MAX);
    // Whole elevations only; what is left over is bytes.
    let (values, rest) = values.split_at(wanted.min(values.len() & !1));
    let list = at.part(size_of::<HeightsHead>() as u64, values.len() as u64);
    walk.group(&Group::list("heights", &HEIGHTS, Some(list)), |walk| {
        walk.list_values(&HEIGHT, HEIGHT.ty, values, list)
    })?;
    match rest.is_empty() {
        true => Ok(()),
        false => {
            let span = Span { start: list.end(), len: rest.len() as u64, ..at };
            walk.field(&REMAINDER, Some(span), Val::Bytes(rest.into()))
        }
    }
}
