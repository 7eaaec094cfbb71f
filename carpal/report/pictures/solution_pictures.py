"""A picture of every solution: the arm's skeleton in each branch, those outside the limits faint."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from carpal.kinematics import IKSolutions, fk
from carpal.report.pictures.robot_pictures import pyplot, save_figure, skeleton


def save_solutions_picture(result: IKSolutions, file: str | Path) -> Path:
    """Draw all solutions of one target, or the nearest answer where there is none, to a PNG file."""
    plt = pyplot()
    figure = plt.figure(figsize=(8.4, 6.4), dpi=120)
    axes: Any = figure.add_subplot(projection="3d")
    shown = [(q, bool(inside), result.branch_name(code)) for q, inside, code in zip(
        result, result.in_limits, result.branch, strict=False
    )]  # fmt: skip
    if not shown and result.nearest is not None:
        shown = [(result.nearest.q, True, f"nearest, {result.nearest.prefer} first")]
    points = [np.asarray(result.target.position)]
    for i, (q, inside, name) in enumerate(shown):
        segments, _, X_WT = skeleton(result.model, q)
        colour = plt.get_cmap("tab10")(i % 10)
        label = f"{i + 1}: {name}" + ("" if inside else " (outside the limits)")
        for a, b in segments:
            line = np.stack([a, b], 1)
            axes.plot(
                *line, color=colour, linewidth=2.6 if inside else 1.4, alpha=0.95 if inside else 0.35, label=label
            )
            label = "_nolegend_"
            points += [a, b]
        points.append(X_WT[:3, 3])
    position = points[0]
    axes.scatter(*position, color="black", s=34, depthshade=False)
    cloud = np.array(points)
    low, high = cloud.min(0), cloud.max(0)
    reach = max(float((high - low).max()), 1e-3)
    if result.target.kind == "point and direction":
        tip = position + 0.2 * reach * result.target.numbers[:3]
        axes.plot(*np.stack([position, tip], 1), color="black", linewidth=1.6, linestyle=":")
    else:
        X = fk(result.model, shown[0][0], result.frame) if shown else np.eye(4)
        axes.plot(
            *np.stack([position, position + 0.2 * reach * X[:3, 2]], 1), color="black", linewidth=1.6, linestyle=":"
        )
    for setter, centre in zip((axes.set_xlim, axes.set_ylim, axes.set_zlim), 0.5 * (low + high), strict=True):
        setter(centre - 0.55 * reach, centre + 0.55 * reach)
    axes.set_box_aspect((1, 1, 1))
    axes.set_xlabel("x [m]"), axes.set_ylabel("y [m]"), axes.set_zlabel("z [m]")
    axes.set_title(
        f"{result.model.name}: {len(result)} solutions, {int(result.in_limits.sum())} inside the limits", fontsize=11
    )
    if shown:
        axes.legend(loc="upper left", bbox_to_anchor=(-0.28, 1.0), fontsize=7, frameon=False)
    return save_figure(plt, figure, file)
