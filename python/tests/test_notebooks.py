"""The notebooks, which run from top to bottom."""

from __future__ import annotations

from pathlib import Path

import pytest

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"


@pytest.mark.parametrize("notebook", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebook(notebook: Path, corpus: Path, samples: Path, gamedata: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("polars")
    monkeypatch.setenv("SPELUNK_LEVELS", str(corpus / "virtools"))
    monkeypatch.setenv("SPELUNK_GAMEDATA", str(gamedata))
    monkeypatch.setenv("SPELUNK_PACK", str(samples / "textures.snpak"))
    nbclient.NotebookClient(nbformat.read(notebook, as_version=4), timeout=300).execute()
