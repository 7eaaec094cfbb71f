"""A recording with joints of all kinds, shapes of all kinds, contacts and events; a trajectory of three joints."""

from __future__ import annotations

import functools

import numpy as np
from random_models import random_pose
from recorded_run import fill

from carpal.engines import Recorder, Recording
from carpal.kinematics import fk
from carpal.model import (
    NQ,
    NV,
    Body,
    Box,
    Capsule,
    ConvexMesh,
    Cylinder,
    Ellipsoid,
    Joint,
    Model,
    PlacedShape,
    Plane,
    Sphere,
)
from carpal.planning import Trajectory, joint_trajectory
from carpal.spatial import Inertia

ROWS = 40


@functools.cache
def all_kinds() -> Model:
    """A chain with joints of all kinds, a free body apart from it, and one shape of each kind."""
    rng = np.random.default_rng(8)
    kinds = ("revolute", "fixed", "prismatic", "ball", "revolute")
    bodies, parent = [], None
    for k, kind in enumerate(kinds):
        joint = Joint(f"joint {k}", kind, X_PJ=random_pose(rng, 0.3), axis=np.eye(3)[k % 3], X_JB=random_pose(rng, 0.1))
        bodies.append(Body(f"body_{k}", parent, joint, Inertia(1.0, np.zeros(3), 0.01 * np.eye(3))))
        parent = f"body_{k}"
    bodies.append(Body("world", None, Joint("flies", "free"), Inertia(1.0, np.zeros(3), 0.01 * np.eye(3))))
    corners = 0.1 * rng.normal(size=(12, 3))
    shapes = (
        Box((0.1, 0.2, 0.3)), Sphere(0.05), Cylinder(0.04, 0.2), Capsule(0.03, 0.15), ConvexMesh(corners),
        Ellipsoid((0.1, 0.05, 0.02)),
    )  # fmt: skip
    placed = [
        PlacedShape(f"{body.name} {shape.kind}", body.name, shape, random_pose(rng, 0.1), (0.2, 0.4, 0.6, 0.5))
        for body, shape in zip(bodies, shapes, strict=True)
    ]
    return Model("all kinds", tuple(bodies), shapes=(*placed, PlacedShape("floor", None, Plane())))


@functools.cache
def recorded() -> Recording:
    """Seeded rows, some with contacts and events."""
    return fill(Recorder(all_kinds(), {"seed": 5, "engine": "none", "dt": 1e-3}), ROWS).finish()


@functools.cache
def moved() -> Trajectory:
    """A motion of three joints with parabolic blends."""
    bodies = [Body(f"link_{name}", None, Joint(name, "revolute")) for name in "abc"]
    path = np.array([[0.0, 0.1, -0.2], [0.5, -0.3, 0.4], [0.2, 0.6, 0.1]])
    return joint_trajectory(Model("three", tuple(bodies)), path, v_max=1.0, vdot_max=2.0)


def true_poses(recording: Recording) -> dict[str, np.ndarray]:
    """X_WB (rows, 4, 4) of every body."""
    return {body.name: fk(recording.model, recording.q, body.name) for body in recording.model.bodies}


def plain_columns(model: Model) -> dict[str, tuple[int, int]]:
    """Joint with one coordinate to its columns in q and v."""
    found, i, j = {}, 0, 0
    for body in model.bodies:
        kind = body.joint.kind
        if kind in ("revolute", "prismatic"):
            found[body.joint.name] = (i, j)
        i, j = i + NQ[kind], j + NV[kind]
    return found


def matrix(wxyz: np.ndarray) -> np.ndarray:
    """R (3, 3) of a quaternion, by the textbook's formula."""
    w, x, y, z = np.asarray(wxyz) / np.linalg.norm(wxyz)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip
