//! Curves (`docs/formats/classes/entities.md#ckcurve`).

use super::{
    matrix::{Matrix, Vector},
    position::{of, positions},
};
use crate::class;

/// A curve through points in space.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    /// The points.
    pub points: Vec<u32>,
    /// Most that points may be moved to fit.
    pub fitting: f32,
    /// Into how many lines it is divided.
    pub steps: u32,
    /// Whether the last point is joined to the first.
    pub is_closed: bool,
}

impl Curve {
    /// The curve that was saved.
    pub(super) fn of(saved: &class::curve::Curve) -> Curve {
        match &saved.curve {
            Some(data) => Curve {
                points: positions(&Some(data.points.clone())),
                fitting: data.fitting,
                steps: data.steps,
                is_closed: data.open == 0,
            },
            None => Curve {
                points: match &saved.saved_points {
                    Some(points) if saved.old_points.is_none() => {
                        points.iter().filter_map(|point| of(point.point)).collect()
                    }
                    _ => positions(&saved.old_points),
                },
                fitting: saved.old_fitting.unwrap_or_default(),
                steps: saved.old_steps.unwrap_or(100),
                is_closed: saved.old_open == Some(0),
            },
        }
    }
}

/// A point of a curve. Its place is that of its entity.
#[derive(Clone, Debug, Default)]
pub struct Point {
    /// The curve.
    pub curve: Option<u32>,
    /// Whether the tangents that are stored count; else tension, continuity and bias make them.
    pub use_tangents: bool,
    /// Whether a straight line leads away from it.
    pub is_linear: bool,
    /// Tension, continuity, bias.
    pub tcb: [f32; 3],
    /// The tangent that leads to it, in the space of the curve.
    pub tangent_in: [f32; 3],
    /// The tangent that leads away from it, in the space of the curve.
    pub tangent_out: [f32; 3],
}

impl Point {
    /// The point that was saved.
    pub(super) fn of(saved: &class::curve_point::CurvePoint) -> Point {
        if let Some(point) = &saved.point {
            return Point {
                curve: of(point.curve),
                use_tangents: point.use_tangents != 0,
                is_linear: point.linear != 0,
                tcb: point.tcb,
                tangent_in: point.tangent_in,
                tangent_out: point.tangent_out,
            };
        }
        let old = saved.old_point.clone().unwrap_or_default();
        let [tangent_in, tangent_out] = saved.old_tangents.unwrap_or_default();
        Point {
            curve: of(old.curve),
            use_tangents: old.use_tangents != 0,
            is_linear: old.linear != 0,
            tcb: saved.old_tcb.unwrap_or_default(),
            tangent_in,
            tangent_out,
        }
    }

    /// The tangents that lead to it and away from it, between its neighbours, in the space of the world. `curve` is where
    /// the curve is.
    pub(super) fn tangents(&self, curve: &Matrix, [before, at, after]: [Vector; 3]) -> [Vector; 2] {
        if self.use_tangents {
            let stored = [self.tangent_in, self.tangent_out];
            return stored.map(|tangent| curve.direction(tangent.map(f64::from)));
        }
        let [t, c, b] = self.tcb.map(f64::from);
        let blend = |c: f64| {
            let come = (1.0 - t) * (1.0 + c) * (1.0 + b) / 2.0;
            let go = (1.0 - t) * (1.0 - c) * (1.0 - b) / 2.0;
            let mut axes = before
                .iter()
                .zip(at)
                .zip(after)
                .map(|((before, at), after)| come * (at - before) + go * (after - at));
            std::array::from_fn(|_| axes.next().unwrap_or_default())
        };
        [blend(-c), blend(c)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_tension_tangents_are_those_of_the_neighbours() {
        let point = Point { tangent_in: [9.0; 3], tangent_out: [9.0; 3], ..Point::default() };
        let neighbours = [[0.0; 3], [1.0, 0.0, 0.0], [2.0, 4.0, 0.0]];
        let [to, away] = point.tangents(&Matrix::IDENTITY, neighbours);
        assert_eq!((to, away), ([1.0, 2.0, 0.0], [1.0, 2.0, 0.0]));
        // Half of what tension leaves of the way from neighbour to neighbour.
        let tight = Point { tcb: [-0.6, 0.0, 0.0], ..point };
        let [to, away] = tight.tangents(&Matrix::IDENTITY, neighbours);
        assert_eq!(to, away);
        let near = |one: f64, other: f64| (one - other).abs() < 1e-6;
        assert!(near(to[0], 1.6) && near(to[1], 3.2) && near(to[2], 0.0), "{to:?}");
    }

    #[test]
    fn stored_tangents_are_turned_with_the_curve() {
        let point = Point {
            use_tangents: true,
            tangent_in: [1.0, 2.0, 3.0],
            tangent_out: [4.0, 0.0, 0.0],
            ..Point::default()
        };
        // A quarter turn: x goes to -z, z to x. Where the curve is does not matter.
        let curve = Matrix {
            axes: [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]],
            position: [50.0; 3],
        };
        let [to, away] = point.tangents(&curve, [[0.0; 3]; 3]);
        assert_eq!((to, away), ([3.0, 2.0, -1.0], [0.0, 0.0, -4.0]));
    }
}
