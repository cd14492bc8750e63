//! The merge of entries that go by keys: what is decided of each is reported, and made to our file.

use super::report::{Conflict, Merging, OnConflict, Report};
use crate::decide::{Deed, Differences, Places, States, Verdict, Version, decide};
use spelunk_core::{Result, Task};

/// Text for a side that added an entry which the other one added too.
const ADDED_OTHERWISE: &str = "added with another content";

/// Entries of the three files of a merge, and our file with what is made of it.
pub(crate) trait Sides: States {
    /// Describes an entry in a report. It stays charged.
    ///
    /// # Errors
    /// Limits.
    fn entry(
        &mut self,
        at: (Version, Self::Place),
        deed: Deed,
        task: &mut Task<'_>,
    ) -> Result<Merging>;

    /// Returns the name of a field for people.
    fn field(&self, slot: &Self::Slot) -> String;

    /// Returns the value of a field of an entry, for people.
    ///
    /// # Errors
    /// Limits.
    fn shown(
        &mut self,
        at: (Version, Self::Place),
        slot: &Self::Slot,
        task: &mut Task<'_>,
    ) -> Result<String>;

    /// Adds an entry of theirs.
    ///
    /// # Errors
    /// What our file cannot hold; limits; reading errors.
    fn add(&mut self, theirs: Self::Place, task: &mut Task<'_>) -> Result<()>;

    /// Takes an entry of ours out.
    ///
    /// # Errors
    /// What our file cannot do without; limits.
    fn remove(&mut self, ours: Self::Place, task: &mut Task<'_>) -> Result<()>;

    /// Takes fields over from theirs.
    ///
    /// # Errors
    /// What our file cannot hold; limits; reading errors.
    fn set(
        &mut self,
        at: Places<Self::Place>,
        taken: &[Self::Slot],
        task: &mut Task<'_>,
    ) -> Result<()>;

    /// Puts an entry of theirs in the place of one of ours.
    ///
    /// # Errors
    /// What our file cannot hold; limits; reading errors.
    fn replace(
        &mut self,
        ours: Self::Place,
        theirs: Self::Place,
        task: &mut Task<'_>,
    ) -> Result<()>;
}

/// Decides what becomes of an entry, reports it, and makes it.
///
/// # Errors
/// Those of the sides.
pub(crate) fn settle<S: Sides>(
    sides: &mut S,
    at: Places<S::Place>,
    on_conflict: OnConflict,
    report: &mut Report,
    task: &mut Task<'_>,
) -> Result<()> {
    let of_base = at.base.map(|place| (Version::Base, place));
    let of_ours = at.ours.map(|place| (Version::Ours, place));
    let of_theirs = at.theirs.map(|place| (Version::Theirs, place));
    let Some(known) = of_ours.or(of_theirs).or(of_base) else { return Ok(()) };
    let is_theirs = on_conflict == OnConflict::Theirs;
    match decide(sides, at, task)? {
        Verdict::Unchanged => {}
        Verdict::Ours(deed) => {
            let at = of_ours.or(of_base).unwrap_or(known);
            report.from_ours.push(sides.entry(at, deed, task)?);
        }
        Verdict::Both(deed) => report.both.push(sides.entry(known, deed, task)?),
        Verdict::Theirs(deed) => {
            report.from_theirs.push(sides.entry(known, deed, task)?);
            match (at.ours, at.theirs) {
                (Some(ours), None) => sides.remove(ours, task)?,
                (_, Some(theirs)) => sides.add(theirs, task)?,
                (None, None) => {}
            }
        }
        Verdict::Fields { differences, is_theirs_alone } => {
            let Differences { mut taken, conflicts } = differences;
            for slot in &conflicts {
                let mut shown = |at: Option<(Version, S::Place)>, task: &mut Task<'_>| match at {
                    Some(at) => sides.shown(at, slot, task),
                    None => Ok(String::new()),
                };
                let (ours, theirs) = (shown(of_ours, task)?, shown(of_theirs, task)?);
                let field = Some(sides.field(slot));
                conflict(sides, known, (field, ours, theirs), report, task)?;
            }
            if conflicts.is_empty() {
                let list =
                    if is_theirs_alone { &mut report.from_theirs } else { &mut report.merged };
                list.push(sides.entry(known, Deed::Changed, task)?);
            } else if is_theirs {
                taken.extend(conflicts);
            }
            sides.set(at, &taken, task)?;
        }
        Verdict::Conflict { ours, theirs } => {
            let by_theirs = if ours == theirs { ADDED_OTHERWISE } else { theirs.name() };
            let values = (None, ours.name().to_owned(), by_theirs.to_owned());
            conflict(sides, known, values, report, task)?;
            match (at.ours, at.theirs) {
                _ if !is_theirs => {}
                (Some(ours), Some(theirs)) => sides.replace(ours, theirs, task)?,
                (Some(ours), None) => sides.remove(ours, task)?,
                (None, Some(theirs)) => sides.add(theirs, task)?,
                (None, None) => {}
            }
        }
    }
    Ok(())
}

/// Reports a conflict, with the field, and the values of ours and theirs.
fn conflict<S: Sides>(
    sides: &mut S,
    at: (Version, S::Place),
    (field, ours, theirs): (Option<String>, String, String),
    report: &mut Report,
    task: &mut Task<'_>,
) -> Result<()> {
    let entry = Merging { change: None, ..sides.entry(at, Deed::Changed, task)? };
    let texts = ours.len().saturating_add(theirs.len());
    task.budget.memory(size_of::<Conflict>().saturating_mul(2).saturating_add(texts) as u64)?;
    report.conflicts.push(Conflict { entry, field, ours, theirs });
    Ok(())
}
