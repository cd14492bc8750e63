//! Curves (`docs/formats/classes/entities.md#ckcurve`).

use super::{
    Scene,
    entity::Kind,
    matrix::{Matrix, Vector},
    of, positions,
};
use crate::class;
use spelunk_core::{Budget, Result};

/// A curve is never divided into more lines than this; real ones have some hundred.
const MOST_STEPS: u32 = 4096;

/// A curve through points in space.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    /// The points.
    pub points: Vec<u32>,
    /// How far points may be moved to fit.
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
    fn tangents(&self, curve: &Matrix, [before, at, after]: [Vector; 3]) -> [Vector; 2] {
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

impl Scene<'_> {
    /// The points of the line that a curve is divided into, in the space of the world; none for what is no curve of two
    /// points or more. Between points with tangents it is a Hermite curve.
    ///
    /// # Errors
    /// Limits.
    pub fn line(&self, index: u32, budget: &mut Budget) -> Result<Vec<[f64; 3]>> {
        let Some(entity) = self.entities.get(&index) else { return Ok(Vec::new()) };
        let Kind::Curve(curve) = &entity.kind else { return Ok(Vec::new()) };
        budget.steps(curve.points.len() as u64)?;
        let points: Vec<_> = curve
            .points
            .iter()
            .filter_map(|point| self.entities.get(point))
            .filter_map(|entity| match &entity.kind {
                Kind::Point(point) => Some((entity.world.position, point)),
                _ => None,
            })
            .collect();
        let count = points.len();
        let nth = |nth: usize| points.get(nth).map(|(position, _)| *position).unwrap_or_default();
        let last = count.saturating_sub(1);
        let segments = if curve.is_closed { count } else { last };
        if count < 2 {
            return Ok(Vec::new());
        }
        let steps = curve.steps.clamp(1, MOST_STEPS) as usize;
        let each = steps.div_ceil(segments.max(1));
        let mut line =
            budget.vec((each as u64).saturating_mul(segments as u64).saturating_add(1))?;
        budget.steps((each as u64).saturating_mul(segments as u64))?;
        let around = |at: usize| {
            let first = if curve.is_closed { last } else { 0 };
            let before = at.checked_sub(1).unwrap_or(first);
            let after = if at < last {
                at.saturating_add(1)
            } else if curve.is_closed {
                0
            } else {
                last
            };
            (before, after)
        };
        line.push(nth(0));
        for at in 0..segments {
            let (before, next) = around(at);
            let (_, after) = around(next);
            let (Some((from, start)), Some((to, end))) = (points.get(at), points.get(next)) else {
                continue;
            };
            let [_, leave] = start.tangents(&entity.world, [nth(before), *from, *to]);
            let [arrive, _] = end.tangents(&entity.world, [*from, *to, nth(after)]);
            for step in 1..=each {
                let t = step as f64 / each as f64;
                let straight = start.is_linear;
                let mut axes = from.iter().zip(to).zip(leave.iter().zip(arrive)).map(
                    |((from, to), (leave, arrive))| {
                        if straight {
                            from + (to - from) * t
                        } else {
                            hermite(t, [*from, *to], [*leave, arrive])
                        }
                    },
                );
                line.push(std::array::from_fn(|_| axes.next().unwrap_or_default()));
            }
        }
        Ok(line)
    }
}

/// A cubic curve from one value to another, with the slopes there.
fn hermite(t: f64, [from, to]: [f64; 2], [leave, arrive]: [f64; 2]) -> f64 {
    let (square, cube) = (t * t, t * t * t);
    from * (2.0 * cube - 3.0 * square + 1.0)
        + leave * (cube - 2.0 * square + t)
        + to * (3.0 * square - 2.0 * cube)
        + arrive * (cube - square)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_go_through_their_ends_with_their_slopes() {
        assert_eq!(hermite(0.0, [3.0, 5.0], [1.0, -1.0]), 3.0);
        assert_eq!(hermite(1.0, [3.0, 5.0], [1.0, -1.0]), 5.0);
        let slope = (hermite(1e-6, [3.0, 5.0], [1.0, -1.0]) - 3.0) / 1e-6;
        assert!((slope - 1.0).abs() < 1e-4);
    }

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
