"""Planar linkages with one loop, written as a tree and a connect of three rows; a four-bar's motion in one coordinate."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from carpal.model import Body, Joint, Loop, Model
from carpal.spatial import Inertia, pose

Y = np.array([0.0, 1.0, 0.0])
CRANK, COUPLER, ROCKER, GROUND = 0.3, 0.7, 0.6, 0.8


def along(x: float) -> np.ndarray:
    """A pose moved along x."""
    return pose(p=np.array([x, 0.0, 0.0]))


def bar(name: str, parent: str | None, at: float, length: float, **joint: Any) -> Body:
    """A rod of 1 kg along x that turns about y."""
    I = length**2 / 12
    hinge = Joint(f"hinge_{name}", "revolute", X_PJ=along(at), axis=Y, **joint)
    return Body(name, parent, hinge, Inertia(1.0, np.array([length / 2, 0.0, 0.0]), np.diag([1e-3, I, I])))


def four_bar(kind: str = "connect", **joint: Any) -> Model:
    """Crank and coupler in a row, the rocker beside them."""
    bodies = (
        bar("crank", None, 0.0, CRANK, **joint),
        bar("coupler", "crank", CRANK, COUPLER, **joint),
        bar("rocker", None, GROUND, ROCKER, **joint),
    )
    return Model("four_bar", bodies, loops=(Loop("pin", kind, "coupler", "rocker", along(COUPLER), along(ROCKER)),))


def five_bar() -> Model:
    """Two arms of two links whose ends are pinned together."""
    bodies = (
        bar("left_1", None, 0.0, 0.3), bar("left_2", "left_1", 0.3, 0.5),
        bar("right_1", None, 0.4, 0.3), bar("right_2", "right_1", 0.3, 0.5),
    )  # fmt: skip
    return Model("five_bar", bodies, loops=(Loop("pin", "connect", "left_2", "right_2", along(0.5), along(0.5)),))


FOUR_BAR_START = np.array([0.5, -1.0, -1.2])
FIVE_BAR_START = np.array([-2.0, 1.0, -1.0, -1.0])


def four_bar_angles(crank: float) -> np.ndarray:
    """Absolute angles of crank, coupler and rocker about y, by intersecting two circles; the branch of `FOUR_BAR_START`."""
    B, D = CRANK * np.array([np.cos(crank), np.sin(crank)]), np.array([GROUND, 0.0])
    apart = D - B
    r = np.linalg.norm(apart)
    x = (r**2 + COUPLER**2 - ROCKER**2) / (2 * r)
    y = -np.sqrt(COUPLER**2 - x**2)
    C = B + x * apart / r + y * np.array([-apart[1], apart[0]]) / r
    return np.array([crank, np.arctan2(*(C - B)[::-1]), np.arctan2(*(C - D)[::-1])])


def four_bar_energy(crank: float) -> tuple[float, float]:
    """(inertia felt at the crank, potential energy) of the four-bar."""
    a, b, c = four_bar_angles(crank)
    db = CRANK * np.sin(c - a) / (COUPLER * np.sin(b - c))
    dc = CRANK * np.sin(a - b) / (ROCKER * np.sin(c - b))
    inertia = CRANK**2 / 3 + ROCKER**2 / 3 * dc**2
    velocity = CRANK * np.array([-np.sin(a), np.cos(a)]) + db * COUPLER / 2 * np.array([-np.sin(b), np.cos(b)])
    inertia += velocity @ velocity + COUPLER**2 / 12 * db**2
    down = CRANK / 2 * np.sin(a) + CRANK * np.sin(a) + COUPLER / 2 * np.sin(b) + ROCKER / 2 * np.sin(c)
    return float(inertia), float(-9.81 * down)


def four_bar_rate(time: float, y: np.ndarray) -> np.ndarray:
    """Derivative of (crank angle, speed): Lagrange's equation in one coordinate, its derivatives by central differences."""
    h = 1e-4
    (m1, p1), (m2, p2), (m3, p3), (m4, p4) = (four_bar_energy(y[0] + k * h) for k in (-2, -1, 1, 2))
    slope_m, slope_p = (m1 - 8 * m2 + 8 * m3 - m4) / (12 * h), (p1 - 8 * p2 + 8 * p3 - p4) / (12 * h)
    return np.array([y[1], -(0.5 * slope_m * y[1] ** 2 + slope_p) / four_bar_energy(y[0])[0]])


def with_joint(model: Model, name: str, **changes: Any) -> Model:
    """The model with changed numbers of one joint."""
    bodies = [
        dataclasses.replace(body, joint=dataclasses.replace(body.joint, **changes)) if body.joint.name == name else body
        for body in model.bodies
    ]
    return model.replace(bodies=tuple(bodies))
