"""Places that files are read from, beside paths and bytes."""

from __future__ import annotations

import importlib
import io
import threading
from typing import Any, BinaryIO, cast
from urllib.parse import urlsplit

KNOWN = ("http", "https", "s3", "gs", "az", "file")
"""Kinds of URLs that the library reads itself."""


def is_url(name: str) -> bool:
    """Whether a name is a URL and no path. One letter is a drive of Windows."""
    scheme = urlsplit(name).scheme
    return len(scheme) > 1 and "://" in name


def is_known(url: str) -> bool:
    """Whether the library reads a URL itself."""
    return urlsplit(url).scheme.lower() in KNOWN


def of_url(url: str) -> SeekableFile:
    """What a URL of another kind names."""
    try:
        fsspec: Any = importlib.import_module("fsspec")
    except ImportError as error:
        raise ValueError(f"{url}: URLs other than those of {', '.join(KNOWN)} need the package fsspec") from error
    return SeekableFile(cast(BinaryIO, fsspec.open(url, "rb").open()))


class SeekableFile:
    """A binary file of Python that can be sought in."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        # Reading takes two calls, between which nobody else may seek.
        self._turn = threading.Lock()
        self.size = file.seek(0, io.SEEK_END)
        self.name = str(getattr(file, "name", ""))

    def read_at(self, offset: int, size: int, /) -> bytes:
        with self._turn:
            self._file.seek(offset)
            parts: list[bytes] = []
            while size > 0 and (part := self._file.read(size)):
                parts.append(part)
                size -= len(part)
            return b"".join(parts)
