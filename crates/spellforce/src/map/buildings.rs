//! Buildings (chunk 11): `docs/formats/map.md#3-entities`.

use super::section::{CountPrefix, RecordLayout, Row, Section, SectionForm, first_fields};
use crate::gamedata::schema;
use spelunk_core::{Described, Record, record};

record! {
    /// A building.
    pub struct Building: "building", "docs/formats/map.md#3-entities", 11 {
        /// Column of the cell.
        x: I16 { unit: "cells" },
        /// Row of the cell.
        y: I16 { unit: "cells" },
        /// Rotation of the building.
        angle: I16,
        /// By which scripts know it; 0 where they do not.
        npc_id: I16,
        /// Id of the building in GameData. One byte, so that buildings above 255 cannot be placed.
        building_id: U8 { refers: schema::one_of(schema::BUILDINGS) },
        /// Level of the building. 1 where data type 1 leaves it out.
        level: U8,
        /// Race of the owner. 0, which stands for the race of the building, where data types 1 and 2 leave it out.
        race: U8 { refers: schema::some(schema::RACES) },
    }
}

impl Row for Building {
    fn filling() -> Building {
        Building { level: 1, ..<Building as zerocopy::FromZeros>::new_zeroed() }
    }
}

static FIRST: Record = first_fields(Building::RECORD, 5);
static SECOND: Record = first_fields(Building::RECORD, 6);

pub(super) static BUILDINGS: Section = Section {
    id: 11,
    name: "buildings",
    title: "buildings",
    data_type: 3,
    shape: SectionForm::Rows(
        CountPrefix::None,
        &[
            RecordLayout::only(3, Building::RECORD),
            RecordLayout::only(2, &SECOND),
            RecordLayout::only(1, &FIRST),
        ],
    ),
};
