//! What levels, scenes, sounds, animations and tables save, on chunks that were put together by hand.

use crate::common::class;

use class::{decode, fields, typed};
use spelunk_fixtures::chunk::Chunk;
use virtools::{
    class::{
        Value,
        animation::Rate,
        data_array::{Cell, DataArray},
        object_animation::{ObjectAnimation, controller::Keys},
    },
    codec::Text,
};

fn words(all: &[zerocopy::little_endian::U32]) -> Vec<u32> {
    all.iter().map(|word| word.get()).collect()
}

fn table(chunk: &Chunk) -> DataArray {
    let Value::DataArray(value) = typed(52, chunk) else { panic!() };
    *value
}

/// A format of five columns, one of each type.
fn columns(chunk: Chunk) -> Chunk {
    let chunk = chunk.identifier(0x1000).word(5).string(b"int").word(1);
    let chunk = chunk.string(b"float").word(2).string(b"string").word(3);
    chunk.null_string().word(4).string(b"value").word(5).guid((7, 8))
}

#[test]
fn cells_are_as_their_columns_say() {
    let chunk = columns(Chunk::object(52)).identifier(0x2000).word(2);
    let chunk = chunk.word(u32::MAX).floats(&[1.5]).string_with_garbage(b"text");
    let chunk = chunk.object_ref(Some(3)).object_ref(Some(4));
    let chunk = chunk.word(2).floats(&[2.5]).null_string().object_ref(None).object_ref(None);
    let chunk = chunk.identifier(0x4000).words(&[0, 1, u32::MAX]);
    let value = table(&chunk);
    let columns = value.columns.unwrap();
    assert_eq!((columns[0].name.text(), columns[0].column_type), (&b"int"[..], 1));
    assert!(columns[3].name.is_null());
    assert_eq!((columns[3].parameter_type, columns[4].parameter_type), (None, Some([7, 8])));
    let rows = value.rows.unwrap();
    let [
        Cell::Int(-1),
        Cell::Float(1.5),
        Cell::Text(text),
        Cell::Object(object),
        Cell::Parameter(parameter),
    ] = &rows[0].cells[..]
    else {
        panic!("{rows:?}")
    };
    assert_eq!((text.text(), object.value, parameter.value), (&b"text"[..], 3, 4));
    assert!(matches!(&rows[1].cells[2], Cell::Text(text) if text.is_null()));
    let order = value.order.unwrap();
    assert_eq!((order.order, order.sort_column, order.key_column), (0, 1, Some(-1)));

    let shown = fields(52, &chunk);
    assert!(shown.contains(&("data.rows[0].cells[1].value".into(), "1.5".into())), "{shown:?}");
}

#[test]
fn parameters_of_a_table_outside_file_mode_are_whole() {
    let parameter = Chunk::sub(3).identifier(0x40).guid((7, 8)).word(1).buffer(&[9, 0, 0, 0]);
    let chunk = Chunk::sub(52).data_version(4).identifier(0x1000).word(1);
    let chunk = chunk.string(b"value").word(5).guid((7, 8)).identifier(0x2000).word(2);
    let chunk = chunk.sub_chunk(&parameter).null_sub_chunk();
    let value = table(&chunk.identifier(0x4000).words(&[1, 0]));
    let rows = value.rows.unwrap();
    let Cell::Value(Some(saved)) = &rows[0].cells[0] else { panic!("{rows:?}") };
    assert_eq!(saved.value.parameter.parameter.as_ref().unwrap().parameter_type, [7, 8]);
    assert!(matches!(rows[1].cells[0], Cell::Value(None)));
    assert_eq!(value.order.unwrap().key_column, None);
}

#[test]
fn tables_that_do_not_fit_are_kept() {
    // A type of column that is not known.
    let chunk = Chunk::object(52).identifier(0x1000).word(1).string(b"a").word(6);
    let (saved, faults) = decode(52, &chunk.identifier(0x2000).word(1).word(0));
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert_eq!(saved.extras.unwrap().unknown[0].identifier, 0x2000);
    // Rows without columns, and more rows than there is room for.
    assert_eq!(decode(52, &Chunk::object(52).identifier(0x2000).word(9)).1.len(), 1);
    let many = columns(Chunk::object(52)).identifier(0x2000).word(u32::MAX).word(0);
    assert_eq!(decode(52, &many).1.len(), 1);
    // No rows need no columns.
    assert!(table(&Chunk::object(52).identifier(0x2000).word(0)).rows.unwrap().is_empty());
}

#[test]
fn sounds() {
    let source = |class_id| Chunk::object(class_id).identifier(0x1000).word(2).string(b"a.wav");
    let Value::Sound(sound) = typed(24, &source(24)) else { panic!() };
    let from = sound.source.unwrap();
    assert_eq!((from.save_option, from.file.text()), (2, &b"a.wav"[..]));

    let chunk = source(26).identifier(0x10_0000).string(b"b.mid");
    let Value::MidiSound(midi) = typed(26, &chunk) else { panic!() };
    assert_eq!(midi.old_file.unwrap().text(), b"b.mid");

    let vector: Vec<u8> = [1.0_f32, 2.0, 3.0].iter().flat_map(|n| n.to_le_bytes()).collect();
    let settings = |chunk: Chunk| {
        let chunk = chunk.identifier(0x80_0000).word(1500).identifier(0x40_0000).word(0x10A);
        let chunk = chunk.floats(&[0.5, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
        let chunk = chunk.floats(&[90.0, 180.0, 0.25, 1.0, 500.0]).word(1).object_ref(Some(4));
        chunk.buffer(&vector).buffer(&vector).word(0)
    };
    let chunk = settings(source(25)).identifier(0x10_0000).string(b"old.wav");
    let Value::WaveSound(wave) = typed(25, &chunk) else { panic!() };
    assert_eq!((wave.duration, wave.old_file.unwrap().text()), (Some(1500), &b"old.wav"[..]));
    let value = wave.settings.unwrap();
    assert_eq!((value.kind(), value.state, value.priority, value.gain), (2, 0x10A, 0.5, 1.0));
    assert_eq!((value.cone_inner_angle, value.cone_outer_gain), (90.0, 0.25));
    assert_eq!((value.min_distance, value.max_distance), (1.0, 500.0));
    assert_eq!((value.attached_object.value, value.position.items[0][1].get()), (4, 2.0));

    // Data version 2 has another layout, and more than this for all but background sounds.
    let old = |state| {
        let chunk = source(25).data_version(2).identifier(0x40_0000).word(state).floats(&[0.5]);
        chunk.words(&[8, 9]).floats(&[1.0, -0.5, 2.0]).word(7)
    };
    let Value::WaveSound(wave) = typed(25, &old(1)) else { panic!() };
    let value = wave.settings_2.unwrap();
    assert_eq!(
        (value.state, value.priority, value.reserved, value.reserved_2),
        (1, 0.5, [8, 9], 7)
    );
    assert_eq!((value.gain, value.pan, value.pitch), (1.0, -0.5, 2.0));
    assert!(value.place.is_none() && wave.settings.is_none());
    let chunk = old(2).words(&[5, 6]).floats(&[90.0, 180.0, 0.25, 1.0, 500.0]).word(1);
    let chunk = chunk.object_ref(Some(4)).buffer(&vector).buffer(&vector).word(0);
    let Value::WaveSound(wave) = typed(25, &chunk) else { panic!() };
    let place = wave.settings_2.unwrap().place.unwrap();
    assert_eq!((place.cone_inner_angle, place.cone_outer_angle), (90.0, 180.0));
    assert_eq!((place.min_distance, place.max_distance), (1.0, 500.0));
    assert_eq!((place.attached_object.value, place.direction.items[0][2].get()), (4, 3.0));
    assert_eq!(decode(25, &old(2)).1.len(), 1, "it has to be somewhere");
    // Of data versions 0 and 1 engines read the loop alone.
    for version in [0, 1] {
        let chunk = source(25).data_version(version).identifier(0x40_0000);
        let chunk = chunk.words(&[1; 8]).word(7).words(&[2; 11]);
        let Value::WaveSound(wave) = typed(25, &chunk) else { panic!() };
        let value = wave.settings_0.unwrap();
        assert_eq!((value.before, value.looped, value.behind), ([1; 8], 7, [2; 11]));
    }
    let short = source(25).identifier(0x40_0000).word(2).floats(&[1.0]);
    assert_eq!(decode(25, &short).1.len(), 1);
}

/// The objects of a scene in a sub-chunk: one with a value, one without.
fn scene(chunk: Chunk) -> Chunk {
    let value = Chunk::sub(33).data_version(10).identifier(4);
    let other = Chunk::sub(9999).identifier(0x77).words(&[1, 2]);
    let chunk = chunk.identifier(0x2_0000).object_ref(Some(1)).word(2);
    let chunk = chunk.object_sequence(&[Some(5), Some(6)]);
    let chunk = chunk.sub_chunk_sequence(&[Some(value), None, Some(other), None]);
    let chunk = chunk.words(&[0x49, 0x50]).identifier(0x4_0000).word(3);
    let chunk = chunk.identifier(0x8_0000).words(&[0xFF00_0000, 0xFF10_1010, 3, 0xFF20_2020]);
    chunk.floats(&[1.0, 100.0, 0.5]).object_ref(Some(7)).object_ref(None)
}

#[test]
fn scenes_hold_objects_and_how_they_start() {
    let Value::Scene(value) = typed(10, &scene(Chunk::object(10))) else { panic!() };
    let objects = value.objects.unwrap();
    assert_eq!((objects.level.value, words(&objects.objects)), (1, vec![5, 6]));
    assert_eq!(words(&objects.flags), [0x49, 0x50]);
    let [Some(first), None, Some(second), None] = &objects.values[..] else { panic!() };
    let Value::Entity3d(entity) = &first.value.0 else { panic!("{first:?}") };
    assert!(entity.be_object.object.hidden);
    assert!(matches!(second.value.0, Value::Unknown));
    assert_eq!(second.extras.as_ref().unwrap().unknown[0].identifier, 0x77);
    assert_eq!(value.flags, Some(3));
    let environment = value.environment.unwrap();
    assert_eq!((environment.fog_mode, environment.fog_end), (3, 100.0));
    assert_eq!(environment.background_texture.value, 7);
    assert_eq!(environment.starting_camera.value, u32::MAX);

    let none = Chunk::object(10).identifier(0x2_0000).object_ref(None).word(0);
    let Value::Scene(empty) = typed(10, &none) else { panic!() };
    assert!(empty.objects.unwrap().objects.is_empty());

    // Data version 0 has another layout, and is kept.
    let (saved, faults) = decode(10, &none.data_version(0));
    assert!(faults.is_empty() && saved.value_is_kept(0x2_0000), "{faults:?}");
}

trait Kept {
    fn value_is_kept(&self, identifier: u32) -> bool;
}

impl Kept for virtools::codec::Saved<Value> {
    fn value_is_kept(&self, identifier: u32) -> bool {
        let unknown = self.extras.iter().flat_map(|extras| &extras.unknown);
        unknown.into_iter().any(|section| section.identifier == identifier)
    }
}

#[test]
fn levels_hold_a_scene() {
    let inner = scene(Chunk::sub(10).data_version(10));
    let chunk = Chunk::object(21).identifier(0x2000_0000).object_sequence(&[]);
    let chunk = chunk.object_sequence(&[]).object_sequence(&[Some(3)]);
    let chunk = chunk.identifier(0x8000_0000).object_ref(None).object_ref(Some(2));
    let chunk = chunk.sub_chunk(&inner).identifier(0x2000).guid((1, 2)).guid((3, 4));
    let chunk = chunk.identifier(0x4000).string(b"one").string(b"").null_string();
    let Value::Level(level) = typed(21, &chunk) else { panic!() };
    let lists = level.lists.unwrap();
    assert!(lists.first.is_empty() && lists.second.is_empty());
    assert_eq!(words(&lists.scenes), [3]);
    let own = level.scene.unwrap();
    assert_eq!((own.current.value, own.level_scene.value), (u32::MAX, 2));
    let saved = own.scene.unwrap();
    assert!(!saved.header.file_mode && saved.extras.is_none());
    assert_eq!(words(&saved.value.objects.unwrap().objects), [5, 6]);
    let managers = level.inactive_managers.unwrap();
    assert_eq!((managers.len(), words(&managers[1])), (2, vec![3, 4]));
    let names = level.duplicate_managers.unwrap();
    let texts: Vec<&[u8]> = names.names.iter().map(|name| name.text()).collect();
    assert_eq!(texts, [&b"one"[..], b""]);
    assert!(names.unread.is_empty());
    // Each manager has its end: engines read the names up to the first one.
    let sample = Chunk::object(21).identifier(0x4000).string(b"one").null_string();
    let sample = sample.null_string().string(b"two").null_string();
    let Value::Level(level) = typed(21, &sample) else { panic!() };
    let names = level.duplicate_managers.unwrap();
    let texts = |names: &[Text]| names.iter().map(|name| name.text().to_vec()).collect::<Vec<_>>();
    assert_eq!(texts(&names.names), [b"one"]);
    assert_eq!(texts(&names.unread), [&b""[..], b"two", b""]);

    // Without the null string the names do not end.
    let open = Chunk::object(21).identifier(0x4000).string(b"one");
    assert_eq!(decode(21, &open).1.len(), 1);
    let short = Chunk::object(21).identifier(0x8000_0000).object_ref(None).object_ref(None);
    assert_eq!(decode(21, &short.word(50)).1.len(), 1);
}

#[test]
fn animations() {
    let common = |chunk: Chunk| {
        let chunk = chunk.identifier(0x40).floats(&[25.0]);
        let chunk = chunk.identifier(0x80).object_sequence(&[]).object_ref(Some(2));
        let chunk = chunk.identifier(0x100).object_ref(None);
        chunk.identifier(0x200).floats(&[3.0])
    };
    let modern = common(Chunk::object(18).identifier(0x10).word(5).floats(&[30.0]));
    let Value::Animation(value) = typed(16, &modern) else { panic!() };
    assert_eq!(value.rate, Some(Rate::Modern { flags: 5, frame_rate: 30.0 }));
    assert_eq!((value.length, value.current_step), (Some(25.0), Some(3.0)));
    assert_eq!((value.root.unwrap().root.value, value.character.unwrap().value), (2, u32::MAX));

    let old = Chunk::object(16).identifier(0x10).words(&[1, 0]).floats(&[30.0]);
    let Value::Animation(value) = typed(16, &common(old)) else { panic!() };
    assert_eq!(value.rate, Some(Rate::Old { interruptible: 1, linked: 0, frame_rate: 30.0 }));

    // Engines pass over a rate of another size.
    let long = Chunk::object(16).identifier(0x10).words(&[1, 0, 0, 0]);
    assert!(decode(16, &long).0.value_is_kept(0x10));

    // Outside file mode the animations of single objects are saved along.
    let part = Chunk::sub(15).data_version(10).identifier(0x200_0000).object_ref(Some(3));
    let part = part.floats(&[0.0; 7]).word(0).object_ref(Some(5));
    let whole = Chunk::sub(18).data_version(10).identifier(0x20_0000).word(2);
    let whole = whole.object_ref(Some(8)).sub_chunk(&part).object_ref(None).null_sub_chunk();
    let Value::KeyedAnimation(value) = typed(18, &whole) else { panic!() };
    let [first, second] = &value.parts.unwrap()[..] else { panic!() };
    assert_eq!((first.animation.value, second.animation.value), (8, 0));
    assert!(second.value.is_none());
    let shared = first.value.as_ref().unwrap().value.shared.as_ref().unwrap();
    assert_eq!((shared.source.value, shared.head.entity.value), (3, 5));

    let keyed = modern.identifier(0x1000).object_sequence(&[Some(8), Some(9)]);
    let keyed = keyed.identifier(0x10_0000).word(1).floats(&[0.5]);
    let Value::KeyedAnimation(value) = typed(18, &keyed) else { panic!() };
    assert_eq!(words(&value.animations.unwrap()), [8, 9]);
    let merge = value.merge.unwrap();
    assert_eq!((merge.merged, merge.factor), (1, 0.5));

    let chain = Chunk::object(13).identifier(0xFF).object_ref(None);
    let chain = chain.object_ref(Some(1)).object_ref(Some(2));
    let Value::KinematicChain(value) = typed(13, &chain) else { panic!() };
    let chain = value.chain.unwrap();
    assert_eq!((chain.reserved.value, chain.start.value, chain.end.value), (u32::MAX, 1, 2));
    assert_eq!(decode(13, &Chunk::object(13).identifier(0xFF).word(0)).1.len(), 1);
}

fn object_animation(chunk: &Chunk) -> ObjectAnimation {
    let Value::ObjectAnimation(value) = typed(15, chunk) else { panic!() };
    *value
}

fn animation(flags: u32) -> Chunk {
    let chunk = Chunk::object(15).identifier(0x400_0000);
    chunk
        .floats(&[1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0])
        .word(flags)
        .object_ref(Some(4))
        .floats(&[9.0])
}

/// A controller of `count` keys of `len` dwords, which count up from 0.
fn controller(chunk: Chunk, controller_type: u32, count: u32, len: u32) -> Chunk {
    let numbers: Vec<f32> = (0..count * len).map(|n| n as f32).collect();
    chunk.words(&[controller_type, 1 + count * len, count]).floats(&numbers)
}

#[test]
fn keys_are_as_the_type_of_their_controller_says() {
    let mut chunk = animation(0x80).floats(&[0.5]).object_ref(Some(5)).object_ref(Some(6));
    let types = [
        (0x637C_4301, 4),
        (0x654A_3A04, 4),
        (0x49ED_4002, 5),
        (0x2F20_0B08, 5),
        (0x347E_4A01, 9),
        (0x1B54_5904, 9),
        (0x45B5_2A02, 10),
        (0x3259_5908, 10),
    ];
    for (controller_type, len) in types {
        chunk = controller(chunk, controller_type, 2, len);
    }
    // Keys with the tangents that their flags tell of: none, the first, the second, both.
    for controller_type in [0x921A_B801, 0x18AB_4404] {
        chunk = chunk.words(&[controller_type, 1 + 5 + 8 + 8 + 11, 4]);
        for (flags, tangents) in [(0x1F_0001, 0), (0x20, 1), (0x20_0000, 1), (0x20_0020, 2)] {
            let chunk_of_key = chunk.floats(&[3.0, 1.0, 2.0, 4.0]).word(flags);
            chunk = chunk_of_key.floats(&[5.0, 6.0, 7.0, 8.0, 9.0, 10.0][..tangents * 3]);
        }
    }
    // Keys that take 44 bytes each, whatever their flags say.
    chunk = chunk.words(&[0x921A_B801, 1 + 22, 2]);
    for time in [1.0, 2.0] {
        chunk = chunk.floats(&[time, 1.0, 2.0, 3.0]).word(0).floats(&[4.0; 6]);
    }
    // Shapes of two vertices, with normals and without.
    let chunk = chunk.words(&[0x7384_7810, 3 + 2 * 9, 2, 2, 1]);
    let chunk = chunk.floats(&[1.0; 7]).words(&[5, 6]).floats(&[2.0; 7]).words(&[7, 8]);
    let chunk = chunk.words(&[0x7384_7810, 3 + 7, 1, 2, 0]).floats(&[1.0; 7]);
    // A type that is not known, one whose size does not fit, and the end.
    let chunk = chunk.words(&[0x1234, 2, 9, 9, 0x637C_4301, 3, 1, 1, 1, 0x637C_4301, 0, 0]);
    let value = object_animation(&chunk).animation.unwrap();
    assert_eq!((value.head.root_position, value.head.flags), ([1.0, 2.0, 3.0], 0x80));
    assert_eq!((value.head.entity.value, value.length), (4, 9.0));
    let merge = value.merge.unwrap();
    assert_eq!((merge.factor, merge.first.value, merge.second.value), (0.5, 5, 6));
    assert_eq!(value.controllers.len(), 16);
    let all = &value.controllers;
    for controller in &all[..2] {
        assert!(matches!(&controller.keys, Keys::Vectors(keys)
            if keys.len() == 2 && keys[1].time.get() == 4.0 && keys[1].z.get() == 7.0));
    }
    for controller in &all[2..4] {
        assert!(matches!(&controller.keys, Keys::Quaternions(keys)
            if keys[1].time.get() == 5.0 && keys[1].w.get() == 9.0));
    }
    for controller in &all[4..6] {
        assert!(matches!(&controller.keys, Keys::TcbVectors(keys)
            if keys[1].time.get() == 9.0 && keys[1].ease_from.get() == 17.0));
    }
    for controller in &all[6..8] {
        assert!(matches!(&controller.keys, Keys::TcbQuaternions(keys)
            if keys[1].time.get() == 10.0 && keys[1].tension.get() == 15.0));
    }
    for controller in &all[8..10] {
        let Keys::Bezier(keys) = &controller.keys else { panic!("{controller:?}") };
        let tangents = |index: usize| (keys[index].first_tangent, keys[index].second_tangent);
        let (low, high) = (Some([5.0, 6.0, 7.0]), Some([8.0, 9.0, 10.0]));
        assert_eq!([tangents(0), tangents(1)], [(None, None), (low, None)]);
        assert_eq!([tangents(2), tangents(3)], [(None, low), (low, high)]);
        assert_eq!((keys[3].time, keys[3].value, keys[0].flags), (3.0, [1.0, 2.0, 4.0], 0x1F_0001));
    }
    assert!(matches!(&all[10].keys, Keys::FixedBezier(keys)
        if keys[1].time.get() == 2.0 && keys[1].out_z.get() == 4.0));
    let Keys::Morph(morph) = &all[11].keys else { panic!("{:?}", all[11]) };
    assert_eq!((morph.vertices, morph.has_normals, morph.keys.len()), (2, 1, 2));
    assert_eq!(words(morph.keys[1].normals.as_ref().unwrap()), [7, 8]);
    assert_eq!(morph.keys[1].positions[1][2].get(), 2.0);
    let Keys::Morph(morph) = &all[12].keys else { panic!("{:?}", all[12]) };
    assert!(morph.has_normals == 0 && morph.keys[0].normals.is_none());
    for (controller, dwords) in all[13..].iter().zip([2, 3, 0]) {
        assert!(matches!(&controller.keys, Keys::Other(words) if words.len() == dwords));
    }
}

#[test]
fn animations_without_an_end_are_kept() {
    let (saved, faults) = decode(15, &controller(animation(0), 0x637C_4301, 1, 4));
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(saved.value_is_kept(0x400_0000));
    let past = animation(0).words(&[0x637C_4301, 50, 1, 0]);
    assert!(decode(15, &past).0.value_is_kept(0x400_0000));
}

#[test]
fn shared_and_old_animations() {
    let head = [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0];
    let chunk = Chunk::object(15).identifier(0x200_0000).object_ref(Some(3)).floats(&head);
    let value = object_animation(&chunk.word(4).object_ref(Some(5))).shared.unwrap();
    assert_eq!((value.source.value, value.head.flags, value.head.entity.value), (3, 4, 5));
    assert!(value.merge.is_none());
    let chunk = Chunk::object(15).identifier(0x200_0000).object_ref(Some(3)).floats(&head);
    let chunk = chunk.word(0x80).object_ref(None).floats(&[0.5]).object_ref(Some(1));
    let merge = object_animation(&chunk.object_ref(Some(2))).shared.unwrap().merge.unwrap();
    assert_eq!((merge.factor, merge.second.value), (0.5, 2));

    let chunk = Chunk::object(15).data_version(1).identifier(0x1000).floats(&head);
    // One key of shape of two vertices, and two animations of which it was made.
    let chunk = chunk.words(&[2, 1, 0x84]).object_ref(Some(5)).floats(&[9.0]);
    let chunk = chunk.floats(&[0.25]).object_ref(Some(6)).object_ref(Some(7));
    let chunk = chunk.floats(&[3.0]).buffer(&[1; 24]);
    let chunk = chunk.words(&[16, 1]).floats(&[0.0, 1.0, 2.0, 3.0]).words(&[0, 0]);
    let chunk = chunk.words(&[20, 1]).floats(&[0.0, 0.0, 0.0, 0.0, 1.0]);
    let chunk = chunk.words(&[24, 1]).floats(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    let chunk = chunk.identifier(0x100_0000).buffer(&[1, 2, 3, 4, 5, 6, 7, 8]);
    let animation = object_animation(&chunk);
    assert_eq!(animation.old_normals.unwrap()[0].items[1].get(), 0x0807_0605);
    let old = animation.old_animation.unwrap();
    assert_eq!((old.head, old.flags, old.entity.value, old.length), (head, 0x84, 5, 9.0));
    let merge = old.merge.unwrap();
    assert_eq!((merge.factor, merge.first.value, merge.second.value), (0.25, 6, 7));
    assert_eq!((old.morphs[0].time, old.morphs[0].data.items.len()), (3.0, 24));
    assert_eq!((old.position.count, old.position.values[3].get()), (1, 3.0));
    assert_eq!((old.scale.size, old.rotation.values.len(), old.axis.values.len()), (0, 5, 6));
}

/// Chunks of data version 0 have a section for each part of an animation.
#[test]
fn the_oldest_animations() {
    let keys = |chunk: Chunk, len: u32| {
        chunk.words(&[4 * len, 1]).floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0][..len as usize])
    };
    let chunk = Chunk::object(15).data_version(0).identifier(0x1000).floats(&[1.0, 2.0, 3.0]);
    let chunk = chunk.identifier(0x20_0000).words(&[1, 2]).floats(&[4.0]).buffer(&[9; 24]);
    let chunk = keys(chunk.identifier(0x4000), 4);
    let chunk = keys(keys(chunk.identifier(0x8000), 5), 6);
    let chunk = keys(chunk.identifier(0x2_0000), 4).identifier(0x4_0000).word(0x80);
    let chunk = chunk.identifier(0x8_0000).object_ref(Some(7)).identifier(0x2000).floats(&[25.0]);
    let chunk = chunk.identifier(0x10_0000).floats(&[0.5]).word(1);
    let value = object_animation(&chunk.object_ref(Some(8)).object_ref(Some(9)));
    let oldest = value.oldest.unwrap();
    assert_eq!(oldest.root_position, Some([1.0, 2.0, 3.0]));
    let morph = oldest.morph.unwrap();
    assert_eq!((morph.count, morph.vertices, morph.keys[0].data.items.len()), (1, 2, 24));
    assert_eq!(oldest.position.unwrap().values[3].get(), 4.0);
    let [rotation, axis] = oldest.rotation.unwrap();
    assert_eq!((rotation.values.len(), axis.values.len()), (5, 6));
    assert_eq!((oldest.scale.unwrap().count, oldest.flags), (1, Some(0x80)));
    assert_eq!((oldest.entity.unwrap().value, oldest.length), (7, Some(25.0)));
    let merge = oldest.merge.unwrap();
    assert_eq!((merge.merged, merge.merge.factor, merge.merge.second.value), (1, 0.5, 9));
    // No keys of shape: no vertices either.
    let none = Chunk::object(15).data_version(0).identifier(0x20_0000).word(0);
    assert_eq!(object_animation(&none).oldest.unwrap().morph.unwrap().count, 0);
}

/// Each level starts with another one.
#[test]
fn scenes_inside_scenes_end_at_a_limit() {
    let mut level = Chunk::sub(21).data_version(10);
    for _ in 0..100 {
        let scene = Chunk::sub(10).data_version(10).identifier(0x2_0000).object_ref(None).word(1);
        let scene = scene.object_sequence(&[Some(1)]);
        let scene = scene.sub_chunk_sequence(&[Some(level), None]).word(0);
        let next = Chunk::sub(21).data_version(10).identifier(0x8000_0000);
        level = next.object_ref(None).object_ref(None).sub_chunk(&scene);
    }
    let (_, faults) = decode(21, &level);
    assert!(faults.iter().any(|fault| fault.code().id == "VT080"), "{faults:?}");
}
