//! A run: what there is, what of it is looked at, and what is written.

use crate::{
    look::{Facts, Looked, look},
    part::{Cursor, PartReader, PartWriter},
    plan::{Catalogue, Planned, Status, part_count, part_number, part_of, part_path, plan},
    rows::Rows,
    schema::{FILES, TABLE_COUNT, TABLES, VERSION},
    seen::CatalogFile,
    stage::{self, MARKER, STAGE, Stage},
};
use parquet::errors::ParquetError;
use serde_json::{Value, json};
use spelunk::{
    Buffers, Cancel, Code, Error, Result,
    core::finding::thread_count,
    core::parallel::{Job, Share, ordered},
    open::codes,
    open::json,
    verbs::{Disk, FileName, Files},
};
use std::{
    collections::{BTreeMap, BTreeSet, btree_map::Entry as Slot},
    fs,
    hash::Hasher,
    io,
    num::NonZeroUsize,
    path::{MAIN_SEPARATOR, Path, PathBuf},
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

/// A file that could not be opened or read to its end.
#[derive(Clone, Debug)]
pub struct Bad {
    /// Name of the file.
    pub file: String,
    /// Code of the error that ended it.
    pub code: &'static Code,
    /// Message of the error.
    pub message: String,
    /// Whether it is a file of no known format, rather than a damaged one.
    pub is_foreign: bool,
}

/// Report of a run, and counts of the catalogue after it.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Files, and those of them that are of a known format.
    pub files: usize,
    /// See `files`.
    pub containers: usize,
    /// Rows of the tables. All findings are counted, repetitions too. Without those of files that a dry run would look at.
    pub entries: u64,
    /// See `entries`.
    pub objects: u64,
    /// See `entries`.
    pub findings: u64,
    /// Files that the catalogue did not know.
    pub new: usize,
    /// Files with other bytes than the catalogue knew.
    pub changed: usize,
    /// Files with another time and the same bytes.
    pub touched: usize,
    /// Files that are as the catalogue knew them.
    pub unchanged: usize,
    /// Files that the catalogue knew and that are not there any more.
    pub gone: usize,
    /// Files with findings that are errors, which could be opened.
    pub damaged: usize,
    /// Parquet files that were written.
    pub written: usize,
    /// Files that could not be opened, in their order.
    pub bad: Vec<Bad>,
}

impl Summary {
    fn count(&mut self, name: &str, facts: &Facts) {
        self.containers = self.containers.saturating_add(usize::from(facts.is_container));
        self.entries = self.entries.saturating_add(facts.entries);
        self.objects = self.objects.saturating_add(facts.objects);
        self.findings = self.findings.saturating_add(facts.findings);
        match &facts.error {
            Some((code, message)) => self.bad.push(Bad {
                file: name.to_owned(),
                code,
                message: message.clone(),
                is_foreign: facts.ok.is_none(),
            }),
            None => {
                self.damaged = self.damaged.saturating_add(usize::from(facts.ok == Some(false)))
            }
        }
    }
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
    catalog_of(&Disk, inputs, dir, options, progress)
}

/// As [`catalog`], of any files.
///
/// # Errors
/// Those of [`catalog`].
pub fn catalog_of(
    sources: &dyn Files,
    inputs: &[Input],
    dir: &Path,
    options: &Options,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Summary> {
    check(dir, options.force)?;
    // A dry run looks at the catalogue as it is; what is written rests on one that no other run changes meanwhile.
    let stage = if options.dry_run { None } else { Some(Stage::begin(dir, options.follow_links)?) };
    let settings = settings(&options.open);
    let parts = read_marker(dir, &settings).unwrap_or_default();
    let mut catalogue = Catalogue::read(dir, parts);
    let files =
        plan(seen(sources, inputs, dir)?, &mut catalogue, options.full, (sources, &options.open))?;
    let mut summary = counted(&files, &catalogue);
    let Some(stage) = stage else {
        for Planned { seen, known, look, .. } in &files {
            known.iter().filter(|_| !look).for_each(|facts| summary.count(&seen.name, facts));
        }
        return Ok(summary);
    };
    let parts = part_count(files.len());
    let stale = stale(&files, &catalogue, parts);
    if stale.is_empty() {
        files.iter().for_each(|file| {
            file.known.iter().for_each(|facts| summary.count(&file.seen.name, facts));
        });
        return Ok(summary);
    }
    let mut order: Vec<(usize, &Planned)> =
        files.iter().map(|file| (part_of(&file.seen.name, parts), file)).collect();
    // Files of one part stay in the order of their names.
    order.sort_by_key(|(part, _)| *part);
    let mut facts: BTreeMap<&str, Facts> = BTreeMap::new();
    for (part, file) in &order {
        if !stale.contains_key(part) {
            facts.extend(file.known.iter().map(|known| (&*file.seen.name, known.clone())));
        }
    }
    order.retain(|(part, _)| stale.contains_key(part));
    let mut writer = StageWriter {
        dir,
        old: catalogue.parts,
        cursors: BTreeMap::new(),
        stage,
        stale: &stale,
        open: None,
        written: 0,
        facts,
    };
    writer.all(&order, (sources, &options.open), progress)?;
    let StageWriter { mut stage, written, facts, cursors, .. } = writer;
    // Windows lets no file take the place of one that is open.
    drop(cursors);
    summary.written = written;
    let marker = json!({ "catalog": VERSION, "parts": parts, "settings": settings });
    stage.step(|| fs::write(stage.path(MARKER), format!("{marker:#}\n")))?;
    stage.put(MARKER)?;
    stage.remove_from(parts)?;
    stage.commit()?;
    facts.iter().for_each(|(name, facts)| summary.count(name, facts));
    Ok(summary)
}

/// Refuses folders that hold other things.
fn check(dir: &Path, force: bool) -> Result<()> {
    let mut entries = match fs::read_dir(dir) {
        Ok(entries) => entries.flatten(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Error::io_of(dir, error)),
    };
    // What a first run leaves that failed.
    let is_ours = |entry: fs::DirEntry| {
        let is_table = TABLES.iter().any(|table| entry.file_name() == table.name);
        let is_part =
            |part: fs::DirEntry| part.file_name().to_str().and_then(part_number).is_some();
        is_table && fs::read_dir(entry.path()).is_ok_and(|parts| parts.flatten().all(is_part))
    };
    if force || dir.join(MARKER).is_file() || dir.join(STAGE).is_dir() || entries.all(is_ours) {
        return Ok(());
    }
    Err(Error::new(&codes::NO_CATALOGUE).found(dir.display().to_string()))
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

/// Reads the number of parts of the catalogue; `None` unless it is one of this version and these settings.
fn read_marker(dir: &Path, settings: &Value) -> Option<usize> {
    let marker: Value = serde_json::from_slice(&fs::read(dir.join(MARKER)).ok()?).ok()?;
    let is_ours =
        marker.get("catalog")?.as_str() == Some(VERSION) && marker.get("settings")? == settings;
    let parts = usize::try_from(marker.get("parts")?.as_u64()?).ok()?;
    (is_ours && parts.is_power_of_two()).then_some(parts)
}

/// The files that there are, sorted by name.
fn seen(sources: &dyn Files, inputs: &[Input], dir: &Path) -> Result<Vec<CatalogFile>> {
    // A folder that is not there holds nothing.
    let dir = fs::canonicalize(dir).ok();
    let is_own = |file: &FileName| {
        let path = sources.disk_path(file).and_then(|path| real(&path));
        let (Some(dir), Some(path)) = (&dir, path) else { return false };
        path.strip_prefix(dir).is_ok_and(stage::is_own)
    };
    let mut files: BTreeMap<String, &Input> = BTreeMap::new();
    for input in inputs.iter().filter(|input| !is_own(&input.file)) {
        // A catalogue is read on other systems than it was made on.
        let name = input.name.replace(MAIN_SEPARATOR, "/");
        if let Some(other) = files.insert(name, input)
            && other.file != input.file
        {
            let both = format!("{:?} and {:?}", other.file.as_path(), input.file.as_path());
            return Err(Error::new(&codes::SAME_NAME).found(both));
        }
    }
    Ok(files
        .into_iter()
        .map(|(name, input)| CatalogFile::new(sources, input.file.clone(), name))
        .collect())
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

/// The parts that are written anew, with how many of the tables: all, or `files` alone.
fn stale(files: &[Planned], catalogue: &Catalogue, parts: usize) -> BTreeMap<usize, usize> {
    if catalogue.parts != parts {
        return (0..parts).map(|part| (part, TABLES.len())).collect();
    }
    let mut stale = BTreeMap::new();
    for Planned { seen, status, look, .. } in files {
        let tables = match (look, status) {
            (true, _) => TABLES.len(),
            (false, Status::Touched) => 1,
            (false, _) => continue,
        };
        let known = stale.entry(part_of(&seen.name, parts)).or_insert(tables);
        *known = tables.max(*known);
    }
    stale.extend(catalogue.files.keys().map(|gone| (part_of(gone, parts), TABLES.len())));
    stale
}

/// Number of parts of tables that are read at a time. When it is reached, all are closed, and opened again as needed.
const CURSORS: usize = 32;

/// Writes parts, one after the other.
struct StageWriter<'w> {
    dir: &'w Path,
    /// Number of parts of the old catalogue.
    old: usize,
    /// Old parts that are copied from into the part that is open, by part and table. At most [`CURSORS`].
    cursors: BTreeMap<(usize, usize), Cursor>,
    stage: Stage,
    stale: &'w BTreeMap<usize, usize>,
    open: Option<OpenPart>,
    /// Parquet files that were written.
    written: usize,
    /// Summary of each file.
    facts: BTreeMap<&'w str, Facts>,
}

/// The part that is being written.
struct OpenPart {
    part: usize,
    tables: Vec<PartWriter>,
    state: XxHash3_64,
}

impl<'w> StageWriter<'w> {
    /// Writes the files, which are sorted by part and name.
    fn all(
        &mut self,
        order: &[(usize, &'w Planned)],
        (sources, options): (&dyn Files, &spelunk::Options),
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<()> {
        let looks: Vec<&CatalogFile> =
            order.iter().filter(|(_, file)| file.look).map(|(_, file)| &file.seen).collect();
        let count = looks.len();
        let total = looks.iter().filter_map(|seen| seen.size).fold(0, u64::saturating_add);
        let (mut next, mut done) = (looks.clone().into_iter(), 0_u64);
        let threads = thread_count(options.threads).min(count);
        let mut options = options.clone();
        if threads > 1 {
            // The files are what is shared.
            options.threads = NonZeroUsize::new(1);
        }
        let options = &options;
        let mut jobs = looks
            .into_iter()
            .map(|seen| (seen.size.unwrap_or_default().saturating_add(1 << 20), Job::Do(seen)));
        let mut rest = order.iter();
        ordered(
            Share { threads, weight: (threads as u64).saturating_mul(128 << 20) },
            &mut jobs,
            &Buffers::default,
            &|buffers, seen| look(seen, (sources, options), buffers),
            &mut |looked| {
                // What was not read to its end is no row.
                options.cancel.as_ref().map_or(Ok(()), Cancel::check)?;
                done = done.saturating_add(next.next().and_then(|seen| seen.size).unwrap_or(0));
                progress(done, total);
                self.up_to(&mut rest, Some(looked))
            },
        )?;
        self.up_to(&mut rest, None)?;
        for part in self.stale.keys() {
            // Those in which no file is, too.
            self.enter(*part)?;
        }
        self.close()
    }

    /// Writes the files up to the next one that was looked at.
    fn up_to(
        &mut self,
        rest: &mut std::slice::Iter<'_, (usize, &'w Planned)>,
        looked: Option<Looked>,
    ) -> Result<()> {
        for (part, file) in rest {
            self.enter(*part)?;
            if !file.look {
                self.keep(file)?;
            } else if let Some(Looked { facts, rows }) = looked {
                return self.add(file, facts, rows);
            }
        }
        Ok(())
    }

    /// Goes on to a part; the parts before it are complete.
    fn enter(&mut self, part: usize) -> Result<()> {
        if self.open.as_ref().is_some_and(|open| open.part >= part) {
            return Ok(());
        }
        let next = self.open.as_ref().map_or(0, |open| open.part.saturating_add(1));
        // Parts that no file is in come in between.
        let between: BTreeSet<usize> =
            self.stale.range(next..=part).map(|(part, _)| *part).collect();
        for part in between {
            self.close()?;
            // Other files of the same old parts may belong to the next one, and come in their order again.
            self.cursors.clear();
            let count = self.stale.get(&part).copied().unwrap_or_default();
            let tables = TABLES.into_iter().take(count);
            let begin = |table| {
                let path = self.stage.path(&part_path(table, part));
                self.stage.step(|| PartWriter::begin(&path, table))
            };
            let tables = tables.map(begin).collect::<std::result::Result<_, _>>();
            let (tables, state) = (tables.map_err(failed)?, XxHash3_64::with_seed(part as u64));
            self.open = Some(OpenPart { part, tables, state });
        }
        Ok(())
    }

    fn close(&mut self) -> Result<()> {
        let Some(OpenPart { part, tables, state }) = self.open.take() else { return Ok(()) };
        let state = format!("{:016x}", state.finish());
        for (table, writer) in TABLES.into_iter().zip(tables) {
            writer.finish(&state).map_err(failed)?;
            let is_put = self.stage.put(&part_path(table, part))?;
            self.written = self.written.saturating_add(usize::from(is_put));
        }
        Ok(())
    }

    /// Writes the rows of a file that was looked at.
    fn add(&mut self, file: &'w Planned, facts: Facts, rows: [Rows; TABLE_COUNT]) -> Result<()> {
        self.note(file, facts);
        let Some(open) = &mut self.open else { return Ok(()) };
        for (writer, rows) in open.tables.iter_mut().zip(rows) {
            writer.append(&rows, 0..rows.len).map_err(failed)?;
        }
        Ok(())
    }

    /// Copies the rows of a file that is as it was.
    fn keep(&mut self, file: &'w Planned) -> Result<()> {
        let Some(known) = &file.known else { return Ok(()) };
        self.note(file, known.clone());
        let Some(open) = &mut self.open else { return Ok(()) };
        let old = part_of(&file.seen.name, self.old);
        let time = FILES.place("modified").unwrap_or_default();
        let edit = |rows: &mut Rows, row: usize| rows.set(row, time, file.seen.modified);
        // References and hashes are not counted, and of findings there may be fewer rows than were.
        let wanted = [Some(1), Some(known.entries), Some(known.objects), None, None, None];
        let tables = TABLES.into_iter().zip(wanted).enumerate();
        for ((nth, (table, wanted)), writer) in tables.zip(&mut open.tables) {
            if self.cursors.len() >= CURSORS && !self.cursors.contains_key(&(old, nth)) {
                self.cursors.clear();
            }
            let path = self.dir.join(part_path(table, old));
            let cursor = match self.cursors.entry((old, nth)) {
                Slot::Occupied(known) => known.into_mut(),
                Slot::Vacant(slot) => {
                    slot.insert(Cursor::new(PartReader::open(&path, table).map_err(unreadable)?))
                }
            };
            let edit: &dyn Fn(&mut Rows, usize) = if nth == 0 { &edit } else { &|_, _| {} };
            let name = &file.seen.name;
            let count = cursor.copy(name.as_bytes(), writer, edit).map_err(unreadable)?;
            if wanted.is_some_and(|wanted| wanted != count) {
                let found = format!("{count} of {name} in {}", path.display());
                return Err(Error::new(&codes::BAD_CATALOGUE).expected(wanted).found(found));
            }
        }
        Ok(())
    }

    fn note(&mut self, file: &'w Planned, facts: Facts) {
        if let Some(open) = &mut self.open {
            // A NUL is in no name.
            open.state.write(file.seen.name.as_bytes());
            open.state.write(b"\0");
            open.state.write(facts.hash.as_deref().unwrap_or_default());
        }
        self.facts.insert(&file.seen.name, facts);
    }
}

/// Writing failed.
fn failed(error: ParquetError) -> Error {
    Error::io(system(error).unwrap_or_else(io::Error::other))
}

/// The old catalogue cannot be read to its end.
fn unreadable(error: ParquetError) -> Error {
    system(error)
        .map_or_else(|error| Error::new(&codes::BAD_CATALOGUE).found(error.to_string()), Error::io)
}

/// The error of the operating system that one of the Parquet library is; decoders of damaged bytes have such errors, too.
fn system(error: ParquetError) -> std::result::Result<io::Error, ParquetError> {
    let ParquetError::External(inner) = error else { return Err(error) };
    match inner.downcast::<io::Error>() {
        Ok(error) if error.raw_os_error().is_some() => Ok(*error),
        Ok(error) => Err(ParquetError::External(error)),
        Err(inner) => Err(ParquetError::External(inner)),
    }
}
