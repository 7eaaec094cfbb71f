"""The first guess: exact balance on clean records, good enough on noisy ones, the finger's own where nothing is said."""

import numpy as np
import pytest
from finger_inputs import facts_finger, random_finger

from carpal.labs.finger import FingerLoad, FingerRecord, simulate_finger, tendon_sweep
from carpal.labs.finger.equation_error import first_guess


def record_of(finger, noise, seed=0, rate=1000):
    time = np.arange(rate + 1) / rate
    motion = simulate_finger(finger, (0.2, 0.1, 0.1), time=time, load=tendon_sweep(time, 4.0, 0.5, 15.0))
    return FingerRecord.of_motion(motion, noise, seed)


@pytest.mark.parametrize("fit_neutral", [False, True])
def test_clean_records_give_the_constants(fit_neutral):
    finger = random_finger(np.random.default_rng(3))
    nothing = finger.replace(stiffness=1.0, damping=0.0, neutral=0.0 if fit_neutral else finger.neutral)
    k, c, n = first_guess(nothing, record_of(finger, 0.0), fit_neutral=fit_neutral)
    assert np.allclose(k, finger.stiffness, rtol=0.03) and np.allclose(c, finger.damping, rtol=0.1)
    assert np.allclose(n, finger.neutral, atol=0.01)


def test_noise_leaves_a_guess_to_start_from():
    finger = facts_finger(damping=0.002, tendon_arm=(0.008, 0.006, 0.005))
    k, c, _ = first_guess(finger.replace(stiffness=1.0), record_of(finger, 2e-3, 1), fit_neutral=False)
    assert np.allclose(k, finger.stiffness, rtol=0.2) and np.allclose(c, finger.damping, rtol=0.5)


def test_a_record_without_motion_keeps_the_fingers_own():
    finger = facts_finger(damping=0.002)
    record = FingerRecord.of(np.linspace(0, 1, 100), np.zeros((100, 3)), FingerLoad())
    k, _, _ = first_guess(finger, record, fit_neutral=False)
    assert np.array_equal(k, finger.stiffness)
