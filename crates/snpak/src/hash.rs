//! The checksums: XXH3 with seed 0, of 128 bits for content and of 64 bits for names.
//!
//! They find damage; they are not cryptographic. See `docs/formats/snpak.md`, section 6.

use spelunk_core::scalar::Hash128;
use twox_hash::{XxHash3_64, XxHash3_128};

/// XXH3-128 of `bytes`, in its stored form: the high half first.
pub fn hash128(bytes: &[u8]) -> Hash128 {
    Hash128::new(XxHash3_128::oneshot(bytes))
}

/// XXH3-64 of `bytes`: the hash of names and variants.
pub fn hash64(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}

/// A hash as findings print it: 32 digits, the high half first.
pub(crate) fn text(hash: Hash128) -> String {
    format!("{:032x}", hash.get())
}

#[cfg(test)]
mod tests {
    use super::*;
    use zerocopy::IntoBytes;

    #[test]
    fn the_hash_of_nothing_is_stored_high_half_first() {
        let hash = hash128(b"");
        assert_eq!(text(hash), "99aa06d3014798d86001c324468d497f");
        assert_eq!(hash.as_bytes()[..8], 0x99aa_06d3_0147_98d8_u64.to_le_bytes());
    }

    #[test]
    fn names_have_the_hash_that_real_packs_store() {
        assert_eq!(hash64(b"Levels/Main.level"), 0x0925_cf02_59e9_0dee);
    }
}
