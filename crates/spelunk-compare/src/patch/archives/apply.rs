//! Making the changes of a patch to an archive.

use super::form::{
    ArchivePatch, CACHE, ContentDescriptor, FileChange, FilesByPath, ROOM, is_same, stored_path,
};
use crate::{
    decide::{Deed, Differences, Places, States, Version},
    patch::{
        Applied, delta,
        form::{bad, conflict, print},
        making::{self, ChangeOutcome, PatchResults, Patched},
    },
};
use spellforce::pak::{Archive, ArchiveDraft};
use spelunk_core::{Bytes, Error, Result, Task, WriteOptions};
use spelunk_open::{Model, Opened, codes, skeleton::Origin};
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
    let Some(archive) = Model::of(applied.opened.container()).archive() else {
        let code = if format == CACHE { &codes::OTHER_CACHE } else { &codes::NO_PATCH };
        return Err(Error::new(code));
    };
    let len = origin.source.len().saturating_add(delta::stored(&patch.blocks));
    let mut counts = PatchResults::default();
    let made = Opened::made(len, origin.options, |task| {
        let mut target = ArchiveTarget::of(patch, archive, task)?;
        target.all(&mut counts, task)?;
        // An archive that is laid out in another way than drafts do it stays as it is where nothing is to be done.
        let source = match counts.made {
            0 => origin.source.clone(),
            _ => target.draft.source(task)?,
        };
        origin.options.formats.open(source, task)
    })?;
    Ok(applied.with(made, counts))
}

/// An archive that is changed.
struct ArchiveTarget<'p> {
    patch: &'p ArchivePatch,
    files: FilesByPath<'p>,
    draft: ArchiveDraft,
    /// The entries by size and hash of their content; looked for when a content is asked for.
    contents: Option<HashMap<(u64, String), u32>>,
    /// The change that is made now, and its path as the archive stores it.
    change: Option<(&'p FileChange, Vec<u8>)>,
    /// Content at that path.
    found: Option<ContentDescriptor>,
}

impl<'p> ArchiveTarget<'p> {
    fn of(
        patch: &'p ArchivePatch,
        archive: &'p Archive,
        task: &mut Task<'_>,
    ) -> Result<ArchiveTarget<'p>> {
        Ok(ArchiveTarget {
            patch,
            files: FilesByPath::of(archive, task)?,
            draft: ArchiveDraft::of(archive, task)?,
            contents: None,
            change: None,
            found: None,
        })
    }

    /// Makes all changes that fit.
    fn all(&mut self, counts: &mut PatchResults, task: &mut Task<'_>) -> Result<()> {
        let mut seen = HashSet::new();
        for change in &self.patch.changes {
            task.budget.steps(1)?;
            let shown = change.path.escape_debug().to_string();
            let [path, key] = stored_path(&change.path, self.draft.form())?;
            if !seen.insert(key.clone()) {
                return Err(bad(format!("`{shown}` twice")));
            }
            if is_same(change.old.as_ref(), change.new.as_ref()) {
                return Err(bad(format!("`{shown}` as it was")));
            }
            let at = self.files.paths.get(&key).copied();
            if at.is_some_and(|n| !self.files.is_readable(n)) {
                let error = conflict(&text(change.old.as_ref()), "a file that cannot be read");
                counts.add(ChangeOutcome::Conflicts(vec![error]), &shown);
                continue;
            }
            self.found = at.map(|n| self.stored(n, task)).transpose()?;
            self.change = Some((change, path));
            let stated =
                |side: &Option<ContentDescriptor>| side.is_some().then_some(FileOrigin::Patch);
            let at = Places {
                base: stated(&change.old),
                ours: at.map(FileOrigin::Entry),
                theirs: stated(&change.new),
            };
            let done = making::make(self, at, task)?;
            counts.add(done, &shown);
        }
        Ok(())
    }

    /// The content of a version.
    fn stated(&self, version: Version) -> Option<&ContentDescriptor> {
        let (change, _) = self.change.as_ref()?;
        match version {
            Version::Base => change.old.as_ref(),
            Version::Ours => self.found.as_ref(),
            Version::Theirs => change.new.as_ref(),
        }
    }

    /// The content that the patch puts there, or what is missing for that.
    fn wanted(&mut self, task: &mut Task<'_>) -> Result<std::result::Result<Bytes, Error>> {
        let Some(wanted) = self.stated(Version::Theirs).cloned() else {
            return Ok(Ok(Bytes::new()));
        };
        let missing = "no such content, in the patch or in the archive";
        let content = self.content(&wanted, task)?;
        Ok(content.ok_or_else(|| conflict(&text(Some(&wanted)), missing)))
    }

    /// Returns the size and hash of the content of an entry.
    fn stored(&self, n: u32, task: &mut Task<'_>) -> Result<ContentDescriptor> {
        task.transient(|task| {
            let bytes = self.files.archive.bytes(n, task)?;
            task.budget.touch(bytes.len() as u64)?;
            Ok(ContentDescriptor::of(&bytes))
        })
    }

    /// The bytes of a content; `None` where they are neither in the patch nor in the archive.
    fn content(
        &mut self,
        wanted: &ContentDescriptor,
        task: &mut Task<'_>,
    ) -> Result<Option<Bytes>> {
        if let Some(number) = wanted.block {
            let bytes = delta::block(&self.patch.blocks, number)?;
            task.budget.memory(bytes.len() as u64)?;
            let found = ContentDescriptor::of(&bytes);
            if !found.is(wanted) {
                return Err(bad(found.to_string()).expected(wanted.to_string()));
            }
            return Ok(Some(bytes));
        }
        if self.contents.is_none() {
            task.budget.memory((self.files.paths.len() as u64).saturating_mul(ROOM))?;
            let mut contents = HashMap::new();
            self.files.contents(task, |n, bytes, _| {
                let ContentDescriptor { size, xxh3, .. } = ContentDescriptor::of(&bytes);
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

/// Place of a file: in the patch, or in the archive.
#[derive(Clone, Copy)]
enum FileOrigin {
    Patch,
    Entry(u32),
}

impl States for ArchiveTarget<'_> {
    type Place = FileOrigin;
    /// The content, which is all that changes of a file.
    type Slot = ();

    const UNITES: bool = true;

    fn is_same(
        &mut self,
        (one, _): (Version, FileOrigin),
        (other, _): (Version, FileOrigin),
        _: &mut Task<'_>,
    ) -> Result<bool> {
        Ok(is_same(self.stated(one), self.stated(other)))
    }

    fn differences(
        &mut self,
        _: Places<FileOrigin>,
        is_theirs_alone: bool,
        _: &mut Task<'_>,
    ) -> Result<Differences<()>> {
        Ok(Differences::of_one((), is_theirs_alone))
    }
}

impl Patched for ArchiveTarget<'_> {
    fn add(&mut self, _: FileOrigin, task: &mut Task<'_>) -> Result<Vec<Error>> {
        match self.wanted(task)? {
            Ok(content) => {
                if let Some((_, path)) = self.change.take() {
                    self.draft.add(&path, Arc::new(content), false, task)?;
                }
                Ok(Vec::new())
            }
            Err(missing) => Ok(vec![missing]),
        }
    }

    fn remove(&mut self, ours: FileOrigin, _: &mut Task<'_>) -> Result<()> {
        match ours {
            FileOrigin::Entry(n) => self.draft.remove(n),
            FileOrigin::Patch => Ok(()),
        }
    }

    fn set(&mut self, at: Places<FileOrigin>, _: &[()], task: &mut Task<'_>) -> Result<Vec<Error>> {
        match (at.ours, self.wanted(task)?) {
            (Some(FileOrigin::Entry(n)), Ok(content)) => {
                self.draft.set(n, Arc::new(content), task).map(|()| Vec::new())
            }
            (_, Err(missing)) => Ok(vec![missing]),
            _ => Ok(Vec::new()),
        }
    }

    fn field_conflict(
        &mut self,
        _: Places<FileOrigin>,
        (): &(),
        _: &mut Task<'_>,
    ) -> Result<Error> {
        Ok(conflict(&text(self.stated(Version::Base)), &text(self.stated(Version::Ours))))
    }

    fn entry_conflict(&self, _: Deed, _: Deed) -> Error {
        conflict(&text(self.stated(Version::Base)), &text(self.stated(Version::Ours)))
    }
}

/// A content as errors show it.
fn text(content: Option<&ContentDescriptor>) -> String {
    content.map_or_else(|| "no such file".to_owned(), ContentDescriptor::to_string)
}
