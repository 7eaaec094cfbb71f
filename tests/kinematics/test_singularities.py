"""Manipulability of arms whose singular configurations are known."""

import numpy as np
import pytest
from random_models import random_chain, random_q

from carpal.errors import UnknownNameError
from carpal.kinematics import jacobian, manipulability, singular_values
from carpal.model import DHRow, Model

A, B, C = 0.5, 0.4, 0.3
SPATIAL = Model.from_dh([DHRow(d=0.2, alpha=np.pi / 2), DHRow(a=A), DHRow(a=B)])


def test_three_joint_arm_in_closed_form() -> None:
    """|det J| of the position part = a b |s3| |reach|, reach = a c2 + b c23 (Siciliano 2009, sec. 3.3)."""
    q = np.random.default_rng(0).uniform(-3, 3, (100, 3))
    reach = A * np.cos(q[:, 1]) + B * np.cos(q[:, 1] + q[:, 2])
    expected = A * B * np.abs(np.sin(q[:, 2]) * reach)
    assert np.allclose(manipulability(SPATIAL, q, part="position"), expected, rtol=0, atol=1e-14)


def test_stretched_arm_is_singular() -> None:
    assert manipulability(SPATIAL, [0.3, 0.7, 0.0], part="position") < 1e-16
    assert singular_values(SPATIAL, [0.3, 0.7, 0.0], part="position")[-1] < 1e-16


@pytest.mark.parametrize(
    ("part", "rows"), [("pose", slice(0, 6)), ("position", slice(0, 3)), ("rotation", slice(3, 6))]
)
def test_yoshikawa_s_determinant(part: str, rows: slice) -> None:
    model = random_chain(9, 7, kinds=("revolute",))
    q = random_q(model, np.random.default_rng(0), (30,))
    J = jacobian(model, q)[:, rows]
    expected = np.sqrt(np.linalg.det(J @ np.swapaxes(J, 1, 2)))
    assert np.allclose(manipulability(model, q, part=part), expected, rtol=1e-9, atol=1e-12)
    values = singular_values(model, q, part=part)
    assert values.shape == (30, rows.stop - rows.start)
    assert (np.diff(values, axis=-1) <= 0).all()


def test_too_few_joints_cannot_span_the_pose() -> None:
    assert manipulability(SPATIAL, [0.1, 0.2, 0.3]) == 0.0
    assert singular_values(SPATIAL, [0.1, 0.2, 0.3]).shape == (3,)


def test_unknown_parts_are_refused() -> None:
    with pytest.raises(UnknownNameError, match=r"'positon'; did you mean 'position'\? valid: pose, position, rotation"):
        manipulability(SPATIAL, [0.0, 0.0, 0.0], part="positon")
