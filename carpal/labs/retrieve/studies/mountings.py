"""Comparison of Leutenegger's two mountings of the K10 arm in its work area: wrist 0.2 m above ground, gripper straight down.

Leutenegger 2008, section 5.3.1 and figure 20. For each mounting: the area that the wrist reaches, the part of it in front of the
rover and inside the camera's view, and what the waist motor must hold against gravity, with and without the relay.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from carpal.dynamics import gravity_forces
from carpal.kinematics import SliceMap, workspace_slice
from carpal.model import load
from carpal.perception import in_view, looking_at
from carpal.spatial import Array

WRIST_HEIGHT = 0.2  # [m] above ground
RELAY_MASS = 0.49  # [kg]
# assumed (docs/assumptions.md): where the relay's weight hangs, seen from the wrist along the gripper, and the camera
RELAY_OFFSET = 0.15  # [m]
CAMERA_EYE, CAMERA_AT = (-0.3, 0.0, 1.5), (0.6, 0.0, 0.0)  # [m]; the rover's front is the plane x = 0
ELBOW_RIGHT = (0.0, -0.5, 1.5, 0.0, 0.5)  # Leutenegger prefers this side
CAMERA_ANGLES = (np.radians(60.0), np.radians(45.0))


@dataclass(frozen=True, eq=False)
class MountingMap:
    """One mounting: its slice and what was read from it."""

    mounting: str
    slice: SliceMap
    seen: np.ndarray
    torque: Array
    torque_with_relay: Array

    @property
    def numbers(self) -> dict[str, float]:
        """Areas [m^2] and the largest waist torque [N m]."""
        cell = self.slice.cell_area
        ahead = self.slice.points[..., 0] >= 0
        return {
            "area_m2": self.slice.area,
            "area_ahead_m2": float((self.slice.reachable & ahead).sum()) * cell,
            "area_in_view_m2": float((self.slice.reachable & self.seen).sum()) * cell,
            "waist_torque_Nm": _largest(self.torque),
            "waist_torque_with_relay_Nm": _largest(self.torque_with_relay),
        }


def _largest(values: Array) -> float:
    return float(np.nanmax(np.abs(values))) if np.isfinite(values).any() else 0.0


def compare_mountings(
    *, step: float = 0.02, device: str = "cpu", progress: Callable[[float], None] | None = None
) -> list[MountingMap]:
    """Both mountings, upside down first; grid step in metres, `progress` called with the share that is done."""
    camera = looking_at(CAMERA_EYE, CAMERA_AT)
    maps: list[MountingMap] = []
    for mounting in ("upside_down", "sideways"):
        model = load("k10", mounting=mounting, inertia="assumed")
        made = workspace_slice(
            model, WRIST_HEIGHT, span=(-0.8, 0.8, -0.8, 0.8), step=step, direction=(0, 0, -1), q0=ELBOW_RIGHT,
            device=device, progress=None if progress is None else functools.partial(_half, progress, len(maps)),
        )  # fmt: skip
        torques = []
        for held in (model, model.with_payload(RELAY_MASS, (RELAY_OFFSET, 0, 0))):
            torque = np.full(made.reachable.shape, np.nan)
            if made.reachable.any():
                torque[made.reachable] = gravity_forces(held, made.q[made.reachable])[:, 0]
            torques.append(torque)
        # the rover hides what is under it from its own camera
        seen = in_view(camera, made.points, *CAMERA_ANGLES) & (made.points[..., 0] >= 0)
        maps.append(MountingMap(mounting, made, seen, *torques))
    return maps


def _half(progress: Callable[[float], None], done: int, share: float) -> None:
    progress((done + share) / 2)


def comparison_sentence(maps: list[MountingMap]) -> str:
    """What the comparison says, in one sentence."""
    down, side = (m.numbers for m in maps)
    return (
        f"Mounted upside down the wrist reaches {down['area_m2']:.2f} m^2 of the plane 0.2 m above ground, "
        f"{down['area_in_view_m2']:.2f} m^2 of it in the camera's view; sideways {side['area_m2']:.2f} and "
        f"{side['area_in_view_m2']:.2f} m^2, and the waist must hold up to {side['waist_torque_with_relay_Nm']:.1f} N m "
        f"(upside down {down['waist_torque_with_relay_Nm']:.1f})."
    )


def save_mountings_picture(maps: list[MountingMap], file: str | Path) -> Path:
    """Both maps side by side: waist torque in colour, the camera's view outlined, the rover shaded."""
    from carpal.report import pyplot, save_figure

    plt: Any = pyplot()
    figure, axes = plt.subplots(1, 2, figsize=(12, 5.8), dpi=110, sharey=True, layout="constrained")
    highest = max(m.numbers["waist_torque_with_relay_Nm"] for m in maps) or 1.0
    drawn = None
    for ax, one in zip(axes, maps, strict=True):
        ax.axvspan(-0.85, 0.0, color="#edf2f7", zorder=0)
        ax.text(-0.78, 0.74, "under the rover", fontsize=9, color="#4a5568")
        drawn = ax.pcolormesh(
            one.slice.u,
            one.slice.v,
            np.abs(one.torque_with_relay),
            cmap="viridis",
            vmin=0,
            vmax=highest,
            shading="nearest",
        )
        ax.contour(one.slice.u, one.slice.v, one.seen.astype(float), levels=[0.5], colors="#c53030", linewidths=1.6)
        ax.plot(0, 0, "o", color="black", markersize=5)
        n = one.numbers
        ax.set_title(
            f"{one.mounting.replace('_', ' ')}: {n['area_m2']:.2f} m$^2$, {n['area_in_view_m2']:.2f} in view\n"
            f"waist holds {n['waist_torque_Nm']:.2f} N m, with the relay {n['waist_torque_with_relay_Nm']:.2f}",
            fontsize=11,
        )
        ax.set_aspect("equal")
        ax.set_xlim(-0.82, 0.82)
        ax.set_ylim(-0.82, 0.82)
        ax.set_xlabel("x, ahead of the rover [m]")
    axes[0].set_ylabel("y [m]")
    figure.suptitle("K10 arm: wrist 0.2 m above ground, gripper straight down, base 0.4 m up (red: camera's view)")
    figure.colorbar(drawn, ax=axes, label="waist torque against gravity, relay held [N m]", shrink=0.85)
    return save_figure(plt, figure, file)
