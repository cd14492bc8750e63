//! Writing of parts: what a run does to the files of each.

use crate::{
    folder::CatalogRun,
    look::{Facts, Looked, look},
    manifest::{Manifest, PartFile},
    part::{Cursor, PartReader, PartWriter, failed, unreadable},
    plan::{Planned, part_of},
    rows::Rows,
    schema::{FILES, TABLE_COUNT, TABLES, Table},
    seen::CatalogFile,
    summary::Summary,
};
use spelunk::{
    Buffers, Cancel, Error, Options, Result,
    core::finding::thread_count,
    core::parallel::{Job, Share, ordered},
    open::codes,
    verbs::Files,
};
use std::{
    collections::{BTreeMap, btree_map::Entry as Slot},
    num::NonZeroUsize,
};

/// A part that is to be written.
#[derive(Debug)]
pub(crate) struct PartTask {
    /// Its number.
    pub(crate) part: usize,
    /// How many of the tables are written: all, or `files` alone.
    pub(crate) tables: usize,
    /// Its files, in the order of their names.
    pub(crate) files: Vec<Planned>,
}

/// A part that was written.
#[derive(Debug)]
pub(crate) struct WrittenPart {
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
    (run, old): (&mut CatalogRun<'_>, &Manifest),
    (files, options): (&dyn Files, &Options),
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Vec<WrittenPart>> {
    let all = tasks.iter().flat_map(|task| &task.files);
    let looks: Vec<&CatalogFile> = all.filter(|file| file.look).map(|file| &file.seen).collect();
    let total = looks.iter().filter_map(|seen| seen.size).fold(0, u64::saturating_add);
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
        .map(|seen| (seen.size.unwrap_or_default().saturating_add(1 << 20), Job::Do(seen)));
    let mut steps = tasks.iter().flat_map(|task| {
        std::iter::once(Step::Begin(task)).chain(task.files.iter().map(Step::File))
    });
    let mut writer =
        PartsWriter { run, old, options, cursors: BTreeMap::new(), open: None, done: Vec::new() };
    ordered(
        Share { threads, weight: (threads as u64).saturating_mul(128 << 20) },
        &mut jobs,
        &Buffers::default,
        &|buffers, seen| look(seen, (files, options), buffers),
        &mut |looked| {
            // What was not read to its end is no row.
            options.cancel.as_ref().map_or(Ok(()), Cancel::check)?;
            done = done.saturating_add(next.next().and_then(|seen| seen.size).unwrap_or(0));
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

struct PartsWriter<'w, 'r> {
    run: &'w mut CatalogRun<'r>,
    old: &'w Manifest,
    options: &'w Options,
    /// Old parts that are copied from into the part that is open, by part and table. At most [`CURSORS`].
    cursors: BTreeMap<(usize, usize), Cursor>,
    open: Option<OpenPart>,
    done: Vec<WrittenPart>,
}

/// The part that is being written.
struct OpenPart {
    part: usize,
    tables: Vec<OpenTable>,
    summary: Summary,
}

/// A table of it.
struct OpenTable {
    table: &'static Table,
    path: String,
    writer: PartWriter,
}

impl PartsWriter<'_, '_> {
    /// Writes the files up to the next one that was looked at.
    fn up_to<'t>(
        &mut self,
        steps: &mut dyn Iterator<Item = Step<'t>>,
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

    fn begin(&mut self, task: &PartTask) -> Result<()> {
        // Other files of the same old parts may belong to this one, and come in their order again.
        self.cursors.clear();
        let begin = |table: &'static Table| {
            let path = self.run.path(table, task.part);
            let writer = PartWriter::begin(self.run.create(&path)?, table).map_err(failed)?;
            Ok(OpenTable { table, path, writer })
        };
        let tables = TABLES.into_iter().take(task.tables).map(begin).collect::<Result<_>>()?;
        self.open = Some(OpenPart { part: task.part, tables, summary: Summary::default() });
        Ok(())
    }

    /// Ends the part that is open. A table that comes out as it was stays what it was.
    fn close(&mut self) -> Result<()> {
        let Some(OpenPart { part, tables, mut summary }) = self.open.take() else { return Ok(()) };
        let mut written = Vec::new();
        for OpenTable { table, path, writer } in tables {
            let (file, new) = writer.finish().map_err(failed)?;
            let old = self.old.table(table.name).get(part);
            let new = PartFile { path, ..new };
            match old.filter(|old| old.is_same(&new) && self.run.is_sound(old, self.options)) {
                Some(old) => written.push(old.clone()),
                None => {
                    self.run.writes(&new.path);
                    file.commit()?;
                    summary.written = summary.written.saturating_add(1);
                    written.push(new);
                }
            }
        }
        self.done.push(WrittenPart { part, tables: written, summary });
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
        let old = part_of(&file.seen.name, self.old.part_count());
        let time = FILES.place("modified").unwrap_or_default();
        let edit = |rows: &mut Rows, row: usize| rows.set(row, time, file.seen.modified);
        // References and hashes are not counted, and of findings there may be fewer rows than were.
        let wanted = [Some(1), Some(known.entries), Some(known.objects), None, None, None];
        for ((nth, table), wanted) in open.tables.iter_mut().enumerate().zip(wanted) {
            if self.cursors.len() >= CURSORS && !self.cursors.contains_key(&(old, nth)) {
                self.cursors.clear();
            }
            let Some(part) = self.old.table(table.table.name).get(old) else { continue };
            let cursor = match self.cursors.entry((old, nth)) {
                Slot::Occupied(known) => known.into_mut(),
                Slot::Vacant(slot) => {
                    let reader = PartReader::open(self.run.open(part)?, table.table);
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
