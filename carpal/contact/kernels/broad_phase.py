"""Cheap lower bounds of distances: boxes along the world's axes, boxes above planes, boxes along the shapes' own axes.

Three levels: groups, shapes, and for those that are left the six face directions of their own boxes (Gottschalk, Lin, Manocha,
"OBBTree", 1996, without the nine directions of edges). A group holds the shapes of one moving body, or a neighbourhood of
standing ones.
What is bounded from below here is the true distance, so a query that skips a pair by its bound loses nothing.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.contact.kernels.kinds import (
    BLOCK_B,
    BLOCK_PLACED_A,
    BLOCK_PLACED_B,
    GROUP_HIGH,
    GROUP_LOW,
    PAIR_B,
    PAIR_PLACED_A,
    PAIR_PLACED_B,
    PLACED_HIGH,
    PLACED_LOW,
    PLANE,
    SHAPE_CORE,
    SHAPE_HIGH,
    SHAPE_KIND,
    SHAPE_LOW,
    SHAPE_PLACED,
    SHAPE_POSITION,
    SHAPE_ROTATION,
    SHAPE_ROUND,
)
from carpal.contact.kernels.placing import placed_pose
from carpal.model.kernels.tables import vector_at
from carpal.spatial.kernels.scratch import get_vector
from carpal.spatial.kernels.vec3 import add, dot, rotate_back, scale, sub


@leaf
def placed_box(placed, slot, row):
    """Lowest and highest corner of a moving shape's or group's box."""
    return get_vector(placed, slot, row, PLACED_LOW), get_vector(placed, slot, row, PLACED_HIGH)


@leaf
def second_box_of_block(groups, blocks, placed, slot, block):
    """Lowest and highest corner of the box of a block's second group."""
    row = blocks[block, BLOCK_PLACED_B]
    if row >= 0:
        return placed_box(placed, slot, row)
    group = blocks[block, BLOCK_B]
    return vector_at(groups, group, GROUP_LOW), vector_at(groups, group, GROUP_HIGH)


@leaf
def boxes_within(low_a, high_a, low_b, high_b, margin):
    """Whether two boxes, one of them widened by a margin, overlap."""
    return (
        (low_a[0] - margin <= high_b[0])
        & (low_b[0] - margin <= high_a[0])
        & (low_a[1] - margin <= high_b[1])
        & (low_b[1] - margin <= high_a[1])
        & (low_a[2] - margin <= high_b[2])
        & (low_b[2] - margin <= high_a[2])
    )


@leaf
def gap_squared(low_a, high_a, low_b, high_b):
    """Squared distance between two boxes; zero where they overlap."""
    x = max(0.0, max(low_a[0] - high_b[0], low_b[0] - high_a[0]))
    y = max(0.0, max(low_a[1] - high_b[1], low_b[1] - high_a[1]))
    z = max(0.0, max(low_a[2] - high_b[2], low_b[2] - high_a[2]))
    return x * x + y * y + z * z


@leaf
def height_over_plane(shapes, plane, low, high):
    """Least height of a box over a standing plane; the plane's normal is the third column of its rotation."""
    height = 0.0
    for i in range(3):
        n = shapes[plane, SHAPE_ROTATION + 3 * i + 2]
        corner = low[i] if n > 0.0 else high[i]
        height += n * (corner - shapes[plane, SHAPE_POSITION + i])
    return height


@leaf
def block_within(groups, blocks, placed, slot, block, low_a, high_a, margin):
    """Whether the box of a block's second group comes within a margin of that of the first, which is given."""
    low_b, high_b = second_box_of_block(groups, blocks, placed, slot, block)
    return boxes_within(low_a, high_a, low_b, high_b, margin)


@leaf
def pair_within(shapes, pairs, placed, slot, pair, margin):
    """Whether the bounds of a pair's two shapes come within a margin."""
    low_a, high_a = placed_box(placed, slot, pairs[pair, PAIR_PLACED_A])
    row = pairs[pair, PAIR_PLACED_B]
    if row >= 0:
        low_b, high_b = placed_box(placed, slot, row)
        return boxes_within(low_a, high_a, low_b, high_b, margin)
    b = pairs[pair, PAIR_B]
    if shapes[b, SHAPE_KIND] == PLANE:
        return height_over_plane(shapes, b, low_a, high_a) <= margin
    return boxes_within(low_a, high_a, vector_at(shapes, b, SHAPE_LOW), vector_at(shapes, b, SHAPE_HIGH), margin)


@leaf
def block_gap_squared(groups, blocks, placed, slot, block):
    """Squared lower bound of every distance in a block; zero where a plane is among them."""
    low_a, high_a = placed_box(placed, slot, blocks[block, BLOCK_PLACED_A])
    low_b, high_b = second_box_of_block(groups, blocks, placed, slot, block)
    return gap_squared(low_a, high_a, low_b, high_b)


@leaf
def pair_gap_squared(shapes, pairs, placed, slot, pair):
    """Squared lower bound of the distance of a pair; zero where their bounds overlap."""
    low_a, high_a = placed_box(placed, slot, pairs[pair, PAIR_PLACED_A])
    row = pairs[pair, PAIR_PLACED_B]
    if row >= 0:
        low_b, high_b = placed_box(placed, slot, row)
        return gap_squared(low_a, high_a, low_b, high_b)
    b = pairs[pair, PAIR_B]
    if shapes[b, SHAPE_KIND] == PLANE:
        height = max(0.0, height_over_plane(shapes, b, low_a, high_a))
        return height * height
    return gap_squared(low_a, high_a, vector_at(shapes, b, SHAPE_LOW), vector_at(shapes, b, SHAPE_HIGH))


@leaf
def own_centre(shapes, placed, slot, shape):
    """Middle of a shape's own box in the world, which is that of its box along the world's axes."""
    row = int(shapes[shape, SHAPE_PLACED])
    if row >= 0:
        low, high = placed_box(placed, slot, row)
    else:
        low, high = vector_at(shapes, shape, SHAPE_LOW), vector_at(shapes, shape, SHAPE_HIGH)
    return scale(0.5, add(low, high))


@leaf
def _span(axis, core):
    return abs(axis[0]) * core[0] + abs(axis[1]) * core[1] + abs(axis[2]) * core[2]


@kernel
def oriented_gap(shapes, placed, slot, a, b):
    """Lower bound of the distance of two shapes from the faces of their own boxes; negative says nothing. Not for planes."""
    R_a, _ = placed_pose(shapes, placed, slot, a)
    R_b, _ = placed_pose(shapes, placed, slot, b)
    core_a, core_b = vector_at(shapes, a, SHAPE_CORE), vector_at(shapes, b, SHAPE_CORE)
    d = sub(own_centre(shapes, placed, slot, b), own_centre(shapes, placed, slot, a))
    e = rotate_back(R_b, d)
    # directions of a's axes in b's frame
    x, y, z = (
        rotate_back(R_b, (R_a[0], R_a[3], R_a[6])),
        rotate_back(R_b, (R_a[1], R_a[4], R_a[7])),
        rotate_back(R_b, (R_a[2], R_a[5], R_a[8])),
    )
    gap = -math.inf
    for i in range(3):
        gap = max(gap, abs(e[i]) - core_b[i] - abs(x[i]) * core_a[0] - abs(y[i]) * core_a[1] - abs(z[i]) * core_a[2])
    gap = max(gap, abs(dot(x, e)) - core_a[0] - _span(x, core_b))
    gap = max(gap, abs(dot(y, e)) - core_a[1] - _span(y, core_b))
    gap = max(gap, abs(dot(z, e)) - core_a[2] - _span(z, core_b))
    return gap - shapes[a, SHAPE_ROUND] - shapes[b, SHAPE_ROUND]
