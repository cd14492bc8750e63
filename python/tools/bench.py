"""One side of the lines ``python`` of the benches (``benches/src/python.rs``): reads a job a line, ``NAME FILE...`` between tabs, does it
once, and prints its process time, its time on the wall, and what it counted, so that both sides are known to have read the same."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import spelunk


def meshes(*paths: str) -> int:
    """Opens files and takes all meshes as arrays. Returns the number of vertices and faces."""
    count = 0
    for path in paths:
        file = spelunk.open(path, threads=1)
        for entry in file.entries("CKMesh"):
            mesh = entry.mesh()
            count += mesh.positions.shape[0] + mesh.faces.shape[0]
    return count


def tables(path: str) -> int:
    """Opens a GameData and takes all of its rows as Arrow. Returns their number."""
    file = spelunk.open(path)
    return sum(len(file.table(name)) for name in file.tables())


class Row:
    """A row of the reader below."""


Layout = list[tuple[str, int, int, bool]]


def layouts(path: str) -> dict[int, tuple[int, Layout]]:
    """Where the fields of rows lie, by category: what a reader in Python has as its source."""
    file = spelunk.open(path)
    found: dict[int, tuple[int, Layout]] = {}
    for name in file.tables():
        row = next(iter(file[name].below()), None)
        places = [(field, field.place) for field in (row.fields() if row else [])]
        if row is None or any(place is None for _, place in places):
            continue
        start = min((place[1] for _, place in places if place), default=0)
        layout = [(field.path, place[1] - start, place[2] - place[1], isinstance(field.value, str)) for field, place in places if place]
        if sum(size for *_, size, _ in layout) == row.size:
            found[int(row.path.split("/")[0])] = (row.size, layout)
    return found


KNOWN: dict[str, dict[int, tuple[int, Layout]]] = {}


def objects(path: str) -> int:
    """Reads a GameData as readers in Python do that make an object of every row, with an attribute for every field, read from a slice
    of the row. Returns the number of rows."""
    known = KNOWN[path]
    with open(path, "rb") as stream:
        data = stream.read()
    kept: dict[int, list[Row]] = {}
    at = 20
    while at < len(data):
        category = int.from_bytes(data[at : at + 2], "little")
        size = int.from_bytes(data[at + 6 : at + 10], "little")
        at += 12
        width, layout = known.get(category, (0, []))
        rows: list[Row] = []
        for start in range(at, at + size, width) if width and size % width == 0 else ():
            raw = data[start : start + width]
            row = Row()
            for name, offset, length, is_text in layout:
                part = raw[offset : offset + length]
                value = part.rstrip(b"\0").decode("cp1252", "replace") if is_text else int.from_bytes(part, "little")
                setattr(row, name, value)
            rows.append(row)
        kept[category] = rows
        at += size
    return sum(map(len, kept.values()))


JOBS: dict[str, Callable[..., int]] = {"meshes": meshes, "tables": tables, "objects": objects}


def main() -> None:
    """Does what is asked, until nothing is."""
    for line in sys.stdin:
        name, *paths = line.rstrip("\n").split("\t")
        if name == "objects" and paths[0] not in KNOWN:
            KNOWN[paths[0]] = layouts(paths[0])
        cpu, wall = time.process_time(), time.perf_counter()
        count = JOBS[name](*paths)
        print(time.process_time() - cpu, time.perf_counter() - wall, count, flush=True)


if __name__ == "__main__":
    main()
