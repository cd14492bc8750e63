//! Models into the file that they were made of: what a model cannot tell is not lost, what was not changed stays byte for
//! byte, and what was changed arrives.

use crate::common::{
    model::{glb as glb_of, imported},
    open,
    scene::{HERE, Mesh, TRIANGLE, entity, file, glb, material},
};
use serde_json::{Value, json};
use spelunk::{
    models::export,
    models::import::{Options, Policies, Policy},
};
use spelunk_fixtures::chunk::Chunk;
use virtools::scene::Scene;
use zerocopy::little_endian::F32;

/// A box that leans over, which no node of glTF can.
const LEANING: [f32; 12] = [1.0, 0.0, 0.0, 0.37, 1.3, 0.0, 0.1, -0.2, 0.9, 5.0, 6.0, 7.0];
/// One that is flat.
const FLAT: [f32; 12] = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 4.0];
const POINTS: [[f32; 3]; 3] = [[0.1, 0.7, 1.3], [0.2, 1.9, -1.1], [1.7, 0.3, 1.0 / 3.0]];

/// The model of a file: its document and its buffer.
fn model(bytes: &[u8]) -> (Value, Vec<u8>) {
    let model = glb(&mut open("a file", bytes), &export::Options::default()).unwrap();
    let gltf = gltf::Gltf::from_slice(&model).unwrap();
    (serde_json::to_value(gltf.document.as_json()).unwrap(), gltf.blob.unwrap_or_default())
}

fn into(bytes: &[u8], (document, buffer): &(Value, Vec<u8>)) -> Vec<u8> {
    let policies = Policies::all(Policy::Replace);
    let options = Options { policies, ..Options::default() };
    imported(&glb_of(document, buffer), "a.glb", Some(bytes), &options).0
}

/// Every object of a file that is drawn: where the vertices of its mesh are in the world, by its name.
fn drawn(bytes: &[u8]) -> Vec<(String, Vec<[f64; 3]>)> {
    let mut opened = open("a file", bytes);
    opened
        .edit(|edit, task| {
            let file: &virtools::File = edit.model_mut()?;
            let scene = Scene::of(file, task).unwrap();
            let places = scene.entities.iter().map(|(index, entity)| {
                let name = file.table().name(&file.table().objects[*index as usize]);
                let mesh = entity.mesh.and_then(|mesh| scene.meshes.get(&mesh));
                let points = mesh.iter().flat_map(|mesh| mesh.positions.iter());
                let points =
                    points.map(|point| entity.world.point(point.map(|at| at.get().into())));
                (String::from_utf8_lossy(name).into_owned(), points.collect())
            });
            Some(places.collect())
        })
        .flatten()
        .unwrap()
}

/// The vertices of all meshes, as they are stored.
fn meshes(bytes: &[u8]) -> Vec<Vec<[u32; 3]>> {
    let mut opened = open("a file", bytes);
    opened
        .edit(|edit, task| {
            let file: &virtools::File = edit.model_mut()?;
            let scene = Scene::of(file, task).unwrap();
            let bits = |point: &[F32; 3]| point.map(|at| at.get().to_bits());
            let meshes = scene.meshes.values();
            Some(meshes.map(|mesh| mesh.positions.iter().map(bits).collect()).collect())
        })
        .flatten()
        .unwrap()
}

fn near(one: &[[f64; 3]], other: &[[f64; 3]], by: [f64; 3]) {
    assert_eq!(one.len(), other.len());
    for (one, other) in one.iter().zip(other) {
        for ((one, other), by) in one.iter().zip(other).zip(by) {
            assert!((one + by - other).abs() < 1e-4, "{one} + {by}, {other}");
        }
    }
}

/// A file in which nothing goes into a model as it is: entities with shear, that share a mesh, vertices without faces, slots
/// without a material behind the first one, normals of no length, a parent that is nothing, a material of a texture without a
/// picture, flags that say what else is not so.
fn quirks() -> Vec<u8> {
    let shape = Mesh { positions: &POINTS, ..TRIANGLE };
    let slots = [Some(8), None, Some(9), Some(9), None];
    let faces = [[0, 1, 2, 1], [0, 2, 1, 3], [1, 2, 0, 0], [2, 1, 0, 4]];
    let no_parent = Chunk::object(33).identifier(0x4000).object_ref(Some(0));
    let no_parent = no_parent.object_sequence(&[Some(0)]).identifier(0x10_0000);
    let no_parent = no_parent.words(&[0x2_0000, 0x100_0000]).floats(&HERE).object_ref(None);
    file(vec![
        (32, "Shape", shape.chunk()),
        (41, "Straight", entity(HERE, Some(0), None)),
        (41, "Leaning", entity(LEANING, Some(0), None)),
        (41, "Below", entity(HERE, Some(4), Some(2))),
        (32, "Dots", Mesh { faces: &[], slots: &[Some(8), None], ..shape }.chunk()),
        (32, "Nothing", Mesh { faces: &[], positions: &[], uv: &[], ..TRIANGLE }.chunk()),
        (41, "Empty", entity(LEANING, Some(5), None)),
        (32, "Slots", Mesh { slots: &slots, faces: &faces, ..shape }.chunk()),
        (30, "Wood", material(0xFF80_8080, 0x1321_2222, 0x403, Some(10))),
        (30, "Stone", material(0xFFFF_0000, 0x1321_2222, 0x403, None)),
        (31, "Bare", Chunk::object(31).identifier(0x2F_F000).words(&[0x0001_0601, 0])),
        (41, "Slotted", entity(LEANING, Some(7), Some(1))),
        (41, "Flat", entity(FLAT, Some(0), None)),
        (41, "Lost", no_parent),
        (32, "Lines", Mesh { faces: &[], lines: &[[0, 1], [2, 1]], ..shape }.chunk()),
        (41, "Lined", entity(LEANING, Some(14), None)),
    ])
}

#[test]
fn what_a_model_cannot_tell_stays_byte_for_byte() {
    let bytes = quirks();
    let (document, buffer) = model(&bytes);
    assert!(into(&bytes, &(document.clone(), buffer.clone())) == bytes);
    // In a new file it is in the same places, and told in the same way again.
    let (new, _) = imported(&glb_of(&document, &buffer), "a.glb", None, &Options::default());
    let old = drawn(&bytes);
    for (name, points) in drawn(&new) {
        let (_, was) = old.iter().find(|(other, _)| *other == name).unwrap();
        assert_eq!(was.len(), points.len(), "{name}");
        near(was, &points, [0.0; 3]);
    }
    let names = |document: &Value| {
        let meshes = document["meshes"].as_array().unwrap().iter();
        meshes.map(|mesh| mesh["name"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&model(&new).0), names(&document));
}

#[test]
fn what_is_moved_keeps_its_shear_and_its_vertices() {
    let bytes = quirks();
    let mut all = model(&bytes);
    let nodes = all.0["nodes"].as_array_mut().unwrap();
    let leaning = nodes.iter_mut().find(|node| node["name"] == "Leaning").unwrap();
    let [x, y, z] = [0, 1, 2].map(|at| leaning["translation"][at].as_f64().unwrap());
    leaning["translation"] = json!([x + 1.0, y + 2.0, z - 3.0]);
    let moved = into(&bytes, &all);
    let (old, new) = (drawn(&bytes), drawn(&moved));
    for ((name, was), (_, is)) in old.iter().zip(&new) {
        let goes = name == "Leaning" || name == "Below";
        near(was, is, if goes { [1.0, 2.0, 3.0] } else { [0.0; 3] });
    }
    assert!(meshes(&bytes) == meshes(&moved), "the vertices of a mesh");
}
