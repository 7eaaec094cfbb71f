"""Pictures of spring fingers: motions with their energy, designed springs, identified constants (matplotlib)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from carpal.labs.finger.as_printed import PrintedMotion
from carpal.labs.finger.design import SpringDesign
from carpal.labs.finger.identification import FingerFit
from carpal.labs.finger.motion import FingerMotion
from carpal.labs.finger.record import FingerRecord
from carpal.labs.finger.robot import SpringFinger
from carpal.labs.finger.spring_choice import SpringChoice
from carpal.labs.finger.statics import closing_curve
from carpal.report import COLOURS, pyplot, save_figure
from carpal.spatial import Array

JOINTS = ("joint 1", "joint 2", "joint 3")


def save_finger_motion(motion: FingerMotion, file: str | Path, printed: PrintedMotion | None = None) -> Path:
    """Angles, energies and some poses of one motion; with the printed equations' energy where it is given."""
    plt: Any = pyplot()
    figure, axes = plt.subplots(1, 3, figsize=(13.5, 4.2), dpi=110, layout="constrained")
    for i, name in enumerate(JOINTS):
        axes[0].plot(motion.time, np.degrees(motion.q[:, i]), color=COLOURS[i], label=name)
    axes[0].set_ylabel("joint angle [deg]")
    parts = ("kinetic", "gravity", "springs", "work of loads", "loss in dampers")
    for i, name in enumerate(parts):
        if motion.ledger[:, i].any():
            axes[1].plot(motion.time, 1000 * motion.ledger[:, i], color=COLOURS[i + 3], linewidth=1, label=name)
    axes[1].plot(motion.time, 1000 * motion.energy, color="black", label="energy")
    if printed is not None:
        shown = printed.energy <= 4 * max(float(motion.energy.max()), float(motion.energy[0]))
        axes[1].plot(printed.time[shown], 1000 * printed.energy[shown], color="black", ls="--", label="as printed")
    axes[1].set_ylabel("energy [mJ]")
    axes[1].set_title(f"ledger closes within {float(motion.energy_error):.1e}", fontsize=10)
    for ax in axes[:2]:
        ax.set_xlabel("time [s]")
        ax.grid(alpha=0.25)
        ax.legend(fontsize=8)
    rows = np.linspace(0, len(motion.time) - 1, 9).astype(int)
    for k, row in enumerate(rows):
        draw_finger(axes[2], motion.finger, motion.q[row], COLOURS[0], 0.25 + 0.75 * k / (len(rows) - 1))
    _plane(axes[2], motion.finger, "poses, later ones darker")
    return save_figure(plt, figure, file)


def save_finger_design(design: SpringDesign, choice: SpringChoice | None, file: str | Path) -> Path:
    """The finger at rest with designed and standard springs; with a closing order also its angles against the tension."""
    plt: Any = pyplot()
    closes = design.tension is not None
    figure, axes = plt.subplots(
        1, 1 + closes, figsize=(5.4 + 5.4 * closes, 4.6), dpi=110, layout="constrained", squeeze=False
    )
    draw_finger(axes[0, 0], design.finger, design.rest, COLOURS[0], 1.0, "designed springs")
    if choice is not None:
        names = ", ".join(spring.name for spring in choice.springs)
        draw_finger(axes[0, 0], design.finger, choice.q, COLOURS[1], 1.0, f"standard: {names}")
    _plane(axes[0, 0], design.finger, "at rest")
    axes[0, 0].legend(fontsize=8)
    if design.tension is not None:
        ax, pulls = axes[0, 1], np.linspace(0.0, 1.1 * float(design.tension.max()), 160)
        shown = [(design.finger, "-", "designed")] + ([] if choice is None else [(choice.finger, "--", "standard")])
        for finger, style, label in shown:
            q = np.degrees(closing_curve(finger, pulls, design.load))
            for i in range(3):
                ax.plot(pulls, q[:, i], color=COLOURS[i], ls=style, label=f"{JOINTS[i]}, {label}")
        for i in range(3):
            ax.axvline(design.tension[i], color=COLOURS[i], linewidth=0.7, ls=":")
        ax.set_xlabel("tension of the tendon [N]"), ax.set_ylabel("joint angle [deg]")
        ax.set_title(f"closing, order {'-'.join(map(str, design.order or ()))}", fontsize=11)
        ax.grid(alpha=0.25)
        ax.legend(fontsize=7)
    return save_figure(plt, figure, file)


def save_finger_fit(fit: FingerFit, record: FingerRecord, file: str | Path) -> Path:
    """Recorded and simulated angles, what is left over, and the constants with their intervals."""
    plt: Any = pyplot()
    figure, axes = plt.subplots(1, 3, figsize=(13.5, 4.2), dpi=110, layout="constrained")
    for i, name in enumerate(JOINTS):
        axes[0].plot(record.time, np.degrees(record.q[:, i]), ".", color=COLOURS[i], markersize=2)
        axes[0].plot(record.time, np.degrees(record.q[:, i] - fit.residual[:, i]), color=COLOURS[i], label=name)
        axes[1].plot(record.time, np.degrees(fit.residual[:, i]), ".", color=COLOURS[i], markersize=2)
    axes[0].set_ylabel("joint angle [deg], points recorded"), axes[1].set_ylabel("recorded - simulated [deg]")
    for ax in axes[:2]:
        ax.set_xlabel("time [s]")
        ax.grid(alpha=0.25)
    axes[0].legend(fontsize=8)
    axes[1].set_title(f"noise {np.degrees(fit.noise):.3g} deg", fontsize=10)
    shown = 6
    reach = 100 * 0.5 * (fit.high - fit.low)[:shown] / np.abs(fit.value[:shown])
    axes[2].errorbar(range(shown), np.zeros(shown), yerr=reach, fmt="o", color=COLOURS[0], capsize=4)
    labels = [f"{name}\n{value:.4g}" for name, value in zip(fit.names[:shown], fit.value[:shown], strict=True)]
    axes[2].set_xticks(range(shown), labels, fontsize=8)
    axes[2].set_ylabel(f"{100 * fit.level:g} % interval [% of the value]")
    axes[2].grid(alpha=0.25, axis="y")
    return save_figure(plt, figure, file)


def draw_finger(ax: Any, finger: SpringFinger, q: Array, colour: str, alpha: float, label: str | None = None) -> None:
    """The three phalanges as thick lines with their joints [mm]."""
    points = 1000 * finger.points(q)
    ax.plot(*points.T, color=colour, alpha=alpha, linewidth=4, solid_capstyle="round", label=label)
    ax.plot(*points[:-1].T, "o", color="white", markeredgecolor=colour, markersize=6, alpha=alpha)


def _plane(ax: Any, finger: SpringFinger, title: str) -> None:
    reach = 1100 * float(finger.length.sum())
    ax.set_xlim(-0.6 * reach, reach), ax.set_ylim(-0.6 * reach, reach)
    ax.set_aspect("equal")
    g = finger.gravity[:2]
    if g.any():
        tail = np.array([-0.45, 0.75]) * reach
        ax.annotate(
            "", tail + 0.2 * reach * g / np.linalg.norm(g), tail, arrowprops={"arrowstyle": "->", "color": "#4a5568"}
        )
        ax.annotate("gravity", tail, color="#4a5568", fontsize=8, xytext=(3, 4), textcoords="offset points")
    ax.set_xlabel("x [mm]"), ax.set_ylabel("y [mm]")
    ax.grid(alpha=0.25)
    ax.set_title(title, fontsize=11)
