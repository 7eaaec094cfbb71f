"""Three parallel axes: round trips, subproblem 6, singular wrists."""

import numpy as np
import pytest
from six_joint_robots import PARALLEL, public_arm, round_trip, six_joint_robot, wrap

import carpal
from carpal.kinematics import ik_all
from carpal.kinematics.inverse.kernels.six_parallel import one_angle, two_angles


def held(figure, what, found):
    figure(f"{what}: generating configuration not among the solutions", found["lost"], 0)
    figure(f"{what}: worst error by forward kinematics [m, rad]", found["miss"], 1e-9)
    figure(f"{what}: rows whose limit flag is wrong", found["wrong flag"] + found["not flagged"], 0)
    assert found["unsorted"] == 0 and found["most"] <= 8


@pytest.mark.parametrize("name", PARALLEL)
def test_round_trips_of_random_robots(name, figure):
    for seed in range(4):
        held(
            figure, f"parallel, {name}, robot {seed}", round_trip(six_joint_robot(f"parallel, {name}", seed), 100, seed)
        )


@pytest.mark.full
@pytest.mark.parametrize("name", PARALLEL)
def test_a_thousand_round_trips_of_a_hundred_random_robots(name, figure):
    for seed in range(100):
        held(
            figure,
            f"parallel, {name}, robot {seed}",
            round_trip(six_joint_robot(f"parallel, {name}", seed), 1000, seed),
        )


@pytest.mark.parametrize("name", ["ur5", "z1"])
def test_round_trips_of_public_arms(name, figure):
    held(figure, f"ik_all {name}", round_trip(public_arm(name), 3000, 1))


@pytest.mark.full
@pytest.mark.parametrize("name", ["ur3", "ur5", "ur10", "z1"])
def test_a_hundred_thousand_round_trips_of_public_arms(name, figure):
    held(figure, f"ik_all {name}, 100,000", round_trip(public_arm(name), 100_000, 2))


@pytest.mark.parametrize("bend", [0.0, 1e-11, 1e-9, 1e-6, np.pi])
def test_a_wrist_whose_last_axis_is_parallel_too(bend, figure):
    """The UR arms' singular wrist: axes 2, 3, 4 and 6 are parallel, joint 6 is held, the others follow."""
    model, rng, worst = public_arm("ur5"), np.random.default_rng(3), 0.0
    for _ in range(40):
        q = rng.uniform(-3, 3, 6)
        q[4] = bend
        X = carpal.fk(model, q)
        found = ik_all(model, X, q0=q)
        worst = max(worst, float(np.abs(carpal.fk(model, np.array(list(found))) - X).max()))
        assert min(np.abs(wrap(row - q)).max() for row in found) < 1e-5 or bend in (1e-9, 1e-6)
        if bend in (0.0, 1e-11, np.pi):
            assert found.free.joint == "wrist_3_joint"
    figure(f"a UR wrist bent by {bend:.3g} rad: worst error by forward kinematics [m, rad]", worst, 1e-9)


def test_a_free_angle_is_moved_where_its_own_value_does_not_reach():
    model = public_arm("ur5")
    q = np.array([0.3, -0.05, 0.02, 0.4, 0.0, 0.1])  # all but stretched
    X = carpal.fk(model, q)
    far = q.copy()
    far[5] += np.pi
    found = ik_all(model, X, q0=far)
    assert len(found) > 0 and np.abs(carpal.fk(model, np.array(list(found))) - X).max() < 1e-9


def test_two_equations_in_two_angles():
    rng = np.random.default_rng(8)
    pairs, values = np.empty((1, 4, 2)), np.empty((1, 8))
    spectrum, roots = np.empty((1, 3, 2)), np.empty((1, 4, 2))
    for _ in range(10):
        a, b, x, y = rng.normal(size=(2, 2)), rng.normal(size=(2, 2)), *rng.uniform(-3, 3, 2)
        rest = a @ [np.cos(x), np.sin(x)] + b @ [np.cos(y), np.sin(y)]
        rows = (tuple(map(tuple, a)), tuple(map(tuple, b)), tuple(rest))
        count = two_angles.py_func(*rows, pairs, values, spectrum, roots, 0)
        assert count in (2, 4) and np.abs(wrap(pairs[0, :count] - (x, y))).max(1).min() < 1e-8
        b[1] = 0.7 * b[0]
        rest = a @ [np.cos(x), np.sin(x)] + b @ [np.cos(y), np.sin(y)]
        rows = (tuple(map(tuple, a)), tuple(map(tuple, b)), tuple(rest))
        middle, half, excess, free = one_angle.py_func(*rows, 0.0, 0.0)
        assert excess == 0 and not free and min(abs(wrap(middle + half - x)), abs(wrap(middle - half - x))) < 1e-9
