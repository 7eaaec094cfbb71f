"""A picture of a trajectory: positions, speeds and accelerations over time, each as a share of its limit where known."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from carpal._core.figures import new_figure, written
from carpal.model import Model
from carpal.planning.trajectories.trajectory import Trajectory

ROWS = 1500  # samples of a picture


def plot_trajectory(
    trajectory: Trajectory, file: str | os.PathLike[str] | None = None, model: Model | None = None
) -> Any:
    """A figure of a trajectory; with a model, dashed lines where the first joint that comes near has its limits."""
    times = np.linspace(0.0, trajectory.duration, ROWS)
    values = trajectory.at(times)
    limits: list[Any] = [None, None, None]
    if model is not None and model.nq == trajectory.nq:
        limits = [None, model.v_max, model.vdot_max]
    figure = new_figure(8, 8)
    axes = figure.subplots(3, 1, sharex=True)
    words = ("position [rad, m]", "speed [rad/s, m/s]", "acceleration [rad/s², m/s²]")
    for axis, value, limit, word in zip(axes, values, limits, words, strict=True):
        shown = value
        if limit is not None and np.isfinite(limit).all():
            shown, word = value / limit, f"{word.split(' [')[0]} / limit"
            for end in (-1.0, 1.0):
                axis.axhline(end, color="#c53030", linestyle="--", linewidth=1)
        for j, name in enumerate(trajectory.joint_names):
            axis.plot(times, shown[:, j], label=name, linewidth=1.3)
        for passed in trajectory.passing:
            axis.axvline(passed, color="#a0aec0", linewidth=0.5)
        axis.set_ylabel(word)
        axis.grid(alpha=0.3)
    axes[0].legend(fontsize=8, ncol=4)
    axes[0].set_title(trajectory.status, fontsize=10)
    axes[-1].set_xlabel("time [s]")
    return written(figure, file)
