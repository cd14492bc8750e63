//! A file that is edited step by step, and the way back: a list of patches, one for each edit.
//!
//! Each step is a patch between the file before and after it ([`AnyPatch`]), which is tried before it is kept: taken back, it
//! gives the very bytes of before. So steps can be shown, kept and sent like any other patch, and nothing beside the current
//! bytes is held for undoing.

use crate::patch::AnyPatch;
use spelunk_core::{Collect, Error, Result, Source, WriteOptions};
use spelunk_open::{Opened, Options, codes, skeleton::Origin};
use std::sync::Arc;

/// An edit that was made.
#[derive(Clone, PartialEq, Debug)]
pub struct HistoryStep {
    /// Name of the step for people.
    pub label: String,
    /// Patch that the step made.
    pub patch: AnyPatch,
}

/// The current state of a file, and the edits that led to it.
pub struct History {
    current: Arc<dyn Source>,
    options: Options,
    done: Vec<HistoryStep>,
    undone: Vec<HistoryStep>,
}

impl std::fmt::Debug for History {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let counts = (self.done.len(), self.undone.len());
        f.debug_struct("History").field("steps", &counts).finish_non_exhaustive()
    }
}

impl History {
    /// A file without edits.
    pub fn new(source: Arc<dyn Source>, options: Options) -> History {
        History { current: source, options, done: Vec::new(), undone: Vec::new() }
    }

    /// The bytes of the file as it is now.
    pub const fn source(&self) -> &Arc<dyn Source> {
        &self.current
    }

    /// The file as it is now, opened.
    ///
    /// # Errors
    /// Those of [`Opened::open`].
    pub fn open(&self) -> Result<Opened> {
        Opened::open(self.current.clone(), &self.options)
    }

    /// The edits that can be taken back, the last one last.
    pub fn done(&self) -> &[HistoryStep] {
        &self.done
    }

    /// The edits that were taken back, the next one to be made again last.
    pub fn undone(&self) -> &[HistoryStep] {
        &self.undone
    }

    /// Makes an edit, which is one step. What was taken back before is forgotten. An edit that fails, or changes nothing,
    /// is no step and leaves everything as it was.
    ///
    /// # Errors
    /// What `work` returns; writing and opening errors; [`NO_PATCH`](codes::NO_PATCH) for formats without patches, and where
    /// a patch cannot take the edit back byte for byte.
    pub fn edit<T>(
        &mut self,
        label: impl Into<String>,
        work: impl FnOnce(&mut Opened) -> Result<T>,
    ) -> Result<(T, Collect)> {
        let mut opened = self.open()?;
        let value = work(&mut opened)?;
        let new = opened.written(&WriteOptions::default())?;
        let findings = opened.take_findings();
        if same(&*self.current, &*new)? {
            return Ok((value, findings));
        }
        let old = Origin { source: &self.current, options: &self.options };
        let patch = AnyPatch::between(&old, &Origin { source: &new, options: &self.options })?;
        let back = self.made(&patch.clone().reversed(), &new)?;
        if !same(&*self.current, &*back)? {
            return Err(Error::new(&codes::NO_PATCH).expected("an edit that a patch takes back"));
        }
        self.current = new;
        self.done.push(HistoryStep { label: label.into(), patch });
        self.undone.clear();
        Ok((value, findings))
    }

    /// Takes the last edit back; `None` where there is none.
    ///
    /// # Errors
    /// Limits; reading errors. Nothing has changed then.
    pub fn undo(&mut self) -> Result<Option<&HistoryStep>> {
        let Some(step) = self.done.last() else { return Ok(None) };
        self.current = self.made(&step.patch.clone().reversed(), &self.current)?;
        self.undone.extend(self.done.pop());
        Ok(self.undone.last())
    }

    /// Makes the edit again that was taken back last; `None` where there is none.
    ///
    /// # Errors
    /// Those of [`History::undo`].
    pub fn redo(&mut self) -> Result<Option<&HistoryStep>> {
        let Some(step) = self.undone.last() else { return Ok(None) };
        self.current = self.made(&step.patch, &self.current)?;
        self.done.extend(self.undone.pop());
        Ok(self.done.last())
    }

    /// The file that a patch makes of the one that it is for.
    fn made(&self, patch: &AnyPatch, of: &Arc<dyn Source>) -> Result<Arc<dyn Source>> {
        let mut applied = patch.apply(&Origin { source: of, options: &self.options })?;
        if let Some(conflict) = applied.conflicts.pop() {
            return Err(conflict);
        }
        applied.opened.written(&applied.options)
    }
}

/// Whether both are the same bytes.
fn same(a: &dyn Source, b: &dyn Source) -> Result<bool> {
    const PIECE: u64 = 1 << 16;
    if a.len() != b.len() {
        return Ok(false);
    }
    let (mut left, mut right) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < a.len() {
        let len = a.len().saturating_sub(at).min(PIECE) as usize;
        for (source, buffer) in [(a, &mut left), (b, &mut right)] {
            buffer.resize(len, 0);
            source.read_at(at, buffer)?;
        }
        if left != right {
            return Ok(false);
        }
        at = at.saturating_add(PIECE);
    }
    Ok(true)
}
