"""Picture of a collision: the hodograph of its slip, and its velocities over the normal impulse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from carpal.engines import ImpactResult
from carpal.report.pictures.robot_pictures import pyplot, save_figure

SLIDES, STICKS = "#2b6cb0", "#2f855a"


def save_slip_hodograph(hit: ImpactResult, file: str | Path, *, index: tuple[int, ...] = (), title: str = "") -> Path:
    """Draw how the slip of one collision turned, stopped and started, to a PNG file.

    Args:
        hit: of `single_impact(..., path=True)`.
        file: where to.
        index: which collision of a batch.
        title: the collision's own sentence by default.
    """
    way = hit.slip_path(index)
    plt: Any = pyplot()
    figure, (plane, course) = plt.subplots(1, 2, figsize=(11, 5.2), dpi=110, layout="constrained")
    ux, uy, uz, p = way[:, 3], way[:, 4], way[:, 5], way[:, 2]
    turn = int(np.argmin(way[:, 6]))  # the normal work is lowest where compression ends
    plane.plot(ux, uy, color=SLIDES, linewidth=2.2)
    plane.plot(ux[0], uy[0], "o", color=SLIDES, markersize=8, label="before")
    plane.plot(ux[turn], uy[turn], "D", color="#dd6b20", markersize=7, label="end of compression")
    plane.plot(ux[-1], uy[-1], "s", color="#c53030", markersize=8, label="after")
    plane.plot(0, 0, "+", color="black", markersize=14, label="stick")
    plane.set_aspect("equal", adjustable="datalim")
    plane.set_xlabel("slip along t1 [m/s]"), plane.set_ylabel("slip along t2 [m/s]")
    plane.legend(fontsize=8)
    for values, name, colour in ((ux, "t1", "#2b6cb0"), (uy, "t2", "#2f855a"), (uz, "normal", "#c53030")):
        course.plot(p, values, color=colour, linewidth=1.8, label=name)
    stuck = way[:, 7] == 0.0
    if stuck.any():
        course.axvspan(float(p[stuck].min()), float(p[stuck].max()), color=STICKS, alpha=0.12, label="sticks")
    course.axvline(float(p[turn]), color="#dd6b20", linestyle="--", linewidth=1, label="end of compression")
    course.axhline(0, color="black", linewidth=0.6)
    course.set_xlabel("normal impulse [N s]"), course.set_ylabel("velocity [m/s]")
    course.legend(fontsize=8)
    for axes in (plane, course):
        axes.grid(alpha=0.3)
    if not title:
        one = ImpactResult(hit.law, hit.before[index], hit.mu[index], hit.e[index], hit.numbers[index], hit.way[index])
        title = one.status
    figure.suptitle(title, fontsize=10)
    return save_figure(plt, figure, file)
