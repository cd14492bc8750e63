//! Matrices: products, inverses, and taking them apart.
//!
//! Files store single precision; all arithmetic is done in double precision, so that what goes through a parent and
//! back is the same number again.

/// A number pair or triple as a vector.
pub(crate) type Vector = [f64; 3];

/// Cosines of axes above this are no longer noise of single precision: the matrix is sheared.
const SHEARED: f64 = 1e-5;

/// A place in space, for row vectors: a point `p` goes to `p * axes + position`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Matrix {
    /// Images of the three axes.
    pub axes: [Vector; 3],
    /// Image of the origin.
    pub position: Vector,
}

/// Scaling, then rotation, then translation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Transform {
    /// Translation.
    pub translation: Vector,
    /// Rotation: x, y, z, w of a quaternion of length 1 that turns column vectors.
    pub rotation: [f64; 4],
    /// Along the axes; negative where it mirrors.
    pub scale: Vector,
}

fn dot([a, b, c]: Vector, [x, y, z]: Vector) -> f64 {
    a * x + b * y + c * z
}

pub(crate) fn cross([a, b, c]: Vector, [x, y, z]: Vector) -> Vector {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

fn times(vector: Vector, factor: f64) -> Vector {
    vector.map(|value| value * factor)
}

fn plus([a, b, c]: Vector, [x, y, z]: Vector) -> Vector {
    [a + x, b + y, c + z]
}

pub(crate) fn length(vector: Vector) -> f64 {
    dot(vector, vector).sqrt()
}

/// A vector of length 1 that stands upright on one of length 1.
fn upright(axis: Vector) -> Vector {
    let [x, y, _] = axis;
    let other = if x.abs() < 0.6 {
        [1.0, 0.0, 0.0]
    } else if y.abs() < 0.6 {
        [0.0, 1.0, 0.0]
    } else {
        [0.0, 0.0, 1.0]
    };
    let upright = cross(axis, other);
    times(upright, 1.0 / length(upright))
}

impl Matrix {
    /// Matrix that moves nothing.
    pub const IDENTITY: Matrix =
        Matrix { axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], position: [0.0; 3] };

    /// The matrix of four rows as files store them, without their fourth column.
    pub fn of_rows(rows: [[f32; 4]; 4]) -> Matrix {
        let [x, y, z, position] = rows.map(|[x, y, z, _]| [x, y, z].map(f64::from));
        Matrix { axes: [x, y, z], position }
    }

    /// The four rows, with the fourth column.
    pub fn rows(&self) -> [[f32; 4]; 4] {
        let row = |[x, y, z]: Vector, w| [x as f32, y as f32, z as f32, w];
        let [x, y, z] = self.axes;
        [row(x, 0.0), row(y, 0.0), row(z, 0.0), row(self.position, 1.0)]
    }

    /// Whether all of its numbers are numbers.
    pub fn is_finite(&self) -> bool {
        self.axes.iter().chain([&self.position]).flatten().all(|value| value.is_finite())
    }

    /// Returns the image of a direction.
    pub fn direction(&self, [x, y, z]: Vector) -> Vector {
        let [a, b, c] = self.axes;
        plus(plus(times(a, x), times(b, y)), times(c, z))
    }

    /// Returns the image of a point.
    pub fn point(&self, point: Vector) -> Vector {
        plus(self.direction(point), self.position)
    }

    /// Returns this matrix followed by another one.
    #[must_use]
    pub fn then(&self, next: &Matrix) -> Matrix {
        Matrix {
            axes: self.axes.map(|axis| next.direction(axis)),
            position: next.point(self.position),
        }
    }

    /// The factor by which volumes grow; negative where it mirrors.
    pub fn determinant(&self) -> f64 {
        let [a, b, c] = self.axes;
        dot(cross(a, b), c)
    }

    /// Returns the inverse; `None` where the matrix makes flat what was not.
    pub fn inverse(&self) -> Option<Matrix> {
        let [a, b, c] = self.axes;
        let determinant = self.determinant();
        // In relation to the axes, so that what is small in all directions is not taken for flat.
        let full = length(a) * length(b) * length(c);
        if !determinant.is_normal() || determinant.abs() < full * 1e-9 {
            return None;
        }
        let [p, q, r] = [cross(b, c), cross(c, a), cross(a, b)];
        let column = |pick: fn(Vector) -> f64| [pick(p), pick(q), pick(r)];
        let axes = [column(|[x, _, _]| x), column(|[_, y, _]| y), column(|[_, _, z]| z)]
            .map(|axis| times(axis, 1.0 / determinant));
        let turned = Matrix { axes, position: [0.0; 3] };
        let inverse = Matrix { position: times(turned.direction(self.position), -1.0), ..turned };
        inverse.is_finite().then_some(inverse)
    }

    /// Whether its axes do not stand upright on each other.
    pub fn is_sheared(&self) -> bool {
        let [a, b, c] = self.axes;
        [(a, b), (a, c), (b, c)].iter().any(|(one, other)| {
            let full = length(*one) * length(*other);
            full > 0.0 && dot(*one, *other).abs() > full * SHEARED
        })
    }

    /// The same place where the third axis points to the other side: what a left-handed space is in a right-handed
    /// one, and back.
    #[must_use]
    pub fn flipped(&self) -> Matrix {
        let flip = |[x, y, z]: Vector| [x, y, -z];
        let [a, b, c] = self.axes.map(flip);
        Matrix { axes: [a, b, times(c, -1.0)], position: flip(self.position) }
    }

    /// Takes it apart: what is left over, which is to be applied first, and the transform. Nothing is left over of
    /// matrices without shear; of others the shear, and of flat sheared ones all three axes.
    pub fn split(&self) -> (Option<Matrix>, Transform) {
        let Matrix { axes: [a, b, c], position } = *self;
        let lengths = [length(a), length(b), length(c)];
        let sheared = self.is_sheared();
        let moved = Transform { translation: position, ..Transform::IDENTITY };
        if sheared && self.inverse().is_none() {
            return (Some(Matrix { position: [0.0; 3], ..*self }), moved);
        }
        // Each axis without what it shares with those before; flat ones get any direction that is left.
        let unit = |axis: Vector| length(axis).is_normal().then(|| times(axis, 1.0 / length(axis)));
        let without = |axis: Vector, from: Vector| plus(axis, times(from, -dot(axis, from)));
        let x = unit(a);
        let y = unit(x.map_or(b, |x| without(b, x)));
        let z = unit([x, y].into_iter().flatten().fold(c, without));
        let [x, y, z] = match [x, y, z] {
            [Some(x), Some(y), Some(z)] => [x, y, z],
            [Some(x), Some(y), None] => [x, y, cross(x, y)],
            [Some(x), None, Some(z)] => [x, cross(z, x), z],
            [None, Some(y), Some(z)] => [cross(y, z), y, z],
            [Some(x), None, None] => [x, upright(x), cross(x, upright(x))],
            [None, Some(y), None] => [upright(y), y, cross(upright(y), y)],
            [None, None, Some(z)] => [upright(z), cross(z, upright(z)), z],
            [None, None, None] => Matrix::IDENTITY.axes,
        };
        let mirrors = dot(cross(x, y), z) < 0.0;
        let z = if mirrors { times(z, -1.0) } else { z };
        let scale = if sheared {
            [dot(a, x), dot(b, y), dot(c, z)]
        } else {
            let [sx, sy, sz] = lengths;
            [sx, sy, if mirrors { -sz } else { sz }]
        };
        let transform = Transform { translation: position, rotation: quaternion([x, y, z]), scale };
        if !sheared {
            return (None, transform);
        }
        let rest = transform.matrix().inverse().map(|inverse| self.then(&inverse));
        match rest {
            Some(rest) => (Some(Matrix { position: [0.0; 3], ..rest }), transform),
            None => (Some(Matrix { position: [0.0; 3], ..*self }), moved),
        }
    }
}

/// The quaternion that turns the axes of space to these, which stand upright on each other and have length 1.
fn quaternion([[a, b, c], [d, e, f], [g, h, i]]: [Vector; 3]) -> [f64; 4] {
    let four = |value: f64| value.max(0.0).sqrt() * 2.0;
    let quaternion = if a + e + i > 0.0 {
        let s = four(1.0 + a + e + i);
        [(f - h) / s, (g - c) / s, (b - d) / s, s / 4.0]
    } else if a > e && a > i {
        let s = four(1.0 + a - e - i);
        [s / 4.0, (b + d) / s, (g + c) / s, (f - h) / s]
    } else if e > i {
        let s = four(1.0 + e - a - i);
        [(b + d) / s, s / 4.0, (f + h) / s, (g - c) / s]
    } else {
        let s = four(1.0 + i - a - e);
        [(g + c) / s, (f + h) / s, s / 4.0, (b - d) / s]
    };
    normal(quaternion)
}

/// A quaternion of length 1; the one that turns nothing for one that is none.
pub fn normal(quaternion: [f64; 4]) -> [f64; 4] {
    let length = quaternion.iter().map(|value| value * value).sum::<f64>().sqrt();
    if length.is_normal() { quaternion.map(|value| value / length) } else { [0.0, 0.0, 0.0, 1.0] }
}

impl Transform {
    /// Transform that moves nothing.
    pub const IDENTITY: Transform =
        Transform { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [1.0; 3] };

    /// The matrix of it.
    pub fn matrix(&self) -> Matrix {
        let [x, y, z, w] = self.rotation;
        let axes = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
            [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
            [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
        ];
        let [a, b, c] = axes;
        let [sx, sy, sz] = self.scale;
        let axes = [times(a, sx), times(b, sy), times(c, sz)];
        Matrix { axes, position: self.translation }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: &Matrix, b: &Matrix) -> bool {
        let all = |m: &Matrix| m.axes.into_iter().chain([m.position]).flatten().collect::<Vec<_>>();
        all(a).iter().zip(all(b)).all(|(a, b)| (a - b).abs() < 1e-9 * (1.0 + b.abs()))
    }

    fn turned(scale: Vector) -> Matrix {
        let rotation = normal([0.3, -0.5, 0.2, 0.7]);
        Transform { translation: [5.0, -7.0, 11.0], rotation, scale }.matrix()
    }

    #[test]
    fn what_is_split_is_whole_again() {
        let shear = Matrix {
            axes: [[1.0, 0.0, 0.0], [0.4, 1.0, 0.0], [0.0, -0.2, 2.0]],
            ..Matrix::IDENTITY
        };
        let flat = Matrix {
            axes: [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
            ..Matrix::IDENTITY
        };
        for matrix in [
            Matrix::IDENTITY,
            turned([1.0, 1.0, 1.0]),
            turned([2.0, 0.5, -3.0]),
            turned([0.0, 1.0, 1.0]),
            turned([1.0, 0.0, 0.0]),
            turned([0.0, 0.0, 0.0]),
            shear,
            turned([2.0, 0.5, -3.0]).then(&shear),
            shear.then(&turned([-2.0, 0.5, 3.0])),
            flat,
        ] {
            let (rest, transform) = matrix.split();
            let whole = rest.unwrap_or(Matrix::IDENTITY).then(&transform.matrix());
            assert!(near(&whole, &matrix), "{matrix:?}: {whole:?}");
            assert_eq!(rest.is_some(), matrix.is_sheared());
            let length: f64 = transform.rotation.iter().map(|value| value * value).sum();
            assert!((length - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn inverses_take_back() {
        let matrix = turned([2.0, 0.5, -3.0]);
        let inverse = matrix.inverse().unwrap();
        assert!(near(&matrix.then(&inverse), &Matrix::IDENTITY));
        assert!(turned([1e-20, 1e-20, 1e-20]).inverse().is_some(), "small is not flat");
        assert!(turned([1.0, 0.0, 1.0]).inverse().is_none());
    }

    #[test]
    fn flipping_turns_a_left_handed_space_into_a_right_handed_one() {
        let matrix = turned([1.0, 2.0, 3.0]);
        let point = [0.5, 0.25, -4.0];
        let [x, y, z] = matrix.point(point);
        let [a, b, c] = point;
        assert_eq!(matrix.flipped().point([a, b, -c]), [x, y, -z]);
        assert_eq!(matrix.flipped().flipped(), matrix);
    }
}
