//! What programs compute with: vertices and faces of a mesh, pixels of a picture, heights of a map, as arrays in the bytes of
//! the file where they lie there.

use crate::{
    export::{finite, pixels, textures},
    maps,
};
use serde::Serialize;
use snpak::{Pack, texture::Texture};
use spelunk_core::{
    Bytes, Container, Error, Node, Result, Task,
    text::{CodePages, until_nul},
};
use spelunk_open::{Model, codes, entries::search::Search, model};
use virtools::{
    File,
    chunk::bitmap::{
        Rgba,
        image::{self, Encoding},
    },
    class::material::{ALPHA_BLEND, ALPHA_TEST, TWO_SIDED},
    file::data::Owner,
    scene::{self, Scene},
};

/// A mesh as it is stored: little-endian numbers, left-handed, y up. Faces are clockwise as seen from their front; of faces
/// and lines those are left out that have vertices that are not there.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// Three `f32` for each vertex.
    pub positions: Bytes,
    /// Three `f32` for each vertex: the stored ones, or those of length 1 that follow from the faces.
    pub normals: Bytes,
    /// Two `f32` for each vertex, or a single pair for all. The top left corner is 0, 0.
    pub uvs: Bytes,
    /// A `u32` for each vertex, or a single one for all: ARGB.
    pub colors: Bytes,
    /// Four `u16` for each face: three vertices, and the material slot.
    pub faces: Bytes,
    /// Two `u16` for each line: its vertices.
    pub lines: Bytes,
    /// The entry of the material of each slot; `None` where it has none.
    pub materials: Vec<Option<Node>>,
}

/// A picture: red, green, blue and alpha of each pixel in 8 bits, the upper row first.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The pixels.
    pub pixels: Bytes,
    /// The name of the file beside the container that it was read of; `None` where the container holds it.
    pub file: Option<String>,
}

impl Picture {
    /// The picture as a PNG file.
    ///
    /// # Errors
    /// Where the library was built without encoders.
    pub fn png(&self) -> Result<Vec<u8>> {
        let picture = Rgba::new(self.width, self.height, self.pixels.to_vec())?;
        image::encode(&picture, Encoding::Png)
    }
}

/// What stands in the space of a file, and what it looks like. Objects are known by their positions in the object table; coordinates
/// are those of the file: left-handed, y up.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SceneObjects {
    /// The textures.
    pub textures: Vec<SceneTexture>,
    /// The materials.
    pub materials: Vec<SceneMaterial>,
    /// The meshes, whose arrays [`mesh()`] has.
    pub meshes: Vec<SceneObject>,
    /// The entities.
    pub entities: Vec<SceneEntity>,
    /// The groups.
    pub groups: Vec<SceneGroup>,
}

/// An object of a scene.
#[derive(Clone, Debug, Serialize)]
pub struct SceneObject {
    /// Position in the object table.
    pub index: u32,
    /// Name as shown.
    pub name: String,
    /// Class of the object.
    pub class: String,
}

/// A texture.
#[derive(Clone, Debug, Serialize)]
pub struct SceneTexture {
    /// The object.
    #[serde(flatten)]
    pub object: SceneObject,
    /// Number of its pictures.
    pub slots: usize,
    /// Name of the file of the first one, where it has one.
    pub file: Option<String>,
}

/// A material. Colours are red, green, blue and alpha from 0 to 1.
#[derive(Clone, Debug, Serialize)]
pub struct SceneMaterial {
    /// The object.
    #[serde(flatten)]
    pub object: SceneObject,
    /// Colour in the light of lamps.
    pub diffuse: [f32; 4],
    /// Colour in light from everywhere.
    pub ambient: [f32; 4],
    /// Colour of highlights.
    pub specular: [f32; 4],
    /// Colour without any light.
    pub emissive: [f32; 4],
    /// The higher, the smaller are highlights.
    pub power: f32,
    /// Its texture.
    pub texture: Option<u32>,
    /// Whether it is seen from both sides.
    pub is_two_sided: bool,
    /// Whether it is blended with what is behind it.
    pub is_blended: bool,
    /// Whether parts of it are left out by their alpha.
    pub is_tested: bool,
}

/// An entity.
#[derive(Clone, Debug, Serialize)]
pub struct SceneEntity {
    /// The object.
    #[serde(flatten)]
    pub object: SceneObject,
    /// Images of the three axes in the world, and the position.
    pub matrix: [[f32; 3]; 4],
    /// The entity that it stands below.
    pub parent: Option<u32>,
    /// The mesh that it is drawn with.
    pub mesh: Option<u32>,
    /// Whether it is not seen, because it or something above it is hidden.
    pub is_hidden: bool,
}

/// A group.
#[derive(Clone, Debug, Serialize)]
pub struct SceneGroup {
    /// The object.
    #[serde(flatten)]
    pub object: SceneObject,
    /// Its members.
    pub members: Vec<u32>,
}

/// Heights of a map, one for each cell, in the order of the file.
#[derive(Clone, Debug)]
pub struct Heights {
    /// Cells in a row.
    pub columns: u32,
    /// Rows.
    pub rows: u32,
    /// An `f32` for each cell, little-endian, row by row.
    pub values: Bytes,
}

/// The mesh that an entry is, or that an entity is drawn with.
///
/// # Errors
/// [`NOT_EXPORTED`](codes::NOT_EXPORTED) for entries that are neither; reading errors; limits. What is left out is reported.
pub fn mesh(container: &dyn Container, node: Node, task: &mut Task<'_>) -> Result<Mesh> {
    let file = model::virtools(container, &codes::NOT_EXPORTED)?;
    let index = file.object_index(node).ok_or_else(|| no_such("a mesh", "no object"))?;
    let mut scene = Scene::only(file, index, task)?;
    if let Some(drawn) = scene.entities.get(&index).and_then(|entity| entity.mesh) {
        scene = Scene::only(file, drawn, task)?;
    }
    let Some((_, mesh)) = scene.meshes.pop_first() else {
        return Err(no_such("a mesh, or an entity that is drawn with one", &scene.class(index)));
    };
    let normals = match mesh.stored_normals.len() == mesh.positions.len() {
        true => mesh.stored_normals.to_bytes(),
        false => built(&mesh, task)?,
    };
    let material = |slot: &Option<u32>| slot.map(|index| File::node(Owner::Object(index)));
    Ok(Mesh {
        positions: mesh.positions.to_bytes(),
        normals,
        uvs: mesh.uv.to_bytes(),
        colors: mesh.colors.to_bytes(),
        faces: mesh.faces.to_bytes(),
        lines: mesh.lines.to_bytes(),
        materials: mesh.slots.iter().map(material).collect(),
    })
}

/// The scene of a file.
///
/// # Errors
/// [`NOT_EXPORTED`](codes::NOT_EXPORTED) for files of other formats; reading errors; limits. Objects that are damaged are left out, and
/// reported.
pub fn scene(
    container: &dyn Container,
    pages: &CodePages,
    task: &mut Task<'_>,
) -> Result<SceneObjects> {
    let file = model::virtools(container, &codes::NOT_EXPORTED)?;
    let scene = Scene::of(file, task)?;
    let count = file.table().objects.len() as u64;
    task.budget.memory(count.saturating_mul(size_of::<SceneMaterial>() as u64))?;
    let mut object = |index: u32| -> Result<SceneObject> {
        let name = until_nul(scene.name(index));
        task.budget.memory((name.len() as u64).saturating_mul(4))?;
        Ok(SceneObject {
            index,
            name: pages.show(name).into_owned(),
            class: scene.class(index).into_owned(),
        })
    };
    let mut made = SceneObjects::default();
    for (index, texture) in &scene.textures {
        let file = texture.file_name(0).map(|name| pages.show(name).into_owned());
        let (object, slots) = (object(*index)?, texture.slots());
        made.textures.push(SceneTexture { object, slots, file });
    }
    for (index, material) in &scene.materials {
        made.materials.push(SceneMaterial {
            object: object(*index)?,
            diffuse: material.diffuse,
            ambient: material.ambient,
            specular: material.specular,
            emissive: material.emissive,
            power: material.data.specular_power,
            texture: material.textures[0],
            is_two_sided: material.data.has(TWO_SIDED),
            is_blended: material.data.has(ALPHA_BLEND),
            is_tested: material.data.has(ALPHA_TEST),
        });
    }
    for index in scene.meshes.keys() {
        made.meshes.push(object(*index)?);
    }
    for (index, entity) in &scene.entities {
        let [x, y, z] = entity.world.axes;
        made.entities.push(SceneEntity {
            object: object(*index)?,
            matrix: [x, y, z, entity.world.position].map(|row| row.map(finite)),
            parent: entity.parent,
            mesh: entity.mesh,
            is_hidden: scene.is_hidden(*index),
        });
    }
    for (index, members) in &scene.groups {
        made.groups.push(SceneGroup { object: object(*index)?, members: members.clone() });
    }
    Ok(made)
}

/// Normals that follow from the faces.
fn built(mesh: &scene::mesh::Mesh, task: &mut Task<'_>) -> Result<Bytes> {
    let normals = mesh.normals(&mut task.budget)?;
    numbers(normals.as_flattened(), task)
}

/// Numbers as bytes.
fn numbers(values: &[f32], task: &mut Task<'_>) -> Result<Bytes> {
    let mut bytes = task.budget.vec::<u8>((values.len() as u64).saturating_mul(4))?;
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    Ok(bytes.into())
}

/// The picture that an entry holds, or that the file is that it names: a slot of a texture, the largest mip of a texture of a
/// pack.
///
/// # Errors
/// [`NOT_EXPORTED`](codes::NOT_EXPORTED) for entries that are no textures; [`NO_SLOT`](codes::NO_SLOT);
/// [`NOTHING`](codes::NOTHING) where it has no picture, or its file was not found; what cannot be decoded; reading errors;
/// limits.
pub fn picture(
    container: &dyn Container,
    node: Node,
    slot: usize,
    search: &Search,
    pages: &CodePages,
    task: &mut Task<'_>,
) -> Result<Picture> {
    let check_slot = |slots: usize| match slot < slots.max(1) {
        true => Ok(()),
        false => {
            let error = Error::new(&codes::NO_SLOT).expected(format!("a slot below {slots}"));
            Err(error.found(slot as u64))
        }
    };
    if let Model::Pack(pack) = Model::of(container) {
        let picture = pack_picture(pack, node, task)?;
        return check_slot(1).map(|()| made(picture, None));
    }
    let file = model::virtools(container, &codes::NOT_EXPORTED)?;
    let index = file.object_index(node).ok_or_else(|| no_such("a texture", "no object"))?;
    let mut scene = Scene::only(file, index, task)?;
    let Some((_, texture)) = scene.textures.pop_first() else {
        return Err(no_such("a texture", &scene.class(index)));
    };
    check_slot(texture.slots())?;
    match textures::decoded(&texture, slot, search, pages, &mut task.budget)? {
        textures::Decoded::Picture { picture, file, embedded } => {
            Ok(made(picture, file.filter(|_| !embedded)))
        }
        textures::Decoded::Missing(name) => Err(Error::new(&codes::TEXTURES).found(name)),
        textures::Decoded::None => {
            Err(Error::new(&codes::NOTHING).found("a texture without a picture"))
        }
    }
}

fn pack_picture(pack: &Pack, node: Node, task: &mut Task<'_>) -> Result<Rgba> {
    let row = pack.row_of(node).ok_or_else(|| no_such("a texture", "no asset"))?;
    let texture = Texture::read(pack, row, task)?;
    let texture = texture.ok_or_else(|| no_such("a texture", "an asset of another type"))?;
    let Some(mip) = texture.chain().first().copied() else {
        return Err(Error::new(&codes::NOTHING).found("a texture without a mip"));
    };
    pixels::rgba(pack, &texture, &mip, task)
}

fn made(picture: Rgba, file: Option<String>) -> Picture {
    let (width, height) = (picture.width(), picture.height());
    Picture { width, height, pixels: picture.into_pixels().into(), file }
}

/// The heights of the map in a file.
///
/// # Errors
/// [`NO_MAP`](codes::NO_MAP) for other files; reading errors; limits.
pub fn heights(container: &dyn Container, task: &mut Task<'_>) -> Result<Heights> {
    let map = maps::of(container, task)?;
    let heights = map.heights(&mut task.budget)?;
    let (columns, rows) = (map.frame().width, map.frame().height);
    Ok(Heights { columns, rows, values: numbers(&heights, task)? })
}

fn no_such(expected: &'static str, found: &str) -> Error {
    Error::new(&codes::NOT_EXPORTED).expected(expected).found(found.to_owned())
}
