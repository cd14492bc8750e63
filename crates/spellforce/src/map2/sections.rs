//! The chunks of a map of SpellForce 2.

use super::{
    inhabitants,
    layout::{Section, SectionForm},
    objects, overview, places, players, terrain, weather,
};

/// A chunk without content.
macro_rules! empty {
    ($id:literal, $data_type:literal) => {
        &Section {
            id: $id,
            name: concat!("empty_", $id),
            title: "without content",
            data_type: $data_type,
            form: SectionForm::Empty,
        }
    };
}

/// The chunks, in the order of all known files.
pub static SECTIONS: &[&Section] = &[
    &players::TEAMS,
    &overview::OVERVIEW,
    &weather::WEATHER,
    &weather::LIST_1014,
    &terrain::TERRAIN,
    empty!(1013, 2),
    empty!(1015, 2),
    empty!(1016, 2),
    &objects::OBJECTS,
    &objects::PLANTS,
    &inhabitants::BUILDINGS,
    &inhabitants::UNITS,
    &places::LAKES,
    &inhabitants::KITS,
    &places::SOUND_AREAS,
    &places::MUSIC_AREAS,
    &places::START_POINTS,
    empty!(1002, 1),
    empty!(1009, 1),
    &inhabitants::GROUPS,
    &places::ZONES,
    &places::CIRCLES,
    empty!(1022, 1),
    &places::BACKDROPS,
    &players::COMPUTER_PLAYERS,
];

/// The section of this id.
pub fn section(id: i16) -> Option<&'static Section> {
    SECTIONS.iter().find(|section| section.id == id).copied()
}

/// The section that is called so in paths.
pub fn section_named(name: &str) -> Option<&'static Section> {
    SECTIONS.iter().find(|section| section.name.eq_ignore_ascii_case(name)).copied()
}
