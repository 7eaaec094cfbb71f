"""Sets along a path: a batch is its paths one by one, bit for bit; the settled set and its width."""

import numpy as np

from carpal.planning import AngleSet, angles_under_gravity, relay_payload


def test_a_batch_is_its_paths_one_by_one():
    rng = np.random.default_rng(2)
    g = np.cumsum(rng.normal(scale=0.05, size=(7, 40, 3)), axis=1) + rng.normal(size=(7, 1, 3))
    g *= 9.81 / np.linalg.norm(g, axis=-1, keepdims=True)
    seconds, angle = rng.uniform(0, 1, (7, 40)), rng.uniform(-3, 3, 7)
    together = angles_under_gravity(relay_payload(), g, seconds, angle=angle, spread=0.1)
    for i in range(7):
        alone = angles_under_gravity(relay_payload(), g[i], seconds[i], angle=angle[i], spread=0.1)
        assert all((a == b[i]).all() for a, b in zip(alone, together, strict=True))


def test_it_settles_where_it_hangs():
    tilt = np.radians(90.0)
    g = 9.81 * np.array([[np.sin(tilt) * np.cos(0.5), np.sin(tilt) * np.sin(0.5), np.cos(tilt)]])
    states, settled, known, width = angles_under_gravity(relay_payload(), g, [0.0], angle=0.5 + 0.6)
    low, high = AngleSet(settled).intervals[0]
    assert known and low < 0.5 < high and np.isclose(width, high - low) and (settled > 0).sum() < (states[0] > 0).sum()
    assert width < 0.6
