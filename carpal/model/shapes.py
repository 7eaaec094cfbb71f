"""Shapes of bodies and of the surroundings: what is drawn, what touches, and the inertia of a solid of that form."""

from __future__ import annotations

import dataclasses
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError, unknown_name
from carpal.model.parts import checked_pose, real_array
from carpal.spatial import Array, Inertia

GREY = (0.6, 0.6, 0.6, 1.0)


def _length(value: object, what: str) -> float:
    array = real_array(value, what)
    if array.shape != () or not np.isfinite(array) or array <= 0:
        raise InputError(f"{what} must be a finite length above zero [m]; got {value!r:.60}.")
    return float(array)


def _three(values: ArrayLike, what: str) -> tuple[float, float, float]:
    array = real_array(values, what)
    if array.shape != (3,) or not np.isfinite(array).all() or (array <= 0).any():
        raise InputError(f"{what} must be 3 finite lengths above zero [m]; got {array.tolist()!r:.60}.")
    x, y, z = (float(number) for number in array)
    return x, y, z


class Shape(ABC):
    """Parent of every shape; its origin is the shape's middle, its axis z."""

    kind: ClassVar[str] = ""

    @property
    @abstractmethod
    def volume(self) -> float:
        """[m^3]."""

    @abstractmethod
    def _moments(self) -> tuple[float, float, float]:
        """Principal moments of a solid of one kilogram [m^2]."""

    def inertia(self, mass: float) -> Inertia:
        """Mass properties of a homogeneous solid of that mass [kg], in the shape's own frame."""
        number = real_array(mass, "a mass")
        if number.shape != () or not 0 < number < math.inf:
            raise InputError(f"the mass of a {self.kind} must be finite and above zero [kg]; got {mass!r:.60}.")
        return Inertia(float(number), np.zeros(3), float(number) * np.diag(self._moments()))


@dataclass(frozen=True)
class Sphere(Shape):
    """A ball of that radius [m]."""

    radius: float
    kind: ClassVar[str] = "sphere"

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", _length(self.radius, "the radius of a sphere"))

    @property
    def volume(self) -> float:
        """[m^3]."""
        return 4 / 3 * math.pi * self.radius**3

    def _moments(self) -> tuple[float, float, float]:
        m = 0.4 * self.radius**2
        return m, m, m


@dataclass(frozen=True)
class Box(Shape):
    """A box; `size` holds its three full edge lengths [m]."""

    size: tuple[float, float, float]
    kind: ClassVar[str] = "box"

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", _three(self.size, "the size of a box"))

    @property
    def volume(self) -> float:
        """[m^3]."""
        return math.prod(self.size)

    def _moments(self) -> tuple[float, float, float]:
        x, y, z = (edge**2 / 12 for edge in self.size)
        return y + z, x + z, x + y


@dataclass(frozen=True)
class Cylinder(Shape):
    """A cylinder along z; full length [m]."""

    radius: float
    length: float
    kind: ClassVar[str] = "cylinder"

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", _length(self.radius, "the radius of a cylinder"))
        object.__setattr__(self, "length", _length(self.length, "the length of a cylinder"))

    @property
    def volume(self) -> float:
        """[m^3]."""
        return math.pi * self.radius**2 * self.length

    def _moments(self) -> tuple[float, float, float]:
        across = self.radius**2 / 4 + self.length**2 / 12
        return across, across, self.radius**2 / 2


@dataclass(frozen=True)
class Capsule(Shape):
    """A cylinder along z with half a ball on either end; `length` [m] is the cylinder's, without the caps."""

    radius: float
    length: float
    kind: ClassVar[str] = "capsule"

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", _length(self.radius, "the radius of a capsule"))
        object.__setattr__(self, "length", _length(self.length, "the length of a capsule"))

    @property
    def volume(self) -> float:
        """[m^3]."""
        return math.pi * self.radius**2 * (self.length + 4 / 3 * self.radius)

    def _moments(self) -> tuple[float, float, float]:
        r, length = self.radius, self.length
        caps = 4 / 3 * r / (length + 4 / 3 * r)  # share of the mass that is in the two caps
        tube = 1.0 - caps
        # a half ball's centre of mass lies 3/8 r beyond the end of the tube
        far = 0.4 * r**2 + length**2 / 4 + 3 / 8 * length * r
        across = tube * (r**2 / 4 + length**2 / 12) + caps * far
        return across, across, tube * r**2 / 2 + caps * 0.4 * r**2


@dataclass(frozen=True)
class Ellipsoid(Shape):
    """An ellipsoid; `radii` holds its three half axes [m]."""

    radii: tuple[float, float, float]
    kind: ClassVar[str] = "ellipsoid"

    def __post_init__(self) -> None:
        object.__setattr__(self, "radii", _three(self.radii, "the radii of an ellipsoid"))

    @property
    def volume(self) -> float:
        """[m^3]."""
        return 4 / 3 * math.pi * math.prod(self.radii)

    def _moments(self) -> tuple[float, float, float]:
        x, y, z = (radius**2 / 5 for radius in self.radii)
        return y + z, x + z, x + y


@dataclass(frozen=True)
class Plane(Shape):
    """The half-space below z = 0: a floor or a wall without end. It has no mass, so it cannot be a moving body."""

    kind: ClassVar[str] = "plane"

    @property
    def volume(self) -> float:
        """Infinite [m^3]."""
        return math.inf

    def _moments(self) -> tuple[float, float, float]:
        """Refused: a plane never moves."""
        raise InputError("a plane has no inertia: it can only be fixed; give a moving body another shape.")


SHAPES: dict[str, type[Shape]] = {shape.kind: shape for shape in (Sphere, Box, Capsule, Cylinder, Ellipsoid, Plane)}
"""The shapes that lengths alone describe, by kind; `shape_kinds` has the meshes as well."""


def shape_kinds() -> dict[str, type[Shape]]:
    """Every kind of shape by its name."""
    from carpal.model.mesh_shapes import ConvexMesh, TriangleMesh  # which are shapes, and so come after this file

    return SHAPES | {mesh.kind: mesh for mesh in (ConvexMesh, TriangleMesh)}


@dataclass(frozen=True, eq=False)
class PlacedShape:
    """A shape that belongs to a body, or stands in the world.

    Args:
        name: unique among the shapes of a model.
        body: the body that carries it; None: the world.
        shape: its form.
        X_BS: pose (4, 4) of the shape in the body.
        rgba: colour, four numbers from 0 to 1.
        collides: whether engines with contact feel it.
        contype, conaffinity: MuJoCo's contact masks of 32 bits: two shapes may touch where one's contype shares a bit with
            the other's conaffinity.
    """

    name: str
    body: str | None
    shape: Shape
    X_BS: Array = field(default_factory=lambda: np.eye(4))
    rgba: tuple[float, float, float, float] = GREY
    collides: bool = True
    contype: int = 1
    conaffinity: int = 1

    def __post_init__(self) -> None:
        if not isinstance(self.shape, Shape):
            raise InputError(f"shape '{self.name}' must be one of {', '.join(shape_kinds())}; got {self.shape!r:.60}.")
        object.__setattr__(self, "X_BS", checked_pose(self.X_BS, f"X_BS of shape '{self.name}'"))
        rgba = real_array(self.rgba, f"rgba of shape '{self.name}'")
        if rgba.shape != (4,) or not ((rgba >= 0) & (rgba <= 1)).all():
            raise InputError(f"rgba of shape '{self.name}' must be 4 numbers from 0 to 1; got {rgba.tolist()!r:.60}.")
        object.__setattr__(self, "rgba", tuple(float(x) for x in rgba))
        object.__setattr__(self, "collides", bool(self.collides))
        for mask in ("contype", "conaffinity"):
            value = getattr(self, mask)
            if not isinstance(value, int | np.integer) or not 0 <= value < 2**32:
                raise InputError(f"{mask} of shape '{self.name}' must be an integer of 32 bits; got {value!r:.40}.")
            object.__setattr__(self, mask, int(value))


def shape_to_dict(shape: Shape) -> dict[str, Any]:
    """A shape as plain data: its kind and its lengths or points [m]."""
    names = [f.name for f in dataclasses.fields(shape) if f.init]  # type: ignore[arg-type] # every shape is a dataclass
    values = {name: getattr(shape, name) for name in names}
    plain = {
        k: v.tolist() if isinstance(v, np.ndarray) else list(v) if isinstance(v, tuple) else v
        for k, v in values.items()
    }
    return {"kind": shape.kind} | plain


def shape_from_dict(data: object) -> Shape:
    """The shape that `shape_to_dict` described; anything else is refused with one sentence."""
    if not isinstance(data, dict):
        raise InputError(f"the data of a shape must be a dict with a kind; got {type(data).__name__}.")
    kind, kinds = data.get("kind"), shape_kinds()
    if not isinstance(kind, str) or kind not in kinds:
        raise unknown_name("kind of shape", kind, kinds)
    made = kinds[kind]
    fields = [f for f in dataclasses.fields(made) if f.init]  # type: ignore[arg-type]
    wanted = [f.name for f in fields]
    given = {key: value for key, value in data.items() if key != "kind"}
    for key in given:
        if key not in wanted:
            raise unknown_name(f"{'length' if kind in SHAPES else 'field'} of a {kind}", key, wanted)
    missing = [f.name for f in fields if f.name not in given and f.default is dataclasses.MISSING]
    if missing:
        raise InputError(f"a {kind} needs {' and '.join(missing)}{' [m]' if kind in SHAPES else ''}.")
    return made(**given)
