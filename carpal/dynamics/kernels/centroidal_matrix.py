"""Centroidal momentum matrix and its rate, in world axes (Orin and Goswami 2008): composite inertias times freedoms.

A column is what a freedom's unit speed gives all that it carries: I s, about the centre of mass. Its rate is I' s + I s',
with I' the rate of the composite inertia (of its first moment: the momentum) and s' = v- x s, and the centre of mass moves.
"""

from carpal._core.compile import entry, kernel, leaf
from carpal.dynamics.kernels.rnea_derivatives import FREEDOM_COLUMNS as FREEDOM_COLUMNS
from carpal.dynamics.kernels.rnea_derivatives import PSI3, S
from carpal.kinematics.kernels.freedom import freedom
from carpal.kinematics.kernels.placement import place_body, place_world
from carpal.kinematics.kernels.state import all_finite, freedoms
from carpal.model.kernels.tables import FREE, INERTIA, KIND, MASS, MOMENT, PARENT, V_INDEX, symmetric_at, vector_at
from carpal.spatial.kernels.scratch import (
    add_symmetric,
    add_vector,
    get_symmetric,
    get_vector,
    put_symmetric,
    put_vector,
)
from carpal.spatial.kernels.spatial import momentum, motion_cross, shifted_inertia
from carpal.spatial.kernels.vec3 import add, cross, dot, rotate, rotate_symmetric, scale, symmetric_times

# scratch columns of one body, after its pose: motion, inertia of what it carries, rates of first moment and inertia
_V, _W, _MASS, _H, _J, _P, _DJ = 12, 15, 18, 19, 22, 28, 31
COLUMNS = 37


@leaf
def _inertia_rate(h, J, v, w):
    """[w] J - J [w] - [v] [h] - [h] [v], symmetric."""
    c0, c1, c2 = cross(w, (J[0], J[3], J[4])), cross(w, (J[3], J[1], J[5])), cross(w, (J[4], J[5], J[2]))
    hv = 2.0 * dot(h, v)
    return (
        2.0 * c0[0] + hv - 2.0 * h[0] * v[0], 2.0 * c1[1] + hv - 2.0 * h[1] * v[1], 2.0 * c2[2] + hv - 2.0 * h[2] * v[2],
        c1[0] + c0[1] - h[0] * v[1] - h[1] * v[0], c2[0] + c0[2] - h[0] * v[2] - h[2] * v[0],
        c2[1] + c1[2] - h[1] * v[2] - h[2] * v[1],
    )  # fmt: skip


@kernel
def _outward(joints, bodies, q, v, scratch, motions, world, slot, body):
    """Pose, motion and inertia of a body; of each of its freedoms its motion and how that changes."""
    kind, parent, first = joints[body, KIND], joints[body, PARENT], joints[body, V_INDEX]
    R, p = place_body(joints, bodies, q, scratch, world, slot, body, True)
    v0, w0 = get_vector(scratch, slot, parent, _V), get_vector(scratch, slot, parent, _W)
    for stage in range(2 if kind == FREE else 1):  # a free joint slides first, then turns
        low, high = (3 * stage, 3 * stage + 3) if kind == FREE else (0, freedoms(kind))
        v1, w1 = v0, w0
        for k in range(low, high):
            mv, mw = freedom(joints, bodies, scratch, slot, body, p, k)
            dv, dw = motion_cross(v0, w0, mv, mw)
            put_vector(motions, slot, first + k, S, mv)
            put_vector(motions, slot, first + k, S + 3, mw)
            put_vector(motions, slot, first + k, PSI3, dv)
            put_vector(motions, slot, first + k, PSI3 + 3, dw)
            v1, w1 = add(v1, scale(v[world, first + k], mv)), add(w1, scale(v[world, first + k], mw))
        v0, w0 = v1, w1
    mass = bodies[body, MASS]
    h, J = shifted_inertia(
        mass, rotate(R, vector_at(bodies, body, MOMENT)), rotate_symmetric(R, symmetric_at(bodies, body, INERTIA)), p
    )
    put_vector(scratch, slot, body, _V, v0)
    put_vector(scratch, slot, body, _W, w0)
    scratch[slot, body, _MASS] = mass
    put_vector(scratch, slot, body, _H, h)
    put_symmetric(scratch, slot, body, _J, J)
    put_vector(scratch, slot, body, _P, add(scale(mass, v0), cross(w0, h)))
    put_symmetric(scratch, slot, body, _DJ, _inertia_rate(h, J, v0, w0))


@kernel
def _inward(joints, A, rate, scratch, motions, world, slot, body):
    """Columns of a body's freedoms about the world's origin; then it is added to its parent."""
    parent, first = joints[body, PARENT], joints[body, V_INDEX]
    mass, h, J = scratch[slot, body, _MASS], get_vector(scratch, slot, body, _H), get_symmetric(scratch, slot, body, _J)
    P, dJ = get_vector(scratch, slot, body, _P), get_symmetric(scratch, slot, body, _DJ)
    for k in range(freedoms(joints[body, KIND])):
        sv, sw = get_vector(motions, slot, first + k, S), get_vector(motions, slot, first + k, S + 3)
        linear, angular = momentum(mass, h, J, sv, sw)
        f, t = momentum(
            mass, h, J, get_vector(motions, slot, first + k, PSI3), get_vector(motions, slot, first + k, PSI3 + 3)
        )
        f, t = add(f, cross(sw, P)), add(t, add(symmetric_times(dJ, sw), cross(P, sv)))
        for i in range(3):
            A[world, i, first + k], A[world, 3 + i, first + k] = linear[i], angular[i]
            rate[world, i, first + k], rate[world, 3 + i, first + k] = f[i], t[i]
    scratch[slot, parent, _MASS] += mass
    add_vector(scratch, slot, parent, _H, h)
    add_symmetric(scratch, slot, parent, _J, J)
    add_vector(scratch, slot, parent, _P, P)
    add_symmetric(scratch, slot, parent, _DJ, dJ)


@entry
def centroidal_matrix_batch(joints, bodies, q, v, A, rate, scratch, motions, start, stop, stride, slot):
    """A and dA/dt (6, nv), linear rows first, about the centre of mass, of every world."""
    bad, zero, none = 0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    last = joints.shape[0] - 1
    for world in range(start, stop, stride):
        place_world(scratch, slot)
        put_vector(scratch, slot, 0, _V, zero)
        put_vector(scratch, slot, 0, _W, zero)
        scratch[slot, 0, _MASS] = bodies[0, MASS]
        put_vector(scratch, slot, 0, _H, vector_at(bodies, 0, MOMENT))
        put_symmetric(scratch, slot, 0, _J, none)
        put_vector(scratch, slot, 0, _P, zero)
        put_symmetric(scratch, slot, 0, _DJ, none)
        for body in range(1, last + 1):
            _outward(joints, bodies, q, v, scratch, motions, world, slot, body)
        for body in range(last, 0, -1):
            _inward(joints, A, rate, scratch, motions, world, slot, body)
        inverse = 1.0 / scratch[slot, 0, _MASS]
        com = scale(inverse, get_vector(scratch, slot, 0, _H))
        moving = scale(inverse, get_vector(scratch, slot, 0, _P))
        total = 0.0
        for j in range(A.shape[2]):
            linear = (A[world, 0, j], A[world, 1, j], A[world, 2, j])
            force = (rate[world, 0, j], rate[world, 1, j], rate[world, 2, j])
            less = cross(com, linear)
            less_rate = add(cross(moving, linear), cross(com, force))
            for i in range(3):
                A[world, 3 + i, j] -= less[i]
                rate[world, 3 + i, j] -= less_rate[i]
                total += 0.0 * (A[world, i, j] + A[world, 3 + i, j] + rate[world, i, j] + rate[world, 3 + i, j])
        if not (all_finite(q, world) and all_finite(v, world) and total == 0.0) and bad == 0:
            bad = world + 1
    return bad
