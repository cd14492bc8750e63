"""Files."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import numpy as np
import numpy.typing as npt

from . import _sources
from ._arrays import view
from ._call import Rows, call, settings
from ._edit import Conflict, Edit
from ._entries import Entries, Entry
from ._errors import NotFoundError
from ._space import Scene, scene_of
from ._spelunk import Container, Listing, Session
from ._table import Table
from ._types import ReadAt

if TYPE_CHECKING:
    from types import TracebackType

Path_ = str | os.PathLike[str]
Source = Path_ | bytes | bytearray | memoryview | BinaryIO | ReadAt


def new(**options: Any) -> File:
    """A new Virtools file without objects, for ``edit`` to fill: ``save`` writes it. Options are those of ``open``: names that are not
    in Windows-1252 need ``code_pages``."""
    file = File.__new__(File)
    file._begin(Container.blank(settings(**options)), options)  # pyright: ignore[reportPrivateUsage]
    return file


def open(source: Source, **options: Any) -> File:
    """Opens a file: a path, bytes, a binary file of Python, a URL (``http://``, ``https://``, ``s3://``, ``gs://``, ``az://``, or
    what ``fsspec`` knows), or an object with ``size`` and ``read_at(offset, size)``. A folder of SpellForce archives is one file, too.

    Options: ``strict`` ends at the first damage, ``lenient`` passes over unknown extensions of a format, ``max_memory``
    (bytes) and ``max_ratio`` are limits, ``code_pages`` as ``"gbk,cp1252"``, ``generation`` a state of a pack, ``threads``,
    ``no_map`` reads large files range by range, for those that others write to in place.
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
            if _sources.is_known(name):
                return Container.at_url(name, self._settings)
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


__all__ = ["File", "new", "open"]
