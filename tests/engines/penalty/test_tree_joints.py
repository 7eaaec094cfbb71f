"""Parts of a tree's joints: spans, slides with stops, dampers and friction in their places."""

import numpy as np
import pytest
import setup_inputs as setup

from carpal.engines import PenaltyEngine, mechanism_of, stiffened
from carpal.engines.penalty.tree_joints import SPANS, joint_span
from carpal.model import Body, Joint, MechanismBody, Model, SlotJoint
from carpal.spatial import Inertia


def test_the_span_is_twice_the_radius_of_gyration_within_bounds():
    body = MechanismBody("b", Inertia(2.0, [0, 0, 0], 2.0 * 0.06**2 * np.eye(3)))
    assert joint_span(body) == pytest.approx(0.12)
    assert joint_span(MechanismBody("b", Inertia(2.0, [0, 0, 0], 1e-9 * np.eye(3)))) == SPANS[0] == joint_span(None)
    assert joint_span(MechanismBody("b", Inertia(1.0, [0, 0, 0], 9.0 * np.eye(3)))) == SPANS[1]


def _slider(q_min, q_max):
    joint = Joint("s", "prismatic", axis=[0, 0, 1], q_min=q_min, q_max=q_max)
    return Model("slider", (Body("block", None, joint, Inertia(1.0, [0.02, 0, 0], 1e-3 * np.eye(3))),))


def test_a_slide_falls_freely_until_its_stop(figure):
    tree = mechanism_of(_slider(-0.05, 0.1))
    assert len(tree.mechanism.joints) == 3 and all(isinstance(j, SlotJoint) for j in tree.mechanism.joints)
    engine = PenaltyEngine(stiffened(tree.mechanism, 2e-5), dt=2e-5)
    free = engine.run(engine.start(), steps=4000).state
    figure("slide: way of a free fall of 0.08 s [m]", abs(free.q[2] + 0.5 * 9.81 * 0.08**2), 1e-9)
    low = min(engine.run(free, steps=k).state.q[2] for k in range(500, 10_000, 500))
    assert -0.0501 < low < -0.049


def test_dampers_and_friction_are_placed_and_what_has_no_part_is_said():
    made = mechanism_of(setup.mixed_tree(damping=0.1)).mechanism
    assert [(s.name, s.damping, s.stiffness) for s in made.springs] == [
        ("shoulder damping", 0.1, 0.0),
        ("wrist damping", 0.1, 0.0),
    ]
    assert [(a.name, a.D, a.P, a.command) for a in made.actuators] == [("slide damping", 2.0, 0.0, None)]
    inertia = Inertia(1.0, [0, 0, 0], 1e-3 * np.eye(3))
    bodies = (
        Body("a", None, Joint("a", "ball", friction=0.1), inertia),
        Body("b", "a", Joint("b", "prismatic", friction=0.1), inertia),
        Body("c", "b", Joint("c", "revolute", friction=0.2), inertia),
    )
    tree = mechanism_of(Model("m", bodies))
    assert [f.torque for f in tree.mechanism.friction] == [0.2]
    assert "damping and friction of ball joint 'a' has no part" in tree.notes[0]
    assert "friction of prismatic joint 'b' has no part" in tree.notes[1]
