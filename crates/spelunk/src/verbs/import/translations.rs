//! Translations into a GameData.

use super::{
    content::ImportedFile,
    request::Request,
    row::{ImportedRow, TextCounts},
};
use crate::{
    Error, Opened, Result, WriteOptions,
    open::codes,
    tables::translations::{self, Translation, Wish, csv, po},
    verbs::{input::Input, run::Run},
};

/// Puts translations into a file. `None` where that cannot be done, which is reported and counted, and where one of them does not
/// fit, unless it is to be lenient.
pub(super) fn make(
    request: &Request,
    wish: &Wish,
    run: &mut Run<'_>,
) -> Result<Option<ImportedFile>> {
    let name = request.source.to_string();
    let translations = match run.read(&request.source).and_then(|bytes| read(&bytes, &name)) {
        Ok(translations) => translations,
        Err(error) => {
            run.unopened(&name, error);
            return Ok(None);
        }
    };
    let Some(into) = &request.into else { return Ok(None) };
    let Some(mut open) = run.open(&Input::named(into))? else { return Ok(None) };
    let into = open.held.get()?;
    let made = translations::put(into, &translations, wish);
    let findings = into.take_findings();
    let file = open.name;
    open.held.release();
    run.settle(&file, &findings);
    let made = made.and_then(|(source, report)| Ok((Opened::open(source, &run.options)?, report)));
    let (opened, counts) = match made {
        Ok((opened, report)) => (opened, TextCounts::from(report)),
        Err(error) => {
            run.failed(&file, error);
            return Ok(None);
        }
    };
    run.note(&summary(&counts));
    if counts.refused > 0 && !run.session.options.lenient {
        run.note(
            "nothing was written: mend those that do not fit, or leave them out with --lenient",
        );
        return Ok(None);
    }
    let (options, row) =
        (WriteOptions::default(), ImportedRow { texts: Some(counts), ..ImportedRow::default() });
    Ok(Some(ImportedFile { file, opened, options, findings, row, textures: Vec::new() }))
}

/// Whether these are translations.
pub(super) fn is_for(bytes: &[u8]) -> bool {
    po::is_for(bytes) || csv::is_for(bytes)
}

fn read(bytes: &[u8], name: &str) -> Result<Vec<Translation>> {
    if po::is_for(bytes) {
        return po::read(bytes);
    }
    if csv::is_for(bytes) {
        return csv::read(bytes);
    }
    Err(Error::new(&codes::TEXTS_TABLE).found(format!("`{name}`")))
}

/// Returns the numbers of texts, by what became of them, in words.
fn summary(counts: &TextCounts) -> String {
    let TextCounts { changed, added, same, untranslated, fuzzy, stale, refused } = *counts;
    let counts = [
        (changed, "changed"),
        (added, "added"),
        (same, "same"),
        (untranslated, "untranslated"),
        (fuzzy, "fuzzy"),
        (stale, "stale"),
        (refused, "refused"),
    ];
    let some = counts.into_iter().filter(|(count, name)| *count > 0 || *name == "changed");
    some.map(|(count, name)| format!("{count} {name}")).collect::<Vec<_>>().join(", ")
}
