"""Jacobians of a planar arm in closed form, and what they refuse; trees and finite differences are elsewhere."""

import numpy as np
import pytest
from random_models import random_chain, random_q

from carpal.errors import UnknownNameError
from carpal.kinematics import frame_velocity, jacobian, jacobian_rate_times_v
from carpal.model import Body, Frame, Joint, Model
from carpal.spatial import pose

A, B = 0.5, 0.3
ELBOW = Body("fore", "upper", Joint("elbow", "revolute", X_PJ=pose(p=[A, 0, 0])))
ARM = Model(
    name="two",
    bodies=(Body("upper", None, Joint("shoulder", "revolute")), ELBOW),
    extra_frames=(Frame("tip", "fore", pose(p=[B, 0, 0])),),
    tool="tip",
)


def test_two_links_in_closed_form() -> None:
    q1, q2 = 0.4, 1.1
    s1, c1, s12, c12 = np.sin(q1), np.cos(q1), np.sin(q1 + q2), np.cos(q1 + q2)
    expected = np.zeros((6, 2))
    expected[0] = -A * s1 - B * s12, -B * s12
    expected[1] = A * c1 + B * c12, B * c12
    expected[5] = 1, 1
    assert np.allclose(jacobian(ARM, [q1, q2]), expected, rtol=0, atol=1e-15)
    v1, v2 = 0.7, -0.2
    rate = [-A * c1 * v1**2 - B * c12 * (v1 + v2) ** 2, -A * s1 * v1**2 - B * s12 * (v1 + v2) ** 2, 0, 0, 0, 0]
    assert np.allclose(jacobian_rate_times_v(ARM, [q1, q2], [v1, v2]), rate, rtol=0, atol=1e-15)


def test_jacobian_times_v_is_the_frame_s_velocity() -> None:
    model = random_chain(3)
    q, v = random_q(model, np.random.default_rng(0), (20,)), np.random.default_rng(1).normal(size=(20, 7))
    for frame in model.frames:
        J = jacobian(model, q, frame)
        assert np.allclose((J @ v[..., None])[..., 0], frame_velocity(model, q, v, frame), rtol=0, atol=1e-13)


@pytest.mark.parametrize("function", [jacobian, lambda model, q, **axes: jacobian_rate_times_v(model, q, q, **axes)])
def test_unknown_axes_are_refused(function) -> None:
    with pytest.raises(UnknownNameError, match=r"unknown axes 'wrld'; did you mean 'world'\? valid: world, frame"):
        function(ARM, [0.0, 0.0], axes="wrld")
