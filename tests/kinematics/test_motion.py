"""Frame velocity and acceleration of motions that everybody knows."""

import numpy as np
from random_models import random_chain, random_state

from carpal.kinematics import frame_acceleration, frame_velocity
from carpal.kinematics.motion import frame_motion
from carpal.model import Body, Frame, Joint, Model
from carpal.spatial import pose

RADIUS = 0.25
WHEEL = Model(
    name="wheel",
    bodies=(Body("wheel", None, Joint("axle", "revolute")),),
    extra_frames=(Frame("rim", "wheel", pose(p=[RADIUS, 0, 0])),),
    tool="rim",
)


def test_circular_motion() -> None:
    w, alpha = 3.0, 2.0
    assert np.allclose(frame_velocity(WHEEL, [0.0], [w]), [0, w * RADIUS, 0, 0, 0, w], rtol=0, atol=1e-15)
    expected = [-w * w * RADIUS, alpha * RADIUS, 0, 0, 0, alpha]
    assert np.allclose(frame_acceleration(WHEEL, [0.0], [w], [alpha]), expected, rtol=0, atol=1e-15)


def test_free_body_velocities_are_in_the_parent_s_axes() -> None:
    """A turned body still moves along the world's x when v says so: the convention of the package."""
    model = Model(name="free", bodies=(Body("b", None, Joint("j", "free")),))
    q = [1.0, 2.0, 3.0, 0.5, 0.5, -0.5, 0.5]
    v = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    assert np.allclose(frame_velocity(model, q, v), v, rtol=0, atol=1e-15)
    assert np.allclose(frame_acceleration(model, q, v, [1, 2, 3, 4, 5, 6]), [1, 2, 3, 4, 5, 6], rtol=0, atol=1e-14)


def test_both_come_from_one_sweep() -> None:
    model = random_chain(4)
    q, v, vdot = random_state(model, np.random.default_rng(0), (5,))
    V, A = frame_motion(model, q, v, vdot)
    assert np.array_equal(V, frame_velocity(model, q, v))
    assert np.array_equal(A, frame_acceleration(model, q, v, vdot))
