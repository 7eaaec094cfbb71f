"""A shorter path through the nodes of a free one: Dijkstra on all edges between them, checked only where they are used.

Leutenegger 2008, section 7.7: the shortest path in the complete graph of m nodes without the direct edge; its edges that were not
checked yet are, and one that hits is deleted; then again. Edges of the given path are never deleted, so the last resort is
that path itself, and at most n_d = m (m - 3) / 2 edges go (equation 7.14, checked by erratum E14). Then every edge gets a node
in its middle and all is repeated while that gains more than a threshold. Cost is the 2-norm of joint differences over speeds.
With a payload whose angle depends on the past, every path is followed from the start on; an edge of the given path may fail
behind another beginning: then the last edge before it that is not of that path is deleted. What the last path had in common with
the next from the start on is not followed again.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.planning.planners.kernels.carried import holds_payload
from carpal.planning.planners.kernels.edges import arrives, edge_free
from carpal.planning.planners.kernels.search_state import GAIN, follow_node, has_loops, joint_apart

UNKNOWN, SAFE, GONE = 0.0, 1.0, 2.0
# rows of `paths` [slot, row, node]: cost so far, node before, whether settled, the new path, the path that was followed last
COST, PREVIOUS, SETTLED, PATH, LAST = 0, 1, 2, 3, 4
DIJKSTRA_ROWS = 5
MOST_NODES = 160
_ROUNDS = 8


@leaf
def edge_cost(space, search, a, b, slot):
    """Time-like length of an edge: 2-norm of joint differences over speeds."""
    s = 0.0
    for j in range(search.nodes.shape[2]):
        d = (search.nodes[slot, a, j] - search.nodes[slot, b, j]) * space.cost[j]
        s += d * d
    return math.sqrt(s)


@kernel
def path_cost(space, search, m, slot):
    """Cost of the path through nodes 0 to m - 1."""
    total = 0.0
    for i in range(m - 1):
        total += edge_cost(space, search, i, i + 1, slot)
    return total


@kernel
def _shortest(space, search, graph, dijkstra, m, slot):
    """Dijkstra from node 0 to node m - 1 over edges that are not gone; paths[slot, BEFORE] holds the tree."""
    for i in range(m):
        dijkstra[slot, COST, i], dijkstra[slot, PREVIOUS, i], dijkstra[slot, SETTLED, i] = 1e300, -1.0, 0.0
    dijkstra[slot, COST, 0] = 0.0
    for _ in range(m):
        best, u = 1e299, -1
        for i in range(m):
            if dijkstra[slot, SETTLED, i] == 0.0 and dijkstra[slot, COST, i] < best:
                best, u = dijkstra[slot, COST, i], i
        if u < 0 or u == m - 1:
            return
        dijkstra[slot, SETTLED, u] = 1.0
        for i in range(m):
            if dijkstra[slot, SETTLED, i] == 0.0 and graph[slot, u, i] != GONE:
                cost = best + edge_cost(space, search, u, i, slot)
                if cost < dijkstra[slot, COST, i] * (1.0 - 1e-12):  # equal paths: the one with fewer edges stays
                    dijkstra[slot, COST, i], dijkstra[slot, PREVIOUS, i] = cost, u


@kernel
def _path_free(space, scene, search, graph, dijkstra, m, world, slot):
    """Check the unknown edges of the found path; False where one hit, which is then gone."""
    b = m - 1
    while b > 0:
        a = int(dijkstra[slot, PREVIOUS, b])
        if graph[slot, a, b] == UNKNOWN:
            free = edge_free(space, scene, search, a, b, joint_apart(search, a, b, slot), world, -1, slot)
            state = SAFE if free else GONE
            graph[slot, a, b], graph[slot, b, a] = state, state
            if not free:
                return False
        b = a
    return True


@kernel
def _path_free_in_time(space, scene, search, graph, dijkstra, m, world, slot):
    """Follow the found path from the start: 1 where it is free, 0 where an edge is gone now, -1 where only the given is left."""
    count, b = 0, m - 1
    while b >= 0:
        dijkstra[slot, PATH, count] = b
        count += 1
        b = int(dijkstra[slot, PREVIOUS, b])
    same = True
    for k in range(1, count):
        a, b = int(dijkstra[slot, PATH, count - k]), int(dijkstra[slot, PATH, count - 1 - k])
        if same and dijkstra[slot, LAST, k - 1] == b:
            continue  # its set is still there
        same = False
        dijkstra[slot, LAST, k - 1] = -1.0
        free = edge_free(space, scene, search, a, b, joint_apart(search, a, b, slot), world, -1, slot)
        if free and (k < count - 1 or arrives(scene, search, b, slot)):
            dijkstra[slot, LAST, k - 1] = b
            dijkstra[slot, LAST, k] = -1.0
            continue
        while graph[slot, a, b] == SAFE and k > 1:  # an edge of the given path: what came before it is to blame
            k -= 1
            a, b = int(dijkstra[slot, PATH, count - k]), int(dijkstra[slot, PATH, count - 1 - k])
        if graph[slot, a, b] == SAFE:
            return -1
        graph[slot, a, b], graph[slot, b, a] = GONE, GONE
        return 0
    return 1


@leaf
def _keep_path(search, dijkstra, m, slot):
    """Move the nodes of the found path to the front; returns how many they are."""
    count, b = 0, m - 1
    while b >= 0:
        dijkstra[slot, PATH, count] = b
        count += 1
        b = int(dijkstra[slot, PREVIOUS, b])
    for k in range(count):  # the path is in rising order of steps, not of nodes: copy through spare rows
        node = int(dijkstra[slot, PATH, count - 1 - k])
        for j in range(search.nodes.shape[2]):
            search.nodes[slot, MOST_NODES + k, j] = search.nodes[slot, node, j]
    for k in range(count):
        for j in range(search.nodes.shape[2]):
            search.nodes[slot, k, j] = search.nodes[slot, MOST_NODES + k, j]
    return count


@leaf
def _halve_edges(space, search, m, slot):
    """A node in the middle of every edge."""
    for i in range(m - 1, -1, -1):
        for j in range(search.nodes.shape[2]):
            search.nodes[slot, 2 * i, j] = search.nodes[slot, i, j]
    for i in range(1, 2 * m - 2, 2):
        for j in range(search.nodes.shape[2]):
            search.nodes[slot, i, j] = 0.5 * (search.nodes[slot, i - 1, j] + search.nodes[slot, i + 1, j])
        follow_node(space, search, i, slot)
    return 2 * m - 1


@kernel
def _one_round(space, scene, search, graph, dijkstra, m, halved, world, slot):
    """(nodes of the shorter path, edges deleted) for the path through nodes 0 to m - 1."""
    for i in range(m):
        for k in range(m):
            graph[slot, i, k] = SAFE if abs(i - k) == 1 else UNKNOWN
            if halved and abs(i - k) == 1 and has_loops(space):
                graph[slot, i, k] = UNKNOWN  # its new node may not close
            if halved and abs(i - k) == 2 and min(i, k) % 2 == 0:
                graph[slot, i, k] = SAFE  # an edge of the path before it was halved
    graph[slot, 0, m - 1] = graph[slot, m - 1, 0] = GONE
    deleted = 0
    dijkstra[slot, LAST, 0] = -1.0
    while holds_payload(scene):
        _shortest(space, search, graph, dijkstra, m, slot)
        free = _path_free_in_time(space, scene, search, graph, dijkstra, m, world, slot)
        if free > 0:
            return _keep_path(search, dijkstra, m, slot), deleted
        if free < 0:
            return m, deleted
        deleted += 1
    while True:
        _shortest(space, search, graph, dijkstra, m, slot)
        if _path_free(space, scene, search, graph, dijkstra, m, world, slot):
            return _keep_path(search, dijkstra, m, slot), deleted
        deleted += 1


@kernel
def shorten(space, scene, search, graph, dijkstra, m, world, slot):
    """Shorten the free path through nodes 0 to m - 1 in place.

    Returns (nodes, edges deleted, the least number of edges left to delete of any round's bound n_d: never below zero).
    """
    if m < 3:
        return m, 0, 0
    if edge_free(space, scene, search, 0, m - 1, joint_apart(search, 0, m - 1, slot), world, -1, slot) and arrives(
        scene, search, m - 1, slot
    ):
        for j in range(search.nodes.shape[2]):
            search.nodes[slot, 1, j] = search.nodes[slot, m - 1, j]
        return 2, 0, 0
    deleted, left = 0, 1 << 40
    cost = path_cost(space, search, m, slot)
    for round_ in range(_ROUNDS):
        halved = round_ > 0
        if halved:
            if 2 * m - 1 > MOST_NODES:
                break
            m = _halve_edges(space, search, m, slot)
        nodes = m
        m, gone = _one_round(space, scene, search, graph, dijkstra, m, halved, world, slot)
        deleted += gone
        left = min(left, nodes * (nodes - 3) // 2 - gone)
        now = path_cost(space, search, m, slot)
        if halved and cost - now < space.numbers[GAIN] * cost:
            break
        cost = now
    return m, deleted, left


@kernel
def thin_out(space, scene, search, m, world, slot):
    """Drop every second node whose neighbours see each other, until the path fits; returns how many nodes are left."""
    while m > MOST_NODES and not holds_payload(scene):
        kept, i = 1, 1
        while i < m:
            last = i == m - 1
            for j in range(search.nodes.shape[2]):
                search.nodes[slot, kept, j] = search.nodes[slot, i, j]
            if not last:
                far = joint_apart(search, kept - 1, i + 1, slot)
                if edge_free(space, scene, search, kept - 1, i + 1, far, world, -1, slot):
                    for j in range(search.nodes.shape[2]):
                        search.nodes[slot, kept, j] = search.nodes[slot, i + 1, j]
                    i += 1
            kept += 1
            i += 1
        if kept == m:
            return m
        m = kept
    return m
