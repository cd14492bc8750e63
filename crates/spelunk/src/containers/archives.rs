//! Folders of SpellForce archives, compared with lists and caches, and written as a cache.

use crate::{
    Collect, Container, Error, Limits, Opened, Options, Result, Seg, Source, Task,
    containers::sets::Layer,
    open::{Model, codes, model},
};
use spellforce::{
    pak::{Archive, ArchiveForm, MemberPath, SPEC_VERSION, shown},
    pakdata::{self, CacheArchive, Present},
    set::{Differ, LayerPosition, Mounted, Set, UnreadArchive},
};
use spelunk_core::Budget;
use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

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
    fn of(
        set: &Set,
        path: String,
        places: &[LayerPosition],
        differ: Option<&'static str>,
        task: &mut Task<'_>,
    ) -> Result<Row> {
        let mut file = |place: &LayerPosition| {
            Ok((set.layer(place.layer).to_owned(), set.size(*place, task)?))
        };
        let files = places.iter().map(&mut file).collect::<Result<_>>()?;
        Ok(Row { path, files, differ })
    }
}

/// Archives as one tree, as they would be in a folder: those with higher numbers in their names win. `None` where one of them is no
/// archive, or is mounted below a prefix.
///
/// # Errors
/// Limits.
pub fn united(layers: &[Layer], options: &Options) -> Result<Option<Opened>> {
    let mounted = layers.iter().filter(|layer| layer.prefix.is_empty()).map(|layer| {
        let archive = Model::of(layer.opened.container()).archive()?.clone();
        Some(Mounted { name: name(Path::new(&layer.label)), archive })
    });
    let mounted = mounted.collect::<Option<Vec<_>>>();
    let Some(mounted) = mounted.filter(|mounted| mounted.len() == layers.len()) else {
        return Ok(None);
    };
    let len = mounted.iter().map(|mounted| mounted.archive.size()).fold(0, u64::saturating_add);
    let set = Set::new(mounted, Vec::new(), options.mounting.preference);
    Opened::made(len, options, |_| Ok(Box::new(set))).map(Some)
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
            return spellforce::set::compare(set, task, |copies, task| {
                let path = shown(copies.path, &pages);
                let differ = Some(copies.differ).filter(|differ| *differ != Differ::Not);
                match differ.and_then(Differ::name).filter(|_| wanted(&path)) {
                    None => Ok(()),
                    differ => each(&Row::of(set, path, copies.places, differ, task)?),
                }
            });
        }
        let view = set.view(task)?;
        for group in view.groups() {
            let path = view.path(group);
            task.budget.touch(path.len() as u64)?;
            let path = shown(path, &pages);
            if wanted(&path) {
                each(&Row::of(set, path, view.places(group), None, task)?)?;
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
            let path = file.path().replace('\\', "/");
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

/// Whether a container is an archive, of whichever dialect.
pub fn is_archive(container: &dyn Container) -> bool {
    Model::of(container).archive().is_some()
}

/// Archives of a folder that could not be opened; none of other containers.
pub fn unread(container: &dyn Container) -> &[UnreadArchive] {
    match Model::of(container) {
        Model::Archives(set) => set.unread(),
        _ => &[],
    }
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
        let archive = Archive::read_any(source.clone(), &mut task);
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
        let cache = cache.ok_or_else(|| model::other(container, &codes::ONLY_CACHE))?;
        let archives = all(present)?;
        let present: Vec<Present<'_>> = archives
            .iter()
            .map(|At { name, path, archive }| Present { name, path, archive })
            .collect();
        pakdata::check(cache, &present, task)
    })
}

/// Writes a `pakdata.dat` of archives with these whole paths, in the form that is wanted, or else in theirs; returns their number.
///
/// # Errors
/// Those of [`pakdata::form_of`] and [`pakdata::build`]; an archive that cannot be opened.
pub fn write_cache(
    present: &[(PathBuf, Arc<dyn Source>)],
    wanted: Option<ArchiveForm>,
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
    match pakdata::form_of(&listed, wanted)? {
        ArchiveForm::Real => pakdata::build(&listed, &mut out, &mut task)?,
        ArchiveForm::Spec => {
            let listed: Vec<(&str, &Archive)> =
                archives.iter().map(|at| (&*at.name, &at.archive)).collect();
            pakdata::build_spec(SPEC_VERSION, &listed, &mut out, &mut task)?;
        }
    }
    io::Write::flush(&mut out)?;
    Ok(listed.len())
}
