"""Feasible arm angles: nothing missed, nothing claimed falsely, margins and reasons true."""

import re

import numpy as np
import pytest
from srs_robots import HUMAN, iiwa_urdf, random_srs, with_limits

import carpal
from carpal.errors import InputError
from carpal.kinematics import arm_angle_intervals, random_configurations
from carpal.kinematics.redundant.arm_angle7 import solve_arm_angle
from carpal.kinematics.redundant.intervals import ArmAngleInterval
from carpal.kinematics.redundant.srs_class import require_srs

INSIDE = 1e-9  # [rad] rounding of an angle computed at an interval's end
STEP = 1e-6


def arm(name):
    if name == "human":
        return with_limits(carpal.load("srs7"), HUMAN)
    return carpal.load(name)


def q_of(model, X, psi, code):
    """Configurations of given branches, computed by the inverse kinematics and checked against fk."""
    found = solve_arm_angle(model, require_srs(model), X, psi)
    row = np.argmax(found.branch == code[:, None], axis=1)
    assert (found.branch[np.arange(len(row)), row] == code).all()
    return found.q[np.arange(len(row)), row]


def beyond(model, q):
    return np.maximum(model.q_min - q, q - model.q_max).max(axis=1)


def check(model, count, seed, figure, what):
    q = random_configurations(model, count, seed=seed)
    X, psi = carpal.fk(model, q), carpal.arm_angle(model, q)
    found = arm_angle_intervals(model, X)
    # no miss: the generating arm angle lies in an interval of its own branch
    first = solve_arm_angle(model, require_srs(model), X, psi, q)
    assert np.abs(first.q[:, 0] - q).max() < 1e-6
    code = first.branch[:, 0]
    low, high = found.low[np.arange(count), code], found.high[np.arange(count), code]
    with np.errstate(invalid="ignore"):
        there = (np.remainder(psi[:, None] - low + INSIDE, 2 * np.pi) <= high - low + 2 * INSIDE).any(axis=1)
    figure(f"{what}: generating arm angles missed", (~there).sum(), 0)
    # no false claim: ends and 50 samples between are inside the limits, samples just outside are not
    where = np.nonzero(np.isfinite(found.low))
    poses, code, low, high = X[where[0]], where[1], found.low[where], found.high[where]
    assert (low < high).all() and (low >= -np.pi).all() and (low <= np.pi).all() and (high <= low + 2 * np.pi).all()
    worst = max(
        beyond(model, q_of(model, poses, low + share * (high - low), code)).max() for share in np.linspace(0, 1, 52)
    )
    figure(f"{what}: {len(low):,} intervals, ends and 50 samples inside: beyond a limit by [rad]", worst, INSIDE)
    part = high - low < 2 * np.pi - 1e-9
    for side in (low - STEP, high + STEP):
        out = beyond(model, q_of(model, poses[part], side[part], code[part])) <= 0
        # where the next interval begins less than two steps away the sample has crossed the gap
        crossed = out & _in_another(found, where, side, part)
        figure(f"{what}: samples 1e-6 rad outside that are inside the limits", (out & ~crossed).sum(), 0)
        assert crossed.sum() <= 2
    return found


def _in_another(found, where, side, part):
    low, high = found.low[where[0], where[1]], found.high[where[0], where[1]]
    with np.errstate(invalid="ignore"):
        return (np.remainder(side[:, None] - low, 2 * np.pi) <= high - low).any(axis=1)[part]


@pytest.mark.parametrize("name", ["sia5", "human"])
def test_no_miss_and_no_false_claim(name, figure):
    check(arm(name), 500, 1, figure, f"arm angles of {name}, 500 poses")


@pytest.mark.full
@pytest.mark.parametrize("name", ["sia5", "human"])
def test_ten_thousand_poses(name, figure):
    check(arm(name), 10_000, 2, figure, f"arm angles of {name}, 10,000 poses")


@pytest.mark.parametrize("seed", range(8))
def test_random_robots(seed, figure):
    check(random_srs(seed), 60, seed, figure, f"arm angles of random arm {seed}, 60 poses")


def test_an_arm_from_a_urdf(tmp_path, figure):
    path = tmp_path / "arm.urdf"
    path.write_text(iiwa_urdf())
    check(carpal.load(path), 200, 3, figure, "arm angles of an arm like the iiwa, 200 poses")


def test_objects_have_what_they_say():
    model = carpal.load("sia5")
    q = np.array([0.3, 0.7, -0.4, 1.1, 0.5, -0.8, 0.2])
    X, psi = carpal.fk(model, q), float(carpal.arm_angle(model, q))
    found = arm_angle_intervals(model, X)
    assert found and len(found) == found.count.sum() == len(list(found))
    assert any(psi in interval for interval in found)
    assert found.contains(psi)
    geometry = require_srs(model)
    for interval in found:
        assert isinstance(interval, ArmAngleInterval)
        assert interval.low < interval.high and interval.width == interval.high - interval.low
        assert interval.middle in interval
        e, h, g = interval.branch
        code = (e < 0) + 2 * (h < 0) + 4 * (g < 0)
        middle = q_of(model, X[None], np.array([interval.middle]), np.array([code]))[0]
        assert interval.margin == pytest.approx(
            min((middle - model.q_min).min(), (model.q_max - middle).min()), abs=1e-12
        )
        assert interval.margin > 0
    assert str(found).startswith(f"{len(found)} intervals in")
    assert geometry.frame == "tool"


def test_unlimited_joints_leave_the_whole_turn():
    model = carpal.load("srs7")
    found = arm_angle_intervals(model, carpal.fk(model, np.full(7, 0.4)))
    assert (found.count == 1).all()
    assert np.allclose(found.low[:, 0], -np.pi) and np.allclose(found.high[:, 0], np.pi)


def test_batch_equals_one_at_a_time_and_threads_do_not_matter():
    model = carpal.load("sia5")
    X = carpal.fk(model, random_configurations(model, 30, seed=5))
    many = arm_angle_intervals(model, X, threads=1)
    assert np.array_equal(many.low, arm_angle_intervals(model, X, threads=2).low, equal_nan=True)
    for i in range(30):
        one = arm_angle_intervals(model, X[i])
        assert np.array_equal(one.count, many.count[i])
        assert one.intervals == many[i].intervals
        assert str(one) == str(many[i])
    shaped = arm_angle_intervals(model, X.reshape(5, 6, 4, 4))
    assert shaped.low.shape[:3] == (5, 6, 8)
    assert np.array_equal(shaped.count.reshape(30, 8), many.count)
    assert str(many) == "30 of 30 poses have feasible arm angles."


def test_empty_says_who_forbids_it():
    """Every named joint, or pair, alone leaves no arm angle on a fine grid."""
    model = arm("human")
    rng = np.random.default_rng(6)
    q = rng.uniform(-3, 3, (60, 7))
    X = carpal.fk(model, q)
    found = arm_angle_intervals(model, X)
    grid = np.linspace(-np.pi, np.pi, 721)
    many = solve_arm_angle(model, require_srs(model), X[:, None], grid)
    seen = set()
    for i in range(len(q)):
        for code in range(8):
            text = found.explain_branch(code, (i,))
            if found.count[i, code]:
                assert text == ""
                continue
            joints = [model.q_index(name) for name in re.findall(r"\bq\d\b", text)]
            angles = many.q[i, :, code][:, joints]
            inside = ((angles >= model.q_min[joints]) & (angles <= model.q_max[joints])).all(axis=1)
            assert joints and not inside.any(), text
            seen.add(len(joints))
    assert {1, 2} <= seen
    none = np.flatnonzero(~found.ok)
    assert len(none)
    assert str(found).startswith(f"{int(found.ok.sum())} of 60 poses have feasible arm angles; the first without")
    assert "beyond its limits at every arm angle" in found.explain((int(none[0]),))


def test_out_of_reach():
    model = carpal.load("sia5")
    X = np.eye(4)
    X[:3, 3] = 0.0, 2.0, 0.31
    found = arm_angle_intervals(model, X)
    assert not found and len(found) == 0
    far = np.hypot(2.0, 0.145) - sum(require_srs(model).links)
    assert str(found).startswith(f"out of reach by {far:.4g} m for certain")


def test_stretched_and_aligned_poses_are_finite():
    model = carpal.load("sia5")
    stretched = require_srs(model).numbers[32 + 3]
    for q in ([0.3, 0.4, 0.1, stretched, 0.2, 0.3, 0.1], [0.3, 0.0, 0.1, 0.5, 0.2, 0.0, 0.1], [0.0] * 7):
        found = arm_angle_intervals(model, carpal.fk(model, np.array(q)))
        assert all(np.isfinite([i.low, i.high, i.margin]).all() for i in found)
    straight = carpal.load("srs7")
    found = arm_angle_intervals(with_limits(straight, ((-90, 90),) * 7), carpal.fk(straight, np.zeros(7)))
    assert found and all(i.branch == (1, 1, 1) for i in found)
    assert all(np.isfinite([i.low, i.high, i.margin]).all() for i in found)


@pytest.mark.parametrize(
    ("X", "sentence"),
    [
        (2 * np.eye(4), "must be a rotation"),
        (np.diag([1.0, 1.0, -1.0, 1.0]), "reflection"),
        (np.diag([1.0, 1.0, 1.0, 2.0]), "last row of a pose"),
        (np.full((4, 4), np.nan), "not finite"),
        (np.ones(3), "needs poses"),
        ("there", "real numbers"),
    ],
)
def test_poses_that_make_no_sense(X, sentence):
    with pytest.raises(InputError, match=sentence):
        arm_angle_intervals(carpal.load("sia5"), X)


def test_wrong_class():
    with pytest.raises(InputError, match=r"'k10'.*hangs on 5 moving joints.*'srs7' and 'sia5'"):
        arm_angle_intervals(carpal.load("k10"), np.eye(4))
