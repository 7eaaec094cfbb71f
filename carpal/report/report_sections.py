"""Sections that a task adds to a report, as HTML: text, table, stills, maps, and the frames of curves."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from carpal.model import Model
from carpal.report import report_tables as tables
from carpal.report.curves import Chart
from carpal.report.quantities import number
from carpal.report.report_plots import figures_html, task_plots
from carpal.spatial import Array
from carpal.tasks import Appendix, Map, Picture, Still

STILL_SIZE = (480, 360)
TILE, MARGIN = (104, 62), (64, 46)
"""Of a map's cell, and what is left of and below the cells for numbers [pixels]."""


def folded(title: str, html: str, *, open_now: bool = False) -> str:
    """A part of a page that a click unfolds; it is printed unfolded."""
    state = " open" if open_now else ""
    return f"<details{state}><summary>{escape(title)}</summary>{html}</details>" if html else ""


def section_html(section: Appendix, model: Model | None) -> tuple[str, list[tuple[Array, Chart]]]:
    """A section without its title, and the plots that its frames are for; `model` is what its stills show."""
    plots = task_plots(section.curves)
    parts = [f"<p>{escape(section.text)}</p>"]
    if section.rows:
        table = tables.table(list(section.head), [list(row) for row in section.rows])
        parts.append(f'<div class="scroll">{table}</div>')
    if section.stills and model is not None:
        parts.append(f'<div class="stills">{"".join(_still(each, model) for each in section.stills)}</div>')
    if section.pictures:
        parts.append(f'<div class="stills">{"".join(_picture(each) for each in section.pictures)}</div>')
    if section.maps:
        parts.append(f'<div class="charts">{"".join(map_html(each) for each in section.maps)}</div>')
    if plots:
        parts.append(f'<div class="more">{figures_html(plots)}</div>')
    return "".join(parts), plots


def _still(wanted: Still, model: Model) -> str:
    from carpal.report.stills import data_address, recorded_still

    return _figure(wanted.title, data_address(recorded_still(model, wanted, STILL_SIZE)))


def _picture(wanted: Picture) -> str:
    from carpal.report.stills import data_address

    return _figure(wanted.title, data_address(wanted.pixels))


def _figure(title: str, address: str) -> str:
    title = escape(title, quote=True)
    return f'<figure class="still"><img alt="{title}" src="{address}"><figcaption>{title}</figcaption></figure>'


def map_html(shown: Map) -> str:
    """A map as a drawing: a tile for each case, darker for more, a red frame where the case failed."""
    across, up = np.unique(np.round(shown.x, 9)), np.unique(np.round(shown.y, 9))
    width, height = MARGIN[0] + TILE[0] * len(across) + 8, MARGIN[1] + TILE[1] * len(up) + 8
    there = shown.values[np.isfinite(shown.values)]
    low, high = (float(there.min()), float(there.max())) if len(there) else (0.0, 1.0)
    tiles = []
    for x, y, value, good in zip(shown.x, shown.y, shown.values, shown.good, strict=True):
        column, row = int(np.searchsorted(across, round(x, 9))), len(up) - 1 - int(np.searchsorted(up, round(y, 9)))
        left, top = MARGIN[0] + TILE[0] * column, 6 + TILE[1] * row
        share = (value - low) / (high - low) if np.isfinite(value) and high > low else 0.0
        ink = "#fff" if share > 0.55 else "#1a202c"
        frame = "none" if good else "#c53030"
        text = number(float(value), 3) if np.isfinite(value) else "-"
        tiles.append(
            f'<rect x="{left + 2}" y="{top + 2}" width="{TILE[0] - 4}" height="{TILE[1] - 4}" rx="6" '
            f'fill="{_blue(share)}" stroke="{frame}" stroke-width="3"/>'
            f'<text x="{left + TILE[0] / 2}" y="{top + TILE[1] / 2 + 5}" fill="{ink}">{text}</text>'
        )
    low_line = height - MARGIN[1] + 14
    ends = [_label(MARGIN[0] + TILE[0] * (i + 0.5), low_line, number(float(x), 3)) for i, x in enumerate(across)]
    ends += [_label(MARGIN[0] - 24, 11 + TILE[1] * (len(up) - 0.5 - i), number(float(y), 3)) for i, y in enumerate(up)]
    middle = 6 + TILE[1] * len(up) / 2
    ends.append(_label((MARGIN[0] + width) / 2, height - 8, shown.across))
    ends.append(f'<text transform="translate(13 {middle}) rotate(-90)" class="end">{escape(shown.up)}</text>')
    title = f"{escape(shown.title)} <span>{escape(shown.unit)}</span>"
    drawing = (
        f'<svg class="map" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(shown.title, quote=True)}">'
    )
    return f"<figure><figcaption>{title}</figcaption>{drawing}{''.join(tiles + ends)}</svg></figure>"


def histogram_html(title: str, unit: str, values: Sequence[float], bins: int = 24) -> str:
    """How often a number came out where, as a drawing."""
    there = np.asarray(values, float)
    there = there[np.isfinite(there)]
    if not len(there):
        return ""
    low, high = float(there.min()), float(there.max())
    if high - low <= 1e-12 * max(abs(low), abs(high), 1e-300):
        counts, edges = np.array([len(there)]), np.array([low, high])
    else:
        counts, edges = np.histogram(there, min(bins, max(5, int(np.sqrt(len(there)) * 2))))
    wide, tall = 460.0, 130.0
    step = wide / len(counts)
    bars = "".join(
        f'<rect x="{10 + i * step + 1:.1f}" y="{10 + tall * (1 - n / counts.max()):.1f}" width="{step - 2:.1f}" '
        f'height="{tall * n / counts.max():.1f}" fill="#2b6cb0">'
        f"<title>{n} from {edges[i]:.4g} to {edges[i + 1]:.4g}</title></rect>"
        for i, n in enumerate(counts)
        if n
    )
    marks = (
        f'<text x="10" y="162" class="low">{number(low, 4)}</text>'
        f'<text x="470" y="162" class="high">{number(high, 4)}</text>'
        f'<text x="240" y="162" class="end">median {number(float(np.median(there)), 4)}</text>'
    )
    head = f"<figcaption>{escape(title)} <span>{escape(unit)}</span></figcaption>"
    drawing = f'<svg class="map" viewBox="0 0 480 170" role="img" aria-label="{escape(title, quote=True)}">'
    return f'<figure>{head}{drawing}<line x1="10" x2="470" y1="140" y2="140" stroke="#cbd5e0"/>{bars}{marks}</svg></figure>'


def _label(x: float, y: float, text: str) -> str:
    return f'<text x="{x}" y="{y}" class="end">{escape(text)}</text>'


def _blue(share: float) -> str:
    """From a pale to a deep blue."""
    pale, deep = np.array([226, 236, 247]), np.array([30, 78, 140])
    return "#" + "".join(f"{round(c):02x}" for c in pale + share * (deep - pale))
