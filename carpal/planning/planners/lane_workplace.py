"""Scratch and machine code of one thread for searches in lanes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from carpal._core.compile import direct
from carpal.contact import LaneTables, lanes_for
from carpal.planning.planners.kernels import lane_graph as lg
from carpal.planning.planners.kernels import lane_graph_tasks as tasks
from carpal.planning.planners.kernels import lane_run as run
from carpal.planning.planners.kernels import lane_search as ls
from carpal.planning.planners.turning_joints import TURN
from carpal.spatial import Array

LONGEST_PATH = 1024
EXTENSION = 1.0  # [rad]
SHRINK, LEAST_RADIUS = 0.001, 1.0
Space = tuple[Array, Array, Array, Array, Array, Array]


@dataclass(frozen=True, eq=False)
class LaneAttempt:
    """What a search came to: outcome of `lane_run`, path (n, nq), its cost as found, samples, checked configurations, nodes."""

    outcome: int
    path: Array
    cost_found: float
    samples: int
    checks: int
    sizes: tuple[int, int]


class Workplace:
    """Arrays that the entry works in; `space` is `LaneSpace` without its numbers.

    Args:
        lanes: the scene.
        space: the joints.
        nodes: of a tree at most.
        graph: nodes and edges of a graph at most.
    """

    code: ClassVar[Callable[..., int] | None] = None
    """Machine code of the entry: its arguments have the same types in every scene."""

    def __init__(self, lanes: LaneTables, space: Space, *, nodes: int, graph: tuple[int, int] = (1, 1)) -> None:
        nq, single, whole = len(space[0]), np.float32, np.int64
        self.nq = nq
        self.numbers = np.array([EXTENSION, SHRINK, LEAST_RADIUS, 0.0, 0.0])
        self.space = ls.LaneSpace(*space, self.numbers)
        self.search = ls.LaneSearch(
            np.empty((1, 2, nodes, nq)), np.empty((1, 2, nq, nodes), single), np.empty((1, 2, nodes, 2)),
            np.zeros((1, ls.BLOCK), single), np.zeros((1, ls.STATES)), np.zeros((1, 4, nq)), np.zeros((1, 2, ls.QUEUE)),
            np.zeros((1, LONGEST_PATH, nq)), np.zeros((1, 2, nq)),
        )  # fmt: skip
        most, edges = graph
        self.graph = lg.LaneGraph(
            np.empty((1, most, nq)), np.empty((1, nq, most), single), np.empty((1, most), whole),
            np.empty((1, 2 * edges, 2), whole), np.empty((1, edges, 2)), np.zeros((1, most, 5)),
            np.empty((1, 2, 2 * edges + 1)), np.zeros((1, 2, lg.MOST_NEIGHBOURS)), np.zeros((1, LONGEST_PATH), whole),
            np.zeros((1, lg.COUNTS)),
        )  # fmt: skip
        self.scene, self.lanes = lanes.scene, lanes_for(lanes, nq)
        self.turns = space[2] > 0
        self.start, self.task, self.answer = np.zeros((1, nq)), np.zeros(tasks.QUERY_NUMBERS), np.zeros(1)
        self.goals = self.start

    def begin(self, start: Array, goals: Array, seed: int, most: int, shortcuts: float) -> int:
        """Roots of both trees and the first samples; what came out."""
        self.start[0] = start
        self.goals = np.ascontiguousarray(goals, np.float64)
        self.numbers[ls.SHORTEN], self.numbers[ls.MARGIN] = shortcuts, 0.0
        return self.call(run.BEGIN, seed, most)

    def prove(self, path: Array, margin: float) -> bool:
        """Whether every edge of a path keeps the margin."""
        self.goals = self.start
        self.search.path[0, : len(path)] = path
        self.search.state[0, ls.PATH] = len(path)
        self.numbers[ls.MARGIN] = margin
        return self.call(run.PROVE, 0, 0) == run.FOUND

    def call(self, task: int, seed: int, most: int, *more: float) -> int:
        """Run the entry; `more`: the entries of `LaneQuery.numbers` that follow."""
        self.task[: 3 + len(more)] = task, seed, most, *more
        query = run.LaneQuery(self.start, self.goals, self.task, self.answer)
        arguments = (self.scene, self.space, self.search, self.lanes, self.graph, query, 0, 1, 1, 0)
        if Workplace.code is None:
            Workplace.code = direct(run.connect_in_lanes, arguments)
        else:
            Workplace.code(*arguments)
        return int(self.answer[0])

    def attempt(self, outcome: int) -> LaneAttempt:
        """What the scratch holds after a search; continuous joints are counted on along the path."""
        state = self.search.state[0]
        path = self.path() if outcome == run.FOUND else np.zeros((0, self.nq))
        sizes = int(state[ls.SIZE_A]), int(state[ls.SIZE_B])
        return LaneAttempt(
            outcome, path, float(state[ls.FOUND_COST]), int(state[ls.SAMPLES]), 16 * int(state[ls.GROUPS]), sizes
        )

    def path(self) -> Array:
        """(n, nq) the path in the scratch."""
        path = np.array(self.search.path[0, : int(self.search.state[0, ls.PATH])])
        steps = np.diff(path[:, self.turns], axis=0)
        path[1:, self.turns] = path[0, self.turns] + np.cumsum(steps - TURN * np.round(steps / TURN), axis=0)
        return path
