"""Any six joints: every real solution is found, whichever way the loop is opened."""

import numpy as np
import pytest
from six_joint_robots import GENERAL, public_arm, round_trip, six_joint_robot, wrap

import carpal
from carpal.kinematics import ik_all
from carpal.kinematics.axes import chain_axes
from carpal.kinematics.inverse.kernels import six_general
from carpal.kinematics.inverse.kernels.branches import HELD, MARKS, SUMMARY
from carpal.kinematics.inverse.six_class import _pose_numbers, general_class, line_table


def solve(arm, targets):
    n = len(targets)
    out, marks, summary = np.empty((n, 16, 6)), np.empty((n, 16, MARKS)), np.empty((n, SUMMARY))
    scratch = [np.empty((1, *shape)) for shape in six_general.SCRATCH]
    wide = np.full(6, np.inf)
    columns = np.arange(6)[:: -1 if arm[48] else 1].copy()
    six_general.general6_batch(
        arm, columns, -wide, wide, targets, np.zeros((n, 6)), out, marks, summary, *scratch, 0, n, 1, 0
    )
    return out, summary


def held(figure, what, found):
    figure(f"{what}: generating configuration not among the solutions", found["lost"], 0)
    figure(f"{what}: worst error by forward kinematics [m, rad]", found["miss"], 1e-9)
    figure(f"{what}: poses with an odd number of solutions", found["odd"], 0)
    figure(f"{what}: rows whose limit flag is wrong", found["wrong flag"] + found["not flagged"], 0)
    assert found["unsorted"] == 0 and found["most"] <= 16


@pytest.mark.parametrize("name", GENERAL)
def test_round_trips_of_random_robots(name, figure):
    for seed in range(2):
        model = six_joint_robot(f"general, {name}", seed)
        held(figure, f"general, {name}, robot {seed}", round_trip(model, 60, seed))


@pytest.mark.full
@pytest.mark.parametrize("name", GENERAL)
def test_a_thousand_round_trips_of_a_hundred_random_robots(name, figure):
    for seed in range(100):
        model = six_joint_robot(f"general, {name}", seed)
        held(figure, f"general, {name}, robot {seed}", round_trip(model, 1000, seed))


def test_round_trips_of_public_arms(figure):
    for name in ("gofa", "crx10", "j2n6s200"):
        held(figure, f"ik_all {name}", round_trip(public_arm(name), 150, 1))


@pytest.mark.full
@pytest.mark.parametrize("name", ["gofa", "crx10", "j2n6s200"])
def test_a_hundred_thousand_round_trips_of_public_arms(name, figure):
    held(figure, f"ik_all {name}, 100,000", round_trip(public_arm(name), 100_000, 2))


def test_every_opening_finds_the_same():
    """Arms with parallel or meeting axes make some openings' determinants vanish; the others agree."""
    axes = chain_axes(public_arm("gofa"))
    q = np.random.default_rng(5).uniform(-3, 3, (20, 6))
    targets = np.array([_pose_numbers(axes, row) for row in q])
    counts, good = [], 0
    for reverse in (False, True):
        for first in range(6):
            geo = line_table(axes, reverse, axes.size())
            geo[49] = first
            out, summary = solve(geo, targets)
            if summary[:, HELD].max() < 1e-12:
                continue  # it vanishes for every angle: whatever it finds is chance
            good += 1
            counts.append(summary[:, 0])
            off = np.abs(wrap(out - q[:, None])).max(-1)
            assert np.nanmin(off, axis=1).max() < 1e-8
    assert 4 <= good < 12 and (np.array(counts) == counts[0]).all()


@pytest.mark.parametrize("name", ["puma560", "ur5"])
def test_closed_forms_and_the_sixteen_roots_agree(name):
    """Arms that have a closed form are solved by the general class too: the same solutions, no branch is lost by either."""
    model = public_arm(name)
    arm = general_class(chain_axes(model))
    q = np.random.default_rng(6).uniform(-3, 3, (30, 6))
    X = carpal.fk(model, q)
    targets = np.concatenate([X[:, :3, :3].reshape(-1, 9), X[:, :3, 3]], axis=1)
    out, summary = solve(arm.geo, targets)
    closed = ik_all(model, X)
    assert (summary[:, 0] == closed.count).all()
    for i in range(len(q)):
        n = int(closed.count[i])
        off = np.abs(wrap(closed.q[i, :n, None] - out[i, None, :n])).max(-1)
        assert off.min(axis=1).max() < 1e-6 and off.min(axis=0).max() < 1e-6


def test_a_pose_out_of_reach_has_none():
    model = public_arm("crx10")
    X = carpal.fk(model, np.ones(6))
    X[0, 3] += 3.0
    found = ik_all(model, X)
    assert not found.ok and len(found) == 0 and "out of reach by" in str(found)
