//! Packs become the same packs again from the folders that `extract` wrote, and folders become new ones by rules and manifests.

use crate::common;

use crate::common::{
    packing::{contents, extracted, forge, manifest, packed, refusal},
    rows, tree,
};
use serde_json::{Value, json};
use spelunk::{
    Collect, Options,
    containers::extract::MANIFEST,
    containers::pack::{self, PackedContainer, SKELETON, rules::Rules},
    containers::packs,
    open::codes,
};
use spelunk_fixtures::corpus;
use std::{fs, io::Cursor};

/// Every pack there is.
fn packs() -> Vec<(String, Vec<u8>)> {
    let samples = spelunk_fixtures::samples().into_iter();
    let samples = samples.filter(|sample| sample.format == "snpak");
    let samples = samples.map(|sample| (sample.name.to_owned(), sample.fixture.bytes));
    let corpus = corpus::files("snpak", &["snpak"]).into_iter().flatten();
    samples.chain(corpus.map(|file| (file.name, file.bytes))).collect()
}

#[test]
fn every_pack_is_rebuilt_byte_for_byte() {
    let (mut anew, mut whole) = (0, 0);
    for (name, bytes) in packs() {
        let dir = extracted(&name, &bytes);
        let (new, noticed) = packed(dir.path()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(new == bytes, "{name}");
        assert_eq!((noticed.changed.len(), noticed.unknown.len()), (0, 0), "{name}");
        // A skeleton is written where nothing else gives these bytes.
        let has_skeleton = dir.path().join(SKELETON).exists();
        *(if has_skeleton { &mut whole } else { &mut anew }) += 1;
    }
    assert!(anew > 0 && whole > 0, "{anew} {whole}");
}

/// Payloads and bulk payloads by the paths of their entries.
fn payloads(name: &str, bytes: &[u8]) -> Vec<(Value, Vec<u8>)> {
    let dir = extracted(name, bytes);
    contents(dir.path()).into_iter().map(|(path, _, bytes)| (path, bytes)).collect()
}

#[test]
fn a_changed_file_changes_its_payload_alone() {
    for (name, bytes) in packs() {
        let dir = extracted(&name, &bytes);
        let entries = manifest(dir.path())["entries"].as_array().unwrap().clone();
        for entry in entries.iter().take(3).chain(entries.last()) {
            let file = dir.path().join(entry["file"].as_str().unwrap());
            let old = fs::read(&file).unwrap();
            fs::write(&file, b"other bytes than before").unwrap();
            let (new, noticed) = packed(dir.path()).unwrap();
            assert_eq!(noticed.changed.len(), 1, "{name}");
            let mut expected = payloads(&name, &bytes);
            let place = expected.iter_mut().find(|(path, _)| *path == entry["path"]).unwrap();
            place.1 = b"other bytes than before".to_vec();
            assert!(payloads(&name, &new) == expected, "{name}: {}", entry["path"]);
            let mut opened = common::open(&name, &new);
            opened.run(|container, task| container.verify(task)).unwrap();
            assert!(!opened.findings().has_errors(), "{name}");
            fs::write(&file, old).unwrap();
        }
    }
}

#[test]
fn a_folder_that_is_packed_and_extracted_is_that_folder() {
    let dir = tempfile::tempdir().unwrap();
    let files = [
        ("readme.txt", b"oak oak oak oak oak".to_vec()),
        ("empty", Vec::new()),
        ("textures/100%/bark#2@2x.png", vec![7; 5000]),
        ("textures/a%20b", b"%2F".to_vec()),
        ("textures/\u{e4}st.tga", vec![1; 70_000]),
        (".hidden", b"x".to_vec()),
    ];
    for (name, content) in &files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    let (pack, _) = packed(dir.path()).unwrap();
    assert!(tree(extracted("folder", &pack).path()) == tree(dir.path()));
    assert_eq!(tree(dir.path()).len(), files.len());
    let (again, _) = packed(dir.path()).unwrap();
    assert!(again == pack, "the same files give the same bytes");
}

#[test]
fn rules_say_how_files_are_stored_and_manifests_what_they_are() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["bark.tga", "trunk.vtx", "bark.mip0"] {
        fs::write(dir.path().join(name), vec![5; 1000]).unwrap();
    }
    let manifest = json!({"format": "snpak", "entries": [
        {"name": "textures/bark", "file": "bark.tga", "variant": "hd", "schema_version": 3,
         "kind": "10101010-2020-3030-4040-505060607070",
         "bulk": [{"semantic": 1, "sub_index": 0, "file": "bark.mip0", "compression": "none"}],
         "dependencies": [{"name": "meshes/trunk", "kind": "optional"}]},
        {"name": "meshes/trunk", "file": "trunk.vtx", "compression": "zstd", "level": 2},
    ]});
    let path = dir.path().join("build.json");
    fs::write(&path, manifest.to_string()).unwrap();
    let mut rules = Rules::default();
    rules.codec("textures/*=lz4hc:max").unwrap();
    let PackedContainer::New(assets) =
        pack::pack(&path, Some(&rules), &Options::default()).unwrap()
    else {
        panic!("no new pack");
    };
    let mut out = Cursor::new(Vec::new());
    packs::build(
        assets,
        &mut out,
        packs::Options::default(),
        &Options::default(),
        &mut Collect::default(),
    )
    .unwrap();
    let rows = rows(&mut common::open("build.json", out.get_ref()));
    let told = |nth: usize| {
        let row = &rows[nth];
        let keys = ["path", "compression", "level", "schema_version", "size"];
        keys.map(|key| row[key].to_string().replace('"', ""))
    };
    assert_eq!(told(0), ["textures/bark@hd", "lz4hc", "3", "3", "1000"]);
    assert_eq!(told(1), ["meshes/trunk", "zstd", "2", "0", "1000"]);
    // The rule is for bulk payloads too, whose paths are below that of the asset.
    assert_eq!(rows[0]["bulk"][0]["compression"], "lz4hc");
    assert_eq!(rows[0]["dependencies"][0]["asset_id"], rows[1]["asset_id"]);
    assert_eq!(rows[0]["dependencies"][0]["kind"], 1);
}

#[test]
fn hostile_manifests_of_packs_are_refused() {
    let (name, bytes) = packs().remove(0);
    type Change = fn(&mut Value);
    let changes: [(&str, Change, &str); 8] = [
        ("a way out", |m| m["entries"][0]["file"] = "../secret".into(), codes::BAD_MANIFEST.id),
        ("no file", |m| m["entries"][0]["file"] = Value::Null, codes::BAD_MANIFEST.id),
        ("a missing file", |m| m["entries"][0]["file"] = "gone".into(), codes::MISSING_FILES.id),
        ("an id", |m| m["entries"][0]["asset_id"] = "12".into(), "SN038"),
        ("a codec", |m| m["entries"][0]["compression"] = "rar".into(), "SN080"),
        ("a level", |m| m["entries"][0]["level"] = json!(77), codes::BAD_MANIFEST.id),
        ("a name", |m| m["entries"][0]["name_bytes"] = "6".into(), codes::BAD_MANIFEST.id),
        (
            "twice",
            |m| {
                let again = m["entries"][0].clone();
                m["entries"].as_array_mut().unwrap().push(again);
            },
            "SN084",
        ),
    ];
    for (what, change, code) in changes {
        let dir = extracted(&name, &bytes);
        assert!(!dir.path().join(SKELETON).exists());
        forge(dir.path(), change);
        assert_eq!(refusal(dir.path()), code, "{what}");
    }
    let dir = extracted(&name, &bytes);
    fs::write(
        dir.path().join(MANIFEST),
        format!(
            "{{\"spelunk_manifest\":1,\"format\":\"snpak\",\"entries\":[{}{{}}]}}",
            "{},".repeat(2 << 20)
        ),
    )
    .unwrap();
    assert_eq!(refusal(dir.path()), "SP010", "more rows than the limit allows");
}
