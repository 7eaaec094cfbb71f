"""Arms whose files round their angles: recognised, and answers finished on the arm as it is."""

import numpy as np
import pytest
from pointing_checks import round_trip, targets

import carpal
from carpal.kinematics import ik_all, random_configurations
from carpal.kinematics.inverse.arm_class import arm_class
from carpal.model import Body, Frame, Joint, Model
from carpal.model.catalogue.so101_old import JOINTS, TOOL
from carpal.spatial import pose_from_xyz_rpy

RIGHT = {"1.57079633": 1.57079633, "1.5708": 1.5708, "1.570800": 1.57079}


def rounded_so101_old(right, tool=TOOL[0]):
    """SO-101 with every right angle written as a rounded number, as its public files do."""
    bodies = [Body("base", None, Joint("mount"))]
    for name, parent, child, xyz, rpy, low, high in JOINTS:
        X = pose_from_xyz_rpy(xyz, np.asarray(rpy) * right)
        bodies.append(Body(child, parent, Joint(name, "revolute", X_PJ=X, q_min=low, q_max=high)))
    X = pose_from_xyz_rpy(tool, np.asarray(TOOL[1]) * (np.pi / 2))
    axis = X[:3, :3].T @ (0.0, 0.0, -1.0)
    return Model("rounded", tuple(bodies), extra_frames=(Frame("tool", "gripper", X),), tool="tool", tool_axis=axis)


def rounded_k10(off):
    """The K10 whose shoulder and wrist axes pass each other at a few micrometres."""
    model = carpal.load("k10")
    bodies = []
    for body in model.bodies:
        joint = body.joint
        if joint.name in ("shoulder", "wrist"):
            X = joint.X_PJ.copy()
            X[:3, 3] += off * np.array([0.6, -0.8, 0.3])
            joint = Joint(joint.name, "revolute", X_PJ=X, q_min=joint.q_min, q_max=joint.q_max)
        bodies.append(Body(body.name, body.parent, joint))
    return model.replace(bodies=tuple(bodies))


CASES = {
    **{f"so101_old, right angles {k}": (lambda v=v: rounded_so101_old(v)) for k, v in RIGHT.items()},
    "so101_old, tool on the roll axis, 1.57079633": lambda: rounded_so101_old(1.57079633, (0.0, 0.0, -0.098)),
    "k10, axes 3 um apart": lambda: rounded_k10(3e-6),
}


@pytest.mark.parametrize("name", CASES)
def test_round_trips(name, figure):
    model = CASES[name]()
    arm = arm_class(model)
    assert arm is not None and not arm.exact and 1e-10 < arm.slack < 2e-5
    found = round_trip(model, 400, seed=3)
    figure(f"{name}: generating configuration not among the solutions", found["lost"], 0, note=f"slack {arm.slack:.2g}")
    figure(f"{name}: worst error by forward kinematics [m, rad]", found["miss"], 1e-9)
    assert found["wrong flag"] == 0 and found["unsorted"] == 0 and found["closest"] > 1e-8


def test_one_equals_many():
    model = rounded_so101_old(1.5708)
    p, d = targets(model, random_configurations(model, 20, seed=4))
    many = ik_all(model, (p, d))
    for i in range(20):
        assert np.array_equal(ik_all(model, (p[i], d[i])).q, many.q[i], equal_nan=True)


def test_what_only_the_exact_arm_reaches_is_refused():
    """A tool on the roll axis, the direction a hundred thousandth off the plane: the true arm's plane is not that flat."""
    model = rounded_so101_old(1.5708, (0.0, 0.0, -0.098))
    p, d = targets(model, random_configurations(model, 50, seed=5))
    result = ik_all(model, (p, d + 1e-7 * np.array([0.3, 0.5, -0.2])))
    for i in np.flatnonzero(result.count == 0):
        assert "misses by" in result.explain((int(i),)) or "plane" in result.explain((int(i),))
    used = ~np.isnan(result.q[..., 0])
    got_p, _ = targets(model, result.q[used])
    assert np.abs(got_p - np.repeat(p[:, None], 8, 1)[used]).max(initial=0) < 1e-9
