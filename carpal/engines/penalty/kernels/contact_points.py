"""Contacts of a world: points and primitive shapes of one body against triangles and primitive shapes of another.

Thesis 1, eq. 2.31 to 2.37: each point of a master surface that is inside a slave surface feels a normal force by its depth
and a friction force. A point is a sphere of radius zero, so the distances of `contact/kernels` answer for points, spheres
and all other convex shapes alike; a point or sphere against a triangle mesh asks its tree (section 2.3.3).
"""

import math

from carpal._jit import kernel, leaf
from carpal.contact.kernels.kinds import PLANE, SPHERE, TRIANGLES
from carpal.contact.kernels.mesh_tree import mesh_distance
from carpal.contact.kernels.pair import NO_PAIR, PAIR_SCRATCH, nearest
from carpal.engines.penalty.kernels.asperity import asperity_force, lag
from carpal.engines.penalty.kernels.normal_force import normal_force
from carpal.engines.penalty.kernels.state import (
    HELD,
    POWER_LOST,
    STORED,
    W_W,
    P,
    V,
    push,
    put,
    rotation_of,
    triple,
)  # fmt: skip
from carpal.model.kernels.tables import matrix_at, vector_at
from carpal.spatial.kernels.vec3 import add, cross, dot, product, rotate, rotate_back, scale, sub

# kind and sizes as in contact/kernels/kinds.py; body; pose of the shape's frame from the centre of mass; bounding ball
KIND, BODY, SIZE, ROTATION, POSITION, CENTRE, REACH = 0, 1, 2, 5, 14, 17, 20
# rows of a mesh in `corners`, and its tree
CORNER, CORNERS, TREE = 21, 22, 23
SHAPE_COLUMNS = 24
# a pair: shapes a and b, area that the contact stands for [m^2]
PAIR_A, PAIR_B, AREA = 0, 1, 2
PAIR_COLUMNS = 3
# the law: per area [N/m^3, N s/m^3], s_p, mu, tangential stiffness per area [N/m^3], slip speed [m/s]
STIFFNESS, DAMPING, SEPARATION, FRICTION, TANGENTIAL, SLIP_SPEED = 0, 1, 2, 3, 4, 5
LAW_COLUMNS = 6
# a contact for people: depth [m], point, normal from A into B, force on B in W, sliding speed [m/s]
TOUCH_DEPTH, TOUCH_POINT, TOUCH_NORMAL, TOUCH_FORCE, TOUCH_SPEED = 0, 1, 4, 7, 10
TOUCH_COLUMNS = 11
SEARCH = PAIR_SCRATCH  # shape of `pair` for one slot


@leaf
def _velocity(now, slot, body, at):
    arm = sub(at, triple(now, slot, body, P))
    return arm, add(triple(now, slot, body, V), cross(triple(now, slot, body, W_W), arm))


@kernel
def depth_of_pair(shapes, a, b, corners, normals, boxes, now, pair, slot):
    """Depth (at or below zero: apart), the contact's place and n_AB in W; far pairs are dismissed by their balls."""
    body_a, body_b = int(shapes[a, BODY]), int(shapes[b, BODY])
    up = (0.0, 0.0, 1.0)
    turn_a, turn_b = rotation_of(now, slot, body_a), rotation_of(now, slot, body_b)
    c_a = add(triple(now, slot, body_a, P), rotate(turn_a, vector_at(shapes, a, CENTRE)))
    if int(shapes[a, KIND]) == SPHERE and int(shapes[b, KIND]) == PLANE:  # the commonest: points and balls on a floor
        up = rotate(turn_b, (shapes[b, ROTATION + 2], shapes[b, ROTATION + 5], shapes[b, ROTATION + 8]))
        far = dot(up, sub(c_a, add(triple(now, slot, body_b, P), rotate(turn_b, vector_at(shapes, b, POSITION)))))
        depth = shapes[a, SIZE] - far
        return depth, sub(c_a, scale(0.5 * (far + shapes[a, SIZE]), up)), scale(-1.0, up)
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
def contact_forces(
    shapes, pairs, law, corners, normals, boxes, h, now, force, sums, memory, rates, anchors, pair, touch, world, slot
):
    """All contacts of a world; `memory`, `rates`, `anchors` and h as of `joint_friction`, one row for each pair.

    `touch` (worlds, pairs, TOUCH_COLUMNS) is filled where it has more rows than one.
    """
    for i in range(pairs.shape[0]):
        a, b = int(pairs[i, PAIR_A]), int(pairs[i, PAIR_B])
        depth, at, n = depth_of_pair(shapes, a, b, corners, normals, boxes, now, pair, slot)
        if touch.shape[1] > 1:
            touch[world, i, TOUCH_DEPTH] = depth
        if not depth > 0.0:
            put(anchors, slot, i, 0, (0.0, 0.0, 0.0))
            if h == 0.0:
                put(rates, slot, i, 0, (0.0, 0.0, 0.0))
            continue
        body_a, body_b = int(shapes[a, BODY]), int(shapes[b, BODY])
        arm_a, v_a = _velocity(now, slot, body_a, at)
        arm_b, v_b = _velocity(now, slot, body_b, at)
        v = sub(v_b, v_a)
        rate = -dot(v, n)
        area = pairs[i, AREA]
        N, stored, lost = normal_force(depth, rate, area, law[STIFFNESS], law[DAMPING], law[SEPARATION])
        v = add(v, scale(rate, n))  # what is left slides
        if h == 0.0:
            put(rates, slot, i, 0, v)
        s = vector_at(memory, world, 3 * i)
        s = sub(s, scale(dot(s, n), n))  # the plane of contact may have turned since
        limit, stiffness = law[FRICTION] * N, area * law[TANGENTIAL]
        s = lag(s, triple(rates, slot, i, 0), v, h, limit, stiffness)
        put(anchors, slot, i, 0, s)
        f_t = asperity_force(s, v, limit, stiffness, law[SLIP_SPEED])
        f = add(scale(N, n), f_t)
        push(force, slot, body_b, arm_b, f)
        push(force, slot, body_a, arm_a, scale(-1.0, f))
        sums[slot, STORED] += stored
        sums[slot, HELD] += 0.5 * stiffness * dot(s, s)
        sums[slot, POWER_LOST] += lost - dot(f_t, v)
        if touch.shape[1] > 1:
            put(touch, world, i, TOUCH_POINT, at)
            put(touch, world, i, TOUCH_NORMAL, n)
            put(touch, world, i, TOUCH_FORCE, f)
            touch[world, i, TOUCH_SPEED] = math.sqrt(dot(v, v))
