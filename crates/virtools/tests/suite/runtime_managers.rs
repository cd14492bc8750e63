//! The tables of attributes and messages, whose numbers objects hold, and managers that nobody knows.

use crate::common::runtime;

use runtime::*;
use spelunk_core::{Result, scalar::Guid};
use spelunk_fixtures::{
    chunk::Chunk,
    virtools::{ATTRIBUTE_MANAGER, MESSAGE_MANAGER, ObjectEntry, VirtoolsFile},
};
use test_support::findings::codes;
use virtools::{
    File,
    class::{Value, attribute_manager::Attribute, parameter::Value as Parameter},
    codec::Text,
    file::data::Owner,
    runtime::{
        AttributeTypes, Carried, Context, FileForm, Load, Manager, MessageTypes, Quiet, Save,
        SaveTarget, SavedState,
        load::{ManagerLoad, flags},
    },
};

/// What the message manager saves: names, `None` for null strings.
fn messages(names: &[Option<&str>]) -> Chunk {
    let chunk = Chunk::manager(0x53).identifier(0x53).word(names.len() as u32);
    names.iter().fold(chunk, |chunk, name| match name {
        Some(name) => chunk.string(name.as_bytes()),
        None => chunk.null_string(),
    })
}

/// What the attribute manager saves: categories, and attributes with their types and categories.
fn attributes(categories: &[&str], attributes: &[Option<(&str, u32, u32)>]) -> Chunk {
    let mut chunk = Chunk::manager(0x52).identifier(0x52);
    chunk = chunk.word(categories.len() as u32).word(attributes.len() as u32);
    for category in categories {
        chunk = chunk.word(1).string(category.as_bytes()).word(0);
    }
    for attribute in attributes {
        chunk = match attribute {
            None => chunk.word(0),
            Some((name, kind, category)) => {
                let chunk = chunk.word(1).string(name.as_bytes()).guid((*kind, 0));
                chunk.word(*category).word(19).word(0x13)
            }
        };
    }
    chunk
}

/// An entity with attributes of these numbers, and a parameter that holds a message.
fn objects(numbers: &[u32], message: u32) -> Vec<ObjectEntry> {
    let none = vec![None; numbers.len()];
    let entity = Chunk::object(33)
        .identifier(0x11)
        .object_sequence(&none)
        .manager_sequence(ATTRIBUTE_MANAGER, numbers);
    let parameter =
        Chunk::object(45).identifier(0x40).guid((9, 9)).manager_int(MESSAGE_MANAGER, message);
    vec![ObjectEntry::new(1, 33, b"Ball", entity), ObjectEntry::new(2, 45, b"Message", parameter)]
}

/// The names of the attributes of an entity, and of the message of a parameter, of a context.
fn names(context: &Context, entity: u32, parameter: u32) -> (Vec<String>, String) {
    let value = |id| context.value(id, &mut Vec::new(), &mut budget()).unwrap().unwrap().value;
    let Value::Entity3d(entity) = value(entity) else { panic!() };
    let types = context.manager::<AttributeTypes>().unwrap();
    let numbers = entity.be_object_attributes();
    let name = |number: u32| types.get(number).unwrap().name.text().escape_ascii().to_string();
    let Value::ParameterLocal(local) = value(parameter) else { panic!() };
    let Parameter::Manager(number) = local.parameter.parameter.unwrap().value else { panic!() };
    let messages = context.manager::<MessageTypes>().unwrap();
    let message = messages.name_of(number.value).unwrap().escape_ascii().to_string();
    (numbers.into_iter().map(name).collect(), message)
}

trait Attributes {
    fn be_object_attributes(&self) -> Vec<u32>;
}

impl Attributes for virtools::class::entity_3d::Entity3d {
    fn be_object_attributes(&self) -> Vec<u32> {
        let attributes = self.be_object.attributes.as_ref().unwrap();
        attributes.types.values.iter().map(|it| it.get()).collect()
    }
}

fn file(
    categories: &[&str],
    types: &[Option<(&str, u32, u32)>],
    numbers: &[u32],
    names: &[Option<&str>],
    message: u32,
) -> File {
    built(&VirtoolsFile {
        objects: objects(numbers, message),
        managers: vec![
            manager(ATTRIBUTE_MANAGER, Some(attributes(categories, types))),
            manager(MESSAGE_MANAGER, Some(messages(names))),
        ],
        ..VirtoolsFile::default()
    })
}

fn first() -> File {
    let types = [None, Some(("Floor", 1, 0)), Some(("Wall", 1, 1))];
    file(&["Game", "Looks"], &types, &[2, 1], &[Some("Start"), None, Some("Stop")], 2)
}

/// Known names at other numbers, one of another type, a new name and a new category.
fn second() -> File {
    let types = [Some(("Wall", 1, 0)), Some(("Glass", 2, 0)), Some(("Floor", 7, 1)), None];
    file(&["Looks", "More"], &types, &[0, 1, 2], &[Some("Stop"), Some("Jump")], 1)
}

#[test]
fn numbers_go_on_to_mean_the_same_names() {
    let mut context = Context::new();
    load(&mut context, &first(), &Load::default());
    assert_eq!(names(&context, 1, 2), (vec!["Wall".into(), "Floor".into()], "Stop".into()));
    let (report, findings) =
        with_all(|task| context.load(&second(), &Load::default(), &mut Quiet, task));
    assert_eq!(codes(&findings), ["VT107"], "Floor is there with another type");
    drop(report.unwrap());
    // The first ones still do, the new ones do too.
    assert_eq!(names(&context, 1, 2), (vec!["Wall".into(), "Floor".into()], "Stop".into()));
    let expected = ["Wall", "Glass", "Floor"].map(String::from).to_vec();
    assert_eq!(names(&context, 3, 4), (expected, "Jump".into()));
    let types = context.manager::<AttributeTypes>().unwrap();
    let all: Vec<_> =
        types.all().map(|(number, it)| (number, it.name.text(), it.category)).collect();
    // The number that Glass had is taken, so that it gets the next one; its category is found by name.
    assert_eq!(all, [(1, &b"Floor"[..], 0), (2, b"Wall", 1), (3, b"Glass", 1)]);
    let categories: Vec<_> = types.categories().map(|(_, it)| it.name.text().to_vec()).collect();
    assert_eq!(categories, [b"Game".to_vec(), b"Looks".to_vec(), b"More".to_vec()]);
    let messages: Vec<_> = context.manager::<MessageTypes>().unwrap().all().collect();
    // The number without a name is used again.
    assert_eq!(messages, [(0, &b"Start"[..]), (1, b"Jump"), (2, b"Stop")]);
    // What is saved holds the tables and the numbers.
    let (saved, _) = save_all(&mut context, FileForm::of(&first()));
    let mut again = Context::new();
    load(&mut again, &saved, &Load::default());
    for (entity, parameter) in [(1, 2), (3, 4)] {
        assert_eq!(names(&again, entity, parameter), names(&context, entity, parameter));
    }
    let bytes = chunk(&saved, Owner::Object(2));
    assert_eq!(
        bytes[bytes.len() - 12 - 12..bytes.len() - 12],
        [2, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0]
    );
}

#[test]
fn tables_alone_come_back_as_they_were() {
    let mut context = Context::new();
    load(&mut context, &first(), &Load::default());
    let (saved, _) = save_all(&mut context, FileForm::of(&first()));
    for index in 0..2 {
        let owner = Owner::Manager(index);
        assert_eq!(chunk(&saved, owner), chunk(&first(), owner));
    }
}

/// What dynamic objects brought goes with them, unless somebody else has come to need it.
#[test]
fn dynamic_tables_go() {
    let dynamic = Load { flags: flags::DEFAULT | flags::AS_DYNAMIC_OBJECT, ..Load::default() };
    let mut context = Context::new();
    load(&mut context, &first(), &Load::default());
    let before = snapshot(&context);
    load(&mut context, &second(), &dynamic);
    assert!(context.manager::<AttributeTypes>().unwrap().find(b"Glass").is_some());
    context.delete_all_dynamic();
    context.step();
    assert_eq!(snapshot(&context), before);
    load(&mut context, &second(), &dynamic);
    load(&mut context, &second(), &Load::default());
    context.delete_all_dynamic();
    context.step();
    assert_eq!(context.manager::<AttributeTypes>().unwrap().find(b"Glass"), Some(3));
    let ids: Vec<u32> = context.ids().collect();
    let last = &ids[ids.len() - 2..];
    assert_eq!(names(&context, last[0], last[1]).1, "Jump");
}

#[test]
fn types_can_be_registered() {
    let mut context = Context::new();
    let messages = context.manager_mut::<MessageTypes>().unwrap();
    assert_eq!(
        [messages.register(b"Go"), messages.register(b"Stop"), messages.register(b"Go")],
        [Some(0), Some(1), Some(0)]
    );
    let types = context.manager_mut::<AttributeTypes>().unwrap();
    let attribute = |name: &[u8]| Attribute { name: Text::new(name), ..Attribute::default() };
    assert_eq!(types.register(attribute(b"Floor")), Some(0));
    load(&mut context, &first(), &Load::default());
    assert_eq!(names(&context, 1, 2), (vec!["Wall".into(), "Floor".into()], "Stop".into()));
    assert_eq!(context.manager::<MessageTypes>().unwrap().find(b"Stop"), Some(1));
    context.reset();
    assert_eq!(context.manager::<MessageTypes>().unwrap().all().count(), 0);
    assert_eq!(context.len(), 0);
}

/// Managers that nobody registered are saved as they were. Two files that disagree are told of.
#[test]
fn unknown_managers_are_carried() {
    let with = |words: &[u32]| {
        let chunk = Chunk::manager(0).identifier(0x77).words(words).object_ref(Some(0));
        built(&VirtoolsFile {
            objects: vec![ObjectEntry::new(5, 33, b"Ball", Chunk::object(33))],
            managers: vec![manager((5, 6), Some(chunk)), manager((6, 6), None)],
            ..VirtoolsFile::default()
        })
    };
    let mut context = Context::new();
    load(&mut context, &with(&[1, 2]), &Load::default());
    let (saved, _) = save_all(&mut context, FileForm::of(&with(&[])));
    for index in 0..2 {
        let owner = Owner::Manager(index);
        assert_eq!(chunk(&saved, owner), chunk(&with(&[1, 2]), owner));
    }
    let guids: Vec<_> = {
        let records = saved.records(&mut budget()).unwrap();
        records.managers.iter().map(|it| it.guid).collect()
    };
    assert_eq!(guids, [guid((5, 6)), guid((6, 6))]);
    let (_, findings) =
        with_all(|task| context.load(&with(&[3]), &Load::default(), &mut Quiet, task));
    assert_eq!(codes(&findings), ["VT106"]);
    assert!(context.manager::<Carried>().unwrap().data().is_some());
    // A dword that may be a position, of which nothing is known, and that means another object now: not saved by accident.
    let ids: Vec<u32> = context.ids().collect();
    let (ended, findings) =
        with_all(|task| context.save(ids, Save::default(), SaveTarget::Model, &mut Quiet, task));
    assert_eq!((ended.unwrap().objects.len(), codes(&findings)), (2, vec!["VT084"]));
}

/// An object of a class that is not known, with a dword that may be a position: it is not saved where that means another one.
#[test]
fn what_cannot_be_followed_is_not_saved_by_accident() {
    let mut file = plain(&[(1, 33, "Ball"), (2, 33, "Box")]);
    let unknown = Chunk::object(77).identifier(0x77).object_ref(Some(1));
    file.objects.push(ObjectEntry::new(3, 77, b"of a plugin", unknown));
    let mut context = Context::new();
    load(&mut context, &built(&file), &Load::default());
    let mut save = |ids: &[u32], lossy| {
        let save = Save { lossy, ..Save::default() };
        let (ended, findings) =
            with_all(|task| context.save(ids.to_vec(), save, SaveTarget::Model, &mut Quiet, task));
        (ended.map(|it| it.objects.len()).map_err(|it| it.to_string()), findings.findings.len())
    };
    assert_eq!(save(&[1, 2, 3], false), (Ok(3), 0), "all are where they were");
    let (refused, _) = save(&[2, 3], false);
    assert!(refused.unwrap_err().starts_with("objects 1: objects hold references"));
    assert_eq!(save(&[2, 3], true), (Ok(2), 1));
}

/// A manager that gives the values of a type of parameters other numbers, as the one of parameter types does.
#[derive(Clone, Debug)]
struct Types;

impl Manager for Types {
    fn guid(&self) -> Guid {
        guid((0x9CE5_7AB6, 0))
    }

    fn name(&self) -> String {
        "types".into()
    }

    fn duplicate(&self) -> Box<dyn Manager> {
        Box::new(self.clone())
    }

    fn load_data(&mut self, _: Option<&SavedState>, load: &mut ManagerLoad<'_, '_>) -> Result<()> {
        assert_eq!(load.file_version(), 8);
        load.remap_parameters(guid((9, 8)), &|old| (old < 3).then_some(old + 100))
    }

    fn save_data(&mut self, _: &Context) -> Result<Option<SavedState>> {
        Ok(None)
    }

    fn reset(&mut self) {}
}

#[test]
fn values_of_parameters_can_be_given_other_numbers() {
    let mut file = VirtoolsFile::default();
    for (id, kind, value) in [(1, (9, 8), 2_u32), (2, (9, 8), 3), (3, (9, 9), 2)] {
        let chunk = Chunk::object(46).identifier(0x40).guid(kind).word(1);
        file.objects.push(ObjectEntry::new(id, 46, b"p", chunk.buffer(&value.to_le_bytes())));
    }
    file.managers = vec![manager((0x9CE5_7AB6, 0), None)];
    let mut context = Context::new();
    context.register(Box::new(Types));
    load(&mut context, &built(&file), &Load::default());
    let value = |id| {
        let value = context.value(id, &mut Vec::new(), &mut budget()).unwrap().unwrap().value;
        let Value::Parameter(parameter) = value else { panic!() };
        let Parameter::Buffer(bytes) = parameter.parameter.unwrap().value else { panic!() };
        bytes.items.to_vec()
    };
    assert_eq!([value(1), value(2), value(3)], [102_u32, 3, 2].map(|it| it.to_le_bytes().to_vec()));
}
