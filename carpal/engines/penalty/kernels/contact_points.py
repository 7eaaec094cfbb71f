"""Contacts of a world: points and primitive shapes of one body against triangles and primitive shapes of another.

Yesmunt 2014, eq. 2.31 to 2.37: each point of a master surface that is inside a slave surface feels a normal force by its depth
and a friction force. A point is a sphere of radius zero, so the distances of `contact/kernels` answer for points, spheres
and all other convex shapes alike; a point or sphere against a triangle mesh asks its tree (section 2.3.3).
"""

from carpal._core.compile import kernel
from carpal.contact.kernels.kinds import TRIANGLES
from carpal.contact.kernels.mesh_tree import mesh_distance
from carpal.contact.kernels.pair import NO_PAIR, PAIR_SCRATCH, nearest
from carpal.engines.penalty.kernels.ball_contacts import ball_depth, is_ball_pair
from carpal.engines.penalty.kernels.state import P, rotation_of, triple
from carpal.engines.penalty.kernels.touch import (
    BODY,
    CENTRE,
    CORNER,
    CORNERS,
    FRICTION,
    KIND,
    PAIR_A,
    PAIR_B,
    POSITION,
    REACH,
    ROTATION,
    SIZE,
    TOUCH_DEPTH,
    TREE,
    far_apart,
    let_go,
    touch_force,
)  # fmt: skip
from carpal.model.kernels.tables import matrix_at, vector_at
from carpal.spatial.kernels.vec3 import add, dot, product, rotate, rotate_back, scale, sub

SEARCH = PAIR_SCRATCH  # shape of `pair` for one slot


@kernel
def depth_of_pair(shapes, a, b, corners, normals, boxes, now, pair, slot):
    """Depth (at or below zero: apart), the contact's place and n_AB in W; far pairs are dismissed by their balls."""
    up = (0.0, 0.0, 1.0)
    if far_apart(shapes, a, b, now, slot):
        return -1.0, up, up
    if is_ball_pair(int(shapes[a, KIND]), int(shapes[b, KIND])):
        return ball_depth(shapes, a, b, shapes[a, SIZE], now, slot)
    body_a, body_b = int(shapes[a, BODY]), int(shapes[b, BODY])
    turn_a, turn_b = rotation_of(now, slot, body_a), rotation_of(now, slot, body_b)
    c_a = add(triple(now, slot, body_a, P), rotate(turn_a, vector_at(shapes, a, CENTRE)))
    c_b = add(triple(now, slot, body_b, P), rotate(turn_b, vector_at(shapes, b, CENTRE)))
    between = sub(c_b, c_a)
    reach = shapes[a, REACH] + shapes[b, REACH]
    if dot(between, between) > reach * reach:
        return -1.0, c_a, up
    R_a, R_b = product(turn_a, matrix_at(shapes, a, ROTATION)), product(turn_b, matrix_at(shapes, b, ROTATION))
    p_a = add(triple(now, slot, body_a, P), rotate(turn_a, vector_at(shapes, a, POSITION)))
    p_b = add(triple(now, slot, body_b, P), rotate(turn_b, vector_at(shapes, b, POSITION)))
    if int(shapes[b, KIND]) == TRIANGLES:  # A is a point or a sphere
        far, on_b, n, _ = mesh_distance(rotate_back(R_b, sub(p_a, p_b)), int(shapes[b, TREE]), boxes, corners, normals)
        n = scale(-1.0, rotate(R_b, n))
        depth = shapes[a, SIZE] - far
        return depth, sub(add(p_b, rotate(R_b, on_b)), scale(0.5 * depth, n)), n
    status, far, on_a, on_b, n = nearest(
        int(shapes[a, KIND]), vector_at(shapes, a, SIZE), int(shapes[a, CORNER]), int(shapes[a, CORNERS]), R_a, p_a,
        int(shapes[b, KIND]), vector_at(shapes, b, SIZE), int(shapes[b, CORNER]), int(shapes[b, CORNERS]), R_b, p_b,
        corners, pair, slot,
    )  # fmt: skip
    if status == NO_PAIR:
        return -1.0, c_a, up
    return -far, scale(0.5, add(on_a, on_b)), n


@kernel
def contact_forces(contacts, h, memory, touch, work, world, slot):
    """All contacts of a world; `memory`, `rates`, `anchors` and h as of `joint_friction`, one row for each pair.

    `touch` (worlds, pairs, TOUCH_COLUMNS) is filled where it has more rows than one.
    """
    shapes, pairs = contacts.shapes, contacts.pairs
    for i in range(pairs.shape[0]):
        a, b = int(pairs[i, PAIR_A]), int(pairs[i, PAIR_B])
        depth, at, n = depth_of_pair(
            shapes, a, b, contacts.mesh, contacts.normals, contacts.boxes, work.now, work.pair, slot
        )
        if touch.shape[1] > 1:
            touch[world, i, TOUCH_DEPTH] = depth
        if depth > 0.0:
            touch_force(
                shapes, pairs, pairs[i, FRICTION], i, depth, at, n, h, work.now, work.force, work.sums, memory, work.rates,
                work.anchors, touch, world, slot,
            )  # fmt: skip
        else:
            let_go(i, h, work.rates, work.anchors, slot)
