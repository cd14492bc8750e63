//! Packs that change while they are open.

use super::*;
use snpak::{
    Fingerprint, OpenOptions,
    build::{Asset, Payload},
    edit::{Draft, append::Growing},
    set::{
        Differences,
        reload::{Reload, Watched},
    },
};
use spelunk_core::{Collect, scalar::Uuid, source::Mapping};
use std::{fs, path::Path};

fn watch(path: &Path) -> Watched {
    let opened = with_task(1 << 20, |task| {
        Watched::open(path, Mapping::Never, OpenOptions::default(), task)
    });
    opened.0.expect("a pack")
}

fn reload(watched: &mut Watched) -> (Reload, Collect) {
    let (reloaded, sink) = with_task(1 << 20, |task| watched.reload(task));
    (reloaded.expect("a pack that can be read"), sink)
}

/// Appends an asset, or puts it in the place of the one with its id.
fn append(path: &Path, n: u8, name: &str, data: &'static [u8]) {
    let (result, _) = with_task(1 << 20, |task| {
        let growing = Growing::open(path, task)?;
        let mut draft = Draft::of(growing.pack().clone(), &mut task.budget)?;
        let payload = Payload::new(data, snpak::Codec::NONE);
        draft.put(Asset::new(Uuid(id(n)), name, payload), &mut task.budget)?;
        growing.append(draft, Options::default(), task)
    });
    result.expect("an append");
}

fn payload(pack: &Pack, row: usize) -> Bytes {
    with_task(1 << 20, |task| pack.payload(row, task)).0.expect("a payload")
}

#[test]
fn an_append_is_seen_and_older_handles_stay_readable() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.snpak");
    fs::write(&path, pack(vec![asset(1, "a"), asset(2, "b")]).build().bytes).unwrap();
    let mut watched = watch(&path);
    let old = watched.pack().clone();
    assert!(matches!(reload(&mut watched).0, Reload::Unchanged));
    append(&path, 2, "b2", b"other");
    append(&path, 3, "c", b"new");
    let (changed, sink) = reload(&mut watched);
    let Reload::Changed(changes) = changed else { panic!("{changed:?}") };
    assert!(sink.findings.is_empty());
    assert_eq!(changes.added, [AssetId(id(3))]);
    assert_eq!(changes.removed, []);
    let both = Differences { name: true, payload: true, ..Differences::default() };
    assert_eq!(changes.changed, [(AssetId(id(2)), both)]);
    assert!(matches!(reload(&mut watched).0, Reload::Unchanged));
    assert_eq!((payload(&old, 1), payload(watched.pack(), 1)), ("2".into(), "other".into()));
    // Another file takes its place; the pack that was open is still there.
    let before = watched.pack().clone();
    let other = dir.path().join("other");
    fs::write(&other, pack(vec![asset(1, "a")]).build().bytes).unwrap();
    fs::rename(&other, &path).unwrap();
    let (changed, _) = reload(&mut watched);
    let Reload::Changed(changes) = changed else { panic!("{changed:?}") };
    assert_eq!(changes.removed, [AssetId(id(2)), AssetId(id(3))]);
    assert!(changes.added.is_empty() && changes.changed.is_empty());
    assert_eq!(payload(&before, 2), "new");
    fs::remove_file(&path).unwrap();
    let (gone, _) = with_task(1 << 20, |task| watched.reload(task));
    assert_eq!(gone.unwrap_err().code().class, Class::Io);
    assert_eq!(watched.pack().index().entries().len(), 1);
}

/// Every state that an append leaves the file in before it is done.
#[test]
fn what_is_being_written_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.snpak");
    let old = samples::pack().build().bytes;
    fs::write(&path, &old).unwrap();
    let mut watched = watch(&path);
    append(&path, 9, "z", b"a payload of some length");
    let new = fs::read(&path).unwrap();
    let print = Fingerprint::of_path(&path).unwrap();
    assert_ne!(print, Fingerprint::of(watched.pack()));
    let mut torn = 0;
    // New bytes come behind the end, then the header is written over, byte by byte at the worst.
    for end in old.len()..=new.len() {
        fs::write(&path, [&old[..], &new[old.len()..end]].concat()).unwrap();
        let (reloaded, sink) = reload(&mut watched);
        assert!(matches!(reloaded, Reload::Unchanged) && sink.findings.is_empty());
    }
    for done in 1..180 {
        let file = [&new[..done], &old[done..180], &new[180..]].concat();
        fs::write(&path, &file).unwrap();
        let (reloaded, sink) = reload(&mut watched);
        match reloaded {
            // So far the same bytes, or what differs does not matter.
            Reload::Unchanged => {}
            Reload::BeingWritten(_) => torn += 1,
            Reload::Changed(changes) => {
                // All that leads to the tables is there.
                assert!(done >= 92, "{done}");
                assert_eq!(changes.added.len(), 1);
                break;
            }
        }
        assert!(sink.findings.is_empty(), "{done}: {:?}", sink.findings);
        assert_eq!(watched.pack().index().entries().len(), samples::pack().assets.len());
    }
    assert!(torn > 10, "{torn}");
    fs::write(&path, &new).unwrap();
    reload(&mut watched);
    assert_eq!(watched.pack().index().entries().len(), samples::pack().assets.len() + 1);
    // A file that is written anew, from its first byte on.
    let mut half = watch(&path);
    for end in [0, 7, 179, 180, 400] {
        fs::write(&path, &new[..end]).unwrap();
        assert!(matches!(reload(&mut half).0, Reload::BeingWritten(_)), "{end}");
    }
}

#[test]
fn a_set_reloads_what_was_mounted_by_path() {
    let dir = tempfile::tempdir().unwrap();
    let [base, patch] = ["base", "patch"].map(|name| dir.path().join(name));
    fs::write(&base, pack(vec![asset(1, "a"), asset(2, "b")]).build().bytes).unwrap();
    fs::write(&patch, pack(vec![asset(2, "b")]).build().bytes).unwrap();
    let mut set = Set::default();
    let (mounts, _) = with_task(1 << 20, |task| {
        let mut mount = |path, priority| {
            set.mount_path(path, Mapping::Large, "", priority, task).expect("a mount")
        };
        [mount(&base, 0), mount(&patch, 0)]
    });
    set.mount(Mount::new("memory", open_sound(&samples::pack().build().bytes)));
    let look = |set: &mut Set| {
        let mut all = Vec::new();
        with_task(1 << 20, |task| {
            set.reload(task, &mut |mount, reloaded| all.push((mount, reloaded)));
        });
        all
    };
    assert!(look(&mut set).iter().all(|(_, it)| matches!(it, Ok(Reload::Unchanged))));
    append(&patch, 1, "a", b"patched");
    fs::remove_file(&base).unwrap();
    let found = look(&mut set);
    assert_eq!(found.iter().map(|(mount, _)| *mount).collect::<Vec<_>>(), mounts);
    assert!(found[0].1.is_err());
    assert!(matches!(&found[1].1, Ok(Reload::Changed(changes)) if changes.added.len() == 1));
    let providers = set.providers(&id(1), &mut unlimited()).unwrap();
    let from: Vec<_> = providers.iter().map(|it| it.mount).collect();
    assert_eq!(from, [mounts[1], mounts[0]]);
    set.unmount(mounts[1]);
    assert_eq!(look(&mut set).len(), 1);
}
