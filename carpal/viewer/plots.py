"""Plots beside the studio's scene (viser's uPlot): one box with a choice of what it shows."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from carpal.model import Model
from carpal.report import COLOURS, Chart, charts, thinned

ROWS = 700
LIVE_ROWS = 400
TITLES = {
    "q": "joint angles", "v": "joint speeds", "u": "joint torques", "tool": "tool position", "energy": "energy ledger",
    "residual": "energy residual",
}  # fmt: skip


class PlotBox:
    """A choice and the plot that it asks for.

    Args:
        gui: viser's `server.gui`, inside the container that holds the box.
        shown: key of the first choice.
        place: which of a run's charts it shows where there is none of that key and the user has chosen none, 0 for the first.
    """

    def __init__(self, gui: Any, shown: str, height: int = 250, place: int = 0) -> None:
        self._wanted, self._place, self._chosen = shown, place, False
        self._choice = gui.add_dropdown("plot", tuple(TITLES.values()), initial_value=TITLES[shown])
        empty = np.array([0.0, 1.0])
        self._plot = gui.add_uplot(
            (empty, np.full(2, np.nan)), ({}, {"label": ""}), height=height, scales={"x": {"time": False}},
            padding=(14, 16, 0, 0), cursor={"drag": {"x": True, "y": False}}, legend={"show": True},
        )  # fmt: skip
        self._last: tuple[list[Chart], Any] | None = None
        self._choice.on_update(self._choose)

    def prefer(self, key: str) -> None:
        """Show the chart of that key from now on, unless the user chooses another."""
        self._wanted = key

    def clear(self) -> None:
        """An empty plot, and the first choice again."""
        self._last, self._chosen = None, False
        empty = np.array([0.0, 1.0])
        width = len(self._plot.series)
        self._plot.data = (empty, *(np.full(2, np.nan) for _ in range(width - 1)))

    def show(self, found: list[Chart], time: Any) -> None:
        """Show the chosen one of a run's charts."""
        self._last = (found, time)
        self._offer({_title(chart): chart.key for chart in found})
        self._draw()

    def _choose(self, event: Any) -> None:
        self._chosen = self._chosen or event.client is not None
        self._draw()

    def _offer(self, titles: dict[str, str]) -> None:
        """Offer what there is; the chosen one stays as long as it is there."""
        if not titles:
            return
        kept = self._choice.value if self._choice.value in titles and self._chosen else None
        wanted = next((title for title, key in titles.items() if key == self._wanted), None)
        value = kept or wanted or list(titles)[min(self._place, len(titles) - 1)]
        if tuple(self._choice.options) != tuple(titles):
            self._choice.options = tuple(titles)
        if self._choice.value != value:
            self._choice.value = value

    def _draw(self) -> None:
        if self._last is None:
            return
        found, time = self._last
        chart = next((chart for chart in found if _title(chart) == self._choice.value), None)
        if chart is None or len(time) < 2:
            return
        rows = thinned(time, chart.values, ROWS)
        series: list[dict[str, Any]] = [{"label": "s"}]
        for i, name in enumerate(chart.names):
            series.append({"label": name, "stroke": COLOURS[i % len(COLOURS)], "width": 1.6})
        data = (time[rows], *(np.ascontiguousarray(chart.values[rows, i]) for i in range(len(chart.names))))
        # each assignment is a message of its own, and a page may draw between two: never more series than data
        if len(data) >= len(self._plot.data):
            self._plot.data = data
        self._plot.series = tuple(series)
        self._plot.axes = ({}, {"label": chart.unit, "labelSize": 18, "size": 52})
        # uPlot by itself keeps room for later times, half of the plot after a run of 2.7 s
        self._plot.scales = {"x": {"time": False, "range": (float(time[0]), float(time[-1]))}}
        self._plot.data = data


def run_charts(rows: Any, model: Model, *, live: bool) -> tuple[list[Chart], Any]:
    """Charts of a recording, or of a run so far; a running one is thinned first, so that drawing does not slow it."""
    if live and len(rows.time) > LIVE_ROWS:
        pick = np.linspace(0, len(rows.time) - 1, LIVE_ROWS).astype(int)
        metadata = getattr(rows, "metadata", {})
        rows = SimpleNamespace(
            time=rows.time[pick], q=rows.q[pick], v=rows.v[pick], u=rows.u[pick], energy={}, metadata=metadata
        )
    return charts(rows, model), np.asarray(rows.time, float)


def task_charts(task: Any, recording: Any) -> list[Chart]:
    """A task's own curves of a recording, on the recording's rows."""
    found = []
    time = np.asarray(recording.time, float)
    for curves in task.curves(recording) if task is not None else ():
        values = np.full((len(time), len(curves.names)), np.nan)
        values[np.clip(np.searchsorted(time, curves.time), 0, len(time) - 1)] = curves.values
        found.append(Chart(curves.key, curves.title, curves.unit, curves.names, values))
    return found


def _title(chart: Chart) -> str:
    return TITLES.get(chart.key, chart.title[:1].lower() + chart.title[1:])
