//! The changes of a patch of packs or archives, made to another file than that which it was made from: each is decided as a merge
//! decides it, with what the patch says was there in the place of the base and what it says is to be there in the place of theirs.

use super::Applied;
use crate::decide::{Deed, Differences, Places, States, Verdict, decide};
use spelunk_core::{Error, Result, Seg, Task};
use spelunk_open::Opened;

/// Result of a change.
pub(super) enum ChangeOutcome {
    /// The change was made.
    Made,
    /// The file has it already.
    MadeBefore,
    /// Something else is there. Nothing of the entry was changed.
    Conflicts(Vec<Error>),
}

/// Entries of a file that a patch is made to, beside what the patch holds of them.
pub(super) trait Patched: States {
    /// Adds the entry of the patch. Returns what it lacks for that, as errors.
    ///
    /// # Errors
    /// What the file cannot hold; contradictions of the patch; limits.
    fn add(&mut self, theirs: Self::Place, task: &mut Task<'_>) -> Result<Vec<Error>>;

    /// Takes an entry out.
    ///
    /// # Errors
    /// What the file cannot do without; limits.
    fn remove(&mut self, ours: Self::Place, task: &mut Task<'_>) -> Result<()>;

    /// Puts the values of the patch into fields. Returns what it lacks for that, as errors; nothing is changed then.
    ///
    /// # Errors
    /// What the file cannot hold; contradictions of the patch; limits.
    fn set(
        &mut self,
        at: Places<Self::Place>,
        taken: &[Self::Slot],
        task: &mut Task<'_>,
    ) -> Result<Vec<Error>>;

    /// Returns the error for a field that has neither the old nor the new value of the patch.
    ///
    /// # Errors
    /// Limits.
    fn field_conflict(
        &mut self,
        at: Places<Self::Place>,
        slot: &Self::Slot,
        task: &mut Task<'_>,
    ) -> Result<Error>;

    /// Returns the error for an entry with which the file's own side did something else than the patch.
    fn entry_conflict(&self, ours: Deed, theirs: Deed) -> Error;
}

/// Makes a change where what is to be changed is there.
///
/// # Errors
/// Those of the entries.
pub(super) fn make<P: Patched>(
    entries: &mut P,
    at: Places<P::Place>,
    task: &mut Task<'_>,
) -> Result<ChangeOutcome> {
    let missing = match decide(entries, at, task)? {
        Verdict::Unchanged | Verdict::Ours(_) | Verdict::Both(_) => {
            return Ok(ChangeOutcome::MadeBefore);
        }
        Verdict::Theirs(_) => match (at.ours, at.theirs) {
            (Some(ours), None) => entries.remove(ours, task).map(|()| Vec::new())?,
            (_, Some(theirs)) => entries.add(theirs, task)?,
            (None, None) => return Ok(ChangeOutcome::MadeBefore),
        },
        Verdict::Fields { differences: Differences { taken, conflicts }, .. } => {
            if !conflicts.is_empty() {
                let errors = conflicts.iter().map(|slot| entries.field_conflict(at, slot, task));
                return errors.collect::<Result<_>>().map(ChangeOutcome::Conflicts);
            }
            if taken.is_empty() {
                return Ok(ChangeOutcome::MadeBefore);
            }
            entries.set(at, &taken, task)?
        }
        Verdict::Conflict { ours, theirs } => vec![entries.entry_conflict(ours, theirs)],
    };
    Ok(if missing.is_empty() { ChangeOutcome::Made } else { ChangeOutcome::Conflicts(missing) })
}

/// Results of the changes of a patch.
#[derive(Default)]
pub(super) struct PatchResults {
    pub(super) made: u64,
    pub(super) made_before: u64,
    pub(super) conflicts: Vec<Error>,
}

impl PatchResults {
    /// Counts the result of the change of an entry, or keeps why it was not made.
    pub(super) fn add(&mut self, done: ChangeOutcome, entry: &str) {
        match done {
            ChangeOutcome::Made => self.made = self.made.saturating_add(1),
            ChangeOutcome::MadeBefore => self.made_before = self.made_before.saturating_add(1),
            ChangeOutcome::Conflicts(conflicts) => {
                let within = |error: Error| error.within(Seg::Key(entry.to_owned().into()));
                self.conflicts.extend(conflicts.into_iter().map(within));
            }
        }
    }
}

impl Applied {
    /// The file with these counts.
    pub(super) fn with(self, opened: Opened, counts: PatchResults) -> Applied {
        let PatchResults { made, made_before, conflicts } = counts;
        Applied { opened, made, made_before, conflicts, ..self }
    }
}
