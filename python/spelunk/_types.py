"""What the library is handed."""

from __future__ import annotations

from typing import Protocol, TypedDict, runtime_checkable


class Settings(TypedDict):
    """Options for opening files."""

    strict: bool
    lenient: bool
    max_memory: int | None
    max_ratio: int | None
    code_pages: str | None
    generation: str | None
    threads: int | None
    no_map: bool


@runtime_checkable
class ReadAt(Protocol):
    """Something that is read range by range."""

    size: int

    def read_at(self, offset: int, size: int, /) -> bytes:
        """The bytes of a range."""
        ...

