//! Reading of one file: its rows in all tables.

use crate::{
    list::{ContainerLister, push_hashes, shown},
    rows::Rows,
    schema::{TABLE_COUNT, TABLES},
    seen::{CatalogFile, how},
    sent,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use spelunk::{
    Buffers, Code, Error, Opened, Options, Profile, Severity, Walk,
    open::codes,
    open::detect,
    open::hashes::ContentHashes,
    open::json::{self, Diagnostic},
    verbs::Files,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Summary of a file beside its rows.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Facts {
    /// XXH3-128 of its bytes, 32 hexadecimal digits.
    pub(crate) hash: Option<Box<str>>,
    /// Whether it is of a known format.
    pub(crate) is_container: bool,
    pub(crate) entries: u64,
    pub(crate) objects: u64,
    pub(crate) findings: u64,
    pub(crate) ok: Option<bool>,
    /// The error that ended the opening or the reading.
    pub(crate) error: Option<FileError>,
}

/// An error of a file as the catalogue keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct FileError {
    #[serde(with = "sent::code")]
    pub(crate) code: &'static Code,
    pub(crate) message: String,
}

/// A file that was looked at.
pub(crate) struct Looked {
    pub(crate) facts: Facts,
    /// In the order of [`TABLES`].
    pub(crate) rows: [Rows; TABLE_COUNT],
}

/// Looks at a file. Whatever happens there is reported in its rows.
pub(crate) fn look(
    seen: &CatalogFile,
    (files, options): (&dyn Files, &Options),
    buffers: &mut Buffers,
) -> Looked {
    guarded(seen, || {
        let mut file = Look::new(seen);
        let source = match files.open(&seen.file, how(options)) {
            Ok(source) => source,
            Err(error) => return file.refused(&error, None),
        };
        file.size = Some(source.len());
        match ContentHashes::of_source(&*source, options.cancel.as_ref()) {
            Ok(hashes) => file.hashed(source.len(), hashes),
            Err(error) => return file.refused(&error, None),
        }
        match Opened::open_reusing(source.clone(), options, std::mem::take(buffers)) {
            Ok(mut opened) => {
                let looked = file.opened(&mut opened);
                *buffers = opened.into_buffers();
                looked
            }
            Err(error) => file.refused(&error, options.formats.claimed(&*source)),
        }
    })
}

/// Looks at a file; a panic becomes an error of the file.
fn guarded(seen: &CatalogFile, look: impl FnOnce() -> Looked) -> Looked {
    catch_unwind(AssertUnwindSafe(look))
        .unwrap_or_else(|_| Look::new(seen).refused(&Error::new(&codes::PANICKED), None))
}

/// The rows of a file that is left alone, since processes that looked at it ended.
pub(crate) fn lost(seen: &CatalogFile) -> Looked {
    Look::new(seen).refused(&Error::new(&codes::WORKER_ENDED), None)
}

/// A file that is looked at.
struct Look<'f> {
    seen: &'f CatalogFile,
    size: Option<u64>,
    hash: Option<Box<str>>,
    rows: [Rows; TABLE_COUNT],
}

impl<'f> Look<'f> {
    fn new(seen: &'f CatalogFile) -> Look<'f> {
        Look { seen, size: seen.size, hash: None, rows: TABLES.map(Rows::new) }
    }

    /// The file has these hashes.
    fn hashed(&mut self, size: u64, hashes: ContentHashes) {
        let [.., rows, _] = &mut self.rows;
        push_hashes(rows, &self.seen.name, None, size, &hashes);
        self.hash = Some(hashes.xxh3.into());
    }

    /// Rows of a file that was not opened.
    fn refused(self, error: &Error, format: Option<&'static Profile>) -> Looked {
        let format = format.map(|profile| profile.name);
        let is_foreign = detect::is_foreign(error);
        let findings = match is_foreign {
            true => Vec::new(),
            false => vec![json::diagnostic(Severity::Error, error)],
        };
        let counts = [u64::from(!is_foreign), 0, 0];
        let ok = (!is_foreign).then_some(false);
        let findings = &mut findings.into_iter();
        self.looked(format, None, (findings, counts), (ok, Some(error)), None)
    }

    fn opened(mut self, opened: &mut Opened) -> Looked {
        let pages = opened.code_pages();
        let (details, described) = opened.run(|container, task| {
            // They stay as long as the file is open.
            task.keeping(|task, most| {
                let walked = |walk: &mut dyn Walk| container.info(task, walk);
                let (details, held, described) = json::object_within(&pages, most, walked);
                ((details, described), held)
            })
        });
        let [_, entries, objects, references, hashes, _] = &mut self.rows;
        let name = &self.seen.name;
        let listed = described.and_then(|()| {
            opened.run(|container, task| {
                let tables = [entries, objects, references, hashes];
                ContainerLister::new(container, name, &pages, tables).all(task)
            })
        });
        let checked = opened.run(|container, task| container.verify(task));
        let fatal: Vec<Error> = [checked.err(), listed.err()].into_iter().flatten().collect();
        let mut ended_by: Vec<Diagnostic> =
            fatal.iter().map(|error| json::diagnostic(Severity::Error, error)).collect();
        // Both may have met the same.
        ended_by.dedup();
        let found = opened.take_findings();
        let counts = [Severity::Error, Severity::Warning, Severity::Info].map(|wanted| {
            let counts = found.counts().iter().filter(|(_, severity, _)| *severity == wanted);
            counts.fold(0_u64, |sum, (_, _, count)| sum.saturating_add(*count))
        });
        let [errors, warnings, notes] = counts;
        let counts = [errors.saturating_add(ended_by.len() as u64), warnings, notes];
        let findings = &mut found.findings.iter().map(json::finding).chain(ended_by);
        let ok = Some(counts[0] == 0);
        let container = opened.container();
        let kind = (container.format(), container.dialect());
        self.looked(Some(kind.0), kind.1, (findings, counts), (ok, fatal.first()), Some(details))
    }

    fn looked(
        mut self,
        format: Option<&'static str>,
        dialect: Option<&'static str>,
        (findings, [errors, warnings, notes]): (&mut dyn Iterator<Item = Diagnostic>, [u64; 3]),
        (ok, error): (Option<bool>, Option<&Error>),
        details: Option<Map<String, Value>>,
    ) -> Looked {
        let [files, entries, objects, .., found] = &mut self.rows;
        let name = &self.seen.name[..];
        for (number, finding) in (0_i64..).zip(findings) {
            let Diagnostic { severity, code, space, offset, path, message } = finding;
            found.push([
                name.into(),
                number.into(),
                severity.into(),
                code.into(),
                space.as_deref().into(),
                offset.into(),
                Some(&*path).filter(|path| !path.is_empty()).into(),
                (&*message).into(),
            ]);
        }
        let version = details.as_ref().and_then(|details| {
            ["version", "format_version", "file_version"].iter().find_map(|key| details.get(*key))
        });
        let (version, details) =
            (version.map(shown), details.map(|details| Value::Object(details).to_string()));
        let message = error.map(Error::message);
        files.push([
            name.into(),
            self.size.into(),
            self.seen.modified.into(),
            self.hash.as_deref().into(),
            format.into(),
            dialect.into(),
            version.as_deref().into(),
            (entries.len as u64).into(),
            (objects.len as u64).into(),
            errors.into(),
            warnings.into(),
            notes.into(),
            ok.into(),
            error.map(|error| error.code().id).into(),
            message.as_deref().into(),
            details.as_deref().into(),
        ]);
        let facts = Facts {
            hash: self.hash,
            is_container: format.is_some(),
            entries: entries.len as u64,
            objects: objects.len as u64,
            findings: errors.saturating_add(warnings).saturating_add(notes),
            ok,
            error: error
                .zip(message)
                .map(|(error, message)| FileError { code: error.code(), message }),
        };
        Looked { facts, rows: self.rows }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{rows::CatalogueCell, schema};
    use spelunk::verbs::Memory;

    #[test]
    fn a_file_that_ends_the_work_is_a_row() {
        let seen =
            CatalogFile { file: "a".into(), name: "a".into(), size: Some(7), modified: None };
        let looked = guarded(&seen, || panic!("on purpose"));
        assert_eq!(looked.facts.error.unwrap().code.id, codes::PANICKED.id);
        let [files, entries, .., findings] = looked.rows;
        assert_eq!((files.len, entries.len, findings.len), (1, 0, 1));
        assert_eq!(files.get(0, 1), CatalogueCell::Int(7));
    }

    #[test]
    fn what_ends_the_listing_and_what_ends_the_checks_are_both_reported() {
        let files = Memory::new();
        files.put("forest.snpak", spelunk_fixtures::samples::pack().build().bytes);
        let seen = CatalogFile::new(&files, "forest.snpak".into(), "forest.snpak".to_owned());
        // Enough to open it, and for neither.
        let options = Options { max_memory: Some(1000), ..Options::default() };
        let Looked { facts, rows: [files, .., findings] } =
            look(&seen, (&files, &options), &mut Buffers::default());
        let place = |column| schema::FINDINGS.place(column).unwrap();
        let reported: Vec<[CatalogueCell<'_>; 2]> = (0..findings.len)
            .map(|row| ["code", "message"].map(|column| findings.get(row, place(column))))
            .collect();
        let [checked, listed, ..] = &reported[..] else { panic!("{reported:?}") };
        assert!(
            reported.iter().all(|[code, _]| *code == CatalogueCell::from(codes::core::MEMORY.id))
        );
        assert_ne!(checked[1], listed[1]);
        let message = facts.error.unwrap().message;
        let error = CatalogueCell::from(&*message);
        assert!(reported.iter().any(|[_, message]| *message == error), "{reported:?}");
        assert_eq!(
            files.get(0, schema::FILES.place("errors").unwrap()),
            CatalogueCell::Int(reported.len() as i64)
        );
    }
}
