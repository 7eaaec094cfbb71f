"""Shorten a given path: lazy Dijkstra on its nodes, then on halved edges (Leutenegger 2008, section 7.7)."""

from __future__ import annotations

from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.work_clock import work_seconds
from carpal.contact import CollisionChecker
from carpal.errors import InputError
from carpal.model import Model, Scene
from carpal.planning.planners.exact_plans import make_result
from carpal.planning.planners.plan_options import PlanKeywords, PlanOptions, merged_options
from carpal.planning.planners.plan_result import PlanResult
from carpal.planning.planners.planned_scene import planned_scene
from carpal.planning.planners.planned_ties import satisfied_end
from carpal.planning.planners.search_run import LONGEST_PATH, run_search
from carpal.planning.planners.search_settings import SearchSettings
from carpal.planning.planners.tied_paths import kept_ties
from carpal.planning.trajectories.waypoint_checks import joint_waypoints

USED = ("joints", "held", "exclude", "margin", "resolution", "gain", "sheets")


def shorten_path(
    scene: Scene | Model | CollisionChecker,
    path: ArrayLike,
    *,
    options: PlanOptions | None = None,
    **keywords: Unpack[PlanKeywords],
) -> PlanResult:
    """Return a path with the same ends that is never longer; fails where the given one collides.

    Args:
        scene: as in `plan`.
        path: (n, nq) [rad, m], with straight edges between its points.
        options, keywords: as in `plan`. Used are joints, held, exclude, margin, resolution, gain and sheets.
    """
    chosen = merged_options(options, keywords, USED)
    if chosen.payload is not None:
        raise InputError("shorten_path takes no payload; plan(payload=...) shortens its path itself.")
    ready = planned_scene(scene, chosen, "shorten_path")
    if ready.carried is not None:
        raise InputError("shorten_path takes no payload; plan(payload=...) shortens its path itself.")
    points = joint_waypoints(ready.model, path)
    points = np.array([satisfied_end(ready.model, f"point {i}", q) for i, q in enumerate(points)])
    if len(points) > LONGEST_PATH:
        raise InputError(f"a path of {len(points)} points is too long to shorten; {LONGEST_PATH} is the most.")
    settings = SearchSettings.of("rrt_connect", chosen.resolution, max_samples=1, gain=chosen.gain)
    clock = work_seconds()
    paths, reports, blame, _ = run_search(
        ready.tables, settings, ready.margin, points[:1], points[-1:], np.zeros((1, 1)), given=[points]
    )
    seconds = work_seconds() - clock
    ends = points[0], points[-1]
    result = make_result(
        ready.tables, settings, "given", ready.margin, 0, paths[0], reports[0], blame[0], ends, seconds
    )
    return kept_ties(result) if result.ok else result
