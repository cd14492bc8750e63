//! Objects (chunk 1001) and plants (1003): `docs/formats/map2.md#6-objects-and-plants`.

use super::{
    layout::{Part, Section, SectionForm, Structure, key, version},
    things::{HEAD, PLACE, class},
};
use spelunk_core::{Described, record};

const PAGE: &str = "docs/formats/map2.md#6-objects-and-plants";

record! {
    /// What an object is.
    pub struct Object: "object", "docs/formats/map2.md#6-objects-and-plants", 12 {
        /// Number of the kind of object.
        kind: U32,
        /// How far it stands above the ground.
        height_offset: F32,
        /// Size, of which 1 is the usual one.
        scale: F32,
    }
}

pub(super) static OBJECTS: Section = Section {
    id: 1001,
    name: "objects",
    title: "objects",
    data_type: 2,
    form: SectionForm::Records(3, &OBJECT),
};

static OBJECT: Structure = Structure::new(
    "object",
    PAGE,
    "An object.",
    &[
        class!(3),
        Part::Parts(HEAD),
        Part::Group("place", &PLACE),
        version!(&[4]),
        Part::Fixed(Object::RECORD),
    ],
);

pub(super) static PLANTS: Section = Section {
    id: 1003,
    name: "plants",
    title: "plants",
    data_type: 2,
    form: SectionForm::Records(5, &PLANT),
};

static PLANT: Structure = Structure::new(
    "plant",
    PAGE,
    "A plant.",
    &[
        class!(5),
        Part::Parts(HEAD),
        Part::Group("place", &PLACE),
        version!(&[4]),
        Part::Fixed(Object::RECORD),
        key!("plant_version", U8, "Version of what plants have beside objects: nothing.", &[2]),
    ],
);
