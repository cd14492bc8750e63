//! Texts for translators: which of them there are, and in which languages.

use spellforce::gamedata::{AnyRow, GameData, Languages, TEXTS, schema::TextRow, shown};
use spelunk_core::{Container, Error, Result, Task, text::until_nul};
use spelunk_open::{Opened, codes, languages::gamedata};
use std::collections::BTreeMap;

/// The language that everything was written in first.
const FIRST: u8 = 0;
/// The edition's own language: what the first one is translated from, where it is asked for.
const LOCAL: u8 = 1;

/// Languages that are asked for.
#[derive(Clone, Debug)]
pub struct Wish {
    /// The language of the translation: slot, code or name.
    pub language: String,
    /// The language to translate from; by default slot 0, which is German in all known editions, and slot 1 for that one.
    pub from: Option<String>,
}

/// The two languages, by their slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    /// The language to translate from.
    pub from: u8,
    /// The language of the translation.
    pub to: u8,
}

/// Name of a text: its id, and its number among those with one id and language. They repeat in real files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Name {
    /// Id of the text.
    pub id: u16,
    /// Number among the texts with this id and language, from 0.
    pub nth: u32,
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.nth {
            0 => write!(f, "{}", self.id),
            nth => write!(f, "{}@{nth}", self.id),
        }
    }
}

impl std::str::FromStr for Name {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> std::result::Result<Name, Self::Err> {
        let (id, nth) = text.split_once('@').unwrap_or((text, "0"));
        Ok(Name { id: id.trim().parse()?, nth: nth.trim().parse()? })
    }
}

/// A text in two languages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TranslationUnit {
    /// Name of the text.
    pub name: Name,
    /// The line of dialogue that it is, or empty.
    pub handle: String,
    /// The text to be translated.
    pub source: String,
    /// The translation; empty where there is none.
    pub target: String,
}

/// Texts for a translator.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The languages.
    pub pair: Pair,
    /// Code or number of the language to translate from.
    pub from: String,
    /// Code or number of the language of the translation.
    pub to: String,
    /// The texts by their ids.
    pub texts: Vec<TranslationUnit>,
}

impl Sheet {
    /// Returns the number of texts that have no translation.
    pub fn untranslated(&self) -> usize {
        self.texts.iter().filter(|text| text.target.is_empty()).count()
    }
}

/// A translation that a translator gave back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Translation {
    /// Name of the text.
    pub name: Name,
    /// The text that was translated, where the table or catalogue has it.
    pub source: Option<String>,
    /// The translation; empty where there is none yet.
    pub target: String,
    /// Whether it still has to be looked at.
    pub is_fuzzy: bool,
}

/// The texts of a file for translators, without those that no language has content of.
///
/// # Errors
/// [`NO_TABLES`](codes::NO_TABLES) for other files; [`NO_LANGUAGE`](codes::NO_LANGUAGE); reading errors; limits.
pub fn sheet(opened: &mut Opened, wish: &Wish) -> Result<Sheet> {
    opened.run(|container, task| {
        let (gamedata, languages, pair) = begin(container, wish, task)?;
        let groups = groups(gamedata, task)?;
        let mut texts = Vec::new();
        for (id, rows) in &groups {
            let targets: Vec<_> = in_slot(rows, pair.to).collect();
            for nth in 0..targets.len().max(1) {
                let Some(Row { row: source, .. }) = source_of(rows, pair, nth) else { continue };
                let content = |row: &AnyRow<'_>| content(row, languages);
                let text = TranslationUnit {
                    name: Name { id: *id, nth: u32::try_from(nth).unwrap_or(u32::MAX) },
                    handle: shown(source, TextRow::HANDLE, languages).into_owned(),
                    source: content(source),
                    target: targets.get(nth).map(|target| content(&target.row)).unwrap_or_default(),
                };
                let len = [&text.handle, &text.source, &text.target].map(String::len);
                let len = len.into_iter().fold(size_of::<TranslationUnit>(), usize::saturating_add);
                task.budget.memory(len as u64)?;
                if !text.source.is_empty() || !text.target.is_empty() {
                    texts.push(text);
                }
            }
        }
        let code = |slot: u8| languages.code(slot).map_or_else(|| slot.to_string(), str::to_owned);
        Ok(Sheet { pair, from: code(pair.from), to: code(pair.to), texts })
    })
}

/// The tables, the languages, and the slots that are meant.
pub(super) fn begin<'f>(
    container: &'f dyn Container,
    wish: &Wish,
    task: &mut Task<'_>,
) -> Result<(GameData<'f>, &'f Languages, Pair)> {
    let gamedata = gamedata(container)?;
    let languages = gamedata.languages(&mut task.budget)?;
    // A language that no text has yet is one to translate to.
    let to = languages.slot(&wish.language).or_else(|| languages.usual_slot(&wish.language));
    let to = match to {
        Some(slot) => slot,
        None => spelunk_open::languages::slot(container, &wish.language, task)?,
    };
    let from = match &wish.from {
        Some(language) => spelunk_open::languages::slot(container, language, task)?,
        None if to == FIRST => LOCAL,
        None => FIRST,
    };
    if from == to {
        let error = Error::new(&codes::NO_LANGUAGE).expected("two languages");
        return Err(error.found(format!("slot {to} twice")));
    }
    Ok((gamedata, languages, Pair { from, to }))
}

/// A row of texts, and where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'f> {
    pub(super) chunk: u32,
    pub(super) nth: usize,
    pub(super) slot: u8,
    pub(super) row: AnyRow<'f>,
}

/// The rows of all texts by their ids, in the order of the file.
pub(super) fn groups<'f>(
    gamedata: GameData<'f>,
    task: &mut Task<'_>,
) -> Result<BTreeMap<u16, Vec<Row<'f>>>> {
    let mut groups: BTreeMap<u16, Vec<Row<'f>>> = BTreeMap::new();
    for chunk in gamedata.chunks_of(TEXTS) {
        let table = gamedata.table(chunk, &mut task.budget)?;
        // A group has rows for some five languages; twice as much goes by while it grows.
        let size = (size_of::<Row<'_>>() as u64).saturating_mul(2);
        task.budget.memory(size.saturating_mul(table.len() as u64))?;
        for (nth, row) in table.rows().enumerate() {
            task.budget.steps(1)?;
            let slot = u8::try_from(row.number(TextRow::LANGUAGE_ID)).unwrap_or_default();
            groups.entry(row.id() as u16).or_default().push(Row { chunk, nth, slot, row });
        }
    }
    Ok(groups)
}

/// The text of a row, control characters and all; escaped where it does not decode.
pub(super) fn content(row: &AnyRow<'_>, languages: &Languages) -> String {
    let bytes = until_nul(row.field(TextRow::CONTENT));
    let pages = languages.pages(row.slot(TextRow::CONTENT));
    pages.decode(bytes).unwrap_or_else(|| pages.show(bytes)).into_owned()
}

pub(super) fn in_slot<'r, 'f>(rows: &'r [Row<'f>], slot: u8) -> impl Iterator<Item = &'r Row<'f>> {
    rows.iter().filter(move |row| row.slot == slot)
}

/// Returns the row that a text is translated from: that of the language, or else that of the first language, or else any.
pub(super) fn source_of<'r, 'f>(
    rows: &'r [Row<'f>],
    pair: Pair,
    nth: usize,
) -> Option<&'r Row<'f>> {
    let has_text =
        |row: &&Row<'_>| row.row.field(TextRow::CONTENT).first().is_some_and(|b| *b != 0);
    let of = |slot| in_slot(rows, slot).nth(nth).or_else(|| in_slot(rows, slot).next());
    of(pair.from)
        .filter(has_text)
        .or_else(|| of(FIRST).filter(has_text))
        .or_else(|| rows.iter().find(has_text))
        .or_else(|| rows.first())
}
