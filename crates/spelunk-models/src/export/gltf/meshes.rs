//! Meshes: a primitive for each material slot that faces use, and one for lines; one of points where there is neither. All of
//! a mesh share its vertices.

use super::{
    GltfBuilder,
    model::{Mesh, Primitive},
};
use crate::{
    export::finite,
    gltf::{
        extras::{self, Index},
        shear::Shear,
        surface::linear,
    },
};
use spelunk_core::{Error, Result};
use std::collections::BTreeMap;
use virtools::{
    class::{material::rgba, mesh::Face},
    scene::{matrix::Matrix, mesh},
};

use zerocopy::little_endian::{F32, U32};

/// Modes of primitives.
const POINTS: u32 = 0;
const LINES: u32 = 1;
const LINE_STRIP: u32 = 3;
const TRIANGLES: u32 = 4;

/// Attributes of vertices: accessors by their names.
type Attributes = BTreeMap<String, Index>;

/// A mesh, and the shear of the entity by which its vertices go.
#[derive(Clone, Copy)]
struct Drawn<'m> {
    index: u32,
    mesh: &'m mesh::Mesh,
    shear: Option<&'m Shear>,
}

/// The slots of a mesh that faces use.
struct Slots {
    /// Numbers of faces of all slots.
    faces: Vec<usize>,
    /// Materials of those that have faces.
    materials: BTreeMap<usize, Option<Index>>,
    /// Whether one of the materials has a texture.
    textured: bool,
}

/// The vertices that the primitives of a mesh share.
struct Vertices {
    attributes: Attributes,
    /// Whether there are too many for indices of 16 bits.
    wide: bool,
}

/// Texture coordinates of a mesh.
struct Pairs {
    /// The pair of all vertices, where it is not among the attributes.
    shared: Option<[f32; 2]>,
    /// Sets that channels have of their own.
    sets: Vec<Option<usize>>,
}

impl GltfBuilder<'_, '_, '_> {
    /// The mesh at a position; `None` where nothing of it can be drawn. With the shear of an entity it is a mesh of
    /// its own, whose vertices are moved.
    pub fn mesh(&mut self, index: u32, shear: Option<(u32, &Shear)>) -> Result<Option<Index>> {
        let key = (index, shear.map(|(entity, _)| entity));
        if let Some(made) = self.meshes.get(&key) {
            return Ok(*made);
        }
        let made = match self.source.scene.meshes.get(&index).cloned() {
            Some(mesh) => {
                let shear = shear.map(|(_, shear)| shear);
                self.mesh_of(Drawn { index, mesh: &mesh, shear })?
            }
            None => None,
        };
        self.meshes.insert(key, made);
        Ok(made)
    }

    fn mesh_of(&mut self, drawn: Drawn<'_>) -> Result<Option<Index>> {
        let Drawn { index, mesh, shear } = drawn;
        let count = mesh.positions.len();
        if count == 0 {
            return Ok(None);
        }
        let slots = self.slots(mesh)?;
        self.charge_materials(mesh)?;
        let (attributes, mut extras) = self.attributes(drawn, slots.textured)?;
        let slot =
            |slot: &Option<u32>| slot.map_or_else(String::new, |slot| self.source.name(slot));
        extras.slots = mesh.slots.iter().map(slot).collect();
        let vertices = Vertices { attributes, wide: count > usize::from(u16::MAX) };
        let mirrors = shear.is_some_and(Shear::mirrors);
        let mut primitives = self.faces(mesh, &slots, &vertices, mirrors)?;
        primitives.extend(self.lines_or_points(mesh, vertices)?);
        let name = self.source.name(index);
        self.root.meshes.push(Mesh { name, primitives, extras: Some(extras::Of::new(extras)) });
        Ok(Some(self.root.meshes.len() - 1))
    }

    /// Counts the faces of each slot, and makes the materials of those that have some.
    fn slots(&mut self, mesh: &mesh::Mesh) -> Result<Slots> {
        let mut slots = vec![0_usize; mesh.slots.len().max(1)];
        for face in mesh.faces.iter() {
            if let Some(faces) = slots.get_mut(usize::from(face.material.get())) {
                *faces += 1;
            }
        }
        let mut materials = BTreeMap::new();
        let mut textured = false;
        for (slot, _) in slots.iter().enumerate().filter(|(_, faces)| **faces > 0) {
            // Engines send slots without a material to the first one.
            let first = mesh.slots.first().copied().flatten();
            let material = mesh.slots.get(slot).copied().flatten().or(first);
            let made = self.material(material, mesh.is_prelit())?;
            let made_texture = made.and_then(|made| self.root.materials.get(made));
            textured |= made_texture
                .is_some_and(|made| made.pbr_metallic_roughness.base_color_texture.is_some());
            materials.insert(slot, made);
        }
        Ok(Slots { faces: slots, materials, textured })
    }

    /// Takes the memory of the names of the materials of slots and channels, and makes the textures of the latter.
    fn charge_materials(&mut self, mesh: &mesh::Mesh) -> Result<()> {
        self.source.charge_names(mesh.slots.iter().copied().flatten())?;
        for channel in &mesh.channels {
            let material =
                channel.material.and_then(|index| self.source.scene.materials.get(&index));
            let textures = material.map(|material| material.textures).unwrap_or_default();
            let named = [channel.material].into_iter().chain(textures).flatten();
            self.source.charge_names(named)?;
            if let Some(material) = channel.material {
                self.extras_textures(material)?;
            }
        }
        Ok(())
    }

    /// Returns a primitive for the faces of each slot. With a shear that mirrors they are the other way around.
    fn faces(
        &mut self,
        mesh: &mesh::Mesh,
        slots: &Slots,
        vertices: &Vertices,
        mirrors: bool,
    ) -> Result<Vec<Primitive>> {
        let mut primitives = Vec::new();
        let single = slots.materials.len() == 1;
        let budget = &mut self.source.task.budget;
        for (&slot, &material) in &slots.materials {
            let faces =
                mesh.faces.iter().filter(|face| single || usize::from(face.material.get()) == slot);
            let corners = faces.map(|face| {
                let Face { a, b, c, .. } = face;
                // The other way around, as the third axis is.
                let corners = if mirrors { [a, b, c] } else { [a, c, b] };
                corners.map(|corner| corner.get())
            });
            let face_count = slots.faces.get(slot).copied().unwrap_or_default();
            let indices = self.bin.indices(face_count, corners, vertices.wide, budget)?;
            primitives.push(Primitive {
                attributes: vertices.attributes.clone(),
                indices: Some(indices),
                material,
                mode: TRIANGLES,
                extras: Some(extras::Of::new(extras::Primitive { slot })),
            });
        }
        Ok(primitives)
    }

    /// Returns a primitive for the lines, or one of points where there are neither faces nor lines.
    fn lines_or_points(
        &mut self,
        mesh: &mesh::Mesh,
        vertices: Vertices,
    ) -> Result<Option<Primitive>> {
        let Vertices { mut attributes, wide } = vertices;
        if mesh.lines.is_empty() {
            return Ok(mesh.faces.is_empty().then_some(Primitive {
                attributes,
                indices: None,
                material: None,
                mode: POINTS,
                extras: None,
            }));
        }
        let ends = mesh.lines.iter().map(|line| line.map(|end| end.get()));
        let budget = &mut self.source.task.budget;
        let indices = self.bin.indices(mesh.lines.len(), ends, wide, budget)?;
        // Faces hold the rest.
        if !mesh.faces.is_empty() {
            attributes.retain(|name, _| name == "POSITION" || name == "COLOR_0");
        }
        Ok(Some(Primitive {
            attributes,
            indices: Some(indices),
            material: None,
            mode: LINES,
            extras: None,
        }))
    }

    /// The attributes of the vertices, and what is stored of the mesh besides.
    fn attributes(
        &mut self,
        drawn: Drawn<'_>,
        textured: bool,
    ) -> Result<(Attributes, extras::Mesh)> {
        let Drawn { index, mesh, shear } = drawn;
        self.report_broken(index, mesh)?;
        let mut attributes = Attributes::new();
        self.places(mesh, shear, &mut attributes)?;
        let Pairs { shared, sets } = self.pairs(mesh, textured, &mut attributes)?;
        self.colors(mesh, &mut attributes)?;
        let one = |colors: &[U32]| match colors {
            [first, rest @ ..] if rest.iter().all(|color| color == first) => {
                Some(extras::Word(first.get()))
            }
            _ => None,
        };
        let extras = extras::Mesh {
            index,
            name: self.source.name(index),
            flags: extras::Word(mesh.flags),
            save_flags: extras::Word(mesh.save_flags),
            slots: Vec::new(),
            color: one(&mesh.colors),
            specular: one(&mesh.specular),
            uv: shared,
            shear: shear.map(Shear::axes),
            channels: self.channels(mesh, sets),
        };
        Ok((attributes, extras))
    }

    /// Reports vertices with numbers that are none.
    fn report_broken(&mut self, index: u32, mesh: &mesh::Mesh) -> Result<()> {
        // 0 times what is no number is no 0.
        let sum = |sum: f32, values: &[F32]| {
            sum + values.iter().map(|value| value.get() * 0.0).sum::<f32>()
        };
        let broken = mesh.positions.iter().fold(0.0, |all, point| sum(all, point)) != 0.0
            || mesh.uv.iter().fold(0.0, |all, pair| sum(all, pair)) != 0.0;
        if broken {
            let name = self.source.name(index);
            self.source.task.error(
                Error::new(&virtools::codes::NOT_A_NUMBER)
                    .found(format!("in vertices of `{name}`")),
            )?;
        }
        Ok(())
    }

    /// Adds places and normals; with a shear also those before it.
    fn places(
        &mut self,
        mesh: &mesh::Mesh,
        shear: Option<&Shear>,
        attributes: &mut Attributes,
    ) -> Result<()> {
        let budget = &mut self.source.task.budget;
        let mut add = |name: &str, accessor: Index| attributes.insert(name.to_owned(), accessor);
        let points = mesh.positions.iter().map(|point| {
            let [x, y, z] = point.map(whole);
            [x, y, -z]
        });
        let positions = match shear {
            None => self.bin.floats(points, true, true, budget)?,
            Some(shear) => {
                add("_POSITION", self.bin.floats(points.clone(), true, false, budget)?);
                self.bin.floats(points.map(|point| shear.point(point)), true, true, budget)?
            }
        };
        add("POSITION", positions);
        let normals = mesh.normals(budget)?;
        let taken = (normals.capacity() as u64).saturating_mul(size_of::<[f32; 3]>() as u64);
        let normals_of = normals.iter().map(|[x, y, z]| [*x, *y, -*z]);
        let accessor = match shear {
            None => self.bin.floats(normals_of, true, false, budget)?,
            Some(shear) => {
                add("_NORMAL", self.bin.floats(normals_of.clone(), true, false, budget)?);
                let normals = normals_of.map(|normal| shear.normal(normal));
                self.bin.floats(normals, true, false, budget)?
            }
        };
        add("NORMAL", accessor);
        budget.release(taken);
        Ok(())
    }

    /// Adds the texture coordinates of the mesh and of its channels. Those that all vertices share are added for a texture alone.
    fn pairs(
        &mut self,
        mesh: &mesh::Mesh,
        textured: bool,
        attributes: &mut Attributes,
    ) -> Result<Pairs> {
        let count = mesh.positions.len();
        let budget = &mut self.source.task.budget;
        let mut add = |name: &str, accessor: Index| attributes.insert(name.to_owned(), accessor);
        let pair = |uv: &[F32; 2]| uv.map(whole);
        let single = mesh.uv.first().filter(|_| mesh.uv.len() == 1 && count > 1).map(pair);
        let uv = match single {
            Some(uv) if textured => {
                Some(self.bin.floats(std::iter::repeat_n(uv, count), true, false, budget)?)
            }
            None if mesh.uv.len() == count => {
                Some(self.bin.floats(mesh.uv.iter().map(pair), true, false, budget)?)
            }
            _ => None,
        };
        uv.map(|uv| add("TEXCOORD_0", uv));
        let mut set = usize::from(uv.is_some());
        let mut sets = Vec::new();
        for channel in &mesh.channels {
            let own = channel.uv.len() == count;
            if own {
                let accessor = self.bin.floats(channel.uv.iter().map(pair), true, false, budget)?;
                add(&format!("TEXCOORD_{set}"), accessor);
                set += 1;
            }
            sets.push(own.then(|| set - 1));
        }
        Ok(Pairs { shared: single.filter(|_| uv.is_none()), sets })
    }

    /// Adds colours, and those of highlights, where vertices have different ones. Meshes without light always have colours.
    fn colors(&mut self, mesh: &mesh::Mesh, attributes: &mut Attributes) -> Result<()> {
        let count = mesh.positions.len();
        let budget = &mut self.source.task.budget;
        let mut add = |name: &str, accessor: Index| attributes.insert(name.to_owned(), accessor);
        let several = mesh.has_colors() && mesh.colors.len() == count;
        if several {
            let colors = mesh.colors.iter().map(|color| color_of(color.get()));
            add("COLOR_0", self.bin.colors(colors, budget)?);
        } else if mesh.is_prelit()
            && let Some(color) = mesh.colors.first()
        {
            let colors = std::iter::repeat_n(color_of(color.get()), count);
            add("COLOR_0", self.bin.colors(colors, budget)?);
        }
        if mesh.specular.len() == count
            && mesh.specular.iter().any(|color| Some(color) != mesh.specular.first())
        {
            let colors = mesh.specular.iter().map(|color| color_of(color.get()));
            add("_SPECULAR", self.bin.colors(colors, budget)?);
        }
        Ok(())
    }

    /// Returns what is stored of channels, with the sets that they have of their own.
    fn channels(&self, mesh: &mesh::Mesh, sets: Vec<Option<usize>>) -> Vec<extras::Channel> {
        let scene = &self.source.scene;
        let name = |index: u32| self.source.name(index);
        let channels = mesh.channels.iter().zip(sets).map(|(channel, texcoord)| extras::Channel {
            flags: extras::Word(channel.flags),
            source_blend: channel.source_blend,
            destination_blend: channel.destination_blend,
            texcoord,
            material: channel.material.and_then(|index| {
                let texture = |index| self.extras_texture(index);
                Some(extras::Material::of(index, scene.materials.get(&index)?, &name, &texture))
            }),
        });
        channels.collect()
    }

    /// A mesh of one line, for a curve that is at a place; `None` where it has no points.
    pub fn curve(&mut self, index: u32, placed: &Matrix) -> Result<Option<Index>> {
        let line = self.source.scene.line(index, &mut self.source.task.budget)?;
        let Some(inverse) = placed.inverse().filter(|_| line.len() > 1) else { return Ok(None) };
        let points = line.iter().map(|[x, y, z]| inverse.point([*x, *y, -*z]).map(finite));
        let accessor = self.bin.floats(points, true, true, &mut self.source.task.budget)?;
        let primitive = Primitive {
            attributes: BTreeMap::from([("POSITION".to_owned(), accessor)]),
            indices: None,
            material: None,
            mode: LINE_STRIP,
            extras: None,
        };
        let extras = extras::Mesh {
            index,
            name: self.source.name(index),
            flags: extras::Word(0),
            save_flags: extras::Word(0),
            slots: Vec::new(),
            color: None,
            specular: None,
            uv: None,
            shear: None,
            channels: Vec::new(),
        };
        let (name, extras) = (self.source.name(index), Some(extras::Of::new(extras)));
        self.root.meshes.push(Mesh { name, primitives: vec![primitive], extras });
        Ok(Some(self.root.meshes.len() - 1))
    }
}

/// A number, or 0 for what is none.
fn whole(value: F32) -> f32 {
    let value = value.get();
    if value.is_finite() { value } else { 0.0 }
}

/// A colour as amounts of light, from 0 to 65535.
fn color_of(argb: u32) -> [u16; 4] {
    let wide = |part: f32| (part * 65535.0).round() as u16;
    let [red, green, blue, alpha] = rgba(argb).map(|part| f32::from(part) / 255.0);
    [wide(linear(red)), wide(linear(green)), wide(linear(blue)), wide(alpha)]
}
