"""Grasps: grasp matrix by cross products, hand Jacobian by finite differences, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from carpal.contact import Grasp, grasp_jacobian, grasp_matrix
from carpal.errors import CarpalError
from carpal.kinematics import fk
from carpal.model import load


def test_the_grasp_matrix_is_force_and_moment(figure):
    rng = np.random.default_rng(0)
    worst = 0.0
    for _ in range(20):
        n = int(rng.integers(1, 7))
        grasp = Grasp(rng.normal(size=(n, 3)), rng.normal(size=(n, 3)), mu=0.5, centre=rng.normal(size=3))
        f = rng.normal(size=grasp.width)
        forces = grasp.world_forces(f)
        torque = np.cross(np.asarray(grasp.points) - grasp.centre, forces).sum(axis=0)
        worst = max(worst, np.abs(grasp_matrix(grasp) @ f - np.r_[forces.sum(axis=0), torque]).max())
    figure("grasp matrix against forces and moments", worst, 1e-13)


def test_components_by_tip():
    points, normals = np.eye(3), -np.eye(3)
    assert Grasp(points, normals, tip="frictionless").width == 3
    assert Grasp(points, normals, mu=0.0).width == 3
    assert Grasp(points, normals, tip=("hard", "soft", "elliptic"), torsion=[0, 0.01, 0.01]).width == 11


def test_a_soft_tip_adds_the_normal_as_torque():
    grasp = Grasp([[0, 0, 1.0]], [[0, 0, -2.0]], tip="soft", torsion=0.01, centre=[0, 0, 0])
    assert np.allclose(grasp_matrix(grasp)[:, 3], [0, 0, 0, 0, 0, -1])


def test_the_hand_jacobian_by_differences(figure):
    hand = load("cuhk_hand")
    rng = np.random.default_rng(1)
    q = rng.uniform(0.1, 0.6, hand.nq)
    frames = ("index_tip", "thumb_tip")
    tips = [fk(hand, q, name) for name in frames]
    offsets = [np.array([0.01, 0, 0]), np.array([0, 0.008, 0.006])]
    points = np.array([X[:3, :3] @ d + X[:3, 3] for X, d in zip(tips, offsets, strict=True)])
    grasp = Grasp(points, rng.normal(size=(2, 3)))
    J = grasp_jacobian(grasp, hand, q, frames)
    step, wanted = 1e-6, np.zeros_like(J)
    for k in range(hand.nv):
        d = np.zeros(hand.nv)
        d[k] = step
        for i, (name, off) in enumerate(zip(frames, offsets, strict=True)):
            ends = [(X := fk(hand, q + s * d, name))[:3, :3] @ off + X[:3, 3] for s in (1, -1)]
            wanted[3 * i : 3 * i + 3, k] = grasp.R_WC[i].T @ (ends[0] - ends[1]) / (2 * step)
    figure("hand Jacobian at contacts against differences", np.abs(J - wanted).max(), 1e-9)


@pytest.mark.parametrize(
    "given",
    [
        {"points": [[0, 0, 0]], "normals": [[0, 0, 0]]},
        {"points": [[0, 0, np.nan]], "normals": [[0, 0, 1]]},
        {"points": [[0, 0]], "normals": [[0, 0, 1]]},
        {"points": [[0, 0, 0]], "normals": [[0, 0, 1], [0, 0, 1]]},
        {"points": [[0, 0, 0]], "normals": [[0, 0, 1]], "mu": -0.1},
        {"points": [[0, 0, 0]], "normals": [[0, 0, 1]], "tip": "sticky"},
        {"points": [[0, 0, 0]], "normals": [[0, 0, 1]], "tip": "soft"},
        {"points": [[0, 0, 0]], "normals": [[0, 0, 1]], "torsion": 0.01},
        {"points": [[0, 0, 0]], "normals": [[0, 0, 1]], "tip": "elliptic", "torsion": 0.1, "mu": 0.0},
        {"points": [[0, 0, 0]], "normals": [[0, 0, 1]], "tip": ("hard", "hard")},
        {"points": [[0, 0, 0]], "normals": [[0, 0, 1]], "centre": [0, 0]},
    ],
)
def test_bad_input(given):
    with pytest.raises(CarpalError) as caught:
        Grasp(**given)
    assert str(caught.value).endswith(".")


def test_frames_for_each_contact():
    hand = load("cuhk_hand")
    with pytest.raises(CarpalError):
        grasp_jacobian(Grasp([[0, 0, 0.2]], [[0, 0, 1]]), hand, hand.q_home, ("index_tip", "thumb_tip"))
    with pytest.raises(CarpalError):
        grasp_jacobian(Grasp([[0, 0, 0.2]], [[0, 0, 1]]), hand, hand.q_home, ("nose",))
