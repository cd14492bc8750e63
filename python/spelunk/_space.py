"""What stands in the space of a Virtools file: objects by their positions in the object table, which refer to each other by these."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

Color = tuple[float, float, float, float]
Item = Mapping[str, Any]


@dataclass(frozen=True)
class SceneObject:
    """An object of a scene."""

    index: int
    """Position in the object table."""
    name: str
    """Name of the object."""
    kind: str
    """Class of the object."""

    @property
    def path(self) -> str:
        """Path of the entry that it is."""
        return f"#{self.index}"


@dataclass(frozen=True)
class SceneTexture(SceneObject):
    """A texture."""

    slots: int
    """Number of its pictures."""
    file: str | None
    """Name of the file of the first one, where it has one."""


@dataclass(frozen=True)
class SceneMaterial(SceneObject):
    """A material; colours are from 0 to 1."""

    diffuse: Color
    """Colour in the light of lamps."""
    ambient: Color
    """Colour in light from everywhere."""
    specular: Color
    """Colour of highlights."""
    emissive: Color
    """Colour without any light."""
    power: float
    """The higher, the smaller are highlights."""
    texture: int | None
    """Its texture."""
    is_two_sided: bool
    """Whether it is seen from both sides."""
    is_blended: bool
    """Whether it is blended with what is behind it."""
    is_tested: bool
    """Whether parts of it are left out by their alpha."""


@dataclass(frozen=True)
class SceneMesh(SceneObject):
    """A mesh, the arrays of which ``file[mesh.path].mesh()`` has."""


@dataclass(frozen=True)
class SceneEntity(SceneObject):
    """An entity."""

    matrix: tuple[tuple[float, float, float], ...]
    """Images of the three axes in the world, and the position: left-handed, the second axis up."""
    parent: int | None
    """The entity that it stands below."""
    mesh: int | None
    """The mesh that it is drawn with."""
    is_hidden: bool
    """Whether it is not seen, because it or something above it is hidden."""


@dataclass(frozen=True)
class SceneGroup(SceneObject):
    """A group."""

    members: tuple[int, ...]
    """Its members."""


S = TypeVar("S", bound=SceneObject)


@dataclass(frozen=True)
class Scene:
    """A scene, with its objects in the order of the file."""

    textures: list[SceneTexture]
    """The textures."""
    materials: list[SceneMaterial]
    """The materials."""
    meshes: list[SceneMesh]
    """The meshes."""
    entities: list[SceneEntity]
    """The entities."""
    groups: list[SceneGroup]
    """The groups."""

    def __iter__(self) -> Iterator[Sequence[SceneObject]]:
        return iter((self.textures, self.materials, self.meshes, self.entities, self.groups))


def scene_of(stored: Mapping[str, Sequence[Item]]) -> Scene:
    """The scene that the library hands out."""
    return Scene(
        [made(SceneTexture, item) for item in stored["textures"]],
        [made(SceneMaterial, item) for item in stored["materials"]],
        [made(SceneMesh, item) for item in stored["meshes"]],
        [made(SceneEntity, item) for item in stored["entities"]],
        [made(SceneGroup, item) for item in stored["groups"]],
    )


def made(kind: type[S], item: Item) -> S:
    """An object. Lists are tuples, as nobody changes them."""
    values = {("kind" if key == "class" else key): frozen(value) for key, value in item.items()}
    return kind(**values)


def frozen(value: Any) -> Any:
    """A value without lists."""
    return tuple(frozen(each) for each in value) if isinstance(value, list) else value  # pyright: ignore[reportUnknownVariableType]
