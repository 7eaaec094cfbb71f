"""The tasks' commands, made from their `Options`: `carpal reach --target 0.5 0.2 0.4 --seeds 200 --out out/study --json`.

Exit status 0 when the task was done, 1 with its sentence when it was not, 2 for bad input, 130 after Ctrl-C.
"""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import json
import math
import typing
from pathlib import Path
from typing import Annotated, Any

import typer

from carpal._core.folder_lock import folder_lock
from carpal.cli.options import set_parameters
from carpal.cli.terminal import AsJson
from carpal.errors import InputError
from carpal.tasks import (
    CampaignResult,
    Task,
    TaskResult,
    campaign,
    causes,
    labs,
    load_door,
    make_task,
    options_as_dict,
    options_given,
    spread,
    task_class,
    tasks,
)

DONE, NOT_DONE, INTERRUPTED = 0, 1, 130
MOST_CAUSES = 8

Seed = Annotated[int, typer.Option(help="Seed of everything random; with --seeds the first one.")]
Seeds = Annotated[int | None, typer.Option(help="Run this many seeds on all cores; resumes in the same --out.")]
Processes = Annotated[int | None, typer.Option(help="Worker processes for --seeds; one per core by default.")]
Out = Annotated[Path | None, typer.Option(help="Folder for recordings, tables and the report.")]
Device = Annotated[str, typer.Option(help="For --seeds: cpu, or cuda where the task's run loop is compiled.")]
Cluster = Annotated[str | None, typer.Option(help="For --seeds: a Dask scheduler, tcp://HOST:PORT, or local:N.")]
COMMON: dict[str, tuple[Any, Any]] = {
    "seed": (0, Seed), "seeds": (None, Seeds), "processes": (None, Processes), "device": ("cpu", Device),
    "cluster": (None, Cluster), "as_json": (False, AsJson), "out": (None, Out),
}  # fmt: skip
"""Options of every task's command besides the task's own: default and annotation."""


def add_task_commands(app: typer.Typer) -> None:
    """One command per task in the registry."""
    for name in tasks():
        if labs()[name].own_command:
            continue
        kind = task_class(name)
        text = f"{kind.about}\n\nExample: {kind.example}"
        app.command(name, help=text)(task_command(name, kind))


def add_lab_commands(app: typer.Typer) -> None:
    """The commands that labs bring themselves."""
    for lab in labs().values():
        if lab.commands:
            load_door(lab.commands)(app)


def task_command(name: str, kind: type[Task]) -> Any:
    """A function for typer whose arguments are the task's options, all as text: the task itself checks them."""

    def command(**given: Any) -> None:
        common = {word: given.pop(word) for word in COMMON}
        options = {word: value for word, value in given.items() if value is not None}
        raise typer.Exit(run_task(name, options, **common))

    parameters = [_parameter(f, hint) for f, hint in _fields(kind)]
    parameters += [
        inspect.Parameter(word, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for word, (default, annotation) in COMMON.items()
    ]
    set_parameters(command, parameters)
    return command


def _fields(kind: type[Task]) -> list[tuple[dataclasses.Field[Any], Any]]:
    hints = typing.get_type_hints(kind.Options)
    return [(f, hints[f.name]) for f in dataclasses.fields(kind.Options)]


def _parameter(f: dataclasses.Field[Any], hint: Any) -> inspect.Parameter:
    unit, choices = f.metadata.get("unit", ""), f.metadata.get("choices", ())
    default = " ".join(map(str, f.default)) if isinstance(f.default, tuple) else f.default
    among = f"{', '.join(choices)}; " if choices else ""
    text = f"{f.metadata.get('help', '')} ({among}default {default}{' ' * bool(unit)}{unit})"
    flag = "--" + f.name.replace("_", "-")
    if hint is bool:
        annotation: Any = Annotated[bool | None, typer.Option(f"{flag}/--no-{flag[2:]}", help=text)]
    else:
        metavar = "NUMBERS" if typing.get_origin(hint) is tuple else "TEXT" if hint is str else "NUMBER"
        annotation = Annotated[str | None, typer.Option(flag, help=text, metavar=metavar)]
    return inspect.Parameter(f.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def run_task(
    name: str,
    options: dict[str, Any],
    *,
    seed: int = 0,
    seeds: int | None = None,
    processes: int | None = None,
    device: str = "cpu",
    cluster: str | None = None,
    as_json: bool = False,
    out: Path | None = None,
) -> int:
    """Run a task once or for many seeds and print the result; returns the exit status."""
    if seed < 0:
        raise InputError(f"--seed must be a whole number, 0 or above; got {seed}.")
    task = make_task(name, **options)
    seeds = task.seeds_wanted if seeds is None else seeds
    if seeds is None:
        if processes is not None or device != "cpu" or cluster is not None:
            word = "processes" if processes is not None else "cluster" if cluster is not None else "device"
            raise InputError(f"--{word} is for --seeds: one run uses one process.")
        return _run_one(task, seed, as_json, out)
    if seeds < 1:
        raise InputError(f"--seeds must be a whole number, 1 or above; got {seeds}.")
    result = campaign(
        name, options_given(task), seeds=range(seed, seed + seeds), timeout=math.inf, out=out, processes=processes,
        device=device, cluster=cluster, recordings="none", progress=not as_json,
    )  # fmt: skip
    return _report_many(task, result, as_json, out)


def _run_one(task: Task, seed: int, as_json: bool, out: Path | None) -> int:
    task.check()
    with contextlib.nullcontext() if out is None else folder_lock(out):
        result = task.run(seed, out=out, progress=not as_json)
        files = {} if out is None else _files(out, "recording.parquet", "result.json")
        if out is not None and not result.interrupted:
            files["report"] = _report(result, out)
    lines = [result.status, *(f"  {name:<24} {_shown(value)}" for name, value in result.score.numbers.items())]
    _print({**task.summary(result.score), **result.to_dict(), "files": files}, lines, files, as_json)
    return INTERRUPTED if result.interrupted else DONE if result.ok else NOT_DONE


def _report_many(task: Task, result: CampaignResult, as_json: bool, out: Path | None) -> int:
    files = {} if out is None else _files(out, "journal.sqlite", "cases.parquet")
    if out is not None and not result.interrupted:
        files["report"] = _campaign_report(result, out)
    ok, numbers = result.ok and result.succeeded == result.finished, spread(result)
    summary = {
        "ok": ok, "status": result.status, "task": result.study.task, "options": options_as_dict(task.options),
        "seeds": list(result.study.seeds), "finished": result.finished, "succeeded": result.succeeded,
        "numbers": numbers, **task.campaign_summary(result.records), "files": files,
    }  # fmt: skip
    lines = [result.status]
    for name, row in numbers.items():
        lines.append(f"  {name:<24} " + "  ".join(f"{what} {_shown(value)}" for what, value in row.items()))
    lines += [f"  {count} failed: {why} (first: case {first})" for why, count, first in causes(result)[:MOST_CAUSES]]
    _print(summary, lines, files, as_json)
    return INTERRUPTED if result.interrupted else DONE if ok else NOT_DONE


def _report(result: TaskResult, out: Path) -> str:
    from carpal.report import write_report

    try:
        return str(write_report(result, out / "report.html"))
    except InputError as missing:  # the run itself is done and saved; only the report's package is not installed
        return f"not written: {missing}"


def _campaign_report(result: CampaignResult, out: Path) -> str:
    from carpal.report import write_campaign_report

    try:
        return str(write_campaign_report(result, out / "report.html"))
    except InputError as problem:  # the cases are done and saved
        return f"not written: {problem}"


def _files(out: Path, *names: str) -> dict[str, str]:
    return {name.partition(".")[0]: str(out / name) for name in names if (out / name).exists()}


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(_shown(inner) for inner in value)
    return f"{value:.6g}" if math.isfinite(value) else "none"


def _print(summary: dict[str, Any], lines: list[str], files: dict[str, str], as_json: bool) -> None:
    shown = [*lines, *(f"{name}: {path}" for name, path in files.items())]
    print(json.dumps(summary, allow_nan=False) if as_json else "\n".join(shown), flush=True)
