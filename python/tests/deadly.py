"""Work that ends the process that does it: in a file of its own, which those processes find by its name."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

import spelunk.ray

DEADLY = 5


def end() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def write_once_ended(options: Any, task: bytes, lost: Any) -> bytes:
    """Ends the first process that writes a part, when it has written it."""
    written = spelunk.ray._write_part(options, task, lost)  # pyright: ignore[reportPrivateUsage]
    try:
        os.close(os.open(os.environ["SPELUNK_MARKER"], os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return written
    end()
    return b""


def write_without_second(options: Any, task: bytes, lost: Any) -> bytes:
    """Ends the process where the second file of the part is not left alone."""
    if 1 not in lost:
        end()
    return spelunk.ray._write_part(options, task, lost)  # pyright: ignore[reportPrivateUsage]


def verify_without_damaged(options: Any, request: Any, batch: Any) -> Any:
    """Ends the process where it is to look at a certain file."""
    if any(found.name.endswith("damaged.nmo") for found in batch):
        end()
    return spelunk.ray._verify(options, request, batch)  # pyright: ignore[reportPrivateUsage]


def number(nth: int) -> int:
    """Returns a number, and ends the process at one of them."""
    if nth == DEADLY:
        end()
    time.sleep(0.01)
    return nth
