"""The force that a mount must supply, predicted from the rate of the momentum of the arm that stands on it.

    F = sum_i m_i a_i - M g                                            exact, whatever the arm does
    F = M a + (-2 w x v) - M w x (w x c),  w = c x v                   as Alkire (2020) prints it (4.19 to 4.24)

with c, v, a the centre of mass from the mount's origin and its derivatives. Erratum E4: a holds every centripetal and
Coriolis part already, so the printed law counts them twice, c x v is no angular rate, and one term has no mass. It is
here for comparison. Masses may be wrong on purpose: `weights` multiplies every body's.
"""

from carpal._core.compile import entry, kernel
from carpal.dynamics.kernels.centroidal import COLUMNS as _COLUMNS
from carpal.dynamics.kernels.centroidal import carried_motion, momentum_and_force, still_world
from carpal.kinematics.kernels.state import all_finite
from carpal.model.kernels.tables import GRAVITY, MASS, MOMENT, vector_at
from carpal.spatial.kernels.vec3 import add, cross, rotate, scale, sub

REACTION_COLUMNS = _COLUMNS
# laws
EXACT, PRINTED = 0, 1


@kernel
def reaction(joints, bodies, law, weights, q, v, vdot, out, scratch, world, row, slot):
    """Fill out[row] (3) [N], world axes; weights[world], q[row], v[row], vdot[row]. Returns 1 when not finite."""
    zero = (0.0, 0.0, 0.0)
    still_world(scratch, slot)
    mass = weights[world, 0] * bodies[0, MASS]
    moment = scale(weights[world, 0], vector_at(bodies, 0, MOMENT))
    momentum, force = zero, zero
    for body in range(1, joints.shape[0]):
        R, p, motion = carried_motion(joints, bodies, q, v, vdot, scratch, row, slot, body)
        m = weights[world, body] * bodies[body, MASS]
        h = scale(weights[world, body], rotate(R, vector_at(bodies, body, MOMENT)))
        linear, rate = momentum_and_force(m, h, motion)
        mass += m
        moment = add(moment, add(h, scale(m, p)))
        momentum, force = add(momentum, linear), add(force, rate)
    if law == PRINTED:
        c, speed = scale(1.0 / mass, moment), scale(1.0 / mass, momentum)
        w = cross(c, speed)
        force = sub(force, scale(2.0, cross(w, speed)))
        force = sub(force, scale(mass, cross(w, cross(w, c))))
    else:
        force = sub(force, scale(mass, vector_at(bodies, 0, GRAVITY)))
    for i in range(3):
        out[row, i] = force[i]
    return 0 if all_finite(out, row) else 1


@entry
def reaction_batch(joints, bodies, law, weights, q, v, vdot, out, scratch, start, stop, stride, slot):
    """`reaction` over worlds."""
    bad = 0
    for world in range(start, stop, stride):
        if reaction(joints, bodies, law, weights, q, v, vdot, out, scratch, world, world, slot) and bad == 0:
            bad = world + 1
    return bad
