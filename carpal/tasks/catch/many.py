"""Many throws at once: worlds that share a catcher run in one call, on CPU threads or a GPU."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from carpal.errors import CarpalError
from carpal.tasks.catch.compiled import ROW, CatchState
from carpal.tasks.catch.plan import Plan
from carpal.tasks.catch.score import CAUSES, Outcome, score_outcome
from carpal.tasks.task import Score

if TYPE_CHECKING:
    from carpal.tasks.catch.task import Catch, Throw


def score_throws(task: Catch, throws: Sequence[Throw], device: str = "cpu") -> list[Score]:
    """The scores of some throws; one that cannot be planned has its reason for a score."""
    scores: dict[int, Score] = {}
    groups: dict[tuple[float, float], list[tuple[int, Throw, Plan]]] = {}
    for i, throw in enumerate(throws):
        try:
            plan = task.checked_plan(throw)
        except CarpalError as problem:
            scores[i] = Score(False, str(problem), {"caught": False, "cause_code": float(CAUSES.index("out of reach"))})
            continue
        groups.setdefault((throw.mass, throw.friction), []).append((i, throw, plan))
    for (mass, friction), group in groups.items():
        end = run_throws(task, [throw for _, throw, _ in group], [plan for _, _, plan in group], device)
        numbers = task.numbers(mass, friction)
        for row, (i, _, plan) in enumerate(group):
            scores[i] = score_outcome(numbers, plan, Outcome(end.watch[row], end.q[row, -7:-4], end.v[row, -6:-3]))
    return [scores[i] for i in range(len(throws))]


def run_throws(task: Catch, throws: Sequence[Throw], plans: list[Plan], device: str = "cpu") -> CatchState:
    """All worlds from throw to rest; they must share mass and friction."""
    catcher = task.compiled(throws[0].mass, throws[0].friction, device)
    start = catcher.start(np.array([t.position for t in throws]), np.array([t.velocity for t in throws]))
    rows = max(math.ceil(plan.duration / ROW) for plan in plans)
    return catcher.run(start, plans, rows)[0]
