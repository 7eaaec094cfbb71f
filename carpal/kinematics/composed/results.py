"""Answers of composed inverse kinematics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal._core.result import Result, status_of_batch
from carpal.kinematics.composed.kernels.target_rows import ANGULAR_TOLERANCE, FIRST_ROW, LINEAR_TOLERANCE
from carpal.kinematics.composed.packed import BOUNDED, Packed
from carpal.kinematics.composed.targets import label_of
from carpal.model import Model
from carpal.spatial import Array

SLACK = 1e-9  # [m, N m] that a further limit may be broken by rounding
_AT_LIMIT = 1e-9  # [rad, m]
_ROUNDING = 1e-11  # [rad, m] of dependent joints


def reached(packed: Packed, errors: Array) -> np.ndarray:
    """(*batch) whether the targets of the highest priority are within tolerance, from errors (*batch, targets, 2)."""
    table, numbers, levels = packed.constants[0], packed.constants[1], packed.constants[5]
    near = (errors[..., 0] <= numbers[:, LINEAR_TOLERANCE]) & (errors[..., 1] <= numbers[:, ANGULAR_TOLERANCE])
    return np.asarray(near[..., table[:, FIRST_ROW] < levels[1]].all(axis=-1))


@dataclass(frozen=True, eq=False)
class _Composed(Result):
    model: Model
    packed: Packed
    ok: np.ndarray
    q: Array
    position_error: Array
    angle_error: Array

    @property
    def targets(self) -> tuple[str, ...]:
        """Names of the targets, in the order of the errors; a posture has none."""
        return tuple(label_of(self.model, target) for target in self.packed.targets)

    def _misses(self, index: tuple[int, ...], *, only_missed: bool = False) -> str:
        """Words for how far the targets are off."""
        said = []
        for i, name in enumerate(self.targets):
            row = self.packed.constants[1][i]
            linear, angular = float(self.position_error[index][i]), float(self.angle_error[index][i])
            parts = []
            if row[LINEAR_TOLERANCE] > 0.0:
                parts.append(f"{1000 * linear:.3g} mm")
            if row[ANGULAR_TOLERANCE] > 0.0:
                parts.append(f"{np.degrees(angular):.3g} deg")
            missed = linear > row[LINEAR_TOLERANCE] or angular > row[ANGULAR_TOLERANCE]
            if missed or not only_missed:
                said.append(f"{name} by {' and '.join(parts)}")
        return ", ".join(said)

    def _at_limits(self, q: Array) -> str:
        said = []
        for (kind, first), name in zip(self.model.joint_slices(), self.model.joint_names, strict=True):
            if kind in BOUNDED:
                if q[first] <= self.packed.low[first] + _AT_LIMIT:
                    said.append(f"q_min of {name}")
                elif q[first] >= self.packed.high[first] - _AT_LIMIT:
                    said.append(f"q_max of {name}")
        return ", ".join(said[:4]) + (", ..." if len(said) > 4 else "")


@dataclass(frozen=True, eq=False, repr=False)
class StepResult(_Composed):
    """One step of composed inverse kinematics; arrays have the batch shape of what was asked.

    Args:
        ok: whether a step was found that keeps every limit.
        q: (*batch, nq) where the step ends.
        v: (*batch, nv) the velocity that brings q0 there in dt.
        position_error, angle_error: (*batch, targets) [m], [rad] before the step.
        share: (*batch) of the step that was taken: below 1 where all of it would have left a limit that is not linear.
    """

    v: Array
    share: Array

    @property
    def status(self) -> str:
        """One sentence; of a batch, how many steps were found and why the first was not."""
        return status_of_batch(self.ok, "steps found", "the first that was not", self.explain)

    def explain(self, index: tuple[int, ...] = ()) -> str:
        """What a step does, or why there is none."""
        misses = f"before it: {self._misses(index)}"
        if not self.ok[index]:
            return f"no step keeps all limits together, so the robot stays where it is; {misses}."
        held = self._at_limits(self.q[index])
        fastest = float(np.abs(self.v[index]).max(initial=0.0))
        return f"a step at {fastest:.3g} [rad/s, m/s] at most; {misses}{f'; at {held}' if held else ''}."


@dataclass(frozen=True, eq=False, repr=False)
class SolveResult(_Composed):
    """Where steps of composed inverse kinematics converge; arrays have the batch shape of what was asked.

    Args:
        ok: whether all targets of the highest priority are within tolerance and every limit is kept.
        q: (*batch, nq) the answer, or the best configuration found.
        position_error, angle_error: (*batch, targets) [m], [rad].
        iterations: (*batch) steps of all attempts together.
        attempts: (*batch) starts used.
        slack: (*batch) least distance from the border of further limits (distance, torque); infinite where there is none.
    """

    iterations: np.ndarray
    attempts: np.ndarray
    slack: Array

    @staticmethod
    def of(
        model: Model, packed: Packed, q: Array, errors: Array, iterations: Any, attempts: Any, slack: Array
    ) -> SolveResult:
        """With `ok` from errors (*batch, targets, 2), the limits of joints and the slack of further limits."""
        inside = np.ones(q.shape[:-1], bool)
        for kind, first in model.joint_slices():
            if kind in BOUNDED:
                x = q[..., first]
                inside &= (x >= packed.low[first] - _ROUNDING) & (x <= packed.high[first] + _ROUNDING)
        ok = reached(packed, errors) & inside & (slack >= -SLACK)
        return SolveResult(model, packed, ok[()], q, errors[..., 0], errors[..., 1], iterations, attempts, slack)

    @property
    def status(self) -> str:
        """One sentence; of a batch, how many were solved and why the first was not."""
        return status_of_batch(self.ok, "problems solved", "the first unsolved", self.explain)

    def explain(self, index: tuple[int, ...] = ()) -> str:
        """How well targets are reached, or what is missing."""
        steps, starts = int(self.iterations[index]), int(self.attempts[index])
        if self.ok[index]:
            missed = self._misses(index, only_missed=True)
            tail = f"; of lower priority, short: {missed}" if missed else ""
            return f"all targets of the highest priority reached in {steps} steps{tail}."
        tail = f"after {steps} steps from {starts} start{'s' if starts > 1 else ''}"
        if self.slack[index] < 0.0:
            return f"a limit is broken by {-float(self.slack[index]):.3g} {tail}; short: {self._misses(index)}."
        held = self._at_limits(self.q[index])
        return f"short: {self._misses(index, only_missed=True)}, {tail}{f'; at {held}' if held else ''}."
