"""Figures (matplotlib) that need no screen, that a notebook shows, and that are written to a file where one is named."""

from __future__ import annotations

import functools
import io
import os
from pathlib import Path
from typing import Any

from carpal.errors import InputError

DPI = 110


@functools.cache
def _kind() -> type[Any]:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError("pictures need matplotlib: install the extra carpal[plots].") from None

    class CarpalFigure(Figure):
        """A figure that shows itself in a notebook, whatever backend is set."""

        def _repr_png_(self) -> bytes:
            held = io.BytesIO()
            self.savefig(held, format="png")
            return held.getvalue()

    return CarpalFigure


def new_figure(width: float, height: float) -> Any:
    """An empty figure of that size [inch]; it belongs to no window and ends with its last reference."""
    return _kind()(figsize=(width, height), dpi=DPI, layout="constrained")


def written(figure: Any, file: str | os.PathLike[str] | None) -> Any:
    """The figure, also written to a file if one is named; its folder is made."""
    if file is not None:
        path = Path(file)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            figure.savefig(path)
        except (OSError, ValueError) as problem:
            raise InputError(f"the picture '{path}' was not written: {problem}.") from None
    return figure
