"""A run as one HTML file that opens from disk without a network: answer, tables, plots, replay, settings, how to repeat it."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from carpal.engines import Recording
from carpal.errors import CarpalError, InputError
from carpal.model import Model
from carpal.report import report_tables as tables
from carpal.report.curves import Chart, pushed
from carpal.report.quantities import shown
from carpal.report.replay import recorded_model, replay_html
from carpal.report.report_plots import curves_html, figures_html, run_plots, task_plots
from carpal.report.report_sections import folded, section_html
from carpal.spatial import Array

ASSETS = Path(__file__).parent / "assets"
POLICY = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob: data:; style-src 'unsafe-inline'; "
POLICY += (
    "img-src data: blob:; font-src data:; connect-src data: blob:; worker-src blob: data:; frame-src 'self' data: blob:"
)
"""The file may not reach any network, whatever it holds."""
FOOTER = "<footer>This page holds everything it shows; it opens without a network.</footer>"
IN_PYTHON = (
    'import carpal\nmodel = carpal.Recording.load("run.parquet").model  # what moved; carpal.simulate moves it again'
)


HINT = (
    "In the replay, drag to turn, scroll to zoom, right-drag to move. Click in a plot to take the replay to that moment, drag "
    "across one to zoom all, double-click to see everything; click a name to hide its curve."
)
FIRST_KEYS = ("q", "q:slide", "tool", "u", "u:slide")
"""Plots that come first where no task names its own."""
PLAIN_NAME = re.compile(r"[A-Za-z0-9_-]*")


def write_report(result: Any, file: str | Path, *, replay: bool = True) -> Path:
    """Write the report of a run.

    Args:
        result: a TaskResult, or a Recording; a recording that names its task is scored again.
        file: the HTML file; its folder is made.
        replay: embed the 3-D replay (0.9 MB).

    Returns:
        The file's path.
    """
    return write_page(report_html(result, replay=replay), file)


def write_page(text: str, file: str | Path) -> Path:
    """Write a page; the one that was there before stays until the new one is complete."""
    path = Path(file)
    partial = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(text, encoding="utf-8")
        os.replace(partial, path)
    except OSError as problem:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
        raise InputError(f"the report '{path}' was not written: {problem.strerror or problem}.") from None
    return path


def report_html(result: Any, *, replay: bool = True) -> str:
    """The report as text; see `write_report`."""
    recording = getattr(result, "recording", result)
    score = getattr(result, "score", None)
    model = recorded_model(recording)
    task = recorded_task(recording)
    if score is None:
        score = recorded_score(recording, task)
    answer = score if score is not None else recording
    ok, status = bool(answer.ok), well_put(str(answer.status))
    parts = [_header(recording, model, task, ok, status)]
    first = task_plots(task.first_curves(recording)) if scored_by(task, score) else []
    every = run_plots(recording, model)
    first = first or [plot for plot in every if plot[1].key in FIRST_KEYS][:3] or every[:3]
    parts.append(_stage(recording, model, task, first, replay=replay))
    parts += [_facts(recording, result), *_results(score, task)]
    again = getattr(result, "command", "") or (task.command(recording.metadata.get("seed")) if task else IN_PYTHON)
    parts.append(f'<h2>Run it again</h2><pre id="again">{escape(again)}</pre><h2>More</h2>')
    plots = [*first]
    rest = [plot for plot in every if plot[1].key not in {chart.key for _, chart in first}]
    if rest:
        parts.append(folded("All plots of the run", figures_html(rest)))
        plots += rest
    for section in task.appendix(recording) if scored_by(task, getattr(result, "score", None)) else ():
        text, more = section_html(section, model)
        parts.append(folded(section.title, text))
        plots += more
    parts += _settings(recording, model, task)
    if plots:
        parts.append(curves_html(plots))
    return page_html(f"{task.name if task else model.name}: {status}", parts, scripted=bool(plots))


def scored_by(task: Any, score: Any) -> bool:
    """Whether a task of the registry has scored this run, so that its own figures fit it."""
    return task is not None and score is not None


def _stage(recording: Any, model: Model, task: Any, plots: Sequence[tuple[Array, Chart]], *, replay: bool) -> str:
    """What is seen first: the replay, and beside it the plots that say how it went."""
    seen = figures_html(plots, "first") if plots else ""
    if not (replay and len(recording.time)):
        return f'<div class="stage alone">{seen}</div>'
    page = escape(replay_html(recording, model, view=task.view if task else None), quote=True)
    start = f"{float(recording.time[0]):.9g}"
    frame = f'<iframe class="replay" title="3-D replay" data-start="{start}" srcdoc="{page}"></iframe>'
    return f'<div class="stage"><div class="seen">{frame}</div>{seen}</div><p class="note">{HINT}</p>'


def page_html(title: str, parts: list[str], *, scripted: bool) -> str:
    """A page of parts that may not reach any network; `scripted` where it has plots."""
    script = f"<script>{(ASSETS / 'report.js').read_text(encoding='utf-8')}</script>" if scripted else ""
    style = (ASSETS / "report.css").read_text(encoding="utf-8")
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">'
        f"<title>{escape(title)}</title><style>{style}</style></head>"
        f"<body><main>{''.join(parts)}{FOOTER}</main>{script}</body></html>\n"
    )


def recorded_task(recording: Any) -> Any:
    """The task that a recording names, with its options; None where it is not one of the registry's.

    A recording may come from a stranger, so that a name which is not in the registry imports nothing.
    """
    from carpal.tasks import make_task, tasks

    options = dict(recording.metadata.get("options") or {})
    name = options.pop("task", None)
    if name not in tasks():
        return None
    try:
        return make_task(name, **options)
    except (CarpalError, TypeError):
        return None


def recorded_score(recording: Recording, task: Any) -> Any:
    """The task's score of a recording; None where the recording's own status has to serve.

    Not scored: cut off runs, what another version made, and tasks whose options name a file: a recording from a stranger
    must not decide which files are read here.
    """
    if task is None or not len(recording.time) or not recording.ok:
        return None
    texts = [value for value in dataclasses.asdict(task.options).values() if isinstance(value, str)]
    if not all(PLAIN_NAME.fullmatch(text) for text in texts):
        return None
    try:
        return task.score(recording)
    except (CarpalError, KeyError, IndexError):
        return None


def _header(recording: Any, model: Model, task: Any, ok: bool, status: str) -> str:
    badge = f'<span class="badge{"" if ok else " bad"}">{"done" if ok else "not done"}</span>'
    what = (recording.metadata.get("options") or {}).get("robot") or model.name
    kicker = " · ".join(escape(str(text)) for text in ("Carpal", task.name if task else "recording", what))
    return f'<header><p class="kicker">{kicker}{badge}</p><h1>{escape(status)}</h1></header>'


def _facts(recording: Any, result: Any) -> str:
    """Length of the run, its step and its rows, what it took, and how well its energies add up."""
    meta, time = recording.metadata, recording.time
    seconds, compiling = getattr(result, "seconds", None), getattr(result, "compiling", 0.0)
    every = float((time[-1] - time[0]) / (len(time) - 1)) if len(time) > 1 else None
    taken = "" if seconds is None else _seconds(max(seconds - compiling, 0.0))
    facts = [
        ("simulated", _seconds(float(time[-1] - time[0])) if len(time) else _seconds(0.0)),
        ("engine", " ".join(str(meta[k]) for k in ("engine", "integrator") if meta.get(k) not in (None, "none"))),
        ("step", _seconds(step_of(meta))),
        ("rows", f"{len(time)}" + (f", one every {_seconds(every)}" if every else "")),
        ("seed", str(meta.get("seed")) if meta.get("seed") is not None else ""),
        ("computed in", taken),
        ("compiling took", _seconds(compiling) if compiling > 0.1 else ""),
        ("largest energy residual", _residual(recording)),
    ]
    cells = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in facts if value)
    return f'<dl class="facts">{cells}</dl>'


def step_of(metadata: Any) -> float | None:
    """The engine's step [s]; None where nothing was stepped. Rows may be further apart than steps."""
    if not metadata.get("dt") or metadata.get("integrator") == "none":
        return None
    return float((metadata.get("engine_options") or {}).get("step") or metadata["dt"])


def _seconds(value: float | None) -> str:
    return "" if value is None else " ".join(shown("of_s", float(value))[:2])


def _residual(recording: Any) -> str:
    values = [abs(float(x)) for x in recording.energy.get("residual", ()) if x == x]
    return " ".join(shown("of_J", max(values))[:2]) if values and pushed(recording) else ""


def _results(score: Any, task: Any) -> list[str]:
    if score is None:
        return []
    parts = []
    if getattr(score, "numbers", None):
        groups = task.number_groups if task is not None else {}
        parts.append(f'<h2>Numbers</h2><div class="groups">{tables.numbers_html(score.numbers, groups)}</div>')
    if getattr(score, "published", None):
        parts.append(f"<h2>Published and ours</h2>{tables.published_table(score.published)}")
    return parts


def _settings(recording: Any, model: Model, task: Any) -> list[str]:
    """Events, options, model, versions, assumptions: each folded."""
    meta = recording.metadata
    given = {name: value for name, value in (meta.get("options") or {}).items() if name != "task"}
    order = [f.name for f in dataclasses.fields(task.options)] if task else []
    options = {name: given[name] for name in order if name in given} | given
    versions = [[name, str(meta[name])] for name in ("carpal", "python", "numpy", "numba", "mujoco") if meta.get(name)]
    robot = [
        ["name", model.name], ["freedoms", str(model.nv)], ["bodies", str(len(model.bodies))], ["tool", str(model.tool)],
    ]  # fmt: skip
    if model.has_inertia:
        robot.append(["mass", f"{model.mass:.4g} kg"])
    if model.source:
        robot.append(["source", model.source])
    about = (
        f"<div>{tables.table(['model', ''], robot)}</div><div>{tables.table(['package', 'version'], versions)}</div>"
    )
    notes = "".join(f"<li>{escape(note)}</li>" for note in model.notes)
    return [
        folded("Events", tables.events_table(recording.events)),
        folded("Settings", tables.settings_table(options, about_options(task)) if options else ""),
        folded("Model and versions", f'<div class="two">{about}</div>'),
        folded("Assumptions of the model", f"<ul>{notes}</ul>" if notes else ""),
    ]


def about_options(task: Any) -> dict[str, tuple[str, str]]:
    """Unit and help of each option of a task."""
    known = dataclasses.fields(task.options) if task else ()
    return {f.name: (str(f.metadata.get("unit") or ""), str(f.metadata.get("help") or "")) for f in known}


def well_put(text: str) -> str:
    """Begin with a capital letter, end with a point, keep numbers with their units."""
    text = re.sub(r"(\d) (m|mm|s|rad|deg|N|J|kg)\b", "\\1\u00a0\\2", text.strip() or "There is no answer.")
    return text[0].upper() + text[1:] + ("" if text[-1] in ".!?" else ".")
