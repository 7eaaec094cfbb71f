"""What drives the catcher: gains, the plan of a throw by either controller, and whether the arm can follow it.

The plan is followed inside the compiled loop (`kernels/control.py`); MuJoCo gets the same commands every 0.2 ms.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from carpal.dynamics import mass_matrix
from carpal.errors import CarpalError, InputError
from carpal.labs.catch.arm_tables import follow_plans
from carpal.labs.catch.best_plan import ObservedThrow, best_plans
from carpal.labs.catch.catcher_numbers import THESIS_P, CatcherNumbers
from carpal.labs.catch.flight import Meeting, launch, meeting
from carpal.labs.catch.plan import Plan, catch_plan, start_coordinates
from carpal.labs.catch.scene import catcher_tree
from carpal.labs.catch.score import landing
from carpal.labs.catch.sightings import estimated_plan
from carpal.labs.catch.throw_back import REHEARSALS, mended, throw_plan
from carpal.spatial import Array

if TYPE_CHECKING:
    from carpal.labs.catch.cases import Throw
    from carpal.labs.catch.task import Catch

FOLLOW_PERIOD = 0.005
"""[s] between two samples of a plan that is checked before it is run."""
MIDDLE = (0.2, 0.14)
"""Point of the grid at whose catch pose the tuned gains are taken."""
NOMINAL: dict[str, Any] = {
    "vary": 0.0, "grid": False, "ball": "known", "x": 0.2, "y": 0.14, "speed": 5.2, "angle": 45.0, "side": 0.0,
}  # fmt: skip
"""Options of the throw with which throwing back is rehearsed."""


@functools.cache
def tuned_damping() -> tuple[float, ...]:
    """D = 2 sqrt(P M_ii) (6) [N m s/rad], M the arm's mass matrix in the catch pose of the grid's middle (erratum E11)."""
    p, v = launch(*MIDDLE, 5.2, math.radians(45.0))
    meet = meeting(p, v, start_coordinates()[:3])
    plan = catch_plan(meet, close_early=0.0, approach=1.0, how="ramp", dt=1e-3)
    q = follow_plans([plan], meet.time, meet.time / 500)[0][0, -1]
    tree = catcher_tree(q, numbers=CatcherNumbers())
    M = mass_matrix(tree, np.asarray(tree.q_home))
    return tuple(float(2.0 * np.sqrt(P * M[i, i])) for i, P in enumerate(THESIS_P))


def plan_throws(tasks: Sequence[Catch], throws: Sequence[Throw]) -> list[Plan | str]:
    """The plan of each throw, or why there is none; the best controller's are made together."""
    best = [i for i, task in enumerate(tasks) if task.options.controller == "best"]
    found = best_plans([observed(tasks[i], throws[i]) for i in best])
    made: dict[int, Plan | str] = dict(zip(best, found, strict=True))
    for i, task in enumerate(tasks):
        if i not in made:
            try:
                made[i] = plan_throw(task, throws[i])
            except CarpalError as problem:
                made[i] = str(problem)
    return [made[i] for i in range(len(tasks))]


def plan_throw(task: Catch, throw: Throw) -> Plan:
    """What the hand shall do for a throw, known or seen."""
    if task.options.controller == "best":
        plan = best_plans([observed(task, throw)])[0]
        if isinstance(plan, str):
            raise InputError(plan)
        return plan
    planned = functools.partial(plan_meeting, task)
    if task.options.ball == "estimated":
        k = task.numbers(throw.mass, throw.friction).air_rate
        return estimated_plan(throw.position, throw.velocity, task.options.noise, throw.seed, planned, k)
    return planned(meeting(throw.position, throw.velocity, start_coordinates()[:3]))


def plan_meeting(task: Catch, meet: Meeting) -> Plan:
    """The thesis's plan for a known meeting: catch and drop, or catch and throw back."""
    o = task.options
    common = {
        "close_early": o.close_early, "approach": o.approach_fraction, "how": "kick" if o.as_thesis else o.close,
        "dt": task.dt,
    }  # fmt: skip
    if not o.throw:
        return catch_plan(meet, **common)
    return throw_plan(meet, task.target, correction=task.correction, radius=o.ball_radius, **common)


def observed(task: Catch, throw: Throw) -> ObservedThrow:
    """A throw as the best controller observes it."""
    o, numbers = task.options, task.numbers(throw.mass, throw.friction)
    return ObservedThrow(
        throw.position, throw.velocity, numbers.air_rate, o.noise, throw.seed, o.ball_radius, o.close_early, o.close,
        task.dt, task.largest_speed, numbers.torque_limit,
    )  # fmt: skip


def refusals(plans: list[Plan], speed_limits: Sequence[float]) -> list[str]:
    """Why the arm cannot follow each of some plans with its joint speeds (plans) [rad/s]; empty where it can."""
    if not plans:
        return []
    _, rates, report = follow_plans(plans, float(max(plan.knots[-1, 0] for plan in plans)), FOLLOW_PERIOD)
    reasons = []
    for plan, speeds, when, limit in zip(plans, np.abs(rates), report[:, 2], speed_limits, strict=True):
        x, y, z = plan.knots[np.searchsorted(plan.knots[:, 0], plan.catch_time * (1 - 1e-9)), 4:7]
        own = speeds[: int(plan.knots[-1, 0] / FOLLOW_PERIOD) + 1]
        row, joint = np.unravel_index(int(own.argmax()), own.shape)
        if 0 <= when <= plan.knots[-1, 0]:
            reasons.append(
                f"out of reach: the hand loses its path to ({x:.3f}, {y:.3f}, {z:.3f}) m at {when:.2f} s; the thesis's grid "
                "is x 0 to 0.4 m, y 0 to 0.35 m."
            )
        elif own[row, joint] > limit:
            reasons.append(
                f"too fast: the plan asks joint {joint + 1} for {own[row, joint]:.1f} rad/s at {row * FOLLOW_PERIOD:.2f} s, "
                f"more than speed_limit, {limit:g} rad/s; the ball is caught at {plan.catch_time:.2f} s."
            )
        else:
            reasons.append("")
    return reasons


def learned_correction(task: Catch) -> Array:
    """Correction of the release velocity (3) [m/s], learned in rehearsals with the nominal throw and ball."""
    from carpal.labs.catch.cases import run_throws

    correction = np.zeros(3)
    nominal = type(task)(**(dataclasses.asdict(task.options) | NOMINAL))
    for _ in range(REHEARSALS):
        rehearsal = nominal.with_correction(correction).case(0)
        end, _ = run_throws(nominal, [rehearsal.throw], [rehearsal.plan])
        there = landing(end.q[0, -7:-4], end.v[0, -6:-3], float(task.target[1]))
        if there is None:
            raise InputError(f"the disc at height {task.target[1]:g} m is above what the arm can throw to.")
        correction = mended(correction, rehearsal.plan, there)
    return correction
