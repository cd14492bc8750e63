//! SpellForce archives, merged file by file.

use super::{Conflict, Merging, OnConflict, Report};
use spellforce::pak::{Archive, Draft, MemberPath, shown};
use spelunk_core::{Result, Source, Task, text::CodePages};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// The positions of entries by their paths in small letters.
pub(crate) type Paths = BTreeMap<Vec<u8>, u32>;

/// Ours with what the other side changed, and what became of the files.
///
/// # Errors
/// What an archive cannot hold; reading errors; limits.
pub(super) fn merged(
    archives: [&Archive; 3],
    on_conflict: OnConflict,
    task: &mut Task<'_>,
) -> Result<(Arc<dyn Source>, Report)> {
    let [base, ours, theirs] = archives;
    let mut paths = Vec::new();
    for archive in archives {
        paths.push(self::paths(archive, task)?);
    }
    let all: BTreeSet<&Vec<u8>> = paths.iter().flat_map(BTreeMap::keys).collect();
    let mut report = Report::default();
    let mut draft = Draft::of(ours, task)?;
    for path in all {
        let mut at = paths.iter().map(|paths| paths.get(path).copied());
        let mut next = || at.next().flatten();
        let (in_base, in_ours, in_theirs) = (next(), next(), next());
        let told =
            |change| Merging { path: shown(path, &CodePages::cp1252()), asset_id: None, change };
        let by_ours = !same([(base, in_base), (ours, in_ours)], task)?;
        let by_theirs = !same([(base, in_base), (theirs, in_theirs)], task)?;
        match (by_ours, by_theirs) {
            (false, false) => continue,
            (true, false) => {
                report.from_ours.push(told(Some(change(in_base, in_ours))));
                continue;
            }
            (true, true) if same([(ours, in_ours), (theirs, in_theirs)], task)? => {
                report.both.push(told(Some(change(in_base, in_ours))));
                continue;
            }
            (true, true) => {
                let field = in_ours.and(in_theirs).map(|_| "content".to_owned());
                let (ours, theirs) = (size(ours, in_ours), size(theirs, in_theirs));
                report.conflicts.push(Conflict { entry: told(None), field, ours, theirs });
                if on_conflict != OnConflict::Theirs {
                    continue;
                }
            }
            (false, true) => report.from_theirs.push(told(Some(change(in_base, in_theirs)))),
        }
        let content = match in_theirs {
            Some(n) => Some(Arc::new(theirs.bytes(n, task)?)),
            None => None,
        };
        match (in_ours, content) {
            (Some(n), Some(content)) => draft.set(n, content)?,
            (Some(n), None) => draft.remove(n)?,
            (None, Some(content)) => draft.add(MemberPath::from_bytes(path)?, content),
            (None, None) => {}
        }
    }
    Ok((draft.source(task)?, report))
}

/// The entries of an archive; of several with one path the first.
pub(crate) fn paths(archive: &Archive, task: &mut Task<'_>) -> Result<Paths> {
    let mut paths = Paths::new();
    for (n, entry) in (0..).zip(archive.entries()) {
        let Some(reversed) = archive.names().reversed_path(entry) else { continue };
        let path: Vec<u8> = reversed.rev().map(spellforce::pak::lower).collect();
        task.budget.memory((path.len() as u64).saturating_add(64))?;
        paths.entry(path).or_insert(n);
    }
    Ok(paths)
}

/// Whether both have the same file, or none.
fn same(files: [(&Archive, Option<u32>); 2], task: &mut Task<'_>) -> Result<bool> {
    let [(a, in_a), (b, in_b)] = files;
    let (Some(n), Some(m)) = (in_a, in_b) else { return Ok(in_a == in_b) };
    let sizes = [a.entry(n), b.entry(m)].map(|entry| entry.map(|entry| entry.size.get()));
    if sizes[0] != sizes[1] {
        return Ok(false);
    }
    task.transient(|task| {
        let bytes = a.bytes(n, task)?;
        task.budget.touch(bytes.len() as u64)?;
        Ok(bytes == b.bytes(m, task)?)
    })
}

const fn change(before: Option<u32>, after: Option<u32>) -> &'static str {
    match (before, after) {
        (None, _) => "added",
        (_, None) => "removed",
        _ => "changed",
    }
}

/// What a side has, in words.
fn size(archive: &Archive, position: Option<u32>) -> String {
    let entry = position.and_then(|n| archive.entry(n));
    entry.map_or_else(|| "gone".to_owned(), |entry| format!("{} bytes", entry.size.get()))
}
