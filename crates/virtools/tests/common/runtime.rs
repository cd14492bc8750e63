//! What tests of the runtime share. Each of them uses a part of it.

#![allow(dead_code)]

use super::common::with_task;
use spelunk_core::{Budget, Bytes, Finding, limits::Limits};
use virtools::{
    File,
    chunk::{
        Chunk,
        remap::{self, Kind},
    },
    file::data::Owner,
    runtime::{Context, Depth, Form, Hooks, Load, Quiet, Report, Save, Target},
};

/// A budget that no test runs out of.
pub fn budget() -> Budget {
    Budget::new(Limits { memory: 8 << 30, steps: u64::MAX, ..Limits::for_len(1 << 24) })
}

pub fn open_file(bytes: &[u8]) -> File {
    let bytes = Bytes::copy_from_slice(bytes);
    with_task(bytes.len(), |task| File::open(&bytes, task)).0.unwrap()
}

/// Work with limits that no test reaches.
pub fn with_all<T>(work: impl FnOnce(&mut spelunk_core::Task<'_>) -> T) -> (T, Vec<Finding>) {
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
pub fn save_all(context: &mut Context, form: Form) -> (File, Vec<u8>) {
    let mut bytes = Vec::new();
    let ids: Vec<u32> = context.ids().collect();
    let save = Save { form: Some(form), depth: Depth::Given, ..Save::default() };
    let mut quiet = Quiet;
    let target = Target::Writer(&mut bytes);
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
        if kind != Kind::Object {
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
