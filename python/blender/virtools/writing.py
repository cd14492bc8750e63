"""Blender into files: into the one that was imported only what was changed goes, so that all else stays byte for byte."""

from __future__ import annotations

import os

import bpy
import numpy as np
import spelunk
from mathutils import Matrix

from . import coordinates, settings
from .arrays import arrays_of
from .reading import (
    FILE,
    INDEX,
    KNOWN,
    NAME,
    PAGES,
    STATE,
    WORLD,
    material_state,
    mesh_state,
    opening,
    surface_of,
    texture_of,
    world_of,
)

TWO_SIDED = 1
"""The bit of ``material.flags``."""
MOVED = 1e-5
"""Numbers of a matrix that are farther apart than this were changed."""


SHAPES = ("MESH", "CURVE", "SURFACE", "FONT", "META")
"""Types of objects that become meshes."""


class Writer:
    """What Blender has on its way into a file. `base` is the file that it came from; without one a new file is made.

    `removes` takes out of the file what was deleted here; with `selected` only what is selected is looked at. New textures are in the file,
    or with `names` the names of their own files are, where they have one. Of `sectors` the groups are there that are missing."""

    def __init__(self, collection, base=None, removes=True, code_pages="", selected=False, names=False, sectors=0):
        self.collection = collection
        self.base = base
        self.removes = removes and not selected
        self.selected, self.by_name, self.sectors = selected, names, sectors
        pages = opening(code_pages or collection.get(PAGES, ""))
        self.file = spelunk.new(**pages) if base is None else spelunk.open(base, **pages)
        scene = self.file.scene()
        self.known = {item.index: item for items in scene for item in items}
        self.changes = []
        """What was changed, in words."""
        self.warnings = []

    def run(self, path):
        """Everything at once."""
        for _ in self.steps():
            pass
        self.save(path)

    def save(self, path):
        """Writes the file: over the one that it came from, if that is it."""
        if self.base is not None and os.path.abspath(path) == os.path.abspath(self.base):
            self.file.save_over()
        else:
            self.file.save(path)

    def steps(self):
        """Yields how much is done, from 0 to 1. Nothing is written before `save`."""
        self.made = []
        try:
            yield from self.parts()
        finally:
            # Meshes that were made on the way.
            while self.made:
                bpy.data.meshes.remove(self.made.pop())

    def parts(self):
        objects = [made for made in self.collection.all_objects if not self.selected or made.select_get()]
        self.exported = set(objects)
        self.shapes = {made: self.shape(made) for made in objects if made.type in SHAPES}
        meshes = list(dict.fromkeys(self.shapes.values()))
        materials = list(dict.fromkeys(slot for mesh in meshes for slot in mesh.materials if slot))
        self.owners = owners([*self.collection.all_objects, *meshes, *materials, *bpy.data.images], self.collection.get(FILE))
        self.there = {self.index(made, ("SceneEntity",)) for made in objects}
        total = len(objects) + len(meshes) + len(materials) + 1
        done = 0
        self.names = {}
        self.later = []
        """What refers to something that is new, which has its place in the file only when all of that is there."""
        with self.file.edit() as edit:
            for material in materials:
                self.material(edit, material)
                done += 1
                yield done / total
            for mesh in meshes:
                self.mesh(edit, mesh)
                done += 1
                yield done / total
            for made in sorted(objects, key=depth):
                self.object(edit, made)
                done += 1
                yield done / total
            self.groups(edit)
        scene = self.file.scene()
        new = {(type(item).__name__, item.name): item for items in scene for item in items if item.index not in self.known}
        with self.file.edit() as edit:
            for change in self.later:
                change(edit, new)
            if self.removes and self.base is not None:
                self.removed(edit)
        yield 1.0

    def shape(self, made):
        """The mesh of an object: with its modifiers, and of a curve or a text, one that is made for it."""
        if made.type == "MESH" and not made.modifiers:
            return made.data
        mesh = bpy.data.meshes.new_from_object(made.evaluated_get(bpy.context.evaluated_depsgraph_get()))
        # Properties are copied, and this stands for nothing of the file.
        mesh.pop(INDEX, None)
        mesh.name = f"{made.name}_Mesh"
        self.made.append(mesh)
        return mesh

    def index(self, block, kinds):
        """The position in the file of what stands for an object of it; nothing for what is new, is of another file, or is a copy."""
        index = block.get(INDEX)
        item = self.known.get(index) if self.base is not None else None
        is_it = item is not None and type(item).__name__ in kinds
        if is_it and not isinstance(block, bpy.types.Collection):
            is_it = self.owners.get((type(block), index)) == block
        return index if is_it else None

    def reference(self, block, kinds):
        """How the file calls something: by its place where it has one, else by its name."""
        if block is None:
            return None
        index = self.index(block, kinds)
        return block.name if index is None else self.file[f"#{index}"]

    def material(self, edit, material):
        index = self.index(material, ("SceneMaterial",))
        if index is not None and material.get(STATE) == material_state(material):
            return
        self.changes.append(f"material {material.name}")
        surface = surface_of(material)
        color = list(surface.inputs["Base Color"].default_value[:3]) if surface else material.diffuse_color[:3]
        diffuse = [*settings.srgb(color), surface.inputs["Alpha"].default_value if surface else 1]
        image = texture_of(material)
        texture = self.texture(edit, image) if image is not None else None
        if index is None:
            edit.material(material.name, diffuse=diffuse, texture=texture)
            if not material.use_backface_culling:
                self.later.append(lambda edit, new: self.two_sided(edit, new["SceneMaterial", material.name].path, True))
            return
        path = f"#{index}"
        alpha = self.file[path]["material.diffuse"] >> 24
        edit.set(path, "material.diffuse", settings.argb(diffuse[:3], alpha))
        if material.use_backface_culling == self.known[index].is_two_sided:
            self.two_sided(edit, path, not material.use_backface_culling)
        if isinstance(texture, str):
            self.later.append(lambda edit, new: edit.set(path, "material.texture", new["SceneTexture", texture].index))
        elif texture is not None and texture.index != self.known[index].texture:
            edit.set(path, "material.texture", texture.index)

    def two_sided(self, edit, path, is_so):
        """Whether a material is seen from both sides, in a file as it is."""
        flags = self.file[path]["material.flags"]
        edit.set(path, "material.flags", flags & ~TWO_SIDED | (TWO_SIDED if is_so else 0))

    def texture(self, edit, image):
        if self.index(image, ("SceneTexture",)) is not None:
            return self.file[f"#{image[INDEX]}"]
        if image.name not in self.names:
            self.names[image.name] = image
            if self.by_name and image.filepath:
                self.changes.append(f"texture {image.name}")
                edit.texture(image.name, file=bpy.path.basename(image.filepath))
                return image.name
            width, height = image.size
            pixels = np.empty(width * height * 4, np.float32)
            image.pixels.foreach_get(pixels)
            pixels = (pixels.reshape(height, width, 4)[::-1].clip(0, 1) * 255).round().astype(np.uint8)
            self.changes.append(f"texture {image.name}")
            edit.texture(image.name, pixels)
        return image.name

    def mesh(self, edit, mesh):
        index = self.index(mesh, ("SceneMesh",))
        if index is not None and mesh.get(STATE) == mesh_state(mesh):
            return
        self.changes.append(f"mesh {mesh.name}")
        arrays = arrays_of(mesh)
        slots = [self.reference(slot, ("SceneMaterial",)) for slot in mesh.materials]
        name = mesh.name if index is None else self.file[f"#{index}"]
        edit.mesh(name, materials=slots, **arrays)

    def object(self, edit, made):
        index = self.index(made, ("SceneEntity",))
        shape = self.shapes.get(made)
        mesh = self.reference(shape, ("SceneMesh",))
        if index is None:
            self.new_object(edit, made, mesh)
            return
        path, stored = f"#{index}", self.known[index]
        if made.get(NAME, made.name) != made.name:
            self.changes.append(f"name of {made.name}")
            edit.rename(path, made.name)
        before = made.get(WORLD)
        before = Matrix([before[row * 4 : row * 4 + 4] for row in range(4)]) if before else None
        if before is not None and is_moved(before, world_of(made)):
            # By how much it was moved here: what Blender cannot show of a matrix stays in it.
            old_world = settings.turned(stored.kind, coordinates.to_blender(stored.matrix))
            world = settings.straight(stored.kind, world_of(made) @ before.inverted_safe() @ old_world)
            rows = coordinates.to_virtools(world)
            self.changes.append(f"place of {made.name}")
            for key, row in zip(("x_axis", "y_axis", "z_axis", "position"), rows, strict=True):
                old = np.array(stored.matrix, np.float32)[("x_axis", "y_axis", "z_axis", "position").index(key)]
                for nth in range(3):
                    if np.float32(row[nth]) != old[nth] and abs(row[nth] - float(old[nth])) > 1e-6:
                        edit.set(path, f"entity.{key}[{nth}]", float(row[nth]))
        self.settings(edit, path, made)
        parent = self.index(made.parent, ("SceneEntity",)) if made.parent else None
        mesh_index = self.index(shape, ("SceneMesh",)) if shape else stored.mesh
        changed = {
            "mesh": mesh_index != stored.mesh or (shape is not None and mesh_index is None),
            "parent": parent != (stored.parent if stored.parent in self.known else None) or (made.parent is not None and parent is None),
            "visibility": made.hide_render != stored.is_hidden,
        }
        if any(changed.values()):
            self.changes += [f"{what} of {made.name}" for what, is_so in changed.items() if is_so]
            kept = self.file[f"#{stored.mesh}"] if stored.mesh is not None else None
            above = self.reference(made.parent, ("SceneEntity",))
            mesh = mesh if shape else kept
            edit.object(self.file[path], mesh=mesh, matrix=stored.matrix, parent=above, hidden=made.hide_render)

    def new_object(self, edit, made, mesh):
        kind = {"LIGHT": "CKLight", "CAMERA": "CKCamera"}.get(made.type, "CK3dObject")
        if made.type not in (*SHAPES, "EMPTY", "LIGHT", "CAMERA"):
            self.warnings.append(f"{made.name}: files have no objects of type {made.type}")
            return
        self.changes.append(f"object {made.name}")
        parent = self.reference(made.parent, ("SceneEntity",))
        if isinstance(parent, str) and made.parent not in self.exported:
            parent = None
        matrix = coordinates.to_virtools(settings.straight(kind, world_of(made)))
        if kind == "CK3dObject":
            edit.object(made.name, mesh=mesh, matrix=matrix, parent=parent, hidden=made.hide_render)
            return
        edit.add(kind, made.name)

        def place(edit, new):
            entry = self.file[new["SceneEntity", made.name].path]
            above = self.file[new["SceneEntity", parent].path] if isinstance(parent, str) else parent
            edit.object(entry, matrix=matrix, parent=above, hidden=made.hide_render)
            self.settings(edit, entry.path, made)

        self.later.append(place)

    def settings(self, edit, path, made):
        """What was changed of a light or a camera: all of it where it is new."""
        before = dict(made.get(STATE) or {}) if self.index(made, ("SceneEntity",)) is not None else {}
        fields = settings.of_data(made.data, made.type)
        changed = {name: value for name, value in fields.items() if before.get(name) != value}
        if not changed:
            return
        entry = self.file[path]
        if not any(name in entry for name in fields):
            # Old files have them elsewhere.
            self.warnings.append(f"{made.name} keeps its settings: the file has them in the way of an old version")
            return
        for name, value in changed.items():
            edit.set(path, name, settings.stored(name, value, entry.get(name)))
        if before:
            self.changes.append(f"settings of {made.name}")

    def groups(self, edit):
        for collection in self.collection.children_recursive:
            index = self.index(collection, ("SceneGroup",))
            members = [member for member in collection.objects if member in self.exported]
            if index is None:
                if members:
                    self.changes.append(f"group {collection.name}")
                    edit.group(collection.name, [self.member(member) for member in members])
                continue
            stored = set(self.known[index].members)
            left = {index for index in stored if index in self.there and type(self.known.get(index)).__name__ == "SceneEntity"}
            left -= {self.index(member, ("SceneEntity",)) for member in members}
            if left:
                self.changes.append(f"group {collection.name}, which {len(left)} left")
                self.later.append(lambda edit, _, index=index, left=left: self.without(edit, index, left))
            new = [member for member in members if self.index(member, ("SceneEntity",)) not in stored]
            if new:
                self.changes.append(f"group {collection.name}")
                edit.group(self.file[f"#{index}"], [self.member(member) for member in new])
        known = {item.name for item in self.known.values()} | {collection.name for collection in self.collection.children_recursive}
        for number in range(1, self.sectors + 1):
            name = f"Sector_{number:02}"
            if name not in known:
                self.changes.append(f"group {name}")
                edit.group(name, [])

    def without(self, edit, index, left):
        """Takes members out of a group, in a file as it is."""
        group = next(group for group in self.file.scene().groups if group.index == index)
        edit.set(group.path, "group.members", [member for member in group.members if member not in left])

    def member(self, member):
        reference = self.reference(member, ("SceneEntity",))
        return reference if not isinstance(reference, str) else ("object", reference)

    def removed(self, edit):
        gone = [index for index in self.collection.get(KNOWN, []) if index not in self.there and index in self.known]
        for index in gone:
            self.changes.append(f"no {self.known[index].name} any more")
        if gone:
            edit.remove(*(f"#{index}" for index in gone))


def owners(blocks, path):
    """Which of those that stand for the same object of the file is it, and not a copy: the one that still has the name."""
    found = {}
    of_file = [block for block in blocks if block.get(INDEX) is not None and block.get(FILE) == path]
    for block in sorted(of_file, key=lambda block: block.name != block.get(NAME)):
        found.setdefault((type(block), block[INDEX]), block)
    return found


def depth(made):
    """How many objects stand above one."""
    count = 0
    while made.parent is not None:
        made, count = made.parent, count + 1
    return count


def is_moved(before, now):
    """Whether two matrices differ by more than rounding."""
    return any(
        abs(a - b) > MOVED * max(1.0, abs(a)) for row, other in zip(before, now, strict=True) for a, b in zip(row, other, strict=True)
    )


def root_of(context):
    """The collection of what came of a file: the one that is active, or the one that it is in, or the only one."""
    roots = [collection for collection in bpy.data.collections if KNOWN in collection]
    active = context.collection if context else None
    for root in roots:
        if active is root or active is not None and active.name in {child.name for child in root.children_recursive}:
            return root
    return roots[0] if len(roots) == 1 else None


