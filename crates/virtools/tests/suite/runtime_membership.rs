//! Groups and scenes by their indices, and what is in them.

use crate::common::runtime::budget;
use proptest::prelude::*;
use spelunk_core::{Bytes, Error, Result};
use spelunk_fixtures::{
    chunk::Chunk,
    corpus,
    virtools::{ObjectEntry, VirtoolsFile},
};
use std::collections::{BTreeMap, BTreeSet};
use test_support::task::with_task;
use virtools::{
    File,
    class::{self, Value},
    codec::Array,
    codes,
    file::data::Owner,
    runtime::{Context, Creation, Hooks, Load, Memberships, Quiet, Report, hooks::Pass},
};
use zerocopy::little_endian::U32;

fn everything() -> Load {
    Load { keep_entries: true, all_levels: true, compare_own: false, ..Load::default() }
}

fn open(bytes: Vec<u8>) -> File {
    let bytes = Bytes::from(bytes);
    with_task(bytes.len(), |task| File::read_from(&bytes, task)).0.unwrap()
}

fn load(context: &mut Context, file: &File, hooks: &mut dyn Hooks) -> Result<Report> {
    with_task(1 << 20, |task| context.load(file, &everything(), hooks, task)).0
}

/// What a scene saved of its objects: each with two values, none here, and flags.
fn scene_chunk(chunk: Chunk, level: Option<u32>, members: &[Option<u32>]) -> Chunk {
    let count = members.len();
    let chunk = chunk.data_version(10).identifier(0x2_0000).object_ref(level).word(count as u32);
    let chunk = chunk.object_sequence(members);
    chunk.sub_chunk_sequence(&vec![None; 2 * count]).words(&vec![1; count])
}

fn group_chunk(members: &[Option<u32>]) -> Chunk {
    Chunk::object(class::GROUP).identifier(0xF_FFFF).object_sequence(members)
}

/// Three groups, a scene, and a level whose own scene lies in it: what that holds is known by saved ids, the others by
/// positions. That scene is an object too, or none, as in real files.
fn stage(is_object: bool) -> File {
    let own = scene_chunk(Chunk::sub(class::SCENE), Some(17), &[Some(11), Some(15), Some(99)]);
    let level = Chunk::object(class::LEVEL).identifier(0x2000_0000).words(&[0, 0]);
    let level = level.object_sequence(&[Some(5)]).identifier(0x8000_0000);
    let level = level.object_ref(Some(5)).object_ref(is_object.then_some(6)).sub_chunk(&own);
    let scene = scene_chunk(Chunk::object(class::SCENE), Some(7), &[Some(0), None, Some(2)]);
    let cube = || Chunk::object(33);
    let objects = vec![
        ObjectEntry::new(10, 41, b"Ball", cube()),
        ObjectEntry::new(11, 41, b"Box", cube()),
        ObjectEntry::new(12, 23, b"Floors", group_chunk(&[Some(0), None, Some(1)])),
        ObjectEntry::new(13, 23, b"Walls", group_chunk(&[Some(1), Some(2)])),
        ObjectEntry::new(14, 23, b"Empty", Chunk::object(23)),
        ObjectEntry::new(15, 10, b"Scene", scene),
        ObjectEntry::null(16, 10, b"Level Scene"),
        ObjectEntry::new(17, 21, b"Level", level),
    ];
    open(VirtoolsFile { objects, ..VirtoolsFile::default() }.build().bytes)
}

fn id(context: &Context, class_id: u32, name: &str) -> u32 {
    context.find(class_id, name.as_bytes()).unwrap()
}

/// The indices of the groups and of the scenes that the named objects are in.
fn told(context: &Context, of: &Memberships, all: &[(u32, &str)]) -> Vec<(Vec<usize>, Vec<usize>)> {
    let sets = |(class_id, name): &(u32, &str)| {
        let id = id(context, *class_id, name);
        (of.groups_of(id).ones().collect(), of.scenes_of(id).ones().collect())
    };
    all.iter().map(sets).collect()
}

#[test]
fn members_are_told_by_groups_scenes_and_levels() {
    let mut context = Context::new();
    load(&mut context, &stage(true), &mut Quiet).unwrap();
    let groups = ["Floors", "Walls", "Empty"].map(|name| id(&context, class::GROUP, name));
    let scenes = ["Scene", "Level Scene"].map(|name| id(&context, class::SCENE, name));
    assert_eq!(groups.map(|id| context.group_index(id)), [Some(0), Some(1), Some(2)]);
    assert_eq!(scenes.map(|id| context.scene_index(id)), [Some(0), Some(1)]);
    assert_eq!((context.group_index(scenes[0]), context.scene_index(groups[0])), (None, None));
    assert_eq!((context.group_index(1), context.group_index(99)), (None, None));

    let all = [(41, "Ball"), (41, "Box"), (23, "Floors"), (10, "Scene"), (21, "Level")];
    let of = context.memberships(&mut budget()).unwrap();
    let expected = [
        (vec![0], vec![0]),
        (vec![0, 1], vec![1]),
        (vec![1], vec![0]),
        (vec![], vec![1]),
        (vec![], vec![]),
    ];
    assert_eq!(told(&context, &of, &all), expected);
    let [ball, cube] = ["Ball", "Box"].map(|name| id(&context, 41, name));
    assert!(of.is_in_group(cube, groups[1]) && !of.is_in_group(ball, groups[1]));
    assert!(of.is_in_scene(ball, scenes[0]) && !of.is_in_scene(ball, scenes[1]));
    let level = id(&context, class::LEVEL, "Level");
    assert!(of.is_in_scene(cube, scenes[1]) && of.is_in_scene(cube, level));
    assert!(!of.is_in_scene(ball, level));
    assert!(!of.is_in_group(ball, scenes[0]), "scene and group may have the same index");
    assert!(!of.is_in_group(99, groups[0]) && !of.is_in_group(ball, 99));
    // Sets of one kind can be compared.
    assert!(of.groups_of(ball).is_subset(of.groups_of(cube)));

    // What is gone is in nothing; what got its index holds nothing yet.
    context.destroy(&[ball, groups[0]]);
    let new = context.create(class::GROUP, Some(b"New"), Creation::Plain).id;
    assert_eq!(context.group_index(new), Some(0));
    let of = context.memberships(&mut budget()).unwrap();
    assert!(of.groups_of(ball).is_clear());
    assert_eq!(
        told(&context, &of, &[(41, "Box"), (23, "Walls")]),
        [(vec![1], vec![1]), (vec![], vec![])]
    );
    assert!(!of.is_in_group(cube, new));
}

#[test]
fn the_own_scene_of_a_level_need_not_be_an_object() {
    let mut context = Context::new();
    load(&mut context, &stage(false), &mut Quiet).unwrap();
    let level = id(&context, class::LEVEL, "Level");
    assert_eq!((context.scene_index(level), context.group_index(level)), (Some(2), None));
    let of = context.memberships(&mut budget()).unwrap();
    let all = [(41, "Ball"), (41, "Box"), (23, "Floors"), (10, "Scene")];
    let scenes: Vec<_> = told(&context, &of, &all).into_iter().map(|(_, scenes)| scenes).collect();
    assert_eq!(scenes, [vec![0], vec![2], vec![0], vec![2]]);
    assert!(of.is_in_scene(id(&context, 41, "Box"), level));
    assert!(!of.is_in_scene(id(&context, 41, "Ball"), level));
}

#[test]
fn another_file_goes_on_with_the_next_indices() {
    let mut context = Context::new();
    for first in [0, 3, 6] {
        let report = load(&mut context, &stage(false), &mut Quiet).unwrap();
        let ids: Vec<u32> = report.entries.iter().map(|entry| entry.id.unwrap()).collect();
        assert_eq!(context.group_index(ids[2]), Some(first));
        assert_eq!(context.group_index(ids[4]), Some(first + 2));
        let of = context.memberships(&mut budget()).unwrap();
        assert_eq!(
            of.groups_of(ids[1]).ones().collect::<Vec<_>>(),
            [first as usize, first as usize + 1]
        );
    }
}

#[test]
fn a_load_that_fails_gives_its_indices_back() {
    struct Fails;
    impl Hooks for Fails {
        fn pass(&mut self, context: &mut Context, pass: Pass, id: u32) -> Result<()> {
            // All groups are there then.
            assert!(context.group_index(id).is_none_or(|index| index >= 3));
            match pass {
                Pass::PostLoad => Err(Error::new(&codes::CANCELLED)),
                _ => Ok(()),
            }
        }
    }
    let mut context = Context::new();
    load(&mut context, &stage(true), &mut Quiet).unwrap();
    let gone = id(&context, class::GROUP, "Walls");
    context.destroy(&[gone]);
    let _ = context.create(class::GROUP, Some(b"Rails"), Creation::Plain);
    let twin = context.clone();
    assert!(load(&mut context, &stage(true), &mut Fails).is_err());
    for mut context in [context, twin] {
        let groups: Vec<_> = context.of_class(class::GROUP).collect();
        let indices: Vec<_> = groups.iter().map(|id| context.group_index(*id)).collect();
        assert_eq!(indices, [Some(0), Some(2), Some(1)]);
        let new = context.create(class::GROUP, None, Creation::Plain).id;
        assert_eq!(context.group_index(new), Some(3));
        let new = context.create(class::SCENE, None, Creation::Plain).id;
        assert_eq!(context.scene_index(new), Some(3));
        context.reset();
        let new = context.create(class::GROUP, None, Creation::Plain).id;
        assert_eq!(context.group_index(new), Some(0));
    }
}

proptest! {
    /// Against a list of what is given: the lowest free index, for each of the two kinds on its own.
    #[test]
    fn the_lowest_free_index_is_given(
        steps in prop::collection::vec((0..6_usize, any::<prop::sample::Index>()), 1..200)
    ) {
        const KINDS: [u32; 4] = [class::GROUP, class::SCENE, class::LEVEL, class::MESH];
        let mut context = Context::new();
        let mut given: [BTreeMap<u32, u32>; 2] = Default::default();
        for (step, at) in steps {
            let there: Vec<u32> = context.ids().collect();
            match KINDS.get(step) {
                Some(class_id) => {
                    let id = context.create(*class_id, None, Creation::Plain).id;
                    // Levels have an index for their own scenes.
                    if let Some(given) = [0, 1, 1].get(step).map(|at| &mut given[*at]) {
                        let free = (0..).find(|index| !given.values().any(|it| it == index));
                        given.insert(id, free.unwrap());
                    }
                }
                None if there.is_empty() => {}
                None => {
                    let id = *at.get(&there);
                    context.destroy(&[id]);
                    given.iter_mut().for_each(|given| { given.remove(&id); });
                }
            }
            for id in context.ids() {
                prop_assert_eq!(context.group_index(id), given[0].get(&id).copied());
                prop_assert_eq!(context.scene_index(id), given[1].get(&id).copied());
            }
        }
    }
}

/// The positions that a list of a file means.
fn positions(file: &File, file_mode: bool, list: &Array<U32>) -> Vec<usize> {
    let table = &file.table().objects;
    let of_id = |id: u32| table.iter().position(|object| object.id.cast_unsigned() == id);
    let position = |value: u32| match file_mode {
        true => Some(value as usize).filter(|position| *position < table.len()),
        false => of_id(value).filter(|_| value != 0),
    };
    list.iter().filter_map(|value| position(value.get())).collect()
}

#[test]
fn members_are_those_that_real_files_hold() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    let (mut in_groups, mut in_scenes, mut own) = (0, 0, 0);
    for real in files {
        let file = open(real.bytes);
        let mut groups: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        let mut scenes: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for (object, at) in file.table().objects.iter().zip(0_usize..) {
            if ![class::GROUP, class::SCENE, class::LEVEL].contains(&object.class_id) {
                continue;
            }
            let owner = Owner::Object(at as u32);
            let value = file.value(owner, &mut Vec::new(), &mut budget()).unwrap();
            let Some(value) = value else { continue };
            let mode = value.header.file_mode;
            match &value.value {
                Value::Group(group) => {
                    let members = group.members.iter().flat_map(|it| positions(&file, mode, it));
                    groups.entry(at).or_default().extend(members);
                }
                Value::Scene(scene) => {
                    let lists = scene.objects.iter();
                    let members = lists.flat_map(|it| positions(&file, mode, &it.objects));
                    scenes.entry(at).or_default().extend(members);
                }
                Value::Level(level) => {
                    let Some(level) = &level.scene else { continue };
                    assert!(level.level_scene.get(mode).value().is_none(), "{}", real.name);
                    let Some(saved) = &level.scene else { continue };
                    let lists = saved.value.objects.iter();
                    let mode = saved.header.file_mode;
                    let members = lists.flat_map(|it| positions(&file, mode, &it.objects));
                    let members: Vec<usize> = members.collect();
                    own += members.len();
                    scenes.entry(at).or_default().extend(members);
                }
                _ => {}
            }
        }
        let mut context = Context::new();
        let report = load(&mut context, &file, &mut Quiet).unwrap();
        let ids: Vec<u32> = report.entries.iter().map(|entry| entry.id.unwrap()).collect();
        let of = context.memberships(&mut budget()).unwrap();
        for (id, at) in ids.iter().zip(0_usize..) {
            let holders = |all: &BTreeMap<usize, BTreeSet<usize>>| -> BTreeSet<usize> {
                let holders = all.iter().filter(|(_, members)| members.contains(&at));
                holders.map(|(holder, _)| *holder).collect()
            };
            let index = |index: Option<u32>| index.unwrap() as usize;
            let expected = holders(&groups);
            let indices = expected.iter().map(|at| index(context.group_index(ids[*at])));
            assert_eq!(
                of.groups_of(*id).ones().collect::<BTreeSet<_>>(),
                indices.collect(),
                "{}",
                real.name
            );
            assert!(expected.iter().all(|at| of.is_in_group(*id, ids[*at])));
            in_groups += expected.len();
            let expected = holders(&scenes);
            let indices = expected.iter().map(|at| index(context.scene_index(ids[*at])));
            assert_eq!(
                of.scenes_of(*id).ones().collect::<BTreeSet<_>>(),
                indices.collect(),
                "{}",
                real.name
            );
            assert!(expected.iter().all(|at| of.is_in_scene(*id, ids[*at])));
            in_scenes += expected.len();
        }
    }
    println!("{in_groups} in groups, {in_scenes} in scenes, {own} of them in those of levels");
    assert!(in_groups > 3000 && in_scenes > own && own > 500);
}
