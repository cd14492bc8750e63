//! Rules of the maps of Ballance about what the game does to objects of its groups: rails, stoppers, light cones, and
//! what maps share with its modules.

use super::{
    ballance::{PLACES, is_module_group},
    codes,
    facts::{self, Facts},
    out::FileLintSink,
};
use crate::{class::MATERIAL, file::included::file_name};
use spelunk_core::{Error, Result, Severity};
use std::collections::{BTreeMap, BTreeSet};

/// The group of rails, on which the game lays the texture anew.
const RAILS: &[u8] = b"Phys_FloorRails";
/// The texture of rails.
const RAIL_TEXTURE: &[u8] = b"rail_environment.bmp";
/// The group of stoppers.
const STOPPERS: &[u8] = b"Phys_FloorStopper";
/// The material of the cones of light below lanterns, by which the game finds it.
const CONE: &[u8] = b"Laterne_Verlauf";
/// The texture of that material.
const CONE_TEXTURE: &[u8] = b"laterne_verlauf.tga";

/// Applies the rules.
pub(super) fn elements(facts: &Facts<'_>, out: &mut FileLintSink<'_, '_>) -> Result<()> {
    rails(facts, out)?;
    stoppers(facts, out)?;
    cones(facts, out)?;
    shared(facts, out)
}

fn members<'f>(facts: &'f Facts<'_>, group: &[u8]) -> &'f [u32] {
    facts.groups.get(group).map_or(&[], Vec::as_slice)
}

/// The mesh of an entity.
fn mesh(facts: &Facts<'_>, entity: u32) -> Option<u32> {
    facts.scene.entities.get(&entity)?.mesh
}

/// Materials of a mesh.
fn materials<'f>(facts: &'f Facts<'_>, mesh: u32) -> impl Iterator<Item = u32> + 'f {
    let slots = facts.scene.meshes.get(&mesh).into_iter().flat_map(|mesh| &mesh.slots);
    let all: BTreeSet<u32> = slots.copied().flatten().collect();
    all.into_iter()
}

/// The first texture of a material.
fn texture(facts: &Facts<'_>, material: u32) -> Option<u32> {
    let [first, ..] = facts.scene.materials.get(&material)?.textures;
    first
}

/// The file that a texture names, without folders and in lower case.
fn texture_file(facts: &Facts<'_>, texture: u32) -> Option<Vec<u8>> {
    let name = facts.pictures.get(&texture)?.file()?;
    Some(file_name(name).to_ascii_lowercase())
}

/// Rails with other textures, and objects that have the mesh of a rail and are none.
fn rails(facts: &Facts<'_>, out: &mut FileLintSink<'_, '_>) -> Result<()> {
    let rails: BTreeSet<u32> = members(facts, RAILS).iter().copied().collect();
    let mut meshes = BTreeMap::new();
    for rail in &rails {
        let Some(mesh) = mesh(facts, *rail) else { continue };
        meshes.entry(mesh).or_insert(*rail);
        for material in materials(facts, mesh) {
            let Some(texture) = texture(facts, material) else { continue };
            if texture_file(facts, texture).is_some_and(|file| file != RAIL_TEXTURE) {
                let error = Error::new(&codes::RAILS).expected("Rail_Environment.bmp");
                let error = error.found(out.path(texture));
                out.report_error(Severity::Warning, *rail, "groups", error)?;
            }
        }
    }
    for index in facts.scene.entities.keys().filter(|index| !rails.contains(index)) {
        if let Some(rail) = mesh(facts, *index).and_then(|mesh| meshes.get(&mesh)) {
            let found = format!("the mesh of the rail {}", out.path(*rail));
            out.report(Severity::Warning, &codes::RAILS, *index, "mesh", found)?;
        }
    }
    Ok(())
}

/// Stoppers that make no sound, because only the first one does.
fn stoppers(facts: &Facts<'_>, out: &mut FileLintSink<'_, '_>) -> Result<()> {
    let Some((first, others)) = members(facts, STOPPERS).split_first() else { return Ok(()) };
    for index in others {
        let found = format!("{} is the first one", out.path(*first));
        out.report(Severity::Warning, &codes::STOPPER_SOUND, *index, "groups", found)?;
    }
    Ok(())
}

/// Materials of the light cones of lanterns that the game does not find, or that are none.
fn cones(facts: &Facts<'_>, out: &mut FileLintSink<'_, '_>) -> Result<()> {
    let mut first = None;
    for (index, _) in facts.assets().filter(|(_, class_id)| *class_id == MATERIAL) {
        let is_cone = facts::name(facts.file, index) == CONE;
        let file = texture(facts, index).and_then(|texture| texture_file(facts, texture));
        let has_texture = file.as_deref() == Some(CONE_TEXTURE);
        let found = match (is_cone, has_texture, first) {
            (false, false, _) => continue,
            (true, true, None) => {
                first = Some(index);
                continue;
            }
            (true, true, Some(first)) => format!("{} has the name already", out.path(first)),
            (true, false, _) => match &file {
                Some(file) => format!("the texture {}", out.show(file)),
                None => "no texture".to_owned(),
            },
            (false, true, _) => "another name".to_owned(),
        };
        let error = Error::new(&codes::LIGHT_CONE).found(found);
        let expected = "one material Laterne_Verlauf with the texture Laterne_Verlauf.tga";
        out.report_error(Severity::Warning, index, "texture", error.expected(expected))?;
    }
    Ok(())
}

/// Meshes, materials and textures of the game's modules that other objects of the map have too.
fn shared(facts: &Facts<'_>, out: &mut FileLintSink<'_, '_>) -> Result<()> {
    let is_place = |group: &[u8]| PLACES.iter().any(|(_, known)| known.as_bytes() == group);
    let groups = facts.groups.iter();
    let groups = groups.filter(|(group, _)| is_module_group(group) || is_place(group));
    let elements: BTreeSet<u32> = groups.flat_map(|(_, members)| members).copied().collect();
    // What each of them belongs to, to say it.
    let mut owned: BTreeMap<u32, u32> = BTreeMap::new();
    for element in &elements {
        for part in parts(facts, *element) {
            owned.entry(part).or_insert(*element);
        }
    }
    for index in facts.scene.entities.keys().filter(|index| !elements.contains(index)) {
        out.task.budget.steps(1)?;
        // What has the mesh has its materials too, and what has a material its texture.
        let mut explained = BTreeSet::new();
        for part in parts(facts, *index) {
            let Some(element) = owned.get(&part) else { continue };
            explained.extend(materials(facts, part));
            explained.extend(texture(facts, part));
            if !explained.contains(&part) {
                let found = format!("{}, which {} has", out.path(part), out.path(*element));
                out.report(Severity::Warning, &codes::SHARED, *index, "mesh", found)?;
            }
        }
    }
    Ok(())
}

/// The mesh of an entity, its materials, and their textures, in this order.
fn parts(facts: &Facts<'_>, entity: u32) -> Vec<u32> {
    let Some(mesh) = mesh(facts, entity) else { return Vec::new() };
    let materials: Vec<u32> = materials(facts, mesh).collect();
    let textures: BTreeSet<u32> =
        materials.iter().filter_map(|material| texture(facts, *material)).collect();
    [mesh].into_iter().chain(materials).chain(textures).collect()
}
