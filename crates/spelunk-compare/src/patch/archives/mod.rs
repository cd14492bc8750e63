//! Patches of SpellForce archives, and of the cache of them.
//!
//! ```json
//! {
//!   "spelunk_patch": 1,
//!   "format": "spellforce-pak",
//!   "old": {"size": 4096, "xxh3": "0x..."},
//!   "new": {"size": 4096, "xxh3": "0x..."},
//!   "changes": [
//!     {"path": "mesh/tower.msb", "old": {"size": 7, "xxh3": "0x...", "block": 2}, "new": {"size": 9, "xxh3": "0x...", "block": 1}},
//!     {"path": "sound/bell.wav", "old": {"size": 4, "xxh3": "0x..."}},
//!     {"path": "sound/gong.wav", "new": {"size": 4, "xxh3": "0x..."}}
//!   ],
//!   "to_new": [0, [76, 400], 1, [483, 3613]],
//!   "to_old": [3, [76, 400], 2, [485, 3611]],
//!   "blocks": ["...", "...", "...", "..."]
//! }
//! ```
//!
//! Made to the very file that it was made from, a patch gives the other one byte for byte: `to_new` lists its bytes as
//! stretches of the old file, `[OFFSET, LENGTH]`, and as numbers of `blocks`, which are base64. `to_old` is the way back.
//! Content that both archives have is in neither.
//!
//! Made to another archive, the changes are made file by file: what was there and what is to be there stand side by side,
//! by size and XXH3 (64 bits) of the content. Content has the number of its `block`, where the other archive does not have it
//! under any path; else it has to be in the archive that the patch is made to, under whatever path. Files whose path or data
//! cannot be read, and those that another one of the same path hides, are in the runs alone.
//!
//! A `pakdata.dat` has no `changes`: it says where the files of certain archives lie, so a patch of it is for this file only.

mod apply;
mod make;

pub use super::delta::Run;
use super::{
    bad,
    delta::{DeltaPatch, Reversible},
};
pub use apply::apply;
pub use make::between;
use serde::{Deserialize, Serialize};
use spellforce::{
    pak::{Archive, MemberPath},
    profile,
};
use spelunk_core::{Bytes, Result, Task, text::CodePages};
use spelunk_open::files::content::hash;
use std::collections::BTreeMap;

/// The format of archives.
const ARCHIVE: &str = profile::PAK.name;

/// The format of their cache.
const CACHE: &str = profile::PAKDATA.name;

/// Memory of the content of a file where it is known by its hash, in bytes.
const ROOM: u64 = 128;

/// Whether this is a format of such files.
pub(super) fn is_ours(format: &str) -> bool {
    [ARCHIVE, CACHE].contains(&format)
}

/// Patch of an archive, or cache. Changes go by path; those of a cache have none.
pub type ArchivePatch = DeltaPatch<FileChange>;

/// Change of a file: it comes, goes, or gets other content.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileChange {
    /// Path in small letters, with `/` between its steps.
    pub path: String,
    /// Content before, if there was some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<Stored>,
    /// Content to be there, if there is some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<Stored>,
}

/// The content of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stored {
    /// Size in bytes.
    pub size: u64,
    /// XXH3 (64 bits) of all bytes.
    pub xxh3: String,
    /// The number of the block that holds it, where the other archive does not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<u32>,
}

impl Stored {
    /// Content that is in no block.
    fn of(bytes: &[u8]) -> Stored {
        Stored { size: bytes.len() as u64, xxh3: hash(bytes), block: None }
    }

    /// Whether both are the same content, wherever it is stored.
    fn is(&self, other: &Stored) -> bool {
        self.size == other.size && self.xxh3 == other.xxh3
    }
}

impl std::fmt::Display for Stored {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes, XXH3 {}", self.size, self.xxh3.escape_debug())
    }
}

/// Whether both are the same content, or none.
fn is_same(a: Option<&Stored>, b: Option<&Stored>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.is(b),
        (a, b) => a.is_none() && b.is_none(),
    }
}

impl Reversible for FileChange {
    fn reversed(self) -> FileChange {
        FileChange { old: self.new, new: self.old, ..self }
    }
}

impl ArchivePatch {
    /// Returns the number of changes; that of a cache is one.
    fn len(&self) -> u64 {
        if self.format == CACHE { 1 } else { self.changes.len() as u64 }
    }
}

/// The files of an archive by their paths.
struct Files<'a> {
    archive: &'a Archive,
    /// The positions of entries; of several with one path the first.
    paths: BTreeMap<Vec<u8>, u32>,
}

impl<'a> Files<'a> {
    fn of(archive: &'a Archive, task: &mut Task<'_>) -> Result<Files<'a>> {
        Ok(Files { archive, paths: crate::merge::archive_paths(archive, task)? })
    }

    /// Whether the data of an entry can be read.
    fn is_readable(&self, n: u32) -> bool {
        self.archive.entry(n).is_some_and(|entry| self.archive.data_at(entry).is_some())
    }

    /// Hands the content of every file that has a path to `each`.
    fn contents(
        &self,
        task: &mut Task<'_>,
        mut each: impl FnMut(u32, Bytes, &mut Task<'_>) -> Result<()>,
    ) -> Result<()> {
        for n in self.paths.values().copied().filter(|n| self.is_readable(*n)) {
            task.transient(|task| {
                let bytes = self.archive.bytes(n, task)?;
                task.budget.touch(bytes.len() as u64)?;
                each(n, bytes, task)
            })?;
        }
        Ok(())
    }
}

/// The path of a change as an archive stores it.
fn stored_path(text: &str) -> Result<MemberPath> {
    MemberPath::from_text(text).map_err(|error| bad(format!("a path: {error}")))
}

/// The path of an entry as changes have it; `None` for one that no archive should have.
fn path_text(path: &[u8]) -> Option<String> {
    let text = CodePages::cp1252().decode(path)?.replace('\\', "/");
    let again = MemberPath::from_text(&text).ok()?;
    again.reversed().iter().rev().eq(path).then_some(text)
}
