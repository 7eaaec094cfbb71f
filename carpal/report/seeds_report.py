"""Many seeds of a task as one HTML file: how many were done, every number's spread, the failures, and all rows."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from carpal.report import report_tables as tables
from carpal.report.report import about_options, page_html, well_put, write_page
from carpal.report.report_plots import curves_html
from carpal.report.report_sections import histogram_html, section_html
from carpal.tasks import SeedsResult, Task

MOST_ROWS = 400
"""Rows of the table; all of them are in seeds.parquet."""


def write_seeds_report(result: SeedsResult, task: Task, file: str | Path) -> Path:
    """Write the report of a task over many seeds; returns the file's path."""
    return write_page(seeds_html(result, task), file)


def seeds_html(result: SeedsResult, task: Task) -> str:
    """The report as text."""
    status = well_put(result.status)
    plots: list[Any] = []
    parts = [_header(result, task, status)]
    for section in task.seeds_appendix(result.rows):
        text, more = section_html(section, None)
        parts.append(f'<div class="scroll">{text}</div>' if section.rows else text)
        plots += more
    parts.append(_failures(result))
    parts.append(_spread(result))
    parts.append(_rows(result))
    first = min((row["seed"] for row in result.rows), default=0)
    again = f"{task.command(first)} --seeds {result.asked}" if task.seeds_wanted != result.asked else task.command()
    parts.append(f'<h2>Run it again</h2><pre id="again">{escape(again)}</pre>')
    parts.append(f"<h2>Settings</h2>{tables.settings_table(result.options, about_options(task))}")
    if plots:
        parts.append(curves_html(plots))
    return page_html(f"{task.name}: {status}", parts, scripted=bool(plots))


def _header(result: SeedsResult, task: Task, status: str) -> str:
    done = sum(bool(row["ok"]) for row in result.rows)
    facts = [
        ("asked for", result.asked),
        ("finished", len(result.rows)),
        ("done", done),
        ("failed", len(result.rows) - done),
    ]
    badge = f'<span class="badge{"" if result.ok else " bad"}">{"done" if result.ok else "not done"}</span>'
    cells = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in facts)
    kicker = f'<p class="kicker">Carpal · {escape(task.name)} · many seeds{badge}</p>'
    return f'<header>{kicker}<h1>{escape(status)}</h1><dl class="facts">{cells}</dl></header>'


def _failures(result: SeedsResult) -> str:
    bad = [[str(row["seed"]), str(row["status"])] for row in result.rows if not row["ok"]]
    more = f'<p class="note">The first {MOST_ROWS} of {len(bad)}.</p>' if len(bad) > MOST_ROWS else ""
    return f"<h2>Failures</h2>{tables.table(['seed', 'why'], bad[:MOST_ROWS], right=(0,))}{more}" if bad else ""


def _spread(result: SeedsResult) -> str:
    columns = result.numbers()
    rows, drawings = [], []
    for name, spread in result.summary().items():
        what, unit = tables.words_and_unit(name)
        rows.append([what, *(tables.number(spread[k], 5) for k in ("least", "median", "mean", "greatest")), unit])
        values = columns[name]
        if len(np.unique(values[np.isfinite(values)])) > 2:  # yes or no, or always the same, needs no drawing
            drawings.append(histogram_html(what, unit, list(values)))
    if not rows:
        return ""
    head = ["number", "least", "median", "mean", "greatest", "unit"]
    shown = f'<div class="charts" style="margin-top:1.4rem">{"".join(drawings)}</div>' if len(result.rows) > 2 else ""
    return f"<h2>Numbers over the seeds</h2>{tables.table(head, rows, right=(1, 2, 3, 4))}{shown}"


def _rows(result: SeedsResult) -> str:
    columns = result.numbers()
    head = ["seed", "done", *(" ".join(filter(None, tables.words_and_unit(name))) for name in columns)]
    rows = [
        [
            str(row["seed"]),
            "yes" if row["ok"] else "no",
            *(tables.number(float(columns[name][i]), 4) for name in columns),
        ]
        for i, row in enumerate(result.rows[:MOST_ROWS])
    ]
    table = tables.table(head, rows, right=(0, *range(2, len(head))))
    more = f'<p class="note">The first {MOST_ROWS} of {len(result.rows)}; all are in seeds.parquet.</p>'
    return f'<h2>Every seed</h2><div class="scroll">{table}</div>{more if len(result.rows) > MOST_ROWS else ""}'
