"""The motor's kernel: load line, sticking, a gear that holds, and the motion itself against scipy."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from carpal.labs.retrieve import l12_motor
from carpal.labs.retrieve.gripper.kernels.motor import advance, drive_current

MOTOR = l12_motor()
TABLE = MOTOR.table()


def run(
    seconds: float, *, volts: float = 12.0, limit: float = 1.0, load: float = 0.0, x: float = 0.01, h: float = 1e-4
):
    speed, current = 0.0, 0.0
    for _ in range(round(seconds / h)):
        x, speed, current = advance(TABLE, x, speed, volts, limit, load, h)
    return x, speed, current


def test_the_load_line():
    for load in (0.0, 18.0, 45.0, 80.0):
        assert run(0.5, load=load)[1] == pytest.approx(float(MOTOR.speed(load)), rel=1e-6)


def test_it_spins_up_as_the_equations_say(figure):
    """m u' = f I - F0 - load, V = I R + k u, integrated by scipy."""
    load = 12.0

    def rate(_, y):
        return [y[1], (480 * (12 - 2250 * y[1]) / 60 - 6 - load) / 180.0]

    exact = solve_ivp(rate, (0, 0.05), [0.01, 0.0], rtol=1e-11, atol=1e-14).y[:, -1]
    x, speed, _ = run(0.05, load=load, h=1e-5)
    figure(
        "gripper motor against scipy, 50 ms of starting up: relative error of the speed",
        abs(speed / exact[1] - 1),
        1e-3,
    )
    assert x == pytest.approx(exact[0], abs=1e-7)


def test_current_is_limited():
    assert drive_current(TABLE, 12.0, 0.0, 0.1) == 0.1 and drive_current(TABLE, -12.0, 0.0, 0.1) == -0.1
    assert drive_current(TABLE, 12.0, 0.005, 1.0) == pytest.approx(MOTOR.free_current)


def test_it_sticks_below_breakaway_and_holds_without_current():
    assert run(0.2, volts=0.9)[1] == 0.0  # 0.9 V is 7.2 N, breakaway 7.8 N
    assert run(0.2, volts=1.1)[1] > 0.0
    x, speed, _ = run(0.2, volts=0.0, load=140.0)
    assert (x, speed) == (0.01, 0.0)
    assert run(0.2, volts=-12.0, load=40.0)[1] < 0.0  # opening under load


def test_it_stops_at_its_ends():
    assert run(2.0, x=0.0495)[0] == 0.05 and run(1.0, x=0.0005, volts=-12.0)[0] == 0.0
    assert np.isfinite(run(0.1)[2])
