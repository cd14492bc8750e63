"""Places that files are read from, beside paths and bytes."""

from __future__ import annotations

import importlib
import io
import threading
import urllib.request
from typing import Any, BinaryIO, cast
from urllib.parse import urlsplit

BLOCK = 1 << 18
"""Bytes that are asked of a server at once, at the least."""
BLOCKS = 256
"""Blocks that are kept."""


def is_url(name: str) -> bool:
    """Whether a name is a URL and no path. One letter is a drive of Windows."""
    scheme = urlsplit(name).scheme
    return len(scheme) > 1 and "://" in name


def of_url(url: str) -> HttpFile | SeekableFile:
    """What a URL names."""
    if urlsplit(url).scheme in ("http", "https"):
        return HttpFile(url)
    try:
        fsspec: Any = importlib.import_module("fsspec")
    except ImportError as error:
        raise ValueError(f"{url}: URLs other than http and https need the package fsspec") from error
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


class HttpFile:
    """A file on a server that answers requests for ranges. That it changes while it is read is an error."""

    def __init__(self, url: str) -> None:
        self.name = url
        self._turn = threading.Lock()
        self._blocks: dict[int, bytes] = {}
        self._tag: str | None = None
        self.size = self._find_size()

    def _find_size(self) -> int:
        request = urllib.request.Request(self.name, headers={"Range": f"bytes=0-{BLOCK - 1}"})
        with urllib.request.urlopen(request) as answer:
            self._tag = answer.headers.get("ETag") or answer.headers.get("Last-Modified")
            body = cast(bytes, answer.read())
            if answer.status != 206:
                # It does not know ranges, and sent everything.
                self._blocks = {nth: body[nth * BLOCK : (nth + 1) * BLOCK] for nth in range(-(-len(body) // BLOCK))}
                return len(body)
            self._blocks[0] = body
            return int(answer.headers["Content-Range"].rsplit("/", 1)[1])

    def read_at(self, offset: int, size: int, /) -> bytes:
        with self._turn:
            first, last = offset // BLOCK, max(offset, offset + size - 1) // BLOCK
            missing = [nth for nth in range(first, last + 1) if nth not in self._blocks]
            if missing:
                self._fetch(missing[0], missing[-1])
            whole = b"".join(self._blocks[nth] for nth in range(first, last + 1))
            while len(self._blocks) > BLOCKS + last - first:
                del self._blocks[next(iter(self._blocks))]
            start = offset - first * BLOCK
            return whole[start : start + size]

    def _fetch(self, first: int, last: int) -> None:
        """Fetches blocks that lie one behind the other."""
        start, end = first * BLOCK, min((last + 1) * BLOCK, self.size)
        request = urllib.request.Request(self.name, headers={"Range": f"bytes={start}-{end - 1}"})
        with urllib.request.urlopen(request) as answer:
            tag = answer.headers.get("ETag") or answer.headers.get("Last-Modified")
            if tag != self._tag:
                raise OSError(f"{self.name} changed while it was read")
            body = cast(bytes, answer.read())
        if len(body) != end - start:
            raise OSError(f"{self.name}: {end - start} bytes were asked for, and {len(body)} came")
        for nth in range(first, last + 1):
            at = nth * BLOCK - start
            self._blocks[nth] = body[at : at + BLOCK]
