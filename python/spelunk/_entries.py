"""Entries and fields."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, overload

from ._arrays import Image, Mesh
from ._call import call
from ._errors import NotFoundError
from ._spelunk import Entry as _Entry, Field as _Field, Listing

if TYPE_CHECKING:
    from ._file import File


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

    def image(self, slot: int = 0, textures: Iterable[str | PathLike[str]] = ()) -> Image:
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
