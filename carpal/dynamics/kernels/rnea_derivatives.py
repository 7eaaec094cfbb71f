"""Analytic derivatives of inverse dynamics, and the mass matrix, in world axes at one point per tree.

Carpentier and Mansard, "Analytical derivatives of rigid body dynamics algorithms", 2018; Singh, Russo and Wensing, "Efficient
analytical derivatives of rigid-body dynamics using spatial vector algebra", 2022; for every kind of joint, because ours have
their freedoms on the parent's side. Moving freedom k displaces everything after it by its motion s. With v+ and a+ the
velocity and acceleration (gravity included) up to and with k's joint, v- the velocity before it, and I, P, D, F summed over
what k carries:

    psi1 = v+ x s,  psi2 = a+ x s + v+ x psi1,  B x = (2 xw x P, D xw)
    dF/dq_k = I psi2 + B psi1 + s x* F,  dF/dv_k = I (psi1 + v- x s) + B s,  dF/dvdot_k = I s

A joint's force is s . F; for joints after k the term s x* F cancels against the turning of their own axes.
"""

from carpal._core.compile import entry, kernel, leaf
from carpal.kinematics.kernels.freedom import freedom
from carpal.kinematics.kernels.placement import place_body, place_world
from carpal.kinematics.kernels.state import all_finite, freedoms
from carpal.model.kernels.tables import (
    ARMATURE,
    FREE,
    GRAVITY,
    INERTIA,
    KIND,
    MASS,
    MOMENT,
    PARENT,
    V_INDEX,
    symmetric_at,
    vector_at,
)
from carpal.spatial.kernels.scratch import (
    add_matrix,
    add_symmetric,
    add_vector,
    get_matrix,
    get_symmetric,
    get_vector,
    put_matrix,
    put_symmetric,
    put_vector,
)
from carpal.spatial.kernels.spatial import momentum, motion_cross, shifted_inertia
from carpal.spatial.kernels.vec3 import add, cross, dot, rotate, rotate_back, rotate_symmetric, scale, symmetric_times

# scratch columns of one body, after its pose: motion, inertia of what it carries, momentum, gyroscopic block, force
_V, _W, _A, _ALPHA = 12, 15, 18, 21
_MASS, _H, _J, _P, _D, _F, _T = 24, 25, 28, 34, 37, 46, 49
COLUMNS = 52
# scratch columns of one freedom: its motion, psi1, psi2, psi1 + v- x s
S, PSI1, PSI2, PSI3 = 0, 6, 12, 18
FREEDOM_COLUMNS = 24


@leaf
def _gyroscopic(h, J, v, w):
    """D of one body: w x (J x) - J (w x x) + x x (J w) - 2 h x (v x x), as a matrix."""
    d = symmetric_times(J, w)
    # [w] J - J [w]: symmetric; [w] J has columns w x (J e)
    c0, c1, c2 = cross(w, (J[0], J[3], J[4])), cross(w, (J[3], J[1], J[5])), cross(w, (J[4], J[5], J[2]))
    hv = dot(h, v)
    # h x (v x e) = v (h . e) - e (h . v)
    g = scale(2.0, h)
    hv = 2.0 * hv
    return (
        2.0 * c0[0] - v[0] * g[0] + hv, c1[0] + c0[1] + d[2] - v[0] * g[1], c2[0] + c0[2] - d[1] - v[0] * g[2],
        c0[1] + c1[0] - d[2] - v[1] * g[0], 2.0 * c1[1] - v[1] * g[1] + hv, c2[1] + c1[2] + d[0] - v[1] * g[2],
        c0[2] + c2[0] + d[1] - v[2] * g[0], c1[2] + c2[1] - d[0] - v[2] * g[1], 2.0 * c2[2] - v[2] * g[2] + hv,
    )  # fmt: skip


@leaf
def _put_motion(table, slot, row, column, v, w):
    put_vector(table, slot, row, column, v)
    put_vector(table, slot, row, column + 3, w)


@kernel
def _outward(joints, bodies, q, v, vdot, scratch, motions, world, slot, body):
    """Pose, motion, inertia and force of a body, and the four motions of each of its freedoms."""
    kind, parent, first = joints[body, KIND], joints[body, PARENT], joints[body, V_INDEX]
    R, p = place_body(joints, bodies, q, scratch, world, slot, body, False)
    v0, w0 = get_vector(scratch, slot, parent, _V), get_vector(scratch, slot, parent, _W)
    a0, alpha0 = get_vector(scratch, slot, parent, _A), get_vector(scratch, slot, parent, _ALPHA)
    count = freedoms(kind)
    for stage in range(2 if kind == FREE else 1):  # a free joint slides first, then turns
        low, high = (3 * stage, 3 * stage + 3) if kind == FREE else (0, count)
        sv, sw, av, aw = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        for k in range(low, high):
            mv, mw = freedom(joints, bodies, scratch, slot, body, p, k)
            rate, rate_dot = v[world, first + k], vdot[world, first + k]
            sv, sw = add(sv, scale(rate, mv)), add(sw, scale(rate, mw))
            av, aw = add(av, scale(rate_dot, mv)), add(aw, scale(rate_dot, mw))
            _put_motion(motions, slot, first + k, S, mv, mw)
        cv, cw = motion_cross(v0, w0, sv, sw)
        v1, w1 = add(v0, sv), add(w0, sw)
        a1, alpha1 = add(a0, add(av, cv)), add(alpha0, add(aw, cw))
        for k in range(low, high):
            mv, mw = get_vector(motions, slot, first + k, S), get_vector(motions, slot, first + k, S + 3)
            x1, y1 = motion_cross(v1, w1, mv, mw)
            x2, y2 = motion_cross(a1, alpha1, mv, mw)
            x3, y3 = motion_cross(v1, w1, x1, y1)
            _put_motion(motions, slot, first + k, PSI1, x1, y1)
            _put_motion(motions, slot, first + k, PSI2, add(x2, x3), add(y2, y3))
            x2, y2 = motion_cross(v0, w0, mv, mw)
            _put_motion(motions, slot, first + k, PSI3, add(x1, x2), add(y1, y2))
        v0, w0, a0, alpha0 = v1, w1, a1, alpha1
    mass = bodies[body, MASS]
    h, J = shifted_inertia(
        mass, rotate(R, vector_at(bodies, body, MOMENT)), rotate_symmetric(R, symmetric_at(bodies, body, INERTIA)), p
    )
    linear, angular = momentum(mass, h, J, v0, w0)
    force, torque = momentum(mass, h, J, a0, alpha0)
    _put_motion(scratch, slot, body, _V, v0, w0)
    _put_motion(scratch, slot, body, _A, a0, alpha0)
    scratch[slot, body, _MASS] = mass
    put_vector(scratch, slot, body, _H, h)
    put_symmetric(scratch, slot, body, _J, J)
    put_vector(scratch, slot, body, _P, linear)
    put_matrix(scratch, slot, body, _D, _gyroscopic(h, J, v0, w0))
    put_vector(scratch, slot, body, _F, add(force, cross(w0, linear)))
    put_vector(scratch, slot, body, _T, add(torque, add(cross(w0, angular), cross(v0, linear))))


@kernel
def _inward(joints, bodies, dq, dv, M, scratch, motions, world, slot, body):
    """Rows and columns of a body's freedoms against those of every joint that carries it; then it is added to its parent."""
    kind, parent, first = joints[body, KIND], joints[body, PARENT], joints[body, V_INDEX]
    mass, h, J = scratch[slot, body, _MASS], get_vector(scratch, slot, body, _H), get_symmetric(scratch, slot, body, _J)
    P, D = get_vector(scratch, slot, body, _P), get_matrix(scratch, slot, body, _D)
    F, T = get_vector(scratch, slot, body, _F), get_vector(scratch, slot, body, _T)
    for k in range(freedoms(kind)):
        row = first + k
        sv, sw = get_vector(motions, slot, row, S), get_vector(motions, slot, row, S + 3)
        w1 = get_vector(motions, slot, row, PSI1 + 3)
        fa, ta = momentum(mass, h, J, sv, sw)  # I s
        fq, tq = momentum(mass, h, J, get_vector(motions, slot, row, PSI2), get_vector(motions, slot, row, PSI2 + 3))
        fq = add(fq, add(scale(2.0, cross(w1, P)), cross(sw, F)))
        tq = add(tq, add(rotate(D, w1), add(cross(sw, T), cross(sv, F))))
        fv, tv = momentum(mass, h, J, get_vector(motions, slot, row, PSI3), get_vector(motions, slot, row, PSI3 + 3))
        fv, tv = add(fv, scale(2.0, cross(sw, P))), add(tv, rotate(D, sw))
        g = add(scale(2.0, cross(P, sv)), rotate_back(D, sw))  # B^T s
        at = body
        while at > 0:
            start = joints[at, V_INDEX]
            for m in range(freedoms(joints[at, KIND])):
                column = start + m
                mv, mw = get_vector(motions, slot, column, S), get_vector(motions, slot, column, S + 3)
                dq[world, column, row] = dot(mv, fq) + dot(mw, tq)
                dv[world, column, row] = dot(mv, fv) + dot(mw, tv)
                M[world, column, row] = dot(mv, fa) + dot(mw, ta)
                M[world, row, column] = M[world, column, row]
                if at != body or (kind == FREE and m < 3 and k >= 3):
                    dq[world, row, column] = (
                        dot(fa, get_vector(motions, slot, column, PSI2))
                        + dot(ta, get_vector(motions, slot, column, PSI2 + 3))
                        + dot(g, get_vector(motions, slot, column, PSI1 + 3))
                    )
                    dv[world, row, column] = (
                        dot(fa, get_vector(motions, slot, column, PSI3))
                        + dot(ta, get_vector(motions, slot, column, PSI3 + 3))
                        + dot(g, mw)
                    )
            at = joints[at, PARENT]
        M[world, row, row] += bodies[body, ARMATURE]
    if parent > 0:
        scratch[slot, parent, _MASS] += mass
        add_vector(scratch, slot, parent, _H, h)
        add_symmetric(scratch, slot, parent, _J, J)
        add_vector(scratch, slot, parent, _P, P)
        add_matrix(scratch, slot, parent, _D, D)
        add_vector(scratch, slot, parent, _F, F)
        add_vector(scratch, slot, parent, _T, T)


@kernel
def rnea_derivatives(joints, bodies, q, v, vdot, dq, dv, M, scratch, motions, world, slot):
    """D tau / dq, d tau / dv and M of one world; returns 1 when a number is not finite."""
    zero = (0.0, 0.0, 0.0)
    place_world(scratch, slot)
    _put_motion(scratch, slot, 0, _V, zero, zero)
    _put_motion(scratch, slot, 0, _A, scale(-1.0, vector_at(bodies, 0, GRAVITY)), zero)
    for i in range(M.shape[1]):
        for j in range(M.shape[1]):
            dq[world, i, j], dv[world, i, j], M[world, i, j] = 0.0, 0.0, 0.0
    last = joints.shape[0] - 1
    for body in range(1, last + 1):
        _outward(joints, bodies, q, v, vdot, scratch, motions, world, slot, body)
    for body in range(last, 0, -1):
        _inward(joints, bodies, dq, dv, M, scratch, motions, world, slot, body)
    total = 0.0
    for i in range(M.shape[1]):
        for j in range(M.shape[1]):
            total += 0.0 * (dq[world, i, j] + dv[world, i, j])
    return 0 if all_finite(q, world) and total == 0.0 else 1


@entry
def rnea_derivatives_batch(joints, bodies, q, v, vdot, dq, dv, M, scratch, motions, start, stop, stride, slot):
    """`rnea_derivatives` over worlds."""
    bad = 0
    for world in range(start, stop, stride):
        if rnea_derivatives(joints, bodies, q, v, vdot, dq, dv, M, scratch, motions, world, slot) and bad == 0:
            bad = world + 1
    return bad
