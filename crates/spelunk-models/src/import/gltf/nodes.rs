//! Nodes as entities.

use super::{GltfReader, position};
use crate::{
    gltf::{
        extras,
        optics::{self, Lens, Shine},
        shear::Shear,
    },
    import::model::{Entity, GroupMember},
};
use gltf_json::{
    Index, Node,
    extensions::scene::khr_lights_punctual::{self as punctual, Light},
    validation::Checked,
};
use spelunk_core::{Error, Result, Seg};
use spelunk_open::codes;
use std::collections::BTreeMap;
use virtools::{
    class::{
        self,
        camera::Projection,
        entity_3d::{FRAME, NEW_MOVEABLE_FLAGS},
        light::LightData,
        sprite_3d::SpriteData,
    },
    codec::Reference,
    scene::{
        curve::{Curve, Point},
        entity::{self, EntityKind},
        matrix::{Matrix, Transform},
    },
};

/// Deeper hierarchies are refused.
const MAX_DEPTH: usize = 1024;

/// The bit of the flags of moveables of entities that are shown.
const VISIBLE: u32 = 0x2;

/// Classes of entities that are made; others become plain ones.
const CLASSES: [&str; 9] = [
    "CK3dEntity",
    "CK3dObject",
    "CKCamera",
    "CKTargetCamera",
    "CKLight",
    "CKTargetLight",
    "CKCurve",
    "CKCurvePoint",
    "CKSprite3D",
];

/// A node on the way down.
struct NodeVisit {
    node: usize,
    parent: Option<usize>,
    above: Matrix,
    depth: usize,
    hides: bool,
}

/// References to other entities in `extras`, which are resolved when all nodes are known.
#[derive(Default)]
struct Late {
    parents: Vec<(usize, u32)>,
    targets: Vec<(usize, String)>,
    curves: Vec<(usize, Vec<u32>)>,
}

impl Late {
    /// Notes the parent and the target that the entity at a position names.
    fn refer(&mut self, at: usize, stored: &extras::Entity) {
        if let Some(parent) = stored.parent {
            self.parents.push((at, parent));
        }
        if let Some(target) = &stored.target {
            self.targets.push((at, target.clone()));
        }
    }
}

impl GltfReader<'_, '_, '_> {
    /// Makes the entities of all nodes of the scene.
    pub fn all_nodes(&mut self) -> Result<()> {
        let roots: Vec<usize> = match self.scene() {
            Some(scene) => scene.nodes.iter().map(|node| node.value()).collect(),
            None => self.roots(),
        };
        let mut late = Late::default();
        let mut open: Vec<NodeVisit> = Vec::new();
        let first = |node: usize| NodeVisit {
            node,
            parent: None,
            above: Matrix::IDENTITY,
            depth: 0,
            hides: false,
        };
        open.extend(roots.into_iter().rev().map(first));
        while let Some(step) = open.pop() {
            self.task.budget.steps(1)?;
            let Some(node) = self.node(Index::new(position(step.node))) else { continue };
            let within = |error: Error| error.within(Seg::Index(step.node as u64)).field("nodes");
            if self.nodes.contains_key(&step.node) || step.depth > MAX_DEPTH {
                let error = Error::new(&codes::BAD_MODEL).expected("a tree of nodes");
                return Err(within(error.found("a node below two others, or below itself")));
            }
            let node = node.clone();
            let world = local(&node).then(&step.above);
            let (at, hides) = self.entity(&node, &step, &world, &mut late)?;
            let children = node.children.unwrap_or_default();
            self.task.budget.memory((children.len() * size_of::<NodeVisit>()) as u64)?;
            open.extend(children.iter().rev().map(|child| NodeVisit {
                node: child.value(),
                parent: Some(at),
                above: world,
                depth: step.depth + 1,
                hides: step.hides || hides,
            }));
        }
        self.settle(late);
        for _ in self.nodes.len()..self.document.root.nodes.len() {
            self.leave_out("nodes of other scenes");
        }
        Ok(())
    }

    /// Nodes that stand below no other one.
    fn roots(&self) -> Vec<usize> {
        let nodes = &self.document.root.nodes;
        let mut below = vec![false; nodes.len()];
        for child in nodes.iter().flat_map(|node| node.children.iter().flatten()) {
            if let Some(below) = below.get_mut(child.value()) {
                *below = true;
            }
        }
        (0..nodes.len()).filter(|at| below.get(*at) == Some(&false)).collect()
    }

    /// Makes the entity of a node; gives its position, and whether it hides what is below it.
    fn entity(
        &mut self,
        node: &Node,
        step: &NodeVisit,
        world: &Matrix,
        late: &mut Late,
    ) -> Result<(usize, bool)> {
        self.task.budget.memory(size_of::<Entity>() as u64 * 2)?;
        let extras: Option<extras::Node> = self.extras(&node.extras)?;
        let is_ours = extras.as_ref().is_some_and(|extras| !extras.virtools.class.is_empty());
        let extras::Node { hidden, virtools: stored, .. } = extras.unwrap_or_default();
        let at = self.model.entities.len();
        let kind = self.kind(node, &stored, at, late)?;
        let is_curve = matches!(kind, EntityKind::Curve(_));
        let mesh = self.mesh(node, &stored, is_curve)?;
        let class_id = self.class(&stored, &kind, mesh.is_some());
        let name = self.name(node, step.node, is_ours.then_some(&stored));
        let moveable_flags = stored.moveable_flags.map(|flags| flags.0);
        // What is hidden by what is above it has the flag of hidden ones, too.
        let shown = moveable_flags.is_some_and(|flags| flags & VISIBLE != 0);
        let is_plain = class_id == class::ENTITY_3D && mesh.is_none();
        // The vertices of the mesh, which have gone by it, are taken back.
        let shear = match node.mesh.filter(|_| !is_curve && mesh.is_some()) {
            Some(mesh) => self.shears.get(&mesh.value()).copied(),
            None => stored.shear.map(Shear::of_axes),
        };
        let world = shear.map_or(*world, |shear| shear.then(world)).flipped();
        let flags = stored.flags.map(|flags| flags.0);
        let entity = entity::Entity {
            parent: step.parent.map(position),
            children: Vec::new(),
            world: stored.matrix.map_or(world, |rows| as_stored(rows, &world)),
            local: None,
            hidden: hidden && !(step.hides && shown),
            hides_children: stored.hides_children,
            flags: flags.unwrap_or(if is_plain { FRAME } else { 0 }),
            moveable_flags: moveable_flags.unwrap_or(NEW_MOVEABLE_FLAGS),
            z_order: stored.z_order,
            place: None,
            mesh,
            meshes: mesh.into_iter().collect(),
            has_skin: false,
            kind,
        };
        if !is_stored(&entity.world) || !is_finite(&entity.kind) {
            let error = Error::new(&codes::BAD_MODEL).found("numbers that are none, or too large");
            return Err(error.within(Seg::Index(step.node as u64)).field("nodes"));
        }
        if stored.skin {
            self.leave_out("skins");
        }
        late.refer(at, &stored);
        if is_ours {
            self.stored.entry(stored.index).or_insert(GroupMember::Entity(at));
        }
        self.nodes.insert(step.node, at);
        self.model.entities.push(Entity {
            name,
            class_id,
            entity,
            index: is_ours.then_some(stored.index),
            is_of_file: false,
            has_flags: flags.is_some(),
            misses_parent: false,
            misses_target: false,
        });
        Ok((at, stored.hides_children))
    }

    /// Returns the mesh of the entity of a node.
    fn mesh(
        &mut self,
        node: &Node,
        stored: &extras::Entity,
        is_curve: bool,
    ) -> Result<Option<u32>> {
        match node.mesh {
            // The line of a curve is made of its points.
            Some(mesh) if is_curve => {
                self.shapes.entry(mesh.value()).or_insert(None);
                Ok(None)
            }
            Some(mesh) => self.shape(mesh.value()),
            None => self.undrawn(stored),
        }
    }

    /// Returns the name of the entity of a node: the one that was stored, where it is one that was exported.
    fn name(&self, node: &Node, nth: usize, exported: Option<&extras::Entity>) -> String {
        let name = node.name.clone().unwrap_or_default();
        match exported {
            Some(stored) => self.first_name(name, &stored.name, stored.index),
            None if name.is_empty() => self.fallback_name(node, nth),
            None => name,
        }
    }

    /// A name for a node that has none.
    fn fallback_name(&self, node: &Node, nth: usize) -> String {
        let mesh = node.mesh.and_then(|mesh| self.document.root.get(mesh)?.name.clone());
        mesh.filter(|name| !name.is_empty()).unwrap_or_else(|| format!("Node {}", nth + 1))
    }

    /// Returns the kind of an entity, with its content besides a place.
    fn kind(
        &mut self,
        node: &Node,
        stored: &extras::Entity,
        at: usize,
        late: &mut Late,
    ) -> Result<EntityKind> {
        let projection = stored.camera.as_ref().map(extras::Camera::projection);
        if let Some(camera) = node.camera.and_then(|camera| self.document.root.get(camera)) {
            return Ok(camera_of(camera, projection));
        }
        if let Some(projection) = projection {
            return Ok(EntityKind::Camera { projection, target: None });
        }
        let known = stored.light.as_ref().map(light_data);
        let light = node.extensions.as_ref().and_then(|all| all.khr_lights_punctual.as_ref());
        let light = light.and_then(|light| self.document.root.get(light.light));
        match (light.and_then(shine), known) {
            (Some(shine), known) => {
                let (light, power) = shine.light(known);
                return Ok(EntityKind::Light { light, power, target: None });
            }
            (None, Some((light, power))) => {
                return Ok(EntityKind::Light { light, power, target: None });
            }
            (None, None) => {}
        }
        if let Some(curve) = &stored.curve {
            late.curves.push((at, curve.points.clone()));
            return Ok(EntityKind::Curve(Curve {
                points: Vec::new(),
                fitting: curve.fitting,
                steps: curve.steps,
                is_closed: curve.closed,
            }));
        }
        if let Some(point) = &stored.point {
            return Ok(EntityKind::Point(Point {
                curve: None,
                use_tangents: point.use_tangents,
                is_linear: point.linear,
                tcb: point.tcb,
                tangent_in: point.tangent_in,
                tangent_out: point.tangent_out,
            }));
        }
        if let Some(sprite) = &stored.sprite {
            let material = match &sprite.material {
                Some(stored) => self.extras_material(stored)?,
                None => Reference::null(true),
            };
            return Ok(EntityKind::Sprite(SpriteData {
                mode: sprite.mode,
                half_size: sprite.half_size,
                offset: sprite.offset,
                uv: sprite.uv,
                material,
            }));
        }
        Ok(EntityKind::Plain)
    }

    /// The class of an entity: the stored one, where it can hold an entity of the kind.
    fn class(&mut self, stored: &extras::Entity, kind: &EntityKind, has_mesh: bool) -> u32 {
        let plain = if has_mesh { "CK3dObject" } else { "CK3dEntity" };
        let named = stored.class.as_str();
        let [one, other] = match kind {
            EntityKind::Plain => ["CK3dEntity", "CK3dObject"],
            EntityKind::Camera { .. } => ["CKCamera", "CKTargetCamera"],
            EntityKind::Light { .. } => ["CKLight", "CKTargetLight"],
            EntityKind::Curve(_) => ["CKCurve"; 2],
            EntityKind::Point(_) => ["CKCurvePoint"; 2],
            EntityKind::Sprite(_) => ["CKSprite3D"; 2],
        };
        let name = match kind {
            _ if named == one || named == other => named,
            // A camera that sees nothing is one all the same.
            EntityKind::Plain if CLASSES.contains(&named) => named,
            EntityKind::Plain => {
                if !named.is_empty() {
                    self.leave_out(
                        "entities of classes that are not made, which became plain ones",
                    );
                }
                plain
            }
            _ => one,
        };
        class::id(name).unwrap_or(class::ENTITY_3D)
    }

    /// A mesh without faces, of which the source has only the name.
    fn undrawn(&mut self, stored: &extras::Entity) -> Result<Option<u32>> {
        let Some(name) = &stored.mesh else { return Ok(None) };
        self.task.budget.steps(self.model.shapes.len() as u64)?;
        let made = self.model.shapes.iter().position(|shape| {
            shape.name == *name && shape.faces.is_empty() && shape.lines.is_empty()
        });
        let at = made.unwrap_or_else(|| {
            self.model.shapes.push(crate::import::shape::Shape {
                name: name.clone(),
                slots: vec![None],
                is_named: true,
                ..Default::default()
            });
            self.model.shapes.len() - 1
        });
        Ok(Some(position(at)))
    }

    /// Finds what `extras` refer to.
    fn settle(&mut self, late: Late) {
        let entity = |stored: &BTreeMap<u32, GroupMember>, index: &u32| match stored.get(index) {
            Some(GroupMember::Entity(at)) => Some(*at),
            _ => None,
        };
        for (at, parent) in late.parents {
            let parent = entity(&self.stored, &parent).filter(|parent| *parent < at);
            if let Some(it) = self.model.entities.get_mut(at) {
                it.misses_parent = parent.is_none();
                it.entity.parent = parent.map(position).or(it.entity.parent);
            }
        }
        let mut named: BTreeMap<&str, u32> = BTreeMap::new();
        if !late.targets.is_empty() {
            for (entity, at) in self.model.entities.iter().zip(0_u32..) {
                named.entry(&entity.name).or_insert(at);
            }
        }
        let targets =
            late.targets.iter().map(|(at, name)| (*at, named.get(name.as_str()).copied()));
        for (at, found) in targets.collect::<Vec<_>>() {
            let Some(it) = self.model.entities.get_mut(at) else { continue };
            it.misses_target = found.is_none();
            if let EntityKind::Camera { target, .. } | EntityKind::Light { target, .. } =
                &mut it.entity.kind
            {
                *target = found;
            }
        }
        for (at, points) in late.curves {
            let points: Vec<usize> =
                points.iter().filter_map(|point| entity(&self.stored, point)).collect();
            for point in &points {
                if let Some(it) = self.model.entities.get_mut(*point)
                    && let EntityKind::Point(point) = &mut it.entity.kind
                {
                    point.curve = Some(position(at));
                }
            }
            if let Some(it) = self.model.entities.get_mut(at)
                && let EntityKind::Curve(curve) = &mut it.entity.kind
            {
                curve.points = points.into_iter().map(position).collect();
            }
        }
    }
}

/// Returns the place of a node, with the rows of the matrix that was stored where they are the same: what goes through places as
/// seen from parents, or through editors, comes back with other last digits.
fn as_stored(rows: [[f32; 3]; 4], world: &Matrix) -> Matrix {
    /// In relation to the largest number of the matrix, or to 1.
    const SAME: f64 = 8e-6;
    let stored = Matrix::of_rows(rows.map(|[x, y, z]| [x, y, z, 0.0]));
    let numbers = stored.axes.iter().chain([&stored.position]).flatten();
    let largest = numbers.fold(1.0_f64, |largest, number| largest.max(number.abs()));
    let row = |old: [f64; 3], new: [f64; 3]| {
        let near = old.iter().zip(new).all(|(old, new)| (old - new).abs() <= SAME * largest);
        // A sum with 0 makes 0 of what is 0 with a sign.
        if near { old } else { new.map(|number| number + 0.0) }
    };
    let ([a, b, c], [x, y, z]) = (stored.axes, world.axes);
    Matrix {
        axes: [row(a, x), row(b, y), row(c, z)],
        position: row(stored.position, world.position),
    }
}

/// Whether a place is one in the numbers that files have, too, which are smaller.
fn is_stored(matrix: &Matrix) -> bool {
    matrix
        .axes
        .iter()
        .chain([&matrix.position])
        .flatten()
        .all(|number| (*number as f32).is_finite())
}

/// Whether what is reckoned of the numbers of a camera or a light are numbers.
fn is_finite(kind: &EntityKind) -> bool {
    match kind {
        EntityKind::Camera { projection, .. } => {
            projection.fov.is_finite() && projection.zoom.is_finite()
        }
        EntityKind::Light { light, .. } => {
            light.spot.is_none_or(|it| it.outer_cone.is_finite() && it.inner_cone.is_finite())
        }
        _ => true,
    }
}

/// Returns the place of a node as seen from the one above it.
fn local(node: &Node) -> Matrix {
    if let Some(matrix) = node.matrix {
        let mut rows = matrix.chunks_exact(4);
        let mut row = || {
            let row = rows.next().and_then(|row| <[f32; 4]>::try_from(row).ok());
            row.unwrap_or_default()
        };
        return Matrix::of_rows([row(), row(), row(), row()]);
    }
    let wide = |numbers: [f32; 3]| numbers.map(f64::from);
    let rotation = node.rotation.unwrap_or_default().0.map(f64::from);
    let length = rotation.iter().map(|part| part * part).sum::<f64>().sqrt();
    let rotation = match length < f64::MIN_POSITIVE {
        true => [0.0, 0.0, 0.0, 1.0],
        // What is no number stays none.
        false => rotation.map(|part| part / length),
    };
    let translation = node.translation.map_or([0.0; 3], wide);
    let scale = node.scale.map_or([1.0; 3], wide);
    Transform { translation, rotation, scale }.matrix()
}

/// Returns the camera: as it was stored, where that was not changed. Editors give cameras the shape of their pictures.
fn camera_of(camera: &gltf_json::Camera, stored: Option<Projection>) -> EntityKind {
    /// Far plane of cameras that see without end.
    const FAR: f32 = 4000.0;
    let (lens, near, far) = match (&camera.perspective, &camera.orthographic) {
        (Some(it), _) => {
            let aspect = it.aspect_ratio.unwrap_or(4.0 / 3.0);
            (Lens::Perspective { aspect, yfov: it.yfov }, it.znear, it.zfar.unwrap_or(FAR))
        }
        (None, Some(it)) => {
            (Lens::Orthographic { xmag: it.xmag, ymag: it.ymag }, it.znear, it.zfar)
        }
        (None, None) => return EntityKind::Plain,
    };
    let projection = stored.filter(|stored| lens.is_that_of(near, far, stored));
    let projection = projection.unwrap_or_else(|| lens.projection(near, far));
    EntityKind::Camera { projection, target: None }
}

/// Returns the properties of a light; `None` for kinds that are not known.
fn shine(light: &Light) -> Option<Shine> {
    let kind = match light.type_ {
        Checked::Valid(punctual::Type::Point) => optics::LightKind::Point,
        Checked::Valid(punctual::Type::Spot) => optics::LightKind::Spot,
        Checked::Valid(punctual::Type::Directional) => optics::LightKind::Directional,
        Checked::Invalid => return None,
    };
    let cone = light.spot.as_ref().map(|spot| [spot.inner_cone_angle, spot.outer_cone_angle]);
    Some(Shine {
        kind,
        color: light.color,
        intensity: light.intensity,
        range: light.range,
        cone: cone.filter(|_| kind == optics::LightKind::Spot),
    })
}

fn light_data(stored: &extras::Light) -> (LightData, f32) {
    let spot = stored.falloff.map(|falloff| {
        let [inner_cone, outer_cone] = stored.cone.unwrap_or_default();
        class::light::Spot { outer_cone, inner_cone, falloff }
    });
    let light = LightData {
        kind_and_flags: stored.kind_and_flags.0,
        color: stored.color.0,
        attenuation: stored.attenuation,
        range: stored.range,
        spot,
    };
    (light, stored.power)
}
