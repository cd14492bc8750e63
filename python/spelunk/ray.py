"""Many files by many processes: on a cluster of Ray, or with ``processes=8`` on this machine alone, where Ray need not be.

>>> from spelunk import ray                                                     # doctest: +SKIP
>>> ray.catalog("s3://games/", "s3://games/catalogue")["files"]                 # doctest: +SKIP
1000000
>>> ray.read("s3://games/catalogue", "hashes").count()                          # doctest: +SKIP
9000000

Files are named as the command names them: paths, folders, URLs. What processes of other machines are to read or write has to lie where
all of them get at it. A file that is damaged is a row that says so, and never ends the work.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _sources
from ._call import plain, settings
from ._spelunk import Session
from ._workers import Lost, Progress, Report, Task, ray_module, run, session

if TYPE_CHECKING:
    from ray.data import Dataset

Path_ = str | os.PathLike[str]
Source = Path_ | Sequence[Path_]
Options = tuple[tuple[str, Any], ...]

BATCH_FILES, BATCH_BYTES = 64, 64 << 20
"""Files and bytes at which a task of several files is full."""
FOREIGN = "SP030"
"""What no known container is, which in folders is passed over."""


def catalog(
    source: Source,
    target: Path_,
    *,
    processes: int | None = None,
    options: Mapping[str, Any] | None = None,
    remote: Mapping[str, Any] | None = None,
    progress: Report = None,
    **request: Any,
) -> dict[str, Any]:
    """Brings the catalogue at ``target`` up to date with files: the one that ``spelunk catalog`` makes of them. Returns its report,
    with errors of files as ``diagnostics`` and ``passed_over`` files.

    ``processes`` of this machine do without Ray. ``options`` are those of ``open``, ``remote`` those that Ray takes for tasks, ``request``
    is what the verb has beside: ``full``, ``force``, ``exclude``, ``dry_run``, ``follow_links``, ``files_from``. ``progress`` is called
    with a ``Progress`` now and then; a terminal shows it without being asked. Parts of the catalogue are what is shared out. They count when
    all of them are written; of two runs at once one fails, and a run that is stopped leaves the catalogue as it was.
    """
    known = _options(options)

    def write_parts(tasks: list[tuple[bytes, list[int]]]) -> list[bytes]:
        work = [Task((known, task, ()), sizes) for task, sizes in tasks]
        share = functools.partial(run, _write_part, processes=processes, remote=remote)
        written = dict(share(work, progress=progress))
        for nth in [nth for nth, part in written.items() if isinstance(part, Lost)]:
            task, sizes = tasks[nth]
            # Which of its files it was: each is looked at without the others.
            places = range(len(sizes))
            alone = [Task((known, task, tuple(set(places) - {place})), sizes[place : place + 1]) for place in places]
            lost = tuple(place for place, part in share(alone, progress=False) if isinstance(part, Lost))
            written |= {nth: part for _, part in share([Task((known, task, lost), sizes)], progress=False)}
        failed = [part.message for part in written.values() if isinstance(part, Lost)]
        if failed:
            raise RuntimeError(f"processes that wrote parts of the catalogue ended: {failed[0]}")
        return [written[nth] for nth in range(len(tasks))]

    here = Session(settings(**(options or {})))
    request |= {"trees": _names(source), "output": target}
    report = here.catalog(plain(request, here), write_parts)
    return {**report.pop("row"), **report}


def _write_part(options: Options, task: bytes, lost: Sequence[int]) -> bytes:
    return session(options).write_part(task, lost)


def verify(
    source: Source,
    *,
    processes: int | None = None,
    options: Mapping[str, Any] | None = None,
    remote: Mapping[str, Any] | None = None,
    progress: Report = None,
    **request: Any,
) -> Iterator[dict[str, Any]]:
    """Checks files, and hands out the rows of the verb ``verify`` as they come, large files last: ``file``, ``ok``, ``findings``, ``counts``.
    ``request`` is what the verb has beside."""
    files = _find(source, request.pop("files_from", None))
    known = _options(options)
    work = [Task((known, request, batch), [found.size for found in batch]) for batch in _batches(files)]
    return _rows(_verify, work, processes, remote, progress)


def _verify(options: Options, request: dict[str, Any], batch: list[_Found]) -> list[dict[str, Any]]:
    here = session(options)
    rows = here.call("verify", plain({**request, "files": [found.path for found in batch]}, here), False)
    by_path = {found.name if _sources.is_url(found.path) else found.path: found for found in batch}
    made: list[dict[str, Any]] = []
    for row in rows:
        found = by_path[row["file"]]
        if not (found.within and [it["code"] for it in row["findings"]] == [FOREIGN]):
            made.append({**row, "file": found.name})
    return made


def extract(
    source: Source,
    target: Path_,
    *,
    processes: int | None = None,
    options: Mapping[str, Any] | None = None,
    remote: Mapping[str, Any] | None = None,
    progress: Report = None,
    **request: Any,
) -> Iterator[dict[str, Any]]:
    """Writes the entries of files to folders below ``target``, each called as its file is, and hands out a row for each file as it is done:
    ``file``, ``directory``, ``ok``, ``entries`` and ``bytes`` that were written, ``findings``. ``request`` is what the verb ``extract`` has
    beside: ``globs``, ``force``, ``exclude``..."""
    files = _find(source, request.pop("files_from", None))
    known = _options(options)
    work = [Task((known, request, os.fspath(target), [found]), [found.size]) for found in files]
    return _rows(_extract, work, processes, remote, progress)


def _extract(options: Options, request: dict[str, Any], target: str, batch: list[_Found]) -> list[dict[str, Any]]:
    (found,) = batch
    here = session(options)
    directory = f"{target.rstrip('/')}/{found.within or found.name.rstrip('/').rsplit('/', 1)[-1]}"
    rows = here.call("extract", plain({**request, "file": found.path, "directory": directory}, here), False)
    written = list(rows)
    findings = [{key: value for key, value in it.items() if key != "file"} for it in rows.diagnostics]
    if found.within and FOREIGN in [it["code"] for it in findings]:
        return []
    size = sum(row["size"] for row in written)
    row = {"file": found.name, "directory": directory, "ok": rows.code == 0}
    return [{**row, "entries": len(written), "bytes": size, "findings": findings}]


def _rows(
    function: Callable[..., list[dict[str, Any]]],
    work: list[Task],
    processes: int | None,
    remote: Mapping[str, Any] | None,
    progress: Report,
) -> Iterator[dict[str, Any]]:
    """The rows of all tasks; the last argument of each is its files."""
    for nth, rows in run(function, work, processes=processes, remote=remote, progress=progress):
        *others, batch = work[nth].arguments
        if not isinstance(rows, Lost):
            yield from rows
        elif len(batch) > 1:
            alone = [Task((*others, [found]), [found.size]) for found in batch]
            yield from _rows(function, alone, processes, remote, False)
        else:
            message = f"the process that looked at the file ended: {rows.message}"
            finding = {"severity": "error", "code": "SP175", "space": None, "offset": None, "path": "", "message": message}
            counts = {"errors": 1, "warnings": 0, "notes": 0}
            yield {"file": batch[0].name, "ok": False, "findings": [finding], "counts": counts}


def read(
    source: Source,
    table: str,
    *,
    columns: Sequence[str] | None = None,
    options: Mapping[str, Any] | None = None,
    files_from: Path_ | None = None,
) -> Dataset:
    """A table as a ``Dataset`` of Ray: of a catalogue, where ``source`` is one, or of all files that have a table of this name for ``query``
    (``spelunk query FILE --tables``), with the column ``file``. It needs ``ray[data]``.

    Nothing is read before the rows are needed, and then only ``columns``, or those that ``select_columns`` names, and the rows that
    ``filter(expr=...)`` lets through. Files that are no containers, and those without the table, have no rows. A file that cannot be read
    has none either; ``verify`` tells why."""
    ray = ray_module()
    from ._ray_data import Tables

    known = _options(options)
    names = _names(source)
    parts = Session(settings()).parts(names[0], table) if len(names) == 1 and files_from is None else None
    if parts is not None:
        files = [(_full(name), name, size) for name, size in parts]
    else:
        files = [(found.path, found.name, found.size) for found in _find(source, files_from)]
    dataset: Dataset = ray.data.read_datasource(Tables(files, table, known, columns, parts is not None))
    return dataset


class _Found(NamedTuple):
    """A file that was found."""

    path: str
    """Where any process finds it."""
    size: int
    name: str
    """As it was named, or found, without what lets somebody in."""
    within: str
    """Its name below the folder in which it was found; empty where it was named itself."""


def _find(source: Source, files_from: Path_ | None) -> list[_Found]:
    """The files that a source means."""
    here = Session(settings())
    listed: list[tuple[str, list[tuple[str, str, int | None]]]] = [(name, here.find([name])) for name in _names(source)]
    if files_from is not None:
        listed.append(("", here.find([], files_from)))
    return [
        _Found(_full(file), size or 0, name, file.removeprefix(tree).lstrip("/" + os.sep) if tree else "")
        for tree, found in listed
        for file, name, size in found
    ]


def _full(name: str) -> str:
    return name if _sources.is_url(name) else os.path.abspath(name)


def _batches(files: list[_Found]) -> Iterator[list[_Found]]:
    """Small files together, large ones by themselves."""
    batch: list[_Found] = []
    for found in sorted(files, key=lambda found: found.size):
        if batch and (len(batch) >= BATCH_FILES or sum(it.size for it in batch) + found.size > BATCH_BYTES):
            yield batch
            batch = []
        batch.append(found)
    if batch:
        yield batch


def _names(source: Source) -> list[str]:
    if isinstance(source, (str, os.PathLike)):
        return [os.fspath(source)]
    return [os.fspath(name) for name in source]


def _options(options: Mapping[str, Any] | None) -> Options:
    # Unknown ones are told here, and not by every process.
    settings(**(options or {}))
    return tuple(sorted((options or {}).items()))


__all__ = ["Progress", "catalog", "extract", "read", "verify"]
