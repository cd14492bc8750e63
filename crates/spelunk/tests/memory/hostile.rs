//! Sound files that ask for much: memory stays below what their sizes allow, and what cannot be done within that ends with
//! a limit. The allocator counts, so one test has the process at a time; no clock decides.

use crate::ALLOCATOR;
use crate::common;
use serde_json::json;
use spelunk::{
    Bytes, Collect, Error, Finding, Opened, Options, Source,
    compare::diff,
    compare::merge::{OnConflict, merge},
    compare::patch::AnyPatch,
    containers::extract::{ExtractionOutcome, Plan, extract},
    containers::pack::{Origin, build::Assets},
    containers::packs,
    edit::join::{Join, Mode, Modes},
    entries::find::{self, Pattern},
    entries::lookup,
    entries::select::Select,
    verbs::{self, Memory, Output, Row, Session},
};
use spelunk_fixtures::{
    generate,
    hostile::{self, Tables},
    snpak::{Asset, Codec, Pack},
};
use std::{num::NonZeroUsize, sync::Arc};
use test_support::memory::{self, ALONE, outcome};

fn within<T>(what: &str, sizes: &[usize], work: impl FnOnce() -> T) -> T {
    memory::within(&ALLOCATOR, what, sizes, work)
}

fn opened(bytes: &[u8]) -> Opened {
    common::opened(bytes).unwrap()
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

/// Extracts what globs select, on so many threads.
fn extracted(
    what: &str,
    source: &Arc<dyn Source>,
    threads: usize,
    globs: &[&str],
) -> Result<ExtractionOutcome, Error> {
    let options = Options { threads: NonZeroUsize::new(threads), ..Options::default() };
    let folder = tempfile::tempdir().unwrap();
    within(what, &[source.len() as usize], || {
        let mut opened = Opened::open(source.clone(), &options)?;
        let pages = opened.code_pages();
        let plan = Plan {
            target: folder.path(),
            select: &Select::new(globs, &[])?,
            included: false,
            origin: Some(Origin { source, options: &options }),
            force: false,
            follow_links: false,
            dry_run: false,
        };
        opened.run(|container, task| extract(container, &pages, &plan, task, &mut |_, _| {}))
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
fn details_become_json_as_far_as_memory_goes() {
    let _alone = ALONE.lock();
    let requests = [
        ("ls", json!({ "file": "a.snpak" }), [0, 3]),
        ("ls", json!({ "file": "a.snpak", "columns": ["dependencies"] }), [0, 3]),
        ("ls", json!({ "file": "a.snpak", "sort": "dependencies" }), [0, 3]),
        // The positions of entries stand in their details, of which nothing else is looked at.
        ("show", json!({ "file": "a.snpak", "path": "000000" }), [2, 2]),
    ];
    for (nth, count) in [1_000, 200_000].into_iter().enumerate() {
        let bytes = hostile::many_needs(count).build();
        let files = Memory::new();
        files.put("a.snpak", bytes.clone());
        for (verb, request, codes) in &requests {
            let session = Session::new(files.clone());
            let what = format!("{verb} {request} {count}");
            let done = within(&what, &[bytes.len()], || {
                verbs::call(&session, verb, &request.to_string(), &mut Nothing)
            });
            assert_eq!(done.unwrap().code(), codes[nth], "{what}");
        }
    }
}

/// Keeps nothing of what is told.
struct Nothing;

impl Output for Nothing {
    fn row(&mut self, _: &dyn Row) -> Result<(), Error> {
        Ok(())
    }

    fn body(&mut self, _: &str, _: &[u8]) -> Result<(), Error> {
        Ok(())
    }

    fn diagnostic(&mut self, _: &str, _: &Finding) {}

    fn failed(&mut self, _: &str, _: &Error) {}
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
fn names_inside_of_one_string_are_written_as_far_as_memory_goes() {
    let _alone = ALONE.lock();
    let bytes = hostile::shared_name(500, 180_000).build();
    let compacted = within("compact", &[bytes.len()], || {
        let mut out = std::io::Cursor::new(Vec::new());
        packs::compact(&mut opened(&bytes), &mut out, Default::default())
    });
    assert_eq!(outcome(compacted), "SP010");
}

#[test]
fn objects_that_are_nothing_but_names_are_joined_as_far_as_memory_goes() {
    let _alone = ALONE.lock();
    let bytes = generate::objects_alike(100_000);
    let joined = within("join", &[bytes.len()], || {
        let mut join = Join::new(Modes::all(Mode::Rename).into());
        let mut opened = opened(&bytes);
        join.add(&mut opened)
    });
    assert_eq!(outcome(joined), "SP010");
}

#[test]
fn names_inside_of_one_string_are_not_held_for_each_asset() {
    let _alone = ALONE.lock();
    let names = hostile::shared_name(1_000, 500_000);
    let other = Tables { mark: 1, ..names.clone() }.build();
    let names = names.build();
    assert_eq!(compared("names", &names, &names), "done", "equal files are not looked at");
    for (what, code) in [
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
    let options = |max_ratio| Options { max_ratio, ..Options::default() };
    let folder = tempfile::tempdir().unwrap();
    let extracted = |bytes: &[u8], max_ratio| {
        let source = Arc::new(Bytes::copy_from_slice(bytes));
        let mut opened = Opened::open(source, &options(max_ratio))?;
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
    assert_eq!(outcome(extracted(&bytes, Some(100))), "SP013");
    assert_eq!(outcome(extracted(&bytes, Some(2_000))), "done");
    // Where nothing is asked for, 1 GiB is less than anyone minds.
    assert_eq!(outcome(extracted(&bytes, None)), "done");
    let more = hostile::shared_data(2_200, 500_000);
    let refused = extracted(&more, None).err().unwrap();
    assert_eq!(refused.code().id, "SP013");
    let least = (2_201 * 500_000_u64).div_ceil(more.len() as u64) as u32;
    assert!(refused.to_string().contains(&format!("--max-ratio {least} allows")), "{refused}");
    assert_eq!(outcome(extracted(&more, Some(least))), "done");
    assert_eq!(outcome(extracted(&more, Some(u32::MAX))), "done");
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

#[test]
fn names_inside_of_each_other_are_told_without_reading_each_to_its_end() {
    let _alone = ALONE.lock();
    let bytes = hostile::names_in_names(2_000, 20_000);
    within("verify", &[bytes.len()], || {
        let mut opened = opened(&bytes);
        let (verified, taken) =
            opened.run(|container, task| (container.verify(task), task.budget.steps_taken()));
        assert!(["done", "SP011"].contains(&outcome(verified)));
        println!("{taken} steps, {:?}", opened.findings().counts().len());
        assert!(!opened.findings().findings.is_empty());
    });
}

#[test]
fn what_many_threads_extract_waits_for_its_turn_within_the_limit() {
    let _alone = ALONE.lock();
    for (what, tables) in [
        ("needs", hostile::shared_needs(700)),
        ("bulk", hostile::shared_bulk(700)),
        ("names", hostile::shared_name(1_500, 110_000)),
        ("names that fit as such", hostile::shared_name(822, 38_000)),
    ] {
        let bytes = Tables { one_id: what == "bulk", ..tables }.build();
        let source: Arc<dyn Source> = Arc::new(Bytes::copy_from_slice(&bytes));
        let mut outcomes = Vec::new();
        for threads in [1, 2, 4] {
            let what = format!("{what} on {threads} threads");
            outcomes.push(match extracted(&what, &source, threads, &[]) {
                Ok(done) => (done.files.len(), "done"),
                Err(error) => (0, error.code().id),
            });
        }
        assert!(outcomes.windows(2).all(|pair| pair[0] == pair[1]), "{what}: {outcomes:?}");
    }
}

#[test]
fn payloads_that_inflate_are_not_packed_again_beyond_the_limit() {
    let _alone = ALONE.lock();
    // With what it is packed as, the longer one takes more than all that a small file may have.
    for len in [8 << 20, 32 << 20] {
        let data = vec![0x77; len];
        let asset = Asset { id: [1; 16], codec: Codec::ZSTD, data, ..Asset::default() };
        let bytes = Pack { assets: vec![asset], ..Pack::default() }.build().bytes;
        let source: Arc<dyn Source> = Arc::new(Bytes::from(bytes));
        for threads in [1, 2] {
            let what = format!("{len} bytes on {threads} threads");
            let done = extracted(&what, &source, threads, &[]).unwrap();
            assert_eq!(done.files.len(), 1, "{what}");
        }
    }
}

#[test]
fn globs_look_at_long_names_as_far_as_memory_goes() {
    let _alone = ALONE.lock();
    let bytes = hostile::shared_name(40, 900_000).build();
    let source: Arc<dyn Source> = Arc::new(Bytes::from(bytes));
    for (glob, files) in [("*a*b*", None), ("*zz*", Some(0)), ("*1*", Some(0))] {
        let outcome = extracted(glob, &source, 2, &[glob]).map(|done| done.files.len());
        assert!(
            outcome.as_ref().map_or_else(
                |error| error.code().id == "SP010",
                |count| { files.is_none_or(|files| files == *count) }
            ),
            "{glob}: {outcome:?}"
        );
    }
}

#[test]
fn long_names_are_searched_and_looked_up_as_far_as_memory_goes() {
    let _alone = ALONE.lock();
    let bytes = hostile::shared_name(300, 900_000).build();
    for pattern in ["zzz", "abcdefgh", "w"] {
        let found = within(&format!("find {pattern}"), &[bytes.len()], || {
            let mut opened = opened(&bytes);
            let (pattern, pages) = (Pattern::new(pattern, false)?, opened.code_pages());
            let options = find::Options::default();
            opened.run(|container, task| {
                find::find(container, &pattern, options, &pages, task, &mut |_| Ok(()))
            })
        });
        let code = outcome(found);
        assert!(["done", "SP010", "SP011"].contains(&code), "{pattern}: {code}");
    }
    // Each is nearly the name of all of them, of which the error tells the nearest ones.
    for path in ["abcdefghijklmno".repeat(50_000), "nothing".to_owned()] {
        let missing = within("a path of nothing", &[bytes.len() + path.len()], || {
            let mut opened = opened(&bytes);
            lookup::find_one(&mut opened, &path).unwrap_err().to_string()
        });
        assert!(missing.len() < 4 << 20, "{} bytes", missing.len());
    }
}

#[test]
fn patches_of_packs_with_long_names_are_written_as_far_as_memory_goes() {
    let _alone = ALONE.lock();
    for (count, code) in [(10, "done"), (400, "SP010")] {
        let names = hostile::shared_name(count, 400_000);
        let other = Tables { payload: vec![1], ..names.clone() }.build();
        let names = names.build();
        let sizes = [names.len(), other.len()];
        let [old, new] =
            [names, other].map(|bytes| Arc::new(Bytes::from(bytes)) as Arc<dyn Source>);
        let patch = within(&format!("a patch of {count}"), &sizes, || {
            let options = Options::default();
            let [old, new] = [&old, &new].map(|source| Origin { source, options: &options });
            AnyPatch::between(&old, &new)?.text()
        });
        assert_eq!(outcome(patch), code, "{count}");
    }
}
