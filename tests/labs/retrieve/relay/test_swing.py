"""The relay's swing: against another simulation and closed forms, one world as in a batch, at rest where friction holds."""

import numpy as np
import payload_simulation as other
import pytest
from retrieve_inputs import stored

from carpal.labs.retrieve.relay.held_relay import held_relay
from carpal.labs.retrieve.relay.swing import FRAME, gripper_motion, swing
from carpal.labs.retrieve.scene import free_arm
from carpal.planning import adjust, angles_along
from carpal.spatial import Array

MODEL = free_arm().model
HELD = held_relay()


def still(gravity: Array, seconds: float):
    """A gripper that stands, gravity (n, 3) in its axes."""
    k = int(seconds / FRAME)
    g = np.repeat(np.asarray(gravity, float)[None], k, axis=0)
    return np.arange(k) * FRAME, g, np.zeros_like(g), np.zeros_like(g)


def test_without_friction_it_is_a_pendulum(figure):
    """Small swings of a compound pendulum, gripper level: T = 2 pi sqrt(L / g), L = I / (m d)."""
    motion = still([[9.81, 0.0, 0.0]], 6.0)
    phi = swing([HELD], motion, np.array([0.02]), np.zeros((len(motion[0]), 1)))[:, 0]
    length = HELD.inertia / (HELD.mass * HELD.arm)
    expected = 0.02 * np.cos(np.sqrt(9.81 / length) * motion[0])
    # a frictionless bearing here is mu = 0; the step is 5 ms
    figure("relay without friction against a small pendulum [rad]", np.abs(phi - expected).max(), 1e-3)


@pytest.mark.parametrize("tilt", [0.3, 0.8, 1.5])
def test_it_rests_exactly_where_adjust_says(tilt):
    alphas = np.linspace(0.1, 3.0, 30)
    g = 9.81 * np.tile([np.sin(tilt), 0.0, np.cos(tilt)], (30, 1))
    motion = still(g, 0.5)
    mu = 0.3
    phi = swing([HELD] * 30, motion, alphas, np.full((len(motion[0]), 30), mu))
    moved = np.abs(phi[-1] - alphas) > 1e-6
    answer = adjust(HELD, tilt, alphas)
    margin = np.abs(answer.pull - mu * answer.holding) > 0.02  # of the table's steps
    assert margin.sum() > 20
    assert (moved == (answer.pull > mu * answer.holding))[margin].all()


def test_it_agrees_with_another_simulation(figure):
    """NumPy alone, chain poses by hand, differences instead of velocities; friction kept the same for both."""
    motion = stored().move("carry").trajectory
    ours = gripper_motion(MODEL, HELD, motion, np.zeros((1, 5)))
    q = motion.at(ours[0])[0][:, None]
    joints = [(b.joint.X_PJ, b.joint.axis if b.joint.kind == "revolute" else None) for b in MODEL.bodies[:6]]
    frames = other.moving_frames([*joints, (HELD.X_TG, None)], q)
    for a, b, what, bound in zip(ours[1:], frames, ("gravity", "spin", "turning"), (0.05, 2e-3, 0.05), strict=True):
        figure(f"the gripper's {what} against differences", np.abs(a[2:-2] - b[2:-2]).max(), bound)
    begin = np.array([stored().angle])

    class Constant:
        """Friction that never changes."""

        def uniform(self, low, high, n=None):
            return np.full(n, 0.25) if high < 0.5 and low > 0.15 else np.full(n, 1e9)

    # it rests before and after these frames
    part = slice(900, 1900)
    ours, frames = tuple(a[part] for a in ours), tuple(a[part] for a in frames)
    numbers = HELD.geometry, HELD.inertia / (HELD.mass * HELD.arm), HELD.arm, HELD.drop
    theirs = other.swing(numbers, frames, begin, (0.2, 0.4), Constant())[:, 0]
    mine = swing([HELD], ours, begin, np.full((len(ours[0]), 1), 0.25))[:, 0]
    assert np.ptp(mine) > 0.5, "it turns"
    figure("relay's angle against another simulation [rad]", np.abs(mine - theirs).max(), 0.02)


def test_one_world_is_the_same_in_a_batch():
    motion = stored().move("carry").trajectory
    rng = np.random.default_rng(0)
    offsets = rng.uniform(-2e-3, 2e-3, (3, 5))
    payloads = [HELD, HELD.replace(arm=0.123), HELD.replace(arm=0.125)]
    many = gripper_motion(MODEL, HELD, motion, offsets)
    mu = np.array([0.2, 0.3, 0.4]) * np.ones((len(many[0]), 3))
    begin = stored().angle + np.array([0.0, 0.02, -0.02])
    together = swing(payloads, many, begin, mu)
    for i in range(3):
        alone = swing(
            payloads[i : i + 1],
            gripper_motion(MODEL, HELD, motion, offsets[i : i + 1]),
            begin[i : i + 1],
            mu[:, i : i + 1],
        )
        assert np.array_equal(together[:, i], alone[:, 0])


def test_it_stays_in_the_planners_set():
    plan = stored()
    sets = angles_along(MODEL, HELD, plan.rest.paths["carry"], angle=plan.angle, spread=0.06)
    motion = plan.move("carry").trajectory
    seen = gripper_motion(MODEL, HELD, motion, np.zeros((2, 5)))
    mu = np.array([0.2, 0.4]) * np.ones((len(seen[0]), 2))
    phi = swing([HELD] * 2, seen, np.full(2, plan.angle), mu)
    assert all(sets.settled.holds(phi[-1]))
