//! SpellForce archives from folders: of the files that are there, or of a manifest.
//!
//! The skeleton of an archive is its head: header, entries and names as they are stored, which fix the order of everything.
//! Files are read when they are written, one after another, so that no archive is held in memory.

use super::{
    build::Collected,
    content::read,
    folder::{places, read_skeleton, unknown},
    manifest::{self, Extracted, Manifest, bad},
};
use crate::{
    Node, Options, Result, Task,
    containers::extract::MANIFEST,
    open::files::{
        FileName, Files,
        content::{Changed, FileContent, Watch},
    },
};
use spellforce::pak::{Archive, Draft, MemberPath, Members};
use spelunk_core::Collect;
use std::{collections::BTreeSet, io, sync::Arc};

/// An archive that is to be written.
#[derive(Debug)]
pub struct ArchiveFiles {
    /// Draft of the archive, with its files in order.
    pub draft: Draft,
    /// Files in the folder that are left out, sorted.
    pub unknown: Vec<String>,
    /// Links in the folder that were not followed.
    pub links: Vec<String>,
    /// Files that are not what was extracted; complete when the archive is written.
    pub changed: Changed,
}

impl ArchiveFiles {
    /// Writes the archive; gives its size.
    ///
    /// # Errors
    /// Those of [`Draft::write`]; findings go to `findings`.
    pub fn write(
        &self,
        out: &mut dyn io::Write,
        options: &Options,
        findings: &mut Collect,
    ) -> Result<u64> {
        // What is packed is the caller's own.
        let mut task = Task::new(options.cancellable(crate::Limits::unlimited()), findings);
        self.draft.write(out, &mut task)
    }
}

/// An archive of all files in a folder and in the folders in it, in the order of their names.
///
/// # Errors
/// Those of [`MemberPath::from_text`], with the file; reading errors.
pub fn of_folder(
    files: &Arc<dyn Files>,
    dir: &FileName,
    follow_links: bool,
) -> Result<ArchiveFiles> {
    let Collected { files: found, links, .. } = Collected::of(&**files, dir, follow_links)?;
    let changed = Changed::default();
    let mut draft = Draft::default();
    for (path, name) in found {
        add(&mut draft, &path, FileContent::of(files, name)?)?;
    }
    Ok(ArchiveFiles { draft, unknown: Vec::new(), links, changed })
}

fn add(draft: &mut Draft, name: &str, content: FileContent) -> Result<()> {
    let path = MemberPath::from_text(name)
        .map_err(|error| error.within(crate::Seg::Key(name.to_owned().into())))?;
    draft.add(path, Arc::new(content));
    Ok(())
}

/// The archive that a folder was extracted from, with the files as they are now; without a skeleton a new one of the files
/// that the manifest names.
///
/// # Errors
/// As [`super::pack()`].
pub(super) fn of_manifest(
    on: &Arc<dyn Files>,
    dir: &FileName,
    Manifest { head, entries: rows }: Manifest<Extracted>,
    options: &Options,
) -> Result<ArchiveFiles> {
    let files: Vec<&str> = rows.iter().map(|row| row.file.as_str()).collect();
    let places = places(&**on, dir, &files, options)?;
    let known = files.iter().copied().collect::<BTreeSet<&str>>();
    let unknown = unknown(&**on, dir, &known, options)?;
    let changed = Changed::default();
    let watched = |place: &FileName, row: &Extracted| -> Result<FileContent> {
        options.check_cancelled()?;
        let mut content = FileContent::of(on, place.clone())?;
        if let Some(known) = row.xxh3.clone() {
            content.watch = Some(Watch { file: row.file.clone(), known, changed: changed.clone() });
        }
        Ok(content)
    };
    let skeleton = match &head.skeleton {
        manifest::Skeleton::File(skeleton) => Some(read_skeleton(&**on, dir, skeleton, options)?),
        _ => None,
    };
    let all = rows.iter().zip(&places);
    let mut draft = Draft::default();
    let Some(skeleton) = skeleton else {
        // In the order in which the data lay.
        let mut all: Vec<_> = all.collect();
        all.sort_by_key(|(row, _)| row.offset.get().copied());
        for (row, place) in all {
            let path = MemberPath::from_bytes(&unescaped(&row.path)?)?;
            draft.add(path, Arc::new(watched(place, row)?));
        }
        return Ok(ArchiveFiles { draft, unknown, links: Vec::new(), changed });
    };
    let mut sink = Collect::default();
    let mut task = Task::new(options.budget(skeleton.len() as u64), &mut sink);
    let is_whole = rows.iter().any(|row| row.emptied == Some(false));
    let archive = Archive::read(Arc::new(skeleton), &mut task)?;
    draft = Draft::of(&archive, &mut task)?;
    for (row, place) in all {
        let node = row.node.map(Node);
        let foreign = || bad("a `node` that the skeleton lacks");
        let n = node.and_then(Members::position).ok_or_else(foreign)?;
        let content = watched(place, row)?;
        if is_whole {
            // Only what was changed goes in, so that everything else stays as it is.
            let bytes = read(&**on, place, &mut task.budget)?;
            if archive.bytes(n, &mut task).is_ok_and(|old| old == bytes) {
                continue;
            }
            task.budget.release(bytes.len() as u64);
            changed.add(&row.file);
        }
        draft.set(n, Arc::new(content)).map_err(|_| foreign())?;
    }
    if is_whole {
        draft = draft.settled(&mut task)?;
    }
    Ok(ArchiveFiles { draft, unknown, links: Vec::new(), changed })
}

/// A path as it is stored: characters in cp1252, `%XX` as that byte.
fn unescaped(path: &str) -> Result<Vec<u8>> {
    let pages = crate::core::text::CodePages::cp1252();
    let wrong = || bad(format!("the path `{}`", path.escape_debug()));
    let mut bytes = Vec::new();
    for (nth, part) in path.split('%').enumerate() {
        let (digits, rest) =
            part.split_at_checked(if nth == 0 { 0 } else { 2 }).ok_or_else(wrong)?;
        if !digits.is_empty() {
            bytes.push(u8::from_str_radix(digits, 16).map_err(|_| wrong())?);
        }
        bytes.extend(pages.encode(rest).ok_or_else(wrong)?);
    }
    Ok(bytes)
}

/// Whether the folder has a manifest.
pub(super) fn has_manifest(files: &dyn Files, dir: &FileName) -> bool {
    files.len(&dir.as_path().join(MANIFEST).into()).is_some()
}
