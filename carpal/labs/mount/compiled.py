"""The edge of mount's compiled run loop: many seeds at once, or one very long run with few rows kept."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from carpal._core.batch import KernelInput, configuration, run_batch, velocity
from carpal.engines import RigidEngine
from carpal.labs.mount.kernels.run import mount_batch_run
from carpal.labs.mount.plant import plant_engine
from carpal.labs.mount.setup import arm_places, control_constants, desk_shapes, drive_dofs
from carpal.model import State
from carpal.spatial import Array

if TYPE_CHECKING:
    from carpal.labs.mount.task import Mount


@dataclass(frozen=True, eq=False)
class CompiledRun:
    """What happened in many worlds.

    Args:
        time: (rows) [s].
        q, v, u: (worlds, rows, nq), (worlds, rows, nv), (worlds, rows, nv).
        work: (worlds, rows, 2) [J], put in by the drives and lost, since the call's first row.
        residual: (worlds, rows) [J], of the energy ledger.
        done: (worlds) good steps; fewer than `steps` where a world diverged: its rows mean nothing.
        steps: how many there are.
    """

    time: Array
    q: Array
    v: Array
    u: Array
    work: Array
    residual: Array
    done: Array
    steps: int


@dataclass(frozen=True, eq=False)
class Piece:
    """Where a long run stands between two calls: the period, every world's q and v, and what its controller remembers."""

    period: int
    q: Array
    v: Array
    carry: Array


def world_bytes(task: Mount) -> int:
    """What the rows of one world take."""
    columns = task.model.nq + 2 * task.model.nv + 3
    return 8 * columns * (math.ceil(task.duration / task.dt) + 1)


def run_compiled(
    task: Mount, seeds: Sequence[int], *, every: int = 1, device: str = "cpu", threads: int | None = None
) -> CompiledRun:
    """Run a task for some seeds by its compiled loop; its engine must be the rigid one.

    Args:
        task: mount, with its options.
        seeds: one world each.
        every: keep every so many periods, and the last.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default. The result does not depend on it.
    """
    steps = math.ceil(task.duration / task.dt * (1 - 1e-12) - 1e-9)
    return run_piece(task, seeds, None, steps, every=every, device=device, threads=threads)[0]


def run_piece(
    task: Mount,
    seeds: Sequence[int],
    piece: Piece | None,
    steps: int,
    *,
    every: int = 1,
    device: str = "cpu",
    threads: int | None = None,
) -> tuple[CompiledRun, Piece]:
    """Some periods of a run, from where the piece before ended (None: from the start); see `run_compiled`.

    The arm's motion starts again whenever it has ended.
    """
    model, arm = task.model, task.arm
    engine: RigidEngine = plant_engine(model, task.table, arm, dt=task.dt, prescribed=task.options.drive == "exact")
    drawn = [task.draw(np.random.default_rng(seed)) for seed in seeds]
    rows, nq, nv = math.ceil(steps / every) + 1, model.nq, model.nv
    desk = desk_shapes(task)
    width = sum(math.prod(shape) for shape in desk[:3])
    if piece is None:
        worlds = len(drawn)
        piece = Piece(0, np.tile(task.start, (worlds, 1)), np.zeros((worlds, nv)), np.zeros((worlds, width)))
    inputs = [
        configuration(model, piece.q), velocity(model, piece.v), KernelInput("carry", piece.carry, (width,)),
        KernelInput("weights", np.array([one.weights for one in drawn]), (len(arm.tables.joints),)),
        KernelInput("seeds", np.array([[one.seed] for one in drawn]), (1,)),
    ]  # fmt: skip
    q, v, u, work, done, carry = run_batch(
        model, mount_batch_run,
        (*engine.constants, *control_constants(task), drive_dofs(task), *arm_places(task), piece.period, steps, every),
        inputs, [(rows, nq), (rows, nv), (rows, nv), (rows, 2), (1,), (width,)],
        scratch=[(nq,), (nv,), (3 * nv,), (2,), (2,), *desk, *engine.scratch],
        device=device, threads=threads, world_seconds=2e-6 * steps * len(model.tables.joints),
    )  # fmt: skip
    lost = done[:, 0] < steps
    q[lost], v[lost] = task.start, 0.0  # rows that were never written would upset the energies
    after = Piece(piece.period + steps, q[:, -1].copy(), v[:, -1].copy(), carry)
    time: Array = engine.dt * (piece.period + np.minimum(every * np.arange(rows, dtype=np.float64), steps))
    kinetic, potential = engine.energies(State(np.broadcast_to(time, q.shape[:2]), q, v))
    residual = kinetic + potential - (kinetic + potential)[:, :1] - work[..., 0] + work[..., 1]
    return CompiledRun(time, q, v, u, work, residual, done[:, 0], steps), after
