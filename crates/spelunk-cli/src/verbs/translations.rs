//! Texts of GameData for translators: the parts of `export` and `import` that are for them.

use super::{
    import::changed,
    open_one,
    writing::{self, Onto},
};
use crate::{
    args::{Export, ExportKind, Import},
    inputs::Input,
    output::Session,
};
use spelunk::{
    Error, Opened, Result, codes,
    translations::{self, Report, Sheet, Translation, csv, po},
};
use std::path::Path;

/// Writes the texts of a file.
pub fn export(args: &Export, kind: ExportKind, session: &mut Session) -> Result<()> {
    let target = args.output.display().to_string();
    let write = match kind {
        ExportKind::Po => po::write,
        ExportKind::Csv => csv::write,
        _ => {
            let error = Error::new(&codes::EXPORT_KIND).expected("po or csv, with --language");
            session.failed(&target, &error);
            return Ok(());
        }
    };
    let Some(wish) = args.wish() else {
        let error = Error::new(&codes::NO_LANGUAGE).expected("--language with the language");
        session.failed(&target, &error);
        return Ok(());
    };
    let Some((file, mut opened)) = open_one(&args.file, session)? else { return Ok(()) };
    let sheet = match args.paths.is_empty() {
        true => translations::sheet(&mut opened, &wish),
        false => Err(Error::new(&codes::core::BAD_PATH).expected("no path: all texts are written")),
    };
    session.settle(&file, opened.findings());
    drop(opened);
    match sheet {
        Err(error) => session.failed(&file, &error),
        Ok(sheet) => {
            let written = writing::streamed(&args.output, &args.out, |out| {
                write(&sheet, args.untranslated, out)
            });
            let failed = written.is_err();
            writing::exported(&file, args, written, 1, session)?;
            if !failed {
                let Sheet { from, to, texts, .. } = &sheet;
                let (missing, all) = (sheet.untranslated(), texts.len());
                session
                    .say(&format!("{from} to {to}: {missing} of {all} texts have no translation"));
            }
        }
    }
    Ok(())
}

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
