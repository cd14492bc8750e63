//! Colours: palettes of grids, the ground by its height, textures, lakes.

#![cfg_attr(
    not(feature = "images"),
    allow(dead_code, reason = "pictures use more than models and data do")
)]

use super::GridLayer;

/// A colour: red, green, blue.
pub type Color = [u8; 3];

/// The colours of the values of a grid. No two of them are alike, so that values follow from colours.
pub fn palette(layer: GridLayer) -> Vec<Color> {
    match layer {
        GridLayer::Movement => vec![[24, 24, 24], [214, 39, 40]],
        GridLayer::Vision => vec![[24, 24, 24], [31, 119, 220]],
        GridLayer::Grass => vec![[24, 24, 24], [90, 160, 60]],
        // Nothing is dark, so that what is there stands out.
        GridLayer::Decoration | GridLayer::Marks | GridLayer::Lakes => {
            (0..=255).map(|n| if n == 0 { [16; 3] } else { distinct(n) }).collect()
        }
        GridLayer::Heights | GridLayer::Flight | GridLayer::Tiles => {
            (0..=255).map(distinct).collect()
        }
    }
}

/// The colour of a number, far from those of the numbers beside it: hues that are a golden angle apart, in five strengths.
/// No two are alike, which a test checks.
pub fn distinct(n: u8) -> Color {
    let hue = (f32::from(n) * 0.618_034).fract() * 6.0;
    let value = 0.95 - 0.11 * f32::from(n % 5);
    let saturation = 0.85 - 0.12 * f32::from(n / 5 % 4);
    let part = |offset: f32| {
        let k = (offset + hue) % 6.0;
        let level = value - value * saturation * k.min(4.0 - k).clamp(0.0, 1.0);
        (level * 255.0).round() as u8
    };
    [part(5.0), part(3.0), part(1.0)]
}

/// Between two colours: the first one at 0.
pub fn mix(a: Color, b: Color, part: f32) -> Color {
    let mut out = a;
    for (out, b) in out.iter_mut().zip(b) {
        *out = (f32::from(*out) + (f32::from(b) - f32::from(*out)) * part).round() as u8;
    }
    out
}

/// A colour, lighter or darker.
pub fn shaded(color: Color, light: f32) -> Color {
    color.map(|part| (f32::from(part) * light).round().clamp(0.0, 255.0) as u8)
}

/// The ground by its height, from the lowest to the highest place of the map.
pub fn ground(height: f32) -> Color {
    const STOPS: [Color; 6] = [
        [58, 92, 58],
        [104, 142, 74],
        [168, 172, 98],
        [166, 128, 84],
        [140, 122, 112],
        [244, 244, 244],
    ];
    let at = height.clamp(0.0, 1.0) * (STOPS.len() - 1) as f32;
    let below = (at as usize).min(STOPS.len() - 2);
    let [low, high] = [below, below + 1].map(|at| STOPS.get(at).copied().unwrap_or_default());
    mix(low, high, at - below as f32)
}

/// The colour of a lake with this filling.
pub const fn lake(kind: u8) -> Color {
    match kind {
        0 => [38, 98, 190],
        1 => [92, 104, 44],
        2 => [232, 84, 20],
        3 => [196, 228, 244],
        _ => [128, 128, 128],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_values_have_one_color() {
        for layer in GridLayer::ALL {
            let palette = palette(layer);
            assert_eq!(palette.iter().collect::<BTreeSet<_>>().len(), palette.len(), "{layer:?}");
            assert!(palette.len() > usize::from(layer.most().min(255)));
        }
    }

    #[test]
    fn the_ground_goes_through_its_colors() {
        assert_eq!(ground(0.0), [58, 92, 58]);
        assert_eq!(ground(1.0), [244, 244, 244]);
        assert_eq!(ground(0.2), [104, 142, 74]);
        assert_eq!(ground(f32::NAN), ground(f32::NAN));
    }
}
