"""Verbs by which a noun draws or exports itself. A lower room names it; the room that can do it is imported at the first call."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from typing import Any

DRAWERS = {
    "view": "carpal.viewer:view",
    "plot": "carpal.report:plot",
    "html": "carpal.report:notebook_html",
    "export": "carpal.report:export",
}
"""Verb to the function that fills it, as "room:name": `view(thing, q)`, `plot(thing, file)`, `export(thing, file)`, ..."""


def drawer(verb: str) -> Callable[..., Any]:
    """The function that fills a verb."""
    room, _, name = DRAWERS[verb].partition(":")
    function: Callable[..., Any] = getattr(importlib.import_module(room), name)
    return function


class Drawn:
    """What can be seen: a model or a scene."""

    def show(self, q: Any = None, **options: Any) -> Any:
        """A browser page that shows it at q, with sliders and a target to drag; options as of `carpal.view`."""
        return drawer("view")(self, q, **options)

    def plot(self, file: str | os.PathLike[str] | None = None, q: Any = None) -> Any:
        """A matplotlib figure with a shaded picture of it at q (nq), home by default; also written to `file` if given."""
        return drawer("plot")(self, file, q=q)
