//! The rules by which other programs tell the files agree with detection, and other programs understand them.

use spelunk::{Bytes, open::detect::Formats, open::signatures};
use spelunk_fixtures::{corpus, malformed, mutate::mutate_header};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The format that the rules name.
fn by_rules(bytes: &[u8]) -> Option<&'static str> {
    signatures::types().find(|kind| kind.matches(bytes)).map(|kind| kind.format)
}

/// The format that detection names.
fn claimed(bytes: &Bytes) -> Option<&'static str> {
    Formats::default().claimed(bytes).map(|profile| profile.name)
}

fn real_files() -> Vec<(String, Vec<u8>)> {
    corpus::all().into_iter().map(|file| (file.name, file.bytes)).collect()
}

fn samples() -> Vec<(String, Vec<u8>)> {
    let samples = spelunk_fixtures::samples().into_iter();
    samples.map(|sample| (sample.name.to_owned(), sample.fixture.bytes)).collect()
}

#[test]
fn rules_name_what_detection_names() {
    let all = [samples(), real_files()].concat();
    assert!(all.len() > 30);
    for (name, bytes) in &all {
        let claimed = claimed(&Bytes::from(bytes.clone()));
        assert!(claimed.is_some(), "{name}");
        assert_eq!(by_rules(bytes), claimed, "{name}");
    }
}

/// What begins like one of the formats but is none is told by no rule but for those that detection decides by what rules
/// cannot say: where an index lies, what numbers fit into the file.
#[test]
fn rules_find_whatever_detection_finds() {
    let mut found = 0;
    let mut check = |name: &str, bytes: Vec<u8>| {
        let rules = by_rules(&bytes);
        // Four bytes of a pack are enough for detection: it says what is missing.
        if let Some(claimed) = claimed(&Bytes::from(bytes.clone()))
            && bytes.len() >= 128
        {
            assert_eq!(rules, Some(claimed), "{name}: {:x?}", &bytes[..64]);
            found += 1;
        }
    };
    for file in malformed() {
        check(file.name, file.bytes);
    }
    for (name, bytes) in samples() {
        for seed in 0..64 {
            check(&name, mutate_header(&bytes, seed));
        }
    }
    assert!(found > 500, "{found}");
}

/// Writes all files, real ones too, into a folder under names that tell nothing; gives these with the type of each.
fn write_all(dir: &Path) -> Vec<(PathBuf, &'static str)> {
    let all = [samples(), real_files()].concat().into_iter().enumerate();
    all.map(|(number, (name, bytes))| {
        let path = dir.join(format!("{number}"));
        fs::write(&path, &bytes).unwrap();
        let kind = signatures::types().find(|kind| kind.matches(&bytes));
        (path, kind.unwrap_or_else(|| panic!("{name}")).mime)
    })
    .collect()
}

/// What a program prints; `None`, and a line that says so, where it is not installed.
fn run(command: &mut Command) -> Option<String> {
    let Ok(output) = command.output() else {
        eprintln!("did not run: {} is not installed", command.get_program().display());
        return None;
    };
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && stderr.is_empty(), "{command:?}: {stderr}");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn file_knows_them_by_the_magic() {
    let dir = tempfile::tempdir().unwrap();
    let files = write_all(dir.path());
    let magic = dir.path().join("magic");
    fs::write(&magic, signatures::magic()).unwrap();
    for (path, mime) in files {
        let file =
            |option| run(Command::new("file").args(["-b", option, "-m"]).args([&magic, &path]));
        let Some(printed) = file("--mime-type") else { return };
        assert_eq!(printed.trim(), mime);
        let kind = signatures::types().find(|kind| kind.mime == mime).unwrap();
        assert_eq!(file("-b").unwrap().trim(), kind.name);
    }
}

#[test]
fn desktops_know_them_by_the_shared_mime_info() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    fs::create_dir_all(data.join("mime/packages")).unwrap();
    fs::write(data.join("mime/packages/spelunk.xml"), signatures::shared_mime_info()).unwrap();
    let mut update = Command::new("update-mime-database");
    if run(update.arg(data.join("mime")).env("XDG_DATA_HOME", &data)).is_none() {
        return;
    }
    let told = |path: &Path| {
        let mut gio = Command::new("gio");
        gio.args(["info", "-a", "standard::content-type"]).arg(path);
        let printed = run(gio.env("XDG_DATA_HOME", &data))?;
        let line =
            printed.lines().find_map(|line| line.trim().strip_prefix("standard::content-type: "));
        Some(line.unwrap_or_default().to_owned())
    };
    for (path, mime) in write_all(dir.path()) {
        let Some(printed) = told(&path) else { return };
        assert_eq!(printed, mime, "{}", path.display());
    }
    // By name too, where other types have the same ending.
    for sample in spelunk_fixtures::samples() {
        let path = dir.path().join(sample.name);
        fs::write(&path, &sample.fixture.bytes).unwrap();
        let mime =
            signatures::types().find(|kind| kind.matches(&sample.fixture.bytes)).unwrap().mime;
        assert_eq!(told(&path).as_deref(), Some(mime), "{}", sample.name);
    }
}
