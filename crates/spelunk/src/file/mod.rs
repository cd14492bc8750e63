//! The front: a file with everything that it needs to be read, changed and saved.
//!
//! ```
//! # fn main() -> spelunk::Result<()> {
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("level.nmo");
//! # std::fs::write(&path, spelunk_fixtures::samples::level().build().bytes).unwrap();
//! use spelunk::File;
//!
//! let mut file = File::open(&path)?;
//! for entry in file.entries()? {
//!     println!("{} {} {}", entry.path(), entry.kind(), entry.name());
//! }
//! let wood = file.entry("CKMaterial/Wood")?;
//! assert_eq!(wood.value("material.diffuse")?.meaning().as_deref(), Some("#ffffff"));
//!
//! file.edit().set("CKMaterial/Wood", "material.diffuse", 0xffff_0000_u32).apply()?;
//! file.save(folder.path().join("red.nmo"))?;
//! # Ok(())
//! # }
//! ```
//!
//! Limits, findings and budgets are inside ([`FileOptions`] changes them). A [`File`] and what is taken from it can be used by any
//! number of threads at once. Each call has a part of the memory that is left and all steps; what it returns stays charged until
//! it is dropped. Nothing is locked while code of the caller runs.
//!
//! Changes come in batches ([`FileEdit`]). A batch works on a copy of the state, which takes the place of the old one when all of it
//! could be made. Entries that were taken before are of a state that is no more, and say so ([`STALE`](crate::open::codes::STALE)).

mod account;
mod edit;
mod entries;
mod fields;
mod options;
mod save;
mod shared;
mod tables;

pub use edit::FileEdit;
pub use entries::{Entries, EntriesIter, FileEntry, Visited};
pub use fields::{Fields, FieldsIter, FileField, FileValue};
pub use options::FileOptions;

use crate::{
    Bytes, Collect, Container, Halt, Node, Of, Options, Result, Task,
    core::text::CodePages,
    core::walk::finish,
    entries::lookup,
    models::arrays::{self, Heights, SceneObjects},
    open::entries::select::Select,
};
use account::Share;
use entries::{Gathered, Stream};
use shared::SharedFile;
use std::{fmt, ops::ControlFlow, path::Path, sync::Arc};

/// An opened file of any format.
pub struct File {
    shared: Arc<SharedFile>,
}

/// Files and entries are used from several threads at once.
const _: fn() = || {
    fn shared<T: Send + Sync>() {}
    shared::<File>();
    shared::<Entries>();
    shared::<FileEntry>();
    shared::<Fields>();
    shared::<FileField>();
    shared::<FileValue>();
};

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let format = self.shared.now().map(|state| state.container.format());
        let path = self.shared.origin.as_ref().map(|origin| &origin.path);
        f.debug_struct("File")
            .field("format", &format.unwrap_or_default())
            .field("path", &path)
            .finish_non_exhaustive()
    }
}

impl File {
    /// Name of the format: `virtools`, `snpak`, `spellforce-cff`, ...
    pub fn format(&self) -> &'static str {
        self.shared.now().map_or("", |state| state.container.format())
    }

    /// Size of the file in bytes, as it was opened.
    pub fn size(&self) -> u64 {
        self.shared.now().map_or(0, |state| state.container.size())
    }

    /// Returns the path that it was opened at; `None` for bytes and other sources.
    pub fn path(&self) -> Option<&Path> {
        self.shared.origin.as_ref().map(|origin| &*origin.path)
    }

    /// The code pages that its texts are shown in.
    pub fn code_pages(&self) -> &CodePages {
        &self.shared.pages
    }

    /// Returns the options that it was opened with.
    pub fn opened_with(&self) -> &Options {
        &self.shared.options
    }

    /// Takes the findings so far: damage that leaves the rest readable, and what is unusual. They are gone from here then.
    pub fn take_findings(&self) -> Collect {
        self.shared.account.take_findings()
    }

    /// Whether damage was noticed and not [taken](File::take_findings).
    pub fn has_damage(&self) -> bool {
        self.shared.account.has_errors()
    }

    /// The memory that is left of the limit, in bytes.
    pub fn memory_left(&self) -> u64 {
        self.shared.account.left()
    }

    /// The entries, as `spelunk ls` lists them. All of them are read at once, so that an error comes before the first.
    ///
    /// # Errors
    /// Reading errors; limits.
    pub fn entries(&self) -> Result<Entries> {
        entries::list(&self.shared, self.shared.now()?.generation, Of::Listing)
    }

    /// The entries that match one of the globs by their path, kind or name, or `KIND/NAME`; letters of both cases are the same.
    ///
    /// # Errors
    /// [`BAD_PATTERN`](crate::open::codes::core::BAD_PATTERN); reading errors; limits.
    pub fn select<S: AsRef<str>>(&self, globs: &[S]) -> Result<Entries> {
        let chosen = Select::new(globs, &[])?;
        entries::list_chosen(
            &self.shared,
            self.shared.now()?.generation,
            Of::Listing,
            Some(&chosen),
        )
    }

    /// What stands in its space, and what that looks like.
    ///
    /// # Errors
    /// [`NOT_EXPORTED`](crate::open::codes::NOT_EXPORTED) for files of other formats; reading errors; limits.
    pub fn scene(&self) -> Result<SceneObjects> {
        let state = self.shared.now()?;
        let pages = &self.shared.pages;
        let read = self
            .shared
            .run(&state, |container, task| Ok((arrays::scene(container, pages, task)?, 0)));
        read.map(|(scene, _)| scene)
    }

    /// The heights of the map that it is.
    ///
    /// # Errors
    /// [`NO_MAP`](crate::open::codes::NO_MAP) for other files; reading errors; limits.
    pub fn heights(&self) -> Result<Heights> {
        let state = self.shared.now()?;
        let read =
            self.shared.run(&state, |container, task| Ok((arrays::heights(container, task)?, 0)));
        read.map(|(heights, _)| heights)
    }

    /// The top of the hierarchy. [`FileEntry::below`] goes on from there.
    ///
    /// # Errors
    /// Reading errors; limits.
    pub fn root(&self) -> Result<Entries> {
        entries::list(&self.shared, self.shared.now()?.generation, Of::Root)
    }

    /// Shows the entries to `each` without keeping them, in their order. `each` gives nothing, a [`Result`], or
    /// [`ControlFlow`] to stop.
    ///
    /// # Errors
    /// Those of `each`; reading errors, which may come after some entries; limits.
    pub fn visit<V: Visited>(&self, mut each: impl FnMut(&FileEntry) -> V) -> Result<()> {
        let state = self.shared.now()?;
        let mut stream = Stream::new(&self.shared, state.generation);
        let (mut shown, mut failed) = (0_u64, None);
        let done = self.shared.run_with(&state, false, |container, task| {
            let mut nth = 0_u64;
            let walked =
                container.children(Of::Listing, &self.shared.pages, task, &mut |entry, task| {
                    // What was shown before is not shown again, where this has to be done again.
                    nth = nth.saturating_add(1);
                    if nth <= shown {
                        return Ok(());
                    }
                    let entry = stream.next(entry, &mut task.budget)?;
                    shown = nth;
                    match each(entry).onward() {
                        Ok(ControlFlow::Continue(())) => Ok(()),
                        Ok(ControlFlow::Break(())) => Err(Halt::Stop),
                        Err(error) => {
                            failed = Some(error);
                            Err(Halt::Stop)
                        }
                    }
                });
            finish(walked)?;
            Ok(((), 0))
        });
        match failed {
            Some(error) => Err(error),
            None => done.map(drop),
        }
    }

    /// The entry at a path.
    ///
    /// # Errors
    /// [`NOT_FOUND`](crate::open::codes::core::NOT_FOUND), which names the nearest paths; [`AMBIGUOUS`](crate::open::codes::core::AMBIGUOUS),
    /// which names all entries that have the path; reading errors; limits.
    pub fn entry(&self, path: &str) -> Result<FileEntry> {
        let state = self.shared.now()?;
        let pages = &self.shared.pages;
        let (gathered, charge) = self.shared.run(&state, |container, task| {
            let found = lookup::resolve(container, &[path], pages, task)?;
            let mut gathered = Gathered::default();
            for node in found {
                finish(container.entry(node, pages, task, &mut |entry, task| {
                    Ok(gathered.put(entry, &self.shared, &mut task.budget)?)
                }))?;
            }
            let held = gathered.held();
            Ok((gathered, held))
        })?;
        let entries = gathered.listing(self.shared.clone(), state.generation, charge);
        entries.get(0).ok_or_else(|| crate::Error::new(&crate::open::codes::core::NOT_FOUND))
    }

    /// The plain bytes of the entry that a node is, as [`FileEntry::bytes`] has them.
    ///
    /// # Errors
    /// Those of [`FileEntry::bytes`]; [`NOT_FOUND`](crate::open::codes::core::NOT_FOUND) for a node of something else.
    pub fn bytes_of(&self, node: Node) -> Result<Bytes> {
        let state = self.shared.now()?;
        self.shared.bytes(&state, node)
    }

    /// Works on the container, for what entries do not show. What the task took and did not give back stays charged, unless the work
    /// fails.
    ///
    /// # Errors
    /// Those of `work`.
    pub fn with_container<T>(
        &self,
        work: impl FnOnce(&dyn Container, &mut Task<'_>) -> Result<T>,
    ) -> Result<T> {
        let state = self.shared.now()?;
        let lent = self.shared.account.lend(Share::Half, false);
        let mut sink = self.shared.account.sink();
        let mut task = Task::new(lent.budget.clone(), &mut sink);
        task.threads = self.shared.options.threads;
        let mark = task.budget.mark();
        let done = work(state.container.as_ref(), &mut task);
        let scratch = task.scratch.len() as u64;
        task.budget.release(scratch);
        let (left, kept) = (task.budget.left().memory, task.budget.kept_since(mark));
        self.shared.account.keep(sink.findings);
        let all = lent.lent();
        lent.end(if done.is_ok() { left } else { all.saturating_sub(kept) });
        done
    }
}
