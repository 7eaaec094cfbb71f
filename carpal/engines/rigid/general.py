"""The general step from Python: its tables, its scratch, its calls, and why a world ended."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import Groups, KernelInput, configuration, run_batch, velocity
from carpal._core.numba_private import by_calls
from carpal.dynamics import constraint_names, constraint_tables, potential_energy
from carpal.engines.rigid.kernels.general_run import (
    ACCELERATIONS,
    NOT_CLOSED,
    OPEN_AT_START,
    PARTING_AT_START,
    run_general,
)
from carpal.engines.rigid.kernels.general_tables import (
    GeneralInput,
    GeneralOutput,
    GeneralScratch,
    GeneralTables,
    Loads,
    Rows,
)
from carpal.engines.rigid.kernels.lines import CORD, DAMPING, FOUND_COLUMNS, FRICTION, LAW, PULL
from carpal.engines.rigid.kernels.passive import DAMPING as JOINT_DAMPING
from carpal.engines.rigid.kernels.passive import FRICTION as JOINT_FRICTION
from carpal.engines.rigid.kernels.passive import PRESCRIBED
from carpal.engines.rigid.kernels.rates import WORK_COLUMNS, Stage
from carpal.engines.rigid.kernels.run import SYMPLECTIC, RigidTables
from carpal.errors import CarpalError, DivergedError, InputError
from carpal.model import Model, State
from carpal.spatial import Array, Inertia

STAGE, LOADS = len(Stage._fields), len(Loads._fields)


def _scratch(*arrays: Array) -> GeneralScratch:
    return GeneralScratch(Stage(*arrays[:STAGE]), Loads(*arrays[STAGE : STAGE + LOADS]), Rows(*arrays[STAGE + LOADS :]))


GROUPS = Groups(GeneralInput, GeneralOutput, _scratch)


def lifted_model(model: Model) -> Model | None:
    """The masses that something outside carries (`gravity_compensation`), as a model; None where there are none."""
    if not any(body.gravity_compensation for body in model.bodies):
        return None
    bodies = []
    for body in model.bodies:
        share = body.gravity_compensation
        if not 0 <= share < np.inf:
            raise InputError(f"gravity_compensation of body '{body.name}' must be finite, zero or above; got {share}.")
        inertia = (
            None
            if body.inertia is None
            else Inertia(share * body.inertia.mass, body.inertia.com, share * body.inertia.about_com)
        )
        bodies.append(dataclasses.replace(body, inertia=inertia))
    return model.replace(bodies=tuple(bodies), couplings=(), loops=())


class GeneralStep:
    """What the rigid engine calls where a model has lines, gravity compensation or constraints, or the step is implicit.

    Args:
        model: what moves.
        rigid: the plain step's tables.
        stage: shapes of the plain step's scratch.
        lines: see `lines.line_table`.
        commands: how many commands the actuators take.
    """

    def __init__(
        self, model: Model, rigid: RigidTables, stage: list[tuple[int, ...]], lines: Array, commands: int
    ) -> None:
        self.model, self.commands = model, commands
        self.lifted = lifted_model(model)
        self.names = constraint_names(model)
        lifted = self.lifted.tables.bodies if self.lifted is not None else np.zeros((0, rigid.bodies.shape[1]))
        self.tables = GeneralTables(rigid, lines, lifted, constraint_tables(model), len(self.names))
        nv, rows = model.nv, max(1, len(self.names))
        self.scratch = [
            *stage, (nv, nv), *[(nv,)] * 6, (1, nv), (max(1, len(lines)), FOUND_COLUMNS),
            (rows, nv), (rows, nv), (rows, rows), *[(rows,)] * 7,
        ]  # fmt: skip

    @functools.cached_property
    def frictionless(self) -> GeneralTables:
        """The same without dampers and friction, for accelerations."""
        rigid, last = self.tables.rigid, self.model.nq + self.model.nv
        dofs, lines = rigid.dofs.copy(), self.tables.lines.copy()
        dofs[:, [JOINT_DAMPING, JOINT_FRICTION]] = 0.0
        lines[np.isin(lines[:, last + LAW], (CORD, PULL)), last + DAMPING] = 0.0
        lines[lines[:, last + LAW] == CORD, last + FRICTION] = 0.0
        plain = rigid._replace(integrator=SYMPLECTIC, dofs=dofs)
        return self.tables._replace(rigid=plain, lines=lines)

    def call(
        self, tables: GeneralTables, state: State, u: KernelInput, ctrl: ArrayLike, task: int, steps: int,
        device: str, threads: int | None,
    ) -> list[Array]:  # fmt: skip
        """Outputs of `run_general` (*batch, ...): q, v, work, (good steps, why it ended), gap, vdot, force."""
        model, width = self.model, max(1, self.commands)
        inputs = [configuration(model, state.q), velocity(model, state.v), u, KernelInput("ctrl", ctrl, (width,))]
        rows = max(1, len(self.names))
        shapes = [(model.nq,), (model.nv,), (WORK_COLUMNS,), (2,), (rows,), (model.nv,), (model.nv,)]
        return run_batch(
            model, by_calls(run_general) if device == "cuda" else run_general, (tables, task, steps), inputs, shapes,
            scratch=self.scratch, groups=GROUPS, device=device, threads=threads,
            world_seconds=3e-6 * (steps + 1) * len(model.tables.joints),
        )  # fmt: skip

    def mobility(self) -> Array:
        """Acceleration (nv, nv) at home of each component for a unit force on each, within the constraints."""
        model, ctrl = self.model, np.zeros(max(1, self.commands))
        u = np.vstack([np.zeros(model.nv), np.eye(model.nv)])
        u[:, self.tables.rigid.dofs[:, PRESCRIBED] != 0] = 0.0
        given = velocity(model, u, "u")
        out = self.call(self.frictionless, State.home(model), given, ctrl, ACCELERATIONS, 0, "cpu", None)[5]
        return np.nan_to_num((out[1:] - out[0]).T, nan=0.0, posinf=0.0, neginf=0.0)

    def stored(self, q: Array, **how: Any) -> Array | float:
        """Potential energy (*batch) [J] that gravity compensation takes off."""
        return 0.0 if self.lifted is None else potential_energy(self.lifted, q, **how)

    def why_ended(self, why: int, time: float, where: str, gaps: Array) -> CarpalError | None:
        """The error of a world that ended for its constraints; None for other reasons.

        Args:
            why: reason as the kernel gives it.
            time: [s].
            where: " in world (...)" or nothing.
            gaps: of every row, or their speeds.
        """
        if why not in (OPEN_AT_START, PARTING_AT_START, NOT_CLOSED):
            return None
        row = int(np.argmax(np.where(np.isnan(gaps), np.inf, gaps)))
        what, size, when = self.names[row], f"{gaps[row]:.3g}", f"at t = {time:.9g} s{where}"
        if why == NOT_CLOSED:
            return DivergedError(
                f"{what} of model '{self.model.name}' could not be closed {when}, {size} is left: couplings and loops "
                "contradict each other there, or the step is too long."
            )
        verb = "is open by" if why == OPEN_AT_START else "opens at a speed of"
        return InputError(
            f"{what} of model '{self.model.name}' {verb} {size} {when}; engine.assemble(state) closes it."
        )
