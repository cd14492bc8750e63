//! Saves: chunk 0 of a free game field by field, and chunk files in chunks as a tree.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::common::{assert_round_trip, exercise, format, opened};
use spellforce::{
    cff::{Chunks, Kind},
    save::{Avatar, DEPTH, FreeGame, Lengths, Skill},
};
use spelunk_core::{
    Budget, Class, Collect, Container, Edit, Limits, Node, Of, Task, Val,
    walk::{Flat, FlatField, finish},
};
use spelunk_fixtures::{
    cff::{CffChunk, CffFile, blob},
    mutate::mutate,
    samples,
};
use test_support::{
    entries::{bytes_of, find, list, list_damaged, verify},
    fields::{info, value},
    laws::{assert_covered, assert_paths_lead_back},
    task::{budget, limits},
};

fn chunks(container: &dyn Container) -> &Chunks {
    container.model().unwrap()
}

fn one(container: &dyn Container, path: &str) -> Node {
    let found = find(container, path);
    assert_eq!(found.len(), 1, "{path}");
    found[0]
}

fn shown(container: &dyn Container, path: &str) -> Vec<FlatField> {
    let mut sink = Collect::default();
    let mut flat = Flat::default();
    let mut task = Task::new(Budget::new(Limits::for_len(1 << 20)), &mut sink);
    finish(container.walk(one(container, path), &mut task, &mut flat)).unwrap();
    assert!(sink.findings.is_empty(), "{:?}", sink.findings);
    flat.fields
}

fn paths(container: &dyn Container, of: Of) -> Vec<String> {
    list(container, of).into_iter().map(|row| row.path).collect()
}

/// A save whose chunks hold this.
fn holding(payloads: &[&[u8]]) -> Vec<u8> {
    let chunks = (500..).zip(payloads).map(|(id, payload)| CffChunk::packed(id, 1, blob(payload)));
    CffFile { chunks: chunks.collect(), ..samples::save() }.build().bytes
}

/// A chunk file with one chunk of an id that nothing explains.
fn inner(level: Option<u32>, payload: &[u8]) -> Vec<u8> {
    let chunk = CffChunk { level, ..CffChunk::raw(700, 1, blob(payload)) };
    CffFile { chunks: vec![chunk], ..CffFile::default() }.build().bytes
}

#[test]
fn a_free_game_is_told_field_by_field() {
    let bytes = samples::save().build().bytes;
    let (container, sink) = opened(&bytes);
    assert!(sink.findings.is_empty());
    let fields = shown(container.as_ref(), "0");
    let value = |path: &str| value(&fields, &format!("plain.{path}"));
    let number = |path: &str| match value(path) {
        Val::U(number) => number as i64,
        Val::I(number) => number,
        other => panic!("{path}: {other:?}"),
    };
    for (path, text) in [
        ("name", "Liannon"),
        ("path", "Freegame\\Hero"),
        ("avatar.name", "Aryn"),
        ("avatar.text_46", ""),
    ] {
        assert_eq!(value(path), Val::from(text), "{path}");
    }
    let attributes =
        ["agility", "charisma", "dexterity", "intelligence", "stamina", "strength", "wisdom"];
    for (nth, name) in attributes.into_iter().enumerate() {
        assert_eq!(number(&format!("avatar.{name}")), 20 + nth as i64, "{name}");
    }
    for name in [
        "resistance_fire",
        "resistance_ice",
        "resistance_black",
        "resistance_mind",
        "speed_run",
        "speed_fight",
        "speed_cast",
    ] {
        assert_eq!(number(&format!("avatar.{name}")), 10, "{name}");
    }
    for (path, wanted) in [
        ("name_length", 7),
        ("path_length", 13),
        ("time", 1_070_000_000),
        ("avatar.unknown_0", 0),
        ("avatar.validated", 1),
        ("avatar.predefined", 0),
        ("avatar.template", 2),
        ("avatar.unknown_11", 100),
        ("avatar.level", 12),
        ("avatar.skills[0].major", 1),
        ("avatar.skills[0].minor", 2),
        ("avatar.skills[0].level", 5),
        ("avatar.skills[1].major", 255),
        ("avatar.skills[9].level", 255),
        ("avatar.model", 3),
        ("avatar.copper", 40),
        ("avatar.silver", 12),
        ("avatar.gold", 3),
        ("avatar.experience", 25_000),
        ("avatar.free_skill_points", 1),
        ("avatar.free_attribute_points", 4),
        ("avatar.sex", 1),
        ("avatar.item_count", 2),
        ("items[0].inventory", 1),
        ("items[0].slot", 0),
        ("items[0].position", 0),
        ("items[0].item_id", 1),
        ("items[1].position", 1),
        ("items[1].item_id", 2),
        ("items[1].unknown", 0),
    ] {
        assert_eq!(number(path), wanted, "{path}");
    }
    for (path, len) in [("unknown_96", 16), ("unknown_184", 12), ("unknown_212", 8)] {
        assert_eq!(value(&format!("avatar.{path}")), Val::Bytes(vec![0; len].into()), "{path}");
    }

    let plain = &samples::save().chunks[0].payload.bytes;
    let game = FreeGame::read(plain).unwrap();
    assert_eq!(game.lengths(), Lengths::Characters);
    assert_eq!((game.name(), game.path()), ("Liannon".into(), "Freegame\\Hero".into()));
    assert_eq!(game.saved_at().as_deref(), Some("2003-11-28T06:13:20Z"));
    let skills: Vec<Skill> = game.avatar().skills().collect();
    assert_eq!(skills, [Skill { major: 1, minor: 2, level: 5 }]);
    assert_eq!(game.items().map(|item| item.item_id.get()).collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn every_field_of_an_avatar_has_its_own_bytes() {
    // Numbered words behind each other, so that a field that lies elsewhere has another value.
    let bytes: Vec<u8> = (0..227).map(|n| n as u8).collect();
    let avatar = Avatar::read(&bytes).unwrap();
    let two = |at: u8| i16::from_le_bytes([at, at + 1]);
    let four = |at: u8| i32::from_le_bytes([at, at + 1, at + 2, at + 3]);
    assert_eq!(avatar.validated.get(), four(2));
    assert_eq!((avatar.template, avatar.level), (10, 15));
    assert_eq!((avatar.name[0], avatar.text_46[0], avatar.unknown_96[0]), (16, 46, 96));
    assert_eq!((avatar.agility.get(), avatar.resistance_fire.get()), (two(112), two(126)));
    assert_eq!((avatar.speed_run.get(), avatar.skills[0]), (two(134), 140));
    assert_eq!((avatar.model.get(), avatar.copper.get()), (two(170), four(172)));
    assert_eq!((avatar.experience.get(), avatar.sex.get()), (four(196), four(208)));
    assert_eq!((avatar.free_skill_points.get(), avatar.unknown_222), (two(200), 222));
    assert_eq!(avatar.item_count.get(), four(223));
    assert!(Avatar::read(&bytes[..226]).is_err());
}

#[test]
fn what_the_lengths_count_is_found_out_and_said() {
    let plain = samples::save().chunks[0].payload.bytes.clone();
    let mut by_bytes = plain.clone();
    by_bytes[..4].copy_from_slice(&14_i32.to_le_bytes());
    by_bytes[18..22].copy_from_slice(&26_i32.to_le_bytes());
    let without = [&[0; 8][..], &plain[48..]].concat();
    for (plain, lengths, name) in [
        (&plain, Lengths::Characters, "Liannon"),
        (&by_bytes, Lengths::Bytes, "Liannon"),
        (&without, Lengths::Either, ""),
    ] {
        let game = FreeGame::read(plain).unwrap();
        assert_eq!((game.lengths(), game.name().as_str()), (lengths, name));
        assert_eq!(game.avatar().name(), "Aryn");
        let file = CffFile { chunks: vec![CffChunk::packed(0, 1, blob(plain))], ..samples::save() };
        let bytes = file.build().bytes;
        let (container, _) = opened(&bytes);
        let fields = info(container.as_ref());
        assert_eq!(value(&fields, "save.lengths_count"), Val::from(lengths.name()));
        assert_covered(container.as_ref(), &bytes);
        // The items have to end with the chunk.
        assert!(FreeGame::read(&[&plain[..], &[0]].concat()).is_none());
        assert!(FreeGame::read(&plain[..plain.len() - 1]).is_none());
    }
}

#[test]
fn info_tells_what_is_saved_and_how_little_is_known() {
    let bytes = samples::save().build().bytes;
    let (container, _) = opened(&bytes);
    let fields = info(container.as_ref());
    for (path, wanted) in [
        ("save.kind", "free game"),
        ("save.name", "Liannon"),
        ("save.saved_at", "2003-11-28T06:13:20Z"),
        ("save.avatar", "Aryn"),
        ("evidence", "synthetic"),
    ] {
        assert_eq!(value(&fields, path), Val::from(wanted), "{path}");
    }
    assert_eq!(value(&fields, "save.level"), Val::U(12));
    assert_eq!(value(&fields, "save.items"), Val::U(2));
    assert!(value(&fields, "save.known").to_string().starts_with("partly"));

    let bytes = samples::campaign().build().bytes;
    let (container, _) = opened(&bytes);
    let fields = info(container.as_ref());
    assert_eq!(value(&fields, "save.kind"), Val::from("campaign"));
    assert_eq!(value(&fields, "save.nested_files"), Val::U(3));
    assert!(fields.iter().all(|field| field.path != "save.name"));
}

#[test]
fn chunk_files_at_odd_offsets_are_a_tree() {
    let file = samples::campaign();
    let bytes = file.build().bytes;
    let state = &file.chunks[1].payload;
    let (container, sink) = opened(&bytes);
    assert!(sink.findings.is_empty(), "{:?}", sink.findings);
    let container = container.as_ref();
    let (weapons, world) = (state.range_of("weapons"), state.range_of("world"));
    assert!(weapons.start % 2 == 1, "{weapons:?}");
    let [at_weapons, at_world] = [&weapons, &world].map(|range| format!("5/@{}", range.start));
    // The magic with nothing behind it is no file.
    assert_eq!(
        paths(container, Of::Node(one(container, "5"))),
        [at_weapons.clone(), at_world.clone()]
    );
    assert_eq!(paths(container, Of::Node(one(container, "1"))), [""; 0]);
    for (path, range) in [(&at_weapons, &weapons), (&at_world, &world)] {
        let node = one(container, path);
        assert_eq!(bytes_of(container, node).unwrap(), state.bytes[range.clone()]);
    }
    let hexadecimal = format!("5/@{:#x}", world.start);
    assert_eq!(find(container, &hexadecimal), find(container, &at_world));

    let rows = list(container, Of::Node(one(container, &at_world)));
    let told: Vec<_> = rows.iter().map(|row| (row.path.as_str(), row.kind.as_str())).collect();
    let path = |rest: &str| format!("{at_world}/{rest}");
    let names = ["2", "6.0", "6.1", "12", "500"].map(path);
    assert_eq!(told.iter().map(|(path, _)| *path).collect::<Vec<_>>(), names);
    assert_eq!((told[3].1, told[4].1), ("units", "chunk"));
    assert_eq!(rows[3].get("rows"), &Val::U(1));
    assert_eq!(rows[3].get("packed"), &Val::Bool(true));
    assert_eq!(find(container, &path("units")), [rows[3].node]);
    assert_eq!(find(container, &path("6")), [rows[1].node, rows[2].node]);
    assert_eq!(find(container, &path("heights.1")), [rows[2].node]);
    assert_eq!(bytes_of(container, rows[2].node).unwrap(), [40, 0, 51, 0][..]);
    assert_eq!(value(&shown(container, &names[3]), "plain.rows[0].npc_id"), Val::U(7));

    // Nested in nested: in a packed chunk of the map, behind one byte.
    let deepest = path("500/@1");
    assert_eq!(paths(container, Of::Node(rows[4].node)), std::slice::from_ref(&deepest));
    assert_eq!(
        bytes_of(container, one(container, &deepest)).unwrap(),
        state.bytes[weapons.clone()]
    );
    assert_eq!(list(container, Of::Node(one(container, &deepest)))[1].kind, "Weapon materials");
    let materials = format!("{deepest}/2064");
    assert_eq!(bytes_of(container, one(container, &materials)).unwrap(), [1, 0, 1, 0][..]);
    assert_eq!(value(&shown(container, &materials), "rows[0].name_id"), Val::U(1));

    let kinds: Vec<_> =
        chunks(container).nest().unwrap().files().iter().map(|file| file.kind()).collect();
    assert_eq!(kinds, [Some(Kind::GameData), Some(Kind::Map), Some(Kind::GameData)]);
    for none in ["5/@1", "5/@", "5/2064", "1/@0", "5/@99999999999999999999", "5//2", "9/@3"] {
        assert_eq!(find(container, none), [], "{none}");
    }
    for none in ["/2064", "/@1", "/6.x", "/6.7", "/2/@0", "/units/0"]
        .map(|rest| format!("{at_world}{rest}"))
    {
        assert_eq!(find(container, &none), [], "{none}");
    }
    assert_paths_lead_back(container);
    assert_covered(container, &bytes);
    assert_round_trip(container, &bytes);
    assert!(verify(container).findings.is_empty());
}

#[test]
fn a_nested_file_ends_where_no_chunk_follows() {
    let one = inner(None, b"state");
    let cases: [(&str, &[u8]); 6] = [
        ("zeros, which would be a chunk without data", &[0; 40]),
        ("a chunk that was there", &one[20..]),
        ("another file", &inner(Some(6), &[7; 30])),
        ("a chunk that does not fit", &[1, 0, 0, 0, 0, 0, 9, 0, 0, 0, 1, 0, 5]),
        ("a number below zero", &[1, 0xff, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 5]),
        ("another packed word", &[1, 0, 0, 0, 7, 0, 1, 0, 0, 0, 1, 0, 5]),
    ];
    for (what, behind) in cases {
        let bytes = holding(&[&[b"odd", &one[..], behind].concat()]);
        let (container, _) = opened(&bytes);
        let files = list(container.as_ref(), Of::Node(find(container.as_ref(), "500")[0]));
        assert_eq!(files[0].size, one.len() as u64, "{what}");
        assert_eq!(files.len(), if what == "another file" { 2 } else { 1 }, "{what}");
        assert_covered(container.as_ref(), &bytes);
    }
    // What is a chunk belongs to the file.
    let more = [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 5];
    let bytes = holding(&[&[&one[..], &more].concat()]);
    let (container, _) = opened(&bytes);
    assert_eq!(paths(container.as_ref(), Of::Node(find(container.as_ref(), "500/@0")[0])).len(), 2);
}

#[test]
fn nesting_is_searched_to_a_depth_and_packed_or_not() {
    for level in [None, Some(6)] {
        let mut payload = b"deepest".to_vec();
        for _ in 0..DEPTH + 3 {
            payload = [b"x", &inner(level, &payload)[..]].concat();
        }
        let bytes = holding(&[&payload]);
        let (container, _) = opened(&bytes);
        let nest = chunks(container.as_ref()).nest().unwrap();
        assert_eq!(nest.files().len(), usize::from(DEPTH));
        let path = format!("500{}", "/@1/700".repeat(DEPTH.into()));
        let node = one(container.as_ref(), &path);
        let below = bytes_of(container.as_ref(), node).unwrap();
        assert_eq!(below[..5], [b'x', 0x12, 0xdd, 0x72, 0xdd], "what is deeper is data");
        assert_eq!(list(container.as_ref(), Of::Node(node)), []);
        assert_covered(container.as_ref(), &bytes);
        assert_paths_lead_back(container.as_ref());
        assert_round_trip(container.as_ref(), &bytes);
    }
}

#[test]
fn searching_is_charged_and_keeps_to_the_limits() {
    // Half a million chunks in one nested file.
    let mut crowd = inner(None, b"1");
    for n in 0..500_000_u32 {
        let [a, b, c, d] = (n + 1000).to_le_bytes();
        crowd.extend([a, b & 0x7f, (b >> 7) | (c << 1), d, 0, 0, 1, 0, 0, 0, 1, 0, 5]);
    }
    let bytes = holding(&[&inner(None, b"small"), &crowd]);
    let (container, _) = opened(&bytes);
    assert!(chunks(container.as_ref()).nest().unwrap().files()[1].chunks().len() > 100_000);
    assert_round_trip(container.as_ref(), &bytes);
    let open_with = |bytes: &[u8], limits: Limits| {
        let mut sink = Collect::default();
        let mut task = Task::new(Budget::new(limits), &mut sink);
        let source = std::sync::Arc::new(spelunk_core::Bytes::copy_from_slice(bytes));
        format(bytes).unwrap().open(source, &mut task).map(|_| ())
    };
    for few in [
        Limits { memory: 4_000_000, ..limits(bytes.len()) },
        Limits { steps: 400_000, ..limits(bytes.len()) },
    ] {
        assert_eq!(open_with(&bytes, few).unwrap_err().code().class, Class::Limit);
    }
    // Nested zeros that inflate to a thousand times as many.
    let bomb = inner(Some(9), &vec![0; 60 << 20]).repeat(40);
    let bytes = holding(&[&bomb]);
    assert_eq!(open_with(&bytes, limits(bytes.len())).unwrap_err().code().class, Class::Limit);
}

#[test]
fn damage_inside_is_told_by_its_path_and_the_rest_is_read() {
    let mut damaged = inner(Some(6), &[7; 300]);
    let last = damaged.len() - 1;
    damaged[last] ^= 0xff;
    let bytes = holding(&[&[&damaged[..], &inner(Some(6), &[8; 40])].concat()]);
    let (container, sink) = opened(&bytes);
    assert!(sink.findings.is_empty());
    let container = container.as_ref();
    let findings = verify(container).findings;
    let told: Vec<String> = findings.iter().map(|finding| finding.error.to_string()).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("500/@0/700"), "{told:?}");
    assert!(bytes_of(container, one(container, "500/@0/700")).is_err());
    let second = format!("500/@{}/700", damaged.len());
    assert_eq!(bytes_of(container, one(container, &second)).unwrap(), vec![8; 40]);
    assert_round_trip(container, &bytes);
}

#[test]
fn saves_are_not_changed() {
    for file in [samples::save(), samples::campaign()] {
        let bytes = file.build().bytes;
        let (mut container, _) = opened(&bytes);
        assert!(container.edit().map(|edit: &mut dyn Edit| edit.table("5")).is_none());
    }
}

#[test]
fn damaged_saves_never_panic_and_nested_entries_stay_reachable() {
    let mut nested = 0;
    for file in [samples::save(), samples::campaign()] {
        let payloads: Vec<_> =
            file.chunks.iter().map(|chunk| chunk.payload.bytes.clone()).collect();
        for seed in 0..400 {
            // Damage within the payloads, which are packed soundly.
            let mut file = file.clone();
            for (chunk, payload) in file.chunks.iter_mut().zip(&payloads) {
                chunk.payload = blob(&mutate(payload, seed));
            }
            let bytes = file.build().bytes;
            assert!(exercise(format(&bytes).unwrap(), &bytes));
            let (container, _) = opened(&bytes);
            let container = container.as_ref();
            let below = |of| {
                let (rows, listed) = list_damaged(container, of);
                listed.unwrap();
                rows
            };
            let mut open = below(Of::Root);
            while let Some(row) = open.pop() {
                nested += usize::from(row.path.contains('@'));
                assert!(find(container, &row.path).contains(&row.node), "{}", row.path);
                let mut sink = Collect::default();
                let mut task = Task::new(budget(bytes.len()), &mut sink);
                let _ = container.bytes(row.node, &mut task);
                let _ = container.walk(row.node, &mut task, &mut Flat::default());
                open.extend(below(Of::Node(row.node)));
            }
        }
    }
    assert!(nested > 1000, "{nested}");
}
