"""One planning query, from the check of start and goal to the shortened path: the entry of all planners."""

from carpal._core.compile import entry, kernel
from carpal.contact.kernels.kinds import PLACED_COLUMNS
from carpal.contact.kernels.pair import PAIR_SCRATCH
from carpal.kinematics.kernels.state import all_finite
from carpal.planning.payload.kernels.angle_set import CELLS, STANDING, STATE, WAITING, clear_set, rest_between, step_set
from carpal.planning.payload.kernels.stored_set import store_set
from carpal.planning.planners.kernels.carried import carry_edge, gravity_at, holds_payload, set_touches
from carpal.planning.planners.kernels.edges import arrives, edge_free, is_free
from carpal.planning.planners.kernels.est import search_est
from carpal.planning.planners.kernels.lazy_dijkstra import MOST_NODES, path_cost, shorten, thin_out
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
    Ties,
    add_node,
    joint_apart,
)

SBL, EST, RRT, GIVEN = 0, 1, 2, 3
# columns of a report: what came out, nodes of the path, samples, collision checks, nodes of both trees, the pair that touches at
# the start or the goal (or where a given path hits: then also the edge), cost before and after shortening, edges deleted, what
# the bound on them left, whether the path was too long to shorten, checks recorded of a given path with a payload
(
    OUTCOME,
    PATH,
    SAMPLE_COUNT,
    CHECK_COUNT,
    START_NODES,
    GOAL_NODES,
    PAIR,
    EDGE,
    COST_BEFORE,
    COST_AFTER,
    DELETED,
    DELETIONS_LEFT,
    LONG,
) = range(13)
RECORDED = 13
REPORT = 14
CHECK_SCRATCH = (
    PLACED_COLUMNS,
    PAIR_SCRATCH,
)  # columns of a placed row, and the second scratch array, of collision checks
FOUND, EXHAUSTED, FULL, START_TOUCHES, GOAL_TOUCHES, PATH_TOUCHES, TOO_LONG, UNKNOWN_END = 0, 1, 2, 3, 4, 5, 6, 7


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
def _grasp(scene, search, grasp, spread, slot):
    """The set at the start, node 0; returns the pair that touches for one of its angles, or -1."""
    search.counts[slot, GRASP] = grasp
    clear_set(search.angles, slot)
    rest_between(search.angles, grasp - spread, grasp + spread, slot)
    for j in range(search.nodes.shape[2]):
        search.q[slot, j] = search.nodes[slot, START, j]
    g = gravity_at(scene, search, slot)
    step_set(scene.payload, scene.holding, search.angles, g, g, STANDING, slot)
    store_set(search.angles, search.sets, START, slot)
    pair, _ = set_touches(scene, search, 0.0, slot)
    return pair


@kernel
def _find_path(space, scene, search, method, seeds, start_q, goal_q, report, world, slot):
    """How many nodes the chain of a path has, or 0; report[world, OUTCOME] says why not."""
    _begin(search, start_q, goal_q, world, slot)
    for tree in range(2):
        for j in range(search.nodes.shape[2]):
            search.q[slot, j] = search.nodes[slot, tree, j]
        if not is_free(scene, search, world, -1, slot):
            report[world, OUTCOME] = START_TOUCHES if tree == START else GOAL_TOUCHES
            report[world, PAIR] = search.counts[slot, HIT]
            return 0
    if holds_payload(scene):
        pair = _grasp(scene, search, seeds[world, 1], seeds[world, 2], slot)
        if pair >= 0:
            report[world, OUTCOME], report[world, PAIR] = START_TOUCHES, pair
            return 0
    seed = seeds[world, 0]
    if edge_free(
        space, scene, search, START, GOAL, joint_apart(search, START, GOAL, slot), world, -1, slot
    ) and arrives(scene, search, GOAL, slot):
        search.chain[slot, 0], search.chain[slot, 1] = START, GOAL
        return 2
    if method == SBL:
        count = search_sbl(space, scene, search, seed, world, slot)
    elif method == EST:
        count = search_est(space, scene, search, seed, world, slot)
    elif holds_payload(scene):
        count = search_in_time(space, scene, search, seed, world, slot)
    else:
        count = search_rrt(space, scene, search, seed, world, slot)
    if count <= 0:
        report[world, OUTCOME] = EXHAUSTED if count == 0 else FULL
    return max(count, 0)


@kernel
def _given_path_free(space, scene, search, path, report, record, m, world, slot):
    """Whether a path that was given is free; its nodes go to the front rows. With a payload its sets are recorded."""
    written = 0
    for i in range(m):
        for j in range(search.nodes.shape[2]):
            search.nodes[slot, i, j] = path[world, i, j]
            search.q[slot, j] = path[world, i, j]
        free = is_free(scene, search, world, -1, slot)
        if free and i > 0:
            far = joint_apart(search, i - 1, i, slot)
            if holds_payload(scene):
                done, written = carry_edge(space, scene, search, i - 1, i, far, world, -1, record, world, written, slot)
                free = done == 1.0
                report[world, RECORDED] = written
            else:
                free = edge_free(space, scene, search, i - 1, i, far, world, -1, slot)
        if not free:
            report[world, OUTCOME], report[world, PAIR], report[world, EDGE] = PATH_TOUCHES, search.counts[slot, HIT], i
            return False
    known = arrives(scene, search, m - 1, slot)
    if holds_payload(scene) and written + 1 < record.shape[1]:
        for r in range(CELLS):  # the last rows: the set after waiting at the end, and all that it was meanwhile
            record[world, written, search.nodes.shape[2] + r] = search.angles[slot, STATE, r]
            record[world, written + 1, search.nodes.shape[2] + r] = search.angles[slot, WAITING, r]
    if not known:
        report[world, OUTCOME] = UNKNOWN_END
        if search.counts[slot, HIT] >= 0.0:
            report[world, OUTCOME], report[world, PAIR], report[world, EDGE] = (
                PATH_TOUCHES,
                search.counts[slot, HIT],
                m - 1,
            )
    return known


@kernel
def _chain_to_front(search, path, count, world, slot):
    """Nodes of the chain to the front rows, through the output."""
    for i in range(count):
        node = int(search.chain[slot, i])
        for j in range(search.nodes.shape[2]):
            path[world, i, j] = search.nodes[slot, node, j]
    for i in range(count):
        for j in range(search.nodes.shape[2]):
            search.nodes[slot, i, j] = path[world, i, j]


@kernel
def _path_free(space, scene, search, m, world, slot):
    """Whether the path through nodes 0 to m - 1 is free where its own edges are checked."""
    for i in range(m - 1):
        if not edge_free(space, scene, search, i, i + 1, joint_apart(search, i, i + 1, slot), world, -1, slot):
            return False
    return arrives(scene, search, m - 1, slot)


@kernel
def _finish(space, scene, search, graph, dijkstra, path, report, found, world, slot):
    """Shorten where asked, and write the path; path[world] holds what was found.

    Checks along a part of an edge are at other configurations than those of the whole edge: the shortened path is checked
    once more by itself, and where it collides the path stays as it was found.
    """
    m = found
    report[world, COST_BEFORE] = path_cost(space, search, m, slot)
    if space.numbers[SIMPLIFY] > 0.0:
        m = thin_out(space, scene, search, m, world, slot)
        if m <= MOST_NODES:
            m, deleted, left = shorten(space, scene, search, graph, dijkstra, m, world, slot)
            report[world, DELETED], report[world, DELETIONS_LEFT] = deleted, left
        else:
            report[world, LONG] = 1.0
        if not _path_free(space, scene, search, m, world, slot):
            m = found
            for i in range(m):
                for j in range(search.nodes.shape[2]):
                    search.nodes[slot, i, j] = path[world, i, j]
    report[world, COST_AFTER] = path_cost(space, search, m, slot)
    report[world, PATH] = m
    for i in range(m):
        for j in range(search.nodes.shape[2]):
            path[world, i, j] = search.nodes[slot, i, j]
    report[world, OUTCOME] = FOUND


@entry
def plan_batch(scene, tables, method, query, found, scratch, start, stop, stride, slot):
    """A path for every world; for GIVEN, found.report[world, PATH] says how many nodes found.path[world] holds."""
    search = Search(
        scratch.nodes, scratch.links, scratch.cells, scratch.chain, scratch.counts, scratch.q, scratch.placed, scratch.work,
        found.blame, scratch.payload.sets, scratch.payload.angles, scratch.payload.speeds,
    )  # fmt: skip
    ties = Ties(scene.joints, scene.bodies, tables.constraints, tables.drawn, scratch.last, scratch.closing)
    space = Space(tables.q_min, tables.q_max, tables.cost, tables.numbers, ties)
    start_q, goal_q, seeds = query.start_q, query.goal_q, query.seeds
    path, report, record = found.path, found.report, found.record
    graph, dijkstra = scratch.shortening.graph, scratch.shortening.dijkstra
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
            if holds_payload(scene):
                pair = _grasp(scene, search, seeds[world, 1], seeds[world, 2], slot)
                if pair >= 0:
                    report[world, OUTCOME], report[world, PAIR] = START_TOUCHES, pair
                    continue
            if _given_path_free(space, scene, search, path, report, record, given, world, slot):
                _finish(space, scene, search, graph, dijkstra, path, report, given, world, slot)
        else:
            m = _find_path(space, scene, search, method, seeds, start_q, goal_q, report, world, slot)
            for k in range(int(search.counts[slot, NODES])):
                report[world, START_NODES if search.links[slot, k, TREE] == START else GOAL_NODES] += 1.0
            if m > path.shape[1]:
                report[world, OUTCOME] = TOO_LONG
            elif m > 0:
                _chain_to_front(search, path, m, world, slot)
                _finish(space, scene, search, graph, dijkstra, path, report, m, world, slot)
        report[world, SAMPLE_COUNT], report[world, CHECK_COUNT] = (
            search.counts[slot, SAMPLES],
            search.counts[slot, CHECKS],
        )
    return bad
