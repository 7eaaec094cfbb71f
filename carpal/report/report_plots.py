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

ROWS = 1600
"""Rows of a plot that are kept: a screen has no more columns, and the peaks are among them."""


def run_plots(recording: Any, model: Model) -> list[tuple[Array, Chart]]:
    """The plots of a run, each with its time; none for an empty recording."""
    time = np.asarray(recording.time, float)
    return [(time, chart) for chart in charts(recording, model) if len(time) > 1]


def figures_html(shown: Sequence[tuple[Array, Chart]]) -> str:
    """The frames of some plots; `curves_html` holds what is drawn into all frames of a page."""
    return f'<div class="charts">{"".join(_figure(chart) for _, chart in shown)}</div>'


def curves_html(shown: Sequence[tuple[Array, Chart]]) -> str:
    """The curves of all plots of a page, in the order of their frames."""
    curves = script_safe(json.dumps([_curves(time, chart) for time, chart in shown], separators=(",", ":")))
    return f'<script type="application/json" id="curves">{curves}</script>'


def _figure(chart: Chart) -> str:
    title = f"{escape(chart.title)} <span>{escape(chart.unit)}</span>"
    return (
        f'<figure class="chart" data-key="{escape(chart.key, quote=True)}"><figcaption>{title}</figcaption>'
        f'<div class="plot"><canvas role="img" aria-label="{escape(chart.title, quote=True)} over time"></canvas>'
        '<div class="tip" hidden></div></div><div class="keys"></div></figure>'
    )


def _curves(time: Array, chart: Chart) -> dict[str, Any]:
    rows = thinned(time, chart.values, ROWS)
    colours = [COLOURS[i % len(COLOURS)] for i in range(len(chart.names))]
    values = [_numbers(chart.values[rows, i]) for i in range(len(chart.names))]
    return {"time": _numbers(time[rows]), "names": list(chart.names), "colours": colours, "curves": values}


def _numbers(values: Array) -> list[float | None]:
    """Six digits are more than a screen shows; JSON has no NaN."""
    return [float(f"{x:.6g}") if np.isfinite(x) else None for x in values]


def script_safe(text: str) -> str:
    """JSON that cannot end the script element that holds it."""
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
