//! Mounts that end.

use super::mounted::{Heard, mount, mount_at};
use nix::mount::umount;
use spelunk::verbs::{Memory, Session};
use spelunk_fixtures::{samples, snpak::Pack};
use std::{
    fs::{self, File},
    io::Read,
    path::Path,
    thread,
};

fn session() -> Session {
    let files = Memory::new();
    files.put("level.nmo", samples::level().build().bytes);
    files.put("empty.snpak", Pack::default().build().bytes);
    Session::new(files)
}

/// Whether nothing is to be seen of what is mounted.
fn is_gone(point: &Path) -> bool {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
    let is_empty = fs::read_dir(point).unwrap().next().is_none();
    is_empty && !mounts.contains(point.to_str().unwrap())
}

#[test]
fn what_is_stopped_is_unmounted() {
    let Some(mut mounted) = mount(session(), "level.nmo") else { return };
    assert!(!is_gone(&mounted.point));
    let stop = mounted.mount.as_ref().unwrap().stop();
    let mount = mounted.mount.take().unwrap();
    let waits = thread::spawn(move || mount.wait());
    stop.stop();
    waits.join().unwrap().unwrap();
    assert!(is_gone(&mounted.point));
    // One that is gone is stopped once more.
    stop.stop();
}

#[test]
fn what_is_dropped_is_unmounted() {
    let Some(mut mounted) = mount(session(), "level.nmo") else { return };
    drop(mounted.mount.take());
    assert!(is_gone(&mounted.point));
}

#[test]
fn what_is_in_use_is_unmounted_and_read_to_its_end() {
    let Some(mut mounted) = mount(session(), "level.nmo") else { return };
    let folder = fs::read_dir(&mounted.point).unwrap().next().unwrap().unwrap().path();
    let path = fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    let whole = fs::read(&path).unwrap();
    let mut file = File::open(&path).unwrap();
    let mount = mounted.mount.take().unwrap();
    mount.stop().stop();
    mount.wait().unwrap();
    assert!(is_gone(&mounted.point));
    let mut read = Vec::new();
    file.read_to_end(&mut read).unwrap();
    assert!(read == whole);
}

/// What lies below a mount that somebody unmounted stays where it is.
#[test]
fn a_mount_that_somebody_unmounts_ends_alone() {
    let Some(below) = mount(session(), "empty.snpak") else { return };
    let Some(above) = mount_at(session(), "level.nmo", &below.point, &Heard::default()) else {
        return;
    };
    let entries = |point: &Path| fs::read_dir(point).unwrap().count();
    assert!(entries(&below.point) > 0);
    umount(&below.point).unwrap();
    above.wait().unwrap();
    assert_eq!(entries(&below.point), 0);
    assert!(!is_gone(&below.point), "the mount below was taken away, too");
}
