//! Verbs that write files: in memory, and of files that stay open.

use crate::common::sample;
use spelunk::{
    Opened, Options, Source,
    compare::patch::AnyPatch,
    containers::pack::Origin,
    verbs::{
        CollectedOutput, FileList, Memory, Outcome, Session, append, join, ls, merge, pack, patch,
        rewrite, set, subset, upgrade,
    },
};
use spelunk_fixtures::samples;
use std::sync::Arc;

const POWER: &str = "CKMaterial/Wood/material.specular_power";

fn memory() -> Memory {
    let files = Memory::new();
    files.put("level.nmo", samples::level().build().bytes);
    files
}

fn set_power(session: &Session, to: spelunk::verbs::Destination, power: &str) -> Outcome {
    let changes = vec![set::FieldChange::Text(format!("{POWER}={power}"))];
    let request = set::Request { to, changes, ..set::Request::default() };
    set::run(session, &request, &mut CollectedOutput::default()).unwrap()
}

/// The bytes of the level with another value, and the patch that makes them.
fn changed(files: &Memory, session: &Session) -> Vec<u8> {
    let to = spelunk::verbs::Destination {
        file: "level.nmo".into(),
        output: Some("changed.nmo".into()),
        ..Default::default()
    };
    assert!(set_power(session, to, "3.5").is_clean());
    let sources = ["level.nmo", "changed.nmo"]
        .map(|name| -> Arc<dyn Source> { Arc::new(files.get(name).unwrap()) });
    let options = Options::default();
    let [old, new] = sources.each_ref().map(|source| Origin { source, options: &options });
    let patch = AnyPatch::between(&old, &new).unwrap().text().unwrap();
    files.put("changes.json", patch.into_bytes());
    files.remove("changed.nmo").unwrap().to_vec()
}

#[test]
fn what_is_written_of_an_open_file_is_what_it_is_now() {
    let files = memory();
    let session = Session::new(files.clone());
    let new = changed(&files, &session);
    let handle = session.open("level.nmo").unwrap();
    let to = spelunk::verbs::Destination { file: handle.into(), ..Default::default() };
    assert!(set_power(&session, to, "3.5").is_clean());
    let mut rows = CollectedOutput::default();
    let request = rewrite::Request {
        file: handle.into(),
        output: Some("copy.nmo".into()),
        ..rewrite::Request::default()
    };
    assert!(rewrite::run(&session, &request, &mut rows).unwrap().is_clean());
    assert_eq!(files.get("copy.nmo").unwrap(), new);
    // Others are made of it as well.
    let request = merge::Request {
        base: "level.nmo".into(),
        ours: "level.nmo".into(),
        theirs: vec![handle.into()],
        output: Some("merged.nmo".into()),
        ..merge::Request::default()
    };
    assert!(merge::run(&session, &request, &mut rows).unwrap().is_clean());
    assert_eq!(files.get("merged.nmo").unwrap(), new);
    for (name, outcome) in [
        ("joined.nmo", {
            let request = join::Request {
                files: vec![handle.into(), "level.nmo".into()],
                output: "joined.nmo".into(),
                ..join::Request::default()
            };
            join::run(&session, &request, &mut rows).unwrap()
        }),
        ("part.nmo", {
            let request = subset::Request {
                file: handle.into(),
                paths: vec!["CKMaterial/Wood".to_owned()],
                output: "part.nmo".into(),
                ..subset::Request::default()
            };
            subset::run(&session, &request, &mut rows).unwrap()
        }),
    ] {
        assert!(outcome.is_clean(), "{name}: {:?}", rows.diagnostics);
        assert!(Opened::open(Arc::new(files.get(name).unwrap()), &Options::default()).is_ok());
    }
    // Nothing that was made of it took its place.
    let request = rewrite::Request { file: handle.into(), ..rewrite::Request::default() };
    let outcome = rewrite::run(&session, &request, &mut rows).unwrap();
    assert_eq!(outcome.code(), 2);
    assert_eq!(rows.diagnostics.last().unwrap().1["code"], "SP029");
}

#[test]
fn a_patch_changes_a_file_that_stays_open() {
    let files = memory();
    let session = Session::new(files.clone());
    let (old, new) = (files.get("level.nmo").unwrap(), changed(&files, &session));
    let handle = session.open("level.nmo").unwrap();
    let mut request = patch::Request { patch: "changes.json".into(), ..patch::Request::default() };
    request.to.file = handle.into();
    let mut rows = CollectedOutput::default();
    request.to.out.dry_run = true;
    assert!(patch::run(&session, &request, &mut rows).unwrap().is_clean());
    request.to.out.dry_run = false;
    assert!(patch::run(&session, &request, &mut rows).unwrap().is_clean());
    assert_eq!(rows.rows[0], rows.rows[1], "the dry run changed nothing");
    assert_eq!(rows.rows[1]["same_file"], true);
    assert_eq!(files.get("level.nmo").unwrap(), old);
    request.to.in_place = true;
    assert!(patch::run(&session, &request, &mut rows).unwrap().is_clean());
    assert_eq!(rows.rows[2]["same_file"], false, "it is what the patch makes already");
    assert_eq!(files.get("level.nmo").unwrap(), new);
    request.reverse = true;
    assert!(patch::run(&session, &request, &mut rows).unwrap().is_clean());
    assert_eq!(files.get("level.nmo").unwrap(), old);
}

#[test]
fn upgraded_files_go_to_folders_in_memory_and_replace_each_other_never() {
    let files = Memory::new();
    files.put("a/old.nmo", sample("version2.nmo"));
    files.put("b/old.nmo", sample("version2.nmo"));
    files.put("b/level.nmo", samples::level().build().bytes);
    let session = Session::new(files.clone());
    let mut request = upgrade::Request {
        files: FileList { recursive: true, ..["a", "b"].into_iter().collect() },
        directory: "new".into(),
        lossy: true,
        ..upgrade::Request::default()
    };
    request.out.force = true;
    let mut rows = CollectedOutput::default();
    let outcome = upgrade::run(&session, &request, &mut rows).unwrap();
    assert_eq!(outcome.code(), 2, "{:?}", rows.diagnostics);
    assert_eq!(rows.rows.len(), 1);
    assert_eq!(rows.rows[0]["output"], "new/old.nmo");
    assert!(
        rows.diagnostics
            .iter()
            .any(|(file, told)| { file == "new/old.nmo" && told["code"] == "SP021" })
    );
    assert_eq!(rows.notes, ["b/level.nmo: current already, nothing written"]);
}

/// The rows of a pack, as `ls` has them.
fn names(session: &Session, file: spelunk::verbs::FileRef) -> Vec<String> {
    let mut rows = CollectedOutput::default();
    let request = ls::Request { file, ..ls::Request::default() };
    assert!(ls::run(session, &request, &mut rows).unwrap().is_clean());
    rows.rows.iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn packs_are_built_and_grow_in_memory() {
    let files = Memory::new();
    files.put("new/textures/bark.tga", vec![7; 400]);
    files.put("new/sounds/wind.wav", vec![3; 300]);
    files.put("more.txt", b"more".to_vec());
    let session = Session::new(files.clone());
    let mut rows = CollectedOutput::default();
    let request = pack::Request {
        source: Some("new".into()),
        output: "all.snpak".into(),
        ..pack::Request::default()
    };
    assert!(pack::run(&session, &request, &mut rows).unwrap().is_clean(), "{rows:?}");
    assert_eq!(rows.rows[0]["assets"], 2);
    assert_eq!(
        names(&session, "all.snpak".into()),
        ["sounds/wind.wav", "textures/bark.tga"].map(str::to_owned)
    );
    let old = files.get("all.snpak").unwrap();
    let mut request = append::Request {
        file: "all.snpak".into(),
        sources: vec!["more.txt".into()],
        dry_run: true,
        ..append::Request::default()
    };
    let grown = |request: &append::Request| {
        let mut rows = CollectedOutput::default();
        assert!(append::run(&session, request, &mut rows).unwrap().is_clean(), "{rows:?}");
        rows.rows.remove(0)
    };
    let would = grown(&request);
    assert_eq!(files.get("all.snpak").unwrap(), old);
    // One that is open has it, and nothing is written.
    let handle = session.open("all.snpak").unwrap();
    (request.file, request.dry_run) = (handle.into(), false);
    let kept = grown(&request);
    assert_eq!(files.get("all.snpak").unwrap(), old);
    assert_eq!(names(&session, handle.into()).len(), 3);
    request.file = "all.snpak".into();
    let done = grown(&request);
    assert_eq!(files.get("all.snpak").unwrap().len() as u64, done["size"].as_u64().unwrap());
    assert_eq!(names(&session, "all.snpak".into()), names(&session, handle.into()));
    assert_eq!([&would["size"], &kept["size"]], [&done["size"]; 2]);
    assert_eq!([&would["dry_run"], &done["dry_run"]], [&true.into(), &serde_json::Value::Null]);
}
