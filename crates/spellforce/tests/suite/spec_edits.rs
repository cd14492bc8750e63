//! Editing files of the dialect `spec`: they stay of their form, and everything that is not edited keeps its bytes.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::common::{assert_round_trip, opened};
use spellforce::cff::{Chunks, Form};
use spelunk_core::{
    Bytes, Change, Changed, Collect, Container, Node, Of, Task, Val, text::CodePages,
};
use spelunk_fixtures::{
    Asm,
    cff::{CffChunk, blob},
    samples, spec,
};
use test_support::{
    entries::{bytes_of, find, list, verify, write},
    fields::value,
    findings::codes,
    laws::{assert_covered, assert_paths_lead_back},
    task::budget,
};

fn sample(name: &str) -> Vec<u8> {
    samples().into_iter().find(|sample| sample.name == name).unwrap().fixture.bytes
}

fn one(container: &dyn Container, path: &str) -> Node {
    let [node] = find(container, path)[..] else { panic!("{path}") };
    node
}

/// Applies a batch; gives what it added, or the code of what is refused.
fn apply(
    container: &mut dyn Container,
    changes: &[Change<'_>],
) -> Result<Vec<Changed>, &'static str> {
    let mut sink = Collect::default();
    let mut task = Task::new(budget(1 << 16), &mut sink);
    let edit = container.edit().expect("a file that can be edited");
    edit.apply(changes, &CodePages::cp1252(), &mut task).map_err(|refused| refused.error.code().id)
}

fn set<'c>(node: Node, path: &'c str, value: &'c str) -> Change<'c> {
    Change::Set { node, path, value: Val::Str(value.into()), with_children: false }
}

/// The written form of an edited file, which opens in the same form.
fn saved(container: &dyn Container) -> Vec<u8> {
    let (bytes, sink) = write(container, false);
    assert!(sink.findings.is_empty(), "{:?}", sink.findings);
    let (again, sink) = opened(&bytes);
    assert!(sink.findings.is_empty(), "{:?}", sink.findings);
    let form = |container: &dyn Container| container.model::<Chunks>().map(|of| of.file().form());
    assert_eq!(form(again.as_ref()), form(container));
    assert_round_trip(again.as_ref(), &bytes);
    assert_covered(again.as_ref(), &bytes);
    assert_paths_lead_back(again.as_ref());
    bytes
}

fn shown(container: &dyn Container, path: &str, field: &str, bytes: &[u8]) -> Val<'static> {
    let mut sink = Collect::default();
    let mut flat = spelunk_core::walk::Flat::default();
    let node = one(container, path);
    let mut task = Task::new(budget(bytes.len()), &mut sink);
    spelunk_core::walk::finish(container.walk(node, &mut task, &mut flat)).unwrap();
    value(&flat.fields, field)
}

#[test]
fn rows_are_set_added_renamed_and_removed_by_key() {
    let bytes = sample("weapons-spec.cff");
    let (mut container, _) = opened(&bytes);
    let weapons = list(container.as_ref(), Of::Node(one(container.as_ref(), "weapons")));
    assert_eq!(weapons[0].path, "2015/123");
    let (node, table) = (weapons[0].node, container.edit().unwrap().table("weapons").unwrap());
    apply(container.as_mut(), &[set(node, "min_damage", "4711")]).unwrap();
    let edited = saved(container.as_ref());
    let differ: Vec<_> = (0..bytes.len()).filter(|n| bytes[*n] != edited[*n]).collect();
    assert_eq!(edited.len(), bytes.len());
    assert_eq!(differ, [0x21, 0x22], "nothing but the field");
    let key = [Val::Bytes(b"9000".as_slice().into())];
    let added =
        apply(container.as_mut(), &[Change::Insert { table, key: &key, bytes: None }]).unwrap();
    apply(container.as_mut(), &[set(added[0].added.unwrap(), "max_damage", "7")]).unwrap();
    let edited = saved(container.as_ref());
    assert_eq!(edited.len(), bytes.len() + 16);
    assert_eq!(shown(container.as_ref(), "2015/9000", "max_damage", &edited), Val::U(7));
    let node = one(container.as_ref(), "2015/123");
    apply(container.as_mut(), &[Change::Rename { node, name: b"124" }]).unwrap();
    assert_eq!(shown(container.as_ref(), "2015/124", "min_damage", &edited), Val::U(4711));
    let nodes = [one(container.as_ref(), "2015/9000")];
    apply(container.as_mut(), &[Change::Remove { nodes: &nodes, lossy: false }]).unwrap();
    assert_eq!(saved(container.as_ref()).len(), bytes.len());
    // Texts, which are packed there.
    let texts = list(container.as_ref(), Of::Node(one(container.as_ref(), "texts")));
    apply(container.as_mut(), &[set(texts[0].node, "content", "Schl\u{fc}ssel")]).unwrap();
    let edited = saved(container.as_ref());
    let (again, _) = opened(&edited);
    let content = shown(again.as_ref(), &texts[0].path, "content", &edited);
    assert_eq!(content, Val::Str("Schl\u{fc}ssel".into()));
}

#[test]
fn records_and_cells_of_maps_are_edited() {
    let bytes = sample("valley-spec.map");
    let (mut container, _) = opened(&bytes);
    let (unit, heights) = (one(container.as_ref(), "units[1]"), one(container.as_ref(), "heights"));
    let table = container.edit().unwrap().table("units").unwrap();
    let end = [Val::Bytes(b"end".as_slice().into())];
    let insert = Change::Insert { table, key: &end, bytes: None };
    apply(container.as_mut(), &[set(unit, "x", "2.25"), set(heights, "7,1", "999"), insert])
        .unwrap();
    let edited = saved(container.as_ref());
    let container = container.as_mut();
    assert_eq!(shown(container, "4[1]", "x", &edited), Val::F(2.25));
    assert_eq!(shown(container, "2", "heights[15]", &edited), Val::U(999));
    assert_eq!(shown(container, "4[2]", "id", &edited), Val::U(0));
    let heights = one(container, "2");
    assert_eq!(apply(container, &[set(heights, "8,0", "1")]), Err("GD020"));
    // A list that the map lacks gets a chunk at its place.
    let table = container.edit().unwrap().table("objects").unwrap();
    let long = Bytes::from(vec![7; 21]);
    apply(container, &[Change::Insert { table, key: &end, bytes: Some(long.clone()) }]).unwrap();
    assert_eq!(bytes_of(container, one(container, "objects[0]")).unwrap(), long);
    saved(container);
    let nodes: Vec<_> = (0..3).map(|n| one(container, &format!("units[{n}]"))).collect();
    apply(container, &[Change::Remove { nodes: &nodes, lossy: false }]).unwrap();
    saved(container);
    let units = one(container, "units");
    assert_eq!(bytes_of(container, units).unwrap(), [0; 4].as_slice(), "an empty list");
}

#[test]
fn records_that_would_be_read_otherwise_are_refused() {
    let mut units = Asm::new();
    units.u32("count", 2).bytes("records", &[5; 2 * 20 + 1]);
    let bytes = spec::cff(1, &[CffChunk::raw(4, 1, units.finish())]).bytes;
    let (mut container, _) = opened(&bytes);
    let container = container.as_mut();
    let unit = one(container, "4[0]");
    assert_eq!(bytes_of(container, unit).unwrap().len(), 20);
    let remove = Change::Remove { nodes: &[unit], lossy: false };
    assert_eq!(apply(container, &[remove]), Err("GD020"), "the byte behind would be a share");
    apply(container, &[set(unit, "id", "9")]).unwrap();
    let edited = saved(container);
    assert_eq!(edited[bytes.len() - 1], 5);
    // Without its last chunk the file would be read as a real one.
    let chunk = one(container, "4");
    let remove = Change::Remove { nodes: &[chunk], lossy: false };
    assert_eq!(apply(container, &[remove]), Err("CF004"));
    assert_eq!(saved(container), edited);
}

#[test]
fn chunks_with_headers_of_the_dump_keep_them() {
    let mut bytes = vec![0x12, 0x5e, 0x5e, 0xdd, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    bytes.extend([0xdf, 7, 0, 0, 0, 2, 0, 32, 0, 0]);
    (0..32).for_each(|n| bytes.push(n));
    let (mut container, _) = opened(&bytes);
    let container = container.as_mut();
    assert_eq!(container.model::<Chunks>().unwrap().file().form(), Form::SpecDump);
    let row = one(container, "2015[1]");
    apply(container, &[set(row, "max_range", "40")]).unwrap();
    let edited = saved(container);
    assert_eq!((edited.len(), edited[20 + 10 + 16 + 8]), (bytes.len(), 40));
    // Three bytes count up to 16 MiB.
    let node = one(container, "2015");
    let long = Bytes::from(vec![1; 1 << 24]);
    let change = Change::SetBytes { node, bytes: long };
    assert_eq!(apply(container, &[change]), Err("SP002"));
    assert_eq!(saved(container), edited);
}

#[test]
fn chunks_are_replaced_and_a_batch_is_whole_or_nothing() {
    let chunks = [CffChunk::raw(2001, 3, blob(b"abc")), CffChunk::packed(2029, 2, blob(b"wood"))];
    let bytes = spec::cff(3, &chunks).bytes;
    let (mut container, _) = opened(&bytes);
    let container = container.as_mut();
    let (first, second) = (one(container, "2001"), one(container, "2029"));
    let stone = Change::SetBytes { node: second, bytes: Bytes::from_static(b"stone") };
    let wrong = [stone.clone(), set(first, "nothing", "1")];
    assert!(apply(container, &wrong).is_err());
    assert_eq!(saved(container), bytes);
    apply(container, &[stone]).unwrap();
    saved(container);
    assert_eq!(bytes_of(container, one(container, "2029")).unwrap(), b"stone".as_slice());
    apply(container, &[Change::Remove { nodes: &[first], lossy: false }]).unwrap();
    assert_eq!(list(container, Of::Listing).len(), 1);
    saved(container);
}

/// Plain content of every file of an archive, by path.
fn contents(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let (container, sink) = opened(bytes);
    assert!(sink.findings.is_empty(), "{:?}", sink.findings);
    let rows = list(container.as_ref(), Of::Listing);
    let content = |node| bytes_of(container.as_ref(), node).unwrap().to_vec();
    rows.into_iter().map(|row| (row.path, content(row.node))).collect()
}

#[test]
fn files_of_archives_are_replaced_renamed_added_and_removed() {
    let bytes = sample("archive-spec.pak");
    let old = contents(&bytes);
    let (mut container, _) = opened(&bytes);
    let container = container.as_mut();
    let (bark, script) = (one(container, "texture/bark.dds"), one(container, "script/n1.lua"));
    let lua = Bytes::from(b"print(2)\r\n".repeat(9));
    apply(container, &[Change::SetBytes { node: script, bytes: lua.clone() }]).unwrap();
    let edited = saved(container);
    assert_eq!(contents(&edited), [old[0].clone(), (old[1].0.clone(), lua.to_vec())]);
    let packed = list(container, Of::Listing);
    assert!(packed[1].get("compression") == &Val::U(1) && edited.len() < bytes.len() + lua.len());
    // Paths keep their letters and need no folder.
    let table = container.edit().unwrap().table("file").unwrap();
    let key = [Val::Bytes(b"README".as_slice().into())];
    let changes = [
        Change::Rename { node: bark, name: b"Texture/Bark2.dds" },
        Change::Insert { table, key: &key, bytes: Some(Bytes::from_static(b"hello")) },
        Change::Remove { nodes: &[script], lossy: false },
    ];
    let changed = apply(container, &changes).unwrap();
    let added = changed[1].added.unwrap();
    assert_eq!(bytes_of(container, added).unwrap(), b"hello".as_slice());
    let edited = saved(container);
    let expected = [("Texture/Bark2.dds", b"DDS bark".as_slice()), ("README", b"hello")];
    let expected = expected.map(|(path, data)| (path.to_owned(), data.to_vec()));
    assert_eq!(contents(&edited), expected);
    assert!(verify(container).findings.is_empty());
    // A whole folder goes at once.
    let folder = one(container, "texture");
    let remove = Change::Remove { nodes: &[folder], lossy: false };
    apply(container, &[remove]).unwrap();
    assert_eq!(contents(&saved(container)), [("README".to_owned(), b"hello".to_vec())]);
    let insert = |key| Change::Insert { table, key, bytes: None };
    assert_eq!(apply(container, &[insert(&key)]).unwrap_err(), "PK016");
    let wrong = [Val::Bytes(b"a\0b".as_slice().into())];
    assert_eq!(apply(container, &[insert(&wrong)]).unwrap_err(), "PK015");
}

#[test]
fn an_edit_that_changes_nothing_gives_the_same_archive() {
    for name in ["archive-spec.pak", "weapons-spec.cff", "valley-spec.map"] {
        let bytes = sample(name);
        let (mut container, _) = opened(&bytes);
        apply(container.as_mut(), &[]).unwrap();
        assert_eq!(saved(container.as_ref()), bytes, "{name}");
    }
    let (mut cache, _) = opened(&sample("pakdata-spec.dat"));
    assert!(cache.edit().is_none(), "it is made anew and not edited");
}

#[test]
fn damaged_chunks_are_replaced_and_the_others_edited() {
    let weapon = [5; 16];
    let chunks = [CffChunk::packed(2015, 2, blob(&weapon)), CffChunk::raw(2015, 2, blob(&weapon))];
    let mut fixture = spec::cff(0, &chunks);
    fixture.poke("chunks[0].data", &[0x78, 0x9c, 0xff, 0xff]);
    let (mut container, sink) = opened(&fixture.bytes);
    assert_eq!(codes(&sink), ["SP003", "CF007"]);
    let container = container.as_mut();
    let damaged = find(container, "#0")[0];
    assert_eq!(list(container, Of::Node(damaged)), []);
    let row = one(container, "2015.0/1285");
    let weapon = Bytes::from_static(&[6; 16]);
    let replace = Change::SetBytes { node: damaged, bytes: weapon.clone() };
    apply(container, &[replace, set(row, "min_damage", "1")]).unwrap();
    let (edited, _) = write(container, false);
    let (again, sink) = opened(&edited);
    assert_eq!(codes(&sink), ["CF007"]);
    let first = find(again.as_ref(), "#0")[0];
    assert_eq!(bytes_of(again.as_ref(), first).unwrap(), weapon);
}
