//! What verbs print with `--json` is what their published schemas say, no more and no less.

use crate::common::spelunk;
use jsonschema::Validator;
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// The command lines, each with the number of its line.
fn commands() -> impl Iterator<Item = (usize, Vec<String>)> {
    let lines = (1..).zip(include_str!("../commands.txt").lines());
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(nth, line)| (nth, line.split(' ').map(|word| word.replace('~', " ")).collect()))
}

/// The schema of a verb, as the command prints it.
fn published(verb: &str) -> Value {
    let printed = spelunk(Path::new("."), &["schema", verb]);
    assert!(printed.status.success(), "{verb}");
    serde_json::from_slice(&printed.stdout).unwrap()
}

/// Makes a schema refuse fields that it does not list, so that none stays without a description. What is published
/// lets them through: fields may be added.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            map.values_mut().for_each(close);
            let is_whole = map.contains_key("type") && map.contains_key("properties");
            if is_whole && !map.contains_key("additionalProperties") {
                map.insert("additionalProperties".to_owned(), false.into());
            }
        }
        Value::Array(list) => list.iter_mut().for_each(close),
        _ => {}
    }
}

/// Validates the lines of each verb, and knows which of its forms were seen.
#[derive(Default)]
struct Checked {
    verbs: BTreeMap<String, (Validator, Vec<Validator>)>,
    seen: BTreeMap<String, BTreeSet<usize>>,
    wrong: Vec<String>,
}

impl Checked {
    fn line(&mut self, verb: &str, line: &str, from: &str) {
        let value: Value =
            serde_json::from_str(line).unwrap_or_else(|e| panic!("{from}: {e}: {line}"));
        let (schema, forms) = self.verbs.entry(verb.to_owned()).or_insert_with(|| {
            let mut schema = published(verb);
            assert!(jsonschema::meta::is_valid(&schema), "{verb}");
            close(&mut schema);
            let forms = schema["anyOf"].as_array().cloned();
            let defs = schema.get("$defs").cloned().unwrap_or(json!({}));
            let form = |form: Value| {
                jsonschema::validator_for(&json!({ "allOf": [form], "$defs": defs })).unwrap()
            };
            let forms = forms.unwrap_or_default().into_iter().map(form).collect();
            (jsonschema::validator_for(&schema).unwrap(), forms)
        });
        if let Err(error) = schema.validate(&value) {
            self.wrong.push(format!("{from}: {error} at {}: {line}", error.instance_path()));
        }
        let fits = (0..forms.len()).filter(|form| forms[*form].is_valid(&value));
        self.seen.entry(verb.to_owned()).or_default().extend(fits);
    }
}

fn samples() -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("schemas");
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(dir.join("game/pak")).unwrap();
    fs::create_dir_all(dir.join("game/mesh")).unwrap();
    spelunk_fixtures::write_samples(&dir).unwrap();
    fs::copy(dir.join("sf22.pak"), dir.join("game/pak/sf1.pak")).unwrap();
    fs::copy(dir.join("sf22.pak"), dir.join("game/pak/sf2.pak")).unwrap();
    fs::write(dir.join("game/mesh/tower.msb"), "loose").unwrap();
    fs::write(dir.join("engine.txt"), "no container").unwrap();
    fs::write(dir.join("wanted.txt"), "sound\\horn.wav\n").unwrap();
    for (name, cut) in [("level.nmo", "cut.nmo"), ("forest.snpak", "cut.snpak")] {
        let mut bytes = fs::read(dir.join(name)).unwrap();
        bytes.truncate(bytes.len() * 2 / 3);
        fs::write(dir.join(cut), bytes).unwrap();
    }
    for (name, text) in [
        ("list.txt", "level.nmo\n"),
        ("old.txt", "version5.nmo\n"),
        ("files.txt", "wanted.txt\n"),
        ("gone.txt", "CKGroup\n"),
        ("changes.txt", "CKMaterial/Wood/material.diffuse=0xff884422\n"),
        ("types.txt", "64bba09b-66b6-5b78-a657-8d3d517cd4fd SoundBank\n"),
        ("engine.json", r#"{"plugins": [], "prototypes": [{"guid": "12345678-00000001"}]}"#),
        (
            "manifest.json",
            r#"{"format": "snpak", "entries": [{"name": "a", "file": "wanted.txt"}]}"#,
        ),
    ] {
        fs::write(dir.join(name), text).unwrap();
    }
    // A bitmap of 2 by 2 pixels, which the level names.
    let mut bitmap = b"BM".to_vec();
    for word in [70, 0, 54, 40, 2, 2, 0x0018_0001, 0, 16, 0, 0, 0, 0_u32] {
        bitmap.extend(word.to_le_bytes());
    }
    bitmap.extend([0; 16]);
    fs::create_dir(dir.join("wooden")).unwrap();
    fs::copy(dir.join("level.nmo"), dir.join("wooden/level.nmo")).unwrap();
    fs::write(dir.join("wooden/wood.bmp"), bitmap).unwrap();
    let other = ["set", "GameData.cff", "items/1/buy_value=7", "-o", "other.cff"];
    assert!(spelunk(&dir, &other).status.success());
    dir
}

#[test]
fn json_is_what_the_schemas_say() {
    let dir = samples();
    let mut checked = Checked::default();
    for (nth, words) in commands() {
        let command = format!("line {nth}: {}", words.join(" "));
        let mut args: Vec<&str> = words.iter().map(String::as_str).collect();
        args.push("--json");
        let output = spelunk(&dir, &args);
        let text = String::from_utf8(output.stdout).unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        if text.is_empty() || output.status.code() == Some(2) {
            checked.wrong.push(format!("{command} printed {} bytes: {said}", text.len()));
        }
        text.lines().for_each(|line| checked.line(args[0], line, &command));
    }
    // No verb is left out, and no form of a line but those for people and for files that a session keeps open.
    let api = spelunk(Path::new("."), &["schema"]);
    let api: Value = serde_json::from_slice(&api.stdout).unwrap();
    let verbs = api["verbs"].as_object().unwrap().iter();
    for (verb, _) in verbs.filter(|(_, schemas)| !schemas["row"].is_null()) {
        let Some((_, forms)) = checked.verbs.get(verb) else {
            checked.wrong.push(format!("{verb} was not tried"));
            continue;
        };
        let seen = &checked.seen[verb];
        for (nth, form) in published(verb)["anyOf"].as_array().into_iter().flatten().enumerate() {
            let about = form["description"].as_str().unwrap_or_default();
            let is_for_others = about.starts_with("For people");
            if !seen.contains(&nth) && !is_for_others && !about.contains("open in the session") {
                checked.wrong.push(format!("{verb}: no line was of the form {nth}: {about}"));
            }
        }
        assert_eq!(forms.len(), published(verb)["anyOf"].as_array().map_or(0, Vec::len));
    }
    assert!(checked.wrong.is_empty(), "{}", checked.wrong.join("\n"));
}

#[test]
fn json_of_real_files_is_what_the_schemas_say() {
    let Some(corpus) = spelunk_fixtures::corpus::root() else { return };
    let mut checked = Checked::default();
    let mut lines = 0;
    for folder in
        ["virtools", "snpak", "spellforce/reduced", "spellforce/synthetic", "spellforce/container"]
    {
        for verb in ["info", "ls", "lint", "verify"] {
            let output = spelunk(&corpus, &[verb, "-q", "-r", folder, "--json"]);
            let text = String::from_utf8(output.stdout).unwrap();
            // Enough of each file; a large one has many alike.
            let mut last = (String::new(), 0);
            for line in text.lines() {
                let file = line.split("\",").next().unwrap_or_default().to_owned();
                last = if last.0 == file { (file, last.1 + 1) } else { (file, 0) };
                if last.1 < 50 {
                    checked.line(verb, line, folder);
                    lines += 1;
                }
            }
        }
    }
    assert!(checked.wrong.is_empty(), "{}", checked.wrong.join("\n"));
    assert!(lines > 500, "only {lines} lines");
}
