"""Objects of arrays, as the library takes them: numbers one behind the other, row by row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

Item = dict[str, Any]
Name = str | tuple[str, int]


@dataclass
class Scene:
    """Objects that are put into a file together."""

    textures: list[Item] = field(default_factory=list[Item])
    materials: list[Item] = field(default_factory=list[Item])
    meshes: list[Item] = field(default_factory=list[Item])
    entities: list[Item] = field(default_factory=list[Item])
    groups: list[Item] = field(default_factory=list[Item])

    def __len__(self) -> int:
        return sum(map(len, (self.textures, self.materials, self.meshes, self.entities, self.groups)))

    def plain(self) -> dict[str, list[Item]]:
        """All of them."""
        return {
            "textures": self.textures,
            "materials": self.materials,
            "meshes": self.meshes,
            "entities": self.entities,
            "groups": self.groups,
        }


def rows(name: str, values: npt.ArrayLike | None, dtype: str, columns: int) -> bytes:
    """An array of so many columns as bytes; none where there is no array."""
    if values is None:
        return b""
    array = np.asarray(values)
    if array.size == 0:
        return b""
    if array.ndim != 2 or array.shape[1] != columns:
        raise ValueError(f"{name}: an array of the shape (n, {columns}), and not {array.shape}")
    return np.ascontiguousarray(array, dtype).tobytes()


def texture(name: Name, pixels: npt.ArrayLike | None, file: str | None) -> Item:
    """A texture."""
    if pixels is None:
        return {"name": name, "width": 0, "height": 0, "pixels": b"", "file": file or (name if isinstance(name, str) else name[0])}
    array = np.asarray(pixels)
    if array.dtype != np.uint8 or array.ndim != 3 or array.shape[2] not in (3, 4):
        raise ValueError(f"pixels: 8 bits in the shape (h, w, 3) or (h, w, 4), and not {array.dtype} {array.shape}")
    height, width, channels = array.shape
    if channels == 3:
        array = np.concatenate([array, np.full((height, width, 1), 255, np.uint8)], axis=2)
    return {"name": name, "width": width, "height": height, "pixels": np.ascontiguousarray(array).tobytes(), "file": file}


def material(name: Name, colors: Mapping[str, npt.ArrayLike], power: float, texture: Name | None) -> Item:
    """A material."""
    item: Item = {"name": name, "power": power, "texture": texture}
    for key, value in colors.items():
        color = [float(part) for part in np.asarray(value, np.float64).reshape(-1)]
        if len(color) not in (3, 4):
            raise ValueError(f"{key}: three or four numbers from 0 to 1, and not {len(color)}")
        item[key] = (color + [1.0])[:4]
    return item


def mesh(name: Name, arrays: Mapping[str, npt.ArrayLike | None], materials: list[Name | None]) -> Item:
    """A mesh."""
    colors = b""
    if arrays["colors"] is not None:
        given = np.asarray(arrays["colors"])
        if given.dtype != np.uint8 or given.ndim != 2 or given.shape[1] != 4:
            raise ValueError(f"colors: 8 bits in the shape (n, 4), and not {given.dtype} {given.shape}")
        # Files have blue first.
        colors = np.ascontiguousarray(given[:, [2, 1, 0, 3]]).tobytes()
    given_slots = arrays["face_materials"]
    slots: list[int] = [] if given_slots is None else np.asarray(given_slots).reshape(-1).astype(int).tolist()
    return {
        "name": name,
        "positions": rows("positions", arrays["positions"], "<f4", 3),
        "normals": rows("normals", arrays["normals"], "<f4", 3),
        "uvs": rows("uvs", arrays["uvs"], "<f4", 2),
        "colors": colors,
        "faces": rows("faces", arrays["faces"], "<u4", 3),
        "face_materials": slots,
        "lines": rows("lines", arrays["lines"], "<u4", 2),
        "materials": materials,
    }


def entity(name: Name, mesh: Name | None, matrix: npt.ArrayLike | None, parent: Name | None, hidden: bool) -> Item:
    """An entity."""
    world = np.eye(4) if matrix is None else np.asarray(matrix, np.float64)
    if world.shape not in ((4, 4), (4, 3)):
        raise ValueError(f"matrix: of the shape (4, 4) or (4, 3), and not {world.shape}")
    numbers = [[float(value) for value in row[:3]] for row in world]
    return {"name": name, "matrix": numbers, "mesh": mesh, "parent": parent, "hidden": hidden}


def group(name: Name, members: list[tuple[str, Name]]) -> Item:
    """A group."""
    return {"name": name, "members": members}
