"""Scores of cases in one process: what a worker, a Dask worker and the GPU's own loop have in common."""

from __future__ import annotations

import dataclasses
import functools
import json
import time
from collections.abc import Sequence
from typing import Any

from carpal.errors import CarpalError
from carpal.tasks.campaigns.store import CRASHED, DONE
from carpal.tasks.registry import task_class
from carpal.tasks.task import Score, Task

Told = tuple[int, dict[str, Any], int]
"""A case on its way to a worker: number, options, seed."""


@functools.lru_cache(maxsize=8)
def _task(name: str, options: str) -> Task:
    return task_class(name)(**json.loads(options))


def score_cases(name: str, cases: Sequence[Told], device: str = "cpu") -> list[dict[str, Any]]:
    """Rows of some cases, in their order; a case's own bad luck is its row and stops no other.

    Args:
        name: the task.
        cases: what to run.
        device: "cuda" hands them to the task together.
    """
    kind = task_class(name)
    if device != "cpu":
        begun = time.perf_counter()
        scores = kind.score_cases([(options, seed) for _, options, seed in cases], device)
        each = (time.perf_counter() - begun) / len(cases)
        return [{**_row(case[0], score), "seconds": each} for case, score in zip(cases, scores, strict=True)]
    rows = []
    for number, options, seed in cases:
        begun = time.perf_counter()
        try:
            score = _task(name, json.dumps(options, sort_keys=True)).score_seeds([seed])[0]
            row = _row(number, score)
        except CarpalError as problem:
            row = _row(number, Score(False, str(problem)))
        except Exception as problem:  # a task may raise anything; the others go on
            row = {**_row(number, Score(False, f"{type(problem).__name__}: {problem}")), "state": CRASHED}
        rows.append({**row, "seconds": time.perf_counter() - begun})
    return rows


def _row(number: int, score: Score) -> dict[str, Any]:
    numbers = {
        name: [float(x) for x in value] if isinstance(value, list) else float(value)
        for name, value in score.numbers.items()
    }
    return {"number": number, "state": DONE, "ok": bool(score.ok), "status": score.status, "numbers": numbers}


def option_names(kind: type[Task]) -> list[str]:
    """Names of a task's options."""
    return [field.name for field in dataclasses.fields(kind.Options)]
