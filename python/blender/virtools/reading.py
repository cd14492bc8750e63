"""Files into Blender."""

from __future__ import annotations

import hashlib
import os

import bpy
import numpy as np
import spelunk
from mathutils import Matrix

from . import coordinates, settings

INDEX = "virtools_index"
"""Position of the object in the file, at whatever stands for it here."""
STATE = "virtools_state"
"""What it looked like when it came, to tell whether it was changed."""
NAME = "virtools_name"
"""What it was called in Blender when it came, which has each name once."""
WORLD = "virtools_world"
"""Where an object stood in Blender when it came."""
FILE = "virtools_file"
"""Path of the file, at all that came of it and at their collection."""
PAGES = "virtools_code_pages"
"""Code pages of its names, at that collection."""
KNOWN = "virtools_objects"
"""Positions of all objects that came, at that collection."""


class Options:
    """What is asked of reading."""

    def __init__(self, textures=(), pictures=True, code_pages=""):
        self.textures = list(textures)
        self.pictures = pictures
        self.code_pages = code_pages


def opening(code_pages):
    """The options for opening a file whose names are in these code pages; none, where they are those of the format."""
    return {"code_pages": code_pages} if code_pages else {}


class Reader:
    """A file on its way into Blender. `steps` does the work, a part at a time, so that it can be shown and ended."""

    def __init__(self, path, options=None):
        self.path = os.path.abspath(path)
        self.options = options or Options()
        self.file = spelunk.open(path, **opening(self.options.code_pages))
        self.scene = self.file.scene()
        self.collection = None
        self.images, self.materials, self.meshes, self.objects = {}, {}, {}, {}
        self.warnings = []

    def run(self):
        """Everything at once."""
        for _ in self.steps():
            pass
        return self.collection

    def steps(self):
        """Yields how much is done, from 0 to 1. What was made is taken away where it is ended before."""
        made = False
        self.collection = bpy.data.collections.new(os.path.basename(self.path))
        bpy.context.scene.collection.children.link(self.collection)
        lists = [
            (self.scene.textures, self.image),
            (self.scene.materials, self.material),
            (self.scene.meshes, self.mesh),
            (self.scene.entities, self.entity),
            (self.scene.groups, self.group),
        ]
        total = sum(len(items) for items, _ in lists) or 1
        done = 0
        try:
            for items, read in lists:
                for item in items:
                    read(item)
                    done += 1
                    yield done / total
            self.place()
            self.collection[FILE] = self.path
            self.collection[PAGES] = self.options.code_pages
            self.collection[KNOWN] = [entity.index for entity in self.scene.entities]
            made = True
        finally:
            if not made:
                self.remove()

    def remove(self):
        """Takes away what was made."""
        for objects in (self.objects, self.meshes, self.materials, self.images):
            for block in objects.values():
                if block is not None:
                    bpy.data.batch_remove([block])
        for collection in [*self.collection.children, self.collection]:
            bpy.data.collections.remove(collection)

    def mark(self, block, stored):
        """Says at something of Blender what it stands for."""
        block[FILE], block[INDEX], block[NAME] = self.path, stored.index, block.name

    def image(self, texture):
        image = None
        if self.options.pictures:
            try:
                picture = self.file[texture.path].image(textures=self.options.textures)
            except spelunk.Error as error:
                self.warnings.append(f"{texture.name}: {error}")
            else:
                image = bpy.data.images.new(texture.name, picture.width, picture.height, alpha=True)
                pixels = picture.pixels[::-1].astype(np.float32) / 255
                image.pixels.foreach_set(pixels.ravel())
                image.pack()
        if image is None:
            # As in exported models, a white pixel stands in the place of what was not found.
            image = bpy.data.images.new(texture.name, 1, 1, alpha=True)
            image.pixels.foreach_set(np.ones(4, np.float32))
        self.mark(image, texture)
        if texture.file:
            image["virtools_texture"] = texture.file
        self.images[texture.index] = image

    def material(self, stored):
        material = bpy.data.materials.new(stored.name)
        material.use_nodes = True
        nodes, links = material.node_tree.nodes, material.node_tree.links
        surface = next(node for node in nodes if node.type == "BSDF_PRINCIPLED")
        red, green, blue, alpha = stored.diffuse
        material.diffuse_color = (red, green, blue, alpha)
        surface.inputs["Base Color"].default_value = (*settings.linear((red, green, blue)), 1)
        surface.inputs["Alpha"].default_value = alpha if stored.is_blended else 1
        surface.inputs["Emission Color"].default_value = (*settings.linear(stored.emissive[:3]), 1)
        surface.inputs["Emission Strength"].default_value = 1 if any(stored.emissive[:3]) else 0
        surface.inputs["Roughness"].default_value = 1
        material.use_backface_culling = not stored.is_two_sided
        if stored.texture is not None:
            picture = nodes.new("ShaderNodeTexImage")
            picture.image = self.images.get(stored.texture)
            picture.location = (-400, 200)
            links.new(picture.outputs["Color"], surface.inputs["Base Color"])
            if stored.is_blended or stored.is_tested:
                links.new(picture.outputs["Alpha"], surface.inputs["Alpha"])
        self.mark(material, stored)
        material[STATE] = material_state(material)
        self.materials[stored.index] = material

    def mesh(self, stored):
        arrays = self.file[stored.path].mesh()
        mesh = bpy.data.meshes.new(stored.name)
        positions, faces = coordinates.points(arrays.positions), coordinates.faces(arrays.faces)
        fill(mesh, positions, faces, arrays.lines)
        if len(faces):
            mesh.polygons.foreach_set("material_index", arrays.face_materials.astype(np.int32))
            if len(arrays.uvs):
                layer = mesh.uv_layers.new(name="UVMap")
                layer.uv.foreach_set("vector", coordinates.pairs(arrays.uvs)[faces.ravel()].ravel())
        for slot in arrays.materials:
            mesh.materials.append(None if slot is None else self.materials.get(slot.index))
        colors = arrays.colors
        if len(colors) and (colors != colors[0]).any():
            layer = mesh.color_attributes.new("Color", "BYTE_COLOR", "POINT")
            layer.data.foreach_set("color_srgb", (colors.astype(np.float32) / 255).ravel())
        mesh.update()
        if len(faces):
            mesh.normals_split_custom_set_from_vertices(coordinates.points(arrays.normals).tolist())
        self.mark(mesh, stored)
        mesh[STATE] = mesh_state(mesh)
        self.meshes[stored.index] = mesh

    def entity(self, stored):
        data = self.meshes.get(stored.mesh) if stored.mesh is not None else None
        if stored.kind in settings.CAMERAS:
            data = bpy.data.cameras.new(stored.name)
            settings.to_camera(data, self.file[stored.path])
        elif stored.kind in settings.LIGHTS:
            entry = self.file[stored.path]
            data = bpy.data.lights.new(stored.name, settings.kind_of_light(entry))
            settings.to_light(data, entry)
        made = bpy.data.objects.new(stored.name, data)
        if made.type in ("CAMERA", "LIGHT"):
            made[STATE] = settings.of_data(data, made.type)
        self.mark(made, stored)
        made["virtools_kind"] = stored.kind
        self.collection.objects.link(made)
        self.objects[stored.index] = made

    def place(self):
        """Where objects stand, below what. Parents come first, as what stands below them goes by them."""
        worlds = {entity.index: settings.turned(entity.kind, coordinates.to_blender(entity.matrix)) for entity in self.scene.entities}
        for entity in self.scene.entities:
            made = self.objects[entity.index]
            parent = self.objects.get(entity.parent)
            if parent is not None:
                made.parent = parent
                made.matrix_parent_inverse = Matrix.Identity(4)
        placed = set()

        def put(entity):
            if entity.index in placed:
                return
            placed.add(entity.index)
            above = by_index.get(entity.parent)
            made = self.objects[entity.index]
            if above is not None:
                put(above)
                made.matrix_basis = worlds[above.index].inverted_safe() @ worlds[entity.index]
            else:
                made.matrix_basis = worlds[entity.index]
            made.hide_render = entity.is_hidden
            made.hide_set(entity.is_hidden)

        by_index = {entity.index: entity for entity in self.scene.entities}
        for entity in self.scene.entities:
            put(entity)
        bpy.context.view_layer.update()
        for made in self.objects.values():
            made[WORLD] = [value for row in world_of(made) for value in row]

    def group(self, stored):
        made = bpy.data.collections.new(stored.name)
        self.mark(made, stored)
        self.collection.children.link(made)
        for member in dict.fromkeys(stored.members):
            if member in self.objects:
                made.objects.link(self.objects[member])
        # Meshes and materials are members too, and collections have none.
        made["virtools_members"] = list(stored.members)


def world_of(made):
    """Where an object stands. Of what is switched off in the viewport Blender does not find that out by itself."""
    if made.hide_viewport:
        own = made.matrix_parent_inverse @ made.matrix_basis
        return world_of(made.parent) @ own if made.parent else own
    return made.matrix_world


def fill(mesh, positions, faces, lines):
    """Vertices, faces and lines of a mesh."""
    mesh.vertices.add(len(positions))
    mesh.vertices.foreach_set("co", positions.astype(np.float32).ravel())
    if len(lines):
        mesh.edges.add(len(lines))
        mesh.edges.foreach_set("vertices", np.ascontiguousarray(lines, np.int32).ravel())
    mesh.loops.add(len(faces) * 3)
    mesh.loops.foreach_set("vertex_index", faces.astype(np.int32).ravel())
    mesh.polygons.add(len(faces))
    mesh.polygons.foreach_set("loop_start", np.arange(0, len(faces) * 3, 3, dtype=np.int32))
    mesh.update(calc_edges=True)


def mesh_state(mesh):
    """A digest of what a mesh looks like."""
    digest = hashlib.sha1()
    for items, key, dtype, width in (
        (mesh.vertices, "co", np.float32, 3),
        (mesh.loops, "vertex_index", np.int32, 1),
        (mesh.polygons, "loop_start", np.int32, 1),
        (mesh.polygons, "material_index", np.int32, 1),
        (mesh.edges, "vertices", np.int32, 2),
    ):
        values = np.empty(len(items) * width, dtype)
        items.foreach_get(key, values)
        digest.update(values.tobytes())
    for layer in mesh.uv_layers:
        values = np.empty(len(layer.uv) * 2, np.float32)
        layer.uv.foreach_get("vector", values)
        digest.update(values.tobytes())
    for layer in mesh.color_attributes:
        values = np.empty(len(layer.data) * 4, np.float32)
        layer.data.foreach_get("color_srgb", values)
        digest.update(values.tobytes())
    for slot in mesh.materials:
        digest.update(repr(slot and slot.name).encode())
    return digest.hexdigest()


def material_state(material):
    """What a material looks like, as a text."""
    found = surface_of(material)
    texture = texture_of(material)
    numbers = [round(value, 5) for value in found.inputs["Base Color"].default_value] if found else []
    glow = [round(value, 5) for value in found.inputs["Emission Color"].default_value] if found else []
    return repr((numbers, glow, texture and texture.name, material.use_backface_culling))


def surface_of(material):
    """The shader of a material."""
    if not material.node_tree:
        return None
    return next((node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED"), None)


def texture_of(material):
    """The picture that colours a material."""
    surface = surface_of(material)
    if surface is None:
        return None
    for link in surface.inputs["Base Color"].links:
        if link.from_node.type == "TEX_IMAGE":
            return link.from_node.image
    return None
