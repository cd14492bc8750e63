//! What `CKObject`, `CKBeObject` and `CKGroup` save, on chunks that were put together by hand.

use crate::common::class;

use class::{decode, fields, typed};
use spelunk_fixtures::chunk::{Chunk, Guid};
use virtools::class::{
    Value,
    be_object::{BeObject, HAS_PRIORITY},
    group::Group,
    parameter::Value as Stored,
};

const ATTRIBUTES: Guid = (0x3D24_2466, 0);
const FLOAT: Guid = (0x4788_4C3F, 0x432C_2C20);

fn group(sample: &Chunk) -> Group {
    let Value::Group(group) = typed(23, sample) else { panic!() };
    *group
}

fn be_object(sample: &Chunk) -> BeObject {
    group(sample).be_object
}

/// A parameter that holds one float, as it is saved inside of others.
fn float(value: f32) -> Chunk {
    let bytes = value.to_le_bytes();
    Chunk::sub(3).data_version(10).identifier(0x40).guid(FLOAT).word(1).buffer(&bytes)
}

#[test]
fn flags_are_there_or_not() {
    let Value::Object(object) = typed(1, &Chunk::object(1).identifier(0x18)) else { panic!() };
    assert!(object.hierarchically_hidden && !object.hidden);
    let both = Chunk::object(1).identifier(4).identifier(0x18);
    assert_eq!(
        fields(1, &both),
        [("hidden".into(), "true".into()), ("hierarchically_hidden".into(), "true".into())]
    );
}

#[test]
fn names_in_chunks_of_old_files_are_text() {
    let name = |class_id, version| {
        let sample =
            Chunk::object(class_id).data_version(version).identifier(1).string(b"Stra\xDFe");
        fields(class_id, &sample)
    };
    let told = [("object.name".to_owned(), "\"Stra\\xdfe\\x00\"".to_owned())];
    assert_eq!(name(23, 10), told);
    // Identifier 4 of old links is no flag of theirs, identifier 1 is their name all the same.
    assert_eq!(name(6, 4), told);
    assert_eq!(name(6, 10), told);
    // What is no text stays as it is.
    let odd = Chunk::object(23).identifier(1).words(&[99, 0]);
    let (_, faults) = decode(23, &odd);
    assert_eq!(faults.iter().map(|fault| fault.code().id).collect::<Vec<_>>(), ["VT057"]);
}

#[test]
fn groups_keep_null_members_and_their_order() {
    let sample = Chunk::object(23)
        .identifier(0x400)
        .word(0x49)
        .identifier(0xF_FFFF)
        .object_sequence(&[Some(2), None, Some(1)]);
    let group = group(&sample);
    let members: Vec<u32> = group.members.unwrap().iter().map(|member| member.get()).collect();
    assert_eq!(members, [2, u32::MAX, 1]);
    assert_eq!(group.be_object.scene_flags, Some(0x49));
}

#[test]
fn scripts_and_old_behaviours_are_lists() {
    let sample = Chunk::object(23)
        .data_version(4)
        .identifier(0x800)
        .object_sequence(&[Some(5)])
        .identifier(0x100)
        .object_sequence(&[Some(6), Some(7)]);
    let object = be_object(&sample);
    assert_eq!(object.scripts.unwrap().len(), 1);
    assert_eq!(object.behaviors.unwrap().len(), 2);
}

#[test]
fn priorities_have_more_before_them_in_old_files() {
    let modern = Chunk::object(23).identifier(0x40).words(&[HAS_PRIORITY, (-5_i32) as u32]);
    let priority = be_object(&modern).priority.unwrap();
    assert_eq!((priority.flags, priority.priority), (HAS_PRIORITY, -5));
    let old = Chunk::object(23).data_version(4).identifier(0x40).words(&[0, 1, 2, 3, 9]);
    let priority = be_object(&old).priority.unwrap();
    assert_eq!((priority.ignored, priority.priority), ([1, 2, 3], 9));
}

#[test]
fn attributes_in_file_mode_are_references_and_numbers() {
    let sample = Chunk::object(23)
        .identifier(0x11)
        .object_sequence(&[Some(4), None])
        .manager_sequence(ATTRIBUTES, &[12, 13]);
    let attributes = be_object(&sample).attributes.unwrap();
    assert_eq!(attributes.parameters.len(), 2);
    assert_eq!(attributes.types.manager, [ATTRIBUTES.0, ATTRIBUTES.1]);
    assert_eq!(attributes.types.values.iter().map(|n| n.get()).collect::<Vec<_>>(), [12, 13]);
    let told = fields(23, &sample);
    assert!(told.iter().any(|(path, _)| path.contains("types")), "{told:?}");
}

#[test]
fn attributes_outside_file_mode_hold_their_parameters() {
    let sample = Chunk::sub(23)
        .data_version(10)
        .identifier(0x11)
        .object_sequence(&[Some(700), None])
        .sub_chunk_sequence(&[Some(float(0.5)), None])
        .manager_sequence(ATTRIBUTES, &[1, 2]);
    let attributes = be_object(&sample).attributes.unwrap();
    let [Some(parameter), None] = &attributes.values[..] else { panic!() };
    let content = parameter.value.parameter.parameter.as_ref().unwrap();
    let Stored::Buffer(bytes) = &content.value else { panic!() };
    assert_eq!(bytes.items[..], 0.5_f32.to_le_bytes());
}

#[test]
fn old_attributes_have_a_class_or_none() {
    let with_class = Chunk::object(23)
        .data_version(4)
        .identifier(0x10)
        .words(&[2, 33])
        .string(b"Solid")
        .string(b"Physics")
        .guid(FLOAT)
        .object_ref(Some(8))
        .word(41)
        .string(b"Heavy")
        .null_string()
        .guid(FLOAT)
        .object_ref(None);
    let all = be_object(&with_class).old_attributes.unwrap();
    let classes: Vec<_> = all.iter().map(|one| one.compatible_class).collect();
    assert_eq!(classes, [Some(33), Some(41)]);
    assert_eq!((all[0].name.text(), all[0].category.text()), (&b"Solid"[..], &b"Physics"[..]));
    assert!(all[1].category.is_null() && all[0].parameter.value == 8);

    let without = Chunk::sub(23)
        .data_version(1)
        .version(4)
        .identifier(0x10)
        .word(1)
        .string(b"Solid")
        .string(b"Physics")
        .guid(FLOAT)
        .object_ref(Some(800))
        .sub_chunk(&float(2.0).version(4));
    let all = be_object(&without).old_attributes.unwrap();
    assert_eq!(all[0].compatible_class, None);
    assert_eq!(all[0].name.text(), b"Solid");
    assert!(all[0].value.is_some());
}

#[test]
fn attributes_without_end_are_kept_as_they_are() {
    let sample = Chunk::object(23).identifier(0x11).object_sequence(&[Some(4)]).words(&[1, 2]);
    let (saved, faults) = decode(23, &sample);
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert_eq!(saved.extras.unwrap().unknown.len(), 1);
    let Value::Group(group) = saved.value else { panic!() };
    assert!(group.be_object.attributes.is_none());
}
