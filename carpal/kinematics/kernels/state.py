"""Small readers of configurations and velocities, which are indexed [world, component]."""

from carpal._core.compile import leaf
from carpal.model.kernels.tables import BALL, FREE


@leaf
def freedoms(kind):
    """Number of velocity components of a moving joint."""
    if kind == FREE:
        return 6
    return 3 if kind == BALL else 1


@leaf
def vector_of(array, world, first):
    """Three components."""
    return array[world, first], array[world, first + 1], array[world, first + 2]


@leaf
def all_finite(array, world):
    """Whether a row holds neither NaN nor infinity."""
    s = 0.0
    for i in range(array.shape[1]):
        s += 0.0 * array[world, i]
    return s == 0.0
