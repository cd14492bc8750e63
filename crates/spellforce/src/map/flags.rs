//! Cells that block: movement (chunk 42), vision (56), and both kinds in one list (60). `docs/formats/map.md#6-flags`.

use super::section::{CountPrefix, RecordLayout, Row, Section, SectionForm};
use spelunk_core::{Described, record};

record! {
    /// A cell.
    pub struct Cell: "cell", "docs/formats/map.md#6-flags", 4 {
        /// Column of the cell.
        x: I16 { unit: "cells" },
        /// Row of the cell.
        y: I16 { unit: "cells" },
    }
}

record! {
    /// A cell and what it blocks. Read by the community's editor and never written.
    pub struct FlagCell: "flag_cell", "docs/formats/map.md#6-flags", 5 {
        /// Things that the cell blocks.
        bits: U8 { bits: &[(1, "movement"), (2, "vision")] },
        /// Column of the cell.
        x: I16 { unit: "cells" },
        /// Row of the cell.
        y: I16 { unit: "cells" },
    }
}

impl Row for Cell {}
impl Row for FlagCell {}

pub(super) static MOVEMENT: Section = Section {
    id: 42,
    name: "movement_flags",
    title: "cells that block movement",
    data_type: 1,
    shape: SectionForm::Rows(CountPrefix::None, &[RecordLayout::only(1, Cell::RECORD)]),
};

pub(super) static VISION: Section = Section {
    id: 56,
    name: "vision_flags",
    title: "cells that block vision",
    data_type: 1,
    shape: SectionForm::Rows(CountPrefix::None, &[RecordLayout::only(1, Cell::RECORD)]),
};

/// Chunk with flags of both kinds. The data type is not known, so any is accepted.
pub(super) static BOTH: Section = Section {
    id: 60,
    name: "flag_cells",
    title: "cells that block movement or vision",
    data_type: 1,
    shape: SectionForm::Rows(CountPrefix::Long, &[RecordLayout::any(FlagCell::RECORD)]),
};
