import dataclasses

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from carpal.engines import PenaltyEngine
from carpal.errors import InputError
from carpal.labs.catch import CatcherNumbers
from carpal.labs.catch.scene import ball_body
from carpal.model import Mechanism, PlacedShape, Plane

SPEED = 5.2


def bounced(numbers):
    """Restitution, peak force [N] and depth [m] of the ball that strikes a wall, by the engine."""
    turn = np.array([[1.0, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]])  # the plane's normal is y
    ball = ball_body(numbers, np.array([0, numbers.ball_radius + 1e-6, 0]), np.array([0, -SPEED, 0]))
    mechanism = Mechanism("wall", (ball,), gravity=np.zeros(3), fixed=(PlacedShape("wall", None, Plane(), turn),))
    engine = PenaltyEngine(mechanism, dt=2e-6, contact=numbers.contact_law)
    state, force, depth = engine.start(), 0.0, 0.0
    for _ in range(300):
        state = engine.run(state, steps=10).state
        touch = engine.contacts(state, np.zeros(6))
        if touch:
            force, depth = max(force, np.linalg.norm(touch[0].force)), max(depth, touch[0].depth)
    return state.v[1] / SPEED, force, depth


def expected(numbers):
    """The same by scipy: m x'' = -(k x + c x'), cut at zero."""
    k, c, m = numbers.contact_stiffness, numbers.contact_damping, numbers.ball_mass
    force = lambda y: max(k * y[0] + c * y[1], 0.0)  # noqa: E731 - one line is clearer
    leaving = lambda t, y: y[0] + 1e-9  # noqa: E731
    leaving.terminal, leaving.direction = True, -1
    run = solve_ivp(
        lambda t, y: [y[1], -force(y) / m],
        (0, 0.02),
        [0.0, SPEED],
        events=leaving,
        rtol=1e-9,
        atol=1e-12,
        max_step=1e-5,
    )
    return -run.y[1, -1] / SPEED, max(force(y) for y in run.y.T), run.y[0].max()


def test_restitution_of_the_contact_law(figure):
    numbers = CatcherNumbers()
    (e, force, depth), (e_0, force_0, depth_0) = bounced(numbers), expected(numbers)
    assert abs(e - e_0) < 0.005 and abs(force / force_0 - 1) < 0.01 and abs(depth / depth_0 - 1) < 0.01
    figure(
        "restitution of the ball on a wall at 5.2 m/s", e, 0.31, note=f"peak {force:.0f} N, {1000 * depth:.1f} mm deep"
    )
    assert e > 0.28


def test_stiffness_is_free_but_restitution_is_not():
    soft = dataclasses.replace(CatcherNumbers(), contact_stiffness=2e4, contact_damping=77.5 * np.sqrt(0.4))
    assert abs(bounced(soft)[0] - bounced(CatcherNumbers())[0]) < 0.01


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"friction": -0.1}, "friction of the catcher must be zero or above"),
        ({"ball_radius": 0.05}, "bigger than the hand can hold"),
        ({"ball_mass": 0.0}, "above zero"),
        ({"contact_stiffness": float("nan")}, "must be a number"),
        ({"joint_rate": "fast"}, "must be a number"),
        ({"arm_P": (1.0, 2.0)}, "must be 6 numbers"),
        ({"separation": 1.5}, "from 0 to 1"),
        ({"arm_D": (1, 1, 1, 1, 1, -1)}, "all above zero"),
        ({"bin_size": (0.2, 0.2, 0.0)}, "all above zero"),
        ({"spring_scale": np.inf}, "zero or above"),
    ],
)
def test_bad_numbers_are_named(change, words):
    with pytest.raises(InputError, match=words):
        CatcherNumbers(**change)
