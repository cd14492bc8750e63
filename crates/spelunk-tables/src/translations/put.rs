//! Translations into a file.

use super::sheet::{
    Name, Pair, Row, Translation, Wish, begin, content, groups, in_slot, source_of,
};
use spellforce::{
    cff::Draft,
    gamedata::{Languages, RowBuf, TEXTS, TableDraft, schema::TextRow},
};
use spelunk_core::{Error, Result, Seg, Source, Task};
use spelunk_open::{Opened, codes};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// Counts of translations by their outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TranslationCounts {
    /// Texts that are another now.
    pub changed: u64,
    /// Texts that the language did not have.
    pub added: u64,
    /// Texts that are as they were.
    pub same: u64,
    /// Texts without a translation. What the file has of them stays.
    pub untranslated: u64,
    /// Translations that still have to be looked at, and were left out.
    pub fuzzy: u64,
    /// Translations whose source is another in the file. They were taken, and reported as findings.
    pub stale: u64,
    /// Translations that do not fit, or that are of no text of the file. They were left out, and reported as findings.
    pub refused: u64,
}

/// Puts translations into a file. What comes of it is a file that is not opened yet; what does not fit is an error finding for
/// each text: too long for its field, or with a character that its code page lacks.
///
/// # Errors
/// [`NO_TABLES`](codes::NO_TABLES) for other files; [`NO_LANGUAGE`](codes::NO_LANGUAGE); reading errors; limits.
pub fn put(
    into: &mut Opened,
    translations: &[Translation],
    wish: &Wish,
) -> Result<(Arc<dyn Source>, TranslationCounts)> {
    into.run(|container, task| {
        let (gamedata, languages, pair) = begin(container, wish, task)?;
        let groups = groups(gamedata, task)?;
        let mut drafts = BTreeMap::new();
        for chunk in gamedata.chunks_of(TEXTS) {
            drafts.insert(chunk, TableDraft::of(gamedata.table(chunk, &mut task.budget)?));
        }
        let mut work = TranslationWriter {
            languages,
            pair,
            drafts,
            seen: BTreeSet::new(),
            report: TranslationCounts::default(),
        };
        for translation in translations {
            let rows = groups.get(&translation.name.id).map_or(&[][..], Vec::as_slice);
            work.text(translation, rows, task)?;
        }
        let mut draft = Draft::of(gamedata.file());
        for (chunk, rows) in work.drafts.iter().filter(|(_, rows)| !rows.is_empty()) {
            let plain = rows.table().plain().len() as u64;
            let added = work.report.added.saturating_mul(size_of::<TextRow>() as u64);
            task.budget.memory(plain.saturating_add(added))?;
            draft.set(*chunk as usize, rows.finish())?;
        }
        Ok((draft.source(task)?, work.report))
    })
}

struct TranslationWriter<'f> {
    languages: &'f Languages,
    pair: Pair,
    drafts: BTreeMap<u32, TableDraft<'f>>,
    /// Texts that were given.
    seen: BTreeSet<Name>,
    report: TranslationCounts,
}

impl TranslationWriter<'_> {
    fn text(&mut self, given: &Translation, rows: &[Row<'_>], task: &mut Task<'_>) -> Result<()> {
        task.budget.memory(64)?;
        let report = &mut self.report;
        let count = |counter: &mut u64| *counter = counter.saturating_add(1);
        let nth = given.name.nth as usize;
        let target = in_slot(rows, self.pair.to).nth(nth);
        let source = source_of(rows, self.pair, nth);
        // Only texts that are there can be translated, and repeated ones of a language not made more.
        let Some(source) = source.filter(|_| target.is_some() || nth == 0) else {
            count(&mut report.refused);
            return task.error(self.error(Error::new(&codes::core::NOT_FOUND), given.name));
        };
        if given.target.is_empty() {
            count(&mut report.untranslated);
            return Ok(());
        }
        if given.is_fuzzy {
            count(&mut report.fuzzy);
            return Ok(());
        }
        if !self.seen.insert(given.name) {
            count(&mut report.refused);
            return task.error(self.error(Error::new(&codes::REPEATED_ROW), given.name));
        }
        let show = |row: &Row<'_>| content(&row.row, self.languages);
        if target.is_some_and(|target| show(target) == given.target) {
            count(&mut report.same);
            return Ok(());
        }
        let now = show(source);
        if let Some(then) = given.source.as_ref().filter(|then| **then != now) {
            count(&mut self.report.stale);
            let error = Error::new(&codes::STALE_SOURCE).expected(short(&now)).found(short(then));
            task.warn(self.error(error, given.name))?;
        }
        let of = target.unwrap_or(source);
        let mut new = RowBuf::of(&of.row);
        let pages = self.languages.pages(Some(self.pair.to));
        let made = new
            .set_number(TextRow::LANGUAGE_ID, self.pair.to.into())
            .and_then(|()| new.set_text(TextRow::CONTENT, &given.target, pages, false));
        if let Err(error) = made {
            count(&mut self.report.refused);
            return task.error(self.error(error, given.name));
        }
        task.budget.memory((size_of::<TextRow>() as u64).saturating_mul(2))?;
        let Some(draft) = self.drafts.get_mut(&of.chunk) else { return Ok(()) };
        match target {
            Some(target) => {
                draft.set(target.nth, new);
                count(&mut self.report.changed);
            }
            None => {
                draft.add(new);
                count(&mut self.report.added);
            }
        }
        Ok(())
    }

    fn error(&self, error: Error, name: Name) -> Error {
        let path = format!("texts/{}/{}", name.id, self.pair.to);
        let path = if name.nth == 0 { path } else { format!("{path}@{}", name.nth) };
        error.within(Seg::Key(path.into()))
    }
}

/// As much of a text as a message holds.
fn short(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("`{}...`", text.get(..end).unwrap_or_default()),
        None => format!("`{text}`"),
    }
}
