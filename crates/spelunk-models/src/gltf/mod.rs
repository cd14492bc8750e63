//! glTF 2.0 and what Virtools stores, both ways (`docs/export.md#gltf`): what exporter and importer share.
//!
//! Where glTF says less than Virtools stores, the importer asks what the exporter would make of the `extras`. What
//! agrees with the document is taken as it was stored; only what was changed is made anew.

pub mod extras;
pub mod optics;
pub mod shear;
pub mod surface;

use virtools::scene::matrix::normal;

/// A rotation in the other space, both ways: mirrored as the space is, and for column vectors. Most are of length 1 but
/// for the last digits, which are theirs.
pub fn turned([x, y, z, w]: [f32; 4]) -> [f32; 4] {
    let turned = [x, y, -z, w];
    let square = turned.iter().map(|part| part * part).sum::<f32>();
    if (square - 1.0).abs() < 1e-5 {
        return turned;
    }
    normal(turned.map(f64::from)).map(|part| part as f32)
}

/// Frames in a second of animations that are not linked to a rate of their own.
pub const FRAME_RATE: f32 = 30.0;
