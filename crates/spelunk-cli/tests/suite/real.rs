//! What options do on real files whose content is known.

use serde_json::Value;
use spelunk_fixtures::corpus::{self, RealFile};
use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

/// A folder with some real files; `None` where there are none.
fn folder(names: &[&str]) -> Option<tempfile::TempDir> {
    let files = corpus::files("virtools", &["nmo", "cmo", "nms"])?;
    let dir = tempfile::tempdir().unwrap();
    for name in names {
        let file: &RealFile = files.iter().find(|file| file.name.ends_with(name)).unwrap();
        fs::write(dir.path().join(name), &file.bytes).unwrap();
    }
    Some(dir)
}

/// Runs a command with this exit code; gives what it prints and what it complains of.
fn run(dir: &Path, exit: i32, args: &[&str]) -> (String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_spelunk"));
    let output = command.args(args).current_dir(dir).stdin(Stdio::null()).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(exit), "{args:?}: {stderr}");
    (String::from_utf8(output.stdout).unwrap(), stderr)
}

fn json(dir: &Path, args: &[&str]) -> Vec<Value> {
    let (printed, _) = run(dir, 0, &[args, &["--json"]].concat());
    printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The rows of `ls` of objects for which `is_meant` says so of their class.
fn rows(dir: &Path, file: &str, is_meant: impl Fn(&str) -> bool) -> Vec<Value> {
    let rows = json(dir, &["ls", file]).into_iter();
    rows.filter(|row| is_meant(row["class"].as_str().unwrap_or_default())).collect()
}

/// The value of a field of an object; null where it has none.
fn field(dir: &Path, file: &str, object: &str, path: &str) -> Value {
    let shown = json(dir, &["show", file, object]).remove(0);
    let fields = shown["fields"].as_array().unwrap();
    let field = fields.iter().find(|field| field["path"] == path);
    field.map_or(Value::Null, |field| field["value"].clone())
}

/// Joins a file behind another one with options; gives what became of the objects of the second.
fn joined(dir: &Path, files: [&str; 2], options: &[&str]) -> Value {
    let [first, second] = files;
    let args = [&["join", first, second, "-o", "out.nmo", "--force"], options].concat();
    let counts = json(dir, &args).remove(0)["files"][1].clone();
    run(dir, 0, &["verify", "out.nmo"]);
    counts
}

fn is_animation(class: &str) -> bool {
    class.ends_with("Animation")
}

const BALLOON: &str = "ph_pe_balloon.nmo";
const BOX: &str = "ph_p_box.nmo";

#[test]
fn animations_alone_move_what_is_there() {
    let Some(dir) = folder(&[BALLOON, BOX]) else { return };
    let dir = dir.path();
    let before = rows(dir, BALLOON, is_animation).len();
    assert_eq!(before, 9);
    let counts = joined(dir, [BALLOON, BALLOON], &["--only", "animations"]);
    assert_eq!((&counts["created"], &counts["renamed"]), (&8.into(), &1.into()), "{counts}");
    assert_eq!(rows(dir, "out.nmo", is_animation).len(), 18);
    assert_eq!(rows(dir, "out.nmo", |_| true).len(), rows(dir, BALLOON, |_| true).len() + 9);
    let moved = |object| field(dir, "out.nmo", object, "animation.entity");
    assert_eq!(moved("#1843"), moved("#1779"));
    assert!(!moved("#1779").is_null());
    // All but these.
    joined(dir, [BOX, BALLOON], &["--only", "geometry"]);
    assert_eq!(rows(dir, "out.nmo", is_animation).len(), 0);
    let all = rows(dir, BOX, |_| true).len() + rows(dir, BALLOON, |_| true).len();
    assert_eq!(rows(dir, "out.nmo", |_| true).len(), all - 9);
    // The first file stays whole.
    joined(dir, [BALLOON, BOX], &["--only", "animations"]);
    assert_eq!(rows(dir, "out.nmo", |_| true).len(), rows(dir, BALLOON, |_| true).len());
}

#[test]
fn behaviours_alone_come_without_what_they_refer_to() {
    let Some(dir) = folder(&[BALLOON, BOX]) else { return };
    let dir = dir.path();
    let behaviors = rows(dir, BALLOON, |class| class == "CKBehavior").len();
    let counts = joined(dir, [BOX, BALLOON], &["--only", "behaviors"]);
    assert_eq!(counts["created"], behaviors, "{counts}");
    let all = rows(dir, BOX, |_| true).len() + behaviors;
    assert_eq!(rows(dir, "out.nmo", |_| true).len(), all);
}

#[test]
fn a_character_takes_the_animations() {
    let Some(dir) = folder(&[BALLOON, BOX]) else { return };
    let dir = dir.path();
    joined(dir, [BOX, BALLOON], &["--as-character", "Held"]);
    assert_eq!(rows(dir, "out.nmo", |class| class == "CKCharacter").len(), 1);
    // It stands somewhere, as a new character does.
    assert_eq!(field(dir, "out.nmo", "CKCharacter/Held", "entity.x_axis[0]"), 1.0);
    let animation = field(dir, "out.nmo", "CKCharacter/Held", "character.animations[0]");
    let name = rows(dir, "out.nmo", |class| class == "CKKeyedAnimation").remove(0);
    assert!(name["name"] == "UFO_Animation" && !animation.is_null(), "{name} {animation}");
    let args = ["join", BOX, BALLOON, "-o", "out.nmo", "--force", "--as-character", "\u{1F600}"];
    assert!(run(dir, 2, &args).1.contains("SP033"));
}

#[test]
fn engines_compare_names_of_one_file_too() {
    let Some(dir) = folder(&["level_01_v3.0.nmo", BOX]) else { return };
    let dir = dir.path();
    let current = ["--on-conflict", "use-current"];
    let files = [BOX, "level_01_v3.0.nmo"];
    let used = |options: &[&str]| joined(dir, files, options)["used"].as_u64().unwrap();
    // 20 objects of the level have names of others before them.
    assert_eq!(used(&current), 1);
    assert_eq!(used(&[&current[..], &["--as-engines"]].concat()), 21);
}

#[test]
fn what_stands_below_an_entity_comes_along() {
    let Some(dir) = folder(&["animtrafo.nmo"]) else { return };
    let dir = dir.path();
    let place = |file, object: &str| -> Vec<f64> {
        let axes = (0..3).map(|axis| format!("entity.position[{axis}]"));
        axes.filter_map(|axis| field(dir, file, object, &axis).as_f64()).collect()
    };
    let set = |more: &[&str]| {
        let change = "#515/entity.position=10,20,30";
        let args = ["set", "animtrafo.nmo", change, "-o", "out.nmo", "--force"];
        run(dir, 0, &[&args, more].concat()).1
    };
    let entities = rows(dir, "animtrafo.nmo", |class| class.starts_with("CK3d"));
    let changed = || -> Vec<String> {
        let ids = entities.iter().map(|row| row["path"].as_str().unwrap().to_owned());
        ids.filter(|id| place("animtrafo.nmo", id) != place("out.nmo", id)).collect()
    };
    assert!(set(&[]).contains("--with-children"));
    assert_eq!(changed(), ["#515"]);
    set(&["--with-children"]);
    assert_eq!(changed().len(), 10, "{:?}", changed());
    let [old, new] = [place("animtrafo.nmo", "#515"), place("out.nmo", "#515")];
    for id in changed() {
        let (before, after) = (place("animtrafo.nmo", &id), place("out.nmo", &id));
        for axis in 0..3 {
            let moved = after[axis] - before[axis] - (new[axis] - old[axis]);
            assert!(moved.abs() < 1e-3, "{id}: {moved}");
        }
    }
}

#[test]
fn one_damage_is_one_finding() {
    let Some(dir) = folder(&["balls.nmo"]) else { return };
    let dir = dir.path();
    let bytes = fs::read(dir.join("balls.nmo")).unwrap();
    let mut flipped = bytes.clone();
    flipped[60_000] ^= 1;
    for (name, bytes, code) in
        [("cut.nmo", &bytes[..60_000], "[VT008]"), ("flipped.nmo", &flipped[..], "[SP003]")]
    {
        fs::write(dir.join(name), bytes).unwrap();
        let (_, told) = run(dir, 1, &["extract", name, "-C", name.trim_end_matches(".nmo")]);
        let errors: Vec<&str> = told.lines().filter(|line| line.starts_with("error")).collect();
        assert!(matches!(&errors[..], [one] if one.contains(code)), "{told}");
        assert!(errors[0].contains("of 2264 objects whole"), "{told}");
        let (told, _) = run(dir, 1, &["verify", name]);
        assert!(told.contains("FAILED, 1 error\n"), "{told}");
    }
}
