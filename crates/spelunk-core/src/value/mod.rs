//! Values to and from text and JSON.
//!
//! All that is known of a value stands in the description of its [`Field`](crate::Field): the type, the unit, names of values, of
//! flags and of GUIDs, and the parts of a packed word. So what is shown, what is asked for and what is written down is made here,
//! and nowhere else: [`Field::parse`](crate::Field::parse) and [`Field::encode`](crate::Field::encode) read what people write,
//! [`Field::print`](crate::Field::print) and [`Field::meaning`](crate::Field::meaning) make what they read, and (with the feature
//! `json`) `Field::to_json` and `Field::from_json` are the form for programs.

mod digits;
#[cfg(feature = "json")]
mod json;
mod part;
mod print;
mod text;

pub use crate::field::BitField;
pub use digits::{digits_128, guid, hex, integer, to_hex};
#[cfg(feature = "json")]
pub use json::Json;
pub use part::PartValue;
pub use print::Printed;

use crate::nearest::{Nearest, near_it};

/// Whether people mean the same by two names: case makes no difference, and `_` and `-` stand for blanks.
fn same_name(a: &str, b: &str) -> bool {
    let letter = |byte: u8| match byte {
        b'_' | b'-' => b' ',
        byte => byte.to_ascii_lowercase(),
    };
    a.len() == b.len() && a.bytes().map(letter).eq(b.bytes().map(letter))
}

/// Names as a message has them, the first ones of many; `None` where there are none.
fn listed(names: &[&str]) -> Option<String> {
    /// The most names that a message can bear.
    const MOST: usize = 12;
    let first: Vec<String> = names.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    match names.len().saturating_sub(MOST) {
        _ if names.is_empty() => None,
        0 => Some(first.join(", ")),
        more => Some(format!("{} and {more} more", first.join(", "))),
    }
}

/// Text that was found, with those of the known names that are near it.
fn with_near<'n>(text: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    /// The most characters of a text that a message can bear.
    const MOST: usize = 60;
    let shown = match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("`{}...`", text.get(..end).unwrap_or_default()),
        None => format!("`{text}`"),
    };
    near_it(&shown, Nearest::among(text, names).suggestion(|_| true))
}

#[cfg(test)]
mod tests {
    use crate::{BitField, Field, Ty};
    use proptest::prelude::*;

    static PARTS: [BitField; 2] = [
        BitField::new("low", 3, 5, "").values(&[(0, "none"), (7, "most")]),
        BitField::new("high", 16, 16, "").signed(),
    ];

    static HALVES: [BitField; 2] =
        [BitField::new("lower", 0, 8, ""), BitField::new("upper", 8, 8, "").signed()];

    const BITS: &[(u32, &str)] = &[
        (0x01, "a"),
        (0x02, "b"),
        (0x04, "c"),
        (0x08, "d"),
        (0x10, "e"),
        (0x20, "f"),
        (0x40, "g"),
        (0x80, "top"),
    ];

    /// Packed fields of which every bit has a name.
    fn packed() -> [Field; 6] {
        [
            Field::new("flags", Ty::U8, "").bits(BITS),
            Field::new("flags", Ty::I8, "").bits(BITS),
            Field::new("halves", Ty::U16, "").parts(&HALVES),
            Field::new("halves", Ty::I16, "").parts(&HALVES),
            Field::new("both", Ty::I32, "").bits(BITS).parts(&WIDE),
            Field::new("both", Ty::Word, "").bits(BITS).parts(&WIDE),
        ]
    }

    static WIDE: [BitField; 2] =
        [BitField::new("middle", 8, 8, ""), BitField::new("high", 16, 16, "").signed()];

    /// A field of every type that has a size, plain and with names.
    fn fields() -> Vec<Field> {
        let types = [
            Ty::U8,
            Ty::I8,
            Ty::U16,
            Ty::I16,
            Ty::U32,
            Ty::I32,
            Ty::U64,
            Ty::F32,
            Ty::Word,
            Ty::Word64,
            Ty::Guid,
            Ty::Uuid,
            Ty::Hash128,
            Ty::Array(&Ty::F32, 3),
            Ty::Array(&Ty::I16, 4),
        ];
        let plain = types.into_iter().map(|ty| Field::new("plain", ty, ""));
        let word = Field::new("word", Ty::Word, "");
        let named = [
            word.unit(crate::field::ARGB),
            word.bits(&[(1, "one"), (4, "four")]).parts(&PARTS),
            Field::new("kind", Ty::I32, "").values(&[(-1, "none"), (7, "seven")]),
        ];
        plain.chain(named).chain(packed()).collect()
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(bytes in any::<[u8; 16]>()) {
            for field in fields() {
                let bytes = &bytes[..field.ty.size().unwrap() as usize];
                let value = field.ty.decode(bytes);
                prop_assert_eq!(&field.encode(&value, &[]).unwrap(), bytes);
                // Text does not say which kind of no number is meant.
                let text = value.to_string();
                if !text.contains("NaN") {
                    let read = field.parse(&text).unwrap();
                    prop_assert_eq!(field.encode(&read, &[]).unwrap(), bytes, "{}", text);
                }
                #[cfg(feature = "json")]
                {
                    let pages = crate::text::CodePages::utf8();
                    let json = field.to_json(&value, &pages);
                    let read = field.from_json(&json).unwrap();
                    prop_assert_eq!(field.encode(&read, &[]).unwrap(), bytes, "{}", json);
                }
            }
        }

        #[test]
        fn what_a_packed_word_means_is_read_again(bytes in any::<[u8; 4]>()) {
            for field in packed() {
                let bytes = &bytes[..field.ty.size().unwrap() as usize];
                let value = field.ty.decode(bytes);
                if let Some(meaning) = field.meaning(&value) {
                    prop_assert_eq!(field.encode(&meaning.as_ref().into(), &[]).unwrap(), bytes, "{}", meaning);
                }
            }
        }

        #[test]
        fn nothing_that_is_typed_ends_in_a_panic(text in "[-+#|: ,a-z0-9x\\[\\]]{0,24}") {
            for field in fields() {
                let old = [0; 4];
                if let Ok(bytes) = field.encode(&text.as_str().into(), &old) {
                    prop_assert_eq!(bytes.len(), field.ty.size().unwrap() as usize);
                }
                let _ = field.encode_part(&text, &text.as_str().into(), &old);
            }
        }
    }
}
