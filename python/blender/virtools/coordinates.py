"""Space of Virtools (left-handed, the second axis up) and of Blender (right-handed, the third axis up): two axes change places."""

from __future__ import annotations

import numpy as np
from mathutils import Matrix

SWAP = Matrix(((1, 0, 0, 0), (0, 0, 1, 0), (0, 1, 0, 0), (0, 0, 0, 1)))
"""Is its own inverse."""


def points(values):
    """Points or directions, (n, 3), from one space to the other."""
    return np.ascontiguousarray(values[:, [0, 2, 1]])


def faces(values):
    """Faces, (m, 3), seen from the front in the other direction, as space is mirrored."""
    return np.ascontiguousarray(values[:, [0, 2, 1]])


def pairs(values):
    """Texture coordinates, (n, 2): one begins at the top, the other at the bottom."""
    return np.column_stack([values[:, 0], 1 - values[:, 1]]).astype(np.float32)


def to_blender(rows):
    """The matrix of which the rows are the images of the axes, and the position."""
    ends = (0.0, 0.0, 0.0, 1.0)
    full = Matrix([[*map(float, row[:3]), end] for row, end in zip(rows, ends, strict=True)])
    return SWAP @ full.transposed() @ SWAP


def to_virtools(matrix):
    """The same the other way round: (4, 4)."""
    return np.array((SWAP @ matrix @ SWAP).transposed(), np.float64)
