"""Inverse dynamics: the recursive Newton-Euler algorithm in body frames.

Luh, Walker, Paul, "On-line computational scheme for mechanical manipulators", 1980; Featherstone, "Rigid Body Dynamics
Algorithms", 2008, ch. 5. Forces are taken at each body's origin with the first moment h = m c instead of the centre of
mass, so that massless bodies need no special case. No body's linear velocity is needed, only accelerations.
"""

from carpal._core.compile import entry, kernel, leaf
from carpal.kinematics.kernels.joint import joint_pose
from carpal.kinematics.kernels.state import all_finite, vector_of
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
from carpal.spatial.kernels.scratch import add_vector, get_matrix, get_vector, put_matrix, put_vector
from carpal.spatial.kernels.vec3 import add, cross, rotate, rotate_back, scale, symmetric_times

# scratch columns of one body
_R, _P, _OMEGA, _ALPHA, _ACC, FORCE, TORQUE = 0, 9, 12, 15, 18, 21, 24
COLUMNS = 27


@leaf
def _accelerate(joints, bodies, q, v, vdot, scratch, world, slot, body):
    """Motion of a body from its parent's, then the force and torque (at its origin) that this motion takes."""
    kind, parent, first = joints[body, KIND], joints[body, PARENT], joints[body, V_INDEX]
    R, p = joint_pose(joints, bodies, q, world, body)
    omega_P = get_vector(scratch, slot, parent, _OMEGA)
    alpha_P = get_vector(scratch, slot, parent, _ALPHA)
    acc_P = get_vector(scratch, slot, parent, _ACC)
    acc_P = add(acc_P, add(cross(alpha_P, p), cross(omega_P, cross(omega_P, p))))
    omega, alpha, acc = rotate_back(R, omega_P), rotate_back(R, alpha_P), rotate_back(R, acc_P)
    if kind == REVOLUTE:
        rate, rate_dot = v[world, first], vdot[world, first]
        alpha = (alpha[0] + omega[1] * rate, alpha[1] - omega[0] * rate, alpha[2] + rate_dot)
        omega = (omega[0], omega[1], omega[2] + rate)
    elif kind == PRISMATIC:
        rate, rate_dot = v[world, first], vdot[world, first]
        acc = (acc[0] + 2.0 * omega[1] * rate, acc[1] - 2.0 * omega[0] * rate, acc[2] + rate_dot)
    else:
        R_PJ = matrix_at(bodies, body, ROTATION)
        if kind == FREE:
            slide = rotate_back(R, rotate(R_PJ, vector_of(v, world, first)))
            slide_dot = rotate_back(R, rotate(R_PJ, vector_of(vdot, world, first)))
            acc = add(acc, add(slide_dot, scale(2.0, cross(omega, slide))))
            first += 3
        turn = rotate_back(R, rotate(R_PJ, vector_of(v, world, first)))
        turn_dot = rotate_back(R, rotate(R_PJ, vector_of(vdot, world, first)))
        alpha = add(alpha, add(turn_dot, cross(omega, turn)))
        omega = add(omega, turn)
    mass, h, inertia = bodies[body, MASS], vector_at(bodies, body, MOMENT), symmetric_at(bodies, body, INERTIA)
    force = add(scale(mass, acc), add(cross(alpha, h), cross(omega, cross(omega, h))))
    torque = add(symmetric_times(inertia, alpha), add(cross(omega, symmetric_times(inertia, omega)), cross(h, acc)))
    put_matrix(scratch, slot, body, _R, R)
    put_vector(scratch, slot, body, _P, p)
    put_vector(scratch, slot, body, _OMEGA, omega)
    put_vector(scratch, slot, body, _ALPHA, alpha)
    put_vector(scratch, slot, body, _ACC, acc)
    put_vector(scratch, slot, body, FORCE, force)
    put_vector(scratch, slot, body, TORQUE, torque)


@leaf
def _project(joints, bodies, vdot, tau, scratch, world, slot, body):
    """Generalised force of a joint, and the load that it hands to the parent."""
    kind, parent, first = joints[body, KIND], joints[body, PARENT], joints[body, V_INDEX]
    force = get_vector(scratch, slot, body, FORCE)
    torque = get_vector(scratch, slot, body, TORQUE)
    R = get_matrix(scratch, slot, body, _R)
    armature = bodies[body, ARMATURE]
    force_P, torque_P = rotate(R, force), rotate(R, torque)
    if kind == REVOLUTE:
        tau[world, first] = torque[2] + armature * vdot[world, first]
    elif kind == PRISMATIC:
        tau[world, first] = force[2] + armature * vdot[world, first]
    else:
        R_PJ = matrix_at(bodies, body, ROTATION)
        if kind == FREE:
            force_J = rotate_back(R_PJ, force_P)
            for i in range(3):
                tau[world, first + i] = force_J[i] + armature * vdot[world, first + i]
            first += 3
        torque_J = rotate_back(R_PJ, torque_P)
        for i in range(3):
            tau[world, first + i] = torque_J[i] + armature * vdot[world, first + i]
    if parent == 0 and kind == FREE:
        return  # nothing holds this body: its force comes from tau, not from the world
    add_vector(scratch, slot, parent, FORCE, force_P)
    p = get_vector(scratch, slot, body, _P)
    add_vector(scratch, slot, parent, TORQUE, add(torque_P, cross(p, force_P)))


@kernel
def rnea(joints, bodies, q, v, vdot, tau, scratch, world, slot):
    """Tau = M(q) vdot + C(q, v) v + g(q) of one world; returns 1 when a number is not finite.

    Row 0 of the scratch ends up with the wrench that the world must supply to the moving bodies, at its origin.
    """
    gravity = vector_at(bodies, 0, GRAVITY)
    put_vector(scratch, slot, 0, _OMEGA, (0.0, 0.0, 0.0))
    put_vector(scratch, slot, 0, _ALPHA, (0.0, 0.0, 0.0))
    put_vector(scratch, slot, 0, _ACC, scale(-1.0, gravity))
    put_vector(scratch, slot, 0, FORCE, (0.0, 0.0, 0.0))
    put_vector(scratch, slot, 0, TORQUE, (0.0, 0.0, 0.0))
    last = joints.shape[0] - 1
    for body in range(1, last + 1):
        _accelerate(joints, bodies, q, v, vdot, scratch, world, slot, body)
    for body in range(last, 0, -1):
        _project(joints, bodies, vdot, tau, scratch, world, slot, body)
    return 0 if all_finite(tau, world) else 1


@entry
def rnea_batch(joints, bodies, q, v, vdot, tau, scratch, start, stop, stride, slot):
    """`rnea` over worlds."""
    bad = 0
    for world in range(start, stop, stride):
        if rnea(joints, bodies, q, v, vdot, tau, scratch, world, slot) and bad == 0:
            bad = world + 1
    return bad
