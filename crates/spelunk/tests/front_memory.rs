//! What the front takes, measured: entries, fields, bytes and edits within the promise.

mod common;

use common::{
    memory::{ALONE, within},
    sample,
};
use peak_alloc::PeakAlloc;
use spelunk::{Bytes, File};
use spelunk_fixtures::{corpus, samples, virtools::ObjectEntry};
use std::thread;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// A level with `count` materials more.
fn level(count: u32) -> Vec<u8> {
    let mut file = samples::level();
    let wood = file.objects[1].clone();
    let more = |nth: u32| {
        let name = format!("Wood_{nth}").into_bytes();
        ObjectEntry { id: 100 + nth, name, ..wood.clone() }
    };
    file.objects.extend((0..count).map(more));
    file.build().bytes
}

/// Everything that can be asked for, with everything kept that is told.
fn use_up(file: &File) {
    let mut kept = Vec::new();
    let Ok(entries) = file.entries() else { return };
    for entry in &entries {
        kept.push((entry.bytes().ok(), entry.fields().ok(), entry.below().ok()));
    }
    let mut entries = Vec::new();
    let _ = file.visit(|entry| entries.push(entry.clone()));
}

#[test]
fn whatever_is_kept_stays_within_the_promise() {
    let _alone = ALONE.lock().unwrap();
    let large = ("large level".to_owned(), level(20_000));
    let all = spelunk_fixtures::samples()
        .into_iter()
        .map(|sample| (sample.name.to_owned(), sample.fixture.bytes));
    let real = corpus::all().into_iter().map(|file| (file.name, file.bytes));
    for (name, bytes) in all.chain(real.filter(|(_, bytes)| bytes.len() < 1 << 21)).chain([large]) {
        let bytes = Bytes::from(bytes);
        within(&ALLOCATOR, &name, &[bytes.len()], || {
            if let Ok(file) = File::from_bytes(bytes.clone()) {
                use_up(&file);
            }
        });
    }
}

#[test]
fn threads_share_one_promise() {
    let _alone = ALONE.lock().unwrap();
    let bytes = Bytes::from(level(5000));
    within(&ALLOCATOR, "threads", &[bytes.len()], || {
        let file = File::from_bytes(bytes.clone()).unwrap();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| use_up(&file));
            }
        });
    });
}

#[test]
fn edits_cost_one_state() {
    let _alone = ALONE.lock().unwrap();
    let bytes = Bytes::from(sample("level.nmo"));
    within(&ALLOCATOR, "edits", &[bytes.len()], || {
        let mut file = File::from_bytes(bytes.clone()).unwrap();
        for nth in 0..200_u32 {
            file.edit().set("CKMaterial/Wood", "material.diffuse", nth).apply().unwrap();
        }
        let left = file.memory_left();
        for nth in 0..200_u32 {
            file.edit().set("CKMaterial/Wood", "material.diffuse", nth).apply().unwrap();
        }
        assert_eq!(file.memory_left(), left);
    });
}
