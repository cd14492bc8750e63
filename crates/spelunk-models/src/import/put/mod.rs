//! A model into a file: textures, materials, meshes, entities, groups, in this order.

mod animations;
mod files;
mod names;
mod state;
mod textures;

use super::{
    model::{Entity, Group, GroupMember, Material, Model, Texture},
    options::{Options, Policy},
    shape::Shape,
};
pub(super) use names::ObjectFamily;
use names::{NameMatch, ObjectNames};
use spelunk_core::{Container, Error, Result, Task, text::CodePages};
use spelunk_open::{codes, entries::near::near};
use state::ObjectPlacement;
pub(super) use state::{ImportOutcome, Put};
use std::collections::BTreeSet;
use virtools::{
    File,
    class::{self, Value},
    codec::{Array, Reference, Saved},
    file::data::Owner,
    lint::sector_number,
    scene::{
        entity::EntityKind,
        mesh::{Mesh, PRELIT},
        save::{BUILDS_NORMALS, entity_of},
    },
};
use zerocopy::little_endian::U32;

/// The flag of meshes whose normals engines build.
const GENERATE_NORMALS: u32 = 0x8_0000;

impl<'a, 't> Put<'a, 't> {
    pub fn new(
        file: &'a mut File,
        options: &'a Options,
        pages: &'a CodePages,
        task: &'a mut Task<'t>,
    ) -> Result<Put<'a, 't>> {
        let names = ObjectNames::of(file, task)?;
        Ok(Put {
            file,
            options,
            task,
            done: ImportOutcome::default(),
            pages,
            policies: options.policies,
            names,
            textures: Vec::new(),
            materials: Vec::new(),
            meshes: Vec::new(),
            entities: Vec::new(),
            imported: BTreeSet::new(),
        })
    }

    /// Puts everything into the file.
    pub fn all(mut self, model: Model) -> Result<ImportOutcome> {
        let Model { textures, materials, shapes, mut entities, groups, animations } = model;
        for texture in textures {
            let index = self.texture(texture)?;
            self.textures.push(index);
        }
        for material in &materials {
            let index = self.material(material)?;
            self.materials.push(index);
        }
        for shape in shapes {
            let meshes = self.shape(shape)?;
            self.meshes.push(meshes);
        }
        self.allocate(&entities)?;
        for (at, entity) in entities.iter_mut().enumerate() {
            self.entity(at, entity)?;
        }
        for animation in animations {
            self.animation(animation)?;
        }
        for group in self.with_sectors(groups)? {
            self.group(&group)?;
        }
        Ok(self.done)
    }

    /// The object at a path.
    pub fn object(&mut self, path: &str) -> Result<u32> {
        let nodes = Container::find(self.file, path, self.pages, self.task)?;
        let mut found = nodes.iter().filter_map(|node| self.file.object_index(*node));
        match (found.next(), found.next()) {
            (Some(index), None) => Ok(index),
            _ => Err(Error::new(&codes::core::NOT_FOUND)
                .expected("the path of one object of the file that is changed")
                .found(near(self.file, path, self.pages, self.task).found(path))),
        }
    }

    /// Among objects of one name the one at this position, if it is there, is the one that is meant.
    fn prefer(&mut self, family: ObjectFamily, name: &str, index: Option<u32>) -> Result<()> {
        let stored = self.stored(name)?;
        index.into_iter().for_each(|index| self.names.prefer(family, &stored, index));
        Ok(())
    }

    /// A name as the file stores it.
    fn stored(&self, name: &str) -> Result<Vec<u8>> {
        let stored = self.pages.encode(name);
        stored.ok_or_else(|| Error::new(&codes::core::NOT_ENCODED).found(format!("`{name}`")))
    }

    /// Finds the place of an object: as the policy says where there is one of its name.
    fn place(
        &mut self,
        family: ObjectFamily,
        class_id: u32,
        name: &str,
    ) -> Result<ObjectPlacement> {
        let stored = self.stored(name)?;
        let found = self.names.find(family, class_id, &stored);
        let policy = self.policies.of(family);
        match (found, policy) {
            (NameMatch::Old(index), Policy::Keep) => {
                self.done.report.kept += 1;
                return Ok(ObjectPlacement::Keep(index));
            }
            // What another object of the model stands for already is not to be changed.
            (NameMatch::Old(index), Policy::Replace) if !self.names.is_kept(index) => {
                self.names.claim(family, &stored, index);
                self.done.report.replaced += 1;
                return Ok(ObjectPlacement::Write(index));
            }
            _ => {}
        }
        // Objects of one model may share a name, as they may in a file.
        let renamed = match found {
            NameMatch::Old(_) | NameMatch::Other
                if self.names.had_any() && policy != Policy::Both =>
            {
                let free = self.names.free(family, &stored);
                let to = self.pages.show(&free).into_owned();
                self.task.note(
                    Error::new(&codes::RENAMED).found(format!("`{name}`, imported as `{to}`")),
                )?;
                self.done.report.renamed += 1;
                free
            }
            _ => stored,
        };
        let index = self.file.add_object(class_id, &renamed, &mut self.task.budget)?;
        self.names.add(family, renamed);
        self.done.report.created += 1;
        Ok(ObjectPlacement::Write(index))
    }

    /// Returns the saved value of an object, or an empty one.
    fn value(&mut self, index: u32) -> Result<Saved<Value>> {
        let owner = Owner::Object(index);
        let budget = &mut self.task.budget;
        match self.file.value(owner, &mut Vec::new(), budget)? {
            Some(value) => Ok(value),
            None => self.file.fresh_value(owner, budget),
        }
    }

    fn save(&mut self, index: u32, mut value: Saved<Value>) -> Result<()> {
        self.file.set_value(Owner::Object(index), &mut value, &mut self.task.budget)
    }

    /// The object of this family and name that would be the same if it was changed like this. What is there already is
    /// not imported once more.
    fn same(
        &mut self,
        family: ObjectFamily,
        name: &str,
        change: &mut dyn FnMut(&mut Value, &mut Task<'_>) -> Result<()>,
    ) -> Result<Option<u32>> {
        let stored = self.stored(name)?;
        for nth in 0.. {
            let Some(index) = self.names.nth(family, &stored, nth) else { break };
            let mut value = self.value(index)?;
            let before = value.write()?.to_bytes()?;
            // It is read, and written twice.
            self.task.budget.steps(64 + (before.len() as u64 >> 4))?;
            change(&mut value.value, self.task)?;
            if value.write()?.to_bytes()? == before {
                // Equal ones of one name stand for equal ones of the model, one by one.
                self.names.used(family, &stored, index);
                self.names.keep(index);
                self.done.report.kept += 1;
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    /// Puts an object into the file, which is what it saved after a change: the one that is the same already, one whose
    /// place it takes, or a new one.
    fn put(
        &mut self,
        family: ObjectFamily,
        class_id: u32,
        name: &str,
        change: &mut dyn FnMut(&mut Value, &mut Task<'_>) -> Result<()>,
    ) -> Result<u32> {
        if let Some(same) = self.same(family, name, change)? {
            return Ok(same);
        }
        let index = match self.place(family, class_id, name)? {
            ObjectPlacement::Keep(index) => return Ok(index),
            ObjectPlacement::Write(index) => index,
        };
        let mut value = self.value(index)?;
        change(&mut value.value, self.task)?;
        self.save(index, value)?;
        Ok(index)
    }

    /// The object of this name that the file had before.
    pub(super) fn existing(&mut self, family: ObjectFamily, name: &str) -> Result<u32> {
        let stored = self.stored(name)?;
        let index = self.names.nth(family, &stored, 0).ok_or_else(|| {
            let error = Error::new(&codes::core::NOT_FOUND);
            error.expected(format!("the name of {}", family.noun())).found(format!("`{name}`"))
        })?;
        self.names.keep(index);
        Ok(index)
    }

    /// Puts a material into the file.
    fn material(&mut self, from: &Material) -> Result<u32> {
        let mut material = from.material.clone();
        for texture in &mut material.textures {
            *texture = texture.and_then(|at| self.textures.get(at as usize).copied());
        }
        let mut change = |value: &mut Value, _: &mut Task<'_>| {
            if let Value::Material(saved) = value {
                material.save(saved);
            }
            Ok(())
        };
        self.prefer(ObjectFamily::Material, &from.name, from.index)?;
        if from.is_of_file {
            return self.existing(ObjectFamily::Material, &from.name);
        }
        self.put(ObjectFamily::Material, class::MATERIAL, &from.name, &mut change)
    }

    /// Puts a shape into the file: as one mesh, or as several.
    fn shape(&mut self, shape: Shape) -> Result<Vec<u32>> {
        let name = shape.name.clone();
        let has_flags = shape.flags.is_some();
        self.prefer(ObjectFamily::Mesh, &name, shape.index)?;
        if shape.is_of_file {
            return Ok(vec![self.existing(ObjectFamily::Mesh, &name)?]);
        }
        if shape.is_named && self.policies.mesh == Policy::Replace {
            // The source has nothing that could take the place of the one that is there.
            let stored = self.stored(&name)?;
            if let NameMatch::Old(index) = self.names.find(ObjectFamily::Mesh, class::MESH, &stored)
            {
                self.done.report.kept += 1;
                return Ok(vec![index]);
            }
        }
        let meshes = shape.into_meshes(self.options.split, &mut self.task.budget)?;
        let mut indexes = Vec::new();
        for (nth, mut mesh) in meshes.into_iter().enumerate() {
            self.refer(&mut mesh);
            let name = if nth == 0 {
                name.clone()
            } else {
                self.part_name(ObjectFamily::Mesh, &name, nth)?
            };
            indexes.push(self.mesh(&name, mesh, has_flags)?);
        }
        Ok(indexes)
    }

    /// The name of a further part of an object: with its number behind it. Only where parts take the place of others, it
    /// may be the name of one that is there.
    fn part_name(&mut self, family: ObjectFamily, name: &str, nth: usize) -> Result<String> {
        if self.policies.of(family) == Policy::Replace {
            return Ok(format!("{name}_{}", nth + 1));
        }
        let stored = self.stored(name)?;
        let free = self.names.free(family, &stored);
        Ok(self.pages.show(&free).into_owned())
    }

    /// Has the slots and channels of a mesh refer to materials of the file.
    fn refer(&self, mesh: &mut Mesh) {
        let to = |at: Option<u32>| self.materials.get(at? as usize).copied();
        mesh.slots.iter_mut().for_each(|slot| *slot = to(*slot));
        mesh.channels.iter_mut().for_each(|channel| channel.material = to(channel.material));
    }

    /// Puts a mesh into the file. Where the source lacks its flags, those of the one whose place it takes stay.
    fn mesh(&mut self, name: &str, mut mesh: Mesh, has_flags: bool) -> Result<u32> {
        let flags = mesh.flags;
        let mut change = |value: &mut Value, task: &mut Task<'_>| {
            let Value::Mesh(saved) = value else { return Ok(()) };
            mesh.flags = with_flags(flags, saved.flags.filter(|_| !has_flags));
            // Editors number vertices and faces in their own ways.
            if mesh.is_surface_of(saved, &mut task.budget)? {
                saved.flags = Some(mesh.flags);
                return Ok(());
            }
            built(&mut mesh, task)?;
            mesh.save(saved, &mut task.budget)
        };
        self.put(ObjectFamily::Mesh, class::MESH, name, &mut change)
    }

    /// Puts a shape in the place of a mesh that is there, which keeps its flags. Materials that it needs are those of the
    /// file, by their names, or new ones.
    pub fn replace_mesh(
        &mut self,
        index: u32,
        shape: Shape,
        textures: Vec<Texture>,
        materials: &[Material],
    ) -> Result<()> {
        (self.policies.material, self.policies.texture) = (Policy::Keep, Policy::Keep);
        self.materials_of(&shape, textures, materials)?;
        let mut meshes = shape.into_meshes(false, &mut self.task.budget)?;
        let Some(mut mesh) = meshes.pop() else { return Ok(()) };
        self.refer(&mut mesh);
        let mut value = self.value(index)?;
        if let Value::Mesh(saved) = &mut value.value {
            mesh.flags = with_flags(mesh.flags, saved.flags);
            built(&mut mesh, self.task)?;
            let channels = saved.channels.take().filter(|_| mesh.channels.is_empty());
            mesh.save(saved, &mut self.task.budget)?;
            // Channels that the source lacks stay, with the texture coordinates of the mesh.
            if let Some(mut channels) = channels {
                channels.iter_mut().for_each(|channel| channel.uv = Array::new());
                saved.channels = Some(channels);
            }
        }
        self.done.report.replaced += 1;
        self.save(index, value)
    }

    /// Puts the materials that a shape needs, and their textures, into the file where it does not have them.
    fn materials_of(
        &mut self,
        shape: &Shape,
        textures: Vec<Texture>,
        materials: &[Material],
    ) -> Result<()> {
        let channels = shape.channels.iter().map(|channel| channel.material);
        let used: BTreeSet<u32> = shape.slots.iter().copied().chain(channels).flatten().collect();
        let of = |at: &u32| materials.get(*at as usize);
        let pictures: BTreeSet<u32> =
            used.iter().filter_map(of).flat_map(|it| it.material.textures).flatten().collect();
        // What is not used has no place, and nothing refers to it.
        for (texture, at) in textures.into_iter().zip(0_u32..) {
            let index = if pictures.contains(&at) { self.texture(texture)? } else { 0 };
            self.textures.push(index);
        }
        for (material, at) in materials.iter().zip(0_u32..) {
            let index = if used.contains(&at) { self.material(material)? } else { 0 };
            self.materials.push(index);
        }
        Ok(())
    }

    /// Puts a picture in the place of that of a texture that is there: with its pixels, where nothing else is said.
    pub fn replace_texture(&mut self, index: u32, mut from: Texture) -> Result<()> {
        if self.options.save_of(&from.name).is_none() {
            from.stored = None;
        }
        self.done.report.replaced += 1;
        self.write_texture(index, from)
    }

    /// Makes room for all entities, so that they can refer to each other.
    fn allocate(&mut self, entities: &[Entity]) -> Result<()> {
        for Entity { name, class_id, entity, index, is_of_file, .. } in entities {
            self.prefer(ObjectFamily::Entity, name, *index)?;
            if *is_of_file {
                let index = self.existing(ObjectFamily::Entity, name)?;
                self.entities.push((index, Vec::new()));
                continue;
            }
            let place = self.place(ObjectFamily::Entity, *class_id, name)?;
            let parts = entity.mesh.and_then(|mesh| self.meshes.get(mesh as usize));
            let parts = parts.map_or(0, |meshes| meshes.len().saturating_sub(1));
            let mut more = Vec::new();
            let index = match place {
                ObjectPlacement::Keep(index) => {
                    self.names.keep(index);
                    index
                }
                ObjectPlacement::Write(index) => {
                    for nth in 1..=parts {
                        let name = self.part_name(ObjectFamily::Entity, name, nth)?;
                        if let ObjectPlacement::Write(index) =
                            self.place(ObjectFamily::Entity, class::OBJECT_3D, &name)?
                        {
                            more.push(index);
                        }
                    }
                    index
                }
            };
            self.entities.push((index, more));
        }
        Ok(())
    }

    /// Saves an entity, and those that hold further parts of its mesh, which stand below it.
    fn entity(&mut self, at: usize, from: &mut Entity) -> Result<()> {
        let Some((index, parts)) = self.entities.get(at).cloned() else { return Ok(()) };
        if self.names.is_kept(index) {
            return Ok(());
        }
        let to = |at: Option<u32>| Some(self.entities.get(at? as usize)?.0);
        let entity = &mut from.entity;
        entity.parent = to(entity.parent);
        match &mut entity.kind {
            EntityKind::Camera { target, .. } | EntityKind::Light { target, .. } => {
                *target = to(*target)
            }
            EntityKind::Point(point) => point.curve = to(point.curve),
            EntityKind::Curve(curve) => {
                curve.points = curve.points.iter().filter_map(|point| to(Some(*point))).collect();
            }
            EntityKind::Sprite(sprite) => {
                let material = sprite.material.get(true).value();
                let material = material.and_then(|at| self.materials.get(at as usize));
                sprite.material =
                    material.map_or(Reference::null(true), |index| Reference::index(*index));
            }
            EntityKind::Plain => {}
        }
        let meshes = entity.mesh.and_then(|mesh| self.meshes.get(mesh as usize));
        let meshes = meshes.cloned().unwrap_or_default();
        entity.mesh = meshes.first().copied();
        entity.meshes = entity.mesh.into_iter().collect();
        let mut value = self.value(index)?;
        let table = self.file.table();
        let is_entity = |index: u32| {
            let object = table.objects.get(index as usize);
            object.is_some_and(|object| class::is_a(object.class_id, class::ENTITY_3D))
        };
        keep_missing(from, &mut value.value, &is_entity);
        from.entity.save(&mut value.value);
        self.save(index, value)?;
        for (part, mesh) in parts.iter().zip(meshes.iter().skip(1)) {
            let mut entity = from.entity.clone();
            (entity.parent, entity.mesh, entity.meshes) = (Some(index), Some(*mesh), vec![*mesh]);
            entity.kind = EntityKind::Plain;
            let mut value = self.value(*part)?;
            entity.save(&mut value.value);
            self.save(*part, value)?;
        }
        Ok(())
    }

    /// The groups with those of sectors that are missing between others; all sectors stand in their order then.
    fn with_sectors(&mut self, mut groups: Vec<Group>) -> Result<Vec<Group>> {
        let number = |group: &Group| sector_number(group.name.as_bytes());
        let there: BTreeSet<u32> = groups.iter().filter_map(number).collect();
        let old: BTreeSet<u32> = self.names.sectors().collect();
        let last = there.last().copied().max(self.options.sectors).unwrap_or_default();
        self.task.budget.memory(u64::from(last).saturating_mul(64))?;
        let missing: Vec<u32> =
            (1..=last).filter(|sector| !there.contains(sector) && !old.contains(sector)).collect();
        if missing.is_empty() {
            return Ok(groups);
        }
        let name = |sector: &u32| format!("Sector_{sector:02}");
        let names: Vec<String> = missing.iter().map(name).collect();
        self.task.note(Error::new(&codes::SECTORS).found(names.join(", ")))?;
        let at = groups.iter().position(|group| number(group).is_some()).unwrap_or(groups.len());
        let (mut sectors, mut others): (Vec<Group>, Vec<Group>) =
            groups.drain(..).partition(|group| number(group).is_some());
        sectors.extend(names.into_iter().map(|name| Group { name, ..Group::default() }));
        sectors.sort_by_key(number);
        others.splice(at..at, sectors);
        Ok(others)
    }

    /// Puts a group into the file. Members are added to one that is kept; from one that is replaced, imported objects
    /// that are no members any more are taken. All others stay where they are.
    fn group(&mut self, from: &Group) -> Result<()> {
        let mut members: Vec<u32> = Vec::new();
        for member in &from.members {
            match *member {
                GroupMember::Entity(at) => {
                    if let Some((index, parts)) = self.entities.get(at) {
                        members.push(*index);
                        members.extend(parts);
                    }
                }
                GroupMember::Shape(at) => members.extend(self.meshes.get(at).into_iter().flatten()),
                GroupMember::Material(at) => members.extend(self.materials.get(at)),
                GroupMember::Texture(at) => members.extend(self.textures.get(at)),
            }
        }
        self.prefer(ObjectFamily::Group, &from.name, from.index)?;
        let (index, keep) = match self.place(ObjectFamily::Group, class::GROUP, &from.name)? {
            ObjectPlacement::Keep(index) => (index, true),
            ObjectPlacement::Write(index) => (index, false),
        };
        let mut value = self.value(index)?;
        if let Value::Group(group) = &mut value.value {
            let wanted: BTreeSet<u32> = members.iter().copied().collect();
            let mut all = group.members.take().unwrap_or_default().to_vec();
            all.retain(|member| {
                keep || wanted.contains(&member.get()) || !self.imported.contains(&member.get())
            });
            let mut known: BTreeSet<u32> = all.iter().map(|member| member.get()).collect();
            all.extend(members.into_iter().filter(|member| known.insert(*member)).map(U32::new));
            group.members = Some(all).filter(|all| !all.is_empty()).map(Into::into);
        }
        self.save(index, value)
    }
}

/// Has an entity keep of the one whose place it takes what its source lacks.
fn keep_missing(from: &mut Entity, old: &mut Value, is_entity: &dyn Fn(u32) -> bool) {
    let target = match old {
        Value::TargetCamera(old) => old.target,
        Value::TargetLight(old) => old.target,
        _ => None,
    };
    let Some(old) = entity_of(old) else { return };
    let of = |reference: Option<Reference>| reference.and_then(|it| it.get(true).value());
    let entity = &mut from.entity;
    if let Some(data) = &old.data {
        entity.place = of(data.place);
        entity.z_order = entity.z_order.or(data.z_order);
        if !from.has_flags {
            (entity.flags, entity.moveable_flags) = (data.flags, data.moveable_flags);
        }
        let parent = of(data.parent);
        // What stands in space has no parent that does not.
        let strange = parent.is_some_and(|parent| !is_entity(parent));
        if from.misses_parent || entity.parent.is_none() && strange {
            entity.parent = parent;
        }
    }
    if let EntityKind::Camera { target: new, .. } | EntityKind::Light { target: new, .. } =
        &mut entity.kind
        && from.misses_target
    {
        *new = of(target);
    }
    if let Some(meshes) = &old.meshes {
        // The one that is drawn is another one now, if the source has one; the others stay.
        let current = of(Some(meshes.current));
        let all = meshes.all.iter().filter_map(|mesh| of(Some(Reference::index(mesh.get()))));
        let others = all.map(|mesh| match entity.mesh {
            Some(new) if Some(mesh) == current => new,
            _ => mesh,
        });
        let mut all: Vec<u32> = others.collect();
        entity.mesh = entity.mesh.or(current);
        if let Some(mesh) = entity.mesh.filter(|mesh| !all.contains(mesh)) {
            all.push(mesh);
        }
        entity.meshes = all;
    }
}

/// The flags of a mesh that was there, where there was one, but prelit as the new one is.
fn with_flags(new: u32, old: Option<u32>) -> u32 {
    old.map_or(new, |old| old & !PRELIT | new & PRELIT)
}

/// Normals that say more than the faces do are not to be built by engines.
fn built(mesh: &mut Mesh, task: &mut Task<'_>) -> Result<()> {
    if mesh.flags & BUILDS_NORMALS != 0 && mesh.normals_differ(&mut task.budget)? {
        mesh.flags &= !GENERATE_NORMALS;
    }
    Ok(())
}
