//! The hash by which entries are sorted (`docs/formats/pak.md#5-order-and-hash`).

/// The longest usual name or directory, in bytes: Windows ends paths there. Longer ones are read all the
/// same.
pub const MAX_NAME: usize = 260;

/// The hash of a path, `directory\name` in stored bytes: `h = h × 31 + byte`, modulo 65536. Bytes are
/// **signed**, which matters for names with umlauts.
pub fn path_hash(path: impl IntoIterator<Item = u8>) -> u16 {
    path.into_iter().fold(0, |hash: u16, byte| {
        hash.wrapping_mul(31).wrapping_add_signed(i16::from(byte.cast_signed()))
    })
}

/// The hash of a path whose two parts are given as they are stored, last byte first.
pub(super) fn reversed_path_hash(name: &[u8], directory: &[u8]) -> u16 {
    joined_hash(Hashed::of(name), Hashed::of(directory))
}

/// The hash of the path of a file with this name in this directory.
pub(super) fn joined_hash(name: Hashed<'_>, directory: Hashed<'_>) -> u16 {
    if directory.text.is_empty() {
        return name.hash;
    }
    let before = directory.hash.wrapping_mul(31).wrapping_add(b'\\'.into());
    name.hash.wrapping_add(before.wrapping_mul(power(name.text.len())))
}

/// A part of a path as it is stored, last byte first, with its hash.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hashed<'a> {
    pub text: &'a [u8],
    hash: u16,
}

impl<'a> Hashed<'a> {
    /// The bytes before the first NUL; all of them where there is none.
    ///
    /// A byte counts 31 to the power of the bytes behind it. From the end of the text these powers are the same for every
    /// text, so that no byte has to wait for the one before it: eight are looked at together, since an archive has two such
    /// texts for every entry.
    pub fn of(bytes: &'a [u8]) -> Hashed<'a> {
        let (words, rest) = bytes.as_chunks::<8>();
        let mut hash = 0_u16;
        let mut len = 0_usize;
        let mut add = |word: &[u8; 8]| {
            let (word, before_nul) = before_nul(u64::from_le_bytes(*word));
            hash = hash.wrapping_add(word_hash(word).wrapping_mul(power(len)));
            len = len.saturating_add(before_nul);
            before_nul == 8
        };
        if words.iter().all(&mut add) {
            let mut last = [0; 8];
            last.get_mut(..rest.len()).unwrap_or_default().copy_from_slice(rest);
            add(&last);
        }
        Hashed { text: bytes.get(..len).unwrap_or(bytes), hash }
    }

    /// The bytes before the first NUL, if there is one.
    pub fn until_nul(bytes: &'a [u8]) -> Option<Hashed<'a>> {
        Some(Hashed::of(bytes)).filter(|it| it.text.len() < bytes.len())
    }
}

/// Eight bytes without the first NUL and those behind it, and how many are left.
const fn before_nul(word: u64) -> (u64, usize) {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    // The lowest bit that is left is the top one of the first byte that is 0.
    let nul = word.wrapping_sub(ONES) & !word & TOPS;
    match nul {
        0 => (word, 8),
        _ => (
            word & (nul & nul.wrapping_neg()).wrapping_shr(7).wrapping_sub(1),
            (nul.trailing_zeros() >> 3) as usize,
        ),
    }
}

const TOPS: u64 = u64::from_le_bytes([0x80; 8]);

/// The hash of eight bytes, the last one of the text first.
const fn word_hash(word: u64) -> u16 {
    let unsigned = unsigned_hash(word);
    match word & TOPS {
        0 => unsigned,
        // A byte with the top bit counts 256 less.
        tops => unsigned.wrapping_sub(unsigned_hash(tops >> 7) << 8),
    }
}

/// The same as if bytes had no sign: each counts with its neighbour, then pairs do, then fours.
const fn unsigned_hash(word: u64) -> u16 {
    const PAIRS: u64 = 0x00ff_00ff_00ff_00ff;
    const FOURS: u64 = 0x0000_ffff_0000_ffff;
    let pairs = (word & PAIRS).wrapping_add((word >> 8 & PAIRS).wrapping_mul(31));
    let fours = (pairs & FOURS).wrapping_add((pairs >> 16 & FOURS).wrapping_mul(31_u64.pow(2)));
    fours.wrapping_add((fours >> 32).wrapping_mul(31_u64.pow(4))) as u16
}

/// 31 to the power of `len`, modulo 65536.
fn power(len: usize) -> u16 {
    let known = POWERS.get(len).copied();
    known.unwrap_or_else(|| 31_u16.wrapping_pow(u32::try_from(len).unwrap_or(u32::MAX)))
}

/// The powers of 31 modulo 65536, for the longest usual name.
static POWERS: [u16; MAX_NAME + 1] = powers();

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "evaluated by the compiler, which refuses what is out of range"
)]
const fn powers() -> [u16; MAX_NAME + 1] {
    let mut powers = [1_u16; MAX_NAME + 1];
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

    #[test]
    fn the_first_nul_ends_a_text_wherever_it_lies() {
        let until_nul = |bytes: &[u8]| {
            let found = Hashed::until_nul(bytes)?;
            assert_eq!(found.hash, path_hash(found.text.iter().rev().copied()));
            Some(found.text.len())
        };
        for len in 0..40 {
            for end in 0..len {
                // 0x01 behind a NUL and bytes with the top bit are what looking at words could mistake.
                for other in [b'x', 0x01, 0x80, 0xff] {
                    let mut bytes = vec![other; len];
                    assert_eq!(until_nul(&bytes), None);
                    bytes[end] = 0;
                    assert_eq!(until_nul(&bytes), Some(end));
                    bytes[len - 1] = 0;
                    assert_eq!(until_nul(&bytes), Some(end));
                }
            }
        }
    }
}
