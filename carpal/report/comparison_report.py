"""A comparison of engines as one HTML file: who ran, where they part, numbers with references, and two plots."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from carpal.report import report_tables as tables
from carpal.report.curves import Chart
from carpal.report.report import page_html, well_put, write_page
from carpal.report.report_plots import curves_html, figures_html
from carpal.spatial import Array

if TYPE_CHECKING:
    from carpal.engines import Comparison

EXPLANATION = (
    "Certified: share of the moments whose residuals keep their bounds. Order: log2 of the change from dt to dt/2 over that from "
    "dt/2 to dt/4. Error: of the poses at dt, by Richardson's extrapolation where the order is above 0.3. Gain: most that the "
    "energy rises above its start and the work put in. Ledger: energy left unexplained. Creep: drift of what rests, over the "
    "second half. Depth: deepest contact. Cost: wall time of the steps for a simulated second, without compilation."
)


def write_comparison_report(comparison: Comparison, file: str | Path) -> Path:
    """Write the page of a comparison; returns the file's path."""
    return write_page(comparison_html(comparison), file)


def comparison_html(comparison: Comparison) -> str:
    """The page as text."""
    from carpal.engines import comparison_tables

    parts = [_header(comparison)]
    for title, head, rows in comparison_tables(comparison):
        parts.append(f"<h2>{escape(title)}</h2>{tables.table(head, rows)}")
        if title == "Engines":
            parts.append(f"<p>{escape(EXPLANATION)}</p>")
    notes = [
        f"{name}: {text}"
        for name, each in comparison.engines.items()
        for text in (each.runs.why, *each.runs.notes)
        if text
    ]
    if notes:
        parts.append(f"<h2>Notes</h2><ul>{''.join(f'<li>{escape(note)}</li>' for note in notes)}</ul>")
    shown = _plots(comparison)
    if shown:
        parts += ["<h2>Plots</h2>", figures_html(shown), curves_html(shown)]
    return page_html(f"{comparison.scene.name}: engines compared", parts, scripted=bool(shown))


def _header(comparison: Comparison) -> str:
    badge = (
        f'<span class="badge{"" if comparison.ok else " bad"}">{"all ran" if comparison.ok else "not all ran"}</span>'
    )
    facts = {"simulated": f"{comparison.duration:g} s", "engines": ", ".join(comparison.engines),
             "apart means": f"{comparison.tolerance:g} m", "reference": comparison.reference or "none"}  # fmt: skip
    cells = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in facts.items())
    kicker = f'<p class="kicker">Carpal · {escape(comparison.scene.name)} · engines compared{badge}</p>'
    return f'<header>{kicker}<h1>{escape(well_put(comparison.status))}</h1><dl class="facts">{cells}</dl></header>'


def _plots(comparison: Comparison) -> list[tuple[Array, Chart]]:
    """Distance of every pair, on a logarithmic scale, and energy of every engine."""
    shown = []
    if comparison.distances:
        time = max((time for time, _ in comparison.distances.values()), key=len)
        columns = [
            _padded(np.log10(np.maximum(values, 1e-16)), len(time)) for _, values in comparison.distances.values()
        ]
        names = tuple(f"{a} / {b}" for a, b in comparison.distances)
        shown.append((time, Chart("apart", "Largest distance of a pair, log10", "m", names, np.stack(columns, axis=1))))
    tracks = {name: each.track for name, each in comparison.engines.items() if each.track is not None}
    if tracks:
        time = max((track.time for track in tracks.values()), key=len)
        energy = [_padded(track.energy["kinetic"] + track.energy["potential"], len(time)) for track in tracks.values()]
        shown.append((time, Chart("energy", "Energy", "J", tuple(tracks), np.stack(energy, axis=1))))
    return [each for each in shown if len(each[0]) > 1]


def _padded(values: Array, rows: int) -> Array:
    return np.concatenate([values, np.full(rows - len(values), np.nan)])
