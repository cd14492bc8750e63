//! Meshes: all primitives of one are one shape, with a slot for each material.

use super::{GltfReader, materials::is_unlit, position};
use crate::{
    gltf::{extras, shear::Shear, surface::argb},
    import::{
        model::GroupMember,
        shape::{Shape, Triangle},
    },
};
use gltf_json::{
    Accessor, Index, accessor,
    extensions::texture::TextureTransform,
    mesh::{Mode, Primitive, Semantic},
    validation::Checked,
};
use spelunk_core::Result;
use std::collections::BTreeMap;
use virtools::{codec::Array, scene::mesh::Channel};
use zerocopy::little_endian::{F32, U32};

/// The accessors of the vertices of a primitive.
#[derive(Clone, PartialEq)]
struct Attributes {
    position: Index<Accessor>,
    /// Places of the vertices, and their normals, before they went by the shear of the mesh.
    before: [Option<Index<Accessor>>; 2],
    normal: Option<Index<Accessor>>,
    uv: Option<(Index<Accessor>, Option<[f32; 5]>)>,
    color: Option<Index<Accessor>>,
    specular: Option<Index<Accessor>>,
    /// Unlit surfaces are as bright as vertices and material together.
    tint: Option<[f32; 4]>,
    channels: Vec<Option<Index<Accessor>>>,
}

/// The vertices of primitives, and where in the shape they are.
struct VertexBlock {
    attributes: Attributes,
    start: u32,
    count: usize,
}

/// A shape that grows.
struct Growing {
    shape: Shape,
    blocks: Vec<VertexBlock>,
    has_normals: Vec<bool>,
    /// By material, and by the slot that it had: several may have the same.
    slots: BTreeMap<(Option<u32>, Option<usize>), u16>,
    lit: usize,
    unlit: usize,
}

impl GltfReader<'_, '_, '_> {
    /// The shape of a mesh of the document, made when it is first met; `None` where it has none.
    pub fn shape(&mut self, mesh: usize) -> Result<Option<u32>> {
        if let Some(known) = self.shapes.get(&mesh) {
            return Ok(*known);
        }
        let Some(from) = self.document.root.meshes.get(mesh) else { return Ok(None) };
        let stored: Option<extras::Mesh> = self.stored(&from.extras)?;
        let name = from.name.clone().unwrap_or_default();
        let name = match &stored {
            Some(stored) => self.first_name(name, &stored.name, stored.index),
            None if name.is_empty() => format!("Mesh {}", mesh + 1),
            None => name,
        };
        let old = stored.as_ref().map(|stored| stored.index);
        let shear = self.shear(from, stored.as_ref())?;
        let mut shape = self.shape_of(from, name, stored, shear.as_ref())?;
        shape.index = old;
        self.shears.extend(shear.map(|shear| (mesh, shear)));
        // Made once for each entity with a shear of its own.
        if let Some(GroupMember::Shape(first)) = old.and_then(|old| self.stored.get(&old)) {
            self.task.budget.steps(shape.positions.len() as u64 >> 2)?;
            if self.model.shapes.get(*first) == Some(&shape) {
                let first = Some(position(*first));
                self.shapes.insert(mesh, first);
                return Ok(first);
            }
        }
        let at = position(self.model.shapes.len());
        self.model.shapes.push(shape);
        if let Some(old) = old {
            self.stored.entry(old).or_insert(GroupMember::Shape(at as usize));
        }
        self.shapes.insert(mesh, Some(at));
        Ok(Some(at))
    }

    fn shape_of(
        &mut self,
        from: &gltf_json::Mesh,
        name: String,
        stored: Option<extras::Mesh>,
        shear: Option<&Shear>,
    ) -> Result<Shape> {
        let flags = stored.as_ref().map(|stored| stored.flags.0);
        let stored = stored.unwrap_or_default();
        let shape = Shape { name, flags, slots: vec![None], ..Shape::default() };
        let mut growing = Growing {
            shape,
            blocks: Vec::new(),
            has_normals: Vec::new(),
            slots: BTreeMap::new(),
            lit: 0,
            unlit: 0,
        };
        growing.shape.channels = stored
            .channels
            .iter()
            .map(|channel| Channel {
                material: None,
                flags: channel.flags.0,
                source_blend: channel.source_blend,
                destination_blend: channel.destination_blend,
                uv: Array::new(),
            })
            .collect();
        if from.weights.is_some() || from.primitives.iter().any(|part| part.targets.is_some()) {
            self.leave_out("meshes that change their shape");
        }
        for primitive in &from.primitives {
            self.primitive(primitive, &stored, shear, &mut growing)?;
        }
        for (nth, channel) in stored.channels.iter().enumerate() {
            let material = match &channel.material {
                Some(stored) => Some(self.extras_material(stored)?.value),
                None => None,
            };
            if let Some(channel) = growing.shape.channels.get_mut(nth) {
                channel.material = material;
            }
        }
        if growing.lit > 0 && growing.unlit > 0 {
            self.leave_out("meshes of which some faces have light and some have not");
        }
        growing.shape.is_prelit = growing.unlit > 0 && growing.lit == 0;
        if growing.has_normals.contains(&true) && growing.has_normals.contains(&false) {
            self.leave_out("meshes of which only some vertices have normals");
        }
        growing.finish(&stored);
        Ok(growing.shape)
    }

    /// The shear that the vertices of a mesh have gone by, where they can go back.
    fn shear(
        &mut self,
        from: &gltf_json::Mesh,
        stored: Option<&extras::Mesh>,
    ) -> Result<Option<Shear>> {
        let Some(axes) = stored.and_then(|stored| stored.shear) else { return Ok(None) };
        let shear = Shear::of_axes(axes);
        if shear.has_inverse() {
            return Ok(Some(shear));
        }
        // A shape that was made flat goes back only by the places that are stored.
        for primitive in &from.primitives {
            let get = |semantic| primitive.attributes.get(&Checked::Valid(semantic)).copied();
            let (Some(now), Some(before)) =
                (get(Semantic::Positions), get(Semantic::Extras("POSITION".to_owned())))
            else {
                return Ok(None);
            };
            let budget = &mut self.task.budget;
            let now: Vec<[f32; 3]> = self.document.tuples(now, budget)?;
            let before: Vec<[f32; 3]> = self.document.tuples(before, budget)?;
            let mut pairs = now.iter().zip(&before);
            let agrees = |(now, before): (&[f32; 3], &[f32; 3])| shear.point(*before) == *now;
            if now.len() != before.len() || !pairs.all(agrees) {
                return Ok(None);
            }
        }
        Ok(Some(shear))
    }

    fn primitive(
        &mut self,
        from: &Primitive,
        stored: &extras::Mesh,
        shear: Option<&Shear>,
        growing: &mut Growing,
    ) -> Result<()> {
        let Checked::Valid(mode) = from.mode else { return Ok(()) };
        // What was exported has vertices without faces.
        if mode == Mode::Points && growing.shape.flags.is_none() {
            self.leave_out("meshes of points");
            return Ok(());
        }
        // Each primitive looks for coordinates of all channels.
        self.task.budget.memory((stored.channels.len() as u64).saturating_mul(64))?;
        let Some(attributes) = self.attributes(from, stored) else {
            self.leave_out("primitives without positions");
            return Ok(());
        };
        let is_lines = matches!(mode, Mode::Lines | Mode::LineLoop | Mode::LineStrip);
        let is_bare = is_lines || mode == Mode::Points;
        let (start, count) = self.vertices(attributes, is_bare, shear, growing)?;
        if mode == Mode::Points {
            return Ok(());
        }
        let indices = match from.indices {
            Some(indices) => self.document.indices(indices, count, &mut self.task.budget)?,
            None => (0..position(count)).collect(),
        };
        let at = |index: &u32| start.saturating_add(*index);
        let budget = &mut self.task.budget;
        budget.memory((indices.len() as u64).saturating_mul(16))?;
        if is_lines {
            let lines = &mut growing.shape.lines;
            let pairs = indices.windows(2).filter_map(|pair| <[u32; 2]>::try_from(pair).ok());
            match mode {
                Mode::Lines => lines.extend(pairs.step_by(2).map(|pair| pair.map(|end| at(&end)))),
                _ => lines.extend(pairs.map(|pair| pair.map(|end| at(&end)))),
            }
            if let (Mode::LineLoop, [first, .., last]) = (mode, indices.as_slice()) {
                lines.push([at(last), at(first)]);
            }
            return Ok(());
        }
        let slot = self.slot(from, growing)?;
        let corners = triangles(mode, &indices);
        // The other way around, as the third axis is.
        let mirrors = shear.is_some_and(Shear::mirrors);
        growing.shape.faces.extend(corners.map(|[a, b, c]| {
            let corners = if mirrors { [&a, &b, &c] } else { [&a, &c, &b] };
            Triangle { corners: corners.map(at), slot }
        }));
        Ok(())
    }

    /// The slot of the material of a primitive, new where no other one has it.
    fn slot(&mut self, from: &Primitive, growing: &mut Growing) -> Result<u16> {
        let material = from.material.and_then(|index| self.document.root.get(index));
        let unlit = material.is_some_and(is_unlit);
        growing.unlit += usize::from(unlit);
        growing.lit += usize::from(!unlit);
        let made = from.material.and_then(|index| self.materials.get(&index.value()));
        let next = growing.shape.slots.len();
        let made = made.copied();
        let stored: Option<extras::Primitive> = self.stored(&from.extras)?;
        let old = stored.map(|stored| stored.slot);
        if made.is_none() && old.unwrap_or_default() == 0 {
            return Ok(0);
        }
        let key = (made, old);
        let Ok(slot) = u16::try_from(next) else { return Ok(0) };
        let slot = *growing.slots.entry(key).or_insert(slot);
        if usize::from(slot) == next {
            growing.shape.slots.push(made);
        }
        Ok(slot)
    }

    /// The accessors that count of a primitive.
    fn attributes(&self, from: &Primitive, stored: &extras::Mesh) -> Option<Attributes> {
        let get = |semantic: Semantic| from.attributes.get(&Checked::Valid(semantic)).copied();
        let root = &self.document.root;
        let material = from.material.and_then(|index| root.get(index));
        let texture = material.and_then(|it| it.pbr_metallic_roughness.base_color_texture.as_ref());
        let transform =
            texture.and_then(|info| info.extensions.as_ref()?.texture_transform.as_ref());
        let set = texture.map_or(0, |info| {
            transform.and_then(|transform| transform.tex_coord).unwrap_or(info.tex_coord)
        });
        // `_SPECULAR` is ours.
        let specular = Semantic::Extras("SPECULAR".to_owned());
        let tint = material
            .filter(|material| is_unlit(material))
            .map(|material| material.pbr_metallic_roughness.base_color_factor.0);
        // Channels that share the coordinates of the mesh have none of their own.
        let channels = stored
            .channels
            .iter()
            .map(|channel| get(Semantic::TexCoords(position(channel.texcoord?))));
        Some(Attributes {
            position: get(Semantic::Positions)?,
            before: ["POSITION", "NORMAL"].map(|name| get(Semantic::Extras(name.to_owned()))),
            normal: get(Semantic::Normals),
            uv: get(Semantic::TexCoords(set)).map(|uv| (uv, transform.map(numbers))),
            color: get(Semantic::Colors(0)),
            specular: get(specular),
            tint: tint.filter(|tint| *tint != [1.0; 4]),
            channels: channels.collect(),
        })
    }

    /// Returns the start of the vertices of a primitive in the shape, and their number. They are added where no other primitive
    /// has the same ones; lines and points take those at the same places.
    fn vertices(
        &mut self,
        attributes: Attributes,
        is_bare: bool,
        shear: Option<&Shear>,
        growing: &mut Growing,
    ) -> Result<(u32, usize)> {
        self.task.budget.steps(growing.blocks.len() as u64)?;
        let known = growing.blocks.iter().find(|block| {
            block.attributes == attributes
                || is_bare
                    && block.attributes.position == attributes.position
                    && block.attributes.color == attributes.color
        });
        if let Some(block) = known {
            return Ok((block.start, block.count));
        }
        let [points, normals] = self.places(&attributes, shear)?;
        let count = points.len();
        let start = position(growing.shape.positions.len());
        let shape = &mut growing.shape;
        let added = Added { before: shape.positions.len(), count };
        let flipped = |[x, y, z]: [f32; 3]| [x, y, -z].map(F32::new);
        shape.positions.extend(points.into_iter().map(flipped));
        growing.has_normals.push(is_bare || normals.len() == count);
        added.extend(&mut shape.normals, normals.into_iter().map(flipped), [F32::ZERO; 3]);
        let pairs = self.pairs(&attributes)?;
        added.extend(&mut shape.uv, pairs.into_iter(), [F32::ZERO; 2]);
        let tint = attributes.tint.unwrap_or([1.0; 4]);
        let colors = match (attributes.color, attributes.tint) {
            (Some(colors), _) => self.colors(colors, tint)?,
            (None, Some(tint)) => vec![U32::new(argb(tint)); count],
            (None, None) => Vec::new(),
        };
        added.extend(&mut shape.colors, colors.into_iter(), U32::new(WHITE));
        let specular = match attributes.specular {
            Some(specular) => self.colors(specular, [1.0; 4])?,
            None => Vec::new(),
        };
        added.extend(&mut shape.specular, specular.into_iter(), U32::ZERO);
        self.channels(&attributes, added, &mut shape.channels)?;
        growing.blocks.push(VertexBlock { attributes, start, count });
        Ok((start, count))
    }

    /// Returns places and normals of vertices, taken back from the shear that they have gone by.
    fn places(
        &mut self,
        attributes: &Attributes,
        shear: Option<&Shear>,
    ) -> Result<[Vec<[f32; 3]>; 2]> {
        let document = self.document;
        let budget = &mut self.task.budget;
        let mut points: Vec<[f32; 3]> = document.tuples(attributes.position, budget)?;
        budget.memory((points.len() as u64).saturating_mul(64))?;
        let mut optional = |accessor: Option<Index<Accessor>>| match accessor {
            Some(accessor) => document.tuples(accessor, budget),
            None => Ok(Vec::new()),
        };
        let mut normals: Vec<[f32; 3]> = optional(attributes.normal)?;
        if let Some(shear) = shear {
            let [before, normals_before] = attributes.before;
            let (before, normals_before) = (optional(before)?, optional(normals_before)?);
            for (at, point) in points.iter_mut().enumerate() {
                *point = shear.point_before(*point, before.get(at).copied()).unwrap_or(*point);
            }
            for (at, normal) in normals.iter_mut().enumerate() {
                *normal = shear.normal_before(*normal, normals_before.get(at).copied());
            }
        }
        Ok([points, normals])
    }

    /// Returns texture coordinates of vertices, as the texture asks for them.
    fn pairs(&mut self, attributes: &Attributes) -> Result<Vec<[F32; 2]>> {
        let Some((uv, transform)) = attributes.uv else { return Ok(Vec::new()) };
        let pairs: Vec<[f32; 2]> = self.document.tuples(uv, &mut self.task.budget)?;
        let transformed = pairs.into_iter().map(|pair| match transform {
            Some(numbers) => transformed(pair, numbers),
            None => pair,
        });
        Ok(transformed.map(|pair| pair.map(F32::new)).collect())
    }

    /// Adds texture coordinates of vertices to channels that have some of their own.
    fn channels(
        &mut self,
        attributes: &Attributes,
        added: Added,
        channels: &mut [Channel],
    ) -> Result<()> {
        let budget = &mut self.task.budget;
        for (channel, own) in channels.iter_mut().zip(&attributes.channels) {
            let pairs: Vec<[f32; 2]> = match own {
                Some(own) => self.document.tuples(*own, budget)?,
                None if channel.uv.is_empty() => continue,
                None => Vec::new(),
            };
            // The vertices before may have had none.
            let Added { before, count } = added;
            let new = if channel.uv.is_empty() { before.saturating_add(count) } else { count };
            budget.memory((new as u64).saturating_mul(2 * size_of::<[F32; 2]>() as u64))?;
            let pairs = pairs.into_iter().map(|pair| pair.map(F32::new));
            added.extend(channel.uv.to_mut(), pairs, [F32::ZERO; 2]);
        }
        Ok(())
    }

    /// Colours of vertices, times another one.
    fn colors(&mut self, index: Index<Accessor>, tint: [f32; 4]) -> Result<Vec<U32>> {
        let document = self.document;
        let budget = &mut self.task.budget;
        let kind = document.root.get(index).map(|accessor| accessor.type_);
        let four: Vec<[f32; 4]> = if kind == Some(Checked::Valid(accessor::Type::Vec3)) {
            let three: Vec<[f32; 3]> = document.tuples(index, budget)?;
            three.into_iter().map(|[red, green, blue]| [red, green, blue, 1.0]).collect()
        } else {
            document.tuples(index, budget)?
        };
        let times = |color: [f32; 4]| {
            let mut parts = color.iter().zip(tint).map(|(part, tint)| part * tint);
            U32::new(argb(std::array::from_fn(|_| parts.next().unwrap_or_default())))
        };
        Ok(four.into_iter().map(times).collect())
    }
}

/// Opaque white.
const WHITE: u32 = 0xFFFF_FFFF;

/// Vertices that are added: `count` of them behind `before` others.
#[derive(Clone, Copy)]
struct Added {
    before: usize,
    count: usize,
}

impl Added {
    /// Adds their values behind those of the vertices before; `none` for all that have no value, if any has one.
    fn extend<T: Copy>(self, values: &mut Vec<T>, more: impl ExactSizeIterator<Item = T>, none: T) {
        if more.len() == 0 && values.is_empty() {
            return;
        }
        values.resize(self.before, none);
        values.extend(more);
        values.resize(self.before.saturating_add(self.count), none);
    }
}

impl Growing {
    /// Adds one value where none was given, and normals for vertices that have none where others have some.
    fn finish(&mut self, stored: &extras::Mesh) {
        let shape = &mut self.shape;
        if shape.uv.is_empty() {
            shape.uv = vec![stored.uv.unwrap_or_default().map(F32::new)];
        }
        if shape.colors.is_empty() {
            shape.colors = vec![U32::new(stored.color.map_or(WHITE, |color| color.0))];
        }
        if shape.specular.is_empty() {
            shape.specular = vec![U32::new(stored.specular.map_or(0, |color| color.0))];
        }
        if self.has_normals.contains(&false) {
            // They follow from the faces.
            shape.normals = Vec::new();
        }
    }
}

/// The corners of triangles. Every second one of a strip is turned around.
fn triangles(mode: Mode, indices: &[u32]) -> Box<dyn Iterator<Item = [u32; 3]> + '_> {
    let three = |corners: &[u32]| <[u32; 3]>::try_from(corners).ok();
    match mode {
        Mode::TriangleStrip => Box::new(indices.windows(3).filter_map(three).enumerate().map(
            |(nth, [a, b, c])| {
                if nth % 2 == 0 { [a, b, c] } else { [b, a, c] }
            },
        )),
        Mode::TriangleFan => {
            let first = indices.first().copied().unwrap_or_default();
            let rest = indices.get(1..).unwrap_or_default();
            let pairs = rest.windows(2).filter_map(|pair| <[u32; 2]>::try_from(pair).ok());
            Box::new(pairs.map(move |[b, c]| [first, b, c]))
        }
        _ => Box::new(indices.chunks_exact(3).filter_map(three)),
    }
}

/// Offset, rotation and scale.
fn numbers(from: &TextureTransform) -> [f32; 5] {
    let ([x, y], [width, height]) = (from.offset.0, from.scale.0);
    [x, y, from.rotation.0, width, height]
}

/// A pair that is scaled, then turned, then moved.
fn transformed([u, v]: [f32; 2], [x, y, rotation, width, height]: [f32; 5]) -> [f32; 2] {
    let (sin, cos) = rotation.sin_cos();
    let (u, v) = (u * width, v * height);
    [u * cos + v * sin + x, v * cos - u * sin + y]
}
