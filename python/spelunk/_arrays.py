"""Meshes and pictures as arrays of numpy: views of the bytes of the file where they lie there, read-only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ._entries import Entry
    from ._spelunk import Buffer, Mesh as _Mesh, Picture

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]
Shorts = npt.NDArray[np.uint16]


def view(buffer: Buffer, dtype: str, columns: int) -> npt.NDArray[Any]:
    """The numbers in a buffer, in rows. Nothing is copied."""
    if len(buffer) == 0:
        return np.empty((0, columns), dtype)
    numbers: npt.NDArray[Any] = np.frombuffer(memoryview(buffer), dtype)
    return numbers.reshape(-1, columns)


class Mesh:
    """A mesh: its vertices, its faces, and the materials of these.

    Coordinates are as the file has them: left-handed, the second axis up. Arrays are read-only; copy one to change it.
    """

    __slots__ = ("_raw", "entry")

    def __init__(self, entry: Entry, raw: _Mesh) -> None:
        self.entry = entry
        """The entry that it was read of."""
        self._raw = raw

    @property
    def positions(self) -> Floats:
        """Positions of the vertices: (n, 3)."""
        return view(self._raw.positions, "<f4", 3)

    @property
    def normals(self) -> Floats:
        """Normals of the vertices, (n, 3): as they are stored, or those of length 1 that follow from the faces."""
        return view(self._raw.normals, "<f4", 3)

    @property
    def uvs(self) -> Floats:
        """Texture coordinates of the vertices, (n, 2); the upper left corner of a texture is 0, 0."""
        return self._each(view(self._raw.uvs, "<f4", 2))

    @property
    def colors(self) -> Bytes:
        """Colours of the vertices, (n, 4): red, green, blue, alpha. A copy: files have another order."""
        stored = self._each(view(self._raw.colors, "u1", 4))
        return stored[:, [2, 1, 0, 3]]

    @property
    def faces(self) -> Shorts:
        """Vertices of the faces, (m, 3), clockwise as seen from the front."""
        return view(self._raw.faces, "<u2", 4)[:, :3]

    @property
    def face_materials(self) -> Shorts:
        """The material slot of each face, (m,): an index into ``materials``."""
        return view(self._raw.faces, "<u2", 4)[:, 3]

    @property
    def lines(self) -> Shorts:
        """Vertices of the lines, (k, 2)."""
        return view(self._raw.lines, "<u2", 2)

    @property
    def materials(self) -> list[Entry | None]:
        """The material of each slot; ``None`` for a slot without one."""
        from ._entries import Entry

        file = self.entry.file
        return [None if raw is None else Entry(file, raw) for raw in self._raw.materials()]

    @property
    def bounds(self) -> Floats:
        """The smallest and the largest coordinates, (2, 3); zeros without vertices."""
        positions = self.positions
        if len(positions) == 0:
            return np.zeros((2, 3), np.float32)
        return np.stack([positions.min(axis=0), positions.max(axis=0)])

    def _each(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """One value for each vertex, where the file may have one for all."""
        count = len(self._raw.positions) // 12
        if len(values) == 1 and count != 1:
            return np.broadcast_to(values, (count, values.shape[1]))
        return values

    def __repr__(self) -> str:
        return (
            f"<Mesh {self.entry.path!r}: {len(self._raw.positions) // 12} vertices, "
            f"{len(self._raw.faces) // 8} faces>"
        )

    def _repr_html_(self) -> str:
        from ._html import mesh

        return mesh(self)


class Image:
    """A picture of a texture."""

    __slots__ = ("_raw", "entry")

    def __init__(self, entry: Entry, raw: Picture) -> None:
        self.entry = entry
        """The entry that it was read of."""
        self._raw = raw

    @property
    def width(self) -> int:
        """Width in pixels."""
        return self._raw.width

    @property
    def height(self) -> int:
        """Height in pixels."""
        return self._raw.height

    @property
    def file(self) -> str | None:
        """The file beside the container that it was read of; ``None`` where the container holds it."""
        return self._raw.file

    @property
    def pixels(self) -> Bytes:
        """Red, green, blue and alpha of the pixels, (h, w, 4), the upper row first. Read-only."""
        pixels = view(self._raw.pixels, "u1", 4)
        return pixels.reshape(self._raw.height, self._raw.width, 4)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy:
            return np.array(self.pixels, dtype=dtype)
        return np.asarray(self.pixels, dtype=dtype)

    def __repr__(self) -> str:
        return f"<Image {self.entry.path!r}: {self.width} x {self.height}>"

    def png(self) -> bytes:
        """The picture as a PNG file."""
        return self._raw.png()

    def _repr_png_(self) -> bytes:
        return self.png()
