"""Many throws at once: worlds that share a catcher run in one call, on CPU threads or a GPU."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from carpal.errors import CarpalError
from carpal.spatial import Array
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
            groups.setdefault((throw.mass, throw.friction), []).append((i, throw, task.checked_plan(throw)))
        except CarpalError as problem:
            scores[i] = Score(False, str(problem), {"caught": False, "cause_code": float(CAUSES.index("out of reach"))})
    for (mass, friction), group in groups.items():
        end = run_throws(task, [throw for _, throw, _ in group], [plan for _, _, plan in group], device)
        numbers = task.numbers(mass, friction)
        for row, (i, _, plan) in enumerate(group):
            outcome = Outcome(end.watch[row], end.q[row, -7:-4], end.v[row, -6:-3], landing_of(plan, end, row))
            scores[i] = score_outcome(numbers, plan, outcome)
    return [scores[i] for i in range(len(throws))]


def run_throws(task: Catch, throws: Sequence[Throw], plans: list[Plan], device: str = "cpu") -> CatchState:
    """All worlds from throw to rest; they must share mass and friction."""
    catcher = task.compiled(throws[0].mass, throws[0].friction, device)
    start = catcher.start(np.array([t.position for t in throws]), np.array([t.velocity for t in throws]))
    rows = max(math.ceil(plan.duration / ROW) for plan in plans)
    return catcher.run(start, plans, rows)[0]


def landing_of(plan: Plan, end: CatchState, row: int) -> Array | None:
    """Where a ball thrown back crosses the disc's height, flown on from the end of the run; None where it never does."""
    if plan.target is None:
        return None
    p, v = end.q[row, -7:-4], end.v[row, -6:-3]
    root = v[1] ** 2 + 2 * 9.81 * (p[1] - plan.target[1])
    if root < 0:
        return None
    t = (v[1] + math.sqrt(root)) / 9.81
    return np.asarray(p + t * v + 0.5 * t * t * np.array([0.0, -9.81, 0.0]))
