//! What every writing verb makes of every real Virtools file and of the samples: written with exit code 0, and sound when it
//! is opened again. Where `SPELUNK_VIRTOOLS` names a folder, all of it is left there for loaders that others wrote:
//! `.ci/virtools/check.py` judges them.

use serde_json::Value;
use spelunk_fixtures::{
    corpus::{self, RealFile},
    judged,
};
use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::{Command, Output, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// Classes that can be added, by the names that the SDK gives them.
const CLASSES: [&str; 46] = [
    "CKObject",
    "CKParameterIn",
    "CKParameterOut",
    "CKParameterOperation",
    "CKStateObject",
    "CKBehaviorLink",
    "CKBehavior",
    "CKBehaviorIO",
    "CKScene",
    "CKKinematicChain",
    "CKObjectAnimation",
    "CKKeyedAnimation",
    "CKBeObject",
    "CKSynchroObject",
    "CKLevel",
    "CKPlace",
    "CKGroup",
    "CKWaveSound",
    "CKMidiSound",
    "CK2dEntity",
    "CKSprite",
    "CKSpriteText",
    "CKMaterial",
    "CKTexture",
    "CKMesh",
    "CK3dEntity",
    "CKCamera",
    "CKTargetCamera",
    "CKCurvePoint",
    "CKSprite3D",
    "CKLight",
    "CKTargetLight",
    "CKCharacter",
    "CK3dObject",
    "CKBodyPart",
    "CKCurve",
    "CKParameterLocal",
    "CKParameter",
    "CKInterfaceObjectManager",
    "CKCriticalSectionObject",
    "CKGrid",
    "CKLayer",
    "CKDataArray",
    "CKPatchMesh",
    "CKAnimation",
    "CKSound",
];

/// Classes that engines make no objects of by themselves: adding one may be refused.
const ABSTRACT: [&str; 4] = ["CKObject", "CKBeObject", "CKAnimation", "CKSound"];

/// A model with a texture.
const OBJ: &str = "mtllib wood.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl wood\nf 1/1 2/2 3/3\n";

/// A picture of 2 by 2 pixels.
fn bmp() -> Vec<u8> {
    let head: [u32; 13] = [70, 0, 54, 40, 2, 2, 0x0018_0001, 0, 16, 0, 0, 0, 0];
    let rows = [0, 0, 255, 0, 255, 0, 0, 0, 255, 0, 0, 9, 9, 9, 0, 0];
    [b"BM".as_slice(), &head.map(u32::to_le_bytes).concat(), &rows].concat()
}

/// A command in the folder of one file. What is written is named `out.nmo`.
struct Bench<'a> {
    dir: &'a Path,
    /// Name of the real file.
    name: &'a str,
    faults: &'a Mutex<Vec<String>>,
    runs: &'a AtomicUsize,
    left: &'a AtomicUsize,
}

impl Bench<'_> {
    fn run(&self, args: &[&str]) -> Output {
        self.runs.fetch_add(1, Ordering::Relaxed);
        let mut command = Command::new(env!("CARGO_BIN_EXE_spelunk"));
        command.args(args).current_dir(self.dir).stdin(Stdio::null());
        command.output().unwrap()
    }

    fn fault(&self, args: &[&str], output: &Output) {
        let stderr = String::from_utf8_lossy(&output.stderr);
        let told: String = stderr.lines().filter(|line| line.starts_with("error")).collect();
        let code = output.status.code();
        let line = format!("{}: {args:?}: exit code {code:?}: {told}", self.name);
        self.faults.lock().unwrap().push(line);
    }

    /// Leaves a file for the judges, as made by `label` of the real file.
    fn leave(&self, label: &str, bytes: &[u8]) {
        judged::leave(judged::VIRTOOLS, &format!("real/{label}-{}", self.name), bytes);
        self.left.fetch_add(1, Ordering::Relaxed);
    }

    /// Runs a command that has to succeed.
    fn ok(&self, args: &[&str]) -> Vec<u8> {
        let output = self.run(args);
        if output.status.code() != Some(0) {
            self.fault(args, &output);
        }
        output.stdout
    }

    /// Runs a command that writes `out`, and leaves that for the judges as made by `label`.
    fn writes(&self, label: &str, args: &[&str], out: &str) {
        let path = self.dir.join(out);
        let _ = fs::remove_file(&path);
        let output = self.run(args);
        if output.status.code() != Some(0) {
            return self.fault(args, &output);
        }
        match fs::read(&path) {
            Ok(bytes) => self.leave(label, &bytes),
            Err(error) => {
                self.faults.lock().unwrap().push(format!("{}: {args:?}: {error}", self.name))
            }
        }
    }

    /// The rows of `ls --json`.
    fn rows(&self, file: &str) -> Vec<Value> {
        let listed = self.ok(&["ls", "--json", file]);
        let lines = std::str::from_utf8(&listed).unwrap().lines();
        lines.map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

fn text<'v>(row: &'v Value, key: &str) -> &'v str {
    row[key].as_str().unwrap_or_default()
}

/// Verbs that need nothing but the file.
fn rewrites(bench: &Bench<'_>) {
    let file = "in.nmo";
    for (label, options) in [
        ("rewrite", &[] as &[&str]),
        ("recompress", &["--recompress"]),
        ("level", &["--level", "9"]),
        ("stored", &["--write-mode", "uncompressed"]),
        ("compressed", &["--write-mode", "compressed"]),
        ("version-9", &["--file-version", "9"]),
        ("strip-included", &["--strip-included"]),
    ] {
        bench.writes(
            label,
            &[&["rewrite", file, "out.nmo", "--force"], options].concat(),
            "out.nmo",
        );
    }
    let fix = ["lint", file, "--fix", "-o", "out.nmo", "--allow", "VL003", "--force", "--lenient"];
    let output = bench.run(&fix);
    // What cannot be mended is told, and is a failure.
    if !matches!(output.status.code(), Some(0 | 1)) {
        bench.fault(&fix, &output);
    } else if let Ok(bytes) = fs::read(bench.dir.join("out.nmo")) {
        bench.leave("lint-fix", &bytes);
    }
    for (label, option) in [("merge", "--merge-names"), ("unused", "--remove-unused")] {
        let _ = fs::remove_file(bench.dir.join("out.nmo"));
        let output = bench.run(&[&fix, &[option][..]].concat());
        if !matches!(output.status.code(), Some(0 | 1)) {
            bench.fault(&fix, &output);
        } else if let Ok(bytes) = fs::read(bench.dir.join("out.nmo")) {
            bench.leave(&format!("lint-{label}"), &bytes);
        }
    }
    bench.ok(&["extract", file, "-C", "all"]);
    bench.writes("pack", &["pack", "all", "-o", "packed.nmo"], "packed.nmo");
    bench.ok(&["export", file, "-o", "out.json"]);
    bench.writes("document", &["import", "out.json", "-o", "document.nmo"], "document.nmo");
}

/// Older files of the same content, where their FileVersions have a place for it, and current ones of these.
fn upgrades(bench: &Bench<'_>) {
    for version in ["2", "3", "4", "5", "6", "7"] {
        let older = format!("v{version}.nmo");
        let output = bench.run(&["rewrite", "in.nmo", &older, "--file-version", version]);
        match output.status.code() {
            Some(0) => {
                let target = format!("up/{older}");
                let args = ["upgrade", &older, "-C", "up"];
                bench.writes(&format!("upgrade-{version}"), &args, &target);
            }
            // There is no place for managers, or chunks of this generation, which is told.
            Some(5) => {}
            _ => bench.fault(&["rewrite", "--file-version", version], &output),
        }
    }
}

/// `set`, `mv`, `rm`, `replace` of one object of each class that the file has, patches and merges of two such changes.
fn edits(bench: &Bench<'_>, rows: &[Value]) {
    let file = "in.nmo";
    let mut first = BTreeMap::new();
    for row in rows {
        first.entry(text(row, "class")).or_insert(row);
    }
    for (class, row) in &first {
        let path = text(row, "path");
        let write = |verb: &str, args: &[&str]| {
            let args = [args, &["-o", "out.nmo"]].concat();
            bench.writes(&format!("{verb}-{class}"), &args, "out.nmo");
        };
        write("set", &["set", file, &format!("{path}/entry.name=Renamed")]);
        // Where references cannot be followed, removal is refused unless that is wanted.
        let out = ["rm", file, path, "-o", "out.nmo"];
        let _ = fs::remove_file(bench.dir.join("out.nmo"));
        let refused = bench.run(&out);
        let lossy: &[&str] = if refused.status.code() == Some(5) { &["--lossy"] } else { &[] };
        write("rm", &[&["rm", file, path], lossy].concat());
        write("like", &["add", file, &format!("{class}/Twin"), "--like", path]);
        let chunk = bench.ok(&["cat", file, path]);
        fs::write(bench.dir.join("chunk"), chunk).unwrap();
        write("replace", &["replace", file, path, "chunk"]);
        write("raw", &["replace", file, path, "chunk", "--raw"]);
    }
    let (Some((_, one)), Some((_, other))) = (first.first_key_value(), first.last_key_value())
    else {
        return;
    };
    let _ = fs::remove_file(bench.dir.join("out.nmo"));
    bench.ok(&["mv", file, text(one, "path"), "Ours", "-o", "ours.nmo"]);
    bench.ok(&["add", file, "CKGroup/Theirs", "-o", "theirs.nmo"]);
    bench.writes("mv", &["mv", file, text(other, "path"), "Other", "-o", "out.nmo"], "out.nmo");
    let _ = fs::remove_file(bench.dir.join("out.nmo"));
    bench.writes("merge", &["merge", file, "ours.nmo", "theirs.nmo", "-o", "out.nmo"], "out.nmo");
    // Two files that differ are exit code 1.
    bench.run(&["diff", file, "theirs.nmo", "--patch", "patch.json"]);
    let _ = fs::remove_file(bench.dir.join("out.nmo"));
    bench.writes("patch", &["patch", file, "patch.json", "-o", "out.nmo"], "out.nmo");
    let _ = fs::remove_file(bench.dir.join("out.nmo"));
    let patch = ["patch", "ours.nmo", "patch.json", "-o", "out.nmo"];
    bench.writes("patch-other", &patch, "out.nmo");
    for (kind, value) in [
        ("CK3dObject", "entity.position=1,2,3"),
        ("CKMaterial", "material.diffuse=0xff804020"),
        ("CKMesh", "entry.name=Shape"),
    ] {
        if let Some(row) = first.get(kind) {
            let change = format!("{}/{value}", text(row, "path"));
            let args = ["set", file, &change, "-o", "out.nmo"];
            bench.writes(&format!("set-field-{kind}"), &args, "out.nmo");
            if kind == "CK3dObject" {
                let args = [&args[..], &["--with-children"]].concat();
                bench.writes("set-with-children", &args, "out.nmo");
            }
        }
    }
    if let Some(group) = first.get("CKGroup") {
        let members = rows.iter().filter(|row| text(row, "class") == "CK3dObject").take(2);
        let members: Vec<String> = members.map(|row| format!("#{}", row["index"])).collect();
        let change = format!("{}/group.members={}", text(group, "path"), members.join(","));
        bench.writes("set-members", &["set", file, &change, "-o", "out.nmo"], "out.nmo");
    }
}

/// `add` of every class, and of included files before and behind each other.
fn additions(bench: &Bench<'_>) {
    let file = "in.nmo";
    for class in CLASSES {
        let entry = format!("{class}/New");
        let args = ["add", file, &entry, "-o", "out.nmo"];
        let _ = fs::remove_file(bench.dir.join("out.nmo"));
        let output = bench.run(&args);
        if let Ok(bytes) = fs::read(bench.dir.join("out.nmo")) {
            bench.leave(&format!("add-{class}"), &bytes);
        } else if !ABSTRACT.contains(&class) || output.status.code() != Some(2) {
            bench.fault(&args, &output);
        }
    }
    fs::write(bench.dir.join("note.txt"), "a note").unwrap();
    let add = |from: &str, name: &str, out: &str| {
        let args = ["add", from, &format!("included/{name}"), "--from", "note.txt", "-o", out];
        bench.writes(&format!("included-{out}"), &args, out);
    };
    add(file, "note.txt", "one.nmo");
    add("one.nmo", "other.txt", "two.nmo");
    let args = ["rm", "two.nmo", "included/note.txt", "-o", "less.nmo"];
    bench.writes("included-rm", &args, "less.nmo");
}

/// Models and pictures, out and in.
fn imports(bench: &Bench<'_>, rows: &[Value]) {
    let file = "in.nmo";
    let has = |class: &str| rows.iter().find(|row| text(row, "class") == class);
    if has("CKMesh").is_none() {
        return;
    }
    bench.ok(&["export", file, "-o", "model.glb"]);
    let into = ["import", "model.glb", "--into", file, "-o", "out.nmo", "--force"];
    for (label, options) in [
        ("rename", &["--on-conflict", "rename"] as &[&str]),
        ("keep", &["--on-conflict", "keep"]),
        ("same", &["--on-conflict", "replace"]),
    ] {
        bench.writes(&format!("import-{label}"), &[&into, options].concat(), "out.nmo");
    }
    let original = fs::read(bench.dir.join(file)).unwrap();
    if fs::read(bench.dir.join("out.nmo")).is_ok_and(|bytes| bytes != original) {
        let line = format!("{}: a model that goes out and in again changes bytes", bench.name);
        bench.faults.lock().unwrap().push(line);
    }
    bench.ok(&["export", file, "-o", "model.obj"]);
    let new = ["import", "model.obj", "-o", "out.nmo", "--force"];
    bench.writes("import-obj", &new, "out.nmo");
    fs::write(bench.dir.join("wood.obj"), OBJ).unwrap();
    fs::write(bench.dir.join("wood.mtl"), "newmtl wood\nKd 1 1 1\nmap_Kd wood.bmp\n").unwrap();
    fs::write(bench.dir.join("wood.bmp"), bmp()).unwrap();
    bench.ok(&["import", "wood.obj", "--texture-save", "raw", "-o", "wood.nmo"]);
    bench.ok(&["export", "wood.nmo", "-o", "wood.glb"]);
    for option in ["raw", "external", "original", "embedded"] {
        let save = ["--texture-save", option, "--textures", "textures", "--force", "-o", "out.nmo"];
        let new = [&["import", "model.glb"], &save[..]].concat();
        bench.writes(&format!("import-new-{option}"), &new, "out.nmo");
        let textured = [&["import", "wood.glb"], &save[..]].concat();
        bench.writes(&format!("import-wood-{option}"), &textured, "out.nmo");
        let into = [&["import", "wood.glb", "--into", file], &save[..]].concat();
        bench.writes(&format!("import-into-{option}"), &into, "out.nmo");
        if let Some(texture) = has("CKTexture") {
            let picture =
                ["import", "wood.bmp", "--into", file, "--replace", text(texture, "path")];
            let picture = [&picture[..], &save].concat();
            bench.writes(&format!("import-picture-{option}"), &picture, "out.nmo");
        }
    }
}

/// Parts of the file, and the file beside another one.
fn parts(bench: &Bench<'_>, rows: &[Value]) {
    let file = "in.nmo";
    let mut classes: Vec<&str> = rows.iter().map(|row| text(row, "class")).collect();
    classes.sort_unstable();
    classes.dedup();
    for class in classes {
        let row = rows.iter().find(|row| text(row, "class") == class).unwrap();
        for (label, options) in [("subset", &[] as &[&str]), ("references", &["--references"])] {
            let args = ["subset", file, text(row, "path"), "-o", "out.nmo", "--force"];
            let args = [&args, options].concat();
            bench.writes(&format!("{label}-{class}"), &args, "out.nmo");
        }
    }
    for policy in ["rename", "replace", "use-current", "keep"] {
        let args = ["join", file, "other.nmo", "-o", "out.nmo", "--force", "--on-conflict", policy];
        bench.writes(&format!("join-{policy}"), &args, "out.nmo");
    }
    for (label, options) in [
        (
            "families",
            &["--on-conflict", "meshes=use-current", "--on-conflict", "entities=keep"] as &[&str],
        ),
        ("geometry", &["--only", "geometry"]),
        ("animations", &["--only", "animations"]),
        ("behaviors", &["--only", "behaviors"]),
        ("character", &["--as-character", "Hero"]),
        ("as-engines", &["--as-engines"]),
    ] {
        let args = ["join", "other.nmo", file, "-o", "out.nmo", "--force"];
        bench.writes(&format!("join-{label}"), &[&args, options].concat(), "out.nmo");
    }
}

fn all(file: &RealFile, other: &RealFile, runs: &AtomicUsize, left: &AtomicUsize) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("in.nmo"), &file.bytes).unwrap();
    fs::write(dir.path().join("other.nmo"), &other.bytes).unwrap();
    let faults = Mutex::new(Vec::new());
    let bench = Bench { dir: dir.path(), name: &file.name, faults: &faults, runs, left };
    let rows = bench.rows("in.nmo");
    rewrites(&bench);
    upgrades(&bench);
    edits(&bench, &rows);
    additions(&bench);
    imports(&bench, &rows);
    parts(&bench, &rows);
    faults.into_inner().unwrap()
}

#[test]
fn every_verb_writes_what_loads() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    let [next, runs, left] = [const { AtomicUsize::new(0) }; 3];
    let faults = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // The smallest other file of the same kind will do.
                    let other = files.iter().filter(|other| other.name != file.name);
                    let other = other.min_by_key(|other| other.bytes.len()).unwrap();
                    let found = all(file, other, &runs, &left);
                    faults.lock().unwrap().extend(found);
                }
            });
        }
    });
    let faults = faults.into_inner().unwrap();
    println!("{} commands wrote {} files", runs.into_inner(), left.into_inner());
    assert!(faults.is_empty(), "{} of them:\n{}", faults.len(), faults.join("\n"));
}
