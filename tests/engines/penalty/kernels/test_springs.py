"""Rotary springs: the torsional oscillator, its damping, the rest angle, and angles past a half turn."""

import numpy as np
import penalty_inputs as inputs
import pytest

from carpal.engines import PenaltyEngine
from carpal.engines.penalty.kernels.springs import wrapped
from carpal.model import Mechanism, PointJoint, RotarySpring, angle_lines


def oscillator(angle, *, stiffness=2.0, damping=0.0, rest=0.0, dt=1e-4, **more):
    """A wheel (0.02 kg m^2 about y) on a spring from the world."""
    wheel = inputs.body("wheel", X_WB=inputs.pose(R=inputs.about_y(angle)))
    spring = RotarySpring(
        "spring", None, "wheel", **angle_lines(None, None, [0, 1, 0]), stiffness=stiffness, damping=damping, rest=rest
    )
    hold = PointJoint("hold", None, np.zeros(3), "wheel", np.zeros(3), 1e4, 10.0)
    mechanism = Mechanism("wheel", (wheel,), (hold,), (spring,), gravity=np.zeros(3), **more)
    return PenaltyEngine(mechanism, dt=dt)


def test_wrapped_angles():
    assert wrapped(3.0) == 3.0
    assert wrapped(3.5) == pytest.approx(3.5 - 2 * np.pi)
    assert wrapped(-3.5) == pytest.approx(-3.5 + 2 * np.pi)


@pytest.mark.parametrize("damping", [0.0, 0.05])
def test_a_torsional_oscillator_follows_its_closed_form(damping, figure):
    engine = oscillator(0.5, damping=damping, rest=0.1)
    states = inputs.trace(engine, engine.start(), 10_000, 1_000)
    w0, beta = np.sqrt(2.0 / 0.02), damping / 0.04
    w = np.sqrt(w0**2 - beta**2)
    t = np.array([s.time for s in states])
    true = 0.1 + 0.4 * np.exp(-beta * t) * (np.cos(w * t) + beta / w * np.sin(w * t))
    found = np.array([inputs.pendulum_angle(s) for s in states])
    figure(f"torsional oscillator, damping {damping:g}: angle [rad]", np.abs(found - true).max(), 1e-4)
    residual, exchanged, _ = inputs.ledger(engine, engine.start(), 3_000)
    figure(f"torsional oscillator, damping {damping:g}: ledger", residual / exchanged, 1e-6)


def test_the_spring_takes_the_short_way_round():
    engine = oscillator(3.0, rest=-3.0)  # 0.28 rad ahead, not 6 rad back
    end = engine.run(engine.start(), steps=10).state
    assert end.v[4] > 0
