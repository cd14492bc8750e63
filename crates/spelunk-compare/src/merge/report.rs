//! The report of a merge.

/// Side that counts where both changed one thing, each in another way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OnConflict {
    /// Neither: conflicts are reported, and nothing is made.
    #[default]
    Refuse,
    /// Ours.
    Ours,
    /// Theirs.
    Theirs,
}

/// Changes of the entries: those that changed on one side or both. The other ones are in none of these lists.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Only we changed them.
    pub from_ours: Vec<Merging>,
    /// Only they changed them.
    pub from_theirs: Vec<Merging>,
    /// The same changes on both sides.
    pub both: Vec<Merging>,
    /// Changes of both sides, in different fields.
    pub merged: Vec<Merging>,
    /// Changes of both sides to one thing, each in another way.
    pub conflicts: Vec<Conflict>,
    /// Names that two assets or objects have now.
    pub collisions: Vec<Collision>,
    /// Whether theirs holds a part of the tables, so that what it lacks stays.
    pub is_part: bool,
}

impl Report {
    /// Returns this report with that of a further merge, in which ours was the result of this one.
    #[must_use]
    pub fn and(mut self, more: Report) -> Report {
        self.from_theirs.extend(more.from_theirs);
        self.both.extend(more.both);
        self.merged.extend(more.merged);
        self.conflicts.extend(more.conflicts);
        self.collisions.extend(more.collisions);
        self.is_part |= more.is_part;
        self
    }
}

/// An entry of a merge.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Merging {
    /// Path of the entry.
    pub path: String,
    /// The id of an asset.
    pub asset_id: Option<String>,
    /// Change of the entry, where that is one thing: added, removed, changed.
    pub change: Option<&'static str>,
}

/// Something that both sides changed, each in another way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// The entry.
    pub entry: Merging,
    /// The field; `None` where one side took the entry out.
    pub field: Option<String>,
    /// Value of ours.
    pub ours: String,
    /// Value of theirs.
    pub theirs: String,
}

/// Two assets or objects with one name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Collision {
    /// The id of ours; its path, where entries have no ids.
    pub ours: String,
    /// Theirs.
    pub theirs: Merging,
}
