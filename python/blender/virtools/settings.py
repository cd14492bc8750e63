"""Settings of lights, cameras and materials, as fields of a file on the one side and in Blender on the other."""

from __future__ import annotations

import math

from mathutils import Matrix

LIGHTS = ("CKLight", "CKTargetLight")
CAMERAS = ("CKCamera", "CKTargetCamera")
AHEAD = Matrix.Rotation(math.pi / 2, 4, "X")
"""Lights and cameras look along the third axis of Virtools, which is the second one here, and in Blender against the third one."""
BLENDER_KINDS = {1: "POINT", 2: "SPOT", 3: "SUN", 4: "SUN"}
"""Kinds of lights."""
PERSPECTIVE, ORTHOGRAPHIC = 1, 2


def turned(kind, matrix):
    """A matrix of Virtools as an object of Blender needs it that looks somewhere."""
    return matrix @ AHEAD if kind in LIGHTS + CAMERAS else matrix


def straight(kind, matrix):
    """The same the other way round."""
    return matrix @ AHEAD.inverted() if kind in LIGHTS + CAMERAS else matrix


def linear(color):
    """Amounts of light of a colour."""
    return tuple(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color)


def srgb(color):
    """A colour of amounts of light."""
    return [part * 12.92 if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055 for part in color]


def argb(color, alpha=255):
    """A colour as files store it."""
    red, green, blue = (round(min(max(part, 0), 1) * 255) for part in color)
    return alpha << 24 | red << 16 | green << 8 | blue


def parts(stored):
    """The three parts of a stored colour, from 0 to 1."""
    return tuple((stored >> shift & 255) / 255 for shift in (16, 8, 0))


def kind_of_light(entry):
    """What Blender calls the kind of a light."""
    return BLENDER_KINDS.get(entry.get("light.kind_and_flags", 1) & 0xFF, "POINT")


def to_light(light, entry):
    """Gives a light of Blender what the file has. What it is in watts is nothing that files know: it lights as far as it reaches."""
    reach = entry.get("light.range", 1000.0)
    light.color = linear(parts(entry.get("light.color", 0xFFFFFFFF)))
    if light.type == "SUN":
        return
    light.energy = 2 * reach * reach
    light.use_custom_distance = True
    light.cutoff_distance = reach
    if light.type == "SPOT":
        outer, inner = entry.get("light.outer_cone", 0.8), entry.get("light.inner_cone", 0.8)
        light.spot_size = outer
        light.spot_blend = 1 - inner / outer if outer else 0


def of_light(light):
    """The fields that follow from a light of Blender."""
    kinds = {"POINT": 1, "SPOT": 2, "AREA": 1, "SUN": 3}
    fields = {"light.kind_and_flags": kinds[light.type], "light.color": argb(srgb(light.color), 0)}
    if light.type != "SUN":
        fields["light.range"] = light.cutoff_distance
    if light.type == "SPOT":
        fields["light.outer_cone"] = light.spot_size
        fields["light.inner_cone"] = light.spot_size * (1 - light.spot_blend)
    return rounded(fields)


def to_camera(camera, entry):
    """Gives a camera of Blender what the file has."""
    camera.type = "PERSP" if entry.get("projection.projection", PERSPECTIVE) & 1 else "ORTHO"
    camera.sensor_fit = "HORIZONTAL"
    camera.angle = min(max(entry.get("projection.fov", math.pi / 2), 0.01), 3.1)
    camera.clip_start = max(entry.get("projection.near_plane", 1.0), 1e-6)
    camera.clip_end = max(entry.get("projection.far_plane", 5000.0), 1e-6)


def of_camera(camera):
    """The fields that follow from a camera of Blender."""
    fields = {
        "projection.projection": ORTHOGRAPHIC if camera.type == "ORTHO" else PERSPECTIVE,
        "projection.near_plane": camera.clip_start,
        "projection.far_plane": camera.clip_end,
    }
    if camera.type != "ORTHO":
        fields["projection.fov"] = camera.angle
    return rounded(fields)


def of_data(data, kind):
    """The fields that follow from what an object is made of, where that is a light or a camera."""
    if kind == "LIGHT":
        return of_light(data)
    return of_camera(data) if kind == "CAMERA" else {}


def rounded(fields):
    """Without what numbers lose in Blender."""
    return {name: float(f"{value:.6g}") if isinstance(value, float) else value for name, value in fields.items()}


def stored(name, value, old):
    """The value of a field as it is to be stored: bits that Blender knows nothing of stay as they are."""
    if name == "light.kind_and_flags":
        return old & ~0xFF | value
    if name == "light.color":
        return old & 0xFF000000 | value & 0xFFFFFF
    return value
