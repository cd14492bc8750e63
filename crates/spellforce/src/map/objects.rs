//! Objects (chunk 29), interactive ones (30) and portals (35): `docs/formats/map.md#3-entities`.

use super::section::{CountPrefix, RecordLayout, Row, Section, SectionForm, first_fields};
use crate::gamedata::schema;
use spelunk_core::{Described, Record, record};

/// The object that is a camp of the computer in cooperative maps.
pub const AI_CAMP: i16 = 2541;
/// The object that portals look like.
pub const PORTAL: i16 = 778;
/// The interactive object at which players start.
pub const BINDSTONE: i16 = 769;
/// The interactive objects that are monuments of races; the last one is that of heroes.
pub const MONUMENTS: std::ops::RangeInclusive<i16> = 771..=777;
/// Objects that the community's editor puts where cells block movement, vision and both. It drops them when it reads a map.
pub const DUMMIES: std::ops::RangeInclusive<i16> = 65..=67;

record! {
    /// An object.
    pub struct Object: "object", "docs/formats/map.md#3-entities", 16 {
        /// Column of the cell.
        x: I16 { unit: "cells" },
        /// Row of the cell.
        y: I16 { unit: "cells" },
        /// Id of the object in GameData; 2541 is a camp of the computer in cooperative maps.
        object_id: I16 { refers: schema::one_of(schema::OBJECTS) },
        /// Rotation of the object.
        angle: I16,
        /// By which scripts know it; 0 where they do not.
        npc_id: U16,
        /// Of unknown meaning. Data types up to 3 leave it out.
        unknown: U16,
        /// Spawn of a camp in data type 6; 0 for other objects, and of unknown meaning in data type 5. Data types up to 4 leave
        /// it out.
        camp_spawn_id: I16,
        /// Whether a camp is certain; 0 for other objects. Data types up to 5 leave it out.
        camp_certain: I16,
    }
}

record! {
    /// An object that players use: bindstones, monuments.
    pub struct InteractiveObject: "interactive_object", "docs/formats/map.md#3-entities", 9 {
        /// Column of the cell.
        x: I16 { unit: "cells" },
        /// Row of the cell.
        y: I16 { unit: "cells" },
        /// Id of the object in GameData; 769 is a bindstone, 771 to 777 are monuments.
        object_id: I16 { refers: schema::one_of(schema::OBJECTS) },
        /// Rotation of the object.
        angle: I16,
        /// 1, or 5 for object 777.
        kind: U8,
    }
}

record! {
    /// A portal.
    pub struct Portal: "portal", "docs/formats/map.md#3-entities", 8 {
        /// Column of the cell.
        x: I16 { unit: "cells" },
        /// Row of the cell.
        y: I16 { unit: "cells" },
        /// Rotation of the portal.
        angle: I16,
        /// Id of the portal in GameData.
        portal_id: I16 { refers: schema::one_of(schema::PORTALS) },
    }
}

impl Row for Object {}
impl Row for InteractiveObject {}
impl Row for Portal {}

static THIRD: Record = first_fields(Object::RECORD, 5);
static FOURTH: Record = first_fields(Object::RECORD, 6);
static FIFTH: Record = first_fields(Object::RECORD, 7);

pub(super) static OBJECTS: Section = Section {
    id: 29,
    name: "objects",
    title: "objects",
    data_type: 6,
    shape: SectionForm::Rows(
        CountPrefix::None,
        &[
            RecordLayout::only(6, Object::RECORD),
            RecordLayout::only(5, &FIFTH),
            RecordLayout::only(4, &FOURTH),
            RecordLayout::between(i16::MIN, 3, &THIRD),
        ],
    ),
};

pub(super) static INTERACTIVE: Section = Section {
    id: 30,
    name: "interactive",
    title: "interactive objects",
    data_type: 1,
    shape: SectionForm::Rows(
        CountPrefix::None,
        &[RecordLayout::only(1, InteractiveObject::RECORD)],
    ),
};

pub(super) static PORTALS: Section = Section {
    id: 35,
    name: "portals",
    title: "portals",
    data_type: 1,
    shape: SectionForm::Rows(CountPrefix::None, &[RecordLayout::only(1, Portal::RECORD)]),
};
