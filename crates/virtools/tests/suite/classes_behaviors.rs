//! What behaviours, their links, inputs and outputs save, on chunks that were put together by hand.

use crate::common::class;

use class::{decode, fields, typed};
use spelunk_fixtures::chunk::{Chunk, Guid};
use virtools::{
    chunk::buffer::Header,
    class::{
        Value,
        behavior::{Behavior, Data, Prototype, flags},
        behavior_io,
        behavior_link::{BehaviorLink, Link},
    },
    codec::Saved,
};

const TIMER: Guid = (0xAAAA_0001, 0xBBBB_0002);

fn behavior(sample: &Chunk) -> Behavior {
    let Value::Behavior(behavior) = typed(8, sample) else { panic!() };
    *behavior
}

fn link(sample: &Chunk) -> BehaviorLink {
    let Value::BehaviorLink(link) = typed(6, sample) else { panic!() };
    link
}

#[test]
fn flags_tell_what_a_building_block_has() {
    let sample = Chunk::object(8)
        .identifier(0x10)
        .null_sub_chunk()
        .identifier(0x20)
        .word(flags::BUILDING_BLOCK | 0x4 | 0x10 | flags::TARGETABLE | 1)
        .guid(TIMER)
        .words(&[0x10000, (-3_i32) as u32, 33])
        .object_ref(Some(12))
        // The bit of sub-behaviours says nothing in a building block.
        .word(0x100 | 0x200 | 0x800)
        .object_sequence(&[Some(1), Some(2)])
        .object_sequence(&[])
        .identifier(0x20_0000)
        .word(0x49);
    let behavior = behavior(&sample);
    assert!(matches!(behavior.interface, Some(None)));
    assert_eq!(behavior.scene_flags, Some(0x49));
    let data = behavior.data.unwrap();
    let prototype = Prototype { guid: [TIMER.0, TIMER.1], version: 0x10000 };
    assert!(data.is_building_block() && !data.is_script());
    assert_eq!((data.prototype, data.priority), (Some(prototype), Some(-3)));
    assert_eq!((data.compatible_class, data.target.unwrap().value), (Some(33), 12));
    assert_eq!(data.input_parameters.unwrap().len(), 2);
    assert!(data.inputs.unwrap().is_empty() && data.outputs.is_none());
    assert!(data.sub_behaviors.is_none() && data.contents & 0x100 != 0);
}

#[test]
fn graphs_have_all_lists() {
    let bits = [0x100, 0x8_0000, 0x4000, 0x200, 0x400, 0x2_0000, 0x800, 0x1000];
    let mut sample = Chunk::object(8).identifier(0x20).word(flags::SCRIPT).word(bits.iter().sum());
    for nth in 0..8 {
        sample = sample.object_sequence(&[Some(nth)]);
    }
    let data = behavior(&sample).data.unwrap();
    assert!(data.is_script() && !data.is_building_block());
    let Data { sub_behaviors, links, operations, input_parameters, .. } = &data;
    let first = [sub_behaviors, links, operations, input_parameters];
    let last = [&data.output_parameters, &data.local_parameters, &data.inputs, &data.outputs];
    let all = first.into_iter().chain(last);
    let ids: Vec<u32> = all.map(|list| list.as_ref().unwrap()[0].get()).collect();
    assert_eq!(ids, [0, 1, 2, 3, 4, 5, 6, 7]);
    let told = fields(8, &sample);
    assert_eq!(told[0].0, "behavior.flags");
    assert_eq!(told.len(), 10, "{told:?}");
}

#[test]
fn the_editor_s_chunk_is_kept() {
    let inner = Chunk::sub(u32::MAX).identifier(1).words(&[1, 2]).object_ref(Some(900));
    let sample = Chunk::object(8).identifier(0x10).sub_chunk(&inner);
    assert!(behavior(&sample).interface.unwrap().unwrap().chunk().unwrap().ids.is_some());
}

#[test]
fn what_is_there_sets_the_flags_when_it_is_written() {
    let data = Data {
        flags: 1 | flags::PRIORITY,
        prototype: Some(Prototype { guid: [1, 2], version: 3 }),
        inputs: Some(Default::default()),
        contents: 0x200,
        ..Data::default()
    };
    let value = Value::Behavior(Box::new(Behavior { data: Some(data), ..Behavior::default() }));
    let written = Saved::new(Header::object(8), value).write().unwrap().to_bytes().unwrap();
    let expected =
        Chunk::object(8).identifier(0x20).words(&[flags::BUILDING_BLOCK | 1, 1, 2, 3, 0x800, 0]);
    assert_eq!(written, expected.build().bytes);
}

#[test]
fn old_behaviours_have_a_section_for_each_list() {
    let mut sample = Chunk::object(8)
        .data_version(4)
        .identifier(0x20)
        .guid(TIMER)
        .words(&[0x8001, 19, 2, 7])
        .object_ref(Some(5))
        .word(0x10000);
    let identifiers = [0x100, 0x8_0000, 0x4000, 0x200, 0x2_0000, 0x400, 0x800, 0x1000];
    for (nth, identifier) in identifiers.into_iter().enumerate() {
        sample = sample.identifier(identifier).object_sequence(&vec![Some(1); nth]);
    }
    let behavior = behavior(&sample);
    assert!(behavior.data.is_none());
    let old = *behavior.old.unwrap();
    let data = old.data.unwrap();
    assert_eq!((data.prototype, data.flags), ([TIMER.0, TIMER.1], 0x8001));
    assert_eq!((data.compatible_class, data.kind, data.priority), (19, 2, 7));
    assert_eq!((data.owner.value, data.version), (5, 0x10000));
    let lists = [
        old.sub_behaviors.map(|parts| parts.listed),
        old.links,
        old.operations,
        old.input_parameters,
        old.local_parameters.map(|parts| parts.listed),
        old.output_parameters,
        old.inputs,
        old.outputs,
    ];
    assert_eq!(lists.map(|list| list.unwrap().len()), [0, 1, 2, 3, 4, 5, 6, 7]);
}

/// Outside file mode behaviours and local parameters stand in the section with what they saved. What fills a section tells
/// which form it is.
#[test]
fn old_behaviours_hold_their_parts_outside_file_mode() {
    for chunk_version in [4, 5] {
        let chunk = || Chunk::sub(8).version(chunk_version).data_version(4);
        let old = chunk().identifier(0x20).words(&[0, 0, 2, 19, 0, 0]).object_ref(None).word(0);
        let inner = chunk().identifier(0x40).word(2);
        let local = Chunk::sub(45).version(chunk_version).data_version(4).identifier(0x400);
        let sample = old
            .identifier(0x100)
            .word(2)
            .object_ref(Some(31))
            .sub_chunk(&inner)
            .object_ref(Some(32))
            .null_sub_chunk();
        let sample = sample.identifier(0x2_0000).word(1).object_ref(Some(33)).sub_chunk(&local);
        let old = *behavior(&sample).old.unwrap();
        let parts = old.sub_behaviors.unwrap();
        let ids: Vec<u32> = parts.saved.iter().map(|it| it.part.value).collect();
        assert_eq!((ids, parts.listed.len()), (vec![31, 32], 0), "{chunk_version}");
        let saved = parts.saved[0].saved.as_ref().unwrap();
        assert_eq!(saved.value.old.as_ref().unwrap().oldest.flags, Some(2));
        assert!(parts.saved[1].saved.is_none());
        let locals = old.local_parameters.unwrap();
        assert_eq!(locals.saved[0].part.value, 33);
        assert!(locals.saved[0].saved.as_ref().unwrap().value.setting);
        // A list is a list in any mode.
        let oldest = Chunk::sub(8).version(0).data_version(4);
        for list in [chunk(), Chunk::object(8).data_version(4), oldest] {
            let sample = list.identifier(0x100).object_sequence(&[Some(31), Some(1)]);
            let parts = behavior(&sample).old.unwrap().sub_behaviors.unwrap();
            let ids: Vec<u32> = parts.listed.iter().map(|it| it.get()).collect();
            assert_eq!((ids, parts.saved.len()), (vec![31, 1], 0), "{chunk_version}");
        }
    }
}

#[test]
fn the_oldest_behaviours_have_a_section_for_everything() {
    let sample = Chunk::sub(8)
        .version(4)
        .data_version(1)
        .identifier(0x4_0000)
        .guid(TIMER)
        .identifier(0x40)
        .word(0x8000)
        .identifier(0x80)
        .word(33)
        .identifier(0x8000)
        .word(1)
        .identifier(0x1_0000)
        .object_ref(Some(70))
        .identifier(0x80_0000)
        .word(3)
        .identifier(0x100_0000)
        .object_ref(Some(71));
    let oldest = behavior(&sample).old.unwrap().oldest;
    assert_eq!(oldest.prototype, Some([TIMER.0, TIMER.1]));
    assert_eq!((oldest.flags, oldest.compatible_class), (Some(0x8000), Some(33)));
    assert_eq!((oldest.kind, oldest.priority), (Some(1), Some(3)));
    assert_eq!((oldest.owner.unwrap().value, oldest.target.unwrap().value), (70, 71));
}

#[test]
fn inputs_and_outputs_are_told_apart() {
    let sample = Chunk::object(9).identifier(8).word(0x101);
    let Value::BehaviorIo(io) = typed(9, &sample) else { panic!() };
    assert_eq!(io.flags.unwrap() & behavior_io::INPUT, 1);
    assert_eq!(io.flags.unwrap() & behavior_io::OUTPUT, 0);
}

#[test]
fn links_have_two_delays() {
    let sample = Chunk::object(6)
        .identifier(0x20)
        .word(Link::delays(-1, 5))
        .object_ref(Some(3))
        .object_ref(Some(4));
    let link = link(&sample).link.unwrap();
    assert_eq!((link.delays, link.delay(), link.initial_delay()), (0x0005_FFFF, -1, 5));
    assert_eq!((link.ends.source.value, link.ends.destination.value), (3, 4));
}

#[test]
fn old_links_have_sections_for_delays_and_ends() {
    let sample = Chunk::object(6)
        .data_version(1)
        .identifier(4)
        .word(2)
        .identifier(8)
        .object_ref(Some(3))
        .object_ref(Some(4))
        .identifier(0x10)
        .word(9);
    let link = link(&sample);
    assert_eq!((link.old_delay, link.old_initial_delay), (Some(2), Some(9)));
    let ends = link.old_ends.unwrap();
    assert_eq!((ends.source.value, ends.destination.value), (3, 4));
    // Later the identifier of the delay is that of hidden objects.
    let hidden = Chunk::object(6).identifier(4);
    assert!(self::link(&hidden).object.hidden);
}

#[test]
fn what_does_not_fit_is_kept_as_it_is() {
    for (class, sample) in [
        (6, Chunk::object(6).identifier(0x20).words(&[1, 2])),
        (8, Chunk::object(8).identifier(0x20).words(&[0x4, 1, 0x800, 9, 1])),
        (9, Chunk::object(9).identifier(8)),
    ] {
        let (saved, faults) = decode(class, &sample);
        assert_eq!(faults.len(), 1, "{class}: {faults:?}");
        assert_eq!(saved.extras.unwrap().unknown.len(), 1, "{class}");
    }
}
