"""The add-on in Blender without a window: `python -m pytest python/blender/tests` with the package `bpy`."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

import spelunk  # noqa: E402
from mathutils import Matrix, Vector  # noqa: E402

HERE = Path(__file__).resolve()
sys.path.insert(0, str(HERE.parents[1]))
import virtools  # noqa: E402
from virtools import coordinates  # noqa: E402
from virtools.reading import FILE, Options, Reader  # noqa: E402
from virtools.settings import straight  # noqa: E402
from virtools.writing import Writer  # noqa: E402

ROOT = HERE.parents[3]
CORPUS = Path(os.environ.get("SPELUNK_CORPUS", ROOT.parent / "shared" / "corpus"))
LOADER = os.environ.get("SPELUNK_VIRTOOLS_LOAD")


def files():
    if not CORPUS.is_dir():
        assert not os.environ.get("CI"), f"{CORPUS} is not there"
        return []
    return sorted((CORPUS / "virtools").iterdir())


@pytest.fixture(autouse=True)
def empty():
    bpy.ops.wm.read_factory_settings(use_empty=True)


def read(path, **options):
    reader = Reader(path, Options(**options))
    return reader, reader.run()


def write(collection, base, to):
    writer = Writer(collection, base)
    writer.run(to)
    return writer


def judge(path):
    if LOADER and Path(LOADER).exists():
        done = subprocess.run([sys.executable, LOADER, path], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def bounds(objects):
    corners = [made.matrix_world @ corner for made, corner in objects]
    return np.array(corners).min(axis=0), np.array(corners).max(axis=0)


@pytest.mark.parametrize("path", files(), ids=lambda path: path.name)
def test_real_files(path, tmp_path):
    truth = json.loads((CORPUS / "truth" / "virtools" / f"{path.name}.json").read_text())
    reader, collection = read(path)
    assert len(reader.objects) == len(truth["entities"])
    assert len(reader.meshes) == len(truth["meshes"])
    assert len(reader.materials) == len(truth["materials"])
    assert len(reader.images) == len(truth["textures"])
    assert len(collection.children) == len(truth["groups"])
    for known in truth["meshes"]:
        mesh = reader.meshes[known["index"]]
        assert len(mesh.vertices) == known["vertices"]
        assert len(mesh.polygons) == known["faces"]
        if known["vertices"]:
            places = np.empty(known["vertices"] * 3, np.float32)
            mesh.vertices.foreach_get("co", places)
            places = places.reshape(-1, 3)[:, [0, 2, 1]]
            assert np.allclose(places.min(axis=0), known["bbox_min"], rtol=1e-6)
            assert np.allclose(places.max(axis=0), known["bbox_max"], rtol=1e-6)
    for known in truth["entities"]:
        x, y, z = known["world_matrix_rows"][3][:3]
        place = reader.objects[known["index"]].matrix_world.translation
        assert np.allclose(place, (x, z, y), rtol=1e-4, atol=1e-3), known["name"]
    # Unchanged it is the same file.
    out = tmp_path / path.name
    assert write(collection, path, out).changes == []
    assert out.read_bytes() == path.read_bytes()
    # One object that was moved is one difference.
    placed = [made for made in reader.objects.values() if not made.children]
    if not placed:
        return
    placed[0].location.x += 5
    bpy.context.view_layer.update()
    moved = tmp_path / f"moved-{path.name}"
    assert len(write(collection, path, moved).changes) == 1
    differences = spelunk.open(path).diff(moved).all()
    assert [row["change"] for row in differences] == ["changed"], differences
    assert differences[0]["new"]["path"] == f"#{placed[0]['virtools_index']}"
    judge(moved)


@pytest.fixture
def level(tmp_path):
    path = next(path for path in files() if path.name == "level_level_01.nmo")
    copy = tmp_path / "level.nmo"
    copy.write_bytes(path.read_bytes())
    return copy


def test_faces_look_outward(level):
    reader, _ = read(level)
    good = 0
    for mesh in reader.meshes.values():
        for polygon in list(mesh.polygons)[:20]:
            normal = polygon.normal
            corner = mesh.corner_normals[polygon.loop_start].vector
            good += 1 if normal.dot(corner) > 0 else -1
    assert good > 500


def test_changed_new_and_deleted_objects(level, tmp_path):
    reader, collection = read(level)
    before = spelunk.open(level).scene()
    # A mesh with one vertex moved.
    mesh = next(mesh for mesh in reader.meshes.values() if mesh.users == 1 and len(mesh.vertices) > 3)
    mesh.vertices[0].co.x += 1
    # A cube that is new, with a material and a picture that are new, in a group of the file.
    bpy.ops.mesh.primitive_cube_add(location=(1, 2, 3))
    cube = bpy.context.object
    cube.name = cube.data.name = "新しい"
    material = bpy.data.materials.new("Paint")
    material.use_nodes = True
    image = bpy.data.images.new("Checker", 4, 4)
    image.pixels.foreach_set(np.linspace(0, 1, 64, dtype=np.float32))
    picture = material.node_tree.nodes.new("ShaderNodeTexImage")
    picture.image = image
    surface = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    material.node_tree.links.new(picture.outputs["Color"], surface.inputs["Base Color"])
    cube.data.materials.append(material)
    for owner in list(cube.users_collection):
        owner.objects.unlink(cube)
    collection.objects.link(cube)
    group = collection.children[0]
    group.objects.link(cube)
    # One that goes.
    gone = next(made for made in reader.objects.values() if not made.children and made.data is not mesh)
    gone_name = gone.name
    bpy.data.objects.remove(gone)
    bpy.context.view_layer.update()

    out = tmp_path / "out.nmo"
    cube.name = cube.data.name = "Cube"
    write(collection, level, out)
    after = spelunk.open(out)
    scene = after.scene()
    assert len(scene.entities) == len(before.entities)
    names = {entity.name: entity for entity in scene.entities}
    assert gone_name not in names or len([entity for entity in before.entities if entity.name == gone_name]) > 1
    added = names["Cube"]
    assert np.allclose(added.matrix[3], (1, 3, 2))
    arrays = after[f"#{added.mesh}"].mesh()
    assert len(arrays.faces) == 12
    assert [slot and slot.name for slot in arrays.materials] == ["Paint"]
    low, high = arrays.bounds
    assert np.allclose(low, -1) and np.allclose(high, 1)
    # Faces look outward.
    for face in arrays.faces:
        a, b, c = (arrays.positions[corner] for corner in face)
        assert np.dot(np.cross(b - a, c - a), a + b + c) > 0
    assert after["CKTexture/Checker"].image().pixels.shape == (4, 4, 4)
    groups = {entry.name: entry.members for entry in scene.groups}
    assert added.index in groups[group.name]
    assert after.verify() == []
    judge(out)


def test_names_and_textures_of_what_was_there(level, tmp_path):
    reader, collection = read(level)
    made = next(iter(reader.objects.values()))
    made.name = "Renamed"
    scene = spelunk.open(level).scene()
    stored = next(material for material in scene.materials if material.texture is not None)
    other = next(texture for texture in scene.textures if texture.index != stored.texture)
    nodes = reader.materials[stored.index].node_tree.nodes
    next(node for node in nodes if node.type == "TEX_IMAGE").image = reader.images[other.index]
    out = tmp_path / "out.nmo"
    write(collection, level, out)
    after = spelunk.open(out).scene()
    assert {entity.index: entity.name for entity in after.entities}[made["virtools_index"]] == "Renamed"
    assert {material.index: material.texture for material in after.materials}[stored.index] == other.index
    assert len(spelunk.open(level).diff(out).all()) == 2
    judge(out)


def test_settings_of_lights_and_cameras(tmp_path):
    path = CORPUS / "virtools" / "balls.nmo"
    reader, collection = read(path)
    light = next(made for made in reader.objects.values() if made.type == "LIGHT")
    index = light["virtools_index"]
    known = spelunk.open(path)[f"#{index}"]
    assert light.data.type == "POINT" and light.data.cutoff_distance == known["light.range"]
    light.data.color = (1, 0, 0)
    light.data.cutoff_distance = 7
    spot = bpy.data.objects.new("Spot", bpy.data.lights.new("Spot", "SPOT"))
    spot.data.spot_size, spot.data.spot_blend = 1.0, 0.25
    camera = bpy.data.objects.new("Eye", bpy.data.cameras.new("Eye"))
    camera.data.sensor_fit, camera.data.angle, camera.data.clip_end = "HORIZONTAL", 1.25, 99
    # It looks along the second axis, from below.
    camera.matrix_world = Matrix.Translation((1, 2, 3)) @ Matrix.Rotation(math.pi / 2, 4, "X")
    for made in (spot, camera):
        collection.objects.link(made)
    camera.parent = light
    bpy.context.view_layer.update()
    out = tmp_path / "out.nmo"
    writer = write(collection, path, out)
    assert len(writer.changes) == 3, writer.changes
    after = spelunk.open(out)
    assert after[f"#{index}"]["light.range"] == 7
    assert after[f"#{index}"]["light.color"] & 0xFFFFFF == 0xFF0000
    assert after[f"#{index}"]["light.color"] >> 24 == known["light.color"] >> 24
    lamp = after["CKLight/Spot"]
    assert lamp["light.kind_and_flags"] == 0x102
    assert np.isclose(lamp["light.outer_cone"], 1.0) and np.isclose(lamp["light.inner_cone"], 0.75)
    eye = after["CKCamera/Eye"]
    assert np.isclose(eye["projection.fov"], 1.25) and eye["projection.far_plane"] == 99
    entity = next(entity for entity in after.scene().entities if entity.name == "Eye")
    assert entity.parent == index
    world = coordinates.to_virtools(straight("CKCamera", camera.matrix_world))
    assert np.allclose(entity.matrix, world[:, :3], atol=1e-5)
    judge(out)
    # And in again, as it was.
    bpy.ops.wm.read_factory_settings(use_empty=True)
    reader, _ = read(out)
    camera = reader.objects[entity.index]
    assert camera.type == "CAMERA" and np.isclose(camera.data.angle, 1.25)
    assert np.allclose(camera.matrix_world.to_3x3() @ Vector((0, 0, -1)), straight_ahead(entity.matrix), atol=1e-5)
    spot = next(made for made in reader.objects.values() if made.name == "Spot")
    assert spot.data.type == "SPOT" and np.isclose(spot.data.spot_blend, 0.25)


def straight_ahead(rows):
    """Where the third axis of Virtools points in Blender."""
    x, y, z = rows[2]
    return x, z, y


def test_what_hangs_together_differently(level, tmp_path):
    reader, collection = read(level)
    objects = [made for made in reader.objects.values() if made.type == "MESH"]
    child, parent = objects[0], objects[5]
    place = child.matrix_world.copy()
    child.parent = parent
    child.matrix_parent_inverse = parent.matrix_world.inverted()
    hidden = objects[7]
    hidden.hide_render = not hidden.hide_render
    group = next(group for group in collection.children if len(group.objects) > 1)
    left = group.objects[0]
    group.objects.unlink(left)
    # A picture that is new, for a material that was there.
    stored = next(material for material in spelunk.open(level).scene().materials if material.texture is not None)
    image = bpy.data.images.new("New", 2, 2)
    nodes = reader.materials[stored.index].node_tree.nodes
    next(node for node in nodes if node.type == "TEX_IMAGE").image = image
    # Colours of vertices, on a mesh that had none.
    mesh = next(mesh for mesh in reader.meshes.values() if not mesh.color_attributes and len(mesh.vertices) > 3)
    layer = mesh.color_attributes.new("Color", "BYTE_COLOR", "POINT")
    shades = np.tile(np.float32([1, 0, 0, 1]), (len(mesh.vertices), 1))
    shades[0] = (0, 0, 1, 1)
    layer.data.foreach_set("color_srgb", shades.ravel())
    bpy.context.view_layer.update()
    out = tmp_path / "out.nmo"
    writer = write(collection, level, out)
    assert writer.warnings == []
    after = spelunk.open(out)
    scene = after.scene()
    entities = {entity.index: entity for entity in scene.entities}
    assert entities[child["virtools_index"]].parent == parent["virtools_index"]
    assert np.allclose(coordinates.to_blender(entities[child["virtools_index"]].matrix), place, atol=1e-3)
    assert entities[hidden["virtools_index"]].is_hidden == hidden.hide_render
    members = {item.index: item.members for item in scene.groups}[group["virtools_index"]]
    assert left["virtools_index"] not in members and len(members) >= len(group.objects)
    texture = {item.index: item.texture for item in scene.materials}[stored.index]
    assert after[f"#{texture}"].name == "New" and after[f"#{texture}"].image().pixels.shape == (2, 2, 4)
    colors = after[f"#{mesh['virtools_index']}"].mesh().colors
    assert {tuple(color) for color in colors} == {(255, 0, 0, 255), (0, 0, 255, 255)}
    judge(out)


def test_copies_and_what_is_of_another_file(level, tmp_path):
    reader, collection = read(level)
    other, _ = read(CORPUS / "virtools" / "ph_p_box.nmo")
    before = spelunk.open(level).scene()
    first = next(made for made in reader.objects.values() if made.type == "MESH" and not made.children)
    twin = first.copy()
    collection.objects.link(twin)
    twin.location.x += 3
    stranger = next(made for made in other.objects.values() if made.type == "MESH")
    collection.objects.link(stranger)
    stranger_world = stranger.matrix_world.copy()
    # One that goes, though something of the other file has its position there.
    gone = next(made for made in reader.objects.values() if not made.children and made not in (first, stranger))
    gone_index = gone["virtools_index"]
    stranger["virtools_index"] = gone_index
    bpy.data.objects.remove(gone)
    bpy.context.view_layer.update()
    out = tmp_path / "out.nmo"
    write(collection, level, out)
    scene = spelunk.open(out).scene()
    assert len(scene.entities) == len(before.entities) + 1
    # What they were made of stays, where it was.
    places = sorted((entity.name, entity.matrix) for entity in scene.entities)
    assert all((entity.name, entity.matrix) in places for entity in before.entities if entity.index != gone_index)
    copy = next(entity for entity in scene.entities if entity.name == twin.name)
    original = next(entity for entity in scene.entities if entity.name == first.name)
    assert copy.mesh == original.mesh
    came = next(entity for entity in scene.entities if entity.name == stranger.name)
    assert np.allclose(coordinates.to_blender(came.matrix), stranger_world, atol=1e-4)
    assert len(spelunk.open(out)[f"#{came.mesh}"].mesh().faces) == len(stranger.data.polygons)
    judge(out)


def test_modifiers_curves_and_what_is_selected(tmp_path):
    bpy.ops.mesh.primitive_cube_add()
    cube = bpy.context.object
    cube.modifiers.new("Array", "ARRAY").count = 3
    bpy.ops.curve.primitive_bezier_circle_add()
    ring = bpy.context.object
    ring.name = "Ring"
    ring.data.bevel_depth = 0.1
    bpy.ops.mesh.primitive_plane_add()
    bpy.context.object.name = "Plane"
    image = bpy.data.images.new("Wall", 2, 2)
    image.filepath = "//textures/wall.png"
    material = bpy.data.materials.new("Wall")
    material.use_nodes = True
    picture = material.node_tree.nodes.new("ShaderNodeTexImage")
    picture.image = image
    surface = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    material.node_tree.links.new(picture.outputs["Color"], surface.inputs["Base Color"])
    cube.data.materials.append(material)
    for made in (cube, ring):
        made.select_set(True)
    bpy.data.objects["Plane"].select_set(False)
    # What it stands on does not go out.
    cube.parent = bpy.data.objects["Plane"]
    meshes = len(bpy.data.meshes)
    out = tmp_path / "new.nmo"
    Writer(bpy.context.scene.collection, selected=True, names=True, sectors=2).run(out)
    assert len(bpy.data.meshes) == meshes
    file = spelunk.open(out)
    scene = file.scene()
    assert sorted(entity.name for entity in scene.entities) == ["Cube", "Ring"]
    faces = {entity.name: len(file[f"#{entity.mesh}"].mesh().faces) for entity in scene.entities}
    assert faces["Cube"] == 36 and faces["Ring"] > 100
    assert [texture.file for texture in scene.textures] == ["wall.png"]
    assert [group.name for group in scene.groups] == ["Sector_01", "Sector_02"]
    judge(out)


def test_a_new_file(tmp_path):
    bpy.ops.mesh.primitive_monkey_add()
    out = tmp_path / "new.nmo"
    Writer(bpy.context.scene.collection).run(out)
    scene = spelunk.open(out).scene()
    assert [entity.name for entity in scene.entities] == ["Suzanne"]
    judge(out)


def test_names_in_chinese(tmp_path):
    file = spelunk.new(code_pages="gbk")
    with file.edit() as edit:
        edit.mesh("木板", [[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 2, 1]])
        edit.object("木板", mesh="木板")
    path = tmp_path / "chinese.nmo"
    file.save(path)
    reader, collection = read(path, code_pages="gbk")
    made = list(reader.objects.values())[0]
    assert made.name == "木板"
    made.location.x = 1
    copy = made.copy()
    copy.name = "栏杆"
    del copy["virtools_index"]
    collection.objects.link(copy)
    bpy.context.view_layer.update()
    out = tmp_path / "more.nmo"
    write(collection, path, out)
    names = {entity.name for entity in spelunk.open(out, code_pages="gbk").scene().entities}
    assert names == {"木板", "栏杆"}
    judge(out)


def test_operators_and_the_panel(level, tmp_path):
    virtools.register()
    try:
        assert bpy.ops.import_scene.virtools(filepath=str(level)) == {"FINISHED"}
        assert any(collection.get(FILE) == str(level) for collection in bpy.data.collections)
        out = tmp_path / "out.nmo"
        assert bpy.ops.export_scene.virtools(filepath=str(out)) == {"FINISHED"}
        assert out.read_bytes() == level.read_bytes()
        assert bpy.ops.scene.virtools_check() == {"FINISHED"}
        assert len(bpy.context.window_manager.virtools_findings) == len(spelunk.open(level).lint())
        with pytest.raises(RuntimeError):
            bpy.ops.import_scene.virtools(filepath=str(tmp_path / "nothing.nmo"))
    finally:
        virtools.unregister()


def test_reading_that_is_ended_leaves_nothing(level):
    blocks = lambda: [len(each) for each in (bpy.data.objects, bpy.data.meshes, bpy.data.materials, bpy.data.collections)]
    before = blocks()
    steps = Reader(level).steps()
    for _ in range(100):
        next(steps)
    steps.close()
    assert blocks() == before


def test_the_extension(tmp_path):
    """What Blender installs: a manifest at the top, and the wheels that it names."""
    import importlib.util
    import tomllib
    import zipfile

    spec = importlib.util.spec_from_file_location("build", HERE.parents[1] / "build.py")
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    wheel = tmp_path / "spelunk-0.2.0-cp311-abi3-manylinux_2_34_x86_64.whl"
    wheel.write_bytes(b"wheel")
    with zipfile.ZipFile(build.build([wheel], tmp_path)) as archive:
        names = set(archive.namelist())
        manifest = tomllib.loads(archive.read("blender_manifest.toml").decode())
    assert {"__init__.py", "reading.py", "writing.py", "coordinates.py", f"wheels/{wheel.name}"} <= names
    assert manifest["wheels"] == [f"./wheels/{wheel.name}"]
    assert manifest["platforms"] == ["linux-x64"]
    assert manifest["schema_version"] == "1.0.0"
    assert manifest["version"] == spelunk.__version__
