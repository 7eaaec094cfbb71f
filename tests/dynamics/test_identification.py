"""Secret parameters found again from noisy recordings, inside their intervals, as bodies that can exist."""

from __future__ import annotations

import numpy as np
import pytest
from constrained_models import four_bar
from identification_inputs import recording, three_joints, with_secrets

import carpal
from carpal.dynamics import identify_inertia, inertial_parameters, inverse_dynamics, smooth_motion
from carpal.dynamics.pseudo_inertia import pseudo_inertia
from carpal.errors import InputError
from carpal.kinematics import random_configurations


def test_without_noise_the_forces_of_any_motion_are_predicted():
    model = three_joints()
    secret = with_secrets(model, 3)
    motion, tau, viscous, coulomb = recording(secret, 0, noise=0.0, dt=0.02)
    result = identify_inertia(model, motion.q, motion.v, motion.vdot, tau)
    truth = result.base_of(inertial_parameters(secret), viscous, coulomb)
    np.testing.assert_allclose(result.base, truth, atol=1e-7)
    np.testing.assert_allclose(result.viscous, viscous, atol=1e-3)
    np.testing.assert_allclose(result.coulomb, coulomb, atol=1e-3)


def covered(model, count, seed, **options):
    """Of every base parameter and noise, whether its 95 % interval holds the truth."""
    secret = with_secrets(model, seed)
    inside = []
    for k in range(count):
        motion, tau, viscous, coulomb = recording(secret, 100 + k, dt=0.02, **options)
        result = identify_inertia(model, motion.q, motion.v, motion.vdot, tau)
        truth = result.base_of(inertial_parameters(secret), viscous, coulomb)
        inside.append(np.abs(truth - result.base) <= result.half_width)
        assert result.ok, result.status
    return np.array(inside)


def test_intervals_hold_the_truth_as_often_as_they_say(figure):
    inside = covered(three_joints(), 30, 3)
    assert 0.92 <= inside.mean() <= 0.98
    figure("base parameters outside their 95 % intervals, 30 recordings", 1.0 - inside.mean(), 0.08)


def test_a_recording_of_positions_and_forces_alone_gives_a_robot_to_use():
    model = three_joints()
    secret = with_secrets(model, 5)
    motion, tau, viscous, coulomb = recording(secret, 7)
    rng = np.random.default_rng(2)
    seen = smooth_motion(motion.time, motion.q + 2e-5 * rng.normal(size=motion.q.shape), tau)
    result = identify_inertia(model, seen.q, seen.v, seen.vdot, seen.tau, direction=seen.direction)
    truth = result.base_of(inertial_parameters(secret), viscous, coulomb)
    assert result.ok and (np.abs(truth - result.base) <= 1.6 * result.half_width).all()
    assert (np.abs(truth - result.base) <= result.half_width).mean() > 0.85
    for ten in result.parameters.reshape(-1, 10):
        assert np.linalg.eigvalsh(pseudo_inertia(ten)).min() > 0.0
    found = result.model
    np.testing.assert_allclose(inertial_parameters(found), result.parameters, atol=1e-9)
    assert [body.joint.friction for body in found.bodies[:3]] == result.coulomb.tolist()
    q, v, vdot = random_configurations(model, 50, seed=1), *rng.normal(size=(2, 50, 3))
    want = inverse_dynamics(secret, q, v, vdot)
    before, after = (np.abs(inverse_dynamics(m, q, v, vdot) - want).max(axis=0) for m in (model, found))
    assert (after < 0.1 * before).all()


def test_what_the_motion_does_not_show_stays_as_given():
    model = three_joints()
    motion, tau, _, _ = recording(model, 0, noise=0.0, dt=0.02)
    result = identify_inertia(model, motion.q, motion.v, motion.vdot, tau)
    np.testing.assert_allclose(result.parameters, inertial_parameters(model), atol=2e-3)
    assert len(result.base) < len(result.parameters)
    assert "combinations of 36 parameters are seen" in result.status


def test_forces_that_no_body_makes_are_called_so():
    model = three_joints()
    motion, tau, _, _ = recording(model, 0, noise=0.001, dt=0.02)
    result = identify_inertia(model, motion.q, motion.v, motion.vdot, -tau)  # negative masses would explain it
    assert not result.ok and "no real bodies explain the joint forces" in result.status


def test_rotor_inertia_is_found_where_it_is_asked_for():
    model = three_joints()
    motion, tau, _, _ = recording(model, 0, noise=0.0, dt=0.02)
    rotor = np.array([0.0, 0.3, 0.0])
    result = identify_inertia(model, motion.q, motion.v, motion.vdot, tau + rotor * motion.vdot, rotor=True)
    truth = result.base_of(inertial_parameters(model), *recording(model, 0, noise=0.0, dt=0.02)[2:], rotor)
    np.testing.assert_allclose(result.base, truth, atol=1e-7)


def test_what_cannot_be_used_is_refused():
    model = three_joints()
    with pytest.raises(InputError, match="too few for 36 parameters"):
        identify_inertia(model, *np.zeros((4, 5, 3)))
    with pytest.raises(InputError, match=r"tau needs shape \(samples, 3\)"):
        identify_inertia(model, *np.zeros((3, 50, 3)), np.zeros((50, 2)))
    with pytest.raises(InputError, match="without couplings and loops"):
        identify_inertia(four_bar(), *np.zeros((4, 50, 3)))


@pytest.mark.full
@pytest.mark.parametrize("name", ["ur5", "talos_arm", "kinova"])
def test_secret_parameters_of_public_arms_are_inside_their_intervals(name, figure):
    inside = covered(carpal.load(name), 20, 1, duration=20.0)
    figure(f"{name}: base parameters outside their 95 % intervals, 20 recordings", 1.0 - inside.mean(), 0.08)
