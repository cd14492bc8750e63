//! What the command prints: the cases in `tests/cmd`, the README and the pages of the book, run on generated samples.
//! `TRYCMD=overwrite cargo test -p spelunk-cli --test cmd` writes what it prints now. Where `SPELUNK_COMMAND` names another
//! command, it is that one which is run: `cargo xtask wine` does that with the one for Windows.

use spelunk_fixtures::{
    judged,
    pak::{Pak, PakFile},
    spec,
};
use std::{
    env, fs,
    path::{Path, PathBuf},
};

#[test]
fn the_command_prints_what_is_written_down() {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("samples");
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    let samples = spelunk_fixtures::write_samples(&dir).unwrap();
    // Registries of plugins, for `info --missing-plugins`.
    let registry = |plugin: &str| {
        let sectors = r#"{"category": "manager", "guid": "4f243100-28ab3f51", "name": "Sectors"}"#;
        let wait =
            r#"{"guid": "12345678-00000001", "name": "Wait"}, {"guid": "01234567-89abcdef"}"#;
        format!("{{\"plugins\": [{sectors}{plugin}], \"prototypes\": [{wait}]}}")
    };
    fs::write(dir.join("engine.json"), registry("")).unwrap();
    let short = r#", {"category": 3, "guid": "4f243100"}"#;
    fs::write(dir.join("engine-wrong.json"), registry(short)).unwrap();
    // Names of types of packs.
    let own = "# of our game\n{64BBA09B-66B6-5B78-A657-8D3D517CD4FD} SoundBank\n";
    fs::write(dir.join("types.txt"), own).unwrap();
    let translated =
        "msgid \"\"\nmsgstr \"\"\n\nmsgctxt \"1\"\nmsgid \"Eisenschwert\"\nmsgstr \"Lame\"\n";
    fs::write(dir.join("fr.po"), translated).unwrap();
    let unfit = format!("text_id,target\n1,Miecz \u{142}owcy\n2,\u{433}\n3,{}\n", "x".repeat(512));
    fs::write(dir.join("unfit.csv"), unfit).unwrap();
    let changes = "CKMaterial/Wood/material.diffuse=0xff884422\n\n#3/entity.position[1]=2.5\n";
    fs::write(dir.join("changes.txt"), changes).unwrap();
    fs::write(dir.join("no-changes.txt"), "#1/material.diffuse=0xff884422\n#1/material.diffuse\n")
        .unwrap();
    fs::write(dir.join("gone.txt"), "#4\nCKGroup\n").unwrap();
    fs::write(dir.join("wrong.txt"), "VL003 level.nmo\nVL03 *\n").unwrap();
    let known = "# Made at run time.\nVL003 *.nmo #0 CKTexture/Wood_Texture\n";
    fs::write(dir.join("reasons.txt"), known).unwrap();
    let unit = r#"{"kind": "units", "unit_id": 40000}"#;
    let point = r#"{"type": "Point", "coordinates": [1, 2]}"#;
    let features =
        format!("[{{\"type\": \"Feature\", \"geometry\": {point}, \"properties\": {unit}}}]");
    let features = format!("{{\"type\": \"FeatureCollection\", \"features\": {features}}}");
    fs::write(dir.join("bad-features.json"), features).unwrap();
    // A pack with a header that is longer than any that is known.
    let extended = spelunk_fixtures::samples::extended_pack().build().bytes;
    fs::write(dir.join("extended.snpak"), extended).unwrap();
    // A layer of a map of 16 by 16 cells.
    let layer: String = (0..16).map(|y| format!("{}{}\n", "0,".repeat(15), y % 2)).collect();
    fs::write(dir.join("arena-layer.csv"), layer).unwrap();
    fs::write(dir.join("broken-types.txt"), format!("{own}Terrain\n")).unwrap();
    // The folder of a game: archives that hide each other, and a loose file.
    let game = |name: &str, files: &[(&str, &str, &str)]| {
        let file = |(dir, name, data): &(&str, &str, &str)| {
            PakFile::new(dir.as_bytes(), name.as_bytes(), data.as_bytes())
        };
        let pak = Pak { files: files.iter().map(file).collect(), ..Pak::default() };
        fs::write(dir.join("game/pak").join(name), pak.build().bytes).unwrap();
    };
    fs::create_dir_all(dir.join("game/pak")).unwrap();
    fs::create_dir_all(dir.join("game/script")).unwrap();
    fs::write(dir.join("game/script/start.lua"), "-- loose\n").unwrap();
    game("sf2.pak", &[("sound", "bell.wav", "ding"), ("mesh", "tower.msb", "tower 2")]);
    game("sf10.pak", &[("sound", "bell.wav", "dong"), ("script", "start.lua", "-- packed\n")]);
    // Folders of archives of the dialect `spec`: of them alone, with a real one, and with one that is none.
    let spec = |name: &str, files: &[(&str, &str, bool)]| {
        let file = |(path, data, packed): &(&str, &str, bool)| spec::SpecFile {
            path: path.as_bytes().to_vec(),
            data: data.as_bytes().to_vec(),
            packed: *packed,
        };
        let files: Vec<_> = files.iter().map(file).collect();
        fs::write(dir.join(name), spec::pak(&files).bytes).unwrap();
    };
    fs::create_dir_all(dir.join("maps")).unwrap();
    for name in ["level.nmo", "menu.cmo"] {
        fs::copy(dir.join(name), dir.join("maps").join(name)).unwrap();
    }
    fs::write(dir.join("maps/notes.txt"), "notes").unwrap();
    for folder in ["spec-game", "mixed-game", "broken-game", "spec-files/Mesh"] {
        fs::create_dir_all(dir.join(folder)).unwrap();
    }
    let horn = "toot ".repeat(40);
    spec("spec-game/sf0.pak", &[("sound\\bell.wav", "ding", false), ("README", "zero", false)]);
    spec("spec-game/sf2.pak", &[("Sound/Bell.wav", "dong dong", false)]);
    spec("spec-game/sf32.pak", &[("sound\\horn.wav", &horn, true)]);
    for (from, to) in [
        ("spec-game/sf0.pak", "mixed-game/sf0.pak"),
        ("game/pak/sf2.pak", "mixed-game/sf2.pak"),
        ("spec-game/sf32.pak", "mixed-game/sf32.pak"),
        ("spec-game/sf0.pak", "broken-game/sf0.pak"),
    ] {
        fs::copy(dir.join(from), dir.join(to)).unwrap();
    }
    fs::write(dir.join("broken-game/sf1.pak"), "nothing that is an archive").unwrap();
    fs::write(dir.join("spec-files/Mesh/Tower.msb"), "tower").unwrap();
    fs::write(dir.join("spec-files/notes.txt"), "notes").unwrap();
    fs::write(dir.join("wanted.txt"), "sound\\bell.wav\nsound\\horn.wav\n").unwrap();
    // Commands without a folder of their own run in the current one.
    env::set_current_dir(&dir).unwrap();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = || trycmd::cargo::cargo_bin!("spelunk").to_path_buf();
    let command = env::var_os("SPELUNK_COMMAND").map_or_else(own, PathBuf::from);
    let cases = trycmd::TestCases::new();
    cases
        .register_bin("cargo", trycmd::schema::Bin::Ignore)
        .default_bin_path(&command)
        .register_bin("spelunk", command)
        .case(here.join("tests/cmd/*.trycmd").to_str().unwrap())
        .case(here.join("../../README.md").to_str().unwrap())
        .case(here.join("../../docs/*.md").to_str().unwrap())
        .case(here.join("../../docs/guides/*.md").to_str().unwrap());
    cases.run();
    // What the cases wrote is left for loaders that others wrote.
    for path in walkdir::WalkDir::new(&dir).into_iter().map(|entry| entry.unwrap().into_path()) {
        let bytes = if path.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
        if bytes.starts_with(b"Nemo Fi\0") && !samples.contains(&path) {
            let name = path.strip_prefix(&dir).unwrap().to_str().unwrap().replace(['/', '\\'], "-");
            judged::leave(judged::VIRTOOLS, &format!("fixtures/case-{name}"), &bytes);
        }
    }
}
