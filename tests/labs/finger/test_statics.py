"""Where fingers rest: beside SciPy's minimisation of a potential written from positions; stops; closing."""

import numpy as np
import pytest
from finger_inputs import facts_finger, potential, random_finger, random_load, slope
from scipy.optimize import minimize

from carpal.dynamics import mass_matrix
from carpal.errors import InputError
from carpal.labs.finger import (
    FingerLoad,
    closing_curve,
    closing_tensions,
    finger_acceleration,
    rest_pose,
    simulate_finger,
    stiffness_matrix,
)


def minimum(finger, load, q0):
    """By SciPy, from positions, between the stops."""
    scale = 1e3
    bounds = list(zip(finger.q_min, finger.q_max, strict=True))
    found = minimize(
        lambda q: scale * potential(finger, q, load), np.clip(q0, finger.q_min, finger.q_max), method="L-BFGS-B",
        jac=lambda q: scale * slope(lambda x: potential(finger, x, load), q), bounds=bounds,
        options={"ftol": 1e-16, "gtol": 1e-11, "maxiter": 2000},
    )  # fmt: skip
    return found.x


def worst(count, stops):
    rng, off = np.random.default_rng(21 + stops), 0.0
    for _ in range(count):
        finger, load = random_finger(rng, stops=stops), random_load(rng, across=False)
        rest = rest_pose(finger, load)
        assert rest.ok, rest.status
        off = max(off, np.abs(minimum(finger, load, rest.q + rng.uniform(-0.02, 0.02, 3)) - rest.q).max())
    return off


@pytest.mark.parametrize("stops", [False, True])
def test_rest_is_the_minimum_of_the_potential(stops, figure):
    kind = "with stops" if stops else "free"
    figure(f"finger: rest angles beside SciPy's minimum of the potential, {kind} [rad]", worst(40, stops), 1e-6)


def test_nothing_accelerates_at_rest_with_a_force_across():
    rng = np.random.default_rng(4)
    for _ in range(30):
        finger, load = random_finger(rng), random_load(rng)
        rest = rest_pose(finger, load)
        assert rest.ok
        push = mass_matrix(finger.chain, rest.q) @ finger_acceleration(finger, rest.q, np.zeros(3), load)
        assert np.abs(push).max() < 1e-13


def test_a_damped_finger_ends_where_it_rests():
    finger = facts_finger(damping=0.002, gravity=(6, -7, 0))
    load = FingerLoad(tension=2.0, tip_across=0.1)
    finger = finger.replace(tendon_arm=0.005)
    end = simulate_finger(finger, duration=4.0, step=1e-3, load=load).q[-1]
    assert np.abs(end - rest_pose(finger, load).q).max() < 1e-9


def test_stiffness_is_the_slope_of_the_torques():
    rng = np.random.default_rng(5)
    finger, load, q = random_finger(rng), random_load(rng), rng.uniform(-1, 1, 3)

    def torque(x):
        return mass_matrix(finger.chain, x) @ finger_acceleration(finger, x, np.zeros(3), load)

    K = stiffness_matrix(finger, q, load)
    assert np.allclose(K, -slope(torque, q), rtol=0, atol=1e-9)
    assert np.abs(K - K.T).max() > 1e-5  # the force that turns along


def test_weak_springs_fall_over_and_balanced_ones_are_reported():
    weak = facts_finger(stiffness=(0.004, 0.003, 0.002))
    rest = rest_pose(weak)
    assert rest.ok and abs(rest.q[0]) > 2  # it hangs, upside down
    frozen = rest_pose(weak.replace(q_min=-1e-9, q_max=1e-9))
    assert frozen.ok and frozen.held.all() and "at its stop" in frozen.status


def test_batches():
    finger = random_finger(np.random.default_rng(6))
    pulls = np.linspace(0, 5, 7)
    many = rest_pose(finger, FingerLoad(tension=pulls))
    assert many.q.shape == (7, 3) and bool(many) and many.status == "7 of 7 fingers rest."
    for i in (0, 3, 6):
        assert np.array_equal(many.q[i], rest_pose(finger, FingerLoad(tension=pulls[i])).q)


def test_closing_without_gravity_has_a_closed_form():
    finger = facts_finger(gravity=0.0, tendon_arm=(0.008, 0.006, 0.005), q_max=(1.5, 1.0, 0.7))
    exact = finger.stiffness * finger.q_max / finger.tendon_arm
    assert np.allclose(closing_tensions(finger, 30.0), exact, rtol=1e-12)
    q = closing_curve(finger, (0.0, 1.0, 100.0))
    assert np.allclose(q[1], finger.tendon_arm / finger.stiffness, rtol=1e-12) and np.array_equal(q[2], finger.q_max)
    assert np.isinf(closing_tensions(finger, 0.9 * exact.max())).sum() == 1


def test_bad_input():
    finger = facts_finger(tendon_arm=0.005)
    with pytest.raises(InputError, match="needs a stop at every joint"):
        closing_tensions(finger, 10.0)
    with pytest.raises(InputError, match="cannot push"):
        closing_curve(finger, [-1.0])
    with pytest.raises(InputError, match="one axis"):
        closing_curve(finger, 1.0)
    with pytest.raises(InputError, match="one load"):
        closing_curve(finger, [1.0], FingerLoad(tension=np.ones(2)))
    with pytest.raises(InputError, match=r"q\[0\] is nan"):
        rest_pose(finger, None, (np.nan, 0, 0))
    with pytest.raises(InputError, match="q must be finite"):
        stiffness_matrix(finger, (np.inf, 0, 0))
