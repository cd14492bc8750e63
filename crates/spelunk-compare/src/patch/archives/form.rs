//! The form of patches of archives, and the files that they are about.

use crate::patch::{
    delta::{DeltaPatch, Reversible},
    form::bad,
};
use serde::{Deserialize, Serialize};
use spellforce::{
    pak::{Archive, ArchiveForm, MemberPath, lower},
    profile,
};
use spelunk_core::{Bytes, Result, Task, text::CodePages};
use spelunk_open::files::content::hash;
use std::collections::BTreeMap;

/// The format of archives.
const ARCHIVE: &str = profile::PAK.name;

/// The format of their cache.
pub(super) const CACHE: &str = profile::PAKDATA.name;

/// Memory of the content of a file where it is known by its hash, in bytes.
pub(super) const ROOM: u64 = 128;

/// Whether this is a format of such files.
pub(in crate::patch) fn is_ours(format: &str) -> bool {
    [ARCHIVE, CACHE].contains(&format)
}

/// Patch of an archive, or cache. Changes go by path; those of a cache have none.
pub type ArchivePatch = DeltaPatch<FileChange>;

/// Change of a file: it comes, goes, or gets other content.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileChange {
    /// Path with `/` between its steps; in small letters, but for one of an archive of the dialect `spec`.
    pub path: String,
    /// Content before, if there was some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<ContentDescriptor>,
    /// Content to be there, if there is some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<ContentDescriptor>,
}

/// The content of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContentDescriptor {
    /// Size in bytes.
    pub size: u64,
    /// XXH3 (64 bits) of all bytes.
    pub xxh3: String,
    /// The number of the block that holds it, where the other archive does not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<u32>,
}

impl ContentDescriptor {
    /// Content that is in no block.
    pub(super) fn of(bytes: &[u8]) -> ContentDescriptor {
        ContentDescriptor { size: bytes.len() as u64, xxh3: hash(bytes), block: None }
    }

    /// Whether both are the same content, wherever it is stored.
    pub(super) fn is(&self, other: &ContentDescriptor) -> bool {
        self.size == other.size && self.xxh3 == other.xxh3
    }
}

impl std::fmt::Display for ContentDescriptor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes, XXH3 {}", self.size, self.xxh3.escape_debug())
    }
}

/// Whether both are the same content, or none.
pub(super) fn is_same(a: Option<&ContentDescriptor>, b: Option<&ContentDescriptor>) -> bool {
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
    pub(super) fn len(&self) -> u64 {
        if self.format == CACHE { 1 } else { self.changes.len() as u64 }
    }
}

/// The files of an archive by their paths.
pub(super) struct FilesByPath<'a> {
    pub(super) archive: &'a Archive,
    /// The positions of entries; of several with one path the first.
    pub(super) paths: BTreeMap<Vec<u8>, u32>,
}

impl<'a> FilesByPath<'a> {
    pub(super) fn of(archive: &'a Archive, task: &mut Task<'_>) -> Result<FilesByPath<'a>> {
        Ok(FilesByPath { archive, paths: crate::merge::archive_paths(archive, task)? })
    }

    /// Whether the data of an entry can be read.
    pub(super) fn is_readable(&self, n: u32) -> bool {
        self.archive.range(n).is_some()
    }

    /// Hands the content of every file that has a path to `each`.
    pub(super) fn contents(
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

/// The path of a change in an archive of this form: its bytes, and those by which files are found, in small letters with
/// backslashes.
pub(super) fn stored_path(text: &str, form: ArchiveForm) -> Result<[Vec<u8>; 2]> {
    if form == ArchiveForm::Real {
        let path = MemberPath::from_text(text).map_err(|error| bad(format!("a path: {error}")))?;
        let path: Vec<u8> = path.reversed().iter().rev().copied().collect();
        return Ok([path.clone(), path]);
    }
    let path = CodePages::cp1252().encode(text).filter(|path| {
        let mut steps = path.split(|byte| matches!(byte, b'/' | b'\\'));
        !steps.any(|step| matches!(step, b"" | b"." | b"..") || step.contains(&0))
    });
    let path = path.ok_or_else(|| bad(format!("the path `{}`", text.escape_debug())))?;
    let key = path.iter().map(|byte| if *byte == b'/' { b'\\' } else { lower(*byte) }).collect();
    Ok([path, key])
}

/// The path of an entry as changes have it; `None` for one that no archive should have.
pub(super) fn path_text(archive: &Archive, n: u32) -> Option<String> {
    let form = archive.form();
    let path: Vec<u8> = match form {
        ArchiveForm::Real => archive.path_bytes(n)?.map(lower).collect(),
        ArchiveForm::Spec => archive.path_bytes(n)?.collect(),
    };
    let text = CodePages::cp1252().decode(&path)?.replace('\\', "/");
    let [_, key] = stored_path(&text, form).ok()?;
    key.iter().copied().eq(path.iter().map(|byte| lower(*byte))).then_some(text)
}
