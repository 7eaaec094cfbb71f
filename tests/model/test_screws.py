"""Screw axes against SciPy's matrix exponentials, and against the same arm built from bodies and joints."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from random_models import random_chain, random_inertia, random_pose, random_q, relative_error
from scipy.linalg import expm

from carpal.dynamics import com, mass_matrix
from carpal.errors import InputError
from carpal.kinematics import fk
from carpal.model import Model
from carpal.spatial import skew


def screws_of(arm: Model) -> np.ndarray:
    """(n, 6) world twists of an arm's joints at zero: (p x w, w) of a revolute axis, (axis, 0) of a prismatic one."""
    out, X = [], np.eye(4)
    for body in arm.bodies:
        X = X @ body.joint.X_PJ
        axis = X[:3, :3] @ body.joint.axis
        if body.joint.kind == "revolute":
            out.append([*np.cross(X[:3, 3], axis), *axis])
        elif body.joint.kind == "prismatic":
            out.append([*axis, 0, 0, 0])
        X = X @ body.joint.X_JB
    return np.array(out)


def hat(V: np.ndarray) -> np.ndarray:
    out = np.zeros((4, 4))
    out[:3, :3], out[:3, 3] = skew(V[3:]), V[:3]
    return out


def test_screws_equal_exponentials_and_the_arm_built_by_hand(figure: Callable[..., None]) -> None:
    worst_exp = worst_built = 0.0
    for seed in range(60):
        arm = random_chain(seed, 1 + seed % 8)
        S, zero = screws_of(arm), fk(arm, np.zeros(arm.nq))
        model = Model.from_screws(S, zero)
        q = random_q(arm, np.random.default_rng(seed))
        X = np.eye(4)
        for screw, value in zip(S, q, strict=True):
            X = X @ expm(value * hat(screw))
        worst_exp = max(worst_exp, relative_error(fk(model, q), X @ zero))
        worst_built = max(worst_built, relative_error(fk(model, q), fk(arm, q)))
    figure("FK of 60 random screw arms against matrix exponentials: largest error", worst_exp, 1e-12)
    figure("FK of 60 random screw arms against bodies and joints: largest error", worst_built, 1e-12)


def test_inertias_in_the_world_at_zero_give_the_same_dynamics(figure: Callable[..., None]) -> None:
    arm = random_chain(3, 6)
    world = []
    for body in arm.bodies:
        world.append(body.inertia.moved(fk(arm, np.zeros(arm.nq), body.name)))
    model = Model.from_screws(
        screws_of(arm), fk(arm, np.zeros(arm.nq)), inertias=world[1:], base_inertia=world[0], gravity=arm.gravity
    )
    q = random_q(arm, np.random.default_rng(3), (5,))
    rotor = np.diag([body.joint.armature for body in arm.bodies[1:]])
    figure("com of a screw arm against the arm it came from", relative_error(com(model, q), com(arm, q)), 1e-12)
    error = relative_error(mass_matrix(model, q), mass_matrix(arm, q) - rotor)
    figure("mass matrix of a screw arm against the arm it came from", error, 1e-12)


def test_limits_are_one_number_or_one_per_joint() -> None:
    model = Model.from_screws(screws_of(random_chain(1, 3)), np.eye(4), q_min=-1, q_max=[1, 2, 3], joint_names="abc")
    assert np.array_equal(model.q_min, [-1, -1, -1])
    assert np.array_equal(model.q_max, [1, 2, 3])
    assert model.joint_names == ("a", "b", "c")


Z = [0, 0, 0, 0, 0, 1.0]


@pytest.mark.parametrize(
    ("screws", "options", "says"),
    [
        ([[0.0] * 6], {}, "the screw of joint 'joint_1' is zero"),
        ([[0, 0, 0, 0, 0, 2.0]], {}, r"must have \|w\| = 1; got 2.0"),
        ([[0, 0, 3.0, 0, 0, 0]], {}, r"must have \|v\| = 1 \(w = 0\); got 3.0"),
        ([[0, 0, 0.1, 0, 0, 1.0]], {}, "has pitch 0.1; helical joints are not supported"),
        ([0.0] * 6, {}, r"must be \(n, 6\) finite numbers, n >= 1; got shape \(6,\)"),
        ([[np.nan] * 6], {}, "finite numbers"),
        ([[0, 1], [0]], {}, "screws is not an array of numbers"),
        ([Z, Z], {"q_min": [1, 2, 3]}, r"q_min must be one number or 2; got shape \(3,\)"),
        ([Z, Z], {"joint_names": ["a"]}, "2 screws need 2 joint_names and 2 inertias"),
        ([Z], {"inertias": [random_inertia(np.random.default_rng(0))] * 2}, "1 screws need 1 joint_names"),
    ],
)
def test_bad_screws_are_refused(screws, options: dict, says: str) -> None:
    with pytest.raises(InputError, match=says):
        Model.from_screws(screws, random_pose(np.random.default_rng(0)), **options)


def test_bad_tool_poses_are_refused() -> None:
    with pytest.raises(InputError, match=r"X_WT must be a 4x4 pose; got shape \(3, 3\)"):
        Model.from_screws([Z], np.eye(3))
    with pytest.raises(InputError, match="frame 'tool' is not a rigid motion"):
        Model.from_screws([Z], 2 * np.eye(4))
