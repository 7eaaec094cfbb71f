"""Motions: energy kept without dampers and strictly falling with them, and the same as another integrator on another model."""

import numpy as np
import pytest
from finger_inputs import facts_finger, random_finger, random_load

import carpal
from carpal.errors import DivergedError, InputError
from carpal.labs.finger import FingerLoad, simulate_finger

STEP = 5e-4


def test_energy_is_kept_without_dampers(figure):
    for name, q0, v0 in (
        ("let go at 34, 23, 17 deg", (0.6, 0.4, 0.3), (0, 0, 0)),
        ("thrown at 10, -8, 20 rad/s", (1.2, 0.8, 1.0), (10, -8, 20)),
    ):
        motion = simulate_finger(facts_finger(), q0, v0, duration=2.0, step=STEP)
        note = f"step {STEP:g} s, relative to the largest kinetic energy, {name}"
        figure(f"finger: energy error over 2 s without dampers, {name}", float(motion.energy_error), 1e-8, note=note)
        assert motion.ledger[:, 3:].any() == 0


@pytest.mark.full
def test_energy_of_many_random_fingers(figure):
    rng, worst = np.random.default_rng(5), 0.0
    for _ in range(200):
        finger = random_finger(rng, damped=False)
        motion = simulate_finger(finger, rng.uniform(-1, 1, 3), rng.normal(0, 3, 3), duration=2.0, step=1e-4)
        worst = max(worst, float(motion.energy_error))
    figure("finger: energy error over 2 s, 200 random undamped fingers in any gravity, step 1e-4 s", worst, 1e-8)


def test_energy_falls_strictly_with_dampers(figure):
    for c in (2e-4, 0.002):
        motion = simulate_finger(facts_finger(damping=c), (0.6, 0.4, 0.3), duration=2.0, step=STEP)
        above = motion.energy - motion.energy.min()
        # until what is left is rounding of the energy itself
        lasting = int(np.argmax(above < 1e-11 * motion.energy[0])) or len(above)
        rises = int((np.diff(motion.energy[:lasting]) >= 0).sum())
        figure(
            f"finger: steps in which the energy does not fall, dampers of {c:g} N m s/rad",
            rises,
            0,
            note=f"{lasting} steps",
        )
        assert lasting > 300
        assert (np.diff(motion.ledger[..., 4]) >= 0).all()


def test_equal_to_runge_kutta_on_articulated_bodies(figure):
    """The chain by ABA, springs and loads as joint torques, through SciPy's DOP853."""
    from scipy.integrate import solve_ivp

    from carpal.dynamics import forward_dynamics

    rng, worst = np.random.default_rng(6), 0.0
    for damped in (False, True):
        finger = random_finger(rng, damped=damped)
        time = np.linspace(0.0, 0.2, 41)
        pull = 2.0 * np.sin(20 * time) ** 2
        motion = simulate_finger(
            finger, (0.3, 0.2, 0.1), (1, -2, 3), time=time, step=2e-4, load=FingerLoad(tension=pull)
        )

        def rates(t, x, finger=finger, time=time, pull=pull):
            tau = finger.stiffness * (finger.neutral - x[:3]) - finger.damping * x[3:]
            tau = tau + finger.tendon_arm * np.interp(t, time, pull)
            return np.concatenate([x[3:], forward_dynamics(finger.chain, x[:3], x[3:], tau)])

        x = np.array([0.3, 0.2, 0.1, 1, -2, 3])
        for i in range(len(time) - 1):  # a kink of the load at every sample
            x = solve_ivp(rates, (time[i], time[i + 1]), x, method="DOP853", rtol=1e-11, atol=1e-12).y[:, -1]
            worst = max(worst, np.abs(x[:3] - motion.q[i + 1]).max())
    figure("finger: angles beside DOP853 on the same chain by ABA after 0.2 s [rad]", worst, 1e-8)


def test_the_ledger_closes_with_every_load():
    rng = np.random.default_rng(8)
    finger, load = random_finger(rng), random_load(rng)
    motion = simulate_finger(finger, (0.1, 0.2, 0.3), duration=0.5, step=2e-4, load=load)
    assert float(motion.energy_error) < 1e-9 and np.abs(motion.ledger[-1, 3]) > 1e-5 and motion.ledger[-1, 4] > 0


def test_samples_batches_and_threads():
    finger = facts_finger(damping=1e-3)
    q0 = np.random.default_rng(0).uniform(-1, 1, (6, 3))
    many = simulate_finger(finger, q0, duration=0.05, threads=2)
    assert many.q.shape == (6, 101, 3) and many.energy_error.shape == (6,)
    assert np.array_equal(many.q, simulate_finger(finger, q0, duration=0.05, threads=1).q)
    assert np.array_equal(many.q[4], simulate_finger(finger, q0[4], duration=0.05).q)
    assert np.array_equal(simulate_finger(finger, q0[4], duration=0.05, every=10).time, many.time[::10])
    assert np.allclose(simulate_finger(finger, q0[4], duration=0.05, every=10).q, many.q[4, ::10], atol=1e-15)
    assert "6 motions" in many.status and bool(many) and many.ok


def test_uneven_samples():
    finger, time = facts_finger(), np.array([0.0, 0.001, 0.0035, 0.004, 0.01])
    motion = simulate_finger(finger, (0.5, 0.2, 0.1), time=time, step=1e-4)
    even = simulate_finger(finger, (0.5, 0.2, 0.1), duration=0.01, step=1e-4)
    assert np.allclose(motion.q[[1, 2, 3, 4]], even.q[[10, 35, 40, 100]], atol=1e-11)


def test_stops_that_are_passed_are_reported():
    motion = simulate_finger(facts_finger(q_max=0.2), (0.1, 0.1, 0.1), (5, 0, 0), duration=0.1)
    assert "joint 1 above 0.2 rad" in str(motion)
    assert "stops" not in simulate_finger(facts_finger(), duration=0.01).status


def test_at_rest_nothing_moves():
    motion = simulate_finger(facts_finger(), duration=0.1)
    assert not motion.q.any() and float(motion.energy_error) == 0.0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"step": 0}, "step must be a number above zero; got 0"),
        ({"step": "x"}, "step must be a number"),
        ({"duration": -1}, "duration must be"),
        ({"every": 0}, "every must be a whole number"),
        ({"duration": 1e9}, "samples are too many"),
        ({"time": [0, 1, 1]}, "time must rise"),
        ({"time": [0, np.nan, 1]}, "time must rise"),
        ({"time": [0]}, "2 to"),
        ({"load": FingerLoad(tension=np.ones(7))}, "one row for each"),
        ({"q0": (0, np.nan, 0)}, r"q\[1\] is nan"),
        ({"q0": (0, 1)}, "needs 3 numbers"),
        ({"device": "tpu"}, "unknown device"),
    ],
)  # fmt: skip
def test_bad_input(options, words):
    with pytest.raises(carpal.errors.CarpalError, match=words):
        simulate_finger(facts_finger(), **({"duration": 0.01} | options))


def test_a_step_that_is_too_long_is_refused():
    with pytest.raises(DivergedError, match=r"did not go on after 0 s: a step of 0.3 s is too long"):
        simulate_finger(facts_finger(), v0=(500, -900, 900), duration=0.9, step=0.3)
    assert issubclass(DivergedError, carpal.errors.CarpalError) and issubclass(InputError, carpal.errors.CarpalError)
