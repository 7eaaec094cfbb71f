"""Building: names, mounts and poses end up where they belong, and every robot moves as it does alone."""

from __future__ import annotations

import numpy as np
import pytest
from extended_models import extended_model
from random_models import random_pose, random_q, random_tree

import carpal
from carpal.dynamics import mass_matrix
from carpal.kinematics import fk
from carpal.model import Frame, PlacedShape, Plane, Scene, Sphere
from carpal.spatial import pose, rotation_from_wxyz

ARM = carpal.load("so101_old")


def test_names_and_the_tool() -> None:
    scene = (
        Scene("lab")
        .add_robot("so101_old", name="a")
        .add_robot("so101_old", name="b")
        .add_object("ball", Sphere(0.1), mass=2.0)
    )
    scene.add_fixed("floor", Plane())
    model = scene.build()
    assert model.name == "lab" and model.tool == "a/tool" and np.array_equal(model.tool_axis, ARM.tool_axis)
    assert model.joint_names == (*(f"{r}/{j}" for r in "ab" for j in ARM.joint_names), "ball")
    assert {"a/gripper", "b/tool", "ball"} <= set(model.frames)
    assert [(s.name, s.body) for s in model.shapes] == [("ball", "ball"), ("floor", None)]
    assert model.mass == pytest.approx(2 * ARM.mass + 2.0)
    assert np.array_equal(model.gravity, [0, 0, -9.81])
    assert all(note.startswith(("a: ", "b: ")) for note in model.notes) and model.notes


@pytest.mark.parametrize("mount", ["fixed", "free", "slide_xy"])
@pytest.mark.parametrize("seed", range(3))
def test_a_mounted_robot_is_where_it_was_put(mount: str, seed: int) -> None:
    """Whatever the mount, at the start every frame is the robot's own, moved by the pose."""
    rng = np.random.default_rng(seed)
    robot, X = random_tree(seed, joints=6), random_pose(rng)
    robot = robot.replace(
        extra_frames=(*robot.extra_frames, Frame("in the world", None, random_pose(rng))),
        shapes=(PlacedShape("sign", None, Sphere(0.1), random_pose(rng)),),
    )
    q = random_q(robot, rng)
    model = Scene().add_object("first", Sphere(1), mass=1).add_robot(robot, name="r", pose=X, mount=mount, q=q).build()
    for frame in robot.frames:
        assert np.abs(fk(model, model.q_home, f"r/{frame}") - X @ fk(robot, q, frame)).max() < 1e-13
    (sign,) = (shape for shape in model.shapes if shape.name == "r/sign")
    X_WB = np.eye(4) if sign.body is None else fk(model, model.q_home, sign.body)
    assert np.abs(X_WB @ sign.X_BS - X @ robot.shapes[0].X_BS).max() < 1e-13
    n = {"fixed": 0, "free": 6, "slide_xy": 2}[mount]
    M = mass_matrix(model, model.q_home)[n : n + robot.nv, n : n + robot.nv]
    assert np.abs(M - mass_matrix(robot, q)).max() < 1e-12 * np.abs(M).max()


def test_mounts_move_as_they_say() -> None:
    X = pose(rotation_from_wxyz([1, 0, 0, 1]), [1.0, 2.0, 3.0])
    model = Scene().add_robot(ARM, name="r", pose=X, mount="slide_xy").build()
    q = model.q_home.copy()
    q[model.q_index("r/slide_x")], q[model.q_index("r/slide_y")] = 0.5, 0.25
    assert fk(model, q, "r/base")[:3, 3] == pytest.approx((X @ [0.5, 0.25, 0, 1])[:3])
    model = Scene().add_robot(ARM, name="r", pose=X, mount="free").build()
    assert model.q_home[:3].tolist() == [1, 2, 3] and model.joint_names[0] == "r/free"
    assert model.q_home[3:7] == pytest.approx(np.array([1, 0, 0, 1]) / np.sqrt(2))


def test_objects_begin_at_their_pose() -> None:
    X = random_pose(np.random.default_rng(1))
    model = Scene().add_object("ball", Sphere(0.1), mass=2.0, pose=X).build()
    assert np.abs(fk(model, model.q_home, "ball") - X).max() < 1e-15
    assert np.allclose(mass_matrix(model, model.q_home), np.diag([2.0] * 3 + [0.4 * 2 * 0.01] * 3), atol=1e-15)


def test_a_scene_has_the_last_word_on_contact_pairs():
    robot = extended_model()
    assert robot.contact_pairs
    a, b = robot.contact_pairs[0]
    assert Scene("s").add_robot(robot, name="r").build().contact_pairs == tuple(
        (f"r/{one}", f"r/{two}") for one, two in robot.contact_pairs
    )
    assert (f"r/{a}", f"r/{b}") not in Scene("s").add_robot(robot, name="r").exclude(
        f"r/{b}", f"r/{a}"
    ).build().contact_pairs
