"""The robot in full coordinates: fingers rest where virtual work says, stops, rods, springs, the thumb."""

import dataclasses

import numpy as np
import pytest
from catch_inputs import Q_START

from carpal.engines import PenaltyEngine
from carpal.labs.catch import CatcherNumbers
from carpal.labs.catch.hand_geometry import THUMB_CLOSED, THUMB_OPEN, finger_linkage
from carpal.labs.catch.joint_rule import with_joint_rule
from carpal.labs.catch.mechanism import STOP_RADIUS, arm_mechanism, finger_mechanism, thumb_mechanism
from carpal.labs.catch.robot import STOPS_DEG
from carpal.model import MechanismBody, PointJoint, PrescribedMotion, SlotJoint, spring_force
from carpal.spatial import Inertia

NOTHING = np.zeros(3)
PALM = MechanismBody("palm", Inertia(0.4, (0, 0, 0), np.diag([3e-4, 5e-4, 7e-4])))


def on_a_held_palm(mechanism):
    held = dataclasses.replace(
        mechanism, prescribed=(PrescribedMotion("palm", [0.0], [np.eye(4)]),), untouched=((None, "palm"),)
    )
    pairs = tuple((a.name, b.name) for i, a in enumerate(held.bodies) for b in held.bodies[i + 1 :])
    return with_joint_rule(dataclasses.replace(held, untouched=pairs), 2.5e4, 0.2)


def settled(engine, command, seconds=0.5):
    state = engine.start()
    return engine.run(state, steps=round(seconds / engine.dt), command=[command]).state


def bent(engine, state):
    """Angle [rad] of the first phalanx against the palm, which stands still at the identity."""
    w, x, y, z = state.q.reshape(-1, 7)[1, 3:]
    R = np.array([1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)])  # x axis of the phalanx
    return np.arctan2(R[2], R[0])


@pytest.mark.parametrize("finger", ["index", "little"])
def test_a_finger_rests_where_virtual_work_says(finger):
    """P (length - wanted) = force that the spring asks of the drive, on the linkage's exact curve."""
    numbers = CatcherNumbers(stop_stiffness=0.0)
    engine = PenaltyEngine(on_a_held_palm(finger_mechanism(finger, PALM, 0.02, numbers, NOTHING)), dt=2e-5)
    curve = finger_linkage(finger).curve()
    for wanted in (0.024, 0.014):
        state = settled(engine, wanted)
        lengths = np.linspace(0.010, 0.027, 2001)
        rest = np.interp(0.0, 1600 * (lengths - wanted) + spring_force(curve, lengths), lengths)
        assert abs(bent(engine, state) - float(curve.angle("proximal", rest))) < 1e-3
        assert engine.worst_gap(state)[0] < 1e-5


def test_a_stop_ends_the_stroke_and_leaves_it_alone_inside():
    numbers = CatcherNumbers()
    made = finger_mechanism("index", PALM, 0.02, numbers, NOTHING)
    (stop,) = (joint for joint in made.joints if isinstance(joint, SlotJoint))
    corners = np.linalg.norm(stop.path - [0.020, -0.0345, -0.006], axis=1)
    assert np.ptp(corners) < 1e-12 and abs(corners[0] / STOP_RADIUS - 1) < 2e-3
    engine = PenaltyEngine(on_a_held_palm(made), dt=2e-5)
    free = PenaltyEngine(
        on_a_held_palm(finger_mechanism("index", PALM, 0.02, CatcherNumbers(stop_stiffness=0.0), NOTHING)), dt=2e-5
    )
    inside = abs(bent(engine, settled(engine, 0.018)) - bent(free, settled(free, 0.018)))
    assert np.degrees(inside) < 0.4  # the slot's corners
    low, lower = (np.degrees(bent(made, settled(made, 0.034))) for made in (engine, free))
    assert STOPS_DEG[0] - 1.0 < low < STOPS_DEG[0] + 0.1 and lower < STOPS_DEG[0] - 4.0
    assert np.degrees(bent(engine, settled(engine, 0.003))) < STOPS_DEG[1] + 3.0


def test_rods_hang_on_one_point_and_phalanges_on_two():
    made = finger_mechanism("ring", PALM, 0.027, CatcherNumbers(), NOTHING)
    points = [joint for joint in made.joints if isinstance(joint, PointJoint)]
    names = sorted(joint.name.removeprefix("ring/") for joint in points)
    assert names == [
        "joint/0", "joint/1", "knuckle/0", "knuckle/1", "root", "root2", "tail", "tail2", "tip_joint/0", "tip_joint/1",
    ]  # fmt: skip
    where = {body.name: body.X_WB for body in made.bodies}
    for joint in points:
        gap = where[joint.a] @ [*joint.p_AP, 1] - where[joint.b] @ [*joint.p_BP, 1]
        assert np.abs(gap).max() < 1e-12


def test_the_spring_is_in_the_middle_joint_and_scales():
    once, twice = (finger_mechanism("index", PALM, 0.027, CatcherNumbers(spring_scale=s), NOTHING) for s in (1.0, 2.0))
    (spring,) = once.springs
    assert {spring.a, spring.b} == {"index/proximal", "index/middle"}
    assert twice.springs[0].stiffness == 2 * spring.stiffness > 0


def test_the_thumb_goes_to_its_two_angles():
    engine = PenaltyEngine(on_a_held_palm(thumb_mechanism(PALM, THUMB_CLOSED, NOTHING)), dt=2e-5)
    assert np.abs(engine.start().q.reshape(-1, 7)[1, 3:] - [1, 0, 0, 0]).max() < 1e-12
    state = settled(engine, THUMB_OPEN, 0.2)
    assert abs(2 * np.arctan2(state.q.reshape(-1, 7)[1, 4], state.q.reshape(-1, 7)[1, 3]) - 0.4) < 1e-4


def test_arm_actuators_carry_gains_limits_and_places():
    made = arm_mechanism(Q_START, CatcherNumbers(torque_limit=90.0), NOTHING)
    assert [(a.P, a.D) for a in made.actuators] == [(1200, 5), (1000, 3), (1500, 5), (1000, 3), (600, 2), (500, 2)]
    assert [a.command for a in made.actuators] == list(range(6)) and {a.limit for a in made.actuators} == {90.0}
