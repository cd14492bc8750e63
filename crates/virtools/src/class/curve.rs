//! `CKCurve` (`docs/formats/classes/entities.md#ckcurve`).

use super::{
    curve_point::CurvePoint,
    entity_3d::Entity3d,
    fresh::{Fresh, Host},
    renew::{Old, Renew, Renewed},
};
use crate::codec::{Array, Codec, Coded, Layout, Reference, Saved, field, group};
use spelunk_core::{Field, Ty};
use zerocopy::little_endian::U32;

const PAGE: &str = "docs/formats/classes/entities.md#ckcurve";

/// A curve in space.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    /// State of the base class.
    pub entity: Entity3d,
    /// The curve; from data version 5 on.
    pub curve: Option<CurveData>,
    /// Below data version 5: the points.
    pub old_points: Option<Array<U32>>,
    /// Below data version 5: how far points may be moved to fit.
    pub old_fitting: Option<f32>,
    /// Below data version 5: into how many lines it is divided.
    pub old_steps: Option<u32>,
    /// Below data version 5: 1 where the last point is not joined to the first.
    pub old_open: Option<u32>,
    /// Outside file mode, and below data version 5 in any: the points with what they saved.
    pub saved_points: Option<Vec<SavedPoint>>,
}

/// A point of a curve with what it saved.
#[derive(Clone, Debug, Default)]
pub struct SavedPoint {
    /// The point.
    pub point: Reference,
    /// State that the point saved.
    pub saved: Option<Box<Saved<CurvePoint>>>,
}

/// Points and settings of a curve.
#[derive(Clone, Debug, Default)]
pub struct CurveData {
    /// The points.
    pub points: Array<U32>,
    /// Most that points may be moved to fit.
    pub fitting: f32,
    /// Into how many lines it is divided.
    pub steps: u32,
    /// 1 where the last point is not joined to the first.
    pub open: u32,
}

impl Layout for Curve {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.entity.layout(c)?;
        c.section(0xFFC0_0000, group!("curve", "The curve."), &mut self.curve, |c, curve| {
            c.objects(points(), &mut curve.points)?;
            c.item(fitting(), &mut curve.fitting)?;
            c.item(steps(), &mut curve.steps)?;
            c.item(open(), &mut curve.open)
        })?;
        c.section(
            0x80_0000,
            group!("old_points", "The points, below data version 5."),
            &mut self.old_points,
            |c, value| c.objects(points(), value),
        )?;
        c.section(
            0x40_0000,
            group!("old_fitting", "How it fits, below data version 5."),
            &mut self.old_fitting,
            |c, value| c.item(fitting(), value),
        )?;
        c.section(
            0x100_0000,
            group!("old_steps", "How it is divided, below data version 5."),
            &mut self.old_steps,
            |c, value| c.item(steps(), value),
        )?;
        c.section(
            0x200_0000,
            group!("old_open", "Where it ends, below data version 5."),
            &mut self.old_open,
            |c, value| c.item(open(), value),
        )?;
        let there = !c.header().file_mode || c.version() < 5;
        if !c.when(there, "outside file mode, or data version below 5") {
            return Ok(());
        }
        c.section(
            0xFF00_0000,
            group!("saved_points", "The points with what they saved."),
            &mut self.saved_points,
            |c, points| {
                c.counted(
                    field!("count", Ty::U32, "How many follow."),
                    group!("points", "The points."),
                    points,
                    |c, SavedPoint { point, saved }| {
                        c.object(field!("point", Ty::U32, "The point."), point)?;
                        c.sub_chunk(group!("saved", "What the point saved."), saved)
                    },
                )
            },
        )
    }
}

fn points() -> &'static Field {
    field!("points", Ty::U32, "The points.")
}

fn fitting() -> &'static Field {
    field!("fitting", Ty::F32, "How far points may be moved to fit.")
}

fn steps() -> &'static Field {
    field!("steps", Ty::U32, "Into how many lines it is divided.")
}

fn open() -> &'static Field {
    field!("open", Ty::U32, "1 where the last point is not joined to the first.")
}

impl Fresh for Curve {
    fn fresh(host: &Host) -> Curve {
        let curve = Some(CurveData { steps: 100, open: 1, ..CurveData::default() });
        Curve { entity: Fresh::fresh(host), curve, ..Curve::default() }
    }
}

impl Renew for Curve {
    fn renew(&mut self, old: &Old) -> Renewed {
        self.entity.renew(old)?;
        if self.saved_points.is_some() {
            return Err("it holds what its points saved");
        }
        let all = (
            self.old_points.take(),
            self.old_fitting.take(),
            self.old_steps.take(),
            self.old_open.take(),
        );
        if self.curve.is_some() || matches!(all, (None, None, None, None)) {
            return Ok(());
        }
        let (points, fitting, steps, open) = all;
        // What is missing stays as a new curve has it.
        self.curve = Some(CurveData {
            points: points.unwrap_or_default(),
            fitting: fitting.unwrap_or_default(),
            steps: steps.unwrap_or(100),
            open: open.unwrap_or(1),
        });
        Ok(())
    }
}
