"""Centre of mass with its first two derivatives, angular momentum about it, and energies, in one outward sweep.

Sums over bodies in the inertial frame, so every centripetal and Coriolis part is in the acceleration once. Alkire (2020)
(4.20-4.24) counts them a second time; see the errata page.
"""

from carpal._core.compile import entry, kernel, leaf
from carpal.kinematics.kernels.motion import body_motion
from carpal.kinematics.kernels.state import all_finite, freedoms
from carpal.model.kernels.tables import (
    ARMATURE,
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
from carpal.spatial.kernels.scratch import get_matrix, get_vector, put_matrix, put_vector
from carpal.spatial.kernels.vec3 import add, cross, dot, rotate, rotate_back, scale, sub, symmetric_times

# scratch columns of one body
_R, _P, _V, _W, _A, _ALPHA = 0, 9, 12, 15, 18, 21
COLUMNS = 24
# output columns
COM, VELOCITY, ACCELERATION, ANGULAR, KINETIC, POTENTIAL = 0, 3, 6, 9, 12, 13
OUTPUTS = 14


@leaf
def still_world(scratch, slot):
    """Row 0 of the scratch: the world, which does not move."""
    put_matrix(scratch, slot, 0, _R, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))
    for column in (_P, _V, _W, _A, _ALPHA):
        put_vector(scratch, slot, 0, column, (0.0, 0.0, 0.0))


@leaf
def carried_motion(joints, bodies, q, v, vdot, scratch, world, slot, body):
    """Pose and motion of a body from its parent's row of the scratch; kept in its own row: R, p, (v, w, a, alpha)."""
    parent = joints[body, PARENT]
    motion = (
        get_vector(scratch, slot, parent, _V),
        get_vector(scratch, slot, parent, _W),
        get_vector(scratch, slot, parent, _A),
        get_vector(scratch, slot, parent, _ALPHA),
    )
    R, step, motion = body_motion(
        joints, bodies, q, v, vdot, world, body, get_matrix(scratch, slot, parent, _R), motion
    )
    p = add(get_vector(scratch, slot, parent, _P), step)
    put_matrix(scratch, slot, body, _R, R)
    put_vector(scratch, slot, body, _P, p)
    put_vector(scratch, slot, body, _V, motion[0])
    put_vector(scratch, slot, body, _W, motion[1])
    put_vector(scratch, slot, body, _A, motion[2])
    put_vector(scratch, slot, body, _ALPHA, motion[3])
    return R, p, motion


@leaf
def momentum_and_force(m, h, motion):
    """Momentum of a body and its rate: mass m, first moment h and motion, all in world axes at the body's origin."""
    v_B, w_B, a_B, alpha_B = motion
    linear = add(scale(m, v_B), cross(w_B, h))
    return linear, add(scale(m, a_B), add(cross(alpha_B, h), cross(w_B, cross(w_B, h))))


@kernel
def centroidal(joints, bodies, q, v, vdot, out, scratch, world, slot):
    """The 14 numbers of one world; returns 1 when one is not finite."""
    zero = (0.0, 0.0, 0.0)
    still_world(scratch, slot)
    mass, first_moment = bodies[0, MASS], vector_at(bodies, 0, MOMENT)
    momentum, force, angular, kinetic = zero, zero, zero, 0.0
    for body in range(1, joints.shape[0]):
        R, p, motion = carried_motion(joints, bodies, q, v, vdot, scratch, world, slot, body)
        v_B, w_B = motion[0], motion[1]
        m, h = bodies[body, MASS], rotate(R, vector_at(bodies, body, MOMENT))
        spin = rotate(R, symmetric_times(symmetric_at(bodies, body, INERTIA), rotate_back(R, w_B)))
        linear, rate = momentum_and_force(m, h, motion)
        about_body = add(spin, cross(h, v_B))
        mass += m
        first_moment = add(first_moment, add(h, scale(m, p)))
        momentum = add(momentum, linear)
        force = add(force, rate)
        angular = add(angular, add(about_body, cross(p, linear)))
        kinetic += 0.5 * (dot(v_B, linear) + dot(w_B, about_body))
        for k in range(freedoms(joints[body, KIND])):
            speed = v[world, joints[body, V_INDEX] + k]
            kinetic += 0.5 * bodies[body, ARMATURE] * speed * speed
    com = scale(1.0 / mass, first_moment)
    angular = sub(angular, cross(com, momentum))
    for i in range(3):
        out[world, COM + i] = com[i]
        out[world, VELOCITY + i] = momentum[i] / mass
        out[world, ACCELERATION + i] = force[i] / mass
        out[world, ANGULAR + i] = angular[i]
    out[world, KINETIC] = kinetic
    out[world, POTENTIAL] = -dot(vector_at(bodies, 0, GRAVITY), first_moment)
    return 0 if all_finite(q, world) and all_finite(out, world) else 1


@entry
def centroidal_batch(joints, bodies, q, v, vdot, out, scratch, start, stop, stride, slot):
    """`centroidal` over worlds."""
    bad = 0
    for world in range(start, stop, stride):
        if centroidal(joints, bodies, q, v, vdot, out, scratch, world, slot) and bad == 0:
            bad = world + 1
    return bad
