"""The mount's controls as a policy: the same kernels as the compiled loop, one period at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from carpal.engines import Staged
from carpal.errors import InputError
from carpal.labs.mount.kernels.run import control_batch
from carpal.labs.mount.setup import arm_places, control_constants, desk_shapes, drive_dofs

if TYPE_CHECKING:
    from carpal.labs.mount.task import Drawn, Mount
    from carpal.model import State
    from carpal.spatial import Array


class HoldStill:
    """The arm along its motion, the table against its reaction.

    It remembers what its sensors told, so it must be asked once for every period, in order.
    """

    def __init__(self, task: Mount, drawn: Drawn) -> None:
        model, tables = task.model, task.model.tables
        self._dt, self._next, self._nv = task.dt, 0, model.nv
        self._held = task.options.drive == "torque"
        self._constants = (*control_constants(task), tables.joints, tables.bodies, drive_dofs(task))
        self._rest = (*arm_places(task), drawn.weights[None].copy(), np.array([[drawn.seed]]))
        self._desk = [np.zeros((1, *shape)) for shape in desk_shapes(task)]

    def __call__(self, time: float, state: State) -> Staged | Array:
        """Controls of the period that starts now: staged, or held where the arm is driven by torques."""
        k = round(time / self._dt)
        if k != self._next:
            raise InputError(f"the mount's policy is asked period after period; expected number {self._next}, got {k}.")
        self._next += 1
        u = np.zeros((1, 3 * self._nv))
        q, v = (np.array(values, dtype=np.float64, ndmin=2) for values in (state.q, state.v))
        control_batch(*self._constants, k, *self._rest, q, v, u, *self._desk, 0, 1, 1, 0)
        start, middle, end = u[0].reshape(3, self._nv)
        return start.copy() if self._held else Staged(start, middle, end)
