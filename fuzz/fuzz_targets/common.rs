//! What every target does with its input: all that a user can do to a file without changing it.

use spelunk::{
    Bytes, Of, Opened, Options, WriteOptions,
    check::roundtrip::{self, Outcome},
    core::walk::{Coverage, Flat, finish},
};
use std::sync::Arc;

/// Opens `data` and reads, lists, checks, walks and rewrites it. Damage is an error or a finding; what
/// opens is written back byte for byte, and its walk covers every byte once.
pub fn exercise(data: &[u8]) {
    let source = Arc::new(Bytes::copy_from_slice(data));
    let Ok(mut opened) = Opened::open(source.clone(), &Options::default()) else { return };
    let pages = opened.code_pages();
    let _ = opened.run(|container, task| finish(container.info(task, &mut Flat::default())));
    let mut nodes = Vec::new();
    let _ = opened.run(|container, task| {
        finish(container.children(Of::Listing, &pages, task, &mut |entry, _| {
            nodes.push(entry.node);
            Ok(())
        }))
    });
    for node in nodes.into_iter().take(64) {
        let _ = opened.run(|container, task| container.bytes(node, task).map(drop));
        let _ =
            opened.run(|container, task| finish(container.walk(node, task, &mut Flat::default())));
    }
    let _ = opened.run(|container, task| container.verify(task));
    let written = opened.run(|container, task| {
        roundtrip::check(container, source.as_ref(), &WriteOptions::default(), task)
    });
    if let Ok(outcome) = written {
        assert_eq!(outcome, Outcome::Identical);
    }
    let mut coverage = Coverage::default();
    let walked = opened.run(|container, task| finish(container.layout(task, &mut coverage)));
    if walked.is_ok() {
        let faults = coverage.check(spelunk::Space::FILE, data.len() as u64);
        assert!(faults.is_empty(), "{faults:?}");
    }
}
