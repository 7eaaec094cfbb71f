"""Pairs of a scene that are near each other, and how their distances change with the joints.

With n the normal from A into B and p the nearest points, the distance of a pair changes at n . (v_B - v_A), where v is the
velocity of the body's point that is at p. The nearest pairs below a limit are kept in the order of their distances.
"""

import math

from carpal._core.compile import entry, kernel
from carpal.contact.kernels.broad_phase import block_gap_squared, oriented_gap, pair_gap_squared
from carpal.contact.kernels.kinds import BLOCK_END, BLOCK_FIRST, PAIR_A, PAIR_B, PLANE, SHAPE_KIND, SHAPE_ROW
from carpal.contact.kernels.placing import place_shapes
from carpal.contact.kernels.scene_pair import pair_nearest
from carpal.kinematics.kernels.freedom import freedom_axis, slides
from carpal.kinematics.kernels.placement import P_WB, place_world
from carpal.kinematics.kernels.state import freedoms
from carpal.model.kernels.tables import KIND, PARENT, V_INDEX
from carpal.spatial.kernels.scratch import get_vector
from carpal.spatial.kernels.vec3 import cross, dot, sub


@kernel
def _add_motion(joints, bodies, placed, body, p, n, sign, G, world, row, slot):
    """Add sign n . v to a row, v the velocity of what a body carries at p."""
    while body > 0:
        kind, first = joints[body, KIND], joints[body, V_INDEX]
        lever = sub(p, get_vector(placed, slot, body, P_WB))
        for k in range(freedoms(kind)):
            axis = freedom_axis(joints, bodies, placed, slot, body, k)
            linear = axis if slides(kind, k) else cross(axis, lever)
            G[world, row, first + k] += sign * dot(n, linear)
        body = joints[body, PARENT]


@kernel
def _insert(near, G, world, pair, distance):
    """Make room for a pair in the list of a world, by distance; returns its row. The farthest one is dropped."""
    row = near.shape[1] - 1
    while row > 0 and near[world, row - 1, 1] > distance:
        for k in range(2):
            near[world, row, k] = near[world, row - 1, k]
        for k in range(G.shape[2]):
            G[world, row, k] = G[world, row - 1, k]
        row -= 1
    near[world, row, 0], near[world, row, 1] = pair, distance
    for k in range(G.shape[2]):
        G[world, row, k] = 0.0
    return row


@entry
def distance_rows_batch(
    joints, bodies, shapes, groups, blocks, pairs, points, normals, boxes, within, q, near, G, placed, work,
    start, stop, stride, slot,
):  # fmt: skip
    """near[world, k]: pair and distance of the k-th nearest below `within` [m] (-1 and infinity where none), and its rate G."""
    bad = 0
    for world in range(start, stop, stride):
        for row in range(near.shape[1]):
            near[world, row, 0], near[world, row, 1] = -1.0, math.inf
            for k in range(G.shape[2]):
                G[world, row, k] = 0.0
        place_world(placed, slot)
        if not place_shapes(joints, bodies, shapes, groups, q, placed, world, slot):
            bad = world + 1 if bad == 0 else bad
            continue
        last = near.shape[1] - 1
        for block in range(blocks.shape[0]):
            if block_gap_squared(groups, blocks, placed, slot, block) >= within * within:
                continue
            for pair in range(blocks[block, BLOCK_FIRST], blocks[block, BLOCK_END]):
                most = min(within, near[world, last, 1])
                if most > 0.0 and pair_gap_squared(shapes, pairs, placed, slot, pair) >= most * most:
                    continue
                a, b = pairs[pair, PAIR_A], pairs[pair, PAIR_B]
                if shapes[b, SHAPE_KIND] != PLANE and oriented_gap(shapes, placed, slot, a, b) > max(0.0, most):
                    continue
                _, distance, p_A, p_B, n = pair_nearest(shapes, points, normals, boxes, most, placed, work, slot, a, b)
                if distance < most:
                    row = _insert(near, G, world, pair, distance)
                    _add_motion(joints, bodies, placed, int(shapes[b, SHAPE_ROW]), p_B, n, 1.0, G, world, row, slot)
                    _add_motion(joints, bodies, placed, int(shapes[a, SHAPE_ROW]), p_A, n, -1.0, G, world, row, slot)
    return bad
