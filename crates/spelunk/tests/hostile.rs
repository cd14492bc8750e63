//! Sound files that ask for much: memory stays below what their sizes allow, and what cannot be done within that ends with
//! a limit. The allocator counts, so one test has the process at a time; no clock decides.

mod common;

use peak_alloc::PeakAlloc;
use spelunk::{
    Bytes, Collect, Error, Limits, Opened, Options, diff,
    extract::{Plan, extract},
    merge::{OnConflict, merge},
    pack::build::Assets,
    packs,
    select::Select,
};
use spelunk_fixtures::hostile::{self, Tables};
use std::sync::{Arc, Mutex};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

static ALONE: Mutex<()> = Mutex::new(());

/// Does something with files of these sizes, and holds its memory against what they may have together.
fn within<T>(what: &str, sizes: &[usize], work: impl FnOnce() -> T) -> T {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let done = work();
    let peak = ALLOCATOR.peak_usage().saturating_sub(before) as u64;
    let allowed: u64 = sizes.iter().map(|size| Limits::for_len(*size as u64).memory).sum();
    println!("{what}: {} KB of {} KB", peak >> 10, allowed >> 10);
    assert!(peak <= allowed, "{what}: {peak} bytes where {allowed} are the limit");
    done
}

fn opened(bytes: &[u8]) -> Opened {
    let source = Arc::new(Bytes::copy_from_slice(bytes));
    Opened::open(source, &Options::default()).unwrap()
}

/// `done`, or the code of the limit that was reached.
fn outcome<T>(result: Result<T, Error>) -> &'static str {
    match result {
        Ok(_) => "done",
        Err(error) => error.code().id,
    }
}

fn compared(what: &str, old: &[u8], new: &[u8]) -> &'static str {
    within(what, &[old.len(), new.len()], || {
        let (mut old, mut new) = (opened(old), opened(new));
        outcome(diff::diff(&mut old, &mut new, &diff::Options::default()))
    })
}

fn merged(what: &str, sides: [&[u8]; 3]) -> &'static str {
    within(what, &sides.map(<[u8]>::len), || {
        let [base, ours, theirs] = sides.map(opened);
        outcome(merge([&base, &ours, &theirs], OnConflict::Refuse, &Options::default()))
    })
}

#[test]
fn shared_dependencies_are_not_held_for_each_owner() {
    let _alone = ALONE.lock();
    let needs = hostile::shared_needs(500);
    let other = Tables { mark: 1, ..needs.clone() }.build();
    let changed = Tables { payload: vec![1], ..needs.clone() }.build();
    let needs = needs.build();
    assert_eq!(compared("a file and itself", &needs, &needs), "done");
    assert_eq!(compared("other payloads", &needs, &changed), "done");
    assert_eq!(compared("other assets", &needs, &other), "done");
    assert_eq!(merged("both alike", [&other, &needs, &needs]), "done");
    assert_eq!(merged("from ours", [&needs, &changed, &needs]), "done");
    // The description of an asset that comes from the other side has its dependencies.
    let added = merged("from theirs", [&needs, &needs, &other]);
    assert!(["done", "SP010"].contains(&added), "{added}");
}

#[test]
fn shared_bulk_is_listed_as_far_as_memory_goes() {
    let _alone = ALONE.lock();
    let bulk = hostile::shared_bulk(700);
    let other = Tables { mark: 1, ..bulk.clone() }.build();
    let bulk = bulk.build();
    assert_eq!(compared("bulk", &bulk, &other), "SP010");
    assert_eq!(merged("bulk", [&other, &bulk, &bulk]), "done");
}

#[test]
fn a_pack_with_shared_bulk_is_made_compact_as_far_as_memory_goes() {
    let _alone = ALONE.lock();
    for (count, code) in [(100, "done"), (1_000, "SP010")] {
        let bytes = Tables { one_id: true, ..hostile::shared_bulk(count) }.build();
        let compacted = within("compact", &[bytes.len()], || {
            let mut out = std::io::Cursor::new(Vec::new());
            packs::compact(&mut opened(&bytes), &mut out, Default::default())
        });
        assert_eq!(outcome(compacted), code, "{count}");
    }
}

#[test]
fn names_inside_of_one_string_are_not_held_for_each_asset() {
    let _alone = ALONE.lock();
    let names = hostile::shared_name(1_000, 500_000);
    let other = Tables { mark: 1, ..names.clone() }.build();
    let names = names.build();
    for (what, code) in [
        ("names", compared("names", &names, &names)),
        ("other names", compared("other names", &names, &other)),
        ("both alike", merged("both alike", [&other, &names, &names])),
        ("from theirs", merged("from theirs", [&names, &names, &other])),
    ] {
        assert!(["SP010", "SP011"].contains(&code), "{what}: {code}");
    }
}

#[test]
fn an_append_looks_at_each_byte_of_overlapping_strings_once() {
    let _alone = ALONE.lock();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("overlapping.snpak");
    let bytes = hostile::overlapping_strings(50_000).build();
    std::fs::write(&path, &bytes).unwrap();
    let id = snpak::build::name_id(b"new", None);
    let payload = snpak::build::Payload::new(Vec::new(), snpak::Codec::NONE);
    let asset = snpak::build::Asset::new(id, "new", payload);
    let assets = Assets { assets: vec![asset], ..Assets::default() };
    let mut findings = Collect::default();
    let appended = within("append", &[bytes.len()], || {
        packs::append(&path, assets, Default::default(), &Options::default(), &mut findings)
    });
    // All strings together are 300 times as many bytes as the limit of steps lets anyone touch.
    assert_eq!(outcome(appended), "done");
}

#[test]
fn entries_that_share_their_bytes_are_told_and_not_extracted_beyond_the_ratio() {
    let _alone = ALONE.lock();
    let bytes = hostile::shared_data(2_000, 500_000);
    let options = |max_ratio| Options { max_ratio: Some(max_ratio), ..Options::default() };
    let folder = tempfile::tempdir().unwrap();
    let extracted = |max_ratio| {
        let mut opened = Opened::open(Arc::new(Bytes::from(bytes.clone())), &options(max_ratio))?;
        let pages = opened.code_pages();
        let plan = Plan {
            target: folder.path(),
            select: &Select::new::<&str>(&[], &[]).unwrap(),
            included: false,
            origin: None,
            force: false,
            follow_links: false,
            dry_run: true,
        };
        opened.run(|container, task| extract(container, &pages, &plan, task, &mut |_, _| {}))
    };
    assert_eq!(outcome(extracted(100)), "SP013");
    assert_eq!(outcome(extracted(2_000)), "done");
    within("verify", &[bytes.len()], || {
        let mut opened = opened(&bytes);
        let taken = opened.run(|container, task| {
            container.verify(task).unwrap();
            task.budget.steps_taken()
        });
        // All files together would take 15 millions.
        assert!(taken < 200_000, "{taken} steps");
        let told = opened.findings().counts().iter().find(|(code, ..)| code.id == "PK011");
        assert_eq!(told.map(|(_, _, count)| *count), Some(2_000));
    });
}
