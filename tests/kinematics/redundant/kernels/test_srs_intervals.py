"""The interval kernel against a fine grid of arm angles, for kinds of limits that random robots seldom have."""

import numpy as np
import pytest
from srs_robots import with_limits

import carpal
from carpal.kinematics import arm_angle_intervals
from carpal.kinematics.redundant.arm_angle7 import solve_arm_angle
from carpal.kinematics.redundant.intervals import limit_table
from carpal.kinematics.redundant.kernels import srs_intervals as at
from carpal.kinematics.redundant.kernels.srs_intervals import interval_batch
from carpal.kinematics.redundant.srs_class import require_srs

LIMITS = {
    "one joint 1, wide": {0: (-120, 130)},
    "one joint 1, narrow": {0: (-20, 30)},
    "one joint 1, a turn away": {0: (300, 420)},
    "joint 2 on one side": {1: (20, 90)},
    "joint 2 near both ends": {1: (-100, 150)},
    "joint 2 around the back": {1: (110, 330)},
    "joint 2 never": {1: (370, 380)},
    "joint 3": {2: (-170, 10)},
    "joint 5": {4: (10, 200)},
    "joint 6": {5: (-60, 20)},
    "joint 6 around the back": {5: (60, 300)},
    "joint 7": {6: (-30, 170)},
    "joint 4": {3: (5, 100)},
    "all": {0: (-150, 60), 1: (-120, 20), 2: (-80, 80), 3: (0, 145), 4: (-85, 85), 5: (-40, 60), 6: (-90, 70)},
}
GRID = np.linspace(-np.pi, np.pi, 2001)[:-1] + 1e-4


@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("name", ["srs7", "sia5"])
def test_against_a_grid(name, limits):
    table = [(-180.0, 180.0)] * 7
    for joint, pair in LIMITS[limits].items():
        table[joint] = pair
    model = with_limits(carpal.load(name), tuple(table))
    q = np.random.default_rng(2).uniform(-2.5, 2.5, (12, 7))
    X = carpal.fk(model, q)
    found = arm_angle_intervals(model, X)
    many = solve_arm_angle(model, require_srs(model), X[:, None], GRID)  # no q0: rows are in the order of codes
    assert (many.count == 8).all()
    for code in range(8):
        low, high = found.low[:, None, code], found.high[:, None, code]
        with np.errstate(invalid="ignore"):
            claimed = (np.remainder(GRID[None, :, None] - low, 2 * np.pi) <= high - low).any(-1)
        assert np.array_equal(claimed, many.in_limits[..., code]), (limits, code)
        named = found.forbidden_by[:, code]
        assert ((named > 0) == (found.count[:, code] == 0)).all()


def test_rooms_that_are_too_small_are_counted():
    model = with_limits(
        carpal.load("sia5"), ((-150, 60), (-120, 20), (-80, 80), (-90, 115), (-85, 85), (-40, 60), (-90, 70))
    )
    geometry = require_srs(model)
    X = carpal.fk(model, np.random.default_rng(3).uniform(-1.5, 1.5, (400, 7)))
    target = np.concatenate([X[:, :3, :3].reshape(-1, 9), X[:, :3, 3]], axis=1)
    whole = arm_angle_intervals(model, X)
    ends, report, pieces = np.empty((400, 8, 2)), np.empty((400, 8, 2)), np.full((2, 4, at.PIECES + 2), np.nan)
    table = limit_table(geometry.numbers)
    assert interval_batch(geometry.numbers, table, np.zeros(7), target, ends, report, pieces, 0, 400, 1, 1) == 0
    assert np.isnan(pieces[0]).all()
    assert np.array_equal(report[..., 0], whole.count)
    assert (whole.count > 1).any()
    single = whole.count == 1
    assert np.array_equal(ends[single], np.stack([whole.low[single][:, 0], whole.high[single][:, 0]], -1))


def test_a_bad_pose_is_reported():
    geometry = require_srs(carpal.load("sia5"))
    target = np.tile(np.concatenate([np.eye(3).ravel(), (0.3, 0.0, 0.5)]), (4, 1))
    target[2, 0] = 1.1
    out = np.empty((4, 8, 8)), np.empty((4, 8, 2)), np.empty((1, 4, at.PIECES + 2))
    assert interval_batch(geometry.numbers, limit_table(geometry.numbers), np.zeros(7), target, *out, 0, 4, 1, 0) == 3
