//! Damaged packs, repaired and appended to: what is sound is kept, what is lost is told, and nothing gets worse.

#[path = "suite/common/mod.rs"]
mod common;

use common::damaged;
use common::{errors, findings, model::*, open, open_sound};
use snpak::{
    Codec,
    build::{Asset, Options, Payload},
    codes,
    edit::{
        append::{Appended, Growing},
        repair,
    },
};
use spelunk_core::{Bytes, Collect, Container, Edit, Error, Severity, scalar::Uuid};
use spelunk_fixtures::{
    mutate, samples,
    snpak::{self as made, rehash},
};
use std::{collections::BTreeSet, fs, io::Cursor, num::NonZeroUsize, sync::Arc};
use test_support::{
    entries::write,
    memory::peak,
    task::{unlimited, with_task},
};

/// The allocator of this program counts, so that what a damaged pack asks for is known.
#[global_allocator]
static MEMORY: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

/// What repairing says and makes.
struct Repaired {
    result: Result<Option<Vec<u8>>, Error>,
    sink: Collect,
}

impl Repaired {
    fn of(bytes: &[u8]) -> Repaired {
        let mut out = Cursor::new(Vec::new());
        let options = Options { threads: NonZeroUsize::new(1), ..Options::default() };
        let (result, sink) = with_task(bytes.len(), |task| {
            repair(Arc::new(Bytes::copy_from_slice(bytes)), &mut out, options, task)
        });
        let result = result.map(|written| {
            written.map(|written| {
                assert_eq!(written.size, out.get_ref().len() as u64);
                out.into_inner()
            })
        });
        Repaired { result, sink }
    }

    /// Whether something is said to be lost.
    fn is_lost(&self) -> bool {
        self.sink.findings.iter().any(|found| {
            found.error.code().id == codes::LOST.id && found.severity == Severity::Error
        })
    }

    /// What is written is sound and not repaired again; what is not written had nothing to be repaired.
    fn check(&self, bytes: &[u8], what: &str) {
        let above = |bytes: &[u8]| {
            let found = findings(bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
            found.into_iter().filter(|(_, severity)| *severity > Severity::Info).collect::<Vec<_>>()
        };
        match &self.result {
            Ok(Some(mended)) => {
                assert_eq!(above(mended), [], "{what}");
                assert!(matches!(Repaired::of(mended).result, Ok(None)), "{what}: once more");
            }
            Ok(None) => assert_eq!(above(bytes), [], "{what}"),
            Err(error) => {
                let limit = error.code().class == spelunk_core::Class::Limit;
                assert!(limit || error.code().id == codes::NOTHING_LEFT.id, "{what}: {error}");
            }
        }
    }
}

/// Id, payload and bulk payloads of each asset.
fn payloads(bytes: &[u8]) -> BTreeSet<Vec<Vec<u8>>> {
    let one = |asset: made::Asset| {
        let bulk = asset.bulk.into_iter().map(|bulk| bulk.data);
        [asset.id.to_vec(), asset.data].into_iter().chain(bulk).collect()
    };
    state(&open(bytes).0.expect("a pack")).into_iter().map(one).collect()
}

#[test]
fn damaged_packs_are_repaired_or_what_is_lost_is_told() {
    let Some(all) = damaged::all() else { return };
    let (mut mended, mut lost, mut sound, mut nothing) = (0, 0, 0, 0);
    for damaged::Damaged { name, base, bytes } in all {
        let repaired = Repaired::of(&bytes);
        repaired.check(&bytes, &name);
        match &repaired.result {
            Ok(Some(_)) if repaired.is_lost() => lost += 1,
            Ok(Some(out)) => {
                mended += 1;
                assert_eq!(payloads(out), payloads(&base), "{name}");
                keep("repaired", out);
            }
            Ok(None) => {
                sound += 1;
                assert_eq!(payloads(&bytes), payloads(&base), "{name}");
            }
            Err(_) => nothing += 1,
        }
    }
    eprintln!(
        "{mended} mended, {lost} with losses, {sound} left alone, {nothing} without anything left"
    );
    assert!(mended > 40 && nothing < 12, "{mended} mended, {lost}, {sound}, {nothing}");
}

fn rain() -> Asset {
    Asset::new(Uuid([0xee; 16]), "sounds/rain (3)", Payload::new(&b"drip"[..], Codec::NONE))
}

/// Nothing that was there is another one now, and what is new is there.
fn check_appended(before: &[u8], after: &[u8], what: &str) {
    let old = errors(before).unwrap_or_else(|error| panic!("{what}: {error}"));
    let new = errors(after).unwrap_or_else(|error| panic!("{what}: {error}"));
    // Each row gets bulk entries of its own, so what two assets shared is told of the chunk from then on.
    let shared = old.contains(&codes::BULK_SHARED.id);
    let known = |id: &&str| old.contains(id) || (shared && *id == codes::ASSET_ID.id);
    let worse: Vec<_> = new.iter().filter(|id| !known(id)).collect();
    assert!(worse.is_empty(), "{what}: {worse:?}");
    let loaded = |bytes: &[u8]| {
        let pack = open(bytes).0.expect("a pack");
        let one = |row| {
            let entry = pack.entry(row).expect("an asset");
            let name = pack.name(entry).map(<[u8]>::to_vec);
            let (payload, _) = with_task(bytes.len(), |task| pack.payload(row, task));
            (entry.asset_id.0, (name, payload.ok()))
        };
        // Of one id the last counts.
        let all = (0..pack.index().entries().len()).map(one);
        all.collect::<std::collections::BTreeMap<_, _>>()
    };
    let mut new = loaded(after);
    let added = new.remove(&[0xee; 16]).unwrap_or_else(|| panic!("{what}: no new asset"));
    assert_eq!(added, (Some(b"sounds/rain (3)".to_vec()), Some(Bytes::from("drip"))), "{what}");
    let old = loaded(before);
    assert_eq!(new.len(), old.len(), "{what}");
    for (id, (name, payload)) in &old {
        let (new_name, new_payload) = &new[id];
        assert_eq!(
            new_name.clone().unwrap_or_default(),
            name.clone().unwrap_or_default(),
            "{what}"
        );
        // Where a row that is changed and its chunk disagree about the type of the payload, the row is right.
        assert!(payload.is_none() || new_payload == payload, "{what}");
    }
}

#[test]
fn damaged_packs_are_refused_or_appended_to() {
    let Some(all) = damaged::all() else { return };
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("damaged.snpak");
    let (mut refused, mut grown) = (0, 0);
    for damaged::Damaged { name, bytes, .. } in all {
        fs::write(&path, &bytes).expect("a file");
        let growing = with_task(bytes.len(), |task| Growing::open(&path, task)).0;
        let Ok(growing) = growing else {
            refused += 1;
            assert!(fs::read(&path).expect("a file") == bytes, "{name}");
            continue;
        };
        let appended = with_task(bytes.len(), |task| {
            let mut draft = snpak::edit::Draft::of(growing.pack().clone(), &mut task.budget)?;
            draft.put(rain(), &mut unlimited())?;
            growing.append(draft, Options::default(), task)
        });
        let after = fs::read(&path).expect("a file");
        match appended.0 {
            Ok(Appended { size, .. }) => {
                grown += 1;
                assert_eq!(size, after.len() as u64);
                check_appended(&bytes, &after, &name);
            }
            Err(_) => {
                refused += 1;
                assert!(after == bytes, "{name}");
            }
        }
    }
    assert!(refused > 30 && grown > 30, "{refused} refused, {grown} appended to");
}

/// Mutated packs, some of them with hashes that are right again.
fn mutated(each: &mut dyn FnMut(&[u8], &str)) {
    for sample in spelunk_fixtures::samples().into_iter().filter(|one| one.format == "snpak") {
        for seed in 0..150 {
            let bytes = &sample.fixture.bytes;
            each(&mutate::mutate(bytes, seed), &format!("{}, {seed}", sample.name));
            each(&mutate::mutate_header(bytes, seed), &format!("{}, header {seed}", sample.name));
        }
    }
    for base in [samples::pack().build(), samples::appended_pack().build()] {
        let run = usize::from(base.find("index[1]").is_some());
        let tables = base.range_of(&format!("index[{run}].tables"));
        for seed in 0..600 {
            let mut file = base.clone();
            let mut damaged = mutate::mutate(&file.bytes[tables.clone()], seed);
            damaged.resize(tables.len(), 0xff);
            file.bytes[tables.clone()].copy_from_slice(&damaged);
            rehash(&mut file);
            each(&file.bytes, &format!("tables {run}, {seed}"));
        }
    }
}

#[test]
fn mutated_packs_are_repaired_within_their_memory() {
    let (mut mended, mut lost) = (0, 0);
    mutated(&mut |bytes, what| {
        let (repaired, most) = peak(&MEMORY, || Repaired::of(bytes));
        assert!(most < 400 << 20, "{what}: {most} bytes");
        repaired.check(bytes, what);
        mended += usize::from(matches!(repaired.result, Ok(Some(_))));
        lost += usize::from(repaired.is_lost());
    });
    assert!(mended > 1000 && lost > 100, "{mended} repaired, {lost} with losses");
}

#[test]
fn mutated_packs_are_appended_to_and_written_anew_without_becoming_worse() {
    let (mut grown, mut whole) = (0, 0);
    mutated(&mut |bytes, what| {
        let Ok(pack) = open(bytes).0 else { return };
        let mut draft = draft(pack);
        draft.put(rain(), &mut unlimited()).expect("a new asset");
        for position in [0, 3] {
            if let Ok(asset) = draft.asset_mut(position, &mut unlimited()) {
                asset.variant = Some(b"other".to_vec());
            }
        }
        let (after, result) = append_draft(bytes, draft, Options::default());
        match result {
            Ok(_) => {
                grown += 1;
                check_appended(bytes, &after, what);
            }
            Err(_) => assert!(after == bytes, "{what}"),
        }
        let mut out = Cursor::new(Vec::new());
        let draft = common::model::draft(open(bytes).0.expect("a pack"));
        let written =
            with_task(bytes.len(), |task| draft.write(&mut out, Options::default(), task));
        if written.0.is_ok() {
            whole += 1;
            let (old, new) = (errors(bytes).expect("a pack"), errors(out.get_ref()));
            let new = new.unwrap_or_else(|error| panic!("{what}: {error}"));
            assert!(new.iter().all(|id| old.contains(id)), "{what}: {new:?}");
        }
    });
    assert!(grown > 500 && whole > 250, "{grown} appended to, {whole} written anew");
}

#[test]
fn generations_of_mutated_packs_are_rolled_back_to_packs_that_open() {
    let mut back = 0;
    let mut check = |bytes: &[u8], what: &str| {
        let Ok(pack) = open(bytes).0 else { return };
        for nth in 1..=pack.links().len().min(3) {
            let which = spelunk_core::Revision::Nth(nth as u32);
            let view = with_task(bytes.len(), |task| pack.generation(which, task)).0;
            let mut out = Vec::new();
            let size = view.and_then(|view| {
                with_task(bytes.len(), |task| snpak::edit::rollback(&view, &mut out, task)).0
            });
            let Ok(size) = size else { continue };
            assert_eq!(size, out.len() as u64, "{what}");
            open(&out).0.unwrap_or_else(|error| panic!("{what}: {error}"));
            back += 1;
        }
    };
    mutated(&mut check);
    // A dependency of the first index that wants a name which no table has.
    let mut file = samples::appended_pack().build();
    file.poke("index[0].tables.dependencies[0].name_id", &[0, 0, 0, 2]);
    check(&file.bytes, "a name that is not there");
    assert!(back > 1000, "{back} rolled back");
}

/// Ids of the assets of a pack, sorted.
fn ids(bytes: &[u8]) -> Vec<Uuid> {
    let pack = open_sound(bytes);
    let mut ids: Vec<_> = pack.index().entries().iter().map(|entry| entry.asset_id).collect();
    ids.sort_by_key(|id| id.0);
    ids
}

#[test]
fn what_appends_hide_comes_back_and_what_was_removed_does_not() {
    let hidden = samples::delta_pack().build().bytes;
    let mut pack = open_sound(&hidden);
    let (removed, _) = with_task(hidden.len(), |task| {
        let id = pack.entry(0).map(|entry| entry.asset_id).expect("an asset");
        let nodes = pack.find("#0", &pack.code_pages(), task).expect("it");
        Edit::remove(&mut pack, &nodes, false, task).map(|()| id)
    });
    let removed = removed.expect("it goes");
    let (bytes, _) = write(&pack, false);
    let all = ids(&Repaired::of(&hidden).result.unwrap().expect("hidden assets"));
    let left = ids(&Repaired::of(&bytes).result.unwrap().expect("hidden assets"));
    assert!(all.contains(&removed) && all.len() > ids(&hidden).len());
    let expected: Vec<Uuid> = all.into_iter().filter(|id| *id != removed).collect();
    assert_eq!(left, expected);

    // Where nothing is hidden, nothing comes back.
    let mut pack = open_sound(&samples::pack().build().bytes);
    let (gone, _) = with_task(1 << 20, |task| {
        let nodes = pack.find("#0", &pack.code_pages(), task)?;
        Edit::remove(&mut pack, &nodes, false, task)
    });
    gone.expect("it goes");
    let (bytes, _) = write(&pack, false);
    assert_eq!(findings(&bytes).unwrap(), []);
    assert_eq!(Repaired::of(&bytes).result.unwrap(), None);
}
