//! pakdata.dat: one archive is announced, the rest is the fuzzer's. And the cache of an archive of the fuzzer's names has
//! what the archive has.
#![no_main]

#[path = "common.rs"]
mod common;

use spellforce::{
    pak::{Archive, Draft, MemberPath},
    pakdata::{Cache, CacheArchive, Present, build, check},
};
use spelunk_core::{Budget, Bytes, Collect, Limits, Task};
use std::sync::Arc;

fn cached(data: &[u8], task: &mut Task<'_>) -> Option<()> {
    let mut draft = Draft::default();
    for name in data.split(|byte| *byte == b'\n').take(64) {
        let Ok(path) = MemberPath::from_bytes(name) else { continue };
        draft.add(path, Arc::new(Bytes::copy_from_slice(name)));
    }
    // Two files of one path are refused.
    let source = draft.source(task).ok()?;
    let archive = Archive::open(source, task).expect("what a draft writes opens");
    let (name, path) = ("sf1.pak", "pak/sf1.pak");
    let mut cache = Vec::new();
    build(&[CacheArchive { key: name, path, archive: &archive }], &mut cache, task).ok()?;
    let cache = Cache::open(&Bytes::from(cache), task).ok()?;
    assert_eq!(cache.entry_count(), archive.entries().len());
    let mut sink = Collect::default();
    let mut quiet = Task::new(task.budget.clone(), &mut sink);
    check(&cache, &[Present { name, path, archive: &archive }], &mut quiet).ok()?;
    assert!(sink.findings.is_empty());
    Some(())
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    common::exercise(&[b"\x01\0\0\0\x07sf0.pak".as_slice(), data].concat());
    let mut sink = Collect::default();
    cached(data, &mut Task::new(Budget::new(Limits::for_len(data.len() as u64)), &mut sink));
});
