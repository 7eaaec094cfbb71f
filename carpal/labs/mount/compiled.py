"""Python side of mount's compiled run loop: many seeds at once, or one long run with few rows kept."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from carpal._core.batch import Groups, KernelInput, configuration, run_batch, velocity
from carpal.engines import RigidEngine, energy_kept
from carpal.errors import InputError
from carpal.labs.mount.controller import control_scratch, control_tables
from carpal.labs.mount.kernels.control import ControlScratch
from carpal.labs.mount.kernels.run import MountRows, MountScratch, MountStart, Stage, mount_batch_run
from carpal.labs.mount.scene import plant_engine
from carpal.model import State
from carpal.spatial import Array

if TYPE_CHECKING:
    from carpal.labs.mount.task import Mount


OWN, CONTROL = 5, 11
"""Arrays of the run's own scratch, and of the controller's."""


def _scratch(*arrays: Array) -> MountScratch:
    own, control, stage = arrays[:OWN], arrays[OWN : OWN + CONTROL], arrays[OWN + CONTROL :]
    return MountScratch._make([*own, ControlScratch(*control), Stage(*stage)])


GROUPS = Groups(MountStart, MountRows, _scratch)


@dataclass(frozen=True, eq=False)
class CompiledRun:
    """Rows of many worlds.

    Args:
        time: (rows) [s].
        q, v, u: (worlds, rows, nq), (worlds, rows, nv), (worlds, rows, nv).
        work: (worlds, rows, 2) [J], put in by the drives and lost, since the call's first row.
        residual: (worlds, rows) [J], of the energy ledger.
        done: (worlds) good steps; fewer than `steps` where a world diverged: its rows are not valid.
        steps: steps of the call.
        kept: (worlds) whether the residual keeps the bound of the engine's scheme.
    """

    time: Array
    q: Array
    v: Array
    u: Array
    work: Array
    residual: Array
    done: Array
    steps: int
    kept: Array


@dataclass(frozen=True, eq=False)
class Segment:
    """State of a long run between two calls: the period, every world's q and v, and its controller's memory."""

    period: int
    q: Array
    v: Array
    carry: Array


def world_bytes(task: Mount) -> int:
    """Memory of the rows of one world [bytes]."""
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
    return run_segment(task, seeds, None, steps, every=every, device=device, threads=threads)[0]


def run_segment(
    task: Mount,
    seeds: Sequence[int],
    before: Segment | None,
    steps: int,
    *,
    every: int = 1,
    device: str = "cpu",
    threads: int | None = None,
) -> tuple[CompiledRun, Segment]:
    """Some periods of a run, from the end of the segment before (None: from the start); see `run_compiled`.

    The arm's motion repeats.
    """
    model, arm = task.model, task.arm
    engine: RigidEngine = plant_engine(model, task.table, arm, dt=task.dt, prescribed=task.options.drive == "exact")
    if engine.general is not None:
        raise InputError(
            f"model '{model.name}' needs the general step of the rigid engine, which has no compiled loop here."
        )
    drawn = [task.draw(np.random.default_rng(seed)) for seed in seeds]
    rows, nq, nv = math.ceil(steps / every) + 1, model.nq, model.nv
    control = control_scratch(task)
    width = sum(math.prod(shape) for shape in control[:3])
    if before is None:
        worlds = len(drawn)
        before = Segment(0, np.tile(task.start, (worlds, 1)), np.zeros((worlds, nv)), np.zeros((worlds, width)))
    inputs = [
        configuration(model, before.q), velocity(model, before.v), KernelInput("carry", before.carry, (width,)),
        KernelInput("weights", np.array([one.weights for one in drawn]), (len(arm.tables.joints),)),
        KernelInput("seeds", np.array([[one.seed] for one in drawn]), (1,)),
    ]  # fmt: skip
    q, v, u, work, done, carry = run_batch(
        model, mount_batch_run,
        (engine.tables, *control_tables(task), before.period, steps, every),
        inputs, [(rows, nq), (rows, nv), (rows, nv), (rows, 2), (1,), (width,)],
        scratch=[(nq,), (nv,), (3 * nv,), (2,), (2,), *control, *engine.scratch],
        groups=GROUPS,
        device=device, threads=threads, world_seconds=2e-6 * steps * len(model.tables.joints),
    )  # fmt: skip
    lost = done[:, 0] < steps
    q[lost], v[lost] = task.start, 0.0  # rows that were never written would spoil the energies
    after = Segment(before.period + steps, q[:, -1].copy(), v[:, -1].copy(), carry)
    time: Array = engine.dt * (before.period + np.minimum(every * np.arange(rows, dtype=np.float64), steps))
    kinetic, potential = engine.energies(State(np.broadcast_to(time, q.shape[:2]), q, v))
    residual = kinetic + potential - (kinetic + potential)[:, :1] - work[..., 0] + work[..., 1]
    kept = energy_kept(engine, kinetic, potential, work)
    return CompiledRun(time, q, v, u, work, residual, done[:, 0], steps, kept), after
