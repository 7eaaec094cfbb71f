"""Does anything touch, and which two shapes are nearest: over all pairs of a scene at one configuration.

A block of pairs is skipped where the boxes of its two groups are far enough apart, a pair where its own bounds are; only
what is left is asked exactly. The order of the pairs is fixed, so the answer does not depend on threads or batches.
"""

import math

from carpal._core.compile import entry, kernel, leaf
from carpal.contact.kernels.broad_phase import (
    block_gap_squared,
    block_within,
    oriented_gap,
    pair_gap_squared,
    pair_within,
    placed_box,
)
from carpal.contact.kernels.kinds import BLOCK_END, BLOCK_FIRST, BLOCK_PLACED_A, PAIR_A, PAIR_B, PLANE, SHAPE_KIND
from carpal.contact.kernels.placing import place_shapes
from carpal.contact.kernels.scene_pair import pair_nearer_than, pair_nearest

# columns of an answer: pair, distance, point on A, point on B, normal from A into B
PAIR, DISTANCE, POINT_A, POINT_B, NORMAL = 0, 1, 2, 5, 8
ANSWER_COLUMNS = 11
_SLACK = 1e-12  # [m] rounding of the bounds must not settle a verdict


@leaf
def _worth(gap_squared, best):
    """Whether a pair with this lower bound can still be nearer than the best so far; overlapping ones always can."""
    return gap_squared == 0.0 or (best > 0.0 and gap_squared < best * best)


@kernel
def hit_where_placed(shapes, groups, blocks, pairs, points, normals, boxes, margin, placed, work, slot):
    """The first pair nearer than a margin [m], or -1, of shapes that are placed."""
    wide = margin + _SLACK
    row = -1
    low_a, high_a = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for block in range(blocks.shape[0]):
        if blocks[block, BLOCK_PLACED_A] != row:  # blocks of one group follow each other
            row = blocks[block, BLOCK_PLACED_A]
            low_a, high_a = placed_box(placed, slot, row)
        if block_within(groups, blocks, placed, slot, block, low_a, high_a, wide):
            for pair in range(blocks[block, BLOCK_FIRST], blocks[block, BLOCK_END]):
                if pair_within(shapes, pairs, placed, slot, pair, wide):
                    a, b = pairs[pair, PAIR_A], pairs[pair, PAIR_B]
                    if shapes[b, SHAPE_KIND] != PLANE and oriented_gap(shapes, placed, slot, a, b) > wide:
                        continue
                    if pair_nearer_than(shapes, points, normals, boxes, margin, placed, work, slot, a, b):
                        return pair
    return -1


@kernel
def nearest_where_placed(shapes, groups, blocks, pairs, points, normals, boxes, limit, placed, work, slot):
    """(pair, distance, p_WA, p_WB, n_AB_W) of the nearest, or deepest, pair; pair -1 where none is below the limit [m]."""
    found, best = -1, limit
    zero = (0.0, 0.0, 0.0)
    p_WA, p_WB, n = zero, zero, zero
    for block in range(blocks.shape[0]):
        if not _worth(block_gap_squared(groups, blocks, placed, slot, block), best):
            continue
        for pair in range(blocks[block, BLOCK_FIRST], blocks[block, BLOCK_END]):
            if _worth(pair_gap_squared(shapes, pairs, placed, slot, pair), best):
                a, b = pairs[pair, PAIR_A], pairs[pair, PAIR_B]
                if shapes[b, SHAPE_KIND] != PLANE and oriented_gap(shapes, placed, slot, a, b) > max(0.0, best):
                    continue
                _, distance, on_a, on_b, normal = pair_nearest(
                    shapes, points, normals, boxes, best, placed, work, slot, a, b
                )
                if distance < best:
                    found, best, p_WA, p_WB, n = pair, distance, on_a, on_b, normal
    return found, best, p_WA, p_WB, n


@entry
def collides_batch(
    joints, bodies, shapes, groups, blocks, pairs, points, normals, boxes, margin, q, found, placed, work,
    start, stop, stride, slot,
):  # fmt: skip
    """found[world, 0]: the first pair nearer than the margin, or -1."""
    bad = 0
    for world in range(start, stop, stride):
        if place_shapes(joints, bodies, shapes, groups, q, placed, world, slot):
            found[world, 0] = hit_where_placed(
                shapes, groups, blocks, pairs, points, normals, boxes, margin, placed, work, slot
            )
        elif bad == 0:
            bad = world + 1
    return bad


@entry
def distance_batch(
    joints, bodies, shapes, groups, blocks, pairs, points, normals, boxes, limit, q, answer, placed, work,
    start, stop, stride, slot,
):  # fmt: skip
    """answer[world]: the nearest pair, its distance, its points and its normal; pair -1 where none is below the limit."""
    bad = 0
    for world in range(start, stop, stride):
        if not place_shapes(joints, bodies, shapes, groups, q, placed, world, slot):
            bad = world + 1 if bad == 0 else bad
            continue
        pair, distance, p_WA, p_WB, n = nearest_where_placed(
            shapes, groups, blocks, pairs, points, normals, boxes, limit, placed, work, slot
        )
        answer[world, PAIR] = pair
        answer[world, DISTANCE] = distance if pair >= 0 else math.inf
        for i in range(3):
            answer[world, POINT_A + i] = p_WA[i]
            answer[world, POINT_B + i] = p_WB[i]
            answer[world, NORMAL + i] = n[i]
    return bad
