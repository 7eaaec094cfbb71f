"""Random numbers by counting: uniform, normal, and the same whatever the order."""

import numpy as np
from scipy import stats

from carpal.spatial.kernels.noise import normal, uniform


def test_the_numbers_are_uniform_and_normal() -> None:
    u = np.array([uniform(7, k) for k in range(20_000)])
    assert u.min() > 0 and u.max() < 1
    assert stats.kstest(u, "uniform").pvalue > 0.01
    z = np.array([normal(7, k) for k in range(20_000)])
    assert stats.kstest(z, "norm").pvalue > 0.01
    assert abs(np.corrcoef(z[:-1], z[1:])[0, 1]) < 0.03


def test_seeds_and_counters_are_apart_and_repeat() -> None:
    assert uniform(3, 5) == uniform(3.0, 5) and normal(0, 0) == normal(0, 0)
    grid = {uniform(seed, counter) for seed in range(60) for counter in range(60)}
    assert len(grid) == 3600
    a, b = (np.array([uniform(seed, k) for k in range(4000)]) for seed in (1, 2))
    assert abs(np.corrcoef(a, b)[0, 1]) < 0.06
    assert uniform(float(1 << 52), 1 << 41) != uniform(float(1 << 52) - 1, 1 << 41)
