//! What `CK3dEntity` and the classes that derive from it save, on chunks that were put together by hand.

use crate::common::class;

use class::{decode, fields, typed};
use spelunk_fixtures::chunk::Chunk;
use virtools::class::{Value, entity_3d::Entity3d};

/// An entity section with these flags; what the flags ask for has to follow.
fn entity(chunk: Chunk, flags: u32) -> Chunk {
    let axes = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 5.0, 6.0, 7.0];
    chunk.identifier(0x10_0000).words(&[flags, 0x2]).floats(&axes)
}

fn entity_3d(chunk: &Chunk) -> Entity3d {
    let Value::Entity3d(value) = typed(33, chunk) else { panic!() };
    *value
}

fn words(all: &[zerocopy::little_endian::U32]) -> Vec<u32> {
    all.iter().map(|word| word.get()).collect()
}

#[test]
fn flags_of_an_entity_tell_what_follows_its_matrix() {
    let chunk = Chunk::object(33).identifier(0x4000).object_ref(Some(3));
    let chunk = chunk.object_sequence(&[Some(3), None]);
    let chunk = chunk.identifier(0x2000).object_sequence(&[Some(8)]);
    let chunk = entity(chunk, 0x13_0002).object_ref(Some(1)).object_ref(Some(2)).word(u32::MAX);
    let value = entity_3d(&chunk.identifier(0x4FAE_17D7).word(0));
    let meshes = value.meshes.unwrap();
    assert_eq!((meshes.current.value, words(&meshes.all)), (3, vec![3, u32::MAX]));
    assert_eq!(words(&value.animations.unwrap()), [8]);
    let data = value.data.unwrap();
    let [place, parent] = [data.place, data.parent].map(|reference| reference.unwrap().value);
    assert_eq!((place, parent, data.z_order), (1, 2, Some(-1)));
    assert_eq!(data.world_matrix()[3], [5.0, 6.0, 7.0, 1.0]);
    assert_eq!(data.world_matrix()[1], [0.0, 1.0, 0.0, 0.0]);
    assert_eq!(value.blend_shape_weights, Some(0));

    let alone = entity_3d(&entity(Chunk::object(33), 0x2)).data.unwrap();
    assert!(alone.place.is_none() && alone.parent.is_none() && alone.z_order.is_none());
    // Class 41 is another id of the same layout.
    let Value::Entity3d(object) = typed(41, &entity(Chunk::object(33), 0)) else { panic!() };
    assert!(object.data.is_some());
}

#[test]
fn fields_of_an_entity_have_names() {
    let shown = fields(33, &entity(Chunk::object(33), 0x2_0002).object_ref(Some(4)));
    let value = |path: &str| {
        let found = shown.iter().find(|(shown, _)| shown == path);
        found.unwrap_or_else(|| panic!("{path} in {shown:?}")).1.clone()
    };
    assert_eq!(value("entity.position[1]"), "6");
    assert_eq!(value("entity.moveable_flags"), "0x00000002");
    assert!(value("entity.parent").contains('4'));
}

#[test]
fn the_oldest_entities() {
    let matrix: Vec<f32> = (0..16).map(|n| n as f32).collect();
    let chunk = Chunk::object(33).data_version(1).identifier(0x8000).object_ref(Some(9));
    let chunk = chunk.identifier(0x1_0000).words(&[1, 2]);
    let value = entity_3d(&chunk.identifier(0x2_0000).word(64).floats(&matrix));
    assert_eq!(value.old_parent.unwrap().value, 9);
    let flags = value.old_flags.unwrap();
    assert_eq!((flags.flags, flags.moveable_flags), (1, 2));
    let old = value.old_matrix.unwrap();
    assert_eq!((old.ignored, old.matrix[15]), (64, 15.0));
}

/// A skin of two bones, before its vertices.
fn bones(data_version: u8) -> Chunk {
    let matrix = [0.5; 16];
    let sized = |chunk: Chunk| if data_version < 6 { chunk.word(64) } else { chunk };
    let chunk = Chunk::object(33).data_version(data_version).identifier(0x20_0000);
    let chunk = sized(chunk).floats(&matrix).object_sequence(&[Some(1), Some(2)]);
    sized(sized(chunk.word(7)).floats(&matrix).word(8)).floats(&matrix)
}

#[test]
fn skins_before_and_since_data_version_6() {
    let modern = bones(10).word(2);
    let modern = modern.word(2).floats(&[1.0, 2.0, 3.0, 0.25, 0.75]).words(&[0, 1]);
    let modern = modern.word(0).floats(&[4.0, 5.0, 6.0]);

    let old = bones(5).word(2);
    let old = old.words(&[2, 12]).floats(&[1.0, 2.0, 3.0]);
    let old = old.word(8).floats(&[0.25, 0.75]).words(&[8, 0, 1]);
    let old = old.words(&[0, 12]).floats(&[4.0, 5.0, 6.0]).words(&[0, 0]);

    for chunk in [modern, old] {
        let skin = entity_3d(&chunk).skin.unwrap();
        assert!(!skin.bones_first);
        assert_eq!(skin.object_matrix.items[0][0].get(), 0.5);
        assert_eq!(words(&skin.bones), [1, 2]);
        let flags: Vec<u32> = skin.bone_data.iter().map(|bone| bone.flags).collect();
        assert_eq!(flags, [7, 8]);
        assert_eq!(skin.bone_data[1].inverse_matrix.items.len(), 1);
        let [first, second] = &skin.vertices[..] else { panic!() };
        assert_eq!(words(&first.bones.items), [0, 1]);
        assert_eq!(first.weights.items[1].get(), 0.75);
        assert_eq!(second.position.items[0][2].get(), 6.0);
        assert!(second.bones.items.is_empty() && second.weights.items.is_empty());
    }
}

/// Engines have weights first. A file that can only be meant the other way round is read and written like that.
#[test]
fn skins_tell_in_which_order_weights_and_bones_stand() {
    let odd = bones(10).word(2).word(2).floats(&[1.0, 2.0, 3.0]).words(&[1, 0]);
    let odd = odd.floats(&[0.25, 0.75]).word(1).floats(&[4.0, 5.0, 6.0]).word(1).floats(&[1.0]);
    let sized = bones(5).word(1).words(&[2, 12]).floats(&[1.0, 2.0, 3.0]);
    let sized = sized.words(&[8, 1, 0]).word(8).floats(&[0.25, 0.75]);
    for chunk in [odd, sized] {
        let skin = entity_3d(&chunk).skin.unwrap();
        assert!(skin.bones_first);
        assert_eq!(words(&skin.vertices[0].bones.items), [1, 0]);
        assert_eq!(skin.vertices[0].weights.items[0].get(), 0.25);
    }
    // Weights that are not 1 together, and bones that are not there, say nothing.
    for (weights, second) in [([0.5, 0.75], [1, 0]), ([0.25, 0.75], [1, 2]), ([0.0, 0.0], [0, 0])] {
        let vertex = bones(10).words(&[1, 2]).floats(&[1.0, 2.0, 3.0]);
        let skin = entity_3d(&vertex.floats(&weights).words(&second)).skin.unwrap();
        assert!(!skin.bones_first);
        assert_eq!(skin.vertices[0].weights.items[1].get(), weights[1]);
        assert_eq!(words(&skin.vertices[0].bones.items), second);
    }
}

#[test]
fn normals_of_skins_with_and_without_their_number() {
    let normals = [0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let bare = Chunk::object(33).identifier(0x1000).floats(&normals);
    let counted = Chunk::object(33).identifier(0x1000).word(2).floats(&normals);
    for (chunk, is_counted) in [(bare, false), (counted, true)] {
        let value = entity_3d(&chunk).skin_normals.unwrap();
        assert_eq!(value.counted, is_counted);
        assert_eq!(value.normals.len(), 2);
        assert_eq!(value.normals[1][2].get(), 1.0);
    }
}

#[test]
fn cameras_before_and_since_data_version_5() {
    let chunk = entity(Chunk::object(35), 0).identifier(0xFC0_0000).word(2);
    let chunk = chunk.floats(&[1.5, 0.5]).word(0x0003_0004).floats(&[1.0, 100.0]);
    let Value::Camera(camera) = typed(34, &chunk) else { panic!() };
    let data = camera.projection.unwrap();
    assert_eq!((data.projection, data.fov, data.zoom), (2, 1.5, 0.5));
    assert_eq!((data.width(), data.height()), (4, 3));
    assert_eq!((data.near_plane, data.far_plane), (1.0, 100.0));

    let chunk = chunk.identifier(0x1000_0000).object_ref(Some(6));
    let Value::TargetCamera(target) = typed(35, &chunk) else { panic!() };
    assert_eq!(target.target.unwrap().value, 6);

    let chunk = Chunk::object(34).data_version(4).identifier(0x40_0000).floats(&[1.5]);
    let chunk = chunk.identifier(0x80_0000).word(1).identifier(0x100_0000).floats(&[0.5]);
    let chunk = chunk.identifier(0x200_0000).words(&[4, 3]);
    let chunk = chunk.identifier(0x400_0000).floats(&[1.0, 100.0]);
    let Value::Camera(old) = typed(34, &chunk) else { panic!() };
    assert_eq!((old.old_fov, old.old_projection, old.old_zoom), (Some(1.5), Some(1), Some(0.5)));
    assert_eq!((old.old_aspect, old.old_planes), (Some([4, 3]), Some([1.0, 100.0])));
}

#[test]
fn lights_before_and_since_data_version_5() {
    let light = |kind: u32| {
        let chunk = entity(Chunk::object(38), 0).identifier(0x40_0000);
        chunk.words(&[kind, 0xFF80_4020]).floats(&[1.0, 2.0, 3.0, 50.0])
    };
    let chunk = light(0x101).identifier(0x80_0000).floats(&[0.5]);
    let Value::Light(point) = typed(38, &chunk) else { panic!() };
    let data = point.light.unwrap();
    assert_eq!((data.kind(), data.is_active(), data.is_specular()), (1, true, false));
    assert_eq!((data.color, data.attenuation, data.range), (0xFF80_4020, [1.0, 2.0, 3.0], 50.0));
    assert_eq!((data.spot, point.power), (None, Some(0.5)));

    let chunk = light(0x202).floats(&[0.75, 0.5, 1.0]);
    let Value::TargetLight(spot) = typed(39, &chunk.identifier(0x8000_0000).object_ref(Some(2)))
    else {
        panic!()
    };
    let data = spot.light.light.unwrap();
    assert!(!data.is_active() && data.is_specular());
    let cone = data.spot.unwrap();
    assert_eq!((cone.outer_cone, cone.inner_cone, cone.falloff), (0.75, 0.5, 1.0));
    assert_eq!((spot.target.unwrap().value, spot.light.power), (2, None));

    let chunk = Chunk::object(38).data_version(4).identifier(0x40_0000).word(3);
    let chunk = chunk.floats(&[1.0, 0.5, 0.25, 1.0]).words(&[1, 0]);
    let chunk = chunk.floats(&[1.0, 2.0, 3.0, 50.0, 0.75, 0.5, 1.0]);
    let Value::Light(old) = typed(38, &chunk) else { panic!() };
    assert!(old.light.is_none());
    let data = old.old_light.unwrap();
    assert_eq!((data.kind, data.color), (3, [1.0, 0.5, 0.25, 1.0]));
    assert_eq!((data.active, data.specular, data.range), (1, 0, 50.0));
    assert_eq!((data.attenuation, data.spot.falloff), ([1.0, 2.0, 3.0], 1.0));
}

#[test]
fn curves_before_and_since_data_version_5() {
    let chunk = entity(Chunk::object(43), 0).identifier(0xFFC0_0000);
    let chunk = chunk.object_sequence(&[Some(1), Some(2)]).floats(&[0.5]).words(&[100, 1]);
    let Value::Curve(curve) = typed(43, &chunk) else { panic!() };
    let data = curve.curve.unwrap();
    assert_eq!(words(&data.points), [1, 2]);
    assert_eq!((data.fitting, data.steps, data.open), (0.5, 100, 1));

    let chunk = Chunk::object(43).data_version(4).identifier(0x80_0000);
    let chunk = chunk.object_sequence(&[Some(1)]).identifier(0x40_0000).floats(&[0.5]);
    let chunk = chunk.identifier(0x100_0000).word(100).identifier(0x200_0000).word(1);
    let Value::Curve(old) = typed(43, &chunk) else { panic!() };
    assert_eq!(words(&old.old_points.unwrap()), [1]);
    assert_eq!((old.old_fitting, old.old_steps, old.old_open), (Some(0.5), Some(100), Some(1)));
}

/// Outside file mode, and below data version 5, a curve holds what its points saved.
#[test]
fn curves_with_their_points() {
    let point = Chunk::sub(36).data_version(10).identifier(0x1000_0000).object_ref(Some(4));
    let point = point.words(&[0, 0]).floats(&[-0.6, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let points = |curve: Chunk| {
        let curve = curve.identifier(0xFF00_0000).word(2).object_ref(Some(7)).sub_chunk(&point);
        curve.object_ref(Some(8)).null_sub_chunk()
    };
    for curve in [Chunk::sub(43).data_version(10), Chunk::object(43).data_version(4)] {
        let Value::Curve(curve) = typed(43, &points(curve)) else { panic!() };
        let points = curve.saved_points.unwrap();
        assert_eq!((points[0].point.value, points[1].point.value), (7, 8));
        let saved = points[0].saved.as_ref().unwrap();
        assert_eq!(saved.value.point.as_ref().unwrap().tcb[0], -0.6);
        assert!(points[1].saved.is_none());
    }
    let (saved, _) = decode(43, &points(Chunk::object(43)));
    assert_eq!(
        saved.extras.unwrap().unknown.len(),
        1,
        "from version 5 on it is not read in file mode"
    );
}

#[test]
fn points_of_curves_before_and_since_data_version_5() {
    let chunk = Chunk::object(36).identifier(0x1000_0000).object_ref(Some(4)).words(&[1, 0]);
    let chunk = chunk.floats(&[0.1, 0.2, 0.3, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let Value::CurvePoint(point) = typed(36, &chunk) else { panic!() };
    let data = point.point.unwrap();
    assert_eq!((data.curve.value, data.use_tangents, data.linear), (4, 1, 0));
    assert_eq!(data.tcb, [0.1, 0.2, 0.3]);
    assert_eq!((data.tangent_in, data.tangent_out), ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]));

    let chunk = Chunk::object(36).data_version(4).identifier(0x1000_0000).object_ref(Some(4));
    let chunk = chunk.words(&[1, 0]).floats(&[7.0, 8.0, 9.0]);
    let chunk = chunk.identifier(0x2000_0000).floats(&[0.1, 0.2, 0.3]);
    let chunk = chunk.identifier(0x4000_0000).floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let chunk = chunk.identifier(0x8000_0000).floats(&[1.0, 1.0, 1.0]);
    let Value::CurvePoint(old) = typed(36, &chunk) else { panic!() };
    let point = old.old_point.unwrap();
    assert_eq!((point.use_tangents, point.position), (1, [7.0, 8.0, 9.0]));
    assert_eq!((old.old_tcb, old.old_vector), (Some([0.1, 0.2, 0.3]), Some([1.0; 3])));
    assert_eq!(old.old_tangents, Some([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]));
}

#[test]
fn sprites_in_space() {
    let chunk = entity(Chunk::object(37), 0).identifier(0x40_0000).word(3);
    let chunk = chunk.floats(&[1.0, 2.0, 0.5, 0.25, 0.0, 0.1, 1.0, 0.9]).object_ref(None);
    let Value::Sprite3d(sprite) = typed(37, &chunk) else { panic!() };
    let data = sprite.sprite.unwrap();
    assert_eq!((data.mode, data.half_size, data.offset), (3, [1.0, 2.0], [0.5, 0.25]));
    assert_eq!((data.uv, data.material.value), ([0.0, 0.1, 1.0, 0.9], u32::MAX));
}

#[test]
fn characters_and_body_parts() {
    let parts = [Some(1), Some(2), Some(3), None];
    let chunk = Chunk::object(40).identifier(0x40_0000).object_sequence(&[Some(7)]);
    let chunk = chunk.identifier(0xFFC0_0000).object_sequence(&[Some(8)]).object_sequence(&parts);
    let Value::Character(value) = typed(40, &chunk) else { panic!() };
    let data = value.data.unwrap();
    assert_eq!(words(&value.body_parts.unwrap()), [7]);
    assert_eq!(words(&data.animations.unwrap()), [8]);
    assert_eq!(words(&data.references), [1, 2, 3, u32::MAX]);

    // Outside file mode there are no animations, and what the body parts saved.
    let chunk = Chunk::sub(40).data_version(10).identifier(0xFFC0_0000).object_sequence(&parts);
    let part = Chunk::sub(42).data_version(10).identifier(0x400_0000).object_ref(Some(40));
    let chunk = chunk.identifier(0x1000_0000).sub_chunk_sequence(&[Some(part), None]);
    let Value::Character(value) = typed(40, &chunk) else { panic!() };
    let data = value.data.unwrap();
    assert!(data.animations.is_none());
    assert_eq!(words(&data.references), [1, 2, 3, 0]);
    let parts = value.saved_parts.unwrap();
    let part = parts[0].as_ref().unwrap();
    assert_eq!(part.value.data.as_ref().unwrap().character.value, 40);
    assert!(parts.len() == 2 && parts[1].is_none());

    let chunk = entity(Chunk::object(42), 0x4_0000).identifier(0x400_0000).object_ref(Some(5));
    let joint = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
    let Value::BodyPart(part) = typed(42, &chunk.word(0x11).floats(&joint)) else { panic!() };
    let data = part.data.unwrap();
    let joint = data.joint.unwrap();
    assert_eq!((data.character.value, joint.flags, joint.min), (5, 0x11, [1.0, 2.0, 3.0]));
    assert_eq!((joint.max, joint.damping), ([4.0, 5.0, 6.0], [7.0, 8.0, 9.0]));

    let chunk = entity(Chunk::object(42), 0).identifier(0x400_0000).object_ref(Some(5));
    let Value::BodyPart(part) = typed(42, &chunk) else { panic!() };
    assert!(part.data.unwrap().joint.is_none());
}

#[test]
fn older_characters_in_files() {
    let chunk = Chunk::object(40).data_version(4).identifier(0x40_0000);
    let chunk = chunk.object_sequence(&[Some(7), Some(8)]).identifier(0x100_0000);
    let chunk = chunk.object_sequence(&[Some(1), Some(2)]).object_ref(Some(1)).object_ref(None);
    let chunk = chunk.identifier(0x200_0000).object_ref(Some(7));
    let chunk = chunk.identifier(0x2000_0000).object_ref(Some(9));
    let Value::Character(value) = typed(40, &chunk) else { panic!() };
    assert_eq!(words(&value.body_parts.unwrap()), [7, 8]);
    let old = value.old_animations.unwrap();
    assert_eq!(words(&old.animations), [1, 2]);
    assert_eq!((old.active.value, old.next.value), (1, u32::MAX));
    assert_eq!((value.old_root.unwrap().value, value.old_floor.unwrap().value), (7, 9));
}

#[test]
fn older_characters_outside_files() {
    let part = Chunk::sub(42).data_version(4).identifier(0x400_0000).object_ref(Some(40));
    let chunk = Chunk::sub(40).data_version(4).identifier(0x400_0000).word(5);
    let chunk = chunk.object_ref(Some(1)).object_ref(Some(2)).identifier(0x1000_0000).word(2);
    let chunk = chunk.object_ref(Some(7)).sub_chunk(&part).object_ref(Some(8)).null_sub_chunk();
    let chunk = chunk.identifier(0x200_0000).object_ref(Some(7));
    let Value::Character(value) = typed(40, &chunk) else { panic!() };
    let old = value.old_running.unwrap();
    assert_eq!((old.ignored, old.active.value, old.next.value), (5, 1, 2));
    let parts = value.old_parts.unwrap();
    assert_eq!((parts[0].part.value, parts[1].part.value), (7, 8));
    let part = parts[0].saved.as_ref().unwrap();
    assert_eq!(part.value.data.as_ref().unwrap().character.value, 40);
    assert!(parts[1].saved.is_none() && value.body_parts.is_none());
    assert_eq!((value.old_root.unwrap().value, value.old_floor), (7, None));
}

/// Numbers that are not 0 stand for flags. The character stands alone, whatever the flags of the entity say.
#[test]
fn older_body_parts_have_joints_of_their_own() {
    let joint = [
        [0.0, 1.0, 0.0],
        [0.0, 2.0, 3.0],
        [4.0, 0.0, 5.0],
        [-1.0, -2.0, -3.0],
        [1.0, 2.0, 3.0],
        [0.1, 0.2, 0.3],
    ];
    let chunk = entity(Chunk::object(42).data_version(4), 0x4_0000).identifier(0x100_0000);
    let chunk = chunk.word(72).floats(joint.as_flattened());
    let chunk = chunk.identifier(0x400_0000).object_ref(Some(5));
    let Value::BodyPart(part) = typed(42, &chunk) else { panic!() };
    let old = part.old_joint.unwrap();
    assert_eq!((old.size, old.min, old.damping), (72, joint[3], joint[5]));
    assert_eq!(old.flags(), 0x1 | 0x10 | 0x20 | 0x200);
    let data = part.data.unwrap();
    assert_eq!((data.character.value, data.joint), (5, None));
    let all = virtools::class::body_part::OldJoint {
        active: [1.0; 3],
        limited: [1.0; 3],
        eased: [1.0; 3],
        ..old
    };
    assert_eq!(all.flags(), 0x8000_0333);
}

#[test]
fn places_grids_and_layers() {
    let chunk = Chunk::object(22).identifier(0x1000).word(1).object_ref(Some(1));
    let chunk = chunk.object_ref(Some(2)).identifier(0x2000).object_ref(Some(3));
    let chunk = chunk.identifier(0x4000).object_sequence(&[Some(4), Some(5)]);
    let chunk = chunk.identifier(0x8000).object_ref(Some(6));
    let Value::Place(place) = typed(22, &chunk) else { panic!() };
    let portals = place.portals.unwrap();
    assert_eq!((portals[0].place.value, portals[0].portal.value), (1, 2));
    assert_eq!((place.camera.unwrap().value, place.level.unwrap().value), (3, 6));
    assert_eq!(words(&place.children.unwrap()), [4, 5]);

    let chunk = entity(Chunk::object(50), 0).identifier(0x40_0000);
    let chunk = chunk.words(&[2, 3, 0, 9, 1, 1]).object_sequence(&[Some(7)]);
    let Value::Grid(grid) = typed(50, &chunk) else { panic!() };
    let data = grid.grid.unwrap();
    assert_eq!((data.width, data.length, data.priority, data.orientation), (2, 3, 9, 1));
    assert_eq!((data.references, words(&data.layers)), (Some(1), vec![7]));
    assert!(data.saved_layers.is_empty());

    // Outside file mode what the layers saved follows.
    let layer = Chunk::sub(51).identifier(0x10).object_ref(Some(50)).words(&[6, 0, 3]);
    let chunk = Chunk::sub(50).data_version(10).identifier(0x40_0000).words(&[2, 1, 0, 9, 1]);
    let chunk = chunk.object_sequence(&[Some(7), Some(8)]);
    let chunk = chunk.sub_chunk(&layer.buffer(&[1, 0, 0, 0, 2, 0, 0, 0])).null_sub_chunk();
    let Value::Grid(grid) = typed(50, &chunk) else { panic!() };
    let data = grid.grid.unwrap();
    assert_eq!((data.references, words(&data.layers)), (None, vec![7, 8]));
    let saved = data.saved_layers[0].as_ref().unwrap().value.layer.as_ref().unwrap();
    assert_eq!((saved.grid.value, saved.layer_type, saved.flags), (50, Some(6), Some(3)));
    assert_eq!((saved.version, saved.color, saved.parameter_type), (0, None, None));
    assert_eq!(words(&saved.squares.as_ref().unwrap().items), [1, 2]);
    assert!(data.saved_layers[1].is_none());

    let squares = [1, 0, 0, 0, 2, 0, 0, 0];
    let head = |format, version| {
        let chunk = Chunk::object(51).identifier(0x10).object_ref(Some(8));
        let chunk = chunk.words(&[format, version]);
        if version > 0 { chunk.word(0xFF00_00FF) } else { chunk }
    };
    let layer = |chunk: &Chunk| {
        let Value::Layer(layer) = typed(51, chunk) else { panic!() };
        *layer.layer.unwrap()
    };
    let newest = layer(&head(0, 3).guid((5, 6)).word(0x10).buffer(&squares));
    assert_eq!(
        (newest.grid.value, newest.parameter_type, newest.flags),
        (8, Some([5, 6]), Some(16))
    );
    assert_eq!(words(&newest.squares.unwrap().items), [1, 2]);
    let older = layer(&head(0, 2).word(0x10).buffer(&squares));
    assert_eq!((older.parameter_type, older.flags), (None, Some(16)));
    let oldest = layer(&head(0, 1).buffer(&squares));
    assert_eq!((oldest.color, oldest.flags), (Some(0xFF00_00FF), None));
    assert_eq!(oldest.squares.unwrap().items.len(), 2);
    assert!(layer(&head(1, 1)).squares.is_none());
    let colorless = layer(&head(0, 0).buffer(&squares));
    assert_eq!((colorless.color, colorless.squares.unwrap().items.len()), (None, 2));
    // Without a grid there are no squares.
    let lonely = Chunk::object(51).identifier(0x10).object_ref(None).words(&[0, 1, 7]);
    let lonely = layer(&lonely);
    assert_eq!((lonely.color, lonely.squares), (Some(7), None));
    // Who stores some all the same finds them again.
    let odd = Chunk::object(51).identifier(0x10).object_ref(None).words(&[0, 1, 7]);
    assert_eq!(words(&layer(&odd.buffer(&squares)).squares.unwrap().items), [1, 2]);
}

/// New sections stand in the order in which engines write them.
#[test]
fn places_are_written_camera_first() {
    let reference = Some(virtools::codec::Reference::index(1));
    let place = virtools::class::place::Place {
        camera: reference,
        level: reference,
        portals: Some(Vec::new()),
        ..Default::default()
    };
    let header = virtools::chunk::buffer::Header::object(22);
    let mut saved = virtools::codec::Saved::new(header, Value::Place(Box::new(place)));
    let bytes = saved.write().unwrap().to_bytes().unwrap();
    let at = spelunk_core::Span::file(0, bytes.len() as u64);
    let chunk = virtools::chunk::Chunk::read(&bytes, at).unwrap();
    let order: Vec<u32> = chunk.sections().map(|section| section.identifier).collect();
    assert_eq!(order, [0x2000, 0x8000, 0x1000]);
}

#[test]
fn what_does_not_fit_is_kept() {
    let whole = entity(Chunk::object(33), 0x2_0000);
    let (saved, faults) = decode(33, &whole);
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert_eq!(saved.extras.unwrap().unknown[0].identifier, 0x10_0000);
    // More bones than there is room for.
    let skin = Chunk::object(33).identifier(0x20_0000).floats(&[0.0; 16]).word(u32::MAX);
    assert_eq!(decode(33, &skin).1.len(), 1);
    let squares = Chunk::object(51).identifier(0x10).object_ref(Some(1)).words(&[0, 1, 0, 3, 0]);
    assert_eq!(decode(51, &squares).1.len(), 1);
}
