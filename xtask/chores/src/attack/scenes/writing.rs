//! What is done with the verbs that write.

use super::{Stage, Step, words};
use spelunk_fixtures::{generate::Kind, random::Random};
use std::{fs, io};

/// The steps of a verb that writes.
pub fn steps(verb: &str, stage: &mut Stage<'_>, r: &mut Random) -> io::Result<Vec<Step>> {
    let a = stage.a().to_owned();
    let kind = stage.kind;
    let path = stage.path(r);
    let path = path.as_str();
    let out = format!("out.{}", kind.ending());
    let step = Step::new(verb);
    Ok(match verb {
        "extract" => vec![extract(&a, path, r)],
        "pack" => pack(stage, &a, &out, r)?,
        "rewrite" => vec![rewrite(step, &a, &out, r)],
        "patch" => {
            let b = stage.other(r)?;
            let diff =
                Step::new("diff").arg(&a).arg(&b).arg("--patch").arg("p.json").writes("p.json");
            let from = if r.below(3) == 0 { b } else { a };
            let step = step.arg(&from).arg("p.json").one_of(r, &["", "", "--reverse", "--partial"]);
            let step = step.to(r, &from);
            let step = if r.below(2) == 0 { step.damaged("p.json", r) } else { step };
            vec![diff, step]
        }
        "set" => {
            let step = (0..1 + r.below(3)).fold(step.arg(&a), |step, _| step.arg(stage.change(r)));
            vec![step.to(r, &a)]
        }
        "rm" => {
            let step = step.arg(&a).arg(path).one_of(r, &["", "--lossy"]);
            let step = if r.below(3) == 0 { step.arg(stage.path(r)) } else { step };
            vec![step.to(r, &a)]
        }
        "mv" => {
            let name = ["x", "same", "a/b", "../x", "", "name1"][r.below(6)];
            vec![step.arg(&a).arg(path).arg(name).to(r, &a)]
        }
        "add" => {
            let step = step.arg(&a).arg(words::added(kind, r));
            let step = match r.below(3) {
                0 => step.arg("--like").arg(path),
                1 => step.arg("--from").arg(stage.other(r)?).one_of(r, &["", "--raw"]),
                _ => step,
            };
            vec![step.to(r, &a)]
        }
        "replace" => {
            let b = stage.other(r)?;
            vec![step.arg(&a).arg(path).arg(b).one_of(r, &["", "--raw"]).to(r, &a)]
        }
        "export" => vec![export(step, kind, &a, path, r)],
        "import" => import(stage, &a, path, r)?,
        "join" => {
            let step = step.arg(a).arg(stage.other(r)?);
            let step = if r.below(3) == 0 { step.arg(stage.other(r)?) } else { step };
            let options = [
                "",
                "--on-conflict use-current",
                "--on-conflict replace",
                "--on-conflict keep",
                "--as-engines",
                "--only geometry",
                "--only animations",
                "--only behaviors",
                "--lossy",
                "--as-character hero",
            ];
            vec![step.one_of(r, &options).arg("-o").arg(&out).writes(&out).json(r)]
        }
        "merge" => {
            let ours = stage.other(r)?;
            let step = step.arg(a).arg(&ours).arg(stage.other(r)?);
            let step = step.one_of(r, &["", "--on-conflict ours", "--on-conflict theirs"]);
            let step = if r.below(6) == 0 { step.arg("--part") } else { step };
            vec![step.to(r, &ours)]
        }
        "subset" => {
            let step =
                step.arg(a).arg(path).one_of(r, &["", "--children", "--references", "--lossy"]);
            let with = kind == Kind::Pack && r.below(3) == 0;
            let step = if with { step.arg("--with").arg(stage.other(r)?) } else { step };
            vec![step.arg("-o").arg(&out).writes(&out).json(r)]
        }
        "append" => {
            let b = stage.other(r)?;
            let step =
                step.arg(&a).arg(b).writes(&a).one_of(r, &["", "--dry-run", "--compress zstd:max"]);
            vec![step.one_of(r, &["", "--as same", "--target v4", "--target compat"])]
        }
        "compact" => {
            vec![step.arg(&a).one_of(r, &["", "", "--target v4", "--target compat"]).to(r, &a)]
        }
        "repair" => vec![step.arg(&a).one_of(r, &["", "--target compat"]).to(r, &a)],
        "rollback" => {
            let generation = ["1", "2", "3", "4294967295"][r.below(4)];
            vec![step.arg(&a).arg("--generation").arg(generation).to(r, &a)]
        }
        "undo" | "redo" | "history" => walked(step, verb, &a, path, r),
        _ => {
            let step = step.arg(a).arg("-C").arg("up").writes("up");
            vec![step.one_of(r, &["", "--lossy", "--file-version 9", "--dry-run"]).json(r)]
        }
    })
}

/// An edit that is kept, and what is done with it; the history may be damaged meanwhile.
fn walked(step: Step, verb: &str, a: &str, path: &str, r: &mut Random) -> Vec<Step> {
    let history = format!("{a}.history");
    let edit = match r.below(3) {
        0 => Step::new("rm").arg(a).arg(path),
        1 => Step::new("mv").arg(a).arg(path).arg("x"),
        _ => Step::new("rewrite").arg(a).arg("--recompress"),
    };
    let keeping = |step: Step| step.writes(a).writes(&history);
    let edit = keeping(edit.arg("--in-place").arg("--history"));
    let back = keeping(Step::new("undo").arg(a));
    let step = match verb {
        "history" => step.arg(a).one_of(r, &["", "", "--patch 1"]),
        _ => keeping(step.arg(a).one_of(r, &["", "", "--steps 2", "--dry-run"])),
    };
    let step = if r.below(2) == 0 { step.damaged(&history, r) } else { step };
    match verb {
        "redo" => vec![edit, back, step],
        _ => vec![edit, step],
    }
}

fn extract(a: &str, path: &str, r: &mut Random) -> Step {
    let step = Step::new("extract").arg(a).arg("-C").arg("entries").writes("entries");
    let step = step.one_of(r, &["", "", "--no-skeleton", "--included", "--dry-run"]);
    if r.below(3) == 0 { step.arg(path) } else { step }
}

/// What was extracted becomes a container again, or files a new one.
fn pack(stage: &mut Stage<'_>, a: &str, out: &str, r: &mut Random) -> io::Result<Vec<Step>> {
    if r.below(3) > 0 {
        let extract = Step::new("extract").arg(a).arg("-C").arg("entries").writes("entries");
        let pack = Step::new("pack").arg("entries").arg("-o").arg(out).writes(out);
        let manifest = ["entries/manifest.json", "entries/.spelunk.json"][r.below(2)];
        let pack = if r.below(2) == 0 { pack.damaged(manifest, r) } else { pack };
        return Ok(vec![extract, pack]);
    }
    let folder = stage.dir.join("files");
    fs::create_dir_all(folder.join("deep"))?;
    for nth in 0..r.below(60) {
        let name = format!("{}{nth}.bin", ["", "deep/"][r.below(2)]);
        fs::write(folder.join(name), vec![nth as u8; r.below(1 << 14)])?;
    }
    fs::copy(stage.dir.join(a), folder.join(a))?;
    let out = ["new.snpak", "new.pak", "new.dat"][r.below(3)];
    let step = Step::new("pack").arg("files").arg("-o").arg(out).writes(out);
    Ok(vec![step.one_of(
        r,
        &["", "", "--compress zstd:high", "--compress lz4 --only-if-smaller", "--target compat"],
    )])
}

fn rewrite(step: Step, a: &str, out: &str, r: &mut Random) -> Step {
    let options = [
        "",
        "--recompress",
        "--recompress",
        "--level 9",
        "--file-version 8",
        "--file-version 9",
        "--file-version 7 --lossy",
        "--file-version 2 --lossy",
        "--write-mode uncompressed",
        "--write-mode compressed",
        "--strip-included",
        "--lossy --file-version 4",
    ];
    let step = step.arg(a).one_of(r, &options);
    match r.below(4) {
        0 => step.arg("--in-place").writes(a),
        1 => step.arg("-"),
        _ => step.arg(out).writes(out),
    }
}

fn export(step: Step, kind: Kind, a: &str, path: &str, r: &mut Random) -> Step {
    let ends: &[&str] = match kind {
        Kind::Virtools => &["glb", "gltf", "obj", "png", "csv", "json", "dot", "folder"],
        Kind::Pack => &["png", "dds", "ktx2", "json"],
        Kind::GameData => &["csv", "json", "sqlite", "po", "csv", "json", "sqlite"],
        Kind::Map => &["png", "glb", "csv", "obj"],
        _ => &["json", "csv", "glb"],
    };
    let end = ends[r.below(ends.len())];
    let step = step.arg(a);
    let step = if r.below(4) == 0 { step.arg(path) } else { step };
    let several = ["gltf", "obj", "png", "csv", "dds", "ktx2", "folder"].contains(&end);
    // Of a pack or a level there are many pictures, which go to a folder.
    let out = if several && r.below(2) == 0 { "all".to_owned() } else { format!("all.{end}") };
    let step = step.arg("--to").arg(end).arg("-o").arg(&out).writes(&out);
    let step = ["all.bin", "all.mtl", "all.csv", "all.png", "textures"]
        .into_iter()
        .fold(step, Step::writes);
    match kind {
        Kind::Map => {
            let layers = [
                "relief", "textures", "flags", "minimap", "entities", "heights", "tiles", "vision",
            ];
            let step = step.arg("--layer").arg(layers[r.below(8)]);
            step.one_of(r, &["", "", "--scale 4", "--scale 256"])
        }
        Kind::GameData => {
            step.one_of(r, &["", "", "--language fr", "--language de --untranslated"])
        }
        Kind::Pack => {
            step.one_of(r, &["", "", "--mips", "--as rgba8:128x128", "--as bc7:16384x16384"])
        }
        _ => step.one_of(r, &["", "", "--scripts", "--no-hidden"]),
    }
}

fn import(stage: &mut Stage<'_>, a: &str, path: &str, r: &mut Random) -> io::Result<Vec<Step>> {
    let kind = stage.kind;
    let out = format!("new.{}", kind.ending());
    let step = Step::new("import");
    // Documents that were exported, and changed.
    if r.below(2) == 0 && matches!(kind, Kind::GameData | Kind::Virtools) {
        let ends: &[&str] = match kind {
            Kind::GameData => &["json", "sqlite", "csv", "po"],
            _ => &["json", "glb", "gltf", "obj"],
        };
        let end = ends[r.below(ends.len())];
        let file = format!("mid.{end}");
        let export = Step::new("export").arg(a).arg("--to").arg(end).arg("-o").arg(&file);
        let export = if end == "po" { export.arg("--language").arg("fr") } else { export };
        let export =
            ["mid.bin", "mid.mtl", "textures"].into_iter().fold(export.writes(&file), Step::writes);
        let step = step.arg(&file);
        let step = match (end, r.below(2)) {
            ("po", _) => step.arg("--language").arg("fr").arg("--into").arg(a),
            (_, 0) => step.arg("--into").arg(a),
            _ => step,
        };
        let step = step.arg("-o").arg(&out).writes(&out);
        let step = if r.below(3) > 0 { step.damaged(&file, r) } else { step };
        return Ok(vec![export, step]);
    }
    let source = stage.source(r)?;
    let step = step.arg(&source);
    let step = match kind {
        Kind::Map => {
            let layer = ["heights", "tiles", "decoration", "movement", "vision"][r.below(5)];
            step.arg("--layer").arg(layer).arg("--into").arg(a)
        }
        Kind::GameData if r.below(2) == 0 => step.arg("--language").arg("fr").arg("--into").arg(a),
        Kind::Virtools if r.below(4) == 0 => step.arg("--replace").arg(path).arg("--into").arg(a),
        _ if r.below(2) == 0 => step.arg("--into").arg(a),
        _ => step,
    };
    let options = [
        "",
        "",
        "--split",
        "--sectors 999",
        "--on-conflict replace",
        "--on-conflict keep",
        "--texture-save embedded",
        "--texture-save original",
        "--texture-save external",
    ];
    Ok(vec![step.one_of(r, &options).arg("-o").arg(&out).writes(&out)])
}
