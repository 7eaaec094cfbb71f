"""Pictures of linkages: the bars drawn over their stroke, and angles and ratios against the drive (matplotlib)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from carpal.model import DriveCurve
from carpal.report.curves import COLOURS
from carpal.report.pictures.robot_pictures import pyplot, save_figure
from carpal.spatial import Array

FAINT, GROUND = 0.22, "#4a5568"


def bar_lines(curve: DriveCurve, drive: float) -> list[tuple[str, Array]]:
    """Every bar as a line (points, 2) [m] through its points in L, in the order given; ground first."""
    lines = []
    for bar in curve.linkage.bars:
        lines.append((bar.name, np.array([curve.place(f"{bar.name}.{label}", drive) for label in bar.points])))
    return lines


def save_linkage_picture(curve: DriveCurve, file: str | Path, *, poses: int = 7) -> Path:
    """The linkage over its stroke, first and last pose strong, those between faint; and the path of every phalanx's end."""
    plt: Any = pyplot()
    figure, ax = plt.subplots(figsize=(7.2, 6.4), dpi=120, layout="constrained")
    drives = np.linspace(curve.drives[0], curve.drives[-1], max(2, poses))
    for k, drive in enumerate(drives):
        strong = k in (0, len(drives) - 1)
        for i, (name, points) in enumerate(bar_lines(curve, float(drive))):
            if name == "ground":
                continue
            phalanx = curve.linkage.bars[i].phalanx
            ax.plot(
                *(1000 * points.T),
                color=COLOURS[(i - 1) % len(COLOURS)],
                linewidth=3.4 if phalanx else 1.8,
                alpha=(1.0 if k else 0.65) if strong else FAINT,
                marker="o",
                markersize=4 if strong else 2,
                solid_capstyle="round",
                label=name if k == len(drives) - 1 else None,
            )
        if curve.linkage.drive.kind == "push":
            ends = np.array([curve.place(place, float(drive)) for place in curve.linkage.push_points()])
            ax.plot(*(1000 * ends.T), color="black", linewidth=1.2, ls="--", alpha=1.0 if strong else FAINT)
    for slide in curve.linkage.slides:
        guide = np.array([curve.place(place, float(drives[-1])) for place in slide.along])
        ax.plot(*(1000 * guide.T), color=GROUND, linewidth=0.8, ls="-.")
    along = np.linspace(curve.drives[0], curve.drives[-1], 120)
    for name in curve.linkage.phalanges:
        bar = curve.linkage.bars[curve.linkage.index[name]]
        ax.plot(*(1000 * curve.place(f"{name}.{list(bar.points)[-1]}", along).T), color="black", linewidth=0.8, ls=":")
    ground = 1000 * bar_lines(curve, float(drives[0]))[0][1]
    ax.plot(*ground.T, color=GROUND, marker="^", markersize=8, linestyle="none", label="ground")
    ax.set_aspect("equal")
    ax.set_xlabel("x [mm]"), ax.set_ylabel("y [mm]")
    ax.grid(alpha=0.25)
    ax.legend(fontsize=8)
    ax.set_title(f"{curve.linkage.name} over its stroke", fontsize=11)
    return save_figure(plt, figure, file)


def save_curve_picture(curve: DriveCurve, file: str | Path) -> Path:
    """Angles of all moving bars and their ratios against the drive, with the toggles beyond the stroke marked."""
    plt: Any = pyplot()
    figure, axes = plt.subplots(2, 1, figsize=(7.2, 6.4), dpi=120, sharex=True, layout="constrained")
    drives = np.linspace(curve.drives[0], curve.drives[-1], 300)
    turns = curve.linkage.unit == "rad"
    shown = np.degrees(drives) if turns else 1000 * drives
    poses, rates = curve.poses(drives), curve.rates(drives)
    for i, name in enumerate(curve.linkage.moving):
        colour, width = COLOURS[i % len(COLOURS)], 2.4 if curve.linkage.bars[i + 1].phalanx else 1.2
        axes[0].plot(shown, np.degrees(poses[:, i + 1, 2]), color=colour, linewidth=width, label=name)
        ratio = rates[:, i + 1, 2] if turns else np.degrees(rates[:, i + 1, 2]) / 1000
        axes[1].plot(shown, ratio, color=colour, linewidth=width)
    for toggle in curve.toggles:
        at = np.degrees(toggle.drive) if turns else 1000 * toggle.drive
        for ax in axes:
            ax.axvline(at, color="#c53030", linestyle="--", linewidth=1)
        axes[0].annotate("toggle", (at, axes[0].get_ylim()[1]), color="#c53030", fontsize=8, va="top")
    axes[0].set_ylabel("angle [deg]")
    axes[1].set_ylabel("ratio [deg/deg]" if turns else "ratio [deg/mm]")
    axes[1].set_xlabel("drive [deg]" if turns else "drive [mm]")
    for ax in axes:
        ax.grid(alpha=0.25)
    axes[0].legend(fontsize=8, ncols=3)
    axes[0].set_title(f"{curve.linkage.name}: angles and transmission ratios", fontsize=11)
    return save_figure(plt, figure, file)
