"""The step test against the closed form of a second-order system."""

import dataclasses

import numpy as np
import pytest
import setup_inputs as setup
from linkage_inputs import linkage

from carpal.engines import PenaltyEngine, mechanism_of, step_test, stiffened
from carpal.engines.penalty.setup.step_response import step_numbers
from carpal.errors import InputError


def _second_order(time, w, z):
    s = w * np.sqrt(1 - z * z)
    return 1 - np.exp(-z * w * time) * (np.cos(s * time) + z / np.sqrt(1 - z * z) * np.sin(s * time))


def test_numbers_of_a_known_response():
    time = np.linspace(0, 2, 4001)
    overshoot, rise, settling, end = step_numbers(time, 0.7 * _second_order(time, 20.0, 0.4))
    assert overshoot == pytest.approx(np.exp(-np.pi * 0.4 / np.sqrt(1 - 0.16)), rel=1e-4)
    assert rise * 20 == pytest.approx(1.46, abs=0.02)  # tables of second-order systems, zeta 0.4
    assert abs(_second_order(np.array(settling), 20.0, 0.4) - 1) == pytest.approx(0.02, rel=1e-3)
    assert end == pytest.approx(0.7, rel=1e-3)
    _, _, never, _ = step_numbers(time, _second_order(time, 20.0, 0.001))
    assert np.isnan(never)
    assert np.isnan(step_numbers(time, 0 * time)[1])


def test_a_weightless_joint_answers_as_a_second_order_system(figure):
    mechanism = dataclasses.replace(
        stiffened(mechanism_of(setup.chain(1), drives=True).mechanism, 5e-5), gravity=np.zeros(3)
    )
    about_pin, P, D = 2e-3 + 0.5 * 0.1**2, 4.0, 0.08
    motor = dataclasses.replace(mechanism.actuators[0], P=P, D=D)
    engine = PenaltyEngine(dataclasses.replace(mechanism, actuators=(motor,)), dt=5e-5)
    result = step_test(engine, 1.0, size=0.1, samples=2000)
    w, z = np.sqrt(P / about_pin), D / (2 * np.sqrt(P * about_pin))
    off = np.abs(result.response[:, 0] - _second_order(result.time, w, z)).max()
    figure("step of a hinge: response against the closed form, of the step", off, 1e-3)
    assert result and result.overshoot[0] == pytest.approx(np.exp(-np.pi * z / np.sqrt(1 - z * z)), rel=1e-2)
    assert "all settled within" in result.status and result.to_dict()["settling_time"][0] < 1.0


def test_gravity_drops_out_and_every_actuator_steps_alone():
    engine = setup.tuned_engine(setup.chain(2), 0.01, 0.7)
    result = step_test(engine, 1.0)
    assert result.actuators == ("j0", "j1") and result.size.tolist() == [0.05, 0.05]
    assert result.end == pytest.approx([1.0, 1.0], abs=0.02)
    short = step_test(engine, 0.02)
    assert not short and "not settled within 0.02 s: j0, j1" in short.status
    assert short.to_dict()["settling_time"] == [None, None]


def test_a_linear_drive_steps_a_millimetre():
    engine = setup.free_engine(dataclasses.replace(linkage("crossed_finger").mechanism(drive=0.02)), 2e-5)
    result = step_test(engine, 0.5)
    assert result.size.tolist() == [1e-3] and 0.8 < result.end[0] < 1.0  # the opening spring pulls back
    with pytest.raises(InputError, match="size must be"):
        step_test(engine, 0.5, size=0.0)
