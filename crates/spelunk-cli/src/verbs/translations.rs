//! Texts of GameData for translators: the part of `import` that is for them.

use super::{import::changed, open_one, writing::Onto};
use crate::{args::Import, inputs::Input, output::Session};
use spelunk::{
    Error, Opened, Result, codes,
    translations::{self, Report, Translation, csv, po},
};
use std::path::Path;

/// Puts translations into a file. Where one of them does not fit nothing is written, unless it is to be lenient.
pub fn import(args: &Import, (target, onto): (&Path, Onto), session: &mut Session) -> Result<()> {
    let (Some(wish), Some(into)) = (args.wish(), &args.into) else { return Ok(()) };
    let input = Input::named(&args.source);
    let options = session.options()?;
    let translations = match input.bytes(&options).and_then(|bytes| read(&bytes, &input.name())) {
        Ok(translations) => translations,
        Err(error) => {
            session.unopened(&input.name(), &error);
            return Ok(());
        }
    };
    let Some((file, mut opened)) = open_one(into, session)? else { return Ok(()) };
    let made = translations::put(&mut opened, &translations, &wish);
    let findings = opened.take_findings();
    session.settle(&file, &findings);
    let (opened, report) =
        match made.and_then(|(source, report)| Ok((Opened::open(source, &options)?, report))) {
            Ok(made) => made,
            Err(error) => {
                session.failed(&file, &error);
                return Ok(());
            }
        };
    session.say(&told(&report));
    if report.refused > 0 && !session.common.lenient {
        session.say(
            "nothing was written: mend those that do not fit, or leave them out with --lenient",
        );
        return Ok(());
    }
    changed(args, (&file, target, onto), opened, &findings, counts(&report), session)
}

/// Whether this is a table of translations.
pub fn is_for(bytes: &[u8]) -> bool {
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

fn counts(report: &Report) -> impl Iterator<Item = (&'static str, u64)> {
    let Report { changed, added, same, untranslated, fuzzy, stale, refused } = *report;
    let counts = [changed, added, same, untranslated, fuzzy, stale, refused];
    let names = ["changed", "added", "same", "untranslated", "fuzzy", "stale", "refused"];
    names.into_iter().zip(counts)
}

fn told(report: &Report) -> String {
    let is_told = |(name, count): &(&str, u64)| *count > 0 || *name == "changed";
    let counts = counts(report).filter(is_told);
    counts.map(|(name, count)| format!("{count} {name}")).collect::<Vec<_>>().join(", ")
}
