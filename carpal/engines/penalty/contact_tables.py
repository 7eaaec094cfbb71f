"""Which shapes and surface points of a mechanism may touch, packed for the penalty engine's kernels.

The surface points of a body are its master surface (Yesmunt 2014, section 2.3.3): they feel the other body's triangles, or its
shapes where it has none. Of two bodies with points, the first listed is the master. Two bodies without points touch shape
against shape in one place, but boxes, hulls and capsules stand on a plane with all their corners or ends.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from carpal.contact import MeshPack, packed_shape
from carpal.engines.pair_surfaces import SurfaceKey, surfaces_of_pairs
from carpal.engines.penalty.contact_law import ContactLaw, law_of_surface
from carpal.engines.penalty.kernels.touch import PAIR_COLUMNS, SHAPE_COLUMNS
from carpal.engines.surface import Surface
from carpal.errors import ModelError
from carpal.model import Box, Capsule, ConvexMesh, Mechanism, MechanismBody, PlacedShape, Plane, Sphere, TriangleMesh
from carpal.spatial import Array


class ContactPairs(NamedTuple):
    """Tables `shapes`, `pairs` and the meshes' three, and the bodies (-1: the world) of each pair."""

    shapes: Array
    pairs: Array
    mesh: Array
    normals: Array
    boxes: Array
    bodies: list[tuple[int, int]]


class _Packer:
    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.meshes = MeshPack()
        self.shapes: list[Array] = []
        self.pairs: list[tuple[int, int, float]] = []
        self.bodies: list[tuple[int, int]] = []
        self.names: list[str] = []  # of each row of `shapes`
        self.owners: list[str | None] = []
        self.keep: list[PlacedShape] = []  # `known` goes by identity
        self.known: dict[tuple[int, int], int] = {}

    def shape(self, body: int, placed: PlacedShape) -> int:
        """Row of a shape, made once."""
        key = (body, id(placed))
        if key not in self.known:
            packed, row = packed_shape(placed.shape), np.zeros(SHAPE_COLUMNS)
            R, p = placed.X_BS[:3, :3], placed.X_BS[:3, 3] - self._com(body)
            row[0], row[1], row[2:5] = packed.kind, self._row(body), packed.size
            row[5:14], row[14:17] = R.ravel(), p
            row[17:20], row[20] = p + R @ packed.centre, packed.radius
            row[24] = np.linalg.norm(row[17:20]) + packed.radius
            if packed.mesh is not None:
                if isinstance(packed.mesh, TriangleMesh) and not packed.mesh.solid:
                    raise ModelError(
                        f"shape '{placed.name}' is an open sheet of triangles, which has no inside to press against; "
                        "close it, or use a box or a plane."
                    )
                row[21:24] = self.meshes.add(packed.mesh)
            self.known[key] = len(self.shapes)
            self._append(row, body, placed.name)
        return self.known[key]

    def spot(self, body: int, p_B: Array, name: str) -> int:
        """Row of a point, a sphere of radius zero."""
        row = np.zeros(SHAPE_COLUMNS)
        row[1], row[5:14] = self._row(body), np.eye(3).ravel()
        row[14:17] = row[17:20] = p_B - self._com(body)
        row[24] = np.linalg.norm(row[17:20])
        self._append(row, body, name)
        return len(self.shapes) - 1

    def _append(self, row: Array, body: int, name: str) -> None:
        self.shapes.append(row)
        self.names.append(name)
        self.owners.append(None if body < 0 else self.mechanism.bodies[body].name)

    def laws(self, law: ContactLaw, surface: Surface | None, surfaces: Mapping[SurfaceKey, Surface]) -> Array:
        """The law of each pair (pairs, 6): the engine's own, or that of the pair's surface."""
        if surface is None and not surfaces:
            return np.array([law.numbers] * len(self.pairs)).reshape(-1, len(law.numbers))
        pairs = [(a, b) for a, b, _ in self.pairs]
        chosen = surfaces_of_pairs(self.names, self.owners, pairs, surface or Surface(), surfaces)
        made = [
            law_of_surface(law, each, area, self._reduced_mass(*bodies)).numbers
            for each, (_, _, area), bodies in zip(chosen, self.pairs, self.bodies, strict=True)
        ]
        return np.array(made).reshape(-1, len(law.numbers))

    def _reduced_mass(self, a: int, b: int) -> float:
        held = {motion.body for motion in self.mechanism.prescribed}
        moving = [self.mechanism.bodies[i] for i in (a, b) if i >= 0 and self.mechanism.bodies[i].name not in held]
        return 1.0 / sum(1.0 / body.inertia.mass for body in moving) if moving else 1.0

    def add(self, a: int, b: int, area: float, bodies: tuple[int, int]) -> None:
        self.pairs.append((a, b, area))
        self.bodies.append(bodies)

    def _com(self, body: int) -> Array:
        return np.zeros(3) if body < 0 else self.mechanism.bodies[body].inertia.com

    def _row(self, body: int) -> int:
        return len(self.mechanism.bodies) if body < 0 else body


def contact_pairs(
    mechanism: Mechanism,
    law: ContactLaw,
    surface: Surface | None = None,
    surfaces: Mapping[SurfaceKey, Surface] | None = None,
) -> ContactPairs:
    """Everything that may touch, with the law of each pair; `surface` and `surfaces` as of `PenaltyEngine`."""
    packer = _Packer(mechanism)
    solids = {i: _surfaces(body) for i, body in enumerate(mechanism.bodies)}
    solids[-1] = [shape for shape in mechanism.fixed if shape.collides]
    points = {i: body.points for i, body in enumerate(mechanism.bodies)} | {-1: np.zeros((0, 3))}
    left_out = {frozenset(mechanism.body_index(side) for side in pair) for pair in mechanism.untouched}
    apart = {frozenset(pair) for pair in mechanism.untouched_shapes}
    for i, j in itertools.combinations([*range(len(mechanism.bodies)), -1], 2):
        if frozenset((i, j)) in left_out:
            continue
        if len(points[i]) or len(points[j]):
            master, slave = (i, j) if len(points[i]) else (j, i)
            areas = mechanism.bodies[master].areas
            for solid in solids[slave]:
                if _kept_apart(mechanism.bodies[master], solid, apart):
                    continue
                b = packer.shape(slave, solid)
                for p, area in zip(points[master], areas, strict=True):
                    packer.add(
                        packer.spot(master, p, f"{mechanism.bodies[master].name} (points)"),
                        b,
                        float(area),
                        (master, slave),
                    )
        else:
            for one, two in itertools.product(solids[i], solids[j]):
                if frozenset((one.name, two.name)) in apart:
                    continue
                _shape_pair(packer, i, one, j, two, law.area)
    mesh, normals, boxes = packer.meshes.tables()
    return ContactPairs(
        np.array(packer.shapes).reshape(-1, SHAPE_COLUMNS),
        np.hstack([np.array(packer.pairs, float).reshape(-1, 3), packer.laws(law, surface, surfaces or {})]).reshape(
            -1, PAIR_COLUMNS
        ),
        mesh, normals, boxes, packer.bodies,
    )  # fmt: skip


def _surfaces(body: MechanismBody) -> list[PlacedShape]:
    """What others' points touch: the triangles, or the colliding shapes where there are none."""
    if len(body.triangles):
        mesh = TriangleMesh(body.vertices, body.triangles)
        return [PlacedShape(f"{body.name} (triangles)", body.name, mesh)]
    return [shape for shape in body.shapes if shape.collides]


def _kept_apart(master: MechanismBody, surface: PlacedShape, apart: set[frozenset[str]]) -> bool:
    """Whether none of the master's surface points may touch the surface; points do not know which shape they are of."""
    mine = [frozenset((shape.name, surface.name)) in apart for shape in master.shapes if shape.collides]
    if any(mine) and not all(mine):
        raise ModelError(
            f"some shapes of body '{master.name}' may touch shape '{surface.name}' and some may not, but its surface points "
            "stand for all of them; leave out the points, or let all shapes of the body touch it or none."
        )
    return bool(mine) and all(mine)


def _shape_pair(packer: _Packer, i: int, one: PlacedShape, j: int, two: PlacedShape, area: float) -> None:
    """A shape against a shape; the sphere or the plane's guest comes first."""
    if isinstance(one.shape, Plane | TriangleMesh) or (
        isinstance(two.shape, Sphere) and not isinstance(one.shape, Sphere)
    ):
        i, one, j, two = j, two, i, one
    if isinstance(one.shape, Plane):
        return  # two planes
    if isinstance(two.shape, TriangleMesh) and not isinstance(one.shape, Sphere):
        raise ModelError(
            f"shape '{one.name}' cannot touch the triangles of '{two.name}': only spheres and surface points can; "
            "give its body surface points."
        )
    b = packer.shape(j, two)
    feet = _feet(one) if isinstance(two.shape, Plane) else None
    if feet is None:
        packer.add(packer.shape(i, one), b, area, (i, j))
        return
    for foot, radius in feet:
        if radius:
            at = np.eye(4)
            at[:3, 3] = foot
            ball = PlacedShape(one.name, one.body, Sphere(radius), at)
            packer.keep.append(ball)
            packer.add(packer.shape(i, ball), b, area, (i, j))
        else:
            packer.add(packer.spot(i, foot, one.name), b, area, (i, j))


def _feet(placed: PlacedShape) -> list[tuple[Array, float]] | None:
    """Points in B, with a radius, on which a shape stands on a plane; None: its lowest point will do."""
    match placed.shape:
        case Box():
            corners = np.array(list(itertools.product((-0.5, 0.5), repeat=3))) * np.array(placed.shape.size)
            radius = 0.0
        case ConvexMesh():
            corners, radius = placed.shape.points, 0.0
        case Capsule():
            corners = np.array([[0, 0, -0.5], [0, 0, 0.5]]) * placed.shape.length
            radius = placed.shape.radius
        case _:
            return None
    return [(placed.X_BS[:3, :3] @ corner + placed.X_BS[:3, 3], radius) for corner in corners]
