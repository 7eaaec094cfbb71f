"""The arm angle against its geometric meaning: how far the elbow's axis is turned about the line from shoulder to wrist."""

import numpy as np
import pytest
from srs_robots import random_srs

import carpal
from carpal.kinematics.axes import chain_axes
from carpal.kinematics.redundant.kernels.srs_arm_angle import arm_angle_batch
from carpal.kinematics.redundant.kernels.srs_pose import HAND, R_FRAME, WRIST
from carpal.kinematics.redundant.srs_class import require_srs


def by_geometry(model, geometry, q):
    """The reference arm has its elbow's axis across first axis and line; turning about the line by psi turns the axis too."""
    n = geometry.numbers
    first = n[R_FRAME : R_FRAME + 9].reshape(3, 3)[:, 2]
    X = carpal.fk(model, q)
    u = X[:3, 3] + X[:3, :3] @ n[WRIST : WRIST + 3] - geometry.shoulder
    u /= np.linalg.norm(u)
    body = model.bodies[[b.joint.name for b in model.bodies].index(geometry.joint_names[3])]
    elbow = carpal.fk(model, q, body.parent)[:3, :3] @ body.joint.X_PJ[:3, :3] @ body.joint.axis
    level = np.cross(first, u)
    return np.arctan2(u @ np.cross(level, n[HAND] * elbow), level @ (n[HAND] * elbow))


@pytest.mark.parametrize("which", ["srs7", "sia5", 0, 1, 2, 3])
def test_the_turn_of_the_elbow_axis(which):
    model = carpal.load(which) if isinstance(which, str) else random_srs(which)
    geometry = require_srs(model)
    assert len(chain_axes(model).u) == 7
    q = np.random.default_rng(3).uniform(-3, 3, (50, 7))
    out = np.empty((50, 2))
    assert arm_angle_batch(geometry.numbers, geometry.columns, q, out, 0, 50, 1, 0) == 0
    want = np.array([by_geometry(model, geometry, x) for x in q])
    assert np.abs((out[:, 0] - want + np.pi) % (2 * np.pi) - np.pi).max() < 1e-10
    assert (out[:, 1] == 0).all()


def test_over_the_first_axis_it_is_the_azimuth_of_the_elbow():
    geometry = require_srs(carpal.load("srs7"))
    q = np.zeros((2, 7))
    q[:, 0], q[:, 3] = 0.4, (1.2, -1.2)
    q[:, 1] = -0.5 * q[:, 3]  # equal links: the wrist is straight above
    out = np.empty((2, 2))
    arm_angle_batch(geometry.numbers, geometry.columns, q, out, 0, 2, 1, 0)
    assert np.allclose(out[:, 0], 0.4) and (out[:, 1] == 1).all()


def test_a_number_that_is_not_finite_is_reported():
    geometry = require_srs(carpal.load("srs7"))
    q = np.zeros((3, 7))
    q[1, 6] = np.nan
    assert arm_angle_batch(geometry.numbers, geometry.columns, q, np.empty((3, 2)), 0, 3, 1, 0) == 2
