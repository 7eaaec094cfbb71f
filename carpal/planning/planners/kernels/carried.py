"""Motions of an arm whose payload may have any angle of a set: what touches, and edges in time order without gaps.

A check in the middle of a step stands for all of the step: two shapes must be farther apart than half of what they can approach
on it (the bound of `contact/kernels/motion_bound.py`), and a payload's shape farther than half of what turning through its
part of the set moves it. Where that fails the step, or the part, is halved, unless something touches in its very middle; what
still fails on steps that move nothing by more than three millimetres, and on parts of one degree, counts as touching. So a path
that is called free is free for every angle of its sets.
Leutenegger 2008, section 7.6.2: edges in time order, the set stored where an edge ends.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.contact.kernels.broad_phase import block_gap_squared, oriented_gap, pair_gap_squared
from carpal.contact.kernels.kinds import (
    BLOCK_A,
    BLOCK_B,
    BLOCK_END,
    BLOCK_FIRST,
    GROUP_FIRST,
    PAIR_A,
    PAIR_B,
    PLANE,
    SHAPE_KIND,
    SHAPE_REACH,
    SHAPE_ROW,
)
from carpal.contact.kernels.placing import place_group, place_shapes
from carpal.contact.kernels.scene_pair import pair_nearer_than
from carpal.kinematics.kernels.placement import R_WB, place_body
from carpal.model.kernels.tables import KIND as JOINT_KIND
from carpal.model.kernels.tables import PARENT, POSITION, Q_INDEX, REVOLUTE, vector_at
from carpal.planning.payload.kernels.angle_set import (
    AXES,
    BODY,
    CELLS,
    HALF,
    KNOWN,
    PAYLOAD,
    PULL_DOWN,
    STATE,
    WAITING,
    cell_angle,
    restore_set,
    save_set,
    settle_set,
    step_set,
    wrapped,
)
from carpal.planning.payload.kernels.stored_set import load_set, store_set
from carpal.planning.planners.kernels.search_state import CHECKS, HIT, RESOLUTION, WORST
from carpal.spatial.kernels.scratch import get_matrix
from carpal.spatial.kernels.vec3 import dot, rotate_back

STEP = 4.0  # the first try of a step, in resolutions: no gap can be missed, so it may be long
FINEST = 3e-3  # [m] a step that moves nothing farther is not halved
PART = 0.35  # [rad] the largest part of the set that one check tries to stand for
SLIVER = HALF  # [rad] a part that is not halved


@leaf
def holds_payload(scene):
    """Whether there is a payload."""
    return scene.payload.shape[0] > 1


@leaf
def _turned(scene, shape):
    """Distance of a shape's farthest point from the payload's axis [m]; 0 for shapes that are not the payload's."""
    return scene.payload[PAYLOAD + shape]


@kernel
def touching_pair(scene, search, share, half, which, slot):
    """The first pair that may touch, or -1, where all is placed.

    share: part of the edge to either side that the check stands for; half: angle [rad] to either side, for the payload.
    which: 0: pairs without the payload, 1: those with it.
    """
    body, pairs = scene.payload[BODY], scene.pairs.shape[0]
    for block in range(scene.blocks.shape[0]):
        first_a = int(scene.groups[scene.blocks[block, BLOCK_A], GROUP_FIRST])
        first_b = int(scene.groups[scene.blocks[block, BLOCK_B], GROUP_FIRST])
        held = scene.shapes[first_a, SHAPE_ROW] == body or scene.shapes[first_b, SHAPE_ROW] == body
        if held != (which == 1):
            continue
        wide = scene.margin + 1e-12
        if share > 0.0:
            wide += share * search.speeds[slot, pairs + block]
        if half > 0.0:
            wide += half * scene.payload[PAYLOAD + scene.shapes.shape[0] + search.nodes.shape[2]]
        if block_gap_squared(scene.groups, scene.blocks, search.placed, slot, block) > wide * wide:
            continue
        for pair in range(scene.blocks[block, BLOCK_FIRST], scene.blocks[block, BLOCK_END]):
            a, b = scene.pairs[pair, PAIR_A], scene.pairs[pair, PAIR_B]
            near = scene.margin + half * (_turned(scene, a) + _turned(scene, b))
            if share > 0.0:
                near += share * search.speeds[slot, pair]
            if pair_gap_squared(scene.shapes, scene.pairs, search.placed, slot, pair) > (near + 1e-12) ** 2:
                continue
            plane = scene.shapes[b, SHAPE_KIND] == PLANE
            if not plane and oriented_gap(scene.shapes, search.placed, slot, a, b) > near + 1e-12:
                continue
            if pair_nearer_than(
                scene.shapes, scene.points, scene.normals, scene.boxes, near, search.placed, search.work, slot, a, b
            ):
                return pair
    return -1


@kernel
def _turn_payload(scene, search, angle, slot):
    """Place the payload at an angle; the arm is placed."""
    body = int(scene.payload[BODY])
    search.q[slot, search.nodes.shape[2]] = angle
    place_body(scene.joints, scene.bodies, search.q, search.placed, slot, slot, body, True)
    for group in range(scene.groups.shape[0]):
        if scene.shapes[int(scene.groups[group, GROUP_FIRST]), SHAPE_ROW] == body:
            place_group(scene.shapes, scene.groups, search.placed, slot, group)
    search.counts[slot, CHECKS] += 1.0


@kernel
def _part_touches(scene, search, low, high, share, slot):
    """(the first pair that may touch for any angle from low to high, or -1; whether it surely does); the arm is placed."""
    step, passed = PART, 1
    while low < high - 1e-12:
        step = min(step, high - low)
        _turn_payload(scene, search, low + 0.5 * step, slot)
        pair = touching_pair(scene, search, share, 0.5 * step, 1, slot)
        if pair < 0:
            low += step
            passed += 1
            if passed > 1:
                step = min(2.0 * step, PART)
            continue
        sure = touching_pair(scene, search, 0.0, 0.0, 1, slot)
        if sure >= 0 or step <= SLIVER:
            search.counts[slot, WORST] = low + 0.5 * step
            return pair, sure >= 0
        step, passed = 0.5 * step, 0
    return -1, False


@kernel
def set_touches(scene, search, share, slot):
    """(the first pair that may touch at search.q[slot] for any angle of the present set, or -1; whether it surely does).

    The arm alone comes first.
    """
    search.counts[slot, CHECKS] += 1.0
    if not place_shapes(scene.joints, scene.bodies, scene.shapes, scene.groups, search.q, search.placed, slot, slot):
        return 0, True
    pair = touching_pair(scene, search, share, 0.0, 0, slot)
    if pair >= 0:
        return pair, share == 0.0 or touching_pair(scene, search, 0.0, 0.0, 0, slot) >= 0
    worst = search.counts[slot, WORST]  # where it touched last it will soon touch again
    r = int((wrapped(worst) / math.pi + 1.0) * 0.5 * CELLS + 0.5) % CELLS
    if abs(worst) < 100.0 and search.angles[slot, STATE, r] > 0.0:
        _turn_payload(scene, search, cell_angle(r), slot)
        pair = touching_pair(scene, search, share, 0.0, 1, slot)
        if pair >= 0:
            return pair, share == 0.0 or touching_pair(scene, search, 0.0, 0.0, 1, slot) >= 0
    r = 0
    while r < CELLS:
        if search.angles[slot, STATE, r] == 0.0:
            r += 1
            continue
        first = r
        while r < CELLS and search.angles[slot, STATE, r] > 0.0:
            r += 1
        pair, sure = _part_touches(scene, search, cell_angle(first) - HALF, cell_angle(r - 1) + HALF, share, slot)
        if pair >= 0:
            return pair, sure
    return -1, False


@kernel
def arm_touches(scene, search, slot):
    """The first pair without the payload that touches at search.q[slot], or -1."""
    search.counts[slot, CHECKS] += 1.0
    if not place_shapes(scene.joints, scene.bodies, scene.shapes, scene.groups, search.q, search.placed, slot, slot):
        return 0
    return touching_pair(scene, search, 0.0, 0.0, 0, slot)


@kernel
def gravity_at(scene, search, slot):
    """Gravity in the gripper's axes at search.q[slot]."""
    for row in range(1, scene.joints.shape[0]):
        place_body(scene.joints, scene.bodies, search.q, search.placed, slot, slot, row, True)
    parent = scene.joints[int(scene.payload[BODY]), PARENT]
    g = scene.payload[PULL_DOWN], scene.payload[PULL_DOWN + 1], scene.payload[PULL_DOWN + 2]
    if parent > 0:
        g = rotate_back(get_matrix(search.placed, slot, parent, R_WB), g)
    p = scene.payload
    return (
        p[AXES] * g[0] + p[AXES + 3] * g[1] + p[AXES + 6] * g[2],
        p[AXES + 1] * g[0] + p[AXES + 4] * g[1] + p[AXES + 7] * g[2],
        p[AXES + 2] * g[0] + p[AXES + 5] * g[1] + p[AXES + 8] * g[2],
    )


@leaf
def _carrier(scene, search, shape):
    """Row of the body that the arm moves, and reach of the shape from its origin: the payload's own turning is counted apart."""
    row = int(scene.shapes[shape, SHAPE_ROW])
    if row != int(scene.payload[BODY]):
        return row, scene.shapes[shape, SHAPE_REACH]
    after = PAYLOAD + scene.shapes.shape[0] + search.nodes.shape[2] + 1
    return int(scene.joints[row, PARENT]), scene.payload[after + shape]


@kernel
def _pair_speed(scene, search, a, b, shape_a, shape_b, slot):
    """Bound [m] on how far two shapes move against each other along the edge from node a to b; joints turn or slide."""
    row, reach = _carrier(scene, search, shape_a)
    other, reach_other = _carrier(scene, search, shape_b)
    moved = 0.0
    while row != other:  # parents have lower rows, so the higher of the two is never above the meeting point
        if row < other:
            row, other, reach, reach_other = other, row, reach_other, reach
        first = scene.joints[row, Q_INDEX]
        x, y = search.nodes[slot, a, first], search.nodes[slot, b, first]
        if scene.joints[row, JOINT_KIND] == REVOLUTE:
            moved += abs(y - x) * reach
        else:
            moved += abs(y - x)
            reach += max(abs(x), abs(y))
        p = vector_at(scene.bodies, row, POSITION)
        reach += math.sqrt(dot(p, p))
        row = scene.joints[row, PARENT]
    return moved


@kernel
def _edge_speeds(scene, search, a, b, slot):
    """search.speeds[slot]: of every pair, and of every block its largest; returns the largest of all [m]."""
    largest = 0.0
    for block in range(scene.blocks.shape[0]):
        most = 0.0
        for pair in range(scene.blocks[block, BLOCK_FIRST], scene.blocks[block, BLOCK_END]):
            speed = _pair_speed(scene, search, a, b, scene.pairs[pair, PAIR_A], scene.pairs[pair, PAIR_B], slot)
            search.speeds[slot, pair] = speed
            most = max(most, speed)
        search.speeds[slot, scene.pairs.shape[0] + block] = most
        largest = max(largest, most)
    return largest


@leaf
def _put(search, a, b, share, slot):
    for j in range(search.nodes.shape[2]):
        x = search.nodes[slot, a, j]
        search.q[slot, j] = x + share * (search.nodes[slot, b, j] - x)


@kernel
def carry_edge(space, scene, search, a, b, length, world, tree, record, row, rows, slot):
    """How far (0 to 1) the edge from node a to node b is free for every angle of a's set; b gets the set that arrives there.

    Checks are written to record[row, rows ...] where row >= 0. Returns (how far, checks written).
    """
    load_set(search.angles, search.sets, a, slot)
    largest = _edge_speeds(scene, search, a, b, slot)
    seconds, joints = 0.0, search.nodes.shape[2]
    for j in range(joints):
        far = abs(search.nodes[slot, b, j] - search.nodes[slot, a, j])
        seconds = max(seconds, far * scene.payload[PAYLOAD + scene.shapes.shape[0] + j])
    most = 1.0 if length <= 0.0 else min(1.0, STEP * space.numbers[RESOLUTION] / length)
    _put(search, a, b, 0.0, slot)
    g0 = gravity_at(scene, search, slot)
    t, step, passed = 0.0, most, 1
    while t < 1.0:
        step = 1.0 - t if step > (1.0 - t) * (1.0 - 1e-9) else step
        save_set(search.angles, slot)
        _put(search, a, b, t + step, slot)
        g1 = gravity_at(scene, search, slot)
        step_set(scene.payload, scene.holding, search.angles, g0, g1, seconds * step, slot)
        _put(search, a, b, t + 0.5 * step, slot)
        pair, sure = set_touches(scene, search, 0.5 * step, slot)
        if pair >= 0:
            restore_set(search.angles, slot)
            if sure or step * largest <= FINEST or step < 1e-6:
                search.counts[slot, HIT] = pair
                if tree >= 0:
                    search.blame[world, tree, pair] += 1.0
                break
            step, passed = 0.5 * step, 0
            continue
        t = 1.0 if step >= 1.0 - t else t + step
        g0 = g1
        passed += 1
        if passed > 1:
            step = min(2.0 * step, most)
        if row >= 0 and rows < record.shape[1]:
            for j in range(joints):
                record[row, rows, j] = search.nodes[slot, a, j] + t * (
                    search.nodes[slot, b, j] - search.nodes[slot, a, j]
                )
            for r in range(CELLS):
                record[row, rows, joints + r] = search.angles[slot, STATE, r]
            rows += 1
    store_set(search.angles, search.sets, b, slot)
    return t, rows


@leaf
def _swap_waiting(search, slot):
    for r in range(CELLS):
        state = search.angles[slot, STATE, r]
        search.angles[slot, STATE, r] = search.angles[slot, WAITING, r]
        search.angles[slot, WAITING, r] = state


@kernel
def ends_known(scene, search, node, slot):
    """Whether the payload's angle is known after waiting at a node that was reached with its set, and nothing is met meanwhile.

    HIT: the pair that may touch while waiting, or -1.
    """
    load_set(search.angles, search.sets, node, slot)
    _put(search, node, node, 0.0, slot)
    g = gravity_at(scene, search, slot)
    search.counts[slot, HIT] = -1.0
    if settle_set(scene.payload, scene.holding, search.angles, g, slot) > scene.payload[KNOWN]:
        return False
    _swap_waiting(search, slot)
    pair, _ = set_touches(scene, search, 0.0, slot)
    _swap_waiting(search, slot)
    search.counts[slot, HIT] = pair
    return pair < 0
