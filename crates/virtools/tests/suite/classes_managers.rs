//! What managers save, on chunks that were put together by hand and in real files.

use crate::common::class::Nothing;
use spelunk_core::{
    Budget, Bytes, Collect, Limits, Space, Span, Task, Val,
    scalar::{Guid, U32},
    walk::{Coverage, finish},
};
use spelunk_fixtures::{chunk::Chunk as Sample, corpus};
use virtools::{
    File,
    chunk::Chunk,
    class::{Value, texture_font_manager::SPACING_SAVED},
    codec::{Saved, read::Reader, tree::Tree, walk::Detail},
    file::data::Owner,
};

/// Decodes the chunk of a manager to its last dword; it comes back byte for byte.
fn typed((d1, d2): (u32, u32), sample: &Sample) -> Saved<Value> {
    let bytes = Bytes::from(sample.build().bytes);
    let len = bytes.len() as u64;
    let mut budget = Budget::new(Limits::for_len(len));
    let chunk = Chunk::read(&bytes, Span::file(0, len)).unwrap();
    let mut faults = Vec::new();
    let empty = Value::of_manager(Guid { d1: U32::new(d1), d2: U32::new(d2) });
    let mut saved = Reader::read(empty, chunk, &bytes, &mut faults, &mut budget).unwrap();
    assert!(faults.is_empty() && saved.extras.is_none(), "{faults:?} {:?}", saved.extras);
    assert_eq!(saved.write().unwrap().to_bytes().unwrap(), bytes);
    let mut coverage = Coverage::default();
    finish(saved.walk(chunk, Detail::Bytes, &(), &mut budget, &mut coverage)).unwrap();
    assert_eq!(coverage.check(Space::FILE, len), []);
    saved
}

#[test]
fn variables_have_names_values_and_descriptions() {
    let id = 0x98CC_3CC9;
    let sample = Sample::manager(0).identifier(id).word(2);
    let sample = sample.string(b"BehaviorManager/MaxIteration").word(80_000);
    let sample = sample.string(b"File Options/Textures,Sprites").word(1).words(&[0, 0, 1]);
    let sample = sample.string(b"enum:0=Off;1=On").words(&[7, 8]);
    let mut saved = typed((id, 0), &sample);
    let Value::VariableManager(manager) = &saved.value else { panic!() };
    let all = manager.variables.as_ref().unwrap();
    assert_eq!(all.variables[0].name.text(), b"BehaviorManager/MaxIteration");
    assert_eq!((all.variables[0].value, all.variables[1].value), (80_000, 1));
    assert_eq!(all.descriptions[0].values.text(), b"enum:0=Off;1=On");
    assert_eq!(all.descriptions[0].of, [7, 8]);
    let change = Tree::at("variables.variables[0].value", Val::U(8000));
    saved.fill(change, &Nothing).unwrap();
    let Value::VariableManager(manager) = &saved.value else { panic!() };
    assert_eq!(manager.variables.as_ref().unwrap().variables[0].value, 8000);
}

#[test]
fn fonts_have_widths_where_they_are_saved() {
    let font = |chunk: Sample, name: &[u8], spacing: u32| {
        let bytes = |all: &[f32]| all.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
        let chunk = chunk.string(name).buffer(&bytes(&[16.0, 8.0]));
        let chunk = chunk.buffer(&bytes(&[0.0, 0.0, 1.0, 0.5])).object_ref(Some(4));
        chunk.word(spacing).word(32)
    };
    let guid = (0x64FB_5810, 0x7326_2D3B);
    let sample = font(Sample::manager(0).identifier(0x8002).word(2), b"plain", 1);
    let sample = font(sample, b"wide", SPACING_SAVED);
    let widths: Vec<f32> = (0..256 * 6).map(|nth| nth as f32).collect();
    let saved = typed(guid, &sample.floats(&widths));
    let Value::TextureFontManager(manager) = &saved.value else { panic!() };
    let [plain, wide] = manager.all() else { panic!() };
    assert_eq!((plain.name.text(), plain.first_character), (&b"plain"[..], 32));
    assert_eq!((plain.grid.items[0][0].get(), plain.area.items[0][3].get()), (16.0, 0.5));
    assert!(plain.characters.is_none());
    let characters = wide.characters.as_ref().unwrap();
    assert_eq!((characters.len(), characters[255].height.get()), (256, 1535.0));
    // The older form has no widths, whatever its flags say.
    let sample = Sample::manager(0).identifier(0x8001).word(1);
    let saved = typed(guid, &font(sample, b"old", 3));
    let Value::TextureFontManager(manager) = &saved.value else { panic!() };
    assert!(manager.all()[0].characters.is_none());
}

/// Real files have sizes of a view in the render manager, and a variable manager that is read to its end.
#[test]
fn managers_of_real_files_are_read() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    let (mut views, mut variables) = (0, 0);
    for real in files {
        let mut sink = Collect::default();
        let limits = Limits::for_len(real.bytes.len() as u64);
        let mut task = Task::new(Budget::new(limits), &mut sink);
        let file = File::read_from(&Bytes::from(real.bytes), &mut task).unwrap();
        let count = file.records(&mut task.budget).unwrap().managers.len() as u32;
        for owner in (0..count).map(Owner::Manager) {
            let mut faults = Vec::new();
            let value = file.value(owner, &mut faults, &mut task.budget).unwrap();
            assert!(faults.is_empty(), "{} {faults:?}", real.name);
            match value {
                Some(Saved { value: Value::RenderManager(manager), extras: None, .. }) => {
                    let [width, height] = manager.view_size.unwrap();
                    let size =
                        |number: f32| (100.0..5000.0).contains(&number) && number % 1.0 == 0.0;
                    assert!(size(width) && size(height), "{} {width} {height}", real.name);
                    views += 1;
                }
                Some(Saved { value: Value::VariableManager(manager), extras: None, .. }) => {
                    let all = manager.variables.unwrap();
                    assert_eq!(all.reserved, [0; 2], "{}", real.name);
                    assert!(!all.variables.is_empty() || !all.descriptions.is_empty());
                    variables += 1;
                }
                _ => {}
            }
        }
    }
    println!("{views} views, {variables} variable managers");
    assert!(views > 0 && variables > 0);
}
