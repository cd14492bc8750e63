//! Lakes (chunk 40): `docs/formats/map.md#5-lakes`.

use super::section::{CountPrefix, RecordLayout, Row, Section, SectionForm};
use spelunk_core::{Described, record};

record! {
    /// A lake: all cells that are connected with this one and lie below its surface.
    pub struct Lake: "lake", "docs/formats/map.md#5-lakes", 7 {
        /// A cell of it.
        x: I16 { unit: "cells" },
        /// A cell of it.
        y: I16 { unit: "cells" },
        /// Height of the surface above the ground of that cell.
        depth: I16,
        /// Filling of the lake.
        kind: U8 { values: &[(0, "water"), (1, "swamp"), (2, "lava"), (3, "ice")] },
    }
}

impl Row for Lake {}

pub(super) static SECTION: Section = Section {
    id: 40,
    name: "lakes",
    title: "lakes",
    data_type: 1,
    shape: SectionForm::Rows(CountPrefix::Byte, &[RecordLayout::only(1, Lake::RECORD)]),
};
