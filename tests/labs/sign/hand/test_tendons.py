"""Tendon fingers: balance equals an independent energy minimisation, the designed closing order, friction, bad input."""

import dataclasses

import numpy as np
import pytest
from scipy.optimize import minimize
from sign_robots import hand, random_touches

from carpal.errors import InputError
from carpal.labs.sign import designed_finger, tendon_angles


def minimised(finger, travel, loads):
    """The nearest minimum of the energy by SciPy from the free finger, with the energy's gradient written anew here."""

    def energy(theta):
        a = np.cumsum(theta)
        along = np.c_[np.cos(a), np.sin(a)]
        joints = np.vstack([[0.0, 0.0], np.cumsum(finger.lengths[:, None] * along, axis=0)])
        pulled = max(0.0, travel - finger.pulleys @ theta)
        total = 0.5 * finger.springs @ (theta - finger.rest) ** 2 + 0.5 * finger.stiffness * pulled**2
        slope = finger.springs * (theta - finger.rest) - finger.stiffness * pulled * finger.pulleys
        for phalanx, distance, fx, fy in loads:
            j = int(phalanx)
            p = joints[j] + distance * along[j]
            total -= fx * p[0] + fy * p[1]
            for i in range(j + 1):
                slope[i] -= (p[0] - joints[i, 0]) * fy - (p[1] - joints[i, 1]) * fx
        return total, slope

    # the tendon alone first: a force brought up on the free finger is what `tendon_angles` promises
    x = tendon_angles(finger, travel).angles
    # the energy in units of a tenth of a spring, so that SciPy's own stopping rule means small angles
    for _ in range(4):
        x = minimize(
            lambda t: tuple(1e3 * np.asarray(part) for part in energy(t)), x, jac=True, method="L-BFGS-B",
            bounds=list(zip(finger.low, finger.high, strict=True)), options={"ftol": 0.0, "gtol": 1e-12, "maxiter": 3000},
        ).x  # fmt: skip
    return x, energy(x)[0], energy


def compare(count, seed, names):
    worst, deeper = 0.0, 0.0
    for k, name in enumerate(names):
        finger = hand().fingers[name]
        travel, loads = random_touches(finger, count, seed + k)
        result = tendon_angles(finger, travel, loads)
        assert result, str(result)
        for i in range(count):
            x, least, energy = minimised(finger, travel[i], loads[i])
            worst = max(worst, float(np.abs(x - result.angles[i]).max()))
            deeper = max(deeper, energy(result.angles[i])[0] - least)
    return worst, deeper


def test_angles_equal_an_independent_energy_minimisation(figure):
    worst, deeper = compare(12, 0, ("index", "thumb"))
    figure("tendon hand: joint angles against SciPy's energy minimum, 24 tendon and touch loads [rad]", worst, 1e-6)
    figure("tendon hand: energy above SciPy's minimum [J]", deeper, 1e-12)


@pytest.mark.full
def test_angles_equal_an_independent_energy_minimisation_in_1000_cases(figure):
    worst, deeper = compare(200, 100, ("thumb", "index", "middle", "ring", "little"))
    figure("tendon hand: joint angles against SciPy's energy minimum, 1,000 tendon and touch loads [rad]", worst, 1e-6)
    figure("tendon hand: energy above SciPy's minimum, 1,000 loads [J]", deeper, 1e-12)


def test_the_free_finger_closes_in_the_designed_order(figure):
    for name, finger in hand().fingers.items():
        travel = np.linspace(0.0, finger.travel, 8001)
        result = tendon_angles(finger, travel)
        first = [int(np.argmax(result.angles[:, i] > 1e-9)) for i in range(3)]
        order = tuple(("proximal", "middle", "distal")[i] for i in np.argsort(first))
        assert order == ("proximal", "middle", "distal") == finger.closing_order, name
        assert (np.diff(result.angles, axis=0) >= -1e-12).all()
        assert np.allclose(result.angles[-1], finger.high, atol=1e-9)
        for i in range(3):
            figure(
                f"{name}: tension at which joint {i + 1} leaves its stop, against the design [N]",
                abs(result.tension[first[i] - 1] - finger.starts[i]), 0.2,
            )  # fmt: skip


def test_a_touch_bends_the_finger_and_a_free_finger_comes_back():
    finger = hand().fingers["index"]
    free = tendon_angles(finger, 0.012)
    pushed = tendon_angles(finger, 0.012, [[2, 0.02, 0.0, -1.0]])
    assert pushed.angles[0] < free.angles[0] - 0.05  # it gives way at its base
    closed = tendon_angles(finger, 0.012, [[2, 0.02, 0.0, 3.0]])
    assert closed.tension < free.tension  # pushed shut, the tendon comes loose
    assert np.array_equal(tendon_angles(finger, 0.012, np.zeros((0, 4))).angles, free.angles)


def test_friction_takes_its_share_at_every_wrap():
    finger = dataclasses.replace(hand().fingers["index"], friction=0.15)
    into, out = tendon_angles(finger, 0.02), tendon_angles(finger, 0.02, closing=False)
    for result, sense in ((into, 1.0), (out, -1.0)):
        assert result
        passed = np.exp(-sense * 0.15 * np.cumsum(finger.wraps + result.angles))
        left = finger.springs * (result.angles - finger.rest) - result.tension * finger.pulleys * passed
        assert np.abs(left).max() < 1e-12
    assert into.tension > out.tension  # hysteresis: the motor pulls against friction, and is helped by it
    assert into.angles[2] < out.angles[2]


def test_weight_is_a_load_like_others():
    finger = hand().fingers["middle"]
    loads = finger.weight_loads((0.0, 1.0))
    assert loads[:, 3].sum() == pytest.approx(finger.weights.sum())
    assert np.allclose(tendon_angles(finger, 0.0, loads).angles, 0.0)  # the preloads hold it straight


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda f: tendon_angles(f, np.nan), "all numbers must be finite"),
        (lambda f: tendon_angles(f, 0.01, [[3, 0.0, 0, 1]]), "phalanx of a load must be 0, 1 or 2; got 3"),
        (lambda f: tendon_angles(f, 0.01, [[1, 0.5, 0, 1]]), "must lie on its phalanx"),
        (lambda f: tendon_angles(f, 0.01, [0, 1, 2]), "loads need"),
        (lambda f: tendon_angles([f, f], 0.01), "of 2 fingers needs 2 numbers"),
        (lambda f: dataclasses.replace(f, springs=np.array([0.1, -1.0, 0.1])), "springs of finger 'index' must be above zero"),
        (
            lambda f: designed_finger("weak", f.lengths, f.high, starts=(0.1, 0.1, 0.1), closed=5.0, pulleys=f.pulleys),
            "springs of finger 'weak' cannot hold it: joint 'proximal' is preloaded by",
        ),
        (
            lambda f: designed_finger("odd", f.lengths, f.high, starts=(4, 6, 8), closed=7.0, pulleys=f.pulleys),
            "closed above all of them",
        ),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence(call, sentence):
    with pytest.raises(InputError, match=sentence):
        call(hand().fingers["index"])
