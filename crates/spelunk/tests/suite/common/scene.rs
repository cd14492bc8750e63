//! Small scenes put together for a test, and what a glTF file says of its space.

#![allow(dead_code, reason = "every test file uses another part")]

use gltf::{Gltf, Node};
use spelunk::{Opened, models::export};
use spelunk_fixtures::{
    chunk::Chunk,
    judged,
    virtools::{ObjectEntry, VirtoolsFile},
};
use test_support::findings::codes;

/// A matrix of four rows, for row vectors.
pub type Rows = [[f64; 4]; 4];

/// No move at all, as the four rows of three numbers that entities store.
pub const HERE: [f32; 12] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];

/// A file of these objects: class, name, chunk.
pub fn file(objects: Vec<(u32, &str, Chunk)>) -> Vec<u8> {
    let entry = |(nth, (class, name, chunk)): (usize, (u32, &str, Chunk))| {
        ObjectEntry::new(nth as u32 + 1, class, name.as_bytes(), chunk)
    };
    let objects = objects.into_iter().enumerate().map(entry).collect();
    VirtoolsFile { objects, ..VirtoolsFile::default() }.build().bytes
}

/// An entity at a place, perhaps with a mesh and a parent.
pub fn entity(rows: [f32; 12], mesh: Option<u32>, parent: Option<u32>) -> Chunk {
    entity_of(Chunk::object(33), rows, mesh, parent)
}

/// The same, behind what the chunk holds already.
pub fn entity_of(chunk: Chunk, rows: [f32; 12], mesh: Option<u32>, parent: Option<u32>) -> Chunk {
    let mut chunk = chunk;
    if mesh.is_some() {
        chunk = chunk.identifier(0x4000).object_ref(mesh).object_sequence(&[mesh]);
    }
    let flags = if parent.is_some() { 0x2_0000 } else { 0 };
    chunk = chunk.identifier(0x10_0000).words(&[flags, 2]).floats(&rows);
    if parent.is_some() { chunk.object_ref(parent) } else { chunk }
}

/// A camera: field of view, near and far plane.
pub fn camera(fov: f32, near: f32, far: f32) -> Chunk {
    let c = entity(HERE, None, None).identifier(0xFC0_0000).word(1).floats(&[fov, 1.0]);
    c.word(4 | 3 << 16).floats(&[near, far])
}

/// A light: kind with flags, and the cone of a spot.
pub fn light(kind: u32, spot: &[f32]) -> Chunk {
    let c = entity(HERE, None, None).identifier(0x40_0000).words(&[kind, 0xFFFF_8000]);
    c.floats(&[1.0, 0.0, 0.0, 20.0]).floats(spot).identifier(0x80_0000).floats(&[2.0])
}

/// What a mesh is made of.
pub struct Mesh<'a> {
    pub flags: u32,
    pub slots: &'a [Option<u32>],
    /// Three vertices and a slot.
    pub faces: &'a [[u32; 4]],
    pub lines: &'a [[u16; 2]],
    pub positions: &'a [[f32; 3]],
    pub colors: &'a [u32],
    pub uv: &'a [[f32; 2]],
}

/// A triangle whose front is seen from where z is small.
pub const TRIANGLE: Mesh<'static> = Mesh {
    flags: 0,
    slots: &[None],
    faces: &[[0, 1, 2, 0]],
    lines: &[],
    positions: &[[0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 0.0, 1.0]],
    colors: &[0xFFFF_FFFF],
    uv: &[[0.0, 0.0], [0.0, 1.0], [1.0, 0.25]],
};

impl Mesh<'_> {
    /// The chunk of it, without normals.
    pub fn chunk(&self) -> Chunk {
        let c = Chunk::object(32).identifier(0x2000).word(self.flags);
        let mut c = c.identifier(0x10_0000).word(self.slots.len() as u32);
        for slot in self.slots {
            c = c.object_ref(*slot).word(0);
        }
        c = c.identifier(0x1_0000).word(self.faces.len() as u32);
        for [i, j, k, slot] in self.faces {
            c = c.words(&[i | j << 16, k | slot << 16]);
        }
        if !self.lines.is_empty() {
            let ends: Vec<u8> =
                self.lines.iter().flatten().flat_map(|end| end.to_le_bytes()).collect();
            c = c.identifier(0x4_0000).word(self.lines.len() as u32).buffer(&ends);
        }
        let one_color = if self.colors.len() == 1 { 1 } else { 0 };
        let one_uv = if self.uv.len() == 1 { 8 } else { 0 };
        let flags = one_color | 2 | 4 | one_uv;
        let count = self.positions.len();
        let size = 1 + 3 * count + self.colors.len() + 1 + 2 * self.uv.len();
        c = c.identifier(0x2_0000).words(&[count as u32, flags, size as u32]);
        c = c.floats(self.positions.as_flattened()).words(self.colors).word(0xFF00_0000);
        c.floats(self.uv.as_flattened())
    }
}

/// A material: colour, modes, flags, texture.
pub fn material(diffuse: u32, modes: u32, flags: u32, texture: Option<u32>) -> Chunk {
    let colors = [diffuse, 0xFF4C_4C4C, 0xFF00_0000, 0xFF00_0000];
    let c = Chunk::object(30).identifier(0x1000).words(&colors).floats(&[0.0]);
    c.object_ref(texture).words(&[0, modes, flags])
}

/// A texture that names a file.
pub fn texture(file: &str) -> Chunk {
    let c = Chunk::object(31).identifier(0x1_0000).word(1).string(file.as_bytes());
    c.identifier(0x2F_F000).words(&[0x0003_0001, 0])
}

/// The glTF file of what a container holds, as bytes, which are left for other programs to look at.
pub fn glb(opened: &mut Opened, options: &export::Options) -> spelunk::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    export::gltf::export(opened, options)?.write_glb(&mut bytes)?;
    judged::leave(judged::MODELS, "model.glb", &bytes);
    Ok(bytes)
}

/// The glTF file of what these bytes hold, opened, and the codes of what was told.
pub fn exported(bytes: &[u8], options: &export::Options) -> (Gltf, Vec<&'static str>) {
    let mut opened = super::open("a scene", bytes);
    let glb = glb(&mut opened, options).unwrap();
    (Gltf::from_slice(&glb).unwrap(), codes(opened.findings()))
}

/// The numbers of a node's own matrix, as rows for row vectors: how glTF has them, column by column for column vectors.
pub fn local(node: &Node<'_>) -> Rows {
    // In double precision, as the viewer may do it.
    let (t, [x, y, z, w], s) = node.transform().decomposed();
    let [x, y, z, w] = [x, y, z, w].map(f64::from);
    let axes = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
        [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
        [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
    ];
    let mut rows = [[0.0; 4]; 4];
    for (nth, axis) in axes.iter().enumerate() {
        for (column, value) in axis.iter().enumerate() {
            rows[nth][column] = value * f64::from(s[nth]);
        }
        rows[3][nth] = f64::from(t[nth]);
    }
    rows[3][3] = 1.0;
    rows
}

/// One matrix, and then another one.
pub fn then(a: &Rows, b: &Rows) -> Rows {
    std::array::from_fn(|row| {
        std::array::from_fn(|column| (0..4).map(|nth| a[row][nth] * b[nth][column]).sum())
    })
}

/// Where a point goes.
pub fn point([x, y, z]: [f64; 3], rows: &Rows) -> [f64; 3] {
    std::array::from_fn(|column| {
        x * rows[0][column] + y * rows[1][column] + z * rows[2][column] + rows[3][column]
    })
}

/// Calls `each` with every node of the scene and its place in the world.
pub fn walk(gltf: &Gltf, each: &mut dyn FnMut(&Node<'_>, &Rows)) {
    fn below(node: &Node<'_>, above: &Rows, each: &mut dyn FnMut(&Node<'_>, &Rows)) {
        let world = then(&local(node), above);
        each(node, &world);
        node.children().for_each(|child| below(&child, &world, each));
    }
    let identity =
        std::array::from_fn(|row| std::array::from_fn(|nth| f64::from(u8::from(row == nth))));
    let scene = gltf.default_scene().unwrap();
    scene.nodes().for_each(|node| below(&node, &identity, each));
}

/// The vertices of a mesh, as they are stored.
pub fn positions(gltf: &Gltf, mesh: &gltf::Mesh<'_>) -> Vec<[f64; 3]> {
    let blob = gltf.blob.as_deref().unwrap();
    let primitive = mesh.primitives().next().unwrap();
    let reader = primitive.reader(|_| Some(blob));
    reader.read_positions().unwrap().map(|position| position.map(f64::from)).collect()
}

/// The smallest and the largest coordinates of points.
pub fn bounds(points: impl Iterator<Item = [f64; 3]>) -> [[f64; 3]; 2] {
    let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    for point in points {
        for (nth, value) in point.into_iter().enumerate() {
            bounds[0][nth] = bounds[0][nth].min(value);
            bounds[1][nth] = bounds[1][nth].max(value);
        }
    }
    bounds
}

/// What stands under `virtools` in the extras of a node.
pub fn extras(node: &Node<'_>) -> serde_json::Value {
    serde_json::from_str(node.extras().as_ref().unwrap().get()).unwrap()
}
