//! Texts of saves: UTF-16, little-endian.

use spelunk_core::{Field, Ty};

/// The field of a text.
pub(super) const fn field(name: &'static str, doc: &'static str) -> Field {
    Field::new(name, Ty::Str, doc)
}

/// A text as it is shown: up to its NUL, without a half unit at the end. Units that are no characters are shown as U+FFFD.
pub(super) fn shown(bytes: &[u8]) -> String {
    let units = bytes.chunks_exact(2).filter_map(|unit| unit.first_chunk().copied());
    let units = units.map(u16::from_le_bytes).take_while(|unit| *unit != 0);
    char::decode_utf16(units).map(|read| read.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_end_at_their_nul_and_half_units_and_lone_surrogates_do_no_harm() {
        let bytes =
            |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        assert_eq!(shown(&bytes("Lia\u{f1}n \u{1f409}")), "Lia\u{f1}n \u{1f409}");
        assert_eq!(shown(&bytes("Aryn\0old")), "Aryn");
        assert_eq!(shown(&[0x41, 0, 0x42]), "A");
        assert_eq!(shown(&[0, 0xd8, 0x41, 0]), "\u{fffd}A");
        assert_eq!(shown(&[]), "");
    }
}
