//! SpellForce archives, merged file by file. They may be of different dialects: what is made is of that of ours.

use super::{
    report::{Merging, OnConflict, Report},
    sides::{Sides, settle},
};
use crate::decide::{Deed, Differences, Places, States, Version};
use spellforce::pak::{Archive, ArchiveDraft, shown};
use spelunk_core::{Result, Source, Task, text::CodePages};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// The positions of entries by their paths in small letters.
pub(crate) type MemberPaths = BTreeMap<Vec<u8>, u32>;

/// Ours with what the other side changed, and what became of the files.
///
/// # Errors
/// What an archive cannot hold; reading errors; limits.
pub(super) fn merged(
    [base, ours, theirs]: [&Archive; 3],
    on_conflict: OnConflict,
    task: &mut Task<'_>,
) -> Result<(Arc<dyn Source>, Report)> {
    let (in_base, in_ours, in_theirs) =
        (paths(base, task)?, paths(ours, task)?, paths(theirs, task)?);
    let all: BTreeSet<&Vec<u8>> =
        in_base.keys().chain(in_ours.keys()).chain(in_theirs.keys()).collect();
    let mut report = Report::default();
    let draft = ArchiveDraft::of(ours, task)?;
    let mut archives = Archives { base, ours, theirs, path: &[], draft };
    for path in all {
        archives.path = path;
        let at = |paths: &MemberPaths| paths.get(path).copied();
        let at = Places { base: at(&in_base), ours: at(&in_ours), theirs: at(&in_theirs) };
        settle(&mut archives, at, on_conflict, &mut report, task)?;
    }
    Ok((archives.draft.source(task)?, report))
}

/// The entries of an archive; of several with one path the first.
///
/// # Errors
/// Limits.
pub(crate) fn paths(archive: &Archive, task: &mut Task<'_>) -> Result<MemberPaths> {
    let mut paths = MemberPaths::new();
    for n in (0_u32..).take(archive.len()) {
        let Some(path) = archive.path_bytes(n) else { continue };
        let path: Vec<u8> = path.map(spellforce::pak::lower).collect();
        task.budget.memory((path.len() as u64).saturating_add(64))?;
        paths.entry(path).or_insert(n);
    }
    Ok(paths)
}

/// The files of three archives, and ours with what is made of it.
struct Archives<'a> {
    base: &'a Archive,
    ours: &'a Archive,
    theirs: &'a Archive,
    /// The path of the file that is merged.
    path: &'a [u8],
    draft: ArchiveDraft,
}

impl<'a> Archives<'a> {
    fn archive(&self, version: Version) -> &'a Archive {
        match version {
            Version::Base => self.base,
            Version::Ours => self.ours,
            Version::Theirs => self.theirs,
        }
    }
}

/// The content of a file, which is all that is compared of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct ContentSlot;

impl States for Archives<'_> {
    type Place = u32;
    type Slot = ContentSlot;

    const UNITES: bool = true;

    fn is_same(
        &mut self,
        (one, n): (Version, u32),
        (other, m): (Version, u32),
        task: &mut Task<'_>,
    ) -> Result<bool> {
        let (a, b) = (self.archive(one), self.archive(other));
        if a.plain_size(n, task)? != b.plain_size(m, task)? {
            return Ok(false);
        }
        task.transient(|task| {
            let bytes = a.bytes(n, task)?;
            task.budget.touch(bytes.len() as u64)?;
            Ok(bytes == b.bytes(m, task)?)
        })
    }

    fn differences(
        &mut self,
        _: Places<u32>,
        is_theirs_alone: bool,
        _: &mut Task<'_>,
    ) -> Result<Differences<ContentSlot>> {
        Ok(Differences::of_one(ContentSlot, is_theirs_alone))
    }
}

impl Sides for Archives<'_> {
    fn entry(&mut self, _: (Version, u32), deed: Deed, task: &mut Task<'_>) -> Result<Merging> {
        let path = shown(self.path, &CodePages::cp1252());
        task.budget.memory((2 * size_of::<Merging>()).saturating_add(path.len()) as u64)?;
        Ok(Merging { path, asset_id: None, change: Some(deed.name()) })
    }

    fn field(&self, _: &ContentSlot) -> String {
        "content".to_owned()
    }

    fn shown(
        &mut self,
        (version, n): (Version, u32),
        _: &ContentSlot,
        task: &mut Task<'_>,
    ) -> Result<String> {
        let size = self.archive(version).plain_size(n, task)?;
        Ok(format!("{size} bytes"))
    }

    fn add(&mut self, theirs: u32, task: &mut Task<'_>) -> Result<()> {
        self.draft.add_of(self.theirs, theirs, task)
    }

    fn remove(&mut self, ours: u32, _: &mut Task<'_>) -> Result<()> {
        self.draft.remove(ours)
    }

    fn set(&mut self, at: Places<u32>, taken: &[ContentSlot], task: &mut Task<'_>) -> Result<()> {
        match (at.ours, at.theirs) {
            (Some(ours), Some(theirs)) if !taken.is_empty() => self.replace(ours, theirs, task),
            _ => Ok(()),
        }
    }

    fn replace(&mut self, ours: u32, theirs: u32, task: &mut Task<'_>) -> Result<()> {
        let content = Arc::new(self.theirs.bytes(theirs, task)?);
        self.draft.set(ours, content, task)
    }
}
