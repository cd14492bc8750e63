//! Writing TGA files as the programs of the time did: bottom row first, runs that end with their row.

use super::{
    super::Rgba,
    format::{ImageFormat, refused},
};
use spelunk_core::Result;

/// Pixels of a packet at the most.
const PACKET: usize = 128;

/// A TGA file of 24 bits, or of 32 where the picture is not opaque.
pub(super) fn encode(picture: &Rgba, run_lengths: bool) -> Result<Vec<u8>> {
    let side = |pixels: u32| {
        let side = u16::try_from(pixels).map(u16::to_le_bytes);
        side.map_err(|_| refused(ImageFormat::Tga, "at most 65535 pixels each way", pixels))
    };
    let opaque = picture.is_opaque();
    let mut out = vec![0, 0, if run_lengths { 10 } else { 2 }];
    // No palette, and the origin at 0, 0.
    out.extend([0; 9]);
    out.extend(side(picture.width())?);
    out.extend(side(picture.height())?);
    out.extend(if opaque { [24, 0] } else { [32, 8] });
    let size = if opaque { 3 } else { 4 };
    let mut stored = Vec::new();
    for row in picture.rows().rev() {
        stored.clear();
        for [red, green, blue, alpha] in row.as_chunks::<4>().0 {
            stored.extend([blue, green, red, alpha].into_iter().take(size));
        }
        if run_lengths {
            pack(&stored, size, &mut out);
        } else {
            out.extend_from_slice(&stored);
        }
    }
    Ok(out)
}

/// Appends a row of pixels of `size` bytes as packets: runs of equal pixels, and stretches without such.
fn pack(row: &[u8], size: usize, out: &mut Vec<u8>) {
    let mut rest = row;
    while let Some(first) = rest.get(..size) {
        let pixels = || rest.chunks_exact(size).take(PACKET);
        let run = pixels().take_while(|pixel| *pixel == first).count();
        let (count, stored) = if run > 1 {
            (run, first)
        } else {
            let pairs = pixels().zip(pixels().skip(1));
            let unequal = pairs.take_while(|(pixel, next)| pixel != next).count();
            // The pixel before a pair of equal ones belongs to this stretch, the first of the pair does not.
            let at_end = unequal.saturating_add(1) == pixels().count();
            let count = if at_end { unequal.saturating_add(1) } else { unequal };
            (count, rest.get(..count.saturating_mul(size)).unwrap_or_default())
        };
        // At most 128 pixels, so 7 bits hold one less than their number.
        let length = count.saturating_sub(1) as u8;
        out.push(if run > 1 { 0x80 | length } else { length });
        out.extend_from_slice(stored);
        rest = rest.get(count.saturating_mul(size)..).unwrap_or_default();
    }
}
