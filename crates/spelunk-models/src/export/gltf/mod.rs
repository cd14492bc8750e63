//! glTF 2.0, as one `.glb` file or as `.gltf` and `.bin` (`docs/export.md#gltf`).
//!
//! Virtools is left-handed with the third axis forward, glTF right-handed with the third axis backward: positions,
//! matrices and rotations are mirrored along it, and the corners of faces swapped, so that the picture stays the same.

mod animations;
mod buffer;
mod cameras;
mod materials;
mod meshes;
mod model;
mod nodes;
mod terrain;

pub use terrain::terrain;

use super::{Options, Source, with_scene};
use crate::gltf::{extras, surface::Sampler};
use buffer::Bin;
use model::{Buffer, Root, RootExtensions};
use spelunk_core::{Error, Result};
use spelunk_open::{Opened, codes};
use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
};
use virtools::scene::Scene;

/// A glTF document and its one buffer.
#[derive(Debug)]
pub struct Gltf {
    root: Root,
    bin: Vec<u8>,
}

/// State of a document that grows.
struct Builder<'a, 'f, 't> {
    source: Source<'a, 'f, 't>,
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
        |source| Builder::new(source)?.build(),
    )
}

impl<'a, 'f, 't> Builder<'a, 'f, 't> {
    fn new(mut source: Source<'a, 'f, 't>) -> Result<Builder<'a, 'f, 't>> {
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
        Ok(Builder {
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

/// A chunk of a `.glb` file.
fn chunk(kind: &[u8; 4], content: &[u8], fill: u8, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&padded(content.len()).to_le_bytes())?;
    out.write_all(kind)?;
    out.write_all(content)?;
    out.write_all(&vec![fill; content.len().wrapping_neg() & 3])
}

/// A length with what fills it up to whole dwords. Buffers are far smaller than 4 GiB: the budget sees to that.
fn padded(len: usize) -> u32 {
    u32::try_from(len.next_multiple_of(4)).unwrap_or(u32::MAX)
}

impl Gltf {
    /// Writes it as one `.glb` file.
    ///
    /// # Errors
    /// What `out` gives.
    pub fn write_glb(&self, out: &mut dyn Write) -> Result<()> {
        let json = serde_json::to_vec(&self.root).map_err(io::Error::other)?;
        let bin = if self.bin.is_empty() { 0 } else { 8 + padded(self.bin.len()) };
        let len = (12 + 8 + padded(json.len())).saturating_add(bin);
        out.write_all(b"glTF")?;
        out.write_all(&2_u32.to_le_bytes())?;
        out.write_all(&len.to_le_bytes())?;
        chunk(b"JSON", &json, b' ', out)?;
        if !self.bin.is_empty() {
            chunk(b"BIN\0", &self.bin, 0, out)?;
        }
        Ok(())
    }

    /// The text of a `.gltf` file, whose buffer is in a file of this name, and the content of that file.
    ///
    /// # Errors
    /// None that is known.
    pub fn into_files(mut self, bin_name: &str) -> Result<(Vec<u8>, Vec<u8>)> {
        for buffer in &mut self.root.buffers {
            buffer.uri = Some(percent_encoded(bin_name));
        }
        let mut json = serde_json::to_vec_pretty(&self.root).map_err(io::Error::other)?;
        json.push(b'\n');
        Ok((json, self.bin))
    }
}

/// A file name as a relative URI.
fn percent_encoded(name: &str) -> String {
    let mut out = String::new();
    for byte in name.bytes() {
        match byte {
            b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
