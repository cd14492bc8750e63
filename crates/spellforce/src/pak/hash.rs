//! The hash by which entries are sorted (`docs/formats/pak.md#5-order-and-hash`).

use super::names::MAX_NAME;

/// The hash of a path, `directory\name` in stored bytes: `h = h × 31 + byte`, modulo 65536. Bytes are
/// **signed**, which matters for names with umlauts.
pub fn path_hash(path: impl IntoIterator<Item = u8>) -> u16 {
    path.into_iter().fold(0, |hash: u16, byte| {
        hash.wrapping_mul(31).wrapping_add_signed(i16::from(byte.cast_signed()))
    })
}

/// The hash of a path whose two parts are given as they are stored, last byte first.
///
/// A byte counts 31 to the power of the bytes behind it. From the end of the path these powers are the
/// same for every path, so that no byte has to wait for the one before it.
pub(super) fn reversed_path_hash(name: &[u8], directory: &[u8]) -> u16 {
    if name.len() > MAX_NAME || directory.len() > MAX_NAME {
        let separator: &[u8] = if directory.is_empty() { b"" } else { b"\\" };
        let reversed = name.iter().chain(separator).chain(directory);
        return path_hash(reversed.rev().copied());
    }
    let hash = weighted(name, &POWERS);
    let Some((separator, before)) = POWERS.get(name.len()..).and_then(<[u16]>::split_first) else {
        return hash;
    };
    if directory.is_empty() {
        return hash;
    }
    hash.wrapping_add(separator.wrapping_mul(u16::from(b'\\')))
        .wrapping_add(weighted(directory, before))
}

/// The sum of the bytes, signed, each of them times its power.
fn weighted(text: &[u8], powers: &[u16]) -> u16 {
    text.iter().zip(powers).fold(0, |sum: u16, (byte, power)| {
        let byte = i16::from(byte.cast_signed()).cast_unsigned();
        sum.wrapping_add(byte.wrapping_mul(*power))
    })
}

/// The powers of 31 modulo 65536, for the longest usual path.
static POWERS: [u16; 2 * MAX_NAME + 1] = powers();

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "evaluated by the compiler, which refuses what is out of range"
)]
const fn powers() -> [u16; 2 * MAX_NAME + 1] {
    let mut powers = [1_u16; 2 * MAX_NAME + 1];
    let mut n = 1;
    while n < powers.len() {
        powers[n] = powers[n - 1].wrapping_mul(31);
        n += 1;
    }
    powers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_parts_have_the_hash_of_the_path() {
        let text = |len: usize, from: usize| -> Vec<u8> {
            (0..len).map(|n| ((n * 7 + from) % 255) as u8 + 1).collect()
        };
        for name in [0, 1, 7, 8, 100, MAX_NAME, MAX_NAME + 1, 3000] {
            for directory in [0, 1, 9, 33, MAX_NAME, MAX_NAME + 1, 3000] {
                let (name, directory) = (text(name, 3), text(directory, 60));
                let separator: &[u8] = if directory.is_empty() { b"" } else { b"\\" };
                let path = directory.iter().rev().chain(separator).chain(name.iter().rev());
                assert_eq!(reversed_path_hash(&name, &directory), path_hash(path.copied()));
            }
        }
    }

    #[test]
    fn hashes_of_the_smallest_real_archive() {
        assert_eq!(path_hash(*b"data\\addon01.sem"), 0x23fc);
        assert_eq!(path_hash(*b"data\\gold.sem"), 0xe9bf);
    }

    #[test]
    fn bytes_are_signed() {
        assert_eq!(path_hash([0xfc]), 0xfffc);
    }
}
