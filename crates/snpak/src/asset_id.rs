//! Asset ids as text.

use crate::codes;
use spelunk_core::{Error, Result, Val, scalar::Uuid, value::digits_128};
use std::{fmt, str::FromStr};

/// An asset id: 16 bytes in the order of their text. It is read in any form, with or without dashes and braces and in
/// either case, and printed with dashes in lower case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct AssetId(pub [u8; 16]);

impl AssetId {
    /// Reads an id in any of its forms.
    pub fn parse(text: &str) -> Option<AssetId> {
        digits_128(text).map(|number| AssetId(number.to_be_bytes()))
    }
}

impl FromStr for AssetId {
    type Err = Error;

    fn from_str(text: &str) -> Result<AssetId> {
        AssetId::parse(text).ok_or_else(|| {
            Error::new(&codes::BAD_ID)
                .expected("32 hexadecimal digits, with or without dashes and braces")
                .found(format!("`{text}`"))
        })
    }
}

impl fmt::Display for AssetId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Val::Uuid(self.0).fmt(f)
    }
}

impl From<[u8; 16]> for AssetId {
    fn from(bytes: [u8; 16]) -> AssetId {
        AssetId(bytes)
    }
}

impl From<Uuid> for AssetId {
    fn from(uuid: Uuid) -> AssetId {
        AssetId(uuid.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_in_every_form() {
        let id = AssetId([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
        for text in [
            "00010203-0405-0607-0809-0a0b0c0d0e0f",
            "{00010203-0405-0607-0809-0A0B0C0D0E0F}",
            "000102030405060708090a0b0c0d0e0f",
        ] {
            assert_eq!(text.parse::<AssetId>().unwrap(), id, "{text}");
        }
        assert_eq!(id.to_string(), "00010203-0405-0607-0809-0a0b0c0d0e0f");
        for text in ["", "{}", "+0010203-0405-0607-0809-0a0b0c0d0e0f", "00010203", "ä"] {
            assert_eq!(text.parse::<AssetId>().unwrap_err().code().id, codes::BAD_ID.id, "{text}");
        }
    }
}
