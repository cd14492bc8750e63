//! Making the changes of a patch to an archive.

use super::{ArchivePatch, CACHE, FileChange, Files, ROOM, Stored, is_same, stored_path};
use crate::patch::{Applied, bad, conflict, delta, make::print};
use spellforce::pak::{Archive, Draft, MemberPath, Members};
use spelunk_core::{Bytes, Error, Result, Seg, Task, WriteOptions};
use spelunk_open::{Opened, codes, skeleton::Origin};
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

/// Makes the changes of a patch to an archive, or to the one cache that it was made from.
///
/// # Errors
/// [`BAD_PATCH`](codes::BAD_PATCH) where the patch contradicts itself; [`OTHER_FORMAT`](codes::OTHER_FORMAT) for a file of
/// another format; [`OTHER_CACHE`](codes::OTHER_CACHE); reading errors; what an archive cannot hold; limits.
pub fn apply(patch: &ArchivePatch, origin: &Origin<'_>) -> Result<Applied> {
    let opened = Opened::open(origin.source.clone(), origin.options)?;
    let format = opened.container().format();
    if format != patch.format {
        return Err(Error::new(&codes::OTHER_FORMAT).expected(patch.format.clone()).found(format));
    }
    if format == CACHE && !patch.changes.is_empty() {
        return Err(bad("changes of single files").expected("none in a patch of a pakdata.dat"));
    }
    let found = print(origin)?;
    let mut applied = Applied {
        opened,
        options: WriteOptions::default(),
        same_file: found == patch.old,
        made: 0,
        made_before: 0,
        conflicts: Vec::new(),
    };
    if applied.same_file {
        let source = origin.source.clone();
        let made = delta::made(&patch.to_new, &patch.blocks, &patch.new, source)?;
        applied.opened = Opened::open(Arc::new(made), origin.options)?;
        applied.made = patch.len();
        return Ok(applied);
    }
    if found == patch.new {
        applied.made_before = patch.len();
        return Ok(applied);
    }
    let container = applied.opened.container();
    let Some(archive) = container.model().map(Members::archive) else {
        let code = if format == CACHE { &codes::OTHER_CACHE } else { &codes::NO_PATCH };
        return Err(Error::new(code));
    };
    let len = origin.source.len().saturating_add(delta::stored(&patch.blocks));
    let mut counts = (0, 0, Vec::new());
    let made = Opened::made(len, origin.options, |task| {
        let mut target = Target::of(patch, archive, task)?;
        target.all(task)?;
        // An archive that is laid out in another way than drafts do it stays as it is where nothing is to be done.
        let source = match target.made {
            0 => origin.source.clone(),
            _ => target.draft.source(task)?,
        };
        counts = (target.made, target.made_before, target.conflicts);
        origin.options.formats.open(source, task)
    })?;
    (applied.made, applied.made_before, applied.conflicts) = counts;
    applied.opened = made;
    Ok(applied)
}

/// What came of a change.
enum Done {
    Now,
    Before,
    Conflict(Error),
}

/// An archive that is changed.
struct Target<'p> {
    patch: &'p ArchivePatch,
    files: Files<'p>,
    draft: Draft,
    /// The entries by size and hash of their content; looked for when a content is asked for.
    contents: Option<HashMap<(u64, String), u32>>,
    made: u64,
    made_before: u64,
    conflicts: Vec<Error>,
}

impl<'p> Target<'p> {
    fn of(
        patch: &'p ArchivePatch,
        archive: &'p Archive,
        task: &mut Task<'_>,
    ) -> Result<Target<'p>> {
        Ok(Target {
            patch,
            files: Files::of(archive, task)?,
            draft: Draft::of(archive, task)?,
            contents: None,
            made: 0,
            made_before: 0,
            conflicts: Vec::new(),
        })
    }

    /// Makes all changes that fit.
    fn all(&mut self, task: &mut Task<'_>) -> Result<()> {
        let mut seen = HashSet::new();
        for change in &self.patch.changes {
            task.budget.steps(1)?;
            let path = stored_path(&change.path)?;
            if !seen.insert(path.clone()) {
                return Err(bad(format!("`{}` twice", change.path.escape_debug())));
            }
            match self.change(change, path, task)? {
                Done::Now => self.made = self.made.saturating_add(1),
                Done::Before => self.made_before = self.made_before.saturating_add(1),
                Done::Conflict(error) => {
                    let path = change.path.escape_debug().to_string();
                    self.conflicts.push(error.within(Seg::Key(path.into())));
                }
            }
        }
        Ok(())
    }

    fn change(
        &mut self,
        change: &FileChange,
        path: MemberPath,
        task: &mut Task<'_>,
    ) -> Result<Done> {
        let FileChange { old, new, .. } = change;
        if is_same(old.as_ref(), new.as_ref()) {
            return Err(bad(format!("`{}` as it was", change.path.escape_debug())));
        }
        let at = path.reversed().iter().rev().copied().collect::<Vec<u8>>();
        let at = self.files.paths.get(&at).copied();
        if at.is_some_and(|n| !self.files.is_readable(n)) {
            return Ok(Done::Conflict(conflict(&text(old.as_ref()), "a file that cannot be read")));
        }
        let found = at.map(|n| self.stored(n, task)).transpose()?;
        if is_same(found.as_ref(), new.as_ref()) {
            return Ok(Done::Before);
        }
        if !is_same(found.as_ref(), old.as_ref()) {
            return Ok(Done::Conflict(conflict(&text(old.as_ref()), &text(found.as_ref()))));
        }
        let content = match new {
            Some(new) => match self.content(new, task)? {
                Some(content) => Some(Arc::new(content)),
                None => {
                    let missing = "no such content, in the patch or in the archive";
                    return Ok(Done::Conflict(conflict(&text(Some(new)), missing)));
                }
            },
            None => None,
        };
        match (at, content) {
            (Some(n), Some(content)) => self.draft.set(n, content)?,
            (Some(n), None) => self.draft.remove(n)?,
            (None, Some(content)) => self.draft.add(path, content),
            (None, None) => {}
        }
        Ok(Done::Now)
    }

    /// What the content of an entry is known by.
    fn stored(&self, n: u32, task: &mut Task<'_>) -> Result<Stored> {
        task.transient(|task| {
            let bytes = self.files.archive.bytes(n, task)?;
            task.budget.touch(bytes.len() as u64)?;
            Ok(Stored::of(&bytes))
        })
    }

    /// The bytes of a content; `None` where they are neither in the patch nor in the archive.
    fn content(&mut self, wanted: &Stored, task: &mut Task<'_>) -> Result<Option<Bytes>> {
        if let Some(number) = wanted.block {
            let bytes = delta::block(&self.patch.blocks, number)?;
            task.budget.memory(bytes.len() as u64)?;
            let found = Stored::of(&bytes);
            if !found.is(wanted) {
                return Err(bad(found.to_string()).expected(wanted.to_string()));
            }
            return Ok(Some(bytes));
        }
        if self.contents.is_none() {
            task.budget.memory((self.files.paths.len() as u64).saturating_mul(ROOM))?;
            let mut contents = HashMap::new();
            self.files.contents(task, |n, bytes, _| {
                let Stored { size, xxh3, .. } = Stored::of(&bytes);
                contents.entry((size, xxh3)).or_insert(n);
                Ok(())
            })?;
            self.contents = Some(contents);
        }
        let key = (wanted.size, wanted.xxh3.clone());
        let at = self.contents.as_ref().and_then(|contents| contents.get(&key));
        at.map(|n| self.files.archive.bytes(*n, task)).transpose()
    }
}

/// A content as errors tell it.
fn text(content: Option<&Stored>) -> String {
    content.map_or_else(|| "no such file".to_owned(), Stored::to_string)
}
