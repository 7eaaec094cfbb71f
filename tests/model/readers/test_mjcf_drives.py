from __future__ import annotations

import math

import pytest

from carpal.model import Actuator, Body, Joint, ModelTendon, Sphere
from carpal.model.readers.mjcf_drives import kind_of, with_efforts
from carpal.model.readers.reading import read_text

TREE = """<worldbody><site name="w" pos="0 0 2"/><site name="side" pos="0 1 1"/>
  <geom name="drum" size=".05" pos="0 0 1" contype="0"
    conaffinity="0"/>
  <body name="a"><joint name="ja" axis="0 1 0"/><geom size=".1"/><site name="s" pos=".1 0 0"/>
    <body name="b" pos=".3 0 0"><joint name="jb" axis="1 1 0"/><geom name="roll" type="cylinder" size=".02 .1"/></body></body>
  <body name="c"><joint name="ball" type="ball"/><geom size=".1"/></body></worldbody>"""


def model_of(rest: str):
    return read_text(f"<mujoco>{TREE}{rest}</mujoco>")


def test_fixed_tendons():
    joints = '<joint joint="ja" coef="0.5"/><joint joint="jb" coef="-2"/>'
    numbers = 'stiffness="3" damping="4" frictionloss="5" springlength="0.1 0.2" range="-1 2"'
    (tendon,) = model_of(f'<tendon><fixed name="t" {numbers}>{joints}</fixed></tendon>').tendons
    assert (tendon.name, tendon.joints, tendon.path) == ("t", {"ja": 0.5, "jb": -2.0}, ())
    assert (tendon.stiffness, tendon.damping, tendon.friction, tendon.rest, tendon.limits) == (
        3,
        4,
        5,
        (0.1, 0.2),
        (-1, 2),
    )


def test_spatial_tendons_and_what_they_wrap_around():
    steps = '<site site="w"/><geom geom="drum" sidesite="side"/><site site="s"/><pulley divisor="2"/><site site="s"/>'
    steps += '<geom geom="roll"/><site site="w"/>'
    m = model_of(f"<tendon><spatial>{steps}</spatial></tendon>")
    (tendon,) = m.tendons
    assert [(step.kind, step.name, step.side) for step in tendon.path] == [
        ("site", "w", None), ("sphere", "drum", "side"), ("site", "s", None), ("pulley", "", None), ("site", "s", None),
        ("cylinder", "roll", None), ("site", "w", None),
    ]  # fmt: skip
    assert tendon.path[3].divisor == 2.0
    assert tendon.rest[0] == tendon.rest[1] > 1.0  # the length in the reference pose
    shapes = {shape.name: shape for shape in m.shapes}
    assert isinstance(shapes["drum"].shape, Sphere)
    assert not shapes["drum"].collides
    assert shapes["roll"].collides


@pytest.mark.parametrize(
    ("text", "kind", "gain", "bias"),
    [
        ('<motor name="m" joint="ja" gear="3" ctrlrange="-1 2"/>', "motor", 1, (0, 0, 0)),
        ('<position name="m" joint="ja" kp="20" kv="2" gear="3" ctrlrange="-1 2"/>', "position", 20, (0, -20, -2)),
        ('<velocity name="m" joint="ja" kv="2" gear="3" ctrlrange="-1 2"/>', "velocity", 2, (0, 0, -2)),
        ('<general name="m" joint="ja" gainprm="5" biastype="affine" biasprm="1 2 3" gear="3" ctrlrange="-1 2"/>', "general",
         5, (1, 2, 3)),
        ('<general name="m" joint="ja" gainprm="5" biasprm="1 2 3" gear="3" ctrlrange="-1 2"/>', "general", 5, (0, 0, 0)),
    ],
)  # fmt: skip
def test_actuators_on_joints(text, kind, gain, bias):
    (actuator,) = model_of(f"<actuator>{text}</actuator>").actuators
    assert (actuator.name, actuator.kind, actuator.joint, actuator.gear) == ("m", kind, "ja", 3.0)
    assert (actuator.gain, actuator.bias, actuator.ctrl_range) == (gain, bias, (-1, 2))
    assert actuator.force_range == (-math.inf, math.inf)


def test_actuators_on_tendons():
    tendon = '<tendon><fixed name="t"><joint joint="ja" coef="1"/></fixed></tendon>'
    (actuator,) = model_of(f'{tendon}<actuator><motor tendon="t" forcerange="-1 1"/></actuator>').actuators
    assert (actuator.name, actuator.tendon, actuator.joint, actuator.force_range) == ("t/actuator", "t", None, (-1, 1))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('<motor name="m" site="s" gear="1 0 0 0 0 0"/>', "site transmission and is not kept"),
        ('<motor name="m" joint="ball" gear="1 0 0"/>', "ball or free joint and is not kept"),
        ('<motor name="m" cranksite="s" slidersite="w" cranklength="1"/>', "slider-crank transmission and is not kept"),
        ('<intvelocity name="m" joint="ja" actrange="-1 1"/>', "dynamics of type 'integrator' and is not kept"),
        ('<muscle name="m" joint="ja" lengthrange="0 1"/>', "'muscle' and is not kept"),
        ('<damper name="m" joint="ja" kv="1" ctrlrange="0 1"/>', "gain that depends on length or speed and is not kept"),
        ('<adhesion name="m" body="b" ctrlrange="0 1"/>', "body transmission"),
        ('<position name="m" joint="ja" timeconst="0.1"/>', "activation filter of actuator 'm'"),
    ],
)  # fmt: skip
def test_actuators_that_are_not_kept_are_named(text, what):
    with pytest.warns(UserWarning, match=what) as heard:
        m = model_of(f"<actuator>{text}</actuator>")
    assert "'m'" in str(heard[0].message)
    assert len(m.actuators) == ("filter" in what)


def test_kinds():
    assert kind_of(1.0, (0.0, 0.0, 0.0)) == "motor"
    assert kind_of(2.0, (0.0, -2.0, 0.0)) == "position"
    assert kind_of(2.0, (0.0, -1.0, 0.0)) == "general"
    assert kind_of(0.0, (0.0, 0.0, 0.0)) == "general"


def test_efforts_come_from_the_drives():
    def effort(*actuators: Actuator, tau_max: float = math.inf) -> float:
        body = Body("a", None, Joint("j", "revolute", tau_max=tau_max))
        return with_efforts([body], list(actuators), [ModelTendon("t", {"j": 1.0})])[0].joint.tau_max

    servo = Actuator(
        "s", "position", joint="j", gain=10, bias=(0, -10, 0), gear=-3, force_range=(-2, 1), ctrl_range=(-1, 1)
    )
    assert effort(servo) == 6.0
    assert effort(servo, tau_max=4.0) == 4.0
    assert effort(Actuator("m", joint="j", gear=2, ctrl_range=(-5, 5))) == 10.0
    assert effort(servo, Actuator("m", joint="j", gear=2, ctrl_range=(-5, 5))) == 16.0
    assert effort(servo, Actuator("m", joint="j")) == math.inf
    assert effort(servo, Actuator("m", tendon="t", force_range=(-1, 1))) == math.inf
