//! Folders of containers.

use super::mounted::{mount, sizes};
use spelunk::verbs::{Disk, Session};
use spelunk_fixtures::{
    pak::{Pak, PakFile},
    samples,
};
use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

fn archive(files: &[(&str, &str, &str)]) -> Vec<u8> {
    let file = |(dir, name, data): &(&str, &str, &str)| {
        PakFile::new(dir.as_bytes(), name.as_bytes(), data.as_bytes())
    };
    Pak { files: files.iter().map(file).collect(), ..Pak::default() }.build().bytes
}

#[test]
fn containers_are_folders_and_other_files_are_as_they_are() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    for folder in ["all", "all/deep", "all/game", "all/game/pak", "all/empty"] {
        fs::create_dir(path(folder)).unwrap();
    }
    let level = samples::level().build().bytes;
    fs::write(path("all/level.nmo"), &level).unwrap();
    fs::write(path("all/deep/level"), &level).unwrap();
    fs::write(path("all/deep/notes.txt"), "notes").unwrap();
    fs::write(path("all/cut.nmo"), &level[..40]).unwrap();
    fs::write(path("all/game/pak/sf1.pak"), archive(&[("sound", "bell.wav", "ding")])).unwrap();
    fs::write(path("all/game/pak/sf2.pak"), archive(&[("sound", "bell.wav", "dong")])).unwrap();
    std::os::unix::fs::symlink("..", path("all/deep/up")).unwrap();
    std::os::unix::fs::symlink("notes.txt", path("all/deep/link.txt")).unwrap();
    let Some(mounted) = mount(Session::new(Disk), path("all")) else { return };
    assert_eq!(mounted.mount.as_ref().unwrap().entries(), 3, "level.nmo, cut.nmo, game");
    let names = |folder: &str| -> Vec<String> {
        let entries = fs::read_dir(mounted.point.join(folder)).unwrap();
        let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
        entries.map(|entry| name(entry).into_string().unwrap()).collect()
    };
    assert_eq!(names(""), ["cut.nmo", "deep", "empty", "game", "level.nmo"]);
    assert_eq!(names("deep"), ["level", "link.txt", "notes.txt"]);
    assert_eq!(names("empty"), [""; 0]);
    assert!(mounted.heard.take().is_empty(), "nothing was opened");
    let read = |file: &str| fs::read_to_string(mounted.point.join(file)).unwrap();
    assert_eq!((read("deep/notes.txt"), read("deep/link.txt")), ("notes".into(), "notes".into()));
    assert_eq!(read("game/sound/bell.wav"), "dong");
    let [one, other] = ["level.nmo", "deep/level"].map(|name| sizes(&mounted.point.join(name)));
    assert!(one.len() > 5 && one == other);
    let modified = |path: &Path| fs::metadata(path).unwrap().modified().unwrap();
    assert_eq!(modified(&mounted.point.join("level.nmo")), modified(&path("all/level.nmo")));
    // What is damaged is the one that cannot be entered, and why is said once.
    for _ in 0..2 {
        let error = fs::read_dir(mounted.point.join("cut.nmo"))
            .and_then(|mut entries| entries.next().map_or(Ok(()), |entry| entry.map(drop)));
        assert_eq!(error.unwrap_err().raw_os_error(), Some(5));
    }
    let told = mounted.heard.take();
    assert!(told.len() == 1 && told[0].contains("cut.nmo: "), "{told:?}");
    assert!(fs::metadata(mounted.point.join("deep/../deep/level/..")).unwrap().is_dir());
}

/// More containers than stay open.
#[test]
fn containers_that_are_closed_meanwhile_are_what_they_were() {
    let dir = tempfile::tempdir().unwrap();
    let name = |nth: usize| format!("{nth:02}.snpak");
    for nth in 0..40 {
        let bytes = match nth % 2 {
            0 => samples::pack().build().bytes,
            _ => samples::appended_pack().build().bytes,
        };
        fs::write(dir.path().join(name(nth)), bytes).unwrap();
    }
    let Some(mounted) = mount(Session::new(Disk), dir.path()) else { return };
    let look = || -> BTreeMap<PathBuf, (u64, Vec<u8>)> {
        let files = sizes(&mounted.point).into_keys();
        files
            .map(|file| {
                let path = mounted.point.join(&file);
                let ino = fs::metadata(&path).unwrap().ino();
                (file, (ino, fs::read(path).unwrap()))
            })
            .collect()
    };
    let first = look();
    assert!(first.len() >= 40 && first == look());
    let numbers: std::collections::BTreeSet<u64> = first.values().map(|(ino, _)| *ino).collect();
    assert_eq!(numbers.len(), first.len(), "numbers are there once");
    assert!(mounted.heard.take().iter().all(|text| !text.contains("SP214")));
}

/// More than stay open, so that the first is closed when it is changed.
#[test]
fn a_container_that_is_changed_meanwhile_is_not_mixed_with_what_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let path = |nth: usize| dir.path().join(format!("{nth:02}.snpak"));
    for nth in 0..20 {
        fs::write(path(nth), samples::pack().build().bytes).unwrap();
    }
    let Some(mounted) = mount(Session::new(Disk), dir.path()) else { return };
    // The last one is entered first.
    let listed = sizes(&mounted.point);
    let file = mounted.point.join(listed.keys().find(|file| file.starts_with("19.snpak")).unwrap());
    fs::write(path(19), samples::appended_pack().build().bytes).unwrap();
    for _ in 0..2 {
        assert_eq!(fs::read(&file).unwrap_err().raw_os_error(), Some(5));
    }
    let told = mounted.heard.take();
    let changed: Vec<&String> = told.iter().filter(|text| text.contains("SP214")).collect();
    assert_eq!(changed.len(), 2, "{told:?}");
    assert!(changed[0].contains("19.snpak"), "{told:?}");
    let other = listed.keys().find(|file| file.starts_with("01.snpak")).unwrap();
    assert!(fs::read(mounted.point.join(other)).is_ok());
}
