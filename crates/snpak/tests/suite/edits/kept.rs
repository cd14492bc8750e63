//! What survives, what collapses, what readers of older generations get, and what changes nothing.

use super::changes::{run, set};
use crate::common::{errors, model::*, open, open_sound};
use snpak::{
    Codec, Compression, Pack,
    build::{Dropped, Options, Payload, Target},
    chunk::ChunkHeader,
    codes,
    edit::{Draft, append::Medium},
};
use spelunk_core::{
    Budget, Bytes, Collect, Container, Limits, Node, Severity, Task, Val, scalar::Uuid,
    text::CodePages,
};
use spelunk_fixtures::{
    assembler::Fixture,
    samples,
    snpak::{self as made, Generation, rehash},
};
use std::{io::Cursor, sync::Arc};
use test_support::{
    entries::write,
    task::{unlimited, with_task},
};
use zerocopy::FromBytes;

/// A pack in which everything that nobody knows the meaning of has a value.
fn odd_pack() -> Fixture {
    let mut file = samples::pack().build();
    for (part, bytes) in [
        ("header.flags", &[0x82_u8, 0, 0, 0x40] as &[u8]),
        ("header.reserved0", b"HR00"),
        ("header.reserved", b"header reserved"),
        ("header.types_offset", &[1, 2, 3]),
        ("header.types_size", &[4]),
        ("strings[0].reserved", b"STRR"),
        ("index[0].reserved", b"index reserved"),
        ("index[0].tables.entries[0].flags", &[0x41]),
        ("index[0].tables.entries[2].flags", &[0x20]),
        ("index[0].tables.entries[5].level", &[0, 0x17]),
        ("index[0].tables.bulk[1].reserved", b"bulkre"),
        ("index[0].tables.owners[0].reserved", b"ownr"),
        ("index[0].tables.dependencies[1].reserved", b"dep"),
    ] {
        let mut value = file.slice_of(part).to_vec();
        value[..bytes.len()].copy_from_slice(bytes);
        file.poke(part, &value);
    }
    rehash(&mut file);
    file
}

/// All of these values but flags and type table of the header, by name.
fn oddities(pack: &Pack) -> Vec<(String, Vec<u8>)> {
    let (header, index) = (pack.header(), pack.index());
    let mut odd = vec![
        ("header.reserved0".to_owned(), header.reserved0.get().to_le_bytes().to_vec()),
        ("header.reserved".to_owned(), header.reserved.to_vec()),
        ("strings".to_owned(), pack.strings().header().reserved0.get().to_le_bytes().to_vec()),
        ("index".to_owned(), index.header().reserved.to_vec()),
    ];
    for (row, entry) in index.entries().iter().enumerate() {
        odd.push((format!("{row}"), vec![entry.flags, entry.level_bytes()[1]]));
        odd.extend(
            pack.bulk(entry).iter().map(|bulk| (format!("{row} bulk"), bulk.reserved0.to_vec())),
        );
        let owner = index.owner(row).map(|owner| owner.reserved.get().to_le_bytes().to_vec());
        odd.extend(owner.map(|owner| (format!("{row} owner"), owner)));
        odd.extend(
            pack.dependencies(row)
                .iter()
                .map(|need| (format!("{row} needs"), need.reserved.to_vec())),
        );
    }
    odd
}

fn type_table(pack: &Pack) -> (u32, u64, u64) {
    let header = pack.header();
    (header.flags.get(), header.type_table_offset.get(), header.type_table_size.get())
}

fn rain() -> made::Asset {
    let (id, name, data) = ([9; 16], b"sounds/rain".to_vec(), b"drip".to_vec());
    made::Asset { id, name, data, ..made::Asset::default() }
}

#[test]
fn what_nobody_knows_survives() {
    let file = odd_pack();
    let before = open(&file.bytes).0.expect("a pack");
    let odd = oddities(&before);
    assert_eq!(type_table(&before), (0x4000_0082, 0x03_0201, 4));
    assert!(odd.iter().filter(|(_, value)| value.iter().any(|byte| *byte != 0)).count() >= 8);

    // Appended, with every old asset touched but for its payload, and one that is new.
    let (bytes, appended) = append(&file.bytes, |draft| {
        for row in 0..6 {
            draft.asset_mut(row, &mut unlimited()).expect("an asset").kind = Uuid([row as u8; 16]);
        }
        draft.add(asset(&rain())).expect("a new asset");
    });
    appended.expect("an append");
    let pack = open_sound(&bytes);
    assert_eq!(oddities(&pack)[..odd.len()], odd);
    assert_eq!(type_table(&pack), (0x4000_0083, 0x03_0201, 4));

    // Through the trait.
    let mut pack = open_sound(&file.bytes);
    for row in 0..6 {
        set(&mut pack, row, "schema_version", Val::U(77)).expect("a version");
    }
    let pack = open_sound(&write(&pack, false).0);
    assert_eq!(oddities(&pack), odd);
    assert_eq!(type_table(&pack), (0x4000_0083, 0x03_0201, 4));

    // As a whole, of rows that stay and of rows that were looked at.
    for looked_at in [false, true] {
        let mut draft = draft(open_sound(&file.bytes));
        for row in (0..6).filter(|_| looked_at) {
            draft.asset_mut(row, &mut unlimited()).expect("an asset");
        }
        let mut out = Cursor::new(Vec::new());
        let written = with_task(1 << 20, |task| draft.write(&mut out, Options::default(), task)).0;
        let dropped = Dropped { type_table: true, ..Dropped::default() };
        assert_eq!(written.expect("a pack").dropped, dropped);
        let pack = open_sound(out.get_ref());
        assert_eq!(oddities(&pack), odd);
        assert_eq!(type_table(&pack), (0x4000_0080, 0, 0));
    }
}

#[test]
fn a_count_of_bulk_entries_without_the_flag_claims_none_of_a_new_table() {
    let mut file = samples::pack().build();
    let pack = open_sound(&file.bytes);
    let row = pack.index().entries().iter().position(|entry| entry.bulk_count.get() > 1).unwrap();
    file.poke(&format!("index[0].tables.entries[{row}].flags"), &[0]);
    rehash(&mut file);
    let found = |bytes: &[u8]| {
        let (pack, mut sink) = open(bytes);
        let pack = pack.expect("a pack");
        let verified = with_task(bytes.len(), |task| snpak::verify(&pack, task));
        verified.0.expect("no error");
        sink.findings.extend(verified.1.findings);
        sink.findings.iter().map(|it| it.error.code().id).collect::<Vec<_>>()
    };
    assert!(found(&file.bytes).contains(&codes::BULK_FLAG.id));
    let (appended, done) = append(&file.bytes, |draft| {
        draft.add(asset(&rain())).expect("a new asset");
    });
    done.expect("an append");
    let whole = fresh(draft(open(&file.bytes).0.expect("a pack")), Options::default());
    assert!(!found(&appended).contains(&codes::BULK_RANGE.id), "what is found is the old index's");
    assert_eq!(found(&whole), [""; 0]);
    for bytes in [appended, whole] {
        let pack = open(&bytes).0.expect("a pack");
        assert_eq!(pack.index().entries()[row].bulk_count.get(), 0);
    }
}

#[test]
fn ids_that_come_twice_collapse_as_the_reference_does() {
    let mut pack = samples::duplicate_pack();
    pack.assets.extend(samples::pack().assets);
    pack.assets.push(made::Asset { data: b"fourth".to_vec(), ..pack.assets[1].clone() });
    let (bytes, appended) = append(&pack.build().bytes, |draft| {
        draft.put(asset(&rain()), &mut unlimited()).expect("a new asset");
    });
    appended.expect("an append");
    let generation = Generation::Newest;
    pack.appends.push(made::Append { generation, assets: vec![rain()], junk_before: Vec::new() });
    assert!(bytes == pack.build().bytes);
    assert_sound(&bytes, &[]);
    // As a whole they stay as they are.
    let pack = made::Pack { appends: Vec::new(), ..pack };
    let whole = fresh(draft(open_sound(&pack.build().bytes)), Options::default());
    assert!(whole == pack.build().bytes);
    keep("duplicates", &bytes);
}

/// Does something to a pack, with the usual limits or others.
type Try = fn(&mut Pack, &mut Task<'_>) -> spelunk_core::Result<()>;

fn field(
    pack: &mut Pack,
    node: u64,
    path: &str,
    value: Val<'_>,
    task: &mut Task<'_>,
) -> spelunk_core::Result<()> {
    pack.edit().expect("packs can be changed").set(
        Node(node),
        path,
        value,
        &CodePages::utf8(),
        task,
    )
}

#[test]
fn what_fails_changes_nothing() {
    /// The first bulk payload of the first asset.
    const BULK: u64 = 1 << 32;
    let cases: &[(&str, Try)] = &[
        (codes::NO_TYPE.id, |pack, task| field(pack, 0, "kind", Val::from("oak"), task)),
        (codes::VALUE.id, |pack, task| field(pack, 0, "kind", Val::U(3), task)),
        (codes::VALUE.id, |pack, task| field(pack, 0, "schema_version", Val::from("x"), task)),
        (codes::VALUE.id, |pack, task| field(pack, 0, "schema_version", Val::U(1 << 32), task)),
        (codes::VALUE.id, |pack, task| field(pack, 0, "name", Val::U(3), task)),
        (codes::VALUE.id, |pack, task| field(pack, BULK, "semantic", Val::from("x"), task)),
        (codes::VALUE.id, |pack, task| field(pack, 0, "bulk[0].sub_index", Val::U(1 << 40), task)),
        (codes::VALUE.id, |pack, task| field(pack, 0, "dependencies", Val::U(3), task)),
        (codes::CODEC.id, |pack, task| field(pack, 0, "compression", Val::from("rar"), task)),
        (codes::CODEC.id, |pack, task| field(pack, 0, "compression", Val::U(7), task)),
        (codes::CODEC.id, |pack, task| field(pack, 0, "level", Val::U(9), task)),
        (codes::CODEC.id, |pack, task| field(pack, BULK, "level", Val::U(9), task)),
        // The one without bytes, which nothing packs.
        (codes::CODEC.id, |pack, task| field(pack, 4, "compression", Val::U(7), task)),
        (codes::CODEC.id, |pack, task| field(pack, 4, "level", Val::U(9), task)),
        (codes::NO_FIELD.id, |pack, task| field(pack, 0, "colour", Val::U(9), task)),
        (codes::NO_FIELD.id, |pack, task| field(pack, 0, "bulk[99].semantic", Val::U(9), task)),
        (codes::NO_FIELD.id, |pack, task| field(pack, 5, "dependencies[9].kind", Val::U(0), task)),
        (codes::NO_FIELD.id, |pack, task| field(pack, BULK, "name", Val::from("x"), task)),
        (codes::NO_FIELD.id, |pack, task| {
            pack.edit().expect("packs can be changed").rename(Node(BULK), b"x", task)
        }),
        (codes::DEPENDENCY.id, |pack, task| {
            field(pack, 5, "dependencies[0].kind", Val::U(3), task)
        }),
        ("SN-any", |pack, task| field(pack, 5, "dependencies", Val::from("no/such"), task)),
        (codes::SAME_ID.id, |pack, task| {
            let other = pack.entry(1).expect("an asset").asset_id.0;
            field(pack, 0, "asset_id", Val::Uuid(other), task)
        }),
        (codes::NAME_NUL.id, |pack, task| field(pack, 0, "name", Val::from("o\0k"), task)),
        (codes::NAME_NUL.id, |pack, task| field(pack, 0, "variant", Val::from("\0"), task)),
        (codes::NAME_NUL.id, |pack, task| {
            field(pack, 5, "dependencies[0].name", Val::from("o\0k"), task)
        }),
        (codes::NAME_NUL.id, |pack, task| {
            pack.edit().expect("packs can be changed").rename(Node(3), b"\0", task)
        }),
        (codes::NAME_NUL.id, |pack, task| {
            let edit = pack.edit().expect("packs can be changed");
            let table = edit.table("asset").expect("a table");
            edit.insert(table, &[Val::Bytes(b"a\0".into())], task).map(drop)
        }),
        ("SN-any", |pack, task| {
            let edit = pack.edit().expect("packs can be changed");
            let table = edit.table("bulk").expect("a table");
            edit.insert(table, &[Val::from("no/such#1/1")], task).map(drop)
        }),
        ("SN-any", |pack, task| field(pack, 99, "name", Val::from("x"), task)),
        ("SN-any", |pack, task| {
            pack.edit().expect("packs can be changed").remove(&[Node(0), Node(99)], false, task)
        }),
        ("SN-any", |pack, task| {
            let edit = pack.edit().expect("packs can be changed");
            edit.set_bytes(Node(99 << 32), Bytes::from("x"), task)
        }),
    ];
    for changed in [false, true] {
        let mut pack = open_sound(&samples::pack().build().bytes);
        if changed {
            set(&mut pack, 3, "name", Val::from("sounds/storm")).expect("a name");
        }
        let (before, bytes) = (state(&pack), write(&pack, false).0);
        for (nth, (code, attempt)) in cases.iter().enumerate() {
            let error = with_task(1 << 20, |task| attempt(&mut pack, task)).0;
            let error = error.expect_err(&format!("case {nth}"));
            // What no field of the type can hold is refused for all formats, the rest by packs.
            let is_value = *code == codes::VALUE.id && error.code().id == "SP043";
            let is_it = *code == "SN-any" || is_value || error.code().id == *code;
            assert!(is_it, "case {nth}: {error}");
            assert_eq!(state(&pack), before, "case {nth}");
            assert!(write(&pack, false).0 == bytes, "case {nth}");
        }
        // Limits, from the first byte of memory and the first step on.
        let attempts: [Try; 4] = [
            |pack, task| field(pack, 0, "name", Val::from("x"), task),
            |pack, task| field(pack, 0, "compression", Val::from("lz4"), task),
            |pack, task| {
                let edit = pack.edit().expect("packs can be changed");
                edit.set_bytes(Node(0), Bytes::from(vec![1; 99]), task)
            },
            |pack, task| pack.edit().expect("packs can be changed").remove(&[Node(1)], false, task),
        ];
        for (nth, attempt) in attempts.iter().enumerate() {
            let mut failed = 0;
            for bits in 0..40_u32 {
                let base = Limits::for_len(1 << 20);
                let some = 1_u64 << (bits / 2);
                let limits = if bits % 2 == 0 {
                    Limits { memory: some, ..base }
                } else {
                    Limits { steps: some, ..base }
                };
                let mut sink = Collect::default();
                let mut task = Task::new(Budget::new(limits), &mut sink);
                if attempt(&mut pack, &mut task).is_err() {
                    failed += 1;
                    assert_eq!(state(&pack), before, "case {nth}");
                } else {
                    assert_ne!(state(&pack), before, "case {nth}");
                    pack = open_sound(&bytes);
                }
            }
            assert!((1..40).contains(&failed), "case {nth}: {failed}");
        }
    }
}

#[test]
fn appends_that_fail_leave_the_file_as_it_was() {
    let file = samples::appended_pack().build().bytes;
    let changes: [fn(&mut Draft); 4] = [
        |draft| draft.asset_mut(0, &mut unlimited()).expect("an asset").name = b"o\0k".to_vec(),
        |draft| draft.asset_mut(5, &mut unlimited()).expect("an asset").dependencies[0].kind = 3,
        |draft| {
            let codec = Codec { compression: Compression(9), level: 0 };
            draft.asset_mut(7, &mut unlimited()).expect("an asset").payload =
                Payload::new(vec![1; 9], codec);
        },
        // Late: the payloads before it are written by then.
        |draft| {
            for row in 0..7 {
                let payload = Payload::new(vec![row as u8; 1 << 19], Codec::NONE);
                draft.asset_mut(row, &mut unlimited()).expect("an asset").payload = payload;
            }
            let gone = snpak::build::Content::file("no/such/file".into(), None);
            let payload = Payload::new(gone, Codec::NONE);
            draft.asset_mut(7, &mut unlimited()).expect("an asset").payload = payload;
        },
    ];
    for (nth, change) in changes.iter().enumerate() {
        let (bytes, appended) = append(&file, change);
        appended.expect_err(&format!("case {nth}"));
        assert!(bytes == file, "case {nth}");
    }
    // Of another length than the file that was opened.
    let mut longer = Memory([&*file, b"x"].concat());
    let mut draft = draft(open_sound(&file));
    draft.asset_mut(0, &mut unlimited()).expect("an asset").name = b"oak".to_vec();
    let error = with_task(1 << 20, |task| draft.append(&mut longer, Options::default(), task)).0;
    assert_eq!(error.expect_err("another file").code().id, codes::CHANGED.id);
    assert_eq!(longer.size().expect("a size"), file.len() as u64 + 1);
}

/// The headers of all chunks of a pack.
fn chunk_headers(pack: &Pack, bytes: &[u8]) -> Vec<ChunkHeader> {
    let main = pack.index().entries().iter().map(|entry| entry.payload_chunk_offset.get());
    let bulk = pack.index().bulk().iter().map(|bulk| bulk.chunk_offset.get());
    let at = main.chain(bulk).map(|at| &bytes[at as usize..]);
    at.map(|rest| ChunkHeader::read_from_prefix(rest).expect("a chunk").0).collect()
}

#[test]
fn packs_for_older_readers_have_what_these_know() {
    let odd = odd_pack().bytes;
    let duplicates = samples::duplicate_pack().build().bytes;
    let mut touched = draft(open_sound(&odd));
    for row in 0..6 {
        touched.asset_mut(row, &mut unlimited()).expect("an asset");
    }
    let all = |bytes: &[u8]| draft(open_sound(bytes));
    let drafts = |nth: usize| match nth {
        0 => new_draft(&samples::pack().assets),
        1 => all(&odd),
        2 => all(&samples::appended_pack().build().bytes),
        _ => all(&duplicates),
    };
    let mut packs: Vec<_> =
        (0..4).flat_map(|nth| [(drafts(nth), Target::V4), (drafts(nth), Target::Compat)]).collect();
    packs.push((touched, Target::Compat));
    for (nth, (draft, target)) in packs.into_iter().enumerate() {
        let needs = [4, 4, 4, 4, 4, 4, 0, 0, 4][nth];
        let mut out = Cursor::new(Vec::new());
        let options = Options { target, ..Options::default() };
        let (written, sink) = with_task(1 << 20, |task| draft.write(&mut out, options, task));
        assert_eq!(written.expect("a pack").dropped.dependencies, needs, "{nth}");
        let told = |code: &str| {
            sink.findings
                .iter()
                .any(|found| found.error.code().id == code && found.severity == Severity::Warning)
        };
        assert_eq!(told(codes::NEEDS_LEFT_OUT.id), needs > 0, "{nth}");
        // The duplicates have bulk payloads whose numbers are not their positions.
        let odd_numbers = target == Target::Compat && nth == 7;
        assert_eq!(told(codes::SUB_INDEX_FOR_SEED.id), odd_numbers, "{nth}");
        let bytes = out.into_inner();
        assert_sound(&bytes, &[]);
        let pack = open_sound(&bytes);
        let header = pack.index().header();
        assert_eq!((header.owner_count.get(), header.dependency_count.get()), (0, 0), "{nth}");
        // Every payload loads and is what it was.
        let plain = |bytes: &[u8]| -> Vec<Vec<Vec<u8>>> {
            let one = |asset: made::Asset| {
                std::iter::once(asset.data)
                    .chain(asset.bulk.into_iter().map(|bulk| bulk.data))
                    .collect()
            };
            state(&open_sound(bytes)).into_iter().map(one).collect()
        };
        let source = match nth {
            0 | 1 => samples::pack().build().bytes,
            2 | 3 | 8 => odd.clone(),
            4 | 5 => samples::appended_pack().build().bytes,
            _ => duplicates.clone(),
        };
        assert_eq!(plain(&bytes), plain(&source), "{nth}");
        if target == Target::Compat {
            let entries = pack.index().entries().iter();
            assert!(entries.clone().all(|entry| entry.compression <= 2), "{nth}");
            assert!(entries.clone().all(|entry| entry.level_bytes() == [0, 0]), "{nth}");
            let mut bulk = pack.index().bulk().iter();
            assert!(bulk.all(|bulk| bulk.compression <= 2 && bulk.level == 0), "{nth}");
            for chunk in chunk_headers(&pack, &bytes) {
                assert!(chunk.compression <= 2 && chunk.level.get() == 0, "{nth}");
            }
        }
        if !(2..4).contains(&nth) && nth != 8 {
            keep("target", &bytes);
        }
    }
}

#[test]
fn appends_for_older_readers_leave_what_is_there() {
    let file = samples::pack().build().bytes;
    for target in [Target::V4, Target::Compat] {
        let mut draft = draft(open_sound(&file));
        let codec = made::Codec { id: 3, level: 2 };
        draft.add(asset(&made::Asset { codec, ..rain() })).expect("a new asset");
        let options = Options { target, ..Options::default() };
        let (bytes, appended) = append_draft(&file, draft, options);
        appended.expect("an append");
        assert!(bytes[180..].starts_with(&file[180..]));
        assert_sound(&bytes, &[]);
        let pack = open_sound(&bytes);
        assert!(pack.index().owners().is_empty());
        let without: Vec<_> = (samples::pack().assets.into_iter())
            .map(|asset| made::Asset { dependencies: Vec::new(), ..asset })
            .collect();
        assert_eq!(state(&pack)[..6], without);
        let new = pack.index().entries().last().expect("the new asset");
        let compat = target == Target::Compat;
        assert_eq!((new.compression, new.level.get()), if compat { (1, 0) } else { (3, 2) });
        keep("target-append", &bytes);
    }
}

#[test]
fn a_view_of_all_generations_can_become_the_current_one() {
    let file = samples::delta_pack().build().bytes;
    let pack = open_sound(&file);
    let merged =
        with_task(file.len(), |task| pack.generation(spelunk_core::Revision::Merged, task));
    let merged = merged.0.expect("a view");
    let all = state(&merged);
    assert_eq!(all.len(), 7);
    let draft = || {
        with_task(1 << 20, |task| {
            let view = pack.generation(spelunk_core::Revision::Merged, task).expect("a view");
            Draft::of(Arc::new(view), &mut task.budget).expect("a draft")
        })
        .0
    };
    let (bytes, appended) = append_draft(&file, draft(), Options::default());
    appended.expect("an append");
    assert_sound(&bytes, &[]);
    assert_eq!(state(&open_sound(&bytes)), all);
    assert_eq!(open_sound(&bytes).links().len(), 3);
    let whole = fresh(draft(), Options::default());
    assert_sound(&whole, &[]);
    assert_eq!(state(&open_sound(&whole)), all);
    keep("merged", &bytes);
    keep("merged-whole", &whole);
}

#[test]
fn a_bulk_payload_is_found_again_after_another_one_went() {
    let mut pack = open_sound(&samples::pack().build().bytes);
    let kept = state(&pack)[0].bulk.clone();
    run(&mut pack, |edit, task| edit.remove(&[Node(1 << 32), Node(3 << 32)], false, task))
        .expect("a removal");
    assert_eq!(state(&pack)[0].bulk, [kept[1].clone(), kept[3].clone(), kept[4].clone()]);
}

#[test]
fn a_chunk_that_two_rows_name_is_copied_for_each_asset() {
    let mut file = samples::duplicate_pack().build();
    // The second and the third have one id; both lead to the chunk of the second now.
    let [second, third] = [1, 2].map(|row| format!("index[0].tables.entries[{row}]."));
    for part in ["chunk_offset", "chunk_size", "plain_size", "hash_hi", "hash_lo"] {
        let value = file.slice_of(&format!("{second}{part}")).to_vec();
        file.poke(&format!("{third}{part}"), &value);
    }
    rehash(&mut file);
    let chunks = |bytes: &[u8]| {
        assert_sound(bytes, &[]);
        let pack = open_sound(bytes);
        [1, 2].map(|row| pack.entry(row).expect("an asset").payload_chunk_offset.get())
    };
    let [one, other] = chunks(&fresh(draft(open_sound(&file.bytes)), Options::default()));
    assert_eq!(one, other, "copied once");
    let mut moved = draft(open_sound(&file.bytes));
    moved.asset_mut(2, &mut unlimited()).expect("an asset").id = Uuid([3; 16]);
    let [one, other] = chunks(&fresh(moved, Options::default()));
    assert_ne!(one, other);
}

#[test]
fn the_chunk_of_another_asset_is_not_taken_for_its_own() {
    let mut file = samples::pack().build();
    let [wind, trunk] = [3, 2].map(|row| format!("index[0].tables.entries[{row}]."));
    for part in
        ["chunk_offset", "chunk_size", "plain_size", "compression", "level", "hash_hi", "hash_lo"]
    {
        let value = file.slice_of(&format!("{trunk}{part}")).to_vec();
        file.poke(&format!("{wind}{part}"), &value);
    }
    rehash(&mut file);
    assert_eq!(errors(&file.bytes).expect("it opens"), [codes::ASSET_ID.id]);
    // Neither where something else of the asset is changed, nor where it gets another id.
    let changes: [fn(&mut Draft); 2] = [
        |draft| draft.asset_mut(3, &mut unlimited()).expect("an asset").schema_version = 9,
        |draft| draft.asset_mut(3, &mut unlimited()).expect("an asset").id = Uuid([9; 16]),
    ];
    for change in changes {
        let mut draft = draft(open(&file.bytes).0.expect("a pack"));
        change(&mut draft);
        let (bytes, appended) = append_draft(&file.bytes, draft, Options::default());
        let error = appended.expect_err("a chunk of another asset");
        assert_eq!(error.code().id, codes::NOT_CARRIED.id);
        assert!(bytes == file.bytes);
    }
}
