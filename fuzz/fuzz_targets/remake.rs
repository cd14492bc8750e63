//! Files made of a file: of the current generation, mended, a part of it, joined with itself, by way of a document.
#![no_main]

#[path = "mutate.rs"]
mod mutate;
#[path = "written.rs"]
mod written;

use spelunk::{
    Bytes, Class, Collect, Options, Source, WriteOptions,
    check::lint,
    containers::pack::Origin,
    document,
    edit::join::{Join, Policies},
    edit::subset::{SubsetSelection, subset},
    edit::upgrade,
};
use std::{io::Cursor, sync::Arc};
use virtools::lint::fix::Mending;
use written::{check, open};

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, _max: usize, seed: u32| {
    mutate::mutate(0, b"", data, size, seed)
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let options = Options::default();
    if open(data).is_err() {
        return;
    }
    if let Ok(mut opened) = open(data)
        && let Ok(Some(convert)) = upgrade::form(&mut opened, None)
    {
        let mut bytes = Vec::new();
        let options = WriteOptions { convert, ..WriteOptions::default() };
        if opened.run(|container, task| container.write(&mut bytes, &options, task)).is_ok() {
            opens(&bytes);
        }
    }
    if let Ok(mut opened) = open(data) {
        let mending = Mending { merge_names: true, remove_unused: true, ..Mending::default() };
        if lint::fix(&mut opened, &mending).is_ok() {
            check(&mut opened);
        }
    }
    if let Ok(opened) = open(data) {
        let part = SubsetSelection { paths: vec!["*".to_owned()], ..SubsetSelection::default() };
        let mut findings = Collect::default();
        if let Ok(part) = subset("file", opened, part, &options, &mut findings) {
            let mut out = Cursor::new(Vec::new());
            if part.write(&mut out, &mut findings).is_ok() {
                opens(out.get_ref());
            }
        }
    }
    let mut join = Join::new(Policies::default());
    let added = [data, data].map(|data| open(data).and_then(|mut opened| join.add(&mut opened)));
    if added.iter().all(Result::is_ok)
        && let Ok(mut opened) = join.end(true, &options)
    {
        check(&mut opened);
    }
    documented(data, &options);
});

fn opens(bytes: &[u8]) {
    if let Err(error) = open(bytes) {
        assert_eq!(error.code().class, Class::Limit, "what was written does not open: {error}");
    }
}

/// A document of the file makes the file.
fn documented(data: &[u8], options: &Options) {
    let source: Arc<dyn Source> = Arc::new(Bytes::copy_from_slice(data));
    let Ok(document) = document::export(&Origin { source: &source, options }) else { return };
    let made = document::import(&document, options).and_then(|mut imported| {
        let mut bytes = Vec::new();
        let options = &imported.options;
        imported.opened.run(|container, task| container.write(&mut bytes, options, task))?;
        Ok(bytes)
    });
    match made {
        Ok(bytes) => assert!(bytes == data, "the document makes another file"),
        Err(error) => assert_eq!(error.code().class, Class::Limit, "{error}"),
    }
}
