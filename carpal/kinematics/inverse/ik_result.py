"""The answer of inverse kinematics, and why there is none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal._core.result import Result, status_of_batch
from carpal.kinematics.constraints import independent_velocities, velocity_map
from carpal.kinematics.forward import fk
from carpal.kinematics.inverse.ik_target import Target
from carpal.kinematics.jacobians import jacobian
from carpal.kinematics.reach import reach_bound, rotation_weight
from carpal.model import Model
from carpal.spatial import Array, align_z, rotation_vector

NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six")


@dataclass(frozen=True, eq=False)
class IKResult(Result):
    """What a search found; arrays have the targets' batch shape.

    Args:
        model, frame, target, method: what was asked.
        ok: whether both errors are within tolerance and all joints inside their limits.
        q: (*batch, nq) the answer, or the nearest configuration found.
        position_error: (*batch) [m].
        angle_error: (*batch) [rad]; of the pointing direction where only that was asked.
        iterations: (*batch) steps of all attempts together.
        attempts: (*batch) starts used.
    """

    model: Model
    frame: str
    target: Target
    method: str
    ok: np.ndarray
    q: Array
    position_error: Array
    angle_error: Array
    iterations: np.ndarray
    attempts: np.ndarray

    @property
    def status(self) -> str:
        """One sentence; of a batch, how many were solved and why the first was not."""
        return status_of_batch(self.ok, "targets solved", "the first unsolved", self.explain)

    def explain(self, index: tuple[int, ...] = ()) -> str:
        """Why the target at a batch index was not reached, or how well it was."""
        p_error, r_error = float(self.position_error[index]), float(self.angle_error[index])
        miss = f"{_millimetres(p_error)}" + (
            "" if self.target.kind == "point" else f" and {np.degrees(r_error):.3g} deg"
        )
        if self.ok[index]:
            return f"{self.frame} reaches its target within {miss}, {int(self.iterations[index])} iterations ({self.method})."
        R = self.target.R_WT
        bound = reach_bound(self.model, self.frame)
        if bound is not None:
            short = float(bound.shortfall(self.target.position[index], None if R is None else R[index]))
            if short > 1e-9 * bound.tool_length:  # less than that may be rounding
                return f"out of reach by {_metres(short)} for certain: no configuration brings {self.frame} there."
        q = self.q[index]
        outside = self._outside(q)
        if outside:
            return f"the search ended outside the limits: {outside}."
        starts = int(self.attempts[index])
        tail = f"the best of {starts} start{'s' if starts > 1 else ''} is {miss} short"
        held = self._held(index)
        if held:
            return f"stopped at {held}; {tail}."
        small = self._lost_directions(q)
        if small:
            return f"singular: {NUMBER_WORDS[small]} singular value{'s' if small > 1 else ''} below 1e-9; {tail}."
        return f"no solution found: {tail}."

    def _outside(self, q: Array) -> str:
        for body in self.model.bodies:
            joint = body.joint
            if joint.kind in ("revolute", "prismatic"):
                value = q[self.model.q_index(joint.name)]
                if value < joint.q_min or value > joint.q_max:
                    return f"{joint.name} = {value:.4g} is not in [{joint.q_min:.4g}, {joint.q_max:.4g}]"
        return ""

    def _lost_directions(self, q: Array) -> int:
        """Directions of the task in which nothing moves the frame: singular values of the task's rows below 1e-9."""
        J = self._independent_columns(q)
        if self.target.kind == "point":
            J = J[:3]
        elif self.target.kind == "point and direction":  # turning about the pointing direction is not asked for
            axis = fk(self.model, q, self.frame)[:3, :3] @ self.model.tool_axis
            J = np.concatenate([J[:3], align_z(axis)[:, :2].T @ J[3:]])
        values = np.linalg.svd(J, compute_uv=False)
        return len(J) - int((values >= 1e-9).sum())

    def _independent_columns(self, q: Array) -> Array:
        """Jacobian (6, nv); with couplings or loops the columns of dependent joints are zero, the others respect them."""
        J = jacobian(self.model, q, self.frame)
        if self.model.is_constrained:
            whole, free = np.zeros_like(J), independent_velocities(self.model)
            whole[:, free] = J @ velocity_map(self.model, q)
            return whole
        return J

    def _held(self, index: tuple[int, ...]) -> str:
        """Joints that stand at a limit and would have to go beyond it to lessen the error."""
        q = self.q[index]
        J = self._independent_columns(q)
        d, r = self._error(index, q)
        push = J[:3].T @ d + rotation_weight(self.model, self.frame) ** 2 * J[3:].T @ r
        held = []
        for body in self.model.bodies:
            joint = body.joint
            if joint.kind not in ("revolute", "prismatic"):
                continue
            value, force = q[self.model.q_index(joint.name)], push[self.model.v_index(joint.name)]
            if value <= joint.q_min and force < 0:
                held.append(f"q_min of {joint.name}")
            elif value >= joint.q_max and force > 0:
                held.append(f"q_max of {joint.name}")
        return ", ".join(held)

    def _error(self, index: tuple[int, ...], q: Array) -> tuple[Array, Array]:
        X = fk(self.model, q, self.frame)
        d = self.target.position[index] - X[:3, 3]
        R = self.target.R_WT
        if R is not None:
            return d, rotation_vector(R[index] @ X[:3, :3].T)
        if self.target.kind == "point":
            return d, np.zeros(3)
        have, want = X[:3, :3] @ self.model.tool_axis, self.target.numbers[index][:3]
        across = np.cross(have, want)
        sine = float(np.linalg.norm(across))
        return d, across * (np.arctan2(sine, have @ want) / sine if sine > 1e-12 else 1.0)


def _metres(x: float) -> str:
    return f"{x:.3g} m" if x >= 0.01 else _millimetres(x)


def _millimetres(x: float) -> str:
    if x >= 1.0:
        return f"{x:.3g} m"
    return f"{1000 * x:.3g} mm" if x >= 1e-4 else f"{1e6 * x:.2g} um"
