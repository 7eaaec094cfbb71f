"""`plot` of nouns and results: a matplotlib figure of a robot's picture, of a run's curves, or of a motion."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from carpal._core.figures import new_figure, written
from carpal.engines import Recording
from carpal.errors import InputError
from carpal.model import Model, Scene
from carpal.planning import Trajectory
from carpal.report.curves import COLOURS, Chart, charts, thinned
from carpal.report.replay import recorded_model
from carpal.report.stills import framed_still
from carpal.spatial import Array

MOST_CHARTS, MOST_POSES, ROWS = 6, 4, 1500
MOST_NAMES = 12
"""Curves of a chart that a legend still names."""


def plot(thing: Any, file: str | os.PathLike[str] | None = None, q: Any = None) -> Any:
    """A matplotlib figure of a model, scene, recording, trajectory or result.

    Args:
        thing: what is drawn: a model or scene as a shaded picture, a run as curves over time, an answer of inverse kinematics as
            the robot at its configurations.
        file: the figure is also written there.
        q: configuration (nq) of a model or scene; home by default.
    """
    match thing:
        case Scene():
            return plot(thing.build(), file, q)
        case Model():
            home = np.asarray(thing.q_home if q is None else q, float)
            return _poses(thing, home.reshape(-1, thing.nq), thing.name, file)
        case Recording():
            return _run(thing, file)
        case Trajectory():
            return thing.plot(file)
    for name in ("recording", "trajectory", "motion"):
        part = getattr(thing, name, None)
        if isinstance(part, Recording):
            return _run(part, file)
        if isinstance(part, Trajectory):
            return part.plot(file, getattr(thing, "model", None))
    model, found = getattr(thing, "model", None), getattr(thing, "q", getattr(thing, "path", None))
    if isinstance(model, Model) and found is not None and np.asarray(found).size:
        return _poses(model, np.asarray(found, float).reshape(-1, model.nq), str(thing), file)
    raise InputError(f"a {type(thing).__name__} has nothing to plot; print() says what it found.")


def _run(recording: Recording, file: Any) -> Any:
    """The first charts of a run, one below the other."""
    if len(recording.time) < 2:
        raise InputError("this recording has fewer than two rows: there is nothing to plot.")
    found = charts(recording, recorded_model(recording))[:MOST_CHARTS]
    rows = -(-len(found) // 2)
    figure = new_figure(10.0, 2.6 * rows + 0.4)
    for axes, chart in zip(figure.subplots(rows, 2, squeeze=False).flat, found, strict=False):
        _curves(axes, np.asarray(recording.time, float), chart)
    for axes in figure.axes[len(found) :]:
        axes.set_visible(False)
    figure.suptitle(recording.status, fontsize=10)
    return written(figure, file)


def _curves(axes: Any, time: Array, chart: Chart) -> None:
    rows = thinned(time, chart.values, ROWS)
    for i, name in enumerate(chart.names):
        axes.plot(time[rows], chart.values[rows, i], color=COLOURS[i % len(COLOURS)], linewidth=1.2, label=name)
    axes.set_title(f"{chart.title} [{chart.unit}]", fontsize=9, loc="left")
    axes.set_xlabel("time [s]", fontsize=8)
    axes.tick_params(labelsize=7)
    axes.grid(alpha=0.25)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    if 1 < len(chart.names) <= MOST_NAMES:
        axes.legend(fontsize=6, ncol=3, frameon=False)


def _poses(model: Model, q: Array, title: str, file: Any) -> Any:
    """Shaded pictures of a robot at some configurations (n, nq), the first few of many."""
    if not np.isfinite(q).all():
        raise InputError("q has a number that is not finite: there is no picture of it.")
    shown = q[np.unique(np.linspace(0, len(q) - 1, MOST_POSES).astype(int))]
    figure = new_figure(5.2 * len(shown), 4.2)
    for axes, one in zip(figure.subplots(1, len(shown), squeeze=False)[0], shown, strict=True):
        axes.imshow(framed_still(model, one))
        axes.set_axis_off()
    figure.suptitle(title[:160], fontsize=9, wrap=True)
    return written(figure, file)
