//! What the specification tells of the content of chunks: rows of two categories, four kinds of map chunks
//! (`docs/formats/spec.md#2-gamedata` and `docs/formats/spec.md#3-maps`). Whatever it does not tell whole stays bytes.

use crate::{codes, fields::fields, profile};
use spelunk_core::{
    Error, Field, Group, Profile, Record, Severity, Span, Task, Ty, Val, Walk, Walked,
    field::Described, record,
};

const GAMEDATA: &str = "docs/formats/spec.md#2-gamedata";
const MAPS: &str = "docs/formats/spec.md#3-maps";

record! {
    /// A weapon: a row of category 2015.
    pub struct WeaponRow: "weapon", "docs/formats/spec.md#2-gamedata", 16 {
        /// The item.
        item_id: U16,
        /// Least damage.
        min_damage: U16,
        /// Greatest damage.
        max_damage: U16,
        /// Least distance.
        min_range: U16,
        /// Greatest distance.
        max_range: U16,
        /// Speed.
        weapon_speed: U16,
        /// Row of category 2063.
        weapon_type: U16,
        /// Row of category 2064.
        weapon_material: U16,
    }
}

record! {
    /// A text in a language: a row of category 2016.
    pub struct TextRow: "text", "docs/formats/spec.md#2-gamedata", 566 {
        /// Id of the text.
        text_id: U16,
        /// Language, which is said to tell the code page: 5 is 1251, 6 is 1250, every other one 1252.
        language_id: U8,
        /// Mode of the text.
        mode: U8,
        /// What scripts call it, up to the first NUL.
        handle: Text<50>,
        /// The text, up to the first NUL.
        content: Text<512>,
    }
}

record! {
    /// What a height map starts with.
    pub struct HeightsHead: "heights_head", "docs/formats/spec.md#3-maps", 8 {
        /// Width of the map.
        width: U32 { unit: "cells" },
        /// Height of the map.
        height: U32 { unit: "cells" },
    }
}

record! {
    /// What a layer of texture weights starts with; a weight for each cell follows.
    pub struct LayerHead: "layer", "docs/formats/spec.md#3-maps", 2 {
        /// The texture.
        texture_id: U16,
    }
}

record! {
    /// What an entity starts with: a unit, a building, an object or a decoration. What follows is said to vary.
    pub struct Entity: "entity", "docs/formats/spec.md#3-maps", 18 {
        /// What it is.
        id: U16,
        /// Position.
        x: F32,
        /// Position.
        y: F32,
        /// Position.
        z: F32,
        /// Rotation, in a unit that is not told.
        rotation: F32,
    }
}

static HEIGHTS: Record =
    Record::group("heights", MAPS, "The elevation of each cell, row by row from the top.");
static ROWS: Record = Record::group("rows", GAMEDATA, "The rows of the chunk, back to back.");
static HEIGHT: Field = Field::new("height", Ty::U16, "Elevation of a cell.");

fields! {
    DATA: "data" Bytes "The plain data of the chunk." "bytes";
    COUNT: "count" U32 "Number of entities.";
    LAYER_COUNT: "count" U8 "Number of textures, said to be 255 always.";
    REST: "rest" Bytes "What follows the fields that are told: weights of the cells, or what entities of a kind have." "bytes";
    REMAINDER: "remainder" Bytes "Bytes behind the last whole row." "bytes";
}

/// What a file holds, as its header says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Tables.
    GameData,
    /// A map.
    Map,
    /// A saved game, of which nothing is told.
    Save,
    /// A type that is not listed.
    Other,
}

impl Kind {
    /// What this type word stands for.
    pub const fn of(file_type: u32) -> Kind {
        match file_type {
            0 => Kind::GameData,
            1 => Kind::Map,
            2 => Kind::Save,
            _ => Kind::Other,
        }
    }

    /// Name of the format.
    pub fn format(self) -> &'static str {
        self.profile().name
    }

    /// What tools have to know of the format.
    pub fn profile(self) -> &'static Profile {
        match self {
            Kind::GameData | Kind::Other => &profile::GAMEDATA,
            Kind::Map => &profile::MAP,
            Kind::Save => &profile::SAVE,
        }
    }

    /// The name that the specification gives chunks of this id.
    pub const fn name(self, id: i16) -> Option<&'static str> {
        Some(match (self, id) {
            (Kind::GameData, 2001) => "army unit building requirements",
            (Kind::GameData, 2002) => "spells",
            (Kind::GameData, 2003) => "items",
            (Kind::GameData, 2004) => "item stats",
            (Kind::GameData, 2005) => "unit stats",
            (Kind::GameData, 2012) => "item UI",
            (Kind::GameData, 2014) => "weapon effects",
            (Kind::GameData, 2015) => "weapons",
            (Kind::GameData, 2016) => "texts",
            (Kind::GameData, 2024) => "units",
            (Kind::GameData, 2029) => "buildings",
            (Kind::GameData, 2063) => "weapon types",
            (Kind::GameData, 2064) => "weapon materials",
            (Kind::Map, 2) => "heights",
            (Kind::Map, 3) => "texture weights",
            (Kind::Map, 4) => "units",
            (Kind::Map, 5) => "buildings",
            (Kind::Map, 6) => "objects",
            (Kind::Map, 7) => "decorations",
            (Kind::Map, 8) => "portals",
            (Kind::Map, 9) => "lakes",
            (Kind::Map, 10) => "weather",
            (Kind::Map, 11) => "metadata",
            _ => return None,
        })
    }

    /// How the plain data of chunks of this id and type is laid out.
    pub const fn shape(self, id: i16, data_type: i16) -> Shape {
        match (self, id, data_type) {
            (Kind::GameData, 2015, 2) => Shape::Rows(WeaponRow::RECORD),
            (Kind::GameData, 2016, 3) => Shape::Rows(TextRow::RECORD),
            (Kind::Map, 2, _) => Shape::Heights,
            (Kind::Map, 3, _) => Shape::Counted(Count::Byte, LayerHead::RECORD),
            (Kind::Map, 4..=7, _) => Shape::Counted(Count::Long, Entity::RECORD),
            _ => Shape::Bytes,
        }
    }
}

/// How a number of records is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// One byte.
    Byte,
    /// Four bytes.
    Long,
}

/// The layout of the plain data of a chunk.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Shape {
    /// Rows back to back.
    Rows(&'static Record),
    /// Width, height, and an elevation for each cell.
    Heights,
    /// A count and as many records, all of one size: what is left, divided by the count. They start with these fields.
    Counted(Count, &'static Record),
    /// Not told.
    Bytes,
}

/// Records of a chunk: where they lie in its plain data.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rows {
    /// What each of them starts with.
    pub record: &'static Record,
    /// Where the first one starts.
    pub start: u64,
    /// Bytes of each.
    pub size: u64,
    /// Number of them.
    pub count: u64,
}

impl Rows {
    /// Where a row lies in the plain data.
    pub fn at(&self, row: u64) -> Option<std::ops::Range<u64>> {
        let start = row.checked_mul(self.size)?.checked_add(self.start)?;
        (row < self.count).then(|| start..start.saturating_add(self.size))
    }

    /// Where the last row ends.
    pub fn end(&self) -> u64 {
        self.start.saturating_add(self.size.saturating_mul(self.count))
    }
}

impl Shape {
    /// The records of a chunk; `None` where it has none, or they are shorter than their known fields.
    pub fn rows(self, plain: &[u8]) -> Option<Rows> {
        let len = plain.len() as u64;
        match self {
            Shape::Rows(record) => {
                let size = u64::from(record.size);
                Some(Rows { record, start: 0, size, count: len.checked_div(size)? })
            }
            Shape::Counted(count, record) => {
                let (count, start) = count.read(plain)?;
                let size = len.saturating_sub(start).checked_div(count).unwrap_or_default();
                let fits = count == 0 || size >= u64::from(record.size);
                fits.then_some(Rows { record, start, size, count })
            }
            Shape::Heights | Shape::Bytes => None,
        }
    }

    /// Walks the plain data of a chunk that lies at `at`.
    ///
    /// # Errors
    /// What the walker returns; limits.
    pub fn walk(self, plain: &[u8], at: Span, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        task.budget.touch(at.len)?;
        match (self, self.rows(plain)) {
            (Shape::Heights, _) => walk_heights(plain, at, walk),
            (Shape::Counted(count, _), Some(rows)) => {
                let field = if count == Count::Byte { &LAYER_COUNT } else { &COUNT };
                walk_part(field, plain, at, 0..rows.start, walk)?;
                walk_rows(rows, plain, at, task, walk)
            }
            (_, Some(rows)) => walk_rows(rows, plain, at, task, walk),
            (_, None) => walk.field(&DATA, Some(at), Val::Bytes(plain.into())),
        }
    }

    /// Where the plain data of a chunk that lies at `at` does not fit what is told of it.
    pub fn check(self, plain: &[u8], at: Span) -> Option<(Severity, Error)> {
        let len = plain.len() as u64;
        let short = |expected: &'static str| {
            let error = Error::new(&codes::SPEC_SHORT).at(at).expected(expected);
            Some((Severity::Error, error.found(format!("{len} bytes"))))
        };
        match (self, self.rows(plain)) {
            (Shape::Bytes, _) => None,
            (Shape::Heights, _) => {
                let Some((width, height)) = size(plain) else { return short("8 bytes") };
                let expected = cells(width, height).saturating_mul(2).saturating_add(8);
                let error = Error::new(&codes::SPEC_HEIGHTS).at(at.part(0, 8));
                let error = error.expected(format!("{expected} bytes: {width} by {height} cells"));
                let error = error.found(format!("{len} bytes"));
                (expected != len).then_some((Severity::Error, error))
            }
            (_, None) => short("a count, and as many whole records"),
            (_, Some(rows)) if rows.end() < len => {
                let rest = len.saturating_sub(rows.end());
                let error = Error::new(&codes::CATEGORY_REMAINDER)
                    .at(at.part(rows.end(), rest))
                    .expected("whole rows")
                    .found(format!("{rest} bytes behind row {}", rows.count));
                Some((Severity::Error, error))
            }
            (Shape::Counted(Count::Byte, _), Some(rows)) if rows.count != LAYERS => {
                let error = Error::new(&codes::SPEC_LAYERS).at(at.part(0, 1)).field("count");
                Some((Severity::Warning, error.expected(LAYERS).found(rows.count)))
            }
            (_, Some(_)) => None,
        }
    }
}

/// The number of layers of texture weights that a map is said to have always.
const LAYERS: u64 = 255;

impl Count {
    /// The number, and where the records start.
    fn read(self, plain: &[u8]) -> Option<(u64, u64)> {
        Some(match self {
            Count::Byte => (u64::from(*plain.first()?), 1),
            Count::Long => (u64::from(u32::from_le_bytes(*plain.first_chunk()?)), 4),
        })
    }
}

/// Width and height in the head of a height map.
pub fn size(plain: &[u8]) -> Option<(u32, u32)> {
    let [a, b, c, d, e, f, g, h] = *plain.first_chunk()?;
    Some((u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h])))
}

/// Number of cells of a map.
pub fn cells(width: u32, height: u32) -> u64 {
    u64::from(width).saturating_mul(height.into())
}

/// The bytes of a range of the plain data.
fn part(plain: &[u8], range: std::ops::Range<u64>) -> &[u8] {
    let start = usize::try_from(range.start).unwrap_or(usize::MAX);
    let end = usize::try_from(range.end).unwrap_or(usize::MAX);
    plain.get(start..end).unwrap_or_default()
}

/// Walks a stretch of the plain data as one field; nothing where it is empty.
fn walk_part(
    field: &'static Field,
    plain: &[u8],
    at: Span,
    range: std::ops::Range<u64>,
    walk: &mut dyn Walk,
) -> Walked {
    let len = range.end.saturating_sub(range.start);
    if len == 0 {
        return Ok(());
    }
    let span = at.part(range.start, len);
    walk.field(field, Some(span), field.ty.decode(part(plain, range)))
}

fn walk_rows(
    rows: Rows,
    plain: &[u8],
    at: Span,
    task: &mut Task<'_>,
    walk: &mut dyn Walk,
) -> Walked {
    let list = at.part(rows.start, rows.end().saturating_sub(rows.start));
    walk.group(&Group::list("rows", &ROWS, Some(list)), |walk| {
        let ranges = (0..rows.count).map_while(|row| rows.at(row));
        for (n, range) in ranges.enumerate() {
            task.budget.steps(1)?;
            let span = at.part(range.start, rows.size);
            walk.group(&Group::item(n, rows.record, Some(span)), |walk| {
                walk_row(rows.record, part(plain, range), span, walk)
            })?;
        }
        Ok(())
    })?;
    walk_part(&REMAINDER, plain, at, rows.end()..at.len, walk)
}

/// Walks one row that lies at `at`: its known fields, then what follows them.
///
/// # Errors
/// What the walker returns.
pub fn walk_row(record: &'static Record, row: &[u8], at: Span, walk: &mut dyn Walk) -> Walked {
    record.walk(row, at, walk)?;
    walk_part(&REST, row, at, u64::from(record.size)..at.len, walk)
}

fn walk_heights(plain: &[u8], at: Span, walk: &mut dyn Walk) -> Walked {
    let Some((width, height)) = size(plain) else {
        return walk.field(&DATA, Some(at), Val::Bytes(plain.into()));
    };
    HeightsHead::RECORD.walk(plain, at, walk)?;
    let wanted = cells(width, height).saturating_mul(2);
    // Whole elevations only; what is left over is bytes.
    let there = at.len.saturating_sub(8) & !1;
    let end = wanted.min(there).saturating_add(8);
    let list = at.part(8, end.saturating_sub(8));
    walk.group(&Group::list("heights", &HEIGHTS, Some(list)), |walk| {
        for (n, height) in (0_u64..).zip(part(plain, 8..end).chunks_exact(2)) {
            let span = list.part(n.saturating_mul(2), 2);
            walk.field(&HEIGHT, Some(span), HEIGHT.ty.decode(height))?;
        }
        Ok(())
    })?;
    walk_part(&REMAINDER, plain, at, end..at.len, walk)
}
