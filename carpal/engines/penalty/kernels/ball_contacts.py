"""Balls and points against balls, capsules, boxes and planes: the contacts that have a closed form and no search.

A point is a ball of radius zero. Enough for a hand and what it catches; a kernel made of these alone compiles in a tenth of
the time of `contact_points.py` and leaves a GPU's registers to the step.
"""

from carpal._core.compile import kernel, leaf
from carpal.contact.kernels.kinds import BOX, CAPSULE, PLANE, SPHERE
from carpal.contact.kernels.sphere_pairs import point_to_box, point_to_point, point_to_segment
from carpal.engines.penalty.kernels.state import P, rotation_of, triple
from carpal.engines.penalty.kernels.touch import (
    BODY,
    CENTRE,
    KIND,
    PAIR_A,
    PAIR_B,
    POSITION,
    ROTATION,
    SIZE,
    TOUCH_DEPTH,
    far_apart,
    let_go,
    touch_force,
)  # fmt: skip
from carpal.model.kernels.tables import matrix_at, vector_at
from carpal.spatial.kernels.vec3 import add, rotate, rotate_back, scale, sub


@leaf
def is_ball_pair(kind_a, kind_b):
    """If A is a ball and B has a closed form here."""
    return kind_a == SPHERE and (kind_b == SPHERE or kind_b == CAPSULE or kind_b == BOX or kind_b == PLANE)


@leaf
def ball_depth(shapes, a, b, radius, now, slot):
    """Depth of ball A of this radius in shape B (at or below zero: apart), the contact's place and n_AB in W."""
    body_a, body_b = int(shapes[a, BODY]), int(shapes[b, BODY])
    centre = add(triple(now, slot, body_a, P), rotate(rotation_of(now, slot, body_a), vector_at(shapes, a, CENTRE)))
    R_b = rotation_of(now, slot, body_b)
    p = sub(rotate_back(R_b, sub(centre, triple(now, slot, body_b, P))), vector_at(shapes, b, POSITION))
    R = matrix_at(shapes, b, ROTATION)
    p = rotate_back(R, p)
    kind, size = int(shapes[b, KIND]), vector_at(shapes, b, SIZE)
    if kind == PLANE:
        far, n = p[2], (0.0, 0.0, 1.0)
    elif kind == BOX:
        far, _, n = point_to_box(p, size)
    elif kind == CAPSULE:
        far, _, n = point_to_segment(p, size[1])
        far -= size[0]
    else:
        far, _, n = point_to_point(p)
        far -= size[0]
    n = rotate(R_b, rotate(R, n))
    # midway between the two surfaces on the line through the centre
    return radius - far, sub(centre, scale(0.5 * (far + radius), n)), scale(-1.0, n)


@kernel
def ball_contact_forces(shapes, pairs, radius, mu, h, now, force, sums, memory, rates, anchors, touch, world, slot):
    """`contact_forces` of pairs that all are of one ball, whose radius [m] and friction are this world's own.

    The table's ball must reach as far as the largest: far pairs are dismissed by it.
    """
    for i in range(pairs.shape[0]):
        a, b = int(pairs[i, PAIR_A]), int(pairs[i, PAIR_B])
        depth, at, n = -1.0, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)
        if not far_apart(shapes, a, b, now, slot):
            depth, at, n = ball_depth(shapes, a, b, radius, now, slot)
        if touch.shape[1] > 1:
            touch[world, i, TOUCH_DEPTH] = depth
        if depth > 0.0:
            touch_force(
                shapes, pairs, mu, i, depth, at, n, h, now, force, sums, memory, rates, anchors, touch, world, slot
            )
        else:
            let_go(i, h, rates, anchors, slot)
