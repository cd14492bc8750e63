//! Decoration: a group for each cell (chunk 31), and what the groups are (32). `docs/formats/map.md#4-decoration`.

use super::section::{CountPrefix, RecordLayout, Row, Section, SectionForm};
use spelunk_core::{Described, record};

/// Cells along each side of the decoration, whatever the size of the map.
pub const SIDE: usize = 1024;
/// Bytes of the decoration.
pub(super) const CELLS: usize = SIDE.saturating_mul(SIDE);

record! {
    /// Objects that one group of decoration chooses from. Group 0 is not used.
    pub struct DecorationGroup: "decoration_group", "docs/formats/map.md#4-decoration", 90 {
        /// The objects; 0 where there are fewer.
        object_ids: U16s<30>,
        /// Amount of each object.
        weights: U8s<30>,
    }
}

impl Row for DecorationGroup {}

pub(super) static DECORATION: Section = Section {
    id: 31,
    name: "decoration",
    title: "decoration per cell",
    data_type: 2,
    shape: SectionForm::Decoration,
};

pub(super) static GROUPS: Section = Section {
    id: 32,
    name: "decoration_groups",
    title: "decoration groups",
    data_type: 1,
    shape: SectionForm::Rows(
        CountPrefix::Fixed(255),
        &[RecordLayout::only(1, DecorationGroup::RECORD)],
    ),
};
