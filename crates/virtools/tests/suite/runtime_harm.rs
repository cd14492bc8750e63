//! Callbacks that fail, cancel or panic: nothing is half loaded and nothing half written.

use crate::common::runtime;

use runtime::*;
use spelunk_core::{Error, Result};
use spelunk_fixtures::{chunk::Chunk, corpus, virtools::VirtoolsFile};
use std::{ops::ControlFlow, panic::AssertUnwindSafe, path::Path};
use virtools::{
    File,
    chunk::buffer::ChunkBuf,
    runtime::{
        Activity, Context, Hooks, Load, Mode, Modes, Quiet, Save, SaveTarget,
        ckerr::CkErr,
        hooks::{Duplicate, Message, Pass},
        load::flags,
    },
};

/// What goes wrong.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    Error,
    Panic,
    Cancel,
}

/// Lets everything go well until one call, which does not; changes the context where it can.
struct Bad {
    calls: u64,
    at: u64,
    fault: Fault,
    changes: bool,
}

impl Bad {
    fn call(&mut self, context: Option<&mut Context>) -> Result<()> {
        self.calls += 1;
        if let Some(context) = context.filter(|_| self.changes) {
            // Whatever a hook does is undone too.
            let ids: Vec<u32> = context.ids().take(1).collect();
            context.destroy(&ids);
            context.rename(2, Some(b"renamed by a hook"));
            context.set_level(None);
            context.create(33, Some(b"created by a hook"), virtools::runtime::Creation::Plain);
            if self.calls == 5 {
                context.reset();
            }
        }
        if self.calls != self.at {
            return Ok(());
        }
        match self.fault {
            Fault::Error => Err(Error::new(&spelunk_core::codes::NOT_FOUND)),
            Fault::Panic => panic!("as it was asked to"),
            Fault::Cancel => Ok(()),
        }
    }
}

impl Hooks for Bad {
    fn progress(&mut self, _: u64, _: u64) -> ControlFlow<()> {
        let _ = self.call(None);
        let cancels = self.fault == Fault::Cancel && self.calls >= self.at;
        if cancels { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn duplicate(&mut self, _: &Context, _: Duplicate<'_>) -> Option<Mode> {
        let _ = self.call(None);
        None
    }

    fn pass(&mut self, context: &mut Context, _: Pass, _: u32) -> Result<()> {
        self.call(Some(context))
    }

    fn message(&mut self, context: &mut Context, _: Message, _: u32) -> Result<()> {
        self.call(Some(context))
    }

    fn interface_chunk(&mut self, _: &Context, _: u32) -> Result<Option<ChunkBuf>> {
        self.call(None).map(|()| None)
    }
}

fn sample() -> File {
    let script = Chunk::object(8).identifier(0x20).words(&[2, 0]);
    let mut file =
        plain(&[(1, 33, "Ball"), (2, 33, "Box"), (3, 32, "Mesh"), (4, 21, "Level"), (5, 46, "p")]);
    let object = spelunk_fixtures::virtools::ObjectEntry::new(6, 8, b"Script", script);
    file.objects.push(object);
    file.managers = vec![manager((7, 7), Some(Chunk::manager(0).identifier(1).word(5)))];
    built(&file)
}

/// A context with the same objects, and a manager that is told of everything.
fn context(fails: &'static str) -> (Context, Recorder) {
    let mut context = Context::new();
    load(&mut context, &sample(), &Load::default());
    let recorder = Recorder::default();
    let events = recorder.events.clone();
    context.register(Box::new(Told { guid: (8, 8), events, fails }));
    (context, recorder)
}

fn again() -> Load {
    Load {
        flags: flags::DEFAULT | flags::AUTOMATIC_MODE,
        modes: Modes {
            general: None,
            entities_3d: Some(Mode::Replace),
            ..Modes::all(Mode::Rename)
        },
        ..Load::default()
    }
}

/// Runs something that may panic; tells whether it succeeded.
fn tried<T>(work: impl FnOnce() -> Result<T>) -> bool {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let result = std::panic::catch_unwind(AssertUnwindSafe(work));
    std::panic::set_hook(hook);
    matches!(result, Ok(Ok(_)))
}

/// At every single call of a hook while a file is loaded.
#[test]
fn bad_hooks_leave_no_half_loaded_context() {
    let file = sample();
    let mut count = 0;
    for fault in [Fault::Error, Fault::Panic, Fault::Cancel] {
        for changes in [false, true] {
            for at in 1.. {
                let (mut context, _) = context("");
                let before = snapshot(&context);
                let mut bad = Bad { calls: 0, at, fault, changes };
                let succeeded =
                    tried(|| with_all(|task| context.load(&file, &again(), &mut bad, task)).0);
                if bad.calls < at {
                    assert!(succeeded);
                    break;
                }
                // What is not asked for an answer can only be cancelled, or panic.
                if !succeeded {
                    count += 1;
                    assert_eq!(snapshot(&context), before, "{fault:?} at {at}");
                    // And it is as good as before.
                    load(&mut context, &file, &again());
                }
                assert_eq!(context.activity(), Activity::Idle);
            }
        }
    }
    assert!(count > 60, "{count}");
}

#[test]
fn bad_managers_leave_no_half_loaded_context() {
    let file = {
        let mut file = plain(&[(1, 33, "Ball")]);
        file.managers = vec![manager((8, 8), Some(Chunk::manager(0).identifier(1).word(5)))];
        built(&file)
    };
    for fails in
        ["pre load", "data", "post load", "panic pre load", "panic data", "panic post load"]
    {
        let (mut context, recorder) = context(fails);
        let before = snapshot(&context);
        assert!(!tried(|| with_all(|task| context.load(&file, &again(), &mut Quiet, task)).0));
        assert_eq!(snapshot(&context), before, "{fails}");
        let told = recorder.take();
        let last = fails.strip_prefix("panic ").unwrap_or(fails);
        assert_eq!(told.last().unwrap(), "save 8", "by the snapshot");
        assert_eq!(told[told.len() - 2], format!("{last} 8"));
    }
}

fn saved(context: &mut Context, target: &Path, hooks: &mut dyn Hooks) -> Result<()> {
    let ids: Vec<u32> = context.ids().collect();
    with_all(|task| context.save(ids, Save::default(), SaveTarget::Path(target), hooks, task))
        .0
        .map(drop)
}

/// At every single call of a hook while a file is saved over another one.
#[test]
fn bad_hooks_leave_no_half_written_file() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("level.nmo");
    let mut count = 0;
    for fault in [Fault::Error, Fault::Panic, Fault::Cancel] {
        for at in 1.. {
            let (mut context, _) = context("");
            let before = snapshot(&context);
            std::fs::write(&target, b"the old one").unwrap();
            let mut bad = Bad { calls: 0, at, fault, changes: false };
            let succeeded = tried(|| saved(&mut context, &target, &mut bad));
            if bad.calls < at {
                assert!(succeeded);
                break;
            }
            if !succeeded {
                count += 1;
                assert_eq!(snapshot(&context), before);
                assert_eq!(std::fs::read(&target).unwrap(), b"the old one");
                assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
            }
            saved(&mut context, &target, &mut Quiet).unwrap();
            let written = open_file(&std::fs::read(&target).unwrap());
            assert_eq!(written.table().objects.len(), context.len());
        }
    }
    assert!(count > 15, "{count}");
}

#[test]
fn bad_managers_leave_no_half_written_file() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("level.nmo");
    std::fs::write(&target, b"the old one").unwrap();
    for fails in ["pre save", "save", "panic pre save", "panic save"] {
        let (mut context, recorder) = context(fails);
        assert!(!tried(|| saved(&mut context, &target, &mut Quiet)));
        assert_eq!(context.activity(), Activity::Idle);
        assert_eq!(context.len(), 6);
        let last = fails.strip_prefix("panic ").unwrap_or(fails);
        assert_eq!(recorder.take().last().unwrap(), &format!("{last} 8"));
        assert_eq!(std::fs::read(&target).unwrap(), b"the old one");
    }
    // When it is told that the file is complete, it is.
    let (mut context, _) = context("post save");
    assert!(!tried(|| saved(&mut context, &target, &mut Quiet)));
    assert_eq!(open_file(&std::fs::read(&target).unwrap()).table().objects.len(), 6);
}

/// A saving that nobody ends has not happened.
#[test]
fn what_is_not_ended_has_not_happened() {
    let (mut context, _) = context("");
    let before = snapshot(&context);
    let mut quiet = Quiet;
    let mut out = Vec::new();
    let mut saving =
        context.start_save(Save::default(), SaveTarget::Writer(&mut out), &mut quiet).unwrap();
    with_all(|task| saving.object(1, task)).0.unwrap();
    drop(saving);
    assert_eq!(snapshot(&context), before);
    assert!(out.is_empty());
}

/// Out of a load no other one can be begun.
#[test]
fn one_thing_at_a_time() {
    struct Nested(File, Vec<&'static str>);
    impl Hooks for Nested {
        fn pass(&mut self, context: &mut Context, _: Pass, _: u32) -> Result<()> {
            let loaded = with_all(|task| context.load(&self.0, &Load::default(), &mut Quiet, task));
            let saved =
                context.start_save(Save::default(), SaveTarget::Model, &mut Quiet).map(drop);
            for error in [loaded.0.map(drop).unwrap_err(), saved.unwrap_err()] {
                assert_eq!(CkErr::of(&error).name(), Some("CKERR_INVALIDOPERATION"));
                self.1.push(error.code().id);
            }
            Ok(())
        }
    }
    let mut context = Context::new();
    let mut nested = Nested(sample(), Vec::new());
    let file = built(&plain(&[(1, 33, "Ball")]));
    load_with(&mut context, &file, &Load::default(), &mut nested);
    assert_eq!(nested.1[..2], ["VT101", "VT101"]);
    assert_eq!(context.len(), 1);
}

/// A file that is damaged does nothing.
#[test]
fn damage_leaves_a_context_as_it_was() {
    let sample: VirtoolsFile = plain(&[(1, 33, "Ball"), (2, 32, "Mesh")]);
    let bytes = sample.build().bytes;
    let mut refused = 0;
    for len in 64..bytes.len() {
        let (mut context, _) = context("");
        let before = snapshot(&context);
        let cut = spelunk_core::Bytes::copy_from_slice(&bytes[..len]);
        let (result, _) = with_all(|task| {
            File::read_from(&cut, task)
                .and_then(|file| context.load(&file, &again(), &mut Quiet, task))
        });
        let error = result.unwrap_err();
        assert_eq!(CkErr::of(&error), CkErr::INVALIDFILE, "{error}");
        refused += 1;
        assert_eq!(snapshot(&context), before);
    }
    assert!(refused > 50);
}

/// Half way through a real file.
#[test]
fn a_real_load_can_be_cancelled() {
    let Some(files) = corpus::files("virtools", &["nmo"]) else { return };
    let open = |name: &str| open_file(&files.iter().find(|it| it.name == name).unwrap().bytes);
    let (balls, gameplay) = (open("balls.nmo"), open("gameplay.nmo"));
    let mut context = Context::new();
    load(&mut context, &balls, &Load::default());
    let before = snapshot(&context);
    struct Half(u64);
    impl Hooks for Half {
        fn progress(&mut self, done: u64, total: u64) -> ControlFlow<()> {
            self.0 = done;
            if done < total / 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        }
    }
    let mut half = Half(0);
    let (result, _) = with_all(|task| context.load(&gameplay, &again(), &mut half, task));
    let error = result.unwrap_err();
    assert_eq!((error.code().id, CkErr::of(&error).name()), ("VT100", Some("CKERR_CANCELLED")));
    assert!(half.0 > 1000 && snapshot(&context) == before);
}
