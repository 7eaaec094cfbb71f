"""The edge of reach's compiled run loop: many seeds at once, on CPU threads or a GPU."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from carpal._core.batch import Groups, configuration, run_batch
from carpal.control import GravityPD
from carpal.engines import RigidEngine, energy_kept
from carpal.errors import InputError
from carpal.model import State
from carpal.spatial import Array
from carpal.tasks.reach.kernels.run import (
    GRAVITY_SCRATCH,
    ReachLaw,
    ReachRows,
    ReachScratch,
    Stage,
    reach_batch,
    reference_batch,
)

if TYPE_CHECKING:
    from carpal.tasks.reach.task import Reach


@dataclass(frozen=True, eq=False)
class CompiledRun:
    """What happened in many worlds.

    Args:
        time: (rows) [s].
        q, v, u: (worlds, rows, nq), (worlds, rows, nv), (worlds, rows, nv).
        residual: (worlds, rows) [J], of the energy ledger.
        done: (worlds) good steps; fewer than rows - 1 where a world diverged: its rows mean nothing.
        kept: (worlds) whether the residual keeps the bound of the engine's scheme.
    """

    time: Array
    q: Array
    v: Array
    u: Array
    residual: Array
    done: Array
    kept: Array


def _scratch(*arrays: Array) -> ReachScratch:
    return ReachScratch._make([*arrays[:9], Stage(*arrays[9:])])


GROUPS = Groups(outputs=ReachRows, scratch=_scratch)


def reference(q_start: Array, q_goal: Array, moving: float, time: float) -> tuple[Array, Array, Array]:
    """Where the joints should be: q, v and a zero for the acceleration, which PD does not use.

    Args:
        q_start, q_goal: (nq).
        moving: how long the way takes [s].
        time: since the start [s].
    """
    q, v = np.empty((2, 1, len(q_goal)))
    reference_batch(q_goal, moving, time, q_start[None], q, v, 0, 1, 1, 0)
    return q[0], v[0], np.zeros(len(q_goal))


def world_bytes(task: Reach) -> int:
    """What the rows of one world take."""
    columns = task.model.nq + 2 * task.model.nv + 3
    return 8 * columns * (math.ceil(task.duration / task.options.dt) + 1)


def run_compiled(task: Reach, seeds: Sequence[int], *, device: str = "cpu", threads: int | None = None) -> CompiledRun:
    """Run a task for some seeds by its compiled loop; its engine must be the rigid one.

    Args:
        task: reach, with its options.
        seeds: one world each.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default. The result does not depend on it.
    """
    model = task.model
    engine = RigidEngine(model, dt=task.options.dt, device=device, threads=threads)
    if engine.general is not None:
        raise InputError(
            f"model '{model.name}' needs the general step of the rigid engine, which has no compiled loop here."
        )
    gains = GravityPD(model, task.servo.kp, task.servo.kd, task.goal, limited=True).gains
    steps = math.ceil(task.duration / engine.dt * (1 - 1e-12) - 1e-9)
    q_start = np.array([task.reset(np.random.default_rng(seed)).q for seed in seeds])
    rows, nq, nv = steps + 1, model.nq, model.nv
    own = [(nq,), (nv,), (nv,), (2,), (2,), (nq,), (nv,), (nv,), (len(model.tables.joints), GRAVITY_SCRATCH)]
    q, v, u, work, done = run_batch(
        model, reach_batch, (engine.tables, ReachLaw(gains, task.goal.copy(), task.moving), steps),
        [configuration(model, q_start)], [(rows, nq), (rows, nv), (rows, nv), (rows, 2), (1,)],
        scratch=[*own, *engine.scratch], groups=GROUPS, device=device, threads=threads,
        world_seconds=1e-6 * steps * len(model.tables.joints),
    )  # fmt: skip
    lost = done[:, 0] < steps
    q[lost], v[lost] = q_start[lost, None], 0.0  # rows that were never written would upset the energies
    time: Array = engine.dt * np.arange(rows, dtype=np.float64)
    kinetic, potential = engine.energies(State(np.broadcast_to(time, q.shape[:2]), q, v))
    start = kinetic[:, :1] + potential[:, :1]
    residual = kinetic + potential - start - work[..., 0] + work[..., 1]
    return CompiledRun(time, q, v, u, residual, done[:, 0], energy_kept(engine, kinetic, potential, work))
