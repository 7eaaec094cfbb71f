"""Pictures of the set-up aids: gaps, drifts, step responses over time, error against dt (matplotlib)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from carpal.engines import FallResult, HoldResult, StepResult, StudyResult
from carpal.report.curves import COLOURS
from carpal.report.pictures.robot_pictures import pyplot, save_figure
from carpal.spatial import Array

NAMED = 12  # curves in a legend


def save_setup_picture(result: FallResult | HoldResult | StepResult | StudyResult, file: str | Path) -> Path:
    """Draw the result of a set-up aid to a PNG file."""
    plt: Any = pyplot()
    two = isinstance(result, HoldResult)
    figure, axes = plt.subplots(2 if two else 1, 1, figsize=(7.6, 6.8 if two else 4.6), dpi=120, layout="constrained")
    if isinstance(result, FallResult):
        _curves(axes, result.time, 1e6 * result.gaps, result.joints, "joint gap [um]")
    elif isinstance(result, HoldResult):
        _curves(axes[0], result.time, result.away, result.actuators, "away from the command [rad, m]")
        _curves(axes[1], result.time, 1e3 * result.drift, result.bodies, "drift [mm]")
    elif isinstance(result, StepResult):
        axes.axhline(1.0, color="#a0aec0", linewidth=0.8)
        _curves(axes, result.time, result.response, result.actuators, "response, of the step")
    else:
        _study(axes, result)
    figure.suptitle("\n".join(_wrapped(result.status)), fontsize=9)
    return save_figure(plt, figure, file)


def _curves(ax: Any, time: Array, values: Array, names: tuple[str, ...], what: str) -> None:
    order = np.argsort(-np.abs(values).max(0))  # the largest are named
    for rank, k in enumerate(order):
        label = names[k] if rank < NAMED else None
        ax.plot(time, values[:, k], color=COLOURS[rank % len(COLOURS)], linewidth=1.2, label=label)
    ax.set_xlabel("time [s]"), ax.set_ylabel(what)
    ax.grid(alpha=0.25)
    ax.legend(fontsize=7, ncols=2)


def _study(ax: Any, result: StudyResult) -> None:
    finite = np.isfinite(result.error)
    ax.loglog(result.dt[finite], result.error[finite], "o-", color=COLOURS[0], label="error")
    ax.axhline(result.tolerance, color="#c53030", linestyle="--", linewidth=1, label="tolerance")
    ax.axvline(result.stable_step, color="#4a5568", linestyle=":", linewidth=1, label="stable step")
    ax.axvline(result.recommended, color="#2f855a", linewidth=1, label="recommended")
    ax.set_xlabel("dt [s]"), ax.set_ylabel("farthest body from the truth [m]")
    ax.grid(alpha=0.25, which="both")
    ax.legend(fontsize=8)


def _wrapped(text: str, width: int = 100) -> list[str]:
    import textwrap

    return textwrap.wrap(text, width)
