//! SpellForce PAK archives: version and signature are given, the rest is the fuzzer's. What opens is edited: what a draft
//! writes opens again, is laid out as the rules say, and holds what it was given; both ways to write it give the same bytes.
#![no_main]

#[path = "common.rs"]
mod common;
#[path = "mutate.rs"]
mod mutate;

use spellforce::pak::{Archive, Draft, MemberPath, is_tight};
use spelunk_core::{Budget, Bytes, Collect, Limits, Task};
use std::sync::Arc;

fn edit(bytes: &[u8], task: &mut Task<'_>) -> Option<()> {
    let base = Archive::open(Arc::new(Bytes::copy_from_slice(bytes)), task).ok()?;
    let mut draft = Draft::of(&base, task).ok()?;
    let count = base.entries().len() as u32;
    let what = bytes.last().copied().unwrap_or_default();
    let content = Bytes::copy_from_slice(&bytes[..bytes.len().min(what.into())]);
    let path = MemberPath::from_bytes(b"fuzz\\added.txt").ok()?;
    match what % 4 {
        0 => draft.add(path.clone(), Arc::new(content.clone())),
        1 => draft.set(0, Arc::new(content.clone())).ok()?,
        2 => draft.rename(count.checked_sub(1)?, path.clone()).ok()?,
        _ => draft.remove(0).ok()?,
    }
    let source = draft.source(task).ok()?;
    let next = Archive::open(source.clone(), task).expect("what a draft writes opens");
    match what % 4 {
        0 => {
            let found = next.lookup(&path, task).ok()?.expect("it was added");
            assert_eq!(next.bytes(found, task).ok()?, content);
        }
        1 => assert_eq!(next.bytes(0, task).ok()?, content),
        2 => assert!(next.lookup(&path, task).ok()?.is_some()),
        _ => assert_eq!(next.entries().len() as u32 + 1, count),
    }
    if what % 4 != 1 {
        assert!(is_tight(&next, task).unwrap_or(true));
        let mut written = Vec::new();
        draft.write(&mut written, task).ok()?;
        assert_eq!(source.read(0..source.len(), &mut task.budget).ok()?, written);
    }
    Some(())
}

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, _max: usize, seed: u32| {
    mutate::mutate(0, b"\x04\0\0\0MASSIVE PAKFILE V 4.0\r\n\0", data, size, seed)
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let bytes = [b"\x04\0\0\0MASSIVE PAKFILE V 4.0\r\n\0".as_slice(), data].concat();
    common::exercise(&bytes);
    let mut sink = Collect::default();
    let mut task = Task::new(Budget::new(Limits::for_len(bytes.len() as u64)), &mut sink);
    edit(&bytes, &mut task);
});
