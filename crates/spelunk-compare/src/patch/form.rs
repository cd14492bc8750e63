//! The form of patches of Virtools files, and what all forms share: prints of files, versions, text, errors.

use super::{edits::Edit, entry::Sort};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;
use spelunk_core::{Cancel, Error, Result, Source};
use spelunk_open::{codes, document, files::content::hash_of, skeleton::Origin};
use std::io::{self, Write};

/// The version of this form.
pub(super) const VERSION: u32 = 1;

/// Changes that make one file another one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Patch {
    /// 1.
    pub spelunk_patch: u32,
    /// The format of both files.
    pub format: String,
    /// The file that it was made from.
    pub old: Print,
    /// The file that it makes.
    pub new: Print,
    /// Entries that change or are referred to.
    pub entries: Vec<PatchEntry>,
    /// Changes, in the order of the old file, those of new entries behind them.
    pub changes: Vec<EntryChange>,
    /// Frame that makes the new file the very one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<Frame>,
}

/// Fingerprint of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Print {
    /// Size in bytes.
    pub size: u64,
    /// XXH3 (64 bits) of all bytes.
    pub xxh3: String,
}

impl Print {
    /// Returns the fingerprint of a file, which is read from its start to its end.
    ///
    /// # Errors
    /// Reading errors; [`CANCELLED`](spelunk_core::codes::CANCELLED).
    pub fn of(source: &dyn Source, cancel: Option<&Cancel>) -> Result<Print> {
        Ok(Print { size: source.len(), xxh3: hash_of(source, cancel)? })
    }
}

/// Returns the fingerprint of the bytes of a file.
pub(super) fn print(origin: &Origin<'_>) -> Result<Print> {
    Print::of(&**origin.source, origin.options.cancel.as_ref())
}

/// An entry that a patch speaks of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatchEntry {
    /// Number in the patch; with `@` before it what stands for references to it.
    pub key: u32,
    /// The class of an object, `manager`, or `included file`.
    pub kind: String,
    /// Place in the old file, if it is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<EntryLocator>,
    /// Place in the new one, if it is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<EntryLocator>,
}

/// An entry of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntryLocator {
    /// Position among those of its sort: objects, managers, included files.
    pub index: u32,
    /// Name as shown; the GUID of a manager.
    pub name: String,
    /// Number among those with this kind and name, from 0 on.
    pub nth: u32,
    /// Number of those with this kind and name.
    pub of: u32,
}

/// Change of an entry: it comes, goes, or is changed in places.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntryChange {
    /// The key of the entry.
    pub entry: u32,
    /// All that it was, where it goes or is replaced as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<Value>,
    /// All that it is, where it comes or is replaced as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<Value>,
    /// Edits, to be made in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<Edit>,
}

impl EntryChange {
    /// The memory that it takes.
    pub(crate) fn held(&self) -> u64 {
        let values = [&self.old, &self.new].into_iter().flatten().map(spelunk_open::json::held);
        let edits = self.edits.iter().map(Edit::held);
        values.chain(edits).fold(3 * size_of::<EntryChange>() as u64, u64::saturating_add)
    }
}

/// Frame of the objects and managers of both files, and their order.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frame {
    /// The objects of the new file.
    pub objects: Vec<Run>,
    /// The managers of the new file.
    pub managers: Vec<Run>,
    /// The old file without what its objects and managers saved.
    pub old: Skeleton,
    /// The new one.
    pub new: Skeleton,
}

/// Entries that follow each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Run {
    /// Entries of the old file: position of the first, and how many.
    Kept([u32; 2]),
    /// The key of one that is new.
    New(u32),
}

/// A file without what its objects and managers saved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Skeleton {
    /// The level that it is to be packed at, if it is none of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
    /// Bytes in hexadecimal.
    pub bytes: String,
}

/// Something else is there than what is to be changed.
pub(super) fn conflict(expected: &str, found: &str) -> Error {
    Error::new(&codes::CONFLICT).expected(expected.to_owned()).found(found.to_owned())
}

pub(super) fn bad(found: impl Into<String>) -> Error {
    Error::new(&codes::BAD_PATCH).found(found.into())
}

/// A patch of one of the forms, of a version that is known.
pub(super) fn parsed<P: DeserializeOwned>(text: &[u8], version: impl Fn(&P) -> u32) -> Result<P> {
    let patch = serde_json::from_slice(text);
    let patch: P = patch.map_err(|error| bad(format!("text with an error: {error}")))?;
    match version(&patch) {
        VERSION => Ok(patch),
        other => Err(bad(format!("version {other}")).expected("version 1")),
    }
}

/// Writes the text of a patch, a value a line.
pub(super) fn write(patch: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    document::text::write(&serde_json::to_value(patch)?, 0, out)?;
    out.write_all(b"\n")
}

impl Patch {
    /// The entry with a key, where entries stand in the order of their keys.
    pub(crate) fn entry(&self, key: u32) -> Option<&PatchEntry> {
        let found = self.entries.binary_search_by_key(&key, |entry| entry.key);
        self.entries.get(found.ok()?)
    }

    /// Reads a patch from its text.
    ///
    /// # Errors
    /// [`BAD_PATCH`](codes::BAD_PATCH).
    pub fn parse(text: &[u8]) -> Result<Patch> {
        parsed(text, |patch: &Patch| patch.spelunk_patch)
    }

    /// Writes the text of the patch, in which lines can be read and compared.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write(self, out)
    }

    /// The patch that takes this one back.
    #[must_use]
    pub fn reversed(self) -> Patch {
        let entry = |entry: PatchEntry| PatchEntry { old: entry.new, new: entry.old, ..entry };
        let change = |change: EntryChange| EntryChange {
            entry: change.entry,
            old: change.new,
            new: change.old,
            edits: change.edits.into_iter().rev().map(Edit::reversed).collect(),
        };
        let frame = self.frame.map(|frame| frame.reversed(&self.entries));
        Patch {
            old: self.new,
            new: self.old,
            entries: self.entries.into_iter().map(entry).collect(),
            changes: self.changes.into_iter().map(change).collect(),
            frame,
            ..self
        }
    }
}

impl Frame {
    fn reversed(self, entries: &[PatchEntry]) -> Frame {
        let order = |runs: &[Run], sort: Sort| reversed_order(runs, sort, entries);
        Frame {
            objects: order(&self.objects, Sort::Object),
            managers: order(&self.managers, Sort::Manager),
            old: self.new,
            new: self.old,
        }
    }
}

/// The order of the old entries, from that of the new ones.
fn reversed_order(order: &[Run], sort: Sort, entries: &[PatchEntry]) -> Vec<Run> {
    let mut of_old = std::collections::BTreeMap::new();
    for (source, index) in sources(order).into_iter().zip(0_u32..) {
        if let EntryOrigin::Kept(old) = source {
            of_old.insert(old, EntryOrigin::Kept(index));
        }
    }
    let gone = entries.iter().filter(|entry| Sort::of(&entry.kind) == sort && entry.new.is_none());
    of_old.extend(
        gone.filter_map(|entry| Some((entry.old.as_ref()?.index, EntryOrigin::New(entry.key)))),
    );
    runs(of_old.into_values())
}

/// Source of an entry of the new file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EntryOrigin {
    /// From this position in the old one.
    Kept(u32),
    /// A new entry, with this key.
    New(u32),
}

/// Entry by entry.
pub(super) fn sources(runs: &[Run]) -> Vec<EntryOrigin> {
    let each = |run: &Run| match *run {
        Run::Kept([first, count]) => {
            (first..first.saturating_add(count)).map(EntryOrigin::Kept).collect()
        }
        Run::New(key) => vec![EntryOrigin::New(key)],
    };
    runs.iter().flat_map(each).collect()
}

/// Entries that follow each other together.
pub(super) fn runs(sources: impl Iterator<Item = EntryOrigin>) -> Vec<Run> {
    let mut runs = Vec::new();
    for source in sources {
        match (source, runs.last_mut()) {
            (EntryOrigin::Kept(index), Some(Run::Kept([first, count])))
                if first.checked_add(*count) == Some(index) =>
            {
                *count = count.saturating_add(1);
            }
            (EntryOrigin::Kept(index), _) => runs.push(Run::Kept([index, 1])),
            (EntryOrigin::New(key), _) => runs.push(Run::New(key)),
        }
    }
    runs
}
