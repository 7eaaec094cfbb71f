"""MJCF with loops: MuJoCo opens it, starts closed, and its springs pull as ours do. The motion is in tests/oracle."""

from dataclasses import replace

import mujoco
import numpy as np
import pytest
from linkage_inputs import NAMES, linkage, loop_driven

from carpal.errors import ModelError
from carpal.model import Bar, Drive, Linkage, LinkageSpring, Pin, Slide, spring_force


@pytest.mark.parametrize("name", [*NAMES, "loop_driven"])
def test_the_home_pose_is_closed(name):
    made = loop_driven() if name == "loop_driven" else linkage(name)
    model = mujoco.MjModel.from_xml_string(made.mjcf())
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    assert model.neq == len(made.pins) + len(made.slides) - len(made.moving) > 0
    assert np.abs(data.efc_pos[: 3 * model.neq]).max() < 1e-15


@pytest.mark.parametrize("rest", [0.4, -1.0])  # MuJoCo reads a springlength of -1 as "not given"
def test_springs_pull_as_ours_do(rest):
    """Generalised spring force along the curve, dq . qfrc_spring, is minus what our drive must supply."""
    made = linkage("six_bar_finger")
    springs = (
        LinkageSpring("twist", "rod", "distal", 0.3, rest),
        LinkageSpring("stretch", "ground.K", "distal.T", 50.0, 0.03),
    )
    made = replace(made, springs=springs)
    curve = made.curve()
    model = mujoco.MjModel.from_xml_string(made.mjcf())
    data = mujoco.MjData(model)
    order = [model.joint(name).qposadr[0] for name in made.model().joint_names]
    for drive in (0.025, 0.018, 0.012):
        data.qpos[order] = curve.q(drive)
        mujoco.mj_forward(model, data)
        theirs = -curve.dq(drive) @ data.qfrc_spring[order]
        assert theirs == pytest.approx(float(spring_force(curve, drive)), rel=1e-10)


def test_a_cycle_of_slides_is_refused_before_it_is_written():
    """Three blocks that slide on each other hold their angles twice; the count is mended by a loose arm."""
    bars = (
        Bar("ground", {"O": (0, 0), "X": (1, 0), "Y": (0, 1)}),
        Bar("low", {"P": (0, 0), "Q": (1, -1)}, mass=1.0),
        Bar("high", {"P": (0, 0)}, mass=1.0),
        Bar("arm", {"E": (0, 0), "F": (0.5, 0)}, mass=1.0),
    )
    slides = (
        Slide("x", "low.P", ("ground.O", "ground.X"), travel=0.5),
        Slide("y", "high.P", ("ground.O", "ground.Y"), angle=-np.pi / 2, travel=0.5),
        Slide("w", "high.P", ("low.P", "low.Q"), angle=np.pi / 4, travel=-0.5),
    )
    made = Linkage("wedge", bars, (Pin("p", "ground.X", "arm.E"),), Drive("slide", "x", 0.5, 0.6), slides)
    with pytest.raises(ModelError, match="degrees of freedom"):
        made.mjcf()
