//! What managers and rare objects save, on chunks that were put together by hand.

use crate::common::class;

use class::{decode, typed};
use spelunk_core::{Budget, Bytes, Error, Limits, Space, Span, scalar::Guid, walk};
use spelunk_fixtures::chunk::Chunk as Sample;
use virtools::{
    chunk::Chunk,
    class::{
        Value, attribute_manager, attribute_manager::Slot, behavior_manager, message_manager,
        time_manager,
    },
    codec::{Saved, read::Reader, walk::Detail},
};

/// Decodes the chunk of a manager, which has to come back byte for byte.
fn manager([d1, d2]: [u32; 2], sample: &Sample) -> (Saved<Value>, Vec<Error>) {
    let bytes = Bytes::from(sample.build().bytes);
    let len = bytes.len() as u64;
    let mut budget = Budget::new(Limits::for_len(len));
    let chunk = Chunk::read(&bytes, Span::file(0, len)).unwrap();
    let mut faults = Vec::new();
    let empty = Value::of_manager(Guid { d1: d1.into(), d2: d2.into() });
    let mut saved = Reader::read(empty, chunk, &bytes, &mut faults, &mut budget).unwrap();
    assert_eq!(saved.write().unwrap().to_bytes().unwrap(), bytes, "written");
    let mut coverage = walk::Coverage::default();
    let walked = saved.walk(chunk, Detail::Bytes, &(), &mut budget, &mut coverage);
    walk::finish(walked).unwrap();
    assert_eq!(coverage.check(Space::FILE, len), [], "walked");
    (saved, faults)
}

fn known(guid: [u32; 2], sample: &Sample) -> Value {
    let (saved, faults) = manager(guid, sample);
    assert!(faults.is_empty() && saved.extras.is_none(), "{faults:?} {:?}", saved.extras);
    saved.value
}

#[test]
fn attributes_have_categories_and_gaps() {
    let sample = Sample::manager(82)
        .identifier(0x52)
        .words(&[2, 3])
        .word(1)
        .string(b"Physics")
        .word(0x20)
        .word(0)
        .word(0)
        .word(1)
        .string_with_garbage(b"Solid")
        .guid((7, 8))
        .words(&[0, 33, 0x12])
        // Any number but 0 means that something follows.
        .word(2)
        .string(b"Rigid")
        .guid((9, 9))
        .words(&[u32::MAX, 41, 0]);
    let Value::AttributeManager(manager) = known(attribute_manager::GUID, &sample) else {
        panic!()
    };
    let tables = manager.tables.unwrap();
    let [Slot { value: Some(physics), .. }, Slot { value: None, .. }] = &tables.categories[..]
    else {
        panic!()
    };
    assert_eq!((physics.name.text(), physics.flags), (&b"Physics"[..], 0x20));
    let attributes: Vec<_> = tables.attributes.iter().map(|slot| slot.present).collect();
    assert_eq!(attributes, [0, 1, 2]);
    assert_eq!(tables.attributes[2].value.as_ref().unwrap().name.text(), b"Rigid");
    let solid = tables.attributes[1].value.as_ref().unwrap();
    assert_eq!((solid.name.text(), solid.parameter_type), (&b"Solid"[..], [7, 8]));
    assert_eq!((solid.category, solid.compatible_class, solid.flags), (0, 33, 0x12));
}

#[test]
fn messages_are_names() {
    let sample =
        Sample::manager(83).identifier(0x53).word(3).string(b"OnClick").string(b"").null_string();
    let Value::MessageManager(manager) = known(message_manager::GUID, &sample) else { panic!() };
    let messages = manager.messages.unwrap();
    assert_eq!(messages[0].text(), b"OnClick");
    assert!(!messages[1].is_null() && messages[2].is_null());
}

#[test]
fn behaviours_have_a_limit() {
    let sample = Sample::manager(0).identifier(0x58D6_21AE).word(80_000);
    let Value::BehaviorManager(manager) = known(behavior_manager::GUID, &sample) else { panic!() };
    assert_eq!(manager.max_iterations, Some(80_000));
}

#[test]
fn time_has_a_shortest_frame_or_none() {
    let old = Sample::manager(1).identifier(0x80).floats(&[60.0, 30.0, 5.0, 1.0]).word(0x82);
    for (sample, min_delta) in [(old.clone(), None), (old.floats(&[1.5]), Some(1.5))] {
        let Value::TimeManager(manager) = known(time_manager::GUID, &sample) else { panic!() };
        let settings = manager.settings.unwrap();
        assert_eq!((settings.frame_limit, settings.behavior_limit), (60.0, 30.0));
        assert_eq!((settings.min_rate, settings.time_scale), (5.0, 1.0));
        assert_eq!((settings.options, settings.min_delta), (0x82, min_delta));
    }
}

#[test]
fn tables_without_end_are_kept_as_they_are() {
    let sample = Sample::manager(82).identifier(0x52).words(&[1, 1000, 0]);
    let (saved, faults) = manager(attribute_manager::GUID, &sample);
    assert_eq!((faults.len(), saved.extras.unwrap().unknown.len()), (1, 1));
}

#[test]
fn states_are_numbers() {
    let Value::State(state) = typed(5, &Sample::object(5).identifier(0x10).word(1)) else {
        panic!()
    };
    assert_eq!(state.state, Some(1));
}

#[test]
fn meeting_points_have_two_lists() {
    let sample = Sample::object(20)
        .identifier(0x10)
        .word(3)
        .object_sequence(&[Some(1), Some(2)])
        .object_sequence(&[]);
    let Value::Synchro(synchro) = typed(20, &sample) else { panic!() };
    let rendezvous = synchro.rendezvous.unwrap();
    assert_eq!(rendezvous.max_waiters, 3);
    assert_eq!((rendezvous.arrived.len(), rendezvous.passed.len()), (2, 0));
}

#[test]
fn critical_sections_have_one_inside() {
    let sample = Sample::object(49).identifier(0x10).object_ref(Some(6));
    let Value::CriticalSection(section) = typed(49, &sample) else { panic!() };
    assert_eq!(section.inside.unwrap().value, 6);
}

#[test]
fn chunks_of_the_editor_need_no_identifiers() {
    let plain = Sample::sub(1).words(&[5, 6]);
    let listed = Sample::sub(1).word(2).object_ref(Some(77));
    let sample = Sample::object(48)
        .identifier(0x0123_4567)
        .word(3)
        .sub_chunk(&plain)
        .sub_chunk(&listed)
        .null_sub_chunk()
        .identifier(0x8765_4321)
        .guid((1, 2));
    let Value::InterfaceObjectManager(manager) = typed(48, &sample) else { panic!() };
    assert_eq!(manager.guid, Some([1, 2]));
    let chunks = manager.chunks.unwrap();
    let there: Vec<bool> = chunks.iter().map(Option::is_some).collect();
    assert_eq!(there, [true, true, false]);
}

#[test]
fn what_does_not_fit_is_kept_as_it_is() {
    for (class, sample) in [
        (5, Sample::object(5).identifier(0x10)),
        (20, Sample::object(20).identifier(0x10).words(&[1, 5])),
        (49, Sample::object(49).identifier(0x10)),
        (48, Sample::object(48).identifier(0x8765_4321).word(1)),
    ] {
        let (saved, faults) = decode(class, &sample);
        assert_eq!(faults.len(), 1, "{class}: {faults:?}");
        assert_eq!(saved.extras.unwrap().unknown.len(), 1, "{class}");
    }
}
