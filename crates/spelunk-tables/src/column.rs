//! Columns: what queries, exports, imports and the catalogue know of the columns of their tables.

use spellforce::gamedata::Category;
use spelunk_core::{Field, Ty};
use std::ops::Deref;

/// The column of the corners of a polygon.
const CORNERS: &str = "corners";

/// The kind of values in a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColumnKind {
    /// Whole numbers of 64 bits with a sign.
    Integer,
    /// Numbers in double precision.
    Real,
    /// Whole numbers and others.
    Number,
    /// UTF-8 texts.
    Text,
    /// JSON as UTF-8.
    Json,
    /// Bytes that nothing describes, as hexadecimal digits.
    Hex,
    /// No and yes, in SQL 0 and 1.
    Bool,
    /// Microseconds since 1970-01-01 00:00 UTC.
    Time,
}

impl ColumnKind {
    /// The kind of the cells of a field.
    const fn of(field: &Field) -> ColumnKind {
        match field.ty {
            Ty::U8 | Ty::I8 | Ty::U16 | Ty::I16 | Ty::U32 | Ty::I32 | Ty::U64 | Ty::Bool => {
                ColumnKind::Integer
            }
            Ty::F32 => ColumnKind::Real,
            Ty::Bytes => ColumnKind::Hex,
            _ => ColumnKind::Text,
        }
    }

    /// The name of the type in SQL.
    pub const fn sql(self) -> &'static str {
        match self {
            ColumnKind::Integer | ColumnKind::Bool | ColumnKind::Time => "INTEGER",
            ColumnKind::Real => "REAL",
            ColumnKind::Number => "NUMERIC",
            ColumnKind::Text | ColumnKind::Json | ColumnKind::Hex => "TEXT",
        }
    }
}

/// A column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    /// Name of the column.
    pub name: &'static str,
    /// The kind of its values.
    pub kind: ColumnKind,
    /// Whether every row has a value. The tables of queries promise that of none.
    pub required: bool,
    /// Unit of its values, or empty.
    pub unit: &'static str,
    /// A sentence on its values.
    pub doc: &'static str,
    /// Name of the column in listings, which mostly is the same.
    pub(crate) listed: &'static str,
    /// The field of the row's entry that the column shows, where it can be set.
    pub(crate) sets: Option<SetField>,
    /// Where the column says which entry the row is of: what stands before its value in the path of that entry.
    pub(crate) entry: Option<&'static str>,
}

/// The field that a column shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SetField {
    /// The path of the field in the row's entry, with the names of other columns in braces where their values belong.
    pub(crate) path: &'static str,
    /// The form of the values in the column.
    pub(crate) form: SetForm,
}

/// The form of the values in a column, where it may differ from what the field takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SetForm {
    /// As the field takes them.
    Plain,
    /// Positions of objects, NULL for none.
    Reference,
    /// Colours whose alpha is the last part; without one as the field takes them.
    Color,
    /// Texts in quotation marks, among values without them.
    Quoted,
    /// The value of this part of a packed word, whose other parts stay.
    Part(&'static str),
}

impl Column {
    /// A column whose cells may be empty, with a sentence on its values.
    pub const fn new(name: &'static str, kind: ColumnKind, doc: &'static str) -> Column {
        let (sets, entry) = (None, None);
        Column { name, kind, required: false, unit: "", doc, listed: name, sets, entry }
    }

    /// The column, which has a value in every row.
    #[must_use]
    pub const fn required(self) -> Column {
        Column { required: true, ..self }
    }

    /// The column with this unit.
    #[must_use]
    pub const fn unit(self, unit: &'static str) -> Column {
        Column { unit, ..self }
    }

    /// The column, which has this name in listings.
    pub(crate) const fn listed_as(self, listed: &'static str) -> Column {
        Column { listed, ..self }
    }

    /// The column, which shows the field of this path.
    pub(crate) const fn sets(self, path: &'static str) -> Column {
        self.sets_as(path, SetForm::Plain)
    }

    /// The column, which shows the field of this path in a form of its own.
    pub(crate) const fn sets_as(self, path: &'static str, form: SetForm) -> Column {
        Column { sets: Some(SetField { path, form }), ..self }
    }

    /// The column, which says what entry the row is of: its value behind `before` is the path of the entry.
    pub(crate) const fn entry(self, before: &'static str) -> Column {
        Column { entry: Some(before), ..self }
    }

    /// Returns whether the column shows a field that a statement can set.
    pub const fn is_settable(&self) -> bool {
        self.sets.is_some()
    }

    /// The column of a field that is described elsewhere.
    pub(crate) const fn of(field: &Field) -> Column {
        let column = Column::new(field.name, ColumnKind::of(field), field.doc).unit(field.unit);
        column.sets(field.name)
    }
}

/// A column of a category of GameData, with the place of its values in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CategoryColumn {
    column: Column,
    /// The position of its field.
    pub field: usize,
    /// The size of its field in bytes.
    pub size: usize,
}

impl Deref for CategoryColumn {
    type Target = Column;

    fn deref(&self) -> &Column {
        &self.column
    }
}

/// The columns of a category. The number of the corners of a polygon is none: it follows from the corners.
pub fn columns(category: &Category) -> Vec<CategoryColumn> {
    let fields = category.fields();
    let of_fields = fields.len().saturating_sub(usize::from(category.is_polygons()));
    let columns = fields.iter().take(of_fields).enumerate().map(|(field, slot)| CategoryColumn {
        column: Column::of(&slot.field),
        field,
        size: slot.size as usize,
    });
    let doc = "The corners of the polygon, as JSON: `[[x,y],...]`.";
    let corners = Column::new(CORNERS, ColumnKind::Json, doc);
    let corners = CategoryColumn { column: corners, field: of_fields, size: 0 };
    columns.chain(category.is_polygons().then_some(corners)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use spellforce::gamedata::Schema;

    #[test]
    fn every_field_is_a_column_of_its_own() {
        let schemas = [Schema::Real, Schema::Spec].map(Schema::categories);
        for category in schemas.into_iter().flatten() {
            let columns = columns(category);
            assert_eq!(columns.len(), category.fields().len(), "{}", category.table);
            for (nth, column) in columns.iter().enumerate() {
                let of_this_name = columns.iter().filter(|other| other.name == column.name);
                assert_eq!(of_this_name.count(), 1, "{}.{}", category.table, column.name);
                assert_ne!(column.name, super::super::ROW, "{}", category.table);
                match column.kind {
                    ColumnKind::Integer => {
                        assert!(matches!(column.size, 1 | 2 | 4), "{nth} of {}", category.table);
                    }
                    ColumnKind::Text | ColumnKind::Json | ColumnKind::Hex => {}
                    other => panic!("{other:?} in {}", category.table),
                }
            }
        }
    }
}
