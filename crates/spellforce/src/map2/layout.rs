//! Descriptions of layouts whose parts have no fixed places, as data.
//!
//! What the parts say is all that is known of a chunk: one interpreter ([`Scan`](super::scan::Scan)) finds their ends and walks
//! them.

use spelunk_core::{Field, Record};

/// A part of a layout.
#[derive(Debug)]
pub enum Part {
    /// Fields behind each other, of a fixed size.
    Fixed(&'static Record),
    /// A number.
    Value(Field),
    /// A number by which later parts of the structure go. With another one than these the layout is not known.
    Key(Field, &'static [i64]),
    /// Parts that are there where the last key is one of these.
    When(&'static [i64], &'static [Part]),
    /// Parts that several structures begin with.
    Parts(&'static [Part]),
    /// A text behind its length.
    Text(Field, Field),
    /// A number, and as many structures, which have this name together. Structures of one value are walked as values.
    List(Field, &'static str, &'static Structure),
    /// A structure of its own.
    Group(&'static str, &'static Structure),
    /// Values for cells, row by row.
    Grid(&'static Grid),
}

/// Parts that belong together.
#[derive(Debug)]
pub struct Structure {
    /// Description of the whole.
    pub record: Record,
    /// The parts, in their order.
    pub parts: &'static [Part],
}

impl Structure {
    pub(super) const fn new(
        name: &'static str,
        page: &'static str,
        doc: &'static str,
        parts: &'static [Part],
    ) -> Structure {
        Structure { record: Record::group(name, page, doc), parts }
    }

    /// Returns the bytes of a new one: the first known key of each kind, no items, empty texts, and zeros.
    pub(crate) fn blank(&self) -> Vec<u8> {
        let (mut bytes, mut key) = (Vec::new(), 0);
        blank(self.parts, &mut key, &mut bytes);
        bytes
    }

    /// Finds the structure of the items of the list whose number of items has this path.
    pub(crate) fn item(&self, count: &str) -> Option<&'static Structure> {
        find(self.parts, count, &|part, name| match part {
            Part::List(count, _, item) if count.name == name => Some(item),
            _ => None,
        })
    }

    /// Finds the grid that is the group with this path.
    pub(crate) fn grid(&self, path: &str) -> Option<&'static Grid> {
        find(self.parts, path, &|part, name| match part {
            Part::Group(group, structure) if *group == name => {
                structure.parts.iter().find_map(|part| match part {
                    Part::Grid(grid) => Some(*grid),
                    _ => None,
                })
            }
            _ => None,
        })
    }
}

/// A description is itself and no other one.
impl PartialEq for Structure {
    fn eq(&self, other: &Structure) -> bool {
        std::ptr::eq(self, other)
    }
}

/// Adds the bytes of new parts.
fn blank(parts: &[Part], key: &mut i64, bytes: &mut Vec<u8>) {
    let zeros = |size: u32, bytes: &mut Vec<u8>| {
        bytes.resize(bytes.len().saturating_add(size as usize), 0);
    };
    for part in parts {
        match part {
            Part::Fixed(record) => zeros(record.size, bytes),
            Part::Value(field) | Part::Text(field, _) | Part::List(field, ..) => {
                zeros(field.ty.size().unwrap_or_default(), bytes);
            }
            Part::Key(field, known) => {
                *key = known.first().copied().unwrap_or_default();
                let size = field.ty.size().unwrap_or_default() as usize;
                bytes.extend(key.to_le_bytes().iter().take(size));
            }
            Part::When(keys, parts) if keys.contains(key) => blank(parts, key, bytes),
            Part::When(..) => {}
            Part::Parts(parts) => blank(parts, key, bytes),
            Part::Group(_, structure) => blank(structure.parts, &mut 0, bytes),
            // Grids stand in chunks that are one structure each, which is never a new one.
            Part::Grid(_) => {}
        }
    }
}

/// Finds what a path leads to; positions of items make no difference.
fn find<T>(
    parts: &'static [Part],
    path: &str,
    wanted: &dyn Fn(&'static Part, &str) -> Option<T>,
) -> Option<T> {
    let (name, rest) = match path.split_once('.') {
        Some((name, rest)) => (name, Some(rest)),
        None => (path, None),
    };
    let name = name.split('[').next().unwrap_or(name);
    parts.iter().find_map(|part| match (part, rest) {
        (Part::When(_, parts) | Part::Parts(parts), _) => find(parts, path, wanted),
        (Part::List(_, list, inner) | Part::Group(list, inner), Some(rest)) if *list == name => {
            find(inner.parts, rest, wanted)
        }
        (part, None) => wanted(part, name),
        _ => None,
    })
}

/// Values for cells, row by row, behind a head that tells their number.
#[derive(Debug)]
pub struct Grid {
    /// The head.
    pub head: &'static Record,
    /// The size of what follows the head; `None` where the head makes no sense.
    pub extent: fn(&[u8]) -> Option<Extent>,
    /// Description of what lies between the head and the rows.
    pub lead: Option<Field>,
    /// Description of the rows together.
    pub rows: Record,
    /// Description of a row.
    pub row: Field,
    /// Description of what follows the rows.
    pub behind: Option<Field>,
    /// Description of a cell of a row, where its value is set by itself; [`Bool`](spelunk_core::Ty::Bool) for bits, the lowest one
    /// first.
    pub cell: Option<Field>,
}

/// The sizes of the parts of a grid, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Extent {
    /// What lies between the head and the rows.
    pub lead: u64,
    /// A row.
    pub row: u64,
    /// Number of rows.
    pub rows: u64,
    /// What follows the rows.
    pub behind: u64,
}

impl Extent {
    /// Rows of `width` cells of so many bits. Rows that do not end with a byte are one.
    pub(super) fn of(width: u64, height: u64, bits: u64) -> Option<Extent> {
        let row = width.checked_mul(bits)?;
        let grid = match row % 8 {
            0 => Extent { row: row / 8, rows: height, ..Extent::default() },
            _ => {
                let all = row.checked_mul(height)?.div_ceil(8);
                Extent { row: all, rows: 1, ..Extent::default() }
            }
        };
        // Rows without cells are none.
        Some(if grid.row == 0 { Extent::default() } else { grid })
    }

    /// The size of all parts; `None` where it is beyond all numbers.
    pub(super) fn len(&self) -> Option<u64> {
        self.row.checked_mul(self.rows)?.checked_add(self.lead)?.checked_add(self.behind)
    }
}

/// Form of the plain data of a chunk.
#[derive(Debug)]
pub enum SectionForm {
    /// Records up to the end, which begin with this number.
    Records(u32, &'static Structure),
    /// One structure.
    Single(&'static Structure),
    /// Nothing.
    Empty,
}

/// Description of the chunks of one id.
#[derive(Debug)]
pub struct Section {
    /// The id.
    pub id: i16,
    /// Name in paths.
    pub name: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// The data type that all known files have.
    pub data_type: i16,
    /// Form of the plain data.
    pub form: SectionForm,
}

impl Section {
    /// The structure of its records, where it has some.
    pub const fn records(&self) -> Option<&'static Structure> {
        match self.form {
            SectionForm::Records(_, record) => Some(record),
            SectionForm::Single(_) | SectionForm::Empty => None,
        }
    }
}

/// Declares parts: a text behind its length.
macro_rules! text {
    ($name:literal, $doc:literal) => {
        $crate::map2::layout::Part::Text(
            spelunk_core::Field::new(
                concat!($name, "_length"),
                spelunk_core::Ty::U32,
                "Length of the text.",
            )
            .unit("bytes"),
            spelunk_core::Field::new($name, spelunk_core::Ty::Text, $doc),
        )
    };
}

/// Declares a part: a number.
macro_rules! value {
    ($name:literal, $ty:ident, $doc:literal $(, $key:ident($value:expr))*) => {
        $crate::map2::layout::Part::Value(
            spelunk_core::Field::new($name, spelunk_core::Ty::$ty, $doc)$(.$key($value))*
        )
    };
}

/// Declares a part: a number that must be one of those that are known.
macro_rules! key {
    ($name:literal, $ty:ident, $doc:literal, $known:expr $(, $key:ident($value:expr))*) => {
        $crate::map2::layout::Part::Key(
            spelunk_core::Field::new($name, spelunk_core::Ty::$ty, $doc)$(.$key($value))*,
            $known,
        )
    };
}

/// Declares a part: the version of a structure.
macro_rules! version {
    ($known:expr) => {
        $crate::map2::layout::key!("version", U8, "Version of the layout.", $known)
    };
}

/// Declares a part: a number of structures, and these.
macro_rules! list {
    ($name:literal, $count:literal, $ty:ident, $structure:expr) => {
        $crate::map2::layout::Part::List(
            spelunk_core::Field::new($count, spelunk_core::Ty::$ty, "How many follow."),
            $name,
            $structure,
        )
    };
}

pub(super) use {key, list, text, value, version};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_are_rows_or_one_stretch() {
        assert_eq!(Extent::of(16, 3, 1), Some(Extent { row: 2, rows: 3, ..Extent::default() }));
        assert_eq!(Extent::of(3, 3, 1), Some(Extent { row: 2, rows: 1, ..Extent::default() }));
        assert_eq!(Extent::of(0, u64::MAX, 8), Some(Extent::default()));
        assert_eq!(Extent::of(u64::MAX, 2, 32), None);
        assert_eq!(Extent::of(u64::MAX / 8, u64::MAX, 8).and_then(|all| all.len()), None);
    }
}
