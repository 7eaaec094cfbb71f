"""Pictures of workspaces: plane slices coloured by manipulability, and projections of a sampled cloud."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from carpal.kinematics import SliceMap, Workspace
from carpal.report.pictures.robot_pictures import pyplot, save_figure


def save_slice_picture(made: SliceMap, file: str | Path, *, title: str, normal: int = 2) -> Path:
    """One slice: reachable cells coloured by position manipulability."""
    plt: Any = pyplot()
    figure, ax = plt.subplots(figsize=(6.6, 5.8), dpi=110, layout="constrained")
    drawn = ax.pcolormesh(made.u, made.v, made.measure, cmap="viridis", shading="nearest", vmin=0)
    names = [letter for i, letter in enumerate("xyz") if i != normal]
    ax.set_xlabel(f"{names[0]} [m]"), ax.set_ylabel(f"{names[1]} [m]")
    ax.set_aspect("equal")
    ax.set_title(f"{title}\n{made.area:.3f} m$^2$ reachable", fontsize=11)
    figure.colorbar(drawn, ax=ax, label="position manipulability [m$^3$]")
    return save_figure(plt, figure, file)


def save_cloud_picture(cloud: Workspace, file: str | Path, *, title: str) -> Path:
    """Three projections of a sampled workspace, each cell coloured by its best manipulability."""
    plt: Any = pyplot()
    figure, axes = plt.subplots(1, 3, figsize=(14, 4.6), dpi=110, layout="constrained")
    drawn = None
    for ax, along in zip(axes, (2, 1, 0), strict=True):
        first, second = [i for i in range(3) if i != along]
        best = np.where((cloud.hits > 0).any(along), cloud.best.max(along), np.nan)
        edges = [cloud.corner[i] + cloud.cell * np.arange(cloud.hits.shape[i] + 1) for i in (first, second)]
        drawn = ax.pcolormesh(*edges, best.T, cmap="viridis", vmin=0, vmax=float(cloud.best.max()))
        ax.set_xlabel(f"{'xyz'[first]} [m]"), ax.set_ylabel(f"{'xyz'[second]} [m]")
        ax.set_aspect("equal")
    figure.suptitle(f"{title}: {cloud.volume:.3f} m$^3$ at least ({len(cloud.points)} samples)", fontsize=12)
    figure.colorbar(drawn, ax=axes, label="best position manipulability [m$^3$]", shrink=0.85)
    return save_figure(plt, figure, file)
