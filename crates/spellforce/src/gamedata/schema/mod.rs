//! The 49 categories, each described once: id, table, key, and every field with its type, unit, meaning, value names and
//! what it refers to. Readers, writers, listings, differences, SQL, CSV, JSON and `docs/formats/gamedata.md` take all of it
//! from here.

mod buildings;
mod items;
mod markdown;
mod spec;
mod spells;
mod units;
mod world;

pub use buildings::*;
pub use items::*;
pub use markdown::page;
pub use spec::*;
pub use spells::*;
use spelunk_core::{
    Record, Refers,
    field::{Described, Slot},
};
pub use units::*;
pub use world::*;

/// Number of rows that an id may have. A property of the category that no file stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowsPerId {
    /// One row.
    One,
    /// Any number, next to each other.
    Many,
}

/// Description of a category.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Category {
    /// The id of its chunk.
    pub id: i16,
    /// Name for people, in lower case with underscores: of tables in SQL, of files, in paths.
    pub table: &'static str,
    /// The name that the community's editor gives it.
    pub name: &'static str,
    /// Version of its layout, the same in all known editions.
    pub data_type: i16,
    /// Rows of one id.
    pub rows_per_id: RowsPerId,
    /// The fields of a row. Where rows vary these are the first ones, and the corners of a polygon follow.
    pub record: &'static Record,
    /// Number of the fields that make up the key: the first ones.
    pub key: usize,
    /// Whether a text may fill its field, so that no NUL ends it.
    pub fills_texts: bool,
}

impl Category {
    /// Whether rows are polygons: behind the fields stand as many pairs of i16 as the last field says.
    pub const fn is_polygons(&self) -> bool {
        matches!(self.id, 2030 | 2057)
    }

    /// Size of a row in bytes; `None` where rows are polygons.
    pub const fn row_size(&self) -> Option<usize> {
        if self.is_polygons() { None } else { Some(self.record.size as usize) }
    }

    /// Whether several rows may have one key: the id is all that is known of it.
    pub const fn shares_keys(&self) -> bool {
        matches!(self.rows_per_id, RowsPerId::Many) && self.key == 1
    }

    /// The fields of a row.
    pub const fn fields(&self) -> &'static [Slot] {
        self.record.fields
    }

    /// Returns the fields that make up the key, the id first.
    pub fn key_fields(&self) -> &'static [Slot] {
        self.record.fields.get(..self.key).unwrap_or_default()
    }

    /// The position of a field.
    pub fn field(&self, name: &str) -> Option<usize> {
        self.record.fields.iter().position(|slot| slot.field.name == name)
    }
}

/// A row of fixed size, or the fixed part of one.
pub trait Row: Described {
    /// Category of the row.
    const CATEGORY: &'static Category;
}

/// Declares a category: `Name: ID "table", "name", DATA_TYPE, ROW_SIZE, One|Many KEY_FIELDS { fields }`.
macro_rules! table {
    (
        $(#[doc = $doc:literal])+
        $row:ident: $id:literal $table:literal, $name:literal, $data_type:literal, $size:literal, $rows:ident $key:literal {
            $($fields:tt)*
        }
    ) => {
        spelunk_core::record! {
            $(#[doc = $doc])+
            pub struct $row: $table, concat!("docs/formats/gamedata.md#", $id, "-", $table), $size {
                $($fields)*
            }
        }

        impl crate::gamedata::schema::Row for $row {
            const CATEGORY: &'static crate::gamedata::schema::Category = &crate::gamedata::schema::Category {
                id: $id,
                table: $table,
                name: $name,
                data_type: $data_type,
                rows_per_id: crate::gamedata::schema::RowsPerId::$rows,
                record: <$row as spelunk_core::field::Described>::RECORD,
                key: $key,
                fills_texts: false,
            };
        }
    };
}
use table;

// The tables that fields refer to.
const SPELLS: i16 = 2002;
pub(crate) const ITEMS: i16 = 2003;
const UNIT_STATS: i16 = 2005;
/// The category that holds all texts.
pub const TEXTS: i16 = 2016;
pub(crate) const RACES: i16 = 2022;
const FACTIONS: i16 = 2023;
pub(crate) const UNITS: i16 = 2024;
pub(crate) const BUILDINGS: i16 = 2029;
const SKILLS: i16 = 2039;
const MERCHANTS: i16 = 2041;
const RESOURCES: i16 = 2044;
const LEVELS: i16 = 2048;
const HEADS: i16 = 2049;
pub(crate) const OBJECTS: i16 = 2050;
pub(crate) const MAPS: i16 = 2052;
pub(crate) const PORTALS: i16 = 2053;
const SPELL_LINES: i16 = 2054;
const DESCRIPTIONS: i16 = 2058;
const EXTENDED_DESCRIPTIONS: i16 = 2059;
const QUESTS: i16 = 2061;
const WEAPON_TYPES: i16 = 2063;
const WEAPON_MATERIALS: i16 = 2064;
const ITEM_SETS: i16 = 2072;

/// The field is an id of this table.
pub(crate) const fn one_of(table: i16) -> Option<Refers> {
    Some(Refers {
        table: table.cast_unsigned(),
        field: 0,
        zero_is_none: false,
        when: None,
        with: None,
    })
}

/// The field is an id of this table, or 0.
pub(crate) const fn some(table: i16) -> Option<Refers> {
    Some(Refers {
        table: table.cast_unsigned(),
        field: 0,
        zero_is_none: true,
        when: None,
        with: None,
    })
}

/// The field is an id of this table, or 0, where the field at this position has one of these values.
const fn when(table: i16, field: u16, values: &'static [i64]) -> Option<Refers> {
    Some(Refers {
        table: table.cast_unsigned(),
        field: 0,
        zero_is_none: true,
        when: Some((field, values)),
        with: None,
    })
}

/// The field is a branch of skills.
const SKILL_BRANCH: Option<Refers> = one_of(SKILLS);

/// The field is a branch of skills, or 0.
const SOME_BRANCH: Option<Refers> = some(SKILLS);

/// The field is a skill of the branch that the field at this position names.
const fn skill_of(branch: u16) -> Option<Refers> {
    Some(skill(branch, false))
}

/// The field is a skill of the branch that the field at this position names, or both are 0.
const fn some_skill_of(branch: u16) -> Option<Refers> {
    Some(skill(branch, true))
}

const fn skill(branch: u16, zero_is_none: bool) -> Refers {
    let table = SKILLS.cast_unsigned();
    Refers { table, field: 1, zero_is_none, when: None, with: Some((branch, 0)) }
}

/// The categories, in the order of all known editions.
pub static CATEGORIES: &[&Category] = &[
    Spell::CATEGORY,
    SpellLine::CATEGORY,
    Unknown2056::CATEGORY,
    UnitStats::CATEGORY,
    HeroSkill::CATEGORY,
    HeroSpell::CATEGORY,
    Item::CATEGORY,
    ItemArmor::CATEGORY,
    InventoryScroll::CATEGORY,
    Weapon::CATEGORY,
    ItemRequirement::CATEGORY,
    ItemEffect::CATEGORY,
    ItemUi::CATEGORY,
    InstalledScroll::CATEGORY,
    TextRow::CATEGORY,
    Race::CATEGORY,
    FactionRelation::CATEGORY,
    Unit::CATEGORY,
    UnitEquipment::CATEGORY,
    UnitSpell::CATEGORY,
    ArmyUnitCost::CATEGORY,
    CorpseLoot::CATEGORY,
    ArmyUnitBuilding::CATEGORY,
    Building::CATEGORY,
    BuildingPolygon::CATEGORY,
    BuildingCost::CATEGORY,
    Skill::CATEGORY,
    SkillRequirement::CATEGORY,
    Merchant::CATEGORY,
    MerchantItem::CATEGORY,
    MerchantRate::CATEGORY,
    Resource::CATEGORY,
    Level::CATEGORY,
    Object::CATEGORY,
    ObjectPolygon::CATEGORY,
    ObjectLoot::CATEGORY,
    Npc::CATEGORY,
    Map::CATEGORY,
    Portal::CATEGORY,
    Unknown2055::CATEGORY,
    Description::CATEGORY,
    ExtendedDescription::CATEGORY,
    Quest::CATEGORY,
    WeaponType::CATEGORY,
    WeaponMaterial::CATEGORY,
    Terrain::CATEGORY,
    Head::CATEGORY,
    Upgrade::CATEGORY,
    ItemSet::CATEGORY,
];

/// The categories that files of a form have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Schema {
    /// Those of real files: [`CATEGORIES`].
    #[default]
    Real,
    /// Those of the dialect `spec`: [`SPEC_CATEGORIES`].
    Spec,
}

impl Schema {
    /// All of them, in their usual order.
    pub fn categories(self) -> &'static [&'static Category] {
        match self {
            Schema::Real => CATEGORIES,
            Schema::Spec => SPEC_CATEGORIES,
        }
    }

    /// The category of this id.
    pub fn category(self, id: i16) -> Option<&'static Category> {
        self.categories().iter().find(|category| category.id == id).copied()
    }

    /// The category whose table has this name.
    pub fn category_named(self, table: &str) -> Option<&'static Category> {
        let mut all = self.categories().iter();
        all.find(|category| category.table.eq_ignore_ascii_case(table)).copied()
    }
}

/// The category of this id in real files.
pub fn category(id: i16) -> Option<&'static Category> {
    Schema::Real.category(id)
}

/// The category of real files whose table has this name.
pub fn category_named(table: &str) -> Option<&'static Category> {
    Schema::Real.category_named(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_49_categories_with_ids_and_tables_of_their_own() {
        let mut ids: Vec<_> = CATEGORIES.iter().map(|category| category.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 49);
        assert_eq!((ids[0], ids[48]), (2001, 2072));
        let mut tables: Vec<_> = CATEGORIES.iter().map(|category| category.table).collect();
        tables.sort_unstable();
        tables.dedup();
        assert_eq!(tables.len(), 49);
    }

    #[test]
    fn references_lead_to_fields_that_are_there() {
        for category in CATEGORIES {
            for slot in category.fields() {
                let Some(refers) = slot.field.refers else { continue };
                let name = (category.table, slot.field.name);
                let target = super::category(refers.table as i16).expect(category.table);
                assert!(usize::from(refers.field) < target.key, "{name:?}");
                if let Some((own, other)) = refers.with {
                    assert!(usize::from(own) < category.fields().len(), "{name:?}");
                    let refers = category.fields()[usize::from(own)].field.refers.expect("one too");
                    assert_eq!((refers.table, refers.field), (2039, other), "{name:?}");
                }
                if let Some((own, _)) = refers.when {
                    assert_eq!(category.fields()[usize::from(own)].field.name, "spell_line_id");
                }
            }
        }
    }
}
