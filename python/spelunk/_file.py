"""Files, entries and fields."""

from __future__ import annotations

import builtins
import copy
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, cast, overload

import numpy as np
import numpy.typing as npt

from . import _scene, _sources
from ._arrays import Image, Mesh, view
from ._call import Rows, call, settings
from ._errors import NotFoundError
from ._space import Scene, scene_of
from ._spelunk import Container, Entry as _Entry, Field as _Field, Listing, Session
from ._table import Table
from ._types import ReadAt

if TYPE_CHECKING:
    from types import TracebackType

Path_ = str | os.PathLike[str]


Source = Path_ | bytes | bytearray | memoryview | BinaryIO | ReadAt


Conflict = Literal["replace", "keep", "rename"]


def new(**options: Any) -> File:
    """A new Virtools file without objects, for ``edit`` to fill: ``save`` writes it. Options are those of ``open``: names that are not
    in Windows-1252 need ``code_pages``."""
    file = File.__new__(File)
    file._begin(Container.blank(settings(**options)), options)  # pyright: ignore[reportPrivateUsage]
    return file


def open(source: Source, **options: Any) -> File:
    """Opens a file: a path, bytes, a binary file of Python, a URL (``http://``, ``https://``, or what ``fsspec`` knows), or
    an object with ``size`` and ``read_at(offset, size)``. A folder of SpellForce archives is one file, too.

    Options: ``strict`` ends at the first damage, ``lenient`` passes over unknown extensions of a format, ``max_memory``
    (bytes) and ``max_ratio`` are limits, ``code_pages`` as ``"gbk,cp1252"``, ``generation`` a state of a pack, ``threads``.
    """
    return File(source, **options)


class File(Mapping[str, "Entry"]):
    """An opened file of any format: its entries by their paths, in the order of the file.

    ``with`` closes it at the end of the block. Any number of threads may use it at once. A pickled file is its name and its
    options: whoever unpickles it opens it again.
    """

    def __init__(self, source: Source, **options: Any) -> None:
        self._begin(None, options)
        self._raw = self._open(source)

    def _begin(self, raw: Container | None, options: dict[str, Any] | None = None) -> None:
        self._options = options or {}
        self._settings = settings(**self._options)
        # A new file is one with changes: it is nowhere yet.
        self._edited = raw is not None
        self._held: bytes | None = None
        self._name = ""
        self._listing: Listing | None = None
        if raw is not None:
            self._raw = raw

    def _open(self, source: Source) -> Container:
        if isinstance(source, (bytes, bytearray, memoryview)):
            self._held = bytes(source)
            return Container.of_bytes(self._held, self._settings)
        if isinstance(source, (str, os.PathLike)):
            name = os.fspath(source)
            self._name = name
            if not _sources.is_url(name):
                return Container.at_path(name, self._settings)
            remote = _sources.of_url(name)
            return Container.of_object(remote, remote.size, self._settings)
        if isinstance(source, ReadAt):
            self._name = str(getattr(source, "name", ""))
            return Container.of_object(source, source.size, self._settings)
        if hasattr(source, "read") and hasattr(source, "seek"):
            opened = _sources.SeekableFile(source)
            self._name = opened.name
            return Container.of_object(opened, opened.size, self._settings)
        raise TypeError(f"a path, a URL, bytes or a binary file is opened, and no {type(source).__name__}")

    # What it is.

    @property
    def format(self) -> str:
        """The format: ``virtools``, ``snpak``, ``spellforce-cff``, ..."""
        return self._raw.format

    @property
    def name(self) -> str:
        """The path or the URL that it was opened at; empty for bytes."""
        return self._name

    @property
    def path(self) -> Path | None:
        """The path that it was opened at; ``None`` where it is on no disk."""
        return None if self._raw.closed else self._raw.path

    @property
    def size(self) -> int:
        """Size in bytes, as it was opened."""
        return self._raw.size

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._raw.closed

    @property
    def is_edited(self) -> bool:
        """Whether there are changes that were not saved over the file."""
        return self._edited

    def info(self) -> dict[str, Any]:
        """What the file is: version, counts, sizes; as ``spelunk info --json`` has it."""
        return call("info", files=[self], options=self._options).one()

    def findings(self) -> list[dict[str, Any]]:
        """What was noticed while it was opened and read. They are handed out once."""
        return self._raw.take_findings()

    # Its entries.

    def entries(self, *globs: str) -> Entries:
        """The entries, or those of which the path, the kind, the name or ``KIND/NAME`` matches one of the globs."""
        return Entries(self, self._raw.entries(list(globs)) if globs else self._list())

    def root(self) -> Entries:
        """The top of the hierarchy; ``Entry.below`` goes on from there."""
        return Entries(self, self._raw.root())

    def entry(self, path: str) -> Entry:
        """The entry at a path. ``NotFoundError`` names the paths that are nearest to it, or all that an ambiguous name means."""
        return Entry(self, self._raw.entry(path))

    def __getitem__(self, path: str) -> Entry:
        return self.entry(path)

    def __contains__(self, path: object) -> bool:
        if not isinstance(path, str):
            return False
        try:
            self._raw.entry(path)
        except NotFoundError:
            return False
        return True

    def __len__(self) -> int:
        return len(self._list())

    def __iter__(self) -> Iterator[str]:
        return iter(self._list().paths())

    def values(self) -> Entries:  # type: ignore[override]
        """The entries."""
        return self.entries()

    def _list(self) -> Listing:
        if self._listing is None:
            self._listing = self._raw.entries([])
        return self._listing

    # What is in them.

    def tables(self) -> list[str]:
        """The names of the tables of a GameData."""
        return self._raw.tables()

    def table(self, name: str) -> Table:
        """A table of a GameData, with the place of each row as the column ``row``."""
        return Table(self._raw.table(name))

    def query(self, sql: str) -> Table:
        """The answer to one statement of SQL that reads, on the tables that ``spelunk query FILE --tables`` lists."""
        return Table(self._raw.query(sql))

    def scene(self) -> Scene:
        """What stands in the space of a Virtools file: textures, materials, meshes, entities and groups."""
        return scene_of(self._raw.scene())

    def heights(self) -> npt.NDArray[np.float32]:
        """The heights of a map, (rows, columns), in the order of the file. Read-only."""
        columns, rows, values = self._raw.heights()
        return view(values, "<f4", max(columns, 1)).reshape(rows, columns)

    # Verbs.

    def verify(self) -> list[dict[str, Any]]:
        """What is damaged or unusual: a list of findings, empty for a file that is in order. Everything is read and proved."""
        with call("verify", files=[self], errors="collect", options=self._options) as rows:
            rows.all()
            return rows.diagnostics

    def lint(self, **request: Any) -> list[dict[str, Any]]:
        """What loads and still is no good; ``request`` as ``spelunk lint`` has it."""
        with call("lint", files=[self], errors="collect", options=self._options, **request) as rows:
            rows.all()
            return rows.diagnostics

    def diff(self, other: File | Path_, **request: Any) -> Rows:
        """What is different in another file of the same format: a row a change, none where they are equal."""
        return call("diff", old=self, new=other, options=self._options, **request)

    def find(self, text: str, **request: Any) -> Rows:
        """Where a text, a number or bytes are: a row a hit; ``request`` as ``spelunk find`` has it."""
        return call("find", pattern=text, files=[self], options=self._options, **request)

    def referred_to(self, session: Session) -> str | int:
        """What requests of a session call the file: its path, where that shows it as it is, or the number of a copy."""
        path = self.path
        if path is not None and not self._edited:
            return str(path)
        return session.keep(self._name or "memory", self._raw)

    # Changing it.

    def edit(self, *, on_conflict: Conflict = "replace") -> Edit:
        """Begins a batch of changes, which are made at the end of the ``with`` block, all or none."""
        return Edit(self, on_conflict)

    def save(self, path: Path_) -> None:
        """Writes the file: complete, or not at all. Without a change these are the bytes that were opened. Onto the file that is
        open it is refused; ``save_over`` does that."""
        self._raw.save(path)

    def save_over(self) -> None:
        """Writes the file over the one that was opened. Entries that were taken before are stale then."""
        self._listing = None
        self._raw.save_over()
        self._edited = False

    def to_bytes(self) -> bytes:
        """The bytes of the file as it is now."""
        return bytes(memoryview(self._raw.buffer()))

    def close(self) -> None:
        """Lets go of the file. Changes that were not saved are gone."""
        self._listing = None
        self._raw.close()

    def __enter__(self) -> File:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _changed(self) -> None:
        self._edited = True
        self._listing = None

    def __reduce__(self) -> tuple[Any, ...]:
        if self._edited:
            raise TypeError("a file with changes that are not saved cannot be pickled: save it first")
        source: str | bytes | None = self._name or self._held
        if source is None or (self._held is None and self.path is None and not _sources.is_url(self._name)):
            raise TypeError("a file that was opened from an object of Python cannot be pickled")
        return _opened, (source, self._options)

    def __copy__(self) -> File:
        return copy.deepcopy(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> File:
        if not self._edited:
            make, arguments = self.__reduce__()
            return cast(File, make(*arguments))
        other = File(self.to_bytes(), **self._options)
        other._name = self._name
        return other

    # Mapping compares by entries, which would read both files.
    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        name = repr(self._name) if self._name else "bytes"
        if self.closed:
            return f"<File {name}: closed>"
        return f"<File {name}: {self.format}, {self.size} bytes{', edited' if self._edited else ''}>"

    def _repr_html_(self) -> str:
        from ._html import file

        return file(self)


def _opened(source: str | bytes, options: dict[str, Any]) -> File:
    return File(source, **options)


class Entries(Sequence["Entry"]):
    """Entries of a file, in its order."""

    __slots__ = ("_listing", "file")

    def __init__(self, file: File, listing: Listing) -> None:
        self.file = file
        """The file."""
        self._listing = listing

    def __len__(self) -> int:
        return len(self._listing)

    @overload
    def __getitem__(self, index: int) -> Entry: ...
    @overload
    def __getitem__(self, index: slice) -> list[Entry]: ...
    def __getitem__(self, index: int | slice) -> Entry | list[Entry]:
        if isinstance(index, slice):
            return [self[nth] for nth in range(*index.indices(len(self)))]
        nth = index + len(self) if index < 0 else index
        if not 0 <= nth < len(self):
            raise IndexError(f"entry {index} of {len(self)}")
        return Entry(self.file, self._listing[nth])

    def __iter__(self) -> Iterator[Entry]:
        file, listing = self.file, self._listing
        return (Entry(file, listing[nth]) for nth in range(len(listing)))

    def paths(self) -> list[str]:
        """The paths of all."""
        return self._listing.paths()

    def __repr__(self) -> str:
        return f"<Entries: {len(self)} of {self.file!r}>"

    def _repr_html_(self) -> str:
        from ._html import entries

        return entries(self)


class Entry:
    """An entry of a file: an object, an asset, a row, a member. ``entry["material.diffuse"]`` is the value of a field.

    It stands for the file as it was when it was taken: when that is changed, it still shows what it was, and reads nothing more.
    """

    __slots__ = ("_raw", "file")

    def __init__(self, file: File, raw: _Entry) -> None:
        self.file = file
        """The file."""
        self._raw = raw

    @property
    def path(self) -> str:
        """The path, as ``spelunk ls`` prints it."""
        return self._raw.path

    @property
    def kind(self) -> str:
        """The class, the kind or the table."""
        return self._raw.kind

    @property
    def name(self) -> str:
        """The name; empty where it has none."""
        return self._raw.name

    @property
    def size(self) -> int:
        """Plain size in bytes."""
        return self._raw.size

    @property
    def stored_size(self) -> int | None:
        """Stored size in bytes, where it is packed on its own."""
        return self._raw.stored_size

    @property
    def index(self) -> int | None:
        """The position in the object table of a Virtools file; ``None`` for entries that have none."""
        path = self._raw.path
        return int(path[1:]) if path[:1] == "#" and path[1:].isdecimal() else None

    def __getitem__(self, path: str) -> Any:
        return self._raw.field(path).value

    def __contains__(self, path: object) -> bool:
        if not isinstance(path, str):
            return False
        try:
            self._raw.field(path)
        except NotFoundError:
            return False
        return True

    def get(self, path: str, default: Any = None) -> Any:
        """The value of a field, or the default where there is none."""
        try:
            return self._raw.field(path).value
        except NotFoundError:
            return default

    def field(self, path: str) -> Field:
        """The field at a path, with what its value means."""
        return Field(self._raw.field(path))

    def fields(self) -> list[Field]:
        """All fields that are known, in the order in which they lie in the file."""
        return [Field(raw) for raw in self._raw.fields()]

    def bytes(self) -> builtins.bytes:
        """The plain bytes: a copy."""
        return bytes(memoryview(self._raw.buffer()))

    def buffer(self) -> memoryview:
        """The plain bytes where they are, without a copy; read-only."""
        return memoryview(self._raw.buffer())

    def below(self) -> Entries:
        """The entries right below it."""
        return Entries(self.file, self._raw.below())

    def refs(self, **request: Any) -> list[dict[str, Any]]:
        """What it refers to and what refers to it: as ``spelunk refs FILE ENTRY --json`` has it."""
        return call("refs", file=self.file, path=self.path, options=self.file._options, **request).all()  # pyright: ignore[reportPrivateUsage]

    def mesh(self) -> Mesh:
        """The mesh that it is, or that an entity is drawn with."""
        return Mesh(self, self._raw.mesh())

    def image(self, slot: int = 0, textures: Iterable[Path_] = ()) -> Image:
        """The picture of a texture. Where the file only names it, it is looked for in ``textures``, beside the file, in
        ``Textures`` there and in ``../Textures``. ``slot`` is for textures of several pictures."""
        return Image(self, self._raw.picture(slot, list(textures)))

    def __reduce__(self) -> tuple[Any, ...]:
        return _entry, (self.file, self.path)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Entry) and self.file is other.file and self.path == other.path

    def __hash__(self) -> int:
        return hash((id(self.file), self.path))

    def __repr__(self) -> str:
        return f"<Entry {self.path!r}: {self.kind}, {self.size} bytes>"

    def _repr_html_(self) -> str:
        from ._html import entry

        return entry(self)


def _entry(file: File, path: str) -> Entry:
    return file.entry(path)


class Field:
    """A field of an entry, with what its value means."""

    __slots__ = ("_raw",)

    def __init__(self, raw: _Field) -> None:
        self._raw = raw

    @property
    def path(self) -> str:
        """The path in the entry: ``material.diffuse``, ``faces[17].a``."""
        return self._raw.path

    @property
    def value(self) -> Any:
        """The value: a number, a text, bytes, ``True`` and ``False``, or ``None``."""
        return self._raw.value

    @property
    def stored(self) -> bytes | None:
        """The bytes of a text as they are stored, whatever code page it is in."""
        return self._raw.stored

    @property
    def meaning(self) -> str | None:
        """What the value stands for: its name, names of bits, a colour as ``#rrggbb``, the entry that is referred to."""
        return self._raw.meaning

    @property
    def unit(self) -> str | None:
        """The unit, where it has one."""
        return self._raw.unit

    @property
    def documentation(self) -> str:
        """A sentence on the field."""
        return self._raw.documentation

    @property
    def place(self) -> tuple[str, int, int] | None:
        """Where it lies, where that is known: the name of the space, its first offset and the one behind it."""
        return self._raw.place

    def __str__(self) -> str:
        return str(self._raw)

    def __repr__(self) -> str:
        return f"<Field {self.path} = {self}>"


class Edit:
    """Changes of a file, made together at the end of the ``with`` block: all of them, or none. All paths mean the file as it is
    before. An exception in the block drops them.

    >>> with file.edit() as edit:                                      # doctest: +SKIP
    ...     edit["CKMaterial/Wood", "material.diffuse"] = "#ff0000"
    ...     edit.rename("CKGroup/A", "B")

    Objects of arrays (``mesh``, ``material``, ``texture``, ``object``, ``group``) come after all other changes, and refer to each other
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


__all__ = ["Edit", "Entries", "Entry", "Field", "File", "new", "open"]
