"""Opens the containers that games ship their assets in, and changes them without breaking anything else.

>>> import spelunk
>>> file = spelunk.open("level.nmo")                                   # doctest: +SKIP
>>> mesh = file["CKMesh/Cube_Mesh"].mesh()                             # doctest: +SKIP
>>> mesh.positions.shape                                               # doctest: +SKIP
(8, 3)

Formats are those of the command ``spelunk``: Virtools (``.nmo .cmo .vmo .nms``), SnPAK (``.snpak``), SpellForce
(``GameData.cff``, maps, saves, ``.pak``, ``pakdata.dat``).
"""

from __future__ import annotations

from ._arrays import Image, Mesh
from ._call import Rows, call, verbs
from ._edit import Edit
from ._entries import Entries, Entry, Field
from ._errors import CancelledError, Error, FileError, NotFoundError
from ._file import File, new, open
from ._pack import pack
from ._space import Scene, SceneEntity, SceneGroup, SceneMaterial, SceneMesh, SceneObject, SceneTexture
from ._spelunk import API_VERSION, VERSION as __version__
from ._table import Table
from ._types import ReadAt

__all__ = [
    "API_VERSION",
    "CancelledError",
    "Edit",
    "Entries",
    "Entry",
    "Error",
    "Field",
    "File",
    "FileError",
    "Image",
    "Mesh",
    "NotFoundError",
    "ReadAt",
    "Rows",
    "Scene",
    "SceneEntity",
    "SceneGroup",
    "SceneMaterial",
    "SceneMesh",
    "SceneObject",
    "SceneTexture",
    "Table",
    "__version__",
    "call",
    "new",
    "open",
    "pack",
    "verbs",
]
