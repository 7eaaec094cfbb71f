"""Shapes, robots and plain-numpy checks for tests of lane-wise checks. Needs numpy and carpal's model."""

from __future__ import annotations

import itertools

import numpy as np
from random_models import random_rotation

from carpal.contact.kernels import lane_tables as lt
from carpal.model import (
    Body,
    Box,
    Capsule,
    ConvexMesh,
    Coupling,
    Cylinder,
    Ellipsoid,
    Joint,
    Model,
    PlacedShape,
    Scene,
    Sphere,
    TriangleMesh,
)  # fmt: skip
from carpal.spatial import pose

CORNERS = np.random.default_rng(0).normal(size=(12, 3)) * [0.1, 0.05, 0.08]
BOWL = TriangleMesh(
    np.array([[x, y, 0.4 * (x * x + y * y)] for x in np.linspace(-0.2, 0.2, 9) for y in np.linspace(-0.2, 0.2, 9)]),
    np.array([f for i in range(8) for k in range(8) for f in ([9 * i + k, 9 * i + 9 + k, 9 * i + k + 1],
              [9 * i + 9 + k, 9 * i + 10 + k, 9 * i + k + 1])]),
)  # fmt: skip
SHAPES = [
    Sphere(0.1), Capsule(0.05, 0.3), Box((0.3, 0.1, 0.04)), Cylinder(0.06, 0.2), Ellipsoid((0.1, 0.06, 0.04)),
    ConvexMesh(CORNERS), BOWL,
]  # fmt: skip


def surface_points(shape, count: int, rng: np.random.Generator) -> np.ndarray:
    """Random points of a shape's surface, by formulas of its own."""
    u = rng.normal(size=(count, 3))
    u /= np.linalg.norm(u, axis=1, keepdims=True)
    match shape:
        case Sphere():
            return shape.radius * u
        case Capsule():
            z = np.sign(u[:, 2]) * shape.length / 2
            side = rng.random(count) < 0.5
            ring = u[:, :2] / np.linalg.norm(u[:, :2], axis=1, keepdims=True)
            along = np.c_[shape.radius * ring, (rng.random(count) - 0.5) * shape.length]
            return np.where(side[:, None], along, shape.radius * u + np.c_[0 * z, 0 * z, z])
        case Box():
            half = np.array(shape.size) / 2
            return u / np.abs(u / half).max(axis=1, keepdims=True)
        case Cylinder():
            scale = np.maximum(np.hypot(u[:, 0], u[:, 1]) / shape.radius, np.abs(u[:, 2]) / (shape.length / 2))
            return u / scale[:, None]
        case Ellipsoid():
            return u * shape.radii
    triangles = np.asarray(shape.points)[np.asarray(shape.faces)]
    pick = triangles[rng.integers(len(triangles), size=count)]
    w = rng.dirichlet(np.ones(3), size=count)
    return (w[:, :, None] * pick).sum(axis=1)


def distance_to_row(row: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Distances (n) of points from a row, in plain numpy."""
    x = (points - row[lt.OBSTACLE_P : lt.OBSTACLE_P + 3]) @ row[:9].reshape(3, 3)
    size = row[lt.OBSTACLE_SIZE : lt.OBSTACLE_SIZE + 3]
    if row[lt.OBSTACLE_KIND] == lt.HALF_SPACE:
        return x[:, 2]
    if row[lt.OBSTACLE_KIND] == lt.ROUND_CYLINDER:
        x = np.c_[np.hypot(x[:, 0], x[:, 1]) - size[0], 0 * x[:, 0], np.abs(x[:, 2]) - size[2]]
    else:
        x = np.abs(x) - size
    return np.linalg.norm(np.maximum(x, 0), axis=1) + np.minimum(x.max(axis=1), 0) - row[lt.OBSTACLE_ROUND]


def sphere_arm(seed: int = 0, joints: int = 7, *, coupled: bool = False) -> Model:
    """A random chain of turning and sliding joints with two spheres a link; `coupled`: two joints follow by polynomials."""
    rng = np.random.default_rng(seed)
    bodies, shapes = [], []
    for i in range(joints):
        slides = i in (2, 5)
        limit = 0.25 if slides else 2.4
        axis = rng.normal(size=3)
        joint = Joint(
            f"j{i}", "prismatic" if slides else "revolute", X_PJ=pose(random_rotation(rng), rng.normal(size=3) * 0.12),
            axis=axis / np.linalg.norm(axis), q_min=-limit, q_max=limit, v_max=2.0, vdot_max=8.0,
        )  # fmt: skip
        bodies.append(Body(f"b{i}", f"b{i - 1}" if i else None, joint))
        for k in range(2):
            shapes.append(
                PlacedShape(f"s{i}_{k}", f"b{i}", Sphere(rng.uniform(0.02, 0.04)), pose(p=rng.normal(size=3) * 0.05))
            )
    ties = (
        Coupling("quadratic", "j3", "j1", (0.1, 0.3, -0.15)), Coupling("line", "j6", "j4", (0.0, -0.8)),
    ) if coupled else ()  # fmt: skip
    return Model("sphere_arm", tuple(bodies), shapes=tuple(shapes), couplings=ties)


def carriage() -> Model:
    """One sphere on three sliding joints."""
    bodies = [
        Body(f"b{i}", f"b{i - 1}" if i else None, Joint(f"j{i}", "prismatic", axis=np.eye(3)[i], q_min=-1.0, q_max=1.0))
        for i in range(3)
    ]
    return Model(
        "carriage", tuple(bodies), shapes=(PlacedShape("ball", "b2", Sphere(0.05), pose(p=[0.01, 0.02, 0.03])),)
    )


def among_boxes(arm: Model, seed: int = 0, count: int = 8) -> Scene:
    """An arm among boxes and balls, its base far from the world's origin."""
    rng = np.random.default_rng(seed)
    scene = Scene("boxes").add_robot(arm, name="arm", pose=pose(random_rotation(rng), [3.0, -2.0, 1.0]))
    for i in range(count):
        p = rng.normal(size=3)
        p *= rng.uniform(0.35, 0.7) / np.linalg.norm(p)
        shape = Box(rng.uniform(0.05, 0.25, 3)) if i % 3 else Sphere(rng.uniform(0.03, 0.08))
        scene.add_fixed(f"thing_{i}", shape, pose=pose(random_rotation(rng), p + np.array([3.0, -2.0, 1.0])))
    return scene


def rotation(axis: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """(n, 3, 3) rotations by angles (n) about an axis (Rodrigues), in plain numpy."""
    x, y, z = axis
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    s, c = np.sin(angle)[:, None, None], np.cos(angle)[:, None, None]
    return np.eye(3) + s * K + (1 - c) * (K @ K)


def sphere_centres(model: Model, q: np.ndarray) -> list[tuple[str, str | None, np.ndarray, float]]:
    """(name, body, centres (n, 3), radius) of a model's spheres at configurations (n, nq), from its bodies alone."""
    R, p = {None: np.tile(np.eye(3), (len(q), 1, 1))}, {None: np.zeros((len(q), 3))}
    column = 0
    for body in model.bodies:
        joint = body.joint
        Rj, pj = R[body.parent] @ joint.X_PJ[:3, :3], p[body.parent] + R[body.parent] @ joint.X_PJ[:3, 3]
        if joint.kind == "revolute":
            Rj = Rj @ rotation(joint.axis, q[:, column])
        elif joint.kind == "prismatic":
            pj = pj + (Rj @ joint.axis) * q[:, [column]]
        column += joint.kind != "fixed"
        R[body.name], p[body.name] = Rj @ joint.X_JB[:3, :3], pj + Rj @ joint.X_JB[:3, 3]
    return [
        (s.name, s.body, p[s.body] + R[s.body] @ s.X_BS[:3, 3], s.shape.radius)
        for s in model.shapes
        if isinstance(s.shape, Sphere) and s.collides
    ]


def deepest(model: Model, pairs: set[frozenset[str]], q: np.ndarray) -> float:
    """Least distance [m] over pairs of names of spheres among spheres and standing boxes, by numpy alone."""
    spheres = sphere_centres(model, q)
    boxes = [s for s in model.shapes if isinstance(s.shape, Box) and s.body is None and s.collides]
    least = np.inf
    for (a, _, x, r), (b, _, y, t) in itertools.combinations(spheres, 2):
        if frozenset((a, b)) in pairs:
            least = min(least, float((np.linalg.norm(x - y, axis=1) - r - t).min()))
    for a, body, x, r in spheres:
        for box in boxes if body is not None else ():
            if frozenset((a, box.name)) in pairs:
                d = np.abs((x - box.X_BS[:3, 3]) @ box.X_BS[:3, :3]) - np.array(box.shape.size) / 2
                out = np.linalg.norm(np.maximum(d, 0), axis=1) + np.minimum(d.max(axis=1), 0)
                least = min(least, float((out - r).min()))
    return least


def dense(path: np.ndarray, step: float = 0.004) -> np.ndarray:
    """Configurations along a path, no joint further than a step from one to the next."""
    rows = [path[:1]]
    for a, b in itertools.pairwise(path):
        n = max(1, int(np.ceil(np.abs(b - a).max() / step)))
        rows.append(a + np.arange(1, n + 1)[:, None] / n * (b - a))
    return np.concatenate(rows)


def pair_names(tables: object) -> set[frozenset[str]]:
    """The pairs of shapes that count in contact tables."""
    return {frozenset((tables.names[a], tables.names[b])) for a, b in tables.pairs[:, :2]}
