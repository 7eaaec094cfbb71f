"""The sets of a payload's angles along a path, as the planners propagate them, and whether every edge is free."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.planning.payload.angle_set import AngleSet
from carpal.planning.payload.carried_angles import AngleHistory, angles_along
from carpal.planning.payload.payload_scene import PayloadScene
from carpal.planning.planners.kernels import run
from carpal.planning.planners.search_run import LONGEST_PATH, MOST_RECORDED, run_search
from carpal.planning.planners.search_settings import SearchSettings
from carpal.planning.trajectories.waypoint_checks import joint_waypoints


def follow_payload(
    scene: PayloadScene, path: ArrayLike, grasp: tuple[float, float], resolution: float = 0.02
) -> AngleHistory:
    """Follow a path with a payload; raises where it collides, or where the angle is not known at its end.

    Args:
        scene: of `prepare_payload`.
        path: (n, nq) [rad, m].
        grasp: its angle at the start and its uncertainty [rad].
        resolution: as in `plan`.
    """
    points = joint_waypoints(scene.model, path)
    if len(points) > LONGEST_PATH:
        raise InputError(f"a path of {len(points)} points is too long to be followed; {LONGEST_PATH} is the most.")
    settings = SearchSettings.of("rrt_connect", resolution, max_samples=1, forward=True, simplify=False)
    numbers = np.array([[0.0, *grasp]])
    _, reports, _, record = run_search(
        scene.tables,
        settings,
        scene.margin,
        points[:1],
        points[-1:],
        numbers,
        given=[points],
        carried=scene,
        record=True,
    )
    report = reports[0]
    if int(report[run.OUTCOME]) == run.UNKNOWN_END:
        raise InputError(
            "the payload's angle is not known at the end of this path; end where it hangs, or hold it less tilted."
        )
    if int(report[run.OUTCOME]) != run.FOUND:
        a, b = scene.tables.pair_names(int(report[run.PAIR])) if report[run.PAIR] >= 0 else ("?", "?")
        edge = int(report[run.EDGE])
        where = f"on the edge from point {edge - 1} to {edge}" if edge else "at the first point"
        raise InputError(f"this path is not free for every angle of the payload: '{a}' and '{b}' touch {where}.")
    rows = int(report[run.RECORDED])
    if rows >= MOST_RECORDED - 2:
        raise InputError(f"this path takes more than {MOST_RECORDED:,} checks; a coarser resolution takes fewer.")
    nq = scene.model.nq
    begin = angles_along(scene.model, scene.payload, points[:1], angle=grasp[0], spread=grasp[1])
    states = np.concatenate([begin.states[:1], record[0, :rows, nq:].astype(np.int8)])
    settled, waiting = (AngleSet(record[0, row, nq:].astype(np.int8)) for row in (rows, rows + 1))
    return AngleHistory(np.concatenate([points[:1], record[0, :rows, :nq]]), states, settled, True, waiting)
