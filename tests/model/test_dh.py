"""Denavit-Hartenberg rows against products of four elementary matrices, and against the same arm built by hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from random_models import random_pose, random_q, relative_error
from scipy.spatial.transform import Rotation

from carpal.dynamics import inverse_dynamics
from carpal.errors import InputError, UnknownNameError
from carpal.kinematics import fk
from carpal.model import Body, DHRow, Frame, Joint, Model
from carpal.spatial import Inertia, pose

KINDS = ("revolute", "prismatic", "fixed")


def turn(axis: str, angle: float) -> np.ndarray:
    X = np.eye(4)
    X[:3, :3] = Rotation.from_euler(axis, angle).as_matrix()
    return X


def slide(x: float, z: float) -> np.ndarray:
    X = np.eye(4)
    X[0, 3], X[2, 3] = x, z
    return X


def by_hand(row: DHRow, q: float, convention: str) -> np.ndarray:
    """The row's transform with the joint's variable in it, as the textbooks print it."""
    theta = row.theta + (q if row.kind == "revolute" else 0.0)
    d = row.d + (q if row.kind == "prismatic" else 0.0)
    about_z, about_x = turn("z", theta) @ slide(0, d), slide(row.a, 0) @ turn("x", row.alpha)
    return about_z @ about_x if convention == "standard" else turn("x", row.alpha) @ slide(row.a, 0) @ about_z


def random_rows(rng: np.random.Generator) -> list[DHRow]:
    kinds = ["revolute", "prismatic", "fixed", *rng.choice(KINDS, rng.integers(0, 7))]
    rng.shuffle(kinds)
    angles = lambda: rng.choice([0.0, np.pi / 2, -np.pi / 2, rng.uniform(-3, 3)])  # noqa: E731 - real arms have right angles
    return [DHRow(*rng.uniform(-0.5, 0.5, 1), angles(), rng.uniform(-0.5, 0.5), angles(), str(kind)) for kind in kinds]


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_rows_equal_the_textbook_and_the_arm_built_by_hand(convention: str, figure: Callable[..., None]) -> None:
    worst_text = worst_built = 0.0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        rows, base, tool = random_rows(rng), random_pose(rng), random_pose(rng)
        model = Model.from_dh(rows, convention=convention, base=base, tool=tool)
        q = random_q(model, rng)
        values, X = iter(q), base
        for row in rows:
            X = X @ by_hand(row, next(values) if row.kind != "fixed" else 0.0, convention)
        worst_text = max(worst_text, relative_error(fk(model, q), X @ tool))
        worst_built = max(
            worst_built, relative_error(fk(model, q), fk(built_like_urdf(rows, convention, base, tool), q))
        )
    figure(f"FK of 60 random {convention} DH arms against the textbook product: largest error", worst_text, 1e-12)
    figure(f"FK of 60 random {convention} DH arms against bodies and joints: largest error", worst_built, 1e-12)


def built_like_urdf(rows: list[DHRow], convention: str, base: np.ndarray, tool: np.ndarray) -> Model:
    """The same arm as a URDF has it: a body's frame is its joint's frame (X_JB = 1), joint origins in the parent."""
    bodies, X = [Body("base", None, Joint("mount", X_PJ=base))], np.eye(4)
    for i, row in enumerate(rows):
        zero = by_hand(row, 0.0, convention)
        # standard rows move before their constant part, modified rows after it
        before, after = (np.eye(4), zero) if convention == "standard" else (zero, np.eye(4))
        bodies.append(Body(f"b{i}", bodies[-1].name, Joint(f"j{i}", row.kind, X_PJ=X @ before)))
        X = after
    return Model(
        name="built", bodies=tuple(bodies), extra_frames=(Frame("tip", bodies[-1].name, X @ tool),), tool="tip"
    )


def test_limits_names_and_inertias_are_kept() -> None:
    body = Inertia(2.0, np.array([0.1, 0.0, 0.0]), 0.01 * np.eye(3))
    rows = [
        DHRow(a=0.3, name="shoulder", q_min=-1, q_max=2, v_max=3, tau_max=4, inertia=body),
        DHRow(a=0.2, inertia=body),
    ]
    model = Model.from_dh(rows)
    assert model.joint_names == ("shoulder", "joint_2")
    assert (model.q_min[0], model.q_max[0], model.v_max[0], model.tau_max[0]) == (-1, 2, 3, 4)
    assert model.has_inertia
    # planar arm stretched along x, gravity along -y: torques of two point weights about each joint
    flat = model.replace(gravity=[0, -10, 0])
    torque = inverse_dynamics(flat, [0.0, 0.0], [0.0, 0.0], [0.0, 0.0])
    assert torque == pytest.approx([20 * 0.4 + 20 * 0.6, 20 * 0.3])  # com at link end + 0.1: 0.4, 0.3 + 0.3
    assert not Model.from_dh([(0.3, 0, 0, 0), DHRow(inertia=body)]).has_inertia


def test_tuples_are_revolute_rows() -> None:
    model = Model.from_dh([(0.3, 0, 0, 0), (0.2, 0, 0, 0)], tool=pose(p=[0.1, 0, 0]))
    assert fk(model, [np.pi / 2, 0.0])[:3, 3] == pytest.approx([0, 0.6, 0])


@pytest.mark.parametrize(
    ("make", "error", "says"),
    [
        (lambda: Model.from_dh([]), InputError, "needs at least one row; got none"),
        (lambda: Model.from_dh([(1, 2, 3)]), InputError, r"needs \(a, alpha, d, theta\); got 3 numbers: \(1, 2, 3\)"),
        (
            lambda: Model.from_dh([DHRow()], convention="modern"),
            UnknownNameError,
            "'modern'; did you mean 'modified'\\? valid: standard, modified",
        ),
        (
            lambda: Model.from_dh([DHRow(kind="rotary")]),
            UnknownNameError,
            "unknown joint kind 'rotary'.*valid: fixed, rev",
        ),
        (lambda: Model.from_dh([DHRow(a=np.nan)]), InputError, "DHRow: a is nan; it must be a number"),
        (lambda: Model.from_dh([DHRow()], base=np.eye(3)), InputError, r"X_PJ of joint 'mount' must be a finite 4x4"),
        (lambda: Model.from_dh([DHRow()], tool=[[1, 2], [3]]), InputError, "tool is not an array of numbers"),
    ],
)
def test_bad_rows_are_refused(make, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        make()
