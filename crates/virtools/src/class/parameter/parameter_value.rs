//! What types of parameters save in chunks of their own (`docs/formats/classes/parameters.md#values-in-sub-chunks`).

use crate::{
    class::{parameter_out::ParameterOut, parameter_type},
    codec::{Array, Codec, Coded, Layout, Opaque, Reference, Saved, field, group},
};
use spelunk_core::Ty;
use zerocopy::little_endian::U32;

const PAGE: &str = "docs/formats/classes/parameters.md#values-in-sub-chunks";

/// A value that its type saves in its own way. Each type uses one of these.
#[derive(Clone, Debug, Default)]
pub struct ChunkValue {
    /// A curve of the plane.
    pub curve: Option<Option<Box<Saved<Curve>>>>,
    /// Objects.
    pub objects: Option<Array<U32>>,
    /// Copies or deletes nothing along with an object.
    pub no_dependencies: bool,
    /// Copies or deletes everything along with an object.
    pub all_dependencies: bool,
    /// What is copied or deleted along with an object.
    pub dependencies: Option<Array<[U32; 2]>>,
    /// The members of a structure.
    pub members: Option<Vec<Option<Box<Saved<ParameterOut>>>>>,
    /// The type of the parameter, which names the members; not stored here.
    pub structure: [u32; 2],
}

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
    /// What it saves, in a form that is not known.
    pub content: Option<Opaque>,
}

/// The points of a curve.
#[derive(Clone, Debug, Default)]
pub struct CurveData {
    /// Always null; as many as there are points.
    pub objects: Array<U32>,
    /// How far points may be moved to fit.
    pub fitting: f32,
    /// The points.
    pub points: Vec<Point>,
}

/// A point of a curve.
#[derive(Clone, Debug, Default)]
pub struct Point {
    /// [`HAS_DATA`] and what the point is.
    pub flags: u32,
    /// Where the flag says that it is there.
    pub data: Option<PointData>,
}

/// The numbers of a point.
#[derive(Clone, Copy, Debug, Default)]
pub struct PointData {
    /// Where it is: x, y.
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

/// The bit of [`Point::flags`] that tells that the numbers follow.
pub const HAS_DATA: u32 = 0x1000_0000;

const POINT_FLAGS: &[(u32, &str)] = &[(1, "use tangents"), (2, "linear"), (HAS_DATA, "has data")];

impl Layout for ChunkValue {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        let structure = self.structure;
        c.section(0x0E, group!("curve", "A curve of the plane."), &mut self.curve, |c, curve| {
            c.sub_chunk(group!("chunk", "The curve."), curve)
        })?;
        c.section(0x50, group!("objects", "Some objects."), &mut self.objects, |c, objects| {
            c.objects(field!("objects", Ty::U32, "The objects."), objects)
        })?;
        c.flag(
            0x1224_8766,
            field!("no_dependencies", Ty::Bool, "Nothing comes along with an object."),
            &mut self.no_dependencies,
        )?;
        c.flag(
            0x1224_8767,
            field!("all_dependencies", Ty::Bool, "Everything comes along with an object."),
            &mut self.all_dependencies,
        )?;
        c.section(
            0x1224_8768,
            group!("dependencies", "What comes along with an object, by its class."),
            &mut self.dependencies,
            |c, pairs| {
                let count = c.remaining(pairs.len().saturating_mul(2)) >> 1;
                let field = field!(
                    "dependencies",
                    Ty::Array(&Ty::Word, 2),
                    "A class id, and bits that tell what comes along with objects of that class.",
                );
                c.array(field, count, pairs)
            },
        )?;
        c.section(
            0x1234_8765,
            group!("structure", "The members of a structure."),
            &mut self.members,
            |c, members| {
                let structure = parameter_type::find(structure);
                c.item_names(structure.map(|known| known.member.values).unwrap_or_default());
                let mut nth = 0;
                c.counted(
                    field!("count", Ty::U32, "How many members follow."),
                    group!("members", "Parameters, each in a sub-chunk of its own."),
                    members,
                    |c, member| {
                        if let Some(known) = structure {
                            c.label(&known.member, nth)?;
                            nth = nth.saturating_add(1);
                        }
                        c.sub_chunk(group!("parameter", "The member."), member)
                    },
                )
            },
        )
    }
}

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
