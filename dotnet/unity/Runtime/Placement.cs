using System;

namespace Spelunk.Unity
{
    /// <summary>Where something stands: the images of the three axes and of the origin, for vectors that are rows, as Virtools files have
    /// them. Their axes are those of Unity: left-handed, y up. So numbers stay as they are; only their arrangement changes.</summary>
    public sealed class Placement
    {
        // Four rows of three numbers.
        private readonly double[] rows;

        /// <summary>A placement with these rows: the images of x, y and z, and the position.</summary>
        public Placement(double[] rows)
        {
            if (rows == null || rows.Length != 12)
            {
                throw new ArgumentException("four rows of three numbers are expected", "rows");
            }
            this.rows = rows;
        }

        /// <summary>What stands at the origin as it is.</summary>
        public static Placement Identity
        {
            get { return new Placement(new double[] { 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 }); }
        }

        /// <summary>A number of a row; the fourth row is the position.</summary>
        public double this[int row, int column]
        {
            get { return rows[row * 3 + column]; }
        }

        /// <summary>Whether all are numbers that something can be placed with.</summary>
        public bool IsFinite
        {
            get { return Array.TrueForAll(rows, number => !double.IsNaN(number) && !double.IsInfinity(number)); }
        }

        private double Determinant
        {
            get
            {
                return this[0, 0] * (this[1, 1] * this[2, 2] - this[1, 2] * this[2, 1])
                    - this[0, 1] * (this[1, 0] * this[2, 2] - this[1, 2] * this[2, 0])
                    + this[0, 2] * (this[1, 0] * this[2, 1] - this[1, 1] * this[2, 0]);
            }
        }

        /// <summary>This placement in the world, as one below a parent; null where the parent flattens everything.</summary>
        public Placement Below(Placement parent)
        {
            var determinant = parent.Determinant;
            if (Math.Abs(determinant) < 1e-12)
            {
                return null;
            }
            var inverse = new double[9];
            for (var row = 0; row < 3; row++)
            {
                for (var column = 0; column < 3; column++)
                {
                    // The cofactor of the mirrored place.
                    int r1 = (column + 1) % 3, r2 = (column + 2) % 3, c1 = (row + 1) % 3, c2 = (row + 2) % 3;
                    var cofactor = parent[r1, c1] * parent[r2, c2] - parent[r1, c2] * parent[r2, c1];
                    inverse[row * 3 + column] = cofactor / determinant;
                }
            }
            var local = new double[12];
            for (var row = 0; row < 4; row++)
            {
                for (var column = 0; column < 3; column++)
                {
                    var sum = 0.0;
                    for (var at = 0; at < 3; at++)
                    {
                        var number = row == 3 ? this[3, at] - parent[3, at] : this[row, at];
                        sum += number * inverse[at * 3 + column];
                    }
                    local[row * 3 + column] = sum;
                }
            }
            return new Placement(local);
        }

        /// <summary>Position, rotation and scale. Rotations are quaternions x, y, z, w. What is sheared cannot be said so: `isSheared` tells,
        /// and the nearest is given.</summary>
        public void Split(out double[] position, out double[] rotation, out double[] scale, out bool isSheared)
        {
            position = new[] { this[3, 0], this[3, 1], this[3, 2] };
            scale = new[] { Length(0), Length(1), Length(2) };
            if (Determinant < 0)
            {
                // A mirror: one axis is turned round, whichever, as the rotation follows from it.
                scale[0] = -scale[0];
            }
            var axes = new double[9];
            for (var row = 0; row < 3; row++)
            {
                for (var column = 0; column < 3; column++)
                {
                    axes[row * 3 + column] = scale[row] == 0 ? (row == column ? 1 : 0) : this[row, column] / scale[row];
                }
            }
            isSheared = Dot(axes, 0, 1) > 1e-3 || Dot(axes, 0, 2) > 1e-3 || Dot(axes, 1, 2) > 1e-3;
            rotation = Rotation(axes);
        }

        private double Length(int row)
        {
            return Math.Sqrt(this[row, 0] * this[row, 0] + this[row, 1] * this[row, 1] + this[row, 2] * this[row, 2]);
        }

        private static double Dot(double[] axes, int first, int second)
        {
            var sum = 0.0;
            for (var at = 0; at < 3; at++)
            {
                sum += axes[first * 3 + at] * axes[second * 3 + at];
            }
            return Math.Abs(sum);
        }

        /// <summary>The quaternion that turns the axes into these.</summary>
        private static double[] Rotation(double[] a)
        {
            // The largest part is found first, so that nothing is divided by a small number.
            double x, y, z, w;
            var trace = a[0] + a[4] + a[8];
            if (trace > 0)
            {
                var s = Math.Sqrt(trace + 1) * 2;
                w = s / 4;
                x = (a[5] - a[7]) / s;
                y = (a[6] - a[2]) / s;
                z = (a[1] - a[3]) / s;
            }
            else if (a[0] > a[4] && a[0] > a[8])
            {
                var s = Math.Sqrt(1 + a[0] - a[4] - a[8]) * 2;
                w = (a[5] - a[7]) / s;
                x = s / 4;
                y = (a[1] + a[3]) / s;
                z = (a[2] + a[6]) / s;
            }
            else if (a[4] > a[8])
            {
                var s = Math.Sqrt(1 + a[4] - a[0] - a[8]) * 2;
                w = (a[6] - a[2]) / s;
                x = (a[1] + a[3]) / s;
                y = s / 4;
                z = (a[5] + a[7]) / s;
            }
            else
            {
                var s = Math.Sqrt(1 + a[8] - a[0] - a[4]) * 2;
                w = (a[1] - a[3]) / s;
                x = (a[2] + a[6]) / s;
                y = (a[5] + a[7]) / s;
                z = s / 4;
            }
            var length = Math.Sqrt(x * x + y * y + z * z + w * w);
            return length > 0 ? new[] { x / length, y / length, z / length, w / length } : new double[] { 0, 0, 0, 1 };
        }
    }
}
