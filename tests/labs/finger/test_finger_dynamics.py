"""The corrected equations beside the package's own articulated bodies and Newton-Euler on the same chain."""

import numpy as np
import pytest
from finger_inputs import kinetic, potential, random_finger, random_load

import carpal
from carpal.errors import InputError
from carpal.labs.finger import FingerLoad, finger_acceleration, finger_energy


def joint_torques(finger, q, v, load):
    """Springs, dampers and loads as joint torques, the tip's by the chain's Jacobian."""
    tau = finger.stiffness * (finger.neutral - q) - finger.damping * v + load.torque + finger.tendon_arm * load.tension
    J = carpal.jacobian(finger.chain, q)
    R = carpal.fk(finger.chain, q)[:3, :3]
    force = np.array([*load.tip_force, 0.0]) + R @ np.array([float(load.tip_across), 0.0, 0.0])
    return tau + J[:3].T @ force + J[3:].T @ np.array([0.0, 0.0, -float(load.tip_moment)])


def worst(count):
    rng, there, back = np.random.default_rng(11), 0.0, 0.0
    for _ in range(count):
        finger, load = random_finger(rng), random_load(rng)
        q, v = rng.uniform(-np.pi, np.pi, 3), rng.normal(0, 10, 3)
        a = finger_acceleration(finger, q, v, load)
        tau = joint_torques(finger, q, v, load)
        there = max(there, np.abs(a - carpal.forward_dynamics(finger.chain, q, v, tau)).max() / np.abs(a).max())
        size = np.abs(tau).max() + np.abs(carpal.mass_matrix(finger.chain, q)).max() * np.abs(a).max()
        back = max(back, np.abs(carpal.inverse_dynamics(finger.chain, q, v, a) - tau).max() / size)
    return there, back


def test_equal_to_aba_and_rnea(figure):
    there, back = worst(60)
    figure("finger: accelerations beside ABA, random fingers, states and loads, relative", there, 1e-10)
    figure("finger: torques beside RNEA at those accelerations, relative", back, 1e-11)


@pytest.mark.full
def test_equal_to_aba_and_rnea_in_full(figure):
    there, back = worst(5000)
    figure("finger: accelerations beside ABA, 5,000 random fingers, states and loads, relative", there, 1e-9)
    figure("finger: torques beside RNEA at those accelerations, 5,000, relative", back, 1e-10)


def test_energies():
    rng = np.random.default_rng(3)
    finger = random_finger(rng)
    q, v = rng.uniform(-2, 2, (4, 3)), rng.normal(0, 5, (4, 3))
    energy = finger_energy(finger, q, v)
    for i in range(4):
        assert energy[i, 0] == pytest.approx(kinetic(finger, q[i], v[i]), rel=1e-12)
        assert energy[i, 1:].sum() == pytest.approx(potential(finger, q[i]), rel=1e-12)
    assert np.allclose(energy[:, 0], carpal.dynamics.kinetic_energy(finger.chain, q, v), rtol=1e-11)


def test_batches_and_threads_have_the_same_bits():
    rng = np.random.default_rng(4)
    finger = random_finger(rng)
    q, v = rng.uniform(-2, 2, (300, 3)), rng.normal(0, 5, (300, 3))
    load = FingerLoad(tension=rng.uniform(0, 3, 300))
    many = finger_acceleration(finger, q, v, load, threads=2)
    assert np.array_equal(many, finger_acceleration(finger, q, v, load, threads=1))
    for i in (0, 17, 299):
        assert np.array_equal(many[i], finger_acceleration(finger, q[i], v[i], FingerLoad(tension=load.tension[i])))


def test_bad_input():
    finger = random_finger(np.random.default_rng(0))
    with pytest.raises(InputError, match="needs 3 numbers"):
        finger_acceleration(finger, (1, 2), (0, 0, 0))
    with pytest.raises(InputError, match=r"v\[1\] is nan"):
        finger_acceleration(finger, (1, 2, 3), (0, np.nan, 0))
    with pytest.raises(InputError, match="do not fit together"):
        finger_energy(finger, np.zeros((2, 3)), np.zeros((3, 3)))
