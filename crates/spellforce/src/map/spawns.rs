//! Starting places of the players (chunk 55), and what cooperative maps say about enemies that appear (59).
//! `docs/formats/map.md#8-players`.

use super::section::{CountPrefix, RecordLayout, Row, Section, SectionForm};
use crate::gamedata::schema;
use spelunk_core::{Described, record};

record! {
    /// Starting place of a player.
    pub struct Spawn: "spawn", "docs/formats/map.md#8-players", 8 {
        /// The cell, which has a bindstone.
        x: I16 { unit: "cells" },
        /// The cell.
        y: I16 { unit: "cells" },
        /// Name of the place.
        text_id: U16 { refers: schema::some(schema::TEXTS) },
        /// Of unknown meaning.
        unknown: I16,
    }
}

record! {
    /// Parameters of enemies that appear in cooperative maps, one row for each difficulty or number of players.
    pub struct CoopParameters: "coop_parameters", "docs/formats/map.md#8-players", 16 {
        /// Four factors, whose meaning is not known.
        factors: F32s<4>,
    }
}

impl Row for Spawn {}
impl Row for CoopParameters {}

pub(super) static SPAWNS: Section = Section {
    id: 55,
    name: "spawns",
    title: "player spawns",
    data_type: 1,
    shape: SectionForm::Rows(CountPrefix::Long, &[RecordLayout::only(1, Spawn::RECORD)]),
};

pub(super) static COOP: Section = Section {
    id: 59,
    name: "coop",
    title: "cooperative spawn parameters",
    data_type: 1,
    shape: SectionForm::Rows(
        CountPrefix::Fixed(3),
        &[RecordLayout::only(1, CoopParameters::RECORD)],
    ),
};
