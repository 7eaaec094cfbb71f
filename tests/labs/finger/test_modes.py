"""Frequencies: a closed form, the sheet's (M, k - Y), and what a small motion really does."""

import numpy as np
import pytest
from finger_inputs import facts_finger, random_finger, random_load

from carpal.dynamics import mass_matrix
from carpal.errors import InputError
from carpal.labs.finger import FingerLoad, finger_modes, rest_pose, simulate_finger


def test_one_soft_joint_is_a_pendulum():
    """Two joints held by very stiff springs: the finger hangs from the first as one body."""
    finger = facts_finger(stiffness=(1e-3, 1e5, 1e5), gravity=(0, 9.81, 0))
    modes = finger_modes(finger)
    I = mass_matrix(finger.chain, np.zeros(3))[0, 0]
    moment = finger.row[6:9].sum()
    assert modes.frequency_hz[0] == pytest.approx(np.sqrt((1e-3 + 9.81 * moment) / I) / (2 * np.pi), rel=1e-6)


def test_the_sheets_matrices(figure):
    """Straight up: M theta'' + (k - Y) theta = 0 in absolute angles."""
    from scipy.linalg import eigh

    finger = facts_finger()
    row, k = finger.row, finger.stiffness
    M = np.array([[row[0], row[3], row[4]], [row[3], row[1], row[5]], [row[4], row[5], row[2]]])
    Y = 9.81 * row[6:9]
    K = np.array([[k[0] + k[1], -k[1], 0], [-k[1], k[1] + k[2], -k[2]], [0, -k[2], k[2]]]) - np.diag(Y)
    exact = np.sqrt(eigh(K, M, eigvals_only=True)) / (2 * np.pi)
    figure(
        "finger: linearised frequencies beside (M, k - Y), relative",
        np.abs(finger_modes(finger).frequency_hz / exact - 1).max(),
        1e-10,
    )
    assert np.allclose(exact, (2.372, 14.38, 41.71), atol=5e-3)


def test_small_motions_are_what_they_say(figure):
    finger = random_finger(np.random.default_rng(2), damped=False)
    load = FingerLoad(tension=1.0)
    rest, modes = rest_pose(finger, load).q, finger_modes(finger, load=load)
    off = 0.0
    for i in range(3):
        period = 1 / modes.frequency_hz[i]
        motion = simulate_finger(
            finger, rest + 1e-6 * modes.shape[:, i], time=np.linspace(0, period, 201), step=1e-4, load=load
        )
        off = max(off, np.abs(motion.q[-1] - motion.q[0]).max() / 1e-6)
        half = motion.q[100] - rest
        assert np.allclose(half, -1e-6 * modes.shape[:, i], atol=1e-10)
    figure("finger: a small motion along a mode after one period, share of its amplitude", off, 1e-4)


def test_decay_of_a_damped_motion():
    finger = random_finger(np.random.default_rng(3))
    modes = finger_modes(finger)
    slow = -modes.rates[0].real
    motion = simulate_finger(finger, modes.q + 1e-4, time=np.array([0.0, 3 / slow, 8 / slow]), step=5e-4)
    first, last = (np.abs(motion.q[i] - modes.q).max() for i in (1, 2))
    assert 2.0 < np.log(first / last) / 5 * 5 < 8.0 and modes.ok and "slowest decay" in str(modes)


def test_falling_fingers_have_no_frequency():
    modes = finger_modes(facts_finger(stiffness=(0.004, 0.003, 0.002)), (0, 0, 0))
    assert not modes and np.isnan(modes.frequency_hz[0]) and "unstable" in modes.status
    assert modes.rates[0].real > 0


def test_bad_input():
    with pytest.raises(InputError, match="3 finite joint angles"):
        finger_modes(facts_finger(), (0, np.nan, 0))
    with pytest.raises(InputError, match="one load"):
        finger_modes(facts_finger(), load=FingerLoad(tension=np.ones(3)))
    rng = np.random.default_rng(9)
    assert finger_modes(random_finger(rng), load=random_load(rng)).stable
