//! The next state of an archive in whichever form it has.

use super::{
    archive::{Archive, not_found},
    draft::Draft,
    form::ArchiveForm,
    path::MemberPath,
    spec_draft::SpecDraft,
};
use crate::cff::USUAL_LEVEL;
use spelunk_core::{Result, Source, Task};
use std::{io, sync::Arc};

/// The version that new archives and caches of the dialect `spec` get; the specification names none.
pub const SPEC_VERSION: u32 = 1;

/// The next state of an archive, in its form.
#[derive(Clone, Debug)]
pub enum ArchiveDraft {
    /// Of the form of real files. Paths are stored in small letters, and need a directory.
    Real(Box<Draft>),
    /// Of the dialect `spec`. Paths are stored as they are given.
    Spec(Box<SpecDraft>),
}

impl ArchiveDraft {
    /// A new archive without a file.
    pub fn new(form: ArchiveForm) -> ArchiveDraft {
        match form {
            ArchiveForm::Real => ArchiveDraft::Real(Box::default()),
            ArchiveForm::Spec => ArchiveDraft::Spec(Box::new(SpecDraft::new(SPEC_VERSION))),
        }
    }

    /// An archive as it is.
    ///
    /// # Errors
    /// Limits; in the dialect `spec` [`PAK_EXTENT`](crate::codes::PAK_EXTENT) where data is not there.
    pub fn of(base: &Archive, task: &mut Task<'_>) -> Result<ArchiveDraft> {
        Ok(match base.index() {
            Some(index) => ArchiveDraft::Spec(Box::new(SpecDraft::of(base, index, task)?)),
            None => ArchiveDraft::Real(Box::new(Draft::of(base, task)?)),
        })
    }

    /// The form.
    pub const fn form(&self) -> ArchiveForm {
        match self {
            ArchiveDraft::Real(_) => ArchiveForm::Real,
            ArchiveDraft::Spec(_) => ArchiveForm::Spec,
        }
    }

    /// Number of files.
    pub fn len(&self) -> usize {
        match self {
            ArchiveDraft::Real(draft) => draft.len(),
            ArchiveDraft::Spec(draft) => draft.len(),
        }
    }

    /// Whether there is no file.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Gives the entry at this position of the old archive other plain content, which is packed as it was.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND); reading errors; limits.
    pub fn set(&mut self, n: u32, content: Arc<dyn Source>, task: &mut Task<'_>) -> Result<()> {
        match self {
            ArchiveDraft::Real(draft) => draft.set(n, content),
            ArchiveDraft::Spec(draft) => draft.set(n, content, task),
        }
    }

    /// Gives the entry at this position of the old archive another path.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND); those of [`MemberPath::from_bytes`].
    pub fn rename(&mut self, n: u32, path: &[u8]) -> Result<()> {
        match self {
            ArchiveDraft::Real(draft) => draft.rename(n, MemberPath::from_bytes(path)?),
            ArchiveDraft::Spec(draft) => draft.rename(n, path),
        }
    }

    /// Takes the entry at this position of the old archive out.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND).
    pub fn remove(&mut self, n: u32) -> Result<()> {
        match self {
            ArchiveDraft::Real(draft) => draft.remove(n),
            ArchiveDraft::Spec(draft) => draft.remove(n),
        }
    }

    /// Adds a file behind the others, packed at the usual level where that is asked for and the form packs files.
    ///
    /// # Errors
    /// Those of [`MemberPath::from_bytes`]; in the dialect `spec` [`PAK_BAD_PATH`](crate::codes::PAK_BAD_PATH) alone; reading
    /// errors; limits.
    pub fn add(
        &mut self,
        path: &[u8],
        content: Arc<dyn Source>,
        is_packed: bool,
        task: &mut Task<'_>,
    ) -> Result<()> {
        match self {
            ArchiveDraft::Real(draft) => {
                draft.add(MemberPath::from_bytes(path)?, content);
                Ok(())
            }
            ArchiveDraft::Spec(draft) => {
                draft.add(path, content, is_packed.then_some(USUAL_LEVEL), task)
            }
        }
    }

    /// Adds a file of another archive; where both are of the dialect `spec`, with its path and stored bytes as they are.
    ///
    /// # Errors
    /// Those of [`ArchiveDraft::add`] and [`Archive::bytes`].
    pub fn add_of(&mut self, other: &Archive, n: u32, task: &mut Task<'_>) -> Result<()> {
        if let (ArchiveDraft::Spec(draft), Some(entry)) = (&mut *self, other.spec_entry(n)) {
            let at = other.range(n).ok_or_else(not_found)?;
            let stored = other.source().read(at, &mut task.budget)?;
            return draft.add_stored(entry.path, entry.numbers.compression, Arc::new(stored));
        }
        let path: Vec<u8> = other.path_bytes(n).ok_or_else(not_found)?.collect();
        let content = Arc::new(other.bytes(n, task)?);
        self.add(&path, content, false, task)
    }

    /// The bytes of the archive. Files that stay are stretches of the old one, others are read into memory.
    ///
    /// # Errors
    /// What the form cannot hold; reading errors; limits.
    pub fn source(&self, task: &mut Task<'_>) -> Result<Arc<dyn Source>> {
        match self {
            ArchiveDraft::Real(draft) => draft.source(task),
            ArchiveDraft::Spec(draft) => draft.source(task),
        }
    }

    /// Writes the archive; gives its size. What is stored as it is is never in memory as a whole.
    ///
    /// # Errors
    /// What the form cannot hold; reading and writing errors.
    pub fn write(&self, out: &mut dyn io::Write, task: &mut Task<'_>) -> Result<u64> {
        match self {
            ArchiveDraft::Real(draft) => draft.write(out, task),
            ArchiveDraft::Spec(draft) => draft.write(out, task),
        }
    }
}
