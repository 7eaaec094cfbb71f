"""Pictures of arm angles: the feasible set of a pose, every joint over the arm angle, and the band along a path."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from carpal.kinematics import BandPath, arm_angle_intervals, arm_slice
from carpal.model import Model
from carpal.report.pictures.robot_pictures import pyplot, save_figure
from carpal.spatial import Array

GOOD, BAD, LIMIT, CHOSEN, OTHER = "#2b6cb0", "#cbd5e0", "#c53030", "#dd6b20", "#a0aec0"
MOST_BARS = 16


def save_intervals_picture(model: Model, X_WT: Array, file: str | Path, *, psi: float | None = None) -> Path:
    """The feasible arm angles of a pose as bars, one row for each branch, and every joint over the arm angle with its limits."""
    plt: Any = pyplot()
    found, cut = arm_angle_intervals(model, X_WT), arm_slice(model, X_WT)
    rows: dict[str, list[tuple[float, float]]] = {}
    for stretch in cut.stretches:
        rows.setdefault(stretch.branch, []).append((stretch.low, stretch.high))
    shown = sorted(rows, key=lambda name: -sum(high - low for low, high in rows[name]))[:MOST_BARS]
    figure = plt.figure(figsize=(13, 8.6), dpi=110, layout="constrained")
    grid = figure.add_gridspec(3, 4, height_ratios=(1.1, 1, 1))
    bars = figure.add_subplot(grid[0, :])
    for row, name in enumerate(shown):
        for low, high in rows[name]:
            for part in _parts(low, high):
                bars.barh(row, part[1] - part[0], left=part[0], height=0.62, color=GOOD)
    bars.set_yticks(range(len(shown)), shown, fontsize=8)
    bars.set_ylim(max(len(shown), 1) - 0.4, -0.6)
    hidden = f", the widest {MOST_BARS} of {len(rows)} branches" if len(rows) > MOST_BARS else ""
    bars.set_title(f"{model.name}: arm angles inside all joint limits{hidden}\n{_short(found.status)}", fontsize=11)
    _angle_axis(bars)
    names = _names(model)
    inside = (cut.margin >= 0).all(1)
    for j, (column, name) in enumerate(names):
        ax = figure.add_subplot(grid[1 + j // 4, j % 4])
        q, angle = np.degrees(cut.q[:, column]), np.degrees(cut.psi)
        ax.scatter(angle[~inside], q[~inside], s=1.5, color=BAD, linewidths=0)
        ax.scatter(angle[inside], q[inside], s=3.5, color=GOOD, linewidths=0)
        _limits(ax, model, column)
        ax.set_title(f"{name} [deg]", fontsize=9)
        ax.set_ylim(*_span(model, column, q))
        _angle_axis(ax, small=True)
    key = figure.add_subplot(grid[2, 3])
    key.axis("off")
    for row, (colour, text) in enumerate(
        ((GOOD, "all joints inside"), (BAD, "some joint outside"), (LIMIT, "the joint's own limits"))
    ):
        key.plot([0.02, 0.14], [0.8 - 0.2 * row] * 2, color=colour, linewidth=4)
        key.text(0.2, 0.8 - 0.2 * row, text, va="center", fontsize=10)
    key.set_xlim(0, 1), key.set_ylim(0, 1)
    if psi is not None:
        for ax in figure.axes[:-1]:
            ax.axvline(np.degrees(np.remainder(psi + np.pi, 2 * np.pi) - np.pi), color=CHOSEN, linewidth=1.2)
        key.plot([0.02, 0.14], [0.2, 0.2], color=CHOSEN, linewidth=2)
        key.text(0.2, 0.2, f"psi = {np.degrees(psi):.1f} deg", va="center", fontsize=10)
    return save_figure(plt, figure, file)


def save_band_picture(band: BandPath, file: str | Path) -> Path:
    """The band with the chosen line over time, and every joint with its limits; where the band breaks is marked."""
    plt: Any = pyplot()
    figure = plt.figure(figsize=(13, 8.6), dpi=110, layout="constrained")
    grid = figure.add_gridspec(3, 4, height_ratios=(1.7, 1, 1))
    ax = figure.add_subplot(grid[0, :])
    t = band.path.time
    edges = np.concatenate([[t[0]], 0.5 * (t[1:] + t[:-1]), [t[-1]]])
    for i, cut in enumerate(band.slices):
        for stretch in cut.stretches:
            for low, high in _parts(stretch.low, stretch.high):
                ax.fill_between(edges[i : i + 2], low, high, color=OTHER, alpha=0.16, linewidth=0)
    full = ~np.isfinite(band.high - band.low)
    ends = [np.degrees(np.where(full, band.psi + side * np.pi, end)) for side, end in ((-1, band.low), (1, band.high))]
    for turn in (-720, -360, 0, 360, 720):  # the line is unwrapped; the picture shows one turn
        ax.fill_between(band.time, ends[0] + turn, ends[1] + turn, color=GOOD, alpha=0.35, linewidth=0)
        ax.plot(band.time, np.degrees(band.psi) + turn, color=CHOSEN, linewidth=2.2)
    ax.set_ylim(-180, 180), ax.set_yticks(range(-180, 181, 60))
    ax.set_ylabel("arm angle [deg]"), ax.set_xlim(t[0], t[-1])
    ax.set_title(f"{band.model.name}: {_short(band.status)}", fontsize=11)
    ax.plot([], [], color=CHOSEN, linewidth=2.2, label="chosen")
    ax.fill_between([], [], color=GOOD, alpha=0.35, label="the band that it runs in")
    ax.fill_between([], [], color=OTHER, alpha=0.3, label="other branches (darker: more)")
    ax.legend(loc="upper right", fontsize=8, framealpha=0.9)
    for j, (column, name) in enumerate(_names(band.model)):
        panel = figure.add_subplot(grid[1 + j // 4, j % 4])
        q = np.degrees(band.q[:, column])
        panel.plot(band.time, q, color=CHOSEN, linewidth=1.8)
        _limits(panel, band.model, column)
        panel.set_ylim(*_span(band.model, column, q))
        panel.set_xlim(t[0], t[-1])
        panel.set_title(f"{name} [deg]", fontsize=9)
        panel.tick_params(labelsize=7)
        if j >= 3:
            panel.set_xlabel("time [s]", fontsize=8)
    margin = figure.add_subplot(grid[2, 3])
    margin.plot(band.time, np.degrees(band.joint_margin), color=CHOSEN, linewidth=1.8)
    margin.set_title("nearest joint limit [deg]", fontsize=9)
    margin.set_xlim(t[0], t[-1]), margin.set_ylim(bottom=0)
    margin.set_xlabel("time [s]", fontsize=8), margin.tick_params(labelsize=7)
    if band.broken is not None:
        for panel in figure.axes:
            panel.axvline(band.broken.time, color=LIMIT, linewidth=1.4)
            if band.broken.time < t[-1]:
                panel.axvspan(band.broken.time, t[-1], color=LIMIT, alpha=0.06, linewidth=0)
    return save_figure(plt, figure, file)


def _parts(low: float, high: float) -> list[tuple[float, float]]:
    """An interval of angles as parts of [-180, 180] deg."""
    if high - low >= 2 * np.pi - 1e-9:
        return [(-180.0, 180.0)]
    turn = 2 * np.pi * np.floor((low + np.pi) / (2 * np.pi))
    a, b = np.degrees(low - turn), np.degrees(high - turn)
    return [(a, b)] if b <= 180 else [(a, 180.0), (-180.0, b - 360)]


def _names(model: Model) -> list[tuple[int, str]]:
    """(column in q, name) of the arm's seven joints."""
    from carpal.kinematics import chain_axes

    axes = chain_axes(model)
    return [(int(column), name) for column, name in zip(axes.columns, axes.names, strict=True)]


def _limits(ax: Any, model: Model, column: int) -> None:
    for limit in (model.q_min[column], model.q_max[column]):
        if np.isfinite(limit):
            ax.axhline(np.degrees(limit), color=LIMIT, linewidth=1, linestyle="--")


def _span(model: Model, column: int, q: Array) -> tuple[float, float]:
    """Room for the limits, and for what goes beyond them."""
    ends = [np.degrees(x) for x in (model.q_min[column], model.q_max[column]) if np.isfinite(x)]
    values = [*ends, *(q if len(q) else [0.0])]
    low, high = float(min(values)), float(max(values))
    room = 0.05 * max(high - low, 1.0)
    return low - room, high + room


def _angle_axis(ax: Any, *, small: bool = False) -> None:
    ax.set_xlim(-180, 180)
    ax.set_xticks(range(-180, 181, 90 if small else 30))
    ax.tick_params(labelsize=7 if small else 8)
    ax.set_xlabel("arm angle [deg]", fontsize=8 if small else 9)


def _short(status: str, width: int = 120) -> str:
    """A sentence over as many lines as it needs."""
    import textwrap

    return "\n".join(textwrap.wrap(status, width))
