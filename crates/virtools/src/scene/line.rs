//! The lines that curves are divided into.

use super::{Scene, entity::EntityKind};
use spelunk_core::{Budget, Result};

/// A curve is never divided into more lines than this; real ones have some hundred.
const MOST_STEPS: u32 = 4096;

impl Scene<'_> {
    /// The points of the line that a curve is divided into, in the space of the world; none for what is no curve of two
    /// points or more. Between points with tangents it is a Hermite curve.
    ///
    /// # Errors
    /// Limits.
    pub fn line(&self, index: u32, budget: &mut Budget) -> Result<Vec<[f64; 3]>> {
        let Some(entity) = self.entities.get(&index) else { return Ok(Vec::new()) };
        let EntityKind::Curve(curve) = &entity.kind else { return Ok(Vec::new()) };
        budget.steps(curve.points.len() as u64)?;
        let points: Vec<_> = curve
            .points
            .iter()
            .filter_map(|point| self.entities.get(point))
            .filter_map(|entity| match &entity.kind {
                EntityKind::Point(point) => Some((entity.world.position, point)),
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
}
