"""Runs the planners' entry: scratch, threads, and one report a world."""

from __future__ import annotations

import numpy as np

from carpal._core.cpu_pool import cpu_threads, run_on_cpu
from carpal._core.cuda_launch import run_on_cuda
from carpal._core.numba_private import by_calls
from carpal.contact import ContactTables
from carpal.errors import InputError, unknown_name
from carpal.planning.payload.kernels import angle_set
from carpal.planning.payload.kernels.stored_set import STORED
from carpal.planning.payload.payload_scene import PayloadScene
from carpal.planning.planners.kernels.density import CELLS
from carpal.planning.planners.kernels.lazy_dijkstra import MOST_NODES, WAYS
from carpal.planning.planners.kernels.run import CHECK_SCRATCH, GIVEN, PATH, REPORT, plan_batch
from carpal.planning.planners.kernels.search_state import COUNTS, LINKS
from carpal.planning.planners.plan_options import PLANNERS, PlanOptions, joint_costs, search_limits
from carpal.spatial import Array

MOST_TREE_NODES = 40_000
LONGEST_PATH = 1024
MOST_LOOKS = 20_000  # of a recorded way
_NOTHING = np.zeros(1), np.zeros((1, 1, 1))  # no payload


def run_search(
    tables: ContactTables,
    options: PlanOptions,
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
) -> tuple[Array, Array, Array, Array]:
    """Plan, or shorten given ways.

    Args:
        tables: the prepared scene.
        options: what steers the search.
        margin: [m].
        starts, goals: (n, nq).
        seeds: (n, 1); with a payload (n, 3): the angle at the start and its uncertainty [rad] follow.
        given: n ways (m, nq) to be shortened instead.
        carried: the payload in this scene.
        record: write down the sets of a payload along the given ways.
        device: "cpu" or "cuda" (searches only).
        threads: CPU threads; all cores by default. The result does not depend on it.

    Returns:
        paths (n, longest, nq), reports (n, REPORT), blame (n, 2, pairs), record (n, looks, nq + CELLS).
    """
    nq, worlds = starts.shape[1], len(starts)
    low, high = search_limits(tables.model if carried is None else carried.model, np.concatenate([starts, goals]))
    paths, reports = np.zeros((worlds, LONGEST_PATH, nq)), np.zeros((worlds, REPORT))
    blame = np.zeros((worlds, 2, len(tables.pairs)))
    method = PLANNERS[options.planner]
    if given is not None:
        method = GIVEN
        for i, way in enumerate(given):
            paths[i, : len(way)] = way
            reports[i, PATH] = len(way)
    capacity = min(max(options.max_samples * 2 + 8, 2 * MOST_NODES + 8), MOST_TREE_NODES)
    capacity = max(capacity, LONGEST_PATH)
    scratch = [
        (capacity, nq), (capacity, LINKS), (4, CELLS), (capacity,), (COUNTS,), (tables.model.nq,), (MOST_NODES, MOST_NODES),
        (WAYS, MOST_NODES), (tables.placed_rows, CHECK_SCRATCH[0]), CHECK_SCRATCH[1],
    ]  # fmt: skip
    if carried is None:
        scratch += [(1, 1), (1, 1), (1,)]
    else:
        scratch += [
            (capacity, STORED), (angle_set.ROWS, angle_set.CELLS), (len(tables.pairs) + len(tables.blocks),),
        ]  # fmt: skip
    looks = np.zeros((worlds, MOST_LOOKS if record else 1, nq + angle_set.CELLS))
    cost = joint_costs(tables.model if carried is None else carried.model)
    payload = _NOTHING if carried is None else (carried.numbers, carried.payload.holding)
    constants = (*tables.constants, margin, low, high, cost, options.numbers, method, *payload)
    inputs = [np.ascontiguousarray(x, np.float64) for x in (starts, goals, seeds)]
    if device == "cuda":
        if given is not None:
            raise InputError('ways are shortened on device="cpu".')
        run_on_cuda(by_calls(plan_batch), constants, inputs, (paths, reports, blame, looks), scratch, worlds)
    elif device == "cpu":
        threads = min(threads or cpu_threads(), worlds)
        work = (np.empty((threads, *shape)) for shape in scratch)
        outputs = paths, reports, blame, looks
        run_on_cpu(plan_batch, (*constants, *inputs, *outputs, *work), worlds, threads=threads, world_seconds=0.02)
    else:
        raise unknown_name("device", device, ("cpu", "cuda"))
    return paths, reports, blame, looks
