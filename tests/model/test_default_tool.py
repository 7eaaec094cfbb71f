"""The default tool: at the end of the longest actuated chain, by name where the names say so."""

import pytest

from carpal.errors import UnknownNameError
from carpal.model import Actuator, Body, Coupling, Frame, Joint, Loop, Model, ModelTendon
from carpal.model.default_tool import words


def tree(*rows: str, **more) -> Model:
    """Bodies "name<parent" with a hinge each, "name=parent" fixed, "name~parent" free; no parent: the world."""
    kinds = {"<": "revolute", "=": "fixed", "~": "free"}
    bodies = []
    for row in rows:
        sign = next(s for s in row if s in kinds)
        name, parent = row.split(sign)
        bodies.append(Body(name, parent or None, Joint(f"j_{name}", kinds[sign])))
    return Model("tree", tuple(bodies), **more)


ARM = ("base=", "a<base", "b<a", "c<b", "d<c")


@pytest.mark.parametrize(
    ("rows", "tool"),
    [
        (ARM, "d"),
        ((*ARM, "mast=base", "head<mast"), "d"),  # not the last body
        ((*ARM, "d_imu=d", "d_camera=d"), "d"),
        ((*ARM, "flange=d", "tool0=flange", "cam=tool0"), "tool0"),
        ((*ARM, "base_tool=base"), "d"),  # a tool's name where no joint moves it
        ((*ARM, "a_tool=a"), "d"),  # and where fewer than half of the joints do
        ((*ARM, "left<d", "right<d"), "d"),  # what carries the fingers
        ((*ARM, "gripper=d", "gripper_left<gripper", "gripper_right<gripper"), "gripper"),
        ((*ARM, "hand=d", "hand_tcp=hand", "jaw<hand"), "hand_tcp"),
        ((*ARM, "gripper=d", "gripper_frame=gripper", "jaw<gripper"), "gripper_frame"),
        ((*ARM, "gripper_yaw<d", "e<gripper_yaw", "f<e", "g<f"), "g"),  # a part of the arm that has the word
        (("palm=", "t1<palm", "t2<t1", "f1<palm", "f2<f1", "f3<f2", "f3_tip=f3", "f3_touch=f3"), "f3_tip"),
        (("wrist<", "palm<wrist", "f1<palm", "f2<f1", "f3<f2", "g1<palm", "g2<g1"), "f3"),  # a hand: its longest finger
        (("left<", "left2<left", "right<", "right2<right"), "left2"),  # equal chains: the first
        (
            ("base~", "a<base", "b<a", "box~", "tall=box", "taller=tall", "tallest=taller"),
            "b",
        ),  # free joints do not count
        (("a=", "b=a"), "b"),  # nothing moves
        (("a<", "tool=", "b<a"), "tool"),  # a frame of this very name is meant
        (("a_imu<", "b_imu<a_imu"), "b_imu"),  # nothing else is left
    ],
)
def test_the_rules(rows, tool):
    assert tree(*rows).tool == tool


def test_joints_that_follow_others_do_not_lengthen_a_chain():
    rows = ("a<", "b<a", "c<", "d<c", "e<d")
    assert tree(*rows).tool == "e"
    follows = tuple(Coupling(f"c{name}", f"j_{name}", "j_c", (0.0, 1.0)) for name in "de")
    assert tree(*rows, couplings=follows).tool == "b"


def test_joints_without_actuators_do_not_lengthen_a_chain():
    rows = ("a<", "b<a", "c<", "d<c", "e<d")
    assert tree(*rows, actuators=(Actuator("m", joint="j_a"), Actuator("n", joint="j_b"))).tool == "b"
    pull = ModelTendon("t", {"j_c": 1.0, "j_d": 1.0, "j_e": 1.0})
    drives = (Actuator("m", joint="j_a"), Actuator("n", tendon="t"))
    assert tree(*rows, tendons=(pull,), actuators=drives).tool == "e"


def test_sites_count_as_bodies_do():
    assert (
        tree(*ARM, extra_frames=(Frame("world_tool", None), Frame("pinch", "d"), Frame("d_tcp_0", "d"))).tool
        == "d_tcp_0"
    )


def test_a_model_with_a_thousand_bodies():
    rows = ["b0<", *(f"b{i}<b{i // 2}" for i in range(1, 1000))]
    model = tree(*rows)
    assert model.tool == "b256"  # carries b512 and b513


def test_words():
    assert words("l_gripperTool2.frame") == ("l", "gripper", "tool", "frame")
    assert words("LeftHandTCP") == ("left", "hand", "tcp")


def test_with_tool():
    arm = tree(*ARM, tool_axis=[1.0, 0.0, 0.0])
    other = arm.with_tool("b", axis=[0.0, 2.0, 0.0])
    assert (other.tool, other.tool_axis.tolist()) == ("b", [0.0, 1.0, 0.0])
    assert arm.with_tool("c").tool_axis.tolist() == [0.0, 0.0, 1.0]
    assert arm.with_tool("d") is arm
    with pytest.raises(UnknownNameError, match=r"tool frame of model 'tree' 'x'; .*base, a, b, c, d"):
        arm.with_tool("x")


def test_a_pad_beyond_a_loop_is_moved_by_the_driver():
    """As in a Robotiq 2F-85: the driver's coupler closes a loop with the passive follower, which carries the pad."""
    rows = [
        "base=",
        "driver<base",
        "coupler<driver",
        "spring_link<base",
        "follower<spring_link",
        "pad=follower",
        "rod<base",
    ]
    loops = Loop("pin", "connect", "follower", "coupler"), Loop("rod", "connect", "rod", "coupler")
    drives = (Actuator("motor", joint="j_driver"),)
    assert tree(*rows, actuators=drives).tool == "coupler"
    assert tree(*rows, actuators=drives, loops=loops).tool == "pad"
