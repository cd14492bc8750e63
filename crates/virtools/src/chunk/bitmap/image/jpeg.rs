//! Checks of a JPEG file that come before the decoder sees it.

use crate::codes;
use spelunk_core::{Error, Result};

/// The frame header: how the components of the picture are stored.
struct FrameHeader {
    progressive: bool,
    width: u64,
    height: u64,
    /// Blocks of each component in a unit, across and down: 1 to 4.
    factors: Vec<(u64, u64)>,
}

/// Bytes that the decoder takes besides the pixels.
///
/// The decoder panics where a file is not progressive, its components have different sizes, and its first scan does
/// not have all of them. Such files, which hardly any program makes, are refused.
pub(super) fn working_memory(file: &[u8]) -> Result<u64> {
    let mut frame = None;
    let mut rest = file.strip_prefix(&[0xFF, 0xD8]).ok_or_else(|| damaged(file))?;
    loop {
        let (marker, segment, behind) = take_segment(rest).ok_or_else(|| damaged(rest))?;
        rest = behind;
        match marker {
            0xC0..=0xC2 => {
                frame = Some(FrameHeader::read(marker, segment).ok_or_else(|| damaged(segment))?)
            }
            0xDA => {
                let frame = frame.ok_or_else(|| damaged(segment))?;
                let in_scan = segment.first().copied().map_or(0, usize::from);
                return frame.working_memory(in_scan);
            }
            _ => {}
        }
    }
}

/// The first segment: its marker, what follows its length, and what is behind it.
fn take_segment(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    // Any number of these may stand before a marker.
    let fill = bytes.iter().take_while(|byte| **byte == 0xFF).count();
    let (marker, rest) = bytes.get(fill..).filter(|_| fill > 0)?.split_first()?;
    let (len, rest) = rest.split_first_chunk()?;
    let len = usize::from(u16::from_be_bytes(*len)).checked_sub(2)?;
    let (segment, behind) = rest.split_at_checked(len)?;
    // Markers without a length do not stand here. Behind an APP0 segment of this size the decoder goes on one byte
    // too late, and could find another frame header than this.
    let odd = matches!((*marker, len), (0 | 1 | 0xD0..=0xD9, _) | (0xE0, 4));
    (!odd).then_some((*marker, segment, behind))
}

impl FrameHeader {
    fn read(marker: u8, segment: &[u8]) -> Option<FrameHeader> {
        let [_, h1, h2, w1, w2, count, components @ ..] = segment else { return None };
        let factors = components.as_chunks::<3>().0.iter();
        let factors: Vec<_> = factors
            .map(|[_, factors, _]| (u64::from(factors >> 4), u64::from(factors & 15)))
            .collect();
        let sound =
            |factors: &(u64, u64)| (1..=4).contains(&factors.0) && (1..=4).contains(&factors.1);
        let whole = usize::from(*count) == factors.len() && (1..=4).contains(count);
        (whole && factors.iter().all(sound)).then(|| FrameHeader {
            progressive: marker == 0xC2,
            width: u16::from_be_bytes([*w1, *w2]).into(),
            height: u16::from_be_bytes([*h1, *h2]).into(),
            factors,
        })
    }

    fn working_memory(&self, in_scan: usize) -> Result<u64> {
        let across = self.factors.iter().map(|factors| factors.0).max().unwrap_or(1);
        let down = self.factors.iter().map(|factors| factors.1).max().unwrap_or(1);
        let whole = in_scan == self.factors.len();
        if !self.progressive && !whole && (across, down) != (1, 1) {
            return Err(Error::new(&codes::IMAGE_FORMAT)
                .expected("a JPEG file whose first scan has all components")
                .found(format!("{in_scan} of {}", self.factors.len())));
        }
        let padded = |pixels: u64, blocks: u64| pixels.next_multiple_of(blocks.saturating_mul(8));
        let width = padded(self.width, across);
        // Coefficients are kept where others of the same block follow: 2 bytes each.
        let area = width.saturating_mul(padded(self.height, down));
        let kept = if self.progressive || !whole { area.saturating_mul(2) } else { 0 };
        let components = self.factors.iter().map(|(of_across, of_down)| {
            // For each column 2 bytes a value: a row of blocks, two rows of pixels and the row of blocks at twice
            // its width; then these rows of pixels and of blocks at full size.
            let scale = across.div_ceil(*of_across).saturating_mul(down.div_ceil(*of_down));
            let rows = of_down.saturating_mul(52);
            let scaled = of_down.saturating_mul(2).saturating_add(32).saturating_mul(scale);
            width.saturating_mul(rows.saturating_add(scaled)).saturating_add(kept)
        });
        Ok(components.fold(width.saturating_mul(16), u64::saturating_add))
    }
}

#[cold]
fn damaged(bytes: &[u8]) -> Error {
    let found = bytes.get(..4).unwrap_or(bytes).escape_ascii().to_string();
    Error::new(&codes::IMAGE_DAMAGED).expected("a segment of a JPEG file").found(found)
}
