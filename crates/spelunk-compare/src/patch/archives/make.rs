//! Making patches of archives.

use super::{
    Run,
    form::{
        ArchivePatch, CACHE, ContentDescriptor, FileChange, FilesByPath, ROOM, is_same, path_text,
    },
};
use crate::patch::delta::{self, BlockPool, Delta, MatchIndex, RunWriter};
use spellforce::pak::{Archive, RegionKind};
use spelunk_core::{Bytes, Container, Result, Task};
use spelunk_open::{Model, codes, model, skeleton::Origin};
use std::{
    collections::{BTreeSet, HashMap, HashSet},
    ops::Range,
};

/// The patch that makes `new` of `old`, both archives or both caches.
///
/// # Errors
/// [`OTHER_FORMAT`](codes::OTHER_FORMAT); what keeps the files from being read; limits.
pub fn between(old: &Origin<'_>, new: &Origin<'_>) -> Result<ArchivePatch> {
    delta::between(old, new, |opened, blocks, task| {
        let [a, b] = opened.map(|opened| opened.container());
        let (old, new) = (LoadedArchive::of(a, old, task)?, LoadedArchive::of(b, new, task)?);
        let to_new = new.runs_from(&old, blocks, task)?;
        let to_old = old.runs_from(&new, blocks, task)?;
        let changes = match (old.archive, new.archive) {
            (Some(old), Some(new)) => changes([old, new], blocks, task)?,
            _ => Vec::new(),
        };
        Ok(Delta { changes, to_new, to_old })
    })
}

/// A stretch of a file, and whether it is the content of one file of an archive and not a table.
type FileSegment = (Range<usize>, bool);

/// A file with all of its bytes.
struct LoadedArchive<'f> {
    archive: Option<&'f Archive>,
    bytes: Bytes,
    /// All of it, in order.
    parts: Vec<FileSegment>,
}

impl<'f> LoadedArchive<'f> {
    fn of(
        container: &'f dyn Container,
        origin: &Origin<'_>,
        task: &mut Task<'_>,
    ) -> Result<LoadedArchive<'f>> {
        let archive = Model::of(container).archive();
        if archive.is_none() && container.format() != CACHE {
            return Err(model::other(container, &codes::NO_PATCH));
        }
        let bytes = origin.source.read(0..origin.source.len(), &mut task.budget)?;
        let parts = match archive {
            Some(archive) => parts(archive, task)?,
            None => vec![(0..bytes.len(), false)],
        };
        Ok(LoadedArchive { archive, bytes, parts })
    }

    fn part(&self, range: &Range<usize>) -> &[u8] {
        self.bytes.get(range.clone()).unwrap_or_default()
    }

    /// The runs that make this file of another one.
    fn runs_from(
        &self,
        other: &LoadedArchive<'_>,
        blocks: &mut BlockPool,
        task: &mut Task<'_>,
    ) -> Result<Vec<Run>> {
        let budget = &mut task.budget;
        let mut known = MatchIndex::new(&other.bytes);
        for (range, is_content) in &other.parts {
            known.add_whole(range.start, range.len(), budget)?;
            if !is_content {
                known.add_table(range.start, range.len(), budget)?;
            }
        }
        let mut runs = RunWriter::new(blocks);
        for (range, is_content) in &self.parts {
            let bytes = self.part(range);
            budget.touch(bytes.len() as u64)?;
            match known.find(bytes) {
                Some(at) => runs.copy(at, bytes.len(), budget)?,
                None if *is_content => runs.block(bytes, budget)?,
                None => known.write(bytes, &mut runs, budget)?,
            }
        }
        runs.finish(budget)
    }
}

/// The parts of an archive: what lies before the data, then file by file, with what lies between and behind them.
fn parts(archive: &Archive, task: &mut Task<'_>) -> Result<Vec<FileSegment>> {
    let at = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
    let data = archive.data_region();
    let mut parts = vec![(0..at(data.start), false)];
    spelunk_core::walk::finish(archive.regions(task, |region, task| {
        task.budget.memory(size_of::<FileSegment>() as u64)?;
        let is_content = matches!(region.kind, RegionKind::Entry(_));
        parts.push((at(region.start)..at(region.end), is_content));
        Ok(())
    }))?;
    // In the dialect `spec` the index lies behind the data.
    if data.end < archive.size() {
        parts.push((at(data.end)..at(archive.size()), false));
    }
    Ok(parts)
}

/// The contents of all files of an archive.
struct Contents<'a> {
    files: FilesByPath<'a>,
    /// By positions of entries; what cannot be read is not among them.
    known: HashMap<u32, ContentDescriptor>,
    /// Sizes and hashes.
    all: HashSet<(u64, String)>,
}

impl<'a> Contents<'a> {
    fn of(archive: &'a Archive, task: &mut Task<'_>) -> Result<Contents<'a>> {
        let files = FilesByPath::of(archive, task)?;
        task.budget.memory((files.paths.len() as u64).saturating_mul(ROOM))?;
        let (mut known, mut all) = (HashMap::new(), HashSet::new());
        files.contents(task, |n, bytes, _| {
            let stored = ContentDescriptor::of(&bytes);
            all.insert((stored.size, stored.xxh3.clone()));
            known.insert(n, stored);
            Ok(())
        })?;
        Ok(Contents { files, known, all })
    }

    /// The file at a path, if one is there; `None` where it cannot be read.
    fn file(&self, path: &[u8]) -> Option<Option<(u32, &ContentDescriptor)>> {
        let Some(n) = self.files.paths.get(path) else { return Some(None) };
        self.known.get(n).map(|stored| Some((*n, stored)))
    }

    /// The content of an entry. What the other archive does not have gets a block.
    fn stated(
        &self,
        n: u32,
        stored: &ContentDescriptor,
        other: &Contents<'_>,
        blocks: &mut BlockPool,
        task: &mut Task<'_>,
    ) -> Result<ContentDescriptor> {
        let mut stated = stored.clone();
        if !other.all.contains(&(stated.size, stated.xxh3.clone())) {
            let bytes = self.files.archive.bytes(n, task)?;
            task.budget.touch(bytes.len() as u64)?;
            stated.block = Some(blocks.add(&bytes, &mut task.budget)?);
        }
        Ok(stated)
    }
}

/// Compares two archives, file by file.
fn changes(
    archives: [&Archive; 2],
    blocks: &mut BlockPool,
    task: &mut Task<'_>,
) -> Result<Vec<FileChange>> {
    let [old, new] = archives.map(|archive| Contents::of(archive, task));
    let (old, new) = (old?, new?);
    let all: BTreeSet<&Vec<u8>> = old.files.paths.keys().chain(new.files.paths.keys()).collect();
    let mut changes = Vec::new();
    for path in all {
        let (Some(was), Some(is)) = (old.file(path), new.file(path)) else { continue };
        let stored = is.map(|(n, _)| (archives[1], n)).or(was.map(|(n, _)| (archives[0], n)));
        let Some(text) = stored.and_then(|(archive, n)| path_text(archive, n)) else { continue };
        if is_same(was.map(|(_, was)| was), is.map(|(_, is)| is)) {
            continue;
        }
        task.budget.memory(ROOM.saturating_add(text.len() as u64))?;
        let was = was.map(|(n, was)| old.stated(n, was, &new, blocks, task)).transpose()?;
        let is = is.map(|(n, is)| new.stated(n, is, &old, blocks, task)).transpose()?;
        changes.push(FileChange { path: text, old: was, new: is });
    }
    Ok(changes)
}
