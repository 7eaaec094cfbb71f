"""`PlanResult`: the path, what the search took, or why there is none."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.result import Result
from carpal.contact import ContactTables, SweepResult, sweep
from carpal.errors import InputError
from carpal.model import Model
from carpal.planning.payload.carried_angles import AngleHistory
from carpal.planning.payload.payload_scene import PayloadScene
from carpal.planning.planners.followed_payload import follow_payload
from carpal.planning.planners.lane_planner import lane_planner
from carpal.planning.planners.path_constraint import PathConstraint
from carpal.planning.planners.timed_path import timed_path
from carpal.planning.trajectories.trajectory import Trajectory
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class PlanResult(Result):
    """One plan; `bool(result)` is whether a path was found, `print(result)` prints its status.

    Args:
        ok: whether a path was found.
        status: one sentence: how it was found, or why not and what would help.
        path: (n, nq) configurations, straight edges between them [rad, m]; empty where there is none.
        planner: "spheres", "sbl", "est" or "rrt_connect"; "given" for a path that was only shortened.
        seed: of its random numbers.
        samples: configurations drawn.
        checks: collision checks, those of shortening included.
        tree_sizes: nodes of the start's and of the goal's tree.
        cost_found, cost: 2-norm of joint differences over speeds [s], before and after shortening.
        deleted: edges that shortening found to collide.
        deletions_left: how far that stayed below the bound m (m - 3) / 2 in the closest round; never below zero.
        resolution: largest joint step between two checks [rad, m].
        margin: pairs at most this near [m] count as touching.
        proven: whether every edge was swept without gaps.
        seconds: what the search took, all plans of a call together; without preparing the scene or compiling.
        tables: the prepared scene.
        carried: the payload that may turn, and its scene; None without.
        grasp: its angle at the start and its uncertainty [rad].
        ended_by: "path"; or what ended the search: "ends" (one touches), "goal" (no configuration reaches it), "samples", "time",
            "proof" (a path was found that could not be proven) or "proof that none exists".
        goal_index: which of several goals the path ends at.
        constraints: what the path keeps, and `kept`: proven bounds [rad, m] on how far it is from each, along all of it.
        history: (n, 3) of searches on spheres: seconds, samples and cost [s] of the first path and of every cheaper one.
    """

    ok: bool
    status: str
    path: Array
    planner: str
    seed: int
    samples: int
    checks: int
    tree_sizes: tuple[int, int]
    cost_found: float
    cost: float
    deleted: int
    deletions_left: int
    resolution: float
    margin: float
    proven: bool
    seconds: float
    tables: ContactTables
    carried: PayloadScene | None = None
    grasp: tuple[float, float] = (0.0, 0.0)
    ended_by: str = "path"
    goal_index: int = 0
    constraints: tuple[PathConstraint, ...] = ()
    kept: tuple[float, ...] = ()
    history: Array = field(default_factory=lambda: np.zeros((0, 3)))

    @property
    def model(self) -> Model:
        """The model whose joints the path moves."""
        return self.tables.model if self.carried is None else self.carried.model

    @functools.cached_property
    def angles(self) -> AngleHistory:
        """The set of the payload's angles along the path, as the planner propagated it: the same checks, the same sets."""
        self._need_path()
        if self.carried is None:
            raise InputError("this path was planned without a payload: it has no set of angles.")
        return follow_payload(self.carried, self.path, self.grasp, self.resolution)

    @functools.cached_property
    def clearance(self) -> float:
        """Proven lower bound [m] on the distance of any two shapes that count, along all of the path; computed when asked for."""
        self._need_path()
        if self.carried is not None:
            raise InputError(
                "with a payload that may turn there is no clearance; its paths keep the margin for all angles."
            )
        planner = lane_planner(self.tables, self.margin)
        if planner is not None and planner.proven(self.path, 0.0):
            return self.margin + planner.clearance(self.path)
        low, high = 0.0, 0.1
        for _ in range(10):
            middle = 0.5 * (low + high)
            free = len(self.path) < 2 or bool(self.sweep(tolerance=middle).ok.all())
            low, high = (middle, high) if free else (low, middle)
        return low

    def sweep(self, **options: Any) -> SweepResult:
        """Sweep every edge of the path, without gaps by default; options as of `carpal.contact.sweep`."""
        self._need_path()
        if self.carried is not None:
            raise InputError("with a payload that may turn, edges are swept while planning; `angles` has its sets.")
        return sweep(self.tables, self.path[:-1], self.path[1:], **options)

    def trajectory(
        self,
        *,
        v_max: ArrayLike | None = None,
        vdot_max: ArrayLike | None = None,
        jerk_max: ArrayLike | None = None,
        dt: float = 0.01,
    ) -> Trajectory:
        """The path in time: the fastest blends that are collision-free; else stops at corners, as with a payload.

        The blends of a proven path are swept without gaps, those of others (and where followers bend the edges) checked every
        `dt` [s]; the motion's status says which.

        Args:
            v_max, vdot_max: one number or (nv) [rad/s, m/s] and their rates; by default the model's.
            jerk_max: the same [rad/s3, m/s3]; None: not limited, accelerations jump.
            dt: [s].
        """
        self._need_path()
        return timed_path(self, v_max, vdot_max, jerk_max, dt)

    def _need_path(self) -> None:
        if not self.ok:
            raise InputError(f"there is no path: {self.status}")
