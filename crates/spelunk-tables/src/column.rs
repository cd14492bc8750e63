//! What the columns of a category are.

use spellforce::gamedata::Category;
use spelunk_core::Ty;

/// The column of the corners of a polygon.
const CORNERS: &str = "corners";

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A number.
    Number,
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
    /// Its size in bytes.
    pub size: usize,
}

/// The columns of a category. The number of the corners of a polygon is none: the corners tell it.
pub fn columns(category: &Category) -> Vec<Column> {
    let fields = category.fields();
    let told = if category.is_polygons() { fields.len().saturating_sub(1) } else { fields.len() };
    let columns = fields.iter().take(told).enumerate().map(|(field, slot)| Column {
        name: slot.field.name,
        kind: match slot.field.ty {
            Ty::Text => Kind::Text,
            _ => Kind::Number,
        },
        field,
        size: slot.size as usize,
    });
    let corners = Column { name: CORNERS, kind: Kind::Corners, field: told, size: 0 };
    columns.chain(category.is_polygons().then_some(corners)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use spellforce::gamedata::CATEGORIES;

    #[test]
    fn every_field_is_a_column_of_its_own() {
        for category in CATEGORIES {
            let columns = columns(category);
            assert_eq!(columns.len(), category.fields().len(), "{}", category.table);
            for (nth, column) in columns.iter().enumerate() {
                let of_this_name = columns.iter().filter(|other| other.name == column.name);
                assert_eq!(of_this_name.count(), 1, "{}.{}", category.table, column.name);
                assert_ne!(column.name, super::super::ROW, "{}", category.table);
                if column.kind == Kind::Number {
                    assert!(matches!(column.size, 1 | 2 | 4), "{nth} of {}", category.table);
                }
            }
        }
    }
}
