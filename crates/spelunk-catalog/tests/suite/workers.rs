//! Parts that others write: tasks and what comes of them travel as JSON, as they do between processes.

use super::place::*;
use spelunk::{
    Error, Result,
    open::codes::core::IO,
    verbs::{Disk, FileName},
};
use spelunk_catalog::{Input, Options, PartTask, Summary, WrittenPart, catalog_by, part};
use std::{fs, path::Path};

/// A task as a worker gets it, and what it sends back.
fn work(task: &PartTask, options: &Options) -> Result<WrittenPart> {
    let task: PartTask = serde_json::from_str(&serde_json::to_string(task).unwrap()).unwrap();
    let written = part(&Disk, &task, &options.open, &mut |_, _| {})?;
    Ok(serde_json::from_str(&serde_json::to_string(&written).unwrap()).unwrap())
}

/// A run whose tasks are done by a function.
fn run_by(
    place: &Place,
    write_parts: &mut dyn FnMut(&[PartTask]) -> Result<Vec<WrittenPart>>,
) -> Result<Summary> {
    let out = FileName::from(place.out());
    catalog_by(&Disk, &place.inputs(), &out, &Options::default(), write_parts)
}

/// What each task gives, the last task first.
fn all(tasks: &[PartTask]) -> Result<Vec<WrittenPart>> {
    tasks.iter().rev().map(|task| work(task, &Options::default())).collect()
}

fn names(dir: &Path) -> Vec<String> {
    state(dir).into_keys().collect()
}

#[test]
fn parts_of_others_are_those_of_one_process() {
    let place = Place::new();
    place.notes(0..600);
    let first = run_by(&place, &mut |tasks| {
        // The sizes are known before, of all files.
        let sizes: u64 = tasks.iter().flat_map(PartTask::sizes).sum();
        let inputs = place.inputs();
        let there = inputs.iter().map(|it| fs::metadata(it.file.as_path()).unwrap().len());
        assert_eq!((tasks.len(), sizes), (4, there.sum()));
        all(tasks)
    });
    let first = first.unwrap();
    same_as_new(&place);
    let other = place.run_to(&place.dir.path().join("third"), &Options::default());
    assert_eq!(format!("{first:?}"), format!("{other:?}"));
    // Some change, some are touched, some are gone, and others stay in their parts.
    fs::write(place.file("note-003.txt"), "other").unwrap();
    fs::remove_file(place.file("level.nmo")).unwrap();
    fs::write(place.file("note-004.txt"), "note 4").unwrap();
    let second = run_by(&place, &mut all).unwrap();
    assert_eq!((second.changed, second.touched, second.gone), (1, 1, 1));
    same_as_new(&place);
    // More parts than before: rows come from several old ones.
    place.notes(600..1200);
    assert_eq!(run_by(&place, &mut all).unwrap().new, 600);
    same_as_new(&place);
    // Nothing to do.
    assert_eq!(run_by(&place, &mut |_| panic!("nothing has changed")).unwrap().written, 0);
}

#[test]
fn what_is_done_twice_counts_once() {
    let place = Place::new();
    place.notes(0..300);
    run_by(&place, &mut |tasks| {
        let lost = work(&tasks[0], &Options::default());
        assert!(lost.is_ok());
        fs::write(place.out().join("files/.part-00000-0123456789abcdef.parquet.waiting"), "half")
            .unwrap();
        all(tasks)
    })
    .unwrap();
    same_as_new(&place);
    let said: Vec<String> = ["entries", "files", "findings", "hashes", "objects", "references"]
        .iter()
        .flat_map(|table| parts(&place.out(), table))
        .map(|(path, ..)| path)
        .chain([MANIFEST.to_owned()])
        .collect();
    assert_eq!(names(&place.out()), said);
}

#[test]
fn runs_that_fail_leave_the_old_catalogue() {
    let place = Place::new();
    place.notes(0..300);
    place.run();
    let old = state(&place.out());
    place.notes(300..400);
    let fails = |write_parts: &mut dyn FnMut(&[PartTask]) -> Result<Vec<WrittenPart>>| {
        let error = run_by(&place, write_parts).unwrap_err();
        (error.code().id, error.to_string())
    };
    let (code, _) = fails(&mut |tasks| {
        all(tasks)?;
        Err(Error::io(std::io::Error::other("a worker is gone")))
    });
    assert_eq!(code, IO.id);
    // What that worker had written goes with the next run; a part that is missing, and one that is there twice.
    let (code, said) = fails(&mut |tasks| all(&tasks[1..]));
    assert_eq!(code, "SP190", "{said}");
    let (code, _) = fails(&mut |tasks| Ok([all(tasks)?, all(&tasks[..1])?].concat()));
    assert_eq!(code, "SP190");
    // Other options than those of the run, which would be other rows.
    let mut others = Options::default();
    others.open.strict = true;
    let (code, said) = fails(&mut |tasks| work(&tasks[0], &others).map(|part| vec![part]));
    assert!(code == "SP190" && said.contains("strict"), "{said}");
    let now = state(&place.out());
    assert!(old.iter().all(|(name, file)| now.get(name) == Some(file)));
    let added: Vec<&String> = now.keys().filter(|name| !old.contains_key(*name)).collect();
    assert!(added.iter().all(|name| name.ends_with(".waiting")), "{added:?}");
    run_by(&place, &mut all).unwrap();
    same_as_new(&place);
    assert!(names(&place.out()).iter().all(|name| !name.ends_with(".waiting")));
}

#[test]
fn workers_need_not_stand_where_the_run_was_begun() {
    let place = Place::new();
    let here = std::env::current_dir().unwrap();
    // A name of this folder, which no worker elsewhere could open.
    let near = Path::new("Cargo.toml");
    assert!(here.join(near).exists());
    let out = FileName::from(place.out());
    catalog_by(&Disk, &[Input::new(near)], &out, &Options::default(), &mut |tasks| {
        let sent = serde_json::to_string(&tasks[0]).unwrap();
        assert!(sent.contains(here.join(near).to_str().unwrap()), "{sent}");
        all(tasks)
    })
    .unwrap();
    assert_eq!(values(&place.out(), "files")[0]["file"], "Cargo.toml");
}

#[test]
fn files_that_end_workers_are_rows() {
    let place = Place::new();
    run_by(&place, &mut |tasks| {
        let task = tasks[0].clone().without(&[0]);
        Ok(vec![work(&task, &Options::default())?])
    })
    .unwrap();
    let files = values(&place.out(), "files");
    let lost: Vec<_> = files.iter().filter(|row| row["error_code"] == "SP175").collect();
    assert_eq!(lost.len(), 1);
    assert_eq!((lost[0], lost[0]["ok"] == false), (&files[0], true));
    // They are tried again by the next run.
    assert_eq!(run_by(&place, &mut all).unwrap().unchanged, files.len());
    same_as_new(&place);
}
