//! The items behind an avatar: `docs/formats/save.md#4-items`.

use crate::gamedata::schema;
use spelunk_core::{field::Role, record};

record! {
    /// An item that an avatar has.
    pub struct Item: "item", "docs/formats/save.md#4-items", 10 {
        /// The kind of place that it is in.
        inventory: U8,
        /// A flag of the slot.
        slot: U8,
        /// Position of the item there.
        position: I16,
        /// Id of the item in GameData.
        item_id: I16 { refers: schema::one_of(schema::ITEMS) },
        /// Of unknown meaning.
        unknown: I32 { role: Role::Opaque },
    }
}
