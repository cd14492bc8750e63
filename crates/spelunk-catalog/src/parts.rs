//! Writing of parts: what a run does to the files of each.

use crate::{
    look::{Facts, Looked, look, lost},
    manifest::{Manifest, PartFile},
    new_parts::NewParts,
    part::{Cursor, PartReader, PartWriter, failed, unreadable},
    plan::{Planned, part_of},
    rows::Rows,
    schema::{FILES, TABLE_COUNT, TABLES, Table},
    sent,
    summary::Summary,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use spelunk::{
    Buffers, Cancel, Error, Options, Result,
    core::finding::thread_count,
    core::parallel::{Job, Share, ordered},
    open::codes,
    verbs::{FileName, Files},
};
use std::{
    collections::{BTreeMap, BTreeSet, btree_map::Entry as Slot},
    num::NonZeroUsize,
};

/// A part that is to be written. What comes of it depends on it, on the files that it names and on the old parts alone, so that whoever has
/// these can write it: another thread, another process, another machine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PartTask {
    /// Its number.
    pub(crate) part: usize,
    /// How many of the tables are written: all, or `files` alone.
    pub(crate) tables: usize,
    /// Its files, in the order of their names.
    pub(crate) files: Vec<Planned>,
    /// The parts of the old catalogue from which rows are copied, and the one that this takes the place of: of each number, in the order of
    /// the tables.
    pub(crate) old: BTreeMap<usize, Vec<PartFile>>,
    /// Number of parts of the old catalogue.
    pub(crate) old_parts: usize,
    /// The folder of the catalogue.
    #[serde(with = "sent::file_name")]
    pub(crate) dir: FileName,
    /// Whether links there are written through.
    pub(crate) follow_links: bool,
    /// The version and the options of the run.
    pub(crate) settings: Value,
}

impl PartTask {
    /// A part without files.
    pub(crate) fn new(part: usize, tables: usize) -> PartTask {
        PartTask {
            part,
            tables,
            files: Vec::new(),
            old: BTreeMap::new(),
            old_parts: 0,
            dir: FileName::default(),
            follow_links: false,
            settings: Value::Null,
        }
    }

    /// Sizes of the files that are looked at, in bytes; 0 where one is unknown.
    pub fn sizes(&self) -> impl Iterator<Item = u64> {
        self.looks().map(|file| file.seen.size.unwrap_or_default())
    }

    /// Has files not looked at, by their positions among [those that are](PartTask::sizes): the process that looked at them ended each time.
    /// Their rows say so.
    #[must_use]
    pub fn without(mut self, lost: &[usize]) -> PartTask {
        let looks = self.files.iter_mut().filter(|file| file.look).enumerate();
        looks.for_each(|(nth, file)| file.is_lost = lost.contains(&nth));
        self
    }

    /// The files that are looked at.
    fn looks(&self) -> impl Iterator<Item = &Planned> {
        self.files.iter().filter(|file| file.look)
    }

    /// The paths of the old parts that are needed.
    pub(crate) fn old_paths(&self) -> impl Iterator<Item = &str> {
        self.old.values().flatten().map(|part| &*part.path)
    }

    /// The number of the old part that has the rows of a file.
    fn old_part_of(&self, name: &str) -> usize {
        part_of(name, self.old_parts)
    }

    /// Takes the parts of the old catalogue that are needed.
    pub(crate) fn rest_on(&mut self, old: &Manifest) {
        self.old_parts = old.part_count();
        let kept = self.files.iter().filter(|file| !file.look);
        let needed = kept.map(|file| self.old_part_of(&file.seen.name)).chain([self.part]);
        let needed: BTreeSet<usize> = needed.collect();
        let tables = |part: usize| {
            let tables = TABLES.iter().filter_map(|table| old.table(table.name).get(part).cloned());
            Some((part, tables.collect::<Vec<_>>())).filter(|(_, tables)| !tables.is_empty())
        };
        self.old = needed.into_iter().filter_map(tables).collect();
    }

    /// A part of the old catalogue.
    fn old(&self, part: usize, table: usize) -> Option<&PartFile> {
        self.old.get(&part).and_then(|tables| tables.get(table))
    }
}

/// A part that was written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WrittenPart {
    /// Its number.
    pub(crate) part: usize,
    /// In the order of [`TABLES`], as many as were to be written.
    pub(crate) tables: Vec<PartFile>,
    /// Counts of its files, and of what was written.
    pub(crate) summary: Summary,
}

/// Writes parts one after the other, and looks at their files on all threads. What comes of a part depends on its task, the files and
/// the old catalogue alone.
pub(crate) fn write(
    tasks: &[PartTask],
    new: &mut NewParts<'_>,
    (files, options): (&dyn Files, &Options),
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Vec<WrittenPart>> {
    let looks: Vec<&Planned> = tasks.iter().flat_map(PartTask::looks).collect();
    let total = tasks.iter().flat_map(PartTask::sizes).fold(0, u64::saturating_add);
    let (mut next, mut done) = (looks.clone().into_iter(), 0_u64);
    let threads = thread_count(options.threads).min(looks.len());
    let mut options = options.clone();
    if threads > 1 {
        // The files are what is shared.
        options.threads = NonZeroUsize::new(1);
    }
    let options = &options;
    let mut jobs = looks
        .into_iter()
        .map(|file| (file.seen.size.unwrap_or_default().saturating_add(1 << 20), Job::Do(file)));
    let mut steps = tasks.iter().flat_map(|task| {
        std::iter::once(Step::Begin(task)).chain(task.files.iter().map(Step::File))
    });
    let mut writer =
        PartsWriter { new, options, cursors: BTreeMap::new(), open: None, done: Vec::new() };
    ordered(
        Share { threads, weight: (threads as u64).saturating_mul(128 << 20) },
        &mut jobs,
        &Buffers::default,
        &|buffers, file| match file.is_lost {
            true => lost(&file.seen),
            false => look(&file.seen, (files, options), buffers),
        },
        &mut |looked| {
            // What was not read to its end is no row.
            options.cancel.as_ref().map_or(Ok(()), Cancel::check)?;
            done = done.saturating_add(next.next().and_then(|file| file.seen.size).unwrap_or(0));
            progress(done, total);
            writer.up_to(&mut steps, Some(looked))
        },
    )?;
    writer.up_to(&mut steps, None)?;
    writer.close()?;
    Ok(writer.done)
}

/// Something that is done for a part.
enum Step<'t> {
    Begin(&'t PartTask),
    File(&'t Planned),
}

/// Number of parts of tables that are read at a time. When it is reached, all are closed, and opened again as needed.
const CURSORS: usize = 32;

struct PartsWriter<'w, 'f> {
    new: &'w mut NewParts<'f>,
    options: &'w Options,
    /// Old parts that are copied from into the part that is open, by part and table. At most [`CURSORS`].
    cursors: BTreeMap<(usize, usize), Cursor>,
    open: Option<OpenPart<'w>>,
    done: Vec<WrittenPart>,
}

/// The part that is being written.
struct OpenPart<'t> {
    task: &'t PartTask,
    tables: Vec<OpenTable>,
    summary: Summary,
}

/// A table of it.
struct OpenTable {
    table: &'static Table,
    path: String,
    writer: PartWriter,
}

impl<'w> PartsWriter<'w, '_> {
    /// Writes the files up to the next one that was looked at.
    fn up_to(
        &mut self,
        steps: &mut dyn Iterator<Item = Step<'w>>,
        looked: Option<Looked>,
    ) -> Result<()> {
        for step in steps {
            match step {
                Step::Begin(task) => {
                    self.close()?;
                    self.begin(task)?;
                }
                Step::File(file) if !file.look => self.keep(file)?,
                Step::File(file) => {
                    let Some(Looked { facts, rows }) = looked else { continue };
                    return self.add(file, &facts, rows);
                }
            }
        }
        Ok(())
    }

    fn begin(&mut self, task: &'w PartTask) -> Result<()> {
        // Other files of the same old parts may belong to this one, and come in their order again.
        self.cursors.clear();
        let begin = |table: &'static Table| {
            let path = self.new.path(table, task.part);
            let writer = PartWriter::begin(self.new.create(&path)?, table).map_err(failed)?;
            Ok(OpenTable { table, path, writer })
        };
        let tables = TABLES.into_iter().take(task.tables).map(begin).collect::<Result<_>>()?;
        self.open = Some(OpenPart { task, tables, summary: Summary::default() });
        Ok(())
    }

    /// Ends the part that is open. A table that comes out as it was stays what it was.
    fn close(&mut self) -> Result<()> {
        let Some(OpenPart { task, tables, mut summary }) = self.open.take() else { return Ok(()) };
        let mut written = Vec::new();
        for (nth, OpenTable { path, writer, .. }) in tables.into_iter().enumerate() {
            let (file, new) = writer.finish().map_err(failed)?;
            let old = task.old(task.part, nth);
            let new = PartFile { path, ..new };
            match old.filter(|old| old.is_same(&new) && self.new.is_sound(old, self.options)) {
                Some(old) => written.push(old.clone()),
                None => {
                    self.new.add(&new.path);
                    file.commit()?;
                    summary.written = summary.written.saturating_add(1);
                    written.push(new);
                }
            }
        }
        self.done.push(WrittenPart { part: task.part, tables: written, summary });
        Ok(())
    }

    /// Writes the rows of a file that was looked at.
    fn add(&mut self, file: &Planned, facts: &Facts, rows: [Rows; TABLE_COUNT]) -> Result<()> {
        let Some(open) = &mut self.open else { return Ok(()) };
        open.summary.count(&file.seen.name, facts);
        for (table, rows) in open.tables.iter_mut().zip(rows) {
            table.writer.append(&rows, 0..rows.len).map_err(failed)?;
        }
        Ok(())
    }

    /// Copies the rows of a file that is as it was.
    fn keep(&mut self, file: &Planned) -> Result<()> {
        let (Some(known), Some(open)) = (&file.known, &mut self.open) else { return Ok(()) };
        open.summary.count(&file.seen.name, known);
        let old = open.task.old_part_of(&file.seen.name);
        let time = FILES.place("modified").unwrap_or_default();
        let edit = |rows: &mut Rows, row: usize| rows.set(row, time, file.seen.modified);
        // References and hashes are not counted, and of findings there may be fewer rows than were.
        let wanted = [Some(1), Some(known.entries), Some(known.objects), None, None, None];
        for ((nth, table), wanted) in open.tables.iter_mut().enumerate().zip(wanted) {
            if self.cursors.len() >= CURSORS && !self.cursors.contains_key(&(old, nth)) {
                self.cursors.clear();
            }
            let Some(part) = open.task.old(old, nth) else { continue };
            let cursor = match self.cursors.entry((old, nth)) {
                Slot::Occupied(known) => known.into_mut(),
                Slot::Vacant(slot) => {
                    let reader = PartReader::open(self.new.open_old(part)?, table.table);
                    slot.insert(Cursor::new(reader.map_err(unreadable)?))
                }
            };
            let edit: &dyn Fn(&mut Rows, usize) = if nth == 0 { &edit } else { &|_, _| {} };
            let name = &file.seen.name;
            let copied = cursor.copy(name.as_bytes(), &mut table.writer, edit);
            let count = copied.map_err(unreadable)?;
            if wanted.is_some_and(|wanted| wanted != count) {
                let found = format!("{count} of {name} in {}", part.path);
                return Err(Error::new(&codes::BAD_CATALOGUE).expected(wanted).found(found));
            }
        }
        Ok(())
    }
}
