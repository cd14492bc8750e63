//! OBJ, PNG and CSV of files that are put together here.

use crate::common::{
    open,
    scene::{HERE, Mesh, TRIANGLE, entity, file, material, texture},
};
use spelunk::{models::export, models::export::Options, open::codes, verbs::Disk};
use spelunk_fixtures::{chunk::Chunk, samples};
use std::{fs, sync::Arc};

/// A BMP file of 2 by 1 pixels: red, then green.
fn bmp() -> Vec<u8> {
    let mut bytes = b"BM".to_vec();
    for word in [62_u32, 0, 54, 40, 2, 1, 1 | 24 << 16, 0, 8, 0, 0, 0, 0] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend([0, 0, 255, 0, 255, 0, 0, 0]);
    bytes
}

/// A triangle with a material and a texture that names a file, at a place that mirrors.
fn scene() -> Vec<u8> {
    let mirrors = [-1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 10.0, 0.0, 0.0];
    file(vec![
        (41, "Straight", entity(HERE, Some(2), None)),
        (41, "Mirrored", entity(mirrors, Some(2), None)),
        (32, "Shape", Mesh { slots: &[Some(3)], ..TRIANGLE }.chunk()),
        (30, "Paint", material(0xFF80_8080, 0x1321_2222, 0x403, Some(4))),
        (31, "Picture", texture("C:\\Maps\\Brick.BMP")),
    ])
}

#[test]
fn obj_has_the_world_and_turns_mirrored_faces_back() {
    let bytes = scene();
    let mut opened = open("a scene", &bytes);
    let made =
        export::obj::export(&mut opened, &Options::default(), "a.mtl", "a_textures").unwrap();
    let expected = "mtllib a.mtl\n\
        o Straight\nv 0 0 -1\nv 0 1 -1\nv 1 0 -1\nvt 0 1\nvt 0 0\nvt 1 0.75\n\
        vn 0 0 1\nvn 0 0 1\nvn 0 0 1\nusemtl Paint\nf 1/1/1 3/3/3 2/2/2\n\
        o Mirrored\nv 10 0 -1\nv 10 1 -1\nv 9 0 -1\nvt 0 1\nvt 0 0\nvt 1 0.75\n\
        vn 0 0 1\nvn 0 0 1\nvn 0 0 1\nusemtl Paint\nf 4/4/4 5/5/5 6/6/6\n";
    assert_eq!(made.obj.replace("-0 ", "0 "), expected);
    assert!(made.mtl.starts_with("newmtl Paint\n"), "{}", made.mtl);
    assert!(made.mtl.ends_with("map_Kd C:\\Maps\\Brick.BMP\n"), "{}", made.mtl);
    assert_eq!(opened.findings().findings[0].error.code().id, codes::TEXTURES.id);
}

#[test]
fn files_of_textures_are_found_whatever_the_case_of_their_names() {
    let dir = tempfile::tempdir().unwrap();
    let (level, textures) = (dir.path().join("Levels"), dir.path().join("TEXTURES"));
    fs::create_dir(&level).unwrap();
    fs::create_dir(&textures).unwrap();
    fs::write(textures.join("brick.bmp"), bmp()).unwrap();
    let folders = export::textures::folders(Arc::new(Disk), Some(&level.join("a.nmo").into()), &[]);
    let options = Options { textures: folders, ..Options::default() };
    let mut opened = open("a scene", &scene());
    let made = export::textures::export(&mut opened, &options).unwrap();
    assert_eq!((made.len(), made[0].name.as_str()), (1, "Picture.png"));
    let picture = image::load_from_memory(&made[0].content).unwrap().to_rgba8();
    assert_eq!(picture.as_raw(), &[255, 0, 0, 255, 0, 255, 0, 255]);
    let made = export::obj::export(&mut opened, &options, "a.mtl", "a_textures").unwrap();
    assert!(made.mtl.ends_with("map_Kd a_textures/Picture.png\n"), "{}", made.mtl);
    assert!(opened.findings().findings.is_empty());
}

#[test]
fn the_transparent_colour_is_transparent() {
    let texture = Chunk::object(31).identifier(0x2_0000).word(1);
    let texture = texture.words(&[32, 2, 1, 0xFF00_0000, 0xFF_0000, 0xFF00, 0xFF, 0]);
    let texture = texture.buffer(&[1, 9]).buffer(&[2, 9]).buffer(&[3, 9]).buffer(&[255, 255]);
    let texture = texture.identifier(0x2F_F000).words(&[0x3_0101, 0xFF03_0201, 0, 0]);
    let bytes = file(vec![(31, "Key", texture)]);
    let made = export::textures::export(&mut open("a key", &bytes), &Options::default()).unwrap();
    let picture = image::load_from_memory(&made[0].content).unwrap().to_rgba8();
    assert_eq!(picture.as_raw(), &[3, 2, 1, 0, 9, 9, 9, 255]);
}

#[test]
fn a_slot_of_a_texture_goes_out_alone() {
    let mut texture = Chunk::object(31).identifier(0x2_0000).word(2);
    for shade in [10, 20] {
        texture = texture.words(&[32, 1, 1, 0xFF00_0000, 0xFF_0000, 0xFF00, 0xFF, 0]);
        texture = texture.buffer(&[shade]).buffer(&[shade]).buffer(&[shade]).buffer(&[255]);
    }
    let bytes = file(vec![(31, "Film", texture)]);
    let made = |slot| {
        let options = Options { slot, ..Options::default() };
        export::textures::export(&mut open("a film", &bytes), &options)
    };
    let names = |files: Vec<export::OutputFile>| -> Vec<String> {
        files.into_iter().map(|file| file.name).collect()
    };
    assert_eq!(names(made(None).unwrap()), ["Film.0.png", "Film.1.png"]);
    let [second] = <[_; 1]>::try_from(made(Some(1)).unwrap()).unwrap();
    let picture = image::load_from_memory(&second.content).unwrap().to_rgba8();
    assert_eq!((second.name.as_str(), picture.as_raw()), ("Film.1.png", &vec![20, 20, 20, 255]));
    let refused = made(Some(2)).unwrap_err();
    assert_eq!(refused.code().id, codes::NO_SLOT.id);
}

#[test]
fn tables_hold_what_cells_say() {
    let array = Chunk::object(52).identifier(0x1000).word(3);
    let array = array.string(b"Name").word(3).string(b"Score").word(1).string(b"Thing").word(4);
    let array = array.identifier(0x2000).word(2);
    let array = array.string(b"T\xfcr, \"rot\"").word(7).object_ref(Some(1));
    let array = array.null_string().word(-1_i32 as u32).object_ref(None);
    let bytes = file(vec![(52, "High/Scores", array), (41, "Lamp", entity(HERE, None, None))]);
    let made = export::csv::export(&mut open("a table", &bytes), &Options::default()).unwrap();
    assert_eq!(made[0].name, "High%2FScores.csv");
    let text = String::from_utf8(made[0].content.clone()).unwrap();
    assert_eq!(text, "Name,Score,Thing\n\"Tür, \"\"rot\"\"\",7,CK3dObject/Lamp\n,-1,\n");
}

#[test]
fn files_without_such_content_are_refused() {
    let bytes = samples::level().build().bytes;
    let nothing = export::csv::export(&mut open("level", &bytes), &Options::default()).unwrap_err();
    assert_eq!(nothing.code().id, codes::NOTHING.id);
    for sample in spelunk_fixtures::samples() {
        let source = std::sync::Arc::new(spelunk::Bytes::from(sample.fixture.bytes));
        let Ok(mut opened) = spelunk::Opened::open(source, &Default::default()) else { continue };
        if opened.container().format() != "virtools" {
            // Packs have textures too, some of them.
            match export::textures::export(&mut opened, &Options::default()) {
                Ok(_) => assert!(sample.name.ends_with(".snpak"), "{}", sample.name),
                Err(refused) if opened.container().format() == "snpak" => {
                    assert_eq!(refused.code().id, codes::NOTHING.id, "{}", sample.name);
                }
                Err(refused) => {
                    assert_eq!(refused.code().id, codes::NOT_EXPORTED.id, "{}", sample.name);
                }
            }
            let refused = export::gltf::export(&mut opened, &Options::default()).unwrap_err();
            assert_eq!(refused.code().id, codes::NOT_EXPORTED.id, "{}", sample.name);
        }
    }
}
