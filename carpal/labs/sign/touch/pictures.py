"""Figures of touch: distances and confusion of letters."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from carpal.labs.sign.touch.confusion import TouchResult
from carpal.report import pyplot


def save_touch_picture(found: TouchResult, title: str, path: Path) -> Path:
    """Distances and confusions as two matrices."""
    plt = pyplot()
    figure, axes = plt.subplots(1, 2, figsize=(15, 7))
    n = len(found.names)
    shown = (
        (found.distance, "distance [just noticeable differences]", "viridis_r", None),
        (100 * found.confusion, "taken for the column's letter [%]", "magma_r", 100.0),
    )
    for axis, (values, name, colours, top) in zip(axes, shown, strict=True):
        image = axis.imshow(values, cmap=colours, vmin=0, vmax=top)
        axis.set_xticks(range(n), found.names)
        axis.set_yticks(range(n), found.names)
        axis.tick_params(top=True, labeltop=True, length=0)
        axis.set_xlabel(name)
        figure.colorbar(image, ax=axis, shrink=0.75)
    for i, j in np.argwhere(found.confusion >= 0.05):
        dark = found.confusion[i, j] > 0.5
        axes[1].text(j, i, f"{100 * found.confusion[i, j]:.0f}", ha="center", va="center", fontsize=7,
                     color="white" if dark else "black")  # fmt: skip
    figure.suptitle(title, fontsize=12)
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=100)
    plt.close(figure)
    return path
