"""Dynamics regressor: joint forces are linear in mass, first moment and inertia of each body (Atkeson, An, Hollerbach 1986)."""

from carpal._core.compile import entry, kernel
from carpal.kinematics.kernels.freedom import freedom
from carpal.kinematics.kernels.placement import P_WB, R_WB, place_body, place_world
from carpal.kinematics.kernels.state import all_finite, freedoms
from carpal.model.kernels.tables import FREE, GRAVITY, KIND, PARENT, V_INDEX, vector_at
from carpal.spatial.kernels.scratch import get_matrix, get_vector, put_vector
from carpal.spatial.kernels.spatial import motion_cross
from carpal.spatial.kernels.vec3 import add, cross, dot, rotate_back, scale, sub

PARAMETERS = 10  # mass, first moment (3), inertia about the body's origin: xx, yy, zz, xy, xz, yz
# scratch columns of one body, after its pose: motion at the tree's common point
_V, _W, _A, _ALPHA = 12, 15, 18, 21
COLUMNS = 24


@kernel
def _outward(joints, bodies, q, v, vdot, scratch, world, slot, body):
    """Pose and motion of a body."""
    kind, parent, first = joints[body, KIND], joints[body, PARENT], joints[body, V_INDEX]
    _, p = place_body(joints, bodies, q, scratch, world, slot, body, False)
    v0, w0 = get_vector(scratch, slot, parent, _V), get_vector(scratch, slot, parent, _W)
    a0, alpha0 = get_vector(scratch, slot, parent, _A), get_vector(scratch, slot, parent, _ALPHA)
    for stage in range(2 if kind == FREE else 1):  # a free joint slides first, then turns
        low, high = (3 * stage, 3 * stage + 3) if kind == FREE else (0, freedoms(kind))
        sv, sw, av, aw = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        for k in range(low, high):
            mv, mw = freedom(joints, bodies, scratch, slot, body, p, k)
            sv, sw = add(sv, scale(v[world, first + k], mv)), add(sw, scale(v[world, first + k], mw))
            av, aw = add(av, scale(vdot[world, first + k], mv)), add(aw, scale(vdot[world, first + k], mw))
        cv, cw = motion_cross(v0, w0, sv, sw)
        a0, alpha0 = add(a0, add(av, cv)), add(alpha0, add(aw, cw))
        v0, w0 = add(v0, sv), add(w0, sw)
    put_vector(scratch, slot, body, _V, v0)
    put_vector(scratch, slot, body, _W, w0)
    put_vector(scratch, slot, body, _A, a0)
    put_vector(scratch, slot, body, _ALPHA, alpha0)


@kernel
def _columns(joints, bodies, Y, scratch, world, slot, body):
    """The ten columns of a body: what one unit of each parameter takes from every freedom that carries it.

    The freedom's motion (s, t) and the body's acceleration a, angular velocity w and angular acceleration b are taken at the
    body's origin, in its axes: s . a for the mass; s x b + (s . w) w - w^2 s + a x t for the first moment;
    t . E b + (t x w) . E w for an inertia E.
    """
    R, p = get_matrix(scratch, slot, body, R_WB), get_vector(scratch, slot, body, P_WB)
    v0, w = get_vector(scratch, slot, body, _V), get_vector(scratch, slot, body, _W)
    b = get_vector(scratch, slot, body, _ALPHA)
    a = add(get_vector(scratch, slot, body, _A), add(cross(b, p), cross(w, add(v0, cross(w, p)))))
    a, w, b = rotate_back(R, a), rotate_back(R, w), rotate_back(R, b)
    ww, first, at = dot(w, w), PARAMETERS * (body - 1), body
    while at > 0:
        origin = get_vector(scratch, slot, at, P_WB)
        for k in range(freedoms(joints[at, KIND])):
            sv, sw = freedom(joints, bodies, scratch, slot, at, origin, k)
            s, t = rotate_back(R, add(sv, cross(sw, p))), rotate_back(R, sw)
            h = add(add(cross(s, b), cross(a, t)), sub(scale(dot(s, w), w), scale(ww, s)))
            y = cross(t, w)
            row = joints[at, V_INDEX] + k
            Y[world, row, first] = dot(s, a)
            for i in range(3):
                Y[world, row, first + 1 + i] = h[i]
                Y[world, row, first + 4 + i] = t[i] * b[i] + y[i] * w[i]
            Y[world, row, first + 7] = t[0] * b[1] + t[1] * b[0] + y[0] * w[1] + y[1] * w[0]
            Y[world, row, first + 8] = t[0] * b[2] + t[2] * b[0] + y[0] * w[2] + y[2] * w[0]
            Y[world, row, first + 9] = t[1] * b[2] + t[2] * b[1] + y[1] * w[2] + y[2] * w[1]
        at = joints[at, PARENT]


@entry
def regressor_batch(joints, bodies, q, v, vdot, Y, scratch, start, stop, stride, slot):
    """Y (nv, 10 n) of every world, n the moving bodies."""
    bad, zero = 0, (0.0, 0.0, 0.0)
    for world in range(start, stop, stride):
        place_world(scratch, slot)
        put_vector(scratch, slot, 0, _V, zero)
        put_vector(scratch, slot, 0, _W, zero)
        put_vector(scratch, slot, 0, _A, scale(-1.0, vector_at(bodies, 0, GRAVITY)))
        put_vector(scratch, slot, 0, _ALPHA, zero)
        total = 0.0
        for i in range(Y.shape[1]):
            for j in range(Y.shape[2]):
                Y[world, i, j] = 0.0
        for body in range(1, joints.shape[0]):
            _outward(joints, bodies, q, v, vdot, scratch, world, slot, body)
            _columns(joints, bodies, Y, scratch, world, slot, body)
        for i in range(Y.shape[1]):
            for j in range(Y.shape[2]):
                total += 0.0 * Y[world, i, j]
        if not (all_finite(q, world) and total == 0.0) and bad == 0:
            bad = world + 1
    return bad
