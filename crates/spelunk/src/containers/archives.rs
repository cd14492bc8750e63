//! Folders of SpellForce archives, compared with lists and caches, and written as a cache.

use crate::{
    Collect, Error, Limits, Opened, Options, Result, Seg, Source, Task,
    open::{Model, codes, model},
};
use spellforce::{
    pak::{Archive, MemberPath, shown},
    pakdata::{self, CacheArchive, Present},
    set::{Differ, LayerPosition, Set},
};
use spelunk_core::Budget;
use std::{io, path::PathBuf, sync::Arc};

pub use spelunk_open::archives::{Mounting, Preference, find, is_game, name, open, set};

/// The files of one path, as rows show them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The path.
    pub path: String,
    /// The archives that hold it with the sizes of the files, the one that wins first.
    pub files: Vec<(String, u64)>,
    /// In what they differ: `size`, `content`; `None` where they do not, or that was not asked for.
    pub differ: Option<&'static str>,
}

impl Row {
    fn of(set: &Set, path: String, places: &[LayerPosition], differ: Option<&'static str>) -> Row {
        let file = |place: &LayerPosition| (set.layer(place.layer).to_owned(), set.size(*place));
        Row { path, files: places.iter().map(file).collect(), differ }
    }
}

/// Hands every path that `wanted` takes to `each`, with all files that have it. With `conflicts` these are the ones whose files
/// differ alone, which are read as far as it takes to know that.
///
/// # Errors
/// What `each` returns; [`ONLY_ARCHIVES`](codes::ONLY_ARCHIVES); reading errors; limits.
pub fn rows(
    opened: &mut Opened,
    conflicts: bool,
    wanted: impl Fn(&str) -> bool,
    each: &mut dyn FnMut(&Row) -> Result<()>,
) -> Result<()> {
    let pages = opened.code_pages();
    opened.run(|container, task| {
        let set = model::archives(container, &codes::ONLY_ARCHIVES)?;
        if conflicts {
            return spellforce::set::compare(set, task, |copies, _| {
                let path = shown(copies.path, &pages);
                let differ = Some(copies.differ).filter(|differ| *differ != Differ::Not);
                match differ.and_then(Differ::name).filter(|_| wanted(&path)) {
                    None => Ok(()),
                    differ => each(&Row::of(set, path, copies.places, differ)),
                }
            });
        }
        let view = set.view(task)?;
        for group in view.groups() {
            let path = view.path(group);
            task.budget.touch(path.len() as u64)?;
            let path = shown(path, &pages);
            if wanted(&path) {
                each(&Row::of(set, path, view.places(group), None))?;
            }
        }
        Ok(())
    })
}

/// Hands the paths of a list that no file of the set has to `each`, in the order of the list. A list is a `pakdata.dat`, or a
/// text with a path a line.
///
/// # Errors
/// What `each` returns; [`ONLY_ARCHIVES`](codes::ONLY_ARCHIVES); reading errors; limits.
pub fn missing(
    opened: &mut Opened,
    list: Arc<dyn Source>,
    options: &Options,
    each: &mut dyn FnMut(&str) -> Result<()>,
) -> Result<()> {
    let mut cache = None;
    let mut text = String::new();
    match Opened::open(list.clone(), options) {
        Ok(opened) if Model::of(opened.container()).cache().is_some() => cache = Some(opened),
        _ => {
            let bytes = list.read(0..list.len(), &mut options.budget(list.len()))?;
            let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
            text = match std::str::from_utf8(bytes) {
                Ok(text) => text.to_owned(),
                // Every byte is a character there.
                Err(_) => crate::core::text::CodePages::cp1252()
                    .decode(bytes)
                    .unwrap_or_default()
                    .into_owned(),
            };
        }
    }
    opened.run(|container, task| {
        let set = model::archives(container, &codes::ONLY_ARCHIVES)?;
        let mut look = |path: &str, task: &mut Task<'_>| -> Result<()> {
            task.budget.touch(path.len() as u64)?;
            let found = match MemberPath::from_text(path) {
                Ok(wanted) => set.lookup(&wanted, task)?.is_some(),
                Err(_) => false,
            };
            if found { Ok(()) } else { each(path) }
        };
        let Some(cache) = &cache else {
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            return lines.into_iter().try_for_each(|line| look(&line.replace('\\', "/"), task));
        };
        let cache = Model::of(cache.container()).cache();
        let mut seen = std::collections::HashSet::new();
        for file in cache.iter().flat_map(|cache| cache.archives()).flat_map(|pak| pak.entries()) {
            let text = |part: &[u8]| String::from_utf8_lossy(part).replace('\\', "/");
            let path = format!("{}/{}", text(file.directory), text(file.name));
            task.budget.memory((path.len() as u64).saturating_add(48))?;
            if seen.insert(path.clone()) {
                look(&path, task)?;
            }
        }
        Ok(())
    })
}

/// An archive with its name and its whole path.
struct At {
    name: String,
    path: String,
    archive: Archive,
}

/// The error that a folder has no archives.
pub(crate) fn none_in(folder: &str) -> Error {
    let error = Error::new(&codes::NO_ARCHIVES).expected("DIR/*.pak or DIR/pak/*.pak");
    error.found(folder.to_owned())
}

/// Archives with these whole paths. Their tables are not in the limits of anything else.
fn all(present: &[(PathBuf, Arc<dyn Source>)]) -> Result<Vec<At>> {
    let mut sink = Collect::default();
    let mut task = Task::new(Budget::new(Limits::unlimited()), &mut sink);
    let read = |(path, source): &(PathBuf, Arc<dyn Source>)| {
        let name = name(path);
        let archive = Archive::read(source.clone(), &mut task);
        let archive = archive.map_err(|error| error.within(Seg::Key(name.clone().into())))?;
        Ok(At { name, path: path.to_string_lossy().into_owned(), archive })
    };
    present.iter().map(read).collect()
}

/// Reports what of a `pakdata.dat` is not true of archives with these whole paths; findings are kept by `opened`.
///
/// # Errors
/// [`ONLY_CACHE`](codes::ONLY_CACHE); an archive that cannot be opened; limits.
pub fn check(opened: &mut Opened, present: &[(PathBuf, Arc<dyn Source>)]) -> Result<()> {
    opened.run(|container, task| {
        let cache = Model::of(container).cache();
        // Of the dialect `spec` there are no archives of a game that could be compared.
        let cache = cache
            .filter(|cache| !cache.form().is_spec())
            .ok_or_else(|| model::other_dialect(container, &codes::ONLY_CACHE))?;
        let archives = all(present)?;
        let present: Vec<Present<'_>> = archives
            .iter()
            .map(|At { name, path, archive }| Present { name, path, archive })
            .collect();
        pakdata::check(cache, &present, task)
    })
}

/// Writes a `pakdata.dat` of archives with these whole paths; returns their number.
///
/// # Errors
/// Those of [`pakdata::build`]; an archive that cannot be opened.
pub fn write_cache(
    present: &[(PathBuf, Arc<dyn Source>)],
    out: &mut dyn io::Write,
) -> Result<usize> {
    let archives = all(present)?;
    let mut sink = Collect::default();
    let mut task = Task::new(Budget::new(Limits::unlimited()), &mut sink);
    let listed: Vec<CacheArchive<'_>> = archives
        .iter()
        .map(|At { name, path, archive }| CacheArchive { key: name, path, archive })
        .collect();
    let mut out = io::BufWriter::new(out);
    pakdata::build(&listed, &mut out, &mut task)?;
    io::Write::flush(&mut out)?;
    Ok(listed.len())
}
