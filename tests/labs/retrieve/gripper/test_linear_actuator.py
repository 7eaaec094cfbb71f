"""The L12 from its data sheet: every published point comes back, and force from current is the corrected one."""

import numpy as np
import pytest

from carpal.errors import InputError, UnknownNameError
from carpal.labs.retrieve import current_from_force, force_from_current, l12_motor
from carpal.labs.retrieve.gripper.linear_actuator import L12


def test_the_thesis_motor_has_the_published_points(figure):
    motor = l12_motor()
    assert motor.stall_current == pytest.approx(0.2) and motor.resistance == pytest.approx(60.0)
    worst = np.abs(motor.speed([45.0, 18.0, 0.0]) - [2.5e-3, 4e-3, 5e-3]).max()
    figure("L12-210: speeds of the data sheet's three points, largest error [m/s]", worst, 1e-12)
    assert motor.stall_force == pytest.approx(90.0)


@pytest.mark.parametrize("gearing", sorted(L12))
def test_efficiency_peaks_where_the_sheet_says(gearing):
    motor = l12_motor(gearing)
    current = np.linspace(motor.free_current, motor.stall_current, 200_001)[1:-1]
    force = force_from_current(motor, current)
    power = force * (motor.volts - current * motor.resistance) / motor.k_v
    best = force[np.argmax(power / (motor.volts * current))]
    assert best == pytest.approx(L12[gearing][1][0], rel=1e-3)
    assert motor.free_speed == pytest.approx(L12[gearing][2] * 1e-3)


def test_the_printed_force_is_five_times_too_large(figure):
    """Erratum E15: F = k_v I has no losses."""
    motor = l12_motor()
    figure(
        "E15: printed k_v I over the load line's force at stall",
        motor.k_v * 0.2 / motor.stall_force,
        4.0,
        at_least=True,
    )
    assert float(force_from_current(motor, 0.2)) == pytest.approx(90.0)
    assert 0.1 < motor.efficiency < 0.4
    # friction grows with the load, which (4.8) takes for a constant
    friction = [motor.k_v * i - force_from_current(motor, i) for i in (0.02, 0.2)]
    assert friction[1] > 5 * friction[0]


def test_force_and_current_are_inverse():
    motor = l12_motor()
    force = np.array([0.0, 5.0, 40.0])
    assert np.allclose(force_from_current(motor, current_from_force(motor, force)), force)
    assert float(force_from_current(motor, -0.1)) == float(force_from_current(motor, 0.1))
    assert float(force_from_current(motor, 0.001)) == 0.0


def test_bad_input():
    with pytest.raises(UnknownNameError, match="gearing of an L12 '211'"):
        l12_motor(211)
    with pytest.raises(UnknownNameError, match="stroke"):
        l12_motor(stroke=0.04)
    with pytest.raises(UnknownNameError, match="volts"):
        l12_motor(volts=24)
    with pytest.raises(InputError, match="current must be finite; got nan"):
        force_from_current(l12_motor(), np.nan)
    with pytest.raises(InputError, match="force must be zero or above"):
        current_from_force(l12_motor(), -1.0)
