//! Maps of the second game: heights of corners, positions in space, rows from south to north.

use super::{
    Entity, EntityKind, EntityRecord, Frame, Grid, GridLayer, Place,
    colors::{self, Color},
    land::{CellList, Land, Minimap, Water},
};
use serde_json::{Map as Object, Value, json as object};
use spellforce::map2::{CELL, Ground, Map};
use spelunk_core::{Budget, Result, Task, text::CodePages};
use spelunk_open::json;

/// Kinds of entities. Plants and objects are many: what there is little of is drawn over them.
static KINDS: [EntityKind; 11] = [
    EntityKind { name: "plants", color: [38, 130, 60] },
    EntityKind { name: "objects", color: [120, 220, 90] },
    EntityKind { name: "backdrops", color: [150, 150, 150] },
    EntityKind { name: "sound_areas", color: [110, 130, 230] },
    EntityKind { name: "music_areas", color: [170, 110, 220] },
    EntityKind { name: "zones", color: [240, 150, 60] },
    EntityKind { name: "circles", color: [230, 200, 150] },
    EntityKind { name: "units", color: [214, 39, 40] },
    EntityKind { name: "buildings", color: [0, 226, 226] },
    EntityKind { name: "portals", color: [227, 60, 227] },
    EntityKind { name: "start_points", color: [255, 255, 255] },
];

/// Bits of the marks of a cell.
const WATER: u8 = 1;
const DEEP: u8 = 2;
const CLOSED: u8 = 4;

/// What overview pictures show where the land ends.
const OUTSIDE: Color = [29, 49, 110];

/// Form of lakes that are lava, as far as is known.
const LAVA: u8 = 3;

impl Land for Map {
    fn frame(&self) -> Frame {
        Frame {
            width: self.ground.width,
            height: self.ground.height,
            cell: CELL,
            is_northward: true,
            has_corners: true,
            height_scale: Some(1.0),
        }
    }

    fn heights(&self, budget: &mut Budget) -> Result<Vec<f32>> {
        let mut heights = budget.vec(self.ground.heights.len() as u64)?;
        heights.extend(&self.ground.heights);
        Ok(heights)
    }

    fn grid(&self, layer: GridLayer) -> Option<Grid> {
        let Ground { width, height, .. } = self.ground;
        let cells = self.ground.cells();
        let bytes = |values: &[u8]| values.iter().map(|value| u16::from(*value)).collect();
        let bits = |bits: &[u8]| (0..cells).map(|cell| Ground::bit(bits, cell).into()).collect();
        let values: Vec<u16> = match layer {
            GridLayer::Heights => return of_heights(self, layer, &self.ground.heights),
            GridLayer::Flight => return of_heights(self, layer, &self.ground.flight),
            GridLayer::Tiles => bytes(&self.ground.textures),
            GridLayer::Marks => bytes(&self.ground.marks),
            GridLayer::Movement => bits(&self.ground.blocked),
            GridLayer::Grass => bits(&self.ground.grass),
            GridLayer::Lakes => self.ground.lakes.clone(),
            GridLayer::Decoration | GridLayer::Vision => return None,
        };
        // Without a lake map no cell has a lake with a number.
        let values = if values.is_empty() { vec![0; cells] } else { values };
        Some(Grid::new(layer, width, height, turned(&values, width)))
    }

    fn numbers(&self) -> &[u8] {
        &self.ground.textures
    }

    /// The colours in which the overview picture shows cells with each texture, on the average: the textures themselves are in
    /// the archives of the game. Where it shows none, those that stand for their numbers.
    fn colors(&self) -> Vec<Color> {
        let mut sums = vec![([0_u64; 3], 0_u64); 256];
        let Ground { width, height, .. } = self.ground;
        let picture = self.picture.as_ref();
        let picture = picture.filter(|picture| (picture.width, picture.height) == (width, height));
        let row = (width as usize * 4).max(1);
        // The last row is empty, and the one before it shows the southern cells.
        let rows = picture.into_iter().flat_map(|picture| picture.bgra.chunks(row).rev().skip(1));
        let pixels = rows.flat_map(|row| row.as_chunks::<4>().0);
        let marks = self.ground.marks.iter().copied().chain(std::iter::repeat(0));
        for (([b, g, r, alpha], texture), marks) in pixels.zip(&self.ground.textures).zip(marks) {
            if *alpha == 0 || marks & WATER != 0 || [*r, *g, *b] == OUTSIDE {
                continue;
            }
            if let Some((sum, count)) = sums.get_mut(usize::from(*texture)) {
                *count += 1;
                for (sum, part) in sum.iter_mut().zip([r, g, b]) {
                    *sum += u64::from(*part);
                }
            }
        }
        let mean = |(number, (sum, count)): (u8, ([u64; 3], u64))| match count {
            0 => colors::distinct(number),
            count => sum.map(|part| u8::try_from(part / count).unwrap_or(u8::MAX)),
        };
        (0..=255).zip(sums).map(mean).collect()
    }

    /// Cells that are closed by hand are red, deep water blue; where nobody walks on the texture it is dark.
    fn flags(&self, budget: &mut Budget) -> Result<Vec<u8>> {
        let cells = self.ground.cells();
        let mut flags = budget.vec(cells as u64)?;
        flags.extend((0..cells).map(|cell| {
            let marks = self.ground.marks.get(cell).copied().unwrap_or_default();
            let closed = u8::from(marks & CLOSED != 0);
            let deep = u8::from(marks & DEEP != 0);
            closed | deep << 1 | u8::from(self.ground.is_impassable(cell)) << 2
        }));
        Ok(flags)
    }

    fn waters(&self, budget: &mut Budget) -> Result<Vec<Water>> {
        let mut waters = budget.vec(self.lakes.len() as u64)?;
        for (index, lake) in self.lakes.iter().enumerate() {
            let kind = lake.form;
            waters.push(Water {
                index,
                kind,
                name: format!("lakes (form {kind})"),
                color: colors::lake(if kind == LAVA { 2 } else { 0 }),
                level: lake.level,
                cells: self.ground.lake_cells(lake, budget)?,
            });
        }
        Ok(waters)
    }

    fn minimap(&self, budget: &mut Budget) -> Result<Option<Minimap>> {
        let Some(picture) = &self.picture else { return Ok(None) };
        let (width, height) = (picture.width, picture.height);
        let mut pixels = budget.vec(u64::from(width).saturating_mul(height.into()))?;
        pixels.extend(picture.bgra.as_chunks::<4>().0.iter().map(|[b, g, r, _]| [*r, *g, *b]));
        Ok(Some(Minimap { width, height, pixels }))
    }

    fn kinds(&self) -> &'static [EntityKind] {
        &KINDS
    }

    fn entities(&self, budget: &mut Budget) -> Result<Vec<Entity<'_>>> {
        let mut all = budget.vec(self.things.len() as u64)?;
        all.extend(self.things.iter().map(|thing| Entity {
            list: thing.section.name,
            kind: if thing.is_portal { "portals" } else { thing.section.name },
            index: thing.index,
            place: Place::Point {
                position: thing.position,
                rotation: thing.rotation,
                scale: thing.scale,
            },
            id: thing.kind.map(i64::from),
            tag: thing.tag.as_deref(),
            record: EntityRecord::Thing(thing),
        }));
        Ok(all)
    }

    fn ground_at(&self, place: &Place) -> Value {
        match *place {
            Place::Point { position: [x, _, z], .. } => object!(self.ground.surface(x, z)),
            Place::Cell(..) => Value::Null,
        }
    }

    fn water(
        &self,
        water: &Water,
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<(Value, Object<String, Value>)> {
        let Some(lake) = self.lakes.get(water.index) else { return Ok(Default::default()) };
        let most = task.budget.left().memory;
        let (fields, held, walked) =
            json::object_within(pages, most, |walk| lake.thing.walk(task, walk));
        walked?;
        task.budget.memory(held)?;
        let [x, y, z] = lake.thing.position;
        Ok((object!([x, z, y]), fields))
    }

    fn cell_lists(&self, _: &mut Budget) -> Result<Vec<CellList>> {
        Ok(Vec::new())
    }

    fn about(&self) -> Object<String, Value> {
        let mut about = Object::new();
        about.insert("width".to_owned(), self.ground.width.into());
        about.insert("height".to_owned(), self.ground.height.into());
        about.insert("cell".to_owned(), object!(CELL));
        about
    }
}

/// Heights of a map as a layer.
fn of_heights(map: &Map, layer: GridLayer, heights: &[f32]) -> Option<Grid> {
    let Ground { width, height, .. } = map.ground;
    let is_there = !heights.is_empty();
    is_there.then(|| Grid::of_heights(layer, width, height, turned(heights, width)))
}

/// Values row by row, the last row first.
fn turned<T: Copy>(values: &[T], width: u32) -> Vec<T> {
    values.chunks((width as usize).max(1)).rev().flatten().copied().collect()
}
