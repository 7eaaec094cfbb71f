"""Scores of cases in one process: what a worker, a Dask worker and the GPU's own loop have in common."""

from __future__ import annotations

import functools
import itertools
import json
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from carpal.errors import CarpalError, DeviceError
from carpal.tasks.campaigns.store import CRASHED, DONE
from carpal.tasks.registry import task_class
from carpal.tasks.task import Score, Task

CaseInput = tuple[int, dict[str, Any], int]
"""A case on its way to a worker: number, options, seed."""
DEVICE_PACKAGES = ("numba", "numba_cuda", "cuda")
"""Whose errors are the device's own: a launch that failed, memory that ran out, a kernel that does not compile."""


@functools.lru_cache(maxsize=8)
def _task(name: str, options: str) -> Task:
    return task_class(name)(**json.loads(options))


def score_cases(name: str, cases: Sequence[CaseInput], device: str = "cpu") -> list[dict[str, Any]]:
    """Rows of some cases, in their order; a case's own bad luck is its row and stops no other.

    Args:
        name: the task.
        cases: what to run.
        device: "cuda" hands them to the task together.
    """
    if device != "cpu":
        return _on_device(name, cases, device)
    rows: list[dict[str, Any]] = []
    for options, group in itertools.groupby(cases, lambda case: json.dumps(case[1], sort_keys=True)):
        rows += _group(name, options, list(group))
    return rows


def _group(name: str, options: str, cases: list[CaseInput]) -> list[dict[str, Any]]:
    """Rows of cases that differ by their seeds alone: a task with a compiled run loop does them all at once."""
    begun = time.perf_counter()
    try:
        scores = _task(name, options).score_seeds([seed for _, _, seed in cases])
        rows = [_row(number, score) for (number, _, _), score in zip(cases, scores, strict=True)]
    except CarpalError as problem:
        rows = [_row(number, Score(False, str(problem))) for number, _, _ in cases]
    except Exception as problem:  # a task may raise anything; the others go on
        if len(cases) > 1:
            return [row for case in cases for row in _group(name, options, [case])]
        rows = [{**_row(cases[0][0], Score(False, _error_text(problem))), "state": CRASHED}]
    each = (time.perf_counter() - begun) / len(cases)
    return [{**row, "seconds": each} for row in rows]


def _on_device(name: str, cases: Sequence[CaseInput], device: str) -> list[dict[str, Any]]:
    """Rows of cases that a device runs together; where one raises, halves are run until it stands alone.

    What the device itself raises stops the campaign: it would raise it for every case that is left.
    """
    begun = time.perf_counter()
    try:
        scores = task_class(name).score_cases([(options, seed) for _, options, seed in cases], device)
        rows = [_row(number, score) for (number, _, _), score in zip(cases, scores, strict=True)]
    except CarpalError:
        raise
    except Exception as problem:
        if type(problem).__module__.partition(".")[0] in DEVICE_PACKAGES:
            raise DeviceError(
                f"the device {device} failed: {_error_text(problem)}; what was finished is kept."
            ) from None
        if len(cases) > 1:
            half = len(cases) // 2
            return [row for some in (cases[:half], cases[half:]) for row in _on_device(name, some, device)]
        rows = [{**_row(cases[0][0], Score(False, _error_text(problem))), "state": CRASHED}]
    each = (time.perf_counter() - begun) / len(cases)
    return [{**row, "seconds": each} for row in rows]


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
