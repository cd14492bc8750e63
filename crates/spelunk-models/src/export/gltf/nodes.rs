//! Entities as nodes.

use super::{
    GltfBuilder,
    model::{LightOf, Node, NodeExtensions},
};
use crate::{
    export::finite,
    gltf::{
        extras::{self, Word},
        shear::Shear,
    },
};
use spelunk_core::Result;
use std::collections::BTreeSet;
use virtools::scene::{
    Scene,
    entity::{Entity, EntityKind},
    matrix::{Matrix, Transform},
};

impl GltfBuilder<'_, '_, '_> {
    /// Makes the nodes of all entities that are wanted, and of chosen meshes; gives those at the top.
    pub fn all_nodes(&mut self) -> Result<Vec<usize>> {
        let kept = self.kept();
        let top: Vec<u32> = kept
            .iter()
            .copied()
            .filter(|index| {
                let parent = self.source.scene.entities.get(index).and_then(|entity| entity.parent);
                parent.is_none_or(|parent| !kept.contains(&parent))
            })
            .collect();
        let mut roots = Vec::new();
        for index in top {
            let node = self.node(index, None, &kept, &mut roots)?;
            roots.extend(node);
        }
        roots.extend(self.loose_meshes()?);
        roots.sort_unstable();
        Ok(roots)
    }

    /// Entities that are wanted, and those between them and what they stand below.
    fn kept(&self) -> BTreeSet<u32> {
        let scene = &self.source.scene;
        let mut kept = BTreeSet::new();
        let mut chosen: Option<BTreeSet<u32>> = None;
        if let Some(selection) = &self.source.chosen {
            let mut open: Vec<u32> = selection.iter().collect();
            let all = chosen.get_or_insert_default();
            while let Some(index) = open.pop() {
                if let Some(entity) = scene.entities.get(&index)
                    && all.insert(index)
                {
                    open.extend(&entity.children);
                }
            }
        }
        let chosen = |index: &u32| chosen.as_ref().is_none_or(|chosen| chosen.contains(index));
        let shown = |index: u32| !self.source.no_hidden || !scene.is_hidden(index);
        for index in scene.entities.keys().filter(|index| chosen(index) && shown(**index)) {
            kept.insert(*index);
            let parent = |index: &u32| scene.entities.get(index)?.parent;
            // What is seen below something hidden keeps its place there.
            let mut above = parent(index);
            while let Some(index) = above.filter(|index| chosen(index) && kept.insert(*index)) {
                above = parent(&index);
            }
        }
        kept
    }

    /// Makes the node of an entity and of what stands below it. `above` is where its parent is in glTF. Nodes that
    /// cannot be below it go to `loose`, and then there is nothing for the parent.
    fn node(
        &mut self,
        index: u32,
        above: Option<&Matrix>,
        kept: &BTreeSet<u32>,
        loose: &mut Vec<usize>,
    ) -> Result<Option<usize>> {
        let Some(entity) = self.source.scene.entities.get(&index).cloned() else { return Ok(None) };
        self.source.task.budget.steps(1)?;
        let world = entity.world.flipped();
        // Nothing can be placed below what is flat.
        let inverse = above.map(Matrix::inverse);
        let is_loose = matches!(inverse, Some(None));
        let local = match inverse {
            Some(Some(inverse)) => world.then(&inverse),
            _ => world,
        };
        let (rest, transform) = local.split();
        let placed = match above.filter(|_| !is_loose) {
            Some(above) => transform.matrix().then(above),
            None => transform.matrix(),
        };
        let number = self.root.nodes.len();
        self.nodes.insert(index, number);
        self.root.nodes.push(Node::default());
        self.source.charge_names(entity.meshes.iter().copied())?;
        let mut node = Node { name: self.source.name(index), ..placed_node(&transform) };
        let hidden = self.source.scene.is_hidden(index);
        if let EntityKind::Sprite(sprite) = &entity.kind
            && let Some(material) = sprite.material.get(true).value()
        {
            self.extras_textures(material)?;
        }
        node.extras = self.extras(index, &entity, hidden);
        let shear = rest.as_ref().map(Shear::of);
        node.extras.virtools.shear = shear.map(|shear| shear.axes());
        node.extras.virtools.parent = entity.parent.filter(|_| above.is_none() || is_loose);
        if !(self.source.no_hidden && hidden) {
            self.content(index, &entity, shear.as_ref(), &placed, &mut node)?;
        }
        for child in entity.children.iter().filter(|child| kept.contains(child)) {
            let below = self.node(*child, Some(&placed), kept, loose)?;
            node.children.extend(below);
        }
        if let Some(slot) = self.root.nodes.get_mut(number) {
            *slot = node;
        }
        if is_loose {
            loose.push(number);
            return Ok(None);
        }
        Ok(Some(number))
    }

    /// Fills a node with its content besides its place.
    fn content(
        &mut self,
        index: u32,
        entity: &Entity,
        shear: Option<&Shear>,
        placed: &Matrix,
        node: &mut Node,
    ) -> Result<()> {
        if let Some(mesh) = entity.mesh {
            node.mesh = self.mesh(mesh, shear.map(|shear| (index, shear)))?;
            if node.mesh.is_none() && self.source.scene.meshes.contains_key(&mesh) {
                node.extras.virtools.mesh = Some(self.source.name(mesh));
            }
        }
        match &entity.kind {
            EntityKind::Camera { projection, .. } => {
                node.camera = self.camera(index, projection)?
            }
            EntityKind::Light { light, power, .. } => {
                node.extensions = self
                    .light(index, light, *power)
                    .map(|light| NodeExtensions { lights: LightOf { light } });
            }
            EntityKind::Curve(_) if node.mesh.is_none() => node.mesh = self.curve(index, placed)?,
            _ => {}
        }
        Ok(())
    }

    /// Nodes for meshes that were chosen themselves, and that no chosen entity shows.
    fn loose_meshes(&mut self) -> Result<Vec<usize>> {
        let Some(chosen) = &self.source.chosen else { return Ok(Vec::new()) };
        let wanted: Vec<u32> =
            chosen.iter().filter(|index| self.source.scene.meshes.contains_key(index)).collect();
        let mut nodes = Vec::new();
        for index in wanted {
            if self.meshes.keys().any(|(mesh, _)| *mesh == index) {
                continue;
            }
            let Some(mesh) = self.mesh(index, None)? else { continue };
            let mut node =
                Node { name: self.source.name(index), mesh: Some(mesh), ..Node::default() };
            node.extras.virtools.index = index;
            node.extras.virtools.class = self.source.scene.class(index).into_owned();
            nodes.push(self.root.nodes.len());
            self.root.nodes.push(node);
        }
        Ok(nodes)
    }

    fn extras(&self, index: u32, entity: &Entity, hidden: bool) -> extras::Node {
        let scene: &Scene<'_> = &self.source.scene;
        let name = |index: u32| self.source.name(index);
        let groups =
            self.groups.get(&index).into_iter().flatten().map(|group| name(*group)).collect();
        let others = entity.meshes.iter().any(|mesh| Some(*mesh) != entity.mesh);
        let mut virtools = extras::Entity {
            index,
            class: scene.class(index).into_owned(),
            name: name(index),
            matrix: Some(entity.world.rows().map(|[x, y, z, _]| [x, y, z])),
            flags: Some(Word(entity.flags)),
            moveable_flags: Some(Word(entity.moveable_flags)),
            z_order: entity.z_order,
            hides_children: entity.hides_children,
            skin: entity.has_skin,
            ..extras::Entity::default()
        };
        if others {
            virtools.meshes = entity.meshes.iter().map(|mesh| name(*mesh)).collect();
        }
        match &entity.kind {
            EntityKind::Plain => {}
            EntityKind::Camera { projection, target } => {
                virtools.target = target.map(name);
                virtools.camera = Some(extras::Camera::of(projection));
            }
            EntityKind::Light { light, power, target } => {
                virtools.target = target.map(name);
                virtools.light = Some(extras::Light::of(light, *power));
            }
            EntityKind::Curve(curve) => {
                virtools.curve = Some(extras::Curve {
                    points: curve.points.clone(),
                    fitting: curve.fitting,
                    steps: curve.steps,
                    closed: curve.is_closed,
                });
            }
            EntityKind::Point(point) => {
                virtools.point = Some(extras::Point {
                    use_tangents: point.use_tangents,
                    linear: point.is_linear,
                    tcb: point.tcb,
                    tangent_in: point.tangent_in,
                    tangent_out: point.tangent_out,
                });
            }
            EntityKind::Sprite(sprite) => {
                let material = sprite.material.get(true).value().and_then(|index| {
                    let material = scene.materials.get(&index)?;
                    let texture = |index| self.extras_texture(index);
                    Some(extras::Material::of(index, material, &name, &texture))
                });
                virtools.sprite = Some(extras::Sprite {
                    mode: sprite.mode,
                    half_size: sprite.half_size,
                    offset: sprite.offset,
                    uv: sprite.uv,
                    material,
                });
            }
        }
        extras::Node { hidden, groups, virtools }
    }
}

/// A node with a transform; what moves nothing is left out.
fn placed_node(transform: &Transform) -> Node {
    let Transform { translation, rotation, scale } = *transform;
    // A sum with 0 makes 0 of what is 0 with a sign.
    let three = |vector: [f64; 3]| vector.map(|value| finite(value) + 0.0);
    let (translation, scale) = (three(translation), three(scale));
    let rotation = rotation.map(|value| finite(value) + 0.0);
    Node {
        translation: Some(translation).filter(|translation| *translation != [0.0; 3]),
        rotation: Some(rotation).filter(|rotation| *rotation != [0.0, 0.0, 0.0, 1.0]),
        scale: Some(scale.map(near_one)).filter(|scale| *scale != [1.0; 3]),
        ..Node::default()
    }
}

/// 1 for what is only noise away from it.
fn near_one(scale: f32) -> f32 {
    if (scale - 1.0).abs() < 2e-7 { 1.0 } else { scale }
}
