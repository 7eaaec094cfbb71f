"""The default target is reachable, whatever the robot."""

import dataclasses

import numpy as np
import pytest

import carpal
from carpal.errors import InputError
from carpal.model import Body, Coupling, Joint, Model
from carpal.tasks import make_task
from carpal.tasks.reach.default_target import USUAL, default_target, motion_possible, moved_from_home


@pytest.mark.parametrize("robot", carpal.robots())
def test_every_robot_of_the_catalogue(robot):
    model = carpal.load(robot)
    found = carpal.ik(model, default_target(model), model.q_home)
    assert found, found.status
    assert ((found.q >= model.q_min) & (found.q <= model.q_max)).all()


def test_the_usual_point_where_it_is_reached():
    assert tuple(default_target(carpal.load("sawyer"))) == USUAL
    assert make_task("reach").target == USUAL


def chain(*limits: tuple[float, float], kind: str = "revolute", **more) -> Model:
    bodies = [
        Body(f"b{i}", f"b{i - 1}" if i else None, Joint(f"j{i}", kind, X_PJ=x_step(i), q_min=low, q_max=high))
        for i, (low, high) in enumerate(limits)
    ]
    return Model("chain", tuple(bodies), **more)


def x_step(i: int) -> np.ndarray:
    X = np.eye(4)
    X[0, 3] = 0.05 * i
    return X


def test_joints_move_inside_their_limits():
    model = chain((-1.0, 0.0), (0.0, 0.1), (-np.inf, np.inf), (0.5, 0.5), (-np.inf, 0.0))
    q = moved_from_home(model)
    assert q.tolist() == [-0.15, 0.015, 0.3, 0.5, -0.3]
    slide = moved_from_home(chain((0.0, 10.0), kind="prismatic"))
    assert slide.tolist() == [0.05]


def test_couplings_hold_at_the_default_target():
    mirror = Coupling("mirror", "j1", "j0", (0.0, -1.0))
    model = chain((-1.0, 1.0), (-1.0, 1.0), (-1.0, 1.0), couplings=(mirror,))
    p = default_target(model)
    q = moved_from_home(model)
    q[1] = -q[0]
    assert np.allclose(p, carpal.fk(model, q)[:3, 3], rtol=0, atol=1e-12)


def test_a_robot_without_joints_says_so():
    model = Model("stone", (Body("a", None, Joint("weld")),))
    with pytest.raises(InputError, match=r"no joint of model 'stone' moves its tool 'a'.*frames: a"):
        default_target(model)


def test_a_target_that_is_too_heavy_is_left_for_one_that_joints_can_hold():
    arm = carpal.load("sawyer")
    usual = carpal.ik(arm, np.array(USUAL), arm.q_home).q
    assert motion_possible(arm, usual)
    at_home, there = (np.abs(carpal.inverse_dynamics(arm, q, 0 * q, 0 * q)) for q in (arm.q_home, usual))
    k = int(np.argmax(there - at_home))
    between = 0.3 * at_home[k] + 0.7 * there[k]
    bodies = [
        dataclasses.replace(b, joint=dataclasses.replace(b.joint, tau_max=between))
        if b.joint.name == arm.joint_names[k] else b
        for b in arm.bodies
    ]  # fmt: skip
    weak = arm.replace(bodies=tuple(bodies))
    assert not motion_possible(weak, usual)
    target = default_target(weak)
    assert tuple(target) != USUAL
    found = carpal.ik(weak, target, weak.q_home)
    held = np.abs(carpal.inverse_dynamics(weak, found.q, 0 * found.q, 0 * found.q))
    assert found and (held <= weak.tau_max).all()


def test_options_of_reach():
    assert make_task("reach", tool="l5").model.tool == "arm/l5"
    with pytest.raises(InputError, match="target needs 3 numbers; got 2: 1, 2"):
        make_task("reach", target=(1.0, 2.0)).check()


def test_couplings_hold_at_the_start(tmp_path):
    mirror = Coupling("mirror", "j1", "j0", (0.0, -1.0))
    model = chain((-1.0, 1.0), (-1.0, 1.0), (-1.0, 1.0), couplings=(mirror,))
    (tmp_path / "chain.xml").write_text(model.to_mjcf())
    task = make_task("reach", robot=str(tmp_path / "chain.xml"))
    q = task.reset(np.random.default_rng(3)).q
    assert abs(q[0]) > 1e-3 and abs(q[1] + q[0]) < 1e-12
