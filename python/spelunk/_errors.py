"""Errors: what is wrong, where it lies, and what can be done about it."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from typing import Any


class Error(Exception):
    """Something that could not be done with a file."""

    code: str
    """Code of the registry, as ``VT012``; ``spelunk explain CODE`` describes it."""
    space: str | None
    """Name of the space that ``offset`` is in: ``file``, or an unpacked section."""
    offset: int | None
    """Offset of the damage in bytes, where it lies somewhere."""
    path: str
    """Path of the field that it is about; empty where it is about none."""
    help: str
    """What the code means, and what can be done."""

    def __init__(self, message: str = "", diagnostic: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        found: Mapping[str, Any] = diagnostic or {}
        self.code = str(found.get("code", ""))
        self.space = found.get("space")
        self.offset = found.get("offset")
        self.path = str(found.get("path", ""))
        self.help = str(found.get("help", ""))
        self._diagnostic = dict(found)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self.args[0]) if self.args else "", self._diagnostic)

    def __str__(self) -> str:
        # A KeyError would show its message in quotes.
        return str(self.args[0]) if self.args else ""


class NotFoundError(Error, KeyError):
    """No entry or no field has this path. The message names those nearest to it."""


class CancelledError(Error):
    """The work was ended before it was done."""


class FileError(Error, OSError):
    """The file could not be read or written. It is the exception of Python for the same condition, too."""


class _FileNotFoundError(FileError, builtins.FileNotFoundError):
    pass


class _PermissionError(FileError, builtins.PermissionError):
    pass


class _FileExistsError(FileError, builtins.FileExistsError):
    pass


class _IsADirectoryError(FileError, builtins.IsADirectoryError):
    pass


class _NotADirectoryError(FileError, builtins.NotADirectoryError):
    pass


_SYSTEM: dict[str, type[FileError]] = {
    "FileNotFoundError": _FileNotFoundError,
    "PermissionError": _PermissionError,
    "FileExistsError": _FileExistsError,
    "IsADirectoryError": _IsADirectoryError,
    "NotADirectoryError": _NotADirectoryError,
    "OSError": FileError,
}


def exception_of(
    *,
    message: str,
    diagnostic: Mapping[str, Any],
    kind: str,
    system: str | None,
) -> Error:
    """The exception for an error of the library."""
    found: type[Error] = Error
    if system is not None:
        found = _SYSTEM[system]
    elif kind == "not found":
        found = NotFoundError
    elif kind == "cancelled":
        found = CancelledError
    return found(message, diagnostic)
