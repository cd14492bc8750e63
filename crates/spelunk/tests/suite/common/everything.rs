//! Models to be imported, put together for a test.

#![allow(dead_code, reason = "every test file uses another part")]

use serde_json::{Value, json};

/// A binary glTF file of this text and content.
pub fn glb(document: &[u8], binary: &[u8]) -> Vec<u8> {
    let chunk = |kind: &[u8; 4], content: &[u8], fill: u8| {
        let mut content = content.to_vec();
        content.resize(content.len().next_multiple_of(4), fill);
        [&(content.len() as u32).to_le_bytes(), kind.as_slice(), &content].concat()
    };
    let chunks = [chunk(b"JSON", document, b' '), chunk(b"BIN\0", binary, 0)].concat();
    let len = (chunks.len() + 12) as u32;
    [b"glTF".as_slice(), &2_u32.to_le_bytes(), &len.to_le_bytes(), &chunks].concat()
}

/// A picture of 2 by 2 pixels, one of them half transparent.
pub fn png() -> Vec<u8> {
    let pixels = vec![255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 128, 9, 8, 7, 255];
    let picture = image::RgbaImage::from_raw(2, 2, pixels).unwrap();
    let mut file = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut file, image::ImageFormat::Png).unwrap();
    file.into_inner()
}

/// The content of [`everything`]: three vertices, three indices, and a picture behind them.
pub fn binary() -> Vec<u8> {
    let floats = |numbers: &[f32]| numbers.iter().flat_map(|it| it.to_le_bytes()).collect();
    let positions: Vec<u8> = floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, -2.0]);
    let normals: Vec<u8> = floats(&[0.0, 0.0, 1.0, 0.6, 0.0, 0.8, 0.0, 1.0, 0.0]);
    let uv: Vec<u8> = floats(&[0.0, 0.0, 1.0, 0.0, 0.5, 1.0]);
    let colors = [[255, 0, 9, 255], [0, 255, 0, 128], [1, 2, 3, 4]].concat();
    let indices = [0_u16, 1, 2, 0].map(u16::to_le_bytes).concat();
    [positions, normals, uv, colors, indices, png()].concat()
}

/// A document with all that the importer knows: places, meshes with channels and lines, materials, textures, cameras,
/// lights, a curve, a sprite, groups. Its first buffer is [`binary`].
pub fn everything() -> Value {
    let float = |view: u32, kind: &str| json!({"bufferView": view, "componentType": 5126, "count": 3, "type": kind});
    json!({
        "asset": {"version": "2.0"},
        "extensionsUsed": ["KHR_lights_punctual", "KHR_materials_unlit", "KHR_texture_transform"],
        "buffers": [{"byteLength": binary().len()}],
        "bufferViews": [
            {"buffer": 0, "byteLength": 36},
            {"buffer": 0, "byteOffset": 36, "byteLength": 36},
            {"buffer": 0, "byteOffset": 72, "byteLength": 24},
            {"buffer": 0, "byteOffset": 96, "byteLength": 12},
            {"buffer": 0, "byteOffset": 108, "byteLength": 8},
            {"buffer": 0, "byteOffset": 116, "byteLength": png().len()},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, -2], "max": [1, 1, 0]},
            float(1, "VEC3"), float(2, "VEC2"),
            {"bufferView": 3, "componentType": 5121, "normalized": true, "count": 3, "type": "VEC4"},
            {"bufferView": 4, "componentType": 5123, "count": 3, "type": "SCALAR"},
            {"componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 0, 0], "sparse": {"count": 2,
                "indices": {"bufferView": 4, "byteOffset": 2, "componentType": 5123},
                "values": {"bufferView": 0}}},
        ],
        "images": [{"bufferView": 5, "mimeType": "image/png", "name": "stones",
            "extras": {"virtools": {"file": "stones.png", "embedded": true}}}],
        "samplers": [{"magFilter": 9728, "minFilter": 9987, "wrapS": 33071, "wrapT": 33071}],
        "textures": [{"source": 0, "sampler": 0, "name": "stones",
            "extras": {"virtools": {"index": 7, "flags": "0x00000001", "transparent_color": [0, 255, 0], "slots": 1}}}],
        "materials": [
            {"name": "stony", "alphaMode": "MASK", "alphaCutoff": 0.25, "emissiveFactor": [0.5, 0.25, 0],
                "pbrMetallicRoughness": {"baseColorFactor": [0.5, 1, 0.25, 0.75], "roughnessFactor": 0.5,
                    "baseColorTexture": {"index": 0, "extensions": {
                        "KHR_texture_transform": {"offset": [0.5, 0], "rotation": 0.25, "scale": [2, 3]}}}},
                "extras": {"virtools": {"index": 6, "name": "stony", "diffuse": "0xffffffff", "flags": "0x0008040c",
                    "modes": "0x13212224", "textures": [{"name": "stones"}, {"name": "stones"}]}}},
            {"name": "bright", "extensions": {"KHR_materials_unlit": {}},
                "pbrMetallicRoughness": {"baseColorFactor": [1, 0.5, 0.5, 1]}},
        ],
        "meshes": [
            {"name": "hill", "extras": {"virtools": {"index": 5, "flags": "0x0003c00a", "channels": [
                    {"flags": "0x00000005", "source_blend": 5, "destination_blend": 6, "texcoord": 1,
                        "material": {"index": 9, "name": "shadow", "textures": [{"name": "stones"}]}}]}},
                "primitives": [
                    {"attributes": {"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2, "TEXCOORD_1": 2, "COLOR_0": 3},
                        "indices": 4, "material": 0, "extras": {"virtools": {"slot": 1}}},
                    {"attributes": {"POSITION": 5}, "mode": 5, "material": 0},
                    {"attributes": {"POSITION": 0}, "indices": 4, "mode": 2},
                ]},
            {"name": "lamp", "primitives": [{"attributes": {"POSITION": 0, "COLOR_0": 3}, "material": 1}]},
        ],
        "cameras": [
            {"type": "perspective", "perspective": {"yfov": 0.75, "znear": 0.5, "zfar": 900, "aspectRatio": 1.5}},
            {"type": "orthographic", "orthographic": {"xmag": 4, "ymag": 3, "znear": 0.5, "zfar": 100}},
        ],
        "extensions": {"KHR_lights_punctual": {"lights": [
            {"type": "spot", "intensity": 2, "range": 20, "color": [1, 0.5, 0.25],
                "spot": {"innerConeAngle": 0.25, "outerConeAngle": 0.5}},
            {"type": "directional"},
        ]}},
        "nodes": [
            {"name": "level", "children": [1, 2, 3, 4, 5, 6, 7]},
            {"name": "Hill_01", "mesh": 0, "translation": [1, 2, 3], "rotation": [0, 0.6, 0, 0.8], "scale": [1, 2, 1],
                "extras": {"hidden": true, "groups": ["Sector_01", "Phys_Floors"], "virtools": {"index": 1,
                    "class": "CK3dObject", "flags": "0x00000000", "moveable_flags": "0x00420009", "z_order": 3}}},
            {"name": "eye", "camera": 0, "extras": {"virtools": {"index": 2, "class": "CKTargetCamera",
                "target": "Hill_01"}}},
            {"name": "lamp", "mesh": 1, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1]},
            {"name": "shine", "extensions": {"KHR_lights_punctual": {"light": 0}}, "extras": {"virtools": {"index": 3,
                "class": "CKLight", "light": {"kind_and_flags": "0x00000102", "color": "0xffff8000",
                    "attenuation": [1, 0, 0], "range": 20, "power": 1, "falloff": 1, "cone": [0.5, 1]}}}},
            {"name": "way", "extras": {"virtools": {"index": 4, "class": "CKCurve",
                "curve": {"points": [8], "fitting": 0.5, "steps": 20, "closed": true}}}},
            {"name": "way_1", "extras": {"virtools": {"index": 8, "class": "CKCurvePoint", "parent": 4,
                "matrix": [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]],
                "point": {"use_tangents": true, "tcb": [0, 1, 0], "tangent_in": [1, 0, 0]}}}},
            {"name": "leaf", "camera": 1, "extras": {"virtools": {"index": 10, "class": "CKSprite3D", "mesh": "none",
                "sprite": {"mode": 1, "half_size": [1, 2], "uv": [0, 0, 1, 1],
                    "material": {"index": 6, "name": "stony"}}}}},
        ],
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "extras": {"groups": [
            {"index": 11, "name": "Sector_01", "nodes": [1], "others": [{"index": 5, "class": "CKMesh", "name": "hill"}]},
            {"index": 12, "name": "Sector_03", "nodes": [3, 3]},
        ]},
    })
}

/// An OBJ file with quads, materials and objects.
pub const OBJ: &str = "# a house\nmtllib house.mtl\no wall\nv 0 0 0\nv 1 0 0 \nv 1 1 0\nv 0 1 0\nv 0.5 2 -1e0\n\
    vt 0 0\nvt 1 0\nvt 1 1\nvn 0 0 1\nvn 0.6 0 0.8\nusemtl stone\nf 1/1/1 2/2/1 3/3/1 4/1/2\nf -1 -2 -3\n\
    usemtl glass\nf 1//1 2//2 5//1\no roof\nf 1 2 3 4 5\nl 1 2 3\np 1\ng top\nusemtl stone\nf 3/1 4/2 5/3\n";

/// The materials of [`OBJ`].
pub const MTL: &str = "newmtl stone\nKa 0.2 0.2 0.2\nKd 0.5 0.25 1\nKs 1 1 1\nKe 0 0 0\nNs 10\nd 0.5\nillum 2\n\
    map_Kd stones.png\nnewmtl glass\nKd 1 1 1\nmap_Bump none.png\nTr 0.5\n";
