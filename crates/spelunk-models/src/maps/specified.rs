//! Maps of the dialect `spec`: heights, and lists of entities whose positions have no unit and are taken for cells.

use super::{
    Entity, EntityKind, EntityRecord, Frame, Grid, GridLayer, Place,
    colors::Color,
    land::{CellList, Land, Minimap, Water},
};
use serde_json::{Map as Object, Value};
use spellforce::{cff::Chunks, map::Map, spec};
use spelunk_core::{Budget, Bytes, Described, Error, Result, Task, text::CodePages};
use spelunk_open::codes;
use std::ops::Range;
use zerocopy::FromBytes;

/// Kinds of entities, in the order in which they are drawn.
static KINDS: [EntityKind; 4] = [
    EntityKind { name: "decorations", color: [150, 110, 70] },
    EntityKind { name: "objects", color: [120, 220, 90] },
    EntityKind { name: "units", color: [214, 39, 40] },
    EntityKind { name: "buildings", color: [0, 226, 226] },
];

/// Entities of one chunk.
#[derive(Debug)]
struct EntityList {
    kind: &'static str,
    plain: Bytes,
    records: Vec<Range<usize>>,
}

/// A map of the dialect `spec`. Its ground is a map of the first game with heights and nothing else.
#[derive(Debug)]
pub(super) struct Specified {
    ground: Map,
    lists: Vec<EntityList>,
}

impl Specified {
    /// The map that a chunk file holds.
    ///
    /// # Errors
    /// [`NO_MAP`](codes::NO_MAP) where it has no heights of all cells of a square; reading errors; limits.
    pub(super) fn read(chunks: &Chunks, task: &mut Task<'_>) -> Result<Specified> {
        let ground = read_ground(chunks, task)?;
        let mut lists = Vec::new();
        for (id, kind) in spec::ENTITIES {
            for n in chunks.file().with_id(id) {
                let records = chunks.record_ranges(*n, task)?;
                let plain = chunks.file().plain(*n, &mut task.budget)?.clone();
                lists.push(EntityList { kind, plain, records });
            }
        }
        Ok(Specified { ground, lists })
    }
}

/// The ground of the map that a chunk file holds.
///
/// # Errors
/// Those of [`Specified::read`].
pub(super) fn read_ground(chunks: &Chunks, task: &mut Task<'_>) -> Result<Map> {
    let lacks = || Error::new(&codes::NO_MAP).expected("heights of all cells of a square");
    spec::ground(chunks.file(), task)?.ok_or_else(lacks)
}

impl Land for Specified {
    fn frame(&self) -> Frame {
        self.ground.frame()
    }

    fn heights(&self, budget: &mut Budget) -> Result<Vec<f32>> {
        self.ground.heights(budget)
    }

    fn grid(&self, layer: GridLayer) -> Option<Grid> {
        GridLayer::SPECIFIED.contains(&layer).then(|| self.ground.grid(layer)).flatten()
    }

    fn numbers(&self) -> &[u8] {
        self.ground.numbers()
    }

    fn colors(&self) -> Vec<Color> {
        self.ground.colors()
    }

    fn flags(&self, budget: &mut Budget) -> Result<Vec<u8>> {
        self.ground.flags(budget)
    }

    fn waters(&self, budget: &mut Budget) -> Result<Vec<Water>> {
        self.ground.waters(budget)
    }

    fn minimap(&self, budget: &mut Budget) -> Result<Option<Minimap>> {
        self.ground.minimap(budget)
    }

    fn kinds(&self) -> &'static [EntityKind] {
        &KINDS
    }

    fn entities(&self, budget: &mut Budget) -> Result<Vec<Entity<'_>>> {
        let mut all: Vec<Entity<'_>> = Vec::new();
        for list in &self.lists {
            // Chunks of one id are one list.
            let before = all.iter().filter(|entity| entity.kind == list.kind).count();
            budget.room(&mut all, list.records.len())?;
            all.extend(list.records.iter().enumerate().filter_map(|(nth, range)| {
                let bytes = list.plain.get(range.clone())?;
                let (entity, _) = spec::Entity::ref_from_prefix(bytes).ok()?;
                let [x, y] = [entity.x.get(), entity.y.get()].map(|at| at.floor() as i16);
                Some(Entity {
                    list: list.kind,
                    kind: list.kind,
                    index: before.saturating_add(nth),
                    place: Place::Cell(x, y),
                    id: Some(entity.id.get().into()),
                    tag: None,
                    record: EntityRecord::Fixed(spec::Entity::RECORD, bytes),
                })
            }));
        }
        Ok(all)
    }

    fn ground_at(&self, place: &Place) -> Value {
        self.ground.ground_at(place)
    }

    fn water(
        &self,
        water: &Water,
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<(Value, Object<String, Value>)> {
        self.ground.water(water, pages, task)
    }

    fn cell_lists(&self, _: &mut Budget) -> Result<Vec<CellList>> {
        Ok(Vec::new())
    }

    fn about(&self) -> Object<String, Value> {
        let mut about = Object::new();
        about.insert("size".to_owned(), self.ground.size.into());
        about
    }
}
