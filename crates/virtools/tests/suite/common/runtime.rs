//! What tests of the runtime share. Each of them uses a part of it.

#![allow(dead_code)]

use spelunk_core::{Budget, Bytes, Collect, Error, Result, limits::Limits, scalar::Guid};
use spelunk_fixtures::{
    chunk::Chunk as Sample,
    virtools::{Body, ManagerEntry, ObjectEntry, VirtoolsFile},
};
use std::sync::{Arc, Mutex};
use test_support::task::with_task;
use virtools::{
    File,
    chunk::{
        Chunk,
        remap::{self, DwordKind},
    },
    class::Value,
    file::data::Owner,
    runtime::{
        Context, Depth, FileForm, Hooks, Load, Manager, Mode, Quiet, Report, Save, SaveTarget,
        SavedState,
        hooks::{Duplicate, Message, Pass},
        load::ManagerLoad,
    },
};

/// A budget that no test runs out of.
pub fn budget() -> Budget {
    Budget::new(Limits { memory: 8 << 30, steps: u64::MAX, ..Limits::for_len(1 << 24) })
}

pub fn open_file(bytes: &[u8]) -> File {
    let bytes = Bytes::copy_from_slice(bytes);
    with_task(bytes.len(), |task| File::read_from(&bytes, task)).0.unwrap()
}

/// Work with limits that no test reaches.
pub fn with_all<T>(work: impl FnOnce(&mut spelunk_core::Task<'_>) -> T) -> (T, Collect) {
    with_task(1 << 30, work)
}

/// All that a file holds.
pub fn everything() -> Load {
    Load { keep_entries: true, all_levels: true, ..Load::default() }
}

pub fn load(context: &mut Context, file: &File, how: &Load) -> Report {
    load_with(context, file, how, &mut Quiet)
}

pub fn load_with(context: &mut Context, file: &File, how: &Load, hooks: &mut dyn Hooks) -> Report {
    with_all(|task| context.load(file, how, hooks, task)).0.unwrap()
}

/// Saves all objects in the order of their ids.
pub fn save_all(context: &mut Context, form: FileForm) -> (File, Vec<u8>) {
    let mut bytes = Vec::new();
    let ids: Vec<u32> = context.ids().collect();
    let save = Save { form: Some(form), depth: Depth::Given, ..Save::default() };
    let mut quiet = Quiet;
    let target = SaveTarget::Writer(&mut bytes);
    let (ended, _) = with_all(|task| context.save(ids, save, target, &mut quiet, task));
    (ended.unwrap().file, bytes)
}

pub fn chunk(file: &File, owner: Owner) -> Vec<u8> {
    file.records(&mut budget()).unwrap().chunk(owner, &mut budget()).unwrap().to_vec()
}

/// A chunk whose raw ids are positions, counted from 1, of the object table; 0 for ids that it does not have.
pub fn with_positions(file: &File, owner: Owner) -> Vec<u8> {
    let mut bytes = chunk(file, owner);
    if bytes.is_empty() {
        return bytes;
    }
    let at = spelunk_core::Span::file(0, bytes.len() as u64);
    let view = Chunk::read(&bytes, at).unwrap();
    let places = remap::places(&view, &mut budget()).unwrap();
    for (index, kind) in places {
        if kind != DwordKind::Object {
            continue;
        }
        let word = &mut bytes[index * 4..index * 4 + 4];
        let id = u32::from_le_bytes(word.try_into().unwrap());
        let found = file.table().objects.iter().position(|object| object.id as u32 == id);
        let position = found.filter(|_| id != 0).map_or(0, |position| position as u32 + 1);
        word.copy_from_slice(&position.to_le_bytes());
    }
    bytes
}

/// All that can be seen of a context, line by line.
pub fn snapshot(context: &Context) -> Vec<String> {
    let mut lines = Vec::new();
    for id in context.ids() {
        let object = context.object(id).unwrap();
        let value = match context.value(id, &mut Vec::new(), &mut budget()) {
            Ok(value) => value.map(|mut value| value.write().unwrap().to_bytes().unwrap()),
            Err(_) => None,
        };
        let name = object.name().map(|name| name.escape_ascii().to_string());
        lines.push(format!(
            "{id} {} {name:?} {:x} {:?} {value:?}",
            object.class_id(),
            object.flags(),
            object.app_data()
        ));
    }
    lines.push(format!("level {:?} {}", context.level(), context.version()));
    lines.push(format!("dynamic {:?}", context.dynamic().collect::<Vec<_>>()));
    lines.push(format!("{:?}", context.activity()));
    for manager in context.managers() {
        let data = manager.duplicate().save_data(context).unwrap();
        let data = data.map(|state| state.chunk().to_vec());
        lines.push(format!("{:?} {} {data:?}", manager.guid(), manager.name()));
    }
    lines
}

/// A file of objects of these ids, classes and names, each with a chunk of its class that says nothing.
pub fn plain(objects: &[(u32, u32, &str)]) -> VirtoolsFile {
    let object = |(id, class_id, name): &(u32, u32, &str)| {
        ObjectEntry::new(*id, *class_id, name.as_bytes(), Sample::object(*class_id))
    };
    VirtoolsFile { objects: objects.iter().map(object).collect(), ..VirtoolsFile::default() }
}

pub fn built(file: &VirtoolsFile) -> File {
    open_file(&file.build().bytes)
}

pub fn guid((d1, d2): (u32, u32)) -> Guid {
    Guid { d1: d1.into(), d2: d2.into() }
}

pub type Events = Arc<Mutex<Vec<String>>>;

/// Writes down what it is told.
#[derive(Clone, Default)]
pub struct Recorder {
    pub events: Events,
    pub answer: Option<Mode>,
    pub dialog: Option<(Mode, bool)>,
}

impl Recorder {
    fn note(&self, event: String) {
        self.events.lock().unwrap().push(event);
    }

    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.events.lock().unwrap())
    }
}

impl Hooks for Recorder {
    fn progress(&mut self, done: u64, total: u64) -> std::ops::ControlFlow<()> {
        self.note(format!("progress {done}/{total}"));
        std::ops::ControlFlow::Continue(())
    }

    fn duplicate(&mut self, _: &Context, it: Duplicate<'_>) -> Option<Mode> {
        self.note(format!("duplicate {} {}", it.class_id, it.name.escape_ascii()));
        self.answer
    }

    fn ask(&mut self, _: &Context, it: Duplicate<'_>) -> Option<(Mode, bool)> {
        self.note(format!("ask {} {}", it.class_id, it.name.escape_ascii()));
        self.dialog
    }

    fn pass(&mut self, context: &mut Context, pass: Pass, id: u32) -> Result<()> {
        let object = context.object(id).unwrap();
        self.note(format!("{pass:?} {}", object.class_id()));
        Ok(())
    }

    fn message(&mut self, _: &mut Context, message: Message, id: u32) -> Result<()> {
        self.note(format!("message {} {id}", message as u32));
        Ok(())
    }
}

/// A manager that writes down what it is told, and may fail or panic.
#[derive(Clone, Debug)]
pub struct Told {
    pub guid: (u32, u32),
    pub events: Events,
    pub fails: &'static str,
}

impl Told {
    fn note(&self, event: &str) -> Result<()> {
        self.events.lock().unwrap().push(format!("{event} {:x}", self.guid.0));
        match self.fails {
            "" => Ok(()),
            _ if self.fails == event => Err(Error::new(&spelunk_core::codes::NOT_FOUND)),
            other if other.strip_prefix("panic ") == Some(event) => panic!("as it was asked to"),
            _ => Ok(()),
        }
    }
}

impl Manager for Told {
    fn guid(&self) -> Guid {
        guid(self.guid)
    }

    fn name(&self) -> String {
        "told".into()
    }

    fn duplicate(&self) -> Box<dyn Manager> {
        Box::new(self.clone())
    }

    fn pre_load(&mut self, _: &Context) -> Result<()> {
        self.note("pre load")
    }

    fn post_load(&mut self, _: &Context) -> Result<()> {
        self.note("post load")
    }

    fn load_data(
        &mut self,
        data: Option<&SavedState>,
        load: &mut ManagerLoad<'_, '_>,
    ) -> Result<()> {
        // The objects are there, and have nothing yet; those that were there before do.
        if self.fails.is_empty() {
            let has_state = |id: &u32| load.context().object(*id).unwrap().has_state();
            assert_eq!(load.context().ids().filter(has_state).count(), 0);
        }
        self.note(if data.is_some() { "data" } else { "no data" })
    }

    fn pre_save(&mut self, _: &Context) -> Result<()> {
        self.note("pre save")
    }

    fn post_save(&mut self, _: &Context) -> Result<()> {
        self.note("post save")
    }

    fn save_data(&mut self, _: &Context) -> Result<Option<SavedState>> {
        self.note("save").map(|()| None)
    }

    fn reset(&mut self) {
        let _ = self.note("reset");
    }
}

pub fn manager((d1, d2): (u32, u32), chunk: Option<Sample>) -> ManagerEntry {
    ManagerEntry { guid: (d1, d2), body: chunk.map_or(Body::Null, Body::Chunk) }
}

/// A group of the first and second object, whatever they have become.
pub fn group_of(members: &[Option<u32>]) -> Sample {
    Sample::object(23).identifier(0xFFFFF).object_sequence(members)
}

pub fn members(context: &Context, id: u32) -> Vec<u32> {
    let value = context.value(id, &mut Vec::new(), &mut budget()).unwrap().unwrap();
    let Value::Group(group) = value.value else { panic!("{:?}", value.value) };
    group.members.unwrap().iter().map(|it| it.get()).collect()
}
