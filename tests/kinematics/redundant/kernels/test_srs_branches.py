"""Eight branches: sharing of parts, order, fitting of turns, refusals, and slots that do not disturb each other."""

import numpy as np
import pytest

import carpal
from carpal.kinematics import random_configurations
from carpal.kinematics.redundant.kernels.srs_branches import (
    BRANCHES,
    CODE,
    COUNT,
    DISTANCE,
    INSIDE,
    LIMIT_SLACK,
    PART,
    PARTS,
    REPORT,
    fitted,
    srs_batch,
)
from carpal.kinematics.redundant.kernels.srs_pose import LOW, MIDDLE, TOO_FAR, WIDE
from carpal.kinematics.redundant.srs_class import require_srs

ARM = carpal.load("sia5")
GEOMETRY = require_srs(ARM)


def run(q, ordered=1, slot=1, **changes):
    X, psi = carpal.fk(ARM, q), carpal.arm_angle(ARM, q)
    given = {
        "target": np.concatenate([X[:, :3, :3].reshape(-1, 9), X[:, :3, 3]], axis=1), "psi": psi[:, None].copy(), "q0": q,
    } | changes  # fmt: skip
    n = len(q)
    out = np.full((n, BRANCHES, 7), -7.0), np.full((n, BRANCHES, 3), -7.0), np.full((n, REPORT), -7.0)
    parts = np.full((2, PARTS, PART), np.nan)
    bad = srs_batch(GEOMETRY.numbers, ordered, *given.values(), *out, parts, 0, n, 1, slot)
    assert np.isnan(parts[1 - slot]).all()
    return bad, *out


def test_branches_share_their_parts():
    """Shoulder angles depend on elbow and shoulder bits only, wrist angles on elbow and wrist bits."""
    q0 = random_configurations(ARM, 30, seed=1)
    bad, q, branches, report = run(q0, ordered=0)
    assert bad == 0
    assert (branches[:, :, 0] == np.arange(8)).all()
    for code in range(8):
        assert np.array_equal(q[:, code, :4], q[:, code & 3, :4])
        assert np.array_equal(q[:, code, 3:], q[:, code & 5, 3:])
    turned = q[:, 2, 0] - q[:, 0, 0]  # the other shoulder: half a turn and the opposite angle
    assert np.allclose(np.abs((turned + np.pi) % (2 * np.pi) - np.pi), np.pi)
    assert np.allclose(q[:, 2, 1], -q[:, 0, 1])
    assert (report[:, COUNT] == 8).all()
    assert np.array_equal(report[:, INSIDE], branches[:, :, 1].sum(axis=1))


def test_order_is_by_the_distance_that_is_stored():
    q0 = random_configurations(ARM, 30, seed=2)
    _, q, branches, _ = run(q0)
    assert np.allclose(((q - q0[:, None]) ** 2).sum(-1), branches[:, :, 2])
    assert (np.diff(branches[:, :, 2]) >= 0).all()
    assert (np.sort(branches[:, :, 0]) == np.arange(8)).all()


def test_too_far_leaves_no_number_of_the_last_world():
    q0 = random_configurations(ARM, 3, seed=3)
    target = run(q0)[0]
    assert target == 0
    X = carpal.fk(ARM, q0)
    twelve = np.concatenate([X[:, :3, :3].reshape(-1, 9), X[:, :3, 3]], axis=1)
    twelve[1, 9] += 3.0
    bad, q, branches, report = run(q0, target=twelve)
    assert bad == 0
    assert report[1, CODE] == TOO_FAR and report[1, COUNT] == 0 and report[1, DISTANCE] > 2.0
    assert np.isnan(q[1]).all() and (branches[1, :, 0] == -1).all() and (branches[1, :, 1] == 0).all()
    assert np.isfinite(q[[0, 2]]).all()


@pytest.mark.parametrize(("name", "column"), [("target", 3), ("psi", 0), ("q0", 5)])
def test_refusals_name_the_first_world(name, column):
    q0 = random_configurations(ARM, 4, seed=4)
    X, psi = carpal.fk(ARM, q0), carpal.arm_angle(ARM, q0)
    values = {
        "target": np.concatenate([X[:, :3, :3].reshape(-1, 9), X[:, :3, 3]], axis=1), "psi": psi[:, None].copy(), "q0": q0,
    }[name]  # fmt: skip
    values = values.copy()
    values[[2, 3], column] = np.nan
    assert run(q0, **{name: values})[0] == 3


def test_fitting_of_turns():
    numbers = GEOMETRY.numbers.copy()
    numbers[LOW] = -0.5
    numbers[LOW + 7], numbers[MIDDLE], numbers[WIDE] = 1.5, 0.5, 0.0
    assert fitted(numbers, 0, 0.2 + 4 * np.pi, 9.0) == (pytest.approx(0.2), True)
    assert fitted(numbers, 0, -1.0, 9.0) == (pytest.approx(-1.0), False)
    assert fitted(numbers, 0, 1.5 + 0.5 * LIMIT_SLACK, 0.0) == (1.5, True)  # set onto the limit
    assert fitted(numbers, 0, 1.5 + 3 * LIMIT_SLACK, 0.0)[1] is False
    numbers[LOW], numbers[LOW + 7], numbers[WIDE] = -9.0, 9.0, 1.0
    assert fitted(numbers, 0, 0.2, 6.0) == (pytest.approx(0.2 + 2 * np.pi), True)
    assert fitted(numbers, 0, 3.0, 9.1) == (pytest.approx(3.0), True)  # a turn farther on would be outside
    numbers[LOW], numbers[LOW + 7] = -np.inf, np.inf
    assert fitted(numbers, 0, 0.2, 60.0)[0] == pytest.approx(60.0, abs=np.pi)
