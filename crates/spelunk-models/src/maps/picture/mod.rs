//! Maps drawn for people: relief, textures, flags, the minimap, and everything with a place over the relief.

mod canvas;
mod draw;
mod legend;
mod relief;

pub use canvas::Picture;

use super::{Land, Minimap, colors, is_bare};
use spelunk_core::{Container, Error, Result, Task};
use spelunk_open::codes;

/// Subject of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// The ground in light from the upper left, coloured by height, with the lakes.
    Relief,
    /// The ground in the colours of its textures.
    Textures,
    /// Cells that block movement (red), vision (blue), both, or that have such a tile (dark), over the relief. In maps of the
    /// second game those that are closed by hand (red), under deep water (blue), or that have such a texture (dark).
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

    /// Those of the map in a container.
    pub fn of(container: &dyn Container) -> &'static [View] {
        match is_bare(container) {
            true => &[View::Relief, View::Entities],
            false => &View::ALL,
        }
    }

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

/// Draws a map, each cell as a square of `scale` pixels; by default one, and as many as make pictures of entities 1024 wide.
///
/// # Errors
/// [`NO_MAP`](codes::NO_MAP) where there is no minimap; [`GRID_SIZE`](codes::GRID_SIZE) where the picture would be wider than
/// 16384 pixels; limits.
pub fn draw(
    land: &dyn Land,
    view: View,
    scale: Option<u32>,
    task: &mut Task<'_>,
) -> Result<Picture> {
    let frame = land.frame();
    let side = frame.width.max(frame.height);
    let usual = if view == View::Entities { WIDE.div_ceil(side.max(1)) } else { 1 };
    let scale = scale.unwrap_or(usual);
    if scale == 0 || side.saturating_mul(scale) > LONGEST {
        let error = Error::new(&codes::GRID_SIZE).expected(format!("up to {LONGEST} pixels"));
        return Err(error.found(format!("{side} cells of {scale} pixels")));
    }
    match view {
        View::Minimap => match land.minimap(&mut task.budget)? {
            Some(Minimap { width, height, pixels }) => Ok(Picture { width, height, pixels }),
            None => Err(Error::new(&codes::NO_MAP).expected("a minimap")),
        },
        View::Textures => {
            let mut picture = relief::lit(land, scale, false, task)?;
            let (palette, numbers) = (land.colors(), land.numbers());
            draw::cells(&mut picture, &frame, scale, |cell, light| {
                let number = numbers.get(cell).copied().unwrap_or_default();
                colors::shaded(
                    palette.get(usize::from(number)).copied().unwrap_or_default(),
                    f32::from(light[0]) / 190.0,
                )
            });
            Ok(picture)
        }
        View::Flags => flags(land, scale, task),
        View::Relief | View::Entities => {
            let mut picture = relief::lit(land, scale, true, task)?;
            let waters = land.waters(&mut task.budget)?;
            relief::lakes(land, &waters, scale, &mut picture, task)?;
            match view {
                View::Entities => legend::with_entities(land, &waters, picture, scale, task),
                _ => Ok(picture),
            }
        }
    }
}

fn flags(land: &dyn Land, scale: u32, task: &mut Task<'_>) -> Result<Picture> {
    let mut picture = relief::lit(land, scale, false, task)?;
    let flags = land.flags(&mut task.budget)?;
    draw::cells(&mut picture, &land.frame(), scale, |cell, light| {
        let flags = flags.get(cell).copied().unwrap_or_default();
        let ground = colors::shaded(light, if flags & 4 != 0 { 0.45 } else { 1.0 });
        match flags & 3 {
            1 => colors::mix(ground, [214, 39, 40], 0.75),
            2 => colors::mix(ground, [31, 119, 220], 0.75),
            3 => colors::mix(ground, [170, 40, 190], 0.75),
            _ => ground,
        }
    });
    Ok(picture)
}
