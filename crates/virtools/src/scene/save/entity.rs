//! Entities.

use super::to;
use crate::{
    class::{
        Value,
        camera::Camera,
        curve::CurveData,
        curve_point,
        entity_3d::{Entity3d, EntityData, Meshes, PARENT_VALID, PLACE_VALID, Z_ORDER_VALID},
        light::Light,
    },
    codec::{Array, Reference},
    scene::{
        curve::{Curve, Point},
        entity::{Entity, EntityKind},
        matrix::Matrix,
        position::of,
    },
};
use zerocopy::little_endian::U32;

/// The bit of [`EntityData::moveable_flags`] of entities that are shown.
const VISIBLE: u32 = 0x2;
/// The bit of [`EntityData::moveable_flags`] of entities that are mirrored.
const INDIRECT: u32 = 0x100_0000;

/// Returns the state that values of entities have in common; `None` for others.
pub fn entity_of(value: &mut Value) -> Option<&mut Entity3d> {
    Some(match value {
        Value::Entity3d(saved) => saved,
        Value::Character(saved) => &mut saved.entity,
        Value::BodyPart(saved) => &mut saved.entity,
        Value::Grid(saved) => &mut saved.entity,
        Value::Camera(saved) => &mut saved.entity,
        Value::TargetCamera(saved) => &mut saved.camera.entity,
        Value::Light(saved) => &mut saved.entity,
        Value::TargetLight(saved) => &mut saved.light.entity,
        Value::Sprite3d(saved) => &mut saved.entity,
        Value::Curve(saved) => &mut saved.entity,
        Value::CurvePoint(saved) => &mut saved.entity,
        _ => return None,
    })
}

impl Entity {
    /// Puts the entity in the place of one that was saved: its place, its mesh and its kind. Returns whether the
    /// value is one of an entity at all. Of what its class has no place for, nothing is saved.
    pub fn save(&self, saved: &mut Value) -> bool {
        match saved {
            Value::Entity3d(entity) => self.save_placed(entity),
            Value::Character(saved) => self.save_placed(&mut saved.entity),
            Value::BodyPart(saved) => self.save_placed(&mut saved.entity),
            Value::Grid(saved) => self.save_placed(&mut saved.entity),
            Value::Camera(saved) => self.save_camera(saved),
            Value::TargetCamera(saved) => {
                self.save_camera(&mut saved.camera);
                if let EntityKind::Camera { target, .. } = self.kind {
                    saved.target = Some(to(target));
                }
            }
            Value::Light(saved) => self.save_light(saved),
            Value::TargetLight(saved) => {
                self.save_light(&mut saved.light);
                if let EntityKind::Light { target, .. } = self.kind {
                    saved.target = Some(to(target));
                }
            }
            Value::Sprite3d(saved) => {
                self.save_placed(&mut saved.entity);
                if let EntityKind::Sprite(sprite) = &self.kind {
                    saved.sprite = Some(sprite.clone());
                }
            }
            Value::Curve(saved) => {
                self.save_placed(&mut saved.entity);
                if let EntityKind::Curve(curve) = &self.kind {
                    saved.curve = Some(curve_data(curve));
                }
            }
            Value::CurvePoint(saved) => {
                self.save_placed(&mut saved.entity);
                if let EntityKind::Point(point) = &self.kind {
                    saved.point = Some(point_data(point));
                }
            }
            _ => return false,
        }
        true
    }

    fn save_placed(&self, saved: &mut Entity3d) {
        let object = &mut saved.be_object.object;
        let was_hidden = object.hidden;
        (object.hidden, object.hierarchically_hidden) = (self.hidden, self.hides_children);
        let bit = |bit: u32, is_set: bool| if is_set { bit } else { 0 };
        let [x, y, z, position] = self.world.rows().map(|[x, y, z, _]| [x, y, z]);
        let mirrors = self.world.determinant() < 0.0;
        let mut data = EntityData {
            flags: self.flags & !(PARENT_VALID | PLACE_VALID | Z_ORDER_VALID)
                | bit(PARENT_VALID, self.parent.is_some())
                | bit(PLACE_VALID, self.place.is_some())
                | bit(Z_ORDER_VALID, self.z_order.is_some()),
            moveable_flags: self.moveable_flags & !(VISIBLE | INDIRECT)
                | bit(VISIBLE, !self.hidden)
                | bit(INDIRECT, mirrors),
            x_axis: x,
            y_axis: y,
            z_axis: z,
            position,
            place: self.place.map(Reference::index),
            parent: self.parent.map(Reference::index),
            z_order: self.z_order,
        };
        if let Some(old) = &saved.data {
            // Files may say things twice, and not the same; what means what it did stays as it was.
            let mut stays = |bit: u32, is_same: bool| {
                if is_same {
                    data.moveable_flags = data.moveable_flags & !bit | old.moveable_flags & bit;
                }
            };
            stays(VISIBLE, was_hidden == self.hidden);
            stays(INDIRECT, (Matrix::of_rows(old.world_matrix()).determinant() < 0.0) == mirrors);
            if old.parent.and_then(of) == self.parent {
                data.parent = old.parent;
                data.flags = data.flags & !PARENT_VALID | old.flags & PARENT_VALID;
            }
            if old.place.and_then(of) == self.place {
                data.place = old.place;
                data.flags = data.flags & !PLACE_VALID | old.flags & PLACE_VALID;
            }
        }
        saved.data = Some(data);
        (saved.old_parent, saved.old_flags, saved.old_matrix) = (None, None, None);
        let had = saved.meshes.as_ref().map(|had| (of(had.current), &had.all));
        if had.is_some_and(|(current, all)| {
            current == self.mesh
                && (*all == indexes(&self.meshes) || holds(all, &self.meshes, current))
        }) {
            return;
        }
        let any = self.mesh.is_some() || !self.meshes.is_empty();
        saved.meshes = any.then(|| Meshes { current: to(self.mesh), all: indexes(&self.meshes) });
    }

    fn save_camera(&self, saved: &mut Camera) {
        self.save_placed(&mut saved.entity);
        if let EntityKind::Camera { projection, .. } = &self.kind {
            saved.projection = Some(projection.clone());
        }
    }

    fn save_light(&self, saved: &mut Light) {
        self.save_placed(&mut saved.entity);
        if let EntityKind::Light { light, power, .. } = &self.kind {
            saved.light = Some(light.clone());
            saved.power = Some(*power).filter(|power| *power != 1.0);
        }
    }
}

/// Whether a list of meshes that was saved holds these, and no other: the one that is drawn need not be in it.
fn holds(all: &[U32], meshes: &[u32], current: Option<u32>) -> bool {
    let had = all.iter().filter_map(|mesh| of(Reference::index(mesh.get())));
    let others = |mesh: &u32| Some(*mesh) != current;
    had.filter(others).eq(meshes.iter().copied().filter(others))
}

fn indexes(indexes: &[u32]) -> Array<U32> {
    indexes.iter().copied().map(U32::new).collect::<Vec<_>>().into()
}

fn curve_data(curve: &Curve) -> CurveData {
    CurveData {
        points: indexes(&curve.points),
        fitting: curve.fitting,
        steps: curve.steps,
        open: (!curve.is_closed).into(),
    }
}

fn point_data(point: &Point) -> curve_point::Point {
    curve_point::Point {
        curve: to(point.curve),
        use_tangents: point.use_tangents.into(),
        linear: point.is_linear.into(),
        tcb: point.tcb,
        tangent_in: point.tangent_in,
        tangent_out: point.tangent_out,
    }
}
