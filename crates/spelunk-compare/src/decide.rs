//! What becomes of an entry that three files have, or two, or one: the one decision that merging and patching share.
//!
//! A merge asks it of a file that both sides began with and of what they made of it. A patch asks it too: what it says was there
//! stands in the place of the base, what it says is to be there in the place of theirs, and the file that it is made to is ours.

use spelunk_core::{Result, Task};
use std::collections::BTreeMap;

/// Which of the three files something is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Version {
    /// The file that both sides began with.
    Base,
    /// What our side made of it.
    Ours,
    /// What the other side made of it.
    Theirs,
}

/// Where an entry is in the files that have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Places<P> {
    pub(crate) base: Option<P>,
    pub(crate) ours: Option<P>,
    pub(crate) theirs: Option<P>,
}

/// What a side did with an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Deed {
    Added,
    Removed,
    Changed,
}

impl Deed {
    /// The deed as one word.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Deed::Added => "added",
            Deed::Removed => "removed",
            Deed::Changed => "changed",
        }
    }
}

/// The fields of an entry, and the memory that is charged for them.
pub(crate) type Fields<S> = (BTreeMap<<S as States>::Slot, <S as States>::Value>, u64);

/// Entries of three files, which are known by their places there.
pub(crate) trait States {
    /// Where an entry is in a file.
    type Place: Copy;
    /// A field that can change by itself.
    type Slot: Ord + Clone;
    /// What is in it.
    type Value;

    /// Whether the fields of an entry that both sides added are united, where they agree; else it is in conflict as a whole.
    const UNITES: bool;

    /// Whether an entry is the same in two files.
    ///
    /// # Errors
    /// Limits; reading errors.
    fn is_same(
        &mut self,
        one: (Version, Self::Place),
        other: (Version, Self::Place),
        task: &mut Task<'_>,
    ) -> Result<bool>;

    /// The fields of an entry, which stay charged.
    ///
    /// # Errors
    /// Limits; reading errors.
    fn fields(&mut self, at: (Version, Self::Place), task: &mut Task<'_>) -> Result<Fields<Self>>;

    /// What becomes of a field.
    fn choose(
        base: Option<&Self::Value>,
        ours: Option<&Self::Value>,
        theirs: Option<&Self::Value>,
    ) -> Choice;
}

/// What becomes of a field that two sides may have changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Choice {
    /// What ours has stays.
    Ours,
    /// What theirs has comes.
    Theirs,
    /// Both changed it, each in another way.
    Conflict,
}

impl Choice {
    /// The choice between values that are compared in one way.
    pub(crate) fn of<V: PartialEq>(base: Option<V>, ours: Option<V>, theirs: Option<V>) -> Choice {
        Choice::by(&base, &ours, &theirs, |a, b| a == b)
    }

    /// The choice between values of which `same` says which are equal.
    pub(crate) fn by<V>(base: &V, ours: &V, theirs: &V, same: impl Fn(&V, &V) -> bool) -> Choice {
        if same(ours, theirs) || same(base, theirs) {
            Choice::Ours
        } else if same(base, ours) {
            Choice::Theirs
        } else {
            Choice::Conflict
        }
    }
}

/// What becomes of an entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict<S> {
    /// Nobody did anything with it.
    Unchanged,
    /// Only our side did.
    Ours(Deed),
    /// Only the other side added it, or took it out.
    Theirs(Deed),
    /// Both did the same.
    Both(Deed),
    /// The other side changed it, and ours may have.
    Fields {
        /// Fields that are taken over from theirs.
        taken: Vec<S>,
        /// Fields that both changed, each in another way.
        conflicts: Vec<S>,
        /// Whether our side changed nothing of it.
        is_theirs_alone: bool,
    },
    /// One side took out what the other one changed, or both added it, each in another way.
    Conflict {
        /// What our side did.
        ours: Deed,
        /// What the other side did.
        theirs: Deed,
    },
}

/// Decides what becomes of an entry.
///
/// # Errors
/// Those of the states.
pub(crate) fn decide<S: States>(
    states: &mut S,
    at: Places<S::Place>,
    task: &mut Task<'_>,
) -> Result<Verdict<S::Slot>> {
    let (base, ours, theirs) = (
        at.base.map(|place| (Version::Base, place)),
        at.ours.map(|place| (Version::Ours, place)),
        at.theirs.map(|place| (Version::Theirs, place)),
    );
    Ok(match (base, ours, theirs) {
        (None, None, None) => Verdict::Unchanged,
        (Some(_), None, None) => Verdict::Both(Deed::Removed),
        (None, Some(_), None) => Verdict::Ours(Deed::Added),
        (None, None, Some(_)) => Verdict::Theirs(Deed::Added),
        (Some(base), Some(ours), None) => match states.is_same(base, ours, task)? {
            true => Verdict::Theirs(Deed::Removed),
            false => Verdict::Conflict { ours: Deed::Changed, theirs: Deed::Removed },
        },
        (Some(base), None, Some(theirs)) => match states.is_same(base, theirs, task)? {
            true => Verdict::Ours(Deed::Removed),
            false => Verdict::Conflict { ours: Deed::Removed, theirs: Deed::Changed },
        },
        (None, Some(ours), Some(theirs)) => {
            if states.is_same(ours, theirs, task)? {
                Verdict::Both(Deed::Added)
            } else if S::UNITES {
                fields(states, [None, Some(ours), Some(theirs)], false, task)?
            } else {
                Verdict::Conflict { ours: Deed::Added, theirs: Deed::Added }
            }
        }
        (Some(base), Some(ours), Some(theirs)) => {
            let is_theirs_alone = states.is_same(base, ours, task)?;
            if states.is_same(base, theirs, task)? {
                match is_theirs_alone {
                    true => Verdict::Unchanged,
                    false => Verdict::Ours(Deed::Changed),
                }
            } else if !is_theirs_alone && states.is_same(ours, theirs, task)? {
                Verdict::Both(Deed::Changed)
            } else {
                fields(states, [Some(base), Some(ours), Some(theirs)], is_theirs_alone, task)?
            }
        }
    })
}

/// Decides field by field.
fn fields<S: States>(
    states: &mut S,
    at: [Option<(Version, S::Place)>; 3],
    is_theirs_alone: bool,
    task: &mut Task<'_>,
) -> Result<Verdict<S::Slot>> {
    let before = task.budget.left().memory;
    let mut of = |at: Option<(Version, S::Place)>| match at {
        Some(at) => states.fields(at, task).map(|(fields, _)| fields),
        None => Ok(BTreeMap::new()),
    };
    let [base, ours, theirs] = at;
    let (base, ours, theirs) = (of(base)?, of(ours)?, of(theirs)?);
    let (mut taken, mut conflicts) = (Vec::new(), Vec::new());
    let mut slots: Vec<&S::Slot> = base.keys().chain(ours.keys()).chain(theirs.keys()).collect();
    slots.sort_unstable();
    slots.dedup();
    for slot in slots {
        match S::choose(base.get(slot), ours.get(slot), theirs.get(slot)) {
            Choice::Ours => {}
            Choice::Theirs => taken.push(slot.clone()),
            Choice::Conflict => conflicts.push(slot.clone()),
        }
    }
    task.budget.release(before.saturating_sub(task.budget.left().memory));
    Ok(Verdict::Fields { taken, conflicts, is_theirs_alone })
}
