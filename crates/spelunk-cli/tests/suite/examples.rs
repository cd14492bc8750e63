//! The examples of help, and the commands of `spelunk help jobs`, run as they are written.
#![cfg(unix)]

use crate::common::{spelunk, verbs};
use std::{
    env, fs,
    io::{BufRead, BufReader},
    net::TcpListener,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// Verbs whose exit code 1 says that they found something.
const FINDERS: [&str; 7] = ["verify", "lint", "diff", "refs", "overlay", "merge", "repair"];

/// Programs of others that examples name. Where they are not installed, something stands in for them that reads and says nothing.
const OTHERS: [&str; 5] = ["jq", "xxd", "man", "duckdb", "git"];

/// Folders that examples look into or write to.
const FOLDERS: [&str; 14] = [
    "Ballance/Textures",
    "Ballance/Levels",
    "SpellForce/pak",
    "maps",
    "mods",
    "levels",
    "old",
    "patch",
    "assets",
    "textures",
    ".zfunc",
    ".config/fish/completions",
    ".local/share/bash-completion/completions",
    ".local/share/man/man1",
];

/// Names by which examples call samples.
const COPIES: [(&str, &str); 32] = [
    ("level.nmo", "old.nmo"),
    ("level.nmo", "maps/level.nmo"),
    ("level.nmo", "levels/level.nmo"),
    ("level.nmo", "Ballance/Levels/Level_01.nmo"),
    ("level.nmo", "edited.nmo"),
    ("menu.cmo", "Ballance/menu.cmo"),
    ("gameplay.nmo", "mods/gameplay.nmo"),
    ("version2.nmo", "old/version2.nmo"),
    ("version2.nmo", "door.nmo"),
    ("GameData.cff", "SpellForce/GameData.cff"),
    ("sf22.pak", "SpellForce/pak/sf22.pak"),
    ("sf22.pak", "SpellForce/pak/sf32.pak"),
    ("pakdata.dat", "SpellForce/pakdata.dat"),
    ("forest-appended.snpak", "assets.snpak"),
    ("forest-appended.snpak", "game.snpak"),
    ("forest-appended.snpak", "new.snpak"),
    ("forest.snpak", "base.snpak"),
    ("forest.snpak", "level.snpak"),
    ("forest.snpak", "old.snpak"),
    ("forest-delta.snpak", "dlc.snpak"),
    ("sf22.pak", "moss.tex"),
    ("sf22.pak", "fern.tex"),
    ("sf22.pak", "moss.mip0"),
    ("sf22.pak", "moss.tga"),
    ("sf22.pak", "grass.tga"),
    ("sf22.pak", "tower.msb"),
    ("sf22.pak", "readme.txt"),
    ("sf22.pak", "textures/bark.tex"),
    ("sf22.pak", "patch/rain.tex"),
    ("sf22.pak", "assets/rain.tex"),
    ("level.nmo", "SpellForce/level.nmo"),
    ("level.nmo", "Ballance/level.nmo"),
];

/// Command lines that make the rest of the files that examples name.
const MADE: [&str; 26] = [
    "set forest.snpak sounds/wind/name=sounds/storm -o mine.snpak",
    "set forest.snpak textures/bark/name=textures/birch -o other.snpak",
    "set forest.snpak textures/bark/schema_version=9 -o patch.snpak",
    "set forest.snpak textures/bark@mobile/variant=de -o de.snpak",
    "set GameData.cff items/1/buy_value=250 -o balance.cff",
    "set GameData.cff texts/1/1/content=Blade -o translation.cff",
    "set GameData.cff items/2/sell_value=3 -o items.cff",
    "set level.nmo CKMaterial/Wood/material.diffuse=#884422 -o new.nmo",
    "set level.nmo CKMaterial/Wood/material.diffuse=#884422 -o brown.nmo",
    "set level.nmo CKMaterial/Wood/material.specular_power=7 -o mine.nmo",
    "set edited.nmo CKMaterial/Wood/material.specular_power=7 --in-place --history",
    "mv edited.nmo CK3dObject/Cube Crate --in-place --history",
    "diff old.nmo new.nmo --patch changes.json",
    "mv level.nmo CKMesh/Cube_Mesh Ball_Wood_Mesh -o balls.nmo",
    "subset level.nmo CK3dObject/Cube -o parts.nmo",
    "subset level.nmo CK3dObject/Cube -o modules.nmo",
    "subset level.nmo CK3dObject/Cube -o man.nmo",
    "subset level.nmo CK3dObject/Cube -o walk.nmo",
    "subset level.nmo CK3dObject/Cube -o run.nmo",
    "mv menu.cmo #3 M_Main -o named.cmo",
    "add named.cmo CKDataArray/Scores -o menu.nmo",
    "export level.nmo -o scene.glb",
    "export level.nmo -o ball.obj",
    "export level.nmo -o level.json",
    "export GameData.cff -o game.sqlite",
    "export textures.snpak textures/rgba8 -o wood.png",
];

/// A folder with every file that an example reads.
fn world() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    spelunk_fixtures::write_samples(dir.path()).unwrap();
    FOLDERS.iter().for_each(|folder| fs::create_dir_all(at(folder)).unwrap());
    for (from, to) in COPIES {
        fs::copy(at(from), at(to)).unwrap();
    }
    for line in MADE {
        let args: Vec<&str> = line.split(' ').collect();
        let out = spelunk(dir.path(), &args);
        let fine = out.status.success() || line.starts_with("diff") && out.status.code() == Some(1);
        assert!(fine, "{line}: {}", String::from_utf8_lossy(&out.stderr));
    }
    for name in ["wood.bmp", "Ballance/Textures/wood.bmp", "assets/rain.png"] {
        fs::copy(at("wood.png"), at(name)).unwrap();
    }
    let bytes = fs::read(at("forest.snpak")).unwrap();
    fs::write(at("broken.snpak"), &bytes[..900]).unwrap();
    fs::write(at("engine.json"), r#"{"plugins": [], "prototypes": []}"#).unwrap();
    fs::write(at("changes.txt"), "CKMaterial/Wood/material.diffuse=0xff884422\n").unwrap();
    dir
}

fn copy(from: &Path) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for entry in walkdir::WalkDir::new(from).min_depth(1) {
        let entry = entry.unwrap();
        let to = dir.path().join(entry.path().strip_prefix(from).unwrap());
        match entry.file_type().is_dir() {
            true => fs::create_dir(to).unwrap(),
            false => assert!(fs::copy(entry.path(), to).is_ok()),
        }
    }
    dir
}

/// Folders with the command, and with what stands in for programs that are not there.
fn programs(dir: &Path) -> String {
    let path = env::var("PATH").unwrap();
    let is_there = |name: &str| env::split_paths(&path).any(|folder| folder.join(name).exists());
    for name in OTHERS.iter().filter(|name| !is_there(name)) {
        let file = dir.join(name);
        fs::write(&file, "#!/bin/sh\n[ -t 0 ] || cat > /dev/null\n").unwrap();
        fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let own = Path::new(env!("CARGO_BIN_EXE_spelunk")).parent().unwrap().display();
    format!("{own}:{path}:{}", dir.display())
}

/// Runs a line as a shell does. What it writes is not there before.
fn run(line: &str, dir: &Path, path: &str) -> Output {
    let words: Vec<&str> = line.split(' ').collect();
    for pair in words.windows(2).filter(|pair| ["-o", "--patch", "-C"].contains(&pair[0])) {
        let written: PathBuf = dir.join(pair[1]);
        if written.is_dir() && pair[1] != "catalogue" {
            fs::remove_dir_all(written).unwrap();
        } else if written.is_file() {
            fs::remove_file(written).unwrap();
        }
    }
    let mut bash = Command::new("bash");
    bash.args(["-c", &format!("set -o pipefail; {line}")]).current_dir(dir).stdin(Stdio::null());
    // Settings of this machine, and the repository that the tests lie in, are none of its business.
    bash.envs([("PATH", path), ("GIT_CONFIG_GLOBAL", "/dev/null"), ("MANPAGER", "cat")]);
    bash.env("HOME", dir).env("PROFILE", dir.join("profile.ps1"));
    bash.env("GIT_CEILING_DIRECTORIES", dir.parent().unwrap());
    bash.output().unwrap()
}

/// Whether the exit code of a line is one that it may have.
fn is_fine(line: &str, out: &Output) -> bool {
    let verb = line.split("spelunk ").nth(1).and_then(|rest| rest.split(' ').next());
    match out.status.code() {
        Some(0) => true,
        Some(1) => verb.is_some_and(|verb| FINDERS.contains(&verb)),
        _ => false,
    }
}

/// Runs lines that stand below each other: each goes on from the one above, or begins anew.
fn failures(lines: &[String], world: &Path, path: &str) -> Vec<String> {
    let before = copy(world);
    let mut failed = Vec::new();
    for line in lines {
        if line.contains("spelunk view ") {
            failed.extend(viewed(line, world));
            continue;
        }
        // It stays until it is ended, and is tried by `mount.rs`.
        if line.contains("spelunk mount ") {
            continue;
        }
        let out = run(line, before.path(), path);
        if is_fine(line, &out) {
            continue;
        }
        let fresh = copy(world);
        let out = run(line, fresh.path(), path);
        if !is_fine(line, &out) {
            let said = String::from_utf8_lossy(&out.stderr);
            failed.push(format!("{line}\n  exit code {:?}: {said}", out.status.code()));
        }
    }
    failed
}

/// `view` goes on until it is ended: it has to print its address.
fn viewed(line: &str, dir: &Path) -> Option<String> {
    let words = line.split(' ').skip(1).filter(|word| *word != "--no-open");
    let args: Vec<&str> = words.chain(["--no-open"]).collect();
    let port = args.iter().skip_while(|arg| **arg != "--port").nth(1);
    let port = port.map(|port| port.parse::<u16>().unwrap());
    if port.is_some_and(|port| TcpListener::bind(("127.0.0.1", port)).is_err()) {
        eprintln!("not tried, for its port is taken: {line}");
        return None;
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_spelunk"));
    command.args(&args).current_dir(dir).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut running = command.stderr(Stdio::null()).spawn().unwrap();
    let mut address = String::new();
    BufReader::new(running.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let _ = running.kill();
    let code = running.wait().unwrap().code();
    // Builds without the page say so.
    let is_there = address.contains("http://127.0.0.1:") || code == Some(5);
    (!is_there).then(|| format!("{line}\n  printed {address:?}, exit code {code:?}"))
}

/// What the command prints, with lines that go on behind a backslash as one.
fn printed(args: &[&str]) -> String {
    let out = spelunk(Path::new("."), args);
    assert!(out.status.success(), "{args:?}");
    let text = String::from_utf8(out.stdout).unwrap();
    let mut whole = String::new();
    for line in text.lines() {
        match whole.strip_suffix("\\\n").map(str::len) {
            Some(end) => {
                whole.truncate(end);
                whole.push_str(line.trim_start());
            }
            None => whole.push_str(line),
        }
        whole.push('\n');
    }
    whole
}

#[test]
fn the_examples_of_every_verb_run() {
    let world = world();
    let others = tempfile::tempdir().unwrap();
    let path = programs(others.path());
    let mut failed = Vec::new();
    for verb in verbs() {
        let help = printed(&[&verb, "--help"]);
        let examples = help.lines().skip_while(|line| *line != "Examples:").skip(1);
        let examples: Vec<String> = examples
            .take_while(|line| !line.is_empty())
            .map(|line| line.trim_start().to_owned())
            .collect();
        if examples.len() < 3 {
            failed.push(format!("{verb} has {} examples", examples.len()));
        }
        failed.extend(failures(&examples, world.path(), &path));
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn the_commands_for_jobs_run() {
    let world = world();
    let others = tempfile::tempdir().unwrap();
    let path = programs(others.path());
    let jobs = printed(&["help", "jobs"]);
    let mut failed = Vec::new();
    let (mut wishes, mut commands) = (0, Vec::new());
    let git = Command::new("git").args(["init", "-q"]).current_dir(world.path()).status();
    drop(git);
    for line in jobs.lines().chain([""]) {
        match line.strip_prefix("      ") {
            Some(command) => commands.push(command.to_owned()),
            None => {
                if line.starts_with("  ") {
                    wishes += 1;
                }
                failed.extend(failures(&commands, world.path(), &path));
                commands.clear();
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(wishes > 40, "{wishes}");
}
