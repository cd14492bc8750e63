//! Folders of SpellForce archives, opened as one tree.
//!
//! The archives of a game are `DIR/*.pak`, or `DIR/pak/*.pak` where there are none. Loose files are those in the folders of
//! `DIR` other than that of the archives; files right in `DIR` are none, since every path of an archive has a directory.

use crate::{Opened, Options, detect::Formats, files::FileContent};
use spellforce::{
    pak::{Archive, MemberPath},
    profile,
    set::{Loose, Mounted, Set, UnreadArchive},
};
use spelunk_core::{
    Error, Result, Seg, Source, Task,
    source::{FileSource, MAP_FROM, Mapping},
};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

pub use crate::mounting::Mounting;
pub use spellforce::set::Preference;

/// The archives of a folder, by name; nothing where it has none.
pub fn find(dir: &Path) -> Vec<PathBuf> {
    let here = paks(dir);
    if here.is_empty() { paks(&dir.join("pak")) } else { here }
}

fn paks(dir: &Path) -> Vec<PathBuf> {
    let is_pak = |path: &PathBuf| {
        let extension = path.extension().is_some_and(|known| known.eq_ignore_ascii_case("pak"));
        extension && path.is_file()
    };
    let entries = fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut paks: Vec<PathBuf> = entries.filter(is_pak).collect();
    paks.sort();
    paks
}

/// Whether a folder is there for its archives: it has some, and right in it lies no container of another one of the formats than
/// theirs.
pub fn is_game(dir: &Path, formats: &Formats) -> bool {
    let ours = [&profile::PAK, &profile::PAKDATA];
    let is_other = |path: PathBuf| {
        // What is no file is not opened: a pipe would wait for somebody who writes.
        let file = Some(path).filter(|path| path.is_file());
        let file = file.and_then(|path| fs::File::open(path).ok());
        let source = file.and_then(|file| FileSource::new(file).ok());
        let claimed = source.and_then(|source| formats.claimed(&source));
        claimed.is_some_and(|format| !ours.iter().any(|our| format.is(our)))
    };
    let mut files = fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
    !find(dir).is_empty() && !files.any(is_other)
}

/// The file name of an archive.
pub fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The tables of an archive. Large ones are mapped, of small ones what is needed is read.
fn read(path: &Path, mapping: Mapping, task: &mut Task<'_>) -> Result<Archive> {
    let file = fs::File::open(path)?;
    let source: Arc<dyn Source> = match (mapping, file.metadata()?.len()) {
        (Mapping::Large, MAP_FROM..) => spelunk_core::source::opened(file, mapping)?,
        _ => Arc::new(FileSource::new(file)?),
    };
    Archive::read_any(source, task)
}

/// Opens all archives of a folder as one tree; `None` where it has none. Their tables are read, not looked at:
/// [`verify`](spelunk_core::Container::verify) does that. An archive that cannot be opened is reported and left out, and the set
/// names it ([`Set::unread`]). Archives of the dialect `spec` are part of a set as real ones are.
///
/// # Errors
/// When none of them can be opened; reading errors; limits.
pub fn open(dir: &Path, options: &Options) -> Result<Option<Opened>> {
    let paths = find(dir);
    if paths.is_empty() {
        return Ok(None);
    }
    let len = paths.iter().filter_map(|path| fs::metadata(path).ok()).map(|meta| meta.len());
    let len = len.fold(0, u64::saturating_add);
    Opened::made(len, options, |task| Ok(Box::new(set(dir, &paths, options, task)?))).map(Some)
}

/// The error of an archive as a finding.
fn reported(error: &Error) -> Error {
    let reported = Error::new(error.code());
    if error.io_error().is_some() {
        return reported.found(error.message());
    }
    let [expected, found] = [error.expected_value(), error.found_value()].map(Clone::clone);
    let reported = reported.expected(expected).found(found);
    error.place().into_iter().fold(reported, Error::at)
}

/// The set of these archives of a folder.
///
/// # Errors
/// As [`open`].
pub fn set(dir: &Path, paths: &[PathBuf], options: &Options, task: &mut Task<'_>) -> Result<Set> {
    let mut archives = Vec::new();
    let mut unread = Vec::new();
    for path in paths {
        match read(path, options.mapping, task) {
            Ok(archive) => archives.push(Mounted { name: name(path), archive }),
            Err(error) => {
                task.error(reported(&error).within(Seg::Key(name(path).into())))?;
                unread.push(UnreadArchive { name: name(path), error });
            }
        }
    }
    if archives.is_empty()
        && let Some(UnreadArchive { error, .. }) = unread.pop()
    {
        return Err(error);
    }
    let Mounting { preference, no_loose } = options.mounting;
    let loose = match no_loose {
        true => Vec::new(),
        false => loose(dir, paths.first().and_then(|path| path.parent()), task)?,
    };
    Ok(Set::new(archives, loose, preference).with_unread(unread))
}

/// Deeper folders than this are not looked into.
const MAX_DEPTH: usize = 32;

/// The files in the folders of `dir` other than `archives`. Links to folders are not followed; names that no path of an
/// archive can have are passed over. A folder below that cannot be read is reported, and the others are looked into.
fn loose(dir: &Path, archives: Option<&Path>, task: &mut Task<'_>) -> Result<Vec<Loose>> {
    let mut found = Vec::new();
    let mut folders = vec![(dir.to_owned(), String::new(), 0)];
    while let Some((folder, prefix, depth)) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            Err(error) if depth == 0 => return Err(Error::io_of(&folder, error)),
            Err(error) => {
                task.error(Error::io_of(&folder, error))?;
                continue;
            }
            Ok(entries) => entries,
        };
        for entry in entries {
            let seen = entry.and_then(|entry| Ok((entry.file_type()?, entry)));
            let (kind, entry) = match seen {
                Err(error) => {
                    task.error(Error::io_of(&folder, error))?;
                    continue;
                }
                Ok(seen) => seen,
            };
            let Ok(name) = entry.file_name().into_string() else { continue };
            let path = entry.path();
            task.budget.memory((path.as_os_str().len() as u64).saturating_add(256))?;
            if kind.is_dir() {
                if depth < MAX_DEPTH && archives.is_none_or(|archives| archives != path) {
                    folders.push((path, format!("{prefix}{name}/"), depth + 1));
                }
            } else if depth > 0
                && path.is_file()
                && let Ok(member) = MemberPath::from_text(&format!("{prefix}{name}"))
            {
                found.push(Loose { path: member, content: Arc::new(FileContent::new(path)?) });
            }
        }
    }
    Ok(found)
}
