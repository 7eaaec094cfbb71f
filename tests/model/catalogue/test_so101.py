"""Today's SO-101: its maker's figures, forward +x, the gripper off the chain of the tool."""

import importlib.metadata
import warnings
from pathlib import Path

import numpy as np
import pytest

import carpal
from carpal.kinematics import random_configurations

ARM = carpal.load("so101")


def test_forward_is_x_and_the_gripper_is_a_sixth_joint():
    assert ARM.joint_names == ("shoulder_pan", "shoulder_lift", "elbow_flex", "wrist_flex", "wrist_roll", "gripper")
    X = carpal.fk(ARM, np.zeros(6))
    assert X[0, 3] > 0.35 and abs(X[1, 3]) < 1e-3
    assert np.allclose(X[:3, :3] @ ARM.tool_axis, [1, 0, 0], rtol=0, atol=1e-12)
    assert (ARM.tau_max == 10).all() and (ARM.v_max == 10).all() and np.isfinite(ARM.q_min).all()
    opened = np.array([0, 0, 0, 0, 0, 1.0])
    assert np.array_equal(carpal.fk(ARM, opened), X)
    assert not np.allclose(carpal.fk(ARM, opened, "moving_jaw"), carpal.fk(ARM, np.zeros(6), "moving_jaw"))


def test_the_makers_file_is_the_same_robot(figure):
    """The figures again from the maker's URDF, as example-robot-data carries it: nothing was mistyped."""
    try:
        files = importlib.metadata.distribution("example-robot-data").files or []
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("example-robot-data is not installed")
    file = next(Path(f.locate()) for f in files if str(f).endswith("so_arm_description/urdf/so101.urdf"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = carpal.load(file)
    q = random_configurations(ARM, 200, seed=3)
    X, Y = carpal.fk(ARM, q), carpal.fk(other, q, "gripper_frame_link")
    figure("so101 against its maker's URDF, rounded to six digits: poses", np.abs(X - Y).max(), 2e-5)
    M, N = carpal.mass_matrix(ARM, q), carpal.mass_matrix(other, q)
    figure("so101 against its maker's URDF: mass matrices over the largest entry", np.abs(M - N).max() / M.max(), 1e-4)
    for what in ("q_min", "q_max", "v_max", "tau_max"):
        assert np.array_equal(getattr(ARM, what), getattr(other, what)), what


def test_the_closed_form_keeps_the_gripper_where_it_is():
    q = random_configurations(ARM, 50, seed=1)
    for one in q:
        X = carpal.fk(ARM, one)
        found = carpal.ik_all(ARM, (X[:3, 3], X[:3, :3] @ ARM.tool_axis), q0=one, roll=float(one[4]))
        assert "closed form" in found.status
        away = min(np.abs(np.angle(np.exp(1j * (solution[:5] - one[:5])))).max() for solution in found)
        assert away < 1e-7
        assert all(solution[5] == one[5] for solution in found)
