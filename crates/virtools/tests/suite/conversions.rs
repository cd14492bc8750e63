//! Other forms of real files.

use spelunk_core::{Bytes, Convert, Severity, WriteOptions, finding::Collect};
use spelunk_fixtures::corpus;
use test_support::{
    findings::{codes, codes_of, errors},
    task::with_task,
};
use virtools::{File, chunk::viewer, file::data::Owner};

const BEHAVIOR: u32 = 8;
const FOR_VIEWER: u32 = 4;

fn each(mut test: impl FnMut(&str, &Bytes, &File)) {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    for real in files {
        let bytes = Bytes::from(real.bytes);
        let file = with_task(bytes.len(), |task| File::read_from(&bytes, task)).0.unwrap();
        test(&real.name, &bytes, &file);
    }
}

fn convert(file: &File, convert: Convert) -> (Bytes, Collect) {
    let (written, findings) = with_task(file.size() as usize, |task| {
        let mut out = Vec::new();
        let options = WriteOptions { convert, ..WriteOptions::default() };
        file.write(&mut out, &options, task).map(|()| out)
    });
    (written.unwrap().into(), findings)
}

fn sound(bytes: &Bytes) -> File {
    let (file, findings) = with_task(bytes.len(), |task| {
        let file = File::read_from(bytes, task)?;
        file.verify(task).map(|()| file)
    });
    // That no real file has the FileVersion is noted.
    assert!(codes(&findings).iter().all(|code| *code == "VT006"), "{findings:?}");
    file.unwrap()
}

fn form(version: Option<u32>, mode: Option<u32>) -> Convert {
    Convert { version, mode, ..Convert::default() }
}

/// There and back again gives the same bytes: nothing depends on the form.
#[test]
fn another_form_and_back_is_the_same_file() {
    each(|name, bytes, file| {
        let mode = file.head().write_mode();
        let other = convert(file, form(Some(9), Some(mode ^ 8))).0;
        let there = sound(&other);
        assert_eq!((there.head().version(), there.head().write_mode()), (9, mode ^ 8), "{name}");
        let back = convert(&there, form(Some(8), Some(mode))).0;
        // A level cannot be told of a stored section: then the usual one is taken.
        let level = with_task(bytes.len(), |task| file.level(&mut task.budget)).0.unwrap();
        let usual = level.is_none_or(|level| level == 4);
        if cfg!(feature = "c-codecs") && usual {
            assert!(back == *bytes, "{name}");
        }
        assert_eq!(sound(&back).table().objects.len(), file.table().objects.len(), "{name}");
    });
}

/// Files for the viewer lack the interface data of every behaviour, and nothing else.
#[test]
fn files_for_the_viewer_lack_the_interface() {
    let mut dropped = 0;
    each(|name, bytes, file| {
        let mode = file.head().write_mode() | FOR_VIEWER;
        let (written, findings) = convert(file, form(None, Some(mode)));
        assert!(findings.findings.is_empty(), "{name}: {findings:?}");
        let viewer = sound(&written);
        assert_eq!(viewer.head().write_mode(), mode, "{name}");
        with_task(bytes.len(), |task| {
            for (object, index) in file.table().objects.iter().zip(0..) {
                let owner = Owner::Object(index);
                let old = file.chunk(owner, &mut task.budget).unwrap().unwrap();
                let new = viewer.chunk(owner, &mut task.budget).unwrap().unwrap();
                let has = |chunk: &virtools::chunk::Chunk<'_>| {
                    chunk.sections().any(|section| section.identifier == viewer::INTERFACE)
                };
                let left = |chunk: &virtools::chunk::Chunk<'_>| {
                    let other = |identifier: &u32| *identifier != viewer::INTERFACE;
                    chunk
                        .sections()
                        .map(|section| section.identifier)
                        .filter(other)
                        .collect::<Vec<_>>()
                };
                if object.class_id == BEHAVIOR {
                    dropped += usize::from(has(&old));
                    assert!(!has(&new), "{name}: object {index}");
                    assert_eq!(left(&new), left(&old), "{name}: object {index}");
                } else {
                    assert_eq!(new.data, old.data, "{name}: object {index}");
                }
            }
        });
        let (back, findings) = convert(&viewer, form(None, Some(mode & !FOR_VIEWER)));
        assert_eq!(codes_of(&findings, Severity::Warning), ["VT075"], "{name}");
        assert_eq!(sound(&back).head().write_mode(), mode & !FOR_VIEWER, "{name}");
    });
    println!("{dropped} behaviours");
    assert!(dropped > 5000 || corpus::root().is_none());
}

/// Earlier versions hold the objects of real files with their names and classes.
#[test]
fn objects_survive_earlier_versions() {
    each(|name, bytes, file| {
        for version in [7, 6, 5, 4] {
            let wanted = Convert { lossy: true, ..form(Some(version), None) };
            let (written, findings) = convert(file, wanted);
            assert!(codes(&findings).iter().all(|code| *code == "VT079"), "{name}: {findings:?}");
            let old = {
                let (opened, findings) =
                    with_task(written.len(), |task| File::read_from(&written, task));
                assert_eq!(errors(&findings), [""; 0], "{name} as {version}");
                opened.unwrap()
            };
            assert_eq!(old.head().version(), version);
            for (before, after) in file.table().objects.iter().zip(&old.table().objects) {
                assert_eq!((before.id, before.class_id), (after.id, after.class_id), "{name}");
                let names = [file.table().name(before), old.table().name(after)];
                // A name that ends with a NUL lies in front of the one that ends the string.
                assert_eq!(names[0], names[1], "{name} as {version}");
            }
            let again = convert(&old, form(Some(8), None)).0;
            let again = with_task(bytes.len(), |task| File::read_from(&again, task)).0.unwrap();
            assert_eq!(again.table().objects.len(), file.table().objects.len());
        }
    });
}
