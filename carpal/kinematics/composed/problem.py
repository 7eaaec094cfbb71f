"""Inverse kinematics composed of targets and limits: one step for a real-time loop, or steps to convergence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import Groups, KernelInput, configuration, run_batch
from carpal._core.compile import direct
from carpal.errors import InputError
from carpal.kinematics.composed.further_limits import SETTLED, Further, search_by_steps
from carpal.kinematics.composed.goals import Goals
from carpal.kinematics.composed.kernels.active_set import SOLVED
from carpal.kinematics.composed.kernels.composed_step import (
    ATTEMPTS,
    REPORT,
    SHARE,
    STATUS,
    STEPS,
    composed_batch,
)
from carpal.kinematics.composed.kernels.target_rows import GOAL_COLUMNS
from carpal.kinematics.composed.limits import JointLimit, Limit, SpeedLimit, check_limits
from carpal.kinematics.composed.packed import pack, room
from carpal.kinematics.composed.results import SolveResult, StepResult
from carpal.kinematics.composed.targets import Target, check_targets
from carpal.kinematics.configuration import random_configurations
from carpal.kinematics.tied_chain import satisfied_start
from carpal.model import Model, need_model
from carpal.spatial import Array

DEFAULT_LIMITS: tuple[Limit, ...] = (JointLimit(), SpeedLimit())
STEP_DAMPING, SOLVE_DAMPING = 1e-6, 1e-10  # least damping of a step and of a search
SOLVE_BOX = 0.5  # most that a freedom moves in a step of a search [rad, m]
_GROUPS = Groups(scratch=room)
_FLOAT64 = np.dtype(np.float64)
_MOST_KEPT = 16


class IKProblem:
    """A robot, targets and limits, prepared for many questions.

    Args:
        model: the robot, with couplings and loops if it has them.
        targets: what is wanted, with weights and priorities; see `PoseTarget`, `PointTarget`, `DirectionTarget`, `LookAtTarget`,
            `ComTarget`, `PostureTarget`.
        limits: what must hold; by default `JointLimit()` and `SpeedLimit()`. Others: `carpal.contact.DistanceLimit`,
            `carpal.dynamics.TorqueLimit`, and your own from `RowLimit`.
        damping: of a step, in parts of the squared error (Levenberg-Marquardt).

    Example:
        >>> problem = IKProblem(arm, [PoseTarget(frame="tool"), PostureTarget()])
        >>> result = problem.step(q, 0.01, {"tool": X_WT})  # in a loop: result.v, result.q
        >>> result = problem.solve(q, {"tool": X_WT})  # to convergence
    """

    def __init__(
        self,
        model: Model,
        targets: Target | Sequence[Target],
        *,
        limits: Limit | Sequence[Limit] = DEFAULT_LIMITS,
        damping: float = 0.01,
    ) -> None:
        need_model(model, "IKProblem")
        if isinstance(damping, bool) or not isinstance(damping, int | float) or not 0.0 <= damping < np.inf:
            raise InputError(f"damping must be a number, zero or above; got {damping!r}.")
        self.model = model
        self.targets = check_targets(model, targets)
        self.limits = check_limits(limits)
        self._packed = pack(model, self.targets, self.limits)
        self._goals = Goals(model, self._packed)
        self._further = Further(model, self._packed.further)
        self._step_settings = np.array([float(damping), STEP_DAMPING, np.inf, SETTLED])
        self._solve_settings = np.array([float(damping), SOLVE_DAMPING, SOLVE_BOX, SETTLED])
        self._no_samples = np.zeros((0, model.nq))
        self._steps: dict[float, tuple[Any, ...]] = {}
        self._scratch: dict[int, list[tuple[int, ...]]] = {}
        self._samples: dict[tuple[int, int], Array] = {}
        self._spare: list[_Buffers] = []

    @property
    def names(self) -> tuple[str, ...]:
        """Names under which goals are given."""
        return self._goals.names

    def step(
        self,
        q: ArrayLike,
        dt: float = 0.01,
        goals: Mapping[str, ArrayLike] | None = None,
        *,
        device: str = "cpu",
        threads: int | None = None,
    ) -> StepResult:
        """The velocity for the next dt: of every priority the best inside all limits, the highest first.

        Args:
            q: configurations (*batch, nq); with couplings and loops, satisfied ones.
            dt: duration of the step [s].
            goals: goal of each target by name, as its class takes it; those not named keep the one that they were made with.
            device: "cpu" or "cuda".
            threads: CPU threads; all cores by default.
        """
        constants = self._step_constants(dt)
        numbers, posture = self._goals.rows(goals)
        answer = None
        if device == "cpu" and threads is None and not self._packed.further:
            answer = self._single_step(constants, q, numbers, posture)
        if answer is None:
            answer = self._run(constants, q, numbers, posture, *self._further.rows(q), device=device, threads=threads)
        q_next, v, errors, report = answer
        share = report[..., SHARE]
        if self._packed.further:
            start = np.broadcast_to(np.asarray(q, float), q_next.shape)
            q_next, v, cut = self._further.kept(start, q_next, v, float(dt))
            share = share * cut
        return StepResult(
            self.model,
            self._packed,
            (report[..., STATUS] == SOLVED)[()],
            q_next,
            errors[..., 0],
            errors[..., 1],
            v,
            share,
        )

    def solve(
        self,
        q0: ArrayLike | None = None,
        goals: Mapping[str, ArrayLike] | None = None,
        *,
        attempts: int = 8,
        steps: int = 100,
        seed: int = 0,
        device: str = "cpu",
        threads: int | None = None,
    ) -> SolveResult:
        """Steps until the targets of the highest priority are reached and the others have settled.

        Args:
            q0: where the first search starts (*batch, nq); by default the model's home.
            goals: as of `step`.
            attempts: how many starts at most; those after the first are drawn once for a model and a seed.
            steps: most steps of an attempt.
            seed: of the starts. Same seed, same answer, in a batch or alone.
            device: "cpu" or "cuda".
            threads: CPU threads; all cores by default.
        """
        for name, value in (("attempts", attempts), ("steps", steps)):
            if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
                raise InputError(f"{name} must be a whole number, 1 or above; got {value!r}.")
        model, packed = self.model, self._packed
        numbers, posture = self._goals.rows(goals)
        start: Any = self._goals.home if q0 is None else q0
        if q0 is not None and model.is_constrained:
            start = satisfied_start(model, q0)
        samples = self._starts(int(attempts) - 1, seed)
        if packed.further:
            stepping = (packed.robot, *packed.solving, self._solve_settings, 1.0, 0, self._no_samples)

            def step(*given: Array) -> list[Array]:
                return self._run(stepping, *given, device=device, threads=threads)

            return search_by_steps(model, packed, self._further, step, start, numbers, posture, samples, int(steps))
        constants = (packed.robot, *packed.solving, self._solve_settings, 1.0, int(steps), samples)
        q, _, errors, report = self._run(
            constants, start, numbers, posture, *self._further.rows(start), device=device, threads=threads
        )
        counts = report[..., STEPS : ATTEMPTS + 1].astype(int)
        free = np.full(q.shape[:-1], np.inf)
        return SolveResult.of(model, packed, q, errors, counts[..., 0], counts[..., 1], free)

    def _step_constants(self, dt: Any) -> tuple[Any, ...]:
        known = self._steps.get(dt) if type(dt) is float else None
        if known is None:
            if isinstance(dt, bool) or not isinstance(dt, int | float | np.number) or not 0.0 < dt < np.inf:
                raise InputError(f"dt must be a number above zero [s]; got {dt!r}.")
            packed, dt = self._packed, float(dt)
            robot = packed.robot_within(packed.speeds * dt)
            known = (robot, *packed.constants, self._step_settings, dt, 0, self._no_samples)
            if len(self._steps) >= _MOST_KEPT:
                self._steps.clear()
            self._steps[dt] = known
        return known

    def _starts(self, count: int, seed: int) -> Array:
        known = self._samples.get((count, seed))
        if known is None:
            known = random_configurations(self.model, count, seed=seed)
            if len(self._samples) >= _MOST_KEPT:
                self._samples.clear()
            self._samples[count, seed] = known
        return known

    def _shapes(self, extra: int) -> list[tuple[int, ...]]:
        if extra not in self._scratch:
            self._scratch[extra] = self._packed.scratch(extra)
        return self._scratch[extra]

    def _single_step(self, constants: tuple[Any, ...], q: Any, numbers: Array, posture: Array) -> Any:
        """One configuration in a plain array, the commonest call, in buffers that are kept; None where it is not.

        The same entry with a batch of one, so the bits are the same.
        """
        plain = type(q) is np.ndarray and q.shape == (self.model.nq,) and q.dtype is _FLOAT64
        if not (plain and numbers.ndim == 2 and posture.ndim == 1):
            return None
        try:
            buffers = self._spare.pop()
        except IndexError:
            buffers = _Buffers(self.model, numbers.shape, self._shapes(0))
        answer = buffers.run(constants, q, numbers, posture)
        self._spare.append(buffers)
        return answer

    def _run(
        self, constants: Any, q: Any, numbers: Array, posture: Array, G: Array, h: Array, **where: Any
    ) -> list[Array]:
        model, count, extra = self.model, len(self._packed.targets), h.shape[-1]
        inputs = [
            configuration(model, q), KernelInput("goals", numbers, (count, GOAL_COLUMNS)),
            KernelInput("posture", posture, (model.nq,)), KernelInput("G", G, (extra, model.nv)), KernelInput("h", h, (extra,)),
        ]  # fmt: skip
        try:
            return run_batch(
                model, composed_batch, constants, inputs, [(model.nq,), (model.nv,), (count, 2), (REPORT,)],
                scratch=self._shapes(extra), groups=_GROUPS, world_seconds=3e-4 if constants[-2] else 1e-5, **where,
            )  # fmt: skip
        except InputError:
            self._goals.explain(numbers)
            raise


class _Buffers:
    """Arrays of single steps, written again and again; nobody else's while they are in use."""

    def __init__(self, model: Model, goals: tuple[int, ...], shapes: list[tuple[int, ...]]) -> None:
        self.q, self.goals, self.posture = np.empty((1, model.nq)), np.empty((1, *goals)), np.empty((1, model.nq))
        self.outputs = [np.empty((1, *shape)) for shape in ((model.nq,), (model.nv,), (goals[0], 2), (REPORT,))]
        none = np.empty((1, 0, model.nv)), np.empty((1, 0))
        scratch = room(*(np.empty((1, *shape)) for shape in shapes))
        self.arguments = (self.q, self.goals, self.posture, *none, *self.outputs, scratch, 0, 1, 1, 0)
        self.code: Any = None

    def run(self, constants: tuple[Any, ...], q: Array, goals: Array, posture: Array) -> list[Array] | None:
        """The outputs; None where the kernel refuses, which the general path explains."""
        self.q[0], self.goals[0], self.posture[0] = q, goals, posture
        if self.code is None:
            self.code = direct(composed_batch, (*constants, *self.arguments))
        return None if self.code(*constants, *self.arguments) else [array[0].copy() for array in self.outputs]
