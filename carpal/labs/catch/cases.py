"""The one way from a case, (task, seed), to its score: throw, plan, run, outcome.

Throws that share a catcher are worlds of one call, on CPU threads or a GPU; one case is a call with one world.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from carpal.labs.catch.catcher_numbers import CatcherNumbers
from carpal.labs.catch.compiled import ROW, CatchState
from carpal.labs.catch.controller import plan_throws, refusals
from carpal.labs.catch.flight import launch
from carpal.labs.catch.plan import Plan
from carpal.labs.catch.score import CAUSES, Outcome, score_outcome
from carpal.labs.catch.validity import Verdicts, energy_is_kept
from carpal.spatial import Array
from carpal.tasks import Score

if TYPE_CHECKING:
    from carpal.labs.catch.task import Catch


@dataclass(frozen=True, eq=False)
class Throw:
    """What a seed draws: the ball's start (3) [m], its velocity (3) [m/s], factors on mass and friction, and the seed."""

    position: Array
    velocity: Array
    mass: float
    friction: float
    seed: int


@dataclass(frozen=True, eq=False)
class Case:
    """A seed's throw, the catcher with the throw's ball, and the plan for it."""

    throw: Throw
    numbers: CatcherNumbers
    plan: Plan


def draw_throws(cases: Sequence[tuple[Catch, int]]) -> list[Throw]:
    """The throws of cases, (task, seed) each."""
    aims = [task.aim(seed) for task, seed in cases]
    p, v = launch(*np.array([aim for aim, _, _ in aims]).reshape(-1, 6).T)
    return [
        Throw(p[i], v[i], mass, friction, seed)
        for i, ((_, mass, friction), (_, seed)) in enumerate(zip(aims, cases, strict=True))
    ]


def plan_cases(cases: Sequence[tuple[Catch, int]]) -> list[Case | str]:
    """Each case with its plan, or why there is none that the arm can follow."""
    throws = draw_throws(cases)
    plans = plan_throws([task for task, _ in cases], throws)
    limits = [task.largest_speed for (task, _), plan in zip(cases, plans, strict=True) if isinstance(plan, Plan)]
    refused_by = iter(refusals([plan for plan in plans if isinstance(plan, Plan)], limits))
    made: list[Case | str] = []
    for (task, _), throw, plan in zip(cases, throws, plans, strict=True):
        refused = plan if isinstance(plan, str) else next(refused_by)
        if refused or isinstance(plan, str):
            made.append(str(refused))
        else:
            made.append(Case(throw, task.numbers(throw.mass, throw.friction), plan))
    return made


def run_throws(
    task: Catch, throws: Sequence[Throw], plans: list[Plan], device: str = "cpu", balls: Array | None = None
) -> tuple[CatchState, Verdicts]:
    """All worlds from throw to rest with the task's catcher, and whether the ledger of each (worlds) closes.

    Each has its ball (worlds, BALL_COLUMNS), the task's by default.
    """
    if balls is None:
        balls = np.array([task.numbers(throw.mass, throw.friction).ball for throw in throws])
    catcher = task.compiled(1.0, 1.0, device)
    start = catcher.start(np.array([t.position for t in throws]), np.array([t.velocity for t in throws]))
    first = catcher.run(start, plans, 0, balls=balls)[0]
    end, _, work_in, dissipated = catcher.run(start, plans, max(map(_rows, plans)), balls=balls)
    return end, energy_is_kept(catcher.engine, first, end, work_in, dissipated)


def score_cases(cases: Sequence[tuple[Catch, int]], device: str = "cpu") -> list[Score]:
    """The scores of cases, (task, seed) each; one that cannot be planned has its reason for a score.

    Cases whose catchers are the same but for the ball run in one call.
    """
    planned = plan_cases(cases)
    scores = {i: _unplanned(case) for i, case in enumerate(planned) if isinstance(case, str)}
    groups: dict[Any, list[tuple[int, Case]]] = {}
    for i, case in enumerate(planned):
        if isinstance(case, Case):
            # a world runs as long as the longest of its group; alone or among others it must give the same bits, but a GPU
            # needs many
            rows = 0 if device != "cpu" else _rows(case.plan)
            key = (case.numbers.with_standard_ball, cases[i][0].settings, rows)
            groups.setdefault(key, []).append((i, case))
    for group in groups.values():
        balls = np.array([case.numbers.ball for _, case in group])
        throws, plans = [case.throw for _, case in group], [case.plan for _, case in group]
        end, kept = run_throws(cases[group[0][0]][0], throws, plans, device, balls)
        for row, (i, case) in enumerate(group):
            closes = bool(kept[row]) or not cases[i][0].ledger_counts
            scores[i] = score_outcome(case.numbers, case.plan, Outcome.of_state(end, row, closes))
    return [scores[i] for i in range(len(cases))]


def _unplanned(why: str) -> Score:
    cause = "too fast" if why.startswith("too fast") else "out of reach"
    return Score(False, why, {"caught": False, "cause_code": float(CAUSES.index(cause))})


def _rows(plan: Plan) -> int:
    return math.ceil(plan.duration / ROW)
