"""Maps of the catch laboratory from what a GPU measured (tests/gpu/measure_laboratory.py).

Writes docs/pictures/catch_map.png (window and speed) and catch_map_factors.png (radius and friction, camera noise and speed):

python benchmarks/catch_maps.py [docs/evidence/gpu_laboratory.json] [FOLDER]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

ROOT = Path(__file__).parent.parent
THESIS = (0.0, 0.4, 0.0, 0.35)
LABORATORY = (-0.05, 0.45, -0.2, 0.3)
NAMES = {"thesis": "thesis's controller", "best": "controller best"}
LABELS = {
    "ball_radius": "ball's radius [mm]", "friction": "friction", "noise": "camera noise [mm]", "speed": "speed [m/s]"
}  # fmt: skip
SCALE = {"ball_radius": 1e3, "noise": 1e3}
COLOURS = "RdYlBu"
Row = dict[str, Any]


def main() -> None:
    """Draw what the file holds, and say what it does not."""
    given = [Path(name) for name in sys.argv[1:]]
    file = given[0] if given else ROOT / "docs" / "evidence" / "gpu_laboratory.json"
    folder = given[1] if len(given) > 1 else ROOT / "docs" / "pictures"
    if not file.exists():
        sys.exit(f"{file} does not exist; run tests/gpu/measure_laboratory.py on a machine with a CUDA device.")
    report = json.loads(file.read_text(encoding="utf-8"))
    if "map" in report:
        window_maps(report["map"], folder / "catch_map.png")
    else:
        print(f"{file} holds no map yet: part `map` of the measurement.")
    factors = [name for name in ("catch_radius_friction", "catch_camera_noise") if name in report]
    if factors:
        factor_maps([report[name]["points"] for name in factors], folder / "catch_map_factors.png")
    else:
        print(f"{file} holds no maps of factors yet: part `factors` of the measurement.")


def window_maps(kept: Row, file: Path) -> None:
    """Success over the window, a column for each speed, a row for each controller."""
    tried, binned = np.array(kept["tried"]), np.array(kept["binned"])
    x0, x1, y0, y1 = kept["window"]
    speeds, controllers = kept["speeds"], kept["controllers"]
    figure, axes = plt.subplots(
        len(controllers), len(speeds), figsize=(2.15 * len(speeds) + 0.9, 2.75 * len(controllers) + 0.75), sharex=True,
        sharey=True, squeeze=False, layout="constrained",
    )  # fmt: skip
    image = None
    for i, controller in enumerate(controllers):
        for j, speed in enumerate(speeds):
            ax: Axes = axes[i, j]
            share = np.divide(binned[i, j], tried[i, j], out=np.full(tried[i, j].shape, np.nan), where=tried[i, j] > 0)
            image = ax.imshow(
                share.T, origin="lower", extent=(x0, x1, y0, y1), vmin=0, vmax=1, cmap=COLOURS, aspect="equal"
            )
            ax.set_facecolor("0.9")
            framed(ax, THESIS, "-")
            framed(ax, LABORATORY, "--")
            inside = _inside(THESIS, kept), _inside(LABORATORY, kept)
            shares = " | ".join(_percent(binned[i, j][cells].sum(), tried[i, j][cells].sum()) for cells in inside)
            ax.set_title(f"{speed:g} m/s: {shares}", fontsize=8.5)
            ax.tick_params(labelsize=7)
        axes[i, 0].set_ylabel(f"{NAMES[controller]}\ny [m]", fontsize=9)
    for ax in axes[-1]:
        ax.set_xlabel("x [m]", fontsize=8)
    assert image is not None
    figure.colorbar(image, ax=axes, shrink=0.6, label="caught and binned", pad=0.01)
    figure.suptitle(
        f"{int(tried.sum()):,} throws over the catch plane, drag 0.47, thesis's gains. Solid: the thesis's window; dashed: the "
        "laboratory's.\nAbove each: share binned of cells in the solid | dashed window",
        fontsize=9,
    )
    figure.savefig(file, dpi=110)
    print(f"{file}: {int(binned.sum()):,} of {int(tried.sum()):,} binned")


def factor_maps(studies: list[list[Row]], file: Path) -> None:
    """Success over two factors each, a row for each controller."""
    controllers = tuple(NAMES)
    figure, axes = plt.subplots(
        len(controllers), len(studies), figsize=(3.6 * len(studies) + 0.6, 5.6), squeeze=False, layout="constrained"
    )
    for j, points in enumerate(studies):
        across, up = (name for name in LABELS if name in points[0])
        for i, controller in enumerate(controllers):
            own = [point for point in points if point["controller"] == controller]
            xs, ys = (sorted({point[name] for point in own}) for name in (across, up))
            share = np.full((len(ys), len(xs)), np.nan)
            for point in own:
                share[ys.index(point[up]), xs.index(point[across])] = point["binned"] / point["tried"]
            ax: Axes = axes[i, j]
            ax.imshow(share, origin="lower", vmin=0, vmax=1, cmap=COLOURS, aspect="auto")
            for (row, column), value in np.ndenumerate(share):
                ax.text(column, row, f"{100 * value:.0f}", ha="center", va="center", fontsize=8)
            ax.set_xticks(range(len(xs)), [f"{SCALE.get(across, 1) * x:.3g}" for x in xs], fontsize=8)
            ax.set_yticks(range(len(ys)), [f"{SCALE.get(up, 1) * y:.3g}" for y in ys], fontsize=8)
            ax.set_ylabel(LABELS[up], fontsize=9)
            ax.set_title(f"{NAMES[controller]}, {own[0]['tried']} throws a cell", fontsize=9)
        axes[-1, j].set_xlabel(LABELS[across], fontsize=9)
    figure.suptitle("Caught and binned [%]", fontsize=10)
    figure.savefig(file, dpi=110)
    print(file)


def framed(ax: Axes, window: tuple[float, float, float, float], style: str) -> None:
    """A window's outline on a map."""
    x0, x1, y0, y1 = window
    ax.add_patch(Rectangle((x0, y0), x1 - x0, y1 - y0, fill=False, linestyle=style, linewidth=1.3))


def _inside(window: tuple[float, float, float, float], kept: Row) -> np.ndarray:
    """Cells (nx, ny) whose middle lies in a window."""
    x0, x1, y0, y1 = kept["window"]
    across, up = kept["cells"]
    x, y = x0 + (np.arange(across) + 0.5) / across * (x1 - x0), y0 + (np.arange(up) + 0.5) / up * (y1 - y0)
    return np.outer((x > window[0]) & (x < window[1]), (y > window[2]) & (y < window[3]))


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "-"


if __name__ == "__main__":
    main()
