"""Free flight, the meeting with the catch plane, and the palm that faces the ball."""

import math

import numpy as np
import pytest

from carpal.errors import InputError
from carpal.labs.catch.flight import CATCH_PLANE, flown, launch, meeting, palm_facing
from carpal.labs.catch.plan import start_coordinates

NEAR = start_coordinates()[:3]


def test_the_throw_of_the_thesis(figure):
    p, v = launch(0.2, 0.14, 5.2, math.radians(45))
    meet = meeting(p, v, NEAR)
    figure(
        "catch: time of flight against 0.7496 s (E16) [s]",
        abs(meet.time - 2 * 5.2 * math.sin(math.pi / 4) / 9.81),
        1e-12,
    )
    figure("catch: start of the ball before the base against 3.106 m [m]", abs(-p[2] - 3.1064), 1e-3)
    np.testing.assert_allclose(meet.p_ball, [0.1, -0.04, CATCH_PLANE], atol=1e-12)
    np.testing.assert_allclose(flown(p, v, meet.time)[1], meet.v_ball)
    np.testing.assert_allclose(meet.coordinates[:3] - NEAR, [math.pi / 4, 0, 0], atol=1e-12)  # a pure pitch of 45 deg


def test_the_palm_looks_against_the_ball_at_the_plane():
    p, v = launch(0.1, 0.2, 5.0, math.radians(50), math.radians(12))
    meet = meeting(p, v, NEAR)
    R = palm_facing(meet.v_ball)
    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=1e-14)
    assert np.linalg.det(R) == pytest.approx(1.0)
    np.testing.assert_allclose(R[:, 2], -meet.v_ball / np.linalg.norm(meet.v_ball))  # E14: by the speed there
    assert R[0, 1] < -0.9  # the side axis stays near -x, made square


@pytest.mark.parametrize(("p", "v"), [([0, 0, -2], [0, 1, -3]), ([0, 0, 0], [0, 1, 3]), ([0, 0, -2], [0, 1, 0])])
def test_a_ball_that_never_comes_is_refused(p, v):
    with pytest.raises(InputError, match="never reaches the catch plane"):
        meeting(np.array(p, float), np.array(v, float), NEAR)  # E15: the script would take the absolute value


def test_a_throw_without_height_is_refused():
    with pytest.raises(InputError, match="never reaches the catch plane"):
        launch(0.2, 0.1, 5.0, math.radians(-5))
    with pytest.raises(InputError, match="attitude open"):
        palm_facing(np.array([1.0, 0.0, 0.0]))
