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
use spellforce::pak::{Archive, ArchiveDraft, ArchiveForm, Draft, Members, encoded};
use spelunk_core::Collect;
use std::{collections::BTreeSet, io, sync::Arc};

/// An archive that is to be written.
#[derive(Debug)]
pub struct ArchiveFiles {
    /// Draft of the archive, with its files in order.
    pub draft: ArchiveDraft,
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
    /// Those of [`ArchiveDraft::write`]; findings go to `findings`.
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
/// Those of [`MemberPath::from_text`](spellforce::pak::MemberPath::from_text), with the file; reading errors.
pub fn of_folder(
    files: &Arc<dyn Files>,
    dir: &FileName,
    follow_links: bool,
    form: ArchiveForm,
    options: &Options,
) -> Result<ArchiveFiles> {
    let Collected { files: found, links, .. } = Collected::of(&**files, dir, follow_links)?;
    let changed = Changed::default();
    let mut sink = Collect::default();
    // What is packed is the caller's own.
    let mut task = Task::new(options.cancellable(crate::Limits::unlimited()), &mut sink);
    let mut draft = ArchiveDraft::new(form);
    for (path, name) in found {
        add(&mut draft, &path, FileContent::of(files, name)?, &mut task)?;
    }
    Ok(ArchiveFiles { draft, unknown: Vec::new(), links, changed })
}

fn add(
    draft: &mut ArchiveDraft,
    name: &str,
    content: FileContent,
    task: &mut Task<'_>,
) -> Result<()> {
    let backslash = |byte: u8| if byte == b'/' { b'\\' } else { byte };
    let added = encoded(name).and_then(|path| {
        let path: Vec<u8> = path.into_iter().map(backslash).collect();
        draft.add(&path, Arc::new(content), false, task)
    });
    added.map_err(|error| error.within(crate::Seg::Key(name.to_owned().into())))
}

/// The archive that a folder was extracted from, with the files as they are now; without a skeleton a new one of the files
/// that the manifest names. Where another form is wanted than the archive had, that is a new one too.
///
/// # Errors
/// As [`super::pack()`].
pub(super) fn of_manifest(
    on: &Arc<dyn Files>,
    dir: &FileName,
    Manifest { head, entries: rows }: Manifest<Extracted>,
    form: ArchiveForm,
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
        manifest::Skeleton::File(skeleton)
            if form == ArchiveForm::Real && head.archive_form() == Some(form) =>
        {
            Some(read_skeleton(&**on, dir, skeleton, options)?)
        }
        _ => None,
    };
    let all = rows.iter().zip(&places);
    let mut sink = Collect::default();
    let Some(skeleton) = skeleton else {
        let mut all: Vec<_> = all.collect();
        if head.archive_form() == Some(ArchiveForm::Real) {
            // In the order in which the data lay.
            all.sort_by_key(|(row, _)| row.offset.get().copied());
        }
        let mut task = Task::new(options.cancellable(crate::Limits::unlimited()), &mut sink);
        let mut draft = ArchiveDraft::new(form);
        for (row, place) in all {
            let (path, content) = (stored_path(row)?, Arc::new(watched(place, row)?));
            let is_packed = row.compression.get() == Some(&1);
            draft.add(&path, content, is_packed, &mut task)?;
        }
        return Ok(ArchiveFiles { draft, unknown, links: Vec::new(), changed });
    };
    let mut task = Task::new(options.budget(skeleton.len() as u64), &mut sink);
    let is_whole = rows.iter().any(|row| row.emptied == Some(false));
    let archive = Archive::read(Arc::new(skeleton), &mut task)?;
    let mut draft = Draft::of(&archive, &mut task)?;
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
    let draft = ArchiveDraft::Real(Box::new(draft));
    Ok(ArchiveFiles { draft, unknown, links: Vec::new(), changed })
}

/// The path that a file was stored with, or that it has in listings.
fn stored_path(row: &Extracted) -> Result<Vec<u8>> {
    let wrong = || bad(format!("the stored path of {}", row.file.escape_debug()));
    match (row.stored_path_bytes.get(), row.stored_path.get()) {
        (Some(digits), _) => {
            let pairs = (0..digits.len()).step_by(2).map(|at| digits.get(at..at.saturating_add(2)));
            let bytes = pairs.map(|pair| u8::from_str_radix(pair?, 16).ok());
            bytes.collect::<Option<_>>().ok_or_else(wrong)
        }
        (None, Some(path)) => encoded(path),
        (None, None) => unescaped(&row.path),
    }
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
