//! Wavefront OBJ with its material file (`docs/export.md#obj`). OBJ has no places: vertices are those of the world.

use super::{ExportSource, Options, OutputFile, finite, textures::Picture, with_scene};
use spelunk_core::{Error, Result};
use spelunk_open::{Opened, codes, safe_path::SafePaths};
use std::{
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
    fmt::Write,
};
use virtools::scene::{Scene, material::Material, matrix::Matrix, mesh::Mesh};

/// An OBJ file, its material file, and the textures that are stored in the container or were found.
#[derive(Debug)]
pub struct Obj {
    /// The text of the OBJ file.
    pub obj: String,
    /// The text of the material file.
    pub mtl: String,
    /// PNG files that the material file names.
    pub textures: Vec<OutputFile>,
}

/// Exports the shapes in the space of a file, or those that are chosen. The OBJ file names the material file `mtl_name`, and that
/// one the textures in the folder `textures`.
///
/// # Errors
/// [`NOTHING`](codes::NOTHING) where no shape stands there; [`NOT_EXPORTED`](codes::NOT_EXPORTED) for files of other
/// formats; reading errors; limits.
pub fn export(
    opened: &mut Opened,
    options: &Options,
    mtl_name: &str,
    textures: &str,
) -> Result<Obj> {
    with_scene(
        opened,
        options,
        |file, task| Scene::of(file, task),
        |source| {
            let mut writer = ObjWriter {
                source,
                obj: format!("mtllib {mtl_name}\n"),
                vertices: 0,
                pairs: 0,
                materials: BTreeMap::new(),
                names: BTreeSet::from(["none".to_owned()]),
            };
            let shapes = writer.shapes();
            for shape in &shapes {
                writer.shape(shape)?;
            }
            if writer.vertices == 0 {
                return Err(Error::new(&codes::NOTHING).found("no shape stands in space"));
            }
            writer.finish(textures)
        },
    )
}

/// A mesh at a place.
struct PlacedMesh {
    name: String,
    mesh: u32,
    world: Matrix,
}

struct ObjWriter<'a, 'f, 't> {
    source: ExportSource<'a, 'f, 't>,
    obj: String,
    /// Vertices so far. Normals are as many.
    vertices: usize,
    /// Texture coordinates so far.
    pairs: usize,
    /// The names of materials, by their positions.
    materials: BTreeMap<u32, String>,
    names: BTreeSet<String>,
}

impl ObjWriter<'_, '_, '_> {
    /// Meshes of entities that are wanted, and meshes that were chosen themselves.
    fn shapes(&self) -> Vec<PlacedMesh> {
        let (scene, chosen) = (&self.source.scene, &self.source.chosen);
        let wanted = |index: u32| {
            // Chosen, or below what is.
            let above = |index: &u32| scene.entities.get(index)?.parent;
            let mut line = std::iter::successors(Some(index), above);
            chosen.as_ref().is_none_or(|chosen| line.any(|index| chosen.has(index)))
                && !(self.source.no_hidden && scene.is_hidden(index))
        };
        let entities = scene.entities.iter().filter(|(index, _)| wanted(**index));
        let mut shapes: Vec<_> = entities
            .filter_map(|(index, entity)| {
                let name = self.source.name(*index);
                Some(PlacedMesh { name, mesh: entity.mesh?, world: entity.world })
            })
            .collect();
        let shown: BTreeSet<u32> = shapes.iter().map(|shape| shape.mesh).collect();
        for mesh in chosen.iter().flat_map(|chosen| chosen.iter()) {
            if scene.meshes.contains_key(&mesh) && !shown.contains(&mesh) {
                shapes.push(PlacedMesh {
                    name: self.source.name(mesh),
                    mesh,
                    world: Matrix::IDENTITY,
                });
            }
        }
        shapes
    }

    fn shape(&mut self, shape: &PlacedMesh) -> Result<()> {
        let Some(mesh) = self.source.scene.meshes.get(&shape.mesh).cloned() else { return Ok(()) };
        let count = mesh.positions.len();
        if count == 0 || (mesh.faces.is_empty() && mesh.lines.is_empty()) {
            return Ok(());
        }
        // A generous guess at the text: 100 bytes a vertex, 60 a face.
        let faces = mesh.faces.len().saturating_add(mesh.lines.len());
        let size = count.saturating_mul(100).saturating_add(faces.saturating_mul(60));
        self.source.task.budget.memory(size as u64)?;
        self.source.task.budget.steps((count as u64).saturating_add(faces as u64))?;
        let world = shape.world.flipped();
        let out = &mut self.obj;
        let _ = writeln!(out, "o {}", shape.name);
        for point in mesh.positions.iter() {
            let [x, y, z] = point.map(|value| value.get());
            let [x, y, z] = world.point([x, y, -z].map(f64::from)).map(finite);
            let _ = writeln!(out, "v {x} {y} {z}");
        }
        let pair = |index: usize| mesh.uv.get(if mesh.uv.len() == 1 { 0 } else { index });
        let has_pairs = mesh.uv.len() == 1 || mesh.uv.len() == count;
        let pairs = if has_pairs { mesh.uv.len() } else { 0 };
        for uv in (0..pairs).filter_map(pair) {
            // The first row of a picture is the lowest one here.
            let [u, v] = uv.map(|value| finite(value.get().into()));
            let _ = writeln!(out, "vt {u} {}", 1.0 - v);
        }
        let before = self.source.task.budget.left().memory;
        let normals = mesh.normals(&mut self.source.task.budget)?;
        let turned = world.inverse();
        for [x, y, z] in normals {
            let normal = [x, y, -z].map(f64::from);
            // By the inverse the other way around, so that normals stay upright on faces.
            let normal = turned.map_or(world.direction(normal), |inverse| {
                inverse.axes.map(|axis| axis.iter().zip(normal).map(|(a, b)| a * b).sum())
            });
            let [x, y, z] = virtools::scene::mesh::unit(normal.map(finite));
            let _ = writeln!(out, "vn {x} {y} {z}");
        }
        let taken = before.saturating_sub(self.source.task.budget.left().memory);
        self.source.task.budget.release(taken);
        self.faces(&mesh, world.determinant() < 0.0, pairs)?;
        self.vertices = self.vertices.saturating_add(count);
        self.pairs = self.pairs.saturating_add(pairs);
        Ok(())
    }

    /// Faces slot by slot, and lines. A matrix that mirrors turns faces around, which is taken back.
    fn faces(&mut self, mesh: &Mesh, mirrors: bool, pairs: usize) -> Result<()> {
        let first = mesh.slots.first().copied().flatten();
        let (vertices, before) = (self.vertices, self.pairs);
        for slot in 0..mesh.slots.len().max(1) {
            let mut faces = mesh
                .faces
                .iter()
                .filter(|face| usize::from(face.material.get()) == slot)
                .peekable();
            if faces.peek().is_none() {
                continue;
            }
            let material = mesh.slots.get(slot).copied().flatten().or(first);
            self.source.charge_names(material.into_iter())?;
            let name = material.and_then(|material| self.material(material));
            let _ = writeln!(self.obj, "usemtl {}", name.as_deref().unwrap_or("none"));
            for face in faces {
                let (b, c) = if mirrors { (face.b, face.c) } else { (face.c, face.b) };
                self.obj.push('f');
                for corner in [face.a, b, c] {
                    let corner = usize::from(corner.get());
                    let vertex = vertices + corner + 1;
                    let _ = match pairs {
                        0 => write!(self.obj, " {vertex}//{vertex}"),
                        1 => write!(self.obj, " {vertex}/{}/{vertex}", before + 1),
                        _ => write!(self.obj, " {vertex}/{}/{vertex}", before + corner + 1),
                    };
                }
                self.obj.push('\n');
            }
        }
        for line in mesh.lines.iter() {
            let [from, to] = line.map(|end| vertices + usize::from(end.get()) + 1);
            let _ = writeln!(self.obj, "l {from} {to}");
        }
        Ok(())
    }

    /// The name of a material, which no other one has.
    fn material(&mut self, index: u32) -> Option<String> {
        if !self.source.scene.materials.contains_key(&index) {
            return None;
        }
        if let Some(name) = self.materials.get(&index) {
            return Some(name.clone());
        }
        let wanted = Some(self.source.name(index)).filter(|name| !name.trim().is_empty());
        let mut name = wanted.unwrap_or_else(|| format!("#{index}"));
        if !self.names.insert(name.clone()) {
            name = format!("{name}#{index}");
            self.names.insert(name.clone());
        }
        self.materials.insert(index, name.clone());
        Some(name)
    }

    fn finish(mut self, folder: &str) -> Result<Obj> {
        let mut mtl = String::new();
        let (mut textures, mut missing) = (Vec::new(), Vec::new());
        let mut files: BTreeMap<u32, Option<String>> = BTreeMap::new();
        let mut paths = SafePaths::default();
        for (index, name) in std::mem::take(&mut self.materials) {
            let Some(material) = self.source.scene.materials.get(&index).cloned() else { continue };
            let _ = writeln!(mtl, "newmtl {name}");
            colors(&material, &mut mtl);
            let [Some(texture), ..] = material.textures else { continue };
            let file = match files.entry(texture) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    let slot = self.source.scene.textures.get(&texture);
                    let slot = slot.map_or(0, |texture| texture.current_slot);
                    new.insert(match self.source.picture(texture, slot)? {
                        Picture::None => None,
                        Picture::Missing(file) => {
                            missing.push(file.clone());
                            Some(file)
                        }
                        Picture::Png { png: content, .. } => {
                            let name = self.source.name(texture).replace('/', "%2F");
                            let name = paths.claim(&format!("{name}.png"));
                            textures.push(OutputFile { name: name.clone(), content });
                            Some(format!("{folder}/{name}"))
                        }
                    })
                }
            };
            if let Some(file) = file {
                let _ = writeln!(mtl, "map_Kd {file}");
            }
        }
        if self.obj.contains("\nusemtl none\n") {
            mtl.push_str("newmtl none\nKd 1 1 1\n");
        }
        self.source.report_missing(missing)?;
        Ok(Obj { obj: self.obj, mtl, textures })
    }
}

/// The colours of a material. OBJ has them as they are stored, and no alpha where nothing is blended.
fn colors(material: &Material, out: &mut String) {
    const ALPHA_BLEND: u32 = 0x08;
    let parts = [
        ("Ka", material.ambient),
        ("Kd", material.diffuse),
        ("Ks", material.specular),
        ("Ke", material.emissive),
    ];
    for (name, [red, green, blue, _]) in parts {
        let _ = writeln!(out, "{name} {red} {green} {blue}");
    }
    let _ = writeln!(out, "Ns {}", finite(material.data.specular_power.into()));
    if material.data.has(ALPHA_BLEND) {
        let [.., alpha] = material.diffuse;
        let _ = writeln!(out, "d {alpha}");
    }
}
