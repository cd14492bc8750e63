"""Where files for tests are: real ones in the folder that SPELUNK_CORPUS names, made ones in that of SPELUNK_SAMPLES
(``cargo xtask samples DIR``). With CI set, missing ones fail."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _folder(variable: str, default: Path) -> Path | None:
    folder = Path(os.environ.get(variable, default))
    return folder if folder.is_dir() else None


def _needed(variable: str, default: Path) -> Path:
    folder = _folder(variable, default)
    if folder is None:
        message = f"{default} is not there, and {variable} names no other folder"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return folder


@pytest.fixture(scope="session")
def corpus() -> Path:
    """Real files."""
    return _needed("SPELUNK_CORPUS", ROOT.parent / "shared" / "corpus")


@pytest.fixture(scope="session")
def samples() -> Path:
    """Files of every format that were made."""
    return _needed("SPELUNK_SAMPLES", ROOT / "target" / "samples")


@pytest.fixture(scope="session")
def gamedata(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole GameData."""
    packed = corpus / "spellforce" / "GameData-1.54-en.cff.zst"
    plain = tmp_path_factory.mktemp("gamedata") / "GameData.cff"
    pyarrow = pytest.importorskip("pyarrow")
    with pyarrow.input_stream(packed, compression="zstd") as unpacked, plain.open("wb") as out:
        shutil.copyfileobj(unpacked, out)
    return plain


@pytest.fixture
def level(samples: Path, tmp_path: Path) -> Path:
    """A made level, to be changed."""
    copy = tmp_path / "level.nmo"
    copy.write_bytes(next(samples.glob("**/level.nmo")).read_bytes())
    return copy
