"""From a case to its row, in one process: case, task, run, score, row. Workers, Dask and the GPU backend all call `case_rows`.

A case's options make a task (`_tasks_of`), `Task.score_worlds` runs and scores it, `_row` writes its score as plain data.
A failing case becomes one row; the others continue.
"""

from __future__ import annotations

import functools
import itertools
import json
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from carpal.errors import CarpalError, DeviceError, InputError
from carpal.tasks.campaigns.store import CRASHED, DONE
from carpal.tasks.registry import task_class
from carpal.tasks.task import Score, Task

CaseInput = tuple[int, dict[str, Any], int]
"""Case number, options, seed."""
DEVICE_PACKAGES = ("numba", "numba_cuda", "cuda")
"""Errors of these packages are errors of the device: a failed launch, no memory, a kernel that does not compile."""


def case_rows(name: str, cases: Sequence[CaseInput], device: str = "cpu") -> list[dict[str, Any]]:
    """Rows of some cases, in their order.

    Args:
        name: the task.
        cases: what to run.
        device: "cuda" runs all of them together; on "cpu" cases with the same options run together.
    """
    devices = task_class(name).devices
    if device not in devices:
        raise InputError(f"the task '{name}' runs on {', '.join(devices)} only; got device '{device}'.")
    if device != "cpu":
        return _rows(name, cases, device)
    groups = itertools.groupby(cases, lambda case: _key(case[1]))
    return [row for _, group in groups for row in _rows(name, list(group), device)]


def _rows(name: str, cases: Sequence[CaseInput], device: str) -> list[dict[str, Any]]:
    """Rows of cases that run together; where one raises, halves are run until it is alone.

    An error of the device stops the campaign: every other case would raise it too.
    """
    begun = time.perf_counter()
    try:
        rows = [_row(case[0], score) for case, score in zip(cases, _scores(name, cases, device), strict=True)]
    except CarpalError as problem:
        if device != "cpu":
            raise
        rows = [_row(number, Score(False, str(problem))) for number, _, _ in cases]
    except Exception as problem:  # a task may raise anything; the others continue
        if device != "cpu" and type(problem).__module__.partition(".")[0] in DEVICE_PACKAGES:
            raise DeviceError(
                f"the device {device} failed: {_error_text(problem)}; what was finished is kept."
            ) from None
        if len(cases) > 1:
            half = len(cases) // 2
            return [row for some in (cases[:half], cases[half:]) for row in _rows(name, some, device)]
        rows = [{**_row(cases[0][0], Score(False, _error_text(problem))), "state": CRASHED}]
    each = (time.perf_counter() - begun) / len(cases)
    return [{**row, "seconds": each} for row in rows]


def _scores(name: str, cases: Sequence[CaseInput], device: str) -> list[Score]:
    """Scores of cases; options that a task refuses are a failed score."""
    made = _tasks_of(name, cases, device)
    tasks = [made[_key(options)] for _, options, _ in cases]
    worlds = [(task, seed) for task, (_, _, seed) in zip(tasks, cases, strict=True) if isinstance(task, Task)]
    scores = iter(task_class(name).score_worlds(worlds, device)) if worlds else iter(())
    return [task if isinstance(task, Score) else next(scores) for task in tasks]


def _tasks_of(name: str, cases: Sequence[CaseInput], device: str) -> dict[str, Task | Score]:
    """A task for each different set of options, or its refusal as a failed score."""
    made: dict[str, Task | Score] = {}
    for key in dict.fromkeys(_key(options) for _, options, _ in cases):
        try:
            task = _task(name, key)
        except CarpalError as problem:
            made[key] = Score(False, str(problem))
            continue
        if device != "cpu" and task.only_step_by_step:
            raise InputError(
                f"the task '{name}' with {task.only_step_by_step} runs on cpu only; got device '{device}'."
            )
        made[key] = task
    return made


@functools.lru_cache(maxsize=8)
def _task(name: str, options: str) -> Task:
    return task_class(name)(**json.loads(options))


def _key(options: dict[str, Any]) -> str:
    return json.dumps(options, sort_keys=True)


def _error_text(problem: Exception) -> str:
    """What was raised, and where."""
    last = traceback.extract_tb(problem.__traceback__)[-1]
    return f"{type(problem).__name__}: {problem} ({Path(last.filename).name}, line {last.lineno})"


def _row(number: int, score: Score) -> dict[str, Any]:
    numbers = {
        name: [float(x) for x in value] if isinstance(value, list) else float(value)
        for name, value in score.numbers.items()
    }
    return {"number": number, "state": DONE, "ok": bool(score.ok), "status": score.status, "numbers": numbers}
