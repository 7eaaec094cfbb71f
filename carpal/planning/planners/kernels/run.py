"""One question to a planner, from the look at start and goal to the shortened way: the entry of all planners."""

from carpal._core.compile import entry, kernel
from carpal.contact.kernels.kinds import PLACED_COLUMNS
from carpal.contact.kernels.pair import PAIR_SCRATCH
from carpal.kinematics.kernels.state import all_finite
from carpal.planning.payload.kernels.angle_set import CELLS, STANDING, STATE, WAITING, clear_set, rest_between, step_set
from carpal.planning.payload.kernels.stored_set import store_set
from carpal.planning.planners.kernels.carried import carry_edge, gravity_at, holds_payload, set_touches
from carpal.planning.planners.kernels.edges import arrives, edge_free, is_free
from carpal.planning.planners.kernels.est import search_est
from carpal.planning.planners.kernels.lazy_dijkstra import MOST_NODES, shorten, thin_out, way_cost
from carpal.planning.planners.kernels.rrt_connect import search_rrt
from carpal.planning.planners.kernels.rrt_in_time import search_in_time
from carpal.planning.planners.kernels.sbl import search_sbl
from carpal.planning.planners.kernels.search_state import (
    CHECKS,
    COUNTS,
    GOAL,
    GRASP,
    HIT,
    NODES,
    SAMPLES,
    SIMPLIFY,
    START,
    TREE,
    WORST,
    Search,
    Space,
    Surroundings,
    add_node,
    joint_apart,
)

SBL, EST, RRT, GIVEN = 0, 1, 2, 3
# columns of a report: what came out, nodes of the way, samples, collision checks, nodes of both trees, the pair that touches at
# the start or the goal (or where a given way hits: then also the edge), cost before and after shortening, edges deleted, what
# the bound on them left, whether the way was too long to shorten, looks recorded of a given way with a payload
OUTCOME, PATH, TRIED, LOOKS, START_NODES, GOAL_NODES, PAIR, EDGE, COST_BEFORE, COST_AFTER, DELETED, LEFT, LONG = range(
    13
)
RECORDED = 13
REPORT = 14
CHECK_SCRATCH = (
    PLACED_COLUMNS,
    PAIR_SCRATCH,
)  # columns of a placed row, and the second scratch array, of collision checks
FOUND, EXHAUSTED, FULL, START_TOUCHES, GOAL_TOUCHES, WAY_TOUCHES, TOO_LONG, UNKNOWN_END = 0, 1, 2, 3, 4, 5, 6, 7


@kernel
def _begin(search, start_q, goal_q, world, slot):
    """Both trees with their roots."""
    for k in range(COUNTS):
        search.counts[slot, k] = 0.0
    for tree in range(2):
        for pair in range(search.blame.shape[2]):
            search.blame[world, tree, pair] = 0.0
    for j in range(search.nodes.shape[2], search.q.shape[1]):
        search.q[slot, j] = 0.0  # a payload's angle
    search.counts[slot, WORST] = 1e9
    for tree in range(2):
        for j in range(search.nodes.shape[2]):
            search.q[slot, j] = start_q[world, j] if tree == START else goal_q[world, j]
        add_node(search, tree, -1, 0.0, slot)


@kernel
def _grasp(around, search, grasp, spread, slot):
    """The set at the start, node 0; returns the pair that touches for one of its angles, or -1."""
    search.counts[slot, GRASP] = grasp
    clear_set(search.angles, slot)
    rest_between(search.angles, grasp - spread, grasp + spread, slot)
    for j in range(search.nodes.shape[2]):
        search.q[slot, j] = search.nodes[slot, START, j]
    g = gravity_at(around, search, slot)
    step_set(around.payload, around.holding, search.angles, g, g, STANDING, slot)
    store_set(search.angles, search.sets, START, slot)
    pair, _ = set_touches(around, search, 0.0, slot)
    return pair


@kernel
def _look_for_way(space, around, search, method, seeds, start_q, goal_q, report, world, slot):
    """How many nodes the chain of a way has, or 0; report[world, OUTCOME] says why not."""
    _begin(search, start_q, goal_q, world, slot)
    for tree in range(2):
        for j in range(search.nodes.shape[2]):
            search.q[slot, j] = search.nodes[slot, tree, j]
        if not is_free(around, search, world, -1, slot):
            report[world, OUTCOME] = START_TOUCHES if tree == START else GOAL_TOUCHES
            report[world, PAIR] = search.counts[slot, HIT]
            return 0
    if holds_payload(around):
        pair = _grasp(around, search, seeds[world, 1], seeds[world, 2], slot)
        if pair >= 0:
            report[world, OUTCOME], report[world, PAIR] = START_TOUCHES, pair
            return 0
    seed = seeds[world, 0]
    if edge_free(
        space, around, search, START, GOAL, joint_apart(search, START, GOAL, slot), world, -1, slot
    ) and arrives(around, search, GOAL, slot):
        search.chain[slot, 0], search.chain[slot, 1] = START, GOAL
        return 2
    if method == SBL:
        count = search_sbl(space, around, search, seed, world, slot)
    elif method == EST:
        count = search_est(space, around, search, seed, world, slot)
    elif holds_payload(around):
        count = search_in_time(space, around, search, seed, world, slot)
    else:
        count = search_rrt(space, around, search, seed, world, slot)
    if count <= 0:
        report[world, OUTCOME] = EXHAUSTED if count == 0 else FULL
    return max(count, 0)


@kernel
def _given_way_free(space, around, search, path, report, record, m, world, slot):
    """Whether a way that was given is free; its nodes go to the front rows. With a payload its sets are recorded."""
    written = 0
    for i in range(m):
        for j in range(search.nodes.shape[2]):
            search.nodes[slot, i, j] = path[world, i, j]
            search.q[slot, j] = path[world, i, j]
        free = is_free(around, search, world, -1, slot)
        if free and i > 0:
            far = joint_apart(search, i - 1, i, slot)
            if holds_payload(around):
                done, written = carry_edge(
                    space, around, search, i - 1, i, far, world, -1, record, world, written, slot
                )
                free = done == 1.0
                report[world, RECORDED] = written
            else:
                free = edge_free(space, around, search, i - 1, i, far, world, -1, slot)
        if not free:
            report[world, OUTCOME], report[world, PAIR], report[world, EDGE] = WAY_TOUCHES, search.counts[slot, HIT], i
            return False
    known = arrives(around, search, m - 1, slot)
    if holds_payload(around) and written + 1 < record.shape[1]:
        for r in range(CELLS):  # the last rows: the set after waiting at the end, and all that it was meanwhile
            record[world, written, search.nodes.shape[2] + r] = search.angles[slot, STATE, r]
            record[world, written + 1, search.nodes.shape[2] + r] = search.angles[slot, WAITING, r]
    if not known:
        report[world, OUTCOME] = UNKNOWN_END
        if search.counts[slot, HIT] >= 0.0:
            report[world, OUTCOME], report[world, PAIR], report[world, EDGE] = (
                WAY_TOUCHES,
                search.counts[slot, HIT],
                m - 1,
            )
    return known


@kernel
def _chain_to_front(search, path, count, world, slot):
    """Nodes of the chain to the front rows, by way of the output."""
    for i in range(count):
        node = int(search.chain[slot, i])
        for j in range(search.nodes.shape[2]):
            path[world, i, j] = search.nodes[slot, node, j]
    for i in range(count):
        for j in range(search.nodes.shape[2]):
            search.nodes[slot, i, j] = path[world, i, j]


@kernel
def _way_free(space, around, search, m, world, slot):
    """Whether the way through nodes 0 to m - 1 is free where its own edges are looked at."""
    for i in range(m - 1):
        if not edge_free(space, around, search, i, i + 1, joint_apart(search, i, i + 1, slot), world, -1, slot):
            return False
    return arrives(around, search, m - 1, slot)


@kernel
def _finish(space, around, search, graph, ways, path, report, found, world, slot):
    """Shorten where asked, and write the way; path[world] holds what was found.

    Parts of edges that were looked at as a whole are free between looks only as far as the resolution tells: the shortened
    way is looked at once more by itself, and where that meets something the way stays as it was found.
    """
    m = found
    report[world, COST_BEFORE] = way_cost(space, search, m, slot)
    if space.numbers[SIMPLIFY] > 0.0:
        m = thin_out(space, around, search, m, world, slot)
        if m <= MOST_NODES:
            m, deleted, left = shorten(space, around, search, graph, ways, m, world, slot)
            report[world, DELETED], report[world, LEFT] = deleted, left
        else:
            report[world, LONG] = 1.0
        if not _way_free(space, around, search, m, world, slot):
            m = found
            for i in range(m):
                for j in range(search.nodes.shape[2]):
                    search.nodes[slot, i, j] = path[world, i, j]
    report[world, COST_AFTER] = way_cost(space, search, m, slot)
    report[world, PATH] = m
    for i in range(m):
        for j in range(search.nodes.shape[2]):
            path[world, i, j] = search.nodes[slot, i, j]
    report[world, OUTCOME] = FOUND


@entry
def plan_batch(
    joints, bodies, shapes, groups, blocks, pairs, points, normals, boxes, margin, q_min, q_max, cost, numbers, method,
    payload, holding, start_q, goal_q, seeds, path, report, blame, record, nodes, links, cells, chain, counts, q, graph,
    ways, placed, work, sets, angles, speeds, start, stop, stride, slot,
):  # fmt: skip
    """A way for every world; for GIVEN, report[world, PATH] says how many nodes path[world] holds.

    seeds[world]: seed; of a payload the angle at the start and its uncertainty [rad].
    """
    around = Surroundings(
        joints, bodies, shapes, groups, blocks, pairs, points, normals, boxes, margin, payload, holding
    )
    space = Space(q_min, q_max, cost, numbers)
    search = Search(nodes, links, cells, chain, counts, q, placed, work, blame, sets, angles, speeds)
    bad = 0
    for world in range(start, stop, stride):
        given = int(report[world, PATH]) if method == GIVEN else 0
        for k in range(REPORT):
            report[world, k] = 0.0
        report[world, PAIR] = -1.0
        if not all_finite(start_q, world) or not all_finite(goal_q, world):
            bad = world + 1 if bad == 0 else bad
            continue
        if method == GIVEN:
            _begin(search, start_q, goal_q, world, slot)
            if holds_payload(around):
                pair = _grasp(around, search, seeds[world, 1], seeds[world, 2], slot)
                if pair >= 0:
                    report[world, OUTCOME], report[world, PAIR] = START_TOUCHES, pair
                    continue
            if _given_way_free(space, around, search, path, report, record, given, world, slot):
                _finish(space, around, search, graph, ways, path, report, given, world, slot)
        else:
            m = _look_for_way(space, around, search, method, seeds, start_q, goal_q, report, world, slot)
            for k in range(int(search.counts[slot, NODES])):
                report[world, START_NODES if search.links[slot, k, TREE] == START else GOAL_NODES] += 1.0
            if m > path.shape[1]:
                report[world, OUTCOME] = TOO_LONG
            elif m > 0:
                _chain_to_front(search, path, m, world, slot)
                _finish(space, around, search, graph, ways, path, report, m, world, slot)
        report[world, TRIED], report[world, LOOKS] = search.counts[slot, SAMPLES], search.counts[slot, CHECKS]
    return bad
