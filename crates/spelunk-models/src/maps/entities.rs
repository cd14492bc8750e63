//! Everything on a map that has a place, in one form.

use spellforce::map::{Building, InteractiveObject, Map, Object, Portal, Spawn, Unit};
use spelunk_core::{Described, Record};
use zerocopy::IntoBytes;

/// A kind of entity, and its colour in pictures.
pub static KINDS: [(&str, [u8; 3]); 6] = [
    ("units", [214, 39, 40]),
    ("buildings", [0, 226, 226]),
    ("objects", [120, 220, 90]),
    ("interactive", [255, 215, 0]),
    ("portals", [227, 60, 227]),
    ("spawns", [255, 255, 255]),
];

/// Something on a map that has a place.
#[derive(Clone, Copy, Debug)]
pub struct Entity<'m> {
    /// The name of its list, as in paths.
    pub kind: &'static str,
    /// Position in that list.
    pub index: usize,
    /// Column of its cell.
    pub x: i16,
    /// Row of its cell.
    pub y: i16,
    /// Number in the GameData of its unit, building or object; that of its name for a spawn.
    pub id: i32,
    /// Description of its record.
    pub record: &'static Record,
    /// The bytes of the record in its newest layout.
    pub bytes: &'m [u8],
}

/// Everything with a place, list by list.
pub fn entities(map: &Map) -> Vec<Entity<'_>> {
    let mut all = Vec::new();
    macro_rules! list {
        ($kind:literal, $list:ident, $id:expr) => {
            all.extend(map.$list.iter().enumerate().map(|(index, it)| Entity {
                kind: $kind,
                index,
                x: it.x.get(),
                y: it.y.get(),
                id: $id(it),
                record: record_of(it),
                bytes: it.as_bytes(),
            }));
        };
    }
    list!("units", units, |it: &Unit| it.unit_id.get().into());
    list!("buildings", buildings, |it: &Building| it.building_id.into());
    list!("objects", objects, |it: &Object| it.object_id.get().into());
    list!("interactive", interactive, |it: &InteractiveObject| it.object_id.get().into());
    list!("portals", portals, |it: &Portal| it.portal_id.get().into());
    list!("spawns", spawns, |it: &Spawn| it.text_id.get().into());
    all
}

fn record_of<T: Described>(_: &T) -> &'static Record {
    T::RECORD
}
