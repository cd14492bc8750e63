//! Documents that are made by hand into files: what becomes of each part of them.

mod common;

use common::{
    errors, info,
    model::{Document, import, imported, png},
    open, rows,
};
use serde_json::{Value, json};
use spelunk::{
    Opened, Severity,
    models::import::{Options, Policies, Policy, Save},
    open::codes,
};
use virtools::{
    File,
    class::{
        Value as Saved,
        entity_3d::Entity3d,
        mesh::Mesh,
        object_animation::controller::{Keys, QuaternionKey, VectorKey},
        texture::Texture,
    },
    file::data::Owner,
};
use zerocopy::little_endian::F32;

const SQUARE: [[f32; 3]; 4] = [[0.0, 0.0, 1.0], [2.0, 0.0, 1.0], [2.0, 3.0, 1.0], [0.0, 3.0, 1.0]];
const PAIRS: [[f32; 2]; 4] = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]];
/// Seen from in front, counterclockwise, as fronts are in glTF.
const CORNERS: [u16; 6] = [0, 1, 2, 0, 2, 3];

/// What the object of this class and name saved.
fn saved(bytes: &[u8], path: &str) -> Saved {
    let node = common::find(bytes, path);
    let mut opened = open(path, bytes);
    opened.run(|container, task| {
        let file = container.model::<File>().unwrap();
        let owner = Owner::Object(file.object_index(node).unwrap());
        file.value(owner, &mut Vec::new(), &mut task.budget).unwrap().unwrap().value
    })
}

fn mesh(bytes: &[u8], name: &str) -> Mesh {
    let Saved::Mesh(mesh) = saved(bytes, &format!("CKMesh/{name}")) else { panic!("{name}") };
    *mesh
}

fn entity(bytes: &[u8], path: &str) -> Entity3d {
    let Saved::Entity3d(entity) = saved(bytes, path) else { panic!("{path}") };
    *entity
}

fn texture(bytes: &[u8], name: &str) -> Texture {
    let Saved::Texture(texture) = saved(bytes, &format!("CKTexture/{name}")) else { panic!() };
    *texture
}

fn numbers<const N: usize>(tuples: &[[F32; N]]) -> Vec<[f32; N]> {
    tuples.iter().map(|tuple| tuple.map(F32::get)).collect()
}

fn names(bytes: &[u8], class: &str) -> Vec<String> {
    let rows = rows(&mut open("rows", bytes));
    let of_class = rows.iter().filter(|row| row["class"] == class);
    of_class.map(|row| row["name"].as_str().unwrap().to_owned()).collect()
}

/// A square on a node, with what else the primitive and the node say.
fn square(primitive: Value, node: Value) -> Document {
    let mut document = Document::default();
    let position = document.floats(&SQUARE);
    let uv = document.floats(&PAIRS);
    let indices = document.indices(&CORNERS);
    let mut made = json!({
        "attributes": {"POSITION": position, "TEXCOORD_0": uv},
        "indices": indices,
    });
    merge(&mut made, primitive);
    document.add("meshes", json!({"name": "Square", "primitives": [made]}));
    let mut made = json!({"name": "Wall", "mesh": 0});
    merge(&mut made, node);
    document.add("nodes", made);
    document
}

fn merge(into: &mut Value, from: Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (key, value) in from {
                merge(into.entry(key).or_insert(Value::Null), value);
            }
        }
        (into, from) => *into = from,
    }
}

fn new(document: Document) -> (Vec<u8>, Vec<&'static str>) {
    imported(&document.glb(), "made.glb", None, &Options::default())
}

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
fn materials_look_as_they_did() {
    let mut document = square(json!({"material": 0}), json!({}));
    document.add(
        "materials",
        json!({
            "name": "Glass",
            "pbrMetallicRoughness": {
                "baseColorFactor": [1.0, 0.21404114, 0.0, 0.5], "metallicFactor": 0.0,
                "roughnessFactor": 0.5, "baseColorTexture": {"index": 0},
            },
            "alphaMode": "BLEND", "doubleSided": true, "emissiveFactor": [0.0, 0.0, 1.0],
        }),
    );
    // Left column red, right column blue; the lower row is half transparent.
    let picture = png(2, 2, |x, y| {
        let alpha = if y == 0 { 255 } else { 128 };
        if x == 0 { [255, 0, 0, alpha] } else { [0, 0, 255, alpha] }
    });
    let image = document.image("glass.png", &picture);
    document.add("samplers", json!({"wrapS": 33071, "wrapT": 33071, "magFilter": 9728}));
    document.add("textures", json!({"source": image, "sampler": 0}));
    let (bytes, told) = new(document);
    assert_eq!(told, Vec::<&str>::new());
    let Saved::Material(material) = saved(&bytes, "CKMaterial/Glass") else { panic!() };
    let data = material.data.unwrap();
    assert_eq!((data.diffuse, data.emissive), (0x80FF_8000, 0xFF00_00FF));
    assert_eq!((data.specular_power, data.specular), (6.0, 0xFF7F_7F7F));
    // Two sided, perspective correction, blend, no depth; source alpha and its inverse.
    assert_eq!(data.flags & 0xFF, 0x0D);
    assert_eq!((data.source_blend(), data.destination_blend()), (5, 6));
    assert_eq!((data.address(), data.mag_filter(), data.min_filter()), (3, 1, 2));
    let mesh = mesh(&bytes, "Square");
    let slots = mesh.materials.unwrap();
    assert_eq!(slots.len(), 2);
    assert!(slots[0].material.get(true).value().is_none());
    assert!(mesh.faces.unwrap().iter().all(|face| face.material.get() == 1));
    // Pixels as planes: blue, green, red, alpha, the bottom row first.
    let texture = texture(&bytes, "glass");
    let image = texture.bitmap.raw.unwrap().remove(0).unwrap();
    let planes =
        [image.blue, image.green, image.red, image.alpha].map(|plane| plane.items.to_vec());
    assert_eq!(
        planes,
        [[0, 255, 0, 255], [0; 4], [255, 0, 255, 0], [128, 128, 255, 255]].map(Vec::from)
    );
    let data = texture.texture.unwrap();
    assert_eq!((data.save_option(), data.video_format), (0, Some(6)));
}

#[test]
fn unlit_surfaces_are_prelit_meshes() {
    let mut document = square(json!({"material": 0}), json!({}));
    document.add(
        "materials",
        json!({
            "name": "Sky", "extensions": {"KHR_materials_unlit": {}},
            "pbrMetallicRoughness": {"baseColorFactor": [0.0, 1.0, 0.0, 1.0]},
        }),
    );
    document.json["extensionsUsed"] = json!(["KHR_materials_unlit"]);
    let mesh = mesh(&new(document).0, "Square");
    assert_eq!(mesh.flags.unwrap() & 0x80, 0x80);
    let vertices = mesh.vertices.unwrap();
    assert_eq!(vertices.colors[0].get(), 0xFF00_FF00, "as bright as the material");
    let lit = square(json!({}), json!({}));
    assert_eq!(self::mesh(&new(lit).0, "Square").flags.unwrap() & 0x80, 0);
}

#[test]
fn texture_coordinates_are_those_that_the_texture_asks_for() {
    let mut document = square(json!({"material": 0}), json!({}));
    let second = document.floats(&[[0.5, 0.5], [1.0, 0.0], [0.0, 0.0], [0.25, 1.0]]);
    document.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_1"] = json!(second);
    document.add(
        "materials",
        json!({"pbrMetallicRoughness": {"baseColorTexture": {
            "index": 0, "texCoord": 1,
            "extensions": {"KHR_texture_transform": {"offset": [0.5, 0.0], "scale": [2.0, 4.0]}},
        }}}),
    );
    document.json["extensionsRequired"] = json!(["KHR_texture_transform"]);
    let image = document.image("", &png(1, 1, |_, _| [1, 2, 3, 255]));
    document.add("textures", json!({"source": image}));
    let (bytes, _) = new(document);
    let vertices = mesh(&bytes, "Square").vertices.unwrap();
    assert_eq!(numbers(&vertices.uv), [[1.5, 2.0], [2.5, 0.0], [0.5, 0.0], [1.0, 4.0]]);
    assert_eq!(names(&bytes, "CKMaterial"), ["Material 1"]);
    assert_eq!(names(&bytes, "CKTexture"), ["Texture 1"]);
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
fn pictures_are_stored_as_wished() {
    let picture = png(2, 1, |x, _| [x as u8 * 200, 10, 20, 255]);
    let document = || {
        let mut document = square(json!({"material": 0}), json!({}));
        document
            .add("materials", json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}));
        let image = document.image("wood", &picture);
        document.add("textures", json!({"source": image}));
        document.glb()
    };
    let store = |save: Save, write: bool| {
        let saves = vec![("*".to_owned(), Save::Raw), ("WOO?".to_owned(), save)];
        let options = Options { saves, write_textures: write, ..Options::default() };
        let mut made = import(&document(), "made.glb", None, &options).unwrap();
        let told: Vec<_> =
            made.opened.take_findings().findings.iter().map(|it| it.error.code().id).collect();
        let bytes = common::written(&mut made.opened, &made.options);
        let texture = texture(&bytes, "wood");
        let name = texture.bitmap.file_names.as_ref().map(|names| names[0].text().to_vec());
        let option = texture.texture.unwrap().save_option();
        let files: Vec<_> =
            made.textures.into_iter().map(|file| (file.name, file.content)).collect();
        (texture.bitmap.raw.is_some(), name, option, told, files, bytes)
    };
    let (pixels, name, option, told, files, _) = store(Save::Raw, false);
    assert_eq!((pixels, name, option, told.len(), files.len()), (true, None, 0, 0, 0));
    let (pixels, name, option, told, files, _) = store(Save::External, false);
    assert_eq!((pixels, option, files.len()), (false, 1, 0));
    assert_eq!((name.as_deref(), told), (Some(&b"wood.png"[..]), vec![codes::NO_PLACE.id]));
    let (_, _, _, told, files, _) = store(Save::External, true);
    assert_eq!((told.len(), files), (0, vec![("wood.png".to_owned(), picture.clone())]));
    let (pixels, name, option, _, _, bytes) = store(Save::Original, false);
    assert_eq!((pixels, name.as_deref(), option), (false, Some(&b"wood.png"[..]), 4));
    let mut opened = open("made", &bytes);
    assert_eq!(
        info("made", &mut opened)["included_files"],
        json!([{"name": "wood.png", "size": picture.len(), "counted": true}])
    );
    assert_eq!(errors(&mut opened), Vec::<&str>::new());
}

#[test]
fn embedded_pictures_are_image_files_that_come_back() {
    // Of a picture without and one with alpha: the reader, the kind, how many values alpha has, and the file as it was.
    let cases = [
        ("wood.bmp", 255, (0x614A_243F, 2, Some(1), false)),
        ("wood.bmp", 90, (0x614A_243F, 2, Some(2), false)),
        ("wood.tga", 90, (0xBCA9_7223, 1, None, false)),
        ("wood.png", 90, (0x02D4_5C7B, 1, None, true)),
        ("wood.jpg", 90, (0xBCA9_7223, 1, None, false)),
        ("", 90, (0xBCA9_7223, 1, None, false)),
    ];
    for (file, alpha, wanted) in cases {
        let picture =
            png(3, 2, |x, y| [x as u8 * 80, y as u8 * 70, 20, if x == 1 { alpha } else { 255 }]);
        let mut document = square(json!({"material": 0}), json!({}));
        document
            .add("materials", json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}));
        let image = document.image("wood", &picture);
        if !file.is_empty() {
            document.json["images"][image]["extras"] =
                json!({"virtools": {"file": file, "missing": false, "embedded": false}});
        }
        document.add("textures", json!({"source": image}));
        let saves = vec![("*".to_owned(), Save::Embedded)];
        let options = Options { saves, ..Options::default() };
        let (bytes, told) = imported(&document.glb(), "made.glb", None, &options);
        assert_eq!(told, Vec::<&str>::new());
        let stored = texture(&bytes, "wood");
        let name = stored.bitmap.file_names.as_ref().map(|names| names[0].text().to_vec());
        assert_eq!(name.as_deref(), Some(file.as_bytes()).filter(|file| !file.is_empty()));
        assert_eq!(stored.texture.unwrap().save_option(), 2);
        let images = stored.bitmap.reader.unwrap();
        assert_eq!((images.width, images.height, images.images.len()), (3, 2, 1));
        let image = images.images[0].as_ref().unwrap();
        let values = image.alpha.as_ref().map(|alpha| alpha.distinct);
        let made = (
            image.head.reader.d1.get(),
            image.head.kind.get(),
            values,
            image.file.items.to_vec() == picture,
        );
        assert_eq!(made, wanted, "{file}");
        let mut budget = spelunk::Budget::new(spelunk::Limits::for_len(1 << 20));
        let shown = image.rgba(&mut budget).unwrap();
        let pixels = |x: u8, y: u8| [x * 80, y * 70, 20, if x == 1 { alpha } else { 255 }];
        let all: Vec<u8> = (0..2).flat_map(|y| (0..3).flat_map(move |x| pixels(x, y))).collect();
        assert_eq!(shown.pixels(), all, "{file}");

        // Out and in again it stays as it is stored, and with another wish it does not.
        let model = common::scene::glb(
            &mut open("made", &bytes),
            &spelunk::models::export::Options::default(),
        );
        let model = model.unwrap();
        let again = |save: Option<Save>| {
            let policies = Policies::all(Policy::Replace);
            let saves = save.map(|save| ("*".to_owned(), save)).into_iter().collect();
            let options = Options { saves, policies, ..Options::default() };
            imported(&model, "a.glb", Some(&bytes), &options).0
        };
        assert!(again(None) == bytes, "{file}");
        assert!(again(Some(Save::Embedded)) == bytes, "{file}");
        let raw = texture(&again(Some(Save::Raw)), "wood");
        assert!(raw.bitmap.reader.is_none() && raw.bitmap.raw.is_some(), "{file}");
    }
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
