//! Sound files that are small and hold long lists: whoever looks at these lists, prints them or makes something else of them
//! stays below what the size of the file allows, or ends with a limit. The allocator counts, so one test has the process at a
//! time; no clock decides.

use crate::ALLOCATOR;
use crate::common::opened;
use spelunk::{
    Bytes, Options, Source,
    compare::diff::{
        self,
        json::{DifferenceForm, lines},
    },
    compare::patch::AnyPatch,
    containers::pack::Origin,
    core::text::CodePages,
    core::walk::{Flat, finish},
    document,
    entries::find::{self, Pattern},
    models::export::{self, csv},
    models::import,
    tables::query::Query,
};
use spelunk_fixtures::{
    cff::{CffChunk, CffFile, V, table},
    hostile::virtools as hostile,
};
use std::sync::Arc;
use test_support::memory::{ALONE, outcome, within};

/// Files whose lists are hundreds of times what they are.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("a group", hostile::group_of_itself(1_000_000)),
        ("numbers", hostile::data_array(1, 400_000, &[7])),
        ("texts", hostile::data_array(3, 200_000, &[5, 0x4141_4141, 0])),
        ("objects", hostile::data_array(4, 400_000, &[0])),
        ("nothing known", hostile::unknown(8_000_000)),
        ("too much of that", hostile::unknown(12_000_000)),
    ]
}

fn of(bytes: &[u8]) -> Arc<dyn Source> {
    Arc::new(Bytes::copy_from_slice(bytes))
}

fn done_or_limit(what: &str, code: &str) {
    assert!(["done", "SP010", "SP011"].contains(&code), "{what}: {code}");
}

#[test]
fn long_lists_are_searched_and_shown_within_the_limit() {
    let _alone = ALONE.lock();
    for (what, bytes) in files() {
        let found = within(&ALLOCATOR, &format!("find {what}"), &[bytes.len()], || {
            let mut opened = opened(&bytes)?;
            let (pattern, pages) = (Pattern::new("zzz", false)?, opened.code_pages());
            let options = find::Options::default();
            opened.run(|container, task| {
                find::find(container, &pattern, options, &pages, task, &mut |_| Ok(()))
            })
        });
        done_or_limit(what, outcome(found));
        let shown = within(&ALLOCATOR, &format!("show {what}"), &[bytes.len()], || {
            let mut opened = opened(&bytes)?;
            let node = opened.run(|container, task| {
                container.find("#0", &spelunk::core::text::CodePages::cp1252(), task)
            })?[0];
            opened.run(|container, task| {
                task.keeping(|task, most| {
                    let mut flat = Flat::within(most);
                    (finish(container.walk(node, task, &mut flat)), flat.held())
                })
            })
        });
        done_or_limit(what, outcome(shown));
        let asked = within(&ALLOCATOR, &format!("query {what}"), &[bytes.len()], || {
            let mut opened = opened(&bytes)?;
            let mut query =
                Query::new(Some("SELECT count(field) FROM fields"), &Options::default());
            query.meet(&mut opened)?;
            query.prepare()?;
            query.fill("a", &mut opened)?;
            query.rows(&mut |_, _| Ok(())).map(drop)
        });
        done_or_limit(what, outcome(asked));
    }
}

#[test]
fn long_lists_are_exported_within_the_limit() {
    let _alone = ALONE.lock();
    for (what, bytes) in files() {
        let source = of(&bytes);
        let origin = Origin { source: &source, options: &Options::default() };
        let written = within(&ALLOCATOR, &format!("JSON of {what}"), &[bytes.len()], || {
            document::write(&origin, &mut std::io::sink())
        });
        done_or_limit(what, outcome(written));
        let folder = tempfile::tempdir().unwrap();
        let into = folder.path().join("out");
        let written = within(&ALLOCATOR, &format!("folder of {what}"), &[bytes.len()], || {
            document::folder::export(
                &origin,
                &into,
                &spelunk::core::replace::Existing::Refuse,
                false,
            )
        });
        assert_eq!(written.is_ok(), into.exists(), "{what}: what limits refuse is not begun");
        done_or_limit(what, outcome(written));
        let tables = within(&ALLOCATOR, &format!("tables of {what}"), &[bytes.len()], || {
            csv::export(&mut opened(&bytes)?, &export::Options::default())
        });
        assert!(["done", "SP010", "SP071"].contains(&outcome(tables)), "{what}");
    }
}

#[test]
fn long_lists_are_compared_within_the_limit() {
    let _alone = ALONE.lock();
    for count in [10_000, 200_000] {
        let [old, new] = [count, count + 1].map(hostile::group_of_itself);
        let sizes = [old.len(), new.len()];
        let compared = within(&ALLOCATOR, &format!("{count} compared"), &sizes, || {
            diff::diff(&mut opened(&old)?, &mut opened(&new)?, &diff::Options::default())
        });
        done_or_limit("diff", outcome(compared));
        let [old, new] = [of(&old), of(&new)];
        let options = Options::default();
        let patch = within(&ALLOCATOR, &format!("{count} patched"), &sizes, || {
            let [old, new] = [&old, &new].map(|source| Origin { source, options: &options });
            AnyPatch::between(&old, &new)?.text()
        });
        let code = outcome(patch);
        assert_eq!(code, if count > 100_000 { "SP010" } else { "done" });
    }
}

#[test]
fn rows_are_compared_and_told_within_the_limit() {
    let _alone = ALONE.lock();
    // The equipment of units: unit, slot, item.
    let gamedata = |count: u32, item: u16| {
        let row = |nth: u32| vec![V::H((nth / 4) as u16), V::B((nth % 4) as u8), V::H(item)];
        let rows: Vec<_> = (0..count).map(row).collect();
        let chunks = vec![CffChunk::packed(2025, 1, table("unit slot item", &rows))];
        CffFile { chunks, ..CffFile::default() }.build().bytes
    };
    for (count, code) in [(20_000, "done"), (200_000, "SP010")] {
        let files = [gamedata(count, 1), gamedata(count, 2)];
        let sizes = [files[0].len(), files[1].len()];
        let compared = within(&ALLOCATOR, &format!("{count} rows"), &sizes, || {
            let (mut old, mut new) = (opened(&files[0])?, opened(&files[1])?);
            let found = diff::diff(&mut old, &mut new, &diff::Options { max_items: 100_000 })?;
            let pages = old.code_pages();
            let how = DifferenceForm { pages: [&pages, &pages], file: None, for_people: false };
            lines(&found, how)
                .for_each(|line| serde_json::to_writer(std::io::sink(), &line).unwrap());
            assert_eq!(found.changes.len() as u32, count);
            Ok(())
        });
        assert_eq!(outcome(compared), code, "{count} rows");
    }
}

#[test]
fn long_lists_that_changed_are_written_without_a_value_for_each_item() {
    let _alone = ALONE.lock();
    let files = [7, 8].map(|cell| hostile::data_array(1, 20_000, &[cell]));
    let sizes = [files[0].len(), files[1].len()];
    for for_people in [false, true] {
        let found = within(&ALLOCATOR, "20000 items", &sizes, || {
            let (mut old, mut new) = (opened(&files[0]).unwrap(), opened(&files[1]).unwrap());
            diff::diff(&mut old, &mut new, &diff::Options { max_items: 100_000 }).unwrap()
        });
        let pages = CodePages::cp1252();
        let how = DifferenceForm { pages: [&pages, &pages], file: None, for_people };
        for line in lines(&found, how) {
            let write = || serde_json::to_writer(std::io::sink(), &line).unwrap();
            within(&ALLOCATOR, "written", &[0], write);
            let before = ALLOCATOR.current_usage();
            let value = serde_json::to_value(&line).unwrap();
            let held = (ALLOCATOR.current_usage() - before) as u64;
            assert!(held <= line.held(), "{held} bytes where the line tells {}", line.held());
            assert!(held > 16 << 20, "{held}: {}", value["change"]);
        }
    }
}

#[test]
fn models_are_imported_within_what_their_text_allows() {
    let _alone = ALONE.lock();
    let line = ["v 0 0 0\nf", &" 1".repeat(500_000)].concat();
    let nodes = |count: usize| {
        let nodes = vec!["{\"mesh\":0}"; count].join(",");
        let uri = format!("data:;base64,{}", "A".repeat(48));
        format!(
            "{{\"asset\":{{\"version\":\"2.0\"}},\"nodes\":[{nodes}],\
             \"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":0}}}}]}}],\
             \"buffers\":[{{\"byteLength\":36,\"uri\":\"{uri}\"}}],\
             \"bufferViews\":[{{\"buffer\":0,\"byteLength\":36}}],\
             \"accessors\":[{{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\
             \"min\":[0,0,0],\"max\":[0,0,0]}}]}}"
        )
    };
    for (name, text, code) in [
        ("a.obj", line, "done"),
        ("a.gltf", nodes(20_000), "done"),
        ("a.gltf", nodes(200_000), "SP010"),
        ("a.gltf", format!("{{\"asset\":{{}},\"nodes\":[{}0]}}", "0,".repeat(3_000_000)), "SP076"),
    ] {
        let source = Bytes::from(text.into_bytes());
        let imported = within(&ALLOCATOR, name, &[source.len()], || {
            import::import(&source, name, None, &import::Options::default(), &Options::default())
        });
        assert_eq!(outcome(imported), code, "{name} of {} bytes", source.len());
    }
}
