"""Shorten a way that is given: lazy Dijkstra on its nodes, then on halved edges (thesis 3, section 7.7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.work_clock import work_seconds
from carpal.contact import CollisionChecker
from carpal.errors import InputError
from carpal.model import Model, Scene
from carpal.planning.planners.plan_options import PlanOptions
from carpal.planning.planners.plan_query import make_result, prepared_scene
from carpal.planning.planners.plan_result import PlanResult
from carpal.planning.planners.search_run import LONGEST_PATH, run_search
from carpal.planning.trajectories.waypoint_checks import joint_waypoints


def shorten_path(
    scene: Scene | Model | CollisionChecker,
    path: ArrayLike,
    *,
    joints: Sequence[str] | None = None,
    held: Mapping[str, Any] | None = None,
    exclude: Iterable[object] = (),
    margin: float = 0.0,
    resolution: float = 0.02,
    gain: float = 0.01,
    sheets: bool = False,
) -> PlanResult:
    """A way with the same ends that is never longer; it fails where the given one touches something.

    Args:
        scene, joints, held, exclude, margin, resolution, gain, sheets: as of `plan`.
        path: (n, nq) [rad, m], straight edges between its points.
    """
    tables, margin = prepared_scene(scene, joints, held, exclude, margin, sheets)
    way = joint_waypoints(tables.model, path)
    if len(way) > LONGEST_PATH:
        raise InputError(f"a path of {len(way)} points is too long to be shortened; {LONGEST_PATH} is the most.")
    options = PlanOptions.of("rrt_connect", resolution, 1, False, True, None, gain)
    begun = work_seconds()
    paths, reports, blame, _ = run_search(tables, options, margin, way[:1], way[-1:], np.zeros((1, 1)), given=[way])
    spent = work_seconds() - begun
    ends = way[0], way[-1]
    return make_result(tables, options, "given", margin, 0, paths[0], reports[0], blame[0], ends, spent)
