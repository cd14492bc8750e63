//! Contexts against a model that looks everything up by going through a list.

use proptest::prelude::*;
use spelunk_core::Bytes;
use virtools::{
    class,
    runtime::{Context, Creation, classes, flags},
};

/// An object as the model has it.
#[derive(Clone, Debug)]
struct Plain {
    id: u32,
    class_id: u32,
    name: Option<Vec<u8>>,
    is_dynamic: bool,
    frees: bool,
    /// When it got its name.
    named: usize,
}

/// A list of objects, and what ids are free.
#[derive(Default)]
struct Model {
    objects: Vec<Plain>,
    free: Vec<u32>,
    count: u32,
    clock: usize,
    waiting: Vec<u32>,
    dynamic: Vec<u32>,
}

impl Model {
    fn find(&self, class_id: u32, name: &[u8]) -> Option<u32> {
        let named = self.objects.iter().filter(|it| it.class_id == class_id);
        let named = named.filter(|it| it.name.as_deref() == Some(name));
        named.min_by_key(|it| it.named).map(|it| it.id)
    }

    fn secure(&self, class_id: u32, name: &[u8]) -> Vec<u8> {
        let names = self.objects.iter().filter(|it| it.class_id == class_id);
        let names = names.filter_map(|it| it.name.as_deref());
        let behind = names.filter_map(|it| it.strip_prefix(name)).filter(|rest| !rest.is_empty());
        let number = |rest: &[u8]| {
            let digits: String = rest
                .iter()
                .map(|byte| char::from(*byte))
                .take_while(char::is_ascii_digit)
                .collect();
            digits.parse().unwrap_or(0_u32)
        };
        let next = behind.map(number).max().map_or(0, |last| last + 1);
        [name, format!("{next:03}").as_bytes()].concat()
    }

    fn create(&mut self, class_id: u32, name: Option<&[u8]>, creation: Creation) -> (u32, bool) {
        let options = classes::options(class_id);
        let compares = options & classes::NO_NAME_CHECK == 0;
        let there = name.filter(|_| compares).and_then(|name| self.find(class_id, name));
        let uses = creation == Creation::UseCurrent || options & classes::USE_CURRENT != 0;
        let name = match there {
            Some(id) if uses => return (id, false),
            Some(_) if creation == Creation::Rename => name.map(|name| self.secure(class_id, name)),
            _ => name.map(<[u8]>::to_vec),
        };
        let id = self.free.pop().unwrap_or_else(|| {
            self.count += 1;
            self.count
        });
        self.clock += 1;
        let named = self.clock;
        self.objects.push(Plain { id, class_id, name, is_dynamic: false, frees: false, named });
        (id, true)
    }

    fn destroy(&mut self, ids: &[u32]) {
        for id in ids {
            let Some(at) = self.objects.iter().position(|it| it.id == *id) else { continue };
            let gone = self.objects.remove(at);
            if gone.frees || gone.is_dynamic {
                self.free.push(gone.id);
            }
            self.dynamic.retain(|other| other != id);
            self.waiting.retain(|other| other != id);
        }
    }
}

#[derive(Clone, Debug)]
enum Step {
    Create(usize, Option<usize>, u8),
    Rename(usize, Option<usize>),
    Dynamic(usize, bool),
    Free(usize, bool),
    Later(usize),
    AllDynamic,
    Next,
    Destroy(usize),
    Reset,
}

/// Classes of every kind of option: none, no comparison, the one that is there is used, it can be.
const CLASSES: [u32; 5] = [class::ENTITY_3D, 41, 8, 5, class::MESH];
/// Names that are starts of each other, with numbers behind them.
const NAMES: [&[u8]; 7] = [b"Ball", b"Ball000", b"Ball_Wood", b"B", b"", b"Ball041", b"Box"];

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let name = || prop::option::weighted(0.9, 0..NAMES.len());
    let step = prop_oneof![
        8 => (0..CLASSES.len(), name(), 0..3_u8).prop_map(|(c, n, how)| Step::Create(c, n, how)),
        2 => (any::<usize>(), name()).prop_map(|(at, n)| Step::Rename(at, n)),
        2 => (any::<usize>(), any::<bool>()).prop_map(|(at, is)| Step::Dynamic(at, is)),
        1 => (any::<usize>(), any::<bool>()).prop_map(|(at, is)| Step::Free(at, is)),
        2 => any::<usize>().prop_map(Step::Later),
        1 => Just(Step::AllDynamic),
        2 => Just(Step::Next),
        2 => any::<usize>().prop_map(Step::Destroy),
        1 => prop::num::u8::ANY.prop_map(|it| if it < 16 { Step::Reset } else { Step::Next }),
    ];
    prop::collection::vec(step, 1..120)
}

proptest! {
    #[test]
    fn a_context_is_what_the_list_says(steps in steps()) {
        let (mut context, mut model) = (Context::new(), Model::default());
        let mut all_dynamic = false;
        for step in steps {
            // A position among the objects that there are.
            let at = |at: usize, model: &Model| {
                (!model.objects.is_empty()).then(|| model.objects[at % model.objects.len()].id)
            };
            match step {
                Step::Create(class_at, name, how) => {
                    let creation =
                        [Creation::Plain, Creation::Rename, Creation::UseCurrent][usize::from(how)];
                    let (class_id, name) = (CLASSES[class_at], name.map(|name| NAMES[name]));
                    let (id, is_new) = model.create(class_id, name, creation);
                    let created = context.create(class_id, name, creation);
                    prop_assert_eq!(created.id, id);
                    prop_assert_eq!(created.how != Creation::UseCurrent, is_new);
                }
                Step::Rename(index, name) => {
                    let Some(id) = at(index, &model) else { continue };
                    let name = name.map(|name| NAMES[name]);
                    prop_assert!(context.rename(id, name));
                    model.clock += 1;
                    let named = model.clock;
                    let it = model.objects.iter_mut().find(|it| it.id == id).unwrap();
                    (it.name, it.named) = (name.map(<[u8]>::to_vec), named);
                }
                Step::Dynamic(index, is) => {
                    let Some(id) = at(index, &model) else { continue };
                    prop_assert!(context.set_dynamic(id, is));
                    let it = model.objects.iter_mut().find(|it| it.id == id).unwrap();
                    if it.is_dynamic != is {
                        // The flag of dynamic objects holds the one of free ids.
                        (it.is_dynamic, it.frees) = (is, is);
                        model.dynamic.retain(|other| *other != id);
                        model.dynamic.extend(is.then_some(id));
                    }
                }
                Step::Free(index, is) => {
                    let Some(id) = at(index, &model) else { continue };
                    let (set, clear) = if is { (flags::FREE_ID, 0) } else { (0, flags::FREE_ID) };
                    prop_assert!(context.change_flags(id, set, clear));
                    let it = model.objects.iter_mut().find(|it| it.id == id).unwrap();
                    it.frees = is || it.is_dynamic;
                }
                Step::Later(index) => {
                    let Some(id) = at(index, &model) else { continue };
                    prop_assert!(context.destroy_later(id));
                    if !model.waiting.contains(&id) {
                        model.waiting.push(id);
                    }
                }
                Step::AllDynamic => {
                    context.delete_all_dynamic();
                    all_dynamic = true;
                }
                Step::Next => {
                    let before = model.objects.len();
                    let mut ids = std::mem::take(&mut model.waiting);
                    if std::mem::take(&mut all_dynamic) {
                        ids.extend(model.dynamic.clone());
                    }
                    model.destroy(&ids);
                    prop_assert_eq!(context.step(), before - model.objects.len());
                }
                Step::Destroy(index) => {
                    let Some(id) = at(index, &model) else { continue };
                    model.destroy(&[id]);
                    prop_assert_eq!(context.destroy(&[id]), 1);
                    prop_assert_eq!(context.destroy(&[id]), 0);
                }
                Step::Reset => {
                    context.reset();
                    (model, all_dynamic) = (Model::default(), false);
                }
            }
            prop_assert_eq!(context.len(), model.objects.len());
            prop_assert!(context.dynamic().eq(model.dynamic.iter().copied()));
            for it in &model.objects {
                let object = context.object(it.id).unwrap();
                prop_assert_eq!(object.name(), it.name.as_deref());
                prop_assert_eq!((object.class_id(), object.is_dynamic()), (it.class_id, it.is_dynamic));
            }
            for class_id in CLASSES {
                let ids = |wanted: &dyn Fn(u32) -> bool| {
                    let of = model.objects.iter().filter(|it| wanted(it.class_id));
                    let mut ids: Vec<u32> = of.map(|it| it.id).collect();
                    ids.sort_unstable();
                    ids
                };
                prop_assert!(context.of_class(class_id).eq(ids(&|id| id == class_id)));
                let mut family: Vec<u32> = context.of_family(class_id).collect();
                family.sort_unstable();
                prop_assert_eq!(family, ids(&|id| class::is_a(id, class_id)));
                for name in NAMES {
                    prop_assert_eq!(context.find(class_id, name), model.find(class_id, name));
                }
            }
        }
    }
}

#[test]
fn dynamic_objects_leave_a_context_as_it_was() {
    let mut context = Context::new();
    let level = context.create(class::LEVEL, Some(b"Level"), Creation::Plain).id;
    assert!(context.set_level(Some(level)) && !context.set_level(Some(99)));
    let before = context.clone();
    for name in [&b"Ball"[..], b"Ball", b"Box"] {
        let id = context.create(class::MESH, Some(name), Creation::Rename).id;
        context.set_dynamic(id, true);
    }
    assert_eq!(context.object(3).unwrap().name(), Some(&b"Ball000"[..]));
    context.delete_all_dynamic();
    assert_eq!(context.len(), 4, "until the next step");
    assert_eq!(context.step(), 3);
    // Only the ids that were given are known to be free.
    let ids = |context: &Context| context.ids().collect::<Vec<_>>();
    assert_eq!((ids(&context), context.level()), (ids(&before), before.level()));
    assert_eq!(context.create(class::MESH, None, Creation::Plain).id, 4, "the last one first");
}

#[test]
fn what_applications_leave_is_theirs() {
    let mut context = Context::new();
    let id = context.create(class::MESH, Some(b"Mesh"), Creation::Plain).id;
    assert!(context.set_app_data(id, Some(Bytes::from_static(b"mine"))));
    let object = context.object(id).unwrap();
    assert_eq!(
        (object.app_data().map(AsRef::as_ref), object.flags()),
        (Some(&b"mine"[..]), 0x4040)
    );
    assert!(context.set_app_data(id, None));
    assert_eq!(context.object(id).unwrap().flags(), flags::VISIBLE);
    // What is dynamic or to be destroyed is not for flags to say.
    assert!(context.change_flags(id, flags::DYNAMIC | flags::TO_BE_DELETED, flags::VISIBLE));
    assert_eq!(context.object(id).unwrap().flags(), flags::FREE_ID);
    assert!(!context.change_flags(99, 0, 0) && !context.rename(99, None));
    fn sent<T: Send + Sync>(_: &T) {}
    sent(&context);
}
