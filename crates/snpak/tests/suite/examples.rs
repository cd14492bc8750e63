//! Every example runs without arguments, says what it did, and ends well.

use std::{
    collections::BTreeMap,
    env,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// What an example has to print. Others only have to print something.
const LINES: &[(&str, &str)] = &[
    ("async_loading", "24 loaded, 0 failed, "),
    ("load_by_id", "2 with the name textures/bark\n"),
    ("stream_mips", "mip 8: 1 x 1, 4 bytes\nmip 7: 2 x 2, 16 bytes\n"),
];

/// The names of all examples, by their sources.
fn examples() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let files = folder.read_dir().expect("examples").map(|entry| entry.expect("an entry").path());
    let sources = files.filter(|path| path.extension().is_some_and(|ending| ending == "rs"));
    let mut names: Vec<String> = sources
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Where `cargo test` puts them: beside the folder of this test.
fn built(name: &str) -> PathBuf {
    let test = env::current_exe().expect("this test");
    let profile = test.parent().and_then(Path::parent).expect("the folder of the profile");
    profile.join("examples").join(format!("{name}{}", env::consts::EXE_SUFFIX))
}

fn run(name: &str, args: &[&Path]) -> Output {
    let path = built(name);
    let output = Command::new(&path).args(args).output();
    output.unwrap_or_else(|error| {
        panic!(
            "{} (`cargo test -p snpak` and `cargo build --examples` build it): {error}",
            path.display()
        )
    })
}

#[test]
fn every_example_runs_on_a_pack_that_it_makes() {
    let names = examples();
    let mut lines: BTreeMap<_, _> = LINES.iter().copied().collect();
    for name in &names {
        let output = run(name, &[]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {}\n{told}", output.status);
        let printed = String::from_utf8_lossy(&output.stdout);
        let wanted = lines.remove(name.as_str()).unwrap_or("\n");
        assert!(printed.contains(wanted), "{name} prints:\n{printed}");
    }
    assert!(lines.is_empty(), "there are no such examples: {lines:?}");
}

#[test]
fn examples_take_a_pack() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("textures.snpak");
    let pack = spelunk_fixtures::samples::textures::textures_pack();
    std::fs::write(&path, pack.build().bytes).expect("a pack");
    let printed = |name| String::from_utf8(run(name, &[&path]).stdout).expect("text");
    assert!(printed("load_by_id").contains("by name textures/rgba8, for mobile: 16 bytes"));
    assert!(printed("stream_mips").contains("texture 48 x 40 RGBA8, 6 mips"));
    assert!(printed("async_loading").contains("19 loaded, 0 failed, 19 in the cache"));
}
