"""What a joint motion does to a level mount, and how that changes with the motion.

With the base held, the horizontal force on the mount is M a_C, the total mass times the centre of mass's horizontal
acceleration (facts of Alkire 2020, erratum E4: nothing else belongs in it). A free table without mass moves by minus the
centre of mass's own horizontal shift (E6), whatever the speed. Level means across the model's gravity.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from carpal.dynamics import com, com_acceleration, com_velocity, mount_wrench
from carpal.errors import InputError, unknown_name
from carpal.model import Model, real_array
from carpal.spatial import Array

KINDS = ("force", "displacement", "wrench")
FORCE_WEIGHTS = (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)
"""The whole force, vertical part included [1/N, 1/(N m)]."""
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
    """What a motion does to its mount: a force, a shift, or the weighted wrench.

    Args:
        model: the robot.
        kind: "force", the horizontal force [N] on a held mount; "displacement", the horizontal shift [m] of a free massless
            table; "wrench", the weighted force and moment at the mount's origin without what gravity alone asks for.
        q0: where the motion starts (nq); the shift is counted from there.
        weights: of "wrench", on (fx, fy, fz, mx, my, mz) [1/N, 1/(N m)]; a zero leaves a component out.
    """

    model: Model
    kind: str
    q0: Array
    weights: tuple[float, ...] = FORCE_WEIGHTS

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise unknown_name("quantity to minimise", self.kind, KINDS)
        weights = real_array(self.weights, "weights of a mount's reaction")
        if weights.shape != (6,) or not np.isfinite(weights).all() or (weights < 0).any() or not weights.any():
            raise InputError(
                "weights must be 6 finite numbers (fx, fy, fz, mx, my, mz), zero or above and not all zero; "
                f"got {self.weights!r:.80}."
            )
        object.__setattr__(self, "weights", tuple(float(x) for x in weights))

    @property
    def unit(self) -> str:
        """Of the numbers; weighted wrenches have none."""
        return {"force": "N", "displacement": "m", "wrench": ""}[self.kind]

    @functools.cached_property
    def _weightless(self) -> Model:
        return self.model.replace(gravity=np.zeros(3))

    @functools.cached_property
    def _taken(self) -> tuple[np.ndarray, Array]:
        """Indices of the weighted components, and their weights."""
        weights = np.array(self.weights)
        taken = np.flatnonzero(weights)
        return taken, weights[taken]

    def _wrench(self, q: Array, v: Array, vdot: Array) -> Array:
        taken, weights = self._taken
        return mount_wrench(self._weightless, q, v, vdot, threads=1)[..., taken] * weights

    def values(self, q: Array, v: Array, vdot: Array) -> Array:
        """(K, n) components that are taken together; of "displacement" with the sign of the centre of mass's own shift."""
        if self.kind == "wrench":
            return self._wrench(q, v, vdot)
        if self.kind == "force":
            return self.model.mass * com_acceleration(self.model, q, v, vdot, threads=1) @ level_axes(self.model).T
        return (com(self.model, q, threads=1) - com(self.model, self.q0)) @ level_axes(self.model).T

    def peak(self, q: Array, v: Array, vdot: Array) -> float:
        """The largest magnitude along the motion."""
        return float(np.linalg.norm(self.values(q, v, vdot), axis=-1).max())

    def derivatives(self, q: Array, v: Array, vdot: Array) -> tuple[Array, Array, Array]:
        """By q, v and vdot, each (K, n, nq)."""
        model, axes = self.model, level_axes(self.model)
        unit = np.eye(model.nv)
        still = np.zeros(model.nv)
        if self.kind == "wrench":
            at = self._wrench
            flow = np.swapaxes(at(q[:, None], still, unit), 1, 2)
        else:
            # (K, n, nq): the centre of mass's Jacobian, exact
            flow = np.swapaxes(com_velocity(model, q[:, None], unit, threads=1) @ axes.T, 1, 2)
            if self.kind == "displacement":
                return flow, np.zeros_like(flow), np.zeros_like(flow)
            flow = model.mass * flow

            def at(q: Array, v: Array, vdot: Array) -> Array:
                return model.mass * com_acceleration(model, q, v, vdot, threads=1) @ axes.T

        by_q = at(q[:, None] + STEP * unit, v[:, None], vdot[:, None]) - at(
            q[:, None] - STEP * unit, v[:, None], vdot[:, None]
        )
        # quadratic in v, so a difference over any step is exact
        by_v = at(q[:, None], v[:, None] + unit, still) - at(q[:, None], v[:, None] - unit, still)
        return np.swapaxes(by_q, 1, 2) / (2 * STEP), np.swapaxes(by_v, 1, 2) / 2, flow
