//! Everything on a map that has a place, in one form.

use spellforce::{
    cff::Chunks,
    map::{Building, InteractiveObject, Map, Object, Portal, Spawn, Unit},
    spec,
};
use spelunk_core::{Container, Described, Record, Result, Task};
use spelunk_open::Model;
use zerocopy::{FromBytes, IntoBytes};

/// A kind of entity, and its colour in pictures.
pub static KINDS: [(&str, [u8; 3]); 7] = [
    ("units", [214, 39, 40]),
    ("buildings", [0, 226, 226]),
    ("objects", [120, 220, 90]),
    ("interactive", [255, 215, 0]),
    ("portals", [227, 60, 227]),
    ("spawns", [255, 255, 255]),
    // Of maps of the dialect `spec` alone.
    ("decorations", [150, 110, 70]),
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

/// Everything with a place on the map in a file, which is `map`. Lists of the dialect `spec` are read where they lie: their
/// positions have no unit, and are taken for cells.
///
/// # Errors
/// Reading errors; limits.
pub fn placed<'m>(
    container: &'m dyn Container,
    map: &'m Map,
    task: &mut Task<'_>,
) -> Result<Vec<Entity<'m>>> {
    match Model::of(container) {
        Model::Chunks(chunks) if chunks.file().form().is_spec() => specified(chunks, task),
        _ => Ok(entities(map)),
    }
}

/// The entities of a map of the dialect `spec`.
fn specified<'m>(chunks: &'m Chunks, task: &mut Task<'_>) -> Result<Vec<Entity<'m>>> {
    let mut all = Vec::new();
    for (id, kind) in spec::ENTITIES {
        let mut index = 0_usize;
        for n in chunks.file().with_id(id) {
            let rows = chunks.record_ranges(*n, task)?;
            task.budget.room(&mut all, rows.len())?;
            let plain: &'m [u8] = chunks.file().plain(*n, &mut task.budget)?;
            for range in rows {
                let bytes = plain.get(range).unwrap_or_default();
                let Ok((it, _)) = spec::Entity::ref_from_prefix(bytes) else { continue };
                let (x, y) = (it.x.get().floor() as i16, it.y.get().floor() as i16);
                let (id, record) = (it.id.get().into(), spec::Entity::RECORD);
                all.push(Entity { kind, index, x, y, id, record, bytes });
                index = index.saturating_add(1);
            }
        }
    }
    Ok(all)
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
