"""The step itself: a free rigid body keeps its momentum, loses energy only as its order says, and the order is two."""

import itertools

import numpy as np
import penalty_inputs as inputs
import pytest

from carpal.engines import PenaltyEngine
from carpal.model import Mechanism
from carpal.spatial import rotation_from_wxyz

MOMENTS = np.array([0.01, 0.02, 0.03])
TWIST = np.array([0.3, -0.2, 0.5, 4.0, -7.0, 5.0])


def _tumbling(dt):
    free = inputs.body("free", 2.0, (0.05, -0.02, 0.03), tuple(MOMENTS), V_WB=TWIST)
    return PenaltyEngine(Mechanism("free", (free,), gravity=np.zeros(3)), dt=dt)


def _momenta(engine, state):
    """Linear momentum, and angular momentum about the world's origin, in W."""
    inertia = engine.mechanism.bodies[0].inertia
    R, w = rotation_from_wxyz(state.q[3:]), state.v[3:]
    arm = R @ inertia.com
    p = inertia.mass * (state.v[:3] + np.cross(w, arm))
    return p, R @ inertia.about_com @ R.T @ w + np.cross(state.q[:3] + arm, p)


def test_a_free_body_keeps_its_momentum_and_energy_to_second_order(figure):
    errors = []
    for dt in (2e-3, 1e-3, 5e-4):
        engine = _tumbling(dt)
        start = engine.start()
        end = engine.run(start, steps=round(1.0 / dt)).state
        p0, h0 = _momenta(engine, start)
        p1, h1 = _momenta(engine, end)
        k0, k1 = engine.energies(start)[0], engine.energies(end)[0]
        errors.append([np.linalg.norm(h1 - h0) / np.linalg.norm(h0), abs(k1 - k0) / k0])
        figure("free body: linear momentum, relative", np.linalg.norm(p1 - p0) / np.linalg.norm(p0), 1e-12)
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    figure("free body: order of the angular momentum", orders[:, 0].min(), 1.9, at_least=True)
    figure("free body: order of the energy", orders[:, 1].min(), 1.9, at_least=True)
    figure("free body: energy drift in 1 s at dt 0.5 ms", errors[-1][1], 1e-5)


def test_the_attitude_converges_with_order_two(figure):
    ends = [
        _tumbling(dt).run(_tumbling(dt).start(), steps=round(1.0 / dt)).state.q for dt in (2e-3, 1e-3, 5e-4, 2.5e-4)
    ]
    gaps = [np.abs(a - b).max() for a, b in itertools.pairwise(ends)]
    figure("free body: order of the pose", np.log2(np.array(gaps[:-1]) / gaps[1:]).min(), 1.9, at_least=True)


def test_free_fall_is_exact():
    drop = inputs.body("drop", 1.0, (0.1, 0.0, 0.0), V_WB=np.array([1.0, 0.0, 2.0, 0.0, 0.0, 0.0]))
    engine = PenaltyEngine(Mechanism("drop", (drop,)), dt=1e-3)
    end = engine.run(engine.start(), steps=500).state
    assert end.q[:3] == pytest.approx([0.5, 0.0, 1.0 - 0.5 * 9.81 * 0.25], abs=1e-12)
    assert end.v[:3] == pytest.approx([1.0, 0.0, 2.0 - 9.81 * 0.5], abs=1e-12)


def test_a_push_at_the_origin_moves_and_turns_as_newton_and_euler_say():
    engine = PenaltyEngine(
        Mechanism("pushed", (inputs.body(com=(0.1, 0.0, 0.0), mass=2.0),), gravity=np.zeros(3)), dt=1e-5
    )
    u = np.array([0.0, 0.0, 3.0, 0.0, 0.4, 0.0])
    end = engine.run(engine.start(), u, 1).state
    turning = (0.4 + 0.1 * 3.0) / 0.02  # the force pulls 0.1 m behind the centre of mass
    assert end.v[4] == pytest.approx(1e-5 * turning, rel=1e-9)
    assert end.v[2] == pytest.approx(1e-5 * (3.0 / 2.0 + 0.1 * turning), rel=1e-6)


def test_a_stiff_mode_loses_what_the_analysis_says():
    """Without damping the squared amplitude of a mode shrinks by z^4/8 a step."""
    k, dt, steps = 1e4, 4e-3, 100
    mass = inputs.body("mass", 1.0, X_WB=inputs.pose((1e-3, 0.0, 0.0)))
    joint = inputs.PointJoint("spring", None, np.zeros(3), "mass", np.zeros(3), k, 0.0)
    engine = PenaltyEngine(Mechanism("mode", (mass,), (joint,), gravity=np.zeros(3)), dt=dt)
    start = engine.start()
    end = engine.run(start, steps=steps).state
    z4 = (k * dt * dt) ** 2
    assert sum(engine.energies(end)) / sum(engine.energies(start)) == pytest.approx((1 - z4 / 8) ** steps, rel=0.02)
