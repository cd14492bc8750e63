//! What the records of things have in common: head, components and place. `docs/formats/map2.md#5-records`.

use super::layout::{Part, Structure, key, list, text, value, version};
use spelunk_core::{Described, field::Role, record};

pub(super) const PAGE: &str = "docs/formats/map2.md#5-records";

record! {
    /// Where a thing stands.
    pub struct Place: "place", "docs/formats/map2.md#5-records", 36 {
        /// Position: x to the east, y upwards, z to the north. A cell is 1.4 long.
        position: F32s<3>,
        /// The position once more.
        position_again: F32s<3>,
        /// Turns about x, y and z.
        rotation: F32s<3> { unit: "radians" },
    }
}

/// Declares the class that the records of a chunk have, and all that they begin with.
macro_rules! class {
    ($class:literal) => {
        $crate::map2::layout::key!(
            "class",
            U32,
            "Class of the record, one for each chunk.",
            &[$class]
        )
    };
}
pub(super) use class;

/// What follows the class.
pub(super) static HEAD: &[Part] = &[
    value!("unknown", U32, "0 in all known records.", role(Role::Opaque)),
    key!("record_version", U8, "Version of the head of the record.", &[2]),
    list!("components", "component_count", U16, &COMPONENT),
];

/// The place of a thing.
pub(super) static PLACE: Structure = Structure::new(
    "place",
    PAGE,
    "Where the thing stands.",
    &[key!("version", U8, "Version of the layout.", &[9]), Part::Fixed(Place::RECORD)],
);

/// Kinds of components with fields, and those that are a mark and nothing else.
const KINDS: &[i64] = &[1, 3, 6, 13, 14, 22, 23, 24, 25, 4, 5, 7, 8, 9, 10, 11, 15, 18, 19, 20, 27];

const KIND_NAMES: &[(i64, &str)] = &[
    (1, "tag"),
    (3, "gate"),
    (6, "loot"),
    (13, "kit"),
    (22, "portal"),
    (23, "journey_stone"),
    (24, "merchant"),
    (25, "home"),
];

static COMPONENT: Structure = Structure::new(
    "component",
    PAGE,
    "A component of a thing: what it is beside its kind.",
    &[
        key!(
            "kind",
            U16,
            "Kind of the component. Those without a name have no fields.",
            KINDS,
            values(KIND_NAMES)
        ),
        Part::When(&[1], &[Part::Group("tag", &TAG)]),
        Part::When(&[3], &[Part::Group("gate", &GATE)]),
        Part::When(&[6], &[Part::Group("loot", &LOOT)]),
        Part::When(&[13], &[Part::Group("kit", &KIT)]),
        Part::When(&[14], &[Part::Group("unknown_14", &UNKNOWN_14)]),
        Part::When(&[22], &[Part::Group("portal", &PORTAL)]),
        Part::When(&[23], &[Part::Group("journey_stone", &JOURNEY_STONE)]),
        Part::When(&[24], &[Part::Group("merchant", &MERCHANT)]),
        Part::When(&[25], &[Part::Group("home", &HOME)]),
    ],
);

static TAG: Structure = Structure::new(
    "tag",
    PAGE,
    "The name by which scripts know a thing.",
    &[version!(&[1]), text!("tag", "The name. Its case does not count.")],
);

static KIT: Structure = Structure::new(
    "kit",
    PAGE,
    "The player kit to which a thing belongs.",
    &[version!(&[1]), text!("kit", "The tag of the kit.")],
);

static GATE: Structure = Structure::new(
    "gate",
    PAGE,
    "A gate, or what opens one.",
    &[
        version!(&[1]),
        value!("form", U8, "What it is.", values(&[(1, "lever"), (2, "gate")])),
        value!("unknown_1", U32, "0 or 1.", role(Role::Opaque)),
        value!("unknown_2", U32, "0 or 1.", role(Role::Opaque)),
    ],
);

static LOOT: Structure = Structure::new(
    "loot",
    PAGE,
    "What a thing leaves behind or holds.",
    &[version!(&[2]), list!("items", "item_count", U8, &LOOT_ITEM)],
);

static LOOT_ITEM: Structure = Structure::new(
    "loot_item",
    PAGE,
    "Something that may be found.",
    &[
        value!("chance", U8, "How likely it is.", unit("percent")),
        key!(
            "form",
            U8,
            "What is found.",
            &[1, 2, 3],
            values(&[(1, "equipment"), (2, "by level"), (3, "misc item")])
        ),
        value!("item", U32, "Number of the item; 0 where the level decides."),
        Part::When(&[1, 3], &[value!("amount", U32, "How many are found.")]),
        Part::When(
            &[2],
            &[
                value!("level", U16, "Level of what is found."),
                value!("choice", U16, "A kind of item, from a list that is not known."),
            ],
        ),
        value!("unknown", U16, "0 in all known maps.", role(Role::Opaque)),
    ],
);

static UNKNOWN_14: Structure = Structure::new(
    "unknown_14",
    PAGE,
    "A component of buildings, of unknown meaning.",
    &[version!(&[3]), value!("unknown", U16, "0 or 5.", role(Role::Opaque))],
);

static PORTAL: Structure = Structure::new(
    "portal",
    PAGE,
    "A way to another map.",
    &[
        version!(&[2]),
        value!("unknown", U32, "0 in all known maps.", role(Role::Opaque)),
        text!("map", "Path of the other map."),
        text!("target", "The start point there."),
        text!("name", "Key of the name."),
    ],
);

static JOURNEY_STONE: Structure = Structure::new(
    "journey_stone",
    PAGE,
    "A stone that players travel to.",
    &[
        version!(&[1]),
        text!("tag", "The name by which it is known."),
        text!("name", "Key of the name."),
        text!("map_name", "Key of the name of the map."),
    ],
);

static MERCHANT: Structure = Structure::new(
    "merchant",
    PAGE,
    "What a merchant sells.",
    &[
        version!(&[1]),
        value!("unknown", U32, "1 where it was seen.", role(Role::Opaque)),
        value!("price_factor", F32, "Factor of the prices."),
        list!("wares", "ware_count", U16, &WARE),
    ],
);

static WARE: Structure =
    Structure::new("ware", PAGE, "Something that is sold.", &[Part::Fixed(Ware::RECORD)]);

record! {
    /// Something that is sold.
    pub struct Ware: "ware", "docs/formats/map2.md#5-records", 22 {
        /// 1 and 1 where they were seen.
        unknown_1: Raw<2>,
        /// Number of the item.
        item: U32,
        /// 0 where they were seen.
        unknown_2: Raw<14>,
        /// How many there are.
        amount: U16,
    }
}

static HOME: Structure = Structure::new(
    "home",
    PAGE,
    "Where a roaming unit belongs: its place.",
    &[version!(&[1]), value!("x", F32, "x of the place."), value!("z", F32, "z of the place.")],
);
