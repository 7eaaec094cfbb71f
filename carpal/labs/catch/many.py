"""Many throws at once: worlds that share a catcher run in one call, on CPU threads or a GPU."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from carpal.errors import CarpalError
from carpal.labs.catch.compiled import ROW, CatchState
from carpal.labs.catch.flight import launch
from carpal.labs.catch.plan import Plan
from carpal.labs.catch.score import CAUSES, Outcome, score_outcome
from carpal.spatial import Array
from carpal.tasks import Score

if TYPE_CHECKING:
    from carpal.labs.catch.task import Catch, Throw


def score_together(cases: Sequence[tuple[Catch, int]], device: str = "cpu") -> list[Score]:
    """The scores of cases, (task, seed) each; one that cannot be planned has its reason for a score.

    Cases whose catchers are the same but for the ball run in one call.
    """
    throws = draws_of(cases)
    scores: dict[int, Score] = {}
    plans: dict[int, Plan] = {}
    for i, plan in enumerate(plans_of([task for task, _ in cases], throws)):
        if isinstance(plan, str):
            scores[i] = _unplanned(plan)
        else:
            plans[i] = plan
    for i, refused in zip(list(plans), out_of_reach(list(plans.values())), strict=True):
        if refused:
            scores[i] = _unplanned(refused)
            del plans[i]
    numbers = {i: cases[i][0].numbers(throws[i].mass, throws[i].friction) for i in plans}
    groups: dict[Any, list[int]] = {}
    for i in plans:
        # a world runs as long as the longest of its group; alone or among others it must give the same bits, but a GPU needs many
        rows = 0 if device != "cpu" else _rows(plans[i])
        groups.setdefault((numbers[i].with_standard_ball, cases[i][0].settings, rows), []).append(i)
    for group in groups.values():
        balls = np.array([numbers[i].ball for i in group])
        end = run_throws(cases[group[0]][0], [throws[i] for i in group], [plans[i] for i in group], device, balls)
        for row, i in enumerate(group):
            outcome = Outcome(end.watch[row], end.q[row, -7:-4], end.v[row, -6:-3])
            scores[i] = score_outcome(numbers[i], plans[i], outcome)
    return [scores[i] for i in range(len(cases))]


def draws_of(cases: Sequence[tuple[Catch, int]]) -> list[Throw]:
    """The throws of cases, (task, seed) each."""
    from carpal.labs.catch.task import Throw

    aims = [task.aim(seed) for task, seed in cases]
    p, v = launch(*np.array([aim for aim, _, _ in aims]).reshape(-1, 6).T)
    return [
        Throw(p[i], v[i], mass, friction, seed)
        for i, ((_, mass, friction), (_, seed)) in enumerate(zip(aims, cases, strict=True))
    ]


def plans_of(tasks: Sequence[Catch], throws: Sequence[Throw]) -> list[Plan | str]:
    """The plan of each throw, or why there is none; the best controller's are made together."""
    from carpal.labs.catch.best_plan import best_plans

    best = [i for i, task in enumerate(tasks) if task.options.controller == "best"]
    made: dict[int, Plan | str] = dict(zip(best, best_plans([tasks[i].pitch(throws[i]) for i in best]), strict=True))
    for i, task in enumerate(tasks):
        if i not in made:
            try:
                made[i] = task.plan_of(throws[i])
            except CarpalError as problem:
                made[i] = str(problem)
    return [made[i] for i in range(len(tasks))]


def _unplanned(why: str) -> Score:
    return Score(False, why, {"caught": False, "cause_code": float(CAUSES.index("out of reach"))})


def out_of_reach(plans: list[Plan]) -> list[str]:
    """Why the arm cannot follow each of some plans; empty where it can."""
    from carpal.labs.catch.arm_tables import follow_plans

    if not plans:
        return []
    lost = follow_plans(plans, float(max(plan.knots[-1, 0] for plan in plans)), 0.005)[2][:, 2]
    told = []
    for plan, when in zip(plans, lost, strict=True):
        x, y, z = plan.knots[np.searchsorted(plan.knots[:, 0], plan.catch_time * (1 - 1e-9)), 4:7]
        told.append(
            f"out of reach: the hand loses its path to ({x:.3f}, {y:.3f}, {z:.3f}) m at {when:.2f} s; the thesis's grid "
            "is x 0 to 0.4 m, y 0 to 0.35 m."
            if 0 <= when <= plan.knots[-1, 0] else ""
        )  # fmt: skip
    return told


def run_throws(
    task: Catch, throws: Sequence[Throw], plans: list[Plan], device: str = "cpu", balls: Array | None = None
) -> CatchState:
    """All worlds from throw to rest with the task's catcher, each with its ball (worlds, BALL_COLUMNS), the task's by default."""
    if balls is None:
        balls = np.array([task.numbers(throw.mass, throw.friction).ball for throw in throws])
    catcher = task.compiled(1.0, 1.0, device)
    start = catcher.start(np.array([t.position for t in throws]), np.array([t.velocity for t in throws]))
    return catcher.run(start, plans, max(map(_rows, plans)), balls=balls)[0]


def _rows(plan: Plan) -> int:
    return math.ceil(plan.duration / ROW)
