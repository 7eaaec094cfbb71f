"""Pictures of a payload that may turn: friction map (Leutenegger 2008, figure 34), its set while the gripper tilts (35, 36)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from carpal.planning import AngleSet, Payload, angles_under_gravity, friction_map
from carpal.report.pictures.robot_pictures import pyplot, save_figure

COLOURS = {"stays": "#2f855a", "turns": "#c53030", "maybe": "#ecc94b"}
CELL_COLOURS = ("#edf2f7", "#2b6cb0", "#ed8936")  # not there, may rest, may be passing
TILTS = (20.0, 29.8, 30.2, 48.4, 49.2, 49.6, 73.6)  # degrees, of figures 35 and 36


def save_friction_map(payload: Payload, file: str | Path, *, steps: int = 361) -> Path:
    """Where a payload stays, turns or may turn, by tilt and angle to gravity."""
    plt = pyplot()
    from matplotlib.colors import ListedColormap

    tilt, alpha, outcome = friction_map(payload, steps=steps)
    figure, axes = plt.subplots(figsize=(6.4, 5.2), dpi=120)
    extent = np.degrees([tilt[0], tilt[-1], alpha[0], alpha[-1]])
    colours = ListedColormap(list(COLOURS.values()))
    axes.imshow(
        outcome.T, origin="lower", extent=extent, aspect="auto", cmap=colours, vmin=0, vmax=2, interpolation="nearest"
    )
    for name, colour in COLOURS.items():
        axes.scatter([], [], color=colour, marker="s", s=70, label=name)
    axes.legend(loc="upper left", framealpha=0.95)
    axes.set_xlabel("tilt of the gripper's axis from gravity [degrees]")
    axes.set_ylabel("angle of the centre of mass from gravity [degrees]")
    axes.set_title(f"'{payload.name}' with friction from {payload.mu_low:g} to {payload.mu_high:g}", fontsize=11)
    return save_figure(plt, figure, file)


def draw_cells(axes: Any, angles: AngleSet, *, gravity: float | None = None, title: str = "") -> None:
    """The circle of cells with their states, 0 to the right; gravity's direction [rad] as a line."""
    from matplotlib.patches import Wedge

    n = len(angles.states)
    for r, state in enumerate(angles.states):
        middle = np.degrees((r / n - 0.5) * 2 * np.pi)
        half = 180.0 / n
        axes.add_patch(
            Wedge((0, 0), 1.0, middle - half, middle + half, width=0.32, color=CELL_COLOURS[int(state)], linewidth=0)
        )
    if gravity is not None:
        axes.plot([0, 0.95 * np.cos(gravity)], [0, 0.95 * np.sin(gravity)], color="#1a202c", linewidth=1.6)
    axes.set_xlim(-1.1, 1.1), axes.set_ylim(-1.1, 1.1)
    axes.set_aspect("equal"), axes.set_axis_off()
    axes.set_title(title, fontsize=9)


def save_tilt_picture(
    payload: Payload, file: str | Path, *, grasp: float = np.radians(105.0), tilts: Sequence[float] = TILTS
) -> Path:
    """The set while the gripper tilts further and further, as in figures 35 and 36.

    Args:
        payload: what is held.
        file: PNG.
        grasp: angle from gravity at which it was grasped [rad].
        tilts: degrees to show; the first is where it begins.
    """
    degrees = np.unique(np.concatenate([np.arange(tilts[0], tilts[-1], 0.1), tilts]))
    tilt = np.radians(degrees)
    g = 9.81 * np.stack([np.sin(tilt), np.zeros_like(tilt), np.cos(tilt)], axis=-1)
    states, _, _, _ = angles_under_gravity(payload, g, np.full(len(tilt), 2.0), angle=grasp)
    plt = pyplot()
    figure, axes = plt.subplots(1, len(tilts), figsize=(2.1 * len(tilts), 2.6), dpi=120)
    for axis, shown in zip(np.atleast_1d(axes), tilts, strict=True):
        nearest = int(np.argmin(np.abs(degrees - shown)))
        draw_cells(axis, AngleSet(states[nearest]), gravity=0.0, title=f"tilt {shown:g} degrees")
    for name, colour in zip(("may rest", "may be passing"), CELL_COLOURS[1:], strict=True):
        figure.axes[0].scatter([], [], color=colour, marker="s", label=name)
    figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="lower center", ncol=2, frameon=False, fontsize=9)
    return save_figure(plt, figure, file)
