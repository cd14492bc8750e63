"""Many files by many processes: the rows are those of one process."""

from __future__ import annotations

import functools
import http.server
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import spelunk
import spelunk.ray
from spelunk import _workers

TESTS = str(Path(__file__).parent)
sys.path.append(TESTS)

import deadly  # noqa: E402

COPIES = 300


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """A cluster of this machine, with two workers."""
    ray: Any = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": {"PYTHONPATH": TESTS}})
    yield
    ray.shutdown()


@pytest.fixture
def many(samples: Path, tmp_path: Path) -> Path:
    """Copies of the samples under other names, and files that are damaged or no containers."""
    folder = tmp_path / "many"
    files = sorted(path for path in samples.iterdir() if path.is_file())
    for nth in range(COPIES):
        path = files[nth % len(files)]
        place = folder / f"{nth % 4}"
        place.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place / f"{nth:05}-{path.name}")
    (folder / "damaged.nmo").write_bytes((samples / "level.nmo").read_bytes()[:200])
    (folder / "notes.txt").write_text("no container")
    return folder


def rows_of(catalogue: Path) -> dict[str, list[dict[str, Any]]]:
    parquet: Any = pytest.importorskip("pyarrow.parquet")
    tables: dict[str, list[dict[str, Any]]] = {}
    for table in sorted(path for path in catalogue.iterdir() if path.is_dir()):
        rows = [row for part in table.glob("*.parquet") for row in parquet.read_table(part).to_pylist()]
        tables[table.name] = sorted(rows, key=str)
    return tables


def without_places(report: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in report.items() if key not in ("catalog", "diagnostics", "passed_over", "code")}


def check_catalogue(many: Path, tmp_path: Path, processes: int | None) -> None:
    with spelunk.call("catalog", trees=[many], output=tmp_path / "alone", errors="collect") as rows:
        alone = rows.one()
        diagnostics = rows.diagnostics
    shown: list[spelunk.ray.Progress] = []
    report = spelunk.ray.catalog(many, tmp_path / "shared", processes=processes, progress=shown.append)
    assert without_places(report) == without_places(alone)
    assert [it["file"] for it in report["diagnostics"]] == [it["file"] for it in diagnostics]
    assert report["passed_over"] == [str(many / "notes.txt")]
    assert (shown[-1].files, shown[-1].bytes) == (COPIES + 2, shown[-1].all_bytes)
    assert rows_of(tmp_path / "shared") == rows_of(tmp_path / "alone")
    # The second run has nothing to do.
    again = spelunk.ray.catalog(many, tmp_path / "shared", processes=processes, progress=False)
    assert (again["unchanged"], again["written"]) == (COPIES + 2, 0)


def test_processes_make_the_catalogue_of_one(many: Path, tmp_path: Path) -> None:
    check_catalogue(many, tmp_path, 2)


def test_ray_makes_the_catalogue_of_one_process(cluster: None, many: Path, tmp_path: Path) -> None:
    check_catalogue(many, tmp_path, None)


def check_verify(many: Path, processes: int | None) -> None:
    with spelunk.call("verify", files=[many], recursive=True, errors="collect") as rows:
        alone = rows.all()
    shared = list(spelunk.ray.verify(many, processes=processes))
    assert sorted(shared, key=str) == sorted(alone, key=str)
    assert [row["file"] for row in shared if not row["ok"]].count(str(many / "damaged.nmo")) == 1


def test_processes_verify(many: Path) -> None:
    check_verify(many, 2)


def test_ray_verifies(cluster: None, many: Path) -> None:
    check_verify(many, None)


def check_extract(many: Path, tmp_path: Path, processes: int | None) -> None:
    rows = list(spelunk.ray.extract([many / "0", many / "damaged.nmo"], tmp_path / "out", processes=processes))
    files = sorted((many / "0").iterdir())
    assert {row["file"] for row in rows if row["ok"]} <= {str(file) for file in files}
    (damaged,) = [row for row in rows if row["file"] == str(many / "damaged.nmo")]
    assert not damaged["ok"] and damaged["findings"][0]["severity"] == "error"
    row = next(row for row in rows if row["file"].endswith("level.nmo") and row["ok"])
    there = [path for path in Path(row["directory"]).rglob("*") if path.is_file()]
    assert row["directory"] == str(tmp_path / "out" / Path(row["file"]).name)
    assert sum(path.stat().st_size for path in there) >= row["bytes"] > 0


def test_processes_extract(many: Path, tmp_path: Path) -> None:
    check_extract(many, tmp_path, 2)


def test_ray_extracts(cluster: None, many: Path, tmp_path: Path) -> None:
    check_extract(many, tmp_path, None)


def test_ray_reads_tables(cluster: None, many: Path, tmp_path: Path) -> None:
    from ray.data.expressions import col

    spelunk.ray.catalog(many, tmp_path / "out", processes=2, progress=False)
    rows = rows_of(tmp_path / "out")
    for table, expected in rows.items():
        assert spelunk.ray.read(tmp_path / "out", table).count() == len(expected)
    sizes: Any = spelunk.ray.read(tmp_path / "out", "entries", columns=["file", "size"])
    sizes = sizes.filter(expr=col("size") > 100)
    expected = [{key: row[key] for key in ("file", "size")} for row in rows["entries"] if (row["size"] or 0) > 100]
    assert sorted(sizes.take_all(), key=str) == sorted(expected, key=str)
    with pytest.raises(spelunk.Error, match="files, entries"):
        spelunk.ray.read(tmp_path / "out", "none")
    # The same rows of the files themselves, which have a table of entries too.
    own: Any = spelunk.ray.read(many, "entries")
    own = own.filter(expr=(col("size") > 100) & (col("path") != "")).select_columns(["file", "size"])
    # A damaged file has none there, and the entries that could be read in the catalogue.
    expected = [row for row in expected if not row["file"].endswith("damaged.nmo")]
    assert sorted(own.take_all(), key=str) == sorted(expected, key=str)
    assert "size" not in spelunk.ray.read(many, "meshes", columns=["file", "name"]).take(1)[0]
    assert spelunk.ray.read(many / "notes.txt", "entries").count() == 0


def test_what_lets_somebody_in_is_in_no_row(samples: Path, tmp_path: Path) -> None:
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=samples)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}/level.nmo"
        (verified,) = spelunk.ray.verify(url + "?signature=hush", processes=1)
        (extracted,) = spelunk.ray.extract(url + "?signature=hush", tmp_path / "out", processes=1)
        server.shutdown()
    assert (verified["file"], verified["ok"], extracted["ok"]) == (url, True, True)
    assert (extracted["file"], extracted["directory"]) == (url, str(tmp_path / "out" / "level.nmo"))


@pytest.mark.parametrize("processes", [2, None])
def test_the_part_of_a_killed_worker_is_done_again(
    request: pytest.FixtureRequest, many: Path, tmp_path: Path, processes: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if processes is None:
        request.getfixturevalue("cluster")
    marker = str(tmp_path / "marker")
    monkeypatch.setenv("SPELUNK_MARKER", marker)
    monkeypatch.setattr(spelunk.ray, "_write_part", deadly.write_once_ended)
    remote = {"runtime_env": {"env_vars": {"SPELUNK_MARKER": marker, "PYTHONPATH": TESTS}}}
    spelunk.ray.catalog(many, tmp_path / "shared", processes=processes, remote=remote, progress=False)
    assert Path(marker).exists()
    spelunk.call("catalog", trees=[many], output=tmp_path / "alone", errors="collect").all()
    assert rows_of(tmp_path / "shared") == rows_of(tmp_path / "alone")
    # What the killed process had written is not there any more.
    parts = [path for path in (tmp_path / "shared").rglob("*.parquet*")]
    assert len(parts) == len([path for path in (tmp_path / "alone").rglob("*.parquet")])


@pytest.mark.parametrize("processes", [1, 3, None])
def test_what_ends_processes_each_time_is_found(request: pytest.FixtureRequest, processes: int | None) -> None:
    if processes is None:
        request.getfixturevalue("cluster")
    tasks = [_workers.Task((nth,), [nth]) for nth in range(12)]
    done = dict(_workers.run(deadly.number, tasks, processes=processes))
    assert isinstance(done.pop(deadly.DEADLY), _workers.Lost)
    assert done == {nth: nth for nth in range(12) if nth != deadly.DEADLY}


def test_a_file_that_ends_processes_is_a_row(many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = list(spelunk.ray.verify(many, processes=2))
    monkeypatch.setattr(spelunk.ray, "_verify", deadly.verify_without_damaged)
    rows = list(spelunk.ray.verify(many, processes=2))
    assert len(rows) == len(alone)
    (lost,) = [row for row in rows if row["file"].endswith("damaged.nmo")]
    assert not lost["ok"] and lost["findings"][0]["code"] == "SP175"


def test_a_file_that_ends_processes_is_a_row_of_the_catalogue(samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spelunk.ray, "_write_part", deadly.write_without_second)
    trees = sorted(samples / name for name in ("level.nmo", "forest.snpak", "sf22.pak"))
    report = spelunk.ray.catalog(trees, tmp_path / "out", processes=2, progress=False)
    assert [it["file"] for it in report["diagnostics"]] == [str(trees[1])]
    files = {row["file"]: row["error_code"] for row in rows_of(tmp_path / "out")["files"]}
    assert files == {str(tree): "SP175" if tree == trees[1] else None for tree in trees}


def test_a_script_without_a_main_ends_with_advice(samples: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(f"import spelunk.ray\nprint(list(spelunk.ray.verify({str(samples)!r}, processes=2)))\n")
    ended = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 1
    assert 'below `if __name__ == "__main__":`' in ended.stderr


def test_versions_have_to_be_the_same(cluster: None, many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_workers, "VERSION", "0.0.1")
    with pytest.raises(RuntimeError, match="not all machines have spelunk"):
        list(spelunk.ray.verify(many))


def test_large_files_come_last() -> None:
    tasks = [_workers.Task((nth,), [size]) for nth, size in enumerate([5000, 10, 300])]
    assert [nth for nth, _ in _workers.run(deadly.number, tasks, processes=1)] == [1, 2, 0]
    assert [task.memory - (64 << 20) for task in tasks] == [40000, 80, 2400]
