"""Meshes of Blender as arrays of a file."""

from __future__ import annotations

import numpy as np

from . import coordinates


def arrays_of(mesh):
    """The arrays of a mesh: a vertex for each different corner, as files have one pair of texture coordinates a vertex."""
    mesh.calc_loop_triangles()
    triangles = np.empty(len(mesh.loop_triangles) * 3, np.int32)
    mesh.loop_triangles.foreach_get("loops", triangles)
    slots = np.empty(len(mesh.loop_triangles), np.int32)
    mesh.loop_triangles.foreach_get("material_index", slots)
    vertices = np.empty(len(mesh.loops), np.int32)
    mesh.loops.foreach_get("vertex_index", vertices)
    positions = np.empty(len(mesh.vertices) * 3, np.float32)
    mesh.vertices.foreach_get("co", positions)
    positions = positions.reshape(-1, 3)
    normals = np.empty(len(mesh.loops) * 3, np.float32)
    mesh.corner_normals.foreach_get("vector", normals)
    normals = normals.reshape(-1, 3)
    uvs = np.zeros((len(mesh.loops), 2), np.float32)
    if mesh.uv_layers:
        flat = np.empty(len(mesh.loops) * 2, np.float32)
        mesh.uv_layers.active.uv.foreach_get("vector", flat)
        uvs = flat.reshape(-1, 2)
    colors = colors_of(mesh, vertices)
    shades = [] if colors is None else [colors.astype(np.float32)]
    corners = np.column_stack([vertices.astype(np.float32), normals.round(4), uvs, *shades])
    _, first, place = np.unique(corners[triangles], axis=0, return_index=True, return_inverse=True)
    # Vertices stay in their order as far as they can.
    order = np.argsort(vertices[triangles[first]], kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    loops = triangles[first[order]]
    faces = rank[np.asarray(place).reshape(-1)].reshape(-1, 3)
    result = {
        "positions": coordinates.points(positions[vertices[loops]]),
        "normals": coordinates.points(normals[loops]),
        "uvs": coordinates.pairs(uvs[loops]),
        "faces": coordinates.faces(faces),
        "face_materials": slots.clip(0),
    }
    if colors is not None:
        result["colors"] = colors[loops]
    loose = [edge.vertices[:] for edge in mesh.edges if edge.is_loose]
    if loose:
        # Ends of lines are vertices of their own.
        ends = np.array(loose, np.int64)
        used, places = np.unique(ends, return_inverse=True)
        start = len(loops)
        result["positions"] = np.concatenate([result["positions"], coordinates.points(positions[used])])
        result["normals"] = np.concatenate([result["normals"], np.tile(np.float32([0, 1, 0]), (len(used), 1))])
        result["uvs"] = np.concatenate([result["uvs"], np.zeros((len(used), 2), np.float32)])
        if colors is not None:
            result["colors"] = np.concatenate([result["colors"], np.full((len(used), 4), 255, np.uint8)])
        result["lines"] = start + np.asarray(places).reshape(-1, 2)
    return result


def colors_of(mesh, vertices):
    """The colour of each corner in 8 bits, (n, 4); nothing where the mesh has none. `vertices` are those of the corners."""
    layer = mesh.color_attributes.active_color or next(iter(mesh.color_attributes), None)
    if layer is None:
        return None
    values = np.empty(len(layer.data) * 4, np.float32)
    layer.data.foreach_get("color_srgb", values)
    values = (values.reshape(-1, 4).clip(0, 1) * 255).round().astype(np.uint8)
    return values[vertices] if layer.domain == "POINT" else values
