//! glTF 2.0, as one `.glb` file or as `.gltf` and `.bin` (`docs/export.md#gltf`).
//!
//! Virtools is left-handed with the third axis forward, glTF right-handed with the third axis backward: positions,
//! matrices and rotations are mirrored along it, and the corners of faces swapped, so that the picture stays the same.

mod animations;
mod buffer;
mod cameras;
mod file;
mod materials;
mod meshes;
mod model;
mod nodes;
mod terrain;

pub use file::Gltf;
pub use terrain::terrain;

use super::{ExportSource, Options, with_scene};
use crate::gltf::{extras, surface::Sampler};
use buffer::Bin;
use model::{Buffer, Root, RootExtensions};
use spelunk_core::{Error, Result};
use spelunk_open::{Opened, codes};
use std::collections::{BTreeMap, BTreeSet};
use virtools::scene::Scene;

/// State of a document that grows.
struct GltfBuilder<'a, 'f, 't> {
    source: ExportSource<'a, 'f, 't>,
    root: Root,
    bin: Bin,
    /// Nodes of entities.
    nodes: BTreeMap<u32, usize>,
    /// Meshes by their positions, and the entity whose shear is in the vertices.
    meshes: BTreeMap<(u32, Option<u32>), Option<usize>>,
    /// Materials by their positions, and whether they are without light.
    materials: BTreeMap<(Option<u32>, bool), Option<usize>>,
    /// Textures by their positions, and their samplers.
    textures: BTreeMap<(u32, Sampler), Option<usize>>,
    samplers: BTreeMap<Sampler, usize>,
    images: BTreeMap<u32, Option<usize>>,
    /// The white pixel that stands for files that are missing.
    blank: Option<usize>,
    missing: Vec<String>,
    groups: BTreeMap<u32, Vec<u32>>,
    used: BTreeSet<&'static str>,
}

/// Exports the entities in the space of a file, or those that are chosen.
///
/// # Errors
/// [`NOTHING`](codes::NOTHING) where nothing stands there; [`NOT_EXPORTED`](codes::NOT_EXPORTED) for files of other
/// formats; reading errors; limits.
pub fn export(opened: &mut Opened, options: &Options) -> Result<Gltf> {
    with_scene(
        opened,
        options,
        |file, task| Scene::of(file, task),
        |source| GltfBuilder::new(source)?.build(),
    )
}

impl<'a, 'f, 't> GltfBuilder<'a, 'f, 't> {
    fn new(mut source: ExportSource<'a, 'f, 't>) -> Result<GltfBuilder<'a, 'f, 't>> {
        let mut groups: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        let all = std::mem::take(&mut source.scene.groups);
        for (group, members) in &all {
            // Members repeat the name of the group, and the group those of its members.
            source.charge_names(members.iter().copied())?;
            source.charge_names(members.iter().map(|_| *group))?;
            for member in members {
                groups.entry(*member).or_default().push(*group);
            }
        }
        source.scene.groups = all;
        Ok(GltfBuilder {
            source,
            root: Root::default(),
            bin: Bin::default(),
            nodes: BTreeMap::new(),
            meshes: BTreeMap::new(),
            materials: BTreeMap::new(),
            textures: BTreeMap::new(),
            samplers: BTreeMap::new(),
            images: BTreeMap::new(),
            blank: None,
            missing: Vec::new(),
            groups,
            used: BTreeSet::new(),
        })
    }

    fn build(mut self) -> Result<Gltf> {
        self.bin.reserve(self.guess());
        let nodes = self.all_nodes()?;
        if nodes.is_empty() {
            return Err(Error::new(&codes::NOTHING).found("nothing stands in space"));
        }
        self.all_animations()?;
        self.root.extras.groups = self.all_groups();
        let scene = &self.source.scene;
        let group = |group: &extras::Group| extras::SceneGroup {
            name: group.name.clone(),
            members: scene.groups.get(&group.index).cloned().unwrap_or_default(),
        };
        let state = extras::SceneState {
            surroundings: scene.environment.as_ref().map(extras::Surroundings::of),
            groups: self.root.extras.groups.iter().map(group).collect(),
        };
        let has_state = state.surroundings.is_some() || !state.groups.is_empty();
        let extras = has_state.then_some(extras::Scene { virtools: state });
        self.root.scenes.push(model::Scene { nodes, extras });
        let missing = std::mem::take(&mut self.missing);
        self.source.report_missing(missing)?;
        self.root.extensions_used = self.used.into_iter().collect();
        let (views, accessors, bin) = self.bin.finish();
        (self.root.buffer_views, self.root.accessors) = (views, accessors);
        if !bin.is_empty() {
            self.root.buffers.push(Buffer { uri: None, byte_length: bin.len() });
        }
        Ok(Gltf { root: self.root, bin })
    }

    /// About how large the buffer will be: positions, normals, pairs, corners of the meshes, each drawn once.
    fn guess(&self) -> usize {
        let meshes = self.source.scene.meshes.values();
        let sizes = meshes.map(|mesh| {
            mesh.positions
                .len()
                .saturating_mul(32)
                .saturating_add(mesh.faces.len().saturating_mul(6))
        });
        let all =
            if self.source.chosen.is_none() { sizes.fold(0, usize::saturating_add) } else { 0 };
        let room = usize::try_from(self.source.task.budget.left().memory).unwrap_or(usize::MAX);
        all.min(room)
    }

    /// The lights of the document.
    fn lights(&mut self) -> &mut Vec<model::Light> {
        self.used.insert("KHR_lights_punctual");
        &mut self.root.extensions.get_or_insert_with(RootExtensions::default).lights.lights
    }

    /// The groups that have a member among the nodes; all of them where everything is exported.
    fn all_groups(&self) -> Vec<extras::Group> {
        let scene = &self.source.scene;
        let group = |(index, members): (&u32, &Vec<u32>)| {
            let nodes: Vec<_> =
                members.iter().filter_map(|member| self.nodes.get(member).copied()).collect();
            let others = members.iter().filter(|member| !self.nodes.contains_key(member));
            let others: Vec<_> = others
                .map(|member| extras::Member {
                    index: *member,
                    class: scene.class(*member).into_owned(),
                    name: self.source.name(*member),
                })
                .collect();
            let wanted = self.source.chosen.is_none() || !nodes.is_empty();
            let name = self.source.name(*index);
            wanted.then_some(extras::Group { index: *index, name, nodes, others })
        };
        scene.groups.iter().filter_map(group).collect()
    }
}
