//! Documents that are made by hand into files: what becomes of each part of them but materials and pictures.

use crate::common;

use crate::common::{
    errors, info,
    model::{Document, import},
    open,
    square::{PAIRS, SQUARE, entity, mesh, names, new, numbers, saved, square},
};
use serde_json::json;
use spelunk::{Opened, Severity, models::import::Options, open::codes};
use virtools::class::{
    Value as Saved,
    object_animation::controller::{Keys, QuaternionKey, VectorKey},
};
use zerocopy::little_endian::F32;

#[test]
fn a_square_becomes_an_object_of_a_file_of_virtools_2_1() {
    let (bytes, told) = new(square(json!({}), json!({})));
    assert_eq!(told, Vec::<&str>::new());
    assert_eq!(errors(&mut open("made", &bytes)), Vec::<&str>::new());
    let info = info("made", &mut open("made", &bytes));
    assert_eq!(info["file_version"], 8);
    assert_eq!(info["product"], "2.1.0.14");
    assert_eq!(info["ck_version"], "0x13022002");
    assert_eq!(info["write_mode"], "0x00000008");
    assert_eq!(info["checksum"]["ok"], true);
    assert_eq!(info["classes"], json!({"CKMesh": 1, "CK3dObject": 1}));

    let mesh = mesh(&bytes, "Square");
    // The slot of faces without a material is null, and there is no other one.
    assert_eq!(mesh.materials.as_ref().unwrap().len(), 1);
    let vertices = mesh.vertices.unwrap();
    let flipped: Vec<[f32; 3]> = SQUARE.iter().map(|[x, y, z]| [*x, *y, -z]).collect();
    assert_eq!(numbers(&vertices.positions), flipped);
    assert_eq!(numbers(&vertices.uv), PAIRS);
    // One colour for all, none for highlights, no normals: they follow from the faces.
    assert_eq!((vertices.save_flags, vertices.colors.len(), vertices.specular.len()), (7, 1, 1));
    let corners = |face: &virtools::class::mesh::Face| [face.a, face.b, face.c].map(|at| at.get());
    let faces: Vec<_> = mesh.faces.as_ref().unwrap().iter().map(corners).collect();
    assert_eq!(faces, [[0, 2, 1], [0, 3, 2]], "clockwise");

    let entity = entity(&bytes, "CK3dObject/Wall");
    let data = entity.data.unwrap();
    assert_eq!((data.flags, data.moveable_flags), (0, 0x0042_000B));
    assert_eq!(data.world_matrix()[3], [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(entity.meshes.unwrap().all.len(), 1);
}

#[test]
fn places_are_those_of_the_world_in_a_left_handed_space() {
    // A quarter turn about the vertical axis takes +x of what is below to -z.
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let mut document = square(
        json!({}),
        json!({
            "translation": [10.0, 0.0, 5.0], "rotation": [0.0, half, 0.0, half], "children": [1, 2],
        }),
    );
    document.add("nodes", json!({"name": "Below", "translation": [1.0, 2.0, 0.0]}));
    let mirror =
        json!([-1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    document.add("nodes", json!({"name": "Mirrored", "matrix": mirror, "mesh": 0}));
    let (bytes, _) = new(document);
    let near = |a: [f32; 3], b: [f32; 3]| {
        let near = a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5);
        assert!(near, "{a:?} {b:?}");
    };
    let wall = entity(&bytes, "CK3dObject/Wall").data.unwrap();
    near(wall.position, [10.0, 0.0, -5.0]);
    near(wall.x_axis, [0.0, 0.0, 1.0]);
    near(wall.z_axis, [-1.0, 0.0, 0.0]);
    let below = entity(&bytes, "CK3dEntity/Below").data.unwrap();
    near(below.position, [10.0, 2.0, -4.0]);
    assert_eq!(below.flags, 0x2_0002, "a frame with a parent");
    assert!(below.parent.is_some());
    let mirrored = entity(&bytes, "CK3dObject/Mirrored").data.unwrap();
    assert_eq!(mirrored.moveable_flags & 0x100_0000, 0x100_0000, "indirect");
    assert_eq!(wall.moveable_flags & 0x100_0000, 0);
    // Both show one mesh.
    assert_eq!(names(&bytes, "CKMesh"), ["Square"]);
}

#[test]
fn normals_are_stored_where_they_say_more_than_the_faces() {
    for (normal, stored) in [([0.0, 0.0, 1.0], false), ([0.0, 0.6, 0.8], true)] {
        let mut document = square(json!({}), json!({}));
        let normals = document.floats(&[normal; 4]);
        document.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = json!(normals);
        let vertices = mesh(&new(document).0, "Square").vertices.unwrap();
        assert_eq!(vertices.save_flags & 4 == 0, stored);
        let [x, y, z] = normal;
        let wanted = if stored { vec![[x, y, -z]; 4] } else { Vec::new() };
        assert_eq!(numbers(&vertices.normals), wanted);
    }
}

#[test]
fn numbers_of_every_kind_are_read() {
    let mut document = square(json!({}), json!({}));
    // Positions with a stride, pairs and colours as parts of bytes, one position set apart.
    let mut wide = Vec::new();
    for point in SQUARE {
        wide.extend(point.iter().flat_map(|number| number.to_le_bytes()));
        wide.extend([0xFF; 4]);
    }
    let view = document.view(&wide);
    document.json["bufferViews"][view]["byteStride"] = json!(16);
    let at = document.view(&[3]);
    let moved: Vec<u8> = [7.0_f32, 8.0, 9.0].iter().flat_map(|it| it.to_le_bytes()).collect();
    let moved = document.view(&moved);
    let position = document.add(
        "accessors",
        json!({"bufferView": view, "componentType": 5126, "type": "VEC3", "count": 4, "sparse": {
            "count": 1,
            "indices": {"bufferView": at, "componentType": 5121},
            "values": {"bufferView": moved},
        }}),
    );
    let uv = document.accessor(&[0, 255, 51, 102, 255, 0, 0, 0], 5121, "VEC2", 4);
    let colors = document.accessor(
        &[255, 0, 0, 255, 0, 255, 0, 128, 0, 0, 255, 0, 9, 9, 9, 9],
        5121,
        "VEC4",
        4,
    );
    for accessor in [uv, colors] {
        document.json["accessors"][accessor]["normalized"] = json!(true);
    }
    let indices = document.accessor(&[0, 1, 2], 5121, "SCALAR", 3);
    document.json["meshes"][0]["primitives"][0] = json!({
        "attributes": {"POSITION": position, "TEXCOORD_0": uv, "COLOR_0": colors},
        "indices": indices,
    });
    let vertices = mesh(&new(document).0, "Square").vertices.unwrap();
    assert_eq!(
        numbers(&vertices.positions)[1..],
        [[2.0, 0.0, -1.0], [2.0, 3.0, -1.0], [7.0, 8.0, -9.0]]
    );
    assert_eq!(numbers(&vertices.uv), [[0.0, 1.0], [0.2, 0.4], [1.0, 0.0], [0.0, 0.0]]);
    let colors: Vec<u32> = vertices.colors.iter().map(|color| color.get()).collect();
    // 9 of 255 parts of light is a stored 53; alpha is as it is.
    assert_eq!(colors, [0xFFFF_0000, 0x8000_FF00, 0x0000_00FF, 0x0935_3535]);
}

#[test]
fn strips_fans_and_lines_become_faces_and_lines() {
    let faces = |mode: u32| {
        let mut document = square(json!({"mode": mode}), json!({}));
        let primitive = &mut document.json["meshes"][0]["primitives"][0];
        primitive.as_object_mut().unwrap().remove("indices");
        let mesh = mesh(&new(document).0, "Square");
        let faces = mesh.faces.iter().flat_map(|faces| faces.iter());
        let faces: Vec<_> =
            faces.map(|face| [face.a, face.b, face.c].map(|at| at.get()).to_vec()).collect();
        let lines = mesh.lines.iter().flat_map(|lines| lines.items.iter());
        let lines = lines.map(|line| line.map(|at| at.get()).to_vec());
        faces.into_iter().chain(lines).collect::<Vec<_>>()
    };
    assert_eq!(faces(5), [[0, 2, 1], [2, 3, 1]], "a strip");
    assert_eq!(faces(6), [[0, 2, 1], [0, 3, 2]], "a fan");
    assert_eq!(faces(1), [[0, 1], [2, 3]], "lines");
    assert_eq!(faces(3), [[0, 1], [1, 2], [2, 3]], "a strip of lines");
    assert_eq!(faces(2), [[0, 1], [1, 2], [2, 3], [3, 0]], "a loop");
}

#[test]
fn cameras_and_lights_look_along_their_third_axis() {
    let mut document = Document::default();
    document.json["scenes"][0]["nodes"] = json!([0, 1]);
    document.add("nodes", json!({"name": "Eye", "camera": 0, "translation": [0.0, 0.0, 7.0]}));
    document
        .add("nodes", json!({"name": "Lamp", "extensions": {"KHR_lights_punctual": {"light": 0}}}));
    let perspective =
        json!({"yfov": 0.9272952, "aspectRatio": 1.7777778, "znear": 0.5, "zfar": 900.0});
    document.add("cameras", json!({"type": "perspective", "perspective": perspective}));
    let spot = json!({"innerConeAngle": 0.25, "outerConeAngle": 0.5});
    document.json["extensions"] = json!({"KHR_lights_punctual": {"lights": [
        {"type": "spot", "color": [1.0, 0.0, 0.0], "intensity": 2.5, "range": 80.0, "spot": spot},
    ]}});
    document.json["extensionsUsed"] = json!(["KHR_lights_punctual"]);
    let (bytes, told) = new(document);
    assert_eq!(told, Vec::<&str>::new());
    let Saved::Camera(camera) = saved(&bytes, "CKCamera/Eye") else { panic!() };
    let projection = camera.projection.unwrap();
    // From left to right: tan is 0.5 upwards, so 0.5 * 16 / 9 sideways.
    assert!((projection.fov - 2.0 * (0.5_f32 * 16.0 / 9.0).atan()).abs() < 1e-5, "{projection:?}");
    assert_eq!((projection.width(), projection.height()), (16, 9));
    assert_eq!((projection.near_plane, projection.far_plane), (0.5, 900.0));
    let data = camera.entity.data.unwrap();
    assert_eq!((data.z_axis, data.position), ([0.0, 0.0, 1.0], [0.0, 0.0, -7.0]));
    let Saved::Light(light) = saved(&bytes, "CKLight/Lamp") else { panic!() };
    assert_eq!(light.power, Some(2.5));
    let light = light.light.unwrap();
    assert_eq!(
        (light.kind(), light.is_active(), light.color, light.range),
        (2, true, 0xFFFF_0000, 80.0)
    );
    let spot = light.spot.unwrap();
    assert_eq!((spot.inner_cone, spot.outer_cone), (0.5, 1.0), "from side to side");
}

#[test]
fn groups_are_those_that_nodes_name_and_sectors_stand_in_their_order() {
    let mut document =
        square(json!({}), json!({"extras": {"groups": ["Phys_Floors", "Sector_03"]}}));
    document.json["scenes"][0]["nodes"] = json!([0, 1]);
    document.add(
        "nodes",
        json!({"name": "Other", "extras": {"groups": ["Sector_01"], "hidden": true}}),
    );
    document.json["extras"] = json!({"groups": [
        {"name": "Empty", "nodes": []}, {"name": "Sector_03", "nodes": [0, 1]}, {"name": "Sector_01"},
    ]});
    let options = Options { sectors: Some(4), ..Options::default() };
    let mut made = import(&document.glb(), "made.glb", None, &options).unwrap();
    let findings = made.opened.take_findings().findings;
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].severity, Severity::Info);
    let error = &findings[0].error;
    assert_eq!(error.code().id, codes::SECTORS.id);
    assert!(error.to_string().contains("Sector_02, Sector_04"), "{error}");
    let bytes = common::written(&mut made.opened, &made.options);
    let wanted = ["Empty", "Sector_01", "Sector_02", "Sector_03", "Sector_04", "Phys_Floors"];
    assert_eq!(names(&bytes, "CKGroup"), wanted);
    let members = |name: &str| {
        let Saved::Group(group) = saved(&bytes, &format!("CKGroup/{name}")) else { panic!() };
        group.members.map_or(0, |members| members.len())
    };
    assert_eq!(wanted.map(members), [0, 1, 0, 1, 0, 1]);
    let other = entity(&bytes, "CK3dEntity/Other");
    assert!(other.be_object.object.hidden);
    assert_eq!(other.data.unwrap().moveable_flags & 2, 0, "not visible");
}

#[test]
fn what_has_no_place_is_told() {
    let mut document = square(json!({"targets": [{}]}), json!({"skin": 0}));
    document.add("skins", json!({"joints": [0]}));
    let (_, told) = new(document);
    assert_eq!(told, [codes::NOT_IMPORTED.id; 2]);
}

#[test]
fn what_moves_is_an_animation_of_tracks() {
    let mut document = square(json!({}), json!({}));
    let seconds = document.floats(&[[0.0], [0.5], [2.0]]);
    let places = document.floats(&[[0.0, 0.0, 0.0], [1.0, 2.0, 3.0], [0.0, 0.0, 1.0]]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let turns =
        document.floats(&[[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, half, half], [0.0, 0.0, 2.0, 0.0]]);
    // A curve has a tangent before and one behind each value.
    let curve: Vec<[f32; 3]> = (0..9).map(|at| [at as f32; 3]).collect();
    let sizes = document.floats(&curve);
    let sampler = |output: usize| json!({"input": seconds, "output": output});
    let channel = |sampler: usize, path: &str| json!({"sampler": sampler, "target": {"node": 0, "path": path}});
    let mut curved = sampler(sizes);
    curved["interpolation"] = json!("CUBICSPLINE");
    document.add(
        "animations",
        json!({
            "name": "Swing",
            "samplers": [sampler(places), sampler(turns), curved],
            "channels": [channel(0, "translation"), channel(1, "rotation"), channel(2, "scale")],
        }),
    );
    let (bytes, told) = new(document);
    assert_eq!(told, [codes::NOT_IMPORTED.id], "the curve is told");
    assert_eq!(errors(&mut open("made", &bytes)), Vec::<&str>::new());
    let Saved::KeyedAnimation(swing) = saved(&bytes, "CKKeyedAnimation/Swing") else { panic!() };
    assert_eq!((swing.animation.length, swing.animations.unwrap().len()), (Some(60.0), 1));
    let Saved::ObjectAnimation(track) = saved(&bytes, "CKObjectAnimation/Wall") else { panic!() };
    let track = track.animation.unwrap();
    let keys = |kind: u32| {
        let found = track.controllers.iter().find(|it| it.controller_type == kind).unwrap();
        match &found.keys {
            Keys::Vectors(keys) => {
                let key = |key: &VectorKey| [key.time, key.x, key.y, key.z].map(F32::get).to_vec();
                keys.iter().map(key).collect::<Vec<_>>()
            }
            Keys::Quaternions(keys) => {
                let key = |it: &QuaternionKey| [it.time, it.x, it.y, it.z, it.w].map(F32::get);
                keys.iter().map(|it| key(it).to_vec()).collect()
            }
            other => panic!("{other:?}"),
        }
    };
    // Frames, thirty a second, mirrored as the space is.
    assert_eq!(
        keys(0x637C_4301),
        [[0.0, 0.0, 0.0, -0.0], [15.0, 1.0, 2.0, -3.0], [60.0, 0.0, 0.0, -1.0]]
    );
    assert_eq!(keys(0x49ED_4002)[1], [15.0, 0.0, 0.0, -half, half]);
    assert_eq!(keys(0x49ED_4002)[2], [60.0, 0.0, 0.0, -1.0, 0.0], "of length 1");
    assert_eq!(
        keys(0x654A_3A04),
        [[0.0, 1.0, 1.0, 1.0], [15.0, 4.0, 4.0, 4.0], [60.0, 7.0, 7.0, 7.0]]
    );
    assert_eq!(entity(&bytes, "CK3dObject/Wall").animations.unwrap().len(), 1);
}

#[test]
fn numbers_may_lie_beside_the_document() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = square(json!({}), json!({}));
    let buffer = std::mem::take(&mut document.buffer);
    std::fs::write(folder.path().join("a b.bin"), &buffer).unwrap();
    let options = Options { folder: Some(folder.path().to_owned().into()), ..Options::default() };
    let mut made = |uri: &str| -> spelunk::Result<Opened> {
        document.json["buffers"] = json!([{"uri": uri, "byteLength": buffer.len()}]);
        let text = serde_json::to_vec(&document.json).unwrap();
        Ok(import(&text, "made.gltf", None, &options)?.opened)
    };
    for uri in ["a%20b.bin", "./a b.bin"] {
        assert_eq!(made(uri).unwrap().container().format(), "virtools");
    }
    let folder_name = folder.path().file_name().unwrap().to_str().unwrap();
    for uri in
        [format!("../{folder_name}/a b.bin"), folder.path().join("a b.bin").display().to_string()]
    {
        let error = made(&uri).unwrap_err();
        assert_eq!(error.code().id, codes::BAD_MODEL.id, "{error}");
    }
}
