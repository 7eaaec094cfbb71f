"""The largest stable delay against the eigenvalues of the loop's transition, and against a run that grows."""

import numpy as np
import pytest

import carpal
from carpal.errors import DivergedError
from carpal.labs.mount import loop_stability
from carpal.labs.mount.controller import FILTER_SHARE
from carpal.labs.mount.loop_stability import largest_stable_delay, unstable_loop
from carpal.labs.mount.table import PIDGains, pid_gains
from carpal.tasks import make_task


def transition(gains: PIDGains, mass: float, dt: float, filter_time: float, delay: int) -> np.ndarray:
    """One axis over a period: (position, velocity, integral, filtered rate, last sensed, delayed positions)."""
    n = 5 + delay
    one, A = np.eye(n), np.zeros((n, n))
    s = one[0] if delay == 0 else one[4 + delay]
    rate = one[3] + dt / (filter_time + dt) * ((s - one[4]) / dt - one[3])
    integral = one[2] + dt * s
    force = -(gains.kp * s + gains.ki * integral + gains.kd * rate)
    A[0] = one[0] + dt * one[1] + 0.5 * dt**2 / mass * force
    A[1] = one[1] + dt / mass * force
    A[2], A[3], A[4] = integral, rate, s
    for j in range(delay):
        A[5 + j] = one[0] if j == 0 else one[4 + j]
    return A


def test_the_transition_is_that_of_a_free_mass():
    """The kernel's plant without a spring, written out by hand above."""
    gains = pid_gains(30.0, 25.0)
    for delay in (0, 1, 7):
        ours = loop_stability.transition(gains, 30.0, 1e-3, 0.004, delay)
        assert np.allclose(ours, transition(gains, 30.0, 1e-3, 0.004, delay), atol=1e-13)


@pytest.mark.parametrize("bandwidth", [10.0, 25.0, 60.0, 200.0, 900.0])
@pytest.mark.parametrize("load", [0.8, 1.0, 1.3])
def test_the_limit_is_where_an_eigenvalue_leaves_the_unit_circle(bandwidth, load):
    gains, dt, filter_time = pid_gains(30.0, bandwidth), 1e-3, FILTER_SHARE / bandwidth
    most = largest_stable_delay(gains, 30.0 * load, dt, filter_time)
    radius = [
        np.abs(np.linalg.eigvals(transition(gains, 30.0 * load, dt, filter_time, d))).max() for d in range(most + 3)
    ]
    assert all(r < 1.0 for r in radius[: most + 1]), radius
    assert all(r > 1.0 for r in radius[most + 1 :]), radius


def test_a_delay_of_20_ms_is_an_unstable_loop_and_the_sentence_has_the_limit():
    task = make_task("mount", control="closed", delay=0.02)
    most = largest_stable_delay(task.gains, task.sliding_mass, task.dt, FILTER_SHARE / 25.0)
    assert f"up to a delay of {most} ms" in unstable_loop(task)
    assert "delay is 20 ms" in task.unstable
    assert not make_task("mount", control="closed", delay=most * 1e-3).unstable
    assert not make_task("mount", control="open", delay=0.02).unstable
    score = task.score_seeds([0])[0]
    assert not score.ok and "the table's loop is unstable" in score.status and "dt =" not in score.status


@pytest.mark.parametrize("stiffness", [1e3, 5e4])
def test_the_limit_on_a_stand_is_where_runs_begin_to_grow(stiffness):
    def largest_late(delay):
        task = make_task(
            "mount", joints=tuple(carpal.load("sawyer").q_home + 1e-9), base="stand", stand_stiffness=stiffness,
            control="closed", delay=delay, pulse="5,5,0,0.01", duration=3.0, tolerance=10.0,
        )  # fmt: skip
        try:
            away = np.abs(np.asarray(task.run().recording.q)[:, :2]).max(1)
        except DivergedError:
            return loop_stability.largest_delay(task), np.inf
        return loop_stability.largest_delay(task), away[-500:].max() / away[:500].max()

    limit = largest_late(0.0)[0]
    assert largest_late(max(limit - 0.002, 0.0))[1] < 0.5 < 2.0 < largest_late(limit + 0.003)[1]


@pytest.mark.full
def test_twenty_random_loops_settle_inside_the_limit_and_grow_outside(figure):
    """Envelopes of runs, two periods on either side of the limit; other masses, gains, filters and periods each time."""
    rng, wrong = np.random.default_rng(0), 0
    for _ in range(20):
        common = {
            "case": int(rng.integers(1, 5)), "control": "closed", "bandwidth": float(rng.uniform(8.0, 60.0)),
            "table_mass": float(rng.uniform(0.0, 30.0)), "sled_mass": float(rng.uniform(0.0, 5.0)), "dt": 1e-3,
            "pulse": "20,30,0,0.02", "duration": 8.0, "tolerance": 10.0,
        }  # fmt: skip
        limit = loop_stability.largest_delay(make_task("mount", **common))
        for periods, grows in ((-2, False), (3, True)):
            task = make_task("mount", delay=max(limit + periods * 1e-3, 0.0), **common)
            try:
                away = np.abs(np.asarray(task.run().recording.q)[:, :2]).max(1)
                late = away[-1000:].max() / away[3000:4000].max()  # the arm rests from 3 s on
            except DivergedError:
                late = np.inf
            wrong += (late > 1.0) != grows
    figure("mount: runs on the wrong side of the delay limit, of 40", wrong, 0)


def test_a_run_grows_above_the_limit_and_settles_below_it():
    ends = {}
    for delay in (0.010, 0.014):
        task = make_task("mount", control="closed", delay=delay, pulse="5,5,0,0.01", duration=1.2)
        ends[delay] = task.score_seeds([0])[0].numbers["final_displacement_m"]
    assert ends[0.010] < 1e-3 * ends[0.014], ends
