"""The pace kernel against linear programmes of scipy: the controllable intervals themselves."""

import numpy as np
from scipy.optimize import linprog

from carpal.planning.trajectories.kernels.reachability import DONE, NO_PACE, NO_START, OUTCOME, REPORT, pace_batch


def random_rows(seed, steps=12, rows=4):
    """Rows of a made-up smooth path: a is the integral of b."""
    rng = np.random.default_rng(seed)
    s = np.linspace(0, 1, steps + 1)
    wave, phase, size = rng.uniform(1, 8, rows), rng.uniform(0, 6, rows), rng.uniform(0.3, 2, rows)
    d = size * np.cos(wave * s[:, None] + phase)
    dd = -size * wave * np.sin(wave * s[:, None] + phase)
    high = np.tile(rng.uniform(0.5, 3, rows), (steps, 1))
    x_max = np.min((rng.uniform(0.5, 2, rows) / np.maximum(np.abs(d), 1e-9)) ** 2, axis=1)
    return d[:-1], dd[:-1], d[1:], dd[1:], -high, high, -high, high, np.full(steps, 1.0 / steps), x_max


def solved(parts, ends=(0.0, 0.0), rounds_once=True):
    a0, b0, a1, b1, l0, h0, l1, h1, steps, x_max = parts
    n = len(steps)
    arguments = [np.ascontiguousarray(x)[None] for x in (a0, b0, a1, b1, l0, h0, l1, h1, steps)]
    scale, fast = np.ones((1, n)), np.full(a0.shape[1], 1e9)
    reach, x, report = np.empty((1, n + 1, 2)), np.zeros((1, n + 1)), np.empty((1, REPORT))
    count = 0 if rounds_once else a0.shape[1]  # without acceleration rows nothing is tightened between grid points
    pace_batch(*arguments, scale, x_max[None].copy(), count, fast, np.array([ends]), reach, x, report, 0, 1, 1, 0)
    return reach[0], x[0], report[0]


def programme(parts, i, next_low, next_high, sign):
    """Largest (sign -1) or least x of step i by scipy."""
    a0, b0, a1, b1, l0, h0, l1, h1, steps, x_max = parts
    two = 2 * steps[i]
    A, b = [], []
    for a, c, low, high in ((a0[i], b0[i], l0[i], h0[i]), (a1[i] + two * b1[i], b1[i], l1[i], h1[i])):
        for k in range(len(a)):
            A += [[a[k], c[k]], [-a[k], -c[k]]]
            b += [high[k], -low[k]]
    A += [[two, 1.0], [-two, -1.0]]
    b += [next_high, -next_low]
    return linprog([0.0, sign], A_ub=A, b_ub=b, bounds=[(None, None), (0, x_max[i])])


def test_intervals_are_those_of_linear_programmes(figure):
    worst = 0.0
    for seed in range(30):
        parts = random_rows(seed)
        reach, x, report = solved(parts)
        assert report[OUTCOME] == DONE
        for i in range(len(parts[8])):
            best = programme(parts, i, *reach[i + 1], -1.0)
            assert best.status == 0
            worst = max(worst, abs(best.x[1] - reach[i, 1]) / max(best.x[1], 1e-9))
            least = programme(parts, i, *reach[i + 1], 1.0)
            assert reach[i, 0] >= least.x[1] - 1e-9 and reach[i, 0] <= reach[i, 1]
        assert (x[1:-1] >= reach[1:-1, 0] - 1e-12).all() and (x <= reach[:, 1] * (1 + 1e-9)).all()
    figure("controllable intervals against scipy's linear programmes, relative", worst, 1e-6)


def test_between_grid_points_limits_are_tightened():
    parts = random_rows(3, steps=6)
    _, loose, _ = solved(parts)
    _, tight, report = solved(parts, rounds_once=False)
    slow, fast = (float((2 / 6 / (np.sqrt(x[:-1]) + np.sqrt(x[1:]))).sum()) for x in (tight, loose))
    assert report[2] < 1.001 and fast < slow < 1.05 * fast


def test_what_cannot_be_is_said():
    parts = list(random_rows(0))
    parts[4], parts[6] = np.full_like(parts[4], 0.1), np.full_like(parts[6], 0.1)  # must push all the time
    _, _, report = solved(parts)
    assert report[OUTCOME] in (NO_PACE, NO_START)
    _, _, report = solved(random_rows(0), ends=(1e6, 0.0))
    assert report[OUTCOME] == NO_START
    _, _, report = solved(random_rows(0), ends=(0.0, 1e6))
    assert report[OUTCOME] == NO_START
