//! glTF 2.0 to the space of Virtools (`docs/import.md#gltf`). Positions, matrices and rotations are mirrored along the
//! third axis, and the corners of faces swapped: the opposite of what the exporter does.
//!
//! Documents are read with `gltf-json`, whose structs cannot panic on what is not there, as the views of the `gltf` crate do;
//! references, ranges and counts are checked here.

mod animations;
pub mod document;
mod groups;
mod materials;
mod meshes;
mod nodes;
mod sizes;

use super::{
    folder::SourceFolder,
    model::{GroupMember, Model},
};
use crate::gltf::{extras, shear::Shear};
use document::Document;
use gltf_json::{Extras, Index, Node, Scene};
use serde::de::DeserializeOwned;
use spelunk_core::{Bytes, Error, Result, Task};
use spelunk_open::codes;
use std::collections::BTreeMap;

/// State of a document that is read.
struct GltfReader<'d, 't, 's> {
    document: &'d Document,
    model: Model,
    /// Textures by their images, and what was stored of them.
    textures: BTreeMap<(usize, Option<u32>), Option<u32>>,
    /// The first texture of each name.
    named: BTreeMap<String, u32>,
    /// Materials of the document.
    materials: BTreeMap<usize, u32>,
    /// Shapes of the meshes of the document; none for those that are curves.
    shapes: BTreeMap<usize, Option<u32>>,
    /// The shear by which the vertices of meshes of the document have gone.
    shears: BTreeMap<usize, Shear>,
    /// Entities of the nodes of the document.
    nodes: BTreeMap<usize, usize>,
    /// Objects by their positions in the file that the document was made of.
    stored: BTreeMap<u32, GroupMember>,
    /// Things that cannot be imported, and how often they are met.
    left_out: BTreeMap<&'static str, usize>,
    task: &'t mut Task<'s>,
}

/// Reads a document. What has no place in Virtools files is reported.
///
/// # Errors
/// Those of [`Document::read`]; limits; what the sink makes of a finding.
pub fn read(file: &Bytes, folder: Option<&SourceFolder>, task: &mut Task<'_>) -> Result<Model> {
    let document = Document::read(file, folder, &mut task.budget)?;
    let mut reader = GltfReader {
        document: &document,
        model: Model::default(),
        textures: BTreeMap::new(),
        named: BTreeMap::new(),
        materials: BTreeMap::new(),
        shapes: BTreeMap::new(),
        shears: BTreeMap::new(),
        nodes: BTreeMap::new(),
        stored: BTreeMap::new(),
        left_out: BTreeMap::new(),
        task,
    };
    reader.all_materials()?;
    reader.all_nodes()?;
    // Meshes that no node shows are in the document for others to take.
    for mesh in 0..document.root.meshes.len() {
        if !reader.shapes.contains_key(&mesh) {
            reader.shape(mesh)?;
        }
    }
    reader.all_animations()?;
    reader.all_groups()?;
    let skins = document.root.skins.len();
    if skins > 0 {
        reader.left_out.insert("skins", skins);
    }
    let GltfReader { model, left_out, task, .. } = reader;
    for (what, count) in left_out {
        task.warn(Error::new(&codes::NOT_IMPORTED).found(format!("{count} {what}")))?;
    }
    Ok(model)
}

impl GltfReader<'_, '_, '_> {
    /// Counts something that cannot be imported.
    fn leave_out(&mut self, what: &'static str) {
        *self.left_out.entry(what).or_default() += 1;
    }

    /// Reads the value under `virtools` in `extras`; `None`, with a finding, where that is not as exporters write it.
    fn stored<T: DeserializeOwned + Default>(&mut self, extras: &Extras) -> Result<Option<T>> {
        Ok(self.extras::<extras::Of<Option<T>>>(extras)?.and_then(|of| of.virtools))
    }

    /// Reads `extras`; `None`, with a finding, where they are not as exporters write them. The same may be asked for by many, so
    /// it is work each time.
    fn extras<T: DeserializeOwned>(&mut self, extras: &Extras) -> Result<Option<T>> {
        let Some(extras) = extras else { return Ok(None) };
        let text = extras.get();
        self.task.budget.steps(text.len() as u64)?;
        Ok(match serde_json::from_str(text) {
            Ok(read) => Some(read),
            // Other programs have extras of their own.
            Err(_) if !text.contains("\"virtools\"") => None,
            Err(_) => {
                self.leave_out("`extras` that are not as they were exported");
                None
            }
        })
    }

    /// The scene that is shown: the one that the document names, else the first.
    fn scene(&self) -> Option<&Scene> {
        let root = &self.document.root;
        root.scene.and_then(|scene| root.get(scene)).or_else(|| root.scenes.first())
    }

    fn node(&self, index: Index<Node>) -> Option<&Node> {
        self.document.root.get(index)
    }
}

impl GltfReader<'_, '_, '_> {
    /// The name of what is the first of its position: as it was stored, unless it was changed. Copies keep the number that
    /// editors give them.
    fn first_name(&self, name: String, stored: &str, index: u32) -> String {
        let is_cut = stored.len() > 60 && !name.is_empty() && stored.starts_with(&name);
        if self.stored.contains_key(&index) {
            return name;
        }
        if is_cut { stored.to_owned() } else { unnumbered(&name, stored).to_owned() }
    }
}

/// A name that an object is to have, without the number that editors put behind names that are there already.
fn unnumbered<'n>(name: &'n str, stored: &str) -> &'n str {
    match name.rsplit_once('.') {
        Some((base, number))
            if base == stored
                && number.len() == 3
                && number.bytes().all(|c| c.is_ascii_digit()) =>
        {
            base
        }
        _ => name,
    }
}

/// A position in a list.
pub fn position(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}
