"""Pictures of a reaction-aware move: mount force and table shift over time, and the joints, beside what it is compared with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from carpal.planning import MountReaction, ReactionMove
from carpal.report.pictures.robot_pictures import pyplot, save_figure

STYLES = {
    "baseline": ("quintic to the nearest posture", "#4a5568", "-", 1.6),
    "timing only": ("timing only", "#dd6b20", "--", 1.6),
    "posture only": ("posture only", "#2b6cb0", "-.", 1.6),
    "reaction-aware": ("reaction-aware", "#2f855a", "-", 2.6),
}


def save_reaction_picture(move: ReactionMove, file: str | Path, *, title: str = "") -> Path:
    """Draw the four variants of a move to a PNG file: horizontal mount force, table shift, and the joints' speeds."""
    plt: Any = pyplot()
    figure, (force, shift, joints) = plt.subplots(3, 1, figsize=(8, 9.4), dpi=110, layout="constrained", sharex=True)
    for variant in move.variants:
        label, colour, dashes, width = STYLES[variant.name]
        q, v, vdot = variant.sample(move.duration / 600)
        times = np.arange(len(q)) * move.duration / 600
        for ax, kind, factor, unit in ((force, "force", 1.0, "N"), (shift, "displacement", 1000.0, "mm")):
            reaction = factor * np.linalg.norm(MountReaction(move.model, kind, q[0]).values(q, v, vdot), axis=1)
            text = f"{label}: peak {reaction.max():.3g} {unit}"
            ax.plot(times, reaction, dashes, color=colour, linewidth=width, label=text)
    _, v, _ = move.sample(move.duration / 600)
    for j, name in enumerate(move.model.joint_names):
        if np.isfinite(move.model.v_max[j]):
            joints.plot(np.arange(len(v)) * move.duration / 600, 100 * v[:, j] / move.model.v_max[j], label=name)
    force.set_ylabel("horizontal force\non a held mount [N]")
    shift.set_ylabel("horizontal shift of a free,\nmassless table [mm]")
    joints.set_ylabel("joint speed, reaction-aware\n[% of its limit]")
    joints.set_xlabel("time [s]")
    joints.axhline(100, color="#c53030", linewidth=0.8), joints.axhline(-100, color="#c53030", linewidth=0.8)
    for ax in (force, shift, joints):
        ax.grid(alpha=0.3)
        if ax.get_legend_handles_labels()[0]:
            ax.legend(fontsize=8, loc="upper left", ncols=4 if ax is joints else 1)
    for ax in (force, shift):
        ax.set_ylim(0, 1.45 * ax.get_ylim()[1])  # room for the legend
    joints.set_ylim(-112, 160)
    where = ", ".join(f"{x:g}" for x in move.point)
    force.set_title(title or f"{move.model.name} to ({where}) m in {move.duration:g} s", fontsize=11)
    return save_figure(plt, figure, file)
