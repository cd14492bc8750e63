//! The terrain (chunk 1000): `docs/formats/map2.md#4-terrain`.

use super::{
    layout::{Extent, Grid, Part, Section, SectionForm, Structure, key, list, text, value},
    things::{HEAD, class},
};
use spelunk_core::{Described, Field, Record, Ty, field::Role, record};
use zerocopy::FromBytes;

const PAGE: &str = "docs/formats/map2.md#4-terrain";

pub(crate) static TERRAIN: Section = Section {
    id: 1000,
    name: "terrain",
    title: "terrain",
    data_type: 2,
    form: SectionForm::Single(&GROUND),
};

record! {
    /// The size of the map.
    pub struct Size: "size", "docs/formats/map2.md#4-terrain", 4 {
        /// Width of the map.
        width: U16 { unit: "cells" },
        /// Height of the map.
        height: U16 { unit: "cells" },
    }
}

static GROUND: Structure = Structure::new(
    "terrain",
    PAGE,
    "The ground of the map, and what covers it.",
    &[
        class!(8),
        Part::Parts(HEAD),
        key!("version", U8, "Version of the layout.", &[13, 14]),
        Part::Fixed(Size::RECORD),
        text!("music_calm", "Music of the map."),
        text!("music_fight", "Music of the map in a fight."),
        value!("unknown_1", U32, "0 or 1.", role(Role::Opaque)),
        text!("sound_day", "File of the atmosphere by day."),
        value!("unknown_2", U32, "0 in all known maps.", role(Role::Opaque)),
        text!("sound_night", "File of the atmosphere by night."),
        value!("unknown_3", U32, "0 in all known maps.", role(Role::Opaque)),
        list!("textures", "texture_count", U8, &TEXTURE),
        Part::Group("blocked", &BLOCKED),
        Part::Group("texture", &TEXTURE_NUMBERS),
        Part::Group("marks", &MARKS),
        Part::Group("ground", &HEIGHTS),
        Part::Group("flight", &HEIGHTS),
        Part::Group("grass", &GRASS),
        Part::When(
            &[14],
            &[
                Part::Group("lake_map", &LAKE_MAP),
                value!("last_lake", U16, "The highest number that a lake was given so far."),
            ],
        ),
    ],
);

static TEXTURE: Structure = Structure::new(
    "terrain_texture",
    PAGE,
    "A texture of the ground.",
    &[
        text!("path", "File of the texture."),
        value!(
            "impassable",
            U32,
            "1 where nobody walks on cells with this texture.",
            values(&[(0, "no"), (1, "yes")])
        ),
    ],
);

record! {
    /// What precedes the rows of a grid.
    pub struct GridHead: "grid_head", "docs/formats/map2.md#4-terrain", 8 {
        /// Width of the grid.
        width: U32 { unit: "cells" },
        /// Height of the grid.
        height: U32 { unit: "cells" },
    }
}

impl GridHead {
    fn extent(head: &[u8], bits: u64) -> Option<Extent> {
        let head = GridHead::ref_from_bytes(head).ok()?;
        Extent::of(head.width.get().into(), head.height.get().into(), bits)
    }
}

/// A grid of so many bits for each cell.
macro_rules! grid {
    ($bits:literal, $cell:ident, $name:literal, $doc:literal) => {
        Part::Grid(&Grid {
            head: GridHead::RECORD,
            extent: |head| GridHead::extent(head, $bits),
            lead: None,
            rows: ROWS_OF_GRID,
            row: Field::new($name, Ty::Bytes, $doc).role(Role::Understood),
            behind: None,
            cell: Some(Field::new($name, Ty::$cell, $doc)),
        })
    };
}

const ROWS_OF_GRID: Record =
    Record::group("rows", PAGE, "The rows of a grid, the southern one first.");

static BLOCKED: Structure = Structure::new(
    "blocked",
    PAGE,
    "The cells on which nobody walks. They follow from the textures and the marks.",
    &[grid!(1, Bool, "blocked", "A bit for each cell, the lowest one first: 1 is blocked.")],
);

static TEXTURE_NUMBERS: Structure = Structure::new(
    "texture_numbers",
    PAGE,
    "The texture of each cell.",
    &[grid!(8, U8, "texture", "Numbers of the textures of a row.")],
);

static MARKS: Structure = Structure::new(
    "marks",
    PAGE,
    "Marks of cells.",
    &[grid!(
        8,
        U8,
        "marks",
        "The marks of a row. Bit 0: water; 1: deep water; 2: closed by hand; 3: dam."
    )],
);

static GRASS_MASK: Structure = Structure::new(
    "grass_mask",
    PAGE,
    "The cells on which grass may stand.",
    &[grid!(1, Bool, "grass", "A bit for each cell, the lowest one first: 0 is without grass.")],
);

static DENSITY: Structure = Structure::new(
    "density",
    PAGE,
    "How dense the grass is, for squares of four by four cells.",
    &[grid!(8, U8, "density", "The density of a row, from 0 to 255.")],
);

static LAKE_MAP: Structure = Structure::new(
    "lake_map",
    PAGE,
    "The lake that covers each cell.",
    &[grid!(16, U16, "lakes", "Numbers of the lakes of a row; 0 is none.")],
);

record! {
    /// Words of a height field whose meaning is not known.
    pub struct FieldWords: "field_words", "docs/formats/map2.md#4-terrain", 8 {
        /// 0 to 166 in known maps.
        unknown_1: U32 { role: Role::Opaque },
        /// 0 in all known maps.
        unknown_2: U32 { role: Role::Opaque },
    }
}

record! {
    /// What precedes the heights of a height field.
    pub struct FieldHead: "field_head", "docs/formats/map2.md#4-terrain", 20 {
        /// Width of the field.
        width: U32 { unit: "cells" },
        /// Height of the field.
        height: U32 { unit: "cells" },
        /// Length of the field from west to east: 1.4 for each cell.
        extent_x: F32,
        /// Length of the field from south to north.
        extent_z: F32,
        /// Number of heights, with those of the pyramid.
        count: U32,
    }
}

impl FieldHead {
    /// The rows of heights, and behind them the pyramid.
    fn extent(head: &[u8]) -> Option<Extent> {
        let head = FieldHead::ref_from_bytes(head).ok()?;
        let (width, height) = (u64::from(head.width.get()), u64::from(head.height.get()));
        let more = u64::from(head.count.get()).checked_sub(width.checked_mul(height)?)?;
        Some(Extent { behind: more.checked_mul(4)?, ..Extent::of(width, height, 32)? })
    }
}

static HEIGHTS: Structure = Structure::new(
    "height_field",
    PAGE,
    "Heights of the corners of cells.",
    &[
        key!("magic", U32, "Magic of a height field: 0x0046451D.", &[0x0046_451D]),
        key!("version", U32, "Version of the layout.", &[1, 2]),
        Part::When(&[2], &[Part::Fixed(FieldWords::RECORD)]),
        Part::Grid(&Grid {
            head: FieldHead::RECORD,
            extent: FieldHead::extent,
            lead: None,
            rows: ROWS_OF_GRID,
            row: Field::new("heights", Ty::Bytes, "The heights of a row, as numbers of single precision.")
                .role(Role::Understood),
            behind: Some(
                Field::new(
                    "pyramid",
                    Ty::Bytes,
                    "The greatest heights of ever larger squares, or zeros. They follow from the heights.",
                )
                .role(Role::Understood),
            ),
            cell: Some(Field::new("height", Ty::F32, "The height of a corner.")),
        }),
    ],
);

record! {
    /// Look of a layer of grass.
    pub struct GrassLook: "grass_look", "docs/formats/map2.md#4-terrain", 60 {
        /// Number of blades in a cell.
        count: U32,
        /// Width of a blade.
        width: F32,
        /// Height of a blade.
        height: F32,
        /// Five numbers of single precision.
        unknown_1: Raw<20>,
        /// Two numbers of single precision.
        unknown_2: Raw<8>,
        /// Red, green and blue.
        colour: F32s<3>,
        /// Two numbers of single precision.
        unknown_3: Raw<8>,
    }
}

static GRASS: Structure = Structure::new(
    "grass",
    PAGE,
    "The grass of the map.",
    &[
        key!("version", U8, "Version of the layout.", &[4]),
        Part::Group("mask", &GRASS_MASK),
        Part::Group("layer_0", &GRASS_LAYER),
        Part::Group("layer_1", &GRASS_LAYER),
        Part::Group("layer_2", &GRASS_LAYER),
    ],
);

static GRASS_LAYER: Structure = Structure::new(
    "grass_layer",
    PAGE,
    "A layer of grass.",
    &[
        text!("texture", "File of the texture."),
        Part::Fixed(GrassLook::RECORD),
        Part::Group("density", &DENSITY),
    ],
);
