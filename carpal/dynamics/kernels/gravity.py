"""Joint forces that hold a robot still against gravity: weights and first moments summed inwards, in world axes.

The same numbers as inverse dynamics at rest, without velocities and accelerations to set to zero, so that a compiled run
loop needs no memory for them.
"""

from carpal._core.compile import entry, kernel
from carpal.kinematics.kernels.freedom import freedom
from carpal.kinematics.kernels.placement import P_WB, place_body, place_world
from carpal.kinematics.kernels.state import all_finite, freedoms
from carpal.model.kernels.tables import GRAVITY, KIND, MASS, MOMENT, PARENT, V_INDEX, vector_at
from carpal.spatial.kernels.scratch import add_vector, get_vector, put_vector
from carpal.spatial.kernels.vec3 import add, cross, dot, rotate, scale

# scratch columns of one body, after its pose: mass and first moment of everything that it carries
_MASS, _MOMENT = 12, 13
COLUMNS = 16


@kernel
def gravity(joints, bodies, q, tau, scratch, world, slot):
    """g(q) of one world; returns 1 when a number is not finite."""
    place_world(scratch, slot)
    g = vector_at(bodies, 0, GRAVITY)
    for body in range(1, joints.shape[0]):
        R, p = place_body(joints, bodies, q, scratch, world, slot, body, False)
        mass = bodies[body, MASS]
        scratch[slot, body, _MASS] = mass
        put_vector(scratch, slot, body, _MOMENT, add(rotate(R, vector_at(bodies, body, MOMENT)), scale(mass, p)))
    for body in range(joints.shape[0] - 1, 0, -1):
        parent, p = joints[body, PARENT], get_vector(scratch, slot, body, P_WB)
        mass, moment = scratch[slot, body, _MASS], get_vector(scratch, slot, body, _MOMENT)
        weight, torque = scale(mass, g), cross(moment, g)
        for k in range(freedoms(joints[body, KIND])):
            sv, sw = freedom(joints, bodies, scratch, slot, body, p, k)
            tau[world, joints[body, V_INDEX] + k] = -dot(sv, weight) - dot(sw, torque)
        if parent > 0:
            scratch[slot, parent, _MASS] += mass
            add_vector(scratch, slot, parent, _MOMENT, moment)
    return 0 if all_finite(q, world) and all_finite(tau, world) else 1


@entry
def gravity_batch(joints, bodies, q, tau, scratch, start, stop, stride, slot):
    """`gravity` over worlds."""
    bad = 0
    for world in range(start, stop, stride):
        if gravity(joints, bodies, q, tau, scratch, world, slot) and bad == 0:
            bad = world + 1
    return bad
