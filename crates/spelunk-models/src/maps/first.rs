//! Maps of the first game: cells with heights, which way is north is not known.

use super::{
    Entity, EntityKind, EntityRecord, Frame, Grid, GridLayer, Place,
    colors::{self, Color},
    land::{CellList, Land, Minimap, Water},
};
use serde_json::{Map as Object, Value, json as object};
use spellforce::map::{
    Building, Cell, InteractiveObject, Lake, Map, Object as MapObject, Portal, Spawn,
    TileDefinition, Unit, WEATHER,
};
use spelunk_core::{Budget, Described, Record, Result, Task, Val, text::CodePages};
use std::collections::BTreeMap;
use zerocopy::IntoBytes;

/// Kinds of entities. Objects are many: what there is little of is drawn over them.
static KINDS: [EntityKind; 6] = [
    EntityKind { name: "objects", color: [120, 220, 90] },
    EntityKind { name: "units", color: [214, 39, 40] },
    EntityKind { name: "buildings", color: [0, 226, 226] },
    EntityKind { name: "interactive", color: [255, 215, 0] },
    EntityKind { name: "portals", color: [227, 60, 227] },
    EntityKind { name: "spawns", color: [255, 255, 255] },
];

impl Land for Map {
    fn frame(&self) -> Frame {
        Frame {
            width: self.size.into(),
            height: self.size.into(),
            cell: 1.0,
            is_northward: false,
            has_corners: false,
            height_scale: None,
        }
    }

    fn heights(&self, budget: &mut Budget) -> Result<Vec<f32>> {
        let mut heights = budget.vec(self.heights.len() as u64)?;
        heights.extend(self.heights.iter().map(|height| f32::from(*height)));
        Ok(heights)
    }

    /// A layer. Cells outside of the map, which flags may name, are not in it.
    fn grid(&self, layer: GridLayer) -> Option<Grid> {
        let side = self.size;
        let values = match layer {
            GridLayer::Heights => self.heights.clone(),
            GridLayer::Tiles => self.tiles.iter().map(|tile| u16::from(*tile)).collect(),
            GridLayer::Decoration => {
                let cells = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
                cells.map(|(x, y)| u16::from(self.decoration_at(x, y))).collect()
            }
            GridLayer::Movement => flagged(self, &self.movement_flags),
            GridLayer::Vision => flagged(self, &self.vision_flags),
            _ => return None,
        };
        Some(Grid::new(layer, side.into(), side.into(), values))
    }

    fn numbers(&self) -> &[u8] {
        &self.tiles
    }

    fn colors(&self) -> Vec<Color> {
        (0..=255).map(|number| tile(self, number)).collect()
    }

    /// Movement is red, vision blue; a tile that blocks movement is dark.
    fn flags(&self, budget: &mut Budget) -> Result<Vec<u8>> {
        let mut flags = budget.vec(self.heights.len() as u64)?;
        flags.extend(self.tiles.iter().map(|tile| {
            let tile = self.tile_definitions.get(usize::from(*tile));
            u8::from(tile.is_some_and(|tile| tile.blocks_movement & 1 == 1)) << 2
        }));
        let mut flag = |cell: (i16, i16), bits: u8| {
            if let Some(flags) = self.cell(cell.0, cell.1).and_then(|cell| flags.get_mut(cell)) {
                *flags |= bits & 3;
            }
        };
        for (cells, bit) in [(&self.movement_flags, 1), (&self.vision_flags, 2)] {
            cells.iter().for_each(|cell| flag((cell.x.get(), cell.y.get()), bit));
        }
        self.flag_cells.iter().for_each(|cell| flag((cell.x.get(), cell.y.get()), cell.bits));
        Ok(flags)
    }

    fn waters(&self, budget: &mut Budget) -> Result<Vec<Water>> {
        let mut waters = budget.vec(self.lakes.len() as u64)?;
        for (index, lake) in self.lakes.iter().enumerate() {
            let kind = lake.kind;
            let name = Lake::RECORD.field("kind").meaning(&Val::U(kind.into()));
            waters.push(Water {
                index,
                kind,
                name: name.map_or_else(|| format!("lake {kind}"), |name| name.into_owned()),
                color: colors::lake(kind),
                level: self.surface(lake).unwrap_or_default() as f32,
                cells: self.lake_cells(lake, budget)?,
            });
        }
        Ok(waters)
    }

    fn minimap(&self, budget: &mut Budget) -> Result<Option<Minimap>> {
        let Some(stored) = &self.minimap else { return Ok(None) };
        let (width, height) = (stored.width, stored.height);
        let mut pixels = budget.vec(u64::from(width).saturating_mul(height.into()))?;
        let row = usize::try_from(width).unwrap_or_default().max(1) * 3;
        for row in stored.bgr.chunks(row).rev() {
            pixels.extend(row.as_chunks::<3>().0.iter().map(|[b, g, r]| [*r, *g, *b]));
        }
        Ok(Some(Minimap { width, height, pixels }))
    }

    fn kinds(&self) -> &'static [EntityKind] {
        &KINDS
    }

    fn entities(&self, budget: &mut Budget) -> Result<Vec<Entity<'_>>> {
        let mut all = Vec::new();
        macro_rules! list {
            ($kind:literal, $list:ident, $id:expr) => {
                budget.room(&mut all, self.$list.len())?;
                all.extend(self.$list.iter().enumerate().map(|(index, it)| Entity {
                    list: $kind,
                    kind: $kind,
                    index,
                    place: Place::Cell(it.x.get(), it.y.get()),
                    id: Some($id(it)),
                    tag: None,
                    record: EntityRecord::Fixed(record_of(it), it.as_bytes()),
                }));
            };
        }
        list!("units", units, |it: &Unit| it.unit_id.get().into());
        list!("buildings", buildings, |it: &Building| it.building_id.into());
        list!("objects", objects, |it: &MapObject| it.object_id.get().into());
        list!("interactive", interactive, |it: &InteractiveObject| it.object_id.get().into());
        list!("portals", portals, |it: &Portal| it.portal_id.get().into());
        list!("spawns", spawns, |it: &Spawn| it.text_id.get().into());
        Ok(all)
    }

    fn ground_at(&self, place: &Place) -> Value {
        let Place::Cell(x, y) = *place else { return Value::Null };
        self.cell(x, y).and_then(|cell| self.heights.get(cell)).copied().into()
    }

    fn water(
        &self,
        water: &Water,
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<(Value, Object<String, Value>)> {
        task.budget.memory(1024)?;
        let Some(lake) = self.lakes.get(water.index) else { return Ok(Default::default()) };
        let kind = Val::U(lake.kind.into());
        let kind = match Lake::RECORD.field("kind").meaning(&kind) {
            Some(name) => name.into_owned().into(),
            None => kind.to_json(pages),
        };
        let mut fields = Object::new();
        fields.insert("filled_with".to_owned(), kind);
        fields.insert("depth".to_owned(), lake.depth.get().into());
        fields.insert("surface".to_owned(), self.surface(lake).into());
        Ok((object!([lake.x.get(), lake.y.get()]), fields))
    }

    fn cell_lists(&self, budget: &mut Budget) -> Result<Vec<CellList>> {
        let all = [("movement_flags", &self.movement_flags), ("vision_flags", &self.vision_flags)];
        let mut lists = Vec::new();
        for (kind, list) in all {
            let mut cells = budget.vec(list.len() as u64)?;
            cells.extend(list.iter().map(|cell| [cell.x.get(), cell.y.get()]));
            lists.push(CellList { kind, cells });
        }
        Ok(lists)
    }

    fn about(&self) -> Object<String, Value> {
        let weather: BTreeMap<_, _> = WEATHER.iter().zip(&self.weather).collect();
        let mut about = Object::new();
        about.insert("size".to_owned(), self.size.into());
        about.insert("weather".to_owned(), object!(weather));
        about
    }
}

fn record_of<T: Described>(_: &T) -> &'static Record {
    T::RECORD
}

fn flagged(map: &Map, cells: &[Cell]) -> Vec<u16> {
    let mut values = vec![0; usize::from(map.size).pow(2)];
    for cell in cells {
        let place = map.cell(cell.x.get(), cell.y.get());
        if let Some(place) = place.and_then(|cell| values.get_mut(cell)) {
            *place = 1;
        }
    }
    values
}

/// Returns the colour of a tile: those of the numbers of its textures, by their weights. The textures themselves are in the
/// archives of the game.
fn tile(map: &Map, tile: u8) -> Color {
    let Some(definition) = map.tile_definitions.get(usize::from(tile)) else {
        return colors::distinct(tile);
    };
    let TileDefinition { textures, weights, .. } = definition;
    let weights = if weights.0 == [0; 3] { [85; 3] } else { weights.0 };
    let mut sum = [0_u32; 3];
    let all: u32 = weights.iter().map(|weight| u32::from(*weight)).sum();
    for (slot, weight) in textures.0.iter().zip(weights) {
        let texture = map.texture_ids.get(usize::from(*slot)).copied().unwrap_or(*slot);
        for (sum, part) in sum.iter_mut().zip(colors::distinct(texture)) {
            *sum += u32::from(part) * u32::from(weight);
        }
    }
    sum.map(|part| u8::try_from(part / all.max(1)).unwrap_or(u8::MAX))
}
