//! Whatever opens as a pack is changed, appended to and written anew: nothing gets worse than it was.
#![no_main]

#[path = "mutate.rs"]
mod mutate;
#[path = "packs.rs"]
mod packs;

use packs::{Memory, found, load, open, rehash, with_task};
use snpak::{
    Codec, Compression, Pack,
    build::{Asset, Bulk, Need, Options, Payload, Target},
    codes,
    edit::Draft,
};
use spelunk_core::{
    Budget, Bytes, Container, Node, Revision, Severity, Val, WriteOptions, scalar::Uuid,
    text::CodePages,
};
use std::{collections::BTreeSet, io::Cursor, num::NonZeroUsize, sync::Arc};

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, _max: usize, seed: u32| {
    mutate::mutate(16, b"", data, size, seed)
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((script, data)) = data.split_first_chunk::<16>() else { return };
    let mut bytes = data.to_vec();
    if script[0] & 1 == 1 {
        rehash(&mut bytes);
    }
    let Ok(pack) = open(&bytes) else { return };
    // Not the highest efforts: they take long, and sanitisers of C and of Rust disagree about the tables of zstd.
    let levels = pack.index().entries().iter().map(|entry| entry.level_bytes()[0]);
    if levels.chain(pack.index().bulk().iter().map(|bulk| bulk.level)).any(|level| level == 3) {
        return;
    }
    let Some(before) = found(&bytes, Severity::Error) else { return };
    let len = bytes.len();
    edit(pack, &script[1..], &before);
    let view = match script[0] >> 6 {
        0 => Some(Revision::Merged),
        1 => Some(Revision::Nth(1)),
        _ => None,
    };
    let make = || -> Option<Draft> {
        let mut pack = open(&bytes).ok()?;
        if let Some(which) = view {
            pack = with_task(len, |task| pack.generation(which, task)).0.ok()?;
        }
        let draft = with_task(len, |task| Draft::of(Arc::new(pack), &mut task.budget));
        let mut draft = draft.0.ok()?;
        for step in script[1..].as_chunks().0 {
            with_task(len, |task| change(&mut draft, *step, &mut task.budget));
        }
        Some(draft)
    };
    let target = [Target::V5, Target::V4, Target::Compat][usize::from(script[0] >> 2 & 3) % 3];
    let options = Options { target, threads: NonZeroUsize::new(1), ..Options::default() };
    let Some(mut draft) = make() else { return };
    draft.collapse();
    let count = draft.len();
    let mut file = Memory(bytes.clone());
    if with_task(len, |task| draft.append(&mut file, options, task)).0.is_ok() {
        assert!(file.0[180..].starts_with(&bytes[180..]));
        let after = open(&file.0).expect("a pack that was appended to");
        assert_eq!(after.index().entries().len(), count);
        load(&after);
        // An older state that is shown again brings what is wrong with it.
        if view.is_none() {
            not_worse(&file.0, &before);
        }
    } else {
        assert!(file.0 == bytes, "an append that failed");
    }
    let Some(draft) = make() else { return };
    let count = draft.len();
    let mut out = Cursor::new(Vec::new());
    if with_task(len, |task| draft.write(&mut out, options, task)).0.is_ok() {
        let after = open(out.get_ref()).expect("a whole pack");
        assert_eq!(after.index().entries().len(), count);
        if view.is_none() {
            not_worse(out.get_ref(), &before);
        }
    }
});

/// Errors that the pack did not have before.
fn not_worse(bytes: &[u8], before: &BTreeSet<&str>) {
    // A chunk outside the pack may be in the new bytes, and is another fault then; so is one that two assets shared.
    if [&codes::CHUNK_RANGE, &codes::BULK_SHARED].iter().any(|code| before.contains(code.id)) {
        return;
    }
    let Some(after) = found(bytes, Severity::Error) else { return };
    let new: Vec<_> = after.difference(before).collect();
    assert!(new.is_empty(), "{new:?}");
}

fn change(draft: &mut Draft, [what, which, value]: [u8; 3], budget: &mut Budget) {
    let codec = Codec { compression: Compression(value % 5), level: value / 5 % 2 };
    let payload = || Payload::new(vec![value; usize::from(which)], codec);
    if what % 12 == 0 {
        let _ = draft.put(Asset::new(Uuid([value; 16]), vec![which], payload()), budget);
        return;
    }
    let position = usize::from(which) % draft.len().max(1);
    if what % 12 == 1 {
        return draft.remove(&BTreeSet::from([position]));
    }
    let Ok(asset) = draft.asset_mut(position, budget) else { return };
    match what % 12 {
        2 => asset.name = vec![value; 3],
        3 => asset.variant = Some(vec![value; 3]),
        4 => asset.payload = payload(),
        5 => asset.payload_type = Uuid([value; 16]),
        6 => asset.bulk.push(Bulk::new(1, value.into(), payload())),
        7 => asset.bulk.clear(),
        8 => asset.dependencies.push(Need::new(Uuid([value; 16]), Some(vec![value]), which % 3)),
        9 => asset.dependencies.clear(),
        10 => asset.id = Uuid([value; 16]),
        _ => asset.schema_version = value.into(),
    }
}

/// The same through the trait.
fn edit(mut pack: Pack, script: &[u8], before: &BTreeSet<&str>) {
    let len = pack.len() as usize;
    let pages = CodePages::utf8();
    let mut changed = false;
    for [what, which, value] in script.as_chunks().0 {
        let rows = pack.index().entries().len().max(1) as u64;
        let asset = u64::from(*which) % rows;
        let node = Node(asset | u64::from(value & 3) << 32);
        let text = format!("{value}");
        let Some(edit) = pack.edit() else { return };
        let (done, _) = with_task(len, |task| match what % 8 {
            0 => edit.rename(node, text.as_bytes(), task),
            1 => edit.set(node, "variant", Val::from(text.as_str()), &pages, task),
            2 => edit.set(node, "compression", Val::U((*which).into()), &pages, task),
            3 => edit.set(node, "asset_id", Val::Uuid([*value; 16]), &pages, task),
            4 => edit.set_bytes(node, Bytes::from(vec![*value; 9]), task),
            5 => edit.remove(&[node], false, task),
            6 => edit.set(node, "dependencies", Val::from("#0"), &pages, task),
            _ => {
                let key = format!("#{asset}#1/{value}");
                let table = edit.table("bulk").expect("a table");
                edit.insert(table, &[Val::Bytes(key.as_bytes().into())], task).map(drop)
            }
        });
        changed |= done.is_ok();
    }
    if !changed {
        return;
    }
    let mut out = Vec::new();
    let options = WriteOptions::default();
    if with_task(len, |task| pack.write(&mut out, &options, task)).0.is_ok() {
        let after = open(&out).expect("a pack that was changed");
        assert_eq!(after.index().entries(), pack.index().entries());
        not_worse(&out, before);
    }
}
