"""A roadmap: many plans in one scene, and plans again after something in it has moved.

Random free configurations, joined to their nearest (PRM: Kavraki, Svestka, Latombe, Overmars 1996); every edge is proven when
the map is made. When a shape moves nothing is thrown away: edges count as unknown again, and are proven where the next path
passes.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.work_clock import work_seconds
from carpal.contact import CollisionChecker, moved_lanes, moved_tables
from carpal.errors import InputError
from carpal.model import Model, Scene
from carpal.planning.planners.exact_plans import Queries
from carpal.planning.planners.graph_workplace import GraphWorkplace
from carpal.planning.planners.kernels import lane_graph as lg
from carpal.planning.planners.kernels import lane_search as ls
from carpal.planning.planners.lane_planner import lane_planner
from carpal.planning.planners.plan_ends import configuration, goal_set, singles
from carpal.planning.planners.plan_options import PlanKeywords, PlanOptions, merged_options
from carpal.planning.planners.plan_result import PlanResult
from carpal.planning.planners.planned_scene import planned_scene
from carpal.planning.planners.portfolio import portfolio_plans
from carpal.planning.planners.pose_goal import PoseGoal
from carpal.planning.planners.tied_paths import kept_ties
from carpal.spatial import Array

DRAWS = 100  # samples for each node that is wanted, after which there are fewer
ENDS = 128  # nodes for starts and goals of a query


class Roadmap:
    """`roadmap.plan(start, goal)` plans on proven edges; `roadmap.move(name, pose)` moves a standing shape. Of one thread.

    Made by `build_roadmap`.
    """

    def __init__(self, scene: Any, options: PlanOptions, nodes: int, neighbours: int, seed: int) -> None:
        clock = work_seconds()
        self.options = options
        self.scene = planned_scene(scene, options, "build_roadmap")
        planner = lane_planner(self.scene.tables, self.scene.margin)
        if planner is None or self.scene.carried is not None:
            raise InputError(
                "a roadmap needs joints that turn or slide, without closed loops, and no payload that turns."
            )
        self._planner = planner
        self._neighbours = neighbours
        self._place = GraphWorkplace(planner, nodes + ENDS, neighbours + 2)
        self._place.grow(seed, nodes, DRAWS * nodes, neighbours=neighbours)
        self.refresh()
        self.seconds = work_seconds() - clock
        """[s] that making it took."""

    @property
    def model(self) -> Model:
        """The model whose joints move."""
        return self.scene.model

    @property
    def nodes(self) -> int:
        """How many there are."""
        return self._place.nodes

    @property
    def edges(self) -> int:
        """How many there are, proven or not."""
        return self._place.edges

    @property
    def proven_edges(self) -> int:
        """How many are known to be free now."""
        return int((self._place.states == lg.PROVEN).sum())

    @property
    def status(self) -> str:
        """One sentence."""
        return (
            f"a roadmap of {self.nodes:,} nodes and {self.edges:,} edges, {self.proven_edges:,} of them proven free; made in "
            f"{self.seconds:.3g} s."
        )

    def __str__(self) -> str:
        return self.status

    def refresh(self) -> int:
        """Prove all edges whose state is unknown; how many of them are free. Plans do not need it: they prove what they use."""
        states = self._place.states
        states[states == lg.SUSPECT] = lg.UNKNOWN
        return self._place.prove_edges(0, self.edges)

    def move(self, name: str, pose: ArrayLike) -> None:
        """Put a standing shape elsewhere: X_WS (4, 4), or a position (3) [m] where its attitude stays."""
        before = self.scene.tables
        tables = moved_tables(before, {name: pose})
        lanes = moved_lanes(tables, before, self.scene.margin, [name])
        assert lanes is not None
        self._planner = self._planner.in_scene(tables, lanes)
        self.scene = self.scene._replace(model=tables.model, tables=tables)
        self._place.scene = lanes.scene
        states = self._place.states
        states[states == lg.PROVEN] = lg.UNKNOWN
        states[states == lg.BLOCKED] = lg.SUSPECT

    def plan(
        self, start: ArrayLike, goal: ArrayLike | PoseGoal | Sequence[ArrayLike | PoseGoal], *, seed: int = 0
    ) -> PlanResult:
        """A proven path through the roadmap; where it has none, what `plan` finds (`result.planner` says which).

        Args:
            start, goal: as of `plan`.
            seed: of shortening and of the search where the roadmap has no path.
        """
        clock, place = work_seconds(), self._place
        a, goals = configuration(self.model, "start", start), goal_set(self.model, "goal", goal)
        roots = goals.roots(a, seed, 0).q
        nodes, edges, checks = place.nodes, place.edges, place.checks
        place.search.state[0, ls.DRAWN] = 0.0  # the same random numbers in every query
        try:
            path = self._through(a, roots[: ENDS // 2], seed) if len(roots) else None
            cost_found = place.cost_found
        finally:
            place.drop_last(nodes, edges)
        if path is None:
            queries = Queries(a[None], singles([goals], a[None]), np.array([seed]), np.zeros((1, 2)))
            return portfolio_plans(self.scene, self.options, queries, [goals], 1)[0]
        path[0] = a
        checks = place.checks - checks
        legs = len(path) - 1
        cost = float(sum(np.linalg.norm(self._planner.cost * (y - x)) for x, y in itertools.pairwise(path)))
        status = (
            f"a path of {legs} straight edge{'s' if legs != 1 else ''} was found in a roadmap of {nodes:,} nodes ({checks:,} "
            "collision checks); every edge was swept without gaps."
        )
        made = PlanResult(
            ok=True, status=status, path=path, planner="roadmap", seed=seed, samples=0, checks=checks, tree_sizes=(nodes, 0),
            cost_found=cost_found, cost=cost, deleted=0, deletions_left=0, resolution=self.options.resolution,
            margin=self.scene.margin, proven=True, seconds=work_seconds() - clock, tables=self.scene.tables,
            goal_index=goals.reached(path[-1]),
        )  # fmt: skip
        return kept_ties(made)

    def _through(self, start: Array, goals: Array, seed: int) -> Array | None:
        """The cheapest path in the graph with these ends taken up for a while; None where an end touches or there is none."""
        place, first = self._place, self.nodes
        if place.points(start[None], self._neighbours) < 1:
            return None
        count = place.points(goals, self._neighbours, hub=first)  # straight edges too
        if count < 1:
            return None
        ends = (first, first + 1, first + 1 + count)
        shorten = self.options.simplify
        path = place.cheapest(seed, ends, shorten=shorten)
        states = place.states
        if path is None and (states == lg.SUSPECT).any():
            states[states == lg.SUSPECT] = lg.UNKNOWN
            path = place.cheapest(seed, ends, shorten=shorten)
        return path


def build_roadmap(
    scene: Scene | Model | CollisionChecker,
    *,
    nodes: int = 1000,
    neighbours: int = 12,
    seed: int = 0,
    options: PlanOptions | None = None,
    **keywords: Unpack[PlanKeywords],
) -> Roadmap:
    """Make a roadmap of a scene once, for many plans and for plans after shapes have moved.

    Args:
        scene: a scene, a model or a collision checker.
        nodes: free configurations, drawn at random.
        neighbours: each is joined to so many of those before it, at most 32.
        seed: of the random numbers; the same seed gives the same roadmap.
        options, keywords: as of `plan`.

    Example:
        >>> roadmap = build_roadmap(scene)
        >>> result = roadmap.plan(q_start, q_goal)
        >>> roadmap.move("crate", [0.5, 0.2, 0.1])
        >>> again = roadmap.plan(q_start, q_goal)
    """
    for name, value, most in (("nodes", nodes, 100_000), ("neighbours", neighbours, lg.MOST_NEIGHBOURS)):
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 1 <= value <= most:
            raise InputError(f"{name} must be a whole number from 1 to {most}; got {value!r:.60}.")
    chosen = merged_options(options, keywords)
    if not chosen.on_spheres:
        raise InputError(
            "a roadmap is proven on spheres: planner='portfolio' or 'spheres', without payload and forward=True."
        )
    return Roadmap(scene, chosen, int(nodes), int(neighbours), seed)
