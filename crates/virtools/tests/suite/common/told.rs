//! What the objects of a file tell, so that two files can be compared: references by the ids of what they mean.

#![allow(dead_code)]

use crate::common::open;
use spelunk_core::{
    Bytes, Container, Edit, Error, Field, Group, Of, Severity, Shape, Span, Step, Task, Val, Walk,
    Walked,
    walk::{Halt, finish},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    hash::{DefaultHasher, Hash, Hasher},
};
use test_support::{entries::write, task::with_task};
use virtools::{File, file::data::Owner};

/// A value of a list, or one that is alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Told {
    /// A reference to nothing.
    Null,
    /// A reference to the object with this id.
    Object(i32),
    /// Anything else, by its hash.
    Other(u64),
}

/// Values by the path of the field or of the list that they are in, in the order of the walk.
pub type Fields = Vec<(String, Vec<Told>)>;

/// An object as it is told.
#[derive(Clone, PartialEq, Debug)]
pub struct Object {
    pub class_id: u32,
    pub name: Vec<u8>,
    pub fields: Fields,
    pub chunk: Vec<u8>,
    pub file_mode: bool,
}

/// The model behind an opened file.
pub fn file(opened: &dyn Container) -> &File {
    opened.model().unwrap()
}

/// The objects by their ids, which stay when positions change.
pub fn objects(opened: &dyn Container) -> BTreeMap<i32, Object> {
    let file = file(opened);
    let pages = opened.code_pages();
    let (objects, _) = with_task(opened.size() as usize, |task| {
        let mut nodes = Vec::new();
        let walked = opened.children(Of::Listing, &pages, task, &mut |entry, _| {
            nodes.push(entry.node);
            Ok(())
        });
        finish(walked).unwrap();
        let table = file.table();
        let mut objects = BTreeMap::new();
        for (index, object) in table.objects.iter().enumerate() {
            let owner = Owner::Object(index as u32);
            let mut told = Teller { file, path: String::new(), open: Vec::new(), fields: vec![] };
            finish(opened.walk(nodes[index], task, &mut told)).unwrap();
            let records = file.records(&mut task.budget).unwrap();
            let chunk = records.chunk(owner, &mut task.budget).unwrap().to_vec();
            let view = file.chunk(owner, &mut task.budget).unwrap();
            let told = Object {
                class_id: object.class_id,
                name: table.name(object).to_vec(),
                fields: told.fields,
                chunk,
                file_mode: view.is_some_and(|chunk| chunk.file_mode),
            };
            assert!(objects.insert(object.id, told).is_none(), "ids are unique");
        }
        objects
    });
    objects
}

struct Teller<'f> {
    file: &'f File,
    path: String,
    open: Vec<(usize, Shape)>,
    fields: Fields,
}

impl Teller<'_> {
    /// An id that only the lists of its chunk tell of.
    fn listed(&self, id: u64) -> Told {
        let mut objects = self.file.table().objects.iter();
        match objects.find(|object| u64::from(object.id.unsigned_abs()) == id) {
            _ if id == 0 => Told::Null,
            Some(object) => Told::Object(object.id),
            None => other(&Val::U(id)),
        }
    }

    fn told(&self, value: &Val<'_>) -> Told {
        let object = |index: u64, kind: &str, name: &[u8]| {
            let table = self.file.table();
            let object = table.objects.get(index as usize)?;
            let same = table.name(object) == name && kind.starts_with("CK");
            same.then_some(Told::Object(object.id))
        };
        match value {
            Val::None => Told::Null,
            Val::Ref(index, Some(target)) => object(*index, &target.kind, &target.name)
                .unwrap_or_else(|| other(&Val::Ref(*index, None))),
            value => other(value),
        }
    }
}

fn other(value: &Val<'_>) -> Told {
    let mut hasher = DefaultHasher::new();
    match value {
        Val::U(number) => number.hash(&mut hasher),
        Val::F(number) => number.to_bits().hash(&mut hasher),
        Val::Word(number) => number.hash(&mut hasher),
        Val::Bytes(bytes) | Val::Text(bytes) => bytes.hash(&mut hasher),
        value => format!("{value:?}").hash(&mut hasher),
    }
    Told::Other(hasher.finish())
}

impl Walk for Teller<'_> {
    fn enter(&mut self, group: &Group<'_>) -> Result<Step, Halt> {
        self.open.push((self.path.len(), group.shape));
        self.path.push_str(&format!("/{:?}", group.name));
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, _: Option<Span>, value: Val<'_>) -> Walked {
        // Where a record lies in the file depends on all others.
        if field.name == "file_index" && self.path == "/Field(\"entry\")" {
            return Ok(());
        }
        let listed = field.name == "object" && self.path.contains("Key(\"object");
        let told = match value {
            Val::U(id) if listed => self.listed(id),
            value => self.told(&value),
        };
        if matches!(self.open.last(), Some((_, Shape::List))) {
            match self.fields.last_mut() {
                Some((path, values)) if *path == self.path => values.push(told),
                _ => self.fields.push((self.path.clone(), vec![told])),
            }
        } else {
            self.fields.push((format!("{}.{}", self.path, field.name), vec![told]));
        }
        Ok(())
    }

    fn leave(&mut self, _: Shape) -> Walked {
        let (len, _) = self.open.pop().unwrap();
        self.path.truncate(len);
        Ok(())
    }
}

/// Checks that fields are those from before, but for references to what is gone: null, or out of their lists.
/// Gives how many there were.
pub fn assert_kept(before: &Fields, after: &Fields, gone: &BTreeSet<i32>, what: &str) -> usize {
    let is_gone = |told: &Told| matches!(told, Told::Object(id) if gone.contains(id));
    let mut count = 0;
    let mut after = after.iter().peekable();
    for (path, old) in before {
        count += old.iter().filter(|told| is_gone(told)).count();
        let rest: Vec<_> = old.iter().filter(|told| !is_gone(told)).cloned().collect();
        match after.next_if(|(other, _)| other == path) {
            Some((_, new)) if new.len() == old.len() => {
                for (old, new) in old.iter().zip(new) {
                    let expected = if is_gone(old) { &Told::Null } else { old };
                    assert_eq!(new, expected, "{what}: {path}");
                }
            }
            Some((_, new)) => assert_eq!(*new, rest, "{what}: {path}"),
            // Lists without items are not told.
            None => assert!(rest.is_empty() && path.ends_with(')'), "{what}: {path} is gone"),
        }
    }
    assert!(after.next().is_none(), "{what}: there is more than before");
    count
}

/// Opens a file, changes it and writes it; what is written opens and is sound.
pub fn edited<T>(
    bytes: &[u8],
    change: impl FnOnce(&mut dyn Edit, &mut Task<'_>) -> Result<T, Error>,
) -> Result<(Vec<u8>, T), Error> {
    let mut opened = open(bytes).0.unwrap();
    let (changed, _) = with_task(bytes.len(), |task| change(opened.edit().unwrap(), task));
    let (written, _) = write(&*opened, false);
    match changed {
        Ok(value) => {
            assert_sound(&written, bytes);
            Ok((written, value))
        }
        Err(error) => {
            assert!(written == bytes, "what is refused changes nothing: {error}");
            Err(error)
        }
    }
}

/// Findings of severity error that `old` has not, in a file made of it.
fn assert_sound(written: &[u8], old: &[u8]) {
    let errors = |bytes: &[u8]| {
        let (opened, mut findings) = open(bytes);
        let opened = opened.unwrap();
        let (verified, more) = with_task(bytes.len(), |task| opened.verify(task));
        verified.unwrap();
        findings.findings.extend(more.findings);
        let told =
            findings.findings.into_iter().filter(|finding| finding.severity != Severity::Info);
        told.map(|finding| finding.error.to_string()).collect::<Vec<_>>()
    };
    let new = errors(written);
    if !new.is_empty() {
        // Damage of an entry is told with its position, which may be another one now.
        assert!(new.len() <= errors(old).len(), "{new:?}");
    }
}

/// The bytes of a chunk as they are put into a file.
pub fn chunk(bytes: &[u8]) -> Bytes {
    Bytes::copy_from_slice(bytes)
}
