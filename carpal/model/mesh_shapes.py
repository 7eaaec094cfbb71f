"""Shapes made of triangles: the hull of points, and a surface of triangles.

The hull is found by Qhull (through SciPy) when the shape is made; mass properties are integrals over the surface (divergence
theorem, one signed tetrahedron for each triangle), in closed form. The origin is where the points have it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import CarpalError, InputError
from carpal.model.parts import real_array
from carpal.model.shapes import Shape
from carpal.spatial import Array, Inertia

FLAT = 1e-9
"""A hull thinner than this share of its size is flat."""


class MeshShape(Shape):
    """What both meshes share: `points` (n, 3) [m], and `faces` (m, 3), corners counter-clockwise as seen from outside."""

    points: Array
    faces: np.ndarray

    def _freeze(self, points: Array, faces: np.ndarray) -> None:
        for name, array in (("points", points), ("faces", faces)):
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MeshShape) or type(other) is not type(self):
            return False
        return np.array_equal(self.points, other.points) and np.array_equal(self.faces, other.faces)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.kind, self.points.tobytes(), self.faces.tobytes()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.points)} points, {len(self.faces)} faces)"

    @cached_property
    def _solid(self) -> tuple[float, Array, Array]:
        """Volume [m^3], middle (3) [m] and second moments (3, 3) about it [m^2], of one kilogram."""
        return solid_of(self.points, self.faces)

    @property
    def volume(self) -> float:
        """[m^3]."""
        return self._solid[0]

    def _moments(self) -> tuple[float, float, float]:
        """Moments about the axes through the centre of mass; products of inertia are in `inertia`."""
        x, y, z = (float(m) for m in np.diag(self._about_com()))
        return x, y, z

    def _about_com(self) -> Array:
        second = self._solid[2]
        return np.trace(second) * np.eye(3) - second

    def inertia(self, mass: float) -> Inertia:
        """Mass properties of a homogeneous solid of that mass [kg], in the shape's own frame."""
        checked = super().inertia(mass)
        return Inertia(checked.mass, self._solid[1].copy(), checked.mass * self._about_com())


@dataclass(frozen=True, eq=False, repr=False)
class ConvexMesh(MeshShape):
    """The convex hull of points; only the points on the hull are kept.

    Args:
        points: (n, 3) [m], at least four that are not in one plane.
        faces: the hull's triangles (m, 3), where they are known already; otherwise Qhull finds them.

    Example:
        >>> wedge = ConvexMesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    """

    points: Array
    faces: np.ndarray = field(default=None)  # type: ignore[arg-type] # found where it is not given
    kind: ClassVar[str] = "convex"

    def __post_init__(self) -> None:
        points = checked_points(self.points, "a convex mesh", least=4)
        if self.faces is None:
            self._freeze(*hull_of(points))
            return
        faces = checked_faces(self.faces, len(points), "a convex mesh")
        if count_open_edges(faces, "a convex mesh") or len(np.unique(faces)) != len(points):
            raise InputError(
                "the faces of a convex mesh must close it and use every point; leave them out to find them."
            )
        a, b, c = points[faces].transpose(1, 0, 2)
        normals = np.cross(b - a, c - a)
        normals /= np.maximum(np.linalg.norm(normals, axis=1), np.finfo(float).tiny)[:, None]
        size = float(np.ptp(points, axis=0).max())
        beyond = max(float((points @ n - a_ @ n).max()) for n, a_ in zip(normals, a, strict=True))
        if beyond > 1e-7 * size or solid_of(points, faces)[0] <= 0:
            raise InputError(
                f"the faces of a convex mesh are not those of its hull: a point lies {beyond:.3g} m outside of one, or they "
                "are inside out; leave them out to find them."
            )
        self._freeze(points, faces)


@dataclass(frozen=True, eq=False, repr=False)
class TriangleMesh(MeshShape):
    """A surface of triangles, of any form: terrain, the skin of a hand, a bowl.

    A closed surface is a solid with an inside; an open one is a sheet that has an outer side, but neither volume nor mass.

    Args:
        points: corners (n, 3) [m]; equal ones become one.
        faces: (m, 3) numbers of points, counter-clockwise as seen from outside.
    """

    points: Array
    faces: np.ndarray
    kind: ClassVar[str] = "triangles"

    def __post_init__(self) -> None:
        points = checked_points(self.points, "a triangle mesh", least=3)
        faces = checked_faces(self.faces, len(points), "a triangle mesh")
        points, faces = _welded(points, faces)
        holes = count_open_edges(faces, "a triangle mesh")
        object.__setattr__(self, "open_edges", holes)
        if not holes and (volume := solid_of(points, faces)[0]) <= 0:
            raise InputError(
                f"a closed triangle mesh of {len(faces)} faces is inside out (its volume is {volume:.3g} m^3): "
                "turn its faces round, faces[:, ::-1]."
            )
        self._freeze(points, faces)

    open_edges: int = field(init=False, default=0)

    @property
    def solid(self) -> bool:
        """Whether the surface is closed."""
        return not self.open_edges

    @cached_property
    def _solid(self) -> tuple[float, Array, Array]:
        if not self.solid:
            raise InputError(
                f"an open triangle mesh ({self.open_edges} of its edges have one triangle only) encloses no volume, so it has "
                "no mass properties: close it, or let it stand in the world."
            )
        return solid_of(self.points, self.faces)


def checked_points(values: ArrayLike, what: str, *, least: int) -> Array:
    """Points (n, 3), finite, at least so many; or one clear sentence."""
    points = real_array(values, f"the points of {what}")
    if points.ndim != 2 or points.shape[1] != 3:
        raise InputError(f"the points of {what} must have the shape (n, 3) [m]; got {points.shape}.")
    if len(points) < least:
        raise InputError(f"{what} needs at least {least} points; got {len(points)}.")
    wrong = np.flatnonzero(~np.isfinite(points).all(axis=1))
    if len(wrong):
        raise InputError(f"point {wrong[0]} of {what} is {points[wrong[0]].tolist()}; all numbers must be finite.")
    if np.abs(points).max() > 1e100:
        raise InputError(f"a point of {what} is {np.abs(points).max():.3g} m away, too far to compute with.")
    return points


def checked_faces(values: ArrayLike, count: int, what: str) -> np.ndarray:
    """Faces (m, 3) as int64 with valid, distinct corners; or one clear sentence."""
    numbers = real_array(values, f"the faces of {what}")
    if numbers.ndim != 2 or numbers.shape[1] != 3 or not len(numbers):
        raise InputError(f"the faces of {what} must be numbers of points with the shape (m, 3); got {numbers.shape}.")
    bad = ~((numbers >= 0) & (numbers < count) & (numbers == np.floor(numbers))).all(axis=1)
    if bad.any():
        face = int(np.flatnonzero(bad)[0])
        raise InputError(
            f"face {face} of {what} is {numbers[face].tolist()}; its corners must be whole numbers from 0 to {count - 1}."
        )
    return numbers.astype(np.int64)


def _welded(points: Array, faces: np.ndarray) -> tuple[Array, np.ndarray]:
    """Equal points made one, in the order in which they first come; unused ones dropped."""
    _, first, same = np.unique(points + 0.0, axis=0, return_index=True, return_inverse=True)  # -0 is 0
    faces = first[same.reshape(-1)][faces]
    twice = (faces == np.roll(faces, 1, axis=1)).any(axis=1)
    if twice.any():
        face = int(np.flatnonzero(twice)[0])
        raise InputError(f"face {face} of a triangle mesh has two equal corners, so it is no triangle; leave it out.")
    used, numbers = np.unique(faces, return_inverse=True)
    return points[used], numbers.reshape(-1, 3).astype(np.int64)


def count_open_edges(faces: np.ndarray, what: str) -> int:
    """How many edges belong to one triangle only; neighbours that disagree on what is outside are refused."""
    edges = np.stack([faces, np.roll(faces, -1, axis=1)], axis=2).reshape(-1, 2)
    ahead, times = np.unique(edges, axis=0, return_counts=True)
    if (times > 1).any():
        a, b = ahead[int(times.argmax())].tolist()
        raise InputError(
            f"the triangles of {what} at the edge from point {a} to point {b} disagree on which side is outside, or more than "
            "two meet there: order the corners of every face counter-clockwise as seen from outside."
        )
    both = np.unique(np.sort(edges, axis=1), axis=0)
    return int(2 * len(both) - len(edges))


def hull_of(points: Array) -> tuple[Array, np.ndarray]:
    """Corners (n, 3) and outward triangles (m, 3) of the convex hull of points."""
    try:
        from scipy.spatial import ConvexHull, QhullError
    except ImportError:
        raise CarpalError("a convex mesh needs scipy; install it with: pip install carpal[meshes].") from None
    middle = points.mean(axis=0)
    size = float(np.abs(points - middle).max())
    flat = InputError(
        f"a convex mesh needs four points that are not in one plane; these {len(points)} are (size {size:.3g} m)."
    )
    if size == 0:
        raise flat
    unit = (points - middle) / size
    if np.linalg.svd(unit, compute_uv=False)[-1] < FLAT * math.sqrt(len(points)):
        raise flat
    try:
        hull: Any = ConvexHull(unit)
    except (QhullError, ValueError):
        raise flat from None
    faces = hull.simplices.astype(np.int64)
    a, b, c = unit[faces].transpose(1, 0, 2)
    inward = (np.cross(b - a, c - a) * hull.equations[:, :3]).sum(axis=1) < 0
    faces[inward] = faces[inward][:, ::-1]
    used, numbers = np.unique(faces, return_inverse=True)
    faces = numbers.reshape(-1, 3).astype(np.int64)
    if count_open_edges(faces, "a convex mesh") or not solid_of(points[used], faces)[0] > 0:
        raise flat
    return points[used], faces


def solid_of(points: Array, faces: np.ndarray) -> tuple[float, Array, Array]:
    """Volume (negative: inside out), centre of mass (3) and second moments (3, 3) about it of a unit mass."""
    about = points.mean(axis=0)
    a, b, c = (points - about)[faces].transpose(1, 0, 2)
    six = np.einsum("ni,ni->n", a, np.cross(b, c))  # six times each tetrahedron's volume
    volume = float(six.sum()) / 6.0
    if volume == 0.0:
        return 0.0, about, np.zeros((3, 3))
    total = a + b + c
    middle = (six @ total) / (24.0 * volume)
    second = sum(np.einsum("n,ni,nj->ij", six, v, v) for v in (a, b, c, total)) / (120.0 * volume)
    return volume, about + middle, second - np.outer(middle, middle)
