//! What the columns of a category are.

use crate::Ty;
use spellforce::gamedata::Category;

/// The column of the corners of a polygon.
const CORNERS: &str = "corners";

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A number from 0 on.
    Unsigned,
    /// A number.
    Signed,
    /// Text.
    Text,
    /// The corners of a polygon, as JSON.
    Corners,
}

/// A column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its name: that of its field.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// The position of its field.
    pub field: usize,
    /// Where the field starts in the row.
    pub offset: usize,
    /// Its size in bytes.
    pub size: usize,
}

impl Column {
    /// The least and the greatest number that the field holds.
    pub const fn range(&self) -> (i64, i64) {
        let bits = (self.size as u32).saturating_mul(8);
        match (self.kind, bits) {
            (Kind::Unsigned, 1..=32) => (0, (1_i64 << bits).saturating_sub(1)),
            (Kind::Signed, 1..=32) => {
                let half = 1_i64 << bits.saturating_sub(1);
                (half.wrapping_neg(), half.saturating_sub(1))
            }
            _ => (0, 0),
        }
    }
}

/// The columns of a category. The number of the corners of a polygon is none: the corners tell it.
pub fn columns(category: &Category) -> Vec<Column> {
    let fields = category.fields();
    let told = if category.is_polygons() { fields.len().saturating_sub(1) } else { fields.len() };
    let columns = fields.iter().take(told).enumerate().map(|(field, slot)| Column {
        name: slot.field.name,
        kind: match slot.field.ty {
            Ty::Text => Kind::Text,
            Ty::I8 | Ty::I16 | Ty::I32 => Kind::Signed,
            _ => Kind::Unsigned,
        },
        field,
        offset: slot.offset as usize,
        size: slot.size as usize,
    });
    let offset = category.record.size as usize;
    let corners = Column { name: CORNERS, kind: Kind::Corners, field: told, offset, size: 0 };
    columns.chain(category.is_polygons().then_some(corners)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use spellforce::gamedata::{CATEGORIES, category_named};

    #[test]
    fn every_field_is_a_column_of_its_own() {
        for category in CATEGORIES {
            let columns = columns(category);
            assert_eq!(columns.len(), category.fields().len(), "{}", category.table);
            for (nth, column) in columns.iter().enumerate() {
                let of_this_name = columns.iter().filter(|other| other.name == column.name);
                assert_eq!(of_this_name.count(), 1, "{}.{}", category.table, column.name);
                assert_ne!(column.name, super::super::ROW, "{}", category.table);
                if matches!(column.kind, Kind::Unsigned | Kind::Signed) {
                    assert!(matches!(column.size, 1 | 2 | 4), "{nth} of {}", category.table);
                }
            }
        }
    }

    #[test]
    fn numbers_have_the_range_of_their_field() {
        let column = |table: &str, name: &str| {
            let columns = columns(category_named(table).unwrap());
            columns.into_iter().find(|column| column.name == name).unwrap()
        };
        assert_eq!(column("items", "item_type_1").range(), (0, 255));
        assert_eq!(column("items", "buy_value").range(), (0, u32::MAX.into()));
        assert_eq!(column("item_armor", "strength").range(), (-32768, 32767));
    }
}
