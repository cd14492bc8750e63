//! GameData from the outside: its 49 categories, their rows, and the languages of its texts.
//!
//! A category is one chunk: rows back to back, without a count or a header. See
//! `docs/formats/cff.md#6-gamedata-categories` and `docs/formats/cff.md#7-text-data-and-languages`.

use crate::{
    cff::{Chunk, ChunkFile},
    codes,
};
use spelunk_core::{Error, Result, Seg, Task};
use std::{ops::Range, sync::OnceLock};

/// How long the rows of a category are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowSize {
    /// Every row has this many bytes.
    Fixed(u16),
    /// Rows are polygons: u16 id, u8 polygon, u8 flag, u8 n, then n pairs of i16; 5 + 4 × n bytes.
    Variable,
}

/// How many rows an id may have. A property of the category that no file stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowsPerId {
    /// One.
    One,
    /// Any number, next to each other.
    Many,
}

/// What is known of a category.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Category {
    /// The id of its chunk.
    pub id: i16,
    /// Its name.
    pub name: &'static str,
    /// Version of its layout, the same in all known editions.
    pub data_type: i16,
    /// Length of its rows.
    pub row_size: RowSize,
    /// Rows of one id.
    pub rows_per_id: RowsPerId,
}

const fn fixed(
    id: i16,
    name: &'static str,
    data_type: i16,
    row_size: u16,
    rows_per_id: RowsPerId,
) -> Category {
    Category { id, name, data_type, row_size: RowSize::Fixed(row_size), rows_per_id }
}

const fn polygons(id: i16, name: &'static str, data_type: i16) -> Category {
    Category { id, name, data_type, row_size: RowSize::Variable, rows_per_id: RowsPerId::Many }
}

use RowsPerId::{Many, One};

/// The categories, in the order of all known editions.
#[rustfmt::skip]
pub static CATEGORIES: &[Category] = &[
    fixed(2002, "Spell data", 3, 76, One),
    fixed(2054, "Spell type data", 5, 75, One),
    fixed(2056, "Unused/unknown", 1, 6, One),
    fixed(2005, "Unit/hero stats", 9, 47, One),
    fixed(2006, "Hero/worker skills", 1, 5, Many),
    fixed(2067, "Hero spells", 1, 5, Many),
    fixed(2003, "Item general info", 4, 22, One),
    fixed(2004, "Item armor data", 1, 36, One),
    fixed(2013, "Inventory spell scroll link with installed spell scroll", 1, 4, One),
    fixed(2015, "Item weapon data", 2, 16, One),
    fixed(2017, "Item skill requirements", 1, 6, Many),
    fixed(2014, "Item weapon effects/inventory scroll link with spell", 1, 5, Many),
    fixed(2012, "Item UI data", 1, 69, Many),
    fixed(2018, "Item installed spell scroll link with spell", 1, 4, One),
    fixed(2016, "Text data", 3, 566, Many),
    fixed(2022, "Race stats", 7, 27, One),
    fixed(2023, "Faction relations", 2, 3, Many),
    fixed(2024, "Unit general data/link with unit stats", 8, 64, One),
    fixed(2025, "Unit equipment", 1, 5, Many),
    fixed(2026, "Unit spells", 1, 5, Many),
    fixed(2028, "Army unit resource requirements", 1, 4, Many),
    fixed(2040, "Corpse loot", 1, 11, Many),
    fixed(2001, "Army unit building requirements", 1, 5, Many),
    fixed(2029, "Building data", 9, 23, One),
    polygons(2030, "Building collision data", 2),
    fixed(2031, "Building resource requirements", 2, 5, Many),
    fixed(2039, "Skills link with text data", 1, 4, Many),
    fixed(2062, "Skill point requirements", 1, 9, Many),
    fixed(2041, "Merchants link with unit general data", 1, 4, One),
    fixed(2042, "Merchant inventory", 1, 6, Many),
    fixed(2047, "Merchant sell/buy rate", 1, 5, Many),
    fixed(2044, "Resources link with data", 1, 3, One),
    fixed(2048, "Player level scaling", 3, 15, One),
    fixed(2050, "Environment objects data", 6, 54, One),
    polygons(2057, "Interactive object collision data", 2),
    fixed(2065, "Environment object loot", 1, 11, Many),
    fixed(2051, "NPC link with text data", 1, 6, One),
    fixed(2052, "Map data", 2, 71, One),
    fixed(2053, "Portal locations", 3, 13, One),
    fixed(2055, "Unknown", 1, 3, One),
    fixed(2058, "Description link with txt data", 1, 4, One),
    fixed(2059, "Extended description data", 1, 6, One),
    fixed(2061, "Quest hierarchy/description data", 1, 17, One),
    fixed(2063, "Weapon types", 1, 5, One),
    fixed(2064, "Weapon materials", 1, 4, One),
    fixed(2032, "Terrain data", 2, 4, One),
    fixed(2049, "Heads", 1, 2, One),
    fixed(2036, "Unit upgrade data", 1, 90, One),
    fixed(2072, "Item sets", 1, 4, One),
];

/// The id of the category that holds all texts.
pub const TEXTS: i16 = 2016;

/// The category of this id.
pub fn category(id: i16) -> Option<&'static Category> {
    CATEGORIES.iter().find(|category| category.id == id)
}

/// The category that explains the rows of `chunk`: its id and its data type are known.
pub fn category_of(chunk: &Chunk) -> Option<&'static Category> {
    category(chunk.id()).filter(|category| category.data_type == chunk.data_type())
}

/// Whole rows of a chunk, and the bytes behind them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rows {
    /// Whole rows.
    pub count: u64,
    /// Bytes behind the last whole row.
    pub remainder: u64,
}

impl Category {
    /// The rows of a chunk with this many plain bytes, where rows do not vary.
    pub fn fixed_rows(&self, plain_len: u64) -> Option<Rows> {
        let RowSize::Fixed(size) = self.row_size else { return None };
        let size = u64::from(size);
        Some(Rows { count: plain_len.checked_div(size)?, remainder: plain_len.checked_rem(size)? })
    }

    /// The rows of the plain data of a chunk.
    pub fn rows(&self, plain: &[u8]) -> Rows {
        self.fixed_rows(plain.len() as u64).unwrap_or_else(|| {
            let mut polygons = Polygons { plain, at: 0 };
            let count = polygons.by_ref().count() as u64;
            Rows { count, remainder: plain.len().saturating_sub(polygons.at) as u64 }
        })
    }

    /// Where in the plain data of a chunk this row (0-based) lies.
    pub fn row(&self, plain: &[u8], row: u32) -> Option<Range<u64>> {
        let range = match self.row_size {
            RowSize::Variable => Polygons { plain, at: 0 }.nth(usize::try_from(row).ok()?)?,
            RowSize::Fixed(size) => {
                let size = u64::from(size);
                let start = u64::from(row).checked_mul(size)?;
                start..start.checked_add(size)?
            }
        };
        (range.end <= plain.len() as u64).then_some(range)
    }
}

/// The rows of a category with polygons, as ranges of its plain data. Ends before a row that is not
/// whole.
#[derive(Debug)]
struct Polygons<'a> {
    plain: &'a [u8],
    at: usize,
}

impl Iterator for Polygons<'_> {
    type Item = Range<u64>;

    fn next(&mut self) -> Option<Range<u64>> {
        let start = self.at;
        let points = *self.plain.get(start.checked_add(4)?)?;
        let end = start.checked_add(5)?.checked_add(usize::from(points).checked_mul(4)?)?;
        if end > self.plain.len() {
            return None;
        }
        self.at = end;
        Some(start as u64..end as u64)
    }
}

/// Number of rows of the chunks whose rows vary, by position in the file. A chunk is counted when its
/// number is first asked for.
#[derive(Debug)]
pub(crate) struct PolygonCounts(Vec<(u32, OnceLock<u64>)>);

impl PolygonCounts {
    /// Nothing is counted yet.
    ///
    /// # Errors
    /// Limits.
    pub fn new(file: &ChunkFile, task: &mut Task<'_>) -> Result<PolygonCounts> {
        let varying = || {
            let chunks = (0..).zip(file.chunks());
            chunks.filter(|(_, chunk)| {
                category_of(chunk).is_some_and(|category| category.row_size == RowSize::Variable)
            })
        };
        let mut counts = task.budget.vec(varying().count() as u64)?;
        counts.extend(varying().map(|(n, _)| (n, OnceLock::new())));
        Ok(PolygonCounts(counts))
    }

    /// Number of rows of the chunk at this position; `None` where it is not one whose rows vary.
    ///
    /// # Errors
    /// When the chunk cannot be read or inflated; limits.
    pub fn rows(&self, file: &ChunkFile, n: u32, task: &mut Task<'_>) -> Result<Option<u64>> {
        let at = self.0.binary_search_by_key(&n, |(n, _)| *n).ok();
        let Some((_, count)) = at.and_then(|at| self.0.get(at)) else { return Ok(None) };
        if let Some(count) = count.get() {
            return Ok(Some(*count));
        }
        let Some((chunk, category)) =
            file.chunk(n).and_then(|chunk| Some((chunk, category_of(chunk)?)))
        else {
            return Ok(None);
        };
        task.budget.touch(chunk.plain_len().min(file.size()))?;
        let rows = file.with_plain(n, task, |plain| category.rows(plain).count)?;
        Ok(Some(*count.get_or_init(|| rows)))
    }
}

/// Reports known categories with another data type than the known one.
///
/// # Errors
/// What the task's sink makes of the findings.
pub(crate) fn note_data_types(file: &ChunkFile, task: &mut Task<'_>) -> Result<()> {
    for (n, chunk) in (0_u64..).zip(file.chunks()) {
        let Some(category) = category(chunk.id()) else { continue };
        if category.data_type != chunk.data_type() {
            let error = Error::new(&codes::CATEGORY_DATA_TYPE)
                .at(chunk.at().part(10, 2))
                .expected(i32::from(category.data_type))
                .found(i32::from(chunk.data_type()));
            task.note(error.field("data_type").within(Seg::Index(n)).field("chunks"))?;
        }
    }
    Ok(())
}

/// A slot of the texts in [`TEXTS`]: one language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Language {
    /// The language id of its rows.
    pub slot: u8,
    /// Number of its rows.
    pub rows: u64,
}

impl Language {
    /// The language by its slot. Slots 0 to 4 are those of all known editions, slot 1 being the edition's
    /// own language; 5 and 6 are a convention of modders.
    pub const fn name(&self) -> Option<&'static str> {
        Some(match self.slot {
            0 => "German",
            1 => "local",
            2 => "French",
            3 => "Spanish",
            4 => "Italian",
            5 => "Russian (by convention)",
            6 => "Polish (by convention)",
            _ => return None,
        })
    }
}

/// The languages of all texts of a file, by slot.
///
/// # Errors
/// When the texts cannot be read or inflated.
pub fn languages(file: &ChunkFile, task: &mut Task<'_>) -> Result<Vec<Language>> {
    /// Offset of the language id in a row.
    const LANGUAGE: usize = 2;
    let mut counts = [0_u64; 256];
    for n in file.with_id(TEXTS) {
        let Some(category) = file.chunk(*n).and_then(category_of) else { continue };
        let RowSize::Fixed(size) = category.row_size else { continue };
        file.with_plain(*n, task, |plain| {
            for row in plain.chunks_exact(usize::from(size)) {
                let slot = row.get(LANGUAGE).copied().unwrap_or_default();
                if let Some(count) = counts.get_mut(usize::from(slot)) {
                    *count = count.saturating_add(1);
                }
            }
        })?;
    }
    let languages = (0..=u8::MAX).zip(counts).filter(|(_, rows)| *rows > 0);
    Ok(languages.map(|(slot, rows)| Language { slot, rows }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_49_categories_with_ids_of_their_own() {
        let mut ids: Vec<_> = CATEGORIES.iter().map(|category| category.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 49);
        assert_eq!((ids[0], ids[48]), (2001, 2072));
    }

    #[test]
    fn the_table_is_that_of_the_page() {
        let page = include_str!("../../../../docs/formats/cff.md");
        let (_, section) = page.split_once("## 6. GameData categories").unwrap();
        let (section, _) = section.split_once("## 7.").unwrap();
        let cells = |row: &str| row.split(" | ").map(str::to_owned).collect::<Vec<_>>();
        let rows = section.lines().filter_map(|line| line.strip_prefix("| "));
        let rows: Vec<_> = rows.map(cells).filter(|row| row[0] != "#").collect();
        assert_eq!(rows.len(), CATEGORIES.len());
        for (n, (row, category)) in rows.iter().zip(CATEGORIES).enumerate() {
            let size = match category.row_size {
                RowSize::Fixed(size) => size.to_string(),
                RowSize::Variable => "5 + 4 × n".to_owned(),
            };
            let rows_per_id = match category.rows_per_id {
                One => "one",
                Many => "many",
            };
            let Category { id, name, data_type, .. } = category;
            let known = [&*n.to_string(), &*id.to_string(), name, &*data_type.to_string(), &*size];
            assert_eq!(row[..5], known, "{id}");
            assert_eq!(row[6], rows_per_id, "{id}");
        }
    }

    #[test]
    fn polygons_are_walked_and_a_broken_one_is_the_remainder() {
        let category = category(2030).unwrap();
        let mut plain = vec![1, 0, 1, 1, 2];
        plain.extend([0; 8]);
        plain.extend([1, 0, 2, 1, 0]);
        plain.extend([1, 0, 3, 1, 9, 0, 0]);
        assert_eq!(category.rows(&plain), Rows { count: 2, remainder: 7 });
        assert_eq!(category.row(&plain, 1), Some(13..18));
        assert_eq!(category.row(&plain, 2), None);
    }

    #[test]
    fn fixed_rows_are_divided() {
        let category = category(2063).unwrap();
        assert_eq!(category.rows(&[0; 12]), Rows { count: 2, remainder: 2 });
        assert_eq!(category.row(&[0; 12], 1), Some(5..10));
        assert_eq!(category.row(&[0; 12], 2), None);
        assert_eq!(category.row(&[0; 12], u32::MAX), None);
    }
}
