//! Maps drawn for people: relief, textures, flags, the minimap, and everything with a place over the relief.

mod canvas;
mod draw;
mod legend;
mod relief;

pub use canvas::Picture;

use super::{
    Entity, Grid, GridLayer,
    colors::{self, Color},
};
use spellforce::map::Map;
use spelunk_core::{Error, Result, Task};
use spelunk_open::codes;

/// Subject of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// The ground in light from the upper left, coloured by height, with the lakes.
    Relief,
    /// The ground in the colours of its textures.
    Textures,
    /// Cells that block movement (red), vision (blue), both, or that have such a tile (dark), over the relief.
    Flags,
    /// The picture that the map holds.
    Minimap,
    /// Everything with a place over the relief, with a legend.
    Entities,
}

impl View {
    /// All of them.
    pub const ALL: [View; 5] =
        [View::Relief, View::Textures, View::Flags, View::Minimap, View::Entities];

    /// Returns the name of the view.
    pub const fn name(self) -> &'static str {
        match self {
            View::Relief => "relief",
            View::Textures => "textures",
            View::Flags => "flags",
            View::Minimap => "minimap",
            View::Entities => "entities",
        }
    }

    /// The view of this name.
    pub fn named(name: &str) -> Option<View> {
        View::ALL.into_iter().find(|view| view.name() == name)
    }
}

/// The longest side of a picture.
const LONGEST: u32 = 16_384;
/// The least width of pictures of entities, in pixels, so that single cells can be seen.
const WIDE: u32 = 1024;

/// Draws a map with what is placed on it, each cell as a square of `scale` pixels; by default one, and as many as make pictures of entities 1024 wide.
///
/// # Errors
/// [`NO_MAP`](codes::NO_MAP) where there is no minimap; [`GRID_SIZE`](codes::GRID_SIZE) where the picture would be wider than
/// 16384 pixels; limits.
pub fn draw(
    map: &Map,
    entities: &[Entity<'_>],
    view: View,
    scale: Option<u32>,
    task: &mut Task<'_>,
) -> Result<Picture> {
    let side = u32::from(map.size);
    let usual = if view == View::Entities { WIDE.div_ceil(side.max(1)) } else { 1 };
    let scale = scale.unwrap_or(usual);
    if scale == 0 || side.saturating_mul(scale) > LONGEST {
        let error = Error::new(&codes::GRID_SIZE).expected(format!("up to {LONGEST} pixels"));
        return Err(error.found(format!("{side} cells of {scale} pixels")));
    }
    match view {
        View::Minimap => minimap(map, task),
        View::Relief => relief::lit(map, scale, true, task),
        View::Textures => {
            let mut picture = relief::lit(map, scale, false, task)?;
            let palette: Vec<Color> = (0..=255).map(|tile| colors::tile(map, tile)).collect();
            draw::cells(&mut picture, map, scale, |cell, light| {
                let tile = map.tiles.get(cell).copied().unwrap_or_default();
                colors::shaded(
                    palette.get(usize::from(tile)).copied().unwrap_or_default(),
                    f32::from(light[0]) / 190.0,
                )
            });
            Ok(picture)
        }
        View::Flags => flags(map, scale, task),
        View::Entities => {
            let ground = relief::lit(map, scale, true, task)?;
            legend::with_entities(map, entities, ground, scale, task)
        }
    }
}

/// The picture that a map holds, its stored last row at the top.
fn minimap(map: &Map, task: &mut Task<'_>) -> Result<Picture> {
    let minimap = map.minimap.as_ref();
    let minimap = minimap.ok_or_else(|| Error::new(&codes::NO_MAP).expected("a minimap"))?;
    let (width, height) = (minimap.width, minimap.height);
    let mut picture = Picture::new(width, height, [0; 3], task)?;
    let rows = minimap.bgr.chunks(usize::try_from(width).unwrap_or_default().max(1) * 3);
    let places = picture.pixels.chunks_mut(usize::try_from(width).unwrap_or_default().max(1));
    for (row, place) in rows.zip(places.rev()) {
        for (pixel, place) in row.as_chunks::<3>().0.iter().zip(place) {
            let [b, g, r] = *pixel;
            *place = [r, g, b];
        }
    }
    Ok(picture)
}

fn flags(map: &Map, scale: u32, task: &mut Task<'_>) -> Result<Picture> {
    let mut picture = relief::lit(map, scale, false, task)?;
    task.budget.memory((map.heights.len() as u64).saturating_mul(4))?;
    let grids = [GridLayer::Movement, GridLayer::Vision].map(|layer| Grid::of(map, layer).values);
    let mut bits: Vec<u8> = vec![0; map.heights.len()];
    for (grid, bit) in grids.iter().zip([1, 2]) {
        let flagged = bits.iter_mut().zip(grid).filter(|(_, value)| **value != 0);
        flagged.for_each(|(bits, _)| *bits |= bit);
    }
    for flag in &map.flag_cells {
        let place = map.cell(flag.x.get(), flag.y.get());
        if let Some(bits) = place.and_then(|cell| bits.get_mut(cell)) {
            *bits |= flag.bits & 3;
        }
    }
    draw::cells(&mut picture, map, scale, |cell, light| {
        let tile = map.tiles.get(cell).copied().unwrap_or_default();
        let tile = map.tile_definitions.get(usize::from(tile));
        let blocks = tile.is_some_and(|tile| tile.blocks_movement & 1 == 1);
        let ground = colors::shaded(light, if blocks { 0.45 } else { 1.0 });
        match bits.get(cell).copied().unwrap_or_default() {
            1 => colors::mix(ground, [214, 39, 40], 0.75),
            2 => colors::mix(ground, [31, 119, 220], 0.75),
            3 => colors::mix(ground, [170, 40, 190], 0.75),
            _ => ground,
        }
    });
    Ok(picture)
}
