//! The thirteen categories of the dialect `spec`: `docs/formats/spec.md#2-gamedata`.
//!
//! The specification lists all with the size of their rows and a data type, which says how many rows an id has, and describes the
//! fields of two. Those two are the categories of real files, and so are the rows of the one other category that has the
//! size of its real namesake; of the rest the id is known, which every row begins with.

use super::{Category, Row, RowsPerId, TextRow, Weapon, WeaponMaterial};

/// Declares a category of which only the id of a row is described:
/// `Name: ID "table", "name", One|Many, ROW_SIZE, SIZE_BEHIND_THE_ID`.
macro_rules! ids {
    ($(
        $(#[doc = $doc:literal])+
        $row:ident: $id:literal $table:literal, $name:literal, $rows:ident, $size:literal, $rest:literal;
    )+) => {
        $(
            spelunk_core::record! {
                $(#[doc = $doc])+
                pub struct $row: $table, "docs/formats/spec.md#2-gamedata", $size {
                    /// The id that the row goes by.
                    id: U16,
                    /// Fields that the specification counts and does not describe.
                    rest: Raw<$rest> { unit: "bytes" },
                }
            }

            impl Row for $row {
                const CATEGORY: &'static Category = &Category {
                    id: $id,
                    table: $table,
                    name: $name,
                    data_type: data_type(RowsPerId::$rows),
                    rows_per_id: RowsPerId::$rows,
                    record: <$row as spelunk_core::field::Described>::RECORD,
                    key: 1,
                    fills_texts: true,
                };
            }
        )+
    };
}

/// The data type that says how many rows an id has: 2 is one, 3 is several.
const fn data_type(rows: RowsPerId) -> i16 {
    match rows {
        RowsPerId::One => 2,
        RowsPerId::Many => 3,
    }
}

ids! {
    /// A building that a unit of the army needs, as the specification lists it.
    SpecArmyUnitBuilding: 2001 "army_unit_buildings", "army unit building requirements", Many, 16, 14;
    /// A spell, as the specification lists it.
    SpecSpell: 2002 "spells", "spells", One, 64, 62;
    /// An item, as the specification lists it.
    SpecItem: 2003 "items", "items", One, 16, 14;
    /// What an item does for who wears it, as the specification lists it.
    SpecItemStats: 2004 "item_armor", "item stats", One, 34, 32;
    /// Properties of units and heroes, as the specification lists them.
    SpecUnitStats: 2005 "unit_stats", "unit stats", One, 48, 46;
    /// A picture of an item, as the specification lists it.
    SpecItemUi: 2012 "item_ui", "item UI", Many, 66, 64;
    /// An effect of a weapon, as the specification lists it.
    SpecItemEffect: 2014 "item_effects", "weapon effects", Many, 6, 4;
    /// A unit, as the specification lists it.
    SpecUnit: 2024 "units", "units", One, 52, 50;
    /// A building, as the specification lists it.
    SpecBuilding: 2029 "buildings", "buildings", One, 32, 30;
    /// A type of weapons, as the specification lists it.
    SpecWeaponType: 2063 "weapon_types", "weapon types", One, 6, 4;
}

/// The categories of the dialect, in the order of the specification. Their tables have the names of those of real files.
pub static SPEC_CATEGORIES: &[&Category] = &[
    SpecArmyUnitBuilding::CATEGORY,
    SpecSpell::CATEGORY,
    SpecItem::CATEGORY,
    SpecItemStats::CATEGORY,
    SpecUnitStats::CATEGORY,
    SpecItemUi::CATEGORY,
    SpecItemEffect::CATEGORY,
    &Category { name: "weapons", data_type: data_type(RowsPerId::One), ..*Weapon::CATEGORY },
    // `SetContentString` of the specification refuses what is longer than the field, and writes a NUL where there is room.
    &Category {
        name: "texts",
        data_type: data_type(RowsPerId::Many),
        fills_texts: true,
        ..*TextRow::CATEGORY
    },
    SpecUnit::CATEGORY,
    SpecBuilding::CATEGORY,
    SpecWeaponType::CATEGORY,
    &Category {
        name: "weapon materials",
        data_type: data_type(RowsPerId::One),
        ..*WeaponMaterial::CATEGORY
    },
];

#[cfg(test)]
mod tests {
    use crate::gamedata::schema::{Schema, category};

    #[test]
    fn sizes_and_data_types_are_those_of_the_table() {
        let table = [
            (2001, 3, 16),
            (2002, 2, 64),
            (2003, 2, 16),
            (2004, 2, 34),
            (2005, 2, 48),
            (2012, 3, 66),
            (2014, 3, 6),
            (2015, 2, 16),
            (2016, 3, 566),
            (2024, 2, 52),
            (2029, 2, 32),
            (2063, 2, 6),
            (2064, 2, 4),
        ];
        let ours = Schema::Spec.categories().iter();
        let ours: Vec<_> = ours.map(|it| (it.id, it.data_type, it.record.size)).collect();
        assert_eq!(ours, table);
    }

    #[test]
    fn fields_are_those_of_real_files_where_rows_are_as_long() {
        for ours in Schema::Spec.categories() {
            let real = category(ours.id).unwrap();
            assert_eq!(ours.table, real.table);
            let is_as_long = ours.record.size == real.record.size;
            assert_eq!(is_as_long, ours.record == real.record, "{}", ours.table);
            assert_eq!(is_as_long, matches!(ours.id, 2015 | 2016 | 2064), "{}", ours.table);
        }
    }
}
