"""A fixed exhaustive search for paths with a payload, only for tests: one large roadmap, searched forward with the set carried.

The nodes are random configurations at which the arm alone is free, the same for all questions; each is joined to its nearest.
From the start on, the most promising edge comes first (way so far plus the distance left); it is followed with the set that its
beginning was reached with. A node that is reached again with a narrower set is opened again. It ends when the goal is reached
with the payload's angle known, when nothing is left to try, or after `most` edges.
"""

from __future__ import annotations

import numpy as np
from planner_inputs import no_ties
from scipy.spatial import cKDTree

from carpal._core.compile import entry, kernel
from carpal.contact import collides
from carpal.kinematics import random_configurations
from carpal.planning.payload.kernels import angle_set
from carpal.planning.payload.kernels.angle_set import CELLS, STATE
from carpal.planning.payload.kernels.stored_set import STORED
from carpal.planning.planners.kernels import run
from carpal.planning.planners.kernels.carried import carry_edge, ends_known
from carpal.planning.planners.kernels.search_state import COUNTS, LINKS, SceneTables, Search, Space, joint_apart
from carpal.planning.planners.search_settings import SearchSettings, joint_costs

NEAR = 12  # neighbours of a node; twice as many of start and goal
SOLVED, EDGES, OPENED, LENGTH = 0, 1, 2, 3


@kernel
def _push(heap, size, key, edge):
    """A binary heap of (key, from, to)."""
    i = size
    while i > 0:
        up = (i - 1) // 2
        if heap[up, 0] <= key:
            break
        for k in range(3):
            heap[i, k] = heap[up, k]
        i = up
    heap[i, 0], heap[i, 1], heap[i, 2] = key, edge[0], edge[1]
    return size + 1


@kernel
def _pop(heap, size):
    key, a, b = heap[0, 0], heap[0, 1], heap[0, 2]
    size -= 1
    last, x, y = heap[size, 0], heap[size, 1], heap[size, 2]
    i = 0
    while 2 * i + 1 < size:
        down = 2 * i + 1
        if down + 1 < size and heap[down + 1, 0] < heap[down, 0]:
            down += 1
        if heap[down, 0] >= last:
            break
        for k in range(3):
            heap[i, k] = heap[down, k]
        i = down
    heap[i, 0], heap[i, 1], heap[i, 2] = last, x, y
    return key, int(a), int(b), size


@kernel
def _cost(space, search, a, b):
    s = 0.0
    for j in range(search.nodes.shape[2]):
        d = (search.nodes[0, a, j] - search.nodes[0, b, j]) * space.cost[j]
        s += d * d
    return s**0.5


@entry
def roadmap_search(
    joints, bodies, shapes, groups, blocks, pairs, points, normals, boxes, margin, q_min, q_max, cost, numbers, ties,
    payload, holding, near, seeds, answer, nodes, links, cells, chain, counts, q, placed, work, blame, sets, angles, speeds, heap,
    reached, most, start, stop, stride, slot,
):  # fmt: skip
    """answer: SOLVED ...; node 0 is the start, 1 the goal; near (nodes, k) neighbours, -1 where there are fewer."""
    tables = SceneTables(
        joints, bodies, shapes, groups, blocks, pairs, points, normals, boxes, margin, payload, holding
    )
    space = Space(q_min, q_max, cost, numbers, ties)
    search = Search(nodes, links, cells, chain, counts, q, placed, work, blame, sets, angles, speeds)
    size, tried, opened = 0, 0, 0
    for j in range(q.shape[1]):
        q[0, j] = 0.0
    pair = run._grasp(tables, search, seeds[0, 1], seeds[0, 2], 0)
    if pair >= 0:
        answer[0, SOLVED] = -1.0
        return 0
    reached[0, 0], reached[0, 1] = 0.0, 0.0
    for k in range(near.shape[1]):
        if near[0, k] >= 0:
            b = near[0, k]
            size = _push(heap, size, _cost(space, search, 0, b) + _cost(space, search, b, 1), (0.0, float(b)))
    while size > 0 and tried < most:
        _key, a, b, size = _pop(heap, size)
        tried += 1
        done, _ = carry_to(space, tables, search, a, b, nodes.shape[1] - 1)
        if done < 1.0:
            continue
        width = 0.0
        for r in range(CELLS):
            width += 1.0 if angles[0, STATE, r] > 0.0 else 0.0
        way = reached[a, 0] + _cost(space, search, a, b)
        if b == 1:
            for k in range(STORED):
                sets[0, 1, k] = sets[0, nodes.shape[1] - 1, k]
            if ends_known(tables, search, 1, 0):
                answer[0, SOLVED], answer[0, EDGES], answer[0, OPENED], answer[0, LENGTH] = 1.0, tried, opened, way
                return 0
            continue
        if reached[b, 1] < 1e299 and width > reached[b, 1] - 4.0:
            continue
        opened += 1
        reached[b, 0], reached[b, 1] = way, width
        for k in range(STORED):
            sets[0, b, k] = sets[0, nodes.shape[1] - 1, k]
        for k in range(near.shape[1]):
            c = near[b, k]
            if c >= 0 and c != a and size < heap.shape[0] - 1:
                size = _push(
                    heap, size, way + _cost(space, search, b, c) + _cost(space, search, c, 1), (float(b), float(c))
                )
    answer[0, SOLVED], answer[0, EDGES], answer[0, OPENED] = 0.0, tried, opened
    return 0


@kernel
def carry_to(space, tables, search, a, b, spare):
    """Follow the edge from a to b; the set that arrives goes to a spare node, which has b's place."""
    for j in range(search.nodes.shape[2]):
        search.nodes[0, spare, j] = search.nodes[0, b, j]
    return carry_edge(space, tables, search, a, spare, joint_apart(search, a, spare, 0), 0, -1, search.sets, -1, 0, 0)


class Roadmap:
    """The nodes and the scratch of one search; `solve(start, goal, angle)`."""

    def __init__(self, scene, count=100_000, seed=0, resolution=0.02):
        self.scene, model = scene, scene.model
        rng_seed, found = seed, []
        while sum(len(q) for q in found) < count:
            q = random_configurations(model, 50_000, seed=rng_seed)
            found.append(q[~collides(model, q).hit])
            rng_seed += 1
        self.q = np.concatenate(found)[:count]
        self.scale = 1.0 / (model.q_max - model.q_min)
        self.tree = cKDTree(self.q * self.scale)
        _, near = self.tree.query(self.q * self.scale, NEAR + 1, p=np.inf)
        n, tables = count + 3, scene.tables
        self.near = np.full((n, 2 * NEAR), -1, np.int64)
        self.near[2 : count + 2, :NEAR] = near[:, 1:] + 2
        settings = SearchSettings.of("rrt_connect", resolution, max_samples=1, forward=True, simplify=False)
        self.constants = (
            *tables.constants, scene.margin, np.array(model.q_min), np.array(model.q_max), joint_costs(model), settings.numbers,
            no_ties(tables.model.nq, tables.model.tables), scene.numbers, scene.payload.holding,
        )  # fmt: skip
        self.nodes = np.zeros((1, n, model.nq))
        self.nodes[0, 2 : count + 2] = self.q
        self.scratch = [
            np.zeros((1, *shape)) for shape in (
                (n, LINKS), (1, 1), (1,), (COUNTS,), (tables.model.nq,), (tables.placed_rows, run.CHECK_SCRATCH[0]),
                run.CHECK_SCRATCH[1], (2, len(tables.pairs)), (n, STORED), (angle_set.ROWS, CELLS),
                (len(tables.pairs) + len(tables.blocks),),
            )
        ]  # fmt: skip
        self.heap, self.reached = np.zeros((4_000_000, 3)), np.zeros((n, 2))

    def solve(self, start, goal, angle, spread=0.02, most=100_000):
        """(1 solved, 0 not, -1 the start touches; edges followed; nodes opened; cost of the path)."""
        near, extra = self.near.copy(), 2 * NEAR
        self.nodes[0, 0], self.nodes[0, 1] = start, goal
        _, first = self.tree.query(start * self.scale, extra, p=np.inf)
        near[0] = first + 2
        _, last = self.tree.query(goal * self.scale, extra, p=np.inf)
        near[last + 2, -1] = 1
        near[0, -1] = 1  # the straight path
        self.reached[:] = 1e300
        answer = np.zeros((1, 4))
        roadmap_search(
            *self.constants, near, np.array([[0.0, angle, spread]]), answer, self.nodes, *self.scratch, self.heap,
            self.reached, most, 0, 1, 1, 0,
        )  # fmt: skip
        return int(answer[0, SOLVED]), int(answer[0, EDGES]), int(answer[0, OPENED]), float(answer[0, LENGTH])
