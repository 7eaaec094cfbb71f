"""Fingertip wrenches as a six-axis sensor in each tip gives them: force and torque on the tip at its centre, in its own axes."""

from __future__ import annotations

import numpy as np

from carpal.engines import Contact, touching
from carpal.kinematics import fk
from carpal.labs.dexterity.robot import FINGERS, TIP_RADIUS
from carpal.labs.dexterity.scene import HAND
from carpal.model import Model
from carpal.spatial import Array


def tip_wrenches(model: Model, q: Array, contacts: list[Contact]) -> Array:
    """(5, 6) [N, N m] on the tips, by everything that touches them."""
    out = np.zeros((5, 6))
    for contact in touching(contacts):
        for body, sign in ((contact.a, -1.0), (contact.b, 1.0)):
            finger = body.removeprefix(f"{HAND}/").removesuffix("_link_3")
            if not body.startswith(f"{HAND}/") or finger not in FINGERS:
                continue
            X = np.asarray(fk(model, q, f"{HAND}/{finger}_tip"))
            force = sign * np.array(contact.force)
            torque = np.cross(np.array(contact.point) - X[:3, 3], force)
            out[FINGERS.index(finger)] += np.r_[X[:3, :3].T @ force, X[:3, :3].T @ torque]
    return out


def sensed(wrenches: Array, noise: float, rng: np.random.Generator) -> Array:
    """The same with the sensors' noise: a standard deviation [N] of forces, and that times the tip's radius of torques."""
    scale = np.r_[np.ones(3), np.full(3, TIP_RADIUS)] * noise
    return wrenches + scale * rng.normal(size=wrenches.shape) if noise > 0 else wrenches


def wrench_line(time: float, wrenches: Array) -> str:
    """What the link sends: the time and 30 numbers, fingers in their order, force before torque."""
    return ",".join(f"{x:.9g}" for x in (time, *wrenches.ravel()))
