"""Centre of mass with its first two derivatives, angular momentum about it, and energies, in one outward sweep.

Sums over bodies in the inertial frame, so every centripetal and Coriolis part is in the acceleration once. Thesis 5
(4.20-4.24) counts them a second time; see the errata page.
"""

from carpal._jit import entry, kernel
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


@kernel
def centroidal(joints, bodies, q, v, vdot, out, scratch, world, slot):
    """The 14 numbers of one world; returns 1 when one is not finite."""
    zero = (0.0, 0.0, 0.0)
    put_matrix(scratch, slot, 0, _R, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))
    for column in (_P, _V, _W, _A, _ALPHA):
        put_vector(scratch, slot, 0, column, zero)
    mass, first_moment = bodies[0, MASS], vector_at(bodies, 0, MOMENT)
    momentum, force, angular, kinetic = zero, zero, zero, 0.0
    for body in range(1, joints.shape[0]):
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
        v_B, w_B, a_B, alpha_B = motion
        put_matrix(scratch, slot, body, _R, R)
        put_vector(scratch, slot, body, _P, p)
        put_vector(scratch, slot, body, _V, v_B)
        put_vector(scratch, slot, body, _W, w_B)
        put_vector(scratch, slot, body, _A, a_B)
        put_vector(scratch, slot, body, _ALPHA, alpha_B)
        m, h = bodies[body, MASS], rotate(R, vector_at(bodies, body, MOMENT))
        spin = rotate(R, symmetric_times(symmetric_at(bodies, body, INERTIA), rotate_back(R, w_B)))
        linear = add(scale(m, v_B), cross(w_B, h))
        about_body = add(spin, cross(h, v_B))
        mass += m
        first_moment = add(first_moment, add(h, scale(m, p)))
        momentum = add(momentum, linear)
        force = add(force, add(scale(m, a_B), add(cross(alpha_B, h), cross(w_B, cross(w_B, h)))))
        angular = add(angular, add(about_body, cross(p, linear)))
        kinetic += 0.5 * (dot(v_B, linear) + dot(w_B, about_body))
        for k in range(freedoms(joints[body, KIND])):
            rate = v[world, joints[body, V_INDEX] + k]
            kinetic += 0.5 * bodies[body, ARMATURE] * rate * rate
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
