//! Objects that are made of arrays: textures, materials, meshes, entities and groups.

use super::{
    model::{Entity, Group, GroupMember, Material, Model, Texture},
    options::{Options, Policies, Report},
    put::{ObjectFamily, Put},
    shape::{Shape, Triangle},
    virtools_mut,
};
use crate::gltf::surface::new_material;
use spelunk_core::{Bytes, Error, Result, Seg};
use spelunk_open::{Opened, codes};
use std::collections::BTreeMap;
use virtools::{
    chunk::bitmap::{
        Rgba,
        image::{self, Encoding},
    },
    class::{self, material::MaterialData},
    scene::{material, matrix::Matrix},
};
use zerocopy::little_endian::{F32, U32};

/// Objects, which refer to each other by their names: to those that are here, else to those of the file.
#[derive(Clone, Debug, Default)]
pub struct SceneArrays {
    /// The textures.
    pub textures: Vec<TextureArrays>,
    /// The materials.
    pub materials: Vec<MaterialArrays>,
    /// The meshes.
    pub meshes: Vec<MeshArrays>,
    /// The entities; parents before what is below them.
    pub entities: Vec<EntityArrays>,
    /// The groups.
    pub groups: Vec<GroupArrays>,
}

/// The name of an object. Among those of one name it is the one at a position in the file, where that has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObjectName {
    /// Name of the object.
    pub name: String,
    /// Its position in the table of the file.
    pub index: Option<u32>,
}

impl<T: Into<String>> From<T> for ObjectName {
    fn from(name: T) -> ObjectName {
        ObjectName { name: name.into(), index: None }
    }
}

/// A texture: pixels, or the name of a file that has them.
#[derive(Clone, Debug, Default)]
pub struct TextureArrays {
    /// Name of the object.
    pub name: ObjectName,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Red, green, blue and alpha of each pixel, the upper row first; empty where a file has the picture.
    pub pixels: Bytes,
    /// Name of the file.
    pub file: Option<String>,
}

/// A material. Colours are red, green, blue and alpha from 0 to 1.
#[derive(Clone, Debug)]
pub struct MaterialArrays {
    /// Name of the object.
    pub name: ObjectName,
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
    /// Name of its texture.
    pub texture: Option<ObjectName>,
}

/// A mesh. Arrays of vertices hold a value for each, or none.
#[derive(Clone, Debug, Default)]
pub struct MeshArrays {
    /// Name of the object.
    pub name: ObjectName,
    /// Positions of the vertices.
    pub positions: Vec<[f32; 3]>,
    /// Normals; without any they follow from the faces.
    pub normals: Vec<[f32; 3]>,
    /// Texture coordinates; the top left corner is 0, 0.
    pub uvs: Vec<[f32; 2]>,
    /// Colours as ARGB.
    pub colors: Vec<u32>,
    /// Vertices of the faces, clockwise as seen from the front.
    pub faces: Vec<[u32; 3]>,
    /// Material slot of each face; without any all have the first one.
    pub face_materials: Vec<u16>,
    /// Vertices of lines.
    pub lines: Vec<[u32; 2]>,
    /// Name of the material of each slot; `None` for a slot without one.
    pub materials: Vec<Option<ObjectName>>,
}

/// An entity: a `CK3dObject`.
#[derive(Clone, Debug)]
pub struct EntityArrays {
    /// Name of the object.
    pub name: ObjectName,
    /// Images of the three axes in the world, and the position.
    pub matrix: [[f32; 3]; 4],
    /// Name of the mesh that it is drawn with.
    pub mesh: Option<ObjectName>,
    /// Name of its parent.
    pub parent: Option<ObjectName>,
    /// Whether it is hidden.
    pub is_hidden: bool,
}

/// A group. Members that it has in the file stay.
#[derive(Clone, Debug, Default)]
pub struct GroupArrays {
    /// Name of the object.
    pub name: ObjectName,
    /// Its members.
    pub members: Vec<Member>,
}

/// A member of a group, by its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Member {
    /// An entity.
    Entity(ObjectName),
    /// A mesh.
    Mesh(ObjectName),
    /// A material.
    Material(ObjectName),
    /// A texture.
    Texture(ObjectName),
}

/// Puts the objects into a file. Where names meet, policies say what happens.
///
/// # Errors
/// [`BAD_MODEL`](codes::BAD_MODEL) for arrays that do not fit each other; [`NOT_FOUND`](codes::core::NOT_FOUND) for names that
/// neither the arrays nor the file have; [`TOO_MANY_VERTICES`](codes::TOO_MANY_VERTICES); [`NO_EDITING`](codes::NO_EDITING) for files of
/// other formats; limits.
pub fn put(opened: &mut Opened, scene: SceneArrays, policies: Policies) -> Result<Report> {
    let pages = opened.code_pages();
    let format = opened.container().format();
    let options = Options { policies, ..Options::default() };
    let mut model = Lists::default().model(scene)?;
    let done = opened.edit(|edit, task| {
        let file = virtools_mut(edit)?;
        // An entity of the file stays of its class: a camera is placed as an object is.
        for entity in &mut model.entities {
            let index = entity.index.filter(|_| !entity.is_of_file);
            let of_file = index.and_then(|index| file.table().objects.get(index as usize));
            let known = of_file.map(|object| object.class_id);
            if let Some(class_id) = known.filter(|id| class::is_a(*id, class::ENTITY_3D)) {
                entity.class_id = class_id;
            }
        }
        Some(Put::new(file, &options, &pages, task).and_then(|put| put.all(model)))
    });
    let done = done.flatten();
    let done = done.unwrap_or_else(|| Err(Error::new(&codes::NO_EDITING).found(format)))?;
    Ok(done.report)
}

/// Places of names in the lists of a model, by families.
#[derive(Default)]
struct Lists {
    model: Model,
    places: BTreeMap<(ObjectFamily, ObjectName), usize>,
}

impl Lists {
    fn model(mut self, scene: SceneArrays) -> Result<Model> {
        for texture in scene.textures {
            self.note(ObjectFamily::Texture, &texture.name, self.model.textures.len());
            self.model.textures.push(texture_of(texture)?);
        }
        for material in scene.materials {
            let texture = material.texture.as_ref().map(|name| self.texture(name));
            self.note(ObjectFamily::Material, &material.name, self.model.materials.len());
            self.model.materials.push(material_of(material, texture));
        }
        for mesh in scene.meshes {
            let named = |name: &Option<ObjectName>| Some(self.material(name.as_ref()?));
            let slots = mesh.materials.iter().map(named).collect();
            let name = mesh.name.clone();
            let shape = shape_of(mesh, slots);
            self.note(ObjectFamily::Mesh, &name, self.model.shapes.len());
            self.model
                .shapes
                .push(shape.map_err(|error| error.within(Seg::Key(name.name.into())))?);
        }
        for entity in scene.entities {
            let mesh = entity.mesh.as_ref().map(|name| self.mesh(name));
            let parent = entity.parent.as_ref().map(|name| self.entity(name));
            self.note(ObjectFamily::Entity, &entity.name, self.model.entities.len());
            self.model.entities.push(entity_of(entity, mesh, parent));
        }
        for group in scene.groups {
            let member = |member: &Member| match member {
                Member::Entity(name) => GroupMember::Entity(self.entity(name) as usize),
                Member::Mesh(name) => GroupMember::Shape(self.mesh(name) as usize),
                Member::Material(name) => GroupMember::Material(self.material(name) as usize),
                Member::Texture(name) => GroupMember::Texture(self.texture(name) as usize),
            };
            let members = group.members.iter().map(member).collect();
            self.model.groups.push(Group {
                name: group.name.name,
                index: group.name.index,
                members,
            });
        }
        Ok(self.model)
    }

    fn note(&mut self, family: ObjectFamily, name: &ObjectName, place: usize) {
        self.places.insert((family, name.clone()), place);
    }

    /// The place of an object by its name. One that is not here is the file's.
    fn place(
        &mut self,
        family: ObjectFamily,
        name: &ObjectName,
        add: impl FnOnce(&mut Model) -> usize,
    ) -> u32 {
        let key = (family, name.clone());
        let model = &mut self.model;
        let place = *self.places.entry(key).or_insert_with(|| add(model));
        u32::try_from(place).unwrap_or(u32::MAX)
    }

    fn texture(&mut self, name: &ObjectName) -> u32 {
        self.place(ObjectFamily::Texture, name, |model| {
            let ObjectName { name, index } = name.clone();
            let of_file = Texture { name, index, is_of_file: true, ..Texture::default() };
            model.textures.push(of_file);
            model.textures.len() - 1
        })
    }

    fn material(&mut self, name: &ObjectName) -> u32 {
        self.place(ObjectFamily::Material, name, |model| {
            let material = material::Material::new(new_material());
            let ObjectName { name, index } = name.clone();
            model.materials.push(Material { name, index, is_of_file: true, material });
            model.materials.len() - 1
        })
    }

    fn mesh(&mut self, name: &ObjectName) -> u32 {
        self.place(ObjectFamily::Mesh, name, |model| {
            let ObjectName { name, index } = name.clone();
            let of_file = Shape { name, index, is_of_file: true, ..Shape::default() };
            model.shapes.push(of_file);
            model.shapes.len() - 1
        })
    }

    fn entity(&mut self, name: &ObjectName) -> u32 {
        self.place(ObjectFamily::Entity, name, |model| {
            let ObjectName { name, index } = name.clone();
            let of_file = Entity { index, is_of_file: true, ..Entity::new(name, None) };
            model.entities.push(of_file);
            model.entities.len() - 1
        })
    }
}

fn texture_of(from: TextureArrays) -> Result<Texture> {
    let image = match from.pixels.is_empty() {
        true => None,
        false => {
            let picture = Rgba::new(from.width, from.height, from.pixels.to_vec())?;
            Some(image::encode(&picture, Encoding::Png)?.into())
        }
    };
    let ObjectName { name, index } = from.name;
    Ok(Texture { name, index, file: from.file, image, ..Texture::default() })
}

fn material_of(from: MaterialArrays, texture: Option<u32>) -> Material {
    let mut material = material::Material::new(MaterialData {
        diffuse: stored(from.diffuse),
        ambient: stored(from.ambient),
        specular: stored(from.specular),
        emissive: stored(from.emissive),
        specular_power: from.power,
        ..new_material()
    });
    material.textures = [texture, None, None, None];
    let ObjectName { name, index } = from.name;
    Material { name, index, is_of_file: false, material }
}

/// A colour as materials store it: ARGB.
fn stored([red, green, blue, alpha]: [f32; 4]) -> u32 {
    u32::from_be_bytes([alpha, red, green, blue].map(|part| (part * 255.0).round() as u8))
}

fn entity_of(from: EntityArrays, mesh: Option<u32>, parent: Option<u32>) -> Entity {
    let [x, y, z, position] = from.matrix.map(|row| row.map(f64::from));
    let ObjectName { name, index } = from.name;
    let mut made = Entity { index, ..Entity::new(name, mesh) };
    made.entity.world = Matrix { axes: [x, y, z], position };
    (made.entity.parent, made.entity.hidden) = (parent, from.is_hidden);
    made
}

fn shape_of(from: MeshArrays, slots: Vec<Option<u32>>) -> Result<Shape> {
    let count = from.positions.len();
    let bad = |expected: String, found: String| {
        Err(Error::new(&codes::BAD_MODEL).expected(expected).found(found))
    };
    let each = [
        ("normals", from.normals.len()),
        ("texture coordinates", from.uvs.len()),
        ("colours", from.colors.len()),
    ];
    if let Some((what, len)) = each.iter().find(|(_, len)| *len != 0 && *len != count) {
        return bad(format!("{what} of {count} vertices, or none"), format!("{len}"));
    }
    let there = |corner: &u32| (*corner as usize) < count;
    let missing = from.faces.iter().flatten().chain(from.lines.iter().flatten());
    if let Some(corner) = missing.copied().find(|corner| !there(corner)) {
        return bad(format!("vertices below {count}"), format!("vertex {corner}"));
    }
    let faces = from.faces.len();
    if !from.face_materials.is_empty() && from.face_materials.len() != faces {
        let found = format!("{}", from.face_materials.len());
        return bad(format!("material slots of {faces} faces, or none"), found);
    }
    let slots = if slots.is_empty() { vec![None] } else { slots };
    if let Some(slot) = from.face_materials.iter().find(|slot| usize::from(**slot) >= slots.len()) {
        return bad(format!("material slots below {}", slots.len()), format!("slot {slot}"));
    }
    let of_face = from.face_materials.into_iter().chain(std::iter::repeat(0));
    let faces = from.faces.into_iter().zip(of_face);
    let three =
        |values: Vec<[f32; 3]>| values.into_iter().map(|value| value.map(F32::new)).collect();
    let or_one = |mut values: Vec<u32>, one: u32| {
        if values.is_empty() {
            values.push(one);
        }
        values.into_iter().map(U32::new).collect()
    };
    let uv: Vec<[F32; 2]> = from.uvs.into_iter().map(|uv| uv.map(F32::new)).collect();
    let ObjectName { name, index } = from.name;
    Ok(Shape {
        name,
        index,
        positions: three(from.positions),
        normals: three(from.normals),
        colors: or_one(from.colors, WHITE),
        specular: or_one(Vec::new(), 0),
        uv: if uv.is_empty() { vec![[F32::ZERO; 2]] } else { uv },
        faces: faces.map(|(corners, slot)| Triangle { corners, slot }).collect(),
        lines: from.lines,
        slots,
        ..Shape::default()
    })
}

/// Opaque white.
const WHITE: u32 = 0xFFFF_FFFF;
