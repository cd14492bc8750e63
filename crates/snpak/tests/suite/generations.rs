//! Generations of packs, one by one and merged.

use crate::common::{findings, open_sound};
use snpak::{Pack, codes, generations::Generation};
use spelunk_core::{
    Bytes, Container, Of, Revision, Severity, Source, Space,
    walk::{Flat, finish},
};
use spelunk_fixtures::{
    corpus, samples,
    snpak::{self as made, Append},
};
use std::sync::Arc;
use test_support::{
    entries::{find_with, listed, write},
    findings::codes,
    json,
    laws::assert_covered_despite_damage,
    task::with_task,
};

/// The pack at this generation, which has to be there.
fn at(pack: &Pack, which: Revision) -> Pack {
    let (view, sink) = with_task(pack.len() as usize, |task| pack.generation(which, task));
    assert!(!sink.has_errors(), "{:?}", sink.findings);
    view.expect("a generation")
}

fn generations(pack: &Pack) -> Vec<Generation> {
    with_task(pack.len() as usize, |task| pack.generations(task)).0.expect("generations")
}

/// Names of the assets, in their order.
fn names(pack: &Pack) -> Vec<String> {
    let name = |entry| pack.name(entry).map(|name| String::from_utf8_lossy(name).into_owned());
    pack.index().entries().iter().map(|entry| name(entry).unwrap_or_default()).collect()
}

fn ids(pack: &Pack) -> Vec<[u8; 16]> {
    pack.index().entries().iter().map(|entry| entry.asset_id.0).collect()
}

/// Every payload is there, and verifying finds no error.
fn assert_readable(pack: &Pack) {
    let len = pack.len() as usize;
    for row in 0..pack.index().entries().len() {
        with_task(len, |task| pack.payload(row, task)).0.expect("a payload");
        let entry = pack.entry(row).expect("an entry");
        for nth in 0..pack.bulk(entry).len() {
            with_task(len, |task| pack.bulk_payload(row, nth, task)).0.expect("a payload");
        }
    }
    let (verified, sink) = with_task(len, |task| pack.verify(task));
    verified.expect("verified");
    assert!(!sink.has_errors(), "{:?}", sink.findings);
    assert_covered_despite_damage(pack, "a pack");
}

/// The codes of severity warning that `info` reports, with what they found.
fn info_warnings(pack: &Pack) -> Vec<(&'static str, String)> {
    let (walked, sink) =
        with_task(pack.len() as usize, |task| pack.info(task, &mut Flat::default()));
    finish(walked).expect("a summary");
    let warnings = sink.findings.iter().filter(|found| found.severity == Severity::Warning);
    warnings.map(|found| (found.error.code().id, found.error.message())).collect()
}

#[test]
fn every_generation_of_real_packs_opens() {
    let Some(files) = corpus::files("snpak", &["snpak"]) else { return };
    let mut appended = 0;
    for file in files {
        let truth = corpus::text(&format!("snpak/{}", file.name.replace(".snpak", ".json")));
        let truth = json::truth(truth).expect("a truth file");
        let chain = truth["index_chain"].as_array().expect("a chain");
        let pack = open_sound(&file.bytes);
        let listed = generations(&pack);
        assert_eq!(listed.len(), chain.len(), "{}", file.name);
        // The truth tells the active index first.
        for (number, (says, is)) in (1..).zip(chain.iter().rev().zip(&listed)) {
            let view = at(&pack, Revision::Nth(number));
            assert!(view.has_names(), "{}", file.name);
            let entries = view.index().entries().len() as u64;
            let bulk = view.index().bulk().len() as u64;
            assert_eq!(says["entries"], entries, "{} {number}", file.name);
            assert_eq!(says["bulk"], bulk, "{} {number}", file.name);
            assert_eq!(says["offset"], view.index().at().start);
            assert_eq!(
                (is.number, u64::from(is.assets), u64::from(is.bulk)),
                (number, entries, bulk)
            );
            assert_readable(&view);
        }
        appended += usize::from(chain.len() > 1);
        // Merged, no id of any generation is missing or there twice.
        let merged = at(&pack, Revision::Merged);
        assert_readable(&merged);
        assert!(ids(&merged).starts_with(&ids(&pack)), "{}", file.name);
        for number in 1..=listed.len() as u32 {
            let older = at(&pack, Revision::Nth(number));
            for (id, name) in ids(&older).iter().zip(names(&older)) {
                let known = ids(&merged).iter().filter(|known| *known == id).count();
                let twice = ids(&pack).iter().filter(|known| *known == id).count();
                assert_eq!(known, twice.max(1), "{}: {name}", file.name);
            }
        }
    }
    assert_eq!(appended, 4);
}

#[test]
fn real_delta_packs_are_whole_when_merged() {
    let Some(files) = corpus::files("snpak", &["snpak"]) else { return };
    let open = |name: &str| {
        open_sound(&files.iter().find(|file| file.name == name).expect("a pack").bytes)
    };
    let delta = open("old_05_append2_delta.snpak");
    let hidden =
        |pack: &Pack| at(pack, Revision::Merged).index().entries().len() - names(pack).len();
    let kinds = |pack: &Pack| {
        let is_delta = |is: &Generation| is.append == Some(snpak::chain::Append::Delta);
        generations(pack).iter().map(is_delta).collect::<Vec<_>>()
    };
    assert_eq!(kinds(&delta), [false, true, true]);
    let found = info_warnings(&delta);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0, codes::HIDDEN_ASSETS.id);
    assert!(found[0].1.contains(&format!("{} that are not there", hidden(&delta))), "{found:?}");
    // A complete append on top of delta appends does not bring back what they hide.
    let mixed = open("16_old_delta_then_new_append.snpak");
    assert_eq!(kinds(&mixed), [false, true, true, false]);
    assert!(hidden(&mixed) > 0);
    assert!(info_warnings(&mixed)[0].1.contains(&format!("{} that are", hidden(&mixed))));
    for name in ["11_append2.snpak", "15_old_then_new_append.snpak"] {
        let complete = open(name);
        assert_eq!((hidden(&complete), info_warnings(&complete)), (0, Vec::new()), "{name}");
        assert!(!kinds(&complete).contains(&true), "{name}");
    }
}

#[test]
fn a_view_shows_its_generation_and_carries_the_whole_file() {
    let file = samples::appended_pack().build();
    let pack = open_sound(&file.bytes);
    let first = at(&pack, Revision::Nth(1));
    assert_eq!(names(&first), names(&open_sound(&samples::pack().build().bytes)));
    assert_eq!(first.view(), Some(Revision::Nth(1)));
    assert_eq!(write(&first, false).0, file.bytes);
    let last = at(&pack, Revision::Nth(2));
    assert_eq!((names(&last), last.view()), (names(&pack), None));
    // From a view there is a way to every other one.
    assert_eq!(names(&at(&first, Revision::Nth(2))), names(&pack));
    for number in [0, 3, u32::MAX] {
        let (error, _) =
            with_task(file.bytes.len(), |task| pack.generation(Revision::Nth(number), task));
        let error = error.unwrap_err();
        assert_eq!(error.code().id, codes::NO_GENERATION.id);
        assert!(error.to_string().contains("1 to 2"), "{error}");
    }
}

#[test]
fn merged_rows_have_their_names_bulk_chunks_and_dependencies() {
    let base = samples::delta_pack();
    let file = base.build();
    let pack = open_sound(&file.bytes);
    let merged = at(&pack, Revision::Merged);
    assert_eq!(names(&pack), ["textures/moss"]);
    let mut wanted = vec!["textures/moss".to_owned()];
    wanted.extend(names(&at(&pack, Revision::Nth(1))));
    assert_eq!(names(&merged), wanted);
    assert_eq!(merged.index().at().space, Space::section("merged"));
    assert_readable(&merged);
    for (row, entry) in merged.index().entries().iter().enumerate() {
        let older = at(&pack, Revision::Nth(if row == 0 { 2 } else { 1 }));
        let row_there = row.saturating_sub(1);
        let there = older.entry(row_there).expect("the same asset");
        let sub = |pack: &Pack, entry| -> Vec<_> {
            pack.bulk(entry).iter().map(|bulk| (bulk.sub_index, bulk.chunk_offset)).collect()
        };
        assert_eq!(sub(&merged, entry), sub(&older, there));
        let needs = |pack: &Pack, row| -> Vec<_> {
            let name = |id| pack.strings().get(id).map(<[u8]>::to_vec);
            let needs = pack.dependencies(row).iter();
            needs.map(|needs| (needs.asset_id, name(needs.name_string_id.get()))).collect()
        };
        assert_eq!(needs(&merged, row), needs(&older, row_there));
    }
    let (assets, _) = listed(&merged, Of::Listing, &merged.code_pages());
    for (node, path) in assets {
        assert_eq!(find_with(&merged, &path, &merged.code_pages()), [node], "{path}");
    }
}

#[test]
fn assets_without_a_string_table_are_shown_by_position() {
    let mut file = samples::delta_pack().build();
    file.poke("strings[0].magic", b"XXXX");
    let pack = open_sound(&file.bytes);
    assert!(!generations(&pack)[0].named);
    for which in [Revision::Nth(1), Revision::Merged] {
        let (view, sink) = with_task(file.bytes.len(), |task| pack.generation(which, task));
        let found = codes(&sink);
        assert_eq!(found, [codes::CHAIN_STRINGS.id], "{which}");
        let view = view.expect("a generation");
        assert!(!view.has_names());
        let (assets, _) = listed(&view, Of::Listing, &view.code_pages());
        assert_eq!(assets.last().expect("an asset").1, format!("#{}", assets.len() - 1));
        assert_readable(&view);
    }
}

#[test]
fn what_was_removed_by_appending_is_not_hidden() {
    // The second generation lacks the first asset, and its string table touches its index.
    let mut pack = made::Pack { appends: Vec::new(), ..samples::delta_pack() };
    pack.assets.truncate(3);
    let whole = pack.build();
    let opened = open_sound(&whole.bytes);
    let bytes = without_first_asset(&whole.bytes, &opened);
    let removed = open_sound(&bytes);
    assert_eq!(names(&removed).len(), 2);
    assert_eq!(info_warnings(&removed), []);
    let kinds: Vec<_> = generations(&removed).iter().map(|is| is.append).collect();
    assert_eq!(kinds, [None, Some(snpak::chain::Append::Complete)]);
    assert_eq!(names(&at(&removed, Revision::Merged)).len(), 3);
    let found = findings(&bytes).expect("it opens");
    assert!(found.iter().all(|(id, _)| *id != codes::HIDDEN_ASSETS.id), "{found:?}");
}

#[test]
fn an_append_without_new_strings_goes_on_using_the_older_table() {
    let pack = made::Pack { appends: Vec::new(), ..samples::delta_pack() };
    let first = pack.build().bytes;
    let second = without_first_asset(&first, &open_sound(&first));
    let third = without_first_asset(&second, &open_sound(&second));
    let pack = open_sound(&third);
    let listed = generations(&pack);
    assert!(listed.iter().all(|is| is.named));
    let complete = Some(snpak::chain::Append::Complete);
    assert_eq!(listed.iter().map(|is| is.append).collect::<Vec<_>>(), [None, complete, complete]);
    let wanted = names(&at(&pack, Revision::Nth(1)));
    assert_eq!(names(&at(&pack, Revision::Nth(2))), wanted[1..]);
    assert_eq!(names(&at(&pack, Revision::Nth(3))), wanted[2..]);
    assert_eq!(names(&at(&pack, Revision::Merged)).len(), wanted.len());
    assert_eq!(info_warnings(&pack), []);
}

#[test]
fn a_damaged_generation_is_left_out() {
    let mut file = samples::appended_pack().build();
    file.poke("index[0].tables.dependencies[0].kind", &[9]);
    let pack = open_sound(&file.bytes);
    let listed: Vec<u32> = generations(&pack).iter().map(|is| is.number).collect();
    assert_eq!(listed, [2]);
    let (view, _) = with_task(file.bytes.len(), |task| pack.generation(Revision::Nth(1), task));
    assert_eq!(view.unwrap_err().code().id, codes::DEPENDENCY.id);
    let (merged, sink) =
        with_task(file.bytes.len(), |task| pack.generation(Revision::Merged, task));
    let found = codes(&sink);
    assert_eq!(
        (names(&merged.expect("the rest")), found),
        (names(&pack), vec![codes::DEPENDENCY.id])
    );
}

/// Appends an index without the first asset that goes on using the string table that is there.
fn without_first_asset(bytes: &[u8], pack: &Pack) -> Vec<u8> {
    let old = pack.index();
    let mut block = old.block().to_vec();
    let header = 88;
    block.drain(header..header + 128);
    let len = block.len() as u64;
    block[8..16].copy_from_slice(&len.to_le_bytes());
    block[16..20].copy_from_slice(&(old.entries().len() as u32 - 1).to_le_bytes());
    block[40..48].copy_from_slice(&old.at().start.to_le_bytes());
    block[48..56].copy_from_slice(&old.at().len.to_le_bytes());
    put_hash(&mut block, 24, header);
    let mut out = bytes.to_vec();
    let start = out.len() as u64;
    out.extend_from_slice(&block);
    let size = out.len() as u64;
    for (place, value) in
        [(20, size), (28, start), (36, len), (100, old.at().start), (108, old.at().len)]
    {
        out[place..place + 8].copy_from_slice(&value.to_le_bytes());
    }
    let [high, low] = made::hash128(&block);
    out[76..84].copy_from_slice(&high.to_le_bytes());
    out[84..92].copy_from_slice(&low.to_le_bytes());
    out
}

/// Stores the hash of everything from `from` on at `place`.
fn put_hash(block: &mut [u8], place: usize, from: usize) {
    let [high, low] = made::hash128(&block[from..]);
    block[place..place + 8].copy_from_slice(&high.to_le_bytes());
    block[place + 8..place + 16].copy_from_slice(&low.to_le_bytes());
}

#[test]
fn an_append_of_nothing_hides_everything() {
    let nothing =
        Append { generation: made::Generation::Seed, assets: Vec::new(), junk_before: Vec::new() };
    let base = made::Pack { appends: Vec::new(), ..samples::delta_pack() };
    let count = base.assets.len();
    let file = made::Pack { appends: vec![nothing], ..base }.build();
    let pack = open_sound(&file.bytes);
    assert!(pack.is_empty());
    let found = info_warnings(&pack);
    assert!(found[0].1.contains(&format!("{count} that are not there")), "{found:?}");
    assert_eq!(at(&pack, Revision::Merged).index().entries().len(), count);
}

#[test]
fn views_give_back_what_making_them_took() {
    let file = samples::delta_pack().build();
    let source: Arc<dyn Source> = Arc::new(Bytes::from(file.bytes.clone()));
    let (kept, _) = with_task(file.bytes.len(), |task| {
        let pack = Pack::read_from(source, task).expect("a pack");
        let before = task.budget.left().memory;
        let merged = pack.generation(Revision::Merged, task).expect("a generation");
        let blocks = merged.index().at().len + merged.strings().at().len;
        (before - task.budget.left().memory, blocks)
    });
    assert_eq!(kept.0, kept.1);
}
