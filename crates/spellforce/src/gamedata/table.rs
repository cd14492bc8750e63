//! The rows of a category, as they lie in the file: nothing is copied, and values are decoded when they are asked for.

use super::schema::{Category, Row, TEXTS, TextRow};
use spelunk_core::{Budget, Refers, Result, Ty, Val, text};
use std::{cmp::Ordering, ops::Range};

/// The first five bytes of a polygon: id, number, flag, number of corners.
pub(super) const POLYGON: usize = 5;
/// The two i16 of a corner.
pub(super) const CORNER: usize = 4;

/// The whole rows of a category.
#[derive(Clone, Copy, Debug)]
pub struct Table<'a> {
    category: &'static Category,
    plain: &'a [u8],
    /// Starts of the polygons, and the end of the last one.
    starts: &'a [u32],
}

impl<'a> Table<'a> {
    /// The rows in the plain data of a chunk. `starts` are those of [`polygon_starts`] where rows are polygons.
    pub(super) fn new(
        category: &'static Category,
        plain: &'a [u8],
        starts: &'a [u32],
    ) -> Table<'a> {
        Table { category, plain, starts }
    }

    /// The category.
    pub const fn category(&self) -> &'static Category {
        self.category
    }

    /// Number of whole rows.
    pub fn len(&self) -> usize {
        match self.category.row_size() {
            Some(size) => self.plain.len().checked_div(size).unwrap_or_default(),
            None => self.starts.len().saturating_sub(1),
        }
    }

    /// Whether there is no whole row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the range of a row (from 0 on) in the plain data of its chunk.
    pub fn range(&self, row: usize) -> Option<Range<usize>> {
        let range = match self.category.row_size() {
            Some(size) => {
                let start = row.checked_mul(size)?;
                start..start.checked_add(size)?
            }
            None => {
                let start = *self.starts.get(row)? as usize;
                start..*self.starts.get(row.checked_add(1)?)? as usize
            }
        };
        (range.end <= self.plain.len()).then_some(range)
    }

    /// A row, from 0 on.
    pub fn row(&self, row: usize) -> Option<AnyRow<'a>> {
        let bytes = self.plain.get(self.range(row)?)?;
        Some(AnyRow { category: self.category, bytes })
    }

    /// All whole rows.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = AnyRow<'a>> + use<'a> {
        let table = *self;
        let empty = AnyRow { category: table.category, bytes: &[] };
        (0..table.len()).map(move |row| table.row(row).unwrap_or(empty))
    }

    /// All whole rows as structs over the bytes of the file; `None` for another category or rows of another size, and where
    /// rows are polygons.
    pub fn typed<R: Row>(&self) -> Option<&'a [R]> {
        let known = (R::CATEGORY.id, R::CATEGORY.row_size());
        if (self.category.id, self.category.row_size()) != known || self.category.is_polygons() {
            return None;
        }
        let rows = self.plain.get(..self.len().checked_mul(size_of::<R>())?)?;
        zerocopy::Ref::<_, [R]>::from_bytes(rows).ok().map(zerocopy::Ref::into_ref)
    }

    /// Returns the ranges of the whole rows of this category in plain data.
    ///
    /// # Errors
    /// Limits.
    pub fn ranges(
        category: &'static Category,
        plain: &[u8],
        budget: &mut Budget,
    ) -> Result<Vec<Range<usize>>> {
        let starts = match category.is_polygons() {
            true => polygon_starts(plain, budget)?,
            false => Vec::new(),
        };
        let table = Table::new(category, plain, &starts);
        let mut ranges = budget.vec(table.len() as u64)?;
        ranges.extend((0..table.len()).filter_map(|row| table.range(row)));
        Ok(ranges)
    }

    /// The plain data of the chunk.
    pub const fn plain(&self) -> &'a [u8] {
        self.plain
    }

    /// Bytes behind the last whole row.
    pub fn remainder(&self) -> &'a [u8] {
        let end = match self.category.row_size() {
            Some(size) => self.len().saturating_mul(size),
            None => self.starts.last().map_or(0, |end| *end as usize),
        };
        self.plain.get(end..).unwrap_or_default()
    }
}

/// Returns the end of each polygon. Stops before a row that is not whole.
fn polygon_ends(plain: &[u8]) -> impl Iterator<Item = usize> + '_ {
    let mut at = 0_usize;
    std::iter::from_fn(move || {
        let points = *plain.get(at.checked_add(POLYGON)?.checked_sub(1)?)?;
        let end = at.checked_add(POLYGON)?;
        let end = end.checked_add(usize::from(points).checked_mul(CORNER)?)?;
        at = (end <= plain.len()).then_some(end)?;
        Some(end)
    })
}

/// Returns the start of each polygon, and the end of the last one.
pub(super) fn polygon_starts(plain: &[u8], budget: &mut Budget) -> Result<Vec<u32>> {
    budget.touch(plain.len() as u64)?;
    let count = polygon_ends(plain).count().saturating_add(1);
    let mut starts = budget.vec::<u32>(count as u64)?;
    starts.push(0);
    starts.extend(polygon_ends(plain).filter_map(|end| u32::try_from(end).ok()));
    Ok(starts)
}

/// Returns the number of whole rows in plain data, and the number of bytes behind them.
pub(crate) fn whole_rows(category: &Category, plain: &[u8]) -> (usize, usize) {
    let (rows, end) = match category.row_size() {
        Some(size) => {
            let rows = plain.len().checked_div(size).unwrap_or_default();
            (rows, rows.saturating_mul(size))
        }
        None => {
            polygon_ends(plain).fold((0_usize, 0), |(rows, _), end| (rows.saturating_add(1), end))
        }
    };
    (rows, plain.len().saturating_sub(end))
}

/// Returns the bytes behind a text in its field, if they are not all zeros. Sixteen bytes are looked at a time, as most of a
/// field is empty.
pub(super) fn behind<'a>(field: &'a [u8], text: &[u8]) -> Option<&'a [u8]> {
    let tail = field.get(text.len()..)?;
    let is_zero = |part: &[u8]| part.iter().fold(0, |all, byte| all | byte) == 0;
    (!tail.chunks(16).all(is_zero)).then_some(tail)
}

/// Key of a row of a category: the values of its key fields, which sort as files sort their rows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key {
    /// The id.
    pub id: u32,
    /// Values behind the id in the key: of one field, or of two; 0 where there is none.
    pub sub: [u16; 2],
}

/// A row of any category.
#[derive(Clone, Copy, Debug)]
pub struct AnyRow<'a> {
    category: &'static Category,
    bytes: &'a [u8],
}

impl<'a> AnyRow<'a> {
    /// The row of a category that these bytes are; `None` where they are too few or too many.
    pub fn of(category: &'static Category, bytes: &'a [u8]) -> Option<AnyRow<'a>> {
        let fits = match category.row_size() {
            Some(size) => bytes.len() == size,
            None => bytes.get(POLYGON.saturating_sub(1)).is_some_and(|points| {
                usize::from(*points).saturating_mul(CORNER).saturating_add(POLYGON) == bytes.len()
            }),
        };
        fits.then_some(AnyRow { category, bytes })
    }

    /// The row of a category that these bytes are, which are known to be enough.
    pub(super) const fn unchecked(category: &'static Category, bytes: &'a [u8]) -> AnyRow<'a> {
        AnyRow { category, bytes }
    }

    /// Returns the category of the row.
    pub const fn category(&self) -> &'static Category {
        self.category
    }

    /// Returns the bytes of the row.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The bytes of a field, by its position.
    pub fn field(&self, field: usize) -> &'a [u8] {
        let slot = self.category.fields().get(field);
        slot.and_then(|slot| {
            let start = slot.offset as usize;
            self.bytes.get(start..start.checked_add(slot.size as usize)?)
        })
        .unwrap_or_default()
    }

    /// The number in a field; of text it is 0.
    pub fn number(&self, field: usize) -> i64 {
        let Some(slot) = self.category.fields().get(field) else { return 0 };
        match (slot.field.ty, self.field(field)) {
            (Ty::U8, [byte]) => i64::from(*byte),
            (Ty::U16, &[a, b]) => i64::from(u16::from_le_bytes([a, b])),
            (Ty::I16, &[a, b]) => i64::from(i16::from_le_bytes([a, b])),
            (Ty::U32, &[a, b, c, d]) => i64::from(u32::from_le_bytes([a, b, c, d])),
            _ => 0,
        }
    }

    /// The value of a field. Text ends at its first NUL.
    pub fn value(&self, field: usize) -> Val<'a> {
        let Some(slot) = self.category.fields().get(field) else { return Val::None };
        match slot.field.ty {
            Ty::Text => Val::Text(text::until_nul(self.field(field)).into()),
            ty => ty.decode(self.field(field)),
        }
    }

    /// Returns the bytes behind the NUL that ends the text of a field, if they are not all zeros.
    pub fn tail(&self, field: usize) -> Option<&'a [u8]> {
        let slot = self.category.fields().get(field)?;
        let bytes = self.field(field);
        let text = if slot.field.ty == Ty::Text { text::until_nul(bytes) } else { bytes };
        behind(bytes, text)
    }

    /// Returns the id of the row.
    pub fn id(&self) -> u32 {
        u32::try_from(self.number(0)).unwrap_or_default()
    }

    /// Returns the key of the row.
    pub fn key(&self) -> Key {
        let sub = |nth: usize| match nth < self.category.key {
            true => u16::try_from(self.number(nth)).unwrap_or_default(),
            false => 0,
        };
        Key { id: self.id(), sub: [sub(1), sub(2)] }
    }

    /// The values of its key fields.
    pub fn key_values(&self) -> Vec<u32> {
        let fields = 0..self.category.key;
        fields.map(|field| u32::try_from(self.number(field)).unwrap_or_default()).collect()
    }

    /// The key of the row that a field refers to, which is known to be `refers`; `None` where it refers to nothing.
    pub fn target(&self, field: usize, refers: &Refers) -> Option<Vec<u32>> {
        let value = self.number(field);
        let own = refers.with.map(|(own, _)| self.number(usize::from(own)));
        if refers.zero_is_none && (own.unwrap_or(0), value) == (0, 0) {
            return None;
        }
        let of = |(own, values): (u16, &[i64])| values.contains(&self.number(usize::from(own)));
        if !refers.when.is_none_or(of) {
            return None;
        }
        own.into_iter().chain([value]).map(|part| u32::try_from(part).ok()).collect()
    }

    /// Compares the first fields of the key with these values.
    pub(super) fn compare(&self, key: &[u32]) -> Ordering {
        let own = (0..key.len()).map(|nth| u32::try_from(self.number(nth)).unwrap_or_default());
        own.cmp(key.iter().copied())
    }

    /// The corners of a polygon, x before y; none in other categories.
    pub fn corners(&self) -> impl ExactSizeIterator<Item = [i16; 2]> + Clone + use<'a> {
        let corners = match self.category.is_polygons() {
            true => self.bytes.get(POLYGON..).unwrap_or_default(),
            false => &[],
        };
        let (corners, _) = corners.as_chunks::<CORNER>();
        corners
            .iter()
            .map(|[a, b, c, d]| [i16::from_le_bytes([*a, *b]), i16::from_le_bytes([*c, *d])])
    }

    /// The slot of the language of a field; `None` for handles, whose code page is the same everywhere.
    pub fn slot(&self, field: usize) -> Option<u8> {
        let is_content = self.category.id == TEXTS && field == TextRow::CONTENT;
        is_content.then(|| slot_of(self))
    }
}

/// The slot of a row.
pub(super) fn slot_of(row: &AnyRow<'_>) -> u8 {
    u8::try_from(row.number(TextRow::LANGUAGE_ID)).unwrap_or_default()
}
