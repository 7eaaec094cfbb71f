"""Gains with which the loop settles, and forces that hold a robot against its springs."""

from __future__ import annotations

import numpy as np
import pytest

import carpal
from carpal.dynamics import gravity_forces, mass_matrix
from carpal.engines import RigidEngine, simulate
from carpal.model import Body, Frame, Joint, Model, State
from carpal.spatial import Inertia
from carpal.tasks import make_task
from carpal.tasks.reach.servo import holding_forces, servo

HOW = {"stiffness": 100.0, "damping": 1.0, "tolerance": 1e-3, "dt": 1e-3}


def rod(**joint: float) -> Model:
    """One joint about z with 0.01 kg m^2, the tool 0.2 m away."""
    X = np.eye(4)
    X[0, 3] = 0.2
    hinge = Joint("a", "revolute", axis=np.array([0, 0, 1.0]), q_min=-2.0, q_max=2.0, **joint)
    body = Body("rod", None, hinge, Inertia(1e-9, np.zeros(3), 0.01 * np.eye(3)))
    return Model("rod", (body,), extra_frames=(Frame("tip", "rod", X),), tool="tip")


def test_a_robot_without_dampers_keeps_one_frequency():
    arm = carpal.load("sawyer")
    found = servo(arm, arm.q_home, **HOW)
    felt = np.diag(mass_matrix(arm, arm.q_home))
    np.testing.assert_array_equal(found.kp, 100.0 * felt)
    np.testing.assert_array_equal(found.kd, 20.0 * felt)
    assert not found.hold.any()


def test_a_damper_and_friction_raise_the_gains():
    still = np.zeros(1)
    assert servo(rod(), still, **HOW).kp[0] == pytest.approx(1.0)
    assert servo(rod(damping=2.0), still, **HOW).kp[0] == pytest.approx(10.0 * 2.0)
    assert servo(rod(friction=0.1), still, **HOW).kp[0] == pytest.approx(0.1 / (0.2e-3 / 0.2))
    most = 0.3 / 1e-3
    assert servo(rod(friction=100.0), still, **HOW).kp[0] == pytest.approx(0.01 * most**2)
    assert servo(rod(friction=100.0), still, **HOW).kd[0] == pytest.approx(2 * 0.01 * most)


@pytest.mark.parametrize("joint", [{"damping": 2.0}, {"friction": 0.1}, {"damping": 1.0, "friction": 0.5}])
def test_the_loop_settles_where_plain_gains_do_not(joint, tmp_path):
    (tmp_path / "rod.xml").write_text(rod(**joint).to_mjcf())
    task = make_task("reach", robot=str(tmp_path / "rod.xml"))
    found = task.run(seed=1)
    assert found, found.status
    plain = task.servo._replace(kp=np.array([1.0]), kd=np.array([0.2]))
    task = make_task("reach", robot=str(tmp_path / "rod.xml"))
    task.__dict__["servo"] = plain
    assert not task.run(seed=1)


def test_forces_that_hold_a_robot_against_its_springs():
    model = rod(stiffness=3.0, q_spring=0.5)
    q = np.array([0.2])
    np.testing.assert_allclose(holding_forces(model, q), [3.0 * (0.2 - 0.5)], atol=1e-12)
    held = simulate(RigidEngine(model), State.home(model).replace(q=q), lambda t, s: holding_forces(model, q), 0.5)
    assert np.abs(held.q - q).max() < 1e-12
    arm = carpal.load("sawyer")
    np.testing.assert_array_equal(holding_forces(arm, arm.q_home), gravity_forces(arm, arm.q_home))
