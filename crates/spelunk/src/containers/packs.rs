//! Packs that grow, shrink, are mended and go back: what only SnPAK knows.

use crate::{
    Collect, Error, Opened, Result, Source, Span, Task,
    containers::pack::build::Assets,
    open::{codes, model},
};
use snpak::{
    edit::{self, Draft, append::Growing},
    profile::PROFILE,
};
use std::{
    collections::HashMap,
    io::{Seek, Write},
    path::Path,
    sync::Arc,
};

pub use snpak::{
    build::{Dropped, Options, Target},
    edit::{
        append::{Appended, InPlace, LockedFile, Medium},
        fresh::WrittenPack,
    },
};

/// Writes assets as a new pack.
///
/// # Errors
/// Two assets with one id; what a pack cannot hold; reading and writing errors.
pub fn build(
    assets: Assets,
    out: &mut (impl Write + Seek),
    building: Options,
    options: &crate::Options,
    findings: &mut Collect,
) -> Result<WrittenPack> {
    // What is packed is the caller's own.
    let mut task = Task::new(options.cancellable(crate::Limits::unlimited()), findings);
    (task.threads, task.is_lenient) = (options.threads, options.lenient);
    let mut draft = Draft::default();
    for asset in assets.assets {
        draft.add(asset)?;
    }
    draft.write(out, building, &mut task)
}

/// Appends assets to the pack at `path`, in place, as [`append_to`] does.
///
/// # Errors
/// Those of [`LockedFile::open`] and [`append_to`].
pub fn append(
    path: &Path,
    assets: Assets,
    building: Options,
    options: &crate::Options,
    findings: &mut Collect,
) -> Result<Appended> {
    append_to(Box::new(LockedFile::open(path, false)?), assets, building, options, findings)
}

/// Appends assets to the pack in a file; those with ids that are there replace them, and of several with one id the last one
/// counts.
///
/// # Errors
/// [`ONLY_PACKS`](codes::ONLY_PACKS); those of [`Growing::of`] and [`Growing::append`].
pub fn append_to(
    file: Box<dyn InPlace>,
    assets: Assets,
    building: Options,
    options: &crate::Options,
    findings: &mut Collect,
) -> Result<Appended> {
    let source = file.source(options.mapping)?;
    let mut task = Task::new(options.budget(source.len()), findings);
    refuse_others(source, options)?;
    (task.threads, task.is_lenient) = (options.threads, options.lenient);
    let growing = Growing::of(file, options.mapping, &mut task)?;
    let mut draft = Draft::of(growing.pack().clone(), &mut task.budget)?;
    // Of several with one id the last one counts, and the others are as if they had never been.
    let last: HashMap<_, _> = assets.assets.iter().map(|asset| asset.id).zip(0..).collect();
    for (asset, nth) in assets.assets.into_iter().zip(0..) {
        if last.get(&asset.id) == Some(&nth) {
            draft.put(asset, &mut task.budget)?;
        }
    }
    growing.append(draft, building, &mut task)
}

/// Writes the state that a pack is in, or that is shown of it, without anything else. Chunks are copied as they are stored.
/// Findings are kept by `opened`.
///
/// # Errors
/// [`ONLY_PACKS`](codes::ONLY_PACKS); a damaged chunk; limits; reading and writing errors.
pub fn compact(
    opened: &mut Opened,
    out: &mut (impl Write + Seek),
    options: Options,
) -> Result<WrittenPack> {
    opened.run(|container, task| {
        edit::compact(model::pack(container, &codes::ONLY_PACKS)?, out, options, task)
    })
}

/// Writes a pack as it was when the generation was the current one that [`Options::revision`](crate::Options::revision) opened; gives its size.
///
/// # Errors
/// [`ONLY_PACKS`](codes::ONLY_PACKS); limits; reading and writing errors.
pub fn rollback(opened: &mut Opened, out: &mut dyn Write) -> Result<u64> {
    opened.run(|container, task| {
        edit::rollback(model::pack(container, &codes::ONLY_PACKS)?, out, task)
    })
}

/// Repairs that were made, in the words of their findings.
pub fn mended(findings: &Collect) -> Vec<String> {
    let code = snpak::codes::MENDED.id;
    let repairs = findings.findings.iter().filter(|found| found.error.code().id == code);
    repairs.map(|found| found.error.found_value().to_string()).collect()
}

/// Refuses what claims to be of another format.
fn refuse_others(source: Arc<dyn Source>, options: &crate::Options) -> Result<()> {
    let claimed = options.formats.claimed(&*source).filter(|format| !format.is(&PROFILE));
    let Some(claimed) = claimed else {
        return Ok(());
    };
    // What it claims may be less than what it turns out to be.
    let opened = Opened::open(source, options);
    let format = opened.as_ref().map_or(claimed.name, |opened| opened.container().format());
    Err(Error::new(&codes::ONLY_PACKS).found(format))
}

/// Puts a pack right that may not even open; `None` where nothing is wrong with it, and its own bytes are written then.
///
/// # Errors
/// [`ONLY_PACKS`](codes::ONLY_PACKS) for what claims to be something else; nothing that is left; limits; reading and
/// writing errors.
pub fn repair(
    source: Arc<dyn Source>,
    out: &mut (impl Write + Seek),
    building: Options,
    options: &crate::Options,
    findings: &mut Collect,
) -> Result<Option<WrittenPack>> {
    refuse_others(source.clone(), options)?;
    let mut task = Task::new(options.budget(source.len()), findings);
    (task.threads, task.is_lenient) = (options.threads, options.lenient);
    let repaired = edit::repair(source.clone(), out, building, &mut task)?;
    if repaired.is_none() {
        let all = Span::file(0, source.len());
        snpak::chunk::copy(&*source, all, out, &mut task)?;
    }
    Ok(repaired)
}
