"""A graph of configurations in a scene: nodes, edges that are proven when they are needed, the cheapest path."""

from __future__ import annotations

import numpy as np

from carpal.errors import CarpalError
from carpal.planning.planners.kernels import lane_graph as lg
from carpal.planning.planners.kernels import lane_graph_tasks as tasks
from carpal.planning.planners.kernels import lane_growth as growth
from carpal.planning.planners.kernels import lane_roadmap as lazy
from carpal.planning.planners.kernels import lane_search as ls
from carpal.planning.planners.lane_planner import SHORTCUTS, LanePlanner
from carpal.planning.planners.lane_workplace import Workplace
from carpal.spatial import Array

NOTHING = 1e300
"""A bound on the cost where there is none."""


class GraphFullError(CarpalError):
    """The graph has no room for another node or edge."""


class GraphWorkplace(Workplace):
    """The graph and what can be done with it; nodes are numbered in the order in which they came.

    Args:
        planner: the scene.
        nodes: at most.
        neighbours: of each node at most, on average.
    """

    def __init__(self, planner: LanePlanner, nodes: int, neighbours: int = lg.MOST_NEIGHBOURS) -> None:
        super().__init__(planner.lanes, planner.space, nodes=2, graph=(nodes, nodes * neighbours))
        self.clear()

    def clear(self) -> None:
        """An empty graph; samples go on where they were."""
        self.graph.counts[:] = 0.0
        self.graph.visits[:] = 0.0
        self.numbers[ls.MARGIN] = 0.0

    @property
    def nodes(self) -> int:
        """How many there are."""
        return int(self.graph.counts[0, lg.NODES])

    @property
    def edges(self) -> int:
        """How many there are."""
        return int(self.graph.counts[0, lg.EDGES])

    @property
    def states(self) -> Array:
        """(edges) UNKNOWN, PROVEN, BLOCKED or SUSPECT; a view."""
        return self.graph.edges[0, : self.edges, lg.STATE]

    @property
    def samples(self) -> int:
        """Configurations drawn so far."""
        return int(self.search.state[0, ls.SAMPLES])

    @property
    def checks(self) -> int:
        """Configurations checked so far."""
        return 16 * int(self.search.state[0, ls.GROUPS])

    def points(self, q: Array, neighbours: int = 0, hub: int = -1) -> int:
        """Take up configurations (n, nq) that are free; how many.

        neighbours: each is joined to so many nearest before it; 0: as many as optimality asks; -1: none. hub: a node that each is
        joined to as well.
        """
        self.goals = np.ascontiguousarray(q, np.float64)
        return self._room(self.call(tasks.GRAPH_POINTS, 0, 0, 0, hub + 1, 0, 0, neighbours))

    def chain(self, start: int, end: int, q: Array) -> None:
        """Take up the inner points (n, nq) of a proven path between two nodes."""
        self.goals = np.ascontiguousarray(q, np.float64).reshape(-1, self.nq)
        self._room(self.call(tasks.GRAPH_CHAIN, 0, 0, start, end, 0, 0, 0))

    def grow(
        self, seed: int, nodes: int, samples: int, *, neighbours: int = 0,
        ends: tuple[int, int, int] = (0, 0, 0), bound: float = NOTHING,
    ) -> None:  # fmt: skip
        """Random nodes until there are so many or so many samples were drawn; with a bound, only where they can help."""
        answer = self.call(tasks.GRAPH_GROW, seed, nodes, *ends, bound, neighbours, samples)
        self._room(-growth.NO_ROOM if answer == growth.NO_ROOM else answer)

    def prove_edges(self, first: int, end: int) -> int:
        """Prove edges of unknown state; how many of them are free."""
        return self.call(tasks.GRAPH_PROVE, 0, end, first)

    def cheapest(
        self,
        seed: int,
        ends: tuple[int, int, int],
        *,
        bound: float = NOTHING,
        checks: int = 1_000_000,
        shorten: bool = True,
    ) -> Array | None:
        """The cheapest path (n, nq) below a bound; None: there is none, or so many edges were checked (`undecided`)."""
        self.numbers[ls.SHORTEN] = SHORTCUTS if shorten else 0.0
        answer = self.call(tasks.GRAPH_PATH, seed, checks, *ends, bound)
        self.undecided = answer == lazy.UNDECIDED
        if answer == lazy.FULL:
            raise GraphFullError("a path in the graph has more edges than are kept.")
        return self.path() if answer > 0 else None

    @property
    def cost_found(self) -> float:
        """Of the last path, before it was shortened."""
        return float(self.search.state[0, ls.FOUND_COST])

    def drop_last(self, nodes: int, edges: int) -> None:
        """Take away what was added last, down to these numbers."""
        lg.drop_last(self.graph, nodes, edges, 0)

    def _room(self, answer: int) -> int:
        if answer == -growth.NO_ROOM:
            raise GraphFullError(f"the graph is full: {self.nodes} nodes, {self.edges} edges.")
        return answer
