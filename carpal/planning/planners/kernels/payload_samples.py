"""Is a configuration without a past worth a node, for an arm with a payload that may turn (Leutenegger 2008, section 7.6.1).

A guess that only steers the search: at pi / 3 from gravity, would the payload stay (then it is checked where it was grasped),
turn (then where gravity hangs it), or maybe (then everywhere between)? The whole path is checked in time order anyway.
"""

import math

from carpal._core.compile import kernel
from carpal.planning.payload.kernels.angle_set import (
    ALPHAS,
    GRAVITY,
    HIGH,
    LOW,
    bound_holding,
    clear_set,
    rest_between,
    wrapped,
)
from carpal.planning.planners.kernels.carried import arm_touches, gravity_at, set_touches
from carpal.planning.planners.kernels.search_state import GRASP

_COLUMN = int(0.75 * ALPHAS)  # cos(pi / 3)


@kernel
def sample_touches(scene, search, slot):
    """The first pair that touches at search.q[slot] with the payload where the guess has it, or -1."""
    g = gravity_at(scene, search, slot)
    z = g[2] / scene.payload[GRAVITY]
    bound_holding(scene.payload, scene.holding, search.angles, 0.0, z, z, slot)
    pull = math.hypot(g[0], g[1]) * math.sin(math.pi / 3.0)
    grasp = search.counts[slot, GRASP]
    hang = grasp + wrapped(math.atan2(g[1], g[0]) - grasp)
    low, high = min(grasp, hang), max(grasp, hang)
    if pull <= search.angles[slot, LOW, _COLUMN]:
        low, high = grasp, grasp
    elif pull > search.angles[slot, HIGH, _COLUMN]:
        low, high = hang, hang
    clear_set(search.angles, slot)
    rest_between(search.angles, low, high, slot)
    pair, _ = set_touches(scene, search, 0.0, slot)
    return pair


@kernel
def guide_touches(scene, search, slot):
    """The first pair that touches at search.q[slot] with the payload hanging, or -1; where friction holds it, the arm alone."""
    g = gravity_at(scene, search, slot)
    z = g[2] / scene.payload[GRAVITY]
    bound_holding(scene.payload, scene.holding, search.angles, 0.0, z, z, slot)
    if math.hypot(g[0], g[1]) * math.sin(math.pi / 3.0) <= search.angles[slot, LOW, _COLUMN]:
        return arm_touches(scene, search, slot)
    hang = math.atan2(g[1], g[0])
    clear_set(search.angles, slot)
    rest_between(search.angles, hang, hang, slot)
    pair, _ = set_touches(scene, search, 0.0, slot)
    return pair
