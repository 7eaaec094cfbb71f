"""Reversed trajectories: on the same path, within limits, also from the middle."""

import numpy as np
from retrieve_inputs import stored

from carpal.labs.retrieve.cycle.retrace import STRAIGHT, remainder, retraced, thinned
from carpal.labs.retrieve.scene import free_arm

MODEL = free_arm().model


def off_the_path(q, path):
    """Largest joint distance of rows from the nearest row of a path."""
    return max(float(np.abs(path - row).max(axis=1).min()) for row in q)


def test_thinning_keeps_within_the_tolerance():
    t = np.linspace(0, 1, 400)
    q = np.stack([t, np.sin(3 * t), t**2], axis=1)
    kept = thinned(q, 1e-3)
    assert len(kept) < 40 and np.array_equal(kept[[0, -1]], q[[0, -1]])
    for i in range(len(kept) - 1):  # every row is near the segment that it belongs to
        a, b = kept[i], kept[i + 1]
        own = q[(t >= a[0]) & (t <= b[0])]
        share = np.clip((own - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1)
        assert np.abs(own - a - share[:, None] * (b - a)).max() <= 1e-3


def test_back_and_on_follow_the_way():
    for name in ("approach", "grasp", "retreat"):
        motion = stored().move(name).trajectory
        path = motion.at(np.linspace(0, motion.duration, 6000))[0]
        middle = motion.at(0.4 * motion.duration)[0]
        back, ahead = retraced(MODEL, motion, middle), remainder(MODEL, motion, middle)
        assert np.allclose(back.q_start, middle) and np.allclose(back.q_end, motion.q_start, atol=1e-9)
        assert np.allclose(ahead.q_start, middle) and np.allclose(ahead.q_end, motion.q_end, atol=1e-9)
        for part in (back, ahead):
            assert off_the_path(part.sample(0.2)[0], path) < 4 * STRAIGHT and part.check(MODEL)
        assert np.allclose(retraced(MODEL, motion).q_start, motion.q_end)


def test_nothing_is_left_at_an_end():
    motion = stored().move("approach").trajectory
    assert retraced(MODEL, motion, motion.q_start) is None and remainder(MODEL, motion, motion.q_end) is None
