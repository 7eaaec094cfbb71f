"""Identification: unbiased, nearly as sharp as any estimator can be, intervals that cover as often as they say.

Stated conditions: the assumed finger, 250 samples a second for one second, tendon tension swinging between 0 and 4 N from 0.5 to
20 Hz, normal white noise of 0.1 degrees on each joint angle, start unknown.
"""

import numpy as np
import pytest

from carpal.errors import InputError
from carpal.labs.finger import (
    FingerRecord,
    assumed_finger,
    identification_bound,
    identify_finger,
    simulate_finger,
    tendon_sweep,
)

RATE, SPAN, PULL, SWEEP, NOISE = 250, 1.0, 4.0, (0.5, 20.0), np.radians(0.1)
START = (0.2, 0.1, 0.1)
SETUP = f"{RATE} Hz, {SPAN:g} s, tension 0 to {PULL:g} N swept {SWEEP[0]:g} to {SWEEP[1]:g} Hz, noise 0.1 deg, start unknown"


def clean(finger=None, start=START):
    time = np.arange(int(SPAN * RATE) + 1) / RATE
    return simulate_finger(
        finger or assumed_finger(), start, time=time, step=2.5e-4, load=tendon_sweep(time, PULL, *SWEEP)
    )


def trials(count, fit_neutral=False):
    """Standardised errors (count, p), whether intervals cover, the bound."""
    finger, motion = assumed_finger(), clean()
    truth = np.concatenate([finger.stiffness, finger.damping, finger.neutral])[: 9 if fit_neutral else 6]
    bound = identification_bound(
        finger, FingerRecord.of_motion(motion), NOISE, q0=motion.q[0], v0=motion.v[0], fit_neutral=fit_neutral
    )
    nearby = finger.replace(stiffness=2 * finger.stiffness, damping=0.5 * finger.damping)  # where the search starts
    z, cover, ok = [], [], []
    for seed in range(count):
        fit = identify_finger(nearby, FingerRecord.of_motion(motion, NOISE, seed), fit_neutral=fit_neutral)
        z.append((fit.value - truth) / bound)
        cover.append((fit.low <= truth) & (truth <= fit.high))
        ok.append(fit.ok)
    return np.array(z), np.array(cover), np.array(ok)


def test_a_few_trials(figure):
    z, cover, ok = trials(12)
    assert ok.all()
    figure(
        "finger identification: largest error of 12 trials, in Cramer-Rao deviations", np.abs(z).max(), 4.5, note=SETUP
    )
    figure(
        "finger identification: mean square of 12 trials over the Cramer-Rao bound", (z**2).mean(), 1.3**2, note=SETUP
    )
    assert cover.mean() > 0.85


@pytest.mark.full
def test_five_hundred_trials(figure):
    z, cover, ok = trials(500)
    figure("finger identification: trials of 500 that did not end well", int((~ok).sum()), 5, note=SETUP)
    figure(
        "finger identification: bias, largest of six constants, in standard errors of the mean",
        np.abs(z.mean(0)).max() * np.sqrt(500),
        3.0,
        note=SETUP,
    )
    figure(
        "finger identification: spread over the Cramer-Rao bound, largest of six constants",
        z.std(0, ddof=1).max(),
        1.3,
        note=SETUP,
    )
    share = 100 * cover.mean(0)
    figure(
        "finger identification: least coverage of the 95 % intervals in 500 trials [%]",
        share.min(),
        92,
        at_least=True,
        note=SETUP,
    )
    figure(
        "finger identification: largest coverage of the 95 % intervals in 500 trials [%]", share.max(), 98, note=SETUP
    )


def test_neutral_angles_too():
    z, _, ok = trials(3, fit_neutral=True)
    assert ok.all() and z.shape == (3, 9) and np.abs(z).max() < 5


def test_the_bound_scales_and_shrinks():
    finger, motion = assumed_finger(), clean()
    record = FingerRecord.of_motion(motion)
    one = identification_bound(finger, record, 1e-3, q0=motion.q[0], v0=motion.v[0])
    assert np.allclose(identification_bound(finger, record, 3e-3, q0=motion.q[0], v0=motion.v[0]), 3 * one, rtol=1e-12)
    half = FingerRecord(record.time[::2], record.q[::2], record.load[::2])
    assert (identification_bound(finger, half, 1e-3, q0=motion.q[0], v0=motion.v[0]) > 1.2 * one).all()


def test_from_anywhere():
    """A start that is wrong by factors of ten and without dampers ends at the same constants."""
    record = FingerRecord.of_motion(clean(), NOISE, 1)
    good = identify_finger(assumed_finger(), record)
    wild = identify_finger(assumed_finger().replace(stiffness=(0.5, 0.3, 0.002), damping=0.0), record)
    assert np.allclose(good.value, wild.value, rtol=1e-5) and good.ok and "95 % intervals" in str(good)


def test_a_wrong_model_is_reported():
    """Masses that are off by half: no springs explain the record, and the residuals are no noise."""
    record = FingerRecord.of_motion(clean(), NOISE, 1)
    fit = identify_finger(assumed_finger().replace(mass=(0.03, 0.02, 0.016), inertia=None, com=None), record)
    assert not fit.ok and "not what was recorded" in fit.status


def test_a_damper_that_is_not_there():
    undamped = assumed_finger().replace(damping=(0.002, 0.0, 0.002))
    fit = identify_finger(assumed_finger(), FingerRecord.of_motion(clean(undamped), NOISE, 3))
    assert (
        fit.low[4] <= 0 <= fit.high[4] and fit.unsure == ["c2"] and "c2 cannot be distinguished from zero" in fit.status
    )


def test_silent_records_and_bad_input():
    time = np.linspace(0, 1, 50)
    still = FingerRecord.of(time, np.zeros((50, 3)))
    with pytest.raises(InputError, match="the record says nothing about"):
        identify_finger(assumed_finger(), still)
    with pytest.raises(InputError, match="at least 20 samples"):
        identify_finger(assumed_finger(), FingerRecord.of(time[:10], np.zeros((10, 3))))
    with pytest.raises(InputError, match="level must be between 0 and 1"):
        identify_finger(assumed_finger(), still, level=95)
    with pytest.raises(InputError, match="noise must be a number above zero"):
        identification_bound(assumed_finger(), still, -1.0, q0=(0, 0, 0), v0=(0, 0, 0))
    with pytest.raises(InputError, match="q0 must be 3 finite"):
        identification_bound(assumed_finger(), still, 1.0, q0=(0, np.nan, 0), v0=(0, 0, 0))
    with pytest.raises(InputError, match="must be a FingerRecord"):
        identify_finger(assumed_finger(), np.zeros((50, 3)))


def test_the_level_widens_the_interval():
    record = FingerRecord.of_motion(clean(), NOISE, 1)
    a, b = (identify_finger(assumed_finger(), record, level=level) for level in (0.5, 0.99))
    assert ((b.high - b.low) / (a.high - a.low)).min() > 3 and np.array_equal(a.value, b.value)
