"""Tables of many files, or of a catalogue, as a source of Ray Data."""

from __future__ import annotations

import importlib
import io
import logging
from collections.abc import Iterator, Sequence
from typing import Any

from ray.data import Datasource, ReadTask
from ray.data.block import BlockMetadata
from ray.data.expressions import BinaryExpr, ColumnExpr, Expr, LiteralExpr, Operation

from . import _sources
from ._errors import Error
from ._file import File
from ._workers import session

# Neither has types.
pyarrow: Any = importlib.import_module("pyarrow")
parquet: Any = importlib.import_module("pyarrow.parquet")

OPERATORS = {
    Operation.GT: ">",
    Operation.LT: "<",
    Operation.GE: ">=",
    Operation.LE: "<=",
    Operation.EQ: "=",
    Operation.NE: "<>",
}
NO_TABLE = ("SP137", "SP030")
"""Codes of files that have no such table, and of those that are no containers."""


class Tables(Datasource):
    """Rows of a table: of Parquet files, or of containers that ``query`` reads."""

    def __init__(
        self,
        files: Sequence[tuple[str, str, int]],
        table: str,
        options: tuple[tuple[str, Any], ...],
        columns: Sequence[str] | None,
        is_parquet: bool,
    ) -> None:
        """Files are paths, names, and sizes in bytes."""
        super().__init__()  # type: ignore[no-untyped-call]
        self._files = sorted(files, key=lambda file: file[2])
        self._table, self._options, self._is_parquet = table, options, is_parquet
        self._columns = None if columns is None else list(columns)
        self._projection_map = None

    def get_name(self) -> str:
        return f"spelunk {self._table}"

    def supports_projection_pushdown(self) -> bool:
        return True

    def supports_predicate_pushdown(self) -> bool:
        return True

    def estimate_inmemory_data_size(self) -> int:
        return sum(size for *_, size in self._files)

    def get_read_tasks(self, parallelism: int, per_task_row_limit: int | None = None, data_context: Any = None) -> list[ReadTask]:
        count = max(1, min(parallelism, len(self._files)))
        # Neighbours in the order of sizes go to different tasks.
        batches = [self._files[nth::count] for nth in range(count)]
        return [self._task(batch, per_task_row_limit) for batch in batches if batch]

    def _task(self, batch: list[tuple[str, str, int]], limit: int | None) -> ReadTask:
        pushed = self.get_projection_map()
        wanted = self._columns if pushed is None else [name for name in self._columns or pushed if name in pushed]
        # Rows without columns are not counted.
        wanted = ["file"] if wanted == [] else wanted
        predicate = self.get_current_predicate()
        table, options, is_parquet = self._table, self._options, self._is_parquet

        def read() -> Iterator[Any]:
            for path, name, _ in batch:
                if is_parquet:
                    rows = _part(path, wanted, predicate)
                else:
                    rows = _rows(path, name, table, options, wanted, predicate)
                if rows is not None:
                    yield rows

        size = sum(size for *_, size in batch)
        names = tuple(name for _, name, _ in batch)
        metadata = BlockMetadata(num_rows=None, size_bytes=size, input_files=names, exec_stats=None)
        return ReadTask(read, metadata, per_task_row_limit=limit)


def _part(name: str, columns: list[str] | None, predicate: Expr | None) -> Any:
    """The rows of a Parquet file."""
    source = pyarrow.PythonFile(io.BufferedReader(_Bytes(name))) if _sources.is_url(name) else name
    return parquet.read_table(source, columns=columns, filters=_filter(predicate), partitioning=None)


class _Bytes(io.RawIOBase):
    """A file of a server, for those who read and seek."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._source = session(()).source(name)
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        self._at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._source.size}[whence]
        return self._at

    def readinto(self, buffer: Any, /) -> int:
        count = max(0, min(len(buffer), self._source.size - self._at))
        buffer[:count] = self._source.read_at(self._at, count)
        self._at += count
        return count


def _rows(
    path: str, name: str, table: str, options: tuple[tuple[str, Any], ...], columns: list[str] | None, predicate: Expr | None
) -> Any:
    """The rows of a table of a container; nothing where it has none."""
    needed = "*" if columns is None else ", ".join(map(_quoted, {*columns, *_columns(predicate)} - {"file"})) or "1"
    where = _condition(predicate)
    sql = f"SELECT {needed} FROM {_quoted(table)}" + (f" WHERE {where}" if where else "")
    try:
        with File(path, **{**dict(options), "threads": 1}) as file:
            rows = pyarrow.table(file.query(sql))
    except Error as error:
        if error.code not in NO_TABLE:
            logging.getLogger("spelunk").warning("%s: %s", name, error)
        return None
    rows = _with(rows, "file", pyarrow.array([name] * len(rows), pyarrow.string()))
    for column in rows.column_names:
        # A column without values has the type of those of other files.
        if rows[column].null_count == len(rows):
            rows = _with(rows, column, pyarrow.nulls(len(rows)))
    if predicate is not None:
        rows = rows.filter(_filter(predicate))
    return rows if columns is None else rows.select(columns)


def _with(rows: Any, name: str, values: Any) -> Any:
    place = rows.schema.get_field_index(name)
    return rows.append_column(name, values) if place < 0 else rows.set_column(place, name, values)


def _filter(predicate: Any) -> Any:
    return None if predicate is None else predicate.to_pyarrow()


def _columns(predicate: Expr | None) -> set[str]:
    """The columns that a predicate looks at."""
    if isinstance(predicate, ColumnExpr):
        return {predicate.name}
    below = [_columns(getattr(predicate, name, None)) for name in ("left", "right", "operand")] if predicate is not None else []
    return {name for names in below for name in names}


def _condition(predicate: Expr | None) -> str:
    """So much of a predicate as SQL says in the same way, for fewer rows to come; all of it is looked at again after that."""
    if not isinstance(predicate, BinaryExpr):
        return ""
    if predicate.op == Operation.AND:
        return " AND ".join(filter(None, (_condition(predicate.left), _condition(predicate.right))))
    left, right = predicate.left, predicate.right
    if not (isinstance(left, ColumnExpr) and left.name != "file" and isinstance(right, LiteralExpr) and predicate.op in OPERATORS):
        return ""
    value = right.value
    if isinstance(value, str) and "\0" not in value:
        value = "'" + value.replace("'", "''") + "'"
        return f"{_quoted(left.name)} {OPERATORS[predicate.op]} {value}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{_quoted(left.name)} {OPERATORS[predicate.op]} {value}"
    return ""


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
