//! What verbs print with `--json` is what their published schemas say, no more and no less.

use jsonschema::Validator;
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// Commands over the samples, in their order: later ones read what earlier ones wrote. `--json` is added to each.
const COMMANDS: &str = "
info level.nmo forest.snpak forest-appended.snpak GameData.cff liannon.map campaign.sav hero.sav sf22.pak pakdata.dat
info arena.map cards.cff valley-spec.map version2.nmo version9.nmo door.nms textures.snpak engine.txt
info --missing-plugins gameplay.nmo
info --missing-plugins -r .
info --gamedata GameData.cff liannon.map
ls level.nmo
ls forest.snpak
ls GameData.cff
ls liannon.map
ls campaign.sav
ls sf22.pak
ls pakdata.dat
ls level.nmo #3/*
ls level.nmo #3/**
ls GameData.cff items/*
ls --blocks gameplay.nmo
ls forest-appended.snpak --generation merged
tree level.nmo
tree forest.snpak --flat
tree gameplay.nmo scripts
tree menu.cmo #0
tree sf22.pak
tree GameData.cff
show level.nmo #2
show level.nmo #5
show forest.snpak sounds/wind
show GameData.cff items/1
show liannon.map objects[0]
show campaign.sav 1
show sf22.pak mesh/tower.msb
show pakdata.dat sf22.pak/mesh/meshes.txt
verify --roundtrip --coverage level.nmo forest.snpak GameData.cff liannon.map campaign.sav sf22.pak pakdata.dat
verify --roundtrip cut.nmo engine.txt
refs level.nmo #1
refs references.nmo #1 --closure
refs menu.cmo #0 --closure
refs forest.snpak levels/forest --closure
refs forest.snpak --missing
find Wood level.nmo
find sword GameData.cff
find 7 liannon.map
overlay forest.snpak forest-appended.snpak
overlay forest.snpak forest-appended.snpak --prefer de
overlay game --conflicts
overlay game --missing wanted.txt
lint level.nmo --missing-report
lint --fix level.nmo -o fixed.nmo
lint forest.snpak GameData.cff liannon.map sf22.pak
set level.nmo CKMaterial/Wood/material.diffuse=0xffff0000 -o red.nmo
set forest.snpak sounds/wind/name=sounds/storm -o storm.snpak
set GameData.cff items/1/buy_value=250 texts/1/1/content=Sharp -o balance.cff
set liannon.map objects[0]/x=7 heights/7,5=640 -o winter.map
overlay forest.snpak storm.snpak --conflicts
diff level.nmo red.nmo --patch red.json
diff level.nmo menu.cmo
diff level.nmo menu.cmo --stat
diff references.nmo version7.nmo
diff forest.snpak storm.snpak
diff forest.snpak forest-appended.snpak
diff GameData.cff balance.cff
diff liannon.map winter.map
diff forest.snpak storm.snpak --blocks
diff forest.snpak forest-appended.snpak --blocks=512
patch level.nmo red.json -o patched.nmo
rm level.nmo #3 -o rm.nmo
mv level.nmo #3 Crate -o mv.nmo
mv sf22.pak mesh/tower.msb mesh/keep.msb -o mv.pak
replace sf22.pak mesh/tower.msb wanted.txt -o replaced.pak
add level.nmo CKGroup/New -o added.nmo
add sf22.pak file/notes/wanted.txt --from wanted.txt -o added.pak
rewrite level.nmo copy.nmo
subset level.nmo CK3dObject/Cube -o cube.nmo
join level.nmo red.nmo -o joined.nmo
merge forest.snpak storm.snpak forest-appended.snpak -o merged.snpak
merge GameData.cff balance.cff GameData.cff -o merged.cff
merge GameData.cff balance.cff other.cff -o conflict.cff
upgrade version2.nmo -C new
extract menu.cmo -C menu
extract forest.snpak -C forest
extract sf22.pak -C sf22
pack menu -o menu-new.cmo
pack forest -o forest-new.snpak
pack game -o game-new.pak
pack game/pak -o pakdata-new.dat
append --dry-run storm.snpak forest
append storm.snpak forest
compact forest-appended.snpak -o compact.snpak
rollback forest-appended.snpak --generation 1 -o first.snpak
repair cut.snpak -o mended.snpak
repair forest.snpak -o whole.snpak
explain level.nmo header1:16
explain SP003
explain -22
explain VT012
explain --codes
explain --map level.nmo
explain --hex forest.snpak
lint --list-rules
lint level.nmo --write-suppressions known.txt
lint level.nmo --suppressions known.txt
catalog . -o catalogue
query level.nmo GameData.cff --tables
query GameData.cff SELECT
export level.nmo -o level.glb
export level.nmo -o level.json
export textures.snpak --to png -o pictures
export GameData.cff -o game.sqlite
export GameData.cff -o french.po --language fr
export arena.map -o ground.png --layer heights
import level.json -o level-again.nmo
import level.glb --into level.nmo --on-conflict replace -o edited.nmo
import game.sqlite -o again.cff
import french.po --into GameData.cff --language fr -o fr.cff
import ground.png --layer heights --into arena.map -o same.map
";

fn spelunk(dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_spelunk"));
    command.args(args).current_dir(dir).output().unwrap()
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
            let forms = ["oneOf", "anyOf"].iter().find_map(|key| schema[*key].as_array().cloned());
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
    let other = ["set", "GameData.cff", "items/1/buy_value=7", "-o", "other.cff"];
    assert!(spelunk(&dir, &other).status.success());
    dir
}

#[test]
fn json_is_what_the_schemas_say() {
    let dir = samples();
    let mut checked = Checked::default();
    for command in COMMANDS.lines().filter(|line| !line.is_empty()) {
        let mut args: Vec<&str> = command.split(' ').collect();
        if args.last() == Some(&"SELECT") {
            args.pop();
            args.push("SELECT *, 1 AS row, 0.5, NULL, x'00' FROM items");
        }
        args.push("--json");
        let output = spelunk(&dir, &args);
        let text = String::from_utf8(output.stdout).unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        if text.is_empty() || output.status.code() == Some(2) {
            checked.wrong.push(format!("{command} printed {} bytes: {said}", text.len()));
        }
        text.lines().for_each(|line| checked.line(args[0], line, command));
    }
    // No verb is left out, and no form of a line.
    let verbs = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas")).unwrap();
    for file in verbs {
        let file = file.unwrap().file_name();
        let verb = file.to_str().and_then(|name| name.strip_suffix(".json")).unwrap();
        if verb == "common" {
            continue;
        }
        let Some((_, forms)) = checked.verbs.get(verb) else {
            checked.wrong.push(format!("{verb} was not tried"));
            continue;
        };
        let seen = &checked.seen[verb];
        let unseen: Vec<usize> = (0..forms.len()).filter(|form| !seen.contains(form)).collect();
        if !unseen.is_empty() {
            checked.wrong.push(format!("{verb}: no line was of the forms {unseen:?}"));
        }
    }
    assert!(checked.wrong.is_empty(), "{}", checked.wrong.join("\n"));
}

#[test]
fn json_of_real_files_is_what_the_schemas_say() {
    let Some(corpus) = env::var_os("SPELUNK_CORPUS").map(PathBuf::from) else {
        assert!(env::var_os("CI").is_none(), "SPELUNK_CORPUS is not set");
        return;
    };
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
