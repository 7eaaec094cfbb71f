"""RRT-Connect in lanes, from the tables of a scene to a proven path: attempts that restart, in slices that time may end."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable

import numpy as np

from carpal.contact import ContactTables, LaneTables, lane_tables
from carpal.planning.planners.kernels import lane_run as run
from carpal.planning.planners.lane_workplace import LONGEST_PATH, LaneAttempt, Workplace
from carpal.planning.planners.planned_ties import planned_ties
from carpal.planning.planners.search_settings import joint_costs, search_limits
from carpal.planning.planners.turning_joints import continuous_joints
from carpal.spatial import Array

MOST_NODES = 30_000  # of a tree
FIRST = 2000  # samples of the first two attempts; later ones have twice as many, two and two
SLICE = 500  # samples between two looks at the clock
SLIDING = 3.0  # radians that a metre of a sliding joint counts in the metric
SHORTCUTS = 60


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
        self.space = (
            low,
            high,
            turns.astype(np.float64),
            scale,
            self.cost,
            np.ascontiguousarray(self.ties.tables.couplings),
        )
        self._own = threading.local()

    def in_scene(self, tables: ContactTables, lanes: LaneTables) -> LanePlanner:
        """The same joints in another scene."""
        made = copy.copy(self)
        made.tables, made.lanes, made._own = tables, lanes, threading.local()
        object.__setattr__(lanes, "_planner", made)
        return made

    def _workplace(self) -> Workplace:
        place: Workplace | None = getattr(self._own, "place", None)
        if place is None:
            place = self._own.place = Workplace(self.lanes, self.space, nodes=MOST_NODES)
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
