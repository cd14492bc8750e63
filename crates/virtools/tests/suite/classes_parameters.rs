//! What parameters, their inputs and operations save, on chunks that were put together by hand.

use crate::common::class;

use class::{decode, fields, typed};
use spelunk_fixtures::chunk::{Chunk, Guid};
use virtools::class::{
    Value,
    parameter::{Value as Stored, parameter_value::ChunkValue},
    parameter_in::ParameterIn,
    parameter_operation::ParameterOperation,
    parameter_type,
};

const ADD: Guid = (0x1111, 0x2222);
const MESSAGES: Guid = (0x466A_0FAC, 0);

fn guid(name: &str) -> Guid {
    let [d1, d2] = parameter_type::guid(name).unwrap();
    (d1, d2)
}

/// A parameter of a type; what follows is its state.
fn parameter(name: &str) -> Chunk {
    Chunk::object(46).identifier(0x40).guid(guid(name))
}

fn stored(sample: &Chunk) -> Stored {
    let Value::Parameter(parameter) = typed(46, sample) else { panic!() };
    parameter.parameter.unwrap().value
}

fn shown(sample: &Chunk) -> Vec<(String, String)> {
    fields(46, sample).split_off(1)
}

fn chunk_value(chunk: &Chunk) -> ChunkValue {
    let sample = parameter("STATECHUNK").word(0).sub_chunk(chunk);
    let Stored::Chunk(Some(saved)) = stored(&sample) else { panic!() };
    assert!(saved.extras.is_none(), "{:?}", saved.extras);
    saved.value
}

#[test]
fn the_state_tells_how_a_value_is_stored() {
    assert!(matches!(stored(&parameter("INT")), Stored::Absent));
    assert!(matches!(stored(&parameter("POINTER").word(0).null_sub_chunk()), Stored::Chunk(None)));
    assert!(matches!(stored(&parameter("INT").word(1).buffer(&[1, 0, 0, 0])), Stored::Buffer(_)));
    assert!(matches!(stored(&parameter("INT").word(3)), Stored::None));
    let object = stored(&parameter("MESH").word(2).object_ref(Some(7)));
    assert!(matches!(object, Stored::Object(reference) if reference.value == 7));
    let of_types = stored(&parameter("PARAMETERTYPE").word(1).guid(guid("INT")));
    assert!(matches!(of_types, Stored::Type(known) if known == [0x5A57_16FD, 0x44E2_76D7]));
    let number = stored(&parameter("MESSAGE").manager_int(MESSAGES, 5));
    assert!(matches!(number, Stored::Manager(number) if number.value == 5));
}

#[test]
fn values_are_shown_as_their_types() {
    let of = |name, bytes: &[u8]| shown(&parameter(name).word(1).buffer(bytes));
    assert_eq!(of("FLOAT", &1.5_f32.to_le_bytes()), [("parameter.value".into(), "1.5".into())]);
    assert_eq!(of("INT", &[0xFF; 4]), [("parameter.value".into(), "-1".into())]);
    let vector: Vec<u8> = [1.0_f32, 2.0, 3.0].iter().flat_map(|n| n.to_le_bytes()).collect();
    assert_eq!(of("VECTOR", &vector).len(), 3);
    assert_eq!(of("STRING", b"ab\0").len(), 1);
    // Bytes that are no value of the type, and several values.
    assert_eq!(of("FLOAT", &[1, 2, 3]).len(), 1);
    assert_eq!(of("FLOAT", &[0; 8]).len(), 2);
}

#[test]
fn structures_hold_parameters() {
    let member = Chunk::sub(3).data_version(10).identifier(0x40).guid(guid("MESH")).word(2);
    let chunk = Chunk::sub(1)
        .identifier(0x1234_8765)
        .word(2)
        .sub_chunk(&member.object_ref(Some(99)))
        .null_sub_chunk();
    let members = chunk_value(&chunk).members.unwrap();
    let [Some(member), None] = &members[..] else { panic!() };
    let content = member.value.parameter.parameter.as_ref().unwrap();
    assert!(matches!(content.value, Stored::Object(reference) if reference.value == 99));
}

#[test]
fn curves_have_points_with_or_without_numbers() {
    let numbers = [0.0, 1.0, 0.1, 0.2, 0.3, 0.0, 0.0, 4.0, 5.0, 6.0, 7.0];
    let inner = Chunk::sub(14)
        .data_version(10)
        .identifier(0x100)
        .object_sequence(&[None, None])
        .floats(&[0.25])
        .word(0x1000_0001)
        .floats(&numbers)
        .word(2);
    let curve = chunk_value(&Chunk::sub(14).identifier(0x0E).sub_chunk(&inner)).curve.unwrap();
    let curve = curve.unwrap().value.curve.unwrap();
    assert_eq!((curve.fitting, curve.points.len()), (0.25, 2));
    let data = curve.points[0].data.unwrap();
    assert_eq!((data.position, data.tcb), ([0.0, 1.0], [0.1, 0.2, 0.3]));
    assert_eq!((data.tangent_in, data.tangent_out), ([4.0, 5.0], [6.0, 7.0]));
    assert!(curve.points[1].data.is_none());
}

#[test]
fn curves_of_the_oldest_files_have_points_of_their_own() {
    let point = Chunk::sub(1).identifier(0x10).floats(&[1.0, 2.0]);
    let inner = Chunk::sub(14)
        .identifier(0x40)
        .floats(&[0.5])
        .identifier(0x3_F800)
        .word(2)
        .object_ref(Some(31))
        .sub_chunk(&point)
        .object_ref(None)
        .null_sub_chunk();
    let curve = chunk_value(&Chunk::sub(14).identifier(0x0E).sub_chunk(&inner)).curve.unwrap();
    let saved = curve.unwrap();
    assert!(saved.extras.is_none());
    assert_eq!(saved.value.old_fitting, Some(0.5));
    let points = saved.value.old_points.unwrap();
    assert_eq!((points.len(), points[0].object.value), (2, 31));
    assert!(points[0].content.is_some() && points[1].content.is_none());
}

#[test]
fn dependencies_are_none_all_or_listed() {
    assert!(chunk_value(&Chunk::sub(1).identifier(0x1224_8766)).no_dependencies);
    assert!(chunk_value(&Chunk::sub(1).identifier(0x1224_8767)).all_dependencies);
    let listed = Chunk::sub(1).identifier(0x1224_8768).words(&[33, 7, 30, 1]);
    let pairs = chunk_value(&listed).dependencies.unwrap();
    assert_eq!(
        pairs.iter().map(|pair| pair.map(|n| n.get())).collect::<Vec<_>>(),
        [[33, 7], [30, 1]]
    );
}

#[test]
fn collections_hold_raw_ids() {
    let chunk = Chunk::sub(80).identifier(0x50).object_sequence(&[Some(4000), None]);
    assert_eq!(chunk_value(&chunk).objects.unwrap().len(), 2);
}

#[test]
fn outputs_and_locals_say_more() {
    let sample = Chunk::object(3)
        .identifier(0x40)
        .guid(guid("INT"))
        .word(3)
        .identifier(0x20)
        .object_sequence(&[Some(1), Some(2)]);
    let Value::ParameterOut(out) = typed(3, &sample) else { panic!() };
    assert_eq!(out.destinations.unwrap().len(), 2);
    let Value::ParameterLocal(local) = typed(45, &Chunk::object(45).identifier(0x200)) else {
        panic!()
    };
    assert!(local.myself && !local.setting && local.parameter.parameter.is_none());
}

fn input(sample: &Chunk) -> ParameterIn {
    let Value::ParameterIn(input) = typed(2, sample) else { panic!() };
    input
}

#[test]
fn inputs_have_a_source_or_share_one() {
    let sample = Chunk::object(2)
        .identifier(0x1000)
        .guid(guid("INT"))
        .object_ref(Some(3))
        .identifier(0x2000);
    let one = input(&sample);
    let source = one.source.unwrap();
    assert!(one.disabled && source.owner.is_none() && source.parameter.value == 3);
    let sample = Chunk::object(2).identifier(0x800).guid(guid("INT")).object_ref(Some(4));
    assert_eq!(input(&sample).shared.unwrap().parameter.value, 4);
}

#[test]
fn old_inputs_name_their_owner() {
    for identifier in [0x1000, 0x800] {
        let sample = Chunk::object(2)
            .data_version(4)
            .identifier(identifier)
            .guid(guid("INT"))
            .object_ref(Some(9))
            .object_ref(Some(3));
        let one = input(&sample);
        let source = one.source.or(one.shared).unwrap();
        assert_eq!((source.owner.unwrap().value, source.parameter.value), (9, 3));
    }
    let sample = Chunk::object(2)
        .identifier(0x400)
        .guid(guid("INT"))
        .object_ref(Some(1))
        .object_ref(Some(2))
        .object_ref(None);
    let all = input(&sample).default.unwrap();
    assert_eq!([all.owner, all.shared, all.source].map(|one| one.value), [1, 2, u32::MAX]);
    let oldest = Chunk::sub(2)
        .version(3)
        .identifier(0x80)
        .object_ref(Some(100))
        .identifier(0x100)
        .object_ref(None)
        .identifier(0x200)
        .object_ref(Some(102));
    let one = input(&oldest);
    let all = [one.old_owner, one.old_shared, one.old_source];
    assert_eq!(all.map(|one| one.unwrap().value), [100, 0, 102]);
}

fn operation(sample: &Chunk) -> ParameterOperation {
    let Value::ParameterOperation(operation) = typed(4, sample) else { panic!() };
    *operation
}

#[test]
fn operations_have_two_inputs_and_a_result() {
    let modern =
        Chunk::object(4).identifier(0x400).guid(ADD).object_sequence(&[Some(1), None, Some(3)]);
    let told = operation(&modern).operation.unwrap();
    assert_eq!(told.operation, [ADD.0, ADD.1]);
    let ends = [told.first(), told.second(), told.output()];
    assert_eq!(ends.map(|end| end.unwrap().value), [1, u32::MAX, 3]);
    assert!(told.owner().is_none());
}

#[test]
fn old_operations_name_their_owner_counted_or_not() {
    let all = [Some(9), Some(1), Some(2), Some(3)];
    let old = Chunk::object(4).data_version(4).identifier(0x400).guid(ADD);
    let counted = old.clone().object_sequence(&all);
    let uncounted = old.object_sequence(&all[..3]).object_ref(all[3]);
    let raw = Chunk::sub(4).data_version(4).identifier(0x400).guid(ADD);
    let raw = raw.object_sequence(&all[..3]).object_ref(all[3]);
    for sample in [counted, uncounted, raw] {
        let told = operation(&sample).operation.unwrap();
        let ends = [told.owner(), told.first(), told.second(), told.output()];
        assert_eq!(ends.map(|end| end.unwrap().value), [9, 1, 2, 3]);
    }
}

#[test]
fn states_of_operations_hold_their_parameters_or_not() {
    let input = Chunk::sub(2).data_version(10).identifier(0x1000).guid(guid("INT"));
    let input = input.object_ref(Some(50));
    let output = Chunk::sub(3).data_version(10).identifier(0x40).guid(guid("INT")).word(3);
    let state = Chunk::sub(4)
        .data_version(10)
        .identifier(0x100)
        .guid(ADD)
        .identifier(0x200)
        .object_ref(Some(20))
        .identifier(0x80)
        .object_ref(Some(21))
        .sub_chunk(&output)
        .identifier(0x40)
        .object_ref(Some(22))
        .sub_chunk(&input)
        .object_ref(None)
        .null_sub_chunk();
    let told = operation(&state);
    assert_eq!((told.old_operation, told.old_owner.unwrap().value), (Some([ADD.0, ADD.1]), 20));
    assert!(matches!(told.old_output.unwrap().content, Some(Some(_))));
    let [first, second] = told.old_inputs.unwrap();
    assert_eq!(first.content.unwrap().unwrap().value.source.unwrap().parameter.value, 50);
    assert!(matches!(second.content, Some(None)));

    for sample in [Chunk::object(4), Chunk::sub(4), Chunk::sub(4).version(3)] {
        let plain = sample
            .identifier(0x80)
            .object_ref(Some(21))
            .identifier(0x40)
            .object_ref(Some(22))
            .object_ref(Some(23));
        let told = operation(&plain);
        assert!(told.old_output.unwrap().content.is_none());
        let [first, second] = told.old_inputs.unwrap();
        assert_eq!((first.parameter.value, second.parameter.value), (22, 23));
        assert!(first.content.is_none() && second.content.is_none());
    }
}

#[test]
fn what_does_not_fit_is_kept_as_it_is() {
    for (class, sample) in [
        (2, Chunk::object(2).identifier(0x1000).guid(guid("INT"))),
        (4, Chunk::object(4).identifier(0x400).guid(ADD).word(3).word(1)),
        (46, parameter("INT").word(1).word(400)),
    ] {
        let (saved, faults) = decode(class, &sample);
        assert_eq!(faults.len(), 1, "{class}: {faults:?}");
        assert_eq!(saved.extras.unwrap().unknown.len(), 1, "{class}");
    }
}
