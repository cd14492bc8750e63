//! What the front takes, measured: entries, fields, bytes and edits within the promise.

use crate::ALLOCATOR;
use crate::common::sample;
use spelunk::{Bytes, File, edit::batch::EntryContent};
use spelunk_fixtures::{corpus, samples, virtools::ObjectEntry};
use std::thread;
use test_support::memory::{ALONE, within};

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
    let _alone = ALONE.lock();
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
    let _alone = ALONE.lock();
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
    let _alone = ALONE.lock();
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

/// What a call took that failed, and what a batch looked up, is there again.
#[test]
fn calls_that_fail_take_nothing() {
    let _alone = ALONE.lock();
    let mut file = File::from_bytes(Bytes::from(sample("level.nmo"))).unwrap();
    let entry = file.entry("CKMaterial/Wood").unwrap();
    let fail = |file: &File| {
        assert!(entry.value("typo").is_err() && file.entry("CKMaterial/Wod").is_err());
        let failed = file.with_container(|_, task| {
            task.budget.memory(1000)?;
            Err::<(), _>(spelunk::Error::new(&spelunk::open::codes::STALE))
        });
        assert!(failed.is_err());
    };
    fail(&file);
    let left = file.memory_left();
    for _ in 0..1000 {
        fail(&file);
    }
    assert_eq!(file.memory_left(), left);

    let size = entry.size();
    let apply = |file: &mut File, nth: u32| {
        let content = EntryContent::Like("CKMaterial/Wood".to_owned());
        file.edit().add("CKMaterial", format!("Like_{nth}"), content).apply().unwrap();
        file.edit().remove(format!("CKMaterial/Like_{nth}")).apply().unwrap();
    };
    (0..2).for_each(|nth| apply(&mut file, nth));
    let left = file.memory_left();
    (2..50).for_each(|nth| apply(&mut file, nth));
    let (lost, copies) = (left.saturating_sub(file.memory_left()), 48 * size);
    // The table keeps the bytes of entries that went; of what was looked up for them nothing is left.
    assert!(lost < copies / 2, "{lost} bytes are lost, of {copies} that were copied");
}

/// A list that does not fit fails as often as one likes, and what fits is there afterwards.
#[test]
fn lists_that_do_not_fit_take_nothing() {
    let _alone = ALONE.lock();
    let bytes = level(5000);
    let file = File::options().max_memory(4 << 20).from_bytes(Bytes::from(bytes)).unwrap();
    // What is held leaves no room for one more.
    let (mut lists, mut fails) = (Vec::new(), 0);
    while fails == 0 {
        match file.entries() {
            Ok(list) => lists.push(list),
            Err(error) => {
                assert_eq!(error.code().id, "SP010");
                fails += 1;
            }
        }
    }
    let left = file.memory_left();
    for _ in 0..100 {
        assert!(file.entries().is_err());
    }
    assert_eq!(file.memory_left(), left);
    drop(lists);
    file.entries().unwrap();
}
