"""A comparison as lines of text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from carpal.engines.comparison import measures

if TYPE_CHECKING:
    from carpal.engines.comparison.compare import Comparison, EngineOutcome

HEAD = ("engine", "dt [s]", "outcome", "certified", "order", "error [m]", "gain [J]", "ledger [J]", "creep [m/s]", "depth [m]",
        "s per s")  # fmt: skip


def engine_row(outcome: EngineOutcome) -> list[str]:
    """The cells of one engine, as of `HEAD`."""
    track, runs = outcome.track, outcome.runs
    said = "ok" if outcome.ok else "broke a bound" if runs.outcome == "ran" else runs.outcome
    cells = [outcome.name, f"{runs.dt:.3g}"]
    if track is None or len(track.time) < 2:
        return [*cells, said, *["-"] * 8]
    if runs.outcome == "stopped":
        said = f"stopped at {track.time[-1]:.3g} s"
    share = "-" if math.isnan(track.certified) else f"{100 * track.certified:.1f} %"
    order, error = "-", "-"
    if outcome.convergence is not None:
        order = "same" if math.isnan(outcome.convergence.order) else f"{outcome.convergence.order:.1f}"
        error = f"{outcome.convergence.error:.1e}"
    numbers = (
        measures.energy_gain(track),
        measures.ledger_residual(track),
        measures.creep(track),
        track.depth.max(initial=0.0),
    )
    return [*cells, said, share, order, error, *(_number(x) for x in numbers), f"{measures.cost(track):.2g}"]


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.1e}"


def parting_rows(comparison: Comparison) -> list[list[str]]:
    """Cells: pair, first moment, body, largest distance."""
    return [
        [f"{p.a} / {p.b}", "never" if p.time is None else f"{p.time:.4g} s", p.body, f"{p.distance:.2e} m"]
        for p in comparison.partings
    ]


def value_rows(comparison: Comparison) -> list[list[str]]:
    """Cells: number, reference, engine by engine."""
    found = {name: each.agreement.values for name, each in comparison.engines.items() if each.agreement is not None}
    names = list(dict.fromkeys(value for values in found.values() for value in values))
    rows = []
    for value in names:
        expected = next(values[value][0] for values in found.values() if value in values)
        cells = [f"{found[name][value][1]:.6g}" if name in found else "-" for name in comparison.engines]
        rows.append([value, f"{expected:.6g}", *cells])
    return rows


def comparison_tables(comparison: Comparison) -> list[tuple[str, list[str], list[list[str]]]]:
    """Title, head and rows of every table of a comparison."""
    rows = [engine_row(each) for each in comparison.engines.values()]
    out = [("Engines", list(HEAD), rows)]
    if comparison.partings:
        head = ["pair", f"apart by {comparison.tolerance:g} m", "body", "largest distance"]
        out.append(("Where they part", head, parting_rows(comparison)))
    values = value_rows(comparison)
    if values:
        out.append(("Numbers with a reference", ["number", "reference", *comparison.engines], values))
    return out


def comparison_lines(comparison: Comparison) -> list[str]:
    """Status, engines, where they part, numbers with a reference, notes."""
    lines = [comparison.status]
    for _, head, rows in comparison_tables(comparison):
        lines += ["", *aligned([head, *rows])]
    lines += ["", f"reference: {comparison.reference or 'none for this scene'}"]
    for name, each in comparison.engines.items():
        lines += [f"{name}: {each.runs.why}"] if each.runs.why else []
        if each.runs.outcome == "ran" and each.track is not None and not each.track.ok:
            lines.append(f"{name}: {each.track.status}")
        lines += [f"{name}: {note}" for note in each.runs.notes]
    return lines


def aligned(rows: list[list[str]]) -> list[str]:
    """Rows of cells as lines, columns of equal width."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
