//! What lies on the map and is no thing: lakes (chunk 1008), sound areas (1010), music areas (1011), start points (1012),
//! zones (1020), circles (1021), backdrops (1024). `docs/formats/map2.md#10-lakes` and the sections behind it.

use super::{
    layout::{Part, Section, SectionForm, Structure, key, text, value, version},
    things::{HEAD, PLACE, class},
};
use spelunk_core::{Described, field::Role, record};

const LAKE_PAGE: &str = "docs/formats/map2.md#10-lakes";
const AREA_PAGE: &str = "docs/formats/map2.md#11-sound-and-music-areas";
const START_PAGE: &str = "docs/formats/map2.md#12-start-points";
const ZONE_PAGE: &str = "docs/formats/map2.md#15-zones-and-circles";
const BACKDROP_PAGE: &str = "docs/formats/map2.md#16-backdrops";

pub(crate) static LAKES: Section = Section {
    id: 1008,
    name: "lakes",
    title: "lakes",
    data_type: 2,
    form: SectionForm::Records(13, &LAKE),
};

/// Versions of lakes: three, and the same with the bit that lets them be filled by the older rule.
const LAKE_VERSIONS: &[i64] = &[2, 4, 5, 0x82, 0x84, 0x85];

static LAKE: Structure = Structure::new(
    "lake",
    LAKE_PAGE,
    "A lake, which is filled from its place on.",
    &[
        class!(13),
        Part::Parts(HEAD),
        Part::Group("place", &PLACE),
        key!(
            "version",
            U8,
            "Version of the layout. Bit 7 is set where the lake is filled by the older rule.",
            LAKE_VERSIONS
        ),
        value!("level", F32, "Height of the water."),
        value!("form", U8, "What it is filled with; of unknown meaning.", role(Role::Opaque)),
        text!("surface", "Look of the surface."),
        Part::When(&[4, 5, 0x84, 0x85], &[text!("look_map", "The map that has the look.")]),
        text!("look", "Name of the look."),
        Part::When(
            &[5, 0x85],
            &[value!("lake", U16, "Number of the lake in the lake map of the terrain.")],
        ),
    ],
);

record! {
    /// Where an area reaches to.
    pub struct Reach: "reach", "docs/formats/map2.md#11-sound-and-music-areas", 40 {
        /// The low corner of the box, about the place.
        low: F32s<3>,
        /// The high corner of the box.
        high: F32s<3>,
        /// Radius of the sphere; 1 for a box.
        radius: F32,
        /// Centre of the sphere on the map; 0 for a box.
        centre: F32s<3>,
    }
}

record! {
    /// When something is heard.
    pub struct Hours: "hours", "docs/formats/map2.md#11-sound-and-music-areas", 8 {
        /// When the day begins, as a part of it.
        day_start: F32,
        /// When the day ends, as a part of it.
        day_end: F32,
    }
}

static SHAPE: Structure = Structure::new(
    "shape",
    AREA_PAGE,
    "Shape of an area.",
    &[
        key!("form", U32, "What the shape is.", &[0, 1], values(&[(0, "box"), (1, "sphere")])),
        Part::Fixed(Reach::RECORD),
    ],
);

pub(super) static SOUND_AREAS: Section = Section {
    id: 1010,
    name: "sound_areas",
    title: "sound areas",
    data_type: 2,
    form: SectionForm::Records(17, &SOUND_AREA),
};

static SOUND_AREA: Structure = Structure::new(
    "sound_area",
    AREA_PAGE,
    "An area with a sound of its own.",
    &[
        class!(17),
        Part::Parts(HEAD),
        Part::Group("place", &PLACE),
        version!(&[2]),
        Part::Group("shape", &SHAPE),
        text!("day", "File of the atmosphere by day."),
        text!("night", "File of the atmosphere by night."),
        Part::Fixed(Hours::RECORD),
    ],
);

pub(super) static MUSIC_AREAS: Section = Section {
    id: 1011,
    name: "music_areas",
    title: "music areas",
    data_type: 2,
    form: SectionForm::Records(18, &MUSIC_AREA),
};

static MUSIC_AREA: Structure = Structure::new(
    "music_area",
    AREA_PAGE,
    "An area with music of its own.",
    &[
        class!(18),
        Part::Parts(HEAD),
        Part::Group("place", &PLACE),
        version!(&[3]),
        Part::Group("shape", &SHAPE),
        Part::Fixed(Hours::RECORD),
        value!("unknown_2", F32, "0.5 in all known maps.", role(Role::Opaque)),
        text!("track_0", "The first piece of music."),
        text!("track_1", "The second piece of music."),
        text!("track_2", "The third piece of music."),
        text!("track_3", "The fourth piece of music."),
        text!("track_4", "The fifth piece of music."),
        text!("track_5", "The sixth piece of music."),
        text!("track_6", "The seventh piece of music."),
        text!("track_7", "The eighth piece of music."),
    ],
);

pub(super) static START_POINTS: Section = Section {
    id: 1012,
    name: "start_points",
    title: "start points",
    data_type: 2,
    form: SectionForm::Records(19, &START_POINT),
};

static START_POINT: Structure = Structure::new(
    "start_point",
    START_PAGE,
    "Where players come to the map.",
    &[
        class!(19),
        Part::Parts(HEAD),
        Part::Group("place", &PLACE),
        version!(&[1]),
        text!("name", "The name by which portals of other maps know it."),
    ],
);

pub(super) static ZONES: Section = Section {
    id: 1020,
    name: "zones",
    title: "zones of computer players",
    data_type: 1,
    form: SectionForm::Records(20, &ZONE),
};

static ZONE: Structure = Structure::new(
    "zone",
    ZONE_PAGE,
    "A zone of a computer player.",
    &[
        class!(20),
        Part::Parts(HEAD),
        Part::Group("place", &PLACE),
        version!(&[3]),
        value!("radius", F32, "How far it reaches."),
        text!("player", "The player."),
        value!("unknown_1", U32, "0 or 5 to 15.", role(Role::Opaque)),
        value!("unknown_2", U32, "0 or 1.", role(Role::Opaque)),
        value!("unknown_3", U32, "1 to 3.", role(Role::Opaque)),
    ],
);

pub(super) static CIRCLES: Section = Section {
    id: 1021,
    name: "circles",
    title: "circles",
    data_type: 1,
    form: SectionForm::Records(21, &CIRCLE),
};

static CIRCLE: Structure = Structure::new(
    "circle",
    ZONE_PAGE,
    "A circle, whose purpose is not known.",
    &[
        class!(21),
        Part::Parts(HEAD),
        Part::Group("place", &PLACE),
        version!(&[1]),
        value!("radius", F32, "How far it reaches."),
    ],
);

record! {
    /// Where a backdrop is.
    pub struct BackdropPlace: "backdrop_place", "docs/formats/map2.md#16-backdrops", 54 {
        /// Position: x, y and z.
        position: F32s<3>,
        /// Nine numbers of single precision.
        unknown_1: Raw<36>,
        /// A number of single precision.
        unknown_2: Raw<4>,
        /// 0 and 1 where they were seen.
        unknown_3: Raw<2>,
    }
}

pub(super) static BACKDROPS: Section = Section {
    id: 1024,
    name: "backdrops",
    title: "backdrops",
    data_type: 1,
    form: SectionForm::Records(6, &BACKDROP),
};

static BACKDROP: Structure = Structure::new(
    "backdrop",
    BACKDROP_PAGE,
    "A model far outside of the map.",
    &[
        class!(6),
        Part::Parts(HEAD),
        version!(&[2]),
        text!("model", "File of the model."),
        Part::Fixed(BackdropPlace::RECORD),
    ],
);
