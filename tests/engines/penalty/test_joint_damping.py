"""The damping of point and slot joints, seen in the decay of a gap: a tenth more would be noticed."""

import numpy as np
import penalty_inputs as inputs
import pytest

from carpal.engines import PenaltyEngine
from carpal.model import Mechanism, PointJoint, SlotJoint


@pytest.mark.parametrize("kind", ["point", "slot"])
def test_a_gap_rings_down_by_its_damping(kind, figure):
    """One body held at its centre of mass: m x'' = -k x - c x', whose amplitude falls with exp(-c t / 2m)."""
    k, c, mass = 1e4, 8.0, 2.0
    body = inputs.body("body", mass, X_WB=inputs.pose((1e-3, 0.0, 0.0)))
    path = [[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]]
    zero = np.zeros(3)
    joint = PointJoint("j", None, zero, "body", zero, k, c)
    joint = joint if kind == "point" else SlotJoint("j", "body", zero, None, np.array(path), k, c)
    engine = PenaltyEngine(Mechanism("ring", (body,), (joint,), gravity=zero), dt=1e-5)
    half = np.pi / np.sqrt(k / mass - (c / (2 * mass)) ** 2)
    steps = round(half / 1e-5)
    states = inputs.trace(engine, engine.start(), 8 * steps, steps)
    x = np.array([state.q[0] for state in states])
    t = np.array([float(state.time) for state in states])
    w = np.pi / half
    true = 1e-3 * np.exp(-c * t / (2 * mass)) * (np.cos(w * t) + c / (2 * mass * w) * np.sin(w * t))
    figure(f"{kind} joint: ring-down against the closed form, of the start", np.abs(x - true).max() / 1e-3, 1e-4)
    found = -2 * mass * np.polyfit(t, np.log(np.abs(x)), 1)[0]
    figure(f"{kind} joint: damping from the decay, relative", abs(found / c - 1), 1e-3)
