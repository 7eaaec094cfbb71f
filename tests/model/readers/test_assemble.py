from __future__ import annotations

import mujoco
import numpy as np

from carpal.model.readers.assemble import Names, assemble
from carpal.spatial import Inertia, pose, rotation_about

INERTIAL = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'


def compiled(bodies: str, rest: str = "") -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><compiler angle="radian"/><worldbody>{bodies}</worldbody>{rest}</mujoco>'
    )


def test_names_never_repeat():
    names = Names({"a", "a_"})
    assert [names.new("a"), names.new("a"), names.new("b")] == ["a__", "a___", "b"]


def test_bodies_and_joints_without_names_get_names_that_are_free():
    bodies, frames, _, _ = assemble(
        compiled(
            f'<body>{INERTIAL}<joint/><joint axis="1 0 0"/><site/></body><body name="body1"/><body name="body1/joint0"/>'
        ),
        {},
    )
    assert len({body.name for body in bodies}) == 4
    assert len({body.joint.name for body in bodies}) == 4
    assert bodies[1].parent == bodies[0].name
    assert frames[0].body == bodies[1].name


def test_a_reference_angle_and_an_anchor():
    bodies, _, _, _ = assemble(
        compiled(f'<body pos="1 0 0">{INERTIAL}<joint axis="0 0 1" pos="0 2 0" ref="0.5"/></body>'), {}
    )
    joint = bodies[0].joint
    assert np.allclose(joint.X_PJ, pose(p=[1, 2, 0]))
    at = lambda q: joint.X_PJ @ pose(rotation_about(joint.axis, q)) @ joint.X_JB  # noqa: E731
    assert np.allclose(at(0.5), pose(p=[1, 0, 0]), atol=1e-15)
    assert np.allclose(at(0.5 + np.pi / 2), pose(rotation_about([0, 0, 1], np.pi / 2), [3, 2, 0]), atol=1e-15)


def test_given_and_unknown_inertias_and_fixed_names():
    model = compiled(f'<body name="a">{INERTIAL}<body name="b">{INERTIAL}</body></body>')
    bodies, _, _, _ = assemble(
        model, {1: Inertia.point(7, [0, 0, 0])}, unknown={2}, fixed_names={"b": "weld"}, renamed={"a": "world"}
    )
    assert [body.name for body in bodies] == ["world", "b"]
    assert bodies[0].inertia.mass == 7.0
    assert bodies[1].inertia is None
    assert (bodies[1].parent, bodies[1].joint.name) == ("world", "weld")


def test_springs_and_gravity_compensation_are_kept_and_the_rest_is_warned_about():
    text = (
        f'<body name="a" gravcomp="0.5">{INERTIAL}<joint name="j" ref="1" springref="0.25" stiffness="2" damping="1 2"'
    )
    bodies, _, _, warnings = assemble(compiled(text + ' actuatorfrcrange="-1 3" actuatorgravcomp="true"/></body>'), {})
    joint = bodies[0].joint
    assert (joint.tau_max, joint.stiffness, joint.q_spring, bodies[0].gravity_compensation) == (3.0, 2.0, 0.25, 0.5)
    assert len(warnings) == 3
    for part in ("not linear in speed", "efforts from -1 to 3", "actuatorgravcomp"):
        assert any(part in sentence and "'j'" in sentence for sentence in warnings), part


def test_springs_that_are_not_kept_are_warned_about():
    text = f'<body>{INERTIAL}<joint name="b" type="ball" stiffness="2"/></body>'
    text += f'<body>{INERTIAL}<joint name="h" stiffness="2 1"/></body>'
    bodies, _, _, warnings = assemble(compiled(text), {})
    assert [body.joint.stiffness for body in bodies] == [0.0, 2.0]
    assert [sentence.split(" of joint ")[1] for sentence in warnings] == ["'b' is not kept.", "'h' is not kept."]
