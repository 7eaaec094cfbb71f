"""One contact by penalty: the columns of its tables, and normal force and friction at a place where two surfaces overlap.

Yesmunt 2014, eq. 2.31 to 2.37. Where the overlap is, `ball_contacts.py` and `contact_points.py` find.
"""

import math

from carpal._core.compile import leaf
from carpal.engines.penalty.kernels.asperity import asperity_force, lag
from carpal.engines.penalty.kernels.normal_force import normal_force
from carpal.engines.penalty.kernels.state import HELD, POWER_LOST, STORED, W_W, P, V, push, put, triple
from carpal.model.kernels.tables import vector_at
from carpal.spatial.kernels.vec3 import add, cross, dot, scale, sub

# kind and sizes as in contact/kernels/kinds.py; body; pose of the shape's frame from the centre of mass; bounding ball
KIND, BODY, SIZE, ROTATION, POSITION, CENTRE, REACH = 0, 1, 2, 5, 14, 17, 20
# rows of a mesh in `corners`, and its tree; radius of the ball about the body's centre of mass that holds the shape
CORNER, CORNERS, TREE, SPAN = 21, 22, 23, 24
SHAPE_COLUMNS = 25
# a pair: shapes a and b, area that the contact stands for [m^2]; then its law: per area [N/m^3, N s/m^3], s_p, mu,
# tangential stiffness per area [N/m^3], slip speed [m/s]
PAIR_A, PAIR_B, AREA, STIFFNESS, DAMPING, SEPARATION, FRICTION, TANGENTIAL, SLIP_SPEED = 0, 1, 2, 3, 4, 5, 6, 7, 8
PAIR_COLUMNS = 9
# a contact for people: depth [m], point, normal from A into B, force on B in W, sliding speed [m/s]
TOUCH_DEPTH, TOUCH_POINT, TOUCH_NORMAL, TOUCH_FORCE, TOUCH_SPEED = 0, 1, 4, 7, 10
TOUCH_COLUMNS = 11


@leaf
def far_apart(shapes, a, b, now, slot):
    """If the balls about the two bodies' centres of mass that hold the shapes do not meet."""
    between = sub(triple(now, slot, int(shapes[b, BODY]), P), triple(now, slot, int(shapes[a, BODY]), P))
    reach = shapes[a, SPAN] + shapes[b, SPAN]
    return dot(between, between) > reach * reach


@leaf
def _velocity(now, slot, body, at):
    arm = sub(at, triple(now, slot, body, P))
    return arm, add(triple(now, slot, body, V), cross(triple(now, slot, body, W_W), arm))


@leaf
def let_go(i, h, rates, anchors, slot):
    """A pair that does not touch has no anchor."""
    put(anchors, slot, i, 0, (0.0, 0.0, 0.0))
    if h == 0.0:
        put(rates, slot, i, 0, (0.0, 0.0, 0.0))


@leaf
def touch_force(shapes, pairs, mu, i, depth, at, n, h, now, force, sums, memory, rates, anchors, touch, world, slot):
    """Force of pair i, friction mu, that overlaps by `depth` at `at` with the normal n_AB; others as of `contact_forces`."""
    body_a, body_b = int(shapes[int(pairs[i, PAIR_A]), BODY]), int(shapes[int(pairs[i, PAIR_B]), BODY])
    arm_a, v_a = _velocity(now, slot, body_a, at)
    arm_b, v_b = _velocity(now, slot, body_b, at)
    v = sub(v_b, v_a)
    rate = -dot(v, n)
    area = pairs[i, AREA]
    N, stored, lost = normal_force(depth, rate, area, pairs[i, STIFFNESS], pairs[i, DAMPING], pairs[i, SEPARATION])
    v = add(v, scale(rate, n))  # what is left slides
    if h == 0.0:
        put(rates, slot, i, 0, v)
    s = vector_at(memory, world, 3 * i)
    s = sub(s, scale(dot(s, n), n))  # the plane of contact may have turned since
    limit, stiffness = mu * N, area * pairs[i, TANGENTIAL]
    s = lag(s, triple(rates, slot, i, 0), v, h, limit, stiffness)
    put(anchors, slot, i, 0, s)
    f_t = asperity_force(s, v, limit, stiffness, pairs[i, SLIP_SPEED])
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
