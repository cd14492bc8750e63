//! Checks of a TIFF file that come before the decoder sees it.

use crate::codes;
use spelunk_core::{Error, Result};

/// Checks the values that the first directory declares. They lie in the file, so none of them is larger, but
/// the decoder would make room for 256 MiB of text before it finds that out.
pub(super) fn check(file: &[u8]) -> Result<()> {
    let big_endian = match file {
        [b'I', b'I', b'*', 0, ..] => false,
        [b'M', b'M', 0, b'*', ..] => true,
        _ => {
            let found = file.get(..4).unwrap_or(file).escape_ascii().to_string();
            return Err(Error::new(&codes::IMAGE_FORMAT).expected("a TIFF file").found(found));
        }
    };
    let u16_at = |bytes: &[u8], at: usize| {
        let stored = *bytes.get(at..)?.first_chunk()?;
        Some(if big_endian { u16::from_be_bytes(stored) } else { u16::from_le_bytes(stored) })
    };
    let u32_at = |bytes: &[u8], at: usize| {
        let stored = *bytes.get(at..)?.first_chunk()?;
        Some(if big_endian { u32::from_be_bytes(stored) } else { u32::from_le_bytes(stored) })
    };
    // A directory that is cut short is reported by the decoder.
    let directory = u32_at(file, 4).and_then(|at| file.get(at as usize..)).unwrap_or_default();
    let count = u16_at(directory, 0).unwrap_or(0);
    let entries = directory.get(2..).unwrap_or_default().chunks_exact(12);
    for entry in entries.take(count.into()) {
        let size = match u16_at(entry, 2) {
            Some(3 | 8) => 2,
            Some(4 | 9 | 11 | 13) => 4,
            Some(5 | 10 | 12 | 16..=18) => 8,
            _ => 1_u64,
        };
        let values = size.saturating_mul(u32_at(entry, 4).unwrap_or(0).into());
        if values > file.len() as u64 {
            return Err(Error::new(&codes::IMAGE_DAMAGED)
                .expected(format!("values of a TIFF file of {} bytes", file.len()))
                .found(format!("{values} bytes of them")));
        }
    }
    Ok(())
}
