"""What the mount must supply: the world's share of the recursive Newton-Euler algorithm, with the fixed parts' weight."""

from carpal._core.compile import entry
from carpal.dynamics.kernels.rnea import FORCE, TORQUE, rnea
from carpal.model.kernels.tables import GRAVITY, MASS, MOMENT, vector_at
from carpal.spatial.kernels.scratch import get_vector
from carpal.spatial.kernels.vec3 import cross, scale, sub


@entry
def mount_batch(joints, bodies, q, v, vdot, tau, wrench, scratch, start, stop, stride, slot):
    """Force and torque (at the world's origin, world axes) on everything that does not float free; tau beside it."""
    bad = 0
    gravity = vector_at(bodies, 0, GRAVITY)
    weight = scale(bodies[0, MASS], gravity)
    weight_torque = cross(vector_at(bodies, 0, MOMENT), gravity)
    for world in range(start, stop, stride):
        if rnea(joints, bodies, q, v, vdot, tau, scratch, world, slot) and bad == 0:
            bad = world + 1
        force = sub(get_vector(scratch, slot, 0, FORCE), weight)
        torque = sub(get_vector(scratch, slot, 0, TORQUE), weight_torque)
        for i in range(3):
            wrench[world, i] = force[i]
            wrench[world, 3 + i] = torque[i]
    return bad
