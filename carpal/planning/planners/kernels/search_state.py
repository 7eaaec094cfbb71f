"""What a planner's search holds: the scene, the numbers that steer it, its two trees, and random numbers by counting.

Whole numbers live in float64 arrays, because scratch on every device is float64. Node 0 is the start, node 1 the goal.
"""

from typing import NamedTuple

import numpy as np

from carpal._core.compile import kernel, leaf
from carpal.kinematics.kernels.closure import Closure as _Closure
from carpal.kinematics.kernels.closure import close
from carpal.kinematics.kernels.constraints import put_followers
from carpal.model.kernels.constraint_tables import ConstraintTables
from carpal.spatial.kernels.noise import uniform

Closure = _Closure
# columns of `links`: which tree, parent, how often the edge to the parent was halved without a hit, its length in the largest
# joint [rad, m], and the next node of the same cell
TREE, PARENT, LEVEL, LENGTH, NEXT = 0, 1, 2, 3, 4
LINKS = 5
# columns of `counts`: nodes, samples, collision checks, random numbers taken, the pair that hit last, projected joints, tree
# sizes at the last choice of these, the angle at which a payload was grasped, the one at which
# it touched last, and whether loops are open, or dependent joints beyond their limits, at search.q
NODES, SAMPLES, CHECKS, DRAWN, HIT, FIRST_JOINT, SECOND_JOINT, SIZED, GRASP, WORST = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
OPEN = 10
COUNTS = 11
# entries of `numbers`: largest joint step between two checks, neighbourhood (share of each joint's range), most samples,
# longest extension (share), how many trees grow (1 or 2), whether to simplify, least gain worth another round
RESOLUTION, RHO, MOST, EXTEND, GROWING, SIMPLIFY, GAIN = 0, 1, 2, 3, 4, 5, 6
NUMBERS = 7
START, GOAL = 0, 1
CLOSING_STEPS = 30
CLOSED = 1e-9
"""Residual [m, rad] up to which loops count as closed."""
_BEYOND = 1e-9  # [rad, m] beyond a limit that is rounding


class SceneTables(NamedTuple):
    """Tables of a scene (`contact/kernels/kinds.py`), the margin [m] within which shapes count as touching, and what is carried.

    payload, holding: of `payload/kernels/angle_set.py`; a payload of one number is none.
    """

    joints: np.ndarray
    bodies: np.ndarray
    shapes: np.ndarray
    groups: np.ndarray
    blocks: np.ndarray
    pairs: np.ndarray
    points: np.ndarray
    normals: np.ndarray
    boxes: np.ndarray
    margin: float
    payload: np.ndarray
    holding: np.ndarray


class Ties(NamedTuple):
    """Couplings and loops, which every configuration that a search makes satisfies.

    joints, bodies: of the model; drawn (nq): 0 where a joint closes a loop, 1 where it is drawn at random; last [slot, joint]:
    the configuration before along an edge; closing: scratch of `close`.
    """

    joints: np.ndarray
    bodies: np.ndarray
    constraints: ConstraintTables
    drawn: np.ndarray
    last: np.ndarray
    closing: Closure


class Space(NamedTuple):
    """Limits [rad, m] (finite), what a joint's motion costs, the steering numbers, and what ties joints to each other."""

    q_min: np.ndarray
    q_max: np.ndarray
    cost: np.ndarray
    numbers: np.ndarray
    ties: Ties


class SpaceTables(NamedTuple):
    """A `Space` without scratch; see `Ties`."""

    q_min: np.ndarray
    q_max: np.ndarray
    cost: np.ndarray
    numbers: np.ndarray
    constraints: ConstraintTables
    drawn: np.ndarray


class PlanQuery(NamedTuple):
    """Starts and goals [world, joint]; seeds[world]: seed, and of a payload the angle at the start and its uncertainty [rad]."""

    start_q: np.ndarray
    goal_q: np.ndarray
    seeds: np.ndarray


class PlanOutput(NamedTuple):
    """path [world, node, joint]; report [world, REPORT]; blame [world, tree, pair]; record [world, check, joint and cell]."""

    path: np.ndarray
    report: np.ndarray
    blame: np.ndarray
    record: np.ndarray


class ShorteningScratch(NamedTuple):
    """Edges [slot, node, node] and rows of Dijkstra's algorithm [slot, row, node]; see `lazy_dijkstra.py`."""

    graph: np.ndarray
    dijkstra: np.ndarray


class PayloadScratch(NamedTuple):
    """The sets of a payload; see `Search`."""

    sets: np.ndarray
    angles: np.ndarray
    speeds: np.ndarray


class PlanScratch(NamedTuple):
    """A slot's scratch; see `Search`."""

    nodes: np.ndarray
    links: np.ndarray
    cells: np.ndarray
    chain: np.ndarray
    counts: np.ndarray
    q: np.ndarray
    placed: np.ndarray
    work: np.ndarray
    shortening: ShorteningScratch
    payload: PayloadScratch
    last: np.ndarray
    closing: Closure


class Search(NamedTuple):
    """A slot's search: its scratch, and the blame that it writes.

    nodes [slot, node, joint]; links [slot, node, LINKS]; cells [slot, 2 x tree (first node, count), cell]; chain [slot, node];
    counts [slot, COUNTS]; q [slot, joint] the configuration to check, a payload's angle last; placed, work: of
    collision checks; blame [world, tree, pair]: how often a pair stopped what left from a tree's root.
    Of a payload: sets [slot, node, STORED], the set with which a node is reached; angles: the present set; speeds [slot, pairs
    and blocks]: how far they move against each other along the present edge.
    """

    nodes: np.ndarray
    links: np.ndarray
    cells: np.ndarray
    chain: np.ndarray
    counts: np.ndarray
    q: np.ndarray
    placed: np.ndarray
    work: np.ndarray
    blame: np.ndarray
    sets: np.ndarray
    angles: np.ndarray
    speeds: np.ndarray


@leaf
def draw(search, seed, slot):
    """The next random number in (0, 1)."""
    number = uniform(seed, search.counts[slot, DRAWN])
    search.counts[slot, DRAWN] += 1.0
    return number


@leaf
def draw_joint(space, search, seed, sample, j, slot):
    """Draw a joint of a sample within its limits; what closes a loop begins where the start has it."""
    x = draw(search, seed, slot)
    if space.ties.drawn[j] > 0.0:
        search.nodes[slot, sample, j] = space.q_min[j] + x * (space.q_max[j] - space.q_min[j])
    else:
        search.nodes[slot, sample, j] = search.nodes[slot, START, j]


@leaf
def draw_below(search, seed, n, slot):
    """The next random whole number from 0 to n - 1."""
    return min(int(draw(search, seed, slot) * n), n - 1)


@leaf
def add_node(search, tree, parent, length, slot):
    """Put search.q[slot] into a tree; returns its number, or -1 where the trees are full."""
    row = int(search.counts[slot, NODES])
    if row >= search.nodes.shape[1]:
        return -1
    for j in range(search.nodes.shape[2]):
        search.nodes[slot, row, j] = search.q[slot, j]
    search.links[slot, row, TREE] = tree
    search.links[slot, row, PARENT] = parent
    search.links[slot, row, LEVEL] = 0.0
    search.links[slot, row, LENGTH] = length
    search.links[slot, row, NEXT] = -1.0
    search.counts[slot, NODES] += 1.0
    return row


@leaf
def has_loops(space):
    """Whether joints close loops."""
    return space.ties.constraints.loops.shape[0] > 0


@kernel
def _close_loops(space, search, slot):
    """Move dependent joints of search.q[slot] to where couplings and loops have them; counts[slot, OPEN] where they cannot."""
    ties = space.ties
    left, _ = close(ties.joints, ties.bodies, ties.constraints, search.q, ties.closing, CLOSING_STEPS, slot)
    closed = left <= CLOSED
    for j in range(search.nodes.shape[2]):
        inside = space.q_min[j] - _BEYOND <= search.q[slot, j] <= space.q_max[j] + _BEYOND
        closed = closed and inside
    search.counts[slot, OPEN] = 0.0 if closed else 1.0


@leaf
def follow(space, search, slot):
    """Put the dependent joints of search.q[slot] where couplings and loops have them."""
    if has_loops(space):
        _close_loops(space, search, slot)
    elif space.ties.constraints.couplings.shape[0] > 0:
        put_followers(space.ties.constraints.couplings, search.q, slot)


@kernel
def follow_node(space, search, node, slot):
    """Put the dependent joints of a node where couplings and loops have them; search.q[slot] is used."""
    if has_loops(space) or space.ties.constraints.couplings.shape[0] > 0:
        for j in range(search.nodes.shape[2]):
            search.q[slot, j] = search.nodes[slot, node, j]
        follow(space, search, slot)
        for j in range(search.nodes.shape[2]):
            search.nodes[slot, node, j] = search.q[slot, j]


@leaf
def share_apart(space, search, a, b, slot):
    """Distance of two nodes: the largest joint difference as a share of that joint's range."""
    far = 0.0
    for j in range(search.nodes.shape[2]):
        width = space.q_max[j] - space.q_min[j]
        far = max(far, abs(search.nodes[slot, a, j] - search.nodes[slot, b, j]) / width)
    return far


@leaf
def joint_apart(search, a, b, slot):
    """The largest joint difference of two nodes [rad, m]."""
    far = 0.0
    for j in range(search.nodes.shape[2]):
        far = max(far, abs(search.nodes[slot, a, j] - search.nodes[slot, b, j]))
    return far


@leaf
def nearest_node(space, search, tree, node, slot):
    """(the node of a tree nearest to another node, how near), in shares of the joints' ranges."""
    best, found = 1e300, -1
    for k in range(int(search.counts[slot, NODES])):
        if search.links[slot, k, TREE] == tree:
            far = share_apart(space, search, k, node, slot)
            if far < best:
                best, found = far, k
    return found, best
