"""From a configuration to the world poses and bounding boxes of moving shapes: the first stage of every scene query.

A shape's box along the world's axes is that of its box along its own axes, plus its rounding radius: exact for spheres,
capsules and boxes. Standing shapes are placed once, when the tables are built.
"""

from carpal._core.compile import kernel, leaf
from carpal.contact.kernels.kinds import (
    GROUP_END,
    GROUP_FIRST,
    GROUP_PLACED,
    PLACED_HIGH,
    PLACED_LOW,
    PLACED_POSITION,
    PLACED_ROTATION,
    SHAPE_CENTRE,
    SHAPE_CORE,
    SHAPE_PLACED,
    SHAPE_ROUND,
    SHAPE_ROW,
    pose_of,
)
from carpal.kinematics.kernels.placement import P_WB, R_WB, place_body
from carpal.kinematics.kernels.state import all_finite
from carpal.model.kernels.tables import vector_at
from carpal.spatial.kernels.scratch import get_matrix, get_vector, put_matrix, put_vector
from carpal.spatial.kernels.vec3 import add, product, rotate, sub


@leaf
def half_along_world(R, core, radius):
    """Half sizes, along the world's axes, of a box with half sizes `core` turned by R and rounded by a radius."""
    return (
        abs(R[0]) * core[0] + abs(R[1]) * core[1] + abs(R[2]) * core[2] + radius,
        abs(R[3]) * core[0] + abs(R[4]) * core[1] + abs(R[5]) * core[2] + radius,
        abs(R[6]) * core[0] + abs(R[7]) * core[1] + abs(R[8]) * core[2] + radius,
    )


@leaf
def placed_pose(shapes, placed, slot, shape):
    """R_WS and p_WS of a shape, moving or standing."""
    row = int(shapes[shape, SHAPE_PLACED])
    if row >= 0:
        return get_matrix(placed, slot, row, PLACED_ROTATION), get_vector(placed, slot, row, PLACED_POSITION)
    return pose_of(shapes, shape)


@leaf
def place_group(shapes, groups, placed, slot, group):
    """Poses and boxes of the shapes of a moving group whose body is placed; returns zero, or NaN where it is not finite."""
    check = 0.0
    lowest, highest = (1e300, 1e300, 1e300), (-1e300, -1e300, -1e300)
    for shape in range(int(groups[group, GROUP_FIRST]), int(groups[group, GROUP_END])):
        body, row = int(shapes[shape, SHAPE_ROW]), int(shapes[shape, SHAPE_PLACED])
        R_WK, p_WK = get_matrix(placed, slot, body, R_WB), get_vector(placed, slot, body, P_WB)
        R_KS, p_KS = pose_of(shapes, shape)
        R_WS = product(R_WK, R_KS)
        put_matrix(placed, slot, row, PLACED_ROTATION, R_WS)
        put_vector(placed, slot, row, PLACED_POSITION, add(p_WK, rotate(R_WK, p_KS)))
        centre = add(p_WK, rotate(R_WK, vector_at(shapes, shape, SHAPE_CENTRE)))
        half = half_along_world(R_WS, vector_at(shapes, shape, SHAPE_CORE), shapes[shape, SHAPE_ROUND])
        low, high = sub(centre, half), add(centre, half)
        put_vector(placed, slot, row, PLACED_LOW, low)
        put_vector(placed, slot, row, PLACED_HIGH, high)
        check += 0.0 * (half[0] + half[1] + half[2] + centre[0] + centre[1] + centre[2])
        lowest = (min(lowest[0], low[0]), min(lowest[1], low[1]), min(lowest[2], low[2]))
        highest = (max(highest[0], high[0]), max(highest[1], high[1]), max(highest[2], high[2]))
    group_row = int(groups[group, GROUP_PLACED])
    put_vector(placed, slot, group_row, PLACED_LOW, lowest)
    put_vector(placed, slot, group_row, PLACED_HIGH, highest)
    return check


@kernel
def place_shapes(joints, bodies, shapes, groups, q, placed, world, slot):
    """Fill `placed` with the poses of all bodies and of the moving shapes, and with the boxes of shapes and groups.

    Returns whether all of it is finite: a zero quaternion gives NaN, which every comparison would pass over in silence.
    """
    check = 0.0
    for body in range(1, joints.shape[0]):
        place_body(joints, bodies, q, placed, world, slot, body, True)
    for group in range(groups.shape[0]):
        if groups[group, GROUP_PLACED] < 0.0:
            break  # the standing ones come last
        check += place_group(shapes, groups, placed, slot, group)
    return check == 0.0 and all_finite(q, world)
