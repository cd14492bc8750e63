"""Verbs by their names: what the command does, with its requests as keyword arguments."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

from ._spelunk import Rows as _Rows, Session

if TYPE_CHECKING:
    from types import TracebackType

    from ._requests import Call
    from ._types import Settings

Errors = Literal["raise", "collect"]


def settings(**given: Any) -> Settings:
    """All options for opening files, with those that are given."""
    known: Settings = {
        "strict": False,
        "lenient": False,
        "max_memory": None,
        "max_ratio": None,
        "code_pages": None,
        "generation": None,
        "threads": None,
        "no_map": False,
    }
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise TypeError(f"no option is called {', '.join(unknown)}; there are {', '.join(known)}")
    known.update(cast("Settings", {key: value for key, value in given.items()}))
    if known["generation"] is not None:
        known["generation"] = str(known["generation"])
    return known


class Rows(Iterator[dict[str, Any]]):
    """The rows of a verb, as they come; the verb runs on a thread of its own meanwhile.

    ``with`` ends the verb at the end of the block, however many rows came. Ctrl-C ends it too.
    """

    def __init__(self, raw: _Rows) -> None:
        self._raw = raw
        self._bodies: dict[str, bytes] = {}

    def __iter__(self) -> Rows:
        return self

    def __next__(self) -> dict[str, Any]:
        return next(self._raw)

    def all(self) -> list[dict[str, Any]]:
        """All rows that are left."""
        return list(self)

    def one(self) -> dict[str, Any]:
        """The only row.

        Raises ``ValueError`` where there is none, or more than one.
        """
        rows = self.all()
        if len(rows) != 1:
            raise ValueError(f"one row was expected, and there are {len(rows)}")
        return rows[0]

    @property
    def code(self) -> int:
        """What the command would end with, once all rows came: 0 clean, 1 error findings or differences, 2 usage, 3 not to be
        opened, 4 input or output, 5 not supported."""
        return self._raw.code

    @property
    def diagnostics(self) -> list[dict[str, Any]]:
        """Findings so far, as ``--json`` has them, each with its ``file``."""
        return self._raw.diagnostics

    @property
    def notes(self) -> list[str]:
        """Sentences about the work so far."""
        return self._raw.notes

    @property
    def passed_over(self) -> list[str]:
        """Files of folders that are no containers."""
        return self._raw.passed_over

    @property
    def progress(self) -> tuple[int, int, int, int]:
        """Bytes of the files that are done, of all files, the number of the file that is worked on, and of all files."""
        return self._raw.progress

    @property
    def bodies(self) -> dict[str, bytes]:
        """The bytes that were asked for so far, by their names: what ``cat`` prints."""
        for name, body in self._raw.take_bodies().items():
            self._bodies[name] = self._bodies.get(name, b"") + body
        return self._bodies

    def close(self) -> None:
        """Ends the verb, wherever it is."""
        self._raw.close()

    def __enter__(self) -> Rows:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _call(
    verb: str,
    /,
    *,
    errors: Errors = "raise",
    options: Mapping[str, Any] | None = None,
    **request: Any,
) -> Rows:
    """Runs a verb of the command, and returns its rows: ``spelunk.call("ls", file="level.nmo", globs=["CKMesh"])``.

    What ``--help`` and ``spelunk schema`` call the arguments of a verb are the keyword arguments here. A file is a path or a
    ``File``, which verbs see with its changes. With ``errors="raise"`` what is wrong with a file is raised; with ``"collect"``
    it is among ``diagnostics``, and the other files are worked on: as the command does it. ``options`` are those of ``open``.
    """
    session = Session(settings(**(options or {})))
    known = plain(request, session)
    return Rows(session.call(verb, known, errors == "raise"))


if TYPE_CHECKING:
    call: Call
else:
    _call.__name__ = _call.__qualname__ = "call"
    call = _call


def verbs() -> list[str]:
    """The names of all verbs."""
    return Session(settings()).verbs()


def plain(value: Any, session: Session) -> Any:
    """A request as the library takes it: paths are texts, and open files are those of the session."""
    from ._file import File

    if isinstance(value, File):
        return value.referred_to(session)
    if isinstance(value, os.PathLike):
        return os.fspath(cast("os.PathLike[str]", value))
    if isinstance(value, Mapping):
        pairs = cast("Mapping[str, Any]", value).items()
        return {key: plain(item, session) for key, item in pairs if item is not None}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item, session) for item in cast("Sequence[Any]", value)]
    item: Callable[[], Any] | None = getattr(value, "item", None)
    if item is not None and not isinstance(value, (str, bytes, int, float)):
        return item()
    return value
