//! The hash by which entries are sorted (`docs/formats/pak.md`, section 5).

/// The hash of a path, `directory\name` in stored bytes: `h = h × 31 + byte`, modulo 65536. Bytes are
/// **signed**, which matters for names with umlauts.
pub fn path_hash(path: impl IntoIterator<Item = u8>) -> u16 {
    path.into_iter().fold(0, |hash: u16, byte| {
        hash.wrapping_mul(31).wrapping_add_signed(i16::from(byte.cast_signed()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
