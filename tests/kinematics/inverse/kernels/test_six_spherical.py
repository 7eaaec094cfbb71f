"""Spherical wrists: round trips, singular poses and what they leave open."""

import numpy as np
import pytest
from six_joint_robots import SPHERICAL, public_arm, round_trip, six_joint_robot, wrap

import carpal
from carpal.kinematics import ik_all
from carpal.kinematics.inverse.kernels.six_spherical import OPEN_JOINT, OPEN_WRIST
from carpal.spatial import rotation_about


def held(figure, what, found):
    figure(f"{what}: generating configuration not among the solutions", found["lost"], 0)
    figure(f"{what}: worst error by forward kinematics [m, rad]", found["miss"], 1e-9)
    figure(f"{what}: rows whose limit flag is wrong", found["wrong flag"] + found["not flagged"], 0)
    assert found["unsorted"] == 0 and found["most"] <= 8


@pytest.mark.parametrize("name", SPHERICAL)
def test_round_trips_of_random_robots(name, figure):
    for seed in range(4):
        held(
            figure,
            f"spherical, {name}, robot {seed}",
            round_trip(six_joint_robot(f"spherical, {name}", seed), 100, seed),
        )


@pytest.mark.full
@pytest.mark.parametrize("name", SPHERICAL)
def test_a_thousand_round_trips_of_a_hundred_random_robots(name, figure):
    for seed in range(100):
        held(
            figure,
            f"spherical, {name}, robot {seed}",
            round_trip(six_joint_robot(f"spherical, {name}", seed), 1000, seed),
        )


@pytest.mark.parametrize("name", ["puma560", "irb6640", "kr6"])
def test_round_trips_of_public_arms(name, figure):
    held(figure, f"ik_all {name}", round_trip(public_arm(name), 3000, 1))


@pytest.mark.full
@pytest.mark.parametrize("name", ["puma560", "irb6640", "kr6", "kinova"])
def test_a_hundred_thousand_round_trips_of_public_arms(name, figure):
    held(figure, f"ik_all {name}, 100,000", round_trip(public_arm(name), 100_000, 2))


@pytest.mark.parametrize("bend", [0.0, 1e-12, 1e-9, 1e-6, np.pi])
def test_a_straight_wrist(bend, figure):
    model, rng, worst = public_arm("irb6640"), np.random.default_rng(3), 0.0
    for _ in range(40):
        q = rng.uniform(-3, 3, 6)
        q[4] = bend
        X = carpal.fk(model, q)
        found = ik_all(model, X, q0=q)
        worst = max(worst, float(np.abs(carpal.fk(model, np.array(list(found))) - X).max()))
        apart = min(np.abs(wrap(row - q)).max() for row in found)
        assert apart < (1e-2 if bend == 1e-9 else 1e-5)  # how far the wrist is turned is nearly free there
        if bend in (0.0, 1e-12, np.pi):  # joints 4 and 6 turn about one line: joint 4 stays
            assert found.free.joint == "joint_4" and found.free.value == pytest.approx(q[3])
            assert "joint_4 and joint_6 are in line" in str(found)
        else:
            assert found.free is None
    figure(f"a wrist bent by {bend:.3g} rad: worst error by forward kinematics [m, rad]", worst, 1e-9)


def test_a_wrist_over_the_first_axis_keeps_the_first_joint():
    model = public_arm("kr6")
    X = np.eye(4)
    X[:3, :3] = rotation_about([0.0, 1.0, 0.0], 1.0)
    X[:3, 3] = (0.0, 0.0, 0.9) + 0.08 * X[:3, 2]
    found = ik_all(model, X, q0=np.full(6, 0.3))
    assert len(found) == 4 and np.allclose(np.array(list(found))[:, 0], 0.3)
    assert "the wrist is on the axis of joint_1" in str(found)
    assert np.abs(carpal.fk(model, np.array(list(found))) - X).max() < 1e-12
    assert OPEN_JOINT > OPEN_WRIST
