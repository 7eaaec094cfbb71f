"""Bodies on point joints: the physical pendulum, the double pendulum against the rigid engine, a closed four-bar."""

import numpy as np
import penalty_inputs as inputs
from scipy.special import ellipk

from carpal.engines import PenaltyEngine, RigidEngine
from carpal.model import Body, Joint, Mechanism, MechanismBody, Model, State, hinge
from carpal.spatial import Inertia


def test_the_period_of_a_physical_pendulum(figure):
    angle, dt = 1.0, 2e-5
    engine = PenaltyEngine(inputs.pendulum(angle), dt=dt)
    about_pin = 0.01 + 1.0 * 0.1**2
    period = 4 * np.sqrt(about_pin / (1.0 * 9.81 * 0.1)) * ellipk(np.sin(angle / 2) ** 2)
    states = inputs.trace(engine, engine.start(), round(1.1 * period / dt), 50)
    rates = np.array([s.v[4] for s in states])
    times = np.array([s.time for s in states])
    up = [i for i in range(1, len(rates)) if rates[i - 1] > 0 >= rates[i]]  # back where it was let go
    i = up[0]
    found = times[i - 1] + (times[i] - times[i - 1]) * rates[i - 1] / (rates[i - 1] - rates[i])
    figure("physical pendulum: period, relative", abs(found - period) / period, 1e-4)


def _double(stiffness, dt):
    near = Inertia(1.0, np.array([0.0, 0.0, -0.1]), np.diag([0.004, 0.004, 0.001]))
    far = Inertia(0.5, np.array([0.0, 0.0, -0.08]), np.diag([0.002, 0.002, 0.0005]))
    one = MechanismBody("one", near, inputs.pose(R=inputs.about_y(1.2)))
    elbow = one.X_WB @ np.array([0.0, 0.0, -0.2, 1.0])
    two = MechanismBody("two", far, inputs.pose(elbow[:3], inputs.about_y(0.4)))
    damping = 2e-3 * np.sqrt(stiffness) * 10
    joints = hinge("shoulder", None, one, [0, 0, 0], [0, 1, 0], span=0.1, stiffness=stiffness, damping=damping)
    joints += hinge("elbow", one, two, elbow[:3], [0, 1, 0], span=0.1, stiffness=stiffness, damping=damping)
    engine = PenaltyEngine(Mechanism("double", (one, two), joints), dt=dt)
    y, down = np.array([0.0, 1.0, 0.0]), inputs.pose((0.0, 0.0, -0.2))
    bodies = (
        Body("one", None, Joint("shoulder", "revolute", axis=y), near),
        Body("two", "one", Joint("elbow", "revolute", X_PJ=down, axis=y), far),
    )
    return engine, Model("double", bodies)


def test_a_double_pendulum_converges_to_the_rigid_engine(figure):
    duration, gaps = 0.5, []
    for stiffness, dt in ((1e5, 4e-5), (1e6, 2e-5), (1e7, 1e-5)):
        engine, model = _double(stiffness, dt)
        end = engine.run(engine.start(), steps=round(duration / dt)).state
        rigid = RigidEngine(model, dt=1e-4)
        true = rigid.run(State(0.0, np.array([1.2, 0.4 - 1.2]), np.zeros(2)), np.zeros(2), round(duration / 1e-4)).state
        angles = 2 * np.arctan2(end.q[[5, 12]], end.q[[3, 10]])
        gaps.append(np.abs(angles - [true.q[0], true.q.sum()]).max())
    figure("double pendulum: angle against rigid after 0.5 s, k = 1e7 N/m [rad]", gaps[-1], 2e-5)
    figure(
        "double pendulum: gain of ten times the stiffness",
        min(gaps[0] / gaps[1], gaps[1] / gaps[2]),
        3.0,
        at_least=True,
    )


def test_the_gap_of_a_closed_four_bar_falls_with_stiffness(figure):
    gaps = []
    for stiffness in (1e5, 1e6, 1e7):
        corners = np.array([[0.0, 0, 0], [0.05, 0, 0.1], [0.25, 0, 0.12], [0.2, 0, 0]])
        bars = []
        for i in range(3):
            along = corners[i + 1] - corners[i]
            R = inputs.about_y(np.arctan2(-along[2], along[0]))
            middle = 0.5 * (corners[i] + corners[i + 1])
            bars.append(inputs.body(f"bar{i}", 0.2, moments=(1e-4, 4e-4, 4e-4), X_WB=inputs.pose(middle, R)))
        joints = ()
        for i, (a, b) in enumerate(((None, 0), (0, 1), (1, 2), (2, None))):
            left, right = (None if a is None else bars[a]), (None if b is None else bars[b])
            joints += hinge(f"pin{i}", left, right, corners[i], [0, 1, 0], span=0.04, stiffness=stiffness)
        engine = PenaltyEngine(Mechanism("four-bar", bars, joints), dt=1e-5)
        gaps.append(max(engine.worst_gap(s)[0] for s in inputs.trace(engine, engine.start(), 20_000, 2_000)[1:]))
    slope = np.polyfit([5, 6, 7], np.log10(gaps), 1)[0]
    figure("four-bar: closure gap at k = 1e7 N/m [m]", gaps[-1], 5e-6)
    figure("four-bar: |exponent of gap against stiffness + 1|", abs(slope + 1), 0.1)
