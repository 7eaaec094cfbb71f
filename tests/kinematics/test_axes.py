"""The axes that an arm's class is recognised from."""

import numpy as np
import pytest
from closed_form_robots import SHAPES, robot
from random_models import random_q

import carpal
from carpal.kinematics.axes import chain_axes


@pytest.mark.parametrize("shape", SHAPES)
def test_turning_about_the_axes_is_forward_kinematics(shape):
    """The product of rotations about the lines, outermost first, moves the tool as `fk` does."""
    model = robot(shape, 3)
    axes = chain_axes(model)
    q = random_q(model, np.random.default_rng(0))
    X = axes.X_WF.copy()
    for u, c, column in list(zip(axes.u, axes.c, axes.columns, strict=True))[::-1]:
        K = np.cross(np.eye(3), u)
        R = np.eye(3) + np.sin(q[column]) * K + (1 - np.cos(q[column])) * K @ K
        M = np.eye(4)
        M[:3, :3], M[:3, 3] = R, c - R @ c
        X = M @ X
    assert np.abs(X - carpal.fk(model, q)).max() < 1e-14
    assert axes.names == tuple(f"joint_{i}" for i in range(5))  # the jaw beside the tool is not among them


def test_gaps_and_meetings():
    axes = chain_axes(carpal.load("k10"))
    assert axes.gap(0, 1) < 1e-15 and axes.gap(3, 4) < 1e-15
    assert abs(axes.gap(1, 2) - 0.325) < 1e-15
    assert np.allclose(axes.meeting(0, 1), (0, 0, 0.112)) and np.allclose(axes.meeting(3, 4), (0.636, 0, 0.1812))


def test_only_the_joints_that_carry_the_frame_are_in_the_chain():
    hand = carpal.load("cuhk_hand")
    finger = chain_axes(hand)
    assert finger.names == ("middle_1", "middle_2", "middle_3") and finger.all_revolute
    assert finger.columns.tolist() == [hand.q_index(name) for name in finger.names]
    slider = carpal.Model.from_dh([carpal.model.DHRow(a=0.2), carpal.model.DHRow(d=0.1, kind="prismatic")])
    assert not chain_axes(slider).all_revolute
