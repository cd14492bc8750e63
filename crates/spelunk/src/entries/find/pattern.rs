//! Patterns: what is looked for, in texts, in numbers, and in the names of values.

use crate::{
    Error, Field, Result, Ty, Val,
    core::field::ARGB,
    core::text::{CodePages, until_nul},
    core::value::{self, PartValue},
    open::codes,
};
use globset::{GlobBuilder, GlobMatcher};
use std::collections::HashMap;

/// A pattern: a part of a text, a glob that has to match the whole of it, or a number.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// In small letters.
    text: String,
    glob: Option<GlobMatcher>,
    number: Option<i128>,
    /// The number as files store one with a fraction.
    fraction: Option<f32>,
    /// Whether it may be found in hexadecimal digits, which GUIDs and hashes are shown as.
    in_digits: bool,
    whole: bool,
}

impl Pattern {
    /// Reads a pattern. `*`, `?` and `[` make it a glob; what is written as a number, decimal or with `0x`, is looked for as
    /// one too. Case makes no difference. With `whole` a text has to be the pattern and nothing more.
    ///
    /// # Errors
    /// [`BAD_PATTERN`](codes::core::BAD_PATTERN) for a glob that makes no sense, or an empty pattern.
    pub fn new(text: &str, whole: bool) -> Result<Pattern> {
        let bad = |why: String| Error::new(&codes::core::BAD_PATTERN).found(why);
        if text.is_empty() {
            return Err(bad("an empty pattern".to_owned()));
        }
        let glob = text.contains(['*', '?', '[']).then(|| {
            let mut glob = GlobBuilder::new(text);
            let glob = glob.case_insensitive(true).literal_separator(false).build();
            glob.map(|glob| glob.compile_matcher())
        });
        let lower = text.to_lowercase();
        Ok(Pattern {
            fraction: lower.parse().ok(),
            in_digits: lower.chars().all(|c| c.is_ascii_hexdigit() || c == '-'),
            text: lower,
            glob: glob.transpose().map_err(|error| bad(error.to_string()))?,
            number: value::integer(text),
            whole,
        })
    }

    /// Whether a text is what is looked for.
    pub(super) fn matches(&self, text: &str) -> bool {
        match &self.glob {
            Some(glob) => glob.is_match(text),
            // Nearly all texts, whose small letters are as many bytes.
            None if text.is_ascii() => match self.whole {
                true => text.eq_ignore_ascii_case(&self.text),
                false => {
                    text.len() >= self.text.len() && text.to_ascii_lowercase().contains(&self.text)
                }
            },
            None if self.whole => text.to_lowercase() == self.text,
            None => text.to_lowercase().contains(&self.text),
        }
    }

    /// Whether a value is what is looked for, apart from what it means.
    pub(super) fn matches_value(&self, value: &Val<'_>, pages: &CodePages) -> bool {
        let is_number = |number: i128| self.number == Some(number);
        match value {
            Val::None | Val::Bool(_) | Val::Bytes(_) | Val::List(_) => false,
            Val::U(number) | Val::Word64(number) => is_number((*number).into()),
            Val::I(number) => is_number((*number).into()),
            Val::Word(number) => is_number((*number).into()),
            Val::F(number) => self.fraction == Some(*number),
            Val::Ref(number, target) => {
                is_number((*number).into())
                    || target
                        .as_ref()
                        .is_some_and(|target| self.matches(&pages.show(until_nul(&target.name))))
            }
            Val::Text(bytes) => self.matches(&pages.show(until_nul(bytes))),
            Val::Str(text) => self.matches(text),
            Val::Guid(..) | Val::Uuid(_) | Val::Hash(..) => {
                self.may_match(Ty::Uuid) && self.matches(&value.to_string())
            }
        }
    }

    /// Whether a value of this type may be what is looked for, apart from what it means.
    pub(super) const fn may_match(&self, ty: Ty) -> bool {
        match ty {
            Ty::U8 | Ty::I8 | Ty::U16 | Ty::I16 | Ty::U32 | Ty::I32 | Ty::U64 => {
                self.number.is_some()
            }
            Ty::Word | Ty::Word64 => self.number.is_some(),
            Ty::F32 => self.fraction.is_some(),
            Ty::Guid | Ty::Uuid | Ty::Hash128 => self.in_digits || self.glob.is_some(),
            Ty::Bytes | Ty::Bool => false,
            Ty::Text | Ty::Str | Ty::Array(..) | Ty::Rest(_) => true,
        }
    }

    /// Whether the name of a value is what is looked for, or that of a part of a packed word.
    pub(super) fn matches_meaning(&self, field: &Field, value: &Val<'_>) -> bool {
        field.meaning(value).is_some_and(|meaning| self.matches(&meaning))
            || field.parts_of(value).filter(PartValue::is_set).any(|part| self.matches_part(&part))
    }

    /// Whether it is the name of a part of a packed word, that of its value, or both (`kind: spot`).
    fn matches_part(&self, part: &PartValue) -> bool {
        self.matches(part.name)
            || part.meaning().is_some_and(|meaning| self.matches(&meaning))
            || self.matches(&part.to_string())
    }
}

/// Fields whose values may have names that are looked for, each found out when the first value of the field is met.
#[derive(Debug)]
pub(super) struct FieldNames<'p> {
    pattern: &'p Pattern,
    /// By the addresses of the descriptions, which are there as long as the program runs.
    known: HashMap<*const Field, bool>,
    last: (*const Field, bool),
}

impl<'p> FieldNames<'p> {
    /// Nothing is known yet.
    pub(super) fn new(pattern: &'p Pattern) -> FieldNames<'p> {
        FieldNames { pattern, known: HashMap::new(), last: (std::ptr::null(), false) }
    }

    /// Whether a value of the field may mean what is looked for. Where it may not, no value of it does.
    pub(super) fn may_match(&mut self, field: &'static Field) -> bool {
        // Most fields have no names, which takes no table to know.
        let has_values = !field.values.is_empty() || field.guids.is_some();
        if !(has_values || field.is_packed() || field.unit == ARGB) {
            return false;
        }
        let key = std::ptr::from_ref(field);
        if self.last.0 != key {
            let pattern = self.pattern;
            let may = *self.known.entry(key).or_insert_with(|| pattern.may_name(field));
            self.last = (key, may);
        }
        self.last.1
    }
}

impl Pattern {
    /// Whether a value of the field may have a name that matches.
    fn may_name(&self, field: &Field) -> bool {
        if field.guids.is_some() || field.values.iter().any(|(_, name)| self.matches(name)) {
            return true;
        }
        let is_glob = self.glob.is_some();
        let is_digit = |c: char| c.is_ascii_hexdigit() || c == '#';
        if field.unit == ARGB && (is_glob || self.text.chars().all(is_digit)) {
            return true;
        }
        if !field.is_packed() {
            return false;
        }
        // Of a whole word the names and numbers of all parts are one text.
        let is_number = self.text.chars().all(|c| c.is_ascii_digit() || c == '-');
        is_glob
            || is_number
            || self.text.contains([' ', ':', '|'])
            || field.bits.iter().any(|(_, name)| self.matches(name))
            || field
                .parts
                .iter()
                .any(|part| self.matches(part.field.name) || self.may_name(&part.field))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::BitField;
    use proptest::prelude::*;

    /// What [`Pattern::matches`] says, with copies in small letters.
    fn matches(pattern: &Pattern, text: &str) -> bool {
        match (&pattern.glob, pattern.whole) {
            (Some(glob), _) => glob.is_match(text),
            (None, true) => text.to_lowercase() == pattern.text,
            (None, false) => text.to_lowercase().contains(&pattern.text),
        }
    }

    const KINDS: &[(i64, &str)] = &[(0, "none"), (1, "point light"), (7, "deadbeef"), (9, "0x1")];
    const BITS: &[(u32, &str)] = &[(1, "active"), (0x100, "specular"), (6, "both of them")];
    static PARTS: [BitField; 3] = [
        BitField::new("kind", 8, 8, "").values(KINDS),
        BitField::new("offset", 16, 8, "").signed(),
        BitField::new("shade", 24, 8, "").unit(ARGB),
    ];
    static FIELDS: [Field; 8] = [
        Field::new("plain", Ty::U32, ""),
        Field::new("kind", Ty::I32, "").values(KINDS),
        Field::new("color", Ty::Word, "").unit(ARGB),
        Field::new("named color", Ty::Word, "").unit(ARGB).values(KINDS),
        Field::new("flags", Ty::U16, "").bits(BITS),
        Field::new("parts", Ty::U32, "").parts(&PARTS),
        Field::new("both", Ty::Word, "").bits(BITS).parts(&PARTS),
        Field::new("all", Ty::I32, "").bits(BITS).parts(&PARTS).values(KINDS),
    ];

    proptest! {
        #[test]
        fn texts_match_as_their_copies_in_small_letters_do(
            part in "[a-cA-CkKi\u{212A}\u{130}\u{DF}\u{C4}\u{E4}\u{416}\u{436}]{1,3}",
            text in "[a-cA-CkKi\u{212A}\u{130}\u{DF}\u{C4}\u{E4}\u{416}\u{436}]{0,8}",
            whole: bool,
        ) {
            let pattern = Pattern::new(&part, whole).unwrap();
            prop_assert_eq!(pattern.matches(&text), matches(&pattern, &text));
            let same = Pattern::new(&text.to_uppercase(), whole);
            if let Ok(same) = same {
                prop_assert_eq!(same.matches(&text), matches(&same, &text));
            }
        }

        #[test]
        fn no_value_means_what_its_field_is_said_never_to_mean(
            text in "([a-f0-9#|: x-]{1,4}|light|active|spec|kind|offset: -?[0-9]|[*]e?[*]|both of|kind: point light|active \\| )",
            word: u32,
            small in 0_u32..0x300,
            whole: bool,
        ) {
            let pattern = Pattern::new(&text, whole).unwrap();
            let mut names = FieldNames::new(&pattern);
            for field in &FIELDS {
                let may = names.may_match(field);
                prop_assert_eq!(may, names.may_match(field), "as it was found out");
                for word in [word, small, word & 0xFF00_0707] {
                    for value in [
                        Val::Word(word), Val::U(word.into()), Val::I(word.cast_signed().into()),
                    ] {
                        let means = pattern.matches_meaning(field, &value);
                        prop_assert!(may || !means, "{text:?} {} {value}", field.name);
                    }
                }
            }
        }
    }

    #[test]
    fn fields_without_such_names_are_told_apart() {
        let may = |text: &str| {
            let pattern = Pattern::new(text, false).unwrap();
            FIELDS.each_ref().map(|field| pattern.may_name(field))
        };
        assert_eq!(may("wood"), [false; 8]);
        assert_eq!(may("0x1234"), [false; 8]);
        assert_eq!(may("specular"), [false, false, false, false, true, false, true, true]);
        assert_eq!(may("point"), [false, true, false, true, false, true, true, true]);
    }

    #[test]
    fn digits_are_looked_for_where_there_are_digits() {
        let pages = CodePages::cp1252();
        let guid = Val::Guid(0xDEAD_BEEF, 0x12);
        let found = |text: &str| Pattern::new(text, false).unwrap().matches_value(&guid, &pages);
        for text in ["deadbeef-00000012", "BEEF", "ef-0", "*beef*", "12"] {
            assert!(found(text), "{text}");
        }
        assert!(!found("0xdeadbeef") && !found("wood") && !found("beef*"));
    }
}
