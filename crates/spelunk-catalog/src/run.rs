//! A run: what there is, what of it is looked at, and what is written.

use crate::{
    folder::{self, CatalogFolder, with_slashes},
    manifest::Manifest,
    new_parts::NewParts,
    parts::{PartTask, WrittenPart, write},
    plan::{Catalogue, Planned, Status, part_count, part_of, plan},
    schema::TABLES,
    seen::CatalogFile,
    summary::Summary,
    turn::CatalogRun,
};
use serde_json::{Value, json};
use spelunk::{
    Error, Result,
    open::codes,
    open::json,
    verbs::{Disk, FileName, Files},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{self, MAIN_SEPARATOR, Path, PathBuf},
    slice,
};
use twox_hash::XxHash3_64;

/// A file that is to be in the catalogue.
#[derive(Clone, Debug)]
pub struct Input {
    /// The file.
    pub file: FileName,
    /// Name in the tables, where `/` parts folders whatever the system has. Two of one name and path are one file.
    pub name: String,
}

impl Input {
    /// A file that is called by its path, with what is no UTF-8 escaped as `\xNN`.
    pub fn new(path: &Path) -> Input {
        Input { file: path.into(), name: json::path(path) }
    }
}

/// Options of a run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Options for opening files.
    pub open: spelunk::Options,
    /// Look at every file, whatever the catalogue knows.
    pub full: bool,
    /// Write into a folder that holds other things. They stay, unless they have names of parts, and may be among the files.
    pub force: bool,
    /// Only report what would be done.
    pub dry_run: bool,
    /// Write through links in the folder of the catalogue.
    pub follow_links: bool,
}

/// Brings the catalogue in a folder up to date with these files; makes it where there is none. Its own files are none of
/// them. Hands how many bytes of files were looked at, of how many, to `progress`.
///
/// # Errors
/// [`NO_CATALOGUE`](codes::NO_CATALOGUE) for a folder that holds other things,
/// [`CATALOGUE_BUSY`](codes::CATALOGUE_BUSY), [`BAD_CATALOGUE`](codes::BAD_CATALOGUE), [`SAME_NAME`](codes::SAME_NAME); input
/// and output. The old catalogue is there then. Errors of single files are rows of the tables.
pub fn catalog(
    inputs: &[Input],
    dir: &Path,
    options: &Options,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Summary> {
    catalog_of(&Disk, inputs, &dir.into(), options, progress)
}

/// As [`catalog`], of any files, among which the catalogue lies too.
///
/// # Errors
/// Those of [`catalog`].
pub fn catalog_of(
    files: &dyn Files,
    inputs: &[Input],
    dir: &FileName,
    options: &Options,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Summary> {
    run(files, inputs, dir, options, &mut |tasks, new| {
        write(&tasks, new, (files, &options.open), progress)
    })
}

/// As [`catalog_of`], with the parts written by others: `write_parts` has [`part`] called for each task, wherever it is, and returns
/// what that returned, in any order. Files on the disk are named by their full paths there.
///
/// # Errors
/// Those of [`catalog`] and of `write_parts`; [`BAD_REQUEST`](codes::BAD_REQUEST) where not every task was done once.
pub fn catalog_by(
    files: &dyn Files,
    inputs: &[Input],
    dir: &FileName,
    options: &Options,
    write_parts: &mut dyn FnMut(&[PartTask]) -> Result<Vec<WrittenPart>>,
) -> Result<Summary> {
    let full = |file: &mut FileName| -> Result<()> {
        if let Some(path) = files.disk_path(file) {
            *file = path::absolute(&path).map_err(|error| Error::io_of(&path, error))?.into();
        }
        Ok(())
    };
    run(files, inputs, dir, options, &mut |mut tasks, new| {
        for task in &mut tasks {
            full(&mut task.dir)?;
            task.files.iter_mut().try_for_each(|file| full(&mut file.seen.file))?;
        }
        let mut written = write_parts(&tasks)?;
        written.sort_by_key(|written| written.part);
        let [wanted, done] = [
            tasks.iter().map(|task| task.part).collect::<Vec<_>>(),
            written.iter().map(|written| written.part).collect(),
        ];
        if wanted != done {
            let [wanted, done] = [wanted, done].map(|parts| format!("parts {parts:?}"));
            return Err(Error::new(&codes::BAD_REQUEST).expected(wanted).found(done));
        }
        let old: BTreeSet<&str> = tasks.iter().flat_map(PartTask::old_paths).collect();
        let paths = written.iter().flat_map(|written| &written.tables).map(|part| &*part.path);
        paths.filter(|path| !old.contains(path)).for_each(|path| new.add(path));
        Ok(written)
    })
}

/// Writes a part of a catalogue for [`catalog_by`], with the options of the run. It may be called again for the same task: of what
/// was written, what it returned counts.
///
/// # Errors
/// [`BAD_REQUEST`](codes::BAD_REQUEST) for a task of another version, and for one of a run with other options;
/// [`CATALOGUE_BUSY`](codes::CATALOGUE_BUSY); output, and input of the old catalogue. Errors of files are rows of the tables.
pub fn part(
    files: &dyn Files,
    task: &PartTask,
    options: &spelunk::Options,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<WrittenPart> {
    let settings = settings(options);
    if task.settings != settings {
        let [expected, found] = [&settings, &task.settings].map(Value::to_string);
        return Err(Error::new(&codes::BAD_REQUEST).expected(expected).found(found));
    }
    let (dir, follow_links) = (task.dir.clone(), task.follow_links);
    let folder = CatalogFolder { files, dir, follow_links };
    let mut new = NewParts::begin(&folder, false);
    let written = write(slice::from_ref(task), &mut new, (files, options), progress)?;
    new.keep();
    let none = || Error::new(&codes::BAD_REQUEST).expected("a part");
    written.into_iter().next().ok_or_else(none)
}

/// The parts of a table with their sizes in bytes, as the manifest of a catalogue has them; nothing where there is no catalogue.
///
/// # Errors
/// [`BAD_REQUEST`](codes::BAD_REQUEST) where catalogues have no such table; input.
pub fn parts_of(
    files: &dyn Files,
    dir: &FileName,
    table: &str,
) -> Result<Option<Vec<(FileName, u64)>>> {
    let folder = CatalogFolder { files, dir: dir.clone(), follow_links: false };
    let Some(manifest) = folder.manifest()? else { return Ok(None) };
    if TABLES.iter().all(|known| known.name != table) {
        let known: Vec<&str> = TABLES.iter().map(|known| known.name).collect();
        let error = Error::new(&codes::BAD_REQUEST).expected(known.join(", "));
        return Err(error.found(table.to_owned()));
    }
    let parts = manifest.table(table).iter();
    Ok(Some(parts.map(|part| (folder.name(&part.path), part.size)).collect()))
}

/// Has tasks written, and takes note of the parts.
type WriteParts<'w> =
    &'w mut dyn FnMut(Vec<PartTask>, &mut NewParts<'_>) -> Result<Vec<WrittenPart>>;

fn run(
    files: &dyn Files,
    inputs: &[Input],
    dir: &FileName,
    options: &Options,
    write_parts: WriteParts<'_>,
) -> Result<Summary> {
    let folder = CatalogFolder { files, dir: dir.clone(), follow_links: options.follow_links };
    if !options.force {
        folder.check()?;
    }
    // A dry run looks at the catalogue as it is; what is written rests on one that no other run changes meanwhile.
    let run = if options.dry_run { None } else { Some(CatalogRun::begin(&folder)?) };
    let settings = settings(&options.open);
    let mut catalogue = Catalogue::read(&folder, &settings)?;
    let reading = (files, &options.open);
    let planned = plan(seen(files, inputs, dir)?, &mut catalogue, options.full, reading)?;
    let mut summary = counted(&planned, &catalogue);
    let Some(mut run) = run else {
        let known = planned.iter().filter(|file| !file.look);
        known.for_each(|file| {
            file.known.iter().for_each(|known| summary.count(&file.seen.name, known))
        });
        return Ok(summary.sorted());
    };
    let parts = part_count(planned.len());
    let mut tasks = stale(&planned, &catalogue, parts);
    for file in planned {
        match (tasks.get_mut(&part_of(&file.seen.name, parts)), &file.known) {
            (Some(task), _) => task.files.push(file),
            (None, Some(known)) => summary.count(&file.seen.name, known),
            (None, None) => {}
        }
    }
    let old = catalogue.manifest;
    let complete = |mut task: PartTask| {
        task.rest_on(&old);
        PartTask {
            dir: dir.clone(),
            follow_links: options.follow_links,
            settings: settings.clone(),
            ..task
        }
    };
    let tasks: Vec<PartTask> = tasks.into_values().map(complete).collect();
    let written = match tasks.is_empty() {
        true => Vec::new(),
        false => write_parts(tasks, &mut run.parts)?,
    };
    let mut manifest = Manifest::new(settings);
    for (nth, table) in TABLES.into_iter().enumerate() {
        let mut written = written.iter().peekable();
        for part in 0..parts {
            let new = written.next_if(|new| new.part == part).and_then(|new| new.tables.get(nth));
            // Where there are more parts now, or fewer, all of them are new.
            let kept = || old.table(table.name).get(part);
            manifest.push(table.name, new.or_else(kept).cloned().unwrap_or_default());
        }
    }
    for part in written {
        summary.add(part.summary);
    }
    if manifest != old {
        run.commit(&manifest)?;
    }
    Ok(summary.sorted())
}

/// Settings that the rows depend on, beside the files.
fn settings(open: &spelunk::Options) -> Value {
    let spelunk::Options {
        max_memory,
        max_ratio,
        strict,
        pages,
        revision,
        languages,
        types,
        formats,
        ..
    } = open;
    let formats: Vec<&str> = formats.profiles().map(|profile| profile.name).collect();
    json!({
        "tool": env!("CARGO_PKG_VERSION"),
        "max_memory": max_memory,
        "max_ratio": max_ratio,
        "strict": strict,
        "reading": format!("{:016x}", XxHash3_64::oneshot(
            format!("{pages:?} {revision:?} {languages:?} {types:?} {formats:?}").as_bytes(),
        )),
    })
}

/// The files that there are, sorted by name.
fn seen(files: &dyn Files, inputs: &[Input], dir: &FileName) -> Result<Vec<CatalogFile>> {
    let is_own = own_files(files, dir);
    let mut named: BTreeMap<String, &Input> = BTreeMap::new();
    for input in inputs.iter().filter(|input| !is_own(&input.file)) {
        // A catalogue is read on other systems than it was made on.
        let name = input.name.replace(MAIN_SEPARATOR, "/");
        if let Some(other) = named.insert(name, input)
            && other.file != input.file
        {
            let both = format!("{:?} and {:?}", other.file.as_path(), input.file.as_path());
            return Err(Error::new(&codes::SAME_NAME).found(both));
        }
    }
    let named = named.into_iter();
    Ok(named.map(|(name, input)| CatalogFile::new(files, input.file.clone(), name)).collect())
}

/// Tells whether a file is one of those that runs write into a folder.
fn own_files<'f>(files: &'f dyn Files, dir: &FileName) -> impl Fn(&FileName) -> bool + use<'f> {
    // A folder that is not there holds nothing.
    let on_disk = files.disk_path(dir).and_then(|dir| fs::canonicalize(dir).ok());
    let elsewhere = format!("{}/", dir.to_string().trim_end_matches('/'));
    move |file| match (&on_disk, files.disk_path(file)) {
        (Some(dir), Some(path)) => real(&path)
            .and_then(|path| Some(with_slashes(path.strip_prefix(dir).ok()?)))
            .is_some_and(|path| folder::is_own(&path)),
        (None, None) => file.to_string().strip_prefix(&elsewhere).is_some_and(folder::is_own),
        _ => false,
    }
}

/// A path without links and `..`, also of a file that is gone.
fn real(path: &Path) -> Option<PathBuf> {
    let in_folder = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
        Some(folder.join(path.file_name()?))
    };
    fs::canonicalize(path).ok().or_else(in_folder)
}

fn counted(files: &[Planned], catalogue: &Catalogue) -> Summary {
    let count = |status| files.iter().filter(|file| file.status == status).count();
    Summary {
        files: files.len(),
        new: count(Status::New),
        changed: count(Status::Changed),
        touched: count(Status::Touched),
        unchanged: count(Status::Unchanged),
        gone: catalogue.files.len(),
        ..Summary::default()
    }
}

/// The parts that are written anew, without their files: all tables, or `files` alone.
fn stale(files: &[Planned], catalogue: &Catalogue, parts: usize) -> BTreeMap<usize, PartTask> {
    let task = |part, tables| (part, PartTask::new(part, tables));
    if catalogue.parts() != parts {
        return (0..parts).map(|part| task(part, TABLES.len())).collect();
    }
    let mut stale = BTreeMap::new();
    for Planned { seen, status, look, .. } in files {
        let tables = match (look, status) {
            (true, _) => TABLES.len(),
            (false, Status::Touched) => 1,
            (false, _) => continue,
        };
        let part = part_of(&seen.name, parts);
        let known = stale.entry(part).or_insert(task(part, tables).1);
        known.tables = tables.max(known.tables);
    }
    let gone = catalogue.files.keys().map(|gone| task(part_of(gone, parts), TABLES.len()));
    stale.extend(gone);
    stale
}
