//! Folders that are extracted and packed again.

use serde_json::Value;
use spelunk::{
    Bytes, Collect, Opened, Options, Source, Task,
    containers::extract,
    containers::extract::MANIFEST,
    containers::pack::{self, Filled, Origin, PackedContainer},
    containers::packs,
    entries::select::Select,
};
use std::{fs, io::Cursor, path::Path, sync::Arc};
use tempfile::TempDir;

/// Extracts everything, or the included files alone.
pub fn unpack(
    bytes: &[u8],
    included: bool,
) -> (TempDir, spelunk::Result<extract::ExtractionOutcome>) {
    unpack_with(bytes, included, true)
}

/// The same, with a skeleton or without.
pub fn unpack_with(
    bytes: &[u8],
    included: bool,
    with_skeleton: bool,
) -> (TempDir, spelunk::Result<extract::ExtractionOutcome>) {
    let dir = tempfile::tempdir().unwrap();
    let source: Arc<dyn Source> = Arc::new(Bytes::copy_from_slice(bytes));
    let options = Options::default();
    let mut opened = Opened::open(source.clone(), &options).unwrap();
    let pages = opened.code_pages();
    let plan = extract::Plan {
        target: dir.path(),
        select: &Select::new::<&str>(&[], &[]).unwrap(),
        included,
        origin: with_skeleton.then_some(Origin { source: &source, options: &options }),
        follow_links: false,
        force: false,
        dry_run: false,
    };
    let work = |container: &dyn spelunk::Container, task: &mut Task<'_>| {
        extract::extract(container, &pages, &plan, task, &mut |_, _| {})
    };
    let done = opened.run(work);
    (dir, done)
}

/// The folder with everything, of which nothing failed.
pub fn extracted(name: &str, bytes: &[u8]) -> TempDir {
    let (dir, done) = unpack(bytes, false);
    let done = done.unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(done.failed.is_empty(), "{name}: {:?}", done.failed);
    dir
}

/// What was noticed while packing.
pub struct Noticed {
    pub changed: Vec<String>,
    pub unknown: Vec<String>,
}

/// The container that a folder becomes, and what was noticed.
pub fn packed(dir: &Path) -> spelunk::Result<(Vec<u8>, Noticed)> {
    match pack::pack(dir, None, &Options::default())? {
        PackedContainer::Filled(filled) => {
            let Filled { mut opened, options, changed, unknown } = *filled;
            let mut bytes = Vec::new();
            opened.run(|container, task| container.write(&mut bytes, &options, task))?;
            Ok((bytes, Noticed { changed, unknown }))
        }
        PackedContainer::Archive(files) => {
            let mut bytes = Vec::new();
            files.write(&mut bytes, &Options::default(), &mut Collect::default())?;
            Ok((bytes, Noticed { changed: files.changed.sorted(), unknown: files.unknown }))
        }
        PackedContainer::New(assets) => {
            let (changed, unknown) = (assets.changed.clone(), assets.unknown.clone());
            let mut out = Cursor::new(Vec::new());
            let mut findings = Collect::default();
            packs::build(
                assets,
                &mut out,
                packs::Options::default(),
                &Options::default(),
                &mut findings,
            )?;
            assert!(findings.findings.is_empty(), "{:?}", findings.findings);
            Ok((out.into_inner(), Noticed { changed: changed.sorted(), unknown }))
        }
    }
}

/// The manifest of a folder.
pub fn manifest(dir: &Path) -> Value {
    serde_json::from_slice(&fs::read(dir.join(MANIFEST)).unwrap()).unwrap()
}

/// The manifest with one thing changed.
pub fn forge(dir: &Path, change: impl FnOnce(&mut Value)) {
    let mut manifest = manifest(dir);
    change(&mut manifest);
    fs::write(dir.join(MANIFEST), manifest.to_string()).unwrap();
}

/// The code of what a folder is refused with.
pub fn refusal(dir: &Path) -> &'static str {
    packed(dir).map(|_| ()).unwrap_err().code().id
}

/// The bytes of all entries with their names, in their order.
pub fn contents(dir: &Path) -> Vec<(Value, Value, Vec<u8>)> {
    let manifest = manifest(dir);
    let entries = manifest["entries"].as_array().unwrap();
    entries
        .iter()
        .map(|entry| {
            let bytes = fs::read(dir.join(entry["file"].as_str().unwrap())).unwrap();
            (entry["path"].clone(), entry["name"].clone(), bytes)
        })
        .collect()
}
