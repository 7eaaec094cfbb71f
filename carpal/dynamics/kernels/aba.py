"""Forward dynamics: the articulated-body algorithm in world axes.

Featherstone, "Rigid Body Dynamics Algorithms", 2008, ch. 7. Everything is expressed in world axes at one point per tree,
the origin of the tree's first moving body: articulated inertias then add up without being transformed, and a robot far
from the world's origin loses no digits.
"""

import math

from carpal._core.compile import entry, kernel, leaf
from carpal.kinematics.kernels.freedom import freedom
from carpal.kinematics.kernels.placement import P_WB, R_WB, place_body, place_world
from carpal.kinematics.kernels.state import all_finite, freedoms, vector_of
from carpal.model.kernels.tables import (
    ARMATURE,
    FREE,
    GRAVITY,
    INERTIA,
    KIND,
    MASS,
    MOMENT,
    PARENT,
    PRISMATIC,
    REVOLUTE,
    ROTATION,
    V_INDEX,
    matrix_at,
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
from carpal.spatial.kernels.spatial import (
    articulated_times,
    less_outer,
    less_outer_pair,
    momentum,
    motion_cross,
    shifted_inertia,
)
from carpal.spatial.kernels.vec3 import add, cross, dot, rotate, rotate_symmetric, scale

# scratch columns of one body, after its pose: twist, bias acceleration, articulated inertia, bias force
TWIST_V, TWIST_W, BIAS_V, BIAS_W = 12, 15, 18, 21
INERTIA_A, INERTIA_B, INERTIA_C, FORCE_V, FORCE_W = 24, 30, 39, 45, 48
_U = 51  # for each of up to six freedoms: U/D (6 numbers) and u/D
COLUMNS = 93
_SINGULAR = 1e-14  # a joint's inertia below this share of what it was summed from is rounding: refused as singular


@leaf
def outward(joints, bodies, q, v, scratch, world, slot, body):
    """Pose, twist, bias acceleration, inertia and bias force of a body."""
    kind, parent, first = joints[body, KIND], joints[body, PARENT], joints[body, V_INDEX]
    R, p = place_body(joints, bodies, q, scratch, world, slot, body, False)
    v_P, w_P = get_vector(scratch, slot, parent, TWIST_V), get_vector(scratch, slot, parent, TWIST_W)
    if kind == REVOLUTE or kind == PRISMATIC:
        rate = v[world, first]
        sv, sw = freedom(joints, bodies, scratch, slot, body, p, 0)
        sv, sw = scale(rate, sv), scale(rate, sw)
        cv, cw = motion_cross(v_P, w_P, sv, sw)
    else:
        R_PJ, R_WP = matrix_at(bodies, body, ROTATION), get_matrix(scratch, slot, parent, R_WB)
        slide = (0.0, 0.0, 0.0)
        if kind == FREE:
            slide = rotate(R_WP, rotate(R_PJ, vector_of(v, world, first)))
            first += 3
        sw = rotate(R_WP, rotate(R_PJ, vector_of(v, world, first)))
        sv = add(slide, cross(p, sw))
        cv, cw = motion_cross(v_P, w_P, sv, sw)
        cv = add(cv, cross(slide, sw))  # the point that the body turns about moves with it
    v_B, w_B = add(v_P, sv), add(w_P, sw)
    put_vector(scratch, slot, body, TWIST_V, v_B)
    put_vector(scratch, slot, body, TWIST_W, w_B)
    put_vector(scratch, slot, body, BIAS_V, cv)
    put_vector(scratch, slot, body, BIAS_W, cw)
    mass = bodies[body, MASS]
    h, inertia = shifted_inertia(
        mass,
        rotate(R, vector_at(bodies, body, MOMENT)),
        rotate_symmetric(R, symmetric_at(bodies, body, INERTIA)),
        p,
    )
    linear, angular = momentum(mass, h, inertia, v_B, w_B)
    put_symmetric(scratch, slot, body, INERTIA_A, (mass, mass, mass, 0.0, 0.0, 0.0))
    put_matrix(scratch, slot, body, INERTIA_B, (0.0, h[2], -h[1], -h[2], 0.0, h[0], h[1], -h[0], 0.0))
    put_symmetric(scratch, slot, body, INERTIA_C, inertia)
    put_vector(scratch, slot, body, FORCE_V, cross(w_B, linear))
    put_vector(scratch, slot, body, FORCE_W, add(cross(w_B, angular), cross(v_B, linear)))


@leaf
def inward(joints, bodies, tau, scratch, world, slot, body):
    """Remove the joint's freedoms one by one; what is left, the parent feels as its own inertia and force."""
    kind, parent, first = joints[body, KIND], joints[body, PARENT], joints[body, V_INDEX]
    A = get_symmetric(scratch, slot, body, INERTIA_A)
    B = get_matrix(scratch, slot, body, INERTIA_B)
    C = get_symmetric(scratch, slot, body, INERTIA_C)
    p = get_vector(scratch, slot, body, P_WB)
    fv, fw = articulated_times(
        A, B, C, get_vector(scratch, slot, body, BIAS_V), get_vector(scratch, slot, body, BIAS_W)
    )
    fv, fw = add(fv, get_vector(scratch, slot, body, FORCE_V)), add(fw, get_vector(scratch, slot, body, FORCE_W))
    for k in range(freedoms(kind)):
        sv, sw = freedom(joints, bodies, scratch, slot, body, p, k)
        uv, uw = articulated_times(A, B, C, sv, sw)
        d = dot(sv, uv) + dot(sw, uw) + bodies[body, ARMATURE]
        scale_of_d = (A[0] + A[1] + A[2]) * dot(sv, sv) + (C[0] + C[1] + C[2]) * dot(sw, sw)
        d = 1.0 / d if d > _SINGULAR * scale_of_d else math.nan
        u = d * (tau[world, first + k] - dot(sv, fv) - dot(sw, fw))
        row = _U + 7 * k
        put_vector(scratch, slot, body, row, scale(d, uv))
        put_vector(scratch, slot, body, row + 3, scale(d, uw))
        scratch[slot, body, row + 6] = u
        fv, fw = add(fv, scale(u, uv)), add(fw, scale(u, uw))
        A, B, C = less_outer(A, d, uv), less_outer_pair(B, d, uv, uw), less_outer(C, d, uw)
    if parent > 0:
        add_symmetric(scratch, slot, parent, INERTIA_A, A)
        add_matrix(scratch, slot, parent, INERTIA_B, B)
        add_symmetric(scratch, slot, parent, INERTIA_C, C)
        add_vector(scratch, slot, parent, FORCE_V, fv)
        add_vector(scratch, slot, parent, FORCE_W, fw)


@leaf
def accelerate(joints, bodies, vdot, scratch, world, slot, body):
    """Joint accelerations from the parent's acceleration, and the body's own (kept in place of its twist)."""
    kind, parent, first = joints[body, KIND], joints[body, PARENT], joints[body, V_INDEX]
    av, aw = get_vector(scratch, slot, parent, TWIST_V), get_vector(scratch, slot, parent, TWIST_W)
    p = get_vector(scratch, slot, body, P_WB)
    for k in range(freedoms(kind) - 1, -1, -1):
        row = _U + 7 * k
        uv, uw = get_vector(scratch, slot, body, row), get_vector(scratch, slot, body, row + 3)
        rate = scratch[slot, body, row + 6] - dot(uv, av) - dot(uw, aw)
        vdot[world, first + k] = rate
        sv, sw = freedom(joints, bodies, scratch, slot, body, p, k)
        av, aw = add(av, scale(rate, sv)), add(aw, scale(rate, sw))
    put_vector(scratch, slot, body, TWIST_V, add(av, get_vector(scratch, slot, body, BIAS_V)))
    put_vector(scratch, slot, body, TWIST_W, add(aw, get_vector(scratch, slot, body, BIAS_W)))


@kernel
def aba(joints, bodies, q, v, tau, vdot, scratch, world, slot):
    """Vdot of one world; returns 0, or 1 when a number is not finite or the mass matrix is singular."""
    zero = (0.0, 0.0, 0.0)
    place_world(scratch, slot)
    put_vector(scratch, slot, 0, TWIST_V, zero)
    put_vector(scratch, slot, 0, TWIST_W, zero)
    last = joints.shape[0] - 1
    for body in range(1, last + 1):
        outward(joints, bodies, q, v, scratch, world, slot, body)
    for body in range(last, 0, -1):
        inward(joints, bodies, tau, scratch, world, slot, body)
    put_vector(scratch, slot, 0, TWIST_V, scale(-1.0, vector_at(bodies, 0, GRAVITY)))
    for body in range(1, last + 1):
        accelerate(joints, bodies, vdot, scratch, world, slot, body)
    return 0 if all_finite(q, world) and all_finite(vdot, world) else 1  # the position of a floating root is not used


@entry
def aba_batch(joints, bodies, q, v, tau, vdot, scratch, start, stop, stride, slot):
    """`aba` over worlds."""
    bad = 0
    for world in range(start, stop, stride):
        if aba(joints, bodies, q, v, tau, vdot, scratch, world, slot) and bad == 0:
            bad = world + 1
    return bad
