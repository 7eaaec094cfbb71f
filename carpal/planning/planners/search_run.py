"""Runs the planners' entry: scratch, threads, and one report per world."""

from __future__ import annotations

import numpy as np

from carpal._core.batch import Groups
from carpal._core.cpu_pool import cpu_threads, run_on_cpu
from carpal._core.cuda_launch import run_on_cuda
from carpal._core.numba_private import by_calls
from carpal.contact import ContactTables
from carpal.errors import InputError, unknown_name
from carpal.kinematics import closure_scratch
from carpal.planning.payload.kernels import angle_set
from carpal.planning.payload.kernels.stored_set import STORED
from carpal.planning.payload.payload_scene import PayloadScene
from carpal.planning.planners.kernels.density import CELLS
from carpal.planning.planners.kernels.lazy_dijkstra import DIJKSTRA_ROWS, MOST_NODES
from carpal.planning.planners.kernels.run import CHECK_SCRATCH, GIVEN, PATH, REPORT, plan_batch
from carpal.planning.planners.kernels.search_state import (
    COUNTS,
    LINKS,
    RESOLUTION,
    Closure,
    PayloadScratch,
    PlanOutput,
    PlanQuery,
    PlanScratch,
    SceneTables,
    ShorteningScratch,
    SpaceTables,
)
from carpal.planning.planners.planned_ties import held_columns, planned_ties
from carpal.planning.planners.search_settings import PLANNERS, SearchSettings, joint_costs, search_limits
from carpal.spatial import Array

MOST_TREE_NODES = 40_000
LONGEST_PATH = 1024
MOST_RECORDED = 20_000  # checks along a recorded path
_NO_PAYLOAD = np.zeros(1), np.zeros((1, 1, 1))


def _scratch(*arrays: Array) -> PlanScratch:
    """The scratch arrays in the order of `_scratch_shapes`."""
    groups = ShorteningScratch(*arrays[8:10]), PayloadScratch(*arrays[10:13]), arrays[13], Closure(*arrays[14:])
    return PlanScratch._make((*arrays[:8], *groups))


GROUPS = Groups(PlanQuery, PlanOutput, _scratch)


def run_search(
    tables: ContactTables,
    settings: SearchSettings,
    margin: float,
    starts: Array,
    goals: Array,
    seeds: Array,
    *,
    given: list[Array] | None = None,
    carried: PayloadScene | None = None,
    record: bool = False,
    device: str = "cpu",
    threads: int | None = None,
) -> PlanOutput:
    """Plan, or shorten given paths.

    Args:
        tables: the prepared scene.
        settings: what steers the search.
        margin: [m].
        starts, goals: (n, nq).
        seeds: (n, 1); with a payload (n, 3): the angle at the start and its uncertainty [rad] follow.
        given: n paths (m, nq) to be shortened instead.
        carried: the payload in this scene.
        record: record the sets of a payload along the given paths.
        device: "cpu" or "cuda" (searches only).
        threads: CPU threads; all cores by default. The result does not depend on it.

    Returns:
        path (n, longest, nq), report (n, REPORT), blame (n, 2, pairs), record (n, checks, nq + CELLS).
    """
    nq, worlds = starts.shape[1], len(starts)
    model = tables.model if carried is None else carried.model
    held = starts[:, held_columns(model, carried is not None)]
    if (held != held[:1]).any():  # the table of couplings holds one position of every loop: one run for each
        parts = [np.flatnonzero((held == values).all(axis=1)) for values in np.unique(held, axis=0)]
        outputs = [
            run_search(
                tables, settings, margin, starts[part], goals[part], seeds[part],
                given=None if given is None else [given[i] for i in part],
                carried=carried, record=record, device=device, threads=threads,
            )
            for part in parts
        ]  # fmt: skip
        order = np.argsort(np.concatenate(parts), kind="stable")
        return PlanOutput(*(np.concatenate(arrays)[order] for arrays in zip(*outputs, strict=True)))
    ties = planned_ties(model, None if carried is None else held[0] if worlds else np.zeros(held.shape[1]))
    if ties.bent and carried is not None:
        raise InputError("a payload's path is proven for straight edges; a coupling of degree 2 or above bends them.")
    low, high = search_limits(model, np.concatenate([starts, goals]), ties.couplings)
    rows = MOST_RECORDED if record else 1
    found = PlanOutput(
        np.zeros((worlds, LONGEST_PATH, nq)), np.zeros((worlds, REPORT)), np.zeros((worlds, 2, len(tables.pairs))),
        np.zeros((worlds, rows, nq + angle_set.CELLS)),
    )  # fmt: skip
    method = PLANNERS[settings.planner]
    if given is not None:
        method = GIVEN
        for i, path in enumerate(given):
            found.path[i, : len(path)] = path
            found.report[i, PATH] = len(path)
    scratch = _scratch_shapes(tables, settings.max_samples, nq, carried is not None)
    scratch += [(nq,), *closure_scratch(tables.model)[1:]]
    payload = _NO_PAYLOAD if carried is None else (carried.numbers, carried.payload.holding)
    scene = SceneTables._make((*tables.constants, margin, *payload))
    numbers = settings.numbers
    numbers[RESOLUTION] /= ties.steepest
    constants = scene, SpaceTables(low, high, joint_costs(model), numbers, ties.tables, ties.drawn), method
    query = [np.ascontiguousarray(x, np.float64) for x in (starts, goals, seeds)]
    if device == "cuda":
        if given is not None:
            raise InputError('paths are shortened on device="cpu".')
        run_on_cuda(by_calls(plan_batch), constants, query, found, scratch, worlds, groups=GROUPS)
    elif device == "cpu":
        threads = min(threads or cpu_threads(), worlds)
        work = [np.empty((threads, *shape)) for shape in scratch]
        arguments = (*constants, *GROUPS.arguments(query, found, work))
        run_on_cpu(plan_batch, arguments, worlds, threads=threads, world_seconds=0.02)
    else:
        raise unknown_name("device", device, ("cpu", "cuda"))
    return found


def _scratch_shapes(tables: ContactTables, max_samples: int, nq: int, with_payload: bool) -> list[tuple[int, ...]]:
    """Shapes of one slot's scratch."""
    capacity = min(max(max_samples * 2 + 8, 2 * MOST_NODES + 8), MOST_TREE_NODES)
    capacity = max(capacity, LONGEST_PATH)
    shapes: list[tuple[int, ...]] = [
        (capacity, nq), (capacity, LINKS), (4, CELLS), (capacity,), (COUNTS,), (tables.model.nq,),
        (tables.placed_rows, CHECK_SCRATCH[0]), CHECK_SCRATCH[1],
        (MOST_NODES, MOST_NODES), (DIJKSTRA_ROWS, MOST_NODES),
    ]  # fmt: skip
    if not with_payload:
        return [*shapes, (1, 1), (1, 1), (1,)]
    pairs = len(tables.pairs) + len(tables.blocks)
    return [*shapes, (capacity, STORED), (angle_set.ROWS, angle_set.CELLS), (pairs,)]
