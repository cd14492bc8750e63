//! Writers of one file take turns: whatever two of them are started together, the file is what it would be after one of
//! them and then the other.

use spelunk_fixtures::write_samples;
use std::{
    collections::BTreeSet,
    env, fs,
    path::Path,
    process::{Child, Command, Stdio},
};

/// How often each pair is tried; `SPELUNK_ROUNDS` says another number.
const ROUNDS: usize = 3;

fn rounds() -> usize {
    env::var("SPELUNK_ROUNDS").map_or(ROUNDS, |rounds| rounds.parse().unwrap())
}

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

/// A file, and the commands that write to it in place.
struct Case {
    file: &'static str,
    writers: &'static [&'static [&'static str]],
}

const PACK: Case = Case {
    file: "forest-appended.snpak",
    writers: &[
        &["append", "forest-appended.snpak", "new.txt"],
        &[
            "set",
            "forest-appended.snpak",
            "sounds/wind/entry.cooked_schema_version=9",
            "--in-place",
        ],
        &["rm", "forest-appended.snpak", "sounds/silence", "--in-place"],
        &["mv", "forest-appended.snpak", "meshes/oak_trunk", "meshes/ash", "--in-place"],
        &["add", "forest-appended.snpak", "asset/added", "--from", "new.txt", "--in-place"],
        &["replace", "forest-appended.snpak", "levels/forest", "new.txt", "--raw", "--in-place"],
        &["rewrite", "forest-appended.snpak", "--recompress", "--in-place"],
        &["compact", "forest-appended.snpak", "--in-place"],
        &["repair", "forest-appended.snpak", "--in-place"],
        &["rollback", "forest-appended.snpak", "--generation", "1", "--in-place"],
        &["patch", "forest-appended.snpak", "pack.json", "--in-place"],
        &["merge", "base.snpak", "forest-appended.snpak", "theirs.snpak", "--in-place"],
    ],
};

const OBJECTS: Case = Case {
    file: "level.nmo",
    writers: &[
        &["set", "level.nmo", "#1/material.specular_power=2.5", "--in-place"],
        &["rm", "level.nmo", "CKParameterLocal/Floor", "--in-place"],
        &["mv", "level.nmo", "CK3dObject/Cube", "Dice", "--in-place"],
        &["add", "level.nmo", "included/new.txt", "--from", "new.txt", "--in-place"],
        &["replace", "level.nmo", "CKParameterLocal/Message", "new.txt", "--raw", "--in-place"],
        &["rewrite", "level.nmo", "--level", "0", "--in-place"],
        &["lint", "level.nmo", "--fix", "--merge-names", "--in-place"],
        &["patch", "level.nmo", "level.json", "--in-place"],
        &["merge", "base.nmo", "level.nmo", "theirs.nmo", "--in-place"],
        &["import", "quad.obj", "--into", "level.nmo", "--in-place"],
    ],
};

/// The samples, and what the writers need beside them.
fn prepared() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    write_samples(dir.path()).unwrap();
    let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
    write("new.txt", "some bytes that were not there");
    write("quad.obj", "o Quad\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    let pack = "forest-appended.snpak";
    for (old, base, theirs, entry, patch) in [
        (pack, "base.snpak", "theirs.snpak", "textures/bark", "pack.json"),
        ("level.nmo", "base.nmo", "theirs.nmo", "CKGroup/Phys_Floors", "level.json"),
    ] {
        let run = |args: &[&str]| assert_eq!(end(start(dir.path(), args)).0, Some(0), "{args:?}");
        fs::copy(dir.path().join(old), dir.path().join(base)).unwrap();
        run(&["mv", old, entry, "renamed", "-o", theirs]);
        // `diff` says by its exit code that there is a difference.
        let diff = end(start(dir.path(), &["diff", base, theirs, "--patch", patch]));
        assert!(dir.path().join(patch).exists(), "{diff:?}");
    }
    dir
}

fn pairs(case: &Case) {
    let dir = prepared();
    let dir = dir.path();
    let path = dir.join(case.file);
    let old = fs::read(&path).unwrap();
    let names = || -> BTreeSet<_> {
        fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name()).collect()
    };
    let before = names();
    for (nth, one) in case.writers.iter().enumerate() {
        fs::write(&path, &old).unwrap();
        let alone = end(start(dir, one));
        assert!(matches!(alone.0, Some(0 | 1)), "{one:?}: {alone:?}");
        let changed = fs::read(&path).unwrap() != old;
        assert!(changed || ["repair", "rewrite", "lint"].contains(&one[0]), "{one:?}: {alone:?}");
        for other in &case.writers[nth..] {
            let one_then_the_other = |one: &[&str], other: &[&str]| {
                fs::write(&path, &old).unwrap();
                let codes = [end(start(dir, one)).0, end(start(dir, other)).0];
                (codes, fs::read(&path).unwrap())
            };
            let (codes, bytes) = one_then_the_other(other, one);
            let expected = [one_then_the_other(one, other), ([codes[1], codes[0]], bytes)];
            for round in 0..rounds() {
                fs::write(&path, &old).unwrap();
                let mut children = if round % 2 == 0 {
                    [start(dir, one), start(dir, other)]
                } else {
                    let late = start(dir, other);
                    [start(dir, one), late]
                }
                .map(Some)
                .into_iter();
                let mut next = || end(children.next().unwrap().unwrap());
                let (first, second) = (next(), next());
                let found = ([first.0, second.0], fs::read(&path).unwrap());
                assert!(
                    expected.contains(&found),
                    "{one:?} beside {other:?}, round {round}: {first:?} {second:?}"
                );
                assert_eq!(names(), before, "{one:?} beside {other:?}");
            }
        }
    }
}

#[test]
fn writers_of_packs_take_turns() {
    pairs(&PACK);
}

#[test]
fn writers_of_objects_take_turns() {
    pairs(&OBJECTS);
}
