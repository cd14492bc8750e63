//! Many files at once, of every generation.
#![cfg(feature = "fs")]

use spelunk_core::{Budget, Bytes, Error, Field, Result, Span, Val, limits::Limits};
use spelunk_fixtures::samples::{self, virtools_matrix};
use std::{
    collections::BTreeMap,
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    ops::ControlFlow,
    path::{Path, PathBuf},
};
use tempfile::TempDir;
use test_support::{
    findings::{codes, errors},
    task::with_task,
};
use virtools::{
    File,
    chunk::{buffer::ChunkBuf, read::ObjRef, remap},
    codec::{Array, Reference, visit::Refs},
    file::data::Owner,
    runtime::{BatchReport, Hooks, Quiet, load_and_save_all},
};
use zerocopy::little_endian::U32;

fn quiet(_: usize) -> Box<dyn Hooks> {
    Box::new(Quiet)
}

fn batch(jobs: &[(PathBuf, PathBuf)], threads: usize) -> Vec<Result<BatchReport>> {
    load_and_save_all(jobs, threads, &Limits::for_len, &quiet)
}

/// The files of a folder with their content.
fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let files = entries.filter(|entry| entry.file_type().unwrap().is_file());
    let file = |entry: fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())
    };
    files.map(file).collect()
}

/// Opens a file that has nothing worse than something to be noted.
fn sound(bytes: &[u8]) -> File {
    let bytes = Bytes::copy_from_slice(bytes);
    let (file, findings) = with_task(bytes.len(), |task| {
        let file = File::read_from(&bytes, task)?;
        file.verify(task).map(|()| file)
    });
    assert_eq!(errors(&findings), [""; 0], "{findings:?}");
    assert!(!codes(&findings).contains(&"VT024"), "sizes and places are made anew");
    file.unwrap()
}

/// Replaces references by what tells the class and the name of what they mean, and drops those that mean nothing.
struct ByName<'f> {
    file: &'f File,
    seen: usize,
}

impl ByName<'_> {
    fn mark(&mut self, reference: ObjRef) -> Option<u32> {
        let table = self.file.table();
        let object = match reference {
            ObjRef::Null => None,
            ObjRef::Index(position) => table.objects.get(position as usize),
            ObjRef::Id(id) => table.objects.iter().find(|it| it.id.cast_unsigned() == id),
        }?;
        self.seen += 1;
        let mut hasher = DefaultHasher::new();
        (object.class_id, table.name(object)).hash(&mut hasher);
        // A number that neither mode takes for nothing.
        Some(hasher.finish() as u32 & 0x7FFF_FFFF | 1)
    }
}

impl Refs for ByName<'_> {
    fn object(&mut self, _: &'static Field, mode: bool, value: &mut Reference) -> Result<()> {
        // Old chunks have ids and new ones positions, whose nulls differ.
        let mark = self.mark(value.get(mode)).unwrap_or(0);
        *value = Reference { value: mark, listed: false };
        Ok(())
    }

    fn objects(
        &mut self,
        _: &'static Field,
        mode: bool,
        values: &mut Array<U32>,
        parallel: bool,
    ) -> Result<()> {
        let null = 0;
        let mut marks = Vec::new();
        for value in values.iter() {
            let reference = if mode { ObjRef::Index(value.get()) } else { ObjRef::Id(value.get()) };
            let is_null = value.get() == 0 && !mode || value.get() >> 31 == 1 && mode;
            let mark = if is_null { Some(null) } else { self.mark(reference) };
            marks.extend(mark.or(parallel.then_some(null)).map(U32::new));
        }
        *values = marks.into();
        Ok(())
    }

    fn opaque(&mut self, chunk: &mut ChunkBuf) -> Result<()> {
        // A section of a chunk has no identifier in its data: it gets one to be looked through.
        let mut whole = chunk.clone();
        whole.data.splice(0..0, [U32::MAX_VALUE, U32::ZERO]);
        let lists = [&mut whole.ids, &mut whole.chunks, &mut whole.managers];
        for entry in lists.into_iter().flatten().flatten() {
            entry.set(if *entry == U32::MAX_VALUE { u32::MAX } else { entry.get() + 2 });
        }
        let view = whole.view(Span::file(0, 0));
        let start = view.header_len() + 2;
        for (at, kind) in remap::places(&view, &mut Budget::new(Limits::for_len(0)))? {
            if kind == remap::DwordKind::Object {
                let word = &mut chunk.data[at - start];
                *word = self.mark(ObjRef::Id(word.get())).unwrap_or(0).into();
            }
        }
        Ok(())
    }
}

/// An object of a file: its class, its name, and its value as text.
type Typed = (u32, Vec<u8>, String);

/// The objects of a file, and how many references to others were followed.
fn typed(file: &File) -> (Vec<Typed>, usize) {
    let mut budget = Budget::new(Limits::for_len(1 << 22));
    let mut by_name = ByName { file, seen: 0 };
    let mut objects = Vec::new();
    for (object, index) in file.table().objects.iter().zip(0..) {
        let owner = Owner::Object(index);
        let value = match file.value(owner, &mut Vec::new(), &mut budget) {
            Ok(None) => "none".to_owned(),
            Ok(Some(mut saved)) => {
                saved.visit(&mut by_name).unwrap();
                // Without versions, which are those of today, and without the name, which is in the table.
                let extras = saved.extras.unwrap_or_default();
                let others = extras.unknown.iter().chain(&extras.rests).map(|section| {
                    let ChunkBuf { data, ids, chunks, managers, .. } = &section.content;
                    (section.identifier, data, ids, chunks, managers)
                });
                let others: Vec<_> = others.filter(|(identifier, ..)| *identifier != 1).collect();
                format!("{:?} {others:?} {:?}", saved.value, extras.rest)
                    .replace("form: Bare", "form: A")
            }
            Err(_) => format!("{:?}", file.records(&mut budget).unwrap().chunk(owner, &mut budget)),
        };
        objects.push((object.class_id, file.table().name(object).to_vec(), value));
    }
    (objects, by_name.seen)
}

/// The same where what is stored is no sound value: the chunks, in which the lists tell the references.
fn by_lists(file: &File) -> (Vec<Typed>, usize) {
    let mut budget = Budget::new(Limits::for_len(1 << 22));
    let mut by_name = ByName { file, seen: 0 };
    let mut objects = Vec::new();
    for (object, index) in file.table().objects.iter().zip(0..) {
        let owner = Owner::Object(index);
        let view = file.chunk(owner, &mut budget).unwrap().unwrap();
        let bytes = file.records(&mut budget).unwrap().chunk(owner, &mut budget).unwrap();
        let words = bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap()));
        let mut words: Vec<u32> = words.collect();
        for (at, _) in remap::places(&view, &mut budget).unwrap() {
            words[at] = by_name.mark(ObjRef::Id(words[at])).unwrap_or(0);
        }
        objects.push((object.class_id, file.table().name(object).to_vec(), format!("{words:x?}")));
    }
    (objects, by_name.seen)
}

/// A folder of files of all generations, and jobs for them.
fn everything(out: &str) -> (TempDir, Vec<(PathBuf, PathBuf)>) {
    let dir = tempfile::tempdir().unwrap();
    for folder in ["in", out] {
        fs::create_dir(dir.path().join(folder)).unwrap();
    }
    let mut files: Vec<(String, Vec<u8>)> =
        virtools_matrix().into_iter().map(|it| (it.name, it.file.build().bytes)).collect();
    for version in 0..8 {
        let bytes = samples::legacy(version).build().bytes;
        files.push((format!("legacy-{version}.nmo"), bytes));
    }
    files.push(("level.cmo".to_owned(), samples::level().build().bytes));
    files.push(("menu.cmo".to_owned(), samples::menu().build().bytes));
    let jobs = files.into_iter().map(|(name, bytes)| {
        let source = dir.path().join("in").join(&name);
        fs::write(&source, bytes).unwrap();
        (source, dir.path().join(out).join(name))
    });
    let jobs = jobs.collect();
    (dir, jobs)
}

/// What a result tells, without where the files lie.
fn told(result: &Result<BatchReport>) -> String {
    match result {
        Ok(done) => format!("{done:?}"),
        Err(error) => format!("{error:?}"),
    }
}

/// What a chunk holds beside the name, which goes from old chunks into the table of objects.
fn without_name(told: &str) -> String {
    match (told.find("name: Some("), told.find(", hidden:")) {
        (Some(start), Some(end)) if start < end => {
            format!("{}name: None{}", &told[..start], &told[end..])
        }
        _ => told.to_owned(),
    }
}

#[test]
fn every_generation_becomes_current_whatever_the_number_of_threads() {
    let (dir, jobs) = everything("out");
    let before = content(&dir.path().join("in"));
    let results = batch(&jobs, 1);
    assert_eq!(content(&dir.path().join("in")), before);
    let mut followed = 0;
    let mut versions = [0; 10];
    for ((source, target), result) in jobs.iter().zip(&results) {
        let name = source.file_name().unwrap().display();
        let done = result.as_ref().unwrap_or_else(|error| panic!("{name}: {error}"));
        let old = sound(&fs::read(source).unwrap());
        let new = sound(&fs::read(target).unwrap());
        assert_eq!(done.version, old.head().version(), "{name}");
        versions[done.version as usize] += 1;
        assert_eq!((new.head().version(), done.objects), (8, old.table().objects.len()), "{name}");
        let obsolete = |codes: Vec<&str>| codes.iter().filter(|code| **code == "VT102").count();
        let expected = usize::from(done.version < 8);
        assert_eq!(
            obsolete(done.findings.iter().map(|it| it.error.code().id).collect()),
            expected,
            "{name}"
        );
        let diagnostics = done.report.diagnostics.iter().map(|it| it.code.id).collect();
        assert_eq!(obsolete(diagnostics), expected, "{name}");
        // The references of that file lie where its parameters have their types.
        let told = if name.to_string() == "v5-early-chunks.nmo" { by_lists } else { typed };
        let ((was, seen), (is, also)) = (told(&old), told(&new));
        assert_eq!(is.len(), was.len(), "{name}");
        for (is, was) in is.iter().zip(&was) {
            // What becomes of old layouts `renew.rs` tells.
            if was.2.contains("OldBehavior {") {
                continue;
            }
            assert_eq!((is.0, &is.1), (was.0, &was.1), "{name}");
            assert_eq!(without_name(&is.2), without_name(&was.2), "{name}");
        }
        assert_eq!(also, seen, "{name}");
        followed += seen;
    }
    assert!(versions[2..].iter().all(|count| *count > 1), "{versions:?}");
    assert!(followed > 300, "{followed}");
    let first = content(&dir.path().join("out"));
    for threads in [2, 7] {
        let (dir, jobs) = everything("out");
        let again = batch(&jobs, threads);
        assert!(content(&dir.path().join("out")) == first, "{threads} threads");
        assert!(again.iter().map(told).eq(results.iter().map(told)), "{threads} threads");
    }
}

#[test]
fn what_fails_fails_alone_and_changes_nothing() {
    let (dir, mut jobs) = everything("out");
    jobs.truncate(20);
    let at = |name: &str| dir.path().join(name);
    for ((_, target), old) in jobs.iter().zip(0_u8..) {
        fs::write(target, [old; 9]).unwrap();
    }
    // No folder; no file; garbage; a damaged file; a target that is a folder; a target that two jobs have.
    jobs[3].1 = at("nowhere/a.nmo");
    jobs[5].0 = at("in/missing.nmo");
    fs::write(&jobs[7].0, b"This is no Virtools file, but long enough for its headers.").unwrap();
    let bytes = samples::level().build().bytes;
    fs::write(&jobs[9].0, &bytes[..bytes.len() - 40]).unwrap();
    jobs[11].1 = at("in");
    jobs[13].1 = at("out/../out").join(jobs[12].1.file_name().unwrap());
    // What one job reads another one must not write.
    jobs[15].1 = jobs[16].0.clone();
    // Itself may be replaced.
    jobs[17].1 = jobs[17].0.clone();
    let failing = [
        (3, "SP020"),
        (5, "SP020"),
        (7, "VT001"),
        (9, "VT008"),
        (11, "SP029"),
        (13, "SP029"),
        (15, "SP029"),
    ];
    let read = |path: &PathBuf| fs::read(path).ok();
    let names = || [at("in"), at("out")].map(|dir| content(&dir).into_keys().collect::<Vec<_>>());
    let before: Vec<_> = jobs.iter().map(|(source, target)| (read(source), read(target))).collect();
    let names_before = names();
    for threads in [4, 1] {
        let results = batch(&jobs, threads);
        for (index, result) in results.iter().enumerate() {
            let expected = failing.iter().find(|(at, _)| *at == index).map(|(_, code)| *code);
            let code = result.as_ref().err().map(|error| error.code().id);
            assert_eq!(code, expected, "{index}: {result:?}");
        }
        assert_eq!(names(), names_before, "nothing else lies there");
        for (index, (source, target)) in jobs.iter().enumerate() {
            let (old_source, old_target) = &before[index];
            if results[index].is_ok() {
                assert_eq!(sound(&read(target).unwrap()).head().version(), 8, "{index}");
            } else if index != 13 {
                // The target of that one is written by another job.
                assert!(read(target) == *old_target, "{index}");
            }
            assert!(source == target || read(source) == *old_source, "{index}");
        }
        assert!(!at("nowhere").exists());
    }
}

#[test]
fn hooks_and_limits_are_those_of_each_job() {
    struct Stop(bool);
    impl Hooks for Stop {
        fn progress(&mut self, _: u64, _: u64) -> ControlFlow<()> {
            if self.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }
    let (_dir, jobs) = everything("out");
    let jobs = &jobs[jobs.len() - 2..];
    let stop = |index| -> Box<dyn Hooks> { Box::new(Stop(index == 0)) };
    let results = load_and_save_all(jobs, 2, &Limits::for_len, &stop);
    assert_eq!(results[0].as_ref().unwrap_err().code().id, "VT100");
    assert!(results[1].is_ok() && !jobs[0].1.exists());
    let size = fs::metadata(&jobs[0].0).unwrap().len();
    let little = |len| match len == size {
        true => Limits { memory: 100, ..Limits::for_len(len) },
        false => Limits::for_len(len),
    };
    let results = load_and_save_all(jobs, 2, &little, &quiet);
    let error: &Error = results[0].as_ref().unwrap_err();
    assert_eq!(error.code().id, "SP010");
    assert_ne!(*error.expected_value(), Val::None);
    assert!(results[1].is_ok() && !jobs[0].1.exists());
}

#[test]
fn no_jobs_and_more_threads_than_jobs() {
    assert!(batch(&[], 3).is_empty());
    let (_dir, jobs) = everything("out");
    for threads in [0, 99] {
        assert!(batch(&jobs[..2], threads).iter().all(Result::is_ok));
    }
}
