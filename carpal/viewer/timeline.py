"""The timeline of contacts: a bar for each finger in the colours of its modes, hits as marks, and where the run is now."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby

import numpy as np

from carpal.report import palette
from carpal.spatial import Array

LEFT, WIDE, ROW = 48, 300, 18


def timeline_html(
    time: Array,
    modes: np.ndarray,
    names: Sequence[str],
    now: float,
    hits: Sequence[tuple[float, str]] = (),
    last: int = 6,
) -> str:
    """A drawing of modes over time.

    Args:
        time: (rows) [s].
        modes: (rows, names) as text, "free" where nothing touches.
        names: of the bars.
        now: where the cursor stands [s].
        hits: (time, name) of collisions.
        last: how many of the newest changes are listed below.
    """
    if len(time) < 2:
        return '<div id="carpal-timeline" style="padding:.4em 1em;color:#718096;font-size:.8em">No contacts yet.</div>'
    span = max(float(time[-1] - time[0]), 1e-9)

    def x(t: float) -> float:
        return LEFT + WIDE * (t - float(time[0])) / span

    parts, height = [], ROW * len(names) + 18
    for k, name in enumerate(names):
        y = 4 + ROW * k
        parts.append(f'<text x="{LEFT - 6}" y="{y + 11}" text-anchor="end">{escape(name)}</text>')
        for mode, rows in groupby(range(len(time)), key=lambda row: str(modes[row, k])):
            found = list(rows)
            if mode != "free":
                start, end = x(float(time[found[0]])), x(float(time[min(found[-1] + 1, len(time) - 1)]))
                colour = palette.css(palette.MODES.get(mode, palette.MODES[""]))
                parts.append(
                    f'<rect x="{start:.1f}" y="{y}" width="{max(end - start, 1):.1f}" height="{ROW - 5}" fill="{colour}" '
                    f'data-mode="{escape(mode)}"/>'
                )
        for at, who in hits:
            if who == name:
                parts.append(f'<path d="M{x(at):.1f} {y - 2} l3 -0 l-3 7 l-3 -7 z" fill="#1a202c"/>')
    parts.append(f'<line x1="{x(now):.1f}" x2="{x(now):.1f}" y1="0" y2="{height - 14}" stroke="#1a202c"/>')
    parts.append(f'<text x="{LEFT}" y="{height - 2}">{time[0]:.2f} s</text>')
    parts.append(f'<text x="{LEFT + WIDE}" y="{height - 2}" text-anchor="end">{time[-1]:.2f} s</text>')
    latest = "<br>".join(escape(line) for line in changes(time, modes, names, now)[-last:]) or "no change yet"
    keys = " ".join(
        f'<span style="color:rgb({c[0]},{c[1]},{c[2]})">&#9632;&nbsp;{name}</span>'
        for name, c in palette.MODES.items()
        if name not in ("", "free")
    )
    return (
        f'<div id="carpal-timeline" style="padding:.3em .6em"><svg viewBox="0 0 {LEFT + WIDE + 8} {height}" width="100%" '
        f'style="font:9px sans-serif">{"".join(parts)}</svg>'
        f'<div style="font-size:.74em;color:#4a5568">{keys}<br>{latest}</div></div>'
    )


def changes(time: Array, modes: np.ndarray, names: Sequence[str], until: float) -> list[str]:
    """Every change of mode up to a time, one sentence each."""
    out = []
    for row in range(1, len(time)):
        if time[row] > until + 1e-12:
            break
        for k in np.flatnonzero(modes[row] != modes[row - 1]).tolist():
            out.append(
                f"{time[row]:.3f} s  {names[k]}: {modes[row - 1, k] or 'touching'} to {modes[row, k] or 'touching'}"
            )
    return out
