//! Loading, step by step, on files assembled for it.

use crate::common::runtime;

use runtime::*;
use spelunk_fixtures::{
    chunk::Chunk,
    virtools::{Body, ObjectEntry, VirtoolsFile},
};
use test_support::findings::codes;
use virtools::{
    class,
    runtime::{
        Context, Creation, Load, Mode, Modes,
        load::{Outcome, Skipped, flags},
    },
};

/// Section 6.2 of the facts: everything in its order.
#[test]
fn the_steps_of_a_load_have_their_order() {
    const GRIDS: (u32, u32) = (0x7F00_4791, 0);
    let mut file = plain(&[
        (1, 8, "Script"),
        (2, 3, "out"),
        (3, 45, "local"),
        (4, 33, "Ball"),
        (5, 46, "parameter"),
        (6, 2, "in"),
        (7, 21, "Level"),
        (8, 9, "In 0"),
        (9, 55, "of a plugin"),
        (10, 21, "Second level"),
        (11, 12, "Render context"),
    ]);
    file.objects.push(ObjectEntry::null(12, 32, b"nothing"));
    file.managers = vec![
        manager((7, 7), Some(Chunk::manager(0).identifier(1).word(5))),
        manager(GRIDS, None),
        manager((9, 9), None),
    ];
    let recorder = Recorder::default();
    let mut context = Context::new();
    for guid in [(9, 9), GRIDS] {
        let events = recorder.events.clone();
        assert!(context.register(Box::new(Told { guid, events, fails: "" })).is_none());
    }
    let (report, findings) =
        with_all(|task| context.load(&built(&file), &Load::default(), &mut recorder.clone(), task));
    let report = report.unwrap();
    let expected = [
        "pre load 9",
        "pre load 7f004791",
        "no data 7f004791",
        "no data 9",
        "no data 7f004791",
        // What is not named comes first, then 45, 46, 3 and 8.
        "Load 33",
        "progress 1/9",
        "Load 2",
        "progress 2/9",
        "Load 21",
        "progress 3/9",
        "Load 9",
        "progress 4/9",
        "Load 55",
        "progress 5/9",
        "Load 45",
        "progress 6/9",
        "Load 46",
        "progress 7/9",
        "Load 3",
        "progress 8/9",
        "Load 8",
        "progress 9/9",
        "Owner 33",
        "Owner 21",
        "PostLoad 8",
        "PostLoad 3",
        "PostLoad 45",
        "PostLoad 33",
        "PostLoad 46",
        "PostLoad 2",
        "PostLoad 21",
        "PostLoad 9",
        "PostLoad 55",
        "PostLoad 21",
        "Patch 8",
        "message 11 1",
        "Patch 33",
        "Patch 21",
        "post load 9",
        "post load 7f004791",
    ];
    assert_eq!(recorder.take(), expected);
    // The second level is there, and has nothing; engines create nothing for a render context, and without a chunk.
    assert_eq!((context.level(), context.len()), (Some(7), 10));
    assert!(!context.object(10).unwrap().has_state());
    let skipped: Vec<_> = report.entries.iter().map(|it| it.outcome).skip(10).collect();
    let why = [Skipped::RenderContext, Skipped::NoChunk].map(Outcome::Skipped);
    assert_eq!(skipped, why);
    assert_eq!(codes(&findings), ["VT105", "VT104"]);
    let told: Vec<_> = report.diagnostics.iter().map(|it| it.code.id).collect();
    assert_eq!(told, ["VT105", "VT104"], "in the report as well as live");
    // With behaviour; animations, top behaviours and what editors show there are none.
    assert_eq!(report.objects, [4, 7, 10]);
    // The manager that nobody registered stands where the file has it.
    let guids: Vec<u32> = context.managers().map(|it| it.guid().d1.get()).collect();
    assert_eq!(guids, [7, 0x3D24_2466, 0x466A_0FAC, 9, 0x7F00_4791]);
}

#[test]
fn only_behaviours_are_loaded_if_so_wanted() {
    let mut file = plain(&[(1, 33, "Ball"), (2, 8, "Script"), (3, 45, "local")]);
    file.managers = vec![manager((7, 7), Some(Chunk::manager(0).identifier(1).word(5)))];
    let recorder = Recorder::default();
    let mut context = Context::new();
    let how = Load { flags: flags::ONLY_BEHAVIORS, ..Load::default() };
    let report = load_with(&mut context, &built(&file), &how, &mut recorder.clone());
    assert_eq!(recorder.take(), ["Load 8", "progress 1/1"]);
    assert_eq!(report.count(Outcome::Skipped(Skipped::NoBehavior)), 2);
    assert_eq!((context.len(), context.of_class(8).count()), (1, 1));
    assert_eq!(context.managers().count(), 2, "what it holds of managers is passed over");
}

/// Two files of the same names; how the second one is loaded; what becomes of its objects.
fn loaded_twice(how: &Load, recorder: &Recorder) -> (Context, Vec<(Outcome, Option<String>)>) {
    let file = built(&plain(&[
        (1, 33, "Ball"),
        (2, 32, "Mesh"),
        (3, 30, "Wood"),
        (4, 31, "Image"),
        (5, 28, "Sprite"),
        (6, 23, "Group"),
        (7, 8, "Script"),
        (8, 5, "State"),
        (9, 33, ""),
    ]));
    let mut context = Context::new();
    load(&mut context, &file, &Load::default());
    let report = load_with(&mut context, &file, how, &mut recorder.clone());
    let name = |id: Option<u32>| {
        let name = context.object(id?).unwrap().name()?;
        Some(String::from_utf8(name.to_vec()).unwrap())
    };
    let became = report.entries.iter().map(|it| (it.outcome, name(it.id))).collect();
    (context, became)
}

fn outcomes(became: &[(Outcome, Option<String>)]) -> Vec<Outcome> {
    became.iter().map(|(outcome, _)| *outcome).collect()
}

#[test]
fn names_that_are_there_are_treated_as_wanted() {
    use Outcome::{Created, Renamed, Replaced, Used};
    let quiet = Recorder::default();
    // Without a flag nothing is compared, but for states, which are always used anew.
    let (context, became) = loaded_twice(&Load::default(), &quiet);
    let plain = [Created, Created, Created, Created, Created, Created, Created, Used, Created];
    assert_eq!(outcomes(&became), plain);
    assert_eq!(context.find_all(class::ENTITY_3D, b"Ball").count(), 2);
    let automatic =
        |modes| Load { flags: flags::DEFAULT | flags::AUTOMATIC_MODE, modes, ..Load::default() };
    // With one, but without an answer, both keep the name. Behaviours are never compared, nor is what has no name; sprites
    // belong to no family with a mode, and are asked for.
    let (_, became) = loaded_twice(&automatic(Modes::default()), &quiet);
    assert_eq!(outcomes(&became), plain);
    let asked = ["33 Ball", "32 Mesh", "30 Wood", "31 Image", "28 Sprite", "23 Group"];
    let events = quiet.take();
    let of = |kind: &str| -> Vec<String> {
        events.iter().filter_map(|it| it.strip_prefix(kind)).map(str::to_owned).collect()
    };
    assert_eq!(
        (of("duplicate "), of("ask ")),
        (asked.map(String::from).to_vec(), of("duplicate "))
    );
    for (mode, how) in
        [(Mode::Rename, Renamed), (Mode::Replace, Replaced), (Mode::UseCurrent, Used)]
    {
        let (context, became) = loaded_twice(&automatic(Modes::all(mode)), &quiet);
        let expected = [how, how, how, how, Created, how, Created, Used, Created];
        assert_eq!(outcomes(&became), expected, "{mode:?}");
        let names: Vec<&str> = became.iter().filter_map(|(_, name)| name.as_deref()).collect();
        let renamed =
            ["Ball000", "Mesh000", "Wood000", "Image000", "Sprite", "Group000", "Script", "State"];
        if mode == Mode::Rename {
            assert_eq!(names, renamed);
            assert_eq!(context.len(), 17);
        } else {
            assert_eq!(context.len(), 12);
        }
    }
    // Each family has its own mode.
    let modes = Modes {
        general: Some(Mode::Rename),
        entities_3d: Some(Mode::UseCurrent),
        meshes: Some(Mode::Replace),
        materials: Some(Mode::Keep),
        textures: None,
        groups: None,
    };
    let (_, became) = loaded_twice(&automatic(modes), &quiet);
    let expected = [Used, Replaced, Created, Created, Created, Renamed, Created, Used, Created];
    assert_eq!(outcomes(&became), expected);
    // An answer goes before the modes; the editor is asked where there are none, and what it says of all holds.
    let answers = Recorder { answer: Some(Mode::Rename), ..Recorder::default() };
    let (_, became) = loaded_twice(&automatic(Modes::all(Mode::UseCurrent)), &answers);
    assert_eq!(became[4].0, Renamed, "sprites too");
    let dialog = Recorder { dialog: Some((Mode::UseCurrent, true)), ..Recorder::default() };
    let (_, became) = loaded_twice(&automatic(Modes::default()), &dialog);
    assert!(became[..6].iter().all(|(outcome, _)| *outcome == Used));
    assert_eq!(dialog.take().iter().filter(|it| it.starts_with("ask")).count(), 1);
}

/// Engines compare the objects of a file with each other too.
#[test]
fn objects_of_one_file_are_compared_if_so_wanted() {
    let file = built(&plain(&[(1, 33, "Ball"), (2, 33, "Ball")]));
    for (compare_own, names) in [(true, ["Ball", "Ball000"]), (false, ["Ball", "Ball"])] {
        let mut context = Context::new();
        let how = Load {
            flags: flags::CHECK_DUPLICATES,
            modes: Modes::all(Mode::Rename),
            compare_own,
            ..Load::default()
        };
        load(&mut context, &file, &how);
        let found = [1, 2].map(|id| context.object(id).unwrap().name().unwrap().to_vec());
        assert_eq!(found, names.map(|name| name.as_bytes().to_vec()));
    }
}

#[test]
fn references_follow_what_became_of_their_objects() {
    let mut file = plain(&[(40, 33, "Ball"), (7, 33, "Box")]);
    let group = group_of(&[Some(0), Some(1), None]);
    file.objects.push(ObjectEntry::new(90, 23, b"Group", group));
    let file = built(&file);
    let mut context = Context::new();
    let there = context.create(class::ENTITY_3D, Some(b"Box"), Creation::Plain).id;
    let how = Load {
        flags: flags::AUTOMATIC_MODE,
        modes: Modes::all(Mode::UseCurrent),
        ..Load::default()
    };
    let report = load(&mut context, &file, &how);
    let ids: Vec<u32> = report.entries.iter().map(|it| it.id.unwrap()).collect();
    assert_eq!(ids, [2, there, 3]);
    let null = u32::MAX;
    assert_eq!(members(&context, 3), [2, there, null]);
    // What is gone is missing, also when another object gets its id.
    context.change_flags(2, virtools::runtime::flags::FREE_ID, 0);
    context.destroy(&[2]);
    assert_eq!(members(&context, 3), [there, null]);
    assert_eq!(context.create(class::MESH, Some(b"Mesh"), Creation::Plain).id, 2);
    assert_eq!(members(&context, 3), [there, null]);
    // In what is saved too.
    let (saved, _) = save_all(&mut context, virtools::runtime::FileForm::of(&file));
    let group = saved.table().objects.iter().position(|it| it.class_id == 23).unwrap();
    let bytes = chunk(&saved, virtools::file::data::Owner::Object(group as u32));
    assert_eq!(bytes[bytes.len() - 12..], [2, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255]);
}

/// A parameter of a type, and nothing else.
fn parameter(class_id: u32, kind: (u32, u32)) -> Chunk {
    Chunk::object(class_id).identifier(0x40).guid(kind)
}

/// Entries with negative ids are found by class, name and, for parameters, type.
#[test]
fn what_a_file_only_refers_to_is_looked_for() {
    let mut there = VirtoolsFile::default();
    there.objects.push(ObjectEntry::new(3, 46, b"Speed", parameter(46, (1, 1))));
    there.objects.push(ObjectEntry::new(4, 46, b"Speed", parameter(46, (2, 2))));
    there.objects.push(ObjectEntry::new(5, 33, b"Ball", Chunk::object(33)));
    let mut file = VirtoolsFile::default();
    let mut refer = |id: u32, class_id, name: &[u8], chunk: Option<Chunk>| {
        let body = chunk.map_or(Body::Null, Body::Chunk);
        file.objects.push(ObjectEntry { body, ..ObjectEntry::null(id, class_id, name) });
    };
    refer(0x8000_0009, 46, b"Speed", Some(parameter(46, (2, 2))));
    refer((-10_i32).cast_unsigned(), 46, b"Speed", Some(parameter(46, (3, 3))));
    refer(0x8000_000B, 45, b"Speed", Some(parameter(45, (2, 2))));
    refer(0x8000_000C, 33, b"Ball", None);
    refer(0x8000_000D, 33, b"Box", None);
    file.objects.push(ObjectEntry::new(20, 23, b"Group", group_of(&[Some(3), Some(4)])));
    let (there, file) = (built(&there), built(&file));
    let mut context = Context::new();
    load(&mut context, &there, &Load::default());
    let before = context.len();
    let report = load(&mut context, &file, &Load::default());
    let ids: Vec<_> = report.entries.iter().map(|it| (it.saved_id, it.id)).collect();
    let found = [(9, Some(2)), (10, None), (11, None), (12, Some(3)), (13, None), (20, Some(4))];
    assert_eq!(ids, found);
    assert_eq!((context.len(), members(&context, 4)), (before + 1, vec![3]));
    assert_eq!(report.diagnostics.iter().filter(|it| it.code.id == "VT103").count(), 3);
    // Where they are wanted they stand for what may come, and are saved as what they are.
    let mut context = Context::new();
    load(&mut context, &file, &everything());
    assert_eq!(context.ids().filter(|id| context.object(*id).unwrap().is_reference()).count(), 5);
    let (saved, _) = save_all(&mut context, virtools::runtime::FileForm::of(&file));
    let ids: Vec<u32> = saved.table().objects.iter().map(|it| it.id.cast_unsigned()).collect();
    assert_eq!(ids, [0x8000_0001, 0x8000_0002, 0x8000_0003, 0x8000_0004, 0x8000_0005, 6]);
    // What comes takes their place.
    let report = load(&mut context, &there, &everything());
    let ids: Vec<_> = report.entries.iter().map(|it| it.id).collect();
    assert_eq!(ids, [Some(7), Some(1), Some(4)]);
    assert_eq!(members(&context, 6), [4, 5]);
    assert!(!context.object(4).unwrap().is_reference());
}
