"""Pictures of robots: as they look, and links as lines, joints as drums on their axes, the tool as a small frame (matplotlib)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.kinematics import fk
from carpal.model import Model
from carpal.spatial import Array, align_z

LINK, DRUM, MASS, TOOL = "#4a5568", "#2b6cb0", "#dd6b20", ("#c53030", "#2f855a", "#2b6cb0")


def pyplot() -> Any:
    """matplotlib.pyplot, set to write files."""
    try:
        import matplotlib
    except ImportError:
        raise InputError("pictures need matplotlib: install the extra carpal[plots].") from None
    matplotlib.use("Agg")  # files only; a window would need a screen
    import matplotlib.pyplot as plt

    return plt


def skeleton(model: Model, q: Array) -> tuple[list[tuple[Array, Array]], list[tuple[Array, Array, str]], Array]:
    """Link segments, joints as (point, axis, kind), and the tool's pose, all in the world."""
    poses = {body.name: fk(model, q, body.name) for body in model.bodies}
    segments, joints = [], []
    for body in model.bodies:
        X_WP = np.eye(4) if body.parent is None else poses[body.parent]
        X_WJ = X_WP @ body.joint.X_PJ
        start, at, end = X_WP[:3, 3], X_WJ[:3, 3], poses[body.name][:3, 3]
        if body.parent is not None:
            segments.append((start, at))
        segments.append((at, end))
        if body.joint.kind in ("revolute", "prismatic"):
            joints.append((at, X_WJ[:3, :3] @ body.joint.axis, body.joint.kind))
        elif body.joint.kind == "ball":
            joints.append((at, X_WJ[:3, 2], "ball"))
    X_WT = fk(model, q)
    tip = next((frame.body for frame in model.extra_frames if frame.name == model.tool), None)
    if tip is not None:
        segments.append((poses[tip][:3, 3], X_WT[:3, 3]))
    return [s for s in segments if np.linalg.norm(s[1] - s[0]) > 1e-9], joints, X_WT


def _drum(axes: Any, point: Array, axis: Array, kind: str, size: float) -> None:
    R = align_z(axis)
    turns = np.linspace(0, 2 * np.pi, 25)
    radius, half = (0.6 * size, 0.9 * size) if kind == "revolute" else (0.3 * size, 1.4 * size)
    ring = radius * np.stack([np.cos(turns), np.sin(turns), np.zeros_like(turns)])
    ends = [point[:, None] + R @ (ring + np.array([[0.0], [0.0], [h]])) for h in (-half, half)]
    grid = np.stack(ends, axis=1)  # (3, 2, 25)
    axes.plot_surface(grid[0], grid[1], grid[2], color=DRUM, alpha=0.85, linewidth=0, shade=True)


def _draw(axes: Any, model: Model, q: Array) -> None:
    segments, joints, X_WT = skeleton(model, q)
    points = np.array([p for segment in segments for p in segment] + [X_WT[:3, 3]])
    low, high = points.min(0), points.max(0)
    reach = max(float((high - low).max()), 1e-3)
    middle = 0.5 * (low + high)
    for a, b in segments:
        axes.plot(*np.stack([a, b], 1), color=LINK, linewidth=3.2, solid_capstyle="round")
    for point, axis, kind in joints:
        _drum(axes, point, axis, kind, 0.035 * reach)
    for i, colour in enumerate(TOOL):
        end = X_WT[:3, 3] + 0.12 * reach * X_WT[:3, i]
        axes.plot(*np.stack([X_WT[:3, 3], end], 1), color=colour, linewidth=2)
    if model.has_inertia and model.mass > 0:
        from carpal.dynamics import com

        axes.scatter(*com(model, q), color=MASS, s=36, depthshade=False)
    for setter, centre in zip((axes.set_xlim, axes.set_ylim, axes.set_zlim), middle, strict=True):
        setter(centre - 0.55 * reach, centre + 0.55 * reach)
    axes.set_box_aspect((1, 1, 1))
    up = int(np.argmax(np.abs(model.gravity)))  # Yesmunt's world has y up
    axes.view_init(elev=22, azim=-58, vertical_axis="xyz"[up])
    axes.locator_params(nbins=4)
    axes.tick_params(labelsize=7)


def _draw_bodies(axes: Any, model: Model, q: Array, size: tuple[int, int]) -> None:
    """The robot as it looks, without axes."""
    from carpal.report.stills import framed_still

    axes.imshow(framed_still(model, q, size), interpolation="lanczos")
    axes.set_axis_off()


def save_robot_picture(model: Model, file: str | Path, q: ArrayLike | None = None) -> Path:
    """Draw one robot to a PNG file, as it looks and as lines with axes in metres; q (nq) is the home configuration by default."""
    plt = pyplot()
    figure = plt.figure(figsize=(11.5, 5.6), dpi=110)
    home = np.asarray(model.q_home if q is None else q, float)
    _draw_bodies(figure.add_axes((0.01, 0.02, 0.5, 0.88)), model, home, (560, 480))
    axes = figure.add_axes((0.52, 0.05, 0.44, 0.84), projection="3d")
    _draw(axes, model, home)
    mass = f", {model.mass:.4g} kg (orange: centre of mass)" if model.has_inertia else ""
    figure.suptitle(f"{model.name}: {model.nv} freedoms{mass}", fontsize=12)
    axes.set_xlabel("x [m]"), axes.set_ylabel("y [m]"), axes.set_zlabel("z [m]")
    return save_figure(plt, figure, file)


def save_portrait(models: list[Model], file: str | Path) -> Path:
    """Draw several robots side by side to a PNG file."""
    if not models:
        raise InputError("a portrait needs at least one model; got none.")
    plt = pyplot()
    columns = min(5, len(models))
    rows = -(-len(models) // columns)
    figure = plt.figure(figsize=(2.8 * columns, 2.7 * rows), dpi=90)
    for i, model in enumerate(models, start=1):
        axes = figure.add_subplot(rows, columns, i)
        _draw_bodies(axes, model, np.asarray(model.q_home), (500, 450))
        axes.set_title(f"{model.name}, {model.nv} freedoms", fontsize=11)
    figure.subplots_adjust(left=0.01, right=0.99, top=0.94, bottom=0.01, wspace=0.02, hspace=0.12)
    return save_figure(plt, figure, file)


def save_figure(plt: Any, figure: Any, file: str | Path) -> Path:
    """Write a figure to a file, whose folder is made, and let it go."""
    path = Path(file)
    path.parent.mkdir(parents=True, exist_ok=True)
    kinds = figure.canvas.get_supported_filetypes()
    if path.suffix[1:].lower() not in kinds:
        plt.close(figure)
        raise InputError(f"a picture cannot be written as '{path.name}'; endings: {', '.join(sorted(kinds))}.")
    figure.savefig(path)
    plt.close(figure)
    return path
