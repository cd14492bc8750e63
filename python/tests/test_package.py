"""What the package promises to those who write Python."""

from __future__ import annotations

import copy
import gc
import inspect
import io
import pickle
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spelunk


def test_entries(level: Path) -> None:
    file = spelunk.open(level)
    assert file.format == "virtools"
    assert len(file) == len(file.entries()) == len(list(file))
    wood = file["CKMaterial/Wood"]
    assert "CKMaterial/Wood" in file
    assert "CKMaterial/Stone" not in file
    assert wood["material.diffuse"] == 0xFFFF_FFFF
    field = wood.field("material.diffuse")
    assert field.meaning == "#ffffff"
    assert field.value == 0xFFFF_FFFF
    assert wood.get("material.nothing", 7) == 7
    assert "material.diffuse" in wood
    assert {field.path for field in wood.fields()} >= {"material.diffuse"}
    assert wood.bytes() == bytes(wood.buffer())
    assert file.entries("CKMaterial/*").paths() == [wood.path]
    assert [entry.name for entry in file.values() if entry.kind == "CKMaterial"] == ["Wood"]


def test_paths_that_lead_nowhere_name_the_nearest(level: Path) -> None:
    file = spelunk.open(level)
    with pytest.raises(spelunk.NotFoundError, match="Wood") as caught:
        file["CKMaterial/Wod"]
    assert caught.value.code == "SP020" or caught.value.code
    assert isinstance(caught.value, KeyError)
    with pytest.raises(KeyError):
        file["CKMaterial/Wood"]["material.difuse"]
    again: Any = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), again.code, str(again)) == (type(caught.value), caught.value.code, str(caught.value))


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        spelunk.open(tmp_path / "nothing.nmo")
    with pytest.raises(spelunk.Error) as caught:
        spelunk.open(b"no container at all")
    assert caught.value.help


def test_arrays_are_the_bytes_of_the_file(corpus: Path) -> None:
    file = spelunk.open(corpus / "virtools" / "balls.nmo")
    entry = next(entry for entry in file.entries("CKMesh") if len(entry.mesh().positions) > 100)
    mesh = entry.mesh()
    positions, other = mesh.positions, entry.mesh().positions
    address = positions.__array_interface__["data"][0]
    assert address == other.__array_interface__["data"][0], "two looks at one place"
    faces = mesh.faces.__array_interface__["data"][0]
    assert abs(faces - address) < 1 << 26
    assert not positions.flags.writeable
    assert not positions.flags.owndata
    before = positions.copy()
    # What is looked at is kept alive.
    del file, entry, mesh, other
    gc.collect()
    assert np.array_equal(positions, before)
    with pytest.raises(ValueError):
        positions[0, 0] = 1


def test_sources(level: Path) -> None:
    data = level.read_bytes()

    class Ranges:
        size = len(data)

        def read_at(self, offset: int, size: int, /) -> bytes:
            return data[offset : offset + size]

    paths = list(spelunk.open(level))
    assert list(spelunk.open(str(level))) == paths
    assert list(spelunk.open(data)) == paths
    assert list(spelunk.open(memoryview(data))) == paths
    assert list(spelunk.open(io.BytesIO(data))) == paths
    assert list(spelunk.open(Ranges())) == paths
    with level.open("rb") as opened:
        assert list(spelunk.open(opened)) == paths


def test_what_a_source_raises_comes_through(level: Path) -> None:
    class Broken:
        size = level.stat().st_size

        def read_at(self, offset: int, size: int, /) -> bytes:
            raise ZeroDivisionError("broken")

    with pytest.raises(ZeroDivisionError, match="broken"):
        spelunk.open(Broken())


def test_urls(level: Path) -> None:
    import functools
    import http.server

    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=level.parent)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}/level.nmo"
        file = spelunk.open(url)
        assert list(file) == list(spelunk.open(level))
        assert file.name == url
        server.shutdown()


def test_edits_are_made_together_or_not_at_all(level: Path, tmp_path: Path) -> None:
    file = spelunk.open(level)
    with file.edit() as edit:
        edit["CKMaterial/Wood", "material.diffuse"] = "#ff0000"
        edit.rename("CKMaterial/Wood", "Oak")
        assert file["CKMaterial/Wood"]["material.diffuse"] == 0xFFFF_FFFF
    assert file["CKMaterial/Oak"]["material.diffuse"] & 0xFF_FFFF == 0xFF_0000
    assert file.is_edited

    before = file.to_bytes()
    with pytest.raises(spelunk.Error), file.edit() as edit:
        edit["CKMaterial/Oak", "material.diffuse"] = 0
        edit["CKMaterial/Oak", "material.nothing"] = 0
    assert file.to_bytes() == before
    with pytest.raises(ZeroDivisionError), file.edit() as edit:
        edit["CKMaterial/Oak", "material.diffuse"] = 0
        raise ZeroDivisionError
    assert file.to_bytes() == before

    new = tmp_path / "new.nmo"
    file.save(new)
    assert new.read_bytes() == before
    rows = file.diff(level).all()
    assert rows
    assert {row["change"] for row in rows} == {"renamed"}


def test_saving_over(level: Path) -> None:
    file = spelunk.open(level)
    with pytest.raises(spelunk.Error):
        file.save(level)
    wood = file["CKMaterial/Wood"]
    with file.edit() as edit:
        edit.set(wood, "material.diffuse", np.uint32(0xFF00_FF00))
    with pytest.raises(spelunk.Error):
        wood.fields()
    file.save_over()
    assert spelunk.open(level)["CKMaterial/Wood"]["material.diffuse"] == 0xFF00_FF00


def test_pickles_and_copies(level: Path) -> None:
    file = spelunk.open(level, strict=True)
    again: spelunk.File = pickle.loads(pickle.dumps(file))
    assert list(again) == list(file)
    assert again.name == file.name
    entry: spelunk.Entry = pickle.loads(pickle.dumps(file["CKMaterial/Wood"]))
    assert (entry.kind, entry.name) == ("CKMaterial", "Wood")
    with file.edit() as edit:
        edit.rename("CKMaterial/Wood", "Oak")
    with pytest.raises(TypeError, match="save"):
        pickle.dumps(file)
    other = copy.copy(file)
    assert "CKMaterial/Oak" in other
    held: spelunk.File = pickle.loads(pickle.dumps(spelunk.open(level.read_bytes())))
    assert "CKMaterial/Wood" in held


def test_closing(level: Path) -> None:
    with spelunk.open(level) as file:
        wood = file["CKMaterial/Wood"]
    assert file.closed
    assert wood.name == "Wood"
    with pytest.raises(spelunk.Error):
        file.entries()


def test_verbs(level: Path) -> None:
    rows = list(spelunk.call("ls", file=level))
    assert [row["path"] for row in rows] == list(spelunk.open(level))
    file = spelunk.open(level)
    with file.edit() as edit:
        edit.rename("CKMaterial/Wood", "Oak")
    assert "Oak" in [row["name"] for row in spelunk.call("ls", file=file)], "changes are seen"
    assert file.verify() == []
    assert file.info()["format"] == "virtools"
    assert spelunk.call("find", pattern="Oak", files=[file]).all()
    cat = spelunk.call("cat", file=level, path="CKMaterial/Wood")
    cat.all()
    assert list(cat.bodies.values()) == [spelunk.open(level)["CKMaterial/Wood"].bytes()]
    # Checkers of types refuse these before they are run.
    wrong: Any = spelunk.call
    with pytest.raises(spelunk.Error, match="one of the verbs"):
        wrong("lst", file=level)
    with pytest.raises(spelunk.Error, match="fiel"):
        wrong("ls", fiel=level).all()
    assert {"ls", "catalog", "query"} <= set(spelunk.verbs())


def test_errors_of_some_files(level: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.nmo"
    bad.write_bytes(b"no container at all")
    with pytest.raises(spelunk.Error):
        spelunk.call("info", files=[bad, level]).all()
    rows = spelunk.call("info", files=[bad, level], errors="collect")
    assert [row["file"] for row in rows if row["format"]] == [str(level)]
    assert rows.code == 3
    assert [diagnostic["file"] for diagnostic in rows.diagnostics] == [str(bad)]


def test_verbs_can_be_left(corpus: Path) -> None:
    with spelunk.call("ls", file=corpus / "virtools" / "level_01_v3.0.nmo") as rows:
        next(rows)
    assert list(rows) == []


def test_interrupts(corpus: Path) -> None:
    import signal

    files = [path for path in sorted((corpus / "virtools").iterdir()) for _ in range(50)]
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        spelunk.call("verify", files=files).all()
        timer.join()


def test_threads_work_meanwhile(corpus: Path) -> None:
    file = spelunk.open(corpus / "virtools" / "level_01_v3.0.nmo")
    expected = [len(entry.fields()) for entry in file.entries()[:60]]
    results: list[list[int]] = []

    def read() -> None:
        results.append([len(entry.fields()) for entry in file.entries()[:60]])

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 4


def test_notebooks(level: Path) -> None:
    file = spelunk.open(level)


    def shown(value: object) -> str:
        return str(getattr(value, "_repr_html_")())

    assert "<table>" in shown(file)
    assert "Wood" in shown(file.entries())
    assert "material.diffuse" in shown(file["CKMaterial/Wood"])
    assert "<svg" in shown(file["CKMesh/Cube_Mesh"].mesh())
    assert "level.nmo" in repr(file)


def test_options(level: Path) -> None:
    with pytest.raises(TypeError, match="no option is called tidy"):
        spelunk.open(level, tidy=True)
    with pytest.raises(spelunk.Error):
        spelunk.open(level, max_memory=10)
    with pytest.raises(spelunk.Error):
        spelunk.open(level, code_pages="klingon")
    with pytest.raises(ValueError, match="generation is a number"):
        spelunk.open(level, generation="newest")
    with pytest.raises(ValueError):
        spelunk.open(level, threads=0)
    assert len(spelunk.open(level, no_map=True, threads=1, generation=None)) == len(spelunk.open(level))


def test_what_is_public_says_what_it_is() -> None:
    """So that pages of the interface (``pdoc spelunk``) have no holes."""
    silent: list[str] = []
    for name in spelunk.__all__:
        item: Any = getattr(spelunk, name)
        if not (inspect.isclass(item) or inspect.isfunction(item)):
            continue
        if not inspect.getdoc(item):
            silent.append(name)
        members: dict[str, Any] = dict(vars(item)) if inspect.isclass(item) else {}
        for member, value in members.items():
            is_own = inspect.isfunction(value) or isinstance(value, property)
            if is_own and not member.startswith("_") and not inspect.getdoc(value):
                silent.append(f"{name}.{member}")
    assert silent == []
