"""mount as a lesson: forces on the table hold it still while the arm follows its motion."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from carpal.dynamics import mount_force
from carpal.errors import InputError
from carpal.labs.mount.scene import arm_offsets
from carpal.tasks import Lesson, checked_steps

if TYPE_CHECKING:
    from carpal.labs.mount.task import Mount
    from carpal.model import State
    from carpal.spatial import Array

PERIOD = 0.01
"""[s] between actions."""
AHEAD = 5
"""Predicted reactions that are observed: those of so many periods from now."""
STEADY = 1e-3
"""A table this near [m] to its origin has succeeded."""


class MountLesson(Lesson):
    """Forces on the table hold it still.

    Observation: place and speed of the table along x and y, and the reaction that the arm's motion will need over the next
    periods, as shares of its peak. Action: force on the table along x and y, 1.5 times that peak at 1; a rail takes x
    alone. Reward of a period: minus the table's distance from its origin [mm]. Success: within 1 mm.
    """

    observed = ("table", "table_speed", "reaction_ahead")

    def __init__(self, task: Mount) -> None:
        options = task.options
        if (
            options.base == "floating"
            or options.drive != "exact"
            or options.cable_stiffness
            or options.engine != "rigid"
        ):
            raise InputError(
                "the environment of mount needs base 'table', 'rail' or 'stand', drive 'exact', stiff cables and engine 'rigid'."
            )
        self.task, self.engine = task, task.engine()
        self.duration, self.steps = task.duration, checked_steps(PERIOD, task.dt)
        self.actions = 2
        motion = task.motion
        self._vdot = np.vstack([motion.vdot, np.zeros_like(motion.vdot[:1])])
        force = mount_force(task.arm, motion.q, motion.v, motion.vdot)[:, :2]
        self._peak = max(float(np.linalg.norm(force, axis=1).max()), 1e-9)
        self._force = np.vstack([force, np.zeros((AHEAD * self.steps + 1, 2))])

    def begin(self, rng: np.random.Generator) -> tuple[State, Array]:
        """At rest, the table a few millimetres from its origin."""
        state = self.task.reset(rng)
        q = state.q.copy()
        q[: 1 if self.task.table.rail else 2] += rng.uniform(-5e-3, 5e-3, 1 if self.task.table.rail else 2)
        return state.replace(q=q), np.zeros(1)

    def _row(self, state: State) -> np.ndarray:
        return np.minimum(np.round(np.asarray(state.time) / self.task.dt).astype(int), len(self._vdot) - 1)

    def observe(self, state: State, drawn: Array) -> Array:
        """(*batch, 4 + 2 AHEAD)."""
        rows = self._row(state)[..., None] + self.steps * np.arange(AHEAD)
        ahead = self._force[np.minimum(rows, len(self._force) - 1)] / self._peak
        table = [state.q[..., :2], state.v[..., :2]]
        return np.concatenate([*table, ahead.reshape(*ahead.shape[:-2], -1)], axis=-1)

    def controls(self, state: State, drawn: Array, action: Array) -> Array:
        """Forces on the table, and the arm's accelerations."""
        first = arm_offsets(False)[1]
        u = np.zeros(state.v.shape)
        u[..., first : first + self.task.arm.nv] = self._vdot[self._row(state)]
        u[..., :2] = 1.5 * self._peak * action
        if self.task.table.rail:
            u[..., 1] = 0.0
        return u

    def advance(self, state: State, drawn: Array, action: Array) -> State:
        """Step by step: the arm's accelerations change with every one."""
        for _ in range(self.steps):
            state = self.engine.step(state, self.controls(state, drawn, action))
        return state

    def reward(self, state: State, drawn: Array, action: Array) -> Array:
        """Minus the distance [mm]."""
        return -1e3 * np.linalg.norm(state.q[..., :2], axis=-1)

    def succeeded(self, state: State, drawn: Array) -> Array:
        """Within `STEADY` of the origin."""
        return np.asarray(np.linalg.norm(state.q[..., :2], axis=-1) < STEADY)
