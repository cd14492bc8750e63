//! What meshes and meshes of patches save, on chunks that were put together by hand.

use crate::common::class;

use class::{decode, fields, typed};
use spelunk_core::Code;
use spelunk_fixtures::chunk::Chunk;
use virtools::{
    class::{Value, mesh::Mesh, patch_mesh::PatchMesh},
    codec::{Array, Reference},
    codes,
};

fn mesh(sample: &Chunk) -> Mesh {
    let Value::Mesh(value) = typed(32, sample) else { panic!() };
    *value
}

fn patch_mesh(sample: &Chunk) -> PatchMesh {
    let Value::PatchMesh(value) = typed(53, sample) else { panic!() };
    *value
}

/// Bytes of two numbers in a dword.
fn pair(first: u16, second: u16) -> u32 {
    u32::from(first) | u32::from(second) << 16
}

fn bytes(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// Two vertices of which everything is stored, and two faces.
fn full() -> Chunk {
    Chunk::object(32)
        .identifier(0x2000)
        .word(0x82)
        .identifier(0x100000)
        .word(2)
        .object_ref(None)
        .word(0)
        .object_ref(Some(5))
        .word(0)
        .identifier(0x10000)
        .words(&[2, pair(0, 1), pair(1, 0), pair(1, 0), pair(0, 1)])
        .identifier(0x40000)
        .word(1)
        .buffer(&bytes(&[0, 1]))
        .identifier(0x20000)
        .words(&[2, 0, 1 + 6 + 2 + 2 + 6 + 4])
        .floats(&[1.0, -2.0, 3.0, -4.0, 5.0, 0.5])
        .words(&[0xFFFF_FFFF, 0xFF00_0000, 1, 2])
        .floats(&[0.0, 1.0, 0.0, 0.0, 0.0, 1.0])
        .floats(&[0.0, 0.25, 0.5, 1.0])
}

#[test]
fn meshes_are_read_to_the_last_number() {
    let sample = full();
    let value = mesh(&sample);
    assert_eq!(value.flags, Some(0x82));
    let slots = value.materials.unwrap();
    assert_eq!(slots[0].material, Reference::null(true));
    assert_eq!(slots[1].material, Reference::index(5));
    let faces = value.faces.unwrap();
    let faces: Vec<_> =
        faces.iter().map(|f| [f.a, f.b, f.c, f.material].map(|number| number.get())).collect();
    assert_eq!(faces, [[0, 1, 1, 0], [1, 0, 0, 1]]);
    assert_eq!(value.lines.unwrap().items[0].map(|end| end.get()), [0, 1]);
    let vertices = value.vertices.unwrap();
    assert_eq!(vertices.positions[1].map(|at| at.get()), [-4.0, 5.0, 0.5]);
    assert_eq!(vertices.bounding_box(), Some([[-4.0, -2.0, 0.5], [1.0, 5.0, 3.0]]));
    assert_eq!(vertices.colors[1].get(), 0xFF00_0000);
    assert_eq!(vertices.specular[0].get(), 1);
    assert_eq!(vertices.normals[1].map(|at| at.get()), [0.0, 0.0, 1.0]);
    assert_eq!(vertices.uv[1].map(|at| at.get()), [0.5, 1.0]);
    let told = fields(32, &sample);
    let value = |path: &str| {
        let found = told.iter().find(|(at, _)| at == path);
        found.unwrap_or_else(|| panic!("{told:?}")).1.as_str()
    };
    assert_eq!(value("vertices.positions[1][1]"), "5");
    assert_eq!(value("faces.faces[1].material"), "1");
}

#[test]
fn one_value_may_stand_for_all_vertices() {
    let sample = Chunk::object(32)
        .identifier(0x20000)
        .words(&[2, 0x0F, 1 + 6 + 1 + 1 + 2])
        .floats(&[0.0; 6])
        .words(&[0xFFFF_FFFF, 3])
        .floats(&[0.5, 0.5]);
    let vertices = mesh(&sample).vertices.unwrap();
    assert_eq!((vertices.count, vertices.positions.len()), (2, 2));
    assert_eq!((vertices.colors.len(), vertices.specular.len()), (1, 1));
    assert_eq!((vertices.normals.len(), vertices.uv.len()), (0, 1));
    let bare = Chunk::object(32).identifier(0x20000).words(&[2, 0x1F, 5, 1, 2]).floats(&[0.0; 2]);
    let vertices = mesh(&bare).vertices.unwrap();
    assert!(vertices.positions.is_empty() && vertices.bounding_box().is_none());
    let none = mesh(&Chunk::object(32).identifier(0x20000).word(0)).vertices.unwrap();
    assert_eq!((none.count, none.save_flags), (0, 0));
}

#[test]
fn arrays_have_to_have_the_length_that_flags_and_count_tell() {
    let (mut saved, _) = decode(32, &full());
    let Value::Mesh(value) = &mut saved.value else { panic!() };
    value.vertices.as_mut().unwrap().colors.to_mut().pop();
    assert_eq!(saved.write().unwrap_err().code(), &codes::VALUE);
    let Value::Mesh(value) = &mut saved.value else { panic!() };
    value.vertices.as_mut().unwrap().save_flags |= 1;
    let written = saved.write().unwrap();
    assert_eq!(written.data.len() + 1, full().words.len());
}

#[test]
fn channels_may_have_coordinates_of_their_own() {
    let sample = Chunk::object(32)
        .identifier(0x4000)
        .word(2)
        .object_ref(Some(3))
        .words(&[0x80_0001, 5, 6, 0])
        .object_ref(None)
        .words(&[1, 2, 1, 2])
        .floats(&[0.0, 0.25, 0.5, 0.75])
        .identifier(0x8000)
        .words(&[3, pair(1, 2), pair(3, 0x6E6E)]);
    let value = mesh(&sample);
    let channels = value.channels.unwrap();
    assert_eq!(channels[0].material, Reference::index(3));
    let blends = (channels[0].flags, channels[0].source_blend, channels[0].destination_blend);
    assert_eq!(blends, (0x80_0001, 5, 6));
    assert!(channels[0].uv.is_empty());
    assert_eq!(channels[1].uv[1].map(|at| at.get()), [0.5, 0.75]);
    let masks = value.face_channel_masks.unwrap();
    assert_eq!(masks.items.iter().map(|mask| mask.get()).collect::<Vec<_>>(), [1, 2, 3]);
}

#[test]
fn weights_are_one_or_many() {
    let of = |sample: Chunk| mesh(&sample).weights.unwrap();
    let start = || Chunk::object(32).identifier(0x80000).word(2);
    let same = of(start().floats(&[0.5]));
    assert!(same.same == Some(0.5) && same.each.is_none());
    let each = of(start().word(8).floats(&[0.25, 0.5]));
    assert_eq!(each.each.unwrap().items[1].get(), 0.5);
    assert_eq!(each.more, None);
    assert_eq!(of(start().word(8).floats(&[0.25, 0.5, 0.75])).more, Some(0.75));
    assert_eq!(of(start()).count, 2);
}

#[test]
fn progressive_meshes_keep_their_steps() {
    let sample = Chunk::object(32).identifier(0x800000).words(&[9, 1, 2, 77, 88]);
    let value = mesh(&sample).progressive.unwrap();
    assert_eq!((value.vertex_count, value.morph_enabled, value.morph_step), (9, 1, 2));
    assert_eq!(value.data.iter().map(|word| word.get()).collect::<Vec<_>>(), [77, 88]);
}

#[test]
fn render_groups_are_kept() {
    let sample = Chunk::object(32)
        .identifier(0x400000)
        .word(1)
        .object_ref(Some(4))
        .padded_buffer(&bytes(&[7]), 0x6E)
        .buffer(&bytes(&[0, 0, 0]))
        .words(&[4, 1, 3, 0])
        .words(&[4, 6, 0])
        .identifier(0x1000000)
        .words(&[0, 0, 0]);
    let value = mesh(&sample);
    let groups = value.render_groups.unwrap();
    let group = &groups[0];
    assert_eq!((group.material, group.vertices.items[0].get()), (Reference::index(4), 7));
    assert_eq!((group.indices.items.len(), group.primitive), (3, 4));
    assert_eq!((group.vertex_count, group.index_count), (1, 3));
    assert_eq!(group.faces.items[0].get(), 6);
    assert_eq!(value.blend_shapes, Some([0; 3]));
}

#[test]
fn meshes_of_an_unknown_layout_are_kept() {
    let (saved, faults) = decode(32, &full().data_version(8));
    assert!(faults.is_empty());
    let Value::Mesh(value) = &saved.value else { panic!() };
    assert!(value.flags.is_none() && value.vertices.is_none());
    assert_eq!(saved.extras.unwrap().unknown.len(), 5);
}

fn numbers<const N: usize>(items: &Array<[zerocopy::little_endian::I16; N]>) -> Vec<[i16; N]> {
    items.iter().map(|item| item.map(|number| number.get())).collect()
}

#[test]
fn patches_have_handles_and_edges() {
    let corners = (0..20).collect::<Vec<u16>>();
    let sample = Chunk::object(53)
        .identifier(0x2000)
        .word(2)
        .identifier(0x8000000)
        .words(&[1, 3, 1])
        .words(&[24, 2])
        .floats(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
        .object_sequence(&[Some(8)])
        .words(&[4, 0x10]);
    let words: Vec<u32> = corners.chunks(2).map(|two| pair(two[0], two[1])).collect();
    let sample = sample
        .words(&words)
        .words(&[12, 1, pair(0, 1), pair(2, 3), pair(0, 0xFFFF)])
        .object_sequence(&[None])
        .words(&[1, 2, 3])
        .words(&[8, 1, pair(0, 1), pair(2, 3)])
        .words(&[8, 1])
        .floats(&[0.5, 0.75]);
    let value = patch_mesh(&sample);
    assert_eq!(value.mesh.flags, Some(2));
    let patches = value.patches.unwrap();
    assert_eq!((patches.flags, patches.iterations, patches.handle_count), (1, 3, 1));
    assert_eq!(patches.points[1].map(|at| at.get()), [3.0, 4.0, 5.0]);
    assert_eq!(patches.materials[0].get(), 8);
    let patch = &patches.patches[0];
    assert_eq!((patch.corners, patch.smoothing_group), (4, 0x10));
    let of = |items: &Array<zerocopy::little_endian::I16>| {
        items.iter().map(|number| number.get()).collect::<Vec<_>>()
    };
    assert_eq!(of(&patch.vertices), [0, 1, 2, 3]);
    assert_eq!(of(&patch.handles), [4, 5, 6, 7, 8, 9, 10, 11]);
    assert_eq!(of(&patch.interior), [12, 13, 14, 15]);
    assert_eq!(of(&patch.edges), [16, 17, 18, 19]);
    let edge = &patches.edges[0];
    assert_eq!((edge.vertex_1.get(), edge.vertex_2.get()), (0, 3));
    assert_eq!((edge.handle_12.get(), edge.handle_21.get()), (1, 2));
    assert_eq!((edge.patch_1.get(), edge.patch_2.get()), (0, -1));
    assert_eq!(patches.channel_materials[0].get(), u32::MAX);
    let channel = &patches.channels[0];
    assert_eq!((channel.source_blend, channel.destination_blend, channel.flags), (1, 2, 3));
    assert_eq!(numbers(&channel.patches), [[0, 1, 2, 3]]);
    assert_eq!(channel.uv[0].map(|at| at.get()), [0.5, 0.75]);
}

#[test]
fn old_patches_are_larger() {
    let sample = Chunk::object(53)
        .identifier(0x1000000)
        .word(1)
        .object_ref(Some(2))
        .words(&[3, 0])
        .words(&[0, 0])
        .words(&[88, 1])
        .words(&[6; 22])
        .words(&[24, 1])
        .words(&[7; 6])
        .words(&[16, 1])
        .words(&[8; 4])
        .words(&[8, 1])
        .floats(&[0.5, 0.75])
        .identifier(0x2000000)
        .words(&[4, 1, 0x20])
        .identifier(0x4000000)
        .object_sequence(&[Some(9)]);
    let value = patch_mesh(&sample);
    let old = value.old_patches.unwrap();
    assert_eq!((old.flags, old.material, old.iterations), (1, Reference::index(2), 3));
    assert!(old.points.is_empty());
    assert_eq!(old.patches[0][21].get(), 6);
    assert_eq!((old.edges[0].patch_2.get(), old.texture_patches[0][3].get()), (7, 8));
    assert_eq!(old.uv[0].map(|at| at.get()), [0.5, 0.75]);
    assert_eq!(value.old_smoothing.unwrap()[0].get(), 0x20);
    assert_eq!(value.old_materials.unwrap()[0].get(), 9);
}

/// A section that is kept as it is, and what is wrong with it.
fn misfit(class_id: u32, sample: &Chunk) -> &'static Code {
    let (saved, faults) = decode(class_id, sample);
    assert_eq!(saved.extras.unwrap().unknown.len(), 1);
    let [fault] = faults.as_slice() else { panic!("{faults:?}") };
    fault.code()
}

#[test]
fn sections_that_do_not_fit_are_kept() {
    let faces = Chunk::object(32).identifier(0x10000).words(&[u32::MAX, 1, 2]);
    assert_eq!(misfit(32, &faces), &codes::SECTION_END);
    let size = Chunk::object(32).identifier(0x20000).words(&[1, 0x1F, 6, 1, 2, 3, 4, 5]);
    assert_eq!(misfit(32, &size), &codes::LAYOUT);
    let count = Chunk::object(32).identifier(0x20000).words(&[u32::MAX, 0x00, 4, 1, 2, 3]);
    assert_eq!(misfit(32, &count), &codes::SECTION_END);
    let lines = Chunk::object(32).identifier(0x40000).word(2).buffer(&bytes(&[0, 1]));
    assert_eq!(misfit(32, &lines), &codes::LAYOUT);
    let weights = Chunk::object(32).identifier(0x80000).word(2).buffer(&[1, 2, 3, 4, 5]);
    assert_eq!(misfit(32, &weights), &codes::LAYOUT);
    let patches = Chunk::object(53).identifier(0x2000000).words(&[8, 1, 0, 0]);
    assert_eq!(misfit(53, &patches), &codes::LAYOUT);
}
