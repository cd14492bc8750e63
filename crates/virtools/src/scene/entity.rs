//! Entities with a place in space (`docs/formats/classes/entities.md#ck3dentity`).

use super::{
    curve::{Curve, Point},
    matrix::Matrix,
    position::{about, of, positions},
};
use crate::{
    class::{
        Value,
        camera::{self, Projection},
        entity_3d::Entity3d,
        light::{self, LightData},
        sprite_3d::SpriteData,
    },
    codes,
};
use spelunk_core::{Error, Result, Task};

/// The kind of light that has a cone.
pub const SPOT: u32 = 2;

/// Something with a place in space.
#[derive(Clone, Debug)]
pub struct Entity {
    /// Parent of the entity.
    pub parent: Option<u32>,
    /// Children of the entity.
    pub children: Vec<u32>,
    /// Matrix in the world.
    pub world: Matrix,
    /// Matrix as seen from the parent; `None` where the parent is flat, so that there is none.
    pub local: Option<Matrix>,
    /// Whether it is hidden.
    pub hidden: bool,
    /// Whether it is hidden with all that stands below it.
    pub hides_children: bool,
    /// [`ENTITY_FLAGS`](crate::class::entity_3d::ENTITY_FLAGS).
    pub flags: u32,
    /// [`MOVEABLE_FLAGS`](crate::class::entity_3d::MOVEABLE_FLAGS).
    pub moveable_flags: u32,
    /// Order of drawing among others, where it is stored.
    pub z_order: Option<i32>,
    /// The place that it is in.
    pub place: Option<u32>,
    /// The mesh that is drawn.
    pub mesh: Option<u32>,
    /// All of its meshes.
    pub meshes: Vec<u32>,
    /// Whether bones move its vertices.
    pub has_skin: bool,
    /// Kind of the entity, with its data.
    pub kind: EntityKind,
}

/// Kind of an entity, with its data.
#[derive(Clone, Debug, Default)]
pub enum EntityKind {
    /// A place with or without a mesh.
    #[default]
    Plain,
    /// A camera, which looks along its third axis.
    Camera {
        /// Projection of the camera.
        projection: Projection,
        /// Entity that the camera looks at.
        target: Option<u32>,
    },
    /// A light, which shines along its third axis.
    Light {
        /// Kind, colour and reach of the light.
        light: LightData,
        /// Power of the light.
        power: f32,
        /// Entity that the light points at.
        target: Option<u32>,
    },
    /// A curve.
    Curve(Curve),
    /// A point of a curve.
    Point(Point),
    /// A rectangle that turns to the camera.
    Sprite(SpriteData),
}

impl Entity {
    /// The entity that was saved; `None` for values of other classes.
    pub(super) fn of(value: Value, index: u32, task: &mut Task<'_>) -> Result<Option<Entity>> {
        let (saved, kind) = match value {
            Value::Entity3d(saved) => (*saved, EntityKind::Plain),
            Value::Character(saved) => (saved.entity, EntityKind::Plain),
            Value::BodyPart(saved) => (saved.entity, EntityKind::Plain),
            Value::Grid(saved) => (saved.entity, EntityKind::Plain),
            Value::Place(saved) => {
                (Entity3d { be_object: saved.be_object, ..Entity3d::default() }, EntityKind::Plain)
            }
            Value::Sprite3d(saved) => {
                (saved.entity, saved.sprite.map_or(EntityKind::Plain, EntityKind::Sprite))
            }
            Value::Camera(saved) => camera(*saved, None),
            Value::TargetCamera(saved) => camera(saved.camera, saved.target.and_then(of)),
            Value::Light(saved) => light(*saved, None),
            Value::TargetLight(saved) => light(saved.light, saved.target.and_then(of)),
            Value::Curve(saved) => {
                let curve = Curve::of(&saved);
                (saved.entity, EntityKind::Curve(curve))
            }
            Value::CurvePoint(saved) => {
                let point = Point::of(&saved);
                (saved.entity, EntityKind::Point(point))
            }
            _ => return Ok(None),
        };
        Ok(Some(Entity::with(saved, kind, index, task)?))
    }

    fn with(saved: Entity3d, kind: EntityKind, index: u32, task: &mut Task<'_>) -> Result<Entity> {
        // Where there is a section of today engines pass over those of the oldest files.
        let is_old = saved.data.is_none();
        let data = saved.data.unwrap_or_default();
        let old = saved.old_matrix.filter(|_| is_old).map(|old| {
            let mut rows =
                old.matrix.chunks_exact(4).map(|row| <[f32; 4]>::try_from(row).unwrap_or_default());
            std::array::from_fn(|_| rows.next().unwrap_or_default())
        });
        // A chunk without a place, as that of a `CKPlace`, is at the origin.
        let stored = data.x_axis != [0.0; 3] || data.y_axis != [0.0; 3] || data.z_axis != [0.0; 3];
        let mut world = match old {
            Some(rows) => Matrix::of_rows(rows),
            None if stored || data.position != [0.0; 3] => Matrix::of_rows(data.world_matrix()),
            None => Matrix::IDENTITY,
        };
        if !world.is_finite() {
            world = Matrix::IDENTITY;
            let error = Error::new(&codes::NOT_A_NUMBER).field("entity");
            task.error(about(index, error))?;
        }
        let object = &saved.be_object.object;
        // Without the section there is no mesh; position 0 of the table would be one.
        let (current, all) =
            saved.meshes.map(|meshes| (of(meshes.current), meshes.all)).unwrap_or_default();
        let old_flags = saved.old_flags.filter(|_| is_old).unwrap_or_default();
        let old_parent = saved.old_parent.filter(|_| is_old);
        Ok(Entity {
            parent: data.parent.or(old_parent).and_then(of),
            children: Vec::new(),
            world,
            local: None,
            hidden: object.hidden,
            hides_children: object.hierarchically_hidden,
            flags: data.flags | old_flags.flags,
            moveable_flags: data.moveable_flags | old_flags.moveable_flags,
            z_order: data.z_order,
            place: data.place.and_then(of),
            mesh: current,
            meshes: positions(&Some(all)),
            has_skin: saved.skin.is_some(),
            kind,
        })
    }
}

/// A camera, whichever version stored it.
fn camera(saved: camera::Camera, target: Option<u32>) -> (Entity3d, EntityKind) {
    let [width, height] =
        saved.old_aspect.unwrap_or([4, 3]).map(|side| side.clamp(0, 0xFFFF) as u32);
    let [near_plane, far_plane] = saved.old_planes.unwrap_or([1.0, 4000.0]);
    let old = Projection {
        projection: saved.old_projection.unwrap_or(1),
        fov: saved.old_fov.unwrap_or(0.5),
        zoom: saved.old_zoom.unwrap_or(1.0),
        aspect: width | height << 16,
        near_plane,
        far_plane,
    };
    (saved.entity, EntityKind::Camera { projection: saved.projection.unwrap_or(old), target })
}

/// A light, whichever version stored it.
fn light(saved: light::Light, target: Option<u32>) -> (Entity3d, EntityKind) {
    let old = saved.old_light.map(|old| {
        let [red, green, blue, alpha] = old.color.map(|part| (part.clamp(0.0, 1.0) * 255.0) as u8);
        let active = if old.active != 0 { 0x100 } else { 0 };
        let specular = if old.specular != 0 { 0x200 } else { 0 };
        LightData {
            kind_and_flags: old.kind & 0xFF | active | specular,
            color: u32::from_be_bytes([alpha, red, green, blue]),
            attenuation: old.attenuation,
            range: old.range,
            spot: (old.kind & 0xFF == SPOT).then_some(old.spot),
        }
    });
    let light = saved.light.or(old).unwrap_or_default();
    (saved.entity, EntityKind::Light { light, power: saved.power.unwrap_or(1.0), target })
}
