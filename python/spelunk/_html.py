"""What notebooks show."""

from __future__ import annotations

import html
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ._arrays import Mesh
    from ._entries import Entries, Entry
    from ._file import File

SHOWN = 20
"""Rows that are shown of a longer table."""
SIDE = 320
"""Width and height of pictures of meshes, in pixels."""
FACES = 4000
"""Faces that are drawn of a mesh at the most."""


def table(columns: Sequence[str], rows: Iterable[Mapping[str, Any]], count: int) -> str:
    """A table, of a long one the first rows."""
    head = "".join(f"<th>{html.escape(column)}</th>" for column in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{_cell(row.get(column))}</td>" for column in columns) + "</tr>"
        for row in itertools.islice(rows, SHOWN)
    )
    more = f"<p>{count - SHOWN} more rows</p>" if count > SHOWN else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _cell(value: Any) -> str:
    return "" if value is None else html.escape(str(value))


def file(opened: File) -> str:
    """A file: what it is, and its first entries."""
    if opened.closed:
        return html.escape(repr(opened))
    return f"<p>{html.escape(repr(opened))}</p>{entries(opened.entries())}"


def entries(listed: Entries) -> str:
    """A listing."""
    rows = ({"path": one.path, "kind": one.kind, "name": one.name, "size": one.size} for one in listed)
    return table(["path", "kind", "name", "size"], rows, len(listed))


def entry(one: Entry) -> str:
    """An entry with its first fields."""
    fields = one.fields()
    rows = ({"field": field.path, "value": str(field)} for field in fields)
    return f"<p>{html.escape(repr(one))}</p>{table(['field', 'value'], rows, len(fields))}"


def mesh(shape: Mesh) -> str:
    """A mesh as it looks from above and the side, lit from the viewer."""
    return f"<p>{html.escape(repr(shape))}</p>{_drawn(shape.positions, shape.faces)}"


def _drawn(positions: npt.NDArray[np.float32], faces: npt.NDArray[np.uint16]) -> str:
    """A picture of triangles, the farthest ones first; of very many some."""
    if len(faces) == 0:
        return ""
    turn, tilt = np.radians(30.0), np.radians(25.0)
    around = np.array([[np.cos(turn), 0, -np.sin(turn)], [0, 1, 0], [np.sin(turn), 0, np.cos(turn)]])
    over = np.array([[1, 0, 0], [0, np.cos(tilt), np.sin(tilt)], [0, -np.sin(tilt), np.cos(tilt)]])
    points = np.nan_to_num(positions.astype(np.float64)) @ around.T @ over.T
    least, most = points.min(axis=0), points.max(axis=0)
    scale = (SIDE - 20) / max(float((most - least)[:2].max()), 1e-9)
    places = (points[:, :2] - (least + most)[:2] / 2) * [scale, -scale] + SIDE / 2
    chosen = faces[:: max(1, -(-len(faces) // FACES))].astype(np.intp)
    corners = points[chosen]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1)
    light = 70 + 150 * np.abs(normals[:, 2]) / np.where(lengths > 0, lengths, 1)
    triangles: list[str] = []
    for nth in np.argsort(-corners[:, :, 2].mean(axis=1)):
        at = " ".join(f"{x:.1f},{y:.1f}" for x, y in places[chosen[nth]])
        gray = int(light[nth])
        triangles.append(f'<polygon points="{at}" fill="rgb({gray},{gray},{gray})"/>')
    return f'<svg width="{SIDE}" height="{SIDE}" xmlns="http://www.w3.org/2000/svg">{"".join(triangles)}</svg>'
