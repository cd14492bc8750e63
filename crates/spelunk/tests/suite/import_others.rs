//! Imports into files that are there: where names meet, and what takes the place of what.

use crate::common;

use crate::common::{
    errors, find,
    model::{Document, import, imported, png},
    open, rows,
    scene::{HERE, Mesh, TRIANGLE, entity, file, glb, material, texture},
    written,
};
use serde_json::json;
use spelunk::{
    WriteOptions,
    compare::diff::{self, Change, diff},
    models::export,
    models::import::{Options, Policies, Policy, Save},
    open::codes,
};
use spelunk_fixtures::chunk::Chunk;
use virtools::{File, class::Value as Saved, file::data::Owner};

/// A file with a textured triangle on an object in a group.
fn level() -> Vec<u8> {
    let mesh = Mesh { slots: &[None, Some(1)], faces: &[[0, 1, 2, 1]], ..TRIANGLE };
    file(vec![
        (31, "Wood", texture("wood.bmp")),
        (30, "Planks", material(0xFFC0_8040, 0x1321_2224, 0x0008_0406, Some(0))),
        (32, "Board_Mesh", mesh.chunk()),
        (41, "Board", entity(HERE, Some(2), None)),
        (23, "Phys_Floors", Chunk::object(23).identifier(0xF_FFFF).object_sequence(&[Some(3)])),
    ])
}

fn names(bytes: &[u8], class: &str) -> Vec<String> {
    let rows = rows(&mut open("rows", bytes));
    let of_class = rows.iter().filter(|row| row["class"] == class);
    of_class.map(|row| row["name"].as_str().unwrap().to_owned()).collect()
}

fn saved(bytes: &[u8], path: &str) -> Saved {
    let node = find(bytes, path);
    open(path, bytes).run(|container, task| {
        let file = container.model::<File>().unwrap();
        let owner = Owner::Object(file.object_index(node).unwrap());
        file.value(owner, &mut Vec::new(), &mut task.budget).unwrap().unwrap().value
    })
}

/// The model of the level, in which everything was changed: the triangle is moved and twice as large, the material red.
fn changed() -> Vec<u8> {
    let mesh =
        Mesh { slots: &[None, Some(1)], faces: &[[0, 1, 2, 1]], positions: &LARGE, ..TRIANGLE };
    let mut there = HERE;
    there[9] = 5.0;
    let bytes = file(vec![
        (31, "Wood", texture("other.bmp")),
        (30, "Planks", material(0xFFFF_0000, 0x1321_2224, 0x0008_0406, Some(0))),
        (32, "Board_Mesh", mesh.chunk()),
        (41, "Board", entity(there, Some(2), None)),
        (23, "Phys_Floors", Chunk::object(23).identifier(0xF_FFFF).object_sequence(&[Some(3)])),
    ]);
    glb(&mut open("changed", &bytes), &export::Options::default()).unwrap()
}

const LARGE: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]];

fn policies(policy: Policy) -> Options {
    Options { policies: Policies::all(policy), ..Options::default() }
}

/// The names of the objects that `diff` tells.
fn changes(old: &[u8], new: &[u8]) -> Vec<String> {
    let found = diff(&mut open("old", old), &mut open("new", new), &diff::Options::default());
    let changes = found.unwrap().changes;
    let name = |change: &Change| match change {
        Change::Added(item) | Change::Removed(item) => item.name.clone(),
        Change::Renamed { new, .. } | Change::Changed { new, .. } => new.name.clone(),
    };
    let text =
        |name: Option<Vec<u8>>| String::from_utf8_lossy(&name.unwrap_or_default()).into_owned();
    changes.iter().map(|change| text(name(change))).collect()
}

#[test]
fn where_names_meet_the_policy_says_what_happens() {
    let (old, model) = (level(), changed());
    let classes = ["CKTexture", "CKMaterial", "CKMesh", "CK3dObject", "CKGroup"];
    let all = |bytes: &[u8]| classes.map(|class| names(bytes, class)).concat();

    let (kept, told) = imported(&model, "a.glb", Some(&old), &policies(Policy::Keep));
    assert_eq!(told, Vec::<&str>::new());
    assert!(kept == written(&mut open("old", &old), &WriteOptions::default()), "nothing changes");

    let (replaced, _) = imported(&model, "a.glb", Some(&old), &policies(Policy::Replace));
    assert_eq!(all(&replaced), ["Wood", "Planks", "Board_Mesh", "Board", "Phys_Floors"]);
    let Saved::Entity3d(board) = saved(&replaced, "CK3dObject/Board") else { panic!() };
    assert_eq!(board.data.unwrap().position, [5.0, 0.0, 0.0]);
    let Saved::Material(planks) = saved(&replaced, "CKMaterial/Planks") else { panic!() };
    assert_eq!(planks.data.unwrap().diffuse, 0xFFFF_0000);
    let Saved::Texture(wood) = saved(&replaced, "CKTexture/Wood") else { panic!() };
    assert_eq!(wood.bitmap.file_names.unwrap()[0].text(), b"other.bmp");

    let (renamed, told) = imported(&model, "a.glb", Some(&old), &policies(Policy::Rename));
    assert_eq!(told, [codes::RENAMED.id; 5]);
    let wanted = ["Wood", "Wood_2", "Planks", "Planks_2", "Board_Mesh", "Board_Mesh_2"];
    assert_eq!(all(&renamed)[..6], wanted);
    assert_eq!(names(&renamed, "CKGroup"), ["Phys_Floors", "Phys_Floors_2"]);

    // By default textures and groups are those that are there, and groups get the new members.
    let (default, _) = imported(&model, "a.glb", Some(&old), &Options::default());
    assert_eq!(names(&default, "CKTexture"), ["Wood"]);
    assert_eq!(names(&default, "CK3dObject"), ["Board", "Board_2"]);
    let Saved::Group(group) = saved(&default, "CKGroup/Phys_Floors") else { panic!() };
    let members: Vec<u32> = group.members.unwrap().iter().map(|member| member.get()).collect();
    let rows = rows(&mut open("default", &default));
    let member = |at: u32| rows[at as usize]["name"].clone();
    assert_eq!(members.into_iter().map(member).collect::<Vec<_>>(), ["Board", "Board_2"]);
    for bytes in [&kept, &replaced, &renamed, &default] {
        assert_eq!(errors(&mut open("made", bytes)), Vec::<&str>::new());
    }
}

#[test]
fn what_is_the_same_is_not_imported_twice() {
    let old = level();
    let model = glb(&mut open("level", &old), &export::Options::default()).unwrap();
    let mut made = import(&model, "a.glb", Some(&old), &Options::default()).unwrap();
    let bytes = written(&mut made.opened, &made.options);
    // The object has another name, but it shows the mesh that is there.
    assert_eq!(names(&bytes, "CK3dObject"), ["Board", "Board_2"]);
    assert_eq!(names(&bytes, "CKMesh"), ["Board_Mesh"]);
    assert_eq!(names(&bytes, "CKMaterial"), ["Planks"]);
    assert_eq!((made.report.created, made.report.renamed), (1, 1));
}

#[test]
fn a_mesh_takes_the_place_of_another_one() {
    let old = level();
    let obj = "mtllib none.mtl\no Part\nv 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nvt 0 0\nvt 1 1\n\
               usemtl Planks\nf 1/1 2/1 3/2 4/1\n";
    for (source, name, faces) in [(obj.as_bytes(), "part.obj", 2), (&changed()[..], "a.glb", 1)] {
        let options =
            Options { replace: Some("CKMesh/Board_Mesh".to_owned()), ..Options::default() };
        let mut made = import(source, name, Some(&old), &options).unwrap();
        assert_eq!((made.report.replaced, made.report.created), (1, 0), "{name}");
        let bytes = written(&mut made.opened, &made.options);
        assert_eq!(errors(&mut open("made", &bytes)), Vec::<&str>::new());
        let Saved::Mesh(mesh) = saved(&bytes, "CKMesh/Board_Mesh") else { panic!() };
        assert_eq!(mesh.faces.as_ref().unwrap().len(), faces, "{name}");
        let used = mesh.faces.unwrap()[0].material.get();
        let material = mesh.materials.unwrap()[usize::from(used)].material;
        // In an OBJ without its materials nothing is known of them.
        let wanted = if name == "a.glb" { Some(1) } else { None };
        assert_eq!(material.get(true).value(), wanted, "{name}");
        assert_eq!(changes(&old, &bytes), ["Board_Mesh"], "{name}");
    }
    let missing = Options { replace: Some("CKMesh/None".to_owned()), ..Options::default() };
    let error = import(obj.as_bytes(), "part.obj", Some(&old), &missing).unwrap_err();
    assert_eq!(error.code().id, codes::core::NOT_FOUND.id);
    let other = Options { replace: Some("CKMaterial/Planks".to_owned()), ..Options::default() };
    let error = import(obj.as_bytes(), "part.obj", Some(&old), &other).unwrap_err();
    assert_eq!(error.code().id, codes::NOT_REPLACED.id);
}

#[test]
fn a_picture_takes_the_place_of_a_texture() {
    let old = level();
    let png = png(2, 2, |x, y| [x as u8 * 9, y as u8 * 7, 5, 255]);
    let mut tga = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0x20];
    tga.extend([3, 2, 1]);
    for (source, name, save, option) in [
        (&png, "new.png", None, 0),
        (&tga, "new.tga", None, 0),
        (&png, "new.png", Some(Save::External), 1),
    ] {
        let options = Options {
            replace: Some("CKTexture/Wood".to_owned()),
            saves: save.map(|save| ("*".to_owned(), save)).into_iter().collect(),
            ..Options::default()
        };
        let (bytes, _) = imported(source, name, Some(&old), &options);
        assert_eq!(errors(&mut open("made", &bytes)), Vec::<&str>::new());
        let Saved::Texture(wood) = saved(&bytes, "CKTexture/Wood") else { panic!() };
        assert_eq!(wood.data().unwrap().save_option(), option, "{name}");
        assert_eq!(changes(&old, &bytes), ["Wood"], "{name}");
        if save.is_none() {
            let options =
                export::Options { paths: vec!["CKTexture/Wood".into()], ..Default::default() };
            let made = export::textures::export(&mut open("made", &bytes), &options).unwrap();
            let shown = image::load_from_memory(&made[0].content).unwrap().to_rgba8();
            let wanted = if name == "new.tga" {
                vec![1, 2, 3, 255]
            } else {
                image::load_from_memory(&png).unwrap().to_rgba8().into_raw()
            };
            assert_eq!(shown.into_raw(), wanted, "{name}");
        } else {
            assert_eq!(wood.bitmap.file_names.unwrap()[0].text(), b"new.png");
        }
    }
    // Into no file a picture is nothing.
    let error = import(&png, "new.png", None, &Options::default()).unwrap_err();
    assert_eq!(error.code().id, codes::IMPORT_KIND.id);
    // Without a path it is a texture of its own.
    let (bytes, _) = imported(&png, "new.png", Some(&old), &Options::default());
    assert_eq!(names(&bytes, "CKTexture"), ["Wood", "new"]);
}

#[test]
fn objects_and_materials_of_obj_files_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let made = export::obj::export(
        &mut open("level", &level()),
        &export::Options::default(),
        "a.mtl",
        "t",
    )
    .unwrap();
    std::fs::write(folder.path().join("a.mtl"), &made.mtl).unwrap();
    let options = Options { folder: Some(folder.path().to_owned().into()), ..Options::default() };
    let (bytes, told) = imported(made.obj.as_bytes(), "a.obj", None, &options);
    assert_eq!(told, Vec::<&str>::new());
    assert_eq!(names(&bytes, "CK3dObject"), ["Board"]);
    assert_eq!(names(&bytes, "CKMaterial"), ["Planks"]);
    let Saved::Material(planks) = saved(&bytes, "CKMaterial/Planks") else { panic!() };
    assert_eq!(planks.data.unwrap().diffuse, 0xFFC0_8040);
    let Saved::Texture(wood) = saved(&bytes, "CKTexture/wood") else { panic!() };
    assert_eq!(wood.bitmap.file_names.unwrap()[0].text(), b"wood.bmp");
    let again =
        export::obj::export(&mut open("again", &bytes), &export::Options::default(), "a.mtl", "t")
            .unwrap();
    // Vertices are numbered as faces meet them.
    let sorted = |obj: &str| {
        let mut lines: Vec<String> =
            obj.lines().filter(|line| !line.starts_with("f ")).map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&again.obj), sorted(&made.obj));
}

#[test]
fn large_shapes_become_several_objects() {
    let mut obj = String::from("o Large\n");
    for at in 0..70_000 {
        obj.push_str(&format!("v {at} {} 0\n", at % 7));
    }
    for at in (1..=69_997).step_by(3) {
        obj.push_str(&format!("f {at} {} {}\n", at + 1, at + 2));
    }
    let error = import(obj.as_bytes(), "a.obj", None, &Options::default()).unwrap_err();
    assert_eq!(error.code().id, codes::TOO_MANY_VERTICES.id);
    assert!(error.to_string().contains("65535"), "{error}");
    let options = Options { split: true, ..Options::default() };
    let (bytes, _) = imported(obj.as_bytes(), "a.obj", None, &options);
    assert_eq!(names(&bytes, "CK3dObject"), ["Large", "Large_2"]);
    assert_eq!(names(&bytes, "CKMesh"), ["Large", "Large_2"]);
    let count = |name: &str| {
        let Saved::Mesh(mesh) = saved(&bytes, &format!("CKMesh/{name}")) else { panic!() };
        mesh.faces.unwrap().len()
    };
    assert_eq!(count("Large") + count("Large_2"), 23_333);
}

#[test]
fn what_a_part_of_a_model_does_not_tell_stays() {
    // An entity in a place, drawn at some time, with two meshes, below another one.
    let two = [2.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 3.0, 0.0, 0.0];
    let meshes = Chunk::object(41).identifier(0x4000).object_ref(Some(1));
    let meshes = meshes.object_sequence(&[Some(1), Some(2)]);
    let placed = meshes.identifier(0x10_0000).words(&[0x13_0000, 0x0042_000B]).floats(&two);
    let placed = placed.object_ref(Some(4)).object_ref(Some(0)).word(77);
    let old = file(vec![
        (33, "Above", entity(HERE, None, None)),
        (32, "One", TRIANGLE.chunk()),
        (32, "Other", TRIANGLE.chunk()),
        (41, "Board", placed),
        (22, "Place", Chunk::object(22)),
    ]);
    let part = export::Options { paths: vec!["CK3dObject/Board".into()], ..Default::default() };
    let model = glb(&mut open("part", &old), &part).unwrap();
    let (bytes, told) = imported(&model, "a.glb", Some(&old), &policies(Policy::Replace));
    assert_eq!(told, Vec::<&str>::new());
    assert!(bytes == written(&mut open("old", &old), &WriteOptions::default()), "nothing changes");
}

#[test]
fn pictures_of_one_name_are_files_of_their_own() {
    let mut document = Document::default();
    let position = document.floats(&LARGE);
    for (at, color) in [10, 20, 20].into_iter().enumerate() {
        let picture = png(1, 1, |_, _| [color, 0, 0, 255]);
        let image = document.image("wood/old", &picture);
        document.add("textures", json!({"source": image}));
        let texture = json!({"baseColorTexture": {"index": at}});
        document
            .add("materials", json!({"name": format!("M{at}"), "pbrMetallicRoughness": texture}));
    }
    document.add("meshes", json!({"primitives": [{"attributes": {"POSITION": position}}]}));
    document.add("nodes", json!({"name": "Wall", "mesh": 0}));
    let model = document.glb();
    let names = |bytes: &[u8]| {
        let mut names = Vec::new();
        let rows = rows(&mut open("rows", bytes));
        for row in rows.iter().filter(|row| row["class"] == "CKTexture") {
            let Saved::Texture(saved) = saved(bytes, row["path"].as_str().unwrap()) else {
                panic!()
            };
            names.push(
                String::from_utf8_lossy(saved.bitmap.file_names.unwrap()[0].text()).into_owned(),
            );
        }
        names
    };
    let saves = |save| vec![("*".to_owned(), save)];
    let options =
        Options { saves: saves(Save::External), write_textures: true, ..Options::default() };
    let mut made = import(&model, "a.glb", None, &options).unwrap();
    let files: Vec<&str> = made.textures.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(files.len(), 2, "{files:?}");
    let stored = names(&written(&mut made.opened, &made.options));
    assert_eq!((stored[0].as_str(), stored[1].as_str()), (files[0], files[1]));
    let options = Options { saves: saves(Save::Original), ..policies(Policy::Replace) };
    let (bytes, _) = imported(&model, "a.glb", None, &options);
    let included = |bytes: &[u8]| {
        let list = common::info("made", &mut open("made", bytes))["included_files"].clone();
        list.as_array().unwrap().len()
    };
    assert_eq!((included(&bytes), names(&bytes)[1] == names(&bytes)[2]), (2, true));
    let (again, _) = imported(&model, "a.glb", Some(&bytes), &options);
    assert_eq!(included(&again), 2, "once more nothing is added");
}

#[test]
fn parts_of_large_shapes_take_nothing_that_is_kept() {
    let mut obj = String::from("o Board\n");
    (0..66_000).for_each(|at| obj.push_str(&format!("v {at} 0 0\n")));
    (1..=65_998).step_by(3).for_each(|at| obj.push_str(&format!("f {at} {} {}\n", at + 1, at + 2)));
    let old =
        file(vec![(41, "Board_2", entity(HERE, None, None)), (32, "Board_2", TRIANGLE.chunk())]);
    let options = Options { split: true, ..policies(Policy::Keep) };
    let (bytes, _) = imported(obj.as_bytes(), "a.obj", Some(&old), &options);
    assert_eq!(names(&bytes, "CK3dObject"), ["Board_2", "Board", "Board_3"]);
    let Saved::Mesh(mesh) = saved(&bytes, "CKMesh/Board_2") else { panic!() };
    assert_eq!(mesh.faces.unwrap().len(), 1);
    let Saved::Entity3d(part) = saved(&bytes, "CK3dObject/Board_3") else { panic!() };
    assert_eq!(part.data.unwrap().parent.unwrap().get(true).value(), Some(4), "below the first");
}
