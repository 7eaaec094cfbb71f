"""Forward kinematics of arms whose answer is known in closed form; random trees are in oracle/."""

import numpy as np
import pytest
from random_models import random_chain, random_q, random_tree

from carpal.kinematics import fk
from carpal.model import Body, Frame, Joint, Model
from carpal.spatial import pose


def planar(*lengths: float) -> Model:
    bodies, parent, step = [], None, 0.0
    for i, length in enumerate(lengths):
        bodies.append(Body(f"link_{i}", parent, Joint(f"joint_{i}", "revolute", X_PJ=pose(p=[step, 0, 0]))))
        parent, step = f"link_{i}", length
    tip = Frame("tip", parent, pose(p=[step, 0, 0]))
    fixed = Frame("marker", None, pose(p=[9, 8, 7]))
    return Model(name="planar", bodies=tuple(bodies), extra_frames=(tip, fixed), tool="tip")


def test_planar_arm_in_closed_form() -> None:
    lengths = np.array([0.5, 0.4, 0.3])
    q = np.random.default_rng(0).uniform(-3, 3, (50, 3))
    angles = np.cumsum(q, axis=1)
    X = fk(planar(*lengths), q)
    assert np.allclose(X[:, 0, 3], np.cos(angles) @ lengths, rtol=0, atol=1e-15 * 4)
    assert np.allclose(X[:, 1, 3], np.sin(angles) @ lengths, rtol=0, atol=1e-15 * 4)
    assert np.allclose(X[:, 0, 0], np.cos(angles[:, -1]), rtol=0, atol=1e-15 * 4)


def test_frames_by_name_and_by_default() -> None:
    model = planar(1.0, 1.0)
    q = [0.3, 0.4]
    assert np.array_equal(fk(model, q), fk(model, q, "tip"))
    assert not np.array_equal(fk(model, q, "link_1"), fk(model, q, "tip"))
    assert np.array_equal(fk(model, q, "marker"), pose(p=[9, 8, 7]))  # a frame of the world stays


def test_the_short_path_of_one_configuration_has_the_long_path_s_bits() -> None:
    for model in (random_chain(1), random_tree(3)):
        q = random_q(model, np.random.default_rng(1))
        assert np.array_equal(fk(model, q), fk(model, q.tolist()))
        assert np.array_equal(fk(model, q), fk(model, q, threads=1))


def test_rotations_stay_rotations(figure) -> None:
    """Thirty joints in a row: the product drifts from orthogonal by rounding only."""
    model = random_chain(5, 30)
    R = fk(model, random_q(model, np.random.default_rng(2), (500,)))[:, :3, :3]
    drift = np.abs(R @ np.swapaxes(R, 1, 2) - np.eye(3)).max()
    figure("R R^T - 1 at the end of a chain of 30 joints, 500 configurations", drift, 1e-14)


def test_quaternion_and_its_negative_are_the_same_pose() -> None:
    model = Model(name="ball", bodies=(Body("b", None, Joint("j", "ball")),))
    wxyz = np.array([0.5, -0.5, 0.1, 0.7])
    assert np.array_equal(fk(model, wxyz), fk(model, -wxyz))
    assert fk(model, [0, 1, 0, 0])[1, 1] == pytest.approx(-1.0)
