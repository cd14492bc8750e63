//! Maps of SpellForce 2: compared, patched and merged record by record.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::common::{
    merges::merged,
    open,
    patches::{apply, between, makes_each_of_the_other},
    written,
};
use spelunk::{
    WriteOptions,
    compare::{
        diff::{Change, FieldChange, Options, diff},
        merge::OnConflict,
    },
    edit::batch::{Batch, EntryContent},
};
use spelunk_fixtures::{corpus, samples};

fn base() -> Vec<u8> {
    samples::spellforce2_map().build().bytes
}

fn with(bytes: &[u8], batch: Batch) -> Vec<u8> {
    let mut opened = open("map", bytes);
    batch.apply(&mut opened).unwrap_or_else(|error| panic!("{error}"));
    written(&mut opened, &WriteOptions::default())
}

fn set(bytes: &[u8], fields: &[(&str, &str, &str)]) -> Vec<u8> {
    let set = |batch: Batch, (entry, field, value): &(&str, &str, &str)| {
        batch.set(*entry, *field, value.to_string())
    };
    with(bytes, fields.iter().fold(Batch::new(), set))
}

fn added(bytes: &[u8], list: &str, at: &str, like: &str) -> Vec<u8> {
    with(bytes, Batch::new().add(list, at, EntryContent::Like(like.to_owned())))
}

/// The fields that changed, as `CHUNK[RECORD] FIELD`; added and removed records as `CHUNK[RECORD] +`.
fn changes(old: &[u8], new: &[u8]) -> Vec<String> {
    let options = Options { max_items: 10_000 };
    let found = diff(&mut open("old", old), &mut open("new", new), &options).unwrap();
    let mut all = Vec::new();
    for change in &found.changes {
        let (new, fields) = match change {
            Change::Changed { new, fields, .. } => (new, fields),
            Change::Added(item) => {
                all.push(format!("+{}", item.path));
                continue;
            }
            other => panic!("{other:?}"),
        };
        for field in fields {
            match field {
                FieldChange::List { path, items, .. } if path == "rows" => {
                    for item in items {
                        let record = match (item.old, item.new) {
                            (Some(_), Some(new_nth)) => format!("{}[{new_nth}]", new.path),
                            (None, Some(nth)) => format!("+{}[{nth}]", new.path),
                            (nth, _) => format!("-{}[{}]", new.path, nth.unwrap()),
                        };
                        match (item.old, item.new) {
                            (Some(_), Some(_)) => all.extend(
                                item.fields.iter().map(|field| format!("{record} {}", name(field))),
                            ),
                            _ => all.push(record),
                        }
                    }
                }
                field => all.push(format!("{} {}", new.path, name(field))),
            }
        }
    }
    all
}

fn name(field: &FieldChange) -> String {
    match field {
        FieldChange::Value { path, .. }
        | FieldChange::List { path, .. }
        | FieldChange::Group { path, .. } => path.clone(),
        FieldChange::Content { .. } => "bytes".to_owned(),
    }
}

#[test]
fn records_and_fields_are_what_differs() {
    let bytes = base();
    let new = set(
        &bytes,
        &[
            ("units[1]", "level", "30"),
            ("units[0]", "components[6].tag.tag", "heroine"),
            ("teams", "setups[0].teams[3].players[0].kit", "kit_Elf"),
            ("overview", "title", "ANOTHER"),
        ],
    );
    let mut found = changes(&bytes, &new);
    found.sort();
    assert_eq!(
        found,
        [
            "1007[0] components",
            "1007[1] level",
            "9000 plain.setups",
            "9010 plain.title",
            "9010 plain.title_length",
        ]
    );
    let new = added(&bytes, "units", "0", "units[2]");
    assert_eq!(changes(&bytes, &new), ["+1007[0]"]);
    assert_eq!(changes(&new, &bytes), ["-1007[0]"]);
    assert!(changes(&bytes, &bytes).is_empty());
}

#[test]
fn patches_speak_of_records_and_fields() {
    let bytes = base();
    let new = set(
        &bytes,
        &[
            ("units[1]", "level", "30"),
            ("units[0]", "components[6].tag.tag", "heroine"),
            ("groups[0]", "member_count", "3"),
            ("groups[0]", "members[2].member", "HERO"),
            ("teams", "setups[0].name", "2vs2"),
            ("terrain", "ground.3,4", "2.5"),
        ],
    );
    let new = added(&new, "objects", "1", "objects[0]");
    let text = makes_each_of_the_other("map2", &bytes, &new);
    for part in [
        r#""components[6].tag.tag":["hero","heroine"]"#,
        r#""member_count":[2,3]"#,
        r#""members[2].member":[null,"HERO"]"#,
        r#""setups[0].name":["setup","2vs2"]"#,
        r#"{"key":[1],"add":{"#,
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let [_, terrain] = text.split("\"chunk\":\"1000\"").collect::<Vec<_>>()[..] else { panic!() };
    assert!(terrain.contains("\"at\":"), "{terrain}");
}

#[test]
fn patches_find_their_records_in_other_maps() {
    let bytes = base();
    let fields = [("units[1]", "level", "30"), ("units[0]", "components[6].tag.tag", "heroine")];
    let patch = between(&bytes, &set(&bytes, &fields));
    // A record stands before them, and one of them has another level.
    let other = added(&bytes, "units", "0", "units[2]");
    let other = set(&other, &[("units[1]", "level", "4")]);
    let (made, applied) = apply(&patch, &other);
    assert!(applied.conflicts.is_empty(), "{:?}", applied.conflicts);
    let wanted = [("units[2]", "level", "30"), ("units[1]", "components[6].tag.tag", "heroine")];
    assert!(made == set(&other, &wanted));
    let (again, applied) = apply(&patch, &made);
    assert!(again == made && applied.made == 0 && applied.conflicts.is_empty());
    // One that is gone is a conflict, and the other one is found.
    let other = with(&bytes, Batch::new().remove(["units[0]"]));
    let (made, applied) = apply(&patch, &other);
    assert_eq!((applied.made, applied.conflicts.len()), (1, 1), "{:?}", applied.conflicts);
    assert!(made == set(&other, &[("units[0]", "level", "30")]));
    // So is a field that somebody else changed.
    let other = set(&bytes, &[("units[1]", "level", "29")]);
    let (made, applied) = apply(&patch, &other);
    assert_eq!((applied.made, applied.conflicts.len()), (1, 1), "{:?}", applied.conflicts);
    let conflict = applied.conflicts[0].to_string();
    assert!(conflict.contains("level") && conflict.contains("29"), "{conflict}");
    assert!(made == set(&other, &fields[1..]));
    // Parts that do not fit together are one.
    let grown = [("groups[0]", "member_count", "3"), ("groups[0]", "members[2].member", "HERO")];
    let patch = between(&bytes, &set(&bytes, &grown));
    let other = set(&bytes, &[("groups[0]", "member_count", "1")]);
    let (made, applied) = apply(&patch, &other);
    assert!(made == other && !applied.conflicts.is_empty(), "{:?}", applied.conflicts);
}

#[test]
fn what_two_sides_did_with_records_is_united() {
    let bytes = base();
    let ours = set(&bytes, &[("units[1]", "level", "30"), ("teams", "setups[0].name", "2vs2")]);
    let ours = added(&ours, "objects", "end", "objects[0]");
    let theirs = set(
        &bytes,
        &[
            ("units[1]", "role", "figure"),
            ("units[0]", "components[6].tag.tag", "heroine"),
            ("teams", "relations[1].relation", "ally"),
        ],
    );
    let (made, report, findings) = merged([&bytes, &ours, &theirs], OnConflict::Refuse);
    assert!(report.conflicts.is_empty() && findings.is_empty(), "{report:?}");
    let wanted = set(
        &ours,
        &[
            ("units[1]", "role", "figure"),
            ("units[0]", "components[6].tag.tag", "heroine"),
            ("teams", "relations[1].relation", "ally"),
        ],
    );
    assert!(made.unwrap() == wanted);
    let theirs = set(&bytes, &[("units[1]", "level", "2")]);
    let (_, report, _) = merged([&bytes, &ours, &theirs], OnConflict::Refuse);
    let [conflict] = &report.conflicts[..] else { panic!("{report:?}") };
    assert_eq!(conflict.entry.path, "1007[1]");
    assert_eq!(conflict.field.as_deref(), Some("level"));
    // One lets a list grow, the other one lets it shrink: the record of one of them is taken.
    let ours = set(
        &bytes,
        &[("groups[0]", "member_count", "3"), ("groups[0]", "members[2].member", "HERO")],
    );
    let theirs = set(&bytes, &[("groups[0]", "member_count", "1")]);
    for (policy, wanted) in [(OnConflict::Ours, &ours), (OnConflict::Theirs, &theirs)] {
        let (made, report, _) = merged([&bytes, &ours, &theirs], policy);
        assert!(!report.conflicts.is_empty());
        assert!(made.unwrap() == *wanted, "{policy:?}");
    }
}

/// Pairs of real maps: two editions of one map, and a map that was made of another one.
#[test]
fn real_maps_become_each_other() {
    let Some(files) = corpus::maps2() else { return };
    let map = |name: &str| &files.iter().find(|file| file.name.starts_with(name)).unwrap().bytes;
    let [addon, coop, pvp] = ["addon1_coop_p350", "base_coop_p350", "base_pvp_p321"].map(map);
    for (old, new) in [(coop, addon), (coop, pvp)] {
        let found = changes(old, new);
        println!("{} changes", found.len());
        assert!(!found.iter().any(|change| change.starts_with("10")
            && change.ends_with(" bytes")
            && !change.starts_with("1000")));
        makes_each_of_the_other("real maps", old, new);
    }
    for file in &files {
        assert!(changes(&file.bytes, &file.bytes).is_empty());
        let there = set(
            &file.bytes,
            &[("objects[5]", "scale", "1.25"), ("teams", "setups[0].name", "a name")],
        );
        let found = changes(&file.bytes, &there);
        assert!(found.contains(&"1001[5] scale".to_owned()), "{}: {found:?}", file.name);
        let patch = between(&file.bytes, &there);
        assert!(apply(&patch, &file.bytes).0 == there, "{}", file.name);
        assert!(apply(&patch.reversed(), &there).0 == file.bytes, "{}", file.name);
    }
}
