"""Cheaper paths while time lasts: a graph of random nodes where a cheaper path could pass, edges proven only where one would.

Informed sets (Gammell, Srinivasa, Barfoot 2014) on a lazily proven graph (Hauser 2015) in which every node is joined to its
e (1 + 1/d) log n nearest: asymptotically optimal (Karaman, Frazzoli 2011). The best path in the graph is shortened by random
shortcuts in every round and taken up, and so is what RRT-Connect finds from other random numbers now and then.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from carpal.planning.planners.graph_workplace import GraphFullError, GraphWorkplace
from carpal.planning.planners.kernels.lane_run import FOUND
from carpal.planning.planners.lane_planner import FIRST, LanePlanner
from carpal.planning.planners.lane_workplace import LaneAttempt
from carpal.planning.planners.restarts import seed_of
from carpal.planning.planners.search_budget import SearchBudget
from carpal.planning.planners.turning_joints import TURN
from carpal.spatial import Array

NODES = 6000  # of a graph; then a new one begins with the best path alone
BATCH = 100  # nodes between two searches
DRAWS = 100_000  # without a new node, after which nothing is left to improve
RESTART = 8  # every so many rounds RRT-Connect searches again
CHECKS = 1000  # edges of one search
_CHEAPER = 1.0 - 1e-6


class Better(NamedTuple):
    """A path, samples so far, further checks, and rows (seconds, samples, cost)."""

    path: Array
    samples: int
    checks: int
    history: Array


def improved(
    planner: LanePlanner, first: LaneAttempt, start: Array, goals: Array, seed: int, budget: SearchBudget, samples: int
) -> Better:
    """Make a found path cheaper until the budget ends; with a number of samples the same seed gives the same path."""
    search = _Search(planner, start, goals, first.path)
    history = []
    number = int(seed_of(seed, 500_009))
    while not budget.out_of_time() and budget.left(samples + search.samples) > 0 and search.can_improve:
        if search.step(number, budget.left(samples + search.samples)):
            history.append([budget.spent, samples + search.samples, search.cost])
    return Better(search.path, samples + search.samples, search.checks, np.array(history).reshape(-1, 3))


class _Search:
    """The graph, and the best path in it."""

    def __init__(self, planner: LanePlanner, start: Array, goals: Array, path: Array) -> None:
        self.planner, self.start, self.goals = planner, start, goals
        self.path, self.cost = path, self._cost(path)
        self.place = GraphWorkplace(planner, NODES)
        self.ends = (0, 1, 1)
        self.stuck = False
        self.rounds, self.elsewhere = 0, [0, 0]
        self._begin()

    @property
    def samples(self) -> int:
        return self.place.samples + self.elsewhere[0]

    @property
    def checks(self) -> int:
        return self.place.checks + self.elsewhere[1]

    @property
    def can_improve(self) -> bool:
        """Whether the path is not as cheap as a straight edge yet, and nodes were found in the last round."""
        return not self.stuck and self.cost > self.least * (1 + 1e-9)

    def step(self, seed: int, most: int) -> bool:
        """Some more nodes or another search by RRT-Connect; then the cheapest path and shortcuts. Whether it became cheaper."""
        place, before = self.place, self.place.nodes
        self.rounds += 1
        try:
            if self.rounds % RESTART == 0:
                self._connect(int(seed_of(seed, self.rounds)), most)
            else:
                place.grow(
                    seed, before + BATCH, place.samples + min(most, DRAWS), ends=self.ends, bound=self.cost * _CHEAPER
                )
                self.stuck = place.nodes == before
            path = place.cheapest(seed, self.ends, bound=self.cost * (2.0 - _CHEAPER), checks=CHECKS)
            return path is not None and self._take_up(path)
        except GraphFullError:
            self._begin()
            return False

    def _connect(self, seed: int, most: int) -> None:
        found = self.planner.search(
            self.start, self.goals, seed, min(most, FIRST), shorten=True, out_of_time=lambda: False
        )  # fmt: skip
        self.elsewhere[0] += found.samples
        self.elsewhere[1] += found.checks
        if found.outcome == FOUND and len(found.path) > 2 and not self._take_up(found.path):
            self._chain(found.path)

    def _take_up(self, path: Array) -> bool:
        """Keep a path where it is cheaper than the best one."""
        cost = self._cost(path)
        if cost >= self.cost * _CHEAPER:
            return False
        self.path, self.cost = path, cost
        self._chain(path)
        return True

    def _begin(self) -> None:
        self.place.clear()
        self.place.points(self.start[None], -1)
        self.ends = (0, 1, 1 + self.place.points(self.goals, -1))
        nodes = self.place.graph.nodes[0, : self.ends[2]]
        self.least = float(np.linalg.norm(self._apart(nodes[1:], nodes[0]), axis=1).min())
        self._chain(self.path)

    def _chain(self, path: Array) -> None:
        ends = self.place.graph.nodes[0, 1 : self.ends[2]]
        goal = 1 + int(np.argmin(np.linalg.norm(self._apart(ends, path[-1]), axis=1)))
        self.place.chain(0, goal, path[1:-1])

    def _apart(self, a: Array, b: Array) -> Array:
        d = a - b
        d = np.where(self.planner.turns, d - TURN * np.round(d / TURN), d)
        return np.asarray(d * self.planner.cost)

    def _cost(self, path: Array) -> float:
        return float(sum(np.linalg.norm(self._apart(b, a)) for a, b in itertools.pairwise(path)))
