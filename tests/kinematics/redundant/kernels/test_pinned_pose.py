import numpy as np
from ik_inputs import SLOT, arm_of, twelve, work_for

import carpal
from carpal.kinematics import jacobian, random_configurations
from carpal.kinematics.inverse.kernels.ik_task import place_tool
from carpal.kinematics.redundant.elbow_points import elbow_angle as angle_of
from carpal.kinematics.redundant.elbow_points import elbow_points
from carpal.kinematics.redundant.kernels.pinned_pose import (
    ALONG,
    ANGLE,
    ERROR,
    PSI,
    PSI_RATE,
    TANGENT,
    elbow_angle,
    elbow_frame,
)
from carpal.kinematics.redundant.self_motion_curves import pin, wrap

SAWYER = carpal.load("sawyer")


def test_arm_angle_and_its_row_by_finite_differences():
    points = elbow_points(SAWYER, "tool").packed()
    for q in random_configurations(SAWYER, 5, seed=1):
        arm = arm_of(SAWYER)
        work = work_for(SAWYER, arm, q)
        place_tool(arm, work.q, work.scratch, SLOT)
        u, ref = elbow_frame(points, twelve(carpal.fk(SAWYER, q))[None], 0)
        row = np.full((2, 7), np.nan)
        psi, radius = elbow_angle(arm, points, u, ref, row, work.scratch, SLOT)
        assert abs(psi - angle_of(SAWYER, q)) < 1e-12
        assert radius > 0
        # along self-motion shoulder and wrist stand still, so there the row is the whole derivative
        t = np.linalg.svd(jacobian(SAWYER, q))[2][-1]
        h = 1e-5
        ends = [
            pin(SAWYER, "tool", carpal.fk(SAWYER, q), q + s * h * t, ALONG, t @ q + s * h, t)[1][PSI] for s in (1, -1)
        ]
        assert abs((ends[0] - ends[1]) / (2 * h) - row[SLOT] @ t) < 1e-7 * max(1.0, abs(row[SLOT] @ t)) + 1e-7


def test_a_pin_along_a_row_and_a_pin_at_an_angle():
    q = random_configurations(SAWYER, 1, seed=2)[0]
    X = carpal.fk(SAWYER, q)
    t = np.linalg.svd(jacobian(SAWYER, q))[2][-1]
    moved, report = pin(SAWYER, "tool", X, q + 0.03 * t, ALONG, t @ q + 0.03, t)
    assert report[ERROR] < 1e-12
    assert np.abs(carpal.fk(SAWYER, moved) - X).max() < 1e-12
    assert abs(t @ (moved - q) - 0.03) < 1e-12
    assert np.abs(jacobian(SAWYER, moved) @ report[TANGENT:]).max() < 1e-12
    psi = float(angle_of(SAWYER, moved))
    back, report = pin(SAWYER, "tool", X, q, ANGLE, psi, t)
    assert np.abs(wrap(back - moved)).max() < 1e-10
    assert abs(report[PSI] - psi) < 1e-12
    assert np.isfinite(report[PSI_RATE])


def test_a_batch_equals_one_at_a_time():
    q = random_configurations(SAWYER, 6, seed=3)
    X = carpal.fk(SAWYER, q)
    t = np.linalg.svd(jacobian(SAWYER, q))[2][:, -1]
    many = pin(SAWYER, "tool", X, q + 0.01 * t, ALONG, (t * q).sum(1), t)
    for i in range(6):
        one = pin(SAWYER, "tool", X[i], q[i] + 0.01 * t[i], ALONG, (t * q).sum(1)[i], t[i])
        assert (one[0] == many[0][i]).all() and (one[1] == many[1][i]).all()


def test_an_impossible_pin_says_so():
    q = random_configurations(SAWYER, 1, seed=2)[0]
    X = carpal.fk(SAWYER, q)
    X[0, 3] += 5.0
    _, report = pin(SAWYER, "tool", X, q, ALONG, 0.0, np.ones(7))
    assert not report[ERROR] < 1e-6
