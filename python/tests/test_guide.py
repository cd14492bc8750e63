"""The guide, whose examples are run."""

from __future__ import annotations

import doctest
import shutil
from pathlib import Path

import pytest

import spelunk

ROOT = Path(__file__).resolve().parents[2]


def test_guide(level: Path, samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    polars = pytest.importorskip("polars")
    gamedata = tmp_path / "GameData.cff"
    shutil.copy(samples / "GameData.cff", gamedata)
    monkeypatch.chdir(tmp_path)
    guide = ROOT / "docs" / "guides" / "python.md"
    names = {"LEVEL": level, "GAMEDATA": gamedata, "FOLDER": tmp_path, "polars": polars, "spelunk": spelunk}
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    result = doctest.testfile(str(guide), module_relative=False, globs=names, optionflags=flags)
    assert result.attempted > 20
    assert result.failed == 0


def test_guide_of_clusters(samples: Path, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    for name in ("GameData.cff", "level.nmo", "forest.snpak"):
        shutil.copy(samples / name, folder)
    guide = ROOT / "docs" / "guides" / "cluster.md"
    result = doctest.testfile(str(guide), module_relative=False, globs={"FOLDER": folder})
    assert (result.attempted, result.failed) == (5, 0)
