//! Files that are read and written by what their names end in.

use spelunk_core::{Bytes, Error, Result, Source, Task, Val};
use spelunk_fixtures::samples;
use test_support::task::with_task;
use virtools::{
    class, codes,
    runtime::{
        Context, Creation, FileReader, FileWriter, Formats, Hooks, Load, Quiet, Report, Save,
        SaveTarget,
        ckerr::CkErr,
        formats::extension,
        load::{EntryReport, Outcome},
    },
};

/// Groups by their names, one on each line. A line without a name is damage.
#[derive(Debug)]
struct Names(&'static [&'static str]);

impl FileReader for Names {
    fn extensions(&self) -> &[&str] {
        self.0
    }

    fn load(
        &self,
        context: &mut Context,
        source: &dyn Source,
        _: &Load,
        _: &mut dyn Hooks,
        task: &mut Task<'_>,
    ) -> Result<Report> {
        let text = source.read(0..source.len(), &mut task.budget)?;
        let mut report = Report::default();
        for name in text.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end) {
            if name.is_empty() {
                return Err(Error::new(&spelunk_core::codes::TRUNCATED).field("name"));
            }
            let id = context.create(class::GROUP, Some(name), Creation::Rename).id;
            report.objects.push(id);
            report.entries.push(EntryReport {
                saved_id: id,
                class_id: class::GROUP,
                name: name.to_vec(),
                size: 0,
                packed_size: 0,
                save_flags: None,
                id: Some(id),
                outcome: Outcome::Created,
            });
        }
        Ok(report)
    }
}

impl FileWriter for Names {
    fn extensions(&self) -> &[&str] {
        self.0
    }

    fn save(
        &self,
        context: &mut Context,
        ids: &[u32],
        _: Save,
        target: SaveTarget<'_>,
        _: &mut dyn Hooks,
        _: &mut Task<'_>,
    ) -> Result<Vec<u32>> {
        // What a writer does to the context is undone when it fails.
        let mark = context.create(class::GROUP, Some(b"mark"), Creation::Plain).id;
        target.fill(|out| {
            for id in ids {
                let name = context.object(*id).and_then(|object| object.name());
                let missing = || Error::new(&spelunk_core::codes::NOT_FOUND).found(*id);
                out.write_all(name.ok_or_else(missing)?)?;
                out.write_all(b"\n")?;
            }
            Ok(())
        })?;
        context.destroy(&[mark]);
        Ok(ids.to_vec())
    }
}

fn with_names() -> Formats {
    let mut formats = Formats::default();
    formats.register_reader(Names(&["names", "lst"]));
    formats.register_writer(Names(&["names"]));
    formats
}

fn names(context: &Context) -> Vec<String> {
    let name = |id| context.object(id).unwrap().name().unwrap_or_default();
    context.ids().map(|id| String::from_utf8_lossy(name(id)).into_owned()).collect()
}

/// Loads bytes under a name.
fn load(formats: &Formats, context: &mut Context, name: &str, bytes: &[u8]) -> Result<Report> {
    let bytes = Bytes::copy_from_slice(bytes);
    let load = |task: &mut Task<'_>| {
        formats.load_source(context, name, &bytes, &Load::default(), &mut Quiet, task)
    };
    with_task(bytes.len(), load).0
}

#[test]
fn extensions_stand_behind_the_last_dot_of_the_last_part() {
    for (name, expected) in [
        ("level.nmo", "nmo"),
        (r"C:\maps.old\Level_01.CMO", "CMO"),
        ("maps.old/level", ""),
        ("a.b.vmo", "vmo"),
        (".nms", "nms"),
        ("level.", ""),
        ("", ""),
        (r"x/y\", ""),
    ] {
        assert_eq!(extension(name), expected, "{name}");
    }
}

#[test]
fn virtools_files_are_known_whatever_the_case_of_their_names() {
    let bytes = samples::level().build().bytes;
    let formats = Formats::default();
    for name in ["a.nmo", "A.CMO", "a.Vmo", r"D:\x\a.nMS"] {
        assert!(formats.writer(name).is_some(), "{name}");
        let mut context = Context::new();
        let report = load(&formats, &mut context, name, &bytes).unwrap();
        assert_eq!(report.entries.len(), samples::level().objects.len());
        assert_eq!(context.last_loaded(), Some(name));
    }
    // Extensions are compared whole.
    for name in ["a.nm", "a.nmox", "nmo", "a.nmo.bak", "a.3ds"] {
        let mut context = Context::new();
        let error = load(&formats, &mut context, name, &bytes).unwrap_err();
        assert_eq!(error.code().id, codes::NO_READER.id, "{name}");
        assert_eq!(*error.found_value(), Val::from(format!("`.{}`", extension(name))));
        assert_eq!(CkErr::of(&error).name(), Some("CKERR_NOLOADPLUGINS"));
        assert!(context.is_empty() && context.last_loaded().is_none());
    }
}

#[test]
fn an_own_format_is_read_and_what_fails_has_not_happened() {
    let formats = with_names();
    let mut context = Context::new();
    let report = load(&formats, &mut context, "first.NAMES", b"Floors\nWalls\nFloors\n").unwrap();
    assert_eq!(report.objects, [1, 2, 3]);
    assert_eq!(names(&context), ["Floors", "Walls", "Floors000"]);
    // The reader had created one when it met the empty line.
    let error = load(&formats, &mut context, "second.lst", b"Rails\n\nStones\n").unwrap_err();
    assert_eq!(error.code().id, "SP001");
    assert_eq!(names(&context), ["Floors", "Walls", "Floors000"]);
    assert_eq!(context.last_loaded(), Some("first.NAMES"));
    assert_eq!(context.create(class::GROUP, None, Creation::Plain).id, 4, "no id was lost");
    // Virtools files are read as before.
    assert!(load(&formats, &mut context, "a.nmo", &samples::level().build().bytes).is_ok());
}

#[test]
fn what_was_registered_last_wins() {
    let mut formats = with_names();
    formats.register_reader(Names(&["NMO"]));
    let mut context = Context::new();
    load(&formats, &mut context, "a.nmo", b"Floors\n").unwrap();
    // Without a name it is the reader of these files, too.
    let bytes = Bytes::from_static(b"Walls\n");
    let (loaded, _) = with_task(bytes.len(), |task| {
        formats.load_bytes(&mut context, &bytes, &Load::default(), &mut Quiet, task)
    });
    loaded.unwrap();
    assert_eq!(names(&context), ["Floors", "Walls"]);
    assert_eq!(context.last_loaded(), Some("a.nmo"), "bytes have no name");
    let error = load(&formats, &mut context, "a.cmo", b"Floors\n").unwrap_err();
    assert_eq!(error.code().id, codes::SIGNATURE.id, "the others are still for Virtools");
}

#[test]
fn bytes_are_virtools_files_and_damage_leaves_nothing_behind() {
    let formats = Formats::default();
    let bytes = Bytes::from(samples::level().build().bytes);
    let mut context = Context::new();
    let mut load_bytes = |bytes: &Bytes| {
        let loaded = with_task(bytes.len(), |task| {
            formats.load_bytes(&mut context, bytes, &Load::default(), &mut Quiet, task)
        });
        (loaded.0.map(|report| report.entries.len()), context.len())
    };
    let count = samples::level().objects.len();
    let (loaded, len) = load_bytes(&bytes);
    assert_eq!((loaded.unwrap(), len), (count, count));
    let (failed, len) = load_bytes(&bytes.slice(..bytes.len() / 2));
    assert!(failed.is_err());
    assert_eq!(len, count);
}

#[cfg(feature = "fs")]
mod paths {
    use super::*;
    use std::{fs, path::Path};
    use virtools::File;

    fn save(formats: &Formats, context: &mut Context, path: &Path) -> Result<Vec<u32>> {
        let ids: Vec<u32> = context.ids().collect();
        save_ids(formats, context, path, &ids)
    }

    fn save_ids(
        formats: &Formats,
        context: &mut Context,
        path: &Path,
        ids: &[u32],
    ) -> Result<Vec<u32>> {
        let save = Save::default();
        let saved =
            |task: &mut Task<'_>| formats.save_path(context, path, ids, save, &mut Quiet, task);
        with_task(1 << 16, saved).0
    }

    fn load(formats: &Formats, context: &mut Context, path: &Path) -> Result<Report> {
        let loaded = |task: &mut Task<'_>| {
            formats.load_path(context, path, &Load::default(), &mut Quiet, task)
        };
        with_task(1 << 16, loaded).0
    }

    #[test]
    fn paths_go_through_readers_and_writers() {
        let (dir, formats) = (tempfile::tempdir().unwrap(), with_names());
        let path = |name: &str| dir.path().join(name);
        let mut context = Context::new();
        fs::write(path("level.CMO"), samples::level().build().bytes).unwrap();
        load(&formats, &mut context, &path("level.CMO")).unwrap();
        assert_eq!(context.last_loaded(), path("level.CMO").to_str());
        let ids: Vec<u32> = context.ids().collect();
        let saved = save(&formats, &mut context, &path("new.Nmo")).unwrap();
        assert_eq!(save(&formats, &mut context, &path("new.names")).unwrap(), ids);
        // Saving is no loading.
        assert_eq!(context.last_loaded(), path("level.CMO").to_str());
        let text = fs::read_to_string(path("new.names")).unwrap();
        assert!(text.starts_with("Wood_Texture\nWood\nCube_Mesh\n"), "{text}");
        let bytes = Bytes::from(fs::read(path("new.Nmo")).unwrap());
        let file = with_task(bytes.len(), |task| File::read_from(&bytes, task)).0.unwrap();
        let objects = file.table().objects.iter();
        assert!(objects.map(|object| object.id.cast_unsigned()).eq(saved.iter().copied()));
        // What an object needs stands before it: the cube refers to its attribute.
        assert_eq!(saved, [1, 2, 3, 5, 4, 6, 7, 8, 9]);
        let mut again = Context::new();
        load(&formats, &mut again, &path("new.names")).unwrap();
        assert_eq!(names(&again), text.lines().collect::<Vec<_>>());
    }

    #[test]
    fn what_cannot_be_saved_leaves_context_and_file_as_they_were() {
        let (dir, formats) = (tempfile::tempdir().unwrap(), with_names());
        let path = dir.path().join("list.names");
        let mut context = Context::new();
        context.create(class::GROUP, Some(b"Floors"), Creation::Plain);
        save(&formats, &mut context, &path).unwrap();
        let error = save_ids(&formats, &mut context, &path, &[1, 99]).unwrap_err();
        assert_eq!(error.code().id, "SP022");
        assert_eq!(fs::read(&path).unwrap(), b"Floors\n");
        assert_eq!(names(&context), ["Floors"], "the mark of the writer is gone");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "and nothing lies beside it");
    }

    #[test]
    fn without_a_reader_or_writer_the_disk_is_not_touched() {
        let (dir, formats) = (tempfile::tempdir().unwrap(), with_names());
        let mut context = Context::new();
        // The file is not there, and nobody looks.
        let missing = dir.path().join("a.3ds");
        let error = load(&formats, &mut context, &missing).unwrap_err();
        assert_eq!(error.code().id, codes::NO_READER.id);
        // Lists are read under this name and not written.
        for name in ["a.lst", "a.3ds", "a"] {
            let error = save(&formats, &mut context, &dir.path().join(name)).unwrap_err();
            assert_eq!(error.code().id, codes::NO_WRITER.id);
            assert_eq!(CkErr::of_saving(&error).name(), Some("CKERR_NOSAVEPLUGINS"));
        }
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
        let error = load(&formats, &mut context, &dir.path().join("a.nmo")).unwrap_err();
        assert_eq!(error.code().id, "SP020");
        assert!(context.last_loaded().is_none());
    }
}
