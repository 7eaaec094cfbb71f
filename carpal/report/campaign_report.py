"""A campaign as one HTML file: success rate, the task's own sections, maps, effects, numbers, failures, cases and commands."""

from __future__ import annotations

import json
import platform
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from carpal.report import report_tables as tables
from carpal.report.quantities import number, shown, words, words_and_unit
from carpal.report.report import about_options, page_html, well_put, write_page
from carpal.report.report_plots import curves_html
from carpal.report.report_sections import folded, histogram_html, map_html, section_html
from carpal.tasks import (
    CampaignResult,
    Map,
    Task,
    causes,
    costs,
    disagreements,
    disputed,
    main_effects,
    make_task,
    options_as_dict,
    percentiles,
    rate_map,
    recorded,
    success_interval,
    worst_cases,
)

MOST_MAPS, MOST_CAUSES, MOST_WORST, MOST_ROWS = 3, 30, 8, 400


def write_campaign_report(result: CampaignResult, file: str | Path) -> Path:
    """Write the report of a campaign; returns the file's path."""
    return write_page(campaign_html(result), file)


def campaign_html(result: CampaignResult) -> str:
    """The report as text."""
    status = well_put(result.status)
    parts = [_header(result, status)]
    plots: list[Any] = []
    task = make_task(result.study.task, **result.study.case(0).options) if result.study.points == 1 else None
    if result.rows and task is not None:
        sections, plots = _task_sections(result, task)
        parts += sections
    if result.rows:
        parts += [_maps(result), _effects(result), _numbers(result), _engines(result), _causes(result)]
    parts += [_again(result, task), "<h2>More</h2>"]
    if result.rows:
        parts += [_worst(result), _cases(result), _cost(result)]
    if task is not None:
        parts.append(folded("Settings", tables.settings_table(options_as_dict(task.options), about_options(task))))
    if plots:
        parts.append(curves_html(plots))
    return page_html(f"{result.study.task}: {status}", parts, scripted=bool(plots))


def _task_sections(result: CampaignResult, task: Task) -> tuple[list[str], list[Any]]:
    """Sections that the task adds to the report of many seeds, and their plots."""
    parts: list[str] = []
    plots: list[Any] = []
    for section in task.campaign_appendix(result.records):
        text, more = section_html(section, None)
        parts.append(f"<h2>{escape(section.title)}</h2>{text}")
        plots += more
    return parts, plots


def _header(result: CampaignResult, status: str) -> str:
    facts: list[tuple[str, str]] = [("cases", str(len(result.study))), ("finished", str(result.finished))]
    if result.rows:
        low, high = success_interval(result.succeeded, len(result.rows))
        facts.append(("succeeded", f"{100 * result.succeeded / len(result.rows):.2f} %"))
        facts.append(("95 % interval", f"{100 * low:.2f} to {100 * high:.2f} %"))
        seconds = float(result.rows.seconds.sum())
        facts.append(("seconds a case", number(seconds / len(result.rows), 3)))
    cells = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in facts)
    badge = f'<span class="badge{"" if result.ok else " bad"}">{"complete" if result.ok else "not complete"}</span>'
    kicker = f'<p class="kicker">Carpal · {escape(result.study.task)} · campaign{badge}</p>'
    return f'<header>{kicker}<h1>{escape(status)}</h1><dl class="facts">{cells}</dl></header>'


def _maps(result: CampaignResult) -> str:
    """Success over pairs of factors that are numbers."""
    drawn = "".join(_map(result, *pair, "success", result.rows.good) for pair in _pairs(result))
    return f'<h2>Maps</h2><div class="charts">{drawn}</div>' if drawn else ""


def _pairs(result: CampaignResult) -> list[tuple[str, str]]:
    """Pairs of factors that are numbers."""
    names = [
        f.name for f in result.study.factors if all(isinstance(x, float | int) for x in f.extremes) and not _truths(f)
    ]
    return [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]][:MOST_MAPS]


def _map(result: CampaignResult, across: str, up: str, what: str, truths: Any) -> str:
    """How often something holds, over two factors."""
    x, y, rate, counts = rate_map(result, across, up, truths)
    where = np.argwhere(counts > 0)
    return map_html(
        Map(
            what, "%", words(across), words(up), np.array([float(x[i]) for _, i in where]),
            np.array([float(y[j]) for j, _ in where]), np.array([100 * rate[j, i] for j, i in where]),
            np.array([rate[j, i] > 0 for j, i in where]),
        )
    )  # fmt: skip


def _truths(factor: Any) -> bool:
    return any(isinstance(x, bool) for x in factor.extremes)


def _effects(result: CampaignResult) -> str:
    rows = []
    metrics = list(result.metrics)[:3]
    for name, levels in main_effects(result).items():
        for level in levels:
            rate = f"{100 * level['rate']:.1f} ({100 * level['low']:.1f} to {100 * level['high']:.1f})"
            means = [number(level["means"].get(metric), 4) for metric in metrics]
            rows.append([words(name), number(level["level"], 4), str(level["cases"]), rate, *means])
    if not rows:
        return ""
    head = ["factor", "level", "cases", "success %", *(f"mean {words(metric)}" for metric in metrics)]
    return f"<h2>Effects</h2>{tables.table(head, rows, right=tuple(range(1, len(head))))}"


def _numbers(result: CampaignResult) -> str:
    found = percentiles(result)
    rows, drawings = [], []
    for name, spread in found.items():
        what, unit = words_and_unit(name)
        texts, unit_of_texts, _ = shown(name, list(spread.values()))
        rows.append([what, *texts.split(", "), unit_of_texts])
        values = result.metric(name)
        if len(np.unique(values[np.isfinite(values)])) > 2:
            drawings.append(histogram_html(what, unit, list(values)))
    if not rows:
        return ""
    head = ["number", *(f"{p[1:]} %" for p in next(iter(found.values()))), "unit"]
    charts = f'<div class="charts" style="margin-top:1.4rem">{"".join(drawings)}</div>' if drawings else ""
    return f"<h2>Numbers</h2>{tables.table(head, rows, right=(1, 2, 3, 4, 5))}{charts}"


def _engines(result: CampaignResult) -> str:
    if len(result.study.engines) < 2:
        return ""
    found = disagreements(result)
    total = len(result.rows) // len(result.study.engines)
    rows = [
        [json.dumps(result.study.values(point)), str(seed), _said(said)] for point, seed, said in found[:MOST_CAUSES]
    ]
    text = f"<p>The engines agree on {total - len(found)} of {total} cases.</p>"
    drawn = "".join(_map(result, *pair, "disagreement", disputed(result)) for pair in _pairs(result)) if found else ""
    maps = f'<div class="charts">{drawn}</div>' if drawn else ""
    return f"<h2>Engines</h2>{text}{maps}{tables.table(['factors', 'seed', 'what they say'], rows)}"


def _said(said: dict[str, bool]) -> str:
    return ", ".join(f"{engine}: {'done' if ok else 'not done'}" for engine, ok in said.items())


def _causes(result: CampaignResult) -> str:
    found = causes(result)[:MOST_CAUSES]
    rows = [[why, str(count), str(first), result.command(first)] for why, count, first in found]
    head = ["why", "cases", "first", "replay"]
    failures = f"<h2>Failures</h2>{tables.table(head, rows, right=(1, 2), soft=(3,))}" if rows else ""
    there = {} if result.folder is None else recorded(result.folder)
    if not there:
        return failures
    kept = [[str(number), str(path.relative_to(result.folder or "."))] for number, path in there.items()]
    return failures + f"<h2>Recordings</h2>{tables.table(['case', 'file'], kept, right=(0,))}"


def _worst(result: CampaignResult) -> str:
    rows = []
    for metric in list(result.metrics)[:3]:
        for case, value in worst_cases(result, metric, MOST_WORST):
            rows.append([words(metric), number(value, 5), str(case), result.command(case)])
    table = tables.table(["number", "value", "case", "replay"], rows, right=(1, 2), soft=(3,))
    return folded("Largest values", table)


def _cases(result: CampaignResult) -> str:
    """Factors, engine, seed and every single number of the first cases."""
    factors = {f.name: result.factor(f.name) for f in result.study.factors}
    if result.study.engines:
        factors["engine"] = result.engines
    metrics = {name: result.metric(name) for name in result.metrics}
    names = [" ".join(filter(None, words_and_unit(name))) for name in metrics]
    head = ["case", *map(words, factors), "seed", "done", *names]
    rows = [
        [str(result.rows.numbers[i]), *(number(values[i], 4) for values in factors.values()), str(seed),
         "yes" if result.rows.good[i] else "no", *(number(float(values[i]), 4) for values in metrics.values())]
        for i, seed in enumerate(result.seeds[:MOST_ROWS])
    ]  # fmt: skip
    more = f'<p class="note">The first {MOST_ROWS} of {len(result.rows)}; all are in cases.parquet.</p>'
    table = tables.table(head, rows, right=tuple(range(len(head))))
    return folded("Cases", f'<div class="scroll">{table}</div>{more if len(result.rows) > MOST_ROWS else ""}')


def _cost(result: CampaignResult) -> str:
    """What it took, by backend."""
    rows = [
        [backend, str(int(cost["cases"])), number(cost["seconds"], 3), number(cost["cases_per_second"], 3),
         number(cost["worker_seconds_per_case"], 3)]
        for backend, cost in costs(result).items()
    ]  # fmt: skip
    titles = ["backend", "cases", "seconds", "cases a second", "seconds of a worker for each"]
    return folded("Cost", tables.table(titles, rows, right=(1, 2, 3, 4)))


def _again(result: CampaignResult, task: Task | None) -> str:
    """The command that runs it again: that of the task where only seeds vary, else of the study's file."""
    study = result.study
    made = ", ".join(f"{name} {version}" for name, version in result.versions.items())
    machine = f"{platform.machine()}, {platform.system()} {platform.release()}"
    command, file = (
        "carpal study run STUDY.toml --out FOLDER",
        f"<p>STUDY.toml:</p><pre>{escape(study.to_toml())}</pre>",
    )
    first, count = study.seeds[0], len(study.seeds)
    if task is not None and not study.engines and study.seeds == tuple(range(first, first + count)):
        command = task.command(first) + (f" --seeds {count}" if task.seeds_wanted != count else "")
        file = ""
    return (
        f'<h2>Run it again</h2><pre id="again">{escape(command)}</pre>{file}'
        f"<p>Made with {escape(made)} on {escape(machine)}.</p>"
    )
