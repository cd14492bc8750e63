//! The chunks of a map that are described, and which of them explains one.

use super::{
    buildings, decoration, flags, lakes, objects,
    section::{Section, SectionForm},
    spawns, teams, terrain, units, weather,
};
use crate::cff::Chunk;

/// The chunks, in the order in which the community's editor writes them. It reads 60 and never writes it.
pub static SECTIONS: &[&Section] = &[
    &terrain::TILES,
    &terrain::HEIGHTS,
    &terrain::DEFINITIONS,
    &terrain::TEXTURES,
    &flags::MOVEMENT,
    &flags::VISION,
    &lakes::SECTION,
    &decoration::DECORATION,
    &decoration::GROUPS,
    &objects::OBJECTS,
    &objects::PORTALS,
    &objects::INTERACTIVE,
    &buildings::BUILDINGS,
    &units::UNITS,
    &weather::SECTION,
    &units::GROUPS,
    &teams::SECTION,
    &spawns::SPAWNS,
    &spawns::COOP,
    &flags::BOTH,
];

/// The section of this id.
pub fn section(id: i16) -> Option<&'static Section> {
    SECTIONS.iter().find(|section| section.id == id).copied()
}

/// The section that is called so in paths.
pub fn section_named(name: &str) -> Option<&'static Section> {
    SECTIONS.iter().find(|section| section.name.eq_ignore_ascii_case(name)).copied()
}

/// The section that explains a chunk: its id and its data type are known.
pub fn section_of(chunk: &Chunk) -> Option<&'static Section> {
    section(chunk.id()).filter(|section| section.knows(chunk.data_type()))
}

impl Section {
    /// Whether the layout of this data type is known.
    pub fn knows(&self, data_type: i16) -> bool {
        match self.shape {
            SectionForm::Rows(..) => self.rows(data_type).is_some(),
            SectionForm::Teams => teams::first_composition(data_type).is_some(),
            SectionForm::Tiles | SectionForm::Decoration => data_type == self.data_type,
            SectionForm::Heights => true,
        }
    }
}
