//! Differences: changes of entries and of their fields.

use spelunk_core::{Field, Node, Val};

/// Extent of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Number of changed items of one list, and of fields of a group that only one side has, that are kept; all of them are
    /// counted.
    pub max_items: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { max_items: 10 }
    }
}

/// Differences of two containers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Diff {
    /// Fields of the summary, as `info` shows it.
    pub summary: Vec<FieldChange>,
    /// Entries, those of the old container in its order before those that are new.
    pub changes: Vec<Change>,
    /// Entries that only have another id, which the saving program gave them.
    pub renumbered: u64,
}

impl Diff {
    /// Whether there is no difference.
    pub fn is_empty(&self) -> bool {
        self.summary.is_empty() && self.changes.is_empty() && self.renumbered == 0
    }
}

/// An entry of one of the containers.
#[derive(Clone, PartialEq, Debug)]
pub struct ComparedEntry {
    /// Id in its container.
    pub node: Node,
    /// Path in its container.
    pub path: String,
    /// Kind: a class, a kind of assets, the name of a chunk.
    pub kind: String,
    /// Name as stored, where it has one.
    pub name: Option<Vec<u8>>,
    /// Plain size in bytes.
    pub size: u64,
}

/// Change of an entry.
#[derive(Clone, PartialEq, Debug)]
pub enum Change {
    /// Only the new container has it.
    Added(ComparedEntry),
    /// Only the old container has it.
    Removed(ComparedEntry),
    /// An entry with another name.
    Renamed {
        /// The entry in the old container.
        old: ComparedEntry,
        /// The entry in the new one.
        new: ComparedEntry,
        /// Changes that follow from the name.
        fields: Vec<FieldChange>,
    },
    /// An entry with another content.
    Changed {
        /// The entry in the old container.
        old: ComparedEntry,
        /// The entry in the new one.
        new: ComparedEntry,
        /// Changes of its fields; never empty.
        fields: Vec<FieldChange>,
    },
}

/// Change of a field.
#[derive(Clone, PartialEq, Debug)]
pub enum FieldChange {
    /// Another value; `None` where the field is not there.
    Value {
        /// Path in the entry.
        path: String,
        /// Description of the field.
        field: &'static Field,
        /// The old value.
        old: Option<Val<'static>>,
        /// The new value.
        new: Option<Val<'static>>,
    },
    /// Items of a list.
    List {
        /// Path of the list in the entry.
        path: String,
        /// Number of items before.
        old: u64,
        /// Number of items now.
        new: u64,
        /// Number of items with other fields.
        changed: u64,
        /// Number of new items.
        added: u64,
        /// Number of items that are gone.
        removed: u64,
        /// The first of them, in order.
        items: Vec<ListItem>,
    },
    /// A group of fields that only one of the containers has, with more of them than are kept of a list.
    Group {
        /// Path in the entry.
        path: String,
        /// Whether it is the new container that has it.
        is_new: bool,
        /// Number of its fields and lists.
        count: u64,
        /// The first of them.
        fields: Vec<FieldChange>,
    },
    /// Bytes that no field describes. What is before and behind the stretch is the same.
    Content {
        /// Size before, in bytes.
        old: u64,
        /// Size now, in bytes.
        new: u64,
        /// Offset of the first byte that differs.
        start: u64,
        /// Length of the stretch that differs, as it was.
        old_len: u64,
        /// Length of the stretch that differs, as it is.
        new_len: u64,
    },
}

/// Change of an item of a list.
#[derive(Clone, PartialEq, Debug)]
pub struct ListItem {
    /// Position in the old list, where it was there.
    pub old: Option<u64>,
    /// Position in the new list, where it is there.
    pub new: Option<u64>,
    /// Fields that differ, or all.
    pub fields: Vec<FieldChange>,
}

impl Change {
    /// Returns the memory that the change takes beside itself, and in a list of all changes that grows, in bytes.
    pub(super) fn size(&self) -> u64 {
        let (items, fields) = match self {
            Change::Added(item) | Change::Removed(item) => ([Some(item), None], &[][..]),
            Change::Renamed { old, new, fields } | Change::Changed { old, new, fields } => {
                ([Some(old), Some(new)], &fields[..])
            }
        };
        let texts = |item: &ComparedEntry| {
            let name = item.name.as_ref().map_or(0, Vec::len);
            item.path.len().saturating_add(item.kind.len()).saturating_add(name)
        };
        let items = items.into_iter().flatten().map(texts).fold(0, usize::saturating_add);
        let grown = size_of::<Change>().saturating_mul(2);
        let fields = fields.iter().map(FieldChange::size).fold(0, u64::saturating_add);
        fields.saturating_add(grown.saturating_add(items) as u64)
    }
}

impl FieldChange {
    /// The memory that it takes.
    pub(super) fn size(&self) -> u64 {
        let all = |fields: &[FieldChange]| {
            fields.iter().map(FieldChange::size).fold(0, u64::saturating_add)
        };
        let val = |val: &Option<Val<'_>>| val.as_ref().map_or(0, Val::held) as u64;
        let (path, more) = match self {
            FieldChange::Value { path, old, new, .. } => {
                (path.len(), val(old).saturating_add(val(new)))
            }
            FieldChange::List { path, items, .. } => {
                (path.len(), items.iter().map(ListItem::size).fold(0, u64::saturating_add))
            }
            FieldChange::Group { path, fields, .. } => (path.len(), all(fields)),
            FieldChange::Content { .. } => (0, 0),
        };
        more.saturating_add(path.saturating_add(size_of::<FieldChange>()) as u64)
    }
}

impl ListItem {
    /// The memory that it takes.
    pub(super) fn size(&self) -> u64 {
        let fields = self.fields.iter().map(FieldChange::size).fold(0, u64::saturating_add);
        fields.saturating_add(size_of::<ListItem>() as u64)
    }
}
