"""Changes of a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
import numpy.typing as npt

from . import _scene
from ._entries import Entry

if TYPE_CHECKING:
    from types import TracebackType

    from ._file import File

Conflict = Literal["replace", "keep", "rename"]


class Edit:
    """Changes of a file, made together at the end of the ``with`` block: all of them, or none. All paths mean the file as it is
    before. An exception in the block drops them.

    >>> with file.edit() as edit:                                      # doctest: +SKIP
    ...     edit["CKMaterial/Wood", "material.diffuse"] = "#ff0000"
    ...     edit.rename("CKGroup/A", "B")

    Objects of arrays (``mesh``, ``material``, ``texture``, ``object``, ``group``) come before all other changes, and refer to each other
    and to those of the file by name. Where an object of that name is there, ``on_conflict`` says what happens: it is replaced, which
    keeps what the arrays do not say, it is kept, or the new one gets another name. In the place of a name there may be an entry of the
    file, which tells objects of one name apart.
    """

    def __init__(self, file: File, on_conflict: Conflict = "replace") -> None:
        self._file = file
        self._changes: list[tuple[Any, ...]] = []
        self._scene = _scene.Scene()
        self._on_conflict: str = on_conflict

    def set(self, entry: str | Entry, field: str, value: Any, *, with_children: bool = False) -> Edit:
        """Sets a field. Text is taken for what the field needs: a number, the name of a value, a colour as ``#rrggbb``. With
        ``with_children`` what stands below an entity moves along."""
        if isinstance(value, np.ndarray):
            value = cast("npt.NDArray[Any]", value).tolist()
        self._changes.append(("set", _path(entry), field, value, with_children))
        return self

    def __setitem__(self, place: tuple[str | Entry, str], value: Any) -> None:
        entry, field = place
        self.set(entry, field, value)

    def rename(self, entry: str | Entry, name: str) -> Edit:
        """Gives an entry another name."""
        self._changes.append(("rename", _path(entry), name))
        return self

    def remove(self, *entries: str | Entry, lossy: bool = False) -> Edit:
        """Removes entries, and the references to them. With ``lossy`` also where some of these cannot be followed."""
        self._changes.append(("remove", [_path(entry) for entry in entries], lossy))
        return self

    def replace(self, entry: str | Entry, content: bytes | bytearray | memoryview, *, raw: bool = False) -> Edit:
        """Puts other content in the place of an entry's plain bytes; with ``raw`` whatever it is."""
        self._changes.append(("replace", _path(entry), bytes(content), raw))
        return self

    def add(
        self,
        kind: str,
        name: str,
        content: bytes | bytearray | memoryview | None = None,
        *,
        like: str | Entry | None = None,
        raw: bool = False,
    ) -> Edit:
        """Adds an entry of a kind: a class, ``included``, ``asset``, ``bulk``, ``file``, or a table. Without content it is what
        new entries of its kind are; with ``like`` it is a copy of another one."""
        if content is not None and like is not None:
            raise TypeError("content or like, not both")
        given = bytes(content) if content is not None else _path(like) if like is not None else None
        self._changes.append(("add", kind, name, given, raw))
        return self

    def rows(self, table: str, frame: Any) -> int:
        """Sets the cells of a table of a GameData that are different in a data frame of Polars, pandas or pyarrow, or in a list of
        dictionaries. Its column ``row``, as ``file.table`` has it, says which row is meant; columns and rows that are not there stay as
        they are. Returns the number of cells."""
        known = self._file.table(table)
        entries = self._file.entry(table).below()
        count = 0
        for row in _rows_of(frame):
            place = row.get("row")
            if not isinstance(place, int) or not 0 <= place < len(known):
                raise ValueError(f"row: the place of a row below {len(known)}, and not {place!r}")
            old = known[place]
            for column, value in row.items():
                if column not in old:
                    raise ValueError(f"{table} has no column {column}; it has {', '.join(old)}")
                if value != old[column] and value is not None:
                    self.set(entries[place], column, value)
                    count += 1
        return count

    def texture(self, name: str | Entry, pixels: npt.ArrayLike | None = None, *, file: str | None = None) -> Edit:
        """A texture of pixels, (h, w, 3) or (h, w, 4) in 8 bits, the upper row first; or one that names a file."""
        self._scene.textures.append(_scene.texture(_named(name), pixels, file))
        return self

    def material(
        self,
        name: str | Entry,
        *,
        diffuse: npt.ArrayLike = (1.0, 1.0, 1.0, 1.0),
        ambient: npt.ArrayLike = (0.3, 0.3, 0.3, 1.0),
        specular: npt.ArrayLike = (0.0, 0.0, 0.0, 1.0),
        emissive: npt.ArrayLike = (0.0, 0.0, 0.0, 1.0),
        power: float = 0.0,
        texture: str | Entry | None = None,
    ) -> Edit:
        """A material: colours of three or four numbers from 0 to 1, and the name of its texture. For all other settings there
        are fields."""
        colors = {"diffuse": diffuse, "ambient": ambient, "specular": specular, "emissive": emissive}
        self._scene.materials.append(_scene.material(_named(name), colors, power, _maybe(texture)))
        return self

    def mesh(
        self,
        name: str | Entry,
        positions: npt.ArrayLike,
        faces: npt.ArrayLike = (),
        *,
        normals: npt.ArrayLike | None = None,
        uvs: npt.ArrayLike | None = None,
        colors: npt.ArrayLike | None = None,
        face_materials: npt.ArrayLike | None = None,
        lines: npt.ArrayLike | None = None,
        materials: Sequence[str | Entry | None] = (),
    ) -> Edit:
        """A mesh: positions (n, 3), faces (m, 3) clockwise as seen from the front, normals (n, 3), texture coordinates (n, 2),
        colours (n, 4) in 8 bits, a slot of ``materials`` for each face, lines (k, 2). Without normals these follow from the
        faces."""
        arrays = {
            "positions": positions,
            "faces": faces,
            "normals": normals,
            "uvs": uvs,
            "colors": colors,
            "face_materials": face_materials,
            "lines": lines,
        }
        self._scene.meshes.append(_scene.mesh(_named(name), arrays, [_maybe(material) for material in materials]))
        return self

    def object(
        self,
        name: str | Entry,
        *,
        mesh: str | Entry | None = None,
        matrix: npt.ArrayLike | None = None,
        parent: str | Entry | None = None,
        hidden: bool = False,
    ) -> Edit:
        """An entity (``CK3dObject``) with a mesh. The matrix, (4, 4) or (4, 3), has the images of the three axes in the world in
        its first rows, and the position in the last one."""
        self._scene.entities.append(_scene.entity(_named(name), _maybe(mesh), matrix, _maybe(parent), hidden))
        return self

    def group(self, name: str | Entry, members: Iterable[str | Entry | tuple[str, str]]) -> Edit:
        """A group: entries, names of entities, or pairs as ``("mesh", "Cube")``; beside ``mesh`` there are ``object``, ``material``
        and ``texture``. Members that it has in the file stay."""
        self._scene.groups.append(_scene.group(_named(name), [_member(member) for member in members]))
        return self

    def __len__(self) -> int:
        return len(self._changes) + len(self._scene)

    def apply(self) -> dict[str, int]:
        """Makes the changes now. Entries that were taken before are stale then."""
        changes, scene = self._changes, self._scene
        self._changes, self._scene = [], _scene.Scene()
        if not changes and not scene:
            return {"added": 0, "places": 0}
        given = scene.plain() if scene else None
        made = self._file._raw.edit(changes, given, self._on_conflict)  # pyright: ignore[reportPrivateUsage]
        self._file._changed()  # pyright: ignore[reportPrivateUsage]
        return made

    def __enter__(self) -> Edit:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self.apply()


def _rows_of(frame: Any) -> Iterable[dict[str, Any]]:
    """The rows of a data frame, or of anything that has rows."""
    # Polars; pyarrow; pandas.
    for name, arguments in (("to_dicts", ()), ("to_pylist", ()), ("to_dict", ("records",))):
        rows = getattr(frame, name, None)
        if rows is not None:
            return cast("Iterable[dict[str, Any]]", rows(*arguments))
    return cast("Iterable[dict[str, Any]]", frame)


def _path(entry: str | Entry) -> str:
    return entry if isinstance(entry, str) else entry.path


def _named(entry: str | Entry) -> _scene.Name:
    """The name of an object; with its position in the file, which tells those of one name apart."""
    if not isinstance(entry, Entry):
        return entry
    return entry.name if entry.index is None else (entry.name, entry.index)


def _maybe(entry: str | Entry | None) -> _scene.Name | None:
    return None if entry is None else _named(entry)


def _member(member: str | Entry | tuple[str, str]) -> tuple[str, _scene.Name]:
    if isinstance(member, tuple):
        return member
    if isinstance(member, str):
        return "object", member
    kinds = {"CKMesh": "mesh", "CKMaterial": "material", "CKTexture": "texture"}
    return kinds.get(member.kind, "object"), _named(member)
