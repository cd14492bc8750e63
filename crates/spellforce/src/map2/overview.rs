//! Names and overview picture (chunk 9010): `docs/formats/map2.md#3-names-and-overview-picture`.

use super::layout::{Extent, Grid, Part, Section, SectionForm, Structure, text, value};
use spelunk_core::{Described, Field, Record, Ty, field::Role, record};
use zerocopy::FromBytes;

const PAGE: &str = "docs/formats/map2.md#3-names-and-overview-picture";

pub(super) static OVERVIEW: Section = Section {
    id: 9010,
    name: "overview",
    title: "names and overview picture",
    data_type: 1,
    form: SectionForm::Single(&ALL),
};

static ALL: Structure = Structure::new(
    "overview",
    PAGE,
    "What a player sees of the map before it is loaded.",
    &[
        value!("mode", U8, "What the map is for.", values(MODES)),
        value!("unknown", U32, "0 in all known maps.", role(Role::Opaque)),
        text!("name", "Key of the name."),
        text!("title", "Key of the title: the name once more."),
        text!("loading", "Key of the loading screen."),
        value!("min_level", U32, "Least level of the players."),
        value!("max_level", U32, "Greatest level of the players."),
        value!("picture_size", U32, "Size of the picture.", unit("bytes")),
        Part::Group("picture", &PICTURE),
    ],
);

/// What maps are for.
const MODES: &[(i64, &str)] = &[(0, "campaign"), (1, "player versus player"), (2, "cooperative")];

record! {
    /// The header of a TGA file.
    pub struct Targa: "targa", "docs/formats/map2.md#3-names-and-overview-picture", 18 {
        /// Length of the comment.
        comment_length: U8 { unit: "bytes" },
        /// Whether there is a colour map: 0.
        colour_map: U8,
        /// Type of the picture: 2, plain colours.
        image_type: U8,
        /// First entry of the colour map.
        colour_map_start: U16,
        /// Number of entries of the colour map.
        colour_map_count: U16,
        /// Size of an entry of the colour map.
        colour_map_bits: U8 { unit: "bits" },
        /// Left edge.
        x_origin: U16 { unit: "pixels" },
        /// Lower edge.
        y_origin: U16 { unit: "pixels" },
        /// Width of the picture.
        width: U16 { unit: "pixels" },
        /// Height of the picture.
        height: U16 { unit: "pixels" },
        /// Size of a pixel.
        depth: U8 { unit: "bits" },
        /// Order of the pixels: 0x28, the top row first.
        descriptor: U8,
    }
}

impl Targa {
    /// A comment and rows of plain colours; other pictures are not known.
    fn extent(head: &[u8]) -> Option<Extent> {
        let head = Targa::ref_from_bytes(head).ok()?;
        let is_known = (head.colour_map, head.image_type, head.depth) == (0, 2, 32);
        let rows = Extent::of(head.width.get().into(), head.height.get().into(), 32)?;
        is_known.then_some(Extent { lead: head.comment_length.into(), ..rows })
    }
}

static PICTURE: Structure = Structure::new(
    "picture",
    PAGE,
    "The overview picture, a TGA file: a pixel for each cell.",
    &[Part::Grid(&Grid {
        head: Targa::RECORD,
        extent: Targa::extent,
        lead: Some(Field::new("comment", Ty::Text, "The comment.")),
        rows: Record::group("pixels", PAGE, "The rows of the picture, the northern one first."),
        row: Field::new("pixels", Ty::Bytes, "Blue, green, red and alpha of the pixels of a row.")
            .role(Role::Understood),
        behind: None,
        cell: None,
    })],
);
