"""The table of a six-joint arm, checks of poses, writing rows without duplicates, and Newton's method on the arm."""

import numpy as np
from six_joint_robots import from_table, six_joint_robot, wrap

import carpal
from carpal.kinematics.axes import chain_axes
from carpal.kinematics.inverse.kernels import six_arm
from carpal.kinematics.inverse.kernels.branches import BRANCH, INSIDE, MARKS
from carpal.kinematics.inverse.six_class import line_table
from carpal.spatial import rotation_about


def motion(model, q, reverse):
    axes = chain_axes(model)
    geo = line_table(axes, reverse, axes.size())
    X = carpal.fk(model, q)
    target = np.concatenate([X[:3, :3].ravel(), X[:3, 3]])[None]
    return geo, *six_arm.wanted_motion.py_func(geo, target, 0)


def test_the_wanted_motion_is_that_of_the_six_lines():
    for reverse in (False, True):
        model = from_table("gofa")
        q = np.array([0.3, -0.6, 0.9, 0.5, -1.2, 2.0])
        geo, R, p = motion(model, q, reverse)
        point = np.array([0.1, 0.2, 0.3])
        for k in range(5, -1, -1):
            u, c = geo[6 * k : 6 * k + 3], geo[6 * k + 3 : 6 * k + 6]
            point = c + rotation_about(u, -q[5 - k] if reverse else q[k]) @ (point - c)
        assert np.allclose(np.reshape(R, (3, 3)) @ [0.1, 0.2, 0.3] + p, point, atol=1e-14)


def test_what_is_no_pose_is_refused():
    good = np.concatenate([np.eye(3).ravel(), [1.0, 2.0, 3.0]])
    assert six_arm.is_pose.py_func(good[None], 0)
    for column, value in ((0, np.nan), (9, np.nan), (9, np.inf), (10, 1e200), (4, -1.0), (1, 1e-3)):
        bad = good.copy()
        bad[column] = value
        assert not six_arm.is_pose.py_func(bad[None], 0), (column, value)


def test_newtons_method_comes_back_to_the_pose():
    rng = np.random.default_rng(4)
    model = six_joint_robot("general, any", 3)
    J, e = np.empty((1, 6, 6)), np.empty((1, 6))
    for reverse in (False, True):
        q = rng.uniform(-2, 2, model.nq)
        geo, R, p = motion(model, q, reverse)
        own = q[chain_axes(model).columns]
        own = -own[::-1] if reverse else own
        angles, error = six_arm.finish(geo, R, p, tuple(own + rng.uniform(-1e-3, 1e-3, 6)), J, e, 0)
        assert error < 1e-13 and np.abs(wrap(np.array(angles) - own)).max() < 1e-9


def test_rows_are_written_once_and_inside_limits_where_possible():
    model = from_table("gofa")
    axes = chain_axes(model)
    geo = line_table(axes, True, axes.size())
    columns = np.arange(6)[::-1].copy()
    q_out, marks, q0 = np.full((1, 4, 6), np.nan), np.full((1, 4, MARKS), np.nan), np.zeros((1, 6))
    low, high = np.full(6, -1.0), np.full(6, 1.0)
    angles = (0.5, 0.5, 0.5, 0.5, 0.5, 0.5 + 2 * np.pi)
    put = six_arm.add_six.py_func
    count = put(geo, columns, low, high, q0, angles, 3, q_out, marks, 0, 0)
    assert count == 1 and np.allclose(q_out[0, 0], -0.5) and marks[0, 0, INSIDE] == 1 and marks[0, 0, BRANCH] == 3
    assert put(geo, columns, low, high, q0, angles, 3, q_out, marks, 1, 0) == 1
    far = (2.0, 0.5, 0.5, 0.5, 0.5, 0.5)
    assert put(geo, columns, low, high, q0, far, 3, q_out, marks, 1, 0) == 2 and marks[0, 1, INSIDE] == 0
