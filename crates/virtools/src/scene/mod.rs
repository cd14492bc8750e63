//! Scene of a file: entities, meshes, materials, textures, groups and animations (`docs/formats/virtools-classes.md#2-classes`).
//!
//! Files store them as objects that refer to each other. [`Scene`] puts them together, with one shape for what files of
//! different versions store in different ways. Coordinates are those of Virtools: left-handed, y up, third axis
//! forward. Everything is named by its position in the object table.

pub mod animation;
pub mod curve;
pub mod entity;
mod line;
pub mod material;
pub mod matrix;
pub mod mesh;
mod outline;
mod position;
pub mod save;
pub mod texture;

use crate::{
    class::{self, Value},
    codes,
    file::{File, data::Owner, value::has_no_value},
};
use animation::{Animation, AnimationCollection};
use entity::Entity;
use material::Material;
use matrix::Matrix;
use mesh::Mesh;
use position::{about, positions};
use spelunk_core::{Error, Result, Task};
use std::{borrow::Cow, collections::BTreeMap};
use texture::Texture;

/// Deeper hierarchies come from damaged files only.
const MAX_DEPTH: usize = 64;

/// Memory that is charged for what is kept of an object, besides what its value takes: trees that grow at one end have nodes
/// of which little more than half is used.
const KEPT: u64 = 2 * larger(
    larger(size_of::<Entity>(), size_of::<Mesh>()),
    larger(size_of::<Material>(), size_of::<Texture>()),
) as u64
    + 64;

const fn larger(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}

/// Entities of a file in space, with meshes, materials, textures, groups and animations.
#[derive(Debug)]
pub struct Scene<'f> {
    file: &'f File,
    /// Entities with a place in space.
    pub entities: BTreeMap<u32, Entity>,
    /// The shapes of entities.
    pub meshes: BTreeMap<u32, Mesh>,
    /// Looks of surfaces.
    pub materials: BTreeMap<u32, Material>,
    /// The pictures on them.
    pub textures: BTreeMap<u32, Texture>,
    /// The members of each group, without null ones.
    pub groups: BTreeMap<u32, Vec<u32>>,
    /// Movements of entities.
    pub animations: Vec<Animation>,
    /// Background, light and fog of the level's scene, or of the first one.
    pub environment: Option<class::scene::Environment>,
    /// Entities that are below themselves, with their stored parents.
    pub(crate) circles: Vec<(u32, u32)>,
}

impl<'f> Scene<'f> {
    /// Reads the scene of a file. Objects that are damaged are left out and reported, as is what cannot be drawn.
    ///
    /// # Errors
    /// When Data cannot be read; limits; what the sink makes of a finding.
    pub fn of(file: &'f File, task: &mut Task<'_>) -> Result<Scene<'f>> {
        Scene::with(file, is_part, task)
    }

    /// The textures of a file, and nothing else of its scene.
    ///
    /// # Errors
    /// As [`Scene::of`].
    pub fn textures(file: &'f File, task: &mut Task<'_>) -> Result<Scene<'f>> {
        Scene::with(file, |class_id| class_id == class::TEXTURE, task)
    }

    /// The mesh or the texture that an object is, and nothing else of its scene; neither where it is another object.
    ///
    /// # Errors
    /// As [`Scene::of`].
    pub fn only(file: &'f File, index: u32, task: &mut Task<'_>) -> Result<Scene<'f>> {
        let mut scene = Scene::empty(file);
        let mut parts = AnimationCollection::default();
        scene.read(index, &mut Vec::new(), &mut parts, task)?;
        Ok(scene)
    }

    fn empty(file: &'f File) -> Scene<'f> {
        Scene {
            file,
            entities: BTreeMap::new(),
            meshes: BTreeMap::new(),
            materials: BTreeMap::new(),
            textures: BTreeMap::new(),
            groups: BTreeMap::new(),
            animations: Vec::new(),
            environment: None,
            circles: Vec::new(),
        }
    }

    /// The scene of the objects of classes that are wanted.
    fn with(file: &'f File, wanted: fn(u32) -> bool, task: &mut Task<'_>) -> Result<Scene<'f>> {
        let mut scene = Scene::empty(file);
        let mut parts = AnimationCollection::default();
        let mut faults = Vec::new();
        for (object, index) in file.table().objects.iter().zip(0_u32..) {
            task.budget.steps(1)?;
            if wanted(object.class_id) {
                scene.read(index, &mut faults, &mut parts, task)?;
            }
        }
        scene.relate(task)?;
        scene.animations = parts.put_together(task)?;
        Ok(scene)
    }

    /// Reads an object. One that is damaged is left out, and reported.
    fn read(
        &mut self,
        index: u32,
        faults: &mut Vec<Error>,
        parts: &mut AnimationCollection,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let value = match self.file.value(Owner::Object(index), faults, &mut task.budget) {
            Ok(Some(saved)) => saved.value,
            Ok(None) => Value::of_class(self.file.class_of(index).unwrap_or_default()),
            Err(error) if has_no_value(&error) => return task.error(about(index, error)),
            Err(error) => return Err(error),
        };
        for fault in faults.drain(..) {
            task.error(about(index, fault))?;
        }
        task.budget.memory(KEPT)?;
        self.take(index, value, parts, task)
    }

    fn take(
        &mut self,
        index: u32,
        value: Value,
        parts: &mut AnimationCollection,
        task: &mut Task<'_>,
    ) -> Result<()> {
        match value {
            Value::Mesh(saved) => {
                let unread = saved.vertices.is_none() && saved.faces.is_none();
                let count = saved.vertices.as_ref().map_or(0, |vertices| vertices.count);
                let mesh = Mesh::of(*saved, index, task)?;
                if unread || mesh.positions.len() < count as usize {
                    task.warn(about(index, Error::new(&codes::NO_TRIANGLES)))?;
                }
                self.meshes.insert(index, mesh);
            }
            Value::PatchMesh(saved) => {
                task.warn(about(index, Error::new(&codes::NO_TRIANGLES)))?;
                let mesh = Mesh { flags: saved.mesh.flags.unwrap_or_default(), ..Mesh::default() };
                self.meshes.insert(index, mesh);
            }
            Value::Material(saved) => {
                self.materials.insert(index, Material::of(&saved));
            }
            Value::Texture(saved) => {
                self.textures.insert(index, Texture::of(*saved));
            }
            Value::Group(saved) => {
                let members = saved.members.as_ref().map_or(0, |members| members.len());
                task.budget.memory((members as u64).saturating_mul(4))?;
                self.groups.insert(index, positions(&saved.members));
            }
            Value::ObjectAnimation(saved) => parts.track(index, *saved, task)?,
            Value::KeyedAnimation(saved) => parts.keyed(index, &saved),
            Value::Level(saved) => {
                let scene = saved.scene.and_then(|scene| scene.scene);
                self.environment = scene.and_then(|scene| scene.value.environment);
            }
            Value::Scene(saved) => {
                self.environment = self.environment.take().or(saved.environment);
            }
            value => {
                if let Some(entity) = Entity::of(value, index, task)? {
                    self.entities.insert(index, entity);
                }
            }
        }
        Ok(())
    }

    /// Finds out what stands below what, and where it is as seen from there.
    fn relate(&mut self, task: &mut Task<'_>) -> Result<()> {
        let parents: BTreeMap<u32, u32> = self
            .entities
            .iter()
            .filter_map(|(index, entity)| Some((*index, entity.parent?)))
            .filter(|(_, parent)| self.entities.contains_key(parent))
            .collect();
        task.budget.memory((parents.len() as u64).saturating_mul(16))?;
        let circles = &mut self.circles;
        for (index, entity) in &mut self.entities {
            entity.parent = parents.get(index).copied();
            let mut above = entity.parent;
            let mut depth = 0_usize;
            while let Some(parent) = above
                && parent != *index
                && depth < MAX_DEPTH
            {
                depth = depth.saturating_add(1);
                above = parents.get(&parent).copied();
            }
            task.budget.steps(depth as u64)?;
            if let Some(parent) = entity.parent
                && above == Some(*index)
            {
                circles.push((*index, parent));
            }
            // In a circle, below one, or far too deep.
            if above.is_some() {
                entity.parent = None;
                let error = Error::new(&codes::PARENTS).field("parent");
                task.error(about(
                    *index,
                    error.found(format!("#{}", parents.get(index).unwrap_or(&0))),
                ))?;
            }
        }
        let worlds: BTreeMap<u32, Matrix> =
            self.entities.iter().map(|(index, entity)| (*index, entity.world)).collect();
        let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (index, entity) in &mut self.entities {
            let Some(parent) = entity.parent else {
                entity.local = Some(entity.world);
                continue;
            };
            children.entry(parent).or_default().push(*index);
            let inverse = worlds.get(&parent).and_then(Matrix::inverse);
            entity.local = inverse.map(|inverse| entity.world.then(&inverse));
        }
        for (parent, below) in children {
            if let Some(entity) = self.entities.get_mut(&parent) {
                entity.children = below;
            }
        }
        Ok(())
    }

    /// The file.
    pub const fn file(&self) -> &'f File {
        self.file
    }

    /// The stored name of an object.
    pub fn name(&self, index: u32) -> &'f [u8] {
        let table = self.file.table();
        table.objects.get(index as usize).map_or(&[], |object| table.name(object))
    }

    /// The class of an object.
    pub fn class(&self, index: u32) -> Cow<'static, str> {
        self.file.class_name(self.file.class_of(index).unwrap_or_default())
    }

    /// Whether an entity is not seen: because it is hidden, or what it stands below hides all that does.
    pub fn is_hidden(&self, index: u32) -> bool {
        let Some(entity) = self.entities.get(&index) else { return false };
        let above = |entity: &Entity| self.entities.get(&entity.parent?);
        let mut parents = std::iter::successors(above(entity), |parent| above(parent));
        entity.hidden || entity.hides_children || parents.any(|parent| parent.hides_children)
    }
}

/// Whether objects of a class are parts of scenes.
fn is_part(class_id: u32) -> bool {
    const PARTS: [u32; 8] = [10, 15, 18, 21, 23, 30, 31, 32];
    PARTS.contains(&class_id)
        || class::is_a(class_id, class::ENTITY_3D)
        || class::is_a(class_id, class::MESH)
}
