"""Points on paths: a bead on a helix, the stops at a slot's ends, the cylindrical joint."""

import itertools

import numpy as np
import penalty_inputs as inputs
import pytest

from carpal.engines import PenaltyEngine
from carpal.engines.penalty.kernels.slot_joints import nearest_on_path
from carpal.model import Mechanism, SlotJoint, cylindrical


def test_the_nearest_point_of_a_polyline_is_clamped_and_equals_a_dense_search():
    rng = np.random.default_rng(1)
    corners = rng.normal(size=(6, 3))
    dense = np.concatenate([a + np.linspace(0, 1, 4001)[:, None] * (b - a) for a, b in itertools.pairwise(corners)])
    for p in rng.normal(size=(20, 3)):
        found, _, _ = nearest_on_path(tuple(p), 0, 6, corners)
        least = np.linalg.norm(dense - p, axis=1).min()
        assert np.linalg.norm(np.array(found) - p) == pytest.approx(least, abs=1e-5)
    past, _, free = nearest_on_path((2.0, 0.1, 0.0), 0, 2, np.array([[0.0, 0, 0], [1.0, 0, 0]]))
    assert past == (1.0, 0.0, 0.0) and not free


def test_a_bead_on_a_helix(figure):
    radius, pitch, turns = 0.1, 0.05, 0.5
    phi = np.linspace(0, 2 * np.pi * turns, 1001)
    helix = np.stack([radius * np.cos(phi), radius * np.sin(phi), -pitch * phi / (2 * np.pi)], axis=1)
    bead = inputs.body("bead", 0.05, moments=(1e-5,) * 3, X_WB=inputs.pose(helix[40]))
    engine = PenaltyEngine(
        Mechanism("helix", (bead,), (SlotJoint("wire", "bead", np.zeros(3), None, helix, 1e5, 20.0),)), dt=1e-5
    )
    residual, exchanged, end = inputs.ledger(engine, engine.start(), 60_000)
    slope = pitch / np.hypot(2 * np.pi * radius, pitch)
    way = 0.5 * 9.81 * slope * 0.6**2
    x, y, z = end.state.q[:3]
    found = (helix[40, 2] - z) / slope
    figure("bead on a helix: way in 0.6 s, relative", abs(found / way - 1), 1e-3)
    figure("bead on a helix: distance from the wire [m]", abs(np.hypot(x, y) - radius), 1e-4)
    figure("bead on a helix: ledger, of the energy exchanged", residual / exchanged, 1e-6)


def test_a_slider_falls_along_its_slot_and_rests_on_the_stop():
    block = inputs.body("block", 0.5, moments=(1e-3,) * 3)
    joints = cylindrical(
        "rail", block, None, [0, 0, 0], [0, 0, 1], span=0.1, travel=(-0.05, 0.0), stiffness=1e5, damping=50.0
    )
    engine = PenaltyEngine(Mechanism("rail", (block,), joints), dt=2e-5)
    falling = engine.run(engine.start(), steps=2_000).state  # 0.04 s: 7.8 mm
    assert falling.q[2] == pytest.approx(-0.5 * 9.81 * 0.04**2, rel=1e-6)
    resting = engine.run(falling, steps=100_000).state
    assert resting.q[2] == pytest.approx(-0.05 - 0.5 * 9.81 / 1e5, abs=1e-6)
    assert np.abs(resting.v).max() < 1e-4
