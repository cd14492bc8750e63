//! Units (chunk 12) and the groups that they are in (46): `docs/formats/map.md#3-entities`.

use super::section::{CountPrefix, RecordLayout, Row, Section, SectionForm, first_fields};
use crate::gamedata::schema;
use spelunk_core::{Described, Record, record};

record! {
    /// A unit.
    pub struct Unit: "unit", "docs/formats/map.md#3-entities", 14 {
        /// Column of the cell.
        x: I16 { unit: "cells" },
        /// Row of the cell.
        y: I16 { unit: "cells" },
        /// Of unknown meaning.
        flags: I16,
        /// Id of the unit in GameData.
        unit_id: I16 { refers: schema::one_of(schema::UNITS) },
        /// By which scripts know it; 0 where they do not.
        npc_id: U16,
        /// Of unknown meaning.
        unknown: U16,
        /// The group that it is in.
        group: U8,
        /// Of unknown meaning. Data types below 5 leave it out.
        unknown_2: U8,
    }
}

record! {
    /// A group of units.
    pub struct UnitGroup: "unit_group", "docs/formats/map.md#3-entities", 1 {
        /// Number of the group, from 0 on.
        group: U8,
    }
}

impl Row for Unit {}
impl Row for UnitGroup {}

static OLD: Record = first_fields(Unit::RECORD, 7);

pub(super) static UNITS: Section = Section {
    id: 12,
    name: "units",
    title: "units",
    data_type: 5,
    shape: SectionForm::Rows(
        CountPrefix::None,
        &[
            RecordLayout::between(5, i16::MAX, Unit::RECORD),
            RecordLayout::between(i16::MIN, 4, &OLD),
        ],
    ),
};

pub(super) static GROUPS: Section = Section {
    id: 46,
    name: "unit_groups",
    title: "unit groups",
    data_type: 1,
    shape: SectionForm::Rows(CountPrefix::Byte, &[RecordLayout::only(1, UnitGroup::RECORD)]),
};
