"""What a joint motion does to a level mount, and how that changes with the motion.

With the base held, the horizontal force on the mount is M a_C, the total mass times the centre of mass's horizontal
acceleration (facts of Alkire 2020, erratum E4: nothing else belongs in it). A free table without mass moves by minus the
centre of mass's own horizontal shift (E6), whatever the speed. Level means across the model's gravity.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal.dynamics import com, com_acceleration, com_velocity
from carpal.errors import unknown_name
from carpal.model import Model
from carpal.spatial import Array

KINDS = ("force", "displacement")
STEP = 1e-5  # [rad, m] central difference of an acceleration by q: error near 1e-10 of it


def level_axes(model: Model) -> Array:
    """Two unit rows (2, 3) across gravity; world x and y where gravity is along z or absent."""
    up = -np.asarray(model.gravity)
    size = np.linalg.norm(up)
    if size == 0.0 or np.hypot(up[0], up[1]) <= 1e-12 * size:
        return np.eye(3)[:2]
    up = up / size
    first = np.eye(3)[int(np.argmin(np.abs(up)))]
    first = first - (first @ up) * up
    first /= np.linalg.norm(first)
    return np.stack([first, np.cross(up, first)])


@dataclass(frozen=True, eq=False)
class MountReaction:
    """The horizontal force [N] on a held mount, or the horizontal shift [m] of a free massless table, along a motion.

    Args:
        model: the robot.
        kind: "force" or "displacement".
        q0: where the motion starts (nq); the shift is counted from there.
    """

    model: Model
    kind: str
    q0: Array

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise unknown_name("quantity to minimise", self.kind, KINDS)

    @property
    def unit(self) -> str:
        """Of the numbers."""
        return "N" if self.kind == "force" else "m"

    def values(self, q: Array, v: Array, vdot: Array) -> Array:
        """(K, 2) horizontal components; of "displacement" with the sign of the centre of mass's own shift."""
        if self.kind == "force":
            return self.model.mass * com_acceleration(self.model, q, v, vdot, threads=1) @ level_axes(self.model).T
        return (com(self.model, q, threads=1) - com(self.model, self.q0)) @ level_axes(self.model).T

    def peak(self, q: Array, v: Array, vdot: Array) -> float:
        """The largest horizontal magnitude along the motion."""
        return float(np.linalg.norm(self.values(q, v, vdot), axis=-1).max())

    def derivatives(self, q: Array, v: Array, vdot: Array) -> tuple[Array, Array, Array]:
        """By q, v and vdot, each (K, 2, nq)."""
        model, axes = self.model, level_axes(self.model)
        unit = np.eye(model.nv)
        flow = (
            com_velocity(model, q[:, None], unit, threads=1) @ axes.T
        )  # (K, nq, 2): the centre of mass's Jacobian, exact
        flow = np.swapaxes(flow, 1, 2)
        if self.kind == "displacement":
            return flow, np.zeros_like(flow), np.zeros_like(flow)
        still = np.zeros(model.nv)
        near = com_acceleration(model, q[:, None] + STEP * unit, v[:, None], vdot[:, None], threads=1)
        far = com_acceleration(model, q[:, None] - STEP * unit, v[:, None], vdot[:, None], threads=1)
        by_q = (near - far) / (2 * STEP)
        # quadratic in v, so a difference over any step is exact
        ahead, back = (
            com_acceleration(model, q[:, None], v[:, None] + sign * unit, still, threads=1) for sign in (1.0, -1.0)
        )
        by_v = (ahead - back) / 2
        mass = model.mass
        return mass * np.swapaxes(by_q @ axes.T, 1, 2), mass * np.swapaxes(by_v @ axes.T, 1, 2), mass * flow
