"""A door for the test of all doors (`crates/spelunk-cli/tests/suite/doors.rs`): reads a request a line, `{verb, request}`, and prints an
answer a line, `{code, rows, body}`, with rows in JSON, and in hexadecimal the bytes that were handed out."""

from __future__ import annotations

import contextlib
import json
import sys
from typing import Any

import spelunk


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    call: Any = spelunk.call
    rows: spelunk.Rows = call(asked["verb"], errors="collect", **asked["request"])
    found: list[str] = []
    # What ends a whole run is raised, and has its code.
    with contextlib.suppress(spelunk.Error):
        found.extend(json.dumps(row) for row in rows)
    return {"code": rows.code, "rows": found, "body": b"".join(rows.bodies.values()).hex()}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
