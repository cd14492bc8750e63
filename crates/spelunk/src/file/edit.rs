//! Changes of a file, as a batch.

use super::{File, account::Share};
#[cfg(all(feature = "gltf", feature = "images"))]
use crate::models::import::{
    Policies,
    arrays::{self, SceneArrays},
};
use crate::{
    Bytes, Error, Opened, Result, Task, Val,
    edit::batch::{Batch, EntryContent, Outcome},
    open::codes,
};

/// Changes that are made together or not at all. All paths mean the file as it is before the batch.
#[derive(Debug)]
#[must_use = "nothing is changed before `apply`"]
pub struct FileEdit<'f> {
    file: &'f mut File,
    batch: Batch,
    /// What is put into the file before the batch is made.
    #[cfg(all(feature = "gltf", feature = "images"))]
    scene: Option<(SceneArrays, Policies)>,
}

impl File {
    /// Begins a batch of changes. Nothing is changed before [`FileEdit::apply`].
    pub fn edit(&mut self) -> FileEdit<'_> {
        FileEdit::of(self)
    }
}

impl<'f> FileEdit<'f> {
    fn of(file: &'f mut File) -> FileEdit<'f> {
        FileEdit {
            file,
            batch: Batch::new(),
            #[cfg(all(feature = "gltf", feature = "images"))]
            scene: None,
        }
    }

    fn with(self, change: impl FnOnce(Batch) -> Batch) -> FileEdit<'f> {
        FileEdit { batch: change(self.batch), ..self }
    }

    /// Sets the field at a path of an entry. Text is taken for what the field needs: a number, the name of a value, a
    /// colour as `#rrggbb`.
    pub fn set(
        self,
        entry: impl Into<String>,
        field: impl Into<String>,
        value: impl Into<Val<'static>>,
    ) -> FileEdit<'f> {
        self.with(|batch| batch.set(entry, field, value))
    }

    /// Sets the position or an axis of an entity, and moves along what stands below it.
    pub fn set_with_children(
        self,
        entry: impl Into<String>,
        field: impl Into<String>,
        value: impl Into<Val<'static>>,
    ) -> FileEdit<'f> {
        self.with(|batch| batch.set_with_children(entry, field, value))
    }

    /// Gives an entry another name.
    pub fn rename(self, entry: impl Into<String>, name: impl Into<String>) -> FileEdit<'f> {
        self.with(|batch| batch.rename(entry, name))
    }

    /// Removes an entry, and the references to it.
    pub fn remove(self, entry: impl Into<String>) -> FileEdit<'f> {
        self.with(|batch| batch.remove([entry.into()]))
    }

    /// Puts other content in the place of an entry's plain bytes.
    pub fn replace(self, entry: impl Into<String>, bytes: impl Into<Bytes>) -> FileEdit<'f> {
        self.with(|batch| batch.replace(entry, bytes.into(), false))
    }

    /// Adds an entry of a kind: a class, `included`, `asset`, `bulk`, `file`, or a table.
    pub fn add(
        self,
        kind: impl Into<String>,
        name: impl Into<String>,
        content: EntryContent,
    ) -> FileEdit<'f> {
        self.with(|batch| batch.add(kind, name, content))
    }

    /// Adds the changes of a batch that was made elsewhere.
    pub fn batch(self, other: Batch) -> FileEdit<'f> {
        self.with(|batch| batch.and(other))
    }

    /// Puts objects of arrays into the file, before all other changes are made; in the place of those that were given before.
    #[cfg(all(feature = "gltf", feature = "images"))]
    pub fn put(self, scene: SceneArrays, policies: Policies) -> FileEdit<'f> {
        FileEdit { scene: Some((scene, policies)), ..self }
    }

    /// Makes all changes. Entries that were taken before are stale then.
    ///
    /// # Errors
    /// Those of [`Batch::apply`]. The file is as it was then, and so are its entries.
    pub fn apply(self) -> Result<Outcome> {
        let FileEdit {
            file,
            batch,
            #[cfg(all(feature = "gltf", feature = "images"))]
            scene,
        } = self;
        let shared = &file.shared;
        let state = shared.now()?;
        let mut lent = shared.account.lend(Share::All, true);
        let mut sink = shared.account.sink();
        let mut task = Task::new(lent.budget.clone(), &mut sink);
        task.threads = shared.options.threads;
        let mark = task.budget.mark();
        let fork = state.container.fork(&mut task);
        // Where the batch fails, that is all that is left of it.
        let (all, kept) = (lent.lent(), task.budget.kept_since(mark));
        lent.keep(kept);
        let fork = fork?;
        let format = state.container.format();
        let fork = fork.ok_or_else(|| Error::new(&codes::NO_EDITING).found(format))?;
        // While the old state is read, both are there.
        let apart = all.saturating_sub(task.budget.left().memory);
        let Task { budget, .. } = task;
        drop(state);
        let mut opened = Opened::resumed(fork, budget, &shared.options);
        // First, as their names and positions are those of the file before: what is put there stands behind all that is there.
        #[cfg(all(feature = "gltf", feature = "images"))]
        if let Some((scene, policies)) = scene {
            arrays::put(&mut opened, scene, policies)?;
        }
        let outcome = batch.apply(&mut opened)?;
        let (container, findings, budget, _) = opened.into_parts();
        let left = budget.left().memory;
        shared.swap(container, apart);
        lent.end(left);
        // Those are what the batch was made in spite of.
        sink.findings.absorb(findings);
        shared.account.keep(sink.findings);
        Ok(outcome)
    }
}
