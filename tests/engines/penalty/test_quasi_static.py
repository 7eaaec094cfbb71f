"""Linkages driven slowly through their stroke are on their exact curve, within what their joint gaps allow."""

import numpy as np
import pytest
from linkage_inputs import NAMES, linkage

from carpal.engines import PenaltyEngine, actuator_values, joint_gaps, stiffened
from carpal.model.linkage.closure import closure_of
from carpal.spatial import rotation_from_wxyz

DT, LOOKS = 2e-5, 40


def _allowed(made, poses, gap):
    """How far (position [m], angle [rad]) gaps of that size can carry any bar off its curve, to first order.

    Each pin's equation may be off by the gap, each slide by the gap and by the tilt that it allows over the span; the drive is
    read off and exact.
    """
    closure = closure_of(made)
    rows = np.full(closure.rows, gap)
    first = 2 * len(made.pins)
    rows[first + 1 : first + 2 * len(made.slides) : 2] = 2 * gap / made.span
    rows[-1] = 0.0
    off = (np.abs(np.linalg.inv(closure.jacobian(poses))) @ rows).reshape(-1, 3)
    return float(np.linalg.norm(off[:, :2], axis=1).max()), float(off[:, 2].max())


@pytest.mark.parametrize("name", NAMES)
def test_the_engine_follows_the_exact_curve_within_the_gaps(name, figure):
    made = linkage(name)
    curve, mechanism = made.curve(), stiffened(made.mechanism(gravity=(0, 0, 0)), DT)
    engine, start = PenaltyEngine(mechanism, dt=DT), made.drive.start
    way, span = 0.99 * (made.drive.stop - start), 1.0
    state, steps = engine.start(), round(span / DT / LOOKS)
    far, gap, share, turned = 0.0, 0.0, 0.0, 0.0
    reached = []
    for k in range(LOOKS):
        state = engine.run(state, steps=steps, command=[start + way * k / LOOKS], rate=[way / span]).state
        drive = float(actuator_values(mechanism, state.q)[0])
        poses, open_ = curve.poses(drive), float(joint_gaps(mechanism, state.q).max())
        rows = state.q.reshape(-1, 7)
        true = np.array([poses[made.index[body.name]] for body in mechanism.bodies])
        R = rotation_from_wxyz(rows[:, 3:])
        off = np.linalg.norm(rows[:, :3] - np.c_[true[:, :2], np.zeros(len(true))], axis=1).max()
        angle = np.abs((np.arctan2(R[:, 1, 0], R[:, 0, 0]) - true[:, 2] + np.pi) % (2 * np.pi) - np.pi).max()
        allowed = _allowed(made, poses, open_)
        far, gap = max(far, off), max(gap, open_)
        share, turned = max(share, off / allowed[0]), max(turned, angle / allowed[1])
        reached.append(drive)
    figure(f"{name}: quasi-static motion off the exact curve, of what the gaps allow", share, 1.0, note=f"{far:.2g} m")
    figure(f"{name}: angles off the exact curve, of what the gaps allow", turned, 1.0)
    figure(f"{name}: joint gaps on the way [m]", gap, 1e-5)
    figure(f"{name}: distance off the exact curve [m]", far, 5e-5)
    assert abs(reached[-1] - reached[0]) > 0.8 * abs(way)  # it went through the stroke
