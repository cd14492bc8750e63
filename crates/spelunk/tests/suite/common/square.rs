//! A square on a node, and what its parts become in a file.

use super::{
    find,
    model::{Document, imported},
    open, rows,
};
use serde_json::{Value, json};
use spelunk::models::import::Options;
use virtools::{
    File,
    class::{Value as Saved, entity_3d::Entity3d, mesh::Mesh, texture::Texture},
    file::data::Owner,
};
use zerocopy::little_endian::F32;

/// Corners of a square.
pub const SQUARE: [[f32; 3]; 4] =
    [[0.0, 0.0, 1.0], [2.0, 0.0, 1.0], [2.0, 3.0, 1.0], [0.0, 3.0, 1.0]];
/// Texture coordinates of those corners.
pub const PAIRS: [[f32; 2]; 4] = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]];
/// Seen from in front, counterclockwise, as fronts are in glTF.
pub const CORNERS: [u16; 6] = [0, 1, 2, 0, 2, 3];

/// What the object of this class and name saved.
pub fn saved(bytes: &[u8], path: &str) -> Saved {
    let node = find(bytes, path);
    let mut opened = open(path, bytes);
    opened.run(|container, task| {
        let file = container.model::<File>().unwrap();
        let owner = Owner::Object(file.object_index(node).unwrap());
        file.value(owner, &mut Vec::new(), &mut task.budget).unwrap().unwrap().value
    })
}

/// The mesh of this name as it was saved.
pub fn mesh(bytes: &[u8], name: &str) -> Mesh {
    let Saved::Mesh(mesh) = saved(bytes, &format!("CKMesh/{name}")) else { panic!("{name}") };
    *mesh
}

/// The entity as it was saved.
pub fn entity(bytes: &[u8], path: &str) -> Entity3d {
    let Saved::Entity3d(entity) = saved(bytes, path) else { panic!("{path}") };
    *entity
}

/// The texture of this name as it was saved.
pub fn texture(bytes: &[u8], name: &str) -> Texture {
    let Saved::Texture(texture) = saved(bytes, &format!("CKTexture/{name}")) else { panic!() };
    *texture
}

/// Tuples as plain numbers.
pub fn numbers<const N: usize>(tuples: &[[F32; N]]) -> Vec<[f32; N]> {
    tuples.iter().map(|tuple| tuple.map(F32::get)).collect()
}

/// The names of all objects of a class.
pub fn names(bytes: &[u8], class: &str) -> Vec<String> {
    let rows = rows(&mut open("rows", bytes));
    let of_class = rows.iter().filter(|row| row["class"] == class);
    of_class.map(|row| row["name"].as_str().unwrap().to_owned()).collect()
}

/// A square on a node, with what else the primitive and the node say.
pub fn square(primitive: Value, node: Value) -> Document {
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

/// The new file that a document becomes, and the codes of what was told.
pub fn new(document: Document) -> (Vec<u8>, Vec<&'static str>) {
    imported(&document.glb(), "made.glb", None, &Options::default())
}
