//! Random sequences of creating, loading, renaming, changing, removing, saving and loading again, against a model that is a
//! list.

use crate::common::runtime;

use proptest::prelude::*;
use runtime::*;
use spelunk_fixtures::virtools::{ObjectEntry, VirtoolsFile};
use virtools::{
    class::Value,
    codec::Saved,
    runtime::{Context, Creation, FileForm, Load, Mode, Modes, load::flags},
};

const GROUP: u32 = 23;
/// One whose names count, one of whom there may be many of one name, one that is always used anew.
const CLASSES: [u32; 4] = [GROUP, 33, 9, 5];
const NAMES: [&[u8]; 5] = [b"Ball", b"Ball000", b"Box", b"", b"B"];

/// An object of the model. Members are serial numbers of others.
#[derive(Clone, Debug, PartialEq)]
struct Plain {
    serial: usize,
    id: u32,
    class_id: u32,
    name: Vec<u8>,
    named: usize,
    is_dynamic: bool,
    members: Option<Vec<Option<usize>>>,
}

#[derive(Default)]
struct Model {
    objects: Vec<Plain>,
    free: Vec<u32>,
    count: u32,
    clock: usize,
}

impl Model {
    fn find(&self, class_id: u32, name: &[u8], before: usize) -> Option<usize> {
        let same = |it: &&Plain| it.class_id == class_id && it.name == name && it.serial < before;
        let found = self.objects.iter().filter(same).min_by_key(|it| it.named);
        found.filter(|_| !name.is_empty()).map(|it| it.serial)
    }

    fn by_serial(&mut self, serial: usize) -> Option<&mut Plain> {
        self.objects.iter_mut().find(|it| it.serial == serial)
    }

    fn secure(&self, class_id: u32, name: &[u8]) -> Vec<u8> {
        let names = self.objects.iter().filter(|it| it.class_id == class_id);
        let behind = names.filter_map(|it| it.name.strip_prefix(name)).filter(|it| !it.is_empty());
        let number = |rest: &[u8]| {
            let digits: String =
                rest.iter().map(|it| char::from(*it)).take_while(char::is_ascii_digit).collect();
            digits.parse().unwrap_or(0_u32)
        };
        let next = behind.map(number).max().map_or(0, |last| last + 1);
        [name, format!("{next:03}").as_bytes()].concat()
    }

    fn create(&mut self, class_id: u32, name: &[u8], is_dynamic: bool) -> usize {
        let id = self.free.pop().unwrap_or_else(|| {
            self.count += 1;
            self.count
        });
        self.clock += 1;
        let (serial, named, name) = (self.clock, self.clock, name.to_vec());
        let members = None;
        self.objects.push(Plain { serial, id, class_id, name, named, is_dynamic, members });
        serial
    }

    fn remove(&mut self, id: u32) {
        let Some(at) = self.objects.iter().position(|it| it.id == id) else { return };
        if self.objects.remove(at).is_dynamic {
            self.free.push(id);
        }
    }

    /// What loading a file does.
    fn load(&mut self, file: &[Entry], mode: Option<Mode>, compare_own: bool, is_dynamic: bool) {
        let started = self.clock + 1;
        let mut table = Vec::new();
        for entry in file {
            let (class_id, name) = (CLASSES[entry.class], NAMES[entry.name]);
            let before = if compare_own { usize::MAX } else { started };
            let there = self.find(class_id, name, before).filter(|_| class_id != 9);
            let mode = if class_id == 5 { Some(Mode::UseCurrent) } else { mode };
            table.push(match (there, mode) {
                (Some(there), Some(Mode::UseCurrent)) => (there, false),
                (Some(there), Some(Mode::Replace)) => (there, true),
                (Some(_), Some(Mode::Rename)) => {
                    let name = self.secure(class_id, name);
                    (self.create(class_id, &name, is_dynamic), true)
                }
                _ => (self.create(class_id, name, is_dynamic), true),
            });
        }
        for (entry, (serial, is_applied)) in file.iter().zip(&table) {
            let members = entry.members.iter().map(|it| Some(table[it % file.len()].0));
            let members = members.collect::<Vec<_>>();
            let it = self.by_serial(*serial).unwrap();
            if *is_applied && it.class_id == GROUP {
                it.members = Some(members);
            }
        }
    }

    /// The ids of the members of an object that are still there.
    fn members(&self, it: &Plain) -> Option<Vec<u32>> {
        let id =
            |serial: &usize| self.objects.iter().find(|it| it.serial == *serial).map(|it| it.id);
        let members = it.members.as_ref()?.iter().flatten();
        Some(members.filter_map(id).collect())
    }
}

/// An object of a file.
#[derive(Clone, Debug)]
struct Entry {
    class: usize,
    name: usize,
    members: Vec<usize>,
}

#[derive(Clone, Debug)]
enum Step {
    Create(usize, usize),
    Load(Vec<Entry>, Option<u8>, bool, bool),
    Rename(usize, usize),
    Change(usize, Vec<usize>),
    Remove(usize),
    RemoveDynamic,
    SaveAndReload,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let entry = (0..CLASSES.len(), 0..NAMES.len(), prop::collection::vec(any::<usize>(), 0..4));
    let entry = entry.prop_map(|(class, name, members)| Entry { class, name, members });
    let file = prop::collection::vec(entry, 1..6);
    let step = prop_oneof![
        3 => (0..CLASSES.len(), 0..NAMES.len()).prop_map(|(class, name)| Step::Create(class, name)),
        4 => (file, prop::option::of(0..4_u8), any::<bool>(), prop::bool::weighted(0.3))
            .prop_map(|(file, mode, own, dynamic)| Step::Load(file, mode, own, dynamic)),
        2 => (any::<usize>(), 0..NAMES.len()).prop_map(|(at, name)| Step::Rename(at, name)),
        2 => (any::<usize>(), prop::collection::vec(any::<usize>(), 0..4))
            .prop_map(|(at, members)| Step::Change(at, members)),
        2 => any::<usize>().prop_map(Step::Remove),
        1 => Just(Step::RemoveDynamic),
        2 => Just(Step::SaveAndReload),
    ];
    prop::collection::vec(step, 1..25)
}

/// The file of these entries, with ids that have gaps.
fn assembled(entries: &[Entry]) -> virtools::File {
    let mut file = VirtoolsFile::default();
    for (entry, index) in entries.iter().zip(0_u32..) {
        let members = entry.members.iter().map(|it| Some((it % entries.len()) as u32));
        let chunk = match CLASSES[entry.class] {
            GROUP => group_of(&members.collect::<Vec<_>>()),
            class_id => spelunk_fixtures::chunk::Chunk::object(class_id),
        };
        let (class_id, name) = (CLASSES[entry.class], NAMES[entry.name]);
        file.objects.push(ObjectEntry::new(100 - index * 3, class_id, name, chunk));
    }
    built(&file)
}

fn group_members(context: &Context, id: u32) -> Option<Vec<u32>> {
    let value = context.value(id, &mut Vec::new(), &mut budget()).unwrap()?;
    let Value::Group(group) = value.value else { return None };
    Some(group.members?.iter().map(|it| it.get()).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn a_context_is_what_the_list_says(steps in steps()) {
        let (mut context, mut model) = (Context::new(), Model::default());
        for step in steps {
            let at = |at: usize, model: &Model| {
                (!model.objects.is_empty()).then(|| model.objects[at % model.objects.len()].clone())
            };
            match step {
                Step::Create(class, name) => {
                    let (class_id, name) = (CLASSES[class], NAMES[name]);
                    let there = model.find(class_id, name, usize::MAX).filter(|_| class_id == 5);
                    if there.is_none() {
                        model.create(class_id, name, false);
                    }
                    let name = Some(name).filter(|name| !name.is_empty());
                    context.create(class_id, name, Creation::Plain);
                }
                Step::Load(entries, mode, compare_own, dynamic) => {
                    let mode = mode.map(|mode| {
                        [Mode::Keep, Mode::Replace, Mode::Rename, Mode::UseCurrent][usize::from(mode)]
                    });
                    model.load(&entries, mode, compare_own, dynamic);
                    let how = Load {
                        flags: flags::DEFAULT
                            | if mode.is_some() { flags::AUTOMATIC_MODE } else { 0 }
                            | if dynamic { flags::AS_DYNAMIC_OBJECT } else { 0 },
                        modes: mode.map_or_else(Modes::default, Modes::all),
                        compare_own,
                        ..Load::default()
                    };
                    load(&mut context, &assembled(&entries), &how);
                }
                Step::Rename(index, name) => {
                    let Some(it) = at(index, &model) else { continue };
                    model.clock += 1;
                    let (named, id) = (model.clock, it.id);
                    let it = model.by_serial(it.serial).unwrap();
                    (it.name, it.named) = (NAMES[name].to_vec(), named);
                    context.rename(id, Some(NAMES[name]).filter(|name| !name.is_empty()));
                }
                Step::Change(index, members) => {
                    let Some(it) = at(index, &model).filter(|it| it.class_id == GROUP) else { continue };
                    let members: Vec<Plain> = members.iter().filter_map(|it| at(*it, &model)).collect();
                    let mut group = virtools::class::group::Group::default();
                    let ids: Vec<_> = members.iter().map(|it| it.id.into()).collect();
                    group.members = Some(ids.into());
                    let header = virtools::chunk::buffer::Header::object(GROUP);
                    let value = Saved::new(header, Value::Group(Box::new(group)));
                    context.set_value(it.id, &value).unwrap();
                    let serials = members.iter().map(|it| Some(it.serial)).collect();
                    model.by_serial(it.serial).unwrap().members = Some(serials);
                }
                Step::Remove(index) => {
                    let Some(it) = at(index, &model) else { continue };
                    model.remove(it.id);
                    context.destroy(&[it.id]);
                }
                Step::RemoveDynamic => {
                    // In the order in which they came.
                    let mut all: Vec<Plain> = model.objects.iter().filter(|it| it.is_dynamic).cloned().collect();
                    all.sort_by_key(|it| it.serial);
                    all.iter().for_each(|it| model.remove(it.id));
                    context.delete_all_dynamic();
                    context.step();
                }
                Step::SaveAndReload => {
                    let (_, bytes) = save_all(&mut context, FileForm::of(&virtools::File::new()));
                    // What has no state is an entry without a chunk, which is kept if so wanted.
                    context = Context::new();
                    load(&mut context, &open_file(&bytes), &Load { compare_own: false, ..everything() });
                    let mut objects = std::mem::take(&mut model.objects);
                    objects.retain(|it| !it.is_dynamic);
                    objects.sort_by_key(|it| it.id);
                    for (it, id) in objects.iter_mut().zip(1..) {
                        (it.id, it.named) = (id, id as usize);
                    }
                    model = Model { count: objects.len() as u32, clock: model.clock, objects, free: Vec::new() };
                }
            }
            let mut all = model.objects.clone();
            all.sort_by_key(|it| it.id);
            prop_assert!(context.ids().eq(all.iter().map(|it| it.id)));
            for it in &all {
                let object = context.object(it.id).unwrap();
                prop_assert_eq!(object.class_id(), it.class_id);
                prop_assert_eq!(object.name().unwrap_or_default(), &*it.name);
                prop_assert_eq!(object.is_dynamic(), it.is_dynamic);
                prop_assert_eq!(group_members(&context, it.id), model.members(it));
                if !it.name.is_empty() {
                    let first = model.find(it.class_id, &it.name, usize::MAX);
                    let id = first.and_then(|first| model.by_serial(first)).map(|it| it.id);
                    prop_assert_eq!(context.find(it.class_id, &it.name), id);
                }
            }
        }
    }
}
