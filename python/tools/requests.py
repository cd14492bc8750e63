"""Makes `spelunk/_requests.py` of the schemas that the library has of its verbs: the keyword arguments of `call`, as types.

`python tools/requests.py` writes it, `--check` says whether it is as it would be written. Needs the packages `spelunk` and
`datamodel-code-generator`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from spelunk._call import settings
from spelunk._spelunk import Session

MADE = Path(__file__).resolve().parents[1] / "spelunk" / "_requests.py"
OPTIONS = [
    "--input-file-type=jsonschema",
    "--output-model-type=typing.TypedDict",
    "--target-python-version=3.11",
    "--use-union-operator",
    "--use-standard-collections",
    "--use-generic-container-types",
    "--disable-timestamp",
    "--disable-warnings",
    "--formatters=builtin",
]


def name_of(verb: str) -> str:
    """The name of the requests of a verb."""
    return f"{verb.capitalize()}Request"


def schema_of(session: Session, verbs: list[str]) -> dict[str, Any]:
    """One schema of the requests of all verbs, which share what they consist of."""
    known: dict[str, Any] = {}
    for verb in verbs:
        schema = json.loads(session.schemas(verb)[0])
        parts = schema.pop("$defs", {})
        parts[name_of(verb)] = {**schema, "title": name_of(verb)}
        for name, part in parts.items():
            if known.setdefault(name, part) != part:
                raise SystemExit(f"{verb}: {name} is something else in another verb")
    properties = {verb: {"$ref": f"#/$defs/{name_of(verb)}"} for verb in verbs}
    return {"$defs": known, "title": "Requests", "type": "object", "properties": properties}


def written() -> str:
    """The module."""
    session = Session(settings())
    verbs = session.verbs()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "schema.json"
        file.write_text(json.dumps(schema_of(session, verbs)))
        command = [sys.executable, "-m", "datamodel_code_generator", f"--input={file}", *OPTIONS]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    types = done.stdout[done.stdout.index("from typing") :]
    cut = types.rfind("\n\n\nRequests")
    types = types[: cut if cut > 0 else types.index("class Requests(")].rstrip()
    types = types.replace("from typing import ", "from typing import Any, Protocol, Unpack, overload, ", 1)
    types = types.replace("FileName: TypeAlias = str\n", "FileName: TypeAlias = str | os.PathLike[str]\n")
    types = types.replace("FileRef: TypeAlias = Handle | FileName\n", "FileRef: TypeAlias = File | Handle | FileName\n")
    calls = [
        f"    @overload\n    def __call__(\n        self,\n        verb: Literal[{verb!r}],\n        /,\n        *,\n"
        f"        errors: Errors = ...,\n        options: Mapping[str, Any] | None = ...,\n        **request: Unpack[{name_of(verb)}],\n"
        "    ) -> Rows: ...\n"
        for verb in verbs
    ]
    head = (
        '"""What the verbs are asked. Made by `tools/requests.py` of the schemas of the library."""\n\n'
        "# pyright: reportUnusedImport=false\n\nfrom __future__ import annotations\n\nimport os\nfrom collections.abc import Mapping, Sequence\n"
    )
    door = 'class Call(Protocol):\n    """``spelunk.call``, which knows what each verb is asked."""\n\n' + "\n".join(calls)
    own = "\nfrom ._call import Errors, Rows\nfrom ._file import File\n"
    imports, rest = types.split("\n\n", 1)
    return f"{head}{imports}\n{own}\n\n{rest.strip()}\n\n\n{door}"


def main() -> None:
    text = written()
    if "--check" not in sys.argv:
        MADE.write_text(text)
    elif MADE.read_text() != text:
        raise SystemExit(f"{MADE} is not what the library says; run tools/requests.py")


if __name__ == "__main__":
    main()
