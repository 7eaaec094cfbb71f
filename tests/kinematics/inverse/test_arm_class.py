"""An arm's class comes from its axes: any name, any base, any tool, from code or from a file."""

import numpy as np
import pytest
from closed_form_robots import SHAPES, robot
from random_models import random_chain, random_pose

import carpal
from carpal.errors import InputError
from carpal.kinematics import ik_all, random_configurations
from carpal.kinematics.inverse.arm_class import arm_class
from carpal.kinematics.inverse.kernels import pointing_offset_elbow, pointing_planar
from carpal.model import DHRow

# joint, parent, child, xyz [m], rpy in right angles, axis: the makers' figures, typed in
WIDOWX = (
    ("waist", "base", "shoulder", (0, 0, 0.08), (0, 0, 0), (0, 0, 1)),
    ("shoulder", "shoulder", "upper_arm", (0, 0, 0.04025), (0, 0, 0), (0, 1, 0)),
    ("elbow", "upper_arm", "forearm", (0.04975, 0, 0.2), (0, 0, 0), (0, 1, 0)),
    ("wrist_angle", "forearm", "wrist", (0.2, 0, 0), (0, 0, 0), (0, 1, 0)),
    ("wrist_rotate", "wrist", "gripper", (0.065, 0, 0), (0, 0, 0), (1, 0, 0)),
)
YOUBOT = (
    ("arm_joint_1", "base", "arm_link_1", (0.024, 0, 0.096), (0, 0, 2), (0, 0, 1)),
    ("arm_joint_2", "arm_link_1", "arm_link_2", (0.033, 0, 0.019), (0, 0, 0), (0, 1, 0)),
    ("arm_joint_3", "arm_link_2", "arm_link_3", (0, 0, 0.155), (0, 0, 0), (0, 1, 0)),
    ("arm_joint_4", "arm_link_3", "arm_link_4", (0, 0, 0.135), (0, 0, 0), (0, 1, 0)),
    ("arm_joint_5", "arm_link_4", "arm_link_5", (-0.002, 0, 0.113), (0, 0, 0), (0, 0, 1)),
)


def write_urdf(path, joints, tip, jaw=False):
    """A URDF without masses or meshes; the last link is the tool's, fixed to the arm's end at `tip`."""
    links = ["base", *(j[2] for j in joints), *(["finger"] if jaw else []), "tip"]
    text = ['<robot name="typed_in">', *(f'<link name="{name}"/>' for name in links)]
    for name, parent, child, xyz, rpy, axis in joints:
        where = f'xyz="{" ".join(map(str, xyz))}" rpy="{" ".join(repr(x * np.pi / 2) for x in rpy)}"'
        text.append(
            f'<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{child}"/><origin {where}/>'
            f'<axis xyz="{" ".join(map(str, axis))}"/><limit lower="-2.8" upper="2.8" effort="1" velocity="1"/></joint>'
        )
    if jaw:
        text.append(
            f'<joint name="jaw" type="prismatic"><parent link="{joints[-1][2]}"/><child link="finger"/><axis xyz="0 1 0"/>'
            '<limit lower="0" upper="0.03" effort="1" velocity="1"/></joint>'
        )
    text.append(
        f'<joint name="tip_joint" type="fixed"><parent link="{joints[-1][2]}"/><child link="tip"/>'
        f'<origin xyz="{" ".join(map(str, tip))}"/></joint></robot>'
    )
    path.write_text("\n".join(text))
    return path


@pytest.mark.parametrize(
    ("joints", "tip", "offset"),
    [(WIDOWX, (0.09, 0, 0), 0.0), (YOUBOT, (0, 0, 0.06), 0.0), (WIDOWX, (0.09, 0.01, 0), 0.01)],
)
@pytest.mark.parametrize("jaw", [False, True])
def test_planar_arms_from_files(tmp_path, joints, tip, offset, jaw):
    model = carpal.load(str(write_urdf(tmp_path / "arm.urdf", joints, tip, jaw)))
    model = model.replace(tool="tip")
    arm = arm_class(model)
    assert arm.shape == "planar"
    assert arm.roll_offset == pytest.approx(offset, abs=1e-12)
    q = random_configurations(model, 200, seed=1)
    X = carpal.fk(model, q)
    roll = X[:, :3, :3] @ (axis_in_tool := arm.axes.X_WF[:3, :3].T @ arm.direction)
    assert np.abs(axis_in_tool - ((1, 0, 0) if joints is WIDOWX else (0, 0, 1))).max() < 1e-12  # outwards
    result = ik_all(model, (X[:, :3, 3], roll))
    assert result.ok.all()
    counted = [model.q_index(name) for name in arm.axes.names[: 5 if offset else 4]]
    off = np.abs((result.q - q[:, None] + np.pi) % (2 * np.pi) - np.pi)[..., counted].max(-1)
    assert np.nanmin(off, axis=1).max() < 1e-6
    if jaw:
        assert (result.q[..., model.q_index("jaw")][~np.isnan(result.q[..., 0])] == model.q_home[-1]).all()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(5))
def test_random_robots_are_recognised(shape, seed):
    arm = arm_class(robot(shape, seed))
    assert arm.shape == shape.split(", tool off the axis")[0]
    assert (arm.roll_offset > 0) == ("off the axis" in shape)
    wanted = pointing_planar.GEOMETRY if "planar" in shape else pointing_offset_elbow.GEOMETRY
    assert arm.geo.shape == (wanted,)


@pytest.mark.parametrize("name", ["k10", "so101_old"])
def test_mounting_changes_nothing_but_the_world(name):
    model = carpal.load(name)
    rng = np.random.default_rng(4)
    q = random_configurations(model, 20, seed=2)
    X = carpal.fk(model, q)
    plain = ik_all(model, (X[:, :3, 3], X[:, :3, :3] @ model.tool_axis), q0=np.zeros(5))
    for _ in range(3):
        moved = model.mounted(random_pose(rng, 2.0))
        Y = carpal.fk(moved, q)
        result = ik_all(moved, (Y[:, :3, 3], Y[:, :3, :3] @ model.tool_axis), q0=np.zeros(5))
        assert np.nanmax(np.abs(result.q - plain.q)) < 1e-9


def test_catalogue():
    assert arm_class(carpal.load("k10")).shape == "offset elbow"
    for mounting in ("upside_down", "sideways"):
        assert arm_class(carpal.load("k10", mounting=mounting)).shape == "offset elbow"
    so101_old = arm_class(carpal.load("so101_old"))
    assert so101_old.shape == "planar" and so101_old.roll_offset == pytest.approx(
        np.hypot(0.0079, 0.000218121), rel=1e-9
    )
    assert arm_class(carpal.load("sawyer")) is None


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (lambda: random_chain(1, 4, kinds=("revolute",)), "this arm has 4 revolute joints .*; closed forms exist for"),
        (
            lambda: random_chain(1, 5, kinds=("revolute",)),
            "this arm has 5 revolute joints, axes 1 and 2 pass each other at",
        ),
        (lambda: random_chain(1, 5), "not all of them revolute; closed forms exist for"),
        (lambda: carpal.Model.from_dh([DHRow(a=0.3)] * 5), "this arm has 5 revolute joints, "),
    ],
)
def test_other_arms_are_refused_by_what_they_are(model, sentence):
    with pytest.raises(InputError, match=sentence):
        ik_all(model(), ((0.3, 0.1, 0.2), (0, 0, 1)))
