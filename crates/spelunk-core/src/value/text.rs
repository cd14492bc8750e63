//! Values as people write them: numbers, names, flags, colours, GUIDs, lists.

use super::{
    digits::{digits_128, guid, hex, integer, unsigned},
    listed,
    part::word_in,
    same_name, with_near,
};
use crate::{
    codes,
    error::{Error, Result, Seg},
    field::{ARGB, Field, Ty, Val},
};
use std::ops::RangeInclusive;

impl Field {
    /// Reads a value as people write it.
    ///
    /// * Whole numbers are decimal, or hexadecimal behind `0x`. Other numbers are rounded to the nearest one of 32 bits; what
    ///   is beyond all of these is refused.
    /// * A value that has a name can be named, and flags are names with `|` between them (`active | looped`), beside which
    ///   numbers may stand. Case makes no difference, and `_` or `-` may stand for a blank.
    /// * A part of a packed word has its name and a colon before its value: `z_function: less`. Where only one part has a
    ///   value of a name, the name alone will do.
    /// * Colours are `#rrggbb`, which is opaque, or `#aarrggbb`.
    /// * GUIDs are two words of eight hexadecimal digits with `-` between them, or a name that one GUID alone has. UUIDs and
    ///   hashes are 32 hexadecimal digits, bytes pairs of them.
    /// * The unit that is printed behind a value may stand there: `250 ms`.
    /// * Items of arrays have commas between them, or blanks where they have no names: `1,2,3`.
    ///
    /// ```
    /// use spelunk_core::{Field, Ty, Val};
    ///
    /// let option = Field::new("option", Ty::U8, "").bits(&[(1, "stackable"), (4, "quest item")]);
    /// assert_eq!(option.parse("stackable | Quest_Item")?, Val::U(5));
    /// let error = option.parse("stakable").unwrap_err();
    /// assert_eq!(error.found_value(), &Val::from("`stakable` (near it: `stackable`)"));
    /// # Ok::<(), spelunk_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`VALUE`](codes::VALUE), which says what is expected and which known names are near; for flags with `+` or `-` before
    /// them too, which [`Field::encode`] alone can take.
    pub fn parse(&self, text: &str) -> Result<Val<'static>> {
        self.read(text, None)
    }

    /// The bytes that store `value`. Text is read as [`Field::parse`] does; with `+` or `-` before each of its names
    /// (`+active | -looped`) it changes the flags that are in `old`, the bytes that store the field so far. Text of a code
    /// page is for who knows the page.
    ///
    /// # Errors
    /// [`VALUE`](codes::VALUE) where it is no value of the type, or does not fit it.
    pub fn encode(&self, value: &Val<'_>, old: &[u8]) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.encode_into(value, old, &mut bytes)?;
        Ok(bytes)
    }

    /// As [`Field::encode`], behind what is in `out`, which may have a part of the value where that is refused.
    ///
    /// # Errors
    /// Those of [`Field::encode`].
    pub fn encode_into(&self, value: &Val<'_>, old: &[u8], out: &mut Vec<u8>) -> Result<()> {
        match (self.ty, value) {
            (Ty::Text | Ty::Str, _) => {}
            (_, Val::Str(text)) => {
                let old = word_in(old).filter(|_| !old.is_empty());
                return self.encode_into(&self.read(text, old)?, &[], out);
            }
            (Ty::Array(..) | Ty::Rest(_), Val::List(items)) => {
                return self.encode_items(items, out);
            }
            _ => {}
        }
        self.stored(value, out).ok_or_else(|| self.misfit(value))
    }

    fn encode_items(&self, items: &[Val<'_>], out: &mut Vec<u8>) -> Result<()> {
        if let Ty::Array(_, count) = self.ty
            && items.len() != count as usize
        {
            let error = Error::new(&codes::VALUE).expected(self.expected());
            return Err(error.found(format!("{} values", items.len())));
        }
        let field = self.item();
        for (nth, item) in items.iter().enumerate() {
            let item = field.encode_into(item, &[], out);
            item.map_err(|error| error.within(Seg::Index(nth as u64)))?;
        }
        Ok(())
    }

    /// Appends the bytes of a value that is of the type.
    fn stored(&self, value: &Val<'_>, out: &mut Vec<u8>) -> Option<()> {
        match (self.ty, value) {
            (Ty::Bytes | Ty::Text, Val::Bytes(bytes) | Val::Text(bytes)) => out.extend(&**bytes),
            (Ty::F32, Val::F(number)) => out.extend(number.to_le_bytes()),
            (Ty::F32, Val::U(number)) => out.extend((*number as f32).to_le_bytes()),
            (Ty::F32, Val::I(number)) => out.extend((*number as f32).to_le_bytes()),
            (Ty::Guid, Val::Guid(d1, d2)) => {
                out.extend([d1.to_le_bytes(), d2.to_le_bytes()].as_flattened());
            }
            (Ty::Uuid, Val::Uuid(bytes)) => out.extend(bytes),
            (Ty::Hash128, Val::Hash(high, low)) => {
                out.extend([high.to_le_bytes(), low.to_le_bytes()].as_flattened());
            }
            (ty, value) => {
                let number = number(value)?;
                ty.holds(number)?;
                let size = ty.size()? as usize;
                out.extend(number.to_le_bytes().get(..size)?);
            }
        }
        Some(())
    }

    /// The whole number that a value is, of any size; text as [`Field::parse`] takes it.
    ///
    /// # Errors
    /// [`VALUE`](codes::VALUE) where it is none.
    pub fn number(&self, value: &Val<'_>) -> Result<i128> {
        let wrong = || self.misfit(value);
        match value {
            Val::Str(text) => match integer(text.trim()) {
                Some(number) => Ok(number),
                None => number(&self.parse(text)?).ok_or_else(wrong),
            },
            value => number(value).ok_or_else(wrong),
        }
    }

    fn read(&self, text: &str, old: Option<u32>) -> Result<Val<'static>> {
        if let Ty::Text | Ty::Str = self.ty {
            return Ok(Val::from(text.to_owned()));
        }
        let text = self.without_unit(text.trim());
        let value = match self.ty {
            Ty::Bytes => hex(text).map(Val::from),
            Ty::Bool => boolean(text).map(Val::Bool),
            Ty::F32 => float(text).map(Val::F),
            Ty::Guid => {
                let words = guid(text).or_else(|| (self.guids?.guid)(text));
                words.map(|[d1, d2]| Val::Guid(d1, d2))
            }
            Ty::Uuid => digits_128(text).map(|number| Val::Uuid(number.to_be_bytes())),
            Ty::Hash128 => {
                digits_128(text).map(|number| Val::Hash((number >> 64) as u64, number as u64))
            }
            Ty::Array(..) | Ty::Rest(_) => return self.read_items(text),
            ty => {
                let number = match integer(text).filter(|_| !self.is_change(text)) {
                    Some(number) => number,
                    None => self.read_names(text, old)?,
                };
                ty.holds(number)
            }
        };
        value.ok_or_else(|| self.unreadable(text))
    }

    /// A text without the unit that is printed behind values.
    fn without_unit<'t>(&self, text: &'t str) -> &'t str {
        let unit = Some(self.unit).filter(|unit| !unit.is_empty());
        let number = unit.and_then(|unit| text.strip_suffix(unit));
        number.filter(|rest| rest.ends_with(char::is_whitespace)).map_or(text, str::trim_end)
    }

    /// The items of a text that is a list, in brackets or not: with commas between them, or blanks where no item can have a
    /// name with one.
    pub fn split<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        let text = text.trim();
        let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
        let is_named = !self.values.is_empty() || self.is_packed() || self.guids.is_some();
        let items = inner.split(move |c: char| c == ',' || c.is_whitespace() && !is_named);
        items.map(str::trim).filter(|item| !item.is_empty())
    }

    fn read_items(&self, text: &str) -> Result<Val<'static>> {
        let field = self.item();
        let items: Result<Vec<Val<'static>>> = self.split(text).map(|it| field.parse(it)).collect();
        let items = items?;
        match self.ty {
            Ty::Array(_, count) if items.len() != count as usize => Err(self.unreadable(text)),
            _ => Ok(Val::List(items)),
        }
    }

    /// Whether a text that begins with a sign changes the flags that are there. A negative number of a signed field is that
    /// number, since values are printed so.
    fn is_change(&self, text: &str) -> bool {
        let is_signed = matches!(self.ty, Ty::I8 | Ty::I16 | Ty::I32);
        let is_number = is_signed && integer(text).is_some();
        self.is_packed() && text.starts_with(['+', '-']) && !is_number
    }

    /// The number of a colour, of a name, or of flags and parts.
    fn read_names(&self, text: &str, old: Option<u32>) -> Result<i128> {
        if let Some(digits) = text.strip_prefix('#').filter(|_| self.unit == ARGB) {
            return color(digits).map(Into::into).ok_or_else(|| self.unreadable(text));
        }
        if let Some((number, _)) = self.values.iter().find(|(_, name)| same_name(name, text)) {
            return Ok((*number).into());
        }
        let is_change = self.is_change(text);
        let mut word = match (is_change, old) {
            (false, _) => 0,
            (true, Some(old)) => old,
            (true, None) => return Err(self.unreadable(text)),
        };
        for term in text.split('|').map(str::trim) {
            let (set, name) = match (is_change, term.strip_prefix('+'), term.strip_prefix('-')) {
                (false, ..) => (true, term),
                (true, Some(name), _) => (true, name),
                (true, None, Some(name)) => (false, name),
                (true, None, None) => {
                    let error = Error::new(&codes::VALUE);
                    return Err(error
                        .expected("+ or - before all flags, or before none")
                        .found(format!("`{text}`")));
                }
            };
            word = self.with_term(word, set, name.trim())?;
        }
        Ok(self.signed(word).map_or(word.into(), Into::into))
    }

    /// The negative number whose bits a word has, where the type has such numbers and these bits alone are in it: as they are
    /// stored, or with the sign in all bits above. `None` for any other word.
    fn signed(&self, word: u32) -> Option<i32> {
        let unused = match self.ty {
            Ty::I8 => 24,
            Ty::I16 => 16,
            Ty::I32 => 0,
            _ => return None,
        };
        let above = word.cast_signed().unbounded_shl(unused).unbounded_shr(unused);
        let stored = above.cast_unsigned().unbounded_shl(unused).unbounded_shr(unused);
        (above < 0 && [stored, above.cast_unsigned()].contains(&word)).then_some(above)
    }

    /// The word with a flag set or cleared, or with a part that is another number.
    fn with_term(&self, word: u32, set: bool, term: &str) -> Result<u32> {
        if set
            && let Some((name, value)) = term.split_once(':')
            && let Some(part) = self.part(name.trim())
        {
            return part.set(word, &Val::from(value.trim()));
        }
        let number = || integer(term).and_then(|number| u32::try_from(number).ok());
        if let Some(mask) = self.flag(term).or_else(number) {
            return Ok(if set { word | mask } else { word & !mask });
        }
        let has = |values: &[(i64, &str)]| values.iter().any(|(_, name)| same_name(name, term));
        let mut with = self.parts.iter().filter(|part| has(part.field.values));
        match (with.next(), with.next()) {
            (Some(part), None) if set => part.set(word, &Val::from(term)),
            _ => Err(self.unreadable(term)),
        }
    }

    /// Whether a value means yes: a boolean, 0 or 1, or `true`, `yes`, `on`, `false`, `no`, `off` as text.
    ///
    /// # Errors
    /// [`VALUE`](codes::VALUE) for anything else.
    pub fn boolean(&self, value: &Val<'_>) -> Result<bool> {
        match value {
            Val::Bool(value) => Ok(*value),
            Val::Str(text) => boolean(text.trim()).ok_or_else(|| self.unreadable(text)),
            value => match number(value) {
                Some(0) => Ok(false),
                Some(1) => Ok(true),
                _ => Err(self.misfit(value)),
            },
        }
    }

    /// Expectation of a value, for messages: its type, and the names that are known.
    pub fn expected(&self) -> String {
        self.expected_in(self.ty.range())
    }

    /// The same for whole numbers of another range than that of the type.
    pub(super) fn expected_in(&self, range: Option<RangeInclusive<i64>>) -> String {
        let what = match (self.ty, range) {
            (Ty::Guid, _) if self.guids.is_some() => "a GUID, or the name of one".to_owned(),
            (Ty::Guid, _) => {
                "two words of eight hexadecimal digits with `-` between them".to_owned()
            }
            (Ty::Uuid | Ty::Hash128, _) => "32 hexadecimal digits".to_owned(),
            (Ty::Bytes, _) => "bytes in hexadecimal".to_owned(),
            (Ty::Bool, _) => "true or false".to_owned(),
            (Ty::Text | Ty::Str, _) => "a text".to_owned(),
            (Ty::F32, _) => "a number".to_owned(),
            (Ty::Array(_, count), _) => {
                return format!(
                    "{count} values with commas between them, each {}",
                    self.item().expected()
                );
            }
            (Ty::Rest(_), _) => {
                return format!("values with commas between them, each {}", self.item().expected());
            }
            _ if self.unit == ARGB => "a colour, as #rrggbb or #aarrggbb".to_owned(),
            (_, Some(range)) => format!("a whole number from {} to {}", range.start(), range.end()),
            (ty, None) => format!("a whole number of {} bytes", ty.size().unwrap_or_default()),
        };
        let values: Vec<&str> = self.values.iter().map(|(_, name)| *name).collect();
        let flags: Vec<&str> = self.bits.iter().map(|(_, name)| *name).collect();
        let parts: Vec<String> =
            self.parts.iter().map(|part| format!("{}: VALUE", part.field.name)).collect();
        let parts: Vec<&str> = flags.into_iter().chain(parts.iter().map(String::as_str)).collect();
        match (listed(&values), listed(&parts)) {
            (None, None) => what,
            (Some(values), None) => format!("{what}, or one of {values}"),
            (None, Some(parts)) => format!("{what}, or {parts} with | between them"),
            (Some(values), Some(parts)) => {
                format!("{what}, or one of {values}, or {parts} with | between them")
            }
        }
    }

    /// The error of a text that is no value.
    #[cold]
    fn unreadable(&self, text: &str) -> Error {
        let values = self.values.iter().map(|(_, name)| *name);
        let flags = self.bits.iter().map(|(_, name)| *name);
        let parts = self.parts.iter().flat_map(|part| {
            [part.field.name].into_iter().chain(part.field.values.iter().map(|(_, name)| *name))
        });
        let names = values.chain(flags).chain(parts);
        Error::new(&codes::VALUE).expected(self.expected()).found(with_near(text, names))
    }

    /// The error of a value that is none of the field.
    #[cold]
    pub fn misfit(&self, value: &Val<'_>) -> Error {
        match value {
            Val::Str(text) => self.unreadable(text),
            Val::None => Error::new(&codes::VALUE).expected(self.expected()).found("nothing"),
            Val::List(items) => {
                let error = Error::new(&codes::VALUE).expected(self.expected());
                error.found(format!("{} values", items.len()))
            }
            value => {
                Error::new(&codes::VALUE).expected(self.expected()).found(format!("`{value}`"))
            }
        }
    }
}

impl Ty {
    /// The value that a whole number is in this type; `None` where it does not fit, or the type is none of numbers.
    fn holds(self, number: i128) -> Option<Val<'static>> {
        if let Some(range) = self.range() {
            let number = i64::try_from(number).ok().filter(|number| range.contains(number))?;
            return Some(match u64::try_from(number) {
                Ok(number) if *range.start() == 0 => Val::U(number),
                _ => Val::I(number),
            });
        }
        match self {
            Ty::U64 => u64::try_from(number).ok().map(Val::U),
            Ty::Word => u32::try_from(number).ok().map(Val::Word),
            Ty::Word64 => u64::try_from(number).ok().map(Val::Word64),
            _ => None,
        }
    }
}

/// The whole number that a value is which is no text.
fn number(value: &Val<'_>) -> Option<i128> {
    Some(match value {
        Val::Bool(value) => (*value).into(),
        Val::U(value) | Val::Word64(value) | Val::Ref(value, _) => (*value).into(),
        Val::I(value) => (*value).into(),
        Val::Word(value) => (*value).into(),
        _ => return None,
    })
}

fn boolean(text: &str) -> Option<bool> {
    const WORDS: [(bool, [&str; 4]); 2] =
        [(true, ["true", "yes", "on", "1"]), (false, ["false", "no", "off", "0"])];
    let is = |words: &[&str]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
    WORDS.iter().find(|(_, words)| is(words)).map(|(value, _)| *value)
}

/// A colour of six or eight hexadecimal digits. With six it is opaque.
fn color(digits: &str) -> Option<u32> {
    let word = unsigned(digits, 16).and_then(|word| u32::try_from(word).ok())?;
    match digits.len() {
        6 => Some(word | 0xFF00_0000),
        8 => Some(word),
        _ => None,
    }
}

/// The nearest number of 32 bits. Digits that only infinity would be near are no number; infinity has a name of its own.
fn float(text: &str) -> Option<f32> {
    let is_named = !text.contains(|c: char| c.is_ascii_digit());
    text.parse().ok().filter(|number: &f32| is_named || number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BitField;

    fn stored(field: Field, text: &str) -> Option<Vec<u8>> {
        field.encode(&Val::from(text), &[]).ok()
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
        for text in ["+1", "0x+5", "-+1", "-0x+1", "+0x5"] {
            for ty in [Ty::U8, Ty::I32, Ty::Word, Ty::Word64] {
                assert_eq!(of(ty, text), None, "{text}");
            }
        }
    }

    #[test]
    fn numbers_beyond_those_of_32_bits_are_refused() {
        let of = |text| stored(Field::new("n", Ty::F32, ""), text);
        assert_eq!(of("3.4028235e38"), Some(f32::MAX.to_le_bytes().to_vec()));
        assert_eq!(of("16777217"), Some(16_777_216_f32.to_le_bytes().to_vec()), "rounded");
        assert_eq!(of("-inf"), Some(f32::NEG_INFINITY.to_le_bytes().to_vec()));
        for text in ["1e39", "-3.5e38", "1e999"] {
            assert_eq!(of(text), None, "{text}");
        }
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
        assert_eq!(stored(guid, "+0000001-0000000a"), None);
        let bytes = Field::new("bytes", Ty::Bytes, "");
        assert_eq!(stored(bytes, "00fF"), Some(vec![0, 255]));
        assert_eq!(stored(bytes, "0"), None);
        assert_eq!(stored(bytes, "+f"), None);
        let id = Field::new("id", Ty::Uuid, "");
        assert_eq!(
            stored(id, "00010203-0405-0607-0809-0a0b0c0d0e0f"),
            Some((0..16).collect::<Vec<u8>>())
        );
        for text in ["00010203", "0001-02030405-0607-0809-0a0b0c0d0e0f", "+0010203040506070809"] {
            assert_eq!(stored(id, text), None, "{text}");
        }
    }

    #[test]
    fn items_of_arrays() {
        let vector = Field::new("position", Ty::Array(&Ty::F32, 3), "");
        let bytes = [1.0_f32, 2.5, -3.0].map(f32::to_le_bytes).concat();
        for text in ["1,2.5,-3", "1 2.5 -3", "[1, 2.5, -3]"] {
            assert_eq!(stored(vector, text).as_ref(), Some(&bytes), "{text}");
        }
        assert_eq!(vector.encode(&Val::from([1.0_f32, 2.5, -3.0]), &[]).unwrap(), bytes);
        let error = vector.parse("1,2").unwrap_err().message();
        let expected = "expected 3 values with commas between them, each a number, found `1,2`";
        assert!(error.ends_with(expected), "{error}");
        let flags = Field::new("flags", Ty::Array(&Ty::U8, 2), "").bits(&[(2, "not sold")]);
        assert_eq!(stored(flags, "not sold,0"), Some(vec![2, 0]));
    }

    #[test]
    fn flags_are_set_and_cleared_beside_those_that_are_there() {
        let flags = Field::new("option", Ty::U8, "").bits(&[(1, "stackable"), (4, "quest item")]);
        let changed = |text: &str, old: u8| flags.encode(&Val::from(text), &[old]).ok();
        assert_eq!(changed("+stackable", 4), Some(vec![5]));
        assert_eq!(changed("-Quest-Item", 0x85), Some(vec![0x81]));
        assert_eq!(changed("-quest item | +0x10", 5), Some(vec![0x11]));
        assert_eq!(changed("+16", 5), Some(vec![0x15]));
        assert_eq!(changed("+0x10", 5), Some(vec![0x15]));
        assert_eq!(changed("-4 | +2", 5), Some(vec![3]));
        assert_eq!(changed("-1", 5), Some(vec![4]));
        assert_eq!(changed("+256", 5), None);
        assert_eq!(changed("+stackable | quest item", 4), None);
        assert_eq!(flags.parse("+16").ok(), None, "nothing is there to be changed");
        let plain = Field::new("count", Ty::U8, "");
        assert_eq!(plain.encode(&Val::from("+16"), &[5]).ok(), None, "a number has no flags");
        assert_eq!(flags.parse("+stackable").ok(), None, "nothing is there to be changed");
        // A negative number stays a number.
        let signed = Field::new("level", Ty::I8, "").bits(&[(1, "one")]);
        assert_eq!(signed.parse("-1").unwrap(), Val::I(-1));
        assert_eq!(signed.encode(&Val::from("-1"), &[1]).unwrap(), [255]);
        assert_eq!(signed.encode(&Val::from("+2"), &[0x81]).unwrap(), [0x83]);
        assert_eq!(signed.encode(&Val::from("-one"), &[0x81]).unwrap(), [0x80]);
        assert_eq!(signed.parse("0x81").ok(), None, "a number that is beyond the type");
    }

    static PARTS: [BitField; 3] = [
        BitField::new("kind", 0, 3, "").values(&[(0, "none"), (2, "spot")]),
        BitField::new("level", 8, 8, "").values(&[(0, "low"), (9, "high")]),
        BitField::new("shift", 16, 16, "").signed(),
    ];

    #[test]
    fn parts_are_set_one_by_one() {
        let field = Field::new("state", Ty::Word, "").bits(&[(8, "looped")]).parts(&PARTS);
        let word = |text: &str| field.parse(text).ok();
        assert_eq!(word("kind: spot | looped | level: 7"), Some(Val::Word(0x70A)));
        assert_eq!(word("spot|high | shift: -1"), Some(Val::Word(0xFFFF_0902)));
        assert_eq!(word("kind: 8"), None, "it has three bits");
        assert_eq!(word("kind: high"), None);
        let old = 0xFFFE_0903_u32.to_le_bytes();
        let set = |part: &str, value: Val<'_>| {
            let bytes = field.encode_part(part, &value, &old).ok()?;
            Some(u32::from_le_bytes(bytes.try_into().unwrap()))
        };
        assert_eq!(set("looped", true.into()), Some(0xFFFE_090B));
        assert_eq!(set("Looped", "no".into()), Some(0xFFFE_0903));
        assert_eq!(set("kind", "spot".into()), Some(0xFFFE_0902));
        assert_eq!(set("level", 255_u8.into()), Some(0xFFFE_FF03));
        assert_eq!(set("level", 256_u16.into()), None);
        assert_eq!(set("shift", Val::I(5)), Some(0x0005_0903));
        let error = field.encode_part("kind", &8_u8.into(), &old).unwrap_err().message();
        assert!(error.contains("from 0 to 7, or one of `none`, `spot`, found `8`"), "{error}");
        for old in [&[][..], &old[..2]] {
            let error = field.encode_part("kind", &2_u8.into(), old).unwrap_err();
            assert_eq!(error.code(), &codes::VALUE, "{old:?}");
        }
        let error = field.encode_part("lopped", &true.into(), &old).unwrap_err();
        assert!(error.message().ends_with("found `lopped` (near it: `looped`)"), "{error}");
        let text = "+looped | +kind: none";
        assert_eq!(field.encode(&Val::from(text), &old).unwrap(), 0xFFFE_0908_u32.to_le_bytes());
    }

    #[test]
    fn meanings_are_values() {
        let field = Field::new("state", Ty::Word, "").bits(&[(8, "looped")]).parts(&PARTS);
        for word in [0, 8, 0x90A, 0xFFFF_0002, 0x8000_FF09] {
            let meaning = field.meaning(&Val::Word(word)).unwrap();
            assert_eq!(field.parse(&meaning).unwrap(), Val::Word(word), "{meaning}");
        }
        let meaning = field.meaning(&Val::Word(0xFFFF_0008)).unwrap();
        assert_eq!(meaning, "looped | kind: none | level: low | shift: -1");
    }
}
