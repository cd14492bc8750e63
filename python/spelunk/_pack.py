"""Packs of folders, and of what is in memory."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from ._call import call
from ._file import File, open

Contents: TypeAlias = Mapping[str, bytes | bytearray | memoryview]


def pack(
    source: str | os.PathLike[str] | Contents,
    output: str | os.PathLike[str],
    *,
    compress: Sequence[str] = (),
    only_if_smaller: bool = False,
    force: bool = False,
) -> File:
    """Packs a folder, or bytes by their names (``{"textures/wood.png": content}``), as a ``.snpak``, which is opened then.

    Assets are named and typed as those of a folder. ``compress`` are rules as those of the command: ``"lz4"``, ``"*.wav=none"``. What else
    the verb knows, ``spelunk.call("pack", ...)`` does.

    Raises ``ValueError`` for names that lead out of a folder; otherwise what the verb does.
    """
    if isinstance(source, Mapping):
        with tempfile.TemporaryDirectory() as folder:
            for name, content in source.items():
                path = PurePosixPath(name)
                if path.is_absolute() or ".." in path.parts or not path.parts or "\\" in name or ":" in name:
                    raise ValueError(f"{name!r} is no name of a file in a folder")
                place = Path(folder, path)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content)
            return pack(folder, output, compress=compress, only_if_smaller=only_if_smaller, force=force)
    call("pack", source=source, output=output, compress=compress, only_if_smaller=only_if_smaller, force=force).one()
    return open(output)
