"""Asperity friction: a block sticks below the friction angle and slides rightly above it; dry hinges stop a pendulum."""

import itertools

import numpy as np
import penalty_inputs as inputs
import pytest

from carpal.engines import ContactLaw, PenaltyEngine
from carpal.engines.penalty.kernels.asperity import asperity_force, lag
from carpal.model import Box, JointFriction, Mechanism, PlacedShape, angle_lines

MU, LAW = (
    0.4,
    ContactLaw(stiffness=1e9, damping=2e5, separation=1.0, friction=0.4, tangential=5e8, slip_speed=1e-2, area=1e-5),
)


def test_the_element_has_two_segments_and_the_sum_is_cut():
    limit = 2.0
    assert asperity_force((0.0, 0.0, 0.0), (5e-4, 0.0, 0.0), limit, 0.0, 1e-3)[0] == pytest.approx(-1.0)
    assert asperity_force((0.0, 0.0, 0.0), (0.5, 0.0, 0.0), limit, 0.0, 1e-3)[0] == pytest.approx(-2.0)
    both = asperity_force((1e-3, 0.0, 0.0), (0.5, 0.0, 0.0), limit, 2e3, 1e-3)
    assert np.linalg.norm(both) == pytest.approx(limit)
    assert lag((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 0.0, 0.0), 1.0, limit, 2e3)[0] == pytest.approx(1e-3)
    below = lag((1e-4, 0.0, 0.0), (0.1, 0.0, 0.2), (0.3, 0.0, 0.2), 1e-3, limit, 2e3)
    assert below == pytest.approx((3e-4, 0.0, 2e-4)), "the mean sliding speed times h, where nothing slips"
    assert lag((1.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 0.0, 0.0), 1.0, limit, 0.0) == (0.0, 0.0, 0.0)


def _block(slope, law=LAW, dt=2e-5):
    """A block of 1 kg on a plane tilted about y; it would slide towards +x."""
    R = inputs.about_y(slope)
    size = np.array([0.1, 0.08, 0.02])
    moments = tuple((size @ size - size**2) / 12)
    sink = np.cos(slope) * 9.81 / (4 * law.area * law.stiffness)
    X = inputs.pose(R @ np.array([0, 0, 0.01 - sink]), R)
    block = inputs.body("block", 1.0, moments=moments, X_WB=X, shapes=(PlacedShape("box", "block", Box(tuple(size))),))
    mechanism = Mechanism("incline", (block,), fixed=inputs.floor(inputs.pose(R=R)))
    return PenaltyEngine(mechanism, dt=dt, contact=law), R[:, 0]


def test_a_block_sticks_below_the_friction_angle(figure):
    slope = 0.8 * np.arctan(MU)
    engine, down = _block(slope)
    states = inputs.trace(engine, engine.start(), 50_000, 5_000)
    moved = [float((s.q[:3] - states[0].q[:3]) @ down) for s in states]
    figure("incline below the friction angle: speed after 1 s [m/s]", np.linalg.norm(states[-1].v[:3]), 1e-6)
    hold = np.sin(slope) * 9.81 / (4 * LAW.area * LAW.tangential)
    figure("incline: asperity displacement against m g sin / k_t, relative", abs(moved[-1] / hold - 1), 0.05)
    figure("incline: largest displacement over the elastic limit mu N / k_t", max(moved) / (hold / 0.8), 1.0)


def test_a_block_slides_with_the_right_acceleration_above_it(figure):
    slope = 1.5 * np.arctan(MU)
    engine, down = _block(slope)
    residual, exchanged, end = inputs.ledger(engine, engine.start(), 10_000)
    one, two = end.state, engine.run(end.state, steps=10_000).state
    found = float((two.v[:3] - one.v[:3]) @ down) / 0.2
    expected = 9.81 * (np.sin(slope) - MU * np.cos(slope))
    figure("incline above the friction angle: acceleration, relative", abs(found / expected - 1), 1e-5)
    figure("incline: ledger of sliding, of the energy exchanged", residual / exchanged, 1e-6)
    assert {contact.mode for contact in engine.contacts(two, np.zeros(6))} == {"sliding"}


def test_a_coulomb_damped_pendulum_loses_the_friction_times_the_way(figure):
    torque, dt = 0.02, 2e-5
    bare = inputs.pendulum(1.0)
    dry = JointFriction("dry", None, "rod", **angle_lines(None, None, [0, 1, 0]), torque=torque, slip_speed=1e-3)
    engine = PenaltyEngine(inputs.Mechanism("dry", bare.bodies, bare.joints, friction=(dry,)), dt=dt)
    states = inputs.trace(engine, engine.start(), 120_000, 100)
    angle = np.array([inputs.pendulum_angle(s) for s in states])
    tops = [angle[0]] + [
        angle[i] for i in range(1, len(angle) - 1) if (angle[i] - angle[i - 1]) * (angle[i + 1] - angle[i]) < 0
    ]
    errors = [
        abs(9.81 * 0.1 * (np.cos(b) - np.cos(a)) - torque * (abs(a) + abs(b))) / (torque * (abs(a) + abs(b)))
        for a, b in itertools.pairwise(tops)
    ]
    assert len(errors) >= 4
    figure("Coulomb-damped pendulum: energy lost against friction times the way, relative", max(errors[:4]), 3e-3)


def test_a_dry_hinge_with_anchored_springs_holds():
    angle = 0.01  # gravity asks for 0.01 N m of the 0.02 N m that friction gives
    bare = inputs.pendulum(angle)
    dry = JointFriction(
        "dry", None, "rod", **angle_lines(None, None, [0, 1, 0]), torque=0.02, slip_speed=1e-2, stiffness=100.0
    )
    engine = PenaltyEngine(inputs.Mechanism("dry", bare.bodies, bare.joints, friction=(dry,)), dt=2e-5)
    end = engine.run(engine.start(), steps=50_000).state
    assert inputs.pendulum_angle(end) == pytest.approx(angle, abs=2e-4)
    assert abs(end.v[4]) < 1e-5
