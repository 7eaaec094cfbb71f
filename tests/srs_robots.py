"""Seeded random arms with spherical shoulder, revolute elbow and spherical wrist, and arms typed in for tests."""

from __future__ import annotations

import dataclasses

import numpy as np
from random_models import random_pose, random_rotation

from carpal.model import Body, Frame, Joint, Model


def _about(axis: np.ndarray, angle: float) -> np.ndarray:
    K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def _across(rng: np.random.Generator, axis: np.ndarray) -> np.ndarray:
    """A random unit vector at a right angle."""
    v = np.cross(axis, rng.normal(size=3))
    return v / np.linalg.norm(v)


def random_srs(seed: int, *, offset: bool | None = None) -> Model:
    """An arm of the class with any mount, tool, joint zeros, directions of turning, lengths and limits.

    Axes are drawn in the world at zero configuration: each at a random angle about the one before, as joint zeros are.
    Every other robot has an elbow offset unless told. Limits are 80 to 340 degrees wide, one joint in five has none.
    """
    rng = np.random.default_rng([6, seed])
    offset = bool(seed % 2) if offset is None else offset
    a = [random_rotation(rng)[:, 2]]
    for _ in range(6):
        a.append(_across(rng, a[-1]))
    upper, fore = rng.uniform(0.15, 0.5, 2)
    S = rng.normal(size=3)
    aside = rng.uniform(-0.12, 0.12, 2) * offset
    E = S + upper * a[2] + aside[0] * np.cross(a[2], a[3])
    W = E + fore * a[4] + aside[1] * np.cross(a[4], a[3])
    points = [S, S, S, E, W, W, W]
    bodies, X_WP = [], np.eye(4)
    for i in range(7):
        X = np.eye(4)  # a frame anywhere on the axis, turned by any angle: only the axis counts
        X[:3, :3], X[:3, 3] = random_rotation(rng), points[i] + rng.uniform(-0.2, 0.2) * a[i]
        low, high = -np.inf, np.inf
        if rng.random() < 0.8:
            middle, half = rng.uniform(-1.0, 1.0), np.radians(rng.uniform(40, 170))
            low, high = middle - half, middle + half
        joint = Joint(
            f"j{i + 1}", "revolute", X_PJ=np.linalg.inv(X_WP) @ X, axis=X[:3, :3].T @ a[i], q_min=low, q_max=high
        )
        bodies.append(Body(f"link{i + 1}", bodies[-1].name if bodies else None, joint))
        X_WP = X
    return Model(
        name=f"srs_{seed}",
        bodies=tuple(bodies),
        extra_frames=(Frame("hand", "link7", random_pose(rng, 0.1)),),
        tool="hand",
    )


def with_limits(model: Model, degrees: tuple[tuple[float, float], ...]) -> Model:
    """The same arm with other limits [deg] of its moving joints, in their order."""
    limits = iter(np.radians(degrees))
    bodies = []
    for body in model.bodies:
        if body.joint.kind != "fixed":
            low, high = next(limits)
            body = dataclasses.replace(body, joint=dataclasses.replace(body.joint, q_min=float(low), q_max=float(high)))
        bodies.append(body)
    return model.replace(bodies=tuple(bodies), name=f"{model.name}_limited")


# shoulder flexion and abduction, upper-arm roll, elbow, forearm roll, wrist: about what a person can do
HUMAN = ((-150, 60), (-120, 20), (-80, 80), (0, 145), (-85, 85), (-40, 60), (-35, 25))

IIWA_URDF = """<?xml version="1.0"?>
<robot name="iiwa_like">
  <link name="world_link"/>
  {links}
  {joints}
</robot>
"""
# parent to child: xyz [m], rpy [deg], limit [deg]; figures of the maker's data sheet (0.36, 0.42, 0.4, 0.126 m)
IIWA = (
    ((0, 0, 0.1575), (0, 0, 0), 170),
    ((0, 0, 0.2025), (90, 0, 180), 120),
    ((0, 0.2045, 0), (90, 0, 180), 170),
    ((0, 0, 0.2155), (90, 0, 0), 120),
    ((0, 0.1845, 0), (-90, 180, 0), 170),
    ((0, 0, 0.2155), (90, 0, 0), 120),
    ((0, 0.081, 0), (-90, 180, 0), 175),
)


def iiwa_urdf() -> str:
    """A URDF of an arm like the LBR iiwa 14, with its tool flange."""
    links, joints, parent = [], [], "world_link"
    for i, (xyz, rpy, limit) in enumerate(IIWA, start=1):
        links.append(f'<link name="link_{i}"/>')
        turned = " ".join(repr(float(x)) for x in np.radians(rpy))
        joints.append(
            f'<joint name="joint_{i}" type="revolute"><parent link="{parent}"/><child link="link_{i}"/>'
            f'<origin xyz="{" ".join(map(str, xyz))}" rpy="{turned}"/><axis xyz="0 0 1"/>'
            f'<limit lower="{-np.radians(limit)!r}" upper="{np.radians(limit)!r}" velocity="1.5" effort="100"/></joint>'.replace(
                "np.float64(", ""
            ).replace(")", "")
        )
        parent = f"link_{i}"
    links.append('<link name="flange"/>')
    joints.append(
        f'<joint name="flange_joint" type="fixed"><parent link="{parent}"/><child link="flange"/>'
        '<origin xyz="0 0 0.045" rpy="0 0 0"/></joint>'
    )
    return IIWA_URDF.format(links="\n  ".join(links), joints="\n  ".join(joints))
