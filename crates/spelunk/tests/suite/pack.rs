//! Folders that `extract` wrote become the same container again, with the changes that were made to the files
//! and no others; what is hostile in a folder is refused.

use crate::common;

use crate::common::{
    packing::{contents, extracted, forge, manifest, packed, refusal, unpack, unpack_with},
    rows,
};
use serde_json::{Value, json};
use spelunk::{
    Bytes, Limits, Opened, Options, Source,
    containers::extract,
    containers::extract::MANIFEST,
    containers::pack::{self, Origin, SKELETON},
    entries::select::Select,
    open::codes,
};
use spelunk_fixtures::{
    corpus,
    mutate::mutate,
    samples::{self, virtools_matrix},
};
use std::{fs, sync::Arc};
use tempfile::TempDir;

/// Every Virtools file there is.
fn files() -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = spelunk_fixtures::samples()
        .into_iter()
        .filter(|sample| sample.format == "virtools")
        .map(|sample| (sample.name.to_owned(), sample.fixture.bytes))
        .collect();
    files.extend(virtools_matrix().into_iter().map(|file| (file.name, file.file.build().bytes)));
    for file in corpus::files("virtools", &["nmo", "cmo", "nms"]).into_iter().flatten() {
        files.push((file.name, file.bytes));
    }
    files
}

/// A file that the tests of single cases use, with included files and managers.
fn level() -> Vec<u8> {
    samples::level().build().bytes
}

#[test]
fn every_virtools_file_is_rebuilt_byte_for_byte() {
    let mut emptied = 0;
    for (name, bytes) in files() {
        let dir = extracted(&name, &bytes);
        let (new, packed) = packed(dir.path()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(new == bytes, "{name}");
        assert_eq!((packed.changed.len(), packed.unknown.len()), (0, 0), "{name}");
        let entries = manifest(dir.path())["entries"].as_array().unwrap().clone();
        emptied += usize::from(entries.iter().any(|entry| entry["emptied"] == true));
    }
    assert!(emptied > 10, "only {emptied} skeletons were emptied");
}

#[test]
fn a_changed_chunk_changes_nothing_else() {
    for (name, bytes) in files() {
        let dir = extracted(&name, &bytes);
        let mut expected = contents(dir.path());
        let largest = expected
            .iter_mut()
            .filter(|(path, ..)| path.as_str().unwrap().starts_with('#'))
            .max_by_key(|(.., bytes)| bytes.len());
        let Some((path, _, chunk)) = largest.filter(|(.., chunk)| chunk.len() > 8) else {
            continue;
        };
        let path = path.clone();
        // The last dword of a chunk is content or a position of a list, never a size of the file's own.
        let last = chunk.len() - 1;
        chunk[last] ^= 0x40;
        let entries = manifest(dir.path())["entries"].clone();
        let entry = entries.as_array().unwrap().iter().find(|entry| entry["path"] == path).unwrap();
        fs::write(dir.path().join(entry["file"].as_str().unwrap()), chunk).unwrap();
        let (new, packed) = packed(dir.path()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(packed.changed, [path.as_str().unwrap()], "{name}");
        let again = extracted(&name, &new);
        assert!(contents(again.path()) == expected, "{name}");
        let details = ["file_version", "object_count", "manager_count", "max_id", "included_files"];
        let [old, new] = [dir, again].map(|dir| manifest(dir.path())["details"].clone());
        for key in details {
            assert_eq!(old[key], new[key], "{name}: {key}");
        }
        assert_eq!(new["checksum"]["ok"], old["checksum"]["ok"], "{name}");
    }
}

#[test]
fn files_may_grow_and_shrink() {
    let bytes = level();
    for change in [vec![7; 100_000], vec![7; 4]] {
        let dir = extracted("level.nmo", &bytes);
        let file = manifest(dir.path())["entries"][2]["file"].as_str().unwrap().to_owned();
        fs::write(dir.path().join(&file), &change).unwrap();
        let (new, _) = packed(dir.path()).unwrap();
        let mut opened = common::open("level.nmo", &new);
        let sizes: Vec<u64> =
            rows(&mut opened).iter().map(|row| row["size"].as_u64().unwrap()).collect();
        assert_eq!(sizes[2], change.len() as u64);
    }
}

#[test]
fn managers_and_included_files_are_entries_too() {
    let mut seen = (false, false);
    for (name, bytes) in files() {
        let dir = extracted(&name, &bytes);
        let paths: Vec<String> = contents(dir.path())
            .iter()
            .map(|(path, ..)| path.as_str().unwrap().to_owned())
            .collect();
        assert!(!paths.iter().any(|path| path == "header1" || path == "data"), "{name}");
        seen.0 |= paths.iter().any(|path| path.starts_with("managers/"));
        let all = paths.iter().filter(|path| path.starts_with("included/")).count();
        let (included, done) = unpack(&bytes, true);
        let files = done.unwrap().files;
        assert_eq!(files.len(), all, "{name}");
        assert!(files.iter().all(|file| included.path().join(&file.output).is_file()), "{name}");
        if all > 0 {
            seen.1 = true;
            let (new, _) = packed(included.path()).unwrap();
            assert!(new == bytes, "{name}: from its included files alone");
        }
    }
    assert_eq!(seen, (true, true));
}

#[test]
fn other_formats_have_no_included_files_and_those_of_spellforce_a_skeleton() {
    let mut rebuilt = 0;
    for sample in spelunk_fixtures::samples() {
        let refused = ["virtools", "snpak", "spellforce-pakdata"].contains(&sample.format);
        if refused || sample.name.contains("-spec.") {
            continue;
        }
        let (_, done) = unpack(&sample.fixture.bytes, true);
        assert_eq!(done.unwrap_err().code().id, codes::NO_INCLUDED.id, "{}", sample.name);
        let dir = unpack(&sample.fixture.bytes, false).0;
        if dir.path().join(SKELETON).exists() {
            // GameData and maps are rebuilt from their chunks, archives from their files.
            let is_rebuilt =
                ["spellforce-cff", "spellforce-map", "spellforce-pak"].contains(&sample.format);
            assert!(is_rebuilt, "{}", sample.name);
            let (made, _) = packed(dir.path()).unwrap();
            assert!(made == sample.fixture.bytes, "{}", sample.name);
            rebuilt += 1;
        } else if dir.path().join(MANIFEST).exists() {
            assert!(!dir.path().join(SKELETON).exists(), "{}", sample.name);
            assert_eq!(refusal(dir.path()), codes::NO_SKELETON.id, "{}", sample.name);
        }
    }
    assert!(rebuilt >= 3, "{rebuilt}");
}

#[test]
fn without_a_skeleton_packs_are_made_anew_and_others_are_refused() {
    // The layout that only the specification has is an error where it is opened.
    let samples = spelunk_fixtures::samples();
    for sample in samples.iter().filter(|sample| !sample.name.contains("-spec.")) {
        let bytes = &sample.fixture.bytes;
        let (with, done) = unpack_with(bytes, false, true);
        let (without, other) = unpack_with(bytes, false, false);
        let (Ok(done), Ok(other)) = (done, other) else { continue };
        assert_eq!(done.files.len(), other.files.len(), "{}", sample.name);
        for file in &other.files {
            let read = |dir: &TempDir| fs::read(dir.path().join(&file.output)).unwrap();
            assert!(read(&with) == read(&without), "{}: {}", sample.name, file.output);
        }
        assert!(!without.path().join(SKELETON).exists(), "{}", sample.name);
        match sample.format {
            "virtools" => assert_eq!(refusal(without.path()), codes::SKELETON_LEFT_OUT.id),
            // Where the proof holds, nothing was missing.
            "snpak" if !with.path().join(SKELETON).exists() => {
                assert!(packed(without.path()).unwrap().0 == *bytes, "{}", sample.name);
            }
            "snpak" => match packed(without.path()) {
                Ok((new, _)) => assert!(new != *bytes, "{}", sample.name),
                // What an entry hides cannot be told from it.
                Err(error) => assert_eq!(error.code().id, "SN084", "{}: {error}", sample.name),
            },
            // Of its files another one is made: what the packer's memory held is lost.
            "spellforce-pak" => {
                let (new, _) = packed(without.path()).unwrap();
                assert!(new != *bytes && new.len() == bytes.len(), "{}", sample.name);
            }
            _ => assert_eq!(refusal(without.path()), codes::NO_SKELETON.id, "{}", sample.name),
        }
    }
}

#[test]
fn missing_files_are_listed_and_unknown_ones_left_out() {
    let bytes = level();
    let dir = extracted("level.nmo", &bytes);
    fs::create_dir(dir.path().join("mine")).unwrap();
    fs::write(dir.path().join("mine/notes.txt"), "notes").unwrap();
    let (new, packed_) = packed(dir.path()).unwrap();
    assert!(new == bytes);
    assert_eq!(packed_.unknown, ["mine/notes.txt"]);
    let entries = manifest(dir.path())["entries"].clone();
    for nth in [0, 3] {
        fs::remove_file(dir.path().join(entries[nth]["file"].as_str().unwrap())).unwrap();
    }
    let error = packed(dir.path()).map(|_| ()).unwrap_err();
    assert_eq!(error.code().id, codes::MISSING_FILES.id);
    for nth in [0, 3] {
        assert!(error.to_string().contains(entries[nth]["file"].as_str().unwrap()), "{error}");
    }
}

#[test]
fn hostile_manifests_are_refused() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret"), "secret").unwrap();
    let secret = outside.path().join("secret").display().to_string();
    let bytes = level();
    for path in
        ["../secret", "/etc/passwd", secret.as_str(), "a/../../b", "C:\\a", "a\\b", "con", ""]
    {
        let dir = extracted("level.nmo", &bytes);
        forge(dir.path(), |manifest| manifest["entries"][0]["file"] = path.into());
        assert_eq!(refusal(dir.path()), codes::BAD_MANIFEST.id, "{path}");
        forge(dir.path(), |manifest| manifest["skeleton"]["file"] = path.into());
        assert_eq!(refusal(dir.path()), codes::BAD_MANIFEST.id, "{path}");
    }
    type Change = fn(&mut Value);
    let changes: [(&str, Change, &str); 10] = [
        ("size", |m| m["skeleton"]["size"] = json!(1), codes::BAD_SKELETON.id),
        ("hash", |m| m["skeleton"]["xxh3"] = json!("0x0"), codes::BAD_SKELETON.id),
        ("skeleton", |m| m["skeleton"] = json!("x"), codes::BAD_MANIFEST.id),
        ("format version", |m| m["spelunk_manifest"] = json!(2), codes::BAD_MANIFEST.id),
        ("level", |m| m["level"] = json!(300), codes::BAD_MANIFEST.id),
        ("entries", |m| m["entries"] = json!({}), codes::BAD_MANIFEST.id),
        ("entry", |m| m["entries"][0] = json!(7), codes::BAD_MANIFEST.id),
        ("no node", |m| m["entries"][0]["node"] = json!(-1), codes::BAD_MANIFEST.id),
        ("far node", |m| m["entries"][0]["node"] = json!(0xFFFF_FF08_u64), codes::BAD_MANIFEST.id),
        ("foreign node", |m| m["entries"][0]["node"] = json!(u64::MAX), codes::BAD_MANIFEST.id),
    ];
    for (what, change, code) in changes {
        let dir = extracted("level.nmo", &bytes);
        forge(dir.path(), change);
        assert_eq!(refusal(dir.path()), code, "{what}");
    }
    let dir = extracted("level.nmo", &bytes);
    fs::write(dir.path().join(MANIFEST), "[".repeat(100_000)).unwrap();
    assert_eq!(refusal(dir.path()), codes::BAD_MANIFEST.id);
    fs::write(dir.path().join(MANIFEST), format!("[{}0]", "0,".repeat(20 << 20))).unwrap();
    assert_eq!(refusal(dir.path()), "SP010", "more values than the limit allows");
}

#[test]
fn wrong_skeletons_are_refused() {
    let bytes = level();
    let dir = extracted("level.nmo", &bytes);
    let skeleton = dir.path().join(SKELETON);
    let mut content = fs::read(&skeleton).unwrap();
    content[40] ^= 1;
    fs::write(&skeleton, &content).unwrap();
    assert_eq!(refusal(dir.path()), codes::BAD_SKELETON.id);
    fs::remove_file(&skeleton).unwrap();
    assert_eq!(refusal(dir.path()), codes::BAD_SKELETON.id);
}

#[test]
fn files_beyond_the_limit_are_not_read() {
    let bytes = level();
    let dir = extracted("level.nmo", &bytes);
    let file = manifest(dir.path())["entries"][0]["file"].as_str().unwrap().to_owned();
    fs::write(dir.path().join(file), vec![0; 1 << 20]).unwrap();
    let options = Options { max_memory: Some(1 << 19), ..Options::default() };
    assert!(Limits::for_len(0).memory > 1 << 19);
    let error = pack::pack(dir.path(), None, &options).map(|_| ()).unwrap_err();
    assert_eq!(error.code().id, "SP010");
}

#[test]
#[cfg(unix)]
fn links_are_not_followed() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret"), "secret").unwrap();
    let bytes = level();
    let dir = extracted("level.nmo", &bytes);
    let file = manifest(dir.path())["entries"][0]["file"].as_str().unwrap().to_owned();
    let file = dir.path().join(file);
    fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink(outside.path().join("secret"), &file).unwrap();
    assert_eq!(refusal(dir.path()), codes::BAD_MANIFEST.id);
    let folder = file.parent().unwrap();
    fs::rename(folder, outside.path().join("folder")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("folder"), folder).unwrap();
    assert_eq!(refusal(dir.path()), codes::BAD_MANIFEST.id);
}

/// What cannot be extracted stays in the skeleton.
#[test]
fn damaged_files_are_rebuilt_with_their_damage() {
    let mut damaged = 0;
    for malformed in spelunk_fixtures::malformed() {
        let source = Arc::new(Bytes::from(malformed.bytes.clone()));
        match Opened::open(source, &Options::default()) {
            Ok(opened) if opened.container().format() == "virtools" => {}
            _ => continue,
        }
        let (dir, done) = unpack(&malformed.bytes, false);
        let name = malformed.name;
        damaged +=
            usize::from(!done.unwrap_or_else(|error| panic!("{name}: {error}")).failed.is_empty());
        let (new, _) = packed(dir.path()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(new == malformed.bytes, "{name}");
    }
    assert!(damaged > 0);
}

#[test]
fn mutated_files_are_rebuilt_as_they_are() {
    let originals = [samples::level(), samples::menu(), samples::legacy(3), samples::legacy(6)];
    let mut rebuilt = 0;
    for seed in 0..400_u64 {
        let original = originals[(seed % 4) as usize].build().bytes;
        let bytes = mutate(&original, seed);
        let source = Arc::new(Bytes::from(bytes.clone()));
        if Opened::open(source, &Options::default()).is_err() {
            continue;
        }
        let (dir, done) = unpack(&bytes, false);
        if done.is_err() {
            continue;
        }
        let (new, _) = packed(dir.path()).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert!(new == bytes, "seed {seed}");
        rebuilt += 1;
    }
    assert!(rebuilt > 100, "{rebuilt}");
}

#[test]
fn entries_that_cannot_be_changed_say_so() {
    let bytes = level();
    let dir = extracted("level.nmo", &bytes);
    let entries = manifest(dir.path())["entries"].as_array().unwrap().clone();
    let plugins = |entry: &&Value| entry["path"].as_str().unwrap().starts_with("plugins/");
    let file = entries.iter().find(plugins).unwrap()["file"].as_str().unwrap();
    fs::write(dir.path().join(file), "other plugins").unwrap();
    let error = packed(dir.path()).map(|_| ()).unwrap_err();
    assert_eq!(error.code().id, "SP024");
    assert!(error.path().contains(file), "{error}");
}

/// A source that fails when the second reader of it comes.
#[test]
fn failures_while_the_skeleton_is_made_are_told() {
    struct Failing(Bytes, std::sync::atomic::AtomicBool);
    impl Source for Failing {
        fn len(&self) -> u64 {
            Source::len(&self.0)
        }
        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> spelunk::Result<()> {
            if self.1.load(std::sync::atomic::Ordering::Relaxed) {
                return Err(spelunk::Error::io(std::io::Error::other("the disk is gone")));
            }
            self.0.read_at(offset, buffer)
        }
    }
    let dir = tempfile::tempdir().unwrap();
    let failing = Arc::new(Failing(level().into(), false.into()));
    let source: Arc<dyn Source> = failing.clone();
    let options = Options::default();
    let mut opened = Opened::open(source.clone(), &options).unwrap();
    let pages = opened.code_pages();
    let plan = extract::Plan {
        target: dir.path(),
        select: &Select::new::<&str>(&[], &[]).unwrap(),
        included: false,
        origin: Some(Origin { source: &source, options: &options }),
        follow_links: false,
        force: false,
        dry_run: false,
    };
    failing.1.store(true, std::sync::atomic::Ordering::Relaxed);
    let error = opened
        .run(|container, task| extract::extract(container, &pages, &plan, task, &mut |_, _| {}))
        .unwrap_err();
    assert_eq!(error.code().id, "SP020");
    assert!(!dir.path().join(MANIFEST).exists(), "a folder that cannot be packed has no manifest");
}
