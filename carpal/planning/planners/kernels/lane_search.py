"""What a search in lanes holds: two trees, their nearest neighbours, the edge that is checked, the path."""

from typing import NamedTuple

import numpy as np

from carpal._core.compile import kernel, leaf
from carpal.contact.kernels.lane_tables import LANES
from carpal.spatial.kernels.noise import uniform

# columns of `links`: parent, radius of the neighbourhood in which samples count
PARENT, RADIUS = 0, 1
# entries of `state`: nodes of both trees, samples, checked groups of lanes, random numbers drawn, the tree that grows next,
# nodes of the path, its cost as found
SIZE_A, SIZE_B, SAMPLES, GROUPS, DRAWN, TURN, PATH, FOUND_COST = 0, 1, 2, 3, 4, 5, 6, 7
STATES = 8
# rows of `ends`: where the edge begins, its difference, the fastest and the largest second derivative of each joint on it
FROM, ALONG, SPEED, BEND = 0, 1, 2, 3
# entries of `numbers`: longest extension in the metric, what a radius shrinks by, the least one, random shortcuts that are tried,
# and a margin [m] beyond the scene's
EXTEND, SHRINK, LEAST_RADIUS, SHORTEN, MARGIN = 0, 1, 2, 3, 4
NUMBERS = 5
QUEUE = 1024
BLOCK = 512  # nodes whose distances are found together
_TURN = 6.283185307179586
_ROUND = 6755399441055744.0  # 1.5 * 2**52: adding and subtracting it rounds to the nearest whole number
_ROUND_SINGLE = np.float32(12582912.0)


class LaneSpace(NamedTuple):
    """The joints as a search sees them.

    low, high (nq) [rad, m]; turns (nq): 1 for a continuous joint; scale (nq): the metric's; cost (nq) [s/rad, s/m]; couplings
    as of `model/kernels/constraint_tables.py`; numbers: see above.
    """

    low: np.ndarray
    high: np.ndarray
    turns: np.ndarray
    scale: np.ndarray
    cost: np.ndarray
    couplings: np.ndarray
    numbers: np.ndarray


class LaneSearch(NamedTuple):
    """Scratch of a slot, slot first.

    nodes [tree, node, joint]; keys [tree, joint, node] f32: nodes in the metric; links [tree, node, 2]; far [BLOCK] f32;
    state; ends [4, joint]; queue [2, QUEUE]: intervals that are not decided; path [node, joint]; point [2, joint].
    """

    nodes: np.ndarray
    keys: np.ndarray
    links: np.ndarray
    far: np.ndarray
    state: np.ndarray
    ends: np.ndarray
    queue: np.ndarray
    path: np.ndarray
    point: np.ndarray


@leaf
def draw(search, seed, slot):
    """The next random number in (0, 1)."""
    number = uniform(seed, search.state[slot, DRAWN])
    search.state[slot, DRAWN] += 1.0
    return number


@leaf
def apart(space, j, a, b):
    """From b to a of joint j, the short way round where it is continuous."""
    d = a - b
    if space.turns[j] > 0.0:
        d -= _TURN * ((d / _TURN + _ROUND) - _ROUND)
    return d


@kernel
def add_node(space, search, tree, parent, radius, slot):
    """Put search.point[slot, 0] into a tree; returns its number, or -1 where the tree is full."""
    row = int(search.state[slot, SIZE_A + tree])
    if row >= search.nodes.shape[2]:
        return -1
    for j in range(search.nodes.shape[3]):
        search.nodes[slot, tree, row, j] = search.point[slot, 0, j]
        search.keys[slot, tree, j, row] = np.float32(search.point[slot, 0, j] * space.scale[j])
    search.links[slot, tree, row, PARENT] = parent
    search.links[slot, tree, row, RADIUS] = radius
    search.state[slot, SIZE_A + tree] += 1.0
    return row


@leaf
def _distances(space, search, tree, j, first, count, slot):
    """Add the squares of one joint's differences from search.point[slot, 0] to search.far."""
    x = np.float32(search.point[slot, 0, j] * space.scale[j])
    if space.turns[j] > 0.0:
        turn, back = np.float32(_TURN * space.scale[j]), np.float32(1.0 / (_TURN * space.scale[j]))
        for i in range(count):
            d = search.keys[slot, tree, j, first + i] - x
            d -= turn * ((d * back + _ROUND_SINGLE) - _ROUND_SINGLE)
            search.far[slot, i] += d * d
    else:
        for i in range(count):
            d = search.keys[slot, tree, j, first + i] - x
            search.far[slot, i] += d * d


@kernel
def nearest_node(space, search, tree, slot):
    """(the node of a tree nearest to search.point[slot, 0], its distance in the metric)."""
    size = int(search.state[slot, SIZE_A + tree])
    best, found = np.float32(1e30), 0
    first = 0
    while first < size:
        count = min(BLOCK, size - first)
        for i in range(count):
            search.far[slot, i] = np.float32(0.0)
        for j in range(search.nodes.shape[3]):
            _distances(space, search, tree, j, first, count, slot)
        for i in range(count):
            if search.far[slot, i] < best:
                best, found = search.far[slot, i], first + i
        first += BLOCK
    return found, np.sqrt(np.float64(best))


@leaf
def lanes_of_joint(lanes, j, start, along, slot):
    """Positions and rates of one joint in all lanes."""
    for l in range(LANES):
        lanes.q[slot, j, l] = start + lanes.span[slot, 0, l] * along
    for l in range(LANES):
        lanes.rate[slot, j, l] = along
