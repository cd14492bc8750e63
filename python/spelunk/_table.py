"""Tables, which every library of data frames takes by Arrow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from ._spelunk import Table as _Table


class Table:
    """Rows in columns. ``polars.DataFrame(table)``, ``pyarrow.table(table)``, ``pandas.DataFrame.from_arrow(table)`` and
    DuckDB take it as it is, as often as they like; without any of them its rows are dictionaries."""

    __slots__ = ("_raw",)

    def __init__(self, raw: _Table) -> None:
        self._raw = raw

    def __len__(self) -> int:
        return len(self._raw)

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return [name for name, _ in self._raw.columns]

    @property
    def types(self) -> dict[str, str]:
        """The types of the columns, as Arrow calls them."""
        return dict(self._raw.columns)

    @property
    def documentation(self) -> dict[str, str]:
        """What the columns mean, of those of which that is known."""
        pairs = zip(self.columns, self._raw.documentation, strict=True)
        return {name: doc for name, doc in pairs if doc is not None}

    @overload
    def __getitem__(self, index: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, index: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        if isinstance(index, slice):
            return [self._raw.row(nth) for nth in range(*index.indices(len(self)))]
        nth = index + len(self) if index < 0 else index
        if not 0 <= nth < len(self):
            raise IndexError(f"row {index} of {len(self)}")
        return self._raw.row(nth)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self._raw.row(nth) for nth in range(len(self)))

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._raw.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        return self._raw.__arrow_c_schema__()

    def __repr__(self) -> str:
        return f"<Table: {len(self)} rows of {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        from ._html import table

        return table(self.columns, self, len(self))
