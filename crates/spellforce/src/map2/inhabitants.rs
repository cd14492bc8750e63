//! Player kits (chunk 1004), buildings (1006), units (1007) and groups (1018): `docs/formats/map2.md#7-player-kits`,
//! `docs/formats/map2.md#8-buildings`, `docs/formats/map2.md#9-units`, `docs/formats/map2.md#13-groups`.

use super::{
    layout::{Part, Section, SectionForm, Structure, list, text, value, version},
    things::{HEAD, PLACE, class},
};
use spelunk_core::{Described, field::Role, record};

const KIT_PAGE: &str = "docs/formats/map2.md#7-player-kits";
const BUILDING_PAGE: &str = "docs/formats/map2.md#8-buildings";
const UNIT_PAGE: &str = "docs/formats/map2.md#9-units";
const GROUP_PAGE: &str = "docs/formats/map2.md#13-groups";

pub(super) static KITS: Section = Section {
    id: 1004,
    name: "kits",
    title: "player kits",
    data_type: 2,
    form: SectionForm::Records(10, &KIT),
};

static KIT: Structure = Structure::new(
    "kit",
    KIT_PAGE,
    "What a player starts with. Its tag is its name.",
    &[
        class!(10),
        Part::Parts(HEAD),
        version!(&[3]),
        list!("stock", "stock_count", U8, &STOCK),
        value!("unknown_flag", U32, "0 or 1.", role(Role::Opaque)),
    ],
);

static STOCK: Structure =
    Structure::new("stock", KIT_PAGE, "Stock of a resource.", &[Part::Fixed(Stock::RECORD)]);

record! {
    /// Stock of a resource.
    pub struct Stock: "stock", "docs/formats/map2.md#7-player-kits", 3 {
        /// Number of the resource.
        resource: U8,
        /// How much of it there is.
        amount: U16,
    }
}

record! {
    /// What a building is.
    pub struct Building: "building", "docs/formats/map2.md#8-buildings", 12 {
        /// Number of the kind of building.
        kind: U16,
        /// Index of the team that it belongs to.
        team: U8,
        /// Level of the building.
        level: U16,
        /// 0 in all known maps.
        unknown_1: U32 { role: Role::Opaque },
        /// Each 0 or 1.
        unknown_2: Raw<3>,
    }
}

pub(super) static BUILDINGS: Section = Section {
    id: 1006,
    name: "buildings",
    title: "buildings",
    data_type: 3,
    form: SectionForm::Records(2, &BUILDING),
};

static BUILDING: Structure = Structure::new(
    "building",
    BUILDING_PAGE,
    "A building.",
    &[
        class!(2),
        Part::Parts(HEAD),
        Part::Group("place", &PLACE),
        version!(&[7]),
        Part::Fixed(Building::RECORD),
        list!("upgrades", "upgrade_count", U16, &UPGRADE),
    ],
);

static UPGRADE: Structure = Structure::new(
    "upgrades",
    BUILDING_PAGE,
    "Upgrades of a building.",
    &[value!("upgrade", U32, "Number of the upgrade.")],
);

record! {
    /// What a unit is.
    pub struct Unit: "unit", "docs/formats/map2.md#9-units", 11 {
        /// Number of the kind of unit, by which scripts ask for it too.
        kind: U32,
        /// Whether it stands for itself.
        role: U32 { values: &[(1, "figure"), (2, "army")] },
        /// Index of the team that it belongs to.
        team: U8,
        /// Level of the unit.
        level: U16,
    }
}

pub(super) static UNITS: Section = Section {
    id: 1007,
    name: "units",
    title: "units",
    data_type: 2,
    form: SectionForm::Records(1, &UNIT),
};

static UNIT: Structure = Structure::new(
    "unit",
    UNIT_PAGE,
    "A unit.",
    &[
        class!(1),
        Part::Parts(HEAD),
        Part::Group("place", &PLACE),
        version!(&[4]),
        Part::Fixed(Unit::RECORD),
    ],
);

pub(super) static GROUPS: Section = Section {
    id: 1018,
    name: "groups",
    title: "groups",
    data_type: 1,
    form: SectionForm::Records(4, &GROUP),
};

static GROUP: Structure = Structure::new(
    "group",
    GROUP_PAGE,
    "Things that a script goes with. Its tag is its name.",
    &[class!(4), Part::Parts(HEAD), version!(&[1]), list!("members", "member_count", U16, &MEMBER)],
);

static MEMBER: Structure = Structure::new(
    "member",
    GROUP_PAGE,
    "A member of a group.",
    &[text!("member", "The tag of a thing, in capital letters.")],
);
