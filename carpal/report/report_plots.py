"""Zoomable plots of a report: figures in HTML, their curves as JSON; a small script in `assets/` draws them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from carpal.model import Model
from carpal.report.curves import COLOURS, Chart, charts, thinned
from carpal.spatial import Array
from carpal.tasks import Curves

ROWS = 1600
"""Rows of a plot that are kept: a screen has no more columns, and the peaks are among them."""

NUMBERS, LEAST_ROWS = 20_000, 300
"""Numbers of one plot: of thirty joints fewer rows are kept, so that a page stays below 3 MB."""
MOST_CURVES = 10
"""Curves that one frame shows at once; of more, one group is shown and the others wait for a click."""


def run_plots(recording: Any, model: Model) -> list[tuple[Array, Chart]]:
    """The plots of a run, each with its time; none for an empty recording."""
    time = np.asarray(recording.time, float)
    return [(time, chart) for chart in charts(recording, model) if len(time) > 1]


def task_plots(curves: Sequence[Curves]) -> list[tuple[Array, Chart]]:
    """The plots of a task's own curves, each with its time."""
    return [(c.time, Chart(c.key, c.title, c.unit, c.names, c.values)) for c in curves if len(c.time) > 1]


def figures_html(shown: Sequence[tuple[Array, Chart]], kind: str = "charts") -> str:
    """The frames of some plots; `curves_html` holds what is drawn into all frames of a page."""
    return f'<div class="{kind}">{"".join(_figure(chart) for _, chart in shown)}</div>'


def curves_html(shown: Sequence[tuple[Array, Chart]]) -> str:
    """The curves of all plots of a page, in the order of their frames."""
    curves = script_safe(json.dumps([_curves(time, chart) for time, chart in shown], separators=(",", ":")))
    return f'<script type="application/json" id="curves">{curves}</script>'


def _figure(chart: Chart) -> str:
    title = f"{escape(chart.title)} <span>{escape(chart.unit)}</span>"
    return (
        f'<figure class="chart" data-key="{escape(chart.key, quote=True)}"><figcaption>{title}</figcaption>'
        f'<div class="plot"><canvas role="img" aria-label="{escape(chart.title, quote=True)} over time"></canvas>'
        '<div class="now" hidden></div><div class="tip" hidden></div></div><div class="keys"></div></figure>'
    )


def _curves(time: Array, chart: Chart) -> dict[str, Any]:
    rows = thinned(time, chart.values, max(LEAST_ROWS, min(ROWS, NUMBERS // max(1, len(chart.names)))))
    values = [_numbers(chart.values[rows, i]) for i in range(len(chart.names))]
    groups = groups_of(chart.names) if len(chart.names) > MOST_CURVES else {"": list(range(len(chart.names)))}
    colours = [""] * len(chart.names)
    for members in groups.values():
        for place, i in enumerate(members):
            colours[i] = COLOURS[place % len(COLOURS)]
    named = [{"name": name, "curves": members} for name, members in groups.items()]
    return {
        "time": _numbers(time[rows]), "names": list(chart.names), "colours": colours, "groups": named, "curves": values,
    }  # fmt: skip


def groups_of(names: Sequence[str]) -> dict[str, list[int]]:
    """Curves that belong together, by the beginning of their names: hand/index_1 and hand/index_2 are hand/index.

    A curve without a companion joins those of its robot.
    """
    groups: dict[str, list[int]] = {}
    for i, name in enumerate(names):
        owner, _, last = name.rpartition("/")
        stem = last.rpartition("_")[0] or (last.rstrip("0123456789 ") if last[-1:].isdigit() else "")
        groups.setdefault("/".join(filter(None, (owner, stem))) or "others", []).append(i)
    merged: dict[str, list[int]] = {}
    for name, members in groups.items():
        owner = name.rpartition("/")[0] or "others"
        merged.setdefault(name if len(members) > 1 else owner, []).extend(members)
    return merged


def _numbers(values: Array) -> list[float | None]:
    """Six digits are more than a screen shows; JSON has no NaN."""
    return [float(f"{x:.6g}") if np.isfinite(x) else None for x in values]


def script_safe(text: str) -> str:
    """JSON that cannot end the script element that holds it."""
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
