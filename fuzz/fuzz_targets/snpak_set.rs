//! Sets of packs: whatever opens, mounted beside changed copies of itself, is looked up, listed, compared and cut in one
//! way that holds together.
#![no_main]

#[path = "mutate.rs"]
mod mutate;
#[path = "packs.rs"]
mod packs;

use packs::{found, load, open, rehash, with_task};
use snpak::{
    AssetId, Pack,
    build::Options,
    set::{Changes, Follow, Mount, Provider, Set, Trouble},
};
use spelunk_core::{Result, Severity, Task};
use std::{collections::BTreeSet, io::Cursor, sync::Arc};

/// Flags, and places of the copy that are changed, with what they become.
type Script = [u8; 16];

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, _max: usize, seed: u32| {
    mutate::mutate(16, b"", data, size, seed)
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((script, data)) = data.split_first_chunk::<16>() else { return };
    let mut bytes = data.to_vec();
    if script[0] & 1 == 1 {
        rehash(&mut bytes);
    }
    let Ok(pack) = open(&bytes).map(Arc::new) else { return };
    let copy = changed(&bytes, script).and_then(|bytes| open(&bytes).ok()).map(Arc::new);
    let len = bytes.len().saturating_mul(2);
    let prefix: &[u8] = if script[0] & 2 == 2 { b"dlc/" } else { b"" };
    let mut set = Set::default();
    set.mount(Mount::new("base", pack.clone()));
    if let Some(copy) = &copy {
        let mount = Mount::new("copy", copy.clone()).at(prefix);
        set.mount(mount.priority(i32::from(script[0] >> 2 & 3) - 1));
        let _ = with_task(len, |task| changes(&pack, copy, task));
    }
    // The same pack twice, where that is wanted: everything in it contradicts itself, or nothing does.
    if script[0] & 16 == 16 {
        set.mount(Mount::new("again", pack.clone()).at(prefix));
    }
    let _ = with_task(len, |task| listing(&set, task));
    let _ = with_task(len, |task| names(&set, script, task));
    let _ = with_task(len, |task| conflicts(&set, task));
    let _ = with_task(len, |task| graph(&set, task));
    subset(&set, script, len);
});

/// A copy with some of its bytes changed, and its hashes made right.
fn changed(bytes: &[u8], script: &Script) -> Option<Vec<u8>> {
    let mut copy = bytes.to_vec();
    for [high, low, value] in script[1..].as_chunks().0 {
        // Behind the header: what leads to the tables is to stay.
        let at = 180 + usize::from(u16::from_be_bytes([*high, *low]));
        if let Some(byte) = copy.get_mut(at) {
            *byte ^= value;
        }
    }
    rehash(&mut copy)?;
    Some(copy)
}

fn id(set: &Set, asset: Provider) -> [u8; 16] {
    set.entry(asset).expect("an asset that was handed out").asset_id.0
}

/// What changed from one pack to another and back again.
fn changes(old: &Pack, new: &Pack, task: &mut Task<'_>) -> Result<()> {
    let there = Changes::between(old, new, &mut task.budget)?;
    let back = Changes::between(new, old, &mut task.budget)?;
    let sorted = |ids: &[AssetId]| ids.iter().copied().collect::<BTreeSet<_>>();
    let ids = |all: &[(AssetId, _)]| all.iter().map(|(id, _)| *id).collect::<BTreeSet<_>>();
    assert_eq!(sorted(&there.added), sorted(&back.removed));
    assert_eq!(sorted(&there.removed), sorted(&back.added));
    assert_eq!(ids(&there.changed), ids(&back.changed));
    if old.index().block() == new.index().block() {
        assert!(there.added.is_empty() && there.removed.is_empty());
    }
    assert!(Changes::between(old, old, &mut task.budget)?.is_empty());
    Ok(())
}

/// Every id counts once, and those behind it are the ones that it shadows.
fn listing(set: &Set, task: &mut Task<'_>) -> Result<()> {
    let mut seen = BTreeSet::new();
    set.assets(task, &mut |assets, task| {
        let id = id(set, assets[0]);
        assert!(seen.insert(id), "an id that counts twice");
        assert_eq!(set.providers(&id, &mut task.budget)?, assets);
        assert_eq!(set.provider(&id, &mut task.budget)?, Some(assets[0]));
        for (nth, asset) in assets.iter().enumerate() {
            assert_eq!(set.is_provider(*asset, &mut task.budget)?, nth == 0);
        }
        Ok(())
    })?;
    let all = set.mounts().flat_map(|(_, mount)| mount.pack.index().entries());
    assert_eq!(seen, all.map(|entry| entry.asset_id.0).collect());
    assert_eq!(set.counting(None, task)?.len(), seen.len());
    Ok(())
}

/// An asset is found by its name, and the first that is found is what the name means.
fn names(set: &Set, script: &Script, task: &mut Task<'_>) -> Result<()> {
    let other = &script[1..3];
    for asset in set.counting(None, task)?.into_iter().take(32) {
        let Some(name) = set.name(asset) else { continue };
        let variant = set.variant(asset);
        let all = set.by_name(&name, variant, &mut task.budget)?;
        assert!(all.contains(&asset), "an asset that its name does not find");
        assert!(all.iter().all(|it| set.name(*it) == Some(name.clone())));
        let found = set.resolve(&name, &[variant], &mut task.budget)?.expect("a meaning");
        assert_eq!((found.asset, found.preference), (all[0], 0));
        let wishes = [Some(other), variant, None];
        let found = set.resolve(&name, &wishes, &mut task.budget)?.expect("a meaning");
        assert_eq!(set.variant(found.asset), wishes[found.preference]);
    }
    Ok(())
}

/// What contradicts each other does.
fn conflicts(set: &Set, task: &mut Task<'_>) -> Result<()> {
    set.conflicts(task, &mut |conflict, _| {
        let [first, others @ ..] = conflict.assets else { panic!("nothing") };
        assert!(!others.is_empty());
        let same = |asset: &Provider| id(set, *asset) == id(set, *first);
        match conflict.trouble {
            Trouble::Content(found) => assert!(!found.is_empty() && others.iter().all(same)),
            Trouble::Renamed => assert!(others.iter().all(same)),
            Trouble::SameName => {
                assert!(!others.iter().all(same));
                let name = |asset: Provider| (set.name(asset), set.variant(asset));
                assert!(others.iter().all(|asset| name(*asset) == name(*first)));
            }
        }
        Ok(())
    })
}

/// Users, missing ones, closures and circles agree about who needs what.
fn graph(set: &Set, task: &mut Task<'_>) -> Result<()> {
    let all = set.counting(None, task)?;
    let mut missing = BTreeSet::new();
    set.missing(Follow::ALL, task, &mut |user, task| {
        let needed = set.dependency(user).expect("a dependency").asset_id.0;
        assert_eq!(set.provider(&needed, &mut task.budget)?, None);
        missing.insert(user);
        Ok(())
    })?;
    for asset in all.iter().take(8) {
        set.users(&id(set, *asset), task, &mut |user, task| {
            assert!(set.is_provider(user.asset, &mut task.budget)?);
            assert_eq!(set.dependency(user).expect("a dependency").asset_id.0, id(set, *asset));
            Ok(())
        })?;
        let closure = set.closure([*asset], Follow::ALL, task)?;
        assert_eq!((closure.asked(), closure.assets()[0]), (1, *asset));
        assert!(closure.missing.iter().all(|user| missing.contains(user)));
        let reached: BTreeSet<_> = closure.assets().iter().collect();
        assert_eq!(reached.len(), closure.assets().len(), "an asset that is reached twice");
        for (position, asset) in closure.assets().iter().enumerate() {
            let needs = closure.needs(position).count();
            let lost = closure.missing.iter().filter(|user| user.asset == *asset).count();
            assert_eq!(needs + lost, set.dependencies(*asset).len());
        }
        let circles = closure.cycles(&mut task.budget)?;
        assert!(circles.iter().flatten().all(|asset| reached.contains(asset)));
    }
    let whole = set.closure(all.iter().copied(), Follow::ALL, task)?;
    assert_eq!(whole.assets().len(), all.len());
    assert_eq!(whole.missing.into_iter().collect::<BTreeSet<_>>(), missing);
    Ok(())
}

/// A part is a pack that is sound, and holds what it was made for.
fn subset(set: &Set, script: &Script, len: usize) {
    let made = with_task(len, |task| {
        let all = set.counting(None, task)?;
        let count = usize::from(script[0] >> 5) + 1;
        let wanted: Vec<Provider> = all.into_iter().take(count).collect();
        let closure = set.closure(wanted.iter().copied(), Follow::REQUIRED, task)?;
        let ids: BTreeSet<_> = closure.assets().iter().map(|asset| id(set, *asset)).collect();
        let part = set.subset(wanted.iter().copied(), Follow::REQUIRED, task)?;
        assert_eq!((part.len(), part.asked), (ids.len(), wanted.len()));
        assert_eq!(part.asked + part.needed, part.len());
        let mut out = Cursor::new(Vec::new());
        part.write(&mut out, Options::default(), task)?;
        Result::Ok((ids, out.into_inner()))
    });
    let (Ok((ids, bytes)), _) = made else { return };
    let part = open(&bytes).expect("a pack");
    assert_eq!(
        part.index().entries().iter().map(|entry| entry.asset_id.0).collect::<BTreeSet<_>>(),
        ids
    );
    load(&part);
    for entry in part.index().entries() {
        let (was, _) = with_task(len, |task| set.provider(&entry.asset_id.0, &mut task.budget));
        let Ok(Some(was)) = was else { continue };
        assert_eq!(set.entry(was).expect("an asset").payload_hash, entry.payload_hash);
        assert_eq!(set.name(was).unwrap_or_default(), part.name(entry).unwrap_or_default());
        assert_eq!(set.variant(was), part.variant(entry));
    }
    // What was wrong with the tables of one of the packs may be wrong with the part.
    let before = set.mounts().map(|(_, mount)| found(&all_of(&mount.pack, len), Severity::Error));
    let before: Option<Vec<_>> = before.collect();
    if let (Some(before), Some(after)) = (before, found(&bytes, Severity::Error)) {
        let before: BTreeSet<_> = before.into_iter().flatten().collect();
        let new: Vec<_> = after.difference(&before).collect();
        assert!(new.is_empty(), "{new:?}");
    }
}

/// The bytes of a pack in memory.
fn all_of(pack: &Pack, len: usize) -> Vec<u8> {
    let mut out = Vec::new();
    let options = spelunk_core::WriteOptions::default();
    let (written, _) =
        with_task(len, |task| spelunk_core::Container::write(pack, &mut out, &options, task));
    written.expect("a pack that opened");
    out
}
