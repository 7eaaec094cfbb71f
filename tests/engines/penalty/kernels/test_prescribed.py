"""Prescribed motion: the body is where its rows have it, and its drive's work is in the ledger."""

import numpy as np
import penalty_inputs as inputs
import pytest

from carpal.engines import PenaltyEngine
from carpal.model import Mechanism, PointJoint, PrescribedMotion
from carpal.spatial import rotation_from_wxyz


def _engine(dt=2e-5, gravity=(0.0, 0.0, 0.0)):
    hand = inputs.body("hand", com=(0.02, 0.01, 0.0))
    load = inputs.body("load", 0.3)
    poses = np.array(
        [inputs.pose(), inputs.pose((0.1, 0, 0), inputs.about_y(0.6)), inputs.pose((0.1, 0, 0.1), inputs.about_y(0.2))]
    )
    motion = PrescribedMotion("hand", [0.0, 0.1, 0.3], poses)
    grip = PointJoint("grip", "hand", np.zeros(3), "load", np.zeros(3), 1e4, 20.0)
    return PenaltyEngine(
        Mechanism("carry", (hand, load), (grip,), prescribed=(motion,), gravity=np.array(gravity)), dt=dt
    ), poses


def test_the_body_passes_its_rows_and_stands_after_the_last():
    engine, poses = _engine()
    state = engine.start()
    for i, steps in ((1, 5_000), (2, 10_000), (2, 1_000)):
        state = engine.run(state, steps=steps).state
        assert state.q[:3] == pytest.approx(poses[i, :3, 3], abs=1e-9)
        assert rotation_from_wxyz(state.q[3:7]) == pytest.approx(poses[i, :3, :3], abs=1e-9)
    assert np.abs(state.v[:6]).max() == 0.0


def test_between_rows_the_twist_is_constant():
    engine, _ = _engine()
    state = engine.run(engine.start(), steps=2_500).state
    assert state.v[:6] == pytest.approx([1.0, 0, 0, 0, 6.0, 0], abs=1e-9)
    assert state.q[:3] == pytest.approx([0.05, 0, 0], abs=1e-9)


def test_the_drive_of_the_motion_closes_the_ledger(figure):
    engine, _ = _engine(5e-6, gravity=(0.0, 0.0, -9.81))
    state = engine.run(engine.start(), steps=100).state
    residual, exchanged, _ = inputs.ledger(engine, state, 16_000)
    figure("prescribed motion: ledger, of the energy exchanged", residual / exchanged, 1e-6)
