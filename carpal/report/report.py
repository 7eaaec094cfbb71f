"""A run as one HTML file that opens from disk without a network: answer, tables, plots, replay, settings, how to repeat it."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import re
from html import escape
from pathlib import Path
from typing import Any

from carpal.errors import CarpalError, InputError
from carpal.model import Model
from carpal.report import report_tables as tables
from carpal.report.curves import pushed
from carpal.report.replay import recorded_model, replay_html
from carpal.report.report_plots import curves_html, figures_html, run_plots
from carpal.report.report_sections import section_html

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
    parts = [_header(recording, model, task, ok, status, getattr(result, "seconds", None))]
    parts += _results(score)
    if replay and len(recording.time):
        page = escape(replay_html(recording, model, view=task.view if task else None), quote=True)
        parts.append(
            f'<h2>Replay</h2><iframe class="replay" title="3-D replay" srcdoc="{page}"></iframe>'
            '<p class="note">Drag to turn, scroll to zoom, right-drag to move. The bar below holds time and speed.</p>'
        )
    plots = run_plots(recording, model)
    if plots:
        hint = "Drag across a plot to zoom all of them, double-click to see everything; click a name to hide its curve."
        parts.append(f'<h2>Plots</h2><p class="note" style="margin:-.4rem 0 1rem">{hint}</p>{figures_html(plots)}')
    scored = task is not None and getattr(result, "score", None) is not None
    for section in task.appendix(recording) if scored else ():
        text, more = section_html(section, model)
        parts.append(text)
        plots = plots + more
    if plots:
        parts.append(curves_html(plots))
    parts += _settings(recording, model, task, getattr(result, "command", ""))
    return page_html(f"{task.name if task else model.name}: {status}", parts, scripted=bool(plots))


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


def recorded_score(recording: Any, task: Any) -> Any:
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


def _header(recording: Any, model: Model, task: Any, ok: bool, status: str, seconds: float | None) -> str:
    meta = recording.metadata
    badge = f'<span class="badge{"" if ok else " bad"}">{"done" if ok else "not done"}</span>'
    what = (meta.get("options") or {}).get("robot") or model.name
    kicker = " · ".join(escape(str(text)) for text in ("Carpal", task.name if task else "recording", what))
    span = float(recording.time[-1] - recording.time[0]) if len(recording.time) else 0.0
    facts = [
        ("simulated", f"{span:.4g} s"),
        ("rows", f"{len(recording.time)}"),
        ("engine", " ".join(str(meta[k]) for k in ("engine", "integrator") if meta.get(k))),
        ("step", f"{1e3 * float(meta['dt']):.4g} ms" if meta.get("dt") else ""),
        ("seed", str(meta.get("seed")) if meta.get("seed") is not None else ""),
        ("computed in", f"{seconds:.3g} s" if seconds is not None else ""),
        ("energy residual", _residual(recording)),
    ]
    cells = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in facts if value)
    return (
        f'<header><p class="kicker">{kicker}{badge}</p><h1>{escape(status)}</h1><dl class="facts">{cells}</dl></header>'
    )


def _residual(recording: Any) -> str:
    values = [abs(float(x)) for x in recording.energy.get("residual", ()) if x == x]
    return f"{max(values):.2g} J" if values and pushed(recording) else ""


def _results(score: Any) -> list[str]:
    if score is None:
        return []
    parts = []
    if getattr(score, "published", None):
        parts.append(f"<h2>Published and ours</h2>{tables.published_table(score.published)}")
    if getattr(score, "numbers", None):
        parts.append(f'<h2>Numbers</h2><div class="narrow">{tables.numbers_table(score.numbers)}</div>')
    return parts


def _settings(recording: Any, model: Model, task: Any, command: str) -> list[str]:
    meta = recording.metadata
    given = {name: value for name, value in (meta.get("options") or {}).items() if name != "task"}
    order = [f.name for f in dataclasses.fields(task.options)] if task else []
    options = {name: given[name] for name in order if name in given} | given
    parts = []
    events = tables.events_table(recording.events)
    if events:
        parts.append(f"<h2>Events</h2>{events}")
    again = command or (task.command(meta.get("seed")) if task else IN_PYTHON)
    parts.append(f'<h2>Run it again</h2><pre id="again">{escape(again)}</pre>')
    if options:
        parts.append(f"<h2>Settings</h2>{tables.settings_table(options, about_options(task))}")
    versions = [[name, str(meta[name])] for name in ("carpal", "python", "numpy", "numba", "mujoco") if meta.get(name)]
    robot = [
        ["name", model.name], ["freedoms", str(model.nv)], ["bodies", str(len(model.bodies))], ["tool", str(model.tool)],
    ]  # fmt: skip
    if model.has_inertia:
        robot.append(["mass", f"{model.mass:.4g} kg"])
    if model.source:
        robot.append(["source", model.source])
    parts.append(
        f'<div class="two"><div><h2>Model</h2>{tables.table(["what", "value"], robot)}</div>'
        f"<div><h2>Versions</h2>{tables.table(['package', 'version'], versions)}</div></div>"
    )
    notes = "".join(f"<li>{escape(note)}</li>" for note in model.notes)
    if notes:
        parts.append(f"<h2>Assumptions of the model</h2><ul>{notes}</ul>")
    return parts


def about_options(task: Any) -> dict[str, tuple[str, str]]:
    """Unit and help of each option of a task."""
    known = dataclasses.fields(task.options) if task else ()
    return {f.name: (str(f.metadata.get("unit") or ""), str(f.metadata.get("help") or "")) for f in known}


def well_put(text: str) -> str:
    """Begin with a capital letter, end with a point, keep numbers with their units."""
    text = re.sub(r"(\d) (m|mm|s|rad|deg|N|J|kg)\b", "\\1\u00a0\\2", text.strip() or "There is no answer.")
    return text[0].upper() + text[1:] + ("" if text[-1] in ".!?" else ".")
