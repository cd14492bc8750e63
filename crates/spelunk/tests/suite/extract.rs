//! Extraction: the same files and manifest on any number of threads, and rows that tell what listings tell.

use crate::common::tree;
use serde_json::Value;
use spelunk::{
    Bytes, Opened, Options, Result, Source, Task,
    containers::extract::{self, ExtractionOutcome, MANIFEST},
    containers::pack::Origin,
    entries::select::Select,
};
use spelunk_fixtures::{mutate::mutate, samples};
use std::{fs, num::NonZeroUsize, path::Path, sync::Arc};

/// Extracts everything; `None` where the container cannot be opened.
fn extracted(bytes: &[u8], threads: usize, target: &Path) -> Option<Result<ExtractionOutcome>> {
    let source: Arc<dyn Source> = Arc::new(Bytes::copy_from_slice(bytes));
    let options = Options { threads: NonZeroUsize::new(threads), ..Options::default() };
    let mut opened = Opened::open(source.clone(), &options).ok()?;
    let pages = opened.code_pages();
    let plan = extract::Plan {
        target,
        select: &Select::new::<&str>(&[], &[]).unwrap(),
        included: false,
        origin: Some(Origin { source: &source, options: &options }),
        follow_links: false,
        force: false,
        dry_run: false,
    };
    Some(
        opened.run(|container, task| {
            extract::extract(container, &pages, &plan, task, &mut |_, _| {})
        }),
    )
}

#[test]
fn threads_extract_what_one_extracts() {
    let samples = [
        samples::pack().build().bytes,
        samples::appended_pack().build().bytes,
        samples::level().build().bytes,
        mutate(&samples::pack().build().bytes, 11),
    ];
    for (nth, bytes) in samples.iter().enumerate() {
        let extract = |threads| {
            let dir = tempfile::tempdir().unwrap();
            let done = extracted(bytes, threads, dir.path())?;
            let told = done.map(|done| {
                let failed = done.failed.iter().map(|(path, error)| format!("{path}: {error}"));
                let files = done.files.iter().map(|file| format!("{} {}", file.output, file.size));
                files.chain(failed).collect::<Vec<_>>()
            });
            let manifest = fs::read(dir.path().join(MANIFEST)).ok();
            Some((told.map_err(|error| error.to_string()), tree(dir.path()), manifest))
        };
        let one = extract(1);
        assert!(one.is_some() || nth == 3);
        for threads in [2, 5] {
            assert!(extract(threads) == one, "sample {nth}, {threads} threads");
        }
    }
}

#[test]
fn rows_of_the_manifest_are_what_listings_tell() {
    for bytes in [samples::pack().build().bytes, samples::level().build().bytes] {
        let dir = tempfile::tempdir().unwrap();
        extracted(&bytes, 2, dir.path()).unwrap().unwrap();
        let manifest = fs::read(dir.path().join(MANIFEST)).unwrap();
        let manifest: Value = serde_json::from_slice(&manifest).unwrap();
        let source: Arc<dyn Source> = Arc::new(Bytes::from(bytes));
        let mut opened = Opened::open(source, &Options::default()).unwrap();
        let pages = opened.code_pages();
        let rows = manifest["entries"].as_array().unwrap();
        assert!(!rows.is_empty());
        for row in rows {
            let path = row["path"].as_str().unwrap();
            opened.run(|container, task| {
                let node = container.find(path, &pages, task).unwrap()[0];
                let mut each = |entry: &spelunk::Entry<'_>, task: &mut Task<'_>| {
                    let (mut told, result) =
                        spelunk::open::json::object(&pages, |walk| entry.details.walk(task, walk));
                    result.unwrap();
                    // Where bulk payloads went is told besides.
                    let mut row = row.clone();
                    for item in row["bulk"].as_array_mut().into_iter().flatten() {
                        assert!(item.as_object_mut().unwrap().remove("file").is_some());
                    }
                    told.retain(|name, _| name != "size");
                    for (name, value) in &told {
                        assert_eq!(row[name], *value, "{path}: {name}");
                    }
                    Ok(())
                };
                assert!(container.entry(node, &pages, task, &mut each).is_ok());
            });
        }
    }
}
