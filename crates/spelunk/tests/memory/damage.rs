//! Damaged copies of every format: never a panic, never more memory or work than the limits say. Memory is
//! counted by the allocator, work by the budget; no clock decides.

use crate::ALLOCATOR;
use spelunk::{
    Budget, Bytes, Collect, Limits, Of, Opened, Options, Task, WriteOptions,
    check::roundtrip,
    containers::extract,
    core::walk::{Coverage, Flat, finish},
    entries::select::Select,
    models::export,
    open::detect::Formats,
    open::json,
};
use spelunk_fixtures::{
    corpus,
    mutate::{mutate, mutate_header},
    samples,
};
use std::{collections::BTreeMap, sync::Arc};
use test_support::memory::{ALONE, peak};

/// How many damaged copies are tried.
const COPIES: u64 = 2_000;

/// Real files up to this size are damaged; larger ones would spend the time on copying.
const LARGEST: usize = 320_000;

fn originals() -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = samples()
        .into_iter()
        .map(|sample| (sample.name.to_owned(), sample.fixture.bytes))
        .collect();
    let small = corpus::all().into_iter().filter(|file| file.bytes.len() <= LARGEST);
    files.extend(small.map(|file| (file.name, file.bytes)));
    files
}

/// Everything that can be done to a file without changing it. Tells how far it came.
fn exercise(bytes: &[u8]) -> &'static str {
    let source = Arc::new(Bytes::copy_from_slice(bytes));
    let (outcome, used) =
        peak(&ALLOCATOR, || match Opened::open(source.clone(), &Options::default()) {
            Err(error) => {
                assert!(!error.code().id.is_empty());
                "refused"
            }
            Ok(mut opened) => work(&mut opened, &source, bytes.len() as u64),
        });
    let limit = Limits::for_len(bytes.len() as u64).memory;
    assert!(used as u64 <= limit, "{used} bytes of memory where {limit} are the limit");
    outcome
}

fn work(opened: &mut Opened, source: &Bytes, len: u64) -> &'static str {
    let pages = opened.code_pages();
    let (_, _) =
        opened.run(|container, task| json::object(&pages, |walk| container.info(task, walk)));
    let mut nodes = Vec::new();
    for of in [Of::Listing, Of::Root] {
        let mut each = |entry: &spelunk::Entry<'_>, task: &mut spelunk::Task<'_>| {
            if nodes.len() < 200 {
                nodes.push(entry.node);
            }
            json::object(&pages, |walk| entry.details.walk(task, walk)).1?;
            Ok(())
        };
        let _ =
            opened.run(|container, task| finish(container.children(of, &pages, task, &mut each)));
    }
    for node in nodes {
        let _ = opened.run(|container, task| container.bytes(node, task).map(drop));
        let mut flat = Flat::default();
        let _ = opened.run(|container, task| finish(container.walk(node, task, &mut flat)));
        let _ = opened.run(|container, task| {
            finish(container.children(Of::Node(node), &pages, task, &mut |_, _| Ok(())))
        });
    }
    let plan = extract::Plan {
        target: std::path::Path::new("nowhere"),
        select: &Select::new::<&str>(&[], &[]).unwrap(),
        included: false,
        origin: None,
        follow_links: false,
        force: false,
        dry_run: true,
    };
    let _ = opened.run(|container, task| {
        extract::extract(container, &pages, &plan, task, &mut |_, _| {}).map(drop)
    });
    let all = export::Options::default();
    if let Ok(model) = export::gltf::export(opened, &all) {
        model.write_glb(&mut std::io::sink()).unwrap();
    }
    let _ = export::obj::export(opened, &all, "a.mtl", "a");
    let _ = export::textures::export(opened, &all);
    let _ = export::csv::export(opened, &all);
    let verified = opened.run(|container, task| container.verify(task));
    let written = opened
        .run(|container, task| roundtrip::check(container, source, &WriteOptions::default(), task));
    if let Ok(outcome) = written {
        assert_eq!(outcome, roundtrip::Outcome::Identical, "what opens is written back");
    }
    let mut coverage = Coverage::default();
    let walked = opened.run(|container, task| finish(container.layout(task, &mut coverage)));
    if walked.is_ok() {
        assert_eq!(coverage.check(spelunk::Space::FILE, len), [], "every byte is covered once");
    }
    if verified.is_err() || opened.findings().has_errors() { "damaged" } else { "sound" }
}

#[test]
fn two_thousand_damaged_copies() {
    let _alone = ALONE.lock();
    let originals = originals();
    let mut outcomes: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in 0..COPIES {
        let (name, bytes) = &originals[(seed % originals.len() as u64) as usize];
        let damaged = if seed % 3 == 0 { mutate_header(bytes, seed) } else { mutate(bytes, seed) };
        let outcome = std::panic::catch_unwind(|| exercise(&damaged))
            .unwrap_or_else(|_| panic!("{name}, seed {seed}"));
        *outcomes.entry(outcome).or_default() += 1;
    }
    println!("{COPIES} damaged copies of {} files: {outcomes:?}", originals.len());
    for outcome in ["refused", "damaged"] {
        assert!(outcomes[outcome] > COPIES / 20, "{outcomes:?}: the damage has become too mild");
    }
}

#[test]
fn no_format_works_without_counting_it() {
    let _alone = ALONE.lock();
    for sample in samples() {
        let source = Arc::new(Bytes::from(sample.fixture.bytes));
        if Opened::open(source.clone(), &Options::default()).is_err() {
            continue; // A generation or dialect that is refused.
        }
        let limits = Limits { steps: 0, ..Limits::for_len(0) };
        let mut sink = Collect::default();
        let mut task = Task::new(Budget::new(limits), &mut sink);
        let result =
            Formats::default().open(source, &mut task).and_then(|file| file.verify(&mut task));
        match result {
            Err(error) => assert_eq!(error.code().id, "SP011", "{}", sample.name),
            Ok(()) => {
                let told = sink.findings.iter().any(|finding| finding.error.code().id == "SP011");
                assert!(told, "{} is opened and checked without a step of work", sample.name);
            }
        }
    }
}

#[test]
fn a_small_file_cannot_ask_for_much() {
    let _alone = ALONE.lock();
    let level = spelunk_fixtures::samples::level();
    let mut fixture = level.build();
    // Sizes that no stream of this length can reach, and one that it could.
    for size in [u32::MAX, 1 << 30, 700_000] {
        fixture.poke("part1.data_unpack_size", &size.to_le_bytes());
        exercise(&fixture.bytes);
    }
}
