//! The tables of the dialect `spec`: all thirteen categories, and the code pages of their texts.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::common::{assert_round_trip, opened};
use spellforce::{
    cff::Chunks,
    gamedata::{
        Asked, Schema, profile,
        schema::{SpecSpell, Spell},
    },
};
use spelunk_core::{
    Bytes, Change, Collect, Container, Node, Of, Severity, Task, Val,
    text::CodePages,
    walk::{Flat, finish},
};
use spelunk_fixtures::{
    cff::{CffChunk, blob},
    spec,
};
use test_support::{
    entries::{bytes_of, find, list, verify, write},
    fields::{info, value},
    findings::codes,
    laws::{assert_covered, assert_paths_lead_back},
    task::budget,
};

fn one(container: &dyn Container, path: &str) -> Node {
    let found = find(container, path);
    let [node] = found[..] else { panic!("{path}: {found:?}") };
    node
}

fn shown(container: &dyn Container, path: &str, field: &str) -> Val<'static> {
    let mut sink = Collect::default();
    let mut flat = Flat::default();
    let mut task = Task::new(budget(1 << 16), &mut sink);
    finish(container.walk(one(container, path), &mut task, &mut flat)).unwrap();
    value(&flat.fields, field)
}

/// Applies a change; gives the code of what is refused.
fn apply(container: &mut dyn Container, change: Change<'_>) -> Result<(), &'static str> {
    let mut sink = Collect::default();
    let mut task = Task::new(budget(1 << 18), &mut sink);
    let edit = container.edit().expect("a file that can be edited");
    let made = edit.apply(&[change], &CodePages::cp1252(), &mut task);
    made.map(drop).map_err(|refused| refused.error.code().id)
}

fn set(
    container: &mut dyn Container,
    path: &str,
    field: &str,
    to: &str,
) -> Result<(), &'static str> {
    let node = one(container, path);
    let value = Val::Str(to.to_owned().into());
    apply(container, Change::Set { node, path: field, value, with_children: false })
}

fn insert(container: &mut dyn Container, table: &str, key: &str) -> Result<(), &'static str> {
    let table = container.edit().unwrap().table(table).expect("a table");
    let key = [Val::Bytes(Bytes::copy_from_slice(key.as_bytes()).to_vec().into())];
    apply(container, Change::Insert { table, key: &key, bytes: None })
}

fn saved(container: &dyn Container) -> Vec<u8> {
    let (bytes, sink) = write(container, false);
    assert!(sink.findings.is_empty(), "{:?}", sink.findings);
    let (again, sink) = opened(&bytes);
    assert!(sink.findings.is_empty(), "{:?}", sink.findings);
    assert_round_trip(again.as_ref(), &bytes);
    assert_covered(again.as_ref(), &bytes);
    bytes
}

#[test]
fn all_thirteen_categories_have_rows_with_keys() {
    let bytes = spec::gamedata().bytes;
    let (container, sink) = opened(&bytes);
    assert!(sink.findings.is_empty(), "{:?}", sink.findings);
    let container = container.as_ref();
    let rows = list(container, Of::Listing);
    let sizes: Vec<_> = rows.iter().map(|row| (&*row.path, row.get("row_size").clone())).collect();
    let expected = spec::CATEGORIES.map(|(id, _, size)| (id.to_string(), Val::U(size as u64)));
    assert!(
        sizes.iter().map(|(path, size)| (*path, size)).eq(expected.iter().map(|(p, s)| (&**p, s)))
    );
    let counts: Vec<_> = rows.iter().map(|row| row.get("rows").to_string()).collect();
    assert_eq!(counts.join(" "), "4 3 3 3 3 4 4 3 4 3 3 2 1");
    assert_eq!(value(&info(container), "rows"), Val::U(40));
    // Ids lead to rows, those that several share to all of them.
    assert_eq!(bytes_of(container, one(container, "2001/123")).unwrap()[..2], [123, 0]);
    assert_eq!(shown(container, "units/5", "id"), Val::U(5));
    assert_eq!(find(container, "2001/5").len(), 2);
    let twice = list(container, Of::Node(one(container, "2001")));
    let paths: Vec<_> = twice.iter().map(|row| &*row.path).collect();
    assert_eq!(paths, ["2001/1", "2001/5@0", "2001/5@1", "2001/123"]);
    let rest: Vec<u8> = (0..14).map(|n| 62 + n).collect();
    assert_eq!(shown(container, "2001/5@1", "rest"), Val::Bytes(rest.into()));
    assert_eq!(shown(container, "weapon_materials/1", "name_id"), Val::U(7));
    assert_round_trip(container, &bytes);
    assert_covered(container, &bytes);
    assert_paths_lead_back(container);
    // Nothing is wrong with it but ids that its references miss.
    let found = verify(container);
    let told: Vec<_> =
        found.findings.iter().map(|it| (it.error.code().id, it.error.path())).collect();
    assert_eq!(told, [] as [(&str, String); 0]);
}

#[test]
fn rows_of_each_are_changed_added_and_removed() {
    let bytes = spec::gamedata().bytes;
    for (id, _, size) in
        spec::CATEGORIES.into_iter().filter(|(id, ..)| !matches!(id, 2015 | 2016 | 2064))
    {
        let (mut container, _) = opened(&bytes);
        let container = container.as_mut();
        let new = "5a".repeat(size - 2);
        set(container, &format!("{id}/1"), "rest", &new).unwrap();
        let edited = saved(container);
        assert_eq!(edited.len(), bytes.len());
        let same = edited.iter().zip(&bytes).filter(|(a, b)| a != b).count();
        assert!(same <= size - 2, "{id}: nothing but the field");
        let again = shown(container, &format!("{id}/1"), "rest");
        assert_eq!(again, Val::Bytes(vec![0x5a; size - 2].into()));
        assert_eq!(set(container, &format!("{id}/1"), "rest", "5a"), Err("SP043"), "{id}");
        insert(container, &id.to_string(), "77").unwrap();
        assert_eq!(saved(container).len(), bytes.len() + size);
        assert_eq!(
            shown(container, &format!("{id}/77"), "rest"),
            Val::Bytes(vec![0; size - 2].into())
        );
        let nodes = [one(container, &format!("{id}/77"))];
        apply(container, Change::Remove { nodes: &nodes, lossy: false }).unwrap();
        assert_eq!(saved(container), edited);
    }
    // An id of one row is taken; one that rows share is not.
    let (mut container, _) = opened(&bytes);
    assert_eq!(insert(container.as_mut(), "spells", "5"), Err("GD024"));
    insert(container.as_mut(), "item_ui", "5").unwrap();
    assert_eq!(find(container.as_ref(), "item_ui/5").len(), 3);
}

#[test]
fn sizes_and_data_types_are_checked() {
    for (id, data_type, size) in spec::CATEGORIES {
        let row = vec![0; size];
        for (told_type, len) in [(data_type, 3 * size + 1), (5 - data_type, size)] {
            let data: Vec<u8> = row.iter().copied().cycle().take(len).collect();
            let fixture = spec::cff(0, &[CffChunk::raw(id, told_type, blob(&data))]);
            let (container, _) = opened(&fixture.bytes);
            assert_covered(container.as_ref(), &fixture.bytes);
            let found = verify(container.as_ref());
            let [finding] = &found.findings[..] else {
                let structural: Vec<_> =
                    codes(&found).into_iter().filter(|code| code.starts_with("CF")).collect();
                assert_eq!(structural.len(), 1, "{id}: {:?}", codes(&found));
                continue;
            };
            let (error, place) = (&finding.error, finding.error.place().unwrap());
            if told_type == data_type {
                assert_eq!((error.code().id, finding.severity), ("CF011", Severity::Error));
                assert_eq!(place.start as usize, fixture.bytes.len() - 1, "{id}");
            } else {
                assert_eq!((error.code().id, finding.severity), ("CF010", Severity::Warning));
                assert_eq!(place.start as usize, fixture.offset_of("chunks[0].data_type"));
                assert_eq!(error.path(), "chunks[0].data_type");
            }
        }
    }
    // The example of a chunk of 50 bytes.
    let bytes = spec::cff(0, &[CffChunk::raw(2001, 3, blob(&[7; 50]))]).bytes;
    let (container, _) = opened(&bytes);
    let found = verify(container.as_ref());
    let finding = found.findings.iter().find(|it| it.error.code().id == "CF011").unwrap();
    assert_eq!(finding.error.to_string().matches("2 bytes behind row 3").count(), 1);
}

#[test]
fn texts_are_in_the_code_page_of_their_language() {
    let bytes = spec::gamedata().bytes;
    let (mut container, _) = opened(&bytes);
    let content =
        |container: &dyn Container, path: &str| shown(container, path, "content").to_string();
    assert_eq!(content(container.as_ref(), "2016/7/1"), "Schl\u{fc}ssel");
    assert_eq!(content(container.as_ref(), "2016/7/5"), "Страж");
    assert_eq!(content(container.as_ref(), "2016/7/6"), "Mieczyk żółty");
    let fields = info(container.as_ref());
    for (nth, (slot, page)) in
        [(0, "windows-1252"), (1, "windows-1252"), (5, "windows-1251"), (6, "windows-1250")]
            .into_iter()
            .enumerate()
    {
        assert_eq!(value(&fields, &format!("languages[{nth}].slot")), Val::U(slot));
        assert_eq!(value(&fields, &format!("languages[{nth}].code_page")), Val::Str(page.into()));
        assert_eq!(
            value(&fields, &format!("languages[{nth}].chosen_by")),
            Val::Str("profile".into())
        );
    }
    // Set in the same one, and refused where that lacks a letter.
    set(container.as_mut(), "2016/7/5", "content", "Меч").unwrap();
    set(container.as_mut(), "2016/7/6", "content", "żółw").unwrap();
    assert_eq!(set(container.as_mut(), "2016/7/1", "content", "Меч"), Err("GD022"));
    assert_eq!(
        &bytes_of(container.as_ref(), one(container.as_ref(), "2016/7/5")).unwrap()[54..58],
        b"\xcc\xe5\xf7\0"
    );
    let edited = saved(container.as_ref());
    let (again, _) = opened(&edited);
    assert_eq!(content(again.as_ref(), "2016/7/6"), "żółw");
    // A language that it does not list is Western, whatever the bytes look like.
    let row = spec::text(1, 9, b"", spec::GUARD);
    let bytes = spec::cff(0, &[CffChunk::raw(2016, 3, blob(&row))]).bytes;
    let (container, _) = opened(&bytes);
    assert_eq!(content(container.as_ref(), "2016/1/9"), "Ñòðàæ");
    // What is asked for comes first.
    let (container, _) = opened(&bytes);
    let gamedata = container.model::<Chunks>().unwrap().gamedata().unwrap();
    gamedata.ask(Asked {
        slots: vec![(9, CodePages::from_labels("windows-1251").unwrap())],
        ..Asked::default()
    });
    assert_eq!(content(container.as_ref(), "2016/1/9"), "Страж");
    let other = profile("vanilla-1.54-ru");
    let (container, _) = opened(&spec::gamedata().bytes);
    let gamedata = container.model::<Chunks>().unwrap().gamedata().unwrap();
    gamedata.ask(Asked { profile: other, ..Asked::default() });
    assert_eq!(content(container.as_ref(), "2016/7/1"), "Schlьssel");
}

#[test]
fn texts_may_fill_their_fields() {
    let bytes = spec::gamedata().bytes;
    let (mut container, _) = opened(&bytes);
    assert_eq!(shown(container.as_ref(), "2016/9/0", "content").to_string(), "c".repeat(512));
    set(container.as_mut(), "2016/7/5", "content", &"Ж".repeat(512)).unwrap();
    set(container.as_mut(), "2016/7/5", "handle", &"x".repeat(50)).unwrap();
    let row = bytes_of(container.as_ref(), one(container.as_ref(), "2016/7/5")).unwrap();
    assert_eq!(row[54..], [0xc6; 512]);
    assert_eq!(set(container.as_mut(), "2016/7/5", "content", &"Ж".repeat(513)), Err("GD021"));
    assert_eq!(set(container.as_mut(), "2016/7/5", "handle", &"x".repeat(51)), Err("GD021"));
    let edited = saved(container.as_ref());
    let (again, _) = opened(&edited);
    assert_eq!(shown(again.as_ref(), "2016/7/5", "content").to_string(), "Ж".repeat(512));
    assert!(verify(again.as_ref()).findings.is_empty());
    // Real files keep a byte for the NUL.
    let (mut real, _) = opened(&spelunk_fixtures::samples::gamedata().build().bytes);
    let text = list(real.as_ref(), Of::Node(one(real.as_ref(), "texts")))[0].path.clone();
    assert_eq!(set(real.as_mut(), &text, "content", &"x".repeat(512)), Err("GD021"));
    set(real.as_mut(), &text, "content", &"x".repeat(511)).unwrap();
}

#[test]
fn tables_know_their_form() {
    let (container, _) = opened(&spec::gamedata().bytes);
    let gamedata = container.model::<Chunks>().unwrap().gamedata().unwrap();
    assert_eq!(gamedata.schema(), Schema::Spec);
    assert_eq!(gamedata.categories().count(), 13);
    let mut budget = budget(1 << 16);
    let table = gamedata.tables(2002, &mut budget).unwrap()[0];
    assert!(table.typed::<Spell>().is_none(), "rows of another layout");
    assert_eq!(table.typed::<SpecSpell>().unwrap()[1].id.get(), 5);
}
