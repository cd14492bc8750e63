"""Real files against what an independent decoder found in them."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spelunk


def truths(corpus: Path) -> list[tuple[Path, dict[str, Any]]]:
    pairs: list[tuple[Path, dict[str, Any]]] = []
    for path in sorted((corpus / "virtools").iterdir()):
        truth = corpus / "truth" / "virtools" / f"{path.name}.json"
        pairs.append((path, json.loads(truth.read_text())))
    return pairs


def crc(array: Any) -> str:
    return f"{zlib.crc32(np.ascontiguousarray(array).tobytes()):08x}"


def test_meshes(corpus: Path) -> None:
    count, known_count = 0, 0
    for path, truth in truths(corpus):
        known_count += len(truth["meshes"])
        file = spelunk.open(path)
        entries = [entry for entry in file.entries() if entry.kind == "CKMesh"]
        assert len(entries) == len(truth["meshes"]), path
        for entry, known in zip(entries, truth["meshes"], strict=True):
            mesh = entry.mesh()
            assert mesh.positions.shape == (known["vertices"], 3), entry
            assert crc(mesh.positions) == known["pos_crc32"], entry
            assert mesh.faces.shape == (known["faces"], 3), entry
            faces = np.column_stack([mesh.faces, mesh.face_materials]) if known["faces"] else mesh.faces
            assert crc(faces) == (known["faces_crc32"] or "00000000"), entry
            uvs = mesh.uvs[: known["uv_count"]]
            assert crc(uvs) == (known["uv_crc32"] or "00000000"), entry
            assert mesh.uvs.shape == (known["vertices"], 2), entry
            if known["normals_stored"]:
                assert crc(mesh.normals) == known["normals_crc32"], entry
            assert mesh.normals.shape == mesh.positions.shape, entry
            assert np.allclose(mesh.bounds, [known["bbox_min"], known["bbox_max"]]), entry
            names = [None if slot is None else slot.name for slot in mesh.materials]
            assert [name is None for name in names] == [name is None for name in known["materials"]], entry
            assert all(name == other for name, other in zip(names, known["materials"], strict=True) if (name or "").isascii()), entry
            count += 1
    assert count == known_count > 1000


def test_pictures(corpus: Path) -> None:
    count = 0
    for path, truth in truths(corpus):
        file = spelunk.open(path)
        entries = [entry for entry in file.entries() if entry.kind == "CKTexture"]
        for entry, known in zip(entries, truth["textures"], strict=True):
            embedded = known["embedded"]
            if not embedded:
                continue
            for slot, picture in enumerate(embedded):
                if not picture:
                    continue
                image = entry.image(slot)
                assert image.file is None
                assert image.pixels.shape == (image.height, image.width, 4)
                if not known["transparent"]:
                    assert crc(image.pixels) == picture["rgba_topdown_crc32"], entry
                    count += 1
    assert count > 0


def test_saving_what_was_not_changed(corpus: Path, tmp_path: Path) -> None:
    for path in sorted((corpus / "virtools").iterdir()):
        saved = tmp_path / path.name
        with spelunk.open(path) as file:
            file.save(saved)
            assert file.to_bytes() == path.read_bytes()
        assert saved.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("glob", ["CKMaterial", "ckmaterial/*"])
def test_globs(corpus: Path, glob: str) -> None:
    for path, truth in truths(corpus)[:8]:
        file = spelunk.open(path)
        assert len(file.entries(glob)) == truth["class_counts"].get("CKMaterial", 0)


def test_tables_of_a_gamedata(corpus: Path, gamedata: Path) -> None:
    file = spelunk.open(gamedata)
    truth = json.loads((corpus / "truth" / "spellforce.json").read_text())
    assert truth
    assert "items" in file.tables()
    items = file.table("items")
    assert items.columns[0] == "row"
    by_sql = file.query("SELECT count(*) AS n, max(item_id) AS last FROM items").__getitem__(0)
    assert by_sql["n"] == len(items)
    assert max(row["item_id"] for row in items) == by_sql["last"]


def test_rows_of_data_frames(gamedata: Path, tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    file = spelunk.open(gamedata)
    items = polars.DataFrame(file.table("items"))
    dearer = items.with_columns(polars.col("buy_value") + polars.col("buy_value") // 10)
    changed = int((dearer["buy_value"] != items["buy_value"]).sum())
    with file.edit() as edit:
        assert edit.rows("items", dearer) == changed > 100
    assert polars.DataFrame(file.table("items")).equals(dearer)
    assert len(file.diff(gamedata).all()) == changed
    with file.edit() as edit:
        assert edit.rows("items", dearer) == 0
        assert edit.rows("items", [{"row": 0, "sell_value": 7}]) == 1
        with pytest.raises(ValueError, match="no column price"):
            edit.rows("items", [{"row": 0, "price": 7}])
        with pytest.raises(ValueError, match="below"):
            edit.rows("items", [{"row": 10**9, "sell_value": 7}])
    assert file.table("items")[0]["sell_value"] == 7
    out = tmp_path / "new.cff"
    file.save(out)
    assert out.stat().st_size == gamedata.stat().st_size


def test_scenes(corpus: Path) -> None:
    for path, truth in truths(corpus):
        scene = spelunk.open(path).scene()
        entities = {entity.index: entity for entity in scene.entities}
        for known in truth["entities"]:
            entity = entities[known["index"]]
            assert entity.kind == known["class"]
            rows = [row[:3] for row in known["world_matrix_rows"]]
            assert np.allclose(entity.matrix, rows, rtol=1e-5, atol=1e-6), (path, entity)
            parent = None if entity.parent is None else entities[entity.parent].name
            assert (parent is None) == (known["parent"] is None), (path, entity)
            assert (entity.mesh is None) == (known["mesh"] is None), (path, entity)
        materials = {material.index: material for material in scene.materials}
        for known in truth["materials"]:
            material = materials[known["index"]]
            assert np.allclose(material.diffuse, known["diffuse"], atol=1e-6)
            assert (material.is_two_sided, material.is_blended) == (known["two_sided"], known["alpha_blend"])
        assert [group.index for group in scene.groups] == [known["index"] for known in truth["groups"]]
        assert [len(group.members) for group in scene.groups] == [known["members"] for known in truth["groups"]]
