//! Decision on an entry that three files have, or two, or one: the one that merging and patching share.
//!
//! A merge asks it of a file that both sides began with and of what they made of it. A patch asks it too: what it says was there
//! stands in the place of the base, what it says is to be there in the place of theirs, and the file that it is made to is ours.

use spelunk_core::{Result, Task};
use std::collections::{BTreeMap, BTreeSet};

/// Version of a file: the base, ours or theirs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Version {
    /// The file that both sides began with.
    Base,
    /// The file that our side made of it.
    Ours,
    /// The file that the other side made of it.
    Theirs,
}

/// Places of an entry in the files that have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Places<P> {
    pub(crate) base: Option<P>,
    pub(crate) ours: Option<P>,
    pub(crate) theirs: Option<P>,
}

/// Change that a side made to an entry.
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

/// Fields of an entry that the other side changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Differences<S> {
    /// Fields that are taken over from theirs.
    pub(crate) taken: Vec<S>,
    /// Fields that both changed, each in another way.
    pub(crate) conflicts: Vec<S>,
}

impl<S: Ord + Clone> Differences<S> {
    /// Decides field by field.
    pub(crate) fn between<'v, V>(
        base: &'v BTreeMap<S, V>,
        ours: &'v BTreeMap<S, V>,
        theirs: &'v BTreeMap<S, V>,
        choose: impl Fn(Option<&'v V>, Option<&'v V>, Option<&'v V>) -> Choice,
    ) -> Differences<S> {
        let mut found = Differences { taken: Vec::new(), conflicts: Vec::new() };
        let slots: BTreeSet<&S> = base.keys().chain(ours.keys()).chain(theirs.keys()).collect();
        for slot in slots {
            match choose(base.get(slot), ours.get(slot), theirs.get(slot)) {
                Choice::Ours => {}
                Choice::Theirs => found.taken.push(slot.clone()),
                Choice::Conflict => found.conflicts.push(slot.clone()),
            }
        }
        found
    }

    /// Decides of an entry that has one field alone, which theirs changed.
    pub(crate) fn of_one(slot: S, is_theirs_alone: bool) -> Differences<S> {
        let (taken, conflicts) = match is_theirs_alone {
            true => (vec![slot], Vec::new()),
            false => (Vec::new(), vec![slot]),
        };
        Differences { taken, conflicts }
    }
}

/// Entries of three files, which are known by their places there.
pub(crate) trait States {
    /// Place of an entry in a file.
    type Place: Copy;
    /// A field that can change by itself.
    type Slot: Ord + Clone;

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

    /// Returns the changes that theirs made to an entry that it has otherwise than the base and ours have; whether ours changed
    /// nothing of it is known.
    ///
    /// # Errors
    /// Limits; reading errors.
    fn differences(
        &mut self,
        at: Places<Self::Place>,
        is_theirs_alone: bool,
        task: &mut Task<'_>,
    ) -> Result<Differences<Self::Slot>>;
}

/// Choice between the values of a field that two sides may have changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Choice {
    /// The value of ours stays.
    Ours,
    /// The value of theirs comes.
    Theirs,
    /// A conflict: both changed it, each in another way.
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

/// Decision on an entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict<S> {
    /// Nobody did anything with it.
    Unchanged,
    /// Only our side did.
    Ours(Deed),
    /// Only the other side added it, or took it out.
    Theirs(Deed),
    /// The same change on both sides.
    Both(Deed),
    /// The other side changed it, and ours may have.
    Fields {
        /// Fields that differ.
        differences: Differences<S>,
        /// Whether our side changed nothing of it.
        is_theirs_alone: bool,
    },
    /// A conflict: one side took out what the other one changed, or both added it, each in another way.
    Conflict {
        /// Change of our side.
        ours: Deed,
        /// Change of the other side.
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
                fields(states, at, false, task)?
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
                fields(states, at, is_theirs_alone, task)?
            }
        }
    })
}

fn fields<S: States>(
    states: &mut S,
    at: Places<S::Place>,
    is_theirs_alone: bool,
    task: &mut Task<'_>,
) -> Result<Verdict<S::Slot>> {
    let differences = states.differences(at, is_theirs_alone, task)?;
    Ok(Verdict::Fields { differences, is_theirs_alone })
}
