"""The normal force: never pulls, and a bouncing ball keeps the share of its speed that a damped spring leaves it."""

import numpy as np
import penalty_inputs as inputs
import pytest

from carpal.engines import ContactLaw, PenaltyEngine
from carpal.engines.penalty.kernels.normal_force import normal_force
from carpal.model import Mechanism, PlacedShape, Sphere


def test_the_force_follows_the_law_and_never_pulls():
    assert normal_force(1e-3, 0.2, 1e-4, 1e9, 1e5, 0.5)[0] == pytest.approx(1e-4 * (1e6 + 2e4))
    assert normal_force(1e-3, -0.2, 1e-4, 1e9, 1e5, 0.5)[0] == pytest.approx(1e-4 * (1e6 - 1e4))
    assert normal_force(1e-6, -5.0, 1e-4, 1e9, 1e5, 1.0)[0] == 0.0
    assert normal_force(0.0, 5.0, 1e-4, 1e9, 1e5, 1.0) == (0.0, 0.0, 0.0)
    for rate in (-5.0, -0.1, 0.3):  # what is lost is never given back
        assert normal_force(1e-6, rate, 1e-4, 1e9, 1e5, 0.7)[2] >= 0


def bounce(k, c, separation, dt=5e-7, speed=2.0):
    """Share of its speed that a ball of 0.12 kg keeps, without gravity."""
    mass, radius = 0.12, 0.025
    moment = 0.4 * mass * radius**2
    ball = inputs.body(
        "ball", mass, moments=(moment,) * 3, X_WB=inputs.pose((0, 0, radius + 1e-4)), V_WB=np.array([0, 0, -speed, 0, 0, 0.0]),
        shapes=(PlacedShape("skin", "ball", Sphere(radius)),),
    )  # fmt: skip
    law = ContactLaw(stiffness=k / 1e-4, damping=c / 1e-4, separation=separation, area=1e-4)
    engine = PenaltyEngine(Mechanism("bounce", (ball,), gravity=np.zeros(3), fixed=inputs.floor()), dt=dt, contact=law)
    time = 1e-4 / speed + 4 * np.sqrt(mass / k)
    residual, exchanged, end = inputs.ledger(engine, engine.start(), round(time / dt))
    return end.state.v[2] / speed, residual / exchanged


@pytest.mark.parametrize(("k", "c"), [(1e4, 5.0), (1e4, 20.0), (1e5, 20.0), (1e5, 100.0)])
def test_restitution_of_a_bouncing_ball(k, c, figure):
    w0, beta = np.sqrt(k / 0.12), c / (2 * 0.12)
    w = np.sqrt(w0**2 - beta**2)
    # cut off where the force would pull (Schwager and Poeschel 2007), and without damping while separating
    full = np.exp(-beta / w * (np.pi - np.arctan2(2 * beta * w, w**2 - beta**2)))
    none = np.exp(-beta / w * np.arctan2(w, beta))
    for separation, expected in ((1.0, full), (0.0, none)):
        kept, residual = bounce(k, c, separation)
        figure(f"bounce k {k:g} c {c:g} s_p {separation:g}: restitution, error", abs(kept - expected), 1e-5)
        figure(f"bounce k {k:g} c {c:g} s_p {separation:g}: ledger", residual, 1e-6)
