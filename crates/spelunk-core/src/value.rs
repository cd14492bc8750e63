//! Values of fields as people write them: numbers, names, colours, GUIDs.

use crate::field::{ARGB, Field, Ty, Val};

impl Field {
    /// The bytes that store `value`. Text is taken for the number that it is written as, decimal or with `0x`, for the
    /// name of a value or a GUID, for names of bits with `|` between them, or for a colour (`#rrggbb`, `#aarrggbb`). `None`
    /// where it is none of the type, or does not fit it, and for types that are no single value.
    pub fn encode(&self, value: &Val<'_>) -> Option<Vec<u8>> {
        match self.ty {
            Ty::Array(item, _) | Ty::Rest(item) => self.encode_as(*item, value),
            ty => self.encode_as(ty, value),
        }
    }

    fn encode_as(&self, ty: Ty, value: &Val<'_>) -> Option<Vec<u8>> {
        if let (Ty::Bytes, Val::Str(text)) = (ty, value) {
            return hex(text);
        }
        if let (Ty::Bytes | Ty::Text, Val::Bytes(bytes) | Val::Text(bytes)) = (ty, value) {
            return Some(bytes.to_vec());
        }
        if let Ty::F32 = ty {
            let number = match value {
                Val::F(number) => *number,
                Val::U(number) => *number as f32,
                Val::I(number) => *number as f32,
                Val::Str(text) => text.trim().parse().ok()?,
                _ => return None,
            };
            return Some(number.to_le_bytes().to_vec());
        }
        if let Ty::Guid = ty {
            let [d1, d2] = match value {
                Val::Guid(d1, d2) => [*d1, *d2],
                Val::Str(text) => match guid(text) {
                    Some(words) => words,
                    None => (self.guids?.guid)(text.trim())?,
                },
                _ => return None,
            };
            return Some([d1.to_le_bytes(), d2.to_le_bytes()].concat());
        }
        let number = self.number(value)?;
        let size = ty.size().filter(|size| *size <= 8)? as usize;
        let bits = (size as u32).checked_mul(8)?;
        let signed = matches!(ty, Ty::I8 | Ty::I16 | Ty::I32);
        let half = 1_i128.checked_shl(bits.checked_sub(1)?)?;
        let whole = half.checked_mul(2)?;
        let (low, high) = if signed { (half.checked_neg()?, half) } else { (0, whole) };
        let fits = (low..high).contains(&number);
        fits.then(|| number.to_le_bytes().get(..size).map(<[u8]>::to_vec)).flatten()
    }

    /// What is expected of a value, for messages: the type, and the names that are known.
    pub fn expected(&self) -> String {
        /// The most names that a message can bear.
        const NAMES: usize = 12;
        let what = match self.ty {
            Ty::Guid => "a GUID",
            Ty::Bytes => "bytes in hexadecimal",
            Ty::F32 => "a number",
            _ if self.unit == ARGB => "a colour, as #rrggbb",
            _ => "a whole number",
        };
        let values = self.values.iter().map(|(_, name)| name);
        let names: Vec<String> = values
            .chain(self.bits.iter().map(|(_, name)| name))
            .map(|name| format!("`{name}`"))
            .collect();
        match names.get(..NAMES) {
            _ if names.is_empty() => what.to_owned(),
            None => format!("{what} or {}", names.join(", ")),
            Some(first) => format!("{what} or {} and more", first.join(", ")),
        }
    }

    /// The whole number that a value is, of any size; text as [`Field::encode`] takes it. `None` where it is none.
    pub fn number(&self, value: &Val<'_>) -> Option<i128> {
        Some(match value {
            Val::Bool(value) => (*value).into(),
            Val::U(value) | Val::Word64(value) | Val::Ref(value, _) => (*value).into(),
            Val::I(value) => (*value).into(),
            Val::Word(value) => (*value).into(),
            Val::Str(text) => {
                let text = text.trim();
                match integer(text) {
                    Some(number) => number,
                    None => self.by_name(text)?,
                }
            }
            _ => return None,
        })
    }

    /// The number of a name, or of several bits.
    fn by_name(&self, text: &str) -> Option<i128> {
        if let Some(digits) = text.strip_prefix('#').filter(|_| self.unit == ARGB) {
            return color(digits).map(Into::into);
        }
        let same = |name: &str| name.eq_ignore_ascii_case(text);
        if let Some((number, _)) = self.values.iter().find(|(_, name)| same(name)) {
            return Some((*number).into());
        }
        let mut all = 0_u32;
        for part in text.split('|').map(str::trim) {
            let bit = self.bits.iter().find(|(_, name)| name.eq_ignore_ascii_case(part));
            all |= match bit {
                Some((mask, _)) => *mask,
                None => u32::try_from(integer(part)?).ok()?,
            };
        }
        Some(all.into())
    }
}

/// A colour of six or eight hexadecimal digits. With six it is opaque.
fn color(digits: &str) -> Option<u32> {
    let word = u32::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'))?;
    match digits.len() {
        6 => Some(word | 0xFF00_0000),
        8 => Some(word),
        _ => None,
    }
}

/// A whole number, decimal or in hexadecimal digits behind `0x`, with a `-` before it where it is negative.
pub fn integer(text: &str) -> Option<i128> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text),
    };
    let number: i128 = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok()?.into(),
        None => digits.parse::<u64>().ok()?.into(),
    };
    number.checked_mul(sign)
}

/// Two words of eight hexadecimal digits with `-` between them.
fn guid(text: &str) -> Option<[u32; 2]> {
    let (d1, d2) = text.trim().split_once('-')?;
    let word = |digits: &str| match digits.len() {
        8 => u32::from_str_radix(digits, 16).ok(),
        _ => None,
    };
    Some([word(d1)?, word(d2)?])
}

/// Bytes as pairs of hexadecimal digits.
fn hex(text: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let byte = |pair: &[u8; 2]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    if rest.is_empty() { pairs.iter().map(byte).collect() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(field: Field, text: &str) -> Option<Vec<u8>> {
        field.encode(&Val::from(text))
    }

    #[test]
    fn numbers_have_the_range_of_their_type() {
        let of = |ty, text| stored(Field::new("n", ty, ""), text);
        assert_eq!(of(Ty::U8, "255"), Some(vec![255]));
        assert_eq!(of(Ty::U8, "256"), None);
        assert_eq!(of(Ty::U8, "-1"), None);
        assert_eq!(of(Ty::I8, "-128"), Some(vec![128]));
        assert_eq!(of(Ty::I16, "-32769"), None);
        assert_eq!(of(Ty::I32, "-1"), Some(vec![255; 4]));
        assert_eq!(of(Ty::Word, "0xff00ff00"), Some(vec![0, 255, 0, 255]));
        assert_eq!(of(Ty::U64, "18446744073709551615"), Some(vec![255; 8]));
        assert_eq!(of(Ty::U32, "--1"), None);
        assert_eq!(of(Ty::U32, "1.5"), None);
        assert_eq!(of(Ty::F32, "1.5"), Some(1.5_f32.to_le_bytes().to_vec()));
        assert_eq!(of(Ty::Array(&Ty::U16, 3), "7"), Some(vec![7, 0]));
    }

    #[test]
    fn colors() {
        let field = Field::new("diffuse", Ty::Word, "").unit(ARGB);
        for (text, word) in [
            ("#ff8000", Some(0xFFFF_8000_u32)),
            ("#80FF8000", Some(0x80FF_8000)),
            ("0x80ff8000", Some(0x80FF_8000)),
            ("#ff800", None),
            ("#+f8000", None),
        ] {
            let bytes = word.map(|word| word.to_le_bytes().to_vec());
            assert_eq!(stored(field, text), bytes, "{text}");
        }
        assert_eq!(stored(Field::new("flags", Ty::Word, ""), "#ff8000"), None);
        let meaning = |word| field.meaning(&Val::Word(word));
        assert_eq!(meaning(0xFFFF_8000).as_deref(), Some("#ff8000"));
        assert_eq!(meaning(0x00FF_8000).as_deref(), Some("#00ff8000"));
    }

    #[test]
    fn names_guids_and_bytes() {
        let kinds = Field::new("kind", Ty::U32, "").values(&[(2, "spot")]);
        assert_eq!(stored(kinds, "Spot"), Some(vec![2, 0, 0, 0]));
        assert_eq!(stored(kinds, "sport"), None);
        let flags = Field::new("flags", Ty::Word, "").bits(&[(1, "active"), (8, "looped")]);
        assert_eq!(stored(flags, "active | looped|0x100"), Some(vec![9, 1, 0, 0]));
        let guid = Field::new("guid", Ty::Guid, "");
        assert_eq!(stored(guid, "00000001-0000000a"), Some(vec![1, 0, 0, 0, 10, 0, 0, 0]));
        assert_eq!(stored(guid, "1-a"), None);
        let bytes = Field::new("bytes", Ty::Bytes, "");
        assert_eq!(stored(bytes, "00fF"), Some(vec![0, 255]));
        assert_eq!(stored(bytes, "0"), None);
    }
}
