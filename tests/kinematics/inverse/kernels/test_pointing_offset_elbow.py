"""The kernel of the K10's class against the thesis's corrected formulas, and what it says when there is none."""

import math

import numpy as np

import carpal
from carpal.kinematics.inverse.arm_class import arm_class
from carpal.kinematics.inverse.kernels.branches import AMOUNT, COUNT, HOLLOW, MARKS, REASON, SUMMARY, TOO_FAR, TOO_NEAR
from carpal.kinematics.inverse.kernels.pointing_offset_elbow import BRANCHES, offset_elbow_batch

W_S, S_E, E_E, E_W = 0.112, 0.325, 0.0692, 0.311


def run(point, direction, q0=(0.0,) * 5):
    model = carpal.load("k10")
    arm = arm_class(model)
    target = np.zeros((1, 12))
    target[0, :3], target[0, 9:] = direction, point
    q, marks, summary = np.empty((1, BRANCHES, 5)), np.empty((1, BRANCHES, MARKS)), np.empty((1, SUMMARY))
    bad = offset_elbow_batch(
        arm.geo, arm.axes.columns, model.q_min.copy(), model.q_max.copy(), target, np.array([q0], float), np.zeros((1, 1)),
        q, marks, summary, 0, 1, 1, 0,
    )  # fmt: skip
    return bad, q[0], marks[0], summary[0]


def fact_sheet(point, direction):
    """E2 and E3 as the fact sheet writes them."""
    x, y, z = point
    Z = z - W_S
    c3 = (x * x + y * y + Z * Z - E_E**2 - S_E**2 - E_W**2) / (2 * S_E * E_W)
    found = []
    for t3 in (math.acos(c3), -math.acos(c3)):
        f, l = S_E + E_W * math.cos(t3), E_W * math.sin(t3)
        h = math.sqrt(max(f * f + E_E**2 - Z * Z, 0.0))
        for X in (h, -h):
            t2 = math.atan2(E_E * X - f * Z, f * X + E_E * Z)
            t1 = math.atan2(y, x) - math.atan2(l, X)
            R = np.eye(3)
            for axis, t in ((2, t1), (1, t2), (2, t3)):
                c, s = math.cos(t), math.sin(t)
                turn = (
                    np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
                    if axis == 2
                    else np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
                )
                R = R @ turn
            p1, p2, p3 = R.T @ direction
            n = math.hypot(p2, p3)
            for side in (1, -1):
                found.append((t1, t2, t3, math.atan2(side * p3, side * p2), side * math.atan2(n, p1)))
    return np.array(found)


def test_the_eight_branches_of_the_fact_sheet():
    rng = np.random.default_rng(2)
    model = carpal.load("k10")
    for q in rng.uniform(np.maximum(model.q_min, -3), np.minimum(model.q_max, 3), (50, 5)):
        X = carpal.fk(model, q)
        bad, rows, _, summary = run(X[:3, 3], X[:3, 0])
        assert not bad and summary[COUNT] == 8
        expected = fact_sheet(X[:3, 3], X[:3, 0])
        off = np.abs((rows[:, None] - expected + np.pi) % (2 * np.pi) - np.pi).max(-1)
        assert off.min(0).max() < 1e-7 and off.min(1).max() < 1e-7


def test_reasons():
    for point, code in (((2.0, 0, 0), TOO_FAR), ((0.02, 0, W_S), TOO_NEAR), ((0.05, 0.0, 0.5), HOLLOW)):
        _, rows, marks, summary = run(point, (0, 0, 1.0))
        assert summary[COUNT] == 0 and summary[REASON] == code and summary[AMOUNT] > 0
        assert np.isnan(rows).all() and (marks[:, 1] == -1).all()


def test_numbers_that_are_not_finite_are_refused():
    assert run((np.nan, 0, 0), (0, 0, 1.0))[0] == 1
    assert run((0.4, 0, 0), (0, 0, 1.0), (np.nan, 0, 0, 0, 0))[0] == 1
