"""Random numbers by counting: the same (seed, counter) gives the same number, in any order, on any device.

The finaliser of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014) scrambles the
counter; Box and Muller (1958) make a normal number of two uniform ones. Kernels keep no generator state, so a world's
noise does not depend on how worlds are shared out.
"""

import math

import numpy as np

from carpal._core.compile import leaf

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31, _11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)


@leaf
def _scrambled(x):
    x = (x ^ (x >> _30)) * _FIRST
    x = (x ^ (x >> _27)) * _SECOND
    return x ^ (x >> _31)


@leaf
def uniform(seed, counter):
    """A number in (0, 1) for two whole numbers, zero or above (as float64 or integers)."""
    x = _scrambled(np.uint64(seed) * _GOLDEN + _GOLDEN)
    x = _scrambled(x + (np.uint64(counter) + np.uint64(1)) * _GOLDEN)
    return (np.float64(x >> _11) + 0.5) * (1.0 / 9007199254740992.0)


@leaf
def normal(seed, counter):
    """A normal number of mean 0 and deviation 1; takes the uniform numbers 2 counter and 2 counter + 1."""
    a, b = uniform(seed, 2 * counter), uniform(seed, 2 * counter + 1)
    return math.sqrt(-2.0 * math.log(a)) * math.cos(2.0 * math.pi * b)
