//! Sessions, what flags leave out, and real files that share names.

use crate::common::runtime;

use runtime::*;
use spelunk_core::Bytes;
use spelunk_fixtures::{
    chunk::Chunk,
    corpus, samples,
    virtools::{ObjectEntry, PluginGroup},
};
use std::collections::BTreeMap;
use test_support::findings::codes;
use virtools::{
    class::{self, Value},
    runtime::{
        Context, Load, Mode, Modes, Opened, Quiet, Save, SaveTarget, Session,
        load::{Outcome, Skipped, flags},
        plugins::Registry,
    },
};

fn with_flags(flags: u32) -> Load {
    Load { flags, ..Load::default() }
}

/// All flags by name and value, as facts sheet and page have them.
#[test]
fn the_flags_are_those_of_the_page() {
    let page = include_str!("../../../../docs/formats/virtools-runtime.md");
    for (value, name) in flags::FLAGS {
        assert!(page.contains(&format!("| 0x{value:x} | {name} |")), "{name}");
    }
    assert_eq!(flags::FLAGS.len(), 10);
}

/// Geometry, and animations of what is there.
#[test]
fn geometry_and_animations_can_be_loaded_apart() {
    let mut file = plain(&[(1, 33, "Arm"), (2, 32, "Mesh"), (3, 15, "Arm moves"), (4, 33, "Leg")]);
    let animation = Chunk::object(18).identifier(0x1000);
    let animation = animation.object_sequence(&[Some(2)]);
    file.objects.push(ObjectEntry::new(5, 18, b"Walk", animation));
    let file = built(&file);
    let outcomes = |context: &mut Context, flags| {
        let report = load(context, &file, &with_flags(flags));
        report.entries.iter().map(|it| it.outcome).collect::<Vec<_>>()
    };
    use Outcome::{Created, Resolved};
    let filtered = Outcome::Skipped(Skipped::Filtered);
    let mut context = Context::new();
    let geometry = [Created, Created, filtered, Created, filtered];
    assert_eq!(outcomes(&mut context, flags::GEOMETRY), geometry);
    // The animations find the entities that are there.
    context.destroy(&[3]);
    let animations = [Resolved, Resolved, Created, filtered, Created];
    assert_eq!(outcomes(&mut context, flags::ANIMATION), animations);
    assert_eq!(context.of_family(class::ANIMATION).count(), 1);
    for flags in [0, flags::DEFAULT] {
        assert_eq!(outcomes(&mut Context::new(), flags), [Created; 5]);
    }
}

#[test]
fn what_is_loaded_can_become_a_character() {
    let file = built(&plain(&[(1, 42, "Arm"), (2, 42, "Leg"), (3, 18, "Walk"), (4, 33, "Hat")]));
    let mut context = Context::new();
    let how = Load {
        character: Some(b"Hero".to_vec()),
        ..with_flags(flags::DEFAULT | flags::AS_CHARACTER)
    };
    for name in ["Hero", "Hero000"] {
        let report = load(&mut context, &file, &how);
        let id = report.character.unwrap();
        assert_eq!(context.object(id).unwrap().name(), Some(name.as_bytes()));
        assert!(report.objects.contains(&id));
        let value = context.value(id, &mut Vec::new(), &mut budget()).unwrap().unwrap().value;
        let Value::Character(character) = value else { panic!() };
        let ids: Vec<u32> = report.entries.iter().map(|it| it.id.unwrap()).collect();
        let list =
            |it: &[zerocopy::little_endian::U32]| it.iter().map(|it| it.get()).collect::<Vec<_>>();
        assert_eq!(list(&character.body_parts.unwrap()), ids[..2]);
        let data = character.data.unwrap();
        assert_eq!(list(&data.animations.unwrap()), [ids[2]]);
        assert_eq!(list(&data.references), [u32::MAX, u32::MAX, ids[0], u32::MAX]);
    }
    // One that is there will do.
    let file = built(&plain(&[(1, 42, "Arm"), (2, 40, "Villain")]));
    let report = load(&mut context, &file, &how);
    assert_eq!(
        (report.character, context.of_class(class::CHARACTER).count()),
        (report.entries[1].id, 3)
    );
}

/// What the file of a level says of its product counts for the context.
#[test]
fn the_level_tells_the_version() {
    for (version, build, level, expected) in [
        (5, 0x0201_000E, true, 5),
        (1, 0x0200_0000, true, 0),
        (1, 0x0200_0001, true, 1),
        (12, 0x0201_000E, true, 0),
        (5, 0x0201_000E, false, 0),
    ] {
        let mut file = plain(&[(1, if level { 21 } else { 33 }, "Level")]);
        (file.product_version, file.product_build) = (version, build);
        let mut context = Context::new();
        load(&mut context, &built(&file), &Load::default());
        assert_eq!(context.version(), expected, "{version} {build:x} {level}");
    }
}

/// Opening tells what is missing, loading does not mind, and the session is as good as new after success and failure.
#[test]
fn a_session_can_be_used_again() {
    let mut file = plain(&[(1, 33, "Ball")]);
    let guids = vec![(5, 0), (0, 0), (6, 0)];
    file.plugins = vec![PluginGroup { category: 4, guids }];
    let bytes = Bytes::from(file.build().bytes);
    let mut registry = Registry::new();
    registry.add_prototype([5, 0], None);
    let (mut session, mut context) = (Session::new(), Context::new());
    let ((), findings) = with_all(|task| {
        let check = with_flags(flags::DEFAULT | flags::CHECK_DEPENDENCIES);
        for round in 0..3 {
            let opened = session.open(&bytes, check.clone(), &registry, task).unwrap();
            assert_eq!(opened, Opened::PluginsMissing);
            let missing: Vec<_> =
                session.missing_plugins().iter().flat_map(|it| it.missing()).collect();
            assert_eq!(missing, [[6, 0]]);
            session.load(&mut context, &mut Quiet, task).unwrap();
            assert_eq!(context.len(), round + 1);
            assert_eq!(session.head().unwrap().object_count(), 1);
            // It is loaded once.
            let error = session.load(&mut context, &mut Quiet, task).unwrap_err();
            assert_eq!(error.code().id, "VT108");
            let garbage = Bytes::from_static(b"Nemo Fi\0 and nothing else");
            assert!(session.open(&garbage, check.clone(), &registry, task).is_err());
            assert!(session.head().is_none() && session.missing_plugins().is_empty());
            let mut quiet = Quiet;
            let saving =
                session.start_save(&mut context, Save::default(), SaveTarget::Model, &mut quiet);
            assert!(saving.unwrap().end(task).unwrap().objects.is_empty());
        }
        // Nobody asked: nothing is told.
        let opened = session.open(&bytes, Load::default(), &registry, task).unwrap();
        assert_eq!((opened, session.missing_plugins()), (Opened::Ready, &[][..]));
    });
    assert_eq!(codes(&findings), ["VT095"], "told once for each time, and collected once");
}

/// Every file of an old generation says so, whenever it is loaded.
#[test]
fn old_generations_are_told_of() {
    for version in 2..8 {
        let file = open_file(&samples::legacy(version).build().bytes);
        let mut context = Context::new();
        for _ in 0..2 {
            let (report, findings) =
                with_all(|task| context.load(&file, &Load::default(), &mut Quiet, task));
            let told = report.unwrap().diagnostics;
            assert_eq!(told.iter().filter(|it| it.code.id == "VT102").count(), 1);
            assert!(codes(&findings).contains(&"VT102"), "{version}");
            assert!(told[0].text.contains("save the file again"), "{}", told[0].text);
        }
    }
}

/// Names of objects by their classes, as often as they are there.
fn names(file: &virtools::File) -> BTreeMap<(u32, Vec<u8>), usize> {
    let mut names = BTreeMap::new();
    for object in &file.table().objects {
        *names.entry((object.class_id, file.table().name(object).to_vec())).or_default() += 1;
    }
    names
}

/// Two levels of the game, which have thousands of names in common.
#[test]
fn real_files_that_share_names_under_every_policy() {
    let Some(files) = corpus::files("virtools", &["nmo"]) else { return };
    let open = |name: &str| open_file(&files.iter().find(|it| it.name == name).unwrap().bytes);
    let [first, second] = [open("level_level_01.nmo"), open("level_level_05.nmo")];
    let there = names(&first);
    // What is compared: classes with names that count.
    let compared = |class_id: u32| virtools::runtime::classes::options(class_id) & 1 == 0;
    let is_shared = |class_id: u32, name: &[u8]| {
        compared(class_id) && !name.is_empty() && there.contains_key(&(class_id, name.to_vec()))
    };
    let shared = {
        let table = second.table();
        let all = table.objects.iter();
        all.filter(|it| is_shared(it.class_id, table.name(it))).count()
    };
    assert!(shared > 100, "{shared}");
    let count = |file: &virtools::File| file.table().objects.len();
    for mode in [Mode::Keep, Mode::Rename, Mode::Replace, Mode::UseCurrent] {
        let mut context = Context::new();
        load(&mut context, &first, &Load::default());
        let before = snapshot(&context);
        let how = Load {
            modes: Modes::all(mode),
            compare_own: false,
            ..with_flags(flags::DEFAULT | flags::AUTOMATIC_MODE)
        };
        let report = load(&mut context, &second, &how);
        let of = |outcome| report.count(outcome);
        // States and their like are used anew whatever is wanted.
        let used = of(Outcome::Used);
        let new = context.len() - count(&first);
        match mode {
            Mode::Keep => assert_eq!(
                (of(Outcome::Created) + used, new + used),
                (count(&second), count(&second))
            ),
            Mode::Rename => {
                assert_eq!((of(Outcome::Renamed) + used, new + used), (shared, count(&second)))
            }
            Mode::Replace => {
                assert_eq!((of(Outcome::Replaced) + used, new), (shared, count(&second) - shared))
            }
            Mode::UseCurrent => assert_eq!((used, new), (shared, count(&second) - shared)),
        }
        let after = snapshot(&context);
        let same = before.iter().zip(&after).take(count(&first)).filter(|(a, b)| a == b).count();
        if mode == Mode::Replace {
            assert!(same < count(&first), "some got another state");
        } else {
            assert_eq!(same, count(&first), "{mode:?}: what was there is as it was");
        }
        for entry in &report.entries {
            let object = context.object(entry.id.unwrap()).unwrap();
            let name = object.name().unwrap_or_default();
            assert_eq!(object.class_id(), entry.class_id);
            match entry.outcome {
                Outcome::Renamed => {
                    let digits = name.strip_prefix(&*entry.name).unwrap();
                    assert!(digits.len() >= 3 && digits.iter().all(u8::is_ascii_digit));
                    assert_eq!(context.find_all(entry.class_id, name).count(), 1);
                }
                _ => assert_eq!(name, entry.name),
            }
        }
        // Nothing refers to anything that is not there.
        let (saved, _) = save_all(&mut context, virtools::runtime::FileForm::of(&first));
        assert_eq!(count(&saved), context.len());
    }
}
