//! Plan of a run: the files that there are, compared with those that the catalogue knows.

use crate::{
    folder::CatalogFolder,
    look::{Facts, FileError},
    manifest::{Manifest, PartFile},
    part::{PartReader, unreadable},
    rows::{CatalogueCell, Rows},
    schema::{FILES, PER_PART},
    seen::{CatalogFile, how},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use spelunk::{
    Error, Options, Result,
    check::registry,
    core::finding::thread_count,
    core::parallel::{Job, Share, ordered},
    open::{codes, hashes::read_all},
    verbs::Files,
};
use std::collections::HashMap;
use twox_hash::{XxHash3_64, XxHash3_128};

/// Number of parts for so many files. A power of two, so that when they become more or fewer, the files of a part come from few
/// others.
pub(crate) const fn part_count(files: usize) -> usize {
    files.div_ceil(PER_PART).next_power_of_two()
}

/// The part of a file.
pub(crate) fn part_of(name: &str, parts: usize) -> usize {
    let hash = XxHash3_64::oneshot(name.as_bytes());
    usize::try_from(hash.checked_rem(parts as u64).unwrap_or_default()).unwrap_or_default()
}

/// A file as the catalogue knows it.
#[derive(Clone, Debug)]
pub(crate) struct CataloguedFile {
    size: Option<u64>,
    modified: Option<i64>,
    pub(crate) facts: Facts,
}

/// Contents of a catalogue.
#[derive(Default, Debug)]
pub(crate) struct Catalogue {
    pub(crate) files: HashMap<String, CataloguedFile>,
    /// Its parts; none where there is no catalogue, or one that cannot be used.
    pub(crate) manifest: Manifest,
}

impl Catalogue {
    /// Reads the catalogue in a folder. One with other settings, and one with parts that are missing or damaged, is none.
    ///
    /// # Errors
    /// Input: what cannot be read now is not made anew for that.
    pub(crate) fn read(folder: &CatalogFolder<'_>, settings: &Value) -> Result<Catalogue> {
        let manifest = folder.manifest()?.filter(|manifest| {
            manifest.settings == *settings
                && manifest.part_count().is_power_of_two()
                && folder.is_whole(manifest)
        });
        let Some(manifest) = manifest else { return Ok(Catalogue::default()) };
        let mut files = HashMap::new();
        let parts = manifest.table(FILES.name);
        // Those of a store are waited for.
        let threads = if folder.dir.as_url().is_some() { WAITING } else { thread_count(None) };
        let read = ordered(
            Share { threads: threads.min(parts.len()), weight: 64 << 20 },
            &mut parts.iter().map(|part| (part.size.saturating_mul(8), Job::Do(part))),
            &|| (),
            &|(), part| read_part(folder, part),
            &mut |known| {
                files.extend(known?);
                Ok(())
            },
        );
        match read {
            Ok(()) => Ok(Catalogue { files, manifest }),
            Err(error) if error.code() == &codes::BAD_CATALOGUE => Ok(Catalogue::default()),
            Err(error) => Err(error),
        }
    }

    /// Number of parts of each table.
    pub(crate) fn parts(&self) -> usize {
        self.manifest.part_count()
    }
}

/// Number of parts of a store that are asked for at a time.
const WAITING: usize = 16;

/// Reads the files of a part.
///
/// # Errors
/// [`BAD_CATALOGUE`](codes::BAD_CATALOGUE) where one of them is not such as a run writes; input.
fn read_part(folder: &CatalogFolder<'_>, part: &PartFile) -> Result<Vec<(String, CataloguedFile)>> {
    let files = PartReader::open(folder.open(part)?, &FILES).map_err(unreadable)?;
    let unwanted = ["dialect", "version", "details"];
    let mut known_files = Vec::new();
    for group in 0..files.groups() {
        let rows = files.read(group, &|column| !unwanted.contains(&column)).map_err(unreadable)?;
        for row in 0..rows.len {
            let known = known(&rows, row);
            known_files.push(known.ok_or_else(|| Error::new(&codes::BAD_CATALOGUE))?);
        }
    }
    Ok(known_files)
}

fn known(rows: &Rows, row: usize) -> Option<(String, CataloguedFile)> {
    let cell = |column: &str| {
        FILES.place(column).map_or(CatalogueCell::Null, |place| rows.get(row, place))
    };
    let text = |column: &str| match cell(column) {
        CatalogueCell::Text(text) => Some(text),
        _ => None,
    };
    let string = |column: &str| text(column).and_then(|text| str::from_utf8(text).ok());
    let count = |column: &str| match cell(column) {
        CatalogueCell::Int(number) => u64::try_from(number).ok(),
        _ => None,
    };
    let modified = match cell("modified") {
        CatalogueCell::Int(time) => Some(time),
        _ => None,
    };
    let ok = match cell("ok") {
        CatalogueCell::Bool(ok) => Some(ok),
        _ => None,
    };
    let error = string("error_code").and_then(registry::code).zip(string("error_message"));
    let findings = ["errors", "warnings", "notes"].map(count).into_iter().flatten();
    let facts = Facts {
        hash: string("hash").map(Into::into),
        is_container: text("format").is_some(),
        entries: count("entries")?,
        objects: count("objects")?,
        findings: findings.fold(0, u64::saturating_add),
        ok,
        error: error.map(|(code, message)| FileError { code, message: message.to_owned() }),
    };
    Some((string("file")?.to_owned(), CataloguedFile { size: count("size"), modified, facts }))
}

/// Comparison of a file with the catalogue.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Status {
    New,
    Changed,
    /// The time differs or is unknown; the bytes are the same.
    Touched,
    #[default]
    Unchanged,
}

/// A file and what is to be done with it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Planned {
    pub(crate) seen: CatalogFile,
    /// For the report; who writes its part has no need of it.
    #[serde(skip)]
    pub(crate) status: Status,
    /// Whether it is looked at.
    pub(crate) look: bool,
    /// Whether processes that looked at it ended, so that it is left alone.
    #[serde(default)]
    pub(crate) is_lost: bool,
    /// Summary of the file in the catalogue.
    pub(crate) known: Option<Facts>,
}

/// Compares the files, which are sorted by name, with the catalogue. What is left in it is gone.
pub(crate) fn plan(
    files: Vec<CatalogFile>,
    catalogue: &mut Catalogue,
    full: bool,
    reading: (&dyn Files, &Options),
) -> Result<Vec<Planned>> {
    let mut planned = Vec::with_capacity(files.len());
    let mut doubtful = Vec::new();
    for seen in files {
        let known = catalogue.files.remove(&seen.name);
        let status = match &known {
            None => Status::New,
            // What could not be read before may be readable now.
            Some(known) if known.facts.hash.is_none() => match seen.size == known.size {
                true => Status::Unchanged,
                false => Status::Changed,
            },
            Some(known) if seen.size != known.size => Status::Changed,
            // Times that are unknown are not the same.
            Some(known) if seen.modified.is_some() && seen.modified == known.modified => {
                Status::Unchanged
            }
            Some(_) => Status::Touched,
        };
        let facts = known.map(|known| known.facts);
        let was_read = facts.as_ref().is_some_and(|facts| facts.hash.is_some());
        let look = full || !was_read || status == Status::Changed;
        if status == Status::Touched {
            doubtful.push(planned.len());
        }
        planned.push(Planned { seen, status, look, is_lost: false, known: facts });
    }
    let others = changed(&planned, doubtful, reading)?;
    for nth in others {
        if let Some(file) = planned.get_mut(nth) {
            (file.status, file.look) = (Status::Changed, true);
        }
    }
    Ok(planned)
}

/// Returns those of the doubtful files, each of the size it had, whose bytes differ or cannot be read.
fn changed(
    planned: &[Planned],
    doubtful: Vec<usize>,
    (files, options): (&dyn Files, &Options),
) -> Result<Vec<usize>> {
    let threads = thread_count(options.threads).min(doubtful.len());
    let mut jobs = doubtful.into_iter().map(|nth| (1, Job::Do(nth)));
    let mut others = Vec::new();
    let same = |nth: usize| -> Option<bool> {
        let file = planned.get(nth)?;
        let source = files.open(&file.seen.file, how(options)).ok()?;
        // The hash that the catalogue goes by is enough here.
        let mut hash = XxHash3_128::new();
        read_all(&*source, options.cancel.as_ref(), &mut |bytes| hash.write(bytes)).ok()?;
        let known = file.known.as_ref()?.hash.as_deref()?;
        Some(known == format!("{:032x}", hash.finish_128()))
    };
    ordered(
        Share { threads, weight: 64 },
        &mut jobs,
        &|| (),
        &|(), nth| (nth, same(nth) == Some(true)),
        &mut |(nth, same)| {
            if !same {
                others.push(nth);
            }
            Ok(())
        },
    )?;
    Ok(others)
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk::verbs::Memory;

    #[test]
    fn parts_grow_with_the_files() {
        assert_eq!([0, 1, 256, 257, 513, 100_000].map(part_count), [1, 1, 1, 2, 4, 512]);
    }

    #[test]
    fn a_file_without_a_time_is_known_by_its_bytes() {
        let files = Memory::new();
        files.put("a", b"new".to_vec());
        let status = |hashed: &[u8]| {
            let hash = format!("{:032x}", twox_hash::XxHash3_128::oneshot(hashed));
            let facts = Facts { hash: Some(hash.into()), ..Facts::default() };
            let known = CataloguedFile { size: Some(3), modified: None, facts };
            let files_known = HashMap::from([("a".to_owned(), known)]);
            let mut catalogue = Catalogue { files: files_known, ..Catalogue::default() };
            let seen = CatalogFile::new(&files, "a".into(), "a".to_owned());
            assert_eq!((seen.size, seen.modified), (Some(3), None));
            let reading = (&files as &dyn Files, &Options::default());
            let planned = plan(vec![seen], &mut catalogue, false, reading).unwrap();
            (planned[0].status, planned[0].look)
        };
        assert_eq!(status(b"new"), (Status::Touched, false));
        assert_eq!(status(b"old"), (Status::Changed, true));
    }

    #[test]
    fn a_file_stays_in_its_part_or_the_one_beside_it() {
        for name in ["a", "b/c.nmo", "\u{fc}"] {
            let part = part_of(name, 8);
            assert!(part < 8 && [part, part + 8].contains(&part_of(name, 16)));
        }
    }
}
