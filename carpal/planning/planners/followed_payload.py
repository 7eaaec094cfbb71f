"""The sets of a payload's angles along a way, look by look as the planners carry them, and whether every look is free."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.planning.payload.angle_set import AngleSet
from carpal.planning.payload.carried_angles import AngleHistory, angles_along
from carpal.planning.payload.payload_scene import PayloadScene
from carpal.planning.planners.kernels import run
from carpal.planning.planners.plan_options import PlanOptions
from carpal.planning.planners.search_run import LONGEST_PATH, MOST_LOOKS, run_search
from carpal.planning.trajectories.waypoint_checks import joint_waypoints


def follow_payload(
    scene: PayloadScene, path: ArrayLike, grasp: tuple[float, float], resolution: float = 0.02
) -> AngleHistory:
    """Follow a way with a payload; one sentence where it touches something, or where the angle is not known at its end.

    Args:
        scene: of `prepare_payload`.
        path: (n, nq) [rad, m].
        grasp: its angle at the start and its uncertainty [rad].
        resolution: as of `plan`.
    """
    way = joint_waypoints(scene.model, path)
    if len(way) > LONGEST_PATH:
        raise InputError(f"a path of {len(way)} points is too long to be followed; {LONGEST_PATH} is the most.")
    options = PlanOptions.of("rrt_connect", resolution, 1, True, False, None, 0.01)
    numbers = np.array([[0.0, *grasp]])
    _, reports, _, record = run_search(
        scene.tables, options, scene.margin, way[:1], way[-1:], numbers, given=[way], carried=scene, record=True
    )
    report = reports[0]
    if int(report[run.OUTCOME]) == run.UNKNOWN_END:
        raise InputError(
            "the payload's angle is not known at the end of this way; end where it hangs, or hold it less tilted."
        )
    if int(report[run.OUTCOME]) != run.FOUND:
        a, b = scene.tables.pair_names(int(report[run.PAIR])) if report[run.PAIR] >= 0 else ("?", "?")
        edge = int(report[run.EDGE])
        where = f"on the edge from point {edge - 1} to {edge}" if edge else "at the first point"
        raise InputError(f"this way is not free for every angle of the payload: '{a}' and '{b}' touch {where}.")
    rows = int(report[run.RECORDED])
    if rows >= MOST_LOOKS - 2:
        raise InputError(f"this way takes more than {MOST_LOOKS:,} looks; a coarser resolution takes fewer.")
    nq = scene.model.nq
    begin = angles_along(scene.model, scene.payload, way[:1], angle=grasp[0], spread=grasp[1])
    states = np.concatenate([begin.states[:1], record[0, :rows, nq:].astype(np.int8)])
    settled, waiting = (AngleSet(record[0, row, nq:].astype(np.int8)) for row in (rows, rows + 1))
    return AngleHistory(np.concatenate([way[:1], record[0, :rows, :nq]]), states, settled, True, waiting)
