"""Objects of arrays, into new files and into those that are there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import spelunk

POSITIONS = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], np.float32)
FACES = np.array([[0, 2, 1], [0, 3, 2]], np.uint16)
UVS = np.array([[0, 1], [1, 1], [1, 0], [0, 0]], np.float32)
PIXELS = np.arange(4 * 8 * 4, dtype=np.uint8).reshape(4, 8, 4)


def fill(file: spelunk.File) -> None:
    with file.edit() as edit:
        edit.texture("Picture", PIXELS)
        edit.material("Paint", diffuse=(1, 0.5, 0), texture="Picture")
        edit.mesh("Square_Mesh", POSITIONS, FACES, uvs=UVS, materials=[None, "Paint"], face_materials=[1, 1])
        matrix = np.eye(4)
        matrix[3, :3] = [10, 20, 30]
        edit.object("Square", mesh="Square_Mesh", matrix=matrix)
        edit.object("Child", parent="Square")
        edit.group("Sector_01", ["Square", "Child"])


def check(file: spelunk.File) -> None:
    mesh = file["CKMesh/Square_Mesh"].mesh()
    assert np.array_equal(mesh.positions, POSITIONS)
    assert np.array_equal(mesh.faces, FACES)
    assert np.array_equal(mesh.uvs, UVS)
    assert np.array_equal(mesh.face_materials, [1, 1])
    assert [slot and slot.name for slot in mesh.materials] == [None, "Paint"]
    assert np.allclose(mesh.normals, [[0, 0, -1]] * 4)
    assert np.array_equal(file["CKTexture/Picture"].image().pixels, PIXELS)
    assert file["CKMaterial/Paint"].field("material.diffuse").meaning == "#ff8000"
    assert file["CK3dObject/Square"].mesh().positions.shape == (4, 3)
    group = file["CKGroup/Sector_01"]
    assert len([row for row in group.refs() if row]) >= 2
    assert file.verify() == []


def judge(path: Path) -> None:
    """Has the loader that others wrote load a file."""
    loader = os.environ.get("SPELUNK_VIRTOOLS_LOAD")
    if loader and Path(loader).exists():
        done = subprocess.run([sys.executable, loader, path], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_a_new_file(tmp_path: Path) -> None:
    file = spelunk.new()
    assert len(file) == 0
    fill(file)
    check(file)
    path = tmp_path / "new.nmo"
    file.save(path)
    check(spelunk.open(path))
    judge(path)


def test_a_file_that_is_there(level: Path, tmp_path: Path) -> None:
    file = spelunk.open(level)
    fill(file)
    check(file)
    assert file["CKMesh/Cube_Mesh"].mesh().positions.shape == (8, 3)
    path = tmp_path / "more.nmo"
    file.save(path)
    judge(path)


def test_the_same_once_more_changes_nothing(level: Path) -> None:
    file = spelunk.open(level)
    fill(file)
    once = file.to_bytes()
    fill(file)
    assert file.to_bytes() == once


def test_a_mesh_in_the_place_of_another(level: Path) -> None:
    file = spelunk.open(level)
    cube = file["CKMesh/Cube_Mesh"].mesh()
    moved = cube.positions + np.float32(5)
    slots = [slot and slot.name for slot in cube.materials]
    with file.edit() as edit:
        edit.mesh("Cube_Mesh", moved, cube.faces, uvs=cube.uvs, face_materials=cube.face_materials, materials=slots)
    assert np.array_equal(file["CKMesh/Cube_Mesh"].mesh().positions, moved)
    assert len(file) == len(spelunk.open(level))
    changed = {row["new"]["path"] if row.get("new") else None for row in spelunk.open(level).diff(file)}
    assert len(changed) == 1


def test_arrays_that_do_not_fit(level: Path) -> None:
    file = spelunk.open(level)
    before = file.to_bytes()
    with pytest.raises(spelunk.Error, match="vertices below 4"), file.edit() as edit:
        edit.mesh("Bad", POSITIONS, [[0, 1, 4]])
    with pytest.raises(spelunk.Error, match="normals"), file.edit() as edit:
        edit.mesh("Bad", POSITIONS, FACES, normals=[[0, 0, 1]])
    with pytest.raises(spelunk.Error, match="Nowhere"), file.edit() as edit:
        edit.mesh("Bad", POSITIONS, FACES, materials=["Nowhere"])
    with pytest.raises(ValueError, match="shape"), file.edit() as edit:
        edit.mesh("Bad", [[0, 0]])
    with pytest.raises(spelunk.Error), file.edit() as edit:
        edit.rename("CKMaterial/Wood", "Oak")
        edit.mesh("Bad", POSITIONS * np.nan, FACES)
    assert file.to_bytes() == before


def test_many_vertices_are_refused_with_their_number(level: Path) -> None:
    file = spelunk.open(level)
    with pytest.raises(spelunk.Error, match="65535"), file.edit() as edit:
        edit.mesh("Bad", np.zeros((70_000, 3)), [[0, 1, 2]])


def test_packs_of_folders_and_of_memory(tmp_path: Path) -> None:
    contents = {"sounds/tone.wav": b"RIFF" + bytes(60), "notes.txt": b"hello" * 100, "空.bin": b""}
    made = spelunk.pack(contents, tmp_path / "memory.snpak", compress=["zstd"])
    assert {Path(entry.name).stem: entry.bytes() for entry in made.entries()} == {
        Path(name).stem: content for name, content in contents.items()
    }
    assert made.verify() == []
    folder = tmp_path / "folder"
    for name, content in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    same = spelunk.pack(folder, tmp_path / "folder.snpak", compress=["zstd"])
    assert same.diff(made).all() == []
    with pytest.raises(spelunk.Error):
        spelunk.pack(folder, tmp_path / "folder.snpak")
    for name in ("../out.txt", "/out.txt", "", "a\\b"):
        with pytest.raises(ValueError, match="no name of a file"):
            spelunk.pack({name: b""}, tmp_path / "no.snpak")
