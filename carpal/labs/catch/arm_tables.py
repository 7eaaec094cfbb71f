"""The arm for the controller's kernels, plans as their arrays, and the wanted joints along a plan without any physics."""

from __future__ import annotations

import functools

import numpy as np

from carpal._core.batch import Groups, KernelInput, run_batch
from carpal.errors import InputError
from carpal.labs.catch.kernels.arm_chain import CHAIN_COLUMNS, FRAME_COLUMNS, JOINTS
from carpal.labs.catch.kernels.follow import FollowScratch
from carpal.labs.catch.kernels.follow_plan import REPORT_COLUMNS, FollowInputs, FollowOutputs, follow_plan
from carpal.labs.catch.kernels.path import TARGET_COLUMNS
from carpal.labs.catch.kernels.watch import CATCH, CHECK, MEANS, OPEN, TIME_COLUMNS
from carpal.labs.catch.plan import FIRST_CHECK, Plan
from carpal.labs.catch.robot import arm_joints, arm_model
from carpal.model import Mechanism
from carpal.spatial import Array, inverse

BEFORE_OPENING = 0.01
"""[s] before the hand opens, when the ball must be in it for the second time."""
MEAN_TIME = 2.2
"""[s] over which the thesis takes its means."""
CHECK_AFTER = 0.25
"""[s] after the catch at least, before the ball is checked for the first time."""


@functools.cache
def arm_chain() -> Array:
    """Table `chain` of the kernels, of `catcher_arm`."""
    rows, before = [], np.eye(4)
    for body in arm_joints():
        assert np.allclose(body.joint.axis, [0, 0, 1])  # DH rows turn about z
        rows.append(before @ body.joint.X_PJ)
        before = body.joint.X_JB
    return np.array([np.r_[X[:3, :3].ravel(), X[:3, 3]] for X in [*rows, before]]).reshape(-1, CHAIN_COLUMNS)


def arm_links(mechanism: Mechanism) -> Array:
    """Table `links`: mass and centre of mass of what each joint moves; the hand counts as one piece, as it is open."""
    joints, bodies = [body.joint for body in arm_joints()], mechanism.bodies
    palm = inverse(bodies[JOINTS - 1].X_WB)
    rows = []
    for joint, body in zip(joints, bodies, strict=False):
        parts = [(body.inertia.mass, body.inertia.com)]
        if joint is joints[-1]:
            for digit in bodies[JOINTS:-1]:  # the last is the ball
                X = palm @ digit.X_WB
                parts.append((digit.inertia.mass, X[:3, :3] @ digit.inertia.com + X[:3, 3]))
        mass = sum(m for m, _ in parts)
        com = sum(m * p for m, p in parts) / mass
        rows.append([mass, *(joint.X_JB[:3, :3] @ com + joint.X_JB[:3, 3])])
    return np.array(rows)


def packed_plans(plans: list[Plan], batch: tuple[int, ...]) -> tuple[Array, Array, Array]:
    """Knots, digits' knots and moments of all plans, each a row; shorter plans repeat their last knot later."""
    if len(plans) != 1 and (len(plans),) != batch:
        raise InputError(f"there must be one plan, or one for each of {batch} worlds; got {len(plans)}.")
    most, digits = max(len(plan.knots) for plan in plans), max(len(plan.grip) for plan in plans)
    knots, grip, times = [], [], []
    for plan in plans:
        rows, rest = plan.knots, most - len(plan.knots)
        last = np.repeat(rows[-1:], rest, axis=0)
        last[:, 0] += 1.0 + np.arange(rest)
        knots.append(np.concatenate([rows, last]).ravel())
        more = np.repeat(plan.grip[-1:], digits - len(plan.grip), axis=0)
        more[:, 0] += 1.0 + np.arange(len(more))
        grip.append(np.concatenate([plan.grip, more]).ravel())
        moments = np.zeros(TIME_COLUMNS)
        moments[CATCH], moments[CHECK] = plan.catch_time, max(FIRST_CHECK, plan.catch_time + CHECK_AFTER)
        moments[OPEN], moments[MEANS] = plan.open_time - BEFORE_OPENING, MEAN_TIME
        times.append(moments)
    if len(plans) == 1:
        return knots[0], grip[0], times[0]
    return np.array(knots), np.array(grip), np.array(times)


def follow_plans(plans: list[Plan], duration: float, period: float) -> tuple[Array, Array, Array]:
    """The wanted joint angles and rates along plans.

    Args:
        plans: what the hands shall do.
        duration: [s] from zero.
        period: [s] between two answers.

    Returns:
        Angles and rates (plans, rows, 6), and (plans, 3): worst residual [m, rad], least |det J|, and when the path was lost
        [s] (-1: never).
    """
    return follow_knots(np.reshape(packed_plans(plans, (len(plans),))[0], (len(plans), -1)), duration, period)


def follow_knots(knots: Array, duration: float, period: float) -> tuple[Array, Array, Array]:
    """`follow_plans` of knots (plans, KNOT_COLUMNS x knots), packed, whose first is the start pose."""
    model, rows = arm_model(), round(duration / period) + 1
    mass = np.zeros((JOINTS, 4))  # nobody asks for weights here
    scratch = [(TARGET_COLUMNS,), (6,), (6,), (JOINTS, FRAME_COLUMNS), (6, 6), (6, 6), (6,)]
    wanted, rates, report = run_batch(
        model, follow_plan, (arm_chain(), mass, period),
        [KernelInput("knots", knots, (knots.shape[-1],)), KernelInput("start", np.asarray(model.q_home), (JOINTS,))],
        [(rows, JOINTS), (rows, JOINTS), (REPORT_COLUMNS,)], scratch=scratch,
        groups=Groups(FollowInputs, FollowOutputs, FollowScratch), world_seconds=2e-6 * rows,
    )  # fmt: skip
    return wanted, rates, report
