//! Curves of the plane (`docs/formats/classes/parameters.md#values-in-sub-chunks`).

use crate::codec::{Array, Codec, Coded, Layout, Opaque, Reference, field, group};
use spelunk_core::Ty;
use zerocopy::little_endian::U32;

const PAGE: &str = "docs/formats/classes/parameters.md#values-in-sub-chunks";

/// A curve of the plane.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    /// The curve.
    pub curve: Option<CurveData>,
    /// Below data version 1: how far points may be moved to fit.
    pub old_fitting: Option<f32>,
    /// Below data version 1: the points.
    pub old_points: Option<Vec<OldPoint>>,
}

/// A point of a curve below data version 1.
#[derive(Clone, Debug, Default)]
pub struct OldPoint {
    /// The point as an object.
    pub object: Reference,
    /// State of the manager, in a form that is not known.
    pub content: Option<Opaque>,
}

/// The points of a curve.
#[derive(Clone, Debug, Default)]
pub struct CurveData {
    /// Always null; as many as there are points.
    pub objects: Array<U32>,
    /// Most that points may be moved to fit.
    pub fitting: f32,
    /// The points.
    pub points: Vec<Point>,
}

/// A point of a curve.
#[derive(Clone, Debug, Default)]
pub struct Point {
    /// [`HAS_DATA`] and what the point is.
    pub flags: u32,
    /// State of the point, where the flag says that it is there.
    pub data: Option<PointData>,
}

/// The numbers of a point.
#[derive(Clone, Copy, Debug, Default)]
pub struct PointData {
    /// Position of the point: x, y.
    pub position: [f32; 2],
    /// Tension, continuity, bias.
    pub tcb: [f32; 3],
    /// 0.
    pub reserved: [f32; 2],
    /// The tangent that leads to it.
    pub tangent_in: [f32; 2],
    /// The tangent that leads away from it.
    pub tangent_out: [f32; 2],
}

/// The bit of [`Point::flags`] that says that the numbers follow.
pub const HAS_DATA: u32 = 0x1000_0000;

const POINT_FLAGS: &[(u32, &str)] = &[(1, "use tangents"), (2, "linear"), (HAS_DATA, "has data")];

impl Layout for Curve {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        c.section(0x100, group!("points", "The points."), &mut self.curve, |c, curve| {
            let CurveData { objects, fitting, points } = curve;
            c.parallel(field!("objects", Ty::U32, "Null, once for each point."), objects)?;
            c.item(field!("fitting", Ty::F32, "How far points may be moved to fit."), fitting)?;
            c.list(group!("points", "The points."), objects.len(), points, point)
        })?;
        c.section(
            0x40,
            group!("old_fitting", "Below data version 1."),
            &mut self.old_fitting,
            |c, fitting| {
                c.item(field!("fitting", Ty::F32, "How far points may be moved to fit."), fitting)
            },
        )?;
        c.section(
            0x3_F800,
            group!("old_points", "Below data version 1."),
            &mut self.old_points,
            |c, points| {
                let count = field!("count", Ty::U32, "How many points follow.");
                let record = group!("points", "The points.");
                c.counted(count, record, points, |c, OldPoint { object, content }| {
                    c.object(field!("object", Ty::U32, "The point as an object."), object)?;
                    c.opaque(group!("content", "What the point saves."), content)
                })
            },
        )
    }
}

fn point<C: Codec>(c: &mut C, point: &mut Point) -> Coded<C> {
    let Point { flags, data } = point;
    c.item(field!("flags", Ty::Word, "What the point is.", bits(POINT_FLAGS)), flags)?;
    let has_data = *flags & HAS_DATA != 0;
    if !c.when(has_data, "has data") {
        return Ok(());
    }
    let data = data.get_or_insert_default();
    c.item(field!("position", Ty::Array(&Ty::F32, 2), "Where it is: x, y."), &mut data.position)?;
    c.item(field!("tcb", Ty::Array(&Ty::F32, 3), "Tension, continuity, bias."), &mut data.tcb)?;
    c.item(field!("reserved", Ty::Array(&Ty::F32, 2), "0."), &mut data.reserved)?;
    c.item(
        field!("tangent_in", Ty::Array(&Ty::F32, 2), "The tangent that leads to it."),
        &mut data.tangent_in,
    )?;
    c.item(
        field!("tangent_out", Ty::Array(&Ty::F32, 2), "The tangent that leads away from it."),
        &mut data.tangent_out,
    )
}
