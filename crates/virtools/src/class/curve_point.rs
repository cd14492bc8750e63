//! `CKCurvePoint` (`docs/formats/classes/entities.md#ckcurvepoint`).

use super::{
    entity_3d::Entity3d,
    fresh::{Fresh, Host},
    renew::{Old, Renew, Renewed},
    vector::VECTOR,
};
use crate::codec::{Codec, Coded, Layout, Reference, field, group};
use spelunk_core::{Field, Ty, field::Role};

const PAGE: &str = "docs/formats/classes/entities.md#ckcurvepoint";

/// A point of a curve.
#[derive(Clone, Debug, Default)]
pub struct CurvePoint {
    /// State of the base class.
    pub entity: Entity3d,
    /// The point; from data version 5 on.
    pub point: Option<Point>,
    /// The point; below data version 5.
    pub old_point: Option<OldPoint>,
    /// Below data version 5: tension, continuity, bias.
    pub old_tcb: Option<[f32; 3]>,
    /// Below data version 5: the tangents that lead to it and away from it.
    pub old_tangents: Option<[[f32; 3]; 2]>,
    /// Below data version 5: a vector. What it means is not known.
    pub old_vector: Option<[f32; 3]>,
}

/// Place and shape of a point of a curve.
#[derive(Clone, Debug, Default)]
pub struct Point {
    /// The curve.
    pub curve: Reference,
    /// 0: tension, continuity and bias make the tangents; else those that are stored count.
    pub use_tangents: i32,
    /// Not 0: a straight line leads away from it.
    pub linear: i32,
    /// Tension, continuity, bias.
    pub tcb: [f32; 3],
    /// The tangent that leads to it, in the space of the curve.
    pub tangent_in: [f32; 3],
    /// The tangent that leads away from it, in the space of the curve.
    pub tangent_out: [f32; 3],
}

/// Place and shape of a point of a curve, below data version 5.
#[derive(Clone, Debug, Default)]
pub struct OldPoint {
    /// The curve.
    pub curve: Reference,
    /// 0: tension, continuity and bias make the tangents; else those that are stored count.
    pub use_tangents: i32,
    /// Not 0: a straight line leads away from it.
    pub linear: i32,
    /// Position of the point.
    pub position: [f32; 3],
}

impl Layout for CurvePoint {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.entity.layout(c)?;
        let old = c.version() < 5;
        if c.when(old, "data version below 5") {
            return self.old(c);
        }
        c.section(0x1000_0000, group!("point", "The point."), &mut self.point, |c, point| {
            head(c, &mut point.curve, &mut point.use_tangents, &mut point.linear)?;
            c.item(tcb(), &mut point.tcb)?;
            c.item(field!("tangent_in", VECTOR, "It leads to it."), &mut point.tangent_in)?;
            c.item(field!("tangent_out", VECTOR, "It leads away."), &mut point.tangent_out)
        })
    }
}

impl CurvePoint {
    /// Sections below data version 5.
    fn old<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        c.section(
            0x1000_0000,
            group!("old_point", "The point, below data version 5."),
            &mut self.old_point,
            |c, point| {
                head(c, &mut point.curve, &mut point.use_tangents, &mut point.linear)?;
                c.item(field!("position", VECTOR, "Where it is."), &mut point.position)
            },
        )?;
        c.section(
            0x2000_0000,
            group!("old_tcb", "How it bends, below data version 5."),
            &mut self.old_tcb,
            |c, value| c.item(tcb(), value),
        )?;
        c.section(
            0x4000_0000,
            group!("old_tangents", "Its tangents, below data version 5."),
            &mut self.old_tangents,
            |c, [to, away]| {
                c.item(field!("tangent_in", VECTOR, "It leads to it."), to)?;
                c.item(field!("tangent_out", VECTOR, "It leads away."), away)
            },
        )?;
        c.section(
            0x8000_0000,
            group!("old_vector", "A vector, below data version 5."),
            &mut self.old_vector,
            |c, vector| c.item(field!("vector", VECTOR, "x, y, z.", role(Role::Opaque)), vector),
        )
    }
}

fn head<C: Codec>(
    c: &mut C,
    curve: &mut Reference,
    use_tangents: &mut i32,
    linear: &mut i32,
) -> Coded<C> {
    c.object(field!("curve", Ty::U32, "The curve."), curve)?;
    c.item(
        field!("use_tangents", Ty::I32, "0: tension, continuity, bias make them."),
        use_tangents,
    )?;
    c.item(field!("linear", Ty::I32, "Not 0: a straight line leads away."), linear)
}

fn tcb() -> &'static Field {
    field!("tcb", VECTOR, "Tension, continuity, bias.")
}

impl Fresh for CurvePoint {
    fn fresh(host: &Host) -> CurvePoint {
        let point = Some(Point { curve: host.null(), ..Point::default() });
        CurvePoint { entity: Fresh::fresh(host), point, ..CurvePoint::default() }
    }
}

impl Renew for CurvePoint {
    fn renew(&mut self, old: &Old) -> Renewed {
        self.entity.renew(old)?;
        let (tcb, tangents) = (self.old_tcb.take(), self.old_tangents.take());
        if self.old_vector.take().is_some() && !old.lossy {
            return Err("it has a vector (0x80000000) whose meaning is not known");
        }
        let Some(point) = self.old_point.take() else {
            return match (tcb, tangents) {
                (None, None) => Ok(()),
                _ => Err("its curve is missing"),
            };
        };
        let place = self.entity.data.as_ref().map(|data| data.position);
        if place != Some(point.position) && !old.lossy {
            return Err("its position is not that of the entity");
        }
        let [tangent_in, tangent_out] = tangents.unwrap_or_default();
        let OldPoint { curve, use_tangents, linear, .. } = point;
        let tcb = tcb.unwrap_or_default();
        self.point = Some(Point { curve, use_tangents, linear, tcb, tangent_in, tangent_out });
        Ok(())
    }
}
