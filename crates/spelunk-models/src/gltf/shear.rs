//! Shear: what of the place of an entity no node of glTF can have. The vertices of a mesh go by it on the way out, and back
//! on the way in.

use super::extras::Axes;
use crate::export::finite;
use virtools::scene::{matrix::Matrix, mesh::unit};

/// A map of axes before a node is placed, in the numbers that documents have for it.
#[derive(Clone, Copy, Debug)]
pub struct Shear {
    matrix: Matrix,
    /// The map back; `None` where it makes flat what was not.
    inverse: Option<Matrix>,
}

impl Shear {
    /// The axes of a matrix, in single precision.
    pub fn of(matrix: &Matrix) -> Shear {
        Shear::of_axes(matrix.axes.map(|axis| axis.map(finite)))
    }

    /// The shear that a document holds.
    pub fn of_axes(axes: Axes) -> Shear {
        let axes = axes.map(|axis| axis.map(f64::from));
        let matrix = Matrix { axes, position: [0.0; 3] };
        Shear { matrix, inverse: matrix.inverse() }
    }

    /// Returns the images of the axes.
    pub fn axes(&self) -> Axes {
        self.matrix.axes.map(|axis| axis.map(finite))
    }

    /// Whether all of its numbers are numbers, and all points can go back.
    pub const fn has_inverse(&self) -> bool {
        self.inverse.is_some()
    }

    /// Whether it mirrors.
    pub fn mirrors(&self) -> bool {
        self.matrix.determinant() < 0.0
    }

    /// The shear, and then the place of a node.
    pub fn then(&self, node: &Matrix) -> Matrix {
        self.matrix.then(node)
    }

    /// Returns the image of a point.
    pub fn point(&self, point: [f32; 3]) -> [f32; 3] {
        self.matrix.point(point.map(f64::from)).map(finite)
    }

    /// Returns the image of a normal, at length 1. Normals stay upright on faces where they take the inverse the other way
    /// around.
    pub fn normal(&self, normal: [f32; 3]) -> [f32; 3] {
        let turned = self.inverse.map_or(self.matrix, |inverse| transposed(&inverse));
        unit(turned.direction(normal.map(f64::from)).map(finite))
    }

    /// Returns the point that goes to this one: the stored one, where it does.
    pub fn point_before(&self, point: [f32; 3], stored: Option<[f32; 3]>) -> Option<[f32; 3]> {
        let back = || Some(self.inverse?.point(point.map(f64::from)).map(finite));
        stored.filter(|stored| self.point(*stored) == point).or_else(back)
    }

    /// Returns the normal that goes to this one: the stored one, where it does.
    pub fn normal_before(&self, normal: [f32; 3], stored: Option<[f32; 3]>) -> [f32; 3] {
        let back = || {
            let turned = transposed(&self.matrix);
            unit(turned.direction(normal.map(f64::from)).map(finite))
        };
        stored.filter(|stored| self.normal(*stored) == normal).unwrap_or_else(back)
    }
}

/// The matrix with axes for columns and columns for axes.
fn transposed(matrix: &Matrix) -> Matrix {
    let [[a, b, c], [d, e, f], [g, h, i]] = matrix.axes;
    Matrix { axes: [[a, d, g], [b, e, h], [c, f, i]], position: [0.0; 3] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_went_comes_back() {
        let shear = Shear::of_axes([[1.0, 0.0, 0.0], [0.4, 1.0, 0.0], [0.1, -0.2, 2.0]]);
        let (point, normal) = ([0.1, -7.3, 11.0], unit([0.2, -0.9, 0.3]));
        let (gone, turned) = (shear.point(point), shear.normal(normal));
        assert_ne!((gone, turned), (point, normal));
        assert_eq!(shear.point_before(gone, Some(point)), Some(point));
        assert_eq!(shear.normal_before(turned, Some(normal)), normal);
        // The stored place of another point does not count.
        let near = |one: [f32; 3], other: [f32; 3]| {
            one.iter().zip(other).all(|(one, other)| (one - other).abs() < 1e-5)
        };
        assert!(near(shear.point_before(gone, Some([0.0; 3])).unwrap(), point));
        assert!(near(shear.normal_before(turned, None), normal));
        let flat = Shear::of_axes([[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
        assert!(!flat.has_inverse());
        assert_eq!(flat.point_before(flat.point(point), Some(point)), Some(point));
        assert_eq!(flat.point_before(flat.point(point), None), None);
    }
}
