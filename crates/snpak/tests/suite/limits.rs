//! What limits hold, where they are charged, and what they do to findings.

use crate::common::{open, open_sound};
use snpak::{Pack, codes};
use spelunk_core::{
    Budget, Collect, Container, Entry, Field, Group, Halt, Limits, Node, Of, Result, Span, Strict,
    Task, Val, Walk, Walked,
    text::CodePages,
    walk::{Shape, Step, finish},
};
use spelunk_fixtures::{
    samples,
    snpak::{self as made, Asset, Bulk, Codec, Dependency},
};
use test_support::{
    entries::listed,
    findings::{assert_none, codes},
    task::with_task,
};

#[test]
fn shared_ranges_cannot_list_without_end() {
    // Each of many owners names the same many dependencies.
    let mut pack = made::Pack::default();
    let needs = Dependency { asset: [1; 16], name: None, kind: 0 };
    for n in 0..3000_u32 {
        let mut id = [0; 16];
        id[..4].copy_from_slice(&n.to_le_bytes());
        let name = format!("asset {n}").into_bytes();
        let dependencies = vec![needs.clone()];
        pack.assets.push(Asset { id, name, dependencies, ..Asset::default() });
    }
    let mut file = pack.build();
    for n in 0..3000 {
        file.poke(&format!("index[0].tables.owners[{n}].first"), &0_u32.to_le_bytes());
        file.poke(&format!("index[0].tables.owners[{n}].count"), &3000_u32.to_le_bytes());
    }
    made::rehash(&mut file);
    let pack = open_sound(&file.bytes);
    let mut handed = 0;
    let walk = |details: bool, handed: &mut usize| {
        let (walked, _) = with_task(file.bytes.len(), |task| {
            pack.children(Of::Listing, &pack.code_pages(), task, &mut |entry, task| {
                *handed += 1;
                if details { entry.details.walk(task, &mut Ignore) } else { Ok(()) }
            })
        });
        finish(walked)
    };
    walk(false, &mut handed).expect("a listing without details");
    assert_eq!(handed, 3000);
    assert_eq!(walk(true, &mut handed).unwrap_err().code().id, "SP011");
    assert!(handed > 3000, "those that the limit allows are handed out");
}

/// A walker that wants to see everything and keeps nothing.
struct Ignore;

impl Walk for Ignore {
    fn enter(&mut self, _: &Group<'_>) -> std::result::Result<Step, Halt> {
        Ok(Step::Into)
    }

    fn field(&mut self, _: &'static Field, _: Option<Span>, _: Val<'_>) -> Walked {
        Ok(())
    }

    fn leave(&mut self, _: Shape) -> Walked {
        Ok(())
    }
}

/// A pack of many assets that all have the bulk entries of the first one and its long name.
fn shared_bulk(name: usize) -> Pack {
    let mut pack = made::Pack::default();
    for n in 0..1000_u32 {
        let mut id = [0; 16];
        id[..4].copy_from_slice(&n.to_le_bytes());
        let bulk = Bulk { semantic: 1, sub_index: n, codec: Codec::NONE, data: Vec::new() };
        let name = vec![b'x'; name];
        pack.assets.push(Asset { id, name, bulk: vec![bulk], ..Asset::default() });
    }
    let mut file = pack.build();
    for n in 0..1000 {
        let entry = format!("index[0].tables.entries[{n}]");
        file.poke(&format!("{entry}.bulk_first"), &0_u32.to_le_bytes());
        file.poke(&format!("{entry}.bulk_count"), &1000_u32.to_le_bytes());
    }
    made::rehash(&mut file);
    open_sound(&file.bytes)
}

/// Limits of few steps.
fn with_steps<T>(steps: u64, work: impl FnOnce(&mut Task<'_>) -> T) -> (T, Collect) {
    let mut sink = Collect::default();
    let limits = Limits { steps, ..Limits::for_len(0) };
    let result = work(&mut Task::new(Budget::new(limits), &mut sink));
    (result, sink)
}

#[test]
fn shared_names_and_bulk_entries_are_charged_where_they_are_used() {
    let pack = shared_bulk(10_000);
    let pages = pack.code_pages();
    let code = |result: Result<()>| result.map_err(|error| error.code().id);
    let all = 100_000;
    let list =
        |task: &mut Task<'_>| finish(pack.children(Of::Listing, &pages, task, &mut |_, _| Ok(())));
    assert_eq!(code(with_steps(all, list).0), Err("SP011"));
    let path = "x".repeat(10_000);
    let find = |task: &mut Task<'_>| pack.find(&path, &pages, task).map(drop);
    assert_eq!(code(with_steps(all, find).0), Err("SP011"));
    let legacy = CodePages::cp1252();
    let find = |task: &mut Task<'_>| pack.find(&path, &legacy, task).map(drop);
    assert_eq!(code(with_steps(all, find).0), Err("SP011"));

    let pack = shared_bulk(1);
    let pages = pack.code_pages();
    let find = |task: &mut Task<'_>| pack.find("x#1/7", &pages, task).map(drop);
    assert_eq!(code(with_steps(all, find).0), Err("SP011"));
    // Each asset has the same 1000 bulk chunks; one of them has that number.
    let find = |task: &mut Task<'_>| pack.find("x#1/7", &pages, task);
    let (found, _) = with_steps(u64::MAX, find);
    assert_eq!(found.expect("enough steps").len(), 1000);
    let info = |task: &mut Task<'_>| finish(pack.info(task, &mut Ignore));
    assert_eq!(code(with_steps(all, info).0), Err("SP011"), "it looks at every sub-index");
}

#[test]
fn look_up_tables_are_charged_once_and_kept() {
    let file = samples::pack().build();
    let pack = open_sound(&file.bytes);
    let pages = pack.code_pages();
    let ((), _) = with_task(file.bytes.len(), |task| {
        let before = task.budget.left().memory;
        let walk = |task: &mut Task<'_>| {
            finish(pack.children(Of::Listing, &pages, task, &mut |_, _| Ok(())))
                .expect("a listing");
            before - task.budget.left().memory
        };
        let assets = pack.index().entries().len() as u64;
        assert_eq!(walk(task), 8 * assets, "the chained ids");
        assert_eq!(walk(task), 8 * assets);
        pack.find("textures/bark", &pages, task).expect("tables in memory");
        assert_eq!(walk(task), (8 + 8) * assets + 8, "the chained names and one node");
    });
    // What the callback takes is not the listing's to give back.
    let ((), _) = with_task(file.bytes.len(), |task| {
        pack.by_id(&[0; 16], &mut task.budget).expect("tables in memory");
        for (of, entries) in [(Of::Listing, pack.index().entries().len()), (Of::Node(Node(0)), 5)] {
            let before = task.budget.left().memory;
            let mut handed = 0;
            let take = &mut |_: &Entry<'_>, task: &mut Task<'_>| -> Walked {
                handed += 1;
                Ok(task.budget.memory(10)?)
            };
            finish(pack.children(of, &pages, task, take)).expect("a listing");
            assert_eq!(handed, entries);
            assert_eq!(before - task.budget.left().memory, 10 * entries as u64);
        }
    });
    // Nothing is made that the budget does not agree to.
    let pack = open_sound(&file.bytes);
    let mut sink = Strict;
    let limits = Limits { memory: 10, ..Limits::for_len(0) };
    let mut task = Task::new(Budget::new(limits), &mut sink);
    let error = pack.find("textures/bark", &pages, &mut task).unwrap_err();
    assert_eq!(error.code().id, "SP010");
}

#[test]
fn damage_met_while_listing_is_reported_and_all_entries_are_handed_out() {
    let mut file = samples::pack().build();
    file.poke("index[0].tables.entries[1].bulk_first", &[0xff; 4]);
    made::rehash(&mut file);
    let (pack, _) = open(&file.bytes);
    let pack = pack.expect("it opens");
    let pages = pack.code_pages();
    for (of, handed, found) in [
        (Of::Listing, pack.index().entries().len(), &[codes::BULK_RANGE.id][..]),
        (Of::Root, pack.index().entries().len(), &[]),
        (Of::Node(Node(1)), 0, &[codes::BULK_RANGE.id]),
    ] {
        let (entries, sink) = listed(&pack, of, &pages);
        assert_eq!(entries.len(), handed);
        let ids = codes(&sink);
        assert_eq!(ids, found);
    }
}

#[test]
fn a_chosen_ratio_holds_for_every_codec() {
    let mut pack = made::Pack::default();
    for (n, codec) in [Codec::NONE, Codec::LZ4, Codec::ZSTD].into_iter().enumerate() {
        let (id, name, data) = ([n as u8; 16], vec![b'a' + n as u8], vec![7; 100_000]);
        pack.assets.push(Asset { id, name, codec, data, ..Asset::default() });
    }
    let file = pack.build();
    let pack = open_sound(&file.bytes);
    let run = |ratio: u32| {
        let mut sink = Collect::default();
        let limits = Limits { ratio, ..Limits::for_len(file.bytes.len() as u64) };
        let mut task = Task::new(Budget::new(limits), &mut sink);
        let read = [0, 1, 2].map(|row| pack.payload(row, &mut task).map_err(|e| e.code().id).err());
        pack.verify(&mut task).expect("every chunk has its turn");
        let found = codes(&sink);
        (read, found)
    };
    assert_eq!(run(2), ([None, Some("SP013"), Some("SP013")], vec!["SP013", "SP013"]));
    assert_eq!(run(u32::MAX), ([None; 3], vec![]));
}

#[test]
fn verifying_ends_when_the_steps_are_used_up() {
    let file = samples::pack().build();
    let pack = open_sound(&file.bytes);
    let mut ended = 0;
    for steps in 0..2000 {
        let (result, sink) = with_steps(steps, |task| pack.verify(task));
        let Err(error) = result else { continue };
        assert_eq!(error.code().id, "SP011");
        assert_none(&sink);
        ended += 1;
    }
    assert!((50..2000).contains(&ended), "{ended}");

    // More memory than is allowed is a finding of the chunk that needs it.
    let mut pack = made::Pack::default();
    for (id, data) in [([1; 16], vec![7; 100_000]), ([2; 16], vec![7; 100])] {
        let name = vec![b'a' + id[0]];
        pack.assets.push(Asset { id, name, codec: Codec::LZ4, data, ..Asset::default() });
    }
    let mut file = pack.build();
    file.poke("chunks[1].hash_hi", &[0; 8]);
    let pack = open_sound(&file.bytes);
    let mut sink = Collect::default();
    let limits = Limits { memory: 50_000, ..Limits::for_len(file.bytes.len() as u64) };
    let mut task = Task::new(Budget::new(limits), &mut sink);
    pack.verify(&mut task).expect("the other chunk is checked");
    let found = codes(&sink);
    assert_eq!(found, ["SP010", codes::ENTRY_HASH.id, codes::PAYLOAD_HASH.id]);
}

#[test]
fn chunks_are_as_large_as_is_asked_for_at_the_most() {
    use snpak::{
        Builder, Compression,
        build::{Asset, Options, Payload, name_id},
        edit::compact,
    };
    let plain = b"bark ".repeat(100);
    let pack = |compression: Compression, block_limit: Option<u64>| {
        let payload = Payload::new(plain.clone(), snpak::Codec::new(compression));
        let asset = Asset::new(name_id(b"bark", None), "bark", payload);
        Builder::new()
            .asset(asset)
            .options(Options { block_limit, ..Options::default() })
            .to_bytes()
    };
    let refused = |error: spelunk_core::Error| {
        assert_eq!(error.code().id, codes::CHUNK_LIMIT.id);
        assert!(error.to_string().contains("at most 499 bytes, found 500"), "{error}");
    };
    for compression in [Compression::NONE, Compression::ZSTD] {
        let bytes = pack(compression, None).unwrap();
        assert_eq!(pack(compression, Some(500)).unwrap(), bytes);
        // Plain bytes count too, and a larger limit than that of the format is that of the format.
        refused(pack(compression, Some(499)).unwrap_err());
        assert_eq!(pack(compression, Some(u64::MAX)).unwrap(), bytes);
        // What is copied into another pack is written as well.
        let opened = open_sound(&bytes);
        let copied = |block_limit: Option<u64>| {
            let mut out = std::io::Cursor::new(Vec::new());
            let options = Options { block_limit, ..Options::default() };
            let written =
                with_task(bytes.len(), |task| compact(&opened, &mut out, options, task)).0;
            written.map(|_| out.into_inner())
        };
        assert_eq!(copied(Some(500)).unwrap(), bytes);
        refused(copied(Some(499)).unwrap_err());
    }
}
