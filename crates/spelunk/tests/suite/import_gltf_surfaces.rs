//! Materials and pictures of documents that are made by hand: what becomes of them in files.

use crate::common;

use crate::common::{
    errors, info,
    model::{import, imported, png},
    open,
    square::{mesh, names, new, numbers, saved, square, texture},
};
use serde_json::json;
use spelunk::{
    models::import::{Options, Policies, Policy, Save},
    open::codes,
};
use test_support::findings::codes;
use virtools::class::Value as Saved;

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
        let told = codes(&made.opened.take_findings());
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
