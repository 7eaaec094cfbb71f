"""Many throws at once: worlds that share a catcher run in one call, on CPU threads or a GPU."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from carpal.errors import CarpalError
from carpal.tasks.catch.compiled import ROW, CatchState
from carpal.tasks.catch.flight import CATCH_PLANE
from carpal.tasks.catch.plan import Plan
from carpal.tasks.catch.score import CAUSES, Outcome, score_outcome
from carpal.tasks.task import Score

if TYPE_CHECKING:
    from carpal.tasks.catch.task import Catch, Throw


def score_together(cases: Sequence[tuple[Catch, int]], device: str = "cpu") -> list[Score]:
    """The scores of cases, (task, seed) each; one that cannot be planned has its reason for a score.

    Cases whose catchers are the same in every number run in one call: a ball of another mass, or another friction, is another
    catcher.
    """
    throws = [task.draw(seed) for task, seed in cases]
    scores: dict[int, Score] = {}
    plans: dict[int, Plan] = {}
    for i, (task, _) in enumerate(cases):
        try:
            plans[i] = task.plan_of(throws[i])
        except CarpalError as problem:
            scores[i] = _unplanned(str(problem))
    for i, refused in zip(list(plans), out_of_reach(list(plans.values())), strict=True):
        if refused:
            scores[i] = _unplanned(refused)
            del plans[i]
    groups: dict[Any, list[int]] = {}
    for i in plans:
        task, throw = cases[i][0], throws[i]
        # a world runs as long as the longest of its group; alone or among others it must give the same bits, but a GPU needs many
        rows = 0 if device != "cpu" else _rows(plans[i])
        groups.setdefault((task.settings(throw.mass, throw.friction), rows), []).append(i)
    for group in groups.values():
        task, throw = cases[group[0]][0], throws[group[0]]
        end = run_throws(task, [throws[i] for i in group], [plans[i] for i in group], device)
        numbers = task.numbers(throw.mass, throw.friction)
        for row, i in enumerate(group):
            outcome = Outcome(end.watch[row], end.q[row, -7:-4], end.v[row, -6:-3])
            scores[i] = score_outcome(numbers, plans[i], outcome)
    return [scores[i] for i in range(len(cases))]


def _unplanned(why: str) -> Score:
    return Score(False, why, {"caught": False, "cause_code": float(CAUSES.index("out of reach"))})


def out_of_reach(plans: list[Plan]) -> list[str]:
    """Why the arm cannot follow each of some plans; empty where it can."""
    from carpal.tasks.catch.arm_tables import follow_plans

    if not plans:
        return []
    lost = follow_plans(plans, float(max(plan.knots[-1, 0] for plan in plans)), 0.005)[2][:, 2]
    told = []
    for plan, when in zip(plans, lost, strict=True):
        x, y = plan.knots[1, 4:6]
        told.append(
            f"out of reach: the hand loses its path to ({x:.3f}, {y:.3f}, {CATCH_PLANE}) m at {when:.2f} s; the thesis's grid "
            "is x 0 to 0.4 m, y 0 to 0.35 m."
            if 0 <= when <= plan.knots[-1, 0] else ""
        )  # fmt: skip
    return told


def run_throws(task: Catch, throws: Sequence[Throw], plans: list[Plan], device: str = "cpu") -> CatchState:
    """All worlds from throw to rest; they must share mass and friction."""
    catcher = task.compiled(throws[0].mass, throws[0].friction, device)
    start = catcher.start(np.array([t.position for t in throws]), np.array([t.velocity for t in throws]))
    return catcher.run(start, plans, max(map(_rows, plans)))[0]


def _rows(plan: Plan) -> int:
    return math.ceil(plan.duration / ROW)
