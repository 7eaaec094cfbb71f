"""RRT-Connect in lanes, from the tables of a scene to a proven path: attempts that restart, in slices that time may end."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal._core.compile import direct
from carpal.contact import ContactTables, LaneTables, lane_tables, lanes_for
from carpal.planning.planners.kernels import lane_run as run
from carpal.planning.planners.kernels import lane_search as ls
from carpal.planning.planners.planned_ties import planned_ties
from carpal.planning.planners.search_settings import joint_costs, search_limits
from carpal.planning.planners.turning_joints import TURN, continuous_joints
from carpal.spatial import Array

MOST_NODES = 30_000  # of a tree
LONGEST_PATH = 1024
FIRST = 2000  # samples of the first two attempts; later ones have twice as many, two and two
SLICE = 500  # samples between two looks at the clock
EXTENSION = 1.0  # [rad]
SLIDING = 3.0  # radians that a metre of a sliding joint counts in the metric
SHRINK, LEAST_RADIUS = 0.001, 1.0
SHORTCUTS = 60


@dataclass(frozen=True, eq=False)
class LaneAttempt:
    """What a search came to: outcome of `lane_run`, path (n, nq), its cost as found, samples, checked configurations, nodes."""

    outcome: int
    path: Array
    cost_found: float
    samples: int
    checks: int
    sizes: tuple[int, int]


class LanePlanner:
    """A scene ready for searches in lanes; scratch for each thread is made when it is needed."""

    def __init__(self, tables: ContactTables, lanes: LaneTables) -> None:
        self.tables, self.lanes = tables, lanes
        model = tables.model
        self.nq = model.nq
        self.ties = planned_ties(model)
        turns = continuous_joints(model)
        ends = np.zeros((1, model.nq))
        low, high = search_limits(model, ends, self.ties.couplings)
        low[turns], high[turns] = -np.pi, np.pi
        self.turns, self.cost = turns, joint_costs(model)
        scale = np.array([SLIDING if kind == "prismatic" else 1.0 for kind, _ in model.joint_slices()])
        scale[[model.q_index(coupling.follower) for coupling in self.ties.couplings]] = 0.0
        self._space = (
            low,
            high,
            turns.astype(np.float64),
            scale,
            self.cost,
            np.ascontiguousarray(self.ties.tables.couplings),
        )
        self._own = threading.local()

    def _workplace(self) -> Workplace:
        place: Workplace | None = getattr(self._own, "place", None)
        if place is None:
            place = self._own.place = Workplace(self)
        return place

    def touches(self, q: Array) -> bool:
        """Whether the spheres touch something at a configuration."""
        place = self._workplace()
        return place.begin(q, q[None], 0, 0, 0.0) != run.FOUND

    def search(
        self, start: Array, goals: Array, seed: int, most: int, *, shorten: bool, out_of_time: Callable[[], bool]
    ) -> LaneAttempt:
        """One attempt of at most so many samples; `out_of_time` is asked every `SLICE` samples and only ends it."""
        place = self._workplace()
        until = min(most, SLICE)
        outcome = place.begin(start, goals, seed, until, SHORTCUTS if shorten else 0.0)
        while outcome == run.SEARCHING and until < most and not out_of_time():
            until = min(most, until + SLICE)
            outcome = place.call(run.GO_ON, seed, until)
        return place.attempt(outcome)

    def proven(self, path: Array, margin: float) -> bool:
        """Whether all edges of a path are shown to keep a margin [m] from everything."""
        place = self._workplace()
        parts = range(0, max(len(path) - 1, 1), LONGEST_PATH - 1)
        return all(place.prove(path[first : first + LONGEST_PATH], margin) for first in parts)

    def clearance(self, path: Array) -> float:
        """A proven lower bound [m] on the distance along a path of the spheres from all that counts, found by halving."""
        low, high = 0.0, 1e-3
        while high < 2.0 and self.proven(path, high):
            low, high = high, 2.0 * high
        for _ in range(6):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self.proven(path, middle) else (low, middle)
        return low


class Workplace:
    """Scratch and machine code of one thread."""

    def __init__(self, planner: LanePlanner) -> None:
        nq, single = planner.nq, np.float32
        self.nq = nq
        self.numbers = np.array([EXTENSION, SHRINK, LEAST_RADIUS, 0.0, 0.0])
        self.space = ls.LaneSpace(*planner._space, self.numbers)
        self.search = ls.LaneSearch(
            np.empty((1, 2, MOST_NODES, nq)), np.empty((1, 2, nq, MOST_NODES), single), np.empty((1, 2, MOST_NODES, 2)),
            np.zeros((1, ls.BLOCK), single), np.zeros((1, ls.STATES)), np.zeros((1, 4, nq)), np.zeros((1, 2, ls.QUEUE)),
            np.zeros((1, LONGEST_PATH, nq)), np.zeros((1, 2, nq)),
        )  # fmt: skip
        self.scene, self.lanes = planner.lanes.scene, lanes_for(planner.lanes, nq)
        self.turns = planner.turns
        self.start, self.task, self.answer = np.zeros((1, nq)), np.zeros(3), np.zeros(1)
        self._code: Any = None

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

    def call(self, task: int, seed: int, most: int) -> int:
        """Run the entry."""
        self.task[:] = task, seed, most
        query = run.LaneQuery(self.start, self.goals, self.task, self.answer)
        arguments = (self.scene, self.space, self.search, self.lanes, query, 0, 1, 1, 0)
        if self._code is None:
            self._code = direct(run.connect_in_lanes, arguments)
        else:
            self._code(*arguments)
        return int(self.answer[0])

    def attempt(self, outcome: int) -> LaneAttempt:
        """What the scratch holds after a search; continuous joints are counted on along the path."""
        state = self.search.state[0]
        path = np.zeros((0, self.nq))
        if outcome == run.FOUND:
            path = self.search.path[0, : int(state[ls.PATH])].copy()
            steps = np.diff(path[:, self.turns], axis=0)
            path[1:, self.turns] = path[0, self.turns] + np.cumsum(steps - TURN * np.round(steps / TURN), axis=0)
        sizes = int(state[ls.SIZE_A]), int(state[ls.SIZE_B])
        return LaneAttempt(
            outcome, path, float(state[ls.FOUND_COST]), int(state[ls.SAMPLES]), 16 * int(state[ls.GROUPS]), sizes
        )


def lane_planner(tables: ContactTables, margin: float) -> LanePlanner | None:
    """The planner of a prepared scene, kept as long as its tables are; None where joints are in loops or turn otherwise."""
    if tables.model.loops:
        return None
    lanes = lane_tables(tables, margin)
    if lanes is None:
        return None
    kept: LanePlanner | None = getattr(lanes, "_planner", None)
    if kept is None:
        kept = LanePlanner(tables, lanes)
        object.__setattr__(lanes, "_planner", kept)
    return kept
