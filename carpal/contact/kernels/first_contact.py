"""When do two moving shapes first touch: conservative advancement (Mirtich, "Impulse-based dynamic simulation", 1996, 2.3).

Both move with constant twists: origins go straight, attitudes turn about a fixed axis. While a plane with the present normal
separates them, they close in along that normal no faster than their relative velocity along it plus what turning can
add at the farthest point; so distance over that speed is free time, and no wall is too thin to be seen.
"""

import math

from carpal._core.compile import entry, kernel, leaf
from carpal.contact.kernels.kinds import PLACED_POSITION, PLACED_ROTATION, SHAPE_REACH, SPHERE, kind_of
from carpal.contact.kernels.scene_pair import pair_nearest
from carpal.kinematics.kernels.state import all_finite, vector_of
from carpal.spatial.kernels.quaternion import rotation_from_wxyz, wxyz_turned
from carpal.spatial.kernels.scratch import put_matrix, put_vector
from carpal.spatial.kernels.vec3 import add, dot, product, scale, sub

# status: free until the end, touched, or given up after MOST_CHECKS
FREE_UNTIL_END, TOUCHED, UNDECIDED = 0, 1, 2
# columns of an answer
CONTACT_STATUS, CONTACT_TIME, CONTACT_DISTANCE, CONTACT_A, CONTACT_B, CONTACT_NORMAL, CONTACT_CHECKS = (
    0,
    1,
    2,
    3,
    6,
    9,
    12,
)
CONTACT_COLUMNS = 13
# columns of a motion: rotation and position at the beginning, twist (linear, angular)
MOTION_ROTATION, MOTION_POSITION, MOTION_LINEAR, MOTION_ANGULAR = 0, 9, 12, 15
MOTION_COLUMNS = 18
MOST_CHECKS = 1_000_000


@leaf
def place_after(motion, world, time, placed, slot, row):
    """Put the pose of a shape after moving with its twist into a row of `placed`."""
    w = scale(time, vector_of(motion, world, MOTION_ANGULAR))
    R = (
        motion[world, 0], motion[world, 1], motion[world, 2], motion[world, 3], motion[world, 4], motion[world, 5],
        motion[world, 6], motion[world, 7], motion[world, 8],
    )  # fmt: skip
    if dot(w, w) > 0.0:
        turn = wxyz_turned(1.0, 0.0, 0.0, 0.0, w[0], w[1], w[2])
        R = product(rotation_from_wxyz(turn[0], turn[1], turn[2], turn[3]), R)
    p = add(vector_of(motion, world, MOTION_POSITION), scale(time, vector_of(motion, world, MOTION_LINEAR)))
    put_matrix(placed, slot, row, PLACED_ROTATION, R)
    put_vector(placed, slot, row, PLACED_POSITION, p)


@leaf
def turning_speed(shapes, shape, motion, world):
    """How fast turning can move a point of a shape at most; a sphere about its centre stays what it is."""
    w = vector_of(motion, world, MOTION_ANGULAR)
    fast = math.sqrt(dot(w, w))
    if fast == 0.0 or kind_of(shapes, shape) == SPHERE:
        return 0.0
    return fast * shapes[shape, SHAPE_REACH]


@kernel
def first_contact(
    shapes, points, normals, boxes, tolerance, motion_a, motion_b, duration, placed, work, world, slot
):  # fmt: skip
    """(status, time, distance, p_WA, p_WB, n_AB_W, checks) of shapes 0 and 1 of a table, which are placed in rows 0 and 1."""
    spin = turning_speed(shapes, 0, motion_a, world) + turning_speed(shapes, 1, motion_b, world)
    v = sub(vector_of(motion_a, world, MOTION_LINEAR), vector_of(motion_b, world, MOTION_LINEAR))
    time, checks, status = 0.0, 0, UNDECIDED
    distance = 0.0
    p_WA, p_WB, n = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)
    while checks < MOST_CHECKS:
        place_after(motion_a, world, time, placed, slot, 0)
        place_after(motion_b, world, time, placed, slot, 1)
        _, distance, p_WA, p_WB, n = pair_nearest(shapes, points, normals, boxes, math.inf, placed, work, slot, 0, 1)
        checks += 1
        if distance <= tolerance:
            status = TOUCHED
            break
        closing = dot(v, n) + spin
        if time >= duration or closing * (duration - time) <= distance:
            status, time = FREE_UNTIL_END, duration
            break
        time = min(duration, time + distance / closing)
    return status, time, distance, p_WA, p_WB, n, checks


@entry
def first_contact_batch(
    shapes, points, normals, boxes, tolerance, motion_a, motion_b, duration, answer, placed, work, start, stop, stride, slot
):  # fmt: skip
    """answer[world]: see CONTACT_COLUMNS; duration (worlds, 1) [s]."""
    bad = 0
    for world in range(start, stop, stride):
        if not (all_finite(motion_a, world) and all_finite(motion_b, world) and all_finite(duration, world)):
            bad = world + 1 if bad == 0 else bad
            continue
        status, time, distance, p_WA, p_WB, n, checks = first_contact(
            shapes, points, normals, boxes, tolerance, motion_a, motion_b, duration[world, 0], placed, work, world, slot
        )
        answer[world, CONTACT_STATUS] = status
        answer[world, CONTACT_TIME] = time
        answer[world, CONTACT_DISTANCE] = distance
        answer[world, CONTACT_CHECKS] = checks
        for i in range(3):
            answer[world, CONTACT_A + i] = p_WA[i]
            answer[world, CONTACT_B + i] = p_WB[i]
            answer[world, CONTACT_NORMAL + i] = n[i]
    return bad
