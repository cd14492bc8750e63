//! The languages of the texts, and the code pages that they are in: `docs/formats/cff.md#7-text-data-and-languages`.
//!
//! A file does not say which code page the texts of a slot are in. What was asked for counts first, then a profile, then
//! what the bytes of the slot look like, then what the slot usually is.

use super::{
    schema::TextRow,
    table::{AnyRow, Table, slot_of},
};
use spelunk_core::{
    Budget, Result, Val,
    text::{CodePages, until_nul},
};
use std::{borrow::Cow, collections::BTreeMap};

/// Usual content of a slot, known from all editions and from the custom of modders.
struct Usual {
    slot: u8,
    code: &'static str,
    name: &'static str,
    page: &'static str,
    /// The bytes of the slot may say otherwise.
    is_fixed: bool,
}

/// The slot of the edition's own language.
const OWN: u8 = 1;

/// Name of the edition's own language, whatever it is; that of [`Language::name`] where its code page does not say which.
pub const LOCAL: &str = "local";

/// The slots with a known meaning.
static USUAL: &[Usual] = &[
    Usual { slot: 0, code: "de", name: "German", page: "windows-1252", is_fixed: false },
    Usual { slot: OWN, code: LOCAL, name: LOCAL, page: "windows-1252", is_fixed: false },
    Usual { slot: 2, code: "fr", name: "French", page: "windows-1252", is_fixed: false },
    Usual { slot: 3, code: "es", name: "Spanish", page: "windows-1252", is_fixed: false },
    Usual { slot: 4, code: "it", name: "Italian", page: "windows-1252", is_fixed: false },
    Usual {
        slot: 5,
        code: "ru",
        name: "Russian (by convention)",
        page: "windows-1251",
        is_fixed: true,
    },
    Usual {
        slot: 6,
        code: "pl",
        name: "Polish (by convention)",
        page: "windows-1250",
        is_fixed: true,
    },
];

/// Code page of the edition's own language, its code and its name, as far as editions are known.
static BY_PAGE: &[(&str, &str, &str)] = &[
    ("windows-1252", "en", "English"),
    ("windows-1251", "ru", "Russian"),
    ("windows-1250", "pl", "Polish"),
];

/// The languages and code pages of the slots of a known edition.
#[derive(Debug)]
pub struct Profile {
    /// Name of the profile.
    pub name: &'static str,
    /// Description of the profile.
    pub doc: &'static str,
    /// Slot, code and name of the language, and the label of its code page.
    pub slots: &'static [(u8, &'static str, &'static str, &'static str)],
    /// Label of the code page of all other slots, where the profile says it.
    pub rest: Option<&'static str>,
    /// Number of the texts of each slot, from slot 0 on, in the edition as it was sold; empty where none was.
    pub text_counts: &'static [u64],
}

macro_rules! vanilla {
    ($name:literal, $doc:literal, $code:literal, $language:literal, $page:literal, $counts:expr) => {
        Profile {
            name: $name,
            doc: $doc,
            slots: &[
                (0, "de", "German", "windows-1252"),
                (1, $code, $language, $page),
                (2, "fr", "French", "windows-1252"),
                (3, "es", "Spanish", "windows-1252"),
                (4, "it", "Italian", "windows-1252"),
            ],
            rest: None,
            text_counts: $counts,
        }
    };
}

/// The profiles that can be asked for.
pub static PROFILES: &[Profile] = &[
    vanilla!(
        "vanilla-1.1-ru",
        "The Russian edition of 1.1.",
        "ru",
        "Russian",
        "windows-1251",
        &[26946, 12100, 9644, 9683, 9662, 1]
    ),
    vanilla!(
        "vanilla-1.54-en",
        "The English edition of 1.54.",
        "en",
        "English",
        "windows-1252",
        &[39118, 25939, 22698, 13672, 13652, 1]
    ),
    vanilla!(
        "vanilla-1.54-pl",
        "The Polish edition of 1.54.",
        "pl",
        "Polish",
        "windows-1250",
        &[39118, 25939, 22698, 13672, 13652, 1]
    ),
    vanilla!(
        "vanilla-1.54-ru",
        "The Russian edition of 1.54.",
        "ru",
        "Russian",
        "windows-1251",
        &[39119, 25939, 22698, 13671, 13652, 1]
    ),
    Profile {
        name: "spec",
        doc: "The table of the written specification, which no known edition follows.",
        slots: &[
            (0, "en", "English", "windows-1252"),
            (1, "de", "German", "windows-1252"),
            (2, "fr", "French", "windows-1252"),
            (3, "es", "Spanish", "windows-1252"),
            (4, "it", "Italian", "windows-1252"),
            (5, "ru", "Russian", "windows-1251"),
            (6, "pl", "Polish", "windows-1250"),
        ],
        rest: Some("windows-1252"),
        text_counts: &[],
    },
];

/// Name of the profile by which texts of the dialect `spec` are read unless another one is asked for.
const SPECIFIED: &str = "spec";

/// The profile of this name.
pub fn profile(name: &str) -> Option<&'static Profile> {
    PROFILES.iter().find(|profile| profile.name.eq_ignore_ascii_case(name))
}

/// Code pages and profile that a caller asks for.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Code pages of single slots.
    pub slots: Vec<(u8, CodePages)>,
    /// Code pages of everything else: other slots, and handles.
    pub pages: Option<CodePages>,
    /// The profile.
    pub profile: Option<&'static Profile>,
}

impl Asked {
    /// The same, with the profile of the written specification where none is asked for.
    pub(super) fn or_specified(self) -> Asked {
        Asked { profile: self.profile.or_else(|| profile(SPECIFIED)), ..self }
    }
}

/// Reason for the choice of a code page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// A request.
    Request,
    /// The profile.
    Profile,
    /// The bytes of the slot.
    Detection,
    /// The usual content of the slot.
    Custom,
}

impl By {
    /// In one word.
    pub const fn name(self) -> &'static str {
        match self {
            By::Request => "request",
            By::Profile => "profile",
            By::Detection => "detection",
            By::Custom => "custom",
        }
    }
}

/// The language of a slot.
#[derive(Clone, Debug)]
pub struct Language {
    /// The language id of its rows.
    pub slot: u8,
    /// Number of its rows.
    pub rows: u64,
    /// Number of texts that it has.
    pub texts: u64,
    /// Number of texts that other slots have and this one lacks.
    pub missing: u64,
    /// Name of the language; `local` for an edition's own that its code page does not say.
    pub name: Option<&'static str>,
    /// Code of the language, as `de`.
    pub code: Option<&'static str>,
    /// Code pages of the texts.
    pub pages: CodePages,
    /// Reason for the choice of the code pages.
    pub by: By,
}

impl Language {
    /// Whether it is the edition's own language.
    pub const fn is_own(&self) -> bool {
        self.slot == OWN
    }
}

/// The languages of all texts of a file.
#[derive(Clone, Debug)]
pub struct Languages {
    slots: BTreeMap<u8, Language>,
    /// Code pages of slots that no row has yet.
    empty: BTreeMap<u8, CodePages>,
    rest: CodePages,
}

impl Languages {
    /// The languages of these tables of texts.
    ///
    /// # Errors
    /// Limits.
    pub(super) fn of(
        tables: &[Table<'_>],
        asked: &Asked,
        budget: &mut Budget,
    ) -> Result<Languages> {
        let mut seen: BTreeMap<u8, SlotUsage> = BTreeMap::new();
        let mut all = TextIdSet::default();
        for table in tables {
            for row in table.rows() {
                budget.steps(1)?;
                let (id, slot) = (row.id() as u16, slot_of(&row));
                if !seen.contains_key(&slot) {
                    budget.memory(size_of::<TextIdSet>() as u64)?;
                }
                let seen = seen.entry(slot).or_default();
                seen.rows = seen.rows.saturating_add(1);
                seen.ids.add(id);
                all.add(id);
                seen.letters.add(until_nul(row.field(TextRow::CONTENT)));
            }
        }
        let count = all.count();
        let slots = seen.into_iter().map(|(slot, seen)| {
            let (pages, by) = choose(slot, &seen.letters, asked);
            let (code, name) = names(slot, &pages, asked).unzip();
            let texts = seen.ids.count();
            let missing = count.saturating_sub(texts);
            (slot, Language { slot, rows: seen.rows, texts, missing, name, code, pages, by })
        });
        let slots: BTreeMap<u8, Language> = slots.collect();
        let known = USUAL.iter().map(|usual| usual.slot).chain(asked.slots.iter().map(|it| it.0));
        let empty = known
            .filter(|slot| !slots.contains_key(slot))
            .map(|slot| (slot, choose(slot, &Letters::default(), asked).0))
            .collect();
        let rest = asked.pages.clone().unwrap_or_else(CodePages::cp1252);
        Ok(Languages { slots, empty, rest })
    }

    /// The code pages of texts in a slot, or of handles.
    pub fn pages(&self, slot: Option<u8>) -> &CodePages {
        let of = |slot| {
            let there = self.slots.get(&slot).map(|language| &language.pages);
            there.or_else(|| self.empty.get(&slot))
        };
        slot.and_then(of).unwrap_or(&self.rest)
    }

    /// Returns the code of the language of a slot, as `de`.
    pub fn code(&self, slot: u8) -> Option<&'static str> {
        match self.slots.get(&slot) {
            Some(language) => language.code,
            None => names(slot, self.pages(Some(slot)), &Asked::default()).map(|(code, _)| code),
        }
    }

    /// The edition that the file is as it was sold: it has as many texts of each slot, and in the same code page.
    pub fn edition(&self) -> Option<&'static Profile> {
        let counts = || self.slots.values().map(|language| language.rows);
        let own = self.pages(Some(OWN)).to_string();
        let is_own = |(slot, .., page): &(u8, &str, &str, &str)| *slot == OWN && *page == own;
        PROFILES.iter().find(|profile| {
            !profile.text_counts.is_empty()
                && profile.text_counts.iter().copied().eq(counts())
                && profile.slots.iter().any(is_own)
        })
    }

    /// The languages, by slot.
    pub fn all(&self) -> impl Iterator<Item = &Language> {
        self.slots.values()
    }

    /// Returns the slot that a number, a code or a name means. Where two slots have a language, the edition's own one is meant,
    /// which may be called `local` too.
    pub fn slot(&self, text: &str) -> Option<u8> {
        if let Ok(slot) = text.parse() {
            return Some(slot);
        }
        let is = |language: &Language| {
            let known = [language.code, language.name].into_iter().flatten();
            known.map(first_word).any(|known| known.eq_ignore_ascii_case(text))
        };
        let own = self.slots.get(&OWN);
        let own = own.filter(|own| is(own) || text.eq_ignore_ascii_case(LOCAL));
        own.or_else(|| self.all().find(|language| is(language))).map(|language| language.slot)
    }

    /// The slot that a language has by convention, whether rows have it or not.
    pub fn usual_slot(&self, text: &str) -> Option<u8> {
        let is = |name: &str| first_word(name).eq_ignore_ascii_case(text);
        USUAL.iter().find(|usual| is(usual.code) || is(usual.name)).map(|usual| usual.slot)
    }
}

/// A name without what is said of it.
fn first_word(name: &str) -> &str {
    name.split(' ').next().unwrap_or_default()
}

/// Code and name of the language of a slot.
fn names(slot: u8, pages: &CodePages, asked: &Asked) -> Option<(&'static str, &'static str)> {
    let profile = asked.profile.map_or(&[][..], |profile| profile.slots);
    if let Some((_, code, name, _)) = profile.iter().find(|(known, ..)| *known == slot) {
        return Some((*code, *name));
    }
    if slot == OWN {
        let label = pages.to_string();
        let known = BY_PAGE.iter().find(|(page, ..)| *page == label);
        return Some(known.map_or((LOCAL, LOCAL), |(_, code, name)| (*code, *name)));
    }
    let usual = USUAL.iter().find(|usual| usual.slot == slot)?;
    Some((usual.code, usual.name))
}

/// The code pages of a slot.
fn choose(slot: u8, letters: &Letters, asked: &Asked) -> (CodePages, By) {
    let page = |label: &str| CodePages::from_labels(label).unwrap_or_else(|_| CodePages::cp1252());
    if let Some((_, pages)) = asked.slots.iter().find(|(known, _)| *known == slot) {
        return (pages.clone(), By::Request);
    }
    if let Some(pages) = &asked.pages {
        return (pages.clone(), By::Request);
    }
    if let Some(profile) = asked.profile {
        let known = profile.slots.iter().find(|(known, ..)| *known == slot);
        if let Some(label) = known.map(|(.., label)| *label).or(profile.rest) {
            return (page(label), By::Profile);
        }
    }
    let usual = USUAL.iter().find(|usual| usual.slot == slot);
    match (usual, letters.page()) {
        (Some(Usual { page: label, is_fixed: true, .. }), _) => (page(label), By::Custom),
        (_, Some(label)) => (page(label), By::Detection),
        (Some(Usual { page: label, .. }), None) => (page(label), By::Custom),
        (None, None) => (CodePages::cp1252(), By::Custom),
    }
}

/// Rows, ids and letters found in a slot.
#[derive(Default)]
struct SlotUsage {
    rows: u64,
    ids: TextIdSet,
    letters: Letters,
}

/// A set of ids of texts, which are numbers of two bytes.
struct TextIdSet(Vec<u64>);

impl Default for TextIdSet {
    fn default() -> TextIdSet {
        TextIdSet(vec![0; 1 << 10])
    }
}

impl TextIdSet {
    fn add(&mut self, id: u16) {
        if let Some(word) = self.0.get_mut(usize::from(id >> 6)) {
            *word |= 1 << (id & 63);
        }
    }

    fn count(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }
}

/// Letters that were counted.
#[derive(Default)]
struct Letters {
    ascii: u64,
    /// Bytes of 0x80 and above.
    high: u64,
    /// Number of them that Polish has and Western languages do not.
    polish: u64,
}

/// ł ę ż ą ś ć in code page 1250.
const POLISH: [u8; 6] = [0xb3, 0xea, 0xbf, 0xb9, 0x9c, 0xe6];

impl Letters {
    fn add(&mut self, text: &[u8]) {
        // Most texts are ASCII, and are looked at sixteen bytes at a time.
        if !text.is_ascii() {
            let count = |is: fn(&u8) -> bool| text.iter().filter(|byte| is(byte)).count() as u64;
            self.high = self.high.saturating_add(count(|byte| !byte.is_ascii()));
            self.polish = self.polish.saturating_add(count(|byte| POLISH.contains(byte)));
        }
        // As many as a byte counts, so that sixteen are added at a time.
        let letters = text.chunks(255).map(|part| {
            let is_letter = part.iter().map(|byte| u8::from(byte.is_ascii_alphabetic()));
            u64::from(is_letter.fold(0, u8::wrapping_add))
        });
        let ascii = letters.fold(0, u64::saturating_add);
        self.ascii = self.ascii.saturating_add(ascii);
    }

    /// Returns the code page that letters of this kind are in; `None` where there are none to judge by.
    fn page(&self) -> Option<&'static str> {
        if self.high == 0 {
            None
        } else if self.high > self.ascii {
            Some("windows-1251")
        } else if self.polish > self.high.saturating_sub(self.polish) {
            Some("windows-1250")
        } else {
            Some("windows-1252")
        }
    }
}

/// The text of a row as people read it; what does not decode is escaped.
pub fn shown<'a>(row: &AnyRow<'a>, field: usize, languages: &Languages) -> Cow<'a, str> {
    match row.value(field) {
        Val::Text(Cow::Borrowed(bytes)) => languages.pages(row.slot(field)).show(bytes),
        value => Cow::Owned(value.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &[u8]) -> Option<&'static str> {
        let mut letters = Letters::default();
        letters.add(text);
        letters.page()
    }

    #[test]
    fn letters_tell_the_code_page() {
        assert_eq!(page(b"Sword"), None);
        assert_eq!(page(b"Schwert f\xfcr K\xf6nige"), Some("windows-1252"));
        assert_eq!(page(b"\xcc\xe5\xf7 \xf2\xfc\xec\xfb"), Some("windows-1251"));
        assert_eq!(page(b"Ostrze k\xb3\xeaski i \xbfycia"), Some("windows-1250"));
        assert_eq!(page(b"L'\xe9p\xe9e de la for\xeat"), Some("windows-1252"));
    }

    #[test]
    fn profiles_name_code_pages_that_there_are() {
        for profile in PROFILES {
            for (.., label) in profile.slots {
                assert_eq!(&CodePages::from_labels(label).unwrap().to_string(), label);
            }
        }
        assert!(profile("VANILLA-1.54-PL").is_some());
    }

    #[test]
    fn what_is_asked_for_comes_first_and_custom_last() {
        let mut letters = Letters::default();
        letters.add(b"\xcc\xe5\xf7");
        let chosen = |slot, asked: &Asked| {
            let (pages, by) = choose(slot, &letters, asked);
            (pages.to_string(), by)
        };
        let mut asked = Asked::default();
        assert_eq!(chosen(1, &asked), ("windows-1251".into(), By::Detection));
        assert_eq!(chosen(6, &asked), ("windows-1250".into(), By::Custom));
        asked.profile = profile("vanilla-1.54-en");
        assert_eq!(chosen(1, &asked), ("windows-1252".into(), By::Profile));
        asked.pages = Some(CodePages::from_labels("gbk").unwrap());
        assert_eq!(chosen(1, &asked), ("GBK".into(), By::Request));
        asked.slots = vec![(1, CodePages::utf8())];
        assert_eq!(chosen(1, &asked), ("UTF-8".into(), By::Request));
    }
}
