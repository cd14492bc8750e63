//! Writing that fails: nothing has happened then, and the same context can be saved elsewhere.

use spelunk_core::{Budget, Bytes, Error, Result, limits::Limits, scalar::Guid};
use spelunk_fixtures::samples;
use std::{
    io::{self, ErrorKind, Write},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};
use test_support::task::with_task;
use virtools::{
    File, class,
    runtime::{
        Context, Creation, Hooks, Load, Manager, Quiet, Save, SaveTarget, SavedState,
        ckerr::CkErr,
        hooks::Message,
        load::{ManagerLoad, flags},
    },
};

const KINDS: [(ErrorKind, &str); 6] = [
    (ErrorKind::StorageFull, "CKERR_NOTENOUGHDISKPLACE"),
    (ErrorKind::QuotaExceeded, "CKERR_NOTENOUGHDISKPLACE"),
    (ErrorKind::PermissionDenied, "CKERR_CANTWRITETOFILE"),
    (ErrorKind::BrokenPipe, "CKERR_CANTWRITETOFILE"),
    (ErrorKind::TimedOut, "CKERR_CANTWRITETOFILE"),
    (ErrorKind::Other, "CKERR_CANTWRITETOFILE"),
];

/// Takes so many bytes and then no more; where all fit, its flush fails.
struct Full {
    left: usize,
    kind: ErrorKind,
    taken: Vec<u8>,
}

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let part = &bytes[..bytes.len().min(self.left)];
        if part.is_empty() && !bytes.is_empty() {
            return Err(self.kind.into());
        }
        self.left -= part.len();
        self.taken.extend(part);
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Err(self.kind.into())
    }
}

/// Counts what it is told of saving. Copies count together, so that what was undone is known all the same.
#[derive(Clone, Debug, Default)]
struct Counter {
    pre: Arc<AtomicUsize>,
    post: Arc<AtomicUsize>,
    /// Of this copy alone.
    own: usize,
}

impl Manager for Counter {
    fn guid(&self) -> Guid {
        Guid { d1: 7.into(), d2: 7.into() }
    }

    fn name(&self) -> String {
        "Counter".into()
    }

    fn duplicate(&self) -> Box<dyn Manager> {
        Box::new(self.clone())
    }

    fn pre_save(&mut self, _: &Context) -> Result<()> {
        self.own += 1;
        self.pre.fetch_add(1, Relaxed);
        Ok(())
    }

    fn post_save(&mut self, _: &Context) -> Result<()> {
        self.post.fetch_add(1, Relaxed);
        Ok(())
    }

    fn load_data(&mut self, _: Option<&SavedState>, _: &mut ManagerLoad<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn save_data(&mut self, _: &Context) -> Result<Option<SavedState>> {
        Ok(None)
    }

    fn reset(&mut self) {}
}

/// Notes the messages, and does things to the context that have to be undone.
#[derive(Default)]
struct Busy(Vec<Message>);

impl Hooks for Busy {
    fn message(&mut self, context: &mut Context, message: Message, _: u32) -> Result<()> {
        self.0.push(message);
        context.create(class::GROUP, Some(b"Made while saving"), Creation::Rename);
        context.rename(1, Some(b"Renamed while saving"));
        Ok(())
    }
}

/// A context with the objects of two files, one of them dynamic, one that is hidden, and a hole in the ids.
fn filled(counter: &Counter) -> Context {
    let mut context = Context::new();
    for (sample, load) in [
        (samples::level(), Load::default()),
        (samples::script(), Load::default()),
        (samples::level(), Load { flags: flags::DEFAULT | 0x10, ..Load::default() }),
    ] {
        let bytes = Bytes::from(sample.build().bytes);
        with_task(bytes.len(), |task| {
            let file = File::read_from(&bytes, task)?;
            context.load(&file, &load, &mut Quiet, task)
        })
        .0
        .unwrap();
    }
    context.destroy(&[6]);
    context.register(Box::new(counter.clone()));
    context
}

/// What can be told of a context: ids, classes, names, flags, indices of groups, and what was saved.
fn snapshot(context: &Context) -> Vec<String> {
    let mut budget = Budget::new(Limits::for_len(1 << 22));
    let mut told: Vec<String> = Vec::new();
    for id in context.ids() {
        let object = context.object(id).unwrap();
        let value = context.value(id, &mut Vec::new(), &mut budget).unwrap();
        let chunk = value.map(|mut value| value.write().unwrap().to_bytes().unwrap());
        let (class_id, name, flags) = (object.class_id(), object.name(), object.flags());
        let index = context.group_index(id);
        told.push(format!("{id} {class_id} {name:?} {flags:#x} {index:?} {chunk:?}"));
    }
    told.push(format!("{:?} {:?}", context.activity(), context.level()));
    told.push(format!("{:?}", context.dynamic().collect::<Vec<_>>()));
    told.push(format!("{}", context.manager::<Counter>().unwrap().own));
    told
}

fn save(context: &mut Context, target: SaveTarget<'_>) -> (Result<Vec<u32>>, Vec<Message>) {
    let ids: Vec<u32> = context.ids().collect();
    let mut hooks = Busy::default();
    let saved = with_task(1 << 20, |task| match target {
        SaveTarget::Writer(out) => {
            context.save(ids, Save::default(), SaveTarget::Writer(out), &mut hooks, task)
        }
        SaveTarget::Path(path) => {
            context.save(ids, Save::default(), SaveTarget::Path(path), &mut hooks, task)
        }
        SaveTarget::Model => {
            context.save(ids, Save::default(), SaveTarget::Model, &mut hooks, task)
        }
    });
    (saved.0.map(|ended| ended.objects), hooks.0)
}

/// What saving gives where nothing goes wrong.
fn whole(context: &Context) -> Vec<u8> {
    let mut out = Vec::new();
    save(&mut context.clone(), SaveTarget::Writer(&mut out)).0.unwrap();
    out
}

fn kind_of(error: &Error) -> Option<ErrorKind> {
    error.io_error().map(io::Error::kind)
}

#[test]
fn a_writer_may_fail_after_any_byte() {
    let counter = Counter::default();
    let mut context = filled(&counter);
    let (before, expected) = (snapshot(&context), whole(&context));
    let mut places: Vec<usize> = (0..80).chain((80..expected.len()).step_by(97)).collect();
    places.extend([expected.len() - 1, expected.len()]);
    for (place, (kind, number)) in places.into_iter().zip(KINDS.into_iter().cycle()) {
        let mut out = Full { left: place, kind, taken: Vec::new() };
        let (saved, messages) = save(&mut context, SaveTarget::Writer(&mut out));
        let error = saved.unwrap_err();
        assert_eq!(kind_of(&error), Some(kind), "after {place} bytes");
        assert_eq!(CkErr::of_saving(&error).name(), Some(number), "after {place} bytes");
        // All went on up to the writing, and what was written is the start of the file.
        assert!(messages.contains(&Message::PostSave));
        assert!(out.taken == expected[..place], "after {place} bytes");
        assert_eq!(snapshot(&context), before, "after {place} bytes");
    }
    assert_eq!(counter.post.load(Relaxed), 1, "only by the one that succeeded");
    assert!(whole(&context) == expected, "saved elsewhere it is the same file");
    let next = context.create(class::GROUP, None, Creation::Plain).id;
    let mut twin = filled(&counter);
    assert_eq!(next, twin.create(class::GROUP, None, Creation::Plain).id, "no id was lost");
}

#[test]
fn a_write_of_nothing_is_told_as_such() {
    struct Stuck;
    impl Write for Stuck {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Ok(0)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut context = filled(&Counter::default());
    let before = snapshot(&context);
    let error = save(&mut context, SaveTarget::Writer(&mut Stuck)).0.unwrap_err();
    assert_eq!(kind_of(&error), Some(ErrorKind::WriteZero));
    assert_eq!(CkErr::of_saving(&error), CkErr::CANTWRITETOFILE);
    assert_eq!(snapshot(&context), before);
}

#[cfg(feature = "fs")]
mod paths {
    use super::*;
    use std::{fs, path::Path};

    /// Tries to save to a path where that cannot be; gives the number.
    fn refused(context: &mut Context, counter: &Counter, path: &Path) -> CkErr {
        let (before, told) = (snapshot(context), counter.pre.load(Relaxed));
        let mut hooks = Busy::default();
        let started = context.start_save(Save::default(), SaveTarget::Path(path), &mut hooks);
        let error = started.expect_err("the target is tried at once");
        // As in engines: managers are told first, then the target is tried, then behaviours are told.
        assert_eq!(counter.pre.load(Relaxed), told + 1);
        assert!(hooks.0.is_empty(), "{:?}", hooks.0);
        assert_eq!(snapshot(context), before, "what the manager did is undone too");
        CkErr::of_saving(&error)
    }

    #[test]
    fn targets_that_cannot_be_are_refused_when_a_saving_begins() {
        let dir = tempfile::tempdir().unwrap();
        let counter = Counter::default();
        let mut context = filled(&counter);
        let expected = whole(&context);
        let old = dir.path().join("old.nmo");
        fs::write(&old, "old").unwrap();
        // No folder; a file as a folder; a folder as a file.
        for path in [dir.path().join("none/a.nmo"), old.join("a.nmo"), dir.path().to_owned()] {
            let number = refused(&mut context, &counter, &path);
            assert_eq!(number, CkErr::CANTWRITETOFILE, "{}", path.display());
        }
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        assert_eq!(fs::read(&old).unwrap(), b"old");
        save(&mut context, SaveTarget::Path(&old)).0.unwrap();
        assert!(fs::read(&old).unwrap() == expected);
    }

    #[test]
    #[cfg(unix)]
    fn a_folder_without_rights_keeps_its_file() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let old = dir.path().join("old.nmo");
        fs::write(&old, "old").unwrap();
        let rights = |mode| fs::set_permissions(dir.path(), PermissionsExt::from_mode(mode));
        rights(0o555).unwrap();
        // Rights do not hold for everyone.
        let holds = fs::write(dir.path().join("probe"), "").is_err();
        let counter = Counter::default();
        let mut context = filled(&counter);
        let expected = whole(&context);
        if holds {
            assert_eq!(refused(&mut context, &counter, &old), CkErr::CANTWRITETOFILE);
        }
        rights(0o755).unwrap();
        assert_eq!(fs::read(&old).unwrap(), b"old");
        save(&mut context, SaveTarget::Path(&old)).0.unwrap();
        assert!(fs::read(&old).unwrap() == expected);
    }

    /// A saving that is let go of before its end, or that a hook ends, leaves the old file and nothing beside it.
    #[test]
    fn what_does_not_end_leaves_the_old_file() {
        struct Fails;
        impl Hooks for Fails {
            fn message(&mut self, context: &mut Context, message: Message, id: u32) -> Result<()> {
                if message != Message::PostSave {
                    return Ok(());
                }
                context.destroy(&[id]);
                Err(Error::io(ErrorKind::StorageFull.into()))
            }
        }
        let dir = tempfile::tempdir().unwrap();
        let old = dir.path().join("old.nmo");
        fs::write(&old, "old").unwrap();
        let mut context = filled(&Counter::default());
        let (before, expected) = (snapshot(&context), whole(&context));
        let mut hooks = Busy::default();
        let saving =
            context.start_save(Save::default(), SaveTarget::Path(&old), &mut hooks).unwrap();
        drop(saving);
        assert_eq!(hooks.0, [Message::PreSave]);
        assert_eq!(snapshot(&context), before);
        let ids: Vec<u32> = context.ids().collect();
        let (saved, _) = with_task(1 << 20, |task| {
            context.save(ids, Save::default(), SaveTarget::Path(&old), &mut Fails, task)
        });
        assert_eq!(CkErr::of_saving(&saved.unwrap_err()), CkErr::NOTENOUGHDISKPLACE);
        assert_eq!(snapshot(&context), before);
        assert_eq!(fs::read(&old).unwrap(), b"old");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        save(&mut context, SaveTarget::Path(&old)).0.unwrap();
        assert!(fs::read(&old).unwrap() == expected);
    }
}
