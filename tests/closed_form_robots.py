"""Seeded random robots of the shapes that have a closed form, on random bases, with random tools. Only NumPy."""

from __future__ import annotations

import numpy as np
from random_models import random_pose, random_rotation

from carpal.model import Body, Frame, Joint, Model

SHAPES = ("offset elbow", "planar", "planar, tool off the axis", "offset elbow, tool off its line")


def unit(rng: np.random.Generator) -> np.ndarray:
    """A random direction (3)."""
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


def across(rng: np.random.Generator, *others: np.ndarray) -> np.ndarray:
    """A random direction at right angles to one or two others."""
    v = rng.normal(size=3) if len(others) == 1 else np.cross(*others)
    for u in others:
        v = v - u * (u @ v)
    return v / np.linalg.norm(v)


def model_from_lines(
    rng: np.random.Generator, name: str, u: np.ndarray, c: np.ndarray, X_WT: np.ndarray, pointing: np.ndarray
) -> Model:
    """A robot whose joints turn about given lines (unit vectors u, points c) at q = 0; frames of joints are anywhere.

    It stands on a random base, and a jaw that moves hangs on its last link beside the tool.
    """
    base = random_pose(rng)
    bodies = [Body("base", None, Joint("mount", X_PJ=base))]
    X_parent = base
    limits = rng.uniform(0.8, 3.1, (len(u), 2))
    for i in range(len(u)):
        X_joint = np.eye(4)  # the joint's frame: anywhere along its line, turned anyhow
        X_joint[:3, :3] = random_rotation(rng)
        X_joint[:3, 3] = c[i] + rng.normal() * 0.2 * u[i]
        X_joint = base @ X_joint
        X_PJ = np.linalg.inv(X_parent) @ X_joint
        axis = X_joint[:3, :3].T @ base[:3, :3] @ u[i]
        joint = Joint(f"joint_{i}", "revolute", X_PJ=_clean(X_PJ), axis=axis, q_min=-limits[i, 0], q_max=limits[i, 1])
        bodies.append(Body(f"link_{i}", bodies[-1].name, joint))
        X_parent = X_joint
    X_LT = np.linalg.inv(X_parent) @ base @ X_WT
    jaw = Joint("jaw", "revolute", X_PJ=random_pose(rng, 0.1), q_min=-1.0, q_max=1.0)
    bodies.append(Body("jaw_link", bodies[-1].name, jaw))
    return Model(
        name=name,
        bodies=tuple(bodies),
        extra_frames=(Frame("tip", f"link_{len(u) - 1}", _clean(X_LT)),),
        tool="tip",
        tool_axis=X_WT[:3, :3].T @ pointing,
    )


def _clean(X: np.ndarray) -> np.ndarray:
    """The nearest rotation: products of inverses round."""
    U, _, V = np.linalg.svd(X[:3, :3])
    out = X.copy()
    out[:3, :3] = U @ V
    out[3] = 0, 0, 0, 1
    return out


def offset_elbow_robot(seed: int, *, off_line: bool = False, right_angles: bool = False) -> Model:
    """Axes 1 and 2 meet, axes 4 and 5 meet, everything else at random."""
    rng = np.random.default_rng(seed)
    u = np.array([unit(rng) for _ in range(5)])
    pointing = unit(rng)
    u[1] = across(rng, u[0])
    if right_angles:
        u[4] = across(rng, u[3])
        pointing = across(rng, u[4])
    shoulder, wrist = rng.normal(size=3) * 0.2, rng.normal(size=3) * 0.5
    elbow = shoulder + rng.normal(size=3) * 0.3
    c = np.array([shoulder, shoulder, elbow, wrist, wrist])
    X = np.eye(4)
    X[:3, :3] = random_rotation(rng)
    X[:3, 3] = wrist + rng.uniform(0.0, 0.3) * pointing + (0.1 * across(rng, pointing) if off_line else 0.0)
    return model_from_lines(rng, f"offset_elbow_{seed}", u, c, X, pointing)


def planar_robot(seed: int, *, off_axis: bool = False) -> Model:
    """Pan, three parallel pitch axes of either sense, roll; lateral offsets everywhere."""
    rng = np.random.default_rng(seed)
    pan = unit(rng)
    pitch = across(rng, pan)
    ahead = np.cross(pitch, pan)
    senses = rng.choice([-1.0, 1.0], 3)
    angle = rng.uniform(-np.pi, np.pi)
    roll = np.cos(angle) * pan + np.sin(angle) * ahead
    u = np.array([pan, senses[0] * pitch, senses[1] * pitch, senses[2] * pitch, roll])
    points = [rng.normal(size=3) * 0.1]
    for _ in range(4):
        step = rng.normal(size=3) * (0.25, 0.25, 0.05)
        points.append(points[-1] + step[0] * pan + step[1] * ahead + step[2] * pitch)
    X = np.eye(4)
    X[:3, :3] = random_rotation(rng)
    X[:3, 3] = (
        points[4] + rng.uniform(0.0, 0.2) * roll + (rng.uniform(0.005, 0.15) * across(rng, roll) if off_axis else 0)
    )
    return model_from_lines(rng, f"planar_{seed}", u, np.array(points), X, roll * rng.choice([-1.0, 1.0]))


def robot(shape: str, seed: int) -> Model:
    """A robot of one of `SHAPES`."""
    if shape.startswith("offset elbow"):
        return offset_elbow_robot(seed, off_line="off its line" in shape, right_angles=bool(seed % 2))
    return planar_robot(seed, off_axis="off the axis" in shape)
