"""Fingertips against the object over a run, from states alone, so that every engine is measured alike: gaps, speeds, hits.

A hit is a tip that meets the object faster than Chan's threshold (0.01 m/s, C.3) after it was apart.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from carpal.contact import shape_distance
from carpal.kinematics import fk, jacobian
from carpal.labs.dexterity.robot import FINGERS, TIP_RADIUS
from carpal.labs.dexterity.scene import HAND, OBJECT
from carpal.model import Model, Sphere
from carpal.spatial import Array

THRESHOLD = 0.01
TOUCHING = 2e-6
"""Gap [m] below which a tip counts as touching."""


class TipMotion(NamedTuple):
    """Of every finger at every row.

    Args:
        gap: (rows, 5) [m] between tip and object.
        speed: (rows, 5) [m/s] of separation along the normal.
        on_tip: (rows, 5, 3) [m] the tip's nearest point, in the frame of its link.
        on_object: (rows, 5, 3) [m] the object's nearest point, in its frame.
    """

    gap: Array
    speed: Array
    on_tip: Array
    on_object: Array


class Hit(NamedTuple):
    """A finger, the time [s] of the row before it, and how fast it came [m/s]."""

    finger: str
    time: float
    speed: float


def tip_motion(model: Model, q: Array, v: Array) -> TipMotion:
    """Gaps and speeds of a run, q (rows, nq) and v (rows, nv) of the task's scene."""
    rows = len(q)
    shape = next(placed.shape for placed in model.shapes if placed.body == OBJECT)
    X_WO = np.asarray(fk(model, q, OBJECT))
    twist = v[:, model.nv - 6 :]
    gap, speed = np.empty((rows, 5)), np.empty((rows, 5))
    on_tip, on_object = np.empty((rows, 5, 3)), np.empty((rows, 5, 3))
    for k, finger in enumerate(FINGERS):
        X_WT = np.asarray(fk(model, q, f"{HAND}/{finger}_tip"))
        found = shape_distance(Sphere(TIP_RADIUS), X_WT, shape, X_WO)
        p, n = np.asarray(found.p_WB), np.asarray(found.n_AB_W)
        J = np.asarray(jacobian(model, q, f"{HAND}/{finger}_tip"))
        there = np.einsum("rij,rj->ri", J[:, :3], v)  # the tip is round: its turning moves no surface along the normal
        surface = twist[:, :3] + np.cross(twist[:, 3:], p - X_WO[:, :3, 3])
        gap[:, k] = found.distance
        on_tip[:, k] = np.einsum("rji,rj->ri", X_WT[:, :3, :3], np.asarray(found.p_WA) - X_WT[:, :3, 3])
        on_object[:, k] = np.einsum("rji,rj->ri", X_WO[:, :3, :3], p - X_WO[:, :3, 3])
        speed[:, k] = ((surface - there) * n).sum(axis=1)
    return TipMotion(gap, speed, on_tip, on_object)


def hits(motion: TipMotion, time: Array) -> list[Hit]:
    """Every hit of every finger, in order."""
    out: list[Hit] = []
    for k, finger in enumerate(FINGERS):
        apart = bool(motion.gap[0, k] > TOUCHING)
        for row in range(len(time) - 1):
            gap, speed, after = float(motion.gap[row, k]), float(motion.speed[row, k]), float(motion.speed[row + 1, k])
            # it may speed up within the step; what shows that they met is that it then no longer approaches as before
            near = gap + 1.5 * speed * (time[row + 1] - time[row]) <= 0
            met = after > 0.75 * speed or motion.gap[row + 1, k] <= TOUCHING
            if apart and speed < -THRESHOLD and near and met:
                out.append(Hit(finger, float(time[row]), -speed))
                apart = False
            if motion.gap[row + 1, k] > TOUCHING or after > THRESHOLD:
                apart = True
    return sorted(out, key=lambda hit: (hit.time, FINGERS.index(hit.finger)))
