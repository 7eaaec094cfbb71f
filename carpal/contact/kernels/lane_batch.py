"""Checks of many configurations by spheres, sixteen at a time: the entry behind `SphereChecker`."""

from carpal._core.compile import entry, kernel
from carpal.contact.kernels.lane_checks import HIT, check_lanes
from carpal.contact.kernels.lane_tables import LANES


@kernel
def load_group(q, first, lanes, slot):
    """Sixteen rows of q from `first` on into the lanes; the last row fills lanes that have none."""
    last = q.shape[0] - 1
    for j in range(q.shape[1]):
        for l in range(LANES):
            lanes.q[slot, j, l] = q[min(first + l, last), j]


@entry
def touching_batch(scene, q, found, lanes, start, stop, stride, slot):
    """found[i] = 1 where the spheres of configuration i touch something; worlds are groups of sixteen configurations."""
    for group in range(start, stop, stride):
        first = group * LANES
        load_group(q, first, lanes, slot)
        check_lanes(scene, lanes, 0.0, False, False, slot)
        for l in range(min(LANES, q.shape[0] - first)):
            found[first + l] = lanes.flags[slot, HIT, l]
    return 0
