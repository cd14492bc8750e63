//! Containers built again from the folder that [`extract`](crate::containers::extract) wrote.
//!
//! Beside the files and the manifest lies a skeleton: the same container with the extracted entries emptied,
//! which holds all that no file holds. Packing puts every file back into it. Whether that gives the container
//! byte for byte is tried while extracting; where it does not (streams of other packers, words that disagree
//! with the content), the skeleton is the unchanged container, and only changed files go in. Whoever wants the files alone
//! extracts without a skeleton, and nothing is tried; packs are built of the manifest then, other containers are refused.

pub mod archives;
pub mod build;
pub mod chunks;
mod content;
mod folder;
mod manifest;
pub mod rules;
mod target;

pub use crate::open::skeleton::{Origin, SKELETON};
use crate::open::skeleton::{differing, fill, roomy, write_options};
use crate::{
    Error, Node, Opened, Options, Refused, Result, Seg, WriteOptions,
    containers::extract::MANIFEST,
    open::codes,
    open::files::{
        Disk, FileName, Files,
        content::{io_error, size},
    },
};
use archives::ArchiveFiles;
use build::{Assets, Build};
use content::read;
use folder::{places, read_skeleton, unknown};
use manifest::{Extracted, Manifest, bad};
use rules::Rules;
use snpak::profile::PROFILE;
use spellforce::pak::ArchiveForm;
use std::{collections::BTreeSet, io, path::Path, sync::Arc};
pub use target::{ContainerKind, Dialect, PackTarget};

/// A container that was put together from files and can be written.
#[derive(Debug)]
pub enum PackedContainer {
    /// The container that a folder was extracted from.
    Filled(Box<Filled>),
    /// A new pack.
    New(Assets),
    /// A SpellForce archive, extracted before or new.
    Archive(Box<ArchiveFiles>),
}

/// A container that was extracted, with every file in its place.
#[derive(Debug)]
pub struct Filled {
    /// The container.
    pub opened: Opened,
    /// Options for writing it.
    pub options: WriteOptions,
    /// Paths of the entries whose files are not what was extracted, in the order of the manifest.
    pub changed: Vec<String>,
    /// Files in the folder that the manifest does not name, sorted; they are not in the container.
    pub unknown: Vec<String>,
}

/// Puts together what `path` holds: a folder that was extracted, a manifest of a pack, or a folder of files, which
/// become the assets of a new pack. Where there are rules a pack is made anew, whatever it was extracted from.
///
/// # Errors
/// Those of [`Build::of_folder`] and [`Build::of_manifest`]; [`codes::BAD_MANIFEST`], [`codes::BAD_SKELETON`],
/// [`codes::MISSING_FILES`], [`codes::NO_SKELETON`], [`codes::SKELETON_LEFT_OUT`]; reading errors; what the container says
/// of content that it cannot hold.
pub fn pack(path: &Path, rules: Option<&Rules>, options: &Options) -> Result<PackedContainer> {
    let files: Arc<dyn Files> = Arc::new(Disk);
    pack_as(&files, &FileName::from(path), rules, PackTarget::default(), options)
}

/// The same of any files, where a folder that was not extracted may become something else than a pack, and links to files in
/// it may count as files.
///
/// # Errors
/// Those of [`pack`]; those of [`archives::of_folder`]; [`codes::NOT_FOR_FORMAT`] for a format without the dialect.
pub fn pack_as(
    files: &Arc<dyn Files>,
    name: &FileName,
    rules: Option<&Rules>,
    target: PackTarget,
    options: &Options,
) -> Result<PackedContainer> {
    let usual = Rules::default();
    let is_folder = files.is_folder(name);
    let PackTarget { kind, follow_links, .. } = target;
    let wanted = target.archive_form();
    if kind == ContainerKind::Archive && is_folder && !archives::has_manifest(&**files, name) {
        let form = wanted.unwrap_or_default();
        return archives::of_folder(files, name, follow_links, form, options)
            .map(|files| PackedContainer::Archive(Box::new(files)));
    }
    let build = Build { files, rules: rules.unwrap_or(&usual), options };
    if !is_folder {
        target.refuse(PROFILE.name)?;
        return build.of_manifest(name).map(PackedContainer::New);
    }
    let manifest_at = match files.locate(name, MANIFEST) {
        Ok(manifest) => manifest,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            target.refuse(PROFILE.name)?;
            return build.of_folder(name, follow_links).map(PackedContainer::New);
        }
        Err(error) => return Err(io_error(&name.as_path().join(MANIFEST), error)),
    };
    let head = manifest::head(&**files, &manifest_at, options)?;
    let form = head.archive_form();
    if form.is_none() && !target.dialect.is_some_and(|dialect| head.is_of(dialect)) {
        target.refuse(head.format.as_deref().unwrap_or("an unknown format"))?;
    }
    match (head.is_pack(), rules) {
        (true, None) if head.has_skeleton() => {}
        (true, _) => return build.of_manifest(&manifest_at).map(PackedContainer::New),
        (false, Some(_)) => {
            let format = head.format.unwrap_or_default();
            return Err(Error::new(&codes::ONLY_PACKS).found(format));
        }
        (false, None) => {}
    }
    let manifest = manifest::extracted(&**files, &manifest_at, options)?;
    if let Some(form) = form {
        let wanted = wanted.unwrap_or(form);
        // Those of the dialect `spec` are emptied and filled as other files are.
        if [form, wanted] != [ArchiveForm::Spec; 2] || !head.has_skeleton() {
            let files = archives::of_manifest(files, name, manifest, wanted, options)?;
            return Ok(PackedContainer::Archive(Box::new(files)));
        }
    }
    refill(&**files, name, manifest, options)
        .map(|filled| PackedContainer::Filled(Box::new(filled)))
}

/// Puts the container together that the folder `dir` was extracted from, with the files as they are now.
/// Nothing in the manifest is trusted: its paths may name plain files below `dir` alone, and what is read is
/// taken from the limits.
///
/// # Errors
/// [`codes::BAD_MANIFEST`], [`codes::BAD_SKELETON`], [`codes::MISSING_FILES`], [`codes::NO_SKELETON`],
/// [`codes::SKELETON_LEFT_OUT`]; reading errors; what the container says of content that it cannot hold.
fn refill(
    files: &dyn Files,
    dir: &FileName,
    Manifest { head, entries: items }: Manifest<Extracted>,
    options: &Options,
) -> Result<Filled> {
    let format = head.format.ok_or_else(|| bad("no text `format`"))?;
    let skeleton = match head.skeleton {
        manifest::Skeleton::File(skeleton) => skeleton,
        manifest::Skeleton::None => {
            return Err(Error::new(&codes::NO_SKELETON).found(format.escape_debug().to_string()));
        }
        manifest::Skeleton::Wanted(false) => {
            let format = format.escape_debug().to_string();
            return Err(Error::new(&codes::SKELETON_LEFT_OUT).expected(SKELETON).found(format));
        }
        _ => return Err(bad("a skeleton without `file`, `size` and `xxh3`")),
    };
    let level = head.level.map(|level| u8::try_from(level).unwrap_or(u8::MAX));
    if level.is_some_and(|level| level > 9) {
        return Err(bad("a level above 9"));
    }
    let wanted: Vec<&str> = items.iter().map(|item| item.file.as_str()).collect();
    let places = places(files, dir, &wanted, options)?;
    let mut total = 0_u64;
    for place in &places {
        options.check_cancelled()?;
        total = total.saturating_add(size(files, place)?);
    }
    let skeleton = read_skeleton(files, dir, &skeleton, options)?;
    let options = roomy(options, total.saturating_add(skeleton.len() as u64));
    let mut opened = Opened::open(Arc::new(skeleton), &options)?;
    if format != opened.container().format() {
        let expected = opened.container().format();
        return Err(bad("another format than that of the skeleton").expected(expected));
    }
    let (mut changed, mut filled, mut contents) = (Vec::new(), Vec::new(), Vec::new());
    let mut taken = 0_u64;
    let refused = |error: Error, item: Option<&Extracted>| {
        let foreign = error.code().id == codes::core::NOT_FOUND.id;
        let error = if foreign { bad("a `node` that the skeleton lacks") } else { error };
        match item {
            Some(item) => error.within(Seg::Key(item.file.clone().into())),
            None => error,
        }
    };
    for (item, place) in items.iter().zip(&places) {
        let bytes = opened.run_silent(|_, task| read(files, place, &mut task.budget))?;
        let size = bytes.len() as u64;
        if !item.is_as_extracted(&bytes)? {
            changed.push(item.path.clone());
        }
        let node =
            item.node.ok_or_else(|| bad(format!("no `node` of {}", item.file.escape_debug())))?;
        let content = differing(&mut opened, Node(node), bytes);
        match content.map_err(|error| refused(error, Some(item)))? {
            Some(content) => {
                filled.push(item);
                contents.push(content);
                taken = taken.saturating_add(size);
            }
            None => opened.release(size),
        }
    }
    fill(&mut opened, &contents).map_err(|Refused { change, error }| {
        refused(error, change.and_then(|nth| filled.get(nth)).copied())
    })?;
    // Filling took what is kept for itself.
    opened.release(taken);
    let emptied: Vec<bool> = items.iter().map(|item| item.emptied == Some(true)).collect();
    let known: BTreeSet<&str> = items.iter().map(|item| item.file.as_str()).collect();
    let unknown = unknown(files, dir, &known, &options)?;
    Ok(Filled { opened, options: write_options(level, &emptied), changed, unknown })
}
