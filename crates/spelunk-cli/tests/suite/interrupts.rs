//! Writers that are interrupted leave nothing behind but the old file or the new one.
#![cfg(unix)]

use spelunk_fixtures::write_samples;
use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::Instant,
};

/// How often each writer is interrupted; `SPELUNK_ROUNDS` says another number.
const ROUNDS: u32 = 4;
/// What makes the files large: as much is written slowly enough to be interrupted.
const LARGE: usize = 4 << 20;

fn rounds() -> u32 {
    env::var("SPELUNK_ROUNDS").map_or(ROUNDS, |rounds| rounds.parse().unwrap())
}

/// The writers. They work in a folder of their own, on copies of the inputs.
const WRITERS: &[&[&str]] = &[
    &["append", "big.snpak", "large.bin"],
    &["set", "big.snpak", "sounds/wind/entry.cooked_schema_version=9", "--in-place"],
    &["rm", "big.snpak", "sounds/silence", "--in-place"],
    &["mv", "big.snpak", "sounds/wind", "sounds/storm", "-o", "out.snpak"],
    &["add", "big.snpak", "asset/more", "--from", "large.bin", "--in-place"],
    &["compact", "big.snpak", "--in-place", "--backup"],
    &["repair", "big.snpak", "-o", "out.snpak"],
    &["rewrite", "big.nmo", "--level", "1", "--in-place"],
    &["set", "big.nmo", "#1/material.specular_power=2.5", "--in-place"],
    &["rm", "big.nmo", "CKParameterLocal/Floor", "-o", "out.nmo"],
    &["replace", "big.nmo", "included/large.bin", "other.bin", "--in-place"],
    &["lint", "big.nmo", "--fix", "--merge-names", "-o", "out.nmo"],
    &["extract", "big.nmo", "-C", "out"],
    &["pack", "folder", "-o", "out.snpak"],
    &["export", "GameData.cff", "-o", "out.sqlite"],
    &["export", "big.nmo", "-o", "out.json"],
    &["catalog", "folder", "-o", "out"],
];

fn start(dir: &Path, args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_spelunk"));
    command.args(args).current_dir(dir).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits for its end; gives the exit code and what it said.
fn end(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn signal(child: &Child, name: &str) {
    let args = [format!("-{name}"), child.id().to_string()];
    let _ = Command::new("kill").args(args).stderr(Stdio::null()).status().unwrap();
}

/// Bytes that nothing packs.
fn noise(seed: u64) -> Vec<u8> {
    let mut state = seed;
    let next = |_| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u8
    };
    (0..LARGE).map(next).collect()
}

/// The samples, and large files of two formats.
fn inputs() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    write_samples(dir.path()).unwrap();
    fs::write(path("large.bin"), noise(1)).unwrap();
    fs::write(path("other.bin"), noise(2)).unwrap();
    let run = |args: &[&str]| assert_eq!(end(start(dir.path(), args)).0, Some(0), "{args:?}");
    run(&["add", "forest-appended.snpak", "asset/large", "--from", "other.bin", "-o", "big.snpak"]);
    run(&["add", "level.nmo", "included/large.bin", "--from", "large.bin", "-o", "big.nmo"]);
    fs::create_dir(path("folder")).unwrap();
    for name in ["large.bin", "other.bin", "level.nmo", "big.nmo", "forest.snpak"] {
        fs::copy(path(name), path("folder").join(name)).unwrap();
    }
    dir
}

/// Files with what they hold.
type Held = BTreeMap<PathBuf, Vec<u8>>;

/// All files below a folder, with what they hold.
fn files(dir: &Path) -> Held {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files.extend(self::files(&path)),
            false => drop(files.insert(path.clone(), fs::read(&path).unwrap())),
        }
    }
    files
}

/// The same as if every run of `catalog` gave its parts the same names.
fn without_runs(files: &Held) -> Held {
    let plain = |text: &str| {
        let mut pieces = text.split(".parquet");
        let first = pieces.next().unwrap_or_default().to_owned();
        pieces.fold(first, |text, piece| format!("{}.parquet{piece}", &text[..text.len() - 16]))
    };
    let file = |(path, bytes): (&PathBuf, &Vec<u8>)| {
        let name = plain(path.to_str().unwrap());
        let is_manifest = name.ends_with("spelunk-catalog.json");
        let bytes = match str::from_utf8(bytes) {
            Ok(text) if is_manifest => plain(text).into(),
            _ => bytes.clone(),
        };
        (name.into(), bytes)
    };
    files.iter().map(file).collect()
}

/// Makes the folder what it was.
fn restore(dir: &Path, old: &Held) {
    for path in files(dir).into_keys().filter(|path| !old.contains_key(path)) {
        fs::remove_file(path).unwrap();
    }
    for folder in ["out"].map(|name| dir.join(name)).iter().filter(|folder| folder.exists()) {
        fs::remove_dir_all(folder).unwrap();
    }
    for (path, bytes) in old.iter().filter(|(path, bytes)| fs::read(path).unwrap() != **bytes) {
        fs::write(path, bytes).unwrap();
    }
}

/// Every file is the old one or the new one, and there is no other.
fn assert_old_or_new(dir: &Path, (old, new): (&Held, &Held), about: &str) {
    let [found, new] = [&files(dir), new].map(without_runs);
    for path in old.keys() {
        assert!(found.contains_key(path), "{about}: {} is gone", path.display());
    }
    for (path, bytes) in &found {
        let known = [old.get(path), new.get(path)];
        let is_known = known.iter().flatten().any(|known| *known == bytes);
        assert!(is_known, "{about}: {}, {} bytes", path.display(), bytes.len());
    }
}

#[test]
fn what_is_interrupted_leaves_nothing() {
    let dir = inputs();
    let dir = dir.path();
    let old = files(dir);
    let mut interrupted = 0;
    for args in WRITERS {
        let begun = Instant::now();
        let whole = end(start(dir, args));
        assert!(matches!(whole.0, Some(0 | 1)), "{args:?}: {whole:?}");
        let (time, new) = (begun.elapsed(), files(dir));
        for round in 0..rounds() {
            restore(dir, &old);
            let child = start(dir, args);
            // From the first moment on to the last.
            thread::sleep(time * (round + 1) / (rounds() + 1));
            let (name, code) = if round % 2 == 0 { ("INT", 130) } else { ("TERM", 143) };
            signal(&child, name);
            let (found, told) = end(child);
            let about = format!("{args:?}, {name}, round {round}: {told}");
            if found == Some(code) {
                interrupted += 1;
            } else {
                // It had ended, or not yet begun to listen.
                assert!(found == whole.0 || found.is_none(), "{found:?} {about}");
            }
            assert_old_or_new(dir, (&old, &new), &about);
        }
        restore(dir, &old);
    }
    assert!(interrupted > 0, "none was in time");
}

#[test]
fn what_a_killed_writer_leaves_is_removed_by_the_next_one() {
    let dir = inputs();
    let dir = dir.path();
    let old = files(dir);
    let mut left = 0;
    let is_left = |path: &PathBuf| path.to_string_lossy().contains(".spelunk-");
    for args in WRITERS {
        let begun = Instant::now();
        let whole = end(start(dir, args));
        let (time, new) = (begun.elapsed(), files(dir));
        for round in 0..rounds() {
            restore(dir, &old);
            let child = start(dir, args);
            thread::sleep(time * (round + 1) / (rounds() + 1));
            signal(&child, "KILL");
            end(child);
            left += u32::from(files(dir).keys().any(is_left));
            // What is there is the input of the next one; what was extracted before is in the way of it.
            if args[0] == "extract" {
                fs::remove_dir_all(dir.join("out"))
                    .or_else(|_| fs::create_dir(dir.join("out")))
                    .unwrap();
            }
            let again = end(start(dir, args));
            let about = format!("{args:?}, round {round}: {again:?}");
            let names: Vec<_> = files(dir).into_keys().filter(is_left).collect();
            assert!(names.is_empty(), "{about}: {names:?}");
            if args.contains(&"--in-place") || args[0] == "append" {
                continue;
            }
            // An output that came to be is in the way of the next one, too.
            let [found, new] = [&files(dir), &new].map(without_runs);
            assert!(again.0 == whole.0 || found.keys().eq(new.keys()), "{about}");
        }
        restore(dir, &old);
    }
    assert!(left > 0, "nothing was left at any time");
}
