//! Models that are wrong: each is refused with the code and the place of what is wrong, and whatever happens to their
//! bytes, what is imported is sound.

use crate::common::{
    errors,
    everything::{MTL, OBJ, binary, everything, glb, png},
    open, sample, written,
};
use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::{Value, json};
use spelunk::{
    Bytes, Options,
    models::import::{self, Imported, Policies, Policy, import},
};
use spelunk_fixtures::mutate::mutate;
use std::sync::Arc;
use test_support::findings::codes;

fn plain(source: &[u8], name: &str) -> spelunk::Result<Imported> {
    let source = Bytes::copy_from_slice(source);
    import(&source, name, None, &import::Options::default(), &Options::default())
}

/// The codes of what was told.
fn told(imported: &Imported) -> Vec<&'static str> {
    codes(imported.opened.findings())
}

/// Writes what was imported, opens and checks it, and gives its bytes.
fn sound(name: &str, imported: spelunk::Result<Imported>) -> Option<Vec<u8>> {
    let mut imported = imported.ok()?;
    let file = written(&mut imported.opened, &imported.options);
    assert_eq!(errors(&mut open(name, &file)), [""; 0], "{name}");
    Some(file)
}

#[test]
fn what_is_right_is_imported_with_all_that_it_has() {
    let text = serde_json::to_vec(&everything()).unwrap();
    let imported = plain(&glb(&text, &binary()), "a.glb").unwrap();
    assert_eq!(imported.report.created, 8 + 3 + 3 + 1 + 4, "{:?}", told(&imported));
    sound("a.glb", Ok(imported)).unwrap();
    sound("a.obj", plain(OBJ.as_bytes(), "a.obj")).unwrap();
}

/// The document with another value at each of these places, or a new one.
fn with(changes: &[(&str, Value)]) -> Vec<u8> {
    let mut document = everything();
    for (path, value) in changes {
        let (above, key) = path.rsplit_once('/').unwrap();
        match document.pointer_mut(above).unwrap_or_else(|| panic!("{path}")) {
            Value::Object(fields) => drop(fields.insert(key.to_owned(), value.clone())),
            Value::Array(items) => match items.get_mut(key.parse::<usize>().unwrap()) {
                Some(item) => *item = value.clone(),
                None => items.push(value.clone()),
            },
            other => panic!("{path} in {other}"),
        }
    }
    glb(&serde_json::to_vec(&document).unwrap(), &binary())
}

/// The content with this number in the place of a float.
fn with_float(at: usize, number: f32) -> Vec<u8> {
    let mut binary = binary();
    binary[at..at + 4].copy_from_slice(&number.to_le_bytes());
    glb(&serde_json::to_vec(&everything()).unwrap(), &binary)
}

/// Asserts that the document with another value at this place is refused, and that the message has this in it.
fn wrong(path: &str, value: Value, part: &str) {
    let Err(error) = plain(&with(&[(path, value)]), "a.glb") else {
        panic!("{path}: {part} was due")
    };
    let message = error.to_string();
    assert!(error.code().id == "SP076" && message.contains(part), "{path}: {part}: {message}");
}

/// Asserts that a file is refused with this code, and that the message has this in it.
#[track_caller]
fn refused(name: &str, source: &[u8], code: &str, part: &str) {
    let Err(error) = plain(source, name) else { panic!("imported, where {code} {part} was due") };
    let message = error.to_string();
    assert!(error.code().id == code && message.contains(part), "{code} {part}: {message}");
}

#[test]
fn files_that_are_cut_or_of_other_versions_are_refused() {
    let whole = with(&[]);
    let poked = |at: usize, byte: u8| {
        let mut file = whole.clone();
        file[at] = byte;
        file
    };
    for (file, code, part) in [
        (b"glTF".to_vec(), "SP076", "version: "),
        (
            poked(4, 1),
            "SP076",
            "version: the model is damaged, or not what its name says: expected 2, found 1",
        ),
        (whole[..11].to_vec(), "SP076", "chunk"),
        (whole[..12].to_vec(), "SP076", "chunk"),
        (whole[..19].to_vec(), "SP076", "chunk"),
        (whole[..40].to_vec(), "SP076", "chunk: "),
        (whole[..whole.len() - 1].to_vec(), "SP076", "chunk: "),
        (poked(15, 0xFF), "SP076", "chunk: "),
        (poked(16, b'X'), "SP076", "JSON"),
        (glb(b"", b""), "SP076", "glTF 2.0"),
        (glb(b"{\"asset\":{}}", b""), "SP076", "glTF 2.0"),
        (glb(b"{\"asset\":{\"version\":\"1.0\"}}", b""), "SP076", "asset > version"),
        (glb(b"{\"asset\":{\"version\":\"\"}}", b""), "SP076", "asset > version"),
        (glb(b"\xFF\xFE{", b""), "SP076", "glTF 2.0"),
        (glb(b"[]", b""), "SP076", "glTF 2.0"),
        (
            glb(b"{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":4}]}", b"abc"),
            "",
            "",
        ),
        (
            glb(b"{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":5}]}", b"abc"),
            "SP076",
            "buffers 0",
        ),
        (b"{ \"asset\": {\"version\":\"2.0\"} ".to_vec(), "SP076", "glTF 2.0"),
        (Vec::new(), "SP082", "a.glb"),
        (b"some text".to_vec(), "SP082", "a.glb"),
    ] {
        match code {
            "" => drop(plain(&file, "a.glb").unwrap()),
            _ => refused("a.glb", &file, code, part),
        }
    }
    refused("a.png", &png(), "SP082", "--into");
}

#[test]
fn references_that_lead_nowhere_are_refused() {
    for (path, value, part) in [
        ("/nodes/0/children/0", json!(99), "nodes[0].children[0]"),
        ("/nodes/1/mesh", json!(2), "nodes[1].mesh"),
        ("/nodes/2/camera", json!(4294967295_u32), "nodes[2].camera"),
        ("/nodes/2/camera", json!(1e3), "glTF 2.0"),
        ("/nodes/2/camera", json!(-1), "glTF 2.0"),
        ("/nodes/4/extensions/KHR_lights_punctual/light", json!(2), "light"),
        ("/scene", json!(1), "scene"),
        ("/scenes/0/nodes/0", json!(8), "scenes[0].nodes[0]"),
        ("/meshes/0/primitives/0/material", json!(2), "primitives[0].material"),
        ("/meshes/0/primitives/0/indices", json!(6), "primitives[0].indices"),
        ("/meshes/0/primitives/0/attributes/POSITION", json!(6), "meshes 0 > POSITION"),
        ("/meshes/0/primitives/0/attributes/TEXCOORD_1", json!(6), "TEXCOORD_1"),
        ("/materials/0/pbrMetallicRoughness/baseColorTexture/index", json!(1), "baseColorTexture"),
        ("/textures/0/sampler", json!(1), "textures[0].sampler"),
        ("/textures/0/source", json!(1), "textures[0].source"),
        ("/images/0/bufferView", json!(6), "images[0].bufferView"),
        ("/accessors/0/bufferView", json!(6), "accessors[0].bufferView"),
        ("/accessors/5/sparse/indices/bufferView", json!(6), "sparse.indices.bufferView"),
        ("/accessors/5/sparse/values/bufferView", json!(6), "sparse.values.bufferView"),
        ("/bufferViews/0/buffer", json!(1), "bufferViews[0].buffer"),
        // Trees that are none.
        ("/nodes/1/children", json!([2]), "nodes 2"),
        ("/nodes/1/children", json!([0]), "nodes 0"),
        ("/nodes/1/children", json!([1]), "nodes 1"),
        ("/nodes/1/children", json!([8, 8]), "nodes[1].children[0]"),
        ("/scenes/0/nodes", json!([0, 1]), "nodes 1"),
        ("/scenes/0/nodes", json!([0, 0]), "nodes 0"),
    ] {
        wrong(path, value, part);
    }
    // Without a scene, nodes that stand below each other are no roots: nothing of them is shown.
    let ring =
        with(&[("/scenes", json!([])), ("/scene", Value::Null), ("/nodes/1/children", json!([0]))]);
    assert_eq!(
        plain(&ring, "a.glb").map(|imported| imported.report.created).unwrap(),
        2 + 3 + 1 + 3
    );
}

#[test]
fn ranges_outside_of_their_buffers_are_refused() {
    let most = json!(u64::MAX);
    for (path, value, part) in [
        ("/buffers/0/byteLength", json!(100_000), "buffers 0"),
        ("/buffers/0/byteLength", most.clone(), "buffers 0"),
        ("/buffers/0/byteLength", json!(-1), "glTF 2.0"),
        ("/bufferViews/0/byteLength", json!(100_000), "bufferViews 0"),
        ("/bufferViews/0/byteLength", most.clone(), "bufferViews 0"),
        ("/bufferViews/0/byteLength", json!(0), "accessors 0"),
        ("/bufferViews/1/byteOffset", most.clone(), "bufferViews 1"),
        ("/bufferViews/1/byteOffset", json!(u64::MAX - 35), "bufferViews 1"),
        ("/bufferViews/0/byteStride", json!(8), "accessors 0"),
        ("/bufferViews/0/byteStride", json!(0), "byteStride"),
        ("/bufferViews/0/byteStride", json!(252), "accessors 0"),
        ("/bufferViews/0/byteStride", json!(9_007_199_254_740_993_u64), "byteStride"),
        ("/accessors/0/byteOffset", json!(4), "accessors 0"),
        ("/accessors/0/byteOffset", most.clone(), "accessors 0"),
        ("/accessors/0/count", json!(4), "accessors 0"),
        ("/accessors/0/count", json!(0), "accessors"),
        ("/accessors/0/type", json!("VEC2"), "accessors 0 > type"),
        ("/accessors/0/type", json!("VEC9"), "accessors[0].type"),
        ("/accessors/0/componentType", json!(5124), "accessors[0].componentType"),
        ("/accessors/2/type", json!("SCALAR"), "accessors 2 > type"),
        ("/accessors/3/type", json!("VEC2"), "accessors 3 > type"),
        ("/accessors/4/type", json!("VEC2"), "accessors 4"),
        ("/accessors/4/componentType", json!(5126), "accessors 4 > componentType"),
        ("/accessors/4/componentType", json!(5122), "accessors 4 > componentType"),
        ("/accessors/4/sparse", everything()["accessors"][5]["sparse"].clone(), "accessors 4"),
        // The text of the picture as indices.
        ("/accessors/4/byteOffset", json!(1), "accessors 4"),
        ("/accessors/4/bufferView", json!(5), "indices below 3"),
        ("/accessors/5/sparse/count", json!(5), "accessors 5"),
        ("/accessors/5/sparse/indices/bufferView", json!(5), "accessors 5 > sparse"),
        ("/accessors/5/sparse/indices/byteOffset", most, "accessors 5"),
        ("/accessors/5/sparse/indices/componentType", json!(5126), "sparse.indices.componentType"),
        ("/accessors/5/sparse/values/byteOffset", json!(13), "accessors 5"),
    ] {
        wrong(path, value, part);
    }
    for count in [1_u64 << 60, u64::MAX, 1 << 40] {
        for accessor in [0, 4, 5] {
            let path = format!("/accessors/{accessor}/count");
            let error = plain(&with(&[(path.as_str(), json!(count))]), "a.glb").unwrap_err();
            assert_eq!(error.code().id, "SP010", "{path} {count}: {error}");
        }
    }
}

#[test]
fn what_is_no_number_is_refused() {
    for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        refused("a.glb", &with_float(8, number), "SP076", "hill");
        // Other programs write normals of faces without a size like this.
        sound("normals", plain(&with_float(36, number), "a.glb")).unwrap();
        refused("a.glb", &with_float(76, number), "SP076", "hill");
    }
    for (path, value, part) in [
        ("/nodes/1/translation/0", json!(1e39), "number out of range"),
        ("/nodes/1/rotation/0", json!(-1e300), "number out of range"),
        ("/nodes/3/matrix/0", json!(1e39), "number out of range"),
        ("/nodes/1/translation/0", Value::Null, "glTF 2.0"),
        ("/nodes/1/translation", json!([1, 2]), "glTF 2.0"),
        ("/cameras/0/perspective/yfov", json!(1e39), "number out of range"),
        ("/cameras/1/orthographic/xmag", json!(0), "nodes 7"),
        ("/cameras/1/orthographic/xmag", json!(1e-45), "nodes 7"),
        ("/extensions/KHR_lights_punctual/lights/0/spot/outerConeAngle", json!(3e38), "nodes 4"),
    ] {
        wrong(path, value, part);
    }
    // Places that are too large only when they are put together.
    let huge = with(&[
        ("/nodes/0/scale", json!([1e30, 1e30, 1e30])),
        ("/nodes/1/scale", json!([1e30, 1e30, 1e30])),
    ]);
    refused("a.glb", &huge, "SP076", "nodes 1");
}

#[test]
fn files_that_are_named_lie_beside_the_document() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a b.bin"), binary()).unwrap();
    let text = |uri: &str| {
        let mut document = everything();
        document["buffers"][0]["uri"] = uri.into();
        serde_json::to_vec(&document).unwrap()
    };
    let imported = |uri: &str, folder: Option<&std::path::Path>| {
        let options = import::Options {
            folder: folder.map(|folder| folder.to_owned().into()),
            ..Default::default()
        };
        import(&text(uri).into(), "a.gltf", None, &options, &Options::default())
    };
    let inside = folder.path().join("inside");
    std::fs::create_dir(&inside).unwrap();
    let absolute = folder.path().join("a b.bin").display().to_string();
    let base64 = |content: &[u8]| BASE64_STANDARD.encode(content);
    for (uri, code, part) in [
        ("../a b.bin", "SP076", "buffers 0 > uri"),
        ("..%2Fa%20b.bin", "SP076", "`../a b.bin`"),
        ("%2E%2E/a b.bin", "SP076", "`../a b.bin`"),
        ("..\\a b.bin", "SP076", "beside the document"),
        ("../../etc/passwd", "SP076", "beside the document"),
        ("/etc/passwd", "SP076", "beside the document"),
        ("//etc/passwd", "SP076", "beside the document"),
        (absolute.as_str(), "SP076", "beside the document"),
        ("file:///etc/passwd", "SP076", "beside the document"),
        ("C:/a.bin", "SP076", "beside the document"),
        ("http://localhost/a.bin", "SP076", "beside the document"),
        ("nothing.bin", "SP020", "nothing.bin"),
        ("", "SP076", "beside the document"),
        (".", "SP076", "beside the document"),
        ("a\0b", "SP076", "beside the document"),
        ("data:", "SP076", "data in base64"),
        ("data:text/plain,abc", "SP076", "data in base64"),
        ("data:;base64,a", "SP076", "buffers 0 > uri"),
        ("data:;base64,ab c", "SP076", "buffers 0 > uri"),
        ("data:;base64,####", "SP076", "buffers 0 > uri"),
        ("data:;base64,", "SP076", "buffers 0"),
    ] {
        let error = imported(uri, Some(&inside)).unwrap_err();
        let message = error.to_string();
        assert!(error.code().id == code && message.contains(part), "{uri}: {message}");
    }
    refused("a.gltf", &text("a b.bin"), "SP076", "beside the document");
    for uri in ["a%20b.bin", "a b.bin", "./a b.bin"] {
        assert!(imported(uri, Some(folder.path())).is_ok(), "{uri}");
    }
    // A link would lead out of the folder.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.path(), inside.join("out")).unwrap();
        std::os::unix::fs::symlink(&absolute, inside.join("out.bin")).unwrap();
        for uri in ["out/a b.bin", "out.bin"] {
            assert_eq!(imported(uri, Some(&inside)).unwrap_err().code().id, "SP076", "{uri}");
        }
    }
    let data = format!("data:application/octet-stream;base64,{}", base64(&binary()));
    sound("data", imported(&data, None)).unwrap();
}

#[test]
fn what_is_around_the_shapes_is_left_out_or_refused() {
    let picture =
        |bytes: &[u8]| json!(format!("data:image/png;base64,{}", BASE64_STANDARD.encode(bytes)));
    // Pictures that are none are told, with the texture; those that are not there are left out.
    for (path, value, code, part) in [
        ("/images/0/uri", picture(b"no picture"), "VT064", "stones"),
        ("/images/0/uri", picture(&png()[..40]), "VT064", "stones"),
        ("/images/0/uri", picture(b""), "VT064", "stones"),
        (
            "/extensionsRequired",
            json!(["KHR_draco_mesh_compression"]),
            "SP077",
            "KHR_draco_mesh_compression",
        ),
        ("/extensionsRequired", json!(["KHR_materials_unlit", "EXT_x"]), "SP077", "found EXT_x"),
        ("/extensions/KHR_lights_punctual/lights/0/type", json!("area"), "SP076", "lights[0].type"),
        ("/extensions/KHR_lights_punctual/lights/0/spot", Value::Null, "SP076", "lights[0].spot"),
        ("/cameras/0/perspective", Value::Null, "SP076", "cameras[0]"),
        ("/cameras/0/type", json!("wide"), "SP076", "cameras[0].type"),
        ("/meshes/0/primitives/0/mode", json!(7), "SP076", "primitives[0].mode"),
        ("/meshes/0/primitives/0/attributes", json!({}), "SP076", "POSITION"),
        ("/meshes/0/primitives/0/attributes/BLAH", json!(0), "SP076", "invalid semantic"),
        ("/meshes/0/primitives", json!({}), "SP076", "glTF 2.0"),
        ("/accessors/0/min", json!([[[1]], 0, 0]), "SP076", "accessors 0"),
        ("/accessors/0/max", json!(vec![0; 17]), "SP076", "accessors 0"),
        ("/materials/0/alphaMode", json!("NONE"), "SP076", "materials[0].alphaMode"),
        ("/samplers/0/wrapS", json!(1), "SP076", "samplers[0].wrapS"),
        ("/nodes/1/name", json!("\u{1F600}"), "SP033", ""),
    ] {
        refused("a.glb", &with(&[(path, value)]), code, part);
    }
    for (path, value) in [
        ("/images/0/uri", json!("../stones.png")),
        ("/images/0/uri", json!("stones.png")),
        ("/images/0/extras", json!({"virtools": {"file": 3}})),
        ("/textures/0/extras", json!({"virtools": {"transparent_color": [256, 0, 0]}})),
        ("/materials/0/extras", json!({"virtools": {"textures": "stones"}})),
        ("/materials/0/extras", json!({"virtools": {"diffuse": "0xfffffffff"}})),
        ("/meshes/0/extras", json!({"virtools": [1, 2]})),
        ("/nodes/1/extras", json!({"virtools": {"index": -1}})),
        ("/nodes/1/extras", json!({"groups": 5, "virtools": {}})),
        ("/nodes/6/extras", json!({"virtools": {"matrix": [[1, 2, 3]]}})),
        ("/nodes/6/extras", json!({"virtools": {"point": {"tcb": [1e39, 0, 0]}}})),
        ("/extras", json!({"virtools": 1, "groups": {"name": 1}})),
    ] {
        let imported = plain(&with(&[(path, value)]), "a.glb")
            .unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(
            ["SP073", "SP078"].iter().any(|code| told(&imported).contains(code)),
            "{path}: {:?}",
            told(&imported)
        );
        sound(path, Ok(imported)).unwrap();
    }
}

#[test]
fn what_is_too_deep_or_too_much_is_refused() {
    let deep = |open: &str, close: &str| {
        let inner = [open.repeat(200_000), close.repeat(200_000)].concat();
        format!("{{\"asset\":{{\"version\":\"2.0\"}},\"accessors\":[{{\"min\":{inner}}}]}}")
    };
    refused("a.gltf", deep("[", "]").as_bytes(), "SP076", "recursion limit");
    refused("a.gltf", deep("{\"a\":", "}").as_bytes(), "SP076", "glTF 2.0");
    let extras = deep("[", "]").replace("\"accessors\":[{\"min\"", "\"nodes\":[{\"extras\"");
    sound("extras", plain(extras.as_bytes(), "a.gltf")).unwrap();
    let nodes = |count: usize| {
        let node =
            |nth: usize| if nth + 1 < count { json!({"children": [nth + 1]}) } else { json!({}) };
        let nodes: Vec<Value> = (0..count).map(node).collect();
        serde_json::to_vec(&json!({"asset": {"version": "2.0"}, "nodes": nodes})).unwrap()
    };
    sound("1,000 nodes", plain(&nodes(1_000), "a.gltf")).unwrap();
    refused("a.gltf", &nodes(5_000), "SP076", "nodes");
    let many = |count: u32| {
        let part = json!([{"attributes": {"POSITION": 5}}]);
        with(&[("/accessors/5/count", json!(count)), ("/meshes/0/primitives", part)])
    };
    refused("a.glb", &many(65_536), "SP079", "65536 in `hill`");
    sound("65,535 vertices", plain(&many(65_535), "a.glb")).unwrap();
}

#[test]
fn shapes_in_text_that_are_wrong_are_refused() {
    for (text, part) in [
        ("", "expected an OBJ with faces, found none"),
        ("hello\nworld", "faces"),
        ("v 0 0 0\nl 1 1 1\np 1 1 1\nf 1\nf 1 1", "faces"),
        ("v 0 0 0\nf", "line 2"),
        ("v 0 0 0\nf 1 1 2", "face vertex index out of bounds"),
        ("v 0 0 0\nf 0 1 1", "face vertex index out of bounds"),
        ("v 0 0 0\nf 1 1 -2", "line 2"),
        ("v 0 0 0\nf 1 1 99999999999999999999", "line 2"),
        ("v 0 0 0\nf 1 1 9223372036854775807", "line 2"),
        ("v 0 0 0\nf 1 1 -9223372036854775808", "line 2"),
        ("v 0 0 0\nvt 0 0\nf 1/1 1/1 1/2", "face texcoord index out of bounds"),
        ("v 0 0 0\nvt 0 0\nf 1/1 1/1 1/-2", "line 3"),
        ("v 0 0 0\nvt 0 0\nf 1/1 1/1 1/9223372036854775807", "line 3"),
        ("v 0 0 0\nvn 0 0 1\nf 1//1 1//1 1//2", "face normal index out of bounds"),
        ("v 0 0 0\nvn 0 0 1\nf 1//1 1//1 1//-6148914691236517205", "line 3"),
        ("v 0 0 0\nf 1/1/1/1 1 1", "face parse error"),
        ("v 0 0 0\nf a b c", "line 2"),
        ("v 0 0\nf 1 1 1", "position parse error"),
        ("v 0 0 0 0\nf 1 1 1", "scaling"),
        ("v 0 0 0 1 1\nf 1 1 1", "color"),
        ("v 0 0 x\nf 1 1 1", "position parse error"),
        ("v 0 0 NaN\nf 1 1 1", "numbers"),
        ("v 0 0 1e39\nf 1 1 1", "numbers"),
        ("v 0 0 inf\nf 1 1 1", "numbers"),
        ("v 0 0 0\nvt nan 0\nf 1/1 1/1 1/1", "numbers"),
        ("v 0 0 0\nvt 0\nf 1/1 1/1 1/1", "texcoord parse error"),
        ("v 0 0 0\nusemtl\nf 1 1 1", "material parse error"),
    ] {
        refused("a.obj", text.as_bytes(), "SP076", part);
    }
    refused("a.obj", b"v 0 0 0\no \xFC\nf 1 1 1", "SP076", "line 2");
    let long = ["v 0 0 0\nf", &" 1".repeat(500_000)].concat();
    sound("a long line", plain(long.as_bytes(), "a.obj")).unwrap();
    let line = ["v 0 0 0\nf 1 1 1\n# ", &"x".repeat(5_000_000)].concat();
    sound("a long comment", plain(line.as_bytes(), "a.obj")).unwrap();
}

#[test]
fn materials_of_shapes_that_are_wrong_leave_the_shapes() {
    let folder = tempfile::tempdir().unwrap();
    let options =
        import::Options { folder: Some(folder.path().join("in").into()), ..Default::default() };
    std::fs::create_dir(folder.path().join("in")).unwrap();
    std::fs::write(folder.path().join("out.mtl"), MTL).unwrap();
    let imported = |name: &str| {
        // Lines are told, too, but not here.
        let text = OBJ.replace("house.mtl", name).replace("l 1 2 3\n", "");
        import(&text.into(), "a.obj", None, &options, &Options::default())
    };
    let path = folder.path().join("out.mtl").display().to_string();
    for name in ["none.mtl", "../out.mtl", path.as_str(), "..", ".", ""] {
        let imported = imported(name).unwrap();
        assert_eq!(told(&imported), ["SP078"], "{name}");
        assert_eq!(imported.report.created, 2 * 3, "{name}");
        sound(name, Ok(imported)).unwrap();
    }
    for (text, codes) in [
        (MTL, vec![]),
        ("newmtl stone\nKd 0.5\nKa 1 2", vec![]),
        ("newmtl stone\nKd nan inf -1\nNs nan\nd inf", vec![]),
        ("newmtl stone\nKd", vec!["SP078"]),
        ("newmtl stone\nKd spectral a.rfl", vec!["SP078"]),
        ("newmtl", vec!["SP078"]),
        ("map_Kd", vec!["SP078"]),
        ("newmtl stone\nmap_Kd ../../etc/passwd", vec![]),
        ("newmtl \u{FC}\nillum x", vec!["SP078"]),
    ] {
        std::fs::write(folder.path().join("in/house.mtl"), text).unwrap();
        let imported = imported("house.mtl").unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(told(&imported), codes, "{text}");
        sound(text, Ok(imported)).unwrap();
    }
}

/// Text with another number in the place of one of its numbers.
fn renumbered(text: &str, seed: u64) -> String {
    const NUMBERS: [&str; 12] = [
        "0",
        "-1",
        "1",
        "2",
        "3",
        "65536",
        "4294967295",
        "1e308",
        "1e-45",
        "0.5",
        "18446744073709551615",
        "-9223372036854775808",
    ];
    let is_number = |byte: u8| byte.is_ascii_digit() || b"+-.".contains(&byte);
    let bytes = text.as_bytes();
    let starts: Vec<usize> = (1..bytes.len())
        .filter(|at| is_number(bytes[*at]) && b" ,:[/".contains(&bytes[at - 1]))
        .collect();
    let start = starts[seed as usize % starts.len()];
    let len = bytes[start..].iter().take_while(|byte| is_number(**byte)).count();
    let number = NUMBERS[(seed / 7) as usize % NUMBERS.len()];
    [&text[..start], number, &text[start + len..]].concat()
}

/// What a seed makes of a document.
fn damaged(kind: &str, seed: u64) -> Vec<u8> {
    let text = everything().to_string();
    match (kind, seed % 4) {
        ("a.obj", 0 | 1) => renumbered(OBJ, seed).into_bytes(),
        ("a.obj", _) => mutate(OBJ.as_bytes(), seed),
        ("a.gltf", which) => {
            let mut document = everything();
            let data = ["data:;base64,", &BASE64_STANDARD.encode(binary())].concat();
            document["buffers"][0]["uri"] = data.into();
            let text = document.to_string();
            if which < 2 {
                renumbered(&text, seed).into_bytes()
            } else {
                mutate(text.as_bytes(), seed)
            }
        }
        (_, 0 | 1) => glb(renumbered(&renumbered(&text, seed), seed / 3).as_bytes(), &binary()),
        (_, 2) => glb(text.as_bytes(), &mutate(&binary(), seed)),
        _ => mutate(&glb(text.as_bytes(), &binary()), seed),
    }
}

/// Imports damaged documents, into new files and into one that is there; what is imported is sound.
fn thousands(kind: &str) {
    let level = Arc::new(Bytes::from(sample("level.nmo")));
    let mut made = 0;
    for seed in 0..3_000_u64 {
        let source = Bytes::from(damaged(kind, seed));
        let into = (seed % 5 == 0).then(|| level.clone());
        let policy = [Policy::Rename, Policy::Replace, Policy::Keep][(seed / 5) as usize % 3];
        let policies = Policies::all(policy);
        let options = import::Options { policies, split: seed % 2 == 0, ..Default::default() };
        let into = into.map(|into| into as Arc<dyn spelunk::Source>);
        let run = || {
            let imported = import(&source, kind, into, &options, &Options::default());
            sound(kind, imported).is_some()
        };
        let is_made = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run))
            .unwrap_or_else(|_| panic!("{kind}, seed {seed}"));
        made += u64::from(is_made);
    }
    println!("{kind}: {made} of 3000 are imported");
    assert!((100..2_900).contains(&made), "{made}: the damage has become too mild, or too strong");
}

#[test]
fn thousands_of_damaged_binary_documents() {
    thousands("a.glb");
}

#[test]
fn thousands_of_damaged_documents_of_text() {
    thousands("a.gltf");
}

#[test]
fn thousands_of_damaged_shapes() {
    thousands("a.obj");
}
