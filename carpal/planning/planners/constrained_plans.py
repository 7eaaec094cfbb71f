"""Plans that keep path constraints: RRT-Connect whose steps are projected (Berenson, Srinivasa, Ferguson, Kuffner 2009), proven.

Nodes are projected to a tenth of the tolerance, and steps are so short that an edge's bound keeps it. Every edge is proven
against collisions on spheres, and on the exact shapes where spheres touch at an end.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence

import numpy as np

from carpal.contact import collides, sweep
from carpal.errors import InputError
from carpal.planning.planners.exact_plans import Queries
from carpal.planning.planners.failures import ends_sentence
from carpal.planning.planners.goal_set import GoalSet
from carpal.planning.planners.lane_planner import SLIDING, lane_planner
from carpal.planning.planners.path_constraint import PathConstraint
from carpal.planning.planners.plan_options import PlanOptions
from carpal.planning.planners.plan_result import PlanResult
from carpal.planning.planners.planned_scene import PlannedScene
from carpal.planning.planners.search_budget import SearchBudget
from carpal.planning.planners.search_settings import joint_costs
from carpal.planning.planners.set_plans import ROUNDS, no_goal
from carpal.planning.planners.turning_joints import nearest_turns
from carpal.spatial import Array

PROJECTED, ENDS, BENDS, EDGE = 0.1, 0.5, 0.25, 0.8
"""Parts of a tolerance: within which nodes are projected and ends must be; what an edge may leave its ends' values by, and the
bound that it must keep, which leaves some for blends."""
ITERATIONS = 12  # of a projection
EXTENSIONS = 200  # steps of a tree towards a sample
TREE = 20_000  # nodes
TRIES, FAILURES = 150, 40  # shortcuts, and how many in a row may fail


def constrained_plans(
    scene: PlannedScene, options: PlanOptions, queries: Queries, goals: Sequence[GoalSet]
) -> list[PlanResult]:
    """One result per query."""
    if scene.carried is not None or scene.model.is_constrained or options.forward:
        raise InputError("constraints= works without payload, couplings, loops and forward=True.")
    return [_Query(scene, options, queries.take([i]), goal).result() for i, goal in enumerate(goals)]


class _Query:
    """One query; trees are lists of rows, because nodes are few and dear."""

    def __init__(self, scene: PlannedScene, options: PlanOptions, query: Queries, goals: GoalSet) -> None:
        self.scene, self.options, self.goals, self.model = scene, options, goals, scene.model
        self.constraints: tuple[PathConstraint, ...] = tuple(options.constraints)
        self.start, self.seed = query.starts[0], int(query.seeds[0])
        self.rng = np.random.default_rng(self.seed)
        self.budget = SearchBudget.of(options.time_limit, options.max_samples)
        self.cost = joint_costs(self.model)
        self.scale = np.array([SLIDING if kind == "prismatic" else 1.0 for kind, _ in self.model.joint_slices()])
        self.samples = self.edges = 0
        planner = lane_planner(scene.tables, scene.margin)
        assert planner is not None
        self.planner, self.exact = planner, False

    def result(self) -> PlanResult:
        """The path, or why there is none."""
        for constraint in self.constraints:
            if not self._keeps(constraint, self.start):
                return self._nothing(
                    f"the start does not keep {constraint.words}: {_amount(constraint, self.model, self.start)}.",
                    "ends",
                )
        roots, problem = self._roots()
        if problem is not None:
            return problem
        self.exact = not self.planner.lanes.exact and (
            self.planner.touches(self.start) or all(self.planner.touches(q) for q in roots)
        )
        path = self._search(roots)
        if path is None:
            limit = "max_samples" if self.budget.left(self.samples) == 0 else "time_limit"
            return self._nothing(
                f"no path found that keeps {self._words()}: {self.samples:,} samples, {self.edges:,} edges checked, ended by "
                f"{limit}; nothing shows that none exists.",
                "samples" if limit == "max_samples" else "time",
            )  # fmt: skip
        found = self._length(path)
        if self.options.simplify:
            path = self._shortened(path)
        bounds = tuple(c.kept(c.bound(self.model, path)) for c in self.constraints)
        amounts = ", ".join(
            f"{np.degrees(b):.3g} deg" if c.kind == "direction" else f"{1000 * b:.3g} mm"
            for c, b in zip(self.constraints, bounds, strict=True)
        )
        status = (
            f"a path of {len(path) - 1} edges that keeps {self._words()} was found after {self.samples:,} samples; every edge "
            f"was swept without gaps, and along all of them the frame is off by at most {amounts}."
        )
        blank = self._nothing(status, "path")
        return dataclasses.replace(
            blank, ok=True, path=path, planner="constrained", proven=True, cost=self._length(path), cost_found=found,
            kept=bounds, constraints=self.constraints, goal_index=self.goals.reached(path[-1]),
        )  # fmt: skip

    def _roots(self) -> tuple[Array, PlanResult | None]:
        """Free goal configurations that keep the constraints, or the result that says why there is none."""
        why, off, blocked = "", 0, False
        for turn in range(1 if self.goals.fixed else ROUNDS):
            q, reason = self.goals.roots(self.start, self.seed, turn)
            why = why or reason
            q = nearest_turns(self.model, np.broadcast_to(self.start, q.shape), q)
            keeps = np.array([all(self._keeps(c, row) for c in self.constraints) for row in q], bool)
            off += int((~keeps).sum())
            q = q[keeps]
            ends = np.concatenate([self.start[None], q])
            free = ~np.asarray(collides(self.scene.tables, ends, margin=self.scene.margin).hit)
            if not free[0]:
                touches = ends_sentence(self.scene.tables, "start", self.start, self.scene.margin, 0.0)
                return q, self._nothing(touches, "ends")
            blocked = blocked or bool((~free[1:]).any())
            if free[1:].any():
                return q[free[1:]], None
            if len(q):
                why = f"{len(q)} configurations of the goal keep {self._words()}, but all of them touch."
        if off and not blocked:
            return self.start[None], self._nothing(
                f"no configuration of the goal keeps {self._words()} ({off} do not).", "ends"
            )
        return self.start[None], no_goal(self.scene, self.options, why, self.seed, self.budget.spent)

    def _search(self, roots: Array) -> Array | None:
        trees = [_Tree(self.start[None], self.scale), _Tree(roots, self.scale)]
        side, target = 0, roots[0]
        while True:
            tree, other = trees[side], trees[1 - side]
            last = self._extend(tree, tree.nearest(target), target)
            near = other.nearest(tree.q[last])
            met = self._extend(other, near, tree.q[last])
            if np.abs(other.q[met] - tree.q[last]).max() < 1e-12:
                first, second = (tree.path(last), other.path(met)) if side == 0 else (other.path(met), tree.path(last))
                return np.array([*first[::-1], *second[1:]])
            if self.budget.out_of_time() or self.budget.left(self.samples) == 0 or len(tree.q) + len(other.q) > TREE:
                return None
            side = 0 if len(trees[0].q) <= len(trees[1].q) else 1
            self.samples += 1
            low, high = np.maximum(self.model.q_min, -np.pi), np.minimum(self.model.q_max, np.pi)
            slides = self.scale != 1.0
            low[slides], high[slides] = self.model.q_min[slides], self.model.q_max[slides]
            target = self.rng.uniform(low, high)

    def _extend(self, tree: _Tree, node: int, target: Array) -> int:
        """The last node of steps from a node towards a target; it is the target itself where it was reached."""
        for _ in range(EXTENSIONS):
            if self.budget.out_of_time():
                break
            q = tree.q[node]
            step = self._step(q, target)
            if step is None:
                break
            node = tree.add(step, node)
            if np.abs(step - target).max() < 1e-12:
                break
        return node

    def _step(self, q: Array, target: Array) -> Array | None:
        """The next configuration towards a target: kept, nearer to it, with a proven edge; None where there is none."""
        d = target - q
        far = float(np.linalg.norm(d * self.scale))
        if far < 1e-12:
            return None
        share = min(1.0, self._share(d))
        for _ in range(2):  # a projection may move a step so much that its edge bends too far: half of it then
            point = q + share * d
            last = share == 1.0 and all(self._keeps(c, target) for c in self.constraints)
            made = target if last else self._projected(point)
            if made is None or float(np.linalg.norm((target - made) * self.scale)) > far * (1.0 - 1e-3 * share):
                return None
            if self._edge_kept(q, made):
                return made if self._edge_free(q, made) else None
            share *= 0.5
        return None

    def _share(self, d: Array) -> float:
        """The part of an edge that bends by as much as an edge may."""
        parts = [BENDS * c.limit / max(float(c.bends(self.model, d[None])[0]), 1e-300) for c in self.constraints]
        return float(np.sqrt(min(parts)))

    def _projected(self, q: Array) -> Array | None:
        """The configuration that Gauss and Newton's steps of least norm make of one; None where they do not arrive."""
        for _ in range(ITERATIONS):
            r = [c.residual(self.model, q) for c in self.constraints]
            if all(np.linalg.norm(x) <= PROJECTED * c.limit for x, c in zip(r, self.constraints, strict=True)):
                return q
            J = np.vstack([c.slope(self.model, q) for c in self.constraints]) / self.scale
            e = np.concatenate(r)
            step = J.T @ np.linalg.solve(J @ J.T + 1e-10 * np.eye(len(e)), e) / self.scale
            if not np.abs(step).max() < 0.5:
                return None
            q = np.clip(q - step, self.model.q_min, self.model.q_max)
        return None

    def _keeps(self, constraint: PathConstraint, q: Array) -> bool:
        return bool(np.linalg.norm(constraint.residual(self.model, q)) <= ENDS * constraint.limit)

    def _edge_kept(self, a: Array, b: Array) -> bool:
        edge = np.stack([a, b])
        return all(c.bound(self.model, edge) <= EDGE * c.limit for c in self.constraints)

    def _edge_free(self, a: Array, b: Array) -> bool:
        self.edges += 1
        if self.planner.proven(np.stack([a, b]), 0.0):
            return True
        if not self.exact or collides(self.scene.tables, b, margin=self.scene.margin):
            return False
        return bool(sweep(self.scene.tables, a, b, tolerance=max(1e-4, self.scene.margin)).ok)

    def _shortened(self, path: Array) -> Array:
        """Random shortcuts by projected steps."""
        failures = 0
        for _ in range(TRIES):
            if len(path) < 3 or failures >= FAILURES or self.budget.out_of_time():
                break
            i, k = np.sort(self.rng.choice(len(path), 2, replace=False))
            failures += 1
            if k - i < 2:
                continue
            tree = _Tree(path[i][None], self.scale)
            last = self._extend(tree, 0, path[k])
            between = np.array(tree.path(last)[::-1])
            if np.abs(between[-1] - path[k]).max() < 1e-12 and self._length(between) < 0.999 * self._length(
                path[i : k + 1]
            ):
                path, failures = np.concatenate([path[:i], between, path[k + 1 :]]), 0
        return path

    def _length(self, path: Array) -> float:
        return float(sum(np.linalg.norm(self.cost * (b - a)) for a, b in itertools.pairwise(path)))

    def _words(self) -> str:
        return " and ".join(c.words for c in self.constraints)

    def _nothing(self, status: str, ended_by: str) -> PlanResult:
        blank = no_goal(self.scene, self.options, "", self.seed, self.budget.spent)
        return dataclasses.replace(blank, status=status, ended_by=ended_by, samples=self.samples, checks=self.edges)


class _Tree:
    """Nodes with parents."""

    def __init__(self, roots: Array, scale: Array) -> None:
        self.scale = scale
        self.q, self.parents = list(roots), [-1] * len(roots)
        self._keys = np.empty((256, roots.shape[1]))
        self._keys[: len(roots)] = roots * scale

    def nearest(self, q: Array) -> int:
        return int(np.argmin(((self._keys[: len(self.q)] - q * self.scale) ** 2).sum(axis=1)))

    def add(self, q: Array, parent: int) -> int:
        if len(self.q) == len(self._keys):
            self._keys = np.concatenate([self._keys, np.empty_like(self._keys)])
        self._keys[len(self.q)] = q * self.scale
        self.q.append(q)
        self.parents.append(parent)
        return len(self.q) - 1

    def path(self, node: int) -> list[Array]:
        """Configurations from a node to its root."""
        out = []
        while node >= 0:
            out.append(self.q[node])
            node = self.parents[node]
        return out


def _amount(constraint: PathConstraint, model: object, q: Array) -> str:
    miss = float(constraint.miss(model, q))  # type: ignore[arg-type]
    if constraint.kind == "direction":
        return f"it is {np.degrees(miss):.3g} deg away, half of the tolerance is allowed at an end"
    return f"it is {1000 * miss:.3g} mm away, half of the tolerance is allowed at an end"
