//! A model to be imported, in the space of Virtools, before it becomes objects of a file. Positions in lists stand for
//! what will be references.

use super::shape::Shape;
use crate::gltf::extras;
use spelunk_core::Bytes;
use virtools::{
    class::{self, entity_3d::NEW_MOVEABLE_FLAGS},
    scene::{
        animation,
        entity::{self, EntityKind},
        material,
        matrix::Matrix,
    },
};

/// Everything that a source holds.
#[derive(Debug, Default)]
pub struct Model {
    pub textures: Vec<Texture>,
    pub materials: Vec<Material>,
    pub shapes: Vec<Shape>,
    /// Entities; parents stand before what is below them.
    pub entities: Vec<Entity>,
    pub groups: Vec<Group>,
    pub animations: Vec<Animation>,
}

/// A picture, or the name of the file that holds it.
#[derive(Debug, Default)]
pub struct Texture {
    pub name: String,
    /// Position in the file that the source was made of.
    pub index: Option<u32>,
    /// Whether the source has neither picture nor file of it, because there was none.
    pub is_named: bool,
    /// Whether it is the one of this name that the file has.
    pub is_of_file: bool,
    /// The file that is said to hold the picture; `image` need not be that file.
    pub file: Option<String>,
    /// Whether the picture was in the container, and not in that file.
    pub embedded: bool,
    /// A whole image file.
    pub image: Option<Bytes>,
    /// Stored state of the texture.
    pub stored: Option<extras::Texture>,
}

/// Look of a surface; textures are positions in [`Model::textures`].
#[derive(Debug)]
pub struct Material {
    pub name: String,
    /// Position in the file that the source was made of.
    pub index: Option<u32>,
    /// Whether it is the one of this name that the file has.
    pub is_of_file: bool,
    pub material: material::Material,
}

/// Something with a place. Parent, mesh, material and targets are positions in the lists of the model.
#[derive(Debug)]
pub struct Entity {
    pub name: String,
    pub class_id: u32,
    pub entity: entity::Entity,
    /// Position in the file that the source was made of.
    pub index: Option<u32>,
    /// Whether it is the one of this name that the file has.
    pub is_of_file: bool,
    /// Whether the source has its flags.
    pub has_flags: bool,
    /// Whether it has a parent, or a target, that is not in the source.
    pub misses_parent: bool,
    pub misses_target: bool,
}

impl Entity {
    /// A new object at the origin that is drawn with the shape at a position.
    pub fn new(name: String, mesh: Option<u32>) -> Entity {
        Entity {
            name,
            class_id: class::OBJECT_3D,
            entity: entity::Entity {
                parent: None,
                children: Vec::new(),
                world: Matrix::IDENTITY,
                local: None,
                hidden: false,
                hides_children: false,
                flags: 0,
                moveable_flags: NEW_MOVEABLE_FLAGS,
                z_order: None,
                place: None,
                mesh,
                meshes: mesh.into_iter().collect(),
                has_skin: false,
                kind: EntityKind::Plain,
            },
            index: None,
            is_of_file: false,
            has_flags: false,
            misses_parent: false,
            misses_target: false,
        }
    }
}

/// Something that moves.
#[derive(Debug)]
pub struct Animation {
    pub name: String,
    /// Whether it is one of several entities, and not only a track.
    pub is_keyed: bool,
    /// Motion of the entities, which are positions in the model.
    pub animation: animation::Animation,
}

/// A group of objects.
#[derive(Debug, Default)]
pub struct Group {
    pub name: String,
    /// Position in the file that the source was made of.
    pub index: Option<u32>,
    pub members: Vec<GroupMember>,
}

/// A member of a group.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum GroupMember {
    Entity(usize),
    Shape(usize),
    Material(usize),
    Texture(usize),
}
